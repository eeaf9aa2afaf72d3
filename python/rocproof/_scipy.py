"""Densities from distributions of scipy: as expressions of the language, or as functions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Callable, Dict, List, Sequence, Tuple, TypedDict, Union

import numpy as np

from ._errors import refused

#: A parameter as written: 0.1 is one tenth.
Number = Fraction


def number(value: Any) -> Fraction:
    """A parameter as written: the shortest decimal that rounds to this float."""
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


class Values(TypedDict):
    """A density given by a function of the standardised score ``z``; the score is ``location + scale*z``."""

    text: str
    ends: Tuple[float, float]
    marks: List[float]
    location: float
    scale: float
    pdf: Callable[[Any], Any]


#: The quantiles at which a density is sampled first.
_SHARES = np.arange(1, 64) / 64
#: Further quantiles, towards both ends.
_SMALL_SHARES = 10.0 ** -np.arange(2, 21)
#: For a kernel density: the distance between sample points, and of the outermost ones from the data, in bandwidths.
_STEP, _FARTHEST = 2.0, 10.0


def _values(pdf: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A pdf without warnings. Values that are not finite cause an error later."""

    def values(z: Any) -> Any:
        with np.errstate(all="ignore"):
            return np.asarray(pdf(z), dtype=np.float64)

    return values


def _marks(ppf: Callable[[Any], Any], isf: Callable[[Any], Any]) -> List[float]:
    """Sample points that are dense enough to see every part of the density with much mass."""
    with np.errstate(all="ignore"):
        places = np.concatenate([np.atleast_1d(ppf(_SMALL_SHARES)), ppf(_SHARES), np.atleast_1d(isf(_SMALL_SHARES))])
    return [float(place) for place in places]


def _shown(text: str) -> str:
    """The text on one line."""
    return " ".join(text.split())


def _by_values(distribution: Any, family: Any) -> Values:
    """A distribution as a function: its pdf."""
    if hasattr(family, "pdf") and hasattr(distribution, "args"):
        # A frozen distribution. The standardised pdf keeps its precision near the ends of the support.
        shapes, loc, scale = family._parse_args(*distribution.args, **distribution.kwds)
        parameters = [*map(str, distribution.args), *(f"{key}={value}" for key, value in distribution.kwds.items())]
        low, high = family.support(*shapes)
        return {
            "text": _shown(f"scipy.stats.{family.name}({', '.join(parameters)})"),
            "ends": (float(low), float(high)),
            "marks": _marks(lambda q: family.ppf(q, *shapes), lambda q: family.isf(q, *shapes)),
            "location": float(loc),
            "scale": float(scale),
            "pdf": _values(lambda z: family.pdf(z, *shapes)),
        }
    name = type(distribution).__name__
    if hasattr(distribution, "dataset") and hasattr(distribution, "covariance"):
        points = np.asarray(distribution.dataset)
        if points.shape[0] != 1:
            raise refused(f"{name} has {points.shape[0]} dimensions", "scores have one")
        deviation = float(np.sqrt(distribution.covariance[0, 0]))
        first, last = points.min() - _FARTHEST * deviation, points.max() + _FARTHEST * deviation
        marks = np.arange(first, last + deviation, _STEP * deviation)
        ends, text = (-math.inf, math.inf), f"scipy.stats.{name} of {points.shape[1]} scores"
    else:
        quantile = getattr(distribution, "ppf", None) or getattr(distribution, "icdf", None)
        if not hasattr(distribution, "pdf") or quantile is None or not hasattr(distribution, "support"):
            raise refused(
                f"there is no density for {name}",
                f"distributions of scipy.stats that have a pdf, with certified values: {', '.join(_DENSITIES)}; "
                "or an expression in x",
            )
        above = getattr(distribution, "isf", None) or getattr(distribution, "iccdf")
        low, high = distribution.support()
        marks = np.asarray(_marks(quantile, above))
        ends, text = (float(low), float(high)), _shown(repr(distribution))
    values = _values(distribution.pdf)
    return {"text": text, "ends": ends, "marks": marks.tolist(), "location": 0.0, "scale": 1.0, "pdf": values}


def density(distribution: Any) -> Union[str, Values]:
    """A distribution as an expression of the language if there is one, else as a function."""
    family = getattr(distribution, "dist", None)
    name = getattr(family, "name", None)
    if family is None or name not in _DENSITIES:
        return _by_values(distribution, family)
    shapes: Sequence[Any]
    shapes, loc, scale = family._parse_args(*distribution.args, **distribution.kwds)
    return _DENSITIES[name](*map(number, shapes), number(loc), number(scale))
