"""Models of scored data, one or several."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Dict, Generic, List, Optional, Sequence, Tuple, TypeVar, Union, cast, overload

from . import _arguments, _frames, _groups, _quantities, _rocproof, _scores
from ._answer import Answered, Deferred
from ._arguments import Conditions, Number, Texts, text_of
from ._errors import refused
from ._evaluation import Evaluation
from ._figure import Figure
from ._groups import GroupedModels
from ._model import Roc, request
from ._progress import Progress, shown
from ._records import Curve, CurveList, Deploy, Difference, Differences
from ._transformable import Transformable

#: The result of an evaluation.
_Result = TypeVar("_Result")


#: A class of scored data.
_Self = TypeVar("_Self", bound="_ScoredData[Any]")


class _ScoredData(ABC, Generic[_Result]):
    """Scored data of one model or several."""

    _native: _rocproof.Scores
    #: How intervals are made that nobody asked for.
    _interval_time = "now"

    def __init__(self, native: _rocproof.Scores) -> None:
        self._native = native

    def _evaluate(self, positional: Tuple[Any, ...], asked: Dict[str, Any], time: str) -> _Result:
        """Evaluates, with intervals by samples (``"now"``) or by formulas (``"formulas"``) where ``eval`` would make them."""
        copied = type(self)(self._native)
        copied._interval_time = time
        return copied.eval(*positional, **asked)

    @abstractmethod
    def _result(self, answer: Union[_rocproof.Answer, Deferred]) -> _Result:
        """The result of an evaluation from its answer."""

    def eval(
        self,
        level: str = "best",
        cost: str = "uniform",
        threshold: Number = "1/2",
        rate: Number = "1/2",
        *,
        at: Conditions = None,
        known: Optional[str] = None,
        train: Optional[_ScoredData[Any]] = None,
        decompose: Texts = None,
        ece: Texts = None,
        severity: Conditions = None,
        finite_sample: bool = False,
        bootstrap: Optional[int] = None,
        seed: int = 1,
        stratified: bool = False,
        delong: bool = False,
        confidence: Optional[float] = None,
        power: Optional[float] = None,
        detect: Optional[float] = None,
        intervals: bool = True,
        progress: Progress = None,
    ) -> _Result:
        """All metrics and expected losses, and more on request.

        ``level`` is ``numeric``, which is also ``best``, or ``exact``, for a few thousand different scores. ``threshold`` is on the scale
        of the scores as given.

        ``at`` reports each method's threshold and loss at operating conditions: ``0.2`` or ``"c=1/5"`` is a cost proportion, the share of
        the cost of a missed positive, and ``"z=1/5"`` is a skew. ``known`` says when the operating condition is known, ``"evaluation"``,
        ``"deployment"`` or ``"never"``, and compares the methods that apply then. Both also compare methods and models by losses out of
        sample, and say which to deploy: thresholds are chosen on one part of the rows and evaluated on another, by folds; or chosen on
        ``train``, training rows of the same models.

        ``decompose`` decomposes the Brier score by ``"ties"``, ``"hull"``, ``"width:10"``, ``"mass:10"`` or ``"edges:0,0.2,1"``; ``ece`` is the
        expected calibration error by such bins. ``severity`` is a severity ratio as R's ``hmeasure`` takes it, or a distribution
        ``"beta(2, 3)"`` of the cost proportion, for Hand's H. ``finite_sample`` reports losses with thresholds at cutpoints or rows.

        ``bootstrap`` is the number of samples for intervals, drawn from ``seed``; their coverage is ``confidence``, by default 0.95.
        With ``stratified=True`` samples have as many rows of each class as the data; otherwise class proportions vary, too.
        ``delong`` reports the variance of the AUC. Without ``bootstrap`` intervals are those of the command line: of 200 samples, or by
        formulas for larger data. They are computed when they are first looked at, and never with ``intervals=False``. Samples are drawn for
        all models at once, so that differences between models are paired. ``detectable`` of a difference is the
        smallest true difference that so many rows show with probability ``power``, by default 0.8; ``rows_needed`` is the number of rows
        that show a difference of ``detect``.
        """
        extras = {
            "at": _arguments.conditions(at),
            "known": _arguments.optional_text("known", known, "deployment"),
            "decompose": _arguments.texts("decompose", decompose, "width:10"),
            "ece": _arguments.texts("ece", ece, "width:15"),
            "severity": _arguments.numbers("severity", severity),
            "finite_sample": _arguments.flag("finite_sample", finite_sample),
            "bootstrap": _arguments.optional_count("bootstrap", bootstrap, 1000),
            "seed": _arguments.count("seed", seed, 1, 2**64 - 1),
            "stratified": _arguments.flag("stratified", stratified),
            "delong": _arguments.flag("delong", delong),
            "confidence": _arguments.optional_float("confidence", confidence, 0.9),
            "power": _arguments.optional_float("power", power, 0.9),
            "detect": _arguments.optional_float("detect", detect, 0.01),
        }
        if train is not None and not isinstance(train, _ScoredData):
            raise refused(f"train={type(train).__name__} is not scored data", "train=Model.from_scores(y_train, p_train)")
        training = None if train is None else train._native
        asked = request(level, cost, threshold, rate)

        def evaluate(intervals: str) -> _rocproof.Answer:
            draws = bootstrap is not None or intervals == "now"
            # Samples of one of many groups may take too long.
            time = self._interval_time if intervals == "now" else intervals
            with shown(progress if draws else False, "samples") as report:
                return self._native.evaluate(asked, {**extras, "intervals": time}, report, training)

        if bootstrap is not None or not _arguments.flag("intervals", intervals):
            return self._result(evaluate("none"))
        return self._result(Deferred(evaluate("later"), lambda: evaluate("now")))

    def curves(
        self,
        names: Texts = None,
        by: str = "cost",
        threshold: Number = "1/2",
        rate: Number = "1/2",
        prevalence: Optional[Number] = None,
    ) -> CurveList:
        """Exact curves, piece by piece: all that apply, or those named, such as ``"brier"`` or ``["roc", "hull"]``.

        Between ``from`` and ``to`` a piece is ``c0 + c1*u + c2*u**2``, where ``u`` runs from 0 to 1 and the ``c`` are its
        ``coefficients``, divided by its ``divisor`` if it has one. ``prevalence`` is the share of the positive label where the model is
        deployed, for net benefit and interventions avoided; by default that of the data. The curves of several models are followed by
        their differences to the first model.
        """
        wanted = _arguments.texts("names", names, "brier")
        by = _arguments.text("by", by, "cost")
        share = None if prevalence is None else text_of(prevalence, "prevalence")
        found = self._native.curves(wanted, by, request("numeric", "uniform", threshold, rate), share)
        return CurveList(Curve(curve) for curve in found["curves"])

    def figure(
        self,
        show: str = "overview",
        by: str = "cost",
        colour_blind_safe: bool = False,
        prevalence: Optional[Number] = None,
    ) -> Figure:
        """A figure of curves.

        ``show`` is ``overview``, ``roc``, ``cost-lines``, ``methods``, ``brier``, ``rate-driven``, ``reliability``, ``murphy``,
        ``net-benefit`` or ``interventions-avoided``; ``prevalence`` is as for ``curves``. Losses are by ``cost`` proportion or by ``skew``.
        The curves of several models are drawn together, with their differences to the first model below.
        """
        show, by = _arguments.text("show", show, "roc"), _arguments.text("by", by, "cost")
        safe = _arguments.flag("colour_blind_safe", colour_blind_safe)
        share = None if prevalence is None else text_of(prevalence, "prevalence")
        return Figure(self._native.figure(show, by, safe, share), (self, (show, by, safe, share)))

    def __reduce__(self) -> Tuple[Any, ...]:
        return _restored, (type(self), self._native.state())

    def __deepcopy__(self: _Self, memo: Dict[int, Any]) -> _Self:
        # The data never change.
        return self


class ScoredModel(_ScoredData[Evaluation], Transformable):
    """A model of scored data; ``Model.from_scores`` makes it."""

    def _result(self, answer: Union[_rocproof.Answer, Deferred]) -> Evaluation:
        return Evaluation(answer)

    @property
    def name(self) -> str:
        """The name of the scores, inside their transforms."""
        return self._native.names[0]

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self._native.rows

    @property
    def labels(self) -> Tuple[str, str]:
        """The positive label and the other, as texts."""
        positive, negative = self._native.classes
        return positive, negative

    @property
    def totals(self) -> Tuple[float, float]:
        """The total weight of the positive class and of the other."""
        positive, negative = self._native.totals
        return positive, negative

    @property
    def pi0(self) -> str:
        """The proportion of class 0, the positive class."""
        positive, negative = self.totals
        return text_of(positive / (positive + negative))

    def _transformed(self, transform: str) -> ScoredModel:
        return ScoredModel(self._native.transformed(transform))

    def roc(self) -> Roc:
        """The ROC curve by its corners: ``tpr`` is reached where the score is at least the threshold.

        Thresholds are NaN where a transform computed the scores.
        """
        return Roc(*self._native.roc(0))

    def __repr__(self) -> str:
        return f"<ScoredModel {self.name}: {self.rows} rows, pi0 = {self.pi0}>"


def _restored(kind: Any, state: Tuple[Any, ...]) -> Any:
    """Scored data from their pickle."""
    *data, transforms = state
    native = _rocproof.Scores(*data)
    for transform in transforms:
        native = native.transformed(transform)
    return kind(native)


class _Part:
    """The part of an answer about several models that belongs to one."""

    def __init__(self, comparison: Comparison, model: int) -> None:
        self._comparison = comparison
        self._model = model

    def _of(self, tree: Dict[str, Any]) -> Dict[str, Any]:
        model = tree["models"][self._model]
        return {"data": tree["data"], "cost": tree["cost"], **model, "models": [model]}

    def plain(self) -> Any:
        return self._of(self._comparison._plain)

    @property
    def is_whole(self) -> bool:
        return self._comparison._has_intervals

    def tree(self) -> Any:
        return self._of(self._comparison.json)

    def part(self, key: str) -> Any:
        return self.plain().get(key)

    def to_json(self) -> str:
        return json.dumps(self.tree(), indent=2, ensure_ascii=False) + "\n"

    def text(self) -> str:
        return _quantities.evaluation_text(Evaluation(cast(_rocproof.Answer, self)))


class Comparison(Answered, Mapping[str, Evaluation]):
    """Evaluations of several models by name: ``comparison["forest"].AUC``."""

    @cached_property
    def _evaluations(self) -> Dict[str, Evaluation]:
        models = enumerate(self._plain["models"])
        return {model["score"]: Evaluation(cast(_rocproof.Answer, _Part(self, k))) for k, model in models}

    def __getitem__(self, name: str) -> Evaluation:
        return self._evaluations[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._evaluations)

    def __len__(self) -> int:
        return len(self._evaluations)

    @property
    def deploy(self) -> List[Deploy]:
        """Which model and method to deploy at each requested operating condition, and over cost proportions if ``known`` was given."""
        return [Deploy(each) for each in self._plain.get("deploy", [])]

    @property
    def differences(self) -> Differences:
        """The differences between models with their intervals, if there are any."""
        return Differences(Difference(each) for each in self.json.get("differences", []))

    def to_frame(self, library: Optional[str] = None) -> Any:
        """All values of all models as a DataFrame, one row for each, with their sampling intervals if there are any.

        ``library`` is ``"pandas"``, ``"polars"`` or ``"pyarrow"``; by default the first of them that is installed.
        """
        rows = [{"model": name, **row} for name, each in self.items() for row in each._rows()]
        return _frames.frame(rows, library)

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(self)}>"

    def _repr_html_(self) -> str:
        return _quantities.comparison_html(self._evaluations, self.differences, self.deploy)


class ScoredModels(_ScoredData[Comparison]):
    """Several models that scored the same rows; ``compare`` makes it."""

    def _result(self, answer: Union[_rocproof.Answer, Deferred]) -> Comparison:
        return Comparison(answer)

    @property
    def names(self) -> List[str]:
        """The names of the models."""
        return self._native.names

    def roc(self, name: str) -> Roc:
        """The ROC curve of one of the models."""
        if name not in self.names:
            raise refused(f"there is no model {name!r}", f"the models are {', '.join(self.names)}")
        return Roc(*self._native.roc(self.names.index(name)))

    def __repr__(self) -> str:
        return f"<ScoredModels {', '.join(self.names)}: {self._native.rows} rows>"


@overload
def compare(y_true: Any, y_scores: Any, sample_weight: Any = None, pos_label: Any = None) -> ScoredModels: ...
@overload
def compare(
    y_true: Any, y_scores: Any, sample_weight: Any = None, pos_label: Any = None, *, groups: object
) -> GroupedModels: ...
def compare(
    y_true: Any, y_scores: Any, sample_weight: Any = None, pos_label: Any = None, *, groups: Any = None
) -> Union[ScoredModels, GroupedModels]:
    """Several models that scored the same rows: a dictionary of arrays by name, or a DataFrame with a column for each.

    A DataFrame is one of pandas or Polars, a pyarrow table, a DuckDB relation, or anything else with ``__arrow_c_stream__`` or
    ``__dataframe__``. With ``groups``, a value for each row, the models are evaluated value by value.

    >>> models = compare([0, 0, 1, 1], {"good": [0.1, 0.2, 0.8, 0.9], "bad": [0.4, 0.5, 0.3, 0.6]})
    >>> [float(evaluation.AUC) for evaluation in models.eval().values()]
    [1.0, 0.5]
    """
    columns = _scores.several(y_scores)
    if groups is not None:
        return _groups.grouped(y_true, columns, sample_weight, pos_label, groups, ScoredModels)
    return ScoredModels(_scores.scores(y_true, columns, sample_weight, pos_label))


def read_scores(
    path: Union[str, os.PathLike[str], Sequence[Union[str, os.PathLike[str]]]],
    score: Union[str, Sequence[str]] = "score",
    label: Optional[str] = None,
    *,
    weight: Optional[str] = None,
    counts: Union[None, str, Tuple[str, str]] = None,
    pos_label: Any = None,
    higher_means: Any = None,
    group_by: Optional[str] = None,
    delimiter: Optional[str] = None,
) -> Union[ScoredModel, ScoredModels, GroupedModels]:
    """The score columns of CSV or Parquet files, as ``rocproof score`` reads them: one model, or several.

    ``path`` is a file, a pattern such as ``"parts/*.parquet"``, a directory, or a list of them, read as one data set. ``score`` names a
    column, or a list of columns; ``label`` names the column of labels, by default ``label``. ``counts`` names two columns with the number of
    rows of each class instead, the positive one last. ``pos_label`` is the positive label, by default 1 or true, and ``higher_means`` the one
    that higher scores speak for, by default the positive label. With ``group_by``, the name of a column, the rows are evaluated value by value.
    """
    paths = [path] if isinstance(path, (str, os.PathLike)) else list(path)
    names = _arguments.texts("score", score, "score")
    counted = ",".join(_arguments.texts("counts", counts, "n0,n1")) or None
    columns = {
        "score": names,
        "label": _arguments.optional_text("label", label, "label"),
        "weight": _arguments.optional_text("weight", weight, "weight"),
        "counts": counted,
        "positive": None if pos_label is None else _label_text(pos_label),
        "higher_means": None if higher_means is None else _label_text(higher_means),
        "delimiter": _arguments.optional_text("delimiter", delimiter, ";"),
    }
    files = [os.fspath(each) for each in paths]
    if group_by is not None:
        return _groups.read(files, columns, _arguments.text("group_by", group_by, "site"), _models)
    return _models(_rocproof.Scores.read(files, {**columns, "group_by": None}))


def _models(native: _rocproof.Scores) -> Union[ScoredModel, ScoredModels]:
    """One model, or several."""
    return ScoredModel(native) if len(native.names) == 1 else ScoredModels(native)


def _label_text(label: Any) -> str:
    """A label as text, as a file holds it."""
    return str(label).lower() if isinstance(label, bool) else str(label)
