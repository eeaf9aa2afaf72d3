"""Scores and labels in scikit-learn's conventions."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from . import _arrow, _rocproof
from ._errors import refused


def _is_pandas(values: Any) -> bool:
    """Whether an object is one of pandas, whose arrays are read as NumPy's."""
    return type(values).__module__.split(".")[0] == "pandas"


def _column(name: str, values: Any) -> Any:
    """A one-dimensional array; a column of a DataFrame becomes its values."""
    if _arrow.is_arrow(values) and not _is_pandas(values):
        columns = _arrow.read_columns(values)
        if len(columns) != 1:
            message = f"{name} has {len(columns)} columns: {', '.join(column for column, _ in columns)}"
            raise refused(message, "one column; compare() takes several models")
        return columns[0][1]
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
    if column.dtype.kind not in "fiubO" or column.dtype.kind == "O" and any(isinstance(each, str) for each in column):
        raise refused(f"{name} holds {'texts' if column.dtype.kind == 'O' else column.dtype}, not numbers")
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


def _two_labels(labels: Any) -> Tuple[Any, Any, Any, int]:
    """The label of the first row, another label, which rows have the first one, and the first row that has the other."""
    first = _item(labels, 0)
    is_first = _is(labels, labels[0])
    at = int(np.argmin(is_first))
    if is_first[at]:
        raise refused(f"all labels are {first!r}", "both classes are needed")
    return first, _item(labels, at), is_first, at


def positive_label(y_true: Any, pos_label: Any) -> Any:
    """The positive label: ``pos_label``, or the one by default."""
    if pos_label is not None:
        return pos_label
    labels = _column("y_true", y_true)
    if len(labels) == 0:
        raise refused("there are no rows")
    first, other, _, _ = _two_labels(labels)
    return _positive(first, other)


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
    first, other, is_first, at = _two_labels(labels)
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
    description = {
        "file": "arrays",
        "rows": len(labels),
        "scores": [what for what, _ in columns],
        "label": str(_name(y_true, "y_true")),
        "weight": None if weights is None else str(_name(sample_weight, "sample_weight")),
        "counts": None,
        "classes": [str(positive), str(negative)],
        "higher_means": 0,
        "by_default": [False, False],
    }
    return _rocproof.Scores(floats, is_class_1, weights, description)


def _name(values: Any, otherwise: str) -> Any:
    """The name of a column of a DataFrame, or ``otherwise``."""
    name = getattr(values, "name", None)
    # A column that has no name, and what is no column, such as a DuckDB relation with a method of that name.
    return otherwise if name is None or name == "" or callable(name) else name


def named(y_score: Any, name: Optional[str]) -> List[Tuple[str, Any]]:
    """The scores of one model with their name."""
    return [(str(name or _name(y_score, "y_score")), y_score)]


def several(y_scores: Any) -> List[Tuple[str, Any]]:
    """The scores of several models with their names: the columns of a DataFrame, or the items of a dictionary."""
    columns = _columns_of(y_scores)
    names = [name for name, _ in columns]
    if len(columns) < 2 or len(set(names)) < len(names):
        raise refused(f"the models are {', '.join(names) or 'none'}", "two or more, each with a name of its own")
    return columns


def _columns_of(frame: Any) -> List[Tuple[str, Any]]:
    """The columns of a DataFrame of any library, or the items of a dictionary."""
    if isinstance(frame, Mapping) or _is_pandas(frame) and hasattr(frame, "items"):
        return [(str(name), values) for name, values in frame.items()]
    if _arrow.is_arrow(frame):
        return _arrow.read_columns(frame)
    if hasattr(frame, "__dataframe__"):
        return _interchanged(frame)
    if hasattr(frame, "items"):
        return [(str(name), values) for name, values in frame.items()]
    help = 'a dictionary such as {"one": p, "other": q}, or a DataFrame with a column for each model'
    raise refused("several models are needed, each with a name", help)


def _interchanged(frame: Any) -> List[Tuple[str, Any]]:
    """The columns of a DataFrame that offers the interchange protocol only."""
    for module in ["pyarrow.interchange", "pandas.api.interchange"]:
        try:
            return _columns_of(import_module(module).from_dataframe(frame))
        except ImportError:
            continue
    raise refused("this DataFrame cannot be read without pyarrow or pandas", "pip install pyarrow, or give a dictionary of arrays")


def counted(score: Any, n_positive: Any, n_negative: Any, name: Optional[str]) -> _rocproof.Scores:
    """Scored data by groups: the number of positives and of negatives with each score."""
    scores = _floats("score", score)
    counts = [_counts(what, values) for what, values in [("n_positive", n_positive), ("n_negative", n_negative)]]
    for what, column in zip(["n_positive", "n_negative"], counts):
        if len(column) != len(scores):
            raise refused(f"score has {len(scores)} rows, {what} has {len(column)}", "one for each score")
        if not column.any():
            raise refused(f"{what} is 0 for every score", "both classes are needed")
    columns = (str(_name(n_positive, "n_positive")), str(_name(n_negative, "n_negative")))
    description = {
        "file": "arrays",
        "rows": len(scores),
        "scores": [str(name or _name(score, "score"))],
        "label": None,
        "weight": None,
        "counts": columns,
        "classes": columns,
        "higher_means": 0,
        "by_default": [False, False],
    }
    is_class_1 = np.repeat([False, True], len(scores))
    return _rocproof.Scores([np.concatenate([scores, scores])], is_class_1, np.concatenate(counts), description)


def binned(lo: Any, hi: Any, n_positive: Any, n_negative: Any) -> Tuple[List[Any], List[Any], Dict[str, Any]]:
    """Rows that are known by bins: the ends of each, the number of positives and of negatives, and their description."""
    ends = [_floats(what, values) for what, values in [("lo", lo), ("hi", hi)]]
    counts = [_weights(what, values) for what, values in [("n_positive", n_positive), ("n_negative", n_negative)]]
    for what, column in zip(["hi", "n_positive", "n_negative"], [ends[1], *counts]):
        if len(column) != len(ends[0]):
            raise refused(f"lo has {len(ends[0])} rows, {what} has {len(column)}", "one for each bin")
    for what, column in zip(["n_positive", "n_negative"], counts):
        if not column.any():
            raise refused(f"{what} is 0 for every bin", "both classes are needed")
    columns = (str(_name(n_positive, "n_positive")), str(_name(n_negative, "n_negative")))
    description = {
        "file": "arrays",
        "rows": len(ends[0]),
        "scores": [str(_name(lo, "lo")), str(_name(hi, "hi"))],
        "label": None,
        "weight": None,
        "counts": columns,
        "classes": columns,
        "higher_means": 0,
        "by_default": [False, False],
    }
    return ends, counts, description


def _weights(name: str, values: Any) -> Any:
    """Counts or weights as floats that are not negative."""
    weights = _floats(name, values)
    wrong = ~(np.isfinite(weights) & (weights >= 0))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise refused(f"{name} is {float(weights[row])} in row {row}", "counts are finite and not negative")
    return weights


def _counts(name: str, values: Any) -> Any:
    """Counts as floats."""
    counts = _floats(name, values)
    wrong = ~(np.isfinite(counts) & (counts >= 0) & (counts == np.floor(counts)))
    if wrong.any():
        row = int(np.argmax(wrong))
        help = "counts are whole numbers; for weights, from_scores(..., sample_weight=w)"
        raise refused(f"{name} is {float(counts[row])} in row {row}", help)
    return counts
