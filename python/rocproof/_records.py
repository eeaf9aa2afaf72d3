"""Typed results of evaluations of scored data.

Each is a dictionary, the JSON of the command line, whose entries are also attributes with types: ``delong["lo"]`` is ``delong.lo``. Where the
JSON has a number with its evidence, the attribute is a ``Value``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Sequence, Tuple, TypeVar, cast

import numpy as np
import numpy.typing as npt

from . import _frames
from ._value import Spread, Value, Values, spread_of, value_of, values_of

if TYPE_CHECKING:
    from ._frames import Rows

_Record = TypeVar("_Record", bound="Record")


class Record(Dict[str, Any]):
    """A part of an answer: a dictionary whose entries are also attributes."""

    __slots__ = ()

    def _value(self, key: str) -> Value:
        found = self.get(key)
        return value_of(found) if isinstance(found, dict) else Value(None, why=f"there is no {key}")

    def _records(self, key: str, kind: type[_Record]) -> List[_Record]:
        return [kind(entry) for entry in self.get(key, [])]

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields())
        return f"{type(self).__name__}({shown})"

    @classmethod
    def _fields(cls) -> Iterator[str]:
        """The names of the attributes."""
        return (name for name, member in vars(cls).items() if isinstance(member, property))

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self._fields()]


class Threshold(Record):
    """The threshold that a method chooses.

    A method may choose one score, leave open where in an interval the threshold lies, split a tie, or draw at random; ``kind`` says which.
    The other entries depend on it: ``threshold["from"]``, ``threshold["minimisers"]``.
    """

    __slots__ = ()

    @property
    def kind(self) -> Optional[str]:
        """``at``, ``between``, ``split``, ``drawn score``, ``drawn rate`` or ``minimisers``; ``None`` if there is no threshold."""
        return cast(Optional[str], self["kind"])

    @property
    def score(self) -> Optional[float]:
        """One score that serves as threshold; ``None`` if the threshold is drawn at random, or infinite."""
        if self.kind == "minimisers":
            first = self["minimisers"][0]
            ends = [first.get(key) for key in ("above", "from", "to", "below")]
            finite = [float(end) for end in ends if isinstance(end, (int, float))]
            return sum(finite) / len(finite) if finite else None
        found = {"at": "threshold", "between": "middle", "split": "score"}.get(self.kind or "")
        value = None if found is None else self.get(found)
        return None if value is None else float(value)

    @property
    def why(self) -> Optional[str]:
        """The reason why there is no threshold."""
        return cast(Optional[str], self.get("why"))


class MethodAt(Record):
    """A method at one operating condition: its threshold, rates and loss."""

    __slots__ = ()

    @property
    def method(self) -> str:
        """The short name, such as ``rd``."""
        return cast(str, self["method"])

    @property
    def title(self) -> str:
        """The name in words."""
        return cast(str, self["title"])

    @property
    def threshold(self) -> Threshold:
        """The threshold."""
        return Threshold(self["threshold"])

    @property
    def predicted_positive_rate(self) -> Value:
        """The share of rows that are predicted positive."""
        return self._value("predicted_positive_rate")

    @property
    def true_positive_rate(self) -> Value:
        """The share of positives that are predicted positive."""
        return self._value("true_positive_rate")

    @property
    def false_positive_rate(self) -> Value:
        """The share of negatives that are predicted positive."""
        return self._value("false_positive_rate")

    @property
    def loss(self) -> Value:
        """The loss at the operating condition, on these rows."""
        return self._value("loss")

    @property
    def out_of_sample(self) -> Optional[Spread]:
        """The loss on rows that the threshold was not chosen on, with its interval; ``None`` if that was not evaluated."""
        found = self.get("out_of_sample")
        return spread_of(found) if isinstance(found, dict) else None


class AtCondition(Record):
    """All methods at one operating condition."""

    __slots__ = ()

    @property
    def at(self) -> str:
        """The operating condition, such as ``c = 1/5``."""
        return cast(str, self["at"])

    @property
    def condition(self) -> str:
        """``cost`` or ``skew``."""
        return cast(str, self["condition"])

    @property
    def cost_proportion(self) -> Value:
        """The share of the cost of a missed positive."""
        return self._value("cost_proportion")

    @property
    def skew(self) -> Value:
        """The skew: the cost proportion, weighted by the class proportions."""
        return self._value("skew")

    @property
    def methods(self) -> List[MethodAt]:
        """The methods."""
        return self._records("methods", MethodAt)

    def method(self, name: str) -> MethodAt:
        """One method by its short name or its name in words: ``at.method("optimal")``."""
        for found in self.methods:
            if name in (found.method, found.title, found.method.split("(")[0]):
                return found
        raise KeyError(f"{name}; there are: {', '.join(found.title for found in self.methods)}")

    def to_frame(self, library: Optional[str] = None) -> Any:
        """The methods as a DataFrame, one row for each."""
        rows: Rows = [
            {
                "at": self.at,
                "method": method.method,
                "title": method.title,
                "threshold": method.threshold.score,
                "predicted_positive_rate": float(method.predicted_positive_rate),
                "true_positive_rate": float(method.true_positive_rate),
                "false_positive_rate": float(method.false_positive_rate),
                "loss": float(method.loss),
            }
            for method in self.methods
        ]
        return _frames.frame(rows, library)


class MethodChoice(Record):
    """A method in a comparison: whether it applies, and its expected losses."""

    __slots__ = ()

    @property
    def method(self) -> str:
        """The short name, such as ``rd``."""
        return cast(str, self["method"])

    @property
    def title(self) -> str:
        """The name in words."""
        return cast(str, self["title"])

    @property
    def applies(self) -> bool:
        """Whether the method can be used, given when the operating condition is known."""
        return cast(bool, self["applies"])

    @property
    def when(self) -> str:
        """When the method is advisable."""
        return cast(str, self["when"])

    @property
    def loss(self) -> Values:
        """The expected loss by ``cost`` and by ``skew``."""
        return values_of(self["loss"])

    @property
    def out_of_sample(self) -> Optional[Spread]:
        """The loss over cost proportions on rows that thresholds were not chosen on, with its interval; ``None`` if that was not evaluated."""
        found = self.get("out_of_sample")
        return spread_of(found) if isinstance(found, dict) and "value" in found else None


class Choice(Record):
    """The methods side by side, given when the operating condition is known."""

    __slots__ = ()

    @property
    def known(self) -> Optional[str]:
        """When the operating condition is known."""
        return cast(Optional[str], self.get("known"))

    @property
    def methods(self) -> List[MethodChoice]:
        """The methods."""
        return self._records("methods", MethodChoice)


class Deploy(Record):
    """The model and the method to deploy under some operating conditions, by losses out of sample."""

    __slots__ = ()

    @property
    def at(self) -> Optional[str]:
        """The operating condition; ``None`` for all cost proportions."""
        return cast(Optional[str], self["at"])

    @property
    def model(self) -> str:
        """The name of the scores."""
        return cast(str, self["model"])

    @property
    def method(self) -> str:
        """The short name of the method, such as ``rd``."""
        return cast(str, self["method"])

    @property
    def threshold(self) -> Optional[float]:
        """The threshold, which may be infinite; ``None`` if it depends on the condition, or is drawn."""
        found = self["threshold"]
        return None if found is None else float(found)

    @property
    def loss(self) -> Optional[Spread]:
        """The loss on rows that the threshold was not chosen on."""
        return spread_of(self["loss"])

    @property
    def rule(self) -> str:
        """Which rows are called positive, in words."""
        return cast(str, self["rule"])

    @property
    def why(self) -> str:
        """The reason, in a sentence."""
        return cast(str, self["why"])


class Cell(Record):
    """A cell of a partition of the scores."""

    __slots__ = ()

    @property
    def edges(self) -> Tuple[float, float]:
        """The edges of the cell; infinite for the outermost ones."""
        low, high = self["edges"]
        return float(low), float(high)

    @property
    def scores(self) -> Tuple[float, float]:
        """The lowest and the highest score in the cell."""
        low, high = self["scores"]
        return float(low), float(high)

    @property
    def weight(self) -> Tuple[float, float]:
        """The weight of each class in the cell, as ``json["data"]`` orders them."""
        first, second = self["weight"]
        return float(first), float(second)

    @property
    def mean_score(self) -> float:
        """The mean score of the rows in the cell."""
        return float(self["mean_score"])

    @property
    def share(self) -> float:
        """The share of the label that higher scores speak for."""
        return float(self["share"])


class Decomposition(Record):
    """The Brier score, decomposed by a partition of the scores."""

    __slots__ = ()

    @property
    def partition(self) -> str:
        """The partition, such as ``width:10``."""
        return cast(str, self["partition"])

    @property
    def BS(self) -> Value:
        """The Brier score."""
        return self._value("BS")

    @property
    def CL(self) -> Value:
        """The calibration loss, or reliability."""
        return self._value("CL")

    @property
    def RL(self) -> Value:
        """The refinement loss: uncertainty minus resolution."""
        return self._value("RL")

    @property
    def RES(self) -> Value:
        """The resolution."""
        return self._value("RES")

    @property
    def UNC(self) -> Value:
        """The uncertainty."""
        return self._value("UNC")

    @property
    def cells(self) -> List[Cell]:
        """The cells of the partition, unless they are the ties."""
        return self._records("cells", Cell)

    @property
    def note(self) -> Optional[str]:
        """What to know about this partition."""
        return cast(Optional[str], self.get("note"))


class Corp(Record):
    """The Brier score by isotonic recalibration: ``BS = MCB - DSC + UNC``."""

    __slots__ = ()

    @property
    def BS(self) -> Value:
        """The Brier score."""
        return self._value("BS")

    @property
    def MCB(self) -> Value:
        """The miscalibration: how much recalibration lowers the Brier score."""
        return self._value("MCB")

    @property
    def DSC(self) -> Value:
        """The discrimination: how much better than a constant the recalibrated scores are."""
        return self._value("DSC")

    @property
    def UNC(self) -> Value:
        """The uncertainty: the Brier score of the share of positives."""
        return self._value("UNC")


class CalibrationError(Record):
    """The distance of scores from the shares of the label that they speak for, by stated bins."""

    __slots__ = ()

    @property
    def partition(self) -> str:
        """The bins, such as ``width:15``."""
        return cast(str, self["partition"])

    @property
    def ECE(self) -> Value:
        """The expected calibration error: the mean distance, weighted by the rows in each bin."""
        return self._value("ECE")

    @property
    def MCE(self) -> Value:
        """The largest distance."""
        return self._value("MCE")

    @property
    def cells(self) -> List[Cell]:
        """The bins that are not empty."""
        return self._records("cells", Cell)


class HandMeasure(Record):
    """Hand's H under one severity."""

    __slots__ = ()

    @property
    def severity(self) -> str:
        """The severity ratio or the distribution, as it was given."""
        return cast(str, self["severity"])

    @property
    def prior(self) -> Optional[str]:
        """The distribution of the cost proportion that it stands for."""
        return cast(Optional[str], self["prior"])

    @property
    def H(self) -> Value:
        """The measure."""
        return self._value("H")


