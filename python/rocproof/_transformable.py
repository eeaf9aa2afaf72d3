"""Transforms of models."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TypeVar

_Self = TypeVar("_Self", bound="Transformable")


class Transformable(ABC):
    """A model whose scores can be transformed: one of densities, or one of scored data."""

    @abstractmethod
    def _transformed(self: _Self, transform: str) -> _Self:
        """The model after a transform: ``"conv"``, ``"cal"`` or ``"even"``."""

    def conv(self: _Self) -> _Self:
        """The model of the convex hull of the ROC curve."""
        return self._transformed("conv")

    def cal(self: _Self) -> _Self:
        """The model whose scores are the posteriors along the hull."""
        return self._transformed("cal")

    def even(self: _Self) -> _Self:
        """The model whose scores are the predicted positive rates."""
        return self._transformed("even")
