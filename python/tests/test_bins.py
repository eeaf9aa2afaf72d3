"""Scores that are known by bins only."""

import pickle

import numpy as np
import pytest

import rocproof

LO, HI = [0.0, 0.2, 0.4, 0.6, 0.8], [0.2, 0.4, 0.6, 0.8, 1.0]
POSITIVE, NEGATIVE = [2, 6, 12, 15, 20], [40, 20, 10, 4, 1]


def test_ranges_contain_the_values_of_rows():
    rng = np.random.default_rng(1)
    found = rocproof.evaluate_bins(LO, HI, POSITIVE, NEGATIVE, closed="left")
    score, label = [], []
    for lo, hi, n1, n0 in zip(LO, HI, POSITIVE, NEGATIVE):
        score += list(rng.uniform(lo, hi, n0 + n1))
        label += [1] * n1 + [0] * n0
    rows = rocproof.Model.from_scores(label, score).eval(intervals=False)
    for name, value in rows.metrics.items():
        assert found.metrics[name].lo <= value.hi and value.lo <= found.metrics[name].hi, name
    for by in ("cost", "skew"):
        for name, value in rows.loss[by].items():
            assert found.loss[by][name].lo <= value.hi and value.lo <= found.loss[by][name].hi, (by, name)
    for name in ("MCB", "DSC"):
        assert found.corp[name].lo <= rows.corp[name]["value"] <= found.corp[name].hi


def test_ranges_are_typed():
    found = rocproof.evaluate_bins(LO, HI, POSITIVE, NEGATIVE, closed="left")
    auc = found.metrics["AUC"]
    assert isinstance(auc, rocproof.Range) and auc.sharp and auc.available and auc.why is None
    assert auc == found.metrics.AUC == found.value("AUC")
    assert not found.corp.MCB.sharp and "contains all values" in found.corp.MCB.why
    assert str(auc) in repr(found) and "[" in str(auc)
    assert "no sampling intervals" in found._repr_html_() and "no sampling intervals" in str(found)
    again = pickle.loads(pickle.dumps(found))
    assert again.json == found.json and again.loss.cost.o == found.loss.cost.o and str(again) == str(found)
    closed_on_both_sides = rocproof.evaluate_bins(LO, HI, POSITIVE, NEGATIVE)
    assert closed_on_both_sides.metrics.AUC.lo < auc.lo and closed_on_both_sides.metrics.AUC.hi > auc.hi
    assert 'closed="left"' in str(closed_on_both_sides)
    # The names of metrics that depend on the threshold say which one.
    moved = rocproof.evaluate_bins(LO, HI, POSITIVE, NEGATIVE, cost="beta(2, 2)", threshold=0.3)
    assert moved.metrics["Acc(0.3)"].available and moved.json["cost"] == "beta(2, 2)"


def test_frames_go_in_and_come_out():
    pandas = pytest.importorskip("pandas")
    cut = pandas.cut(pandas.Series([0.1, 0.3, 0.35, 0.7, 0.9]), [0, 0.25, 0.5, 1.0])
    label = pandas.Series([0, 0, 1, 1, 1])
    counts = pandas.crosstab(cut, label)
    lo, hi = [[getattr(interval, side) for interval in counts.index] for side in ("left", "right")]
    found = rocproof.evaluate_bins(lo, hi, counts[1], counts[0], closed="right")
    frame = found.to_frame("pandas")
    assert list(frame.columns) == ["kind", "by", "name", "lo", "hi", "sharp"]
    row = frame[frame.name == "AUC"].iloc[0]
    assert row.lo == pytest.approx(5.0 / 6.0) and row.hi == pytest.approx(1.0)
    assert {"MCB", "DSC", "UNC"} <= set(frame.name)


def test_values_without_a_range_say_why():
    found = rocproof.evaluate_bins([-1, 2], [1, 4], [1, 3], [3, 1])
    assert not found.metrics.BS.available and "outside [0, 1]" in found.metrics.BS.why
    assert "not available" in str(found.metrics.BS) and found.metrics.AUC.available
    assert found.to_frame("pandas").lo.isna().any()


def test_the_command_line_says_the_same(command_line, tmp_path):
    file = tmp_path / "bins.csv"
    lines = [f"{lo},{hi},{n0},{n1}" for lo, hi, n0, n1 in zip(LO, HI, NEGATIVE, POSITIVE)]
    file.write_text("\n".join(["lo,hi,n0,n1", *lines]))
    out, _ = command_line("score", str(file), "--bins", "lo,hi:right", "--json")
    found = rocproof.evaluate_bins(LO, HI, POSITIVE, NEGATIVE, closed="right")
    import json

    for key in ("metrics", "loss", "corp"):
        assert json.loads(out)[key] == found.json[key]


@pytest.mark.parametrize(
    "arguments, words",
    [
        (([0, 0.4], [0.5, 1], [1, 1], [1, 1]), ["rows 0 and 1", "overlap"]),
        (([0, 0.5], [0.5], [1, 1], [1, 1]), ["lo has 2 rows, hi has 1"]),
        (([0], [1], [0], [1]), ["n_positive is 0", "both classes"]),
        (([0], [1], [-1], [1]), ["n_positive is -1.0 in row 0"]),
        (([1], [0], [1], [1]), ["row 0", "from 1 to 0"]),
        (([0], [float("inf")], [1], [1]), ["row 0", "inf"]),
        (([0], [1], [1], [1], "middle"), ['closed="middle"', 'closed="left"']),
    ],
)
def test_bad_bins_are_refused(arguments, words):
    with pytest.raises(rocproof.RocproofError) as error:
        rocproof.evaluate_bins(*arguments)
    for word in words:
        assert word in str(error.value)
