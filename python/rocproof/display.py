"""Curves on axes of matplotlib, as the displays of scikit-learn draw them.

``RocDisplay.from_estimator(classifier, X, y)`` and ``RocDisplay.from_predictions(y, p)`` draw at once; ``plot(ax=...)`` draws again. Curves are
exact: they bend only where the data do.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from importlib import import_module
from typing import Any, List, Optional, Type, TypeVar

from ._errors import refused
from ._model import Model
from ._records import Curve
from ._scored import ScoredModel

__all__ = ["LossDisplay", "ReliabilityDisplay", "RocDisplay"]

_Self = TypeVar("_Self", bound="_Display")


def _axes(ax: Any) -> Any:
    """The given axes, or new ones."""
    if ax is not None:
        return ax
    try:
        pyplot: Any = import_module("matplotlib.pyplot")
    except ImportError:
        help = "pip install matplotlib; model.figure() draws without it"
        raise refused("matplotlib is not installed", help) from None
    return pyplot.subplots()[1]


class _Display(ABC):
    """A drawing of one model. After ``plot`` the axes are ``ax_`` and the figure is ``figure_``."""

    def __init__(self, model: ScoredModel) -> None:
        #: The model that is drawn.
        self.model = model
        #: The axes, and the figure that they belong to.
        self.ax_: Any = None
        self.figure_: Any = None
        #: The lines that were drawn.
        self.lines_: List[Any] = []

    @classmethod
    def from_predictions(
        cls: Type[_Self],
        y_true: Any,
        y_score: Any,
        *,
        sample_weight: Any = None,
        pos_label: Any = None,
        name: Optional[str] = None,
        ax: Any = None,
        **options: Any,
    ) -> _Self:
        """Draws labels and scores; higher scores speak for the positive label. ``options`` are those of ``plot``."""
        model = Model.from_scores(y_true, y_score, sample_weight, pos_label, name)
        return cls(model).plot(ax, **options)

    @classmethod
    def from_estimator(
        cls: Type[_Self],
        estimator: Any,
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        pos_label: Any = None,
        response_method: str = "auto",
        name: Optional[str] = None,
        ax: Any = None,
        **options: Any,
    ) -> _Self:
        """Draws the scores that a fitted classifier gives to the rows of ``X``. ``options`` are those of ``plot``."""
        model = Model.from_estimator(estimator, X, y, sample_weight, pos_label, response_method, name)
        return cls(model).plot(ax, **options)

    def plot(self: _Self, ax: Any = None, *, name: Optional[str] = None, **options: Any) -> _Self:
        """Draws on ``ax``, or on new axes. ``options`` go to the lines of matplotlib."""
        self.ax_ = _axes(ax)
        self.figure_ = self.ax_.figure
        self.lines_ = []
        self._draw(name or self.model.name, options)
        self.ax_.legend()
        return self

    @abstractmethod
    def _draw(self, name: str, options: Any) -> None:
        """Draws on the axes."""

    def _line(self, curve: Curve, **options: Any) -> None:
        """Draws a curve."""
        x, y = curve.points()
        self.lines_.extend(self.ax_.plot(x, y, **options))


class RocDisplay(_Display):
    """The ROC curve with its convex hull; the areas are in the legend.

    ``hull=False`` leaves out the hull, ``chance=True`` adds the diagonal.
    """

    def _draw(self, name: str, options: Any) -> None:
        hull, chance = options.pop("hull", True), options.pop("chance", False)
        roc, convex = self.model.curves(["roc", "hull"])
        self._line(roc, label=f"{name} (AUC {roc.area:.4g})", **options)
        if hull:
            dashed = {**options, "linestyle": "--", "color": self.lines_[0].get_color()}
            self._line(convex, label=f"hull (AUCH {convex.area:.4g})", **dashed)
        if chance:
            self.lines_.extend(self.ax_.plot([0, 1], [0, 1], color="grey", linestyle=":", label="chance"))
        positive, negative = self.model.labels
        rates = {"xlabel": f"false positive rate ({negative})", "ylabel": f"true positive rate ({positive})"}
        self.ax_.set(**rates, aspect="equal")


class LossDisplay(_Display):
    """The loss of threshold choice methods by operating condition; the expected loss of each, its area, is in the legend.

    ``methods`` are names of curves, by default ``["optimal", "brier"]``: the lowest loss of any threshold, and the loss if scores are taken
    for probabilities. ``by`` is ``"cost"`` or ``"skew"``.
    """

    def _draw(self, name: str, options: Any) -> None:
        methods = options.pop("methods", None)
        if methods is None:
            methods = ["optimal", "brier"] if _are_probabilities(self.model) else ["optimal", "rate-driven"]
        by = options.pop("by", "cost")
        curves = self.model.curves(methods, by=by)
        for curve in curves:
            area = "" if curve.area is None else f" (area {curve.area:.4g})"
            self._line(curve, label=f"{name}: {curve.title}{area}", **options)
        self.ax_.set(xlabel="cost proportion of a missed positive" if by == "cost" else "skew", ylabel="loss")


class ReliabilityDisplay(_Display):
    """The reliability diagram by isotonic regression, CORP: the share of positives by score, which never falls.

    Scores on the diagonal are calibrated.
    """

    def _draw(self, name: str, options: Any) -> None:
        [curve] = self.model.curves("reliability")
        corp = self.model.eval(intervals=False).corp
        if corp is not None and corp.MCB.available:
            name += f" (MCB {float(corp.MCB):.4g})"
            self.lines_.extend(self.ax_.plot([0, 1], [0, 1], color="grey", linestyle=":", label="calibrated"))
        self._line(curve, label=name, **{"marker": ".", **options})
        self.lines_ = self.lines_[::-1]
        self.ax_.set(xlabel="score", ylabel=f"share of {self.model.labels[0]}")


def _are_probabilities(model: ScoredModel) -> bool:
    """Whether scores lie in [0, 1]."""
    return bool(model.eval().metrics["BS"].available)