class FiniteSample(Record):
    """An expected loss of a finite sample, with thresholds at cutpoints or rows."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name."""
        return cast(str, self["name"])

    @property
    def title(self) -> str:
        """The name in words."""
        return cast(str, self["title"])

    @property
    def value(self) -> Value:
        """The loss."""
        return self._value("value")

    @property
    def limit(self) -> Value:
        """The loss with very many rows."""
        return self._value("limit")

    @property
    def difference(self) -> Value:
        """The loss minus its limit."""
        return self._value("difference")


class DeLong(Record):
    """The AUC, or a difference of AUCs, with DeLong's standard error and interval.

    Of an AUC, ``lo`` and ``hi`` are the plain interval that pROC gives, which may leave [0, 1]; ``interval`` is on the scale of the logit, with
    its caveat.
    """

    __slots__ = ()

    @property
    def AUC(self) -> Optional[float]:
        """The AUC; ``None`` if there is no variance."""
        return cast(Optional[float], self["AUC"])

    @property
    def standard_error(self) -> Optional[float]:
        """The standard error."""
        return cast(Optional[float], self.get("standard_error"))

    @property
    def interval(self) -> Optional[Spread]:
        """Of an AUC: the interval on the scale of the logit, inside [0, 1]."""
        found = self.get("logit")
        return None if found is None else spread_of(found)

    @property
    def lo(self) -> Optional[float]:
        """The lower end of the plain interval; of an AUC it may be below 0."""
        return cast(Optional[float], self.get("lo"))

    @property
    def hi(self) -> Optional[float]:
        """The upper end of the plain interval; of an AUC it may be above 1."""
        return cast(Optional[float], self.get("hi"))

    @property
    def p(self) -> Optional[float]:
        """The p-value of a difference: how likely a difference as large is if there is none."""
        return cast(Optional[float], self.get("p"))

    @property
    def detectable(self) -> Optional[float]:
        """Of a difference: the smallest true difference that so many rows show."""
        return cast(Optional[float], self.get("detectable"))

    @property
    def rows_needed(self) -> Optional[int]:
        """Of a difference: the number of rows that show the difference that is to be found."""
        return cast(Optional[int], self.get("rows_needed"))

    @property
    def why(self) -> Optional[str]:
        """The reason why there is no variance."""
        return cast(Optional[str], self.get("why"))


