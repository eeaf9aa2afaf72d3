"""Scores and labels in scikit-learn's conventions."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence, Tuple

import numpy as np

from . import _rocproof
from ._errors import refused


def _column(name: str, values: Any) -> Any:
    """A one-dimensional array; a pandas column becomes its values."""
    if hasattr(values, "to_numpy"):
        values = values.to_numpy()
    array = np.asarray(values)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise refused(f"{name} has the shape {array.shape}", "one number for each row; of probabilities, p[:, 1]")
    return array


def _floats(name: str, values: Any) -> Any:
    """A contiguous array of floats. Such an array is not copied."""
    column = _column(name, values)
    if column.dtype.kind not in "fiubO":
        raise refused(f"{name} holds {column.dtype}, not numbers")
    try:
        return np.ascontiguousarray(column, dtype=np.float64)
    except (TypeError, ValueError) as why:
        raise refused(f"{name} does not hold numbers only: {why}") from None


def _is(labels: Any, label: Any) -> Any:
    """The rows that have a label."""
    try:
        return np.asarray(labels == label).astype(bool, copy=False)
    except TypeError:
        # A missing value of pandas is neither equal nor unequal.
        raise refused("labels are missing in y_true", "labels are two values, none of them missing") from None


def _item(labels: Any, row: int) -> Any:
    """A label as a Python object."""
    label = labels[row]
    label = label.item() if hasattr(label, "item") else label
    try:
        missing = label is None or bool(label != label)
    except TypeError:
        missing = True
    if missing:
        raise refused(f"the label in row {row} is {label!r}", "labels are two values, none of them missing")
    return label


def _positive(first: Any, other: Any) -> Any:
    """The positive label by default: as in scikit-learn, 1 if the other is 0 or -1."""
    for positive, negative in [(first, other), (other, first)]:
        if not isinstance(positive, str) and positive == 1 and not isinstance(negative, str) and negative in (0, -1):
            return positive
    raise refused(
        f"which label is positive, {str(first)!r} or {str(other)!r}?",
        f"say so: pos_label={first!r}" if isinstance(first, str) else f"say so: pos_label={first}",
    )


def scores(
    y_true: Any, columns: Sequence[Tuple[str, Any]], sample_weight: Any, pos_label: Any
) -> _rocproof.Scores:
    """Scored data, a column for each model: higher scores speak for the positive label."""
    labels = _column("y_true", y_true)
    floats = [_floats(what, values) for what, values in columns]
    weights = None if sample_weight is None else _floats("sample_weight", sample_weight)
    for what, column in [*((what, column) for (what, _), column in zip(columns, floats)), ("sample_weight", weights)]:
        if column is not None and len(column) != len(labels):
            raise refused(f"y_true has {len(labels)} rows, {what} has {len(column)}", "one for each row")
    if len(labels) == 0:
        raise refused("there are no rows")
    first = _item(labels, 0)
    is_first = _is(labels, labels[0])
    at = int(np.argmin(is_first))
    if is_first[at]:
        raise refused(f"all labels are {first!r}", "both classes are needed")
    other = _item(labels, at)
    is_other = _is(labels, labels[at])
    known = np.logical_or(is_first, is_other, out=is_other)
    if not known.all():
        row = int(np.argmin(known))
        third = _item(labels, row)
        raise refused(f"the label in row {row} is {third!r}, a third one beside {first!r} and {other!r}")
    positive = _positive(first, other) if pos_label is None else pos_label
    if positive != first and positive != other:
        raise refused(f"pos_label is {positive!r}, but labels are {first!r} and {other!r}")
    negative = other if positive == first else first
    # Class 0 is the positive class.
    is_class_1 = np.logical_not(is_first, out=is_first) if positive == first else is_first
    names = {
        "scores": [what for what, _ in columns],
        "label": str(_name(y_true, "y_true")),
        "weight": None if weights is None else str(_name(sample_weight, "sample_weight")),
        "classes": [str(positive), str(negative)],
        "by_default": False,
    }
    return _rocproof.Scores(floats, is_class_1, weights, names)


def _name(values: Any, otherwise: str) -> Any:
    """The name of a pandas column, or ``otherwise``."""
    name = getattr(values, "name", None)
    return otherwise if name is None else name


def named(y_score: Any, name: Optional[str]) -> List[Tuple[str, Any]]:
    """The scores of one model with their name."""
    return [(str(name or _name(y_score, "y_score")), y_score)]


def several(y_scores: Any) -> List[Tuple[str, Any]]:
    """The scores of several models with their names: the columns of a DataFrame, or the items of a dictionary."""
    if not hasattr(y_scores, "items"):
        help = 'a dictionary such as {"one": p, "other": q}, or a DataFrame with a column for each model'
        raise refused("several models are needed, each with a name", help)
    columns = [(str(name), values) for name, values in y_scores.items()]
    names = [name for name, _ in columns]
    if len(columns) < 2 or len(set(names)) < len(names):
        raise refused(f"the models are {', '.join(names) or 'none'}", "two or more, each with a name of its own")
    return columns
