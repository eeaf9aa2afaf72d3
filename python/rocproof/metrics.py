"""Metrics and expected losses as functions of labels and scores, and scorers for scikit-learn.

>>> from rocproof import metrics
>>> y, p = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
>>> metrics.auc(y, p)
0.75
>>> metrics.expected_loss(y, p, method="optimal") == metrics.expected_loss(y, p, method="o")
True

Labels and scores are those of ``Model.from_scores``: higher scores speak for the positive label, which is ``pos_label``, or 1 by default.
Each function evaluates the data anew; ``Model.from_scores(y, p).eval()`` has all values at once, with intervals on request.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Callable, Dict, NamedTuple, Optional

from ._arguments import Number
from ._errors import refused
from ._model import Model

__all__ = [
    "auc",
    "auch",
    "brier_score",
    "discrimination",
    "expected_loss",
    "gini",
    "h_measure",
    "ks",
    "make_scorer",
    "mean_absolute_error",
    "miscalibration",
    "scorers",
    "value",
]

#: The threshold choice methods: short names and names in words.
METHODS = {
    "sf": "score-fixed",
    "rf": "rate-fixed",
    "su": "score-uniform",
    "sd": "score-driven",
    "ru": "rate-uniform",
    "rd": "rate-driven",
    "o": "optimal",
}

#: Methods whose thresholds are on the scale of probabilities.
_OF_PROBABILITIES = {"sf", "su", "sd"}


class _Metric(NamedTuple):
    """A metric: its name in an evaluation, and what a scorer must know."""

    name: str
    greater_is_better: bool
    needs_probabilities: bool


#: The metrics by their names in words.
_METRICS = {
    "auc": _Metric("AUC", True, False),
    "auch": _Metric("AUCH", True, False),
    "gini": _Metric("Gini", True, False),
    "ks": _Metric("KS", True, False),
    "h-measure": _Metric("H", True, False),
    "brier-score": _Metric("BS", False, True),
    "mean-absolute-error": _Metric("MAE", False, True),
    "miscalibration": _Metric("MCB", False, True),
    "discrimination": _Metric("DSC", True, False),
}

#: Other names of metrics.
_OTHER_NAMES = {
    "roc-auc": "auc",
    "area-under-the-roc-curve": "auc",
    "area-under-the-hull": "auch",
    "kolmogorov-smirnov": "ks",
    "h": "h-measure",
    "bs": "brier-score",
    "brier": "brier-score",
    "mae": "mean-absolute-error",
    "mcb": "miscalibration",
    "dsc": "discrimination",
}


def _plain(name: str) -> str:
    """A name without regard to case, underscores and blanks."""
    if not isinstance(name, str):
        raise refused(f"{name!r} is not a name", "for example 'auc' or 'rate-driven'")
    plain = name.strip().lower().replace("_", "-").replace(" ", "-")
    return plain[4:] if plain.startswith("neg-") else plain


def _method(name: str) -> Optional[str]:
    """The short name of a method; ``None`` if there is no such method."""
    plain = _plain(name)
    if plain.startswith("l[") and plain.endswith("]"):
        plain = plain[2:-1]
    for ending in ("-loss", "-expected-loss"):
        plain = plain[: -len(ending)] if plain.endswith(ending) else plain
    return next((short for short, words in METHODS.items() if plain in (short, words)), None)


def _metric(name: str) -> Optional[_Metric]:
    """A metric by any of its names; ``None`` if there is no such metric."""
    plain = _plain(name)
    return _METRICS.get(_OTHER_NAMES.get(plain, plain))


def _no_such(name: str, what: str, names: Iterator[str]) -> Exception:
    return refused(f"there is no {what} {name!r}", f"there are: {', '.join(names)}")


def expected_loss(
    y_true: Any,
    y_score: Any,
    *,
    method: str = "rate-driven",
    cost: str = "uniform",
    by: str = "cost",
    threshold: Number = "1/2",
    rate: Number = "1/2",
    sample_weight: Any = None,
    pos_label: Any = None,
) -> float:
    """The expected loss of a threshold choice method over a distribution of operating conditions.

    ``method`` is ``"score-fixed"``, ``"rate-fixed"``, ``"score-uniform"``, ``"score-driven"``, ``"rate-uniform"``, ``"rate-driven"`` or
    ``"optimal"``, or its short name ``"sf"`` to ``"o"``. ``cost`` is the distribution, ``"uniform"`` or ``"beta(a, b)"``, of cost proportions,
    or of skews with ``by="skew"``. ``threshold`` and ``rate`` belong to the fixed methods.
    """
    short = _method(method)
    if short is None:
        raise _no_such(method, "method", iter(METHODS.values()))
    if by not in ("cost", "skew"):
        raise refused(f"by={by!r}", 'by="cost" or by="skew"')
    model = Model.from_scores(y_true, y_score, sample_weight, pos_label)
    losses = model.eval(cost=cost, threshold=threshold, rate=rate, intervals=False).loss[by]
    return _float(next(losses[name] for name in losses if name.split("(")[0] == short))


def value(
    y_true: Any, y_score: Any, name: str, *, sample_weight: Any = None, pos_label: Any = None, **options: Any
) -> float:
    """A metric or an expected loss by name, such as ``"auc"``, ``"h-measure"``, ``"BS"``, ``"rate-driven"`` or ``"L[o]"``.

    ``options`` of losses are those of ``expected_loss``.
    """
    if _method(name) is not None:
        return expected_loss(
            y_true, y_score, method=name, sample_weight=sample_weight, pos_label=pos_label, **options
        )
    metric = _metric(name)
    if metric is None:
        raise _no_such(name, "metric or method", iter([*_METRICS, *METHODS.values()]))
    if options:
        raise refused(f"{name} takes no {', '.join(options)}", "options belong to expected losses")
    model = Model.from_scores(y_true, y_score, sample_weight, pos_label)
    return _float(model.eval(intervals=False).value(metric.name))


def _float(found: Any) -> float:
    """A value as a plain float; an error if there is none."""
    if not found.available:
        raise refused(found.why or "there is no value")
    return float(found)


def auc(y_true: Any, y_score: Any, *, sample_weight: Any = None, pos_label: Any = None) -> float:
    """The area under the ROC curve."""
    return value(y_true, y_score, "auc", sample_weight=sample_weight, pos_label=pos_label)


def auch(y_true: Any, y_score: Any, *, sample_weight: Any = None, pos_label: Any = None) -> float:
    """The area under the convex hull of the ROC curve."""
    return value(y_true, y_score, "auch", sample_weight=sample_weight, pos_label=pos_label)


def gini(y_true: Any, y_score: Any, *, sample_weight: Any = None, pos_label: Any = None) -> float:
    """The Gini coefficient, ``2*AUC - 1``."""
    return value(y_true, y_score, "gini", sample_weight=sample_weight, pos_label=pos_label)


def ks(y_true: Any, y_score: Any, *, sample_weight: Any = None, pos_label: Any = None) -> float:
    """The Kolmogorov-Smirnov statistic: the largest difference between the true and the false positive rate."""
    return value(y_true, y_score, "ks", sample_weight=sample_weight, pos_label=pos_label)


def h_measure(y_true: Any, y_score: Any, *, sample_weight: Any = None, pos_label: Any = None) -> float:
    """Hand's H with the prior Beta(2, 2)."""
    return value(y_true, y_score, "h-measure", sample_weight=sample_weight, pos_label=pos_label)