def spreads_of(json: Optional[Dict[str, Any]]) -> Optional[Values]:
    """Spreads by name: ``.metrics["AUC"]`` and ``.loss.cost["o"]``."""
    if json is None:
        return None
    by_name = {"metrics": Values(json["metrics"], spread_of), "loss": Values(json["loss"], _spreads_by_name)}
    return Values(by_name, _itself)


def intervals_of(json: Dict[str, Any]) -> Optional[Values]:
    """The sampling intervals of a model or of a difference, whether they are by samples or by formulas; ``None`` if there are none."""
    return spreads_of(json.get("bootstrap") or json.get("formulas"))


def interval_named(intervals: Optional[Values], name: str, by: Optional[str]) -> Optional[Spread]:
    """The interval of a metric, or of a loss by its operating condition; ``None`` if there is none."""
    if intervals is None:
        return None
    found = intervals.metrics if by is None else intervals.loss[by]
    return cast(Optional[Spread], found.get(name))


def _spreads_by_name(json: Dict[str, Any]) -> Values:
    return Values(json, spread_of)


def _itself(values: Values) -> Values:
    return values


class Difference(Record):
    """The difference of two models: the value of the first minus that of the second."""

    __slots__ = ()

    @property
    def models(self) -> Tuple[str, str]:
        """The names of the two models."""
        first, second = self["models"]
        return first, second

    @property
    def bootstrap(self) -> Optional[Values]:
        """Differences with their intervals by name: ``bootstrap.metrics["AUC"]``, ``bootstrap.loss.cost["o"]``."""
        return spreads_of(self.get("bootstrap"))

    @property
    def sampling_intervals(self) -> Optional[Values]:
        """Differences with their intervals by name, by samples or by formulas; ``None`` if there are none."""
        return intervals_of(self)

    @property
    def delong(self) -> Optional[DeLong]:
        """The difference of the AUCs, with DeLong's standard error and interval."""
        found = self.get("delong")
        return None if found is None else DeLong(found)


