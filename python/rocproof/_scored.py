"""Models of scored data, one or several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any, Dict, List, Optional, Tuple, Union, cast

from . import _html, _rocproof, _scores
from ._answer import Answered
from ._evaluation import Evaluation
from ._figure import Figure
from ._model import Model, Number, Roc, asked, text_of
from ._progress import Progress, shown

#: One text or several.
Texts = Union[None, str, Sequence[str]]


def _listed(texts: Texts) -> List[str]:
    return [] if texts is None else [texts] if isinstance(texts, str) else list(texts)


def _answer(
    native: _rocproof.Scores,
    level: str,
    cost: str,
    threshold: Number,
    rate: Number,
    at: Texts,
    known: Optional[str],
    decompose: Texts,
    finite_sample: bool,
    bootstrap: Optional[int],
    seed: int,
    delong: bool,
    confidence: Optional[float],
    progress: Progress,
) -> _rocproof.Answer:
    more = {
        "at": _listed(at),
        "known": known,
        "decompose": _listed(decompose),
        "finite_sample": finite_sample,
        "bootstrap": bootstrap,
        "seed": seed,
        "delong": delong,
        "confidence": confidence,
    }
    with shown(progress if bootstrap is not None else False, "samples") as tell:
        return native.evaluate(asked(level, cost, threshold, rate), more, tell)


def _curves(
    native: _rocproof.Scores, names: Texts, by: str, threshold: Number, rate: Number
) -> List[Dict[str, Any]]:
    found = native.curves(_listed(names), by, asked("numeric", "uniform", threshold, rate))
    return cast(List[Dict[str, Any]], found["curves"])


class ScoredModel(Model):
    """A model of scored data; ``Model.from_scores`` makes it."""

    _native: _rocproof.Scores

    def __init__(self, native: _rocproof.Scores) -> None:
        self._native = native

    @property
    def name(self) -> str:
        """The name of the scores, inside their transforms."""
        return self._native.names[0]

    @property
    def rows(self) -> int:
        """How many rows the data have."""
        return self._native.rows

    @property
    def totals(self) -> Tuple[float, float]:
        """What the rows of the positive class weigh, and those of the other."""
        positive, negative = self._native.totals
        return positive, negative

    @property
    def f0(self) -> str:
        raise AttributeError("scored data have no densities")

    @property
    def f1(self) -> str:
        raise AttributeError("scored data have no densities")

    @property
    def pi0(self) -> str:
        positive, negative = self.totals
        return text_of(positive / (positive + negative))

    @property
    def note(self) -> Optional[str]:
        return None

    def eval(  # type: ignore[override]
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
    ) -> Evaluation:
        """All metrics and expected losses, and more if it is asked for.

        ``level`` is ``numeric``, which is also ``best``, or ``exact``, for a few thousand different scores. The threshold is on the scale of
        the scores as they were given.

        ``at`` gives each method's threshold and loss at operating conditions such as ``"c=0.2"`` (a cost proportion) or ``"z=1/5"`` (a
        skew); ``known`` says when the operating condition is known, ``"evaluation"``, ``"deployment"`` or ``"never"``, and which methods
        apply then; ``decompose`` takes the Brier score apart by ``"ties"``, ``"hull"``, ``"width:10"``, ``"mass:10"`` or
        ``"edges:0,0.2,1"``; ``finite_sample`` gives losses with thresholds at cutpoints or rows; ``bootstrap`` draws so many samples,
        starting from ``seed``, for intervals that cover ``confidence``, 0.95 if nothing is said; ``delong`` gives the variance of the AUC.
        """
        request = (level, cost, threshold, rate, at, known, decompose, finite_sample, bootstrap, seed, delong)
        return Evaluation(_answer(self._native, *request, confidence, progress))

    def _transformed(self, transform: str) -> Model:
        return ScoredModel(self._native.transformed(transform))

    def roc(self) -> Roc:  # type: ignore[override]
        """The ROC curve by its corners: ``tpr`` is reached where the score is at least the threshold.

        Scores that transforms compute are not told: there thresholds are NaN.
        """
        return Roc(*self._native.roc(0))

    def curves(
        self, names: Texts = None, by: str = "cost", threshold: Number = "1/2", rate: Number = "1/2"
    ) -> List[Dict[str, Any]]:
        """Exact curves, piece by piece: all that apply, or those named, such as ``"brier"`` or ``["roc", "hull"]``.

        Between ``from`` and ``to`` a piece is ``c0 + c1*u + c2*u**2`` with ``u`` the share of the way, by its ``coefficients``.
        """
        return _curves(self._native, names, by, threshold, rate)

    def figure(  # type: ignore[override]
        self, show: str = "overview", by: str = "cost", colour_blind_safe: bool = False
    ) -> Figure:
        """Curves: ``overview``, ``roc``, ``cost-lines``, ``methods``, ``brier``, ``rate-driven``, ``reliability``, ``murphy``, ``net-benefit``.

        Losses are by ``cost`` proportion or by ``skew``.
        """
        return Figure(self._native.figure(show, by, colour_blind_safe))

    def __reduce__(self) -> Tuple[Any, ...]:
        raise TypeError("a model of scored data is not pickled: pickle the arrays")

    def __repr__(self) -> str:
        return f"<ScoredModel {self.name}: {self.rows} rows, pi0 = {self.pi0}>"


class _Part:
    """What an answer about several models says of one."""

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
        """How much models differ, and how sure that is, if ``bootstrap`` or ``delong`` was asked for."""
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


class ScoredModels:
    """Several models that scored the same rows; ``compare`` makes it."""

    def __init__(self, native: _rocproof.Scores) -> None:
        self._native = native

    @property
    def names(self) -> List[str]:
        """What the models are called."""
        return self._native.names

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
    ) -> Comparison:
        """All metrics and expected losses of each, and more as ``ScoredModel.eval`` has it. Differences are paired: rows are drawn for all."""
        request = (level, cost, threshold, rate, at, known, decompose, finite_sample, bootstrap, seed, delong)
        return Comparison(_answer(self._native, *request, confidence, progress))

    def roc(self, name: str) -> Roc:
        """The ROC curve of one of the models."""
        return Roc(*self._native.roc(self.names.index(name)))

    def curves(
        self, names: Texts = None, by: str = "cost", threshold: Number = "1/2", rate: Number = "1/2"
    ) -> List[Dict[str, Any]]:
        """Exact curves of all models, piece by piece, and their differences to the first."""
        return _curves(self._native, names, by, threshold, rate)

    def figure(self, show: str = "overview", by: str = "cost", colour_blind_safe: bool = False) -> Figure:
        """Curves of all models in one figure, as ``ScoredModel.figure`` has them, with their differences to the first."""
        return Figure(self._native.figure(show, by, colour_blind_safe))

    def __repr__(self) -> str:
        return f"<ScoredModels {', '.join(self.names)}: {self._native.rows} rows>"


def compare(y_true: Any, y_scores: Any, sample_weight: Any = None, pos_label: Any = None) -> ScoredModels:
    """Several models that scored the same rows: a dictionary of arrays by name, or a DataFrame with a column for each.

    >>> models = compare([0, 0, 1, 1], {"good": [0.1, 0.2, 0.8, 0.9], "bad": [0.4, 0.5, 0.3, 0.6]})
    >>> [float(evaluation.AUC) for evaluation in models.eval().values()]
    [1.0, 0.5]
    """
    return ScoredModels(_scores.scores(y_true, _scores.several(y_scores), sample_weight, pos_label))