def brier_score(y_true: Any, y_score: Any, *, sample_weight: Any = None, pos_label: Any = None) -> float:
    """The Brier score: the mean squared error of probabilities."""
    return value(y_true, y_score, "brier-score", sample_weight=sample_weight, pos_label=pos_label)


def mean_absolute_error(y_true: Any, y_score: Any, *, sample_weight: Any = None, pos_label: Any = None) -> float:
    """The mean absolute error of probabilities."""
    return value(y_true, y_score, "mae", sample_weight=sample_weight, pos_label=pos_label)


def miscalibration(y_true: Any, y_score: Any, *, sample_weight: Any = None, pos_label: Any = None) -> float:
    """MCB: how much isotonic recalibration lowers the Brier score."""
    return value(y_true, y_score, "mcb", sample_weight=sample_weight, pos_label=pos_label)


def discrimination(y_true: Any, y_score: Any, *, sample_weight: Any = None, pos_label: Any = None) -> float:
    """DSC: how much better than a constant the recalibrated probabilities are, by the Brier score."""
    return value(y_true, y_score, "dsc", sample_weight=sample_weight, pos_label=pos_label)


def make_scorer(name: str, *, pos_label: Any = None, **options: Any) -> Any:
    """A scorer for ``cross_val_score`` and ``GridSearchCV``: a metric or an expected loss by any of its names.

    Losses are negated, so that greater is better. Metrics that depend on ranks take ``decision_function`` or ``predict_proba``, the others
    ``predict_proba``. ``options`` of losses are those of ``expected_loss``.
    """
    method, metric = _method(name), _metric(name)
    if method is None and metric is None:
        raise _no_such(name, "metric or method", iter([*_METRICS, *METHODS.values()]))
    probabilities = metric.needs_probabilities if metric is not None else method in _OF_PROBABILITIES
    try:
        sklearn: Any = import_module("sklearn.metrics")
    except ImportError:
        raise refused("scikit-learn is not installed", "pip install scikit-learn") from None
    return sklearn.make_scorer(
        value,
        response_method="predict_proba" if probabilities else ("decision_function", "predict_proba"),
        greater_is_better=metric is not None and metric.greater_is_better,
        name=name,
        **({} if pos_label is None else {"pos_label": pos_label}),
        **options,
    )


class _Scorers(Mapping[str, Callable[..., float]]):
    """The scorers of all metrics and methods by name."""

    def __init__(self) -> None:
        self._made: Dict[str, Any] = {}

    def __getitem__(self, name: str) -> Callable[..., float]:
        if name not in self._made:
            try:
                self._made[name] = make_scorer(name)
            except ValueError as why:
                if "there is no metric" in str(why):
                    raise KeyError(str(why)) from None
                raise
        scorer: Callable[..., float] = self._made[name]
        return scorer

    def __iter__(self) -> Iterator[str]:
        yield from (name if metric.greater_is_better else f"neg-{name}" for name, metric in _METRICS.items())
        yield from (f"neg-{words}" for words in METHODS.values())

    def __len__(self) -> int:
        return len(_METRICS) + len(METHODS)

    def __repr__(self) -> str:
        return f"<scorers: {', '.join(self)}>"


#: Scorers for scikit-learn by name: ``cross_val_score(model, X, y, scoring=rocproof.metrics.scorers["rate-driven"])``.
scorers: Mapping[str, Callable[..., float]] = _Scorers()
