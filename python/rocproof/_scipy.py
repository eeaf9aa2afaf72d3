"""Densities from frozen distributions of scipy, with their parameters as they are."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Callable, Dict, Sequence

from ._errors import refused

#: A location or a scale as it is written: 0.1 is one tenth.
Number = Fraction


def number(value: Any) -> Fraction:
    """A parameter as exactly as it is written: the shortest decimal that is this float."""
    if isinstance(value, Fraction):
        return value
    value = float(value)
    if not math.isfinite(value):
        raise refused(f"a parameter of the distribution is {value}", "parameters are finite numbers")
    return Fraction(repr(value))


def _beta(a: Number, b: Number, loc: Number, scale: Number) -> str:
    if loc == 0 and scale == 1:
        return f"beta({a}, {b})"
    u = f"((x - ({loc}))/({scale}))"
    return f"normalize({u}^({a - 1})*(1 - {u})^({b - 1}) on [{loc}, {loc + scale}])"


def _truncnorm(a: Number, b: Number, loc: Number, scale: Number) -> str:
    return f"truncate(normal({loc}, {scale}), {loc + a * scale}, {loc + b * scale})"


_DENSITIES: Dict[str, Callable[..., str]] = {
    "beta": _beta,
    "norm": lambda loc, scale: f"normal({loc}, {scale})",
    "triang": lambda c, loc, scale: f"triangular({loc}, {loc + c * scale}, {loc + scale})",
    "uniform": lambda loc, scale: f"uniform({loc}, {loc + scale})",
    "logistic": lambda loc, scale: f"logistic({loc}, {scale})",
    "truncnorm": _truncnorm,
    "expon": lambda loc, scale: f"exp(-(x - ({loc}))/({scale}))/({scale}) on [{loc}, inf]",
}


def density(distribution: Any) -> str:
    """A frozen distribution in the language of densities."""
    family = getattr(distribution, "dist", None)
    name = getattr(family, "name", None)
    if family is None or name not in _DENSITIES:
        shown = name or type(distribution).__name__
        raise refused(
            f"there is no density for the distribution {shown}",
            f"frozen distributions of scipy.stats: {', '.join(_DENSITIES)}; anything else as an expression in x",
        )
    shapes: Sequence[Any]
    shapes, loc, scale = family._parse_args(*distribution.args, **distribution.kwds)
    return _DENSITIES[name](*map(number, shapes), number(loc), number(scale))