class Differences(List[Difference]):
    """The differences of all pairs of models."""

    def to_frame(self, library: Optional[str] = None) -> Any:
        """The differences as a DataFrame, one row for each pair of models and quantity."""
        rows: Rows = []
        for difference in self:
            first, second = difference.models
            found = difference.sampling_intervals
            if found is None:
                continue
            for kind, by, names in named_values(found.metrics, found.loss):
                for name, spread in names.items():
                    if spread is not None:
                        entry = {"kind": kind, "by": by, "name": name, "value": spread.value}
                        power = {"detectable": spread.detectable, "rows_needed": spread.rows_needed}
                        rows.append({"first": first, "second": second, **entry, **interval_columns(spread), **power})
        return _frames.frame(rows, library)


def named_values(metrics: Values, loss: Values) -> List[Tuple[str, Optional[str], Values]]:
    """Metrics and losses with their kind and operating condition."""
    found: List[Tuple[str, Optional[str], Values]] = [("metric", None, metrics)]
    return [*found, *(("loss", by, loss[by]) for by in loss)]


def interval_columns(spread: Optional[Spread]) -> Dict[str, Any]:
    """The columns of a sampling interval in a DataFrame."""
    if spread is None:
        return {"standard_error": None, "lo": None, "hi": None, "interval": None, "caveat": None}
    return {
        "standard_error": spread.standard_error,
        "lo": spread.lo,
        "hi": spread.hi,
        "interval": spread.method,
        "caveat": spread.caveat,
    }


