"""Evaluations."""

from __future__ import annotations

from functools import cached_property
from html import escape
from typing import Any, Dict, List, Optional, cast

from . import _frames, _html, _quantities
from ._answer import Answered
from ._records import (
    AtCondition,
    CalibrationError,
    Choice,
    Corp,
    Decomposition,
    DeLong,
    Deploy,
    FiniteSample,
    HandMeasure,
    interval_columns,
    interval_named,
    intervals_of,
    named_values,
    spreads_of,
)
from ._value import Spread, Value, Values, values_of


class Evaluation(Answered):
    """All metrics and expected losses of a model.

    ``evaluation.metrics["AUC"]``, ``evaluation.loss["cost"]["o"]``; names without brackets are attributes as well:
    ``evaluation.AUC``, ``evaluation.loss.cost.o``.
    """

    @cached_property
    def metrics(self) -> Values:
        """The metrics by name."""
        return values_of(self._answer.part("metrics"))

    @cached_property
    def loss(self) -> Values:
        """The expected losses by operating condition, ``cost`` or ``skew``, and threshold choice method."""
        return Values(self._answer.part("loss"), values_of)

    @property
    def convex(self) -> Optional[bool]:
        """Whether the ROC curve is convex; ``None`` where that could not be decided."""
        return cast(Optional[bool], self._plain["convex"])

    @property
    def gaps(self) -> List[List[float]]:
        """The intervals of scores where the ROC curve lies below its hull."""
        return [[float(end) for end in gap] for gap in self._plain["gaps"]]

    @property
    def intervals(self) -> List[Dict[str, Any]]:
        """The bijective, constant and singular intervals of the hull."""
        return cast(List[Dict[str, Any]], self._plain["intervals"])

    @property
    def at(self) -> List[AtCondition]:
        """Thresholds and losses of each method at the requested operating conditions."""
        return [AtCondition(each) for each in self._plain.get("at", [])]

    @property
    def choice(self) -> Optional[Choice]:
        """The comparison of the methods that apply, if ``known`` was given."""
        found = self._plain.get("choice")
        return None if found is None else Choice(found)

    @property
    def deploy(self) -> List[Deploy]:
        """Which method to deploy at each requested operating condition, and over cost proportions if ``known`` was given."""
        return [Deploy(each) for each in self._plain.get("deploy", [])]

    @property
    def decompositions(self) -> List[Decomposition]:
        """The decompositions of the Brier score."""
        return [Decomposition(each) for each in self._plain.get("decompositions", [])]

    @property
    def corp(self) -> Optional[Corp]:
        """Miscalibration, discrimination and uncertainty by isotonic recalibration."""
        found = self._plain.get("corp")
        return None if found is None else Corp(found)

    @property
    def ece(self) -> List[CalibrationError]:
        """The expected calibration error by each partition that was given."""
        return [CalibrationError(each) for each in self._plain.get("ece", [])]

    @property
    def severity(self) -> List[HandMeasure]:
        """Hand's H under each severity that was given."""
        return [HandMeasure(each) for each in self._plain.get("severity", [])]

    @property
    def finite_sample(self) -> List[FiniteSample]:
        """Expected losses of finite samples, with thresholds at cutpoints or rows."""
        return [FiniteSample(each) for each in self._plain.get("finite_sample", [])]

    @cached_property
    def bootstrap(self) -> Optional[Values]:
        """Standard errors and intervals by name: ``bootstrap.metrics["AUC"]``, ``bootstrap.loss.cost["o"]``."""
        return spreads_of(self.json.get("bootstrap"))

    @cached_property
    def sampling_intervals(self) -> Optional[Values]:
        """Sampling intervals by name, by samples or by formulas: ``sampling_intervals.metrics["AUC"]``; ``None`` if there are none."""
        return intervals_of(self.json)

    @property
    def delong(self) -> Optional[DeLong]:
        """DeLong's standard error of the AUC. Its ``interval`` is that of ``sampling_interval("AUC")``; ``lo`` and ``hi`` are the plain one."""
        found = self._plain.get("delong")
        return None if found is None else DeLong(found)

    def value(self, name: str, by: Optional[str] = None) -> Value:
        """A metric, a part of the CORP decomposition, or a loss by its method and operating condition, ``cost`` or ``skew``."""
        if by is not None:
            return cast(Value, self.loss[by][name])
        if name not in self.metrics and self.corp is not None and name in self.corp:
            return self.corp._value(name)
        return cast(Value, self.metrics[name])

    def sampling_interval(self, name: str, by: Optional[str] = None) -> Optional[Spread]:
        """The sampling interval of a value; ``None`` if there is none. Arguments are those of ``value``."""
        return interval_named(self.sampling_intervals, name, by)

    def to_frame(self, library: Optional[str] = None) -> Any:
        """All values as a DataFrame, one row for each, with their sampling intervals if there are any.

        ``library`` is ``"pandas"``, ``"polars"`` or ``"pyarrow"``; by default the first of them that is installed.
        """
        return _frames.frame(self._rows(), library)

    def _rows(self) -> _frames.Rows:
        """The rows of the DataFrame."""
        rows = []
        for kind, by, names in named_values(self.metrics, self.loss):
            for name, value in names.items():
                entry = {"kind": kind, "by": by, "name": name, "value": float(value), "level": value.level}
                rows.append({**entry, **interval_columns(self.sampling_interval(name, by))})
        for name in ("MCB", "DSC", "UNC") if self.corp is not None else ():
            if name not in self.metrics:
                value = self.value(name)
                entry = {"kind": "metric", "by": None, "name": name, "value": float(value), "level": value.level}
                rows.append({**entry, **interval_columns(self.sampling_interval(name))})
        return rows

    def __getattr__(self, name: str) -> Value:
        if name.startswith("_"):
            raise AttributeError(name)
        return cast(Value, getattr(self.metrics, name))

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for name in self.metrics if name.isidentifier())]

    def __repr__(self) -> str:
        auc, loss = self.metrics["AUC"], self.loss["cost"]["o"]
        if self._is_scored:
            shown = [_quantities.described(self, "AUC"), _quantities.described(self, "o", "cost")]
            return f"<Evaluation of {self._title}: AUC {shown[0]}, L[o] {shown[1]}>"
        return f"<Evaluation of {self._title}: AUC {auc}, L[o] {loss}>"

    @property
    def _is_scored(self) -> bool:
        """Whether this is an evaluation of scored data."""
        return "data" in self._plain

    @property
    def _title(self) -> str:
        if "model" in self._plain:
            return cast(str, self._plain["model"]["name"])
        return cast(str, self._plain["models"][0]["score"])

    def _repr_html_(self) -> str:
        if self._is_scored:
            return _quantities.evaluation_html(self, self._title)
        metrics = [
            (escape(name), _html.number(value), _html.evidence(value)) for name, value in self.metrics.items()
        ]
        by_cost, by_skew = self.loss["cost"], self.loss["skew"]
        losses = [
            (
                f"L[{escape(name)}]",
                _html.number(by_cost[name]),
                _html.evidence(by_cost[name]),
                _html.number(by_skew[name]),
                _html.evidence(by_skew[name]),
            )
            for name in by_cost
        ]
        shape = {True: "convex", False: "not convex", None: "convex or not: that was not decided"}[self.convex]
        return (
            f"<p><strong>{escape(self._title)}</strong>: the ROC curve is {shape}</p>"
            + _html.table(["metric", "value", "evidence"], metrics)
            + f"<p>Expected loss, operating conditions {escape(self._plain['cost'])}</p>"
            + _html.table(["loss", "cost proportions", "evidence", "skews", "evidence"], losses)
        )
