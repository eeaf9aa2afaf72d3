"""Evaluations."""

from __future__ import annotations

from functools import cached_property
from html import escape
from typing import Any, Dict, List, Optional, cast

from . import _html
from ._answer import Answered
from ._rocproof import Answer
from ._value import Value, Values, spread_of, values_of


class Evaluation(Answered):
    """All metrics and expected losses of a model.

    ``evaluation.metrics["AUC"]``, ``evaluation.loss["cost"]["o"]``; names without brackets are attributes as well:
    ``evaluation.AUC``, ``evaluation.loss.cost.o``.
    """

    _answer: Answer

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
        return cast(Optional[bool], self.json["convex"])

    @property
    def gaps(self) -> List[List[float]]:
        """The intervals of scores where the ROC curve lies below its hull."""
        return [[float(end) for end in gap] for gap in self.json["gaps"]]

    @property
    def intervals(self) -> List[Dict[str, Any]]:
        """The bijective, constant and singular intervals of the hull."""
        return cast(List[Dict[str, Any]], self.json["intervals"])

    @property
    def at(self) -> List[Dict[str, Any]]:
        """Thresholds and losses of each method at the requested operating conditions."""
        return cast(List[Dict[str, Any]], self.json.get("at", []))

    @property
    def choice(self) -> Optional[Dict[str, Any]]:
        """The comparison of the methods that apply, if ``known`` was given."""
        return cast(Optional[Dict[str, Any]], self.json.get("choice"))

    @property
    def decompositions(self) -> List[Dict[str, Any]]:
        """The decompositions of the Brier score."""
        return cast(List[Dict[str, Any]], self.json.get("decompositions", []))

    @property
    def corp(self) -> Optional[Dict[str, Any]]:
        """Miscalibration, discrimination and uncertainty by isotonic recalibration."""
        return cast(Optional[Dict[str, Any]], self.json.get("corp"))

    @property
    def finite_sample(self) -> List[Dict[str, Any]]:
        """Expected losses of finite samples, with thresholds at cutpoints or rows."""
        return cast(List[Dict[str, Any]], self.json.get("finite_sample", []))

    @cached_property
    def bootstrap(self) -> Optional[Values]:
        """Standard errors and intervals by name: ``bootstrap.metrics["AUC"]``, ``bootstrap.loss.cost["o"]``."""
        found = self.json.get("bootstrap")
        if found is None:
            return None
        loss = Values(found["loss"], lambda condition: Values(condition, spread_of))
        return Values({"metrics": Values(found["metrics"], spread_of), "loss": loss}, lambda values: values)

    @property
    def delong(self) -> Optional[Dict[str, Any]]:
        """DeLong's standard error and interval of the AUC."""
        return cast(Optional[Dict[str, Any]], self.json.get("delong"))

    def __getattr__(self, name: str) -> Value:
        if name.startswith("_"):
            raise AttributeError(name)
        return cast(Value, getattr(self.metrics, name))

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for name in self.metrics if name.isidentifier())]

    def __repr__(self) -> str:
        return f"<Evaluation of {self._title}: AUC {self.metrics['AUC']}, L[o] {self.loss['cost']['o']}>"

    @property
    def _title(self) -> str:
        if "model" in self.json:
            return cast(str, self.json["model"]["name"])
        return cast(str, self.json["models"][0]["score"])

    def _repr_html_(self) -> str:
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
            + f"<p>Expected loss, operating conditions {escape(self.json['cost'])}</p>"
            + _html.table(["loss", "cost proportions", "evidence", "skews", "evidence"], losses)
        )
