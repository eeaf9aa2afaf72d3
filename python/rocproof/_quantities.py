"""Tables of scored data for notebooks: which quantities are shown first, which way they are better, and which model leads."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Dict, List, Optional, Tuple

from . import _html
from ._records import interval_named
from ._rocproof import better, first_metrics
from ._value import Spread, short

if TYPE_CHECKING:
    from ._evaluation import Evaluation
    from ._records import Deploy, Difference

#: A quantity: its name, and the operating condition of a loss.
Quantity = Tuple[str, Optional[str]]


def direction(quantity: Quantity) -> int:
    """1 if more is better, -1 if less is better, 0 if neither."""
    name, by = quantity
    if by is not None:
        return -1
    return better(name.split("(")[0])


def label(quantity: Quantity) -> str:
    """A quantity as HTML."""
    name, by = quantity
    return escape(name if by is None else f"L[{name}]" if by == "cost" else f"Lz[{name}]")


def _quantities(evaluation: Evaluation) -> Tuple[List[Quantity], List[Quantity]]:
    """The quantities of the first table, and all others."""
    metrics = list(evaluation.metrics)
    if evaluation.corp is not None:
        metrics += [name for name in ("MCB", "DSC", "UNC") if name not in evaluation.metrics]
    named = {name.split("(")[0]: name for name in metrics}
    # Metrics by ties of scores that hardly tie say nothing.
    shown = [named[bare] for bare in first_metrics() if bare in named and evaluation.value(named[bare]).note is None]
    first: List[Quantity] = [(name, None) for name in shown]
    first += [(name, "cost") for name in evaluation.loss["cost"]]
    others: List[Quantity] = [(name, None) for name in metrics if (name, None) not in first]
    return first, others + [(name, "skew") for name in evaluation.loss["skew"]]


def described(evaluation: Evaluation, name: str, by: Optional[str] = None) -> str:
    """A value with its interval if that is at hand, as text."""
    # Intervals that are not computed yet would take too long here.
    spread = evaluation.sampling_interval(name, by) if evaluation._has_intervals else None
    value = evaluation.value(name, by)
    return str(value) if not value.available else short(value) if spread is None else str(spread)


def evaluation_text(evaluation: Evaluation) -> str:
    """The evaluation of one of several models as text."""
    first, _ = _quantities(evaluation)
    lines = [f"{name if by is None else f'L[{name}]':12} {described(evaluation, name, by)}" for name, by in first]
    return "\n".join([evaluation._title, *lines, ""])


def _heading(evaluation: Evaluation) -> str:
    """The rows, the share of positives, and the labels, as HTML."""
    data = evaluation._plain["data"]
    share = 100 * data["pi0"]
    rows = f"{data['rows']:,} rows" if data["rows"] != 1 else "1 row"
    return f"{rows}, {share:.1f} % of them positive (<code>{escape(str(data['class0']))}</code>)"


def _doubts(evaluations: Sequence[Evaluation], quantities: Sequence[Quantity]) -> str:
    """The reasons why intervals cannot be relied on, as HTML."""
    found: Dict[str, List[str]] = {}
    for evaluation in evaluations:
        for quantity in quantities:
            spread = evaluation.sampling_interval(*quantity)
            if spread is not None and spread.caveat is not None:
                names = found.setdefault(spread.caveat, [])
                if label(quantity) not in names:
                    names.append(label(quantity))
    return "".join(f"<p>† {', '.join(names)}: {escape(caveat)}</p>" for caveat, names in found.items())


def _deployed(deploy: Sequence[Deploy]) -> str:
    """Which model and method to deploy, and why, as HTML."""
    found = []
    for each in deploy:
        when = "over cost proportions" if each.at is None else f"at {each.at}"
        loss = "" if each.loss is None else f"; it loses {short(each.loss.value)} {_html.interval(each.loss)} out of sample"
        what = f"{escape(when)} use <strong>{escape(each.model)}</strong>, {escape(each['title'])}: {escape(each.rule)}"
        found.append(f"<p>{what}{loss}; {escape(each.why)}</p>")
    return "".join(found)


def evaluation_html(evaluation: Evaluation, title: str) -> str:
    """The evaluation of one model as HTML."""
    first, others = _quantities(evaluation)

    def table(quantities: Sequence[Quantity]) -> str:
        rows = [
            (label(quantity), _html.measured(evaluation.value(*quantity), evaluation.sampling_interval(*quantity)))
            for quantity in quantities
        ]
        return _html.table(["", "value [interval]" if has_intervals else "value"], rows)

    has_intervals = any(evaluation.sampling_interval(*quantity) is not None for quantity in first)
    return (
        f"<p><strong>{escape(title)}</strong>: {_heading(evaluation)}</p>"
        + table(first)
        + _doubts([evaluation], first)
        + _deployed(evaluation.deploy)
        + _html.details("all metrics, and losses over skews", table(others))
    )


def _difference(differences: Sequence[Difference], pair: Tuple[str, str], quantity: Quantity) -> Optional[Spread]:
    """The difference of two models in a quantity; ``None`` if it has no interval."""
    of_pair = (difference for difference in differences if difference.models == pair)
    spreads = (interval_named(difference.sampling_intervals, *quantity) for difference in of_pair)
    return next((spread for spread in spreads if spread is not None), None)


def _leads(differences: Sequence[Difference], best: str, names: Sequence[str], quantity: Quantity) -> bool:
    """Whether the best model differs from each of the others beyond chance, by differences that can be relied on."""
    for other in names:
        if other == best:
            continue
        pair = (best, other) if list(names).index(best) < list(names).index(other) else (other, best)
        spread = _difference(differences, pair, quantity)
        if spread is None or spread.caveat is not None or spread.lo <= 0 <= spread.hi:
            return False
    return True


def comparison_html(
    evaluations: Dict[str, Evaluation], differences: Sequence[Difference], deploy: Sequence[Deploy]
) -> str:
    """Several models side by side as HTML: the best of each row is bold, with a star if its lead is beyond chance."""
    names = list(evaluations)
    models = list(evaluations.values())
    first, others = _quantities(models[0])

    def row(quantity: Quantity) -> List[str]:
        values = [each.value(*quantity) for each in models]
        cells = [_html.measured(value, each.sampling_interval(*quantity)) for value, each in zip(values, models)]
        better = direction(quantity)
        if better != 0 and all(value.available for value in values):
            best = max(better * float(value) for value in values)
            leaders = [k for k, value in enumerate(values) if better * float(value) == best]
            if len(leaders) == 1:
                star = "*" if _leads(differences, names[leaders[0]], names, quantity) else ""
                cells[leaders[0]] = f"<strong>{cells[leaders[0]]}{star}</strong>"
        return [label(quantity), *cells]

    header = ["", *map(escape, names)]
    legend = "bold: the best"
    if differences:
        legend += "; *: it differs from all others beyond chance"
    html = f"<p>{_heading(models[0])}; {legend}</p>" + _html.table(header, map(row, first)) + _doubts(models, first)
    html += _difference_html(differences, first) + _deployed(deploy)
    return html + _html.details("all metrics, and losses over skews", _html.table(header, map(row, others)))


def _difference_html(differences: Sequence[Difference], quantities: Sequence[Quantity]) -> str:
    """A table of differences with their intervals, as HTML; nothing if there are none."""
    rows = []
    for quantity in quantities:
        spreads = [_difference(differences, each.models, quantity) for each in differences]
        if any(spread is not None for spread in spreads):
            cells = ["–" if spread is None else f"{short(spread.value)} {_html.interval(spread)}" for spread in spreads]
            rows.append([label(quantity), *cells])
    if not rows:
        return ""
    header = ["difference", *(" − ".join(map(escape, each.models)) for each in differences)]
    return _html.table(header, rows)
