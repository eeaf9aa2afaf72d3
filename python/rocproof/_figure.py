"""Figures."""

from __future__ import annotations

import itertools
import os
from typing import Any, Optional, Tuple, Union

from . import _rocproof
from ._errors import refused

# Several figures in one notebook must not share identifiers.
_numbers = itertools.count(1)


class Figure:
    """A figure: shown in notebooks, saved as SVG, PNG or PDF."""

    def __init__(self, native: _rocproof.Figure, drawn: Optional[Tuple[Any, Tuple[Any, ...]]] = None) -> None:
        self._native = native
        self._name = f"f{next(_numbers)}-"
        #: The model and the arguments of its method ``figure``, by which the figure is drawn again from a pickle.
        self._drawn = drawn

    def to_svg(self) -> str:
        """The figure as SVG."""
        return self._native.svg("")

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Saves the figure as .svg, .png or .pdf."""
        self._native.save(os.fspath(path))

    def __reduce__(self) -> Tuple[Any, ...]:
        if self._drawn is None:
            raise refused("this figure cannot be pickled", "pickle the model, or save the figure to a file")
        return _redrawn, self._drawn

    def __repr__(self) -> str:
        return "<Figure>"

    def _repr_svg_(self) -> str:
        return self._native.svg(self._name)


def _redrawn(model: Any, arguments: Tuple[Any, ...]) -> Any:
    """Draws a figure from its pickle."""
    return model.figure(*arguments)
