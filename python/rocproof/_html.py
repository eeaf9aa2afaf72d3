"""HTML for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Optional

from ._value import Spread, Value, short

#: A closed form longer than this is not shown in a table.
LONGEST = 60


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; cells are HTML."""
    head = "".join(f"<th>{cell}</th>" for cell in header)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def evidence(value: Value) -> str:
    """The evidence for a number, as HTML."""
    if not value.available:
        return escape(value.why or "")
    if value.closed_form is not None:
        form = value.closed_form
        return f"= <code>{escape(form)}</code>" if len(form) <= LONGEST else "exact"
    return f"{value.level} ± {value.error:.0e}"


def number(value: Value) -> str:
    """A number as HTML."""
    return escape(str(value)) if value.available else "–"


def measured(value: Value, spread: Optional[Spread]) -> str:
    """A number with four significant digits and its sampling interval, as HTML."""
    if not value.available:
        return f'<span title="{escape(value.why or "")}">–</span>'
    if value.note is not None:
        return f'<span title="{escape(value.note)}">not meaningful</span>'
    return short(value) if spread is None else f"{short(value)} {interval(spread)}"


def interval(spread: Spread) -> str:
    """A sampling interval as HTML. How it was made, and why it cannot be relied on, are shown when the mouse rests on it."""
    said = ". ".join(text for text in (spread.method, spread.caveat) if text is not None)
    mark = "" if spread.caveat is None else "†"
    return f'<span title="{escape(said)}">[{short(spread.lo)}, {short(spread.hi)}]{mark}</span>'


def details(summary: str, content: str) -> str:
    """Content that unfolds on a click; both arguments are HTML."""
    return f"<details><summary>{summary}</summary>{content}</details>"