class Piece(Record):
    """A piece of a curve: ``c0 + c1*u + c2*u**2``, where ``u`` runs from 0 to 1 between ``start`` and ``end``."""

    __slots__ = ()

    @property
    def start(self) -> float:
        """The abscissa where the piece begins, ``piece["from"]``."""
        return float(self["from"])

    @property
    def end(self) -> float:
        """The abscissa where the piece ends, ``piece["to"]``."""
        return float(self["to"])

    @property
    def left(self) -> float:
        """The limit at the beginning."""
        return float(self["left"])

    @property
    def right(self) -> float:
        """The limit at the end."""
        return float(self["right"])

    @property
    def coefficients(self) -> List[float]:
        """The coefficients of the powers of ``u``."""
        return [float(c) for c in self["coefficients"]]

    @property
    def divisor(self) -> Optional[str]:
        """``1-x`` or ``x`` if the polynomial is divided by that; ``x`` is the abscissa."""
        return cast(Optional[str], self.get("divisor"))

    def points(self, count: int) -> Iterator[Tuple[float, float]]:
        """Points of the piece: its ends, and ``count`` between them if it is not straight."""
        yield self.start, self.left
        if len(self.coefficients) > 2 or self.divisor is not None:
            for u in (k / (count + 1) for k in range(1, count + 1)):
                x = self.start + u * (self.end - self.start)
                y = sum(c * u**power for power, c in enumerate(self.coefficients))
                yield x, y / {None: 1, "x": x, "1-x": 1 - x}[self.divisor]
        yield self.end, self.right


class Curve(Record):
    """A curve, exact and piece by piece."""

    __slots__ = ()

    @property
    def model(self) -> str:
        """The name of the model."""
        return cast(str, self["model"])

    @property
    def curve(self) -> str:
        """The name of the curve, such as ``roc`` or ``brier``."""
        return cast(str, self["curve"])

    @property
    def title(self) -> str:
        """The name in words."""
        return cast(str, self["title"])

    @property
    def x(self) -> str:
        """The name of the abscissa."""
        return cast(str, self["x"])

    @property
    def y(self) -> str:
        """The name of the ordinate."""
        return cast(str, self["y"])

    @property
    def area(self) -> Optional[float]:
        """The area under the curve, if it has one."""
        return cast(Optional[float], self["area"])

    @property
    def pieces(self) -> List[Piece]:
        """The pieces from left to right."""
        return self._records("pieces", Piece)

    def points(self, count: int = 16) -> Tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Points to draw the curve through: the ends of all pieces, and ``count`` between the ends of pieces that are not straight."""
        found = [point for piece in self.pieces for point in piece.points(count)]
        array = np.array(found, dtype=np.float64).reshape(-1, 2)
        return array[:, 0], array[:, 1]

    def to_frame(self, library: Optional[str] = None) -> Any:
        """The pieces as a DataFrame, one row for each."""
        return CurveList([self]).to_frame(library)

    def __repr__(self) -> str:
        return f"<Curve {self.curve} of {self.model}: {len(self['pieces'])} pieces>"


class CurveList(List[Curve]):
    """Curves in order."""

    def to_frame(self, library: Optional[str] = None) -> Any:
        """The pieces of all curves as a DataFrame, one row for each, as the command line writes them in CSV."""
        return _frames.frame([row for curve in self for row in _piece_rows(curve)], library)


def _piece_rows(curve: Curve) -> Iterator[Dict[str, Any]]:
    """The rows of a curve in a DataFrame."""
    for piece in curve.pieces:
        c: Sequence[float] = [*piece.coefficients, 0.0, 0.0, 0.0]
        yield {
            "model": curve.model,
            "curve": curve.curve,
            "from": piece.start,
            "to": piece.end,
            "left": piece.left,
            "right": piece.right,
            "c0": c[0],
            "c1": c[1],
            "c2": c[2],
            "divisor": piece.divisor or "1",
        }
