"""Models of scored data, one or several."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any, Dict, Generic, List, Optional, Tuple, TypeVar, Union, cast

from . import _html, _rocproof, _scores
from ._answer import Answered
from ._evaluation import Evaluation
from ._figure import Figure
from ._model import Number, Roc, request, text_of
from ._progress import Progress, shown
from ._transformable import Transformable

#: One text or several.
Texts = Union[None, str, Sequence[str]]

#: The result of an evaluation.
_Result = TypeVar("_Result")


def _listed(texts: Texts) -> List[str]:
    return [] if texts is None else [texts] if isinstance(texts, str) else list(texts)


class _ScoredData(ABC, Generic[_Result]):
    """Scored data of one model or several."""

    _native: _rocproof.Scores

    def __init__(self, native: _rocproof.Scores) -> None:
        self._native = native

    @abstractmethod
    def _result(self, answer: _rocproof.Answer) -> _Result:
        """The result of an evaluation from its answer."""

    def eval(
        self,
        level: str = "best",
        cost: str = "uniform",
        threshold: Number = "1/2",
        rate: Number = "1/2",
        *,
        at: Texts = None,
        known: Optional[str] = None,
        decompose: Texts = None,
        finite_sample: bool = False,
        bootstrap: Optional[int] = None,
        seed: int = 1,
        delong: bool = False,
        confidence: Optional[float] = None,
        progress: Progress = None,
    ) -> _Result:
        """All metrics and expected losses, and more on request.

        ``level`` is ``numeric``, which is also ``best``, or ``exact``, for a few thousand different scores. ``threshold`` is on the scale
        of the scores as given.

        ``at`` reports each method's threshold and loss at operating conditions such as ``"c=0.2"`` (a cost proportion) or ``"z=1/5"`` (a
        skew). ``known`` says when the operating condition is known, ``"evaluation"``, ``"deployment"`` or ``"never"``, and compares the
        methods that apply then. ``decompose`` decomposes the Brier score by ``"ties"``, ``"hull"``, ``"width:10"``, ``"mass:10"`` or
        ``"edges:0,0.2,1"``. ``finite_sample`` reports losses with thresholds at cutpoints or rows. ``bootstrap`` is the number of samples
        for intervals, drawn from ``seed``; their coverage is ``confidence``, by default 0.95. ``delong`` reports the variance of the AUC.
        Samples are drawn for all models at once, so that differences between models are paired.
        """
        extras = {
            "at": _listed(at),
            "known": known,
            "decompose": _listed(decompose),
            "finite_sample": finite_sample,
            "bootstrap": bootstrap,
            "seed": seed,
            "delong": delong,
            "confidence": confidence,
        }
        with shown(progress if bootstrap is not None else False, "samples") as report:
            return self._result(self._native.evaluate(request(level, cost, threshold, rate), extras, report))

    def curves(
        self, names: Texts = None, by: str = "cost", threshold: Number = "1/2", rate: Number = "1/2"
    ) -> List[Dict[str, Any]]:
        """Exact curves, piece by piece: all that apply, or those named, such as ``"brier"`` or ``["roc", "hull"]``.

        Between ``from`` and ``to`` a piece is ``c0 + c1*u + c2*u**2``, where ``u`` runs from 0 to 1 and the ``c`` are its
        ``coefficients``. The curves of several models are followed by their differences to the first model.
        """
        found = self._native.curves(_listed(names), by, request("numeric", "uniform", threshold, rate))
        return cast(List[Dict[str, Any]], found["curves"])

    def figure(self, show: str = "overview", by: str = "cost", colour_blind_safe: bool = False) -> Figure:
        """A figure of curves.

        ``show`` is ``overview``, ``roc``, ``cost-lines``, ``methods``, ``brier``, ``rate-driven``, ``reliability``, ``murphy`` or
        ``net-benefit``. Losses are by ``cost`` proportion or by ``skew``. The curves of several models are drawn together, with
        their differences to the first model below.
        """
        return Figure(self._native.figure(show, by, colour_blind_safe))


class ScoredModel(_ScoredData[Evaluation], Transformable):
    """A model of scored data; ``Model.from_scores`` makes it."""

    def _result(self, answer: _rocproof.Answer) -> Evaluation:
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

    def __reduce__(self) -> Tuple[Any, ...]:
        raise TypeError("a model of scored data is not pickled: pickle the arrays")

    def __repr__(self) -> str:
        return f"<ScoredModel {self.name}: {self.rows} rows, pi0 = {self.pi0}>"


class _Part:
    """The part of an answer about several models that belongs to one."""

    def __init__(self, tree: Dict[str, Any]) -> None:
        self._tree = tree

    def tree(self) -> Any:
        return self._tree

    def part(self, key: str) -> Any:
        return self._tree.get(key)


class Comparison(Answered, Mapping[str, Evaluation]):
    """Evaluations of several models by name: ``comparison["forest"].AUC``."""

    def __init__(self, answer: _rocproof.Answer) -> None:
        super().__init__(answer)
        shared = {key: self.json[key] for key in ("data", "cost")}
        models = self.json["models"]
        self._evaluations = {
            model["score"]: Evaluation(cast(_rocproof.Answer, _Part({**shared, **model, "models": [model]})))
            for model in models
        }

    def __getitem__(self, name: str) -> Evaluation:
        return self._evaluations[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._evaluations)

    def __len__(self) -> int:
        return len(self._evaluations)

    @property
    def differences(self) -> List[Dict[str, Any]]:
        """The differences between models with their intervals, if ``bootstrap`` or ``delong`` was requested."""
        return cast(List[Dict[str, Any]], self.json.get("differences", []))

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(self)}>"

    def _repr_html_(self) -> str:
        header = ["", *map(escape, self)]
        evaluations = list(self.values())
        first = evaluations[0]
        metrics = [
            [escape(name), *(_html.number(each.metrics[name]) for each in evaluations)] for name in first.metrics
        ]
        losses = [
            [f"L[{escape(name)}]", *(_html.number(each.loss["cost"][name]) for each in evaluations)]
            for name in first.loss["cost"]
        ]
        return (
            _html.table(header, metrics)
            + f"<p>Expected loss over cost proportions, {escape(self.json['cost'])}</p>"
            + _html.table(header, losses)
        )


class ScoredModels(_ScoredData[Comparison]):
    """Several models that scored the same rows; ``compare`` makes it."""

    def _result(self, answer: _rocproof.Answer) -> Comparison:
        return Comparison(answer)

    @property
    def names(self) -> List[str]:
        """The names of the models."""
        return self._native.names

    def roc(self, name: str) -> Roc:
        """The ROC curve of one of the models."""
        return Roc(*self._native.roc(self.names.index(name)))

    def __repr__(self) -> str:
        return f"<ScoredModels {', '.join(self.names)}: {self._native.rows} rows>"


def compare(y_true: Any, y_scores: Any, sample_weight: Any = None, pos_label: Any = None) -> ScoredModels:
    """Several models that scored the same rows: a dictionary of arrays by name, or a DataFrame with a column for each.

    >>> models = compare([0, 0, 1, 1], {"good": [0.1, 0.2, 0.8, 0.9], "bad": [0.4, 0.5, 0.3, 0.6]})
    >>> [float(evaluation.AUC) for evaluation in models.eval().values()]
    [1.0, 0.5]
    """
    return ScoredModels(_scores.scores(y_true, _scores.several(y_scores), sample_weight, pos_label))
