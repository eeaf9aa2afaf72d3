"""Rows by the value of a column: an evaluation of each value, and of all rows together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

from . import _frames, _html, _quantities, _rocproof, _scores
from ._errors import refused

if TYPE_CHECKING:
    from ._evaluation import Evaluation
    from ._scored import Comparison, ScoredModel, ScoredModels

#: What the table of groups shows: a name, and the operating condition of a loss. The command line shows the same.
_SHOWN: Tuple[_quantities.Quantity, ...] = (("AUC", None), ("o", "cost"), ("BS", None))


class GroupedEvaluations(Mapping[Any, Union["Evaluation", "Comparison"]]):
    """Evaluations by the value of a column: ``found["Bern"].AUC``.

    Of several models each value has a comparison. ``all`` is the evaluation of all rows, and ``why`` says why values have none.
    """

    def __init__(
        self,
        column: str,
        found: Dict[Any, Union[Evaluation, Comparison]],
        all_rows: Union[Evaluation, Comparison],
        why: Dict[Any, str],
    ) -> None:
        self.column = column
        self.all = all_rows
        self.why = why
        self._found = found

    def __getitem__(self, value: Any) -> Union[Evaluation, Comparison]:
        if value in self.why:
            raise KeyError(f"{value}: {self.why[value]}")
        return self._found[value]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def _models(self) -> Iterator[Tuple[Any, Optional[str], Evaluation]]:
        """Each value with the name and the evaluation of each model; a single model has no name."""
        for value, found in self._found.items():
            for name, evaluation in _named(found):
                yield value, name, evaluation

    def to_frame(self, library: Optional[str] = None) -> Any:
        """All values of all groups as a DataFrame, one row for each, with their sampling intervals if there are any.

        ``library`` is ``"pandas"``, ``"polars"`` or ``"pyarrow"``; by default the first of them that is installed.
        """
        rows = []
        for value, name, evaluation in self._models():
            model = {} if name is None else {"model": name}
            group = {self.column: value, "rows": evaluation._plain["data"]["rows"], **model}
            rows += [{**group, **row} for row in evaluation._rows()]
        return _frames.frame(rows, library)

    def __repr__(self) -> str:
        return f"<GroupedEvaluations by {self.column}: {', '.join(map(str, self._found))}>"

    def _repr_html_(self) -> str:
        several = any(name is not None for name, _ in _named(self.all))
        rows = [_row(value, name, evaluation) for value, name, evaluation in self._models()]
        rows += [_row("all rows", name, evaluation) for name, evaluation in _named(self.all)]
        names = [_quantities.label(quantity) for quantity in _SHOWN]
        header = [escape(self.column), "rows", "positive", *(["model"] if several else []), *names]
        missing = "".join(f"<p>{escape(str(value))}: {escape(why)}</p>" for value, why in self.why.items())
        return _html.table(header, rows) + missing


def _named(found: Union[Evaluation, Comparison]) -> List[Tuple[Optional[str], Evaluation]]:
    """The evaluations of models with their names; a single model has none."""
    if isinstance(found, Mapping):
        return list(found.items())
    return [(None, found)]


def _row(value: Any, name: Optional[str], evaluation: Evaluation) -> List[str]:
    """A row of the table of groups, as HTML."""
    data = evaluation._plain["data"]
    cells = [escape(str(value)), str(data["rows"]), f"{100 * data['pi0']:.1f} %"]
    if name is not None:
        cells.append(escape(name))
    return cells + [
        _html.measured(evaluation.value(*quantity), evaluation.sampling_interval(*quantity)) for quantity in _SHOWN
    ]


class GroupedModels(Mapping[Any, Union["ScoredModel", "ScoredModels"]]):
    """Scored data by the value of a column: ``models["Bern"]``.

    ``all`` has all rows, and ``why`` says why values cannot be evaluated: they have rows of one class only.
    """

    def __init__(
        self,
        column: str,
        found: Dict[Any, Union[ScoredModel, ScoredModels]],
        all_rows: Union[ScoredModel, ScoredModels],
        why: Dict[Any, str],
    ) -> None:
        self.column = column
        self.all = all_rows
        self.why = why
        self._found = found

    def __getitem__(self, value: Any) -> Union[ScoredModel, ScoredModels]:
        if value in self.why:
            raise KeyError(f"{value}: {self.why[value]}")
        return self._found[value]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def eval(self, *positional: Any, **asked: Any) -> GroupedEvaluations:
        """Evaluates each value, and all rows together. Arguments are those of ``eval`` of one model.

        Without ``bootstrap`` each value has the intervals that data of its size have; by formulas, if samples would take long.
        """
        rows = [models._native.sampled_rows for models in self._found.values()]
        time = _rocproof.interval_time(rows, len(self.all._native.names))
        found = {value: models._evaluate(positional, asked, time) for value, models in self._found.items()}
        return GroupedEvaluations(self.column, found, self.all.eval(*positional, **asked), self.why)

    def __repr__(self) -> str:
        return f"<GroupedModels by {self.column}: {', '.join(map(str, self._found))}>"


def _key(value: Any) -> Any:
    """A value of a column as a key; ``None`` if it is missing."""
    try:
        return None if value is None or bool(value != value) else value
    except TypeError:
        return None


def _order(value: Any) -> Tuple[int, float, str]:
    """The order of values: numbers by size, then texts, then missing ones."""
    if value is None:
        return 2, 0.0, ""
    if isinstance(value, (bool, int, float)):
        return 0, float(value), ""
    return 1, 0.0, str(value)


def grouped(
    y_true: Any,
    columns: Sequence[Tuple[str, Any]],
    sample_weight: Any,
    pos_label: Any,
    groups: Any,
    model: Callable[[_rocproof.Scores], Any],
) -> GroupedModels:
    """Scored data by the value of ``groups`` in each row. The positive label is that of all rows."""
    labels = _scores._column("y_true", y_true)
    floats = [(name, _scores._floats(name, values)) for name, values in columns]
    weights = None if sample_weight is None else _scores._floats("sample_weight", sample_weight)
    keys = _scores._column("groups", groups)
    if len(keys) != len(labels):
        raise refused(f"y_true has {len(labels)} rows, groups has {len(keys)}", "one for each row")
    all_rows = model(_scores.scores(y_true, columns, sample_weight, pos_label))
    positive = _scores.positive_label(labels, pos_label)
    rows_of: Dict[Any, List[int]] = {}
    for row, value in enumerate(keys.tolist()):
        rows_of.setdefault(_key(value), []).append(row)
    found: Dict[Any, Any] = {}
    why: Dict[Any, str] = {}
    for value in sorted(rows_of, key=_order):
        rows = rows_of[value]
        part = labels[rows]
        is_positive = _scores._is(part, positive)
        if is_positive.all() or not is_positive.any():
            why[value] = f"all {len(rows)} rows have one label: both are needed"
            continue
        weight = None if weights is None else weights[rows]
        native = _scores.scores(part, [(name, values[rows]) for name, values in floats], weight, positive)
        found[value] = model(native)
    return GroupedModels(str(_scores._name(groups, "group")), found, all_rows, why)


def read(
    files: List[str], columns: Dict[str, Any], group_by: str, model: Callable[[_rocproof.Scores], Any]
) -> GroupedModels:
    """The score columns of files by the value of a column."""
    all_rows, parts = _rocproof.Scores.read_groups(files, {**columns, "group_by": group_by})
    found = {value: model(native) for value, native, _ in parts if native is not None}
    why = {value: text for value, native, text in parts if native is None}
    return GroupedModels(group_by, found, model(all_rows), why)
