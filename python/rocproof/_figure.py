"""Figures."""

from __future__ import annotations

import itertools
import os
from typing import Union

from . import _rocproof

# Several figures in one notebook must not share identifiers.
_numbers = itertools.count(1)


class Figure:
    """A figure: shown in notebooks, saved as SVG, PNG or PDF."""

    def __init__(self, native: _rocproof.Figure) -> None:
        self._native = native
        self._name = f"f{next(_numbers)}-"

    def to_svg(self) -> str:
        """The figure as SVG."""
        return self._native.svg("")

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Saves the figure as .svg, .png or .pdf."""
        self._native.save(os.fspath(path))

    def __repr__(self) -> str:
        return "<Figure>"

    def _repr_svg_(self) -> str:
        return self._native.svg(self._name)
