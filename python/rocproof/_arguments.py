"""Arguments, checked before they reach the native module, so that each error says what to write instead."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, List, Optional, Union

from ._errors import refused

#: A number of the language: a text, or a Python number.
Number = Union[str, int, float, Fraction]

#: One text or several.
Texts = Union[None, str, Sequence[str]]

#: Operating conditions: a cost proportion, a text such as ``"z=0.2"``, or several of them.
Conditions = Union[None, Number, Sequence[Number]]


def text_of(number: Number, name: str = "the number") -> str:
    """A number as text of the language. The float 0.1 becomes one tenth."""
    if isinstance(number, str):
        return number
    if isinstance(number, bool):
        raise refused(f"{name} is {number!r}", "a number, such as 0.2, or a text, such as '1/5'")
    if isinstance(number, float):
        # Subclasses of float, such as NumPy's and our own, print differently.
        return float.__repr__(float(number))
    if isinstance(number, (int, Fraction)):
        return str(number)
    if hasattr(number, "item"):
        found: Any = number.item()
        return text_of(found, name)
    raise refused(f"{name} is {number!r}", "a number, such as 0.2, or a text, such as '1/5'")


def texts(name: str, given: Texts, example: str) -> List[str]:
    """One text or several, as a list."""
    if given is None:
        return []
    listed: List[Any] = list(given) if not isinstance(given, str) and hasattr(given, "__iter__") else [given]
    for text in listed:
        if not isinstance(text, str):
            raise refused(f"{name}={text!r} is not a text", f"for example {name}={example!r}")
    return listed


def conditions(given: Conditions) -> List[str]:
    """Operating conditions as texts: 0.2 is ``c=0.2``."""
    if given is None:
        return []
    several = not isinstance(given, str) and hasattr(given, "__iter__")
    listed: List[Any] = list(given) if several else [given]  # type: ignore[arg-type]
    return [_condition(each) for each in listed]


def _condition(given: Any) -> str:
    """An operating condition as text."""
    if isinstance(given, str):
        # A text that is only a number is a cost proportion.
        return given if "=" in given else f"c={given}"
    try:
        return f"c={text_of(given)}"
    except ValueError:
        message = f"at={given!r} is not an operating condition"
        raise refused(message, 'a cost proportion, at=0.2; or a text, at="c=1/5" or at="z=0.2"; or a list of them') from None


def numbers(name: str, given: Union[None, Number, Sequence[Number]]) -> List[str]:
    """One number or text, or several, as texts of the language."""
    if given is None:
        return []
    several = not isinstance(given, str) and hasattr(given, "__iter__")
    listed: List[Any] = list(given) if several else [given]  # type: ignore[arg-type]
    return [text_of(each, name) for each in listed]


def text(name: str, given: Any, example: str) -> str:
    """A text."""
    if not isinstance(given, str):
        raise refused(f"{name}={given!r} is not a text", f"for example {name}={example!r}")
    return given


def optional_text(name: str, given: Any, example: str) -> Optional[str]:
    """A text, or ``None``."""
    return None if given is None else text(name, given, example)


def count(name: str, given: Any, example: int, most: int = 2**32 - 1) -> int:
    """A whole number that is not negative."""
    try:
        if isinstance(given, bool):
            raise TypeError
        number = operator.index(given)
    except TypeError:
        raise refused(f"{name}={given!r} is not a whole number", f"for example {name}={example}") from None
    if not 0 <= number <= most:
        raise refused(f"{name}={number} is out of range", f"from 0 to {most}, for example {name}={example}")
    return number


def optional_count(name: str, given: Any, example: int) -> Optional[int]:
    """A whole number that is not negative, or ``None``."""
    return None if given is None else count(name, given, example)


def flag(name: str, given: Any) -> bool:
    """``True`` or ``False``."""
    # NumPy has a bool of its own.
    if isinstance(given, bool) or type(given).__name__ in ("bool_", "bool"):
        return bool(given)
    raise refused(f"{name}={given!r} is neither True nor False", f"{name}=True")


def optional_float(name: str, given: Any, example: float) -> Optional[float]:
    """A float, or ``None``."""
    if given is None:
        return None
    try:
        if isinstance(given, (str, bool)):
            raise TypeError
        return float(given)
    except (TypeError, ValueError):
        raise refused(f"{name}={given!r} is not a number", f"for example {name}={example}") from None
