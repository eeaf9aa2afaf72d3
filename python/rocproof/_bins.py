"""Scores that are known by bins only."""

from __future__ import annotations

from functools import cached_property
from html import escape
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, cast

from . import _arguments, _frames, _html, _quantities, _rocproof, _scores
from ._answer import Answered
from ._arguments import Number
from ._model import request
from ._value import Values, short


class Range(NamedTuple):
    """The range of a value over all scores within the bins: ``lo`` and ``hi`` bound every value."""

    #: The lower end; ``None`` if there is no range.
    lo: Optional[float]
    #: The upper end.
    hi: Optional[float]
    #: Whether both ends are attained or approached.
    sharp: Optional[bool] = None
    #: The reason why there is no range, or why it may be wider than the values.
    why: Optional[str] = None

    @property
    def available(self) -> bool:
        """Whether there is a range; ``why`` says why not."""
        return self.lo is not None

    def __str__(self) -> str:
        if self.lo is None or self.hi is None:
            return f"not available: {self.why}"
        return f"[{short(self.lo)}, {short(self.hi)}]"


def _range(json: Dict[str, Any]) -> Range:
    """A range from its JSON."""
    return Range(json.get("lo"), json.get("hi"), json.get("sharp"), json.get("why"))


def _ranges(json: Dict[str, Any]) -> Values:
    """Named ranges from their JSON."""
    return Values(json, _range)


class BinEvaluation(Answered):
    """The ranges of all metrics and expected losses of scores that are known by bins only.

    ``evaluation.metrics["AUC"].lo``, ``evaluation.loss["cost"]["o"].hi``; names without brackets are attributes as well:
    ``evaluation.metrics.AUC``, ``evaluation.loss.cost.o``.
    """

    @cached_property
    def metrics(self) -> Values:
        """The range of each metric by name."""
        return _ranges(self.json["metrics"])

    @cached_property
    def loss(self) -> Values:
        """The range of each expected loss by operating condition, ``cost`` or ``skew``, and threshold choice method."""
        return Values(self.json["loss"], _ranges)

    @cached_property
    def corp(self) -> Values:
        """The ranges of miscalibration, discrimination and uncertainty by isotonic recalibration."""
        return _ranges(self.json["corp"])

    def value(self, name: str, by: Optional[str] = None) -> Range:
        """The range of a metric, of a part of ``corp``, or of a loss by its method and operating condition, ``cost`` or ``skew``."""
        if by is not None:
            return cast(Range, self.loss[by][name])
        return cast(Range, self.corp[name] if name not in self.metrics and name in self.corp else self.metrics[name])

    def to_frame(self, library: Optional[str] = None) -> Any:
        """All ranges as a DataFrame, one row for each.

        ``library`` is ``"pandas"``, ``"polars"`` or ``"pyarrow"``; by default the first of them that is installed.
        """
        rows = []
        for name, by in self._quantities():
            found = self.value(name, by)
            kind = "metric" if by is None else "loss"
            rows.append({"kind": kind, "by": by, "name": name, "lo": found.lo, "hi": found.hi, "sharp": found.sharp})
        return _frames.frame(rows, library)

    def _quantities(self) -> List[Tuple[str, Optional[str]]]:
        """All names, with the operating condition of losses."""
        metrics = [*self.metrics, *(name for name in ("MCB", "DSC", "UNC") if name not in self.metrics)]
        losses = [(name, by) for by in self.loss for name in self.loss[by]]
        return [*((name, None) for name in metrics), *losses]

    def __repr__(self) -> str:
        auc, loss = self.metrics["AUC"], self.loss["cost"]["o"]
        return f"<BinEvaluation of {self.json['data']['rows']} bins: AUC {auc}, L[o] {loss}>"

    def _repr_html_(self) -> str:
        def cell(found: Range) -> str:
            shown = escape(str(found)) if found.available else "–"
            return shown if found.why is None else f'<span title="{escape(found.why)}">{shown}†</span>'

        rows = [(_quantities.label(quantity), cell(self.value(*quantity))) for quantity in self._quantities()]
        says = "values range over all scores within the bins; there are no sampling intervals"
        return f"<p>{self.json['data']['rows']} bins; {says}</p>" + _html.table(["", "from, to"], rows)


def evaluate_bins(
    lo: Any,
    hi: Any,
    n_positive: Any,
    n_negative: Any,
    closed: Optional[str] = None,
    cost: str = "uniform",
    threshold: Number = "1/2",
    rate: Number = "1/2",
) -> BinEvaluation:
    """The range of each metric and expected loss over all scores within bins: all that a histogram of scores says.

    Row ``k`` counts ``n_positive[k]`` positives and ``n_negative[k]`` negatives with scores from ``lo[k]`` to ``hi[k]``. Arrays, lists and
    columns of any DataFrame are taken. ``closed`` says which end belongs to a bin: ``"left"`` for ``[lo, hi)``, the last one closed;
    ``"right"`` for ``(lo, hi]`` as ``pandas.cut`` makes them, the first one closed; by default either may. Bins may share ends, or be equal,
    and do not overlap otherwise. A bin whose ends are equal is a known score.

    >>> found = evaluate_bins([0, 0.5], [0.5, 1], n_positive=[1, 3], n_negative=[3, 1], closed="left")
    >>> print(found.metrics["AUC"], found.metrics["AUC"].sharp)
    [0.5625, 0.9375] True
    """
    ends, counts, description = _scores.binned(lo, hi, n_positive, n_negative)
    side = "both" if closed is None else _arguments.text("closed", closed, "left")
    asked = request("numeric", cost, threshold, rate)
    return BinEvaluation(_rocproof.evaluate_bins(ends, counts, side, description, asked))
