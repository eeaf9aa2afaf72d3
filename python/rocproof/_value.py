"""Numbers with their evidence."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Callable, Dict, NamedTuple, Optional, Tuple

from ._rocproof import digits


class Value(float):
    """A float with bounds and a level of evidence.

    Arithmetic gives plain floats. Printing shows only the digits that the error justifies.
    """

    __slots__ = ("lo", "hi", "closed_form", "level", "why", "digits", "note")

    #: Bounds of the true value: proved at the levels exact and certified, estimated at the numeric level.
    lo: float
    hi: float
    #: The closed form, such as ``1/2 + pi/20 - 4*ln(2)/5``, if it is known.
    closed_form: Optional[str]
    #: ``"exact"``, ``"certified"`` or ``"numeric"``; ``None`` if there is no value.
    level: Optional[str]
    #: The reason why there is no value, or none at a stronger level.
    why: Optional[str]
    #: The requested number of digits, as text.
    digits: Optional[str]
    #: The reason why the value should not be read as what its name says, if there is one.
    note: Optional[str]

    def __new__(
        cls,
        value: Optional[float],
        lo: float = math.nan,
        hi: float = math.nan,
        exact: Optional[str] = None,
        level: Optional[str] = None,
        why: Optional[str] = None,
        digits: Optional[str] = None,
        note: Optional[str] = None,
    ) -> Value:
        self = super().__new__(cls, math.nan if value is None else value)
        self.lo, self.hi, self.closed_form, self.level, self.why, self.digits = lo, hi, exact, level, why, digits
        self.note = note
        return self

    @property
    def available(self) -> bool:
        """Whether there is a value; ``why`` says why not."""
        return self.level is not None

    @property
    def exact(self) -> Optional[Fraction]:
        """The exact value if it is known and rational, else ``None``."""
        try:
            return None if self.closed_form is None else Fraction(self.closed_form)
        except ValueError:
            return None

    @property
    def error(self) -> float:
        """The largest possible distance from the true value."""
        return max(self.hi - float(self), float(self) - self.lo)

    def __str__(self) -> str:
        if not self.available:
            return f"not available: {self.why}"
        return self.digits or digits(float(self), self.error)

    def __repr__(self) -> str:
        if not self.available:
            return f"Value(not available: {self.why})"
        evidence = f" = {self.closed_form}" if self.closed_form is not None else f" ± {self.error:.0e}"
        return f"Value({self}{evidence}, {self.level})"

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)

    def __reduce__(self) -> Tuple[Any, ...]:
        value = float(self) if self.available else None
        return Value, (value, self.lo, self.hi, self.closed_form, self.level, self.why, self.digits, self.note)


class Spread(NamedTuple):
    """A value with its standard error and interval over samples."""

    #: The value on these rows.
    value: float
    #: The standard deviation over samples.
    standard_error: float
    #: The ends of the interval.
    lo: float
    hi: float
    #: How the interval was made.
    method: Optional[str] = None
    #: The bias that the interval corrects.
    bias: Optional[float] = None
    #: The reason why the interval cannot be relied on, if so.
    caveat: Optional[str] = None
    #: Of a difference: the smallest true difference that so many rows show.
    detectable: Optional[float] = None
    #: Of a difference: the number of rows that show the difference that is to be found.
    rows_needed: Optional[int] = None

    def __str__(self) -> str:
        doubt = "" if self.caveat is None else f" ({self.caveat})"
        return f"{short(self.value)} [{short(self.lo)}, {short(self.hi)}]{doubt}"


def short(number: float) -> str:
    """A number with four significant digits, zeros at the end included."""
    return "0" if number == 0 else f"{float(number):#.4g}".rstrip(".")


class Values(Mapping[str, Any]):
    """Named values: ``metrics["AUC"]`` or ``metrics.AUC``."""

    def __init__(self, json: Mapping[str, Any], make: Callable[[Any], Any]) -> None:
        self._json = json
        self._make = make
        # Values are made on first access.
        self._made: Dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            if name not in self._json:
                raise KeyError(f"{name}; there are: {', '.join(self._json)}")
            self._made[name] = self._make(self._json[name])
        return self._made[name]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._json:
            raise AttributeError(f"there is no {name}; there are: {', '.join(self.__dict__.get('_json', {}))}")
        return self[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._json)

    def __len__(self) -> int:
        return len(self._json)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for name in self._json if name.isidentifier())]

    def __repr__(self) -> str:
        width = max(map(len, self._json), default=0)
        return "\n".join(f"{name:{width}}  {value}" for name, value in self.items())


#: The keys of a number in JSON that a ``Value`` has.
_FIELDS = ("value", "lo", "hi", "exact", "level", "why", "digits", "note")


def value_of(json: Dict[str, Any]) -> Value:
    """A number from its JSON."""
    return Value(**{key: json[key] for key in _FIELDS if key in json})


def values_of(json: Dict[str, Dict[str, Any]]) -> Values:
    """Named numbers from their JSON."""
    return Values(json, value_of)


def spread_of(json: Dict[str, Any]) -> Optional[Spread]:
    """A spread from its JSON; ``None`` if there is none."""
    if json["value"] is None:
        return None
    return Spread(**{key: json[key] for key in Spread._fields if key in json})
