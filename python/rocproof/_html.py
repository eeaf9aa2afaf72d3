"""HTML for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from ._value import Value

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


def details(summary: str, content: str) -> str:
    """Content that unfolds on a click; both arguments are HTML."""
    return f"<details><summary>{summary}</summary>{content}</details>"
