"""Scores from frames of any library, and results as frames."""

import gc

import numpy as np
import pandas
import pytest

import rocproof
from rocproof import Model, RocproofError, _arrow, _scores


def data(rows=500, seed=3):
    generator = np.random.default_rng(seed)
    y = generator.integers(0, 2, rows)
    return y, generator.beta(2 + y, 3 - y), generator.beta(3, 3, rows)


def expected(y, p, q):
    return {name: float(found.AUC) for name, found in rocproof.compare(y, {"p": p, "q": q}).eval().items()}


def compared(y, frame):
    return {name: float(found.AUC) for name, found in rocproof.compare(y, frame).eval().items()}


def test_polars_frames_and_series_are_read():
    polars = pytest.importorskip("polars")
    y, p, q = data()
    frame = polars.DataFrame({"y": y, "p": p, "q": q})
    assert compared(frame["y"], frame.select("p", "q")) == expected(y, p, q)
    model = Model.from_scores(frame["y"], frame["p"], sample_weight=frame["q"])
    assert model.name == "p" and model.eval().json["data"]["label"] == "y"
    assert model.eval().AUC == Model.from_scores(y, p, sample_weight=q).eval().AUC
    # A slice, several chunks, and a frame of one column.
    assert compared(frame["y"][100:], frame.select("p", "q")[100:]) == expected(y[100:], p[100:], q[100:])
    parts = polars.concat([frame[:200], frame[200:]], rechunk=False)
    assert compared(parts["y"], parts.select("p", "q")) == expected(y, p, q)
    assert Model.from_scores(frame.select("y"), frame.select("p")).eval().AUC == Model.from_scores(y, p).eval().AUC


def test_labels_of_polars_are_read():
    polars = pytest.importorskip("polars")
    y, p, _ = data()
    words = np.array(["a benign tumour", "malignant"])[y]
    truth = Model.from_scores(words, p, pos_label="malignant").eval().AUC
    for kind in [polars.String, polars.Categorical, polars.Enum(["malignant", "a benign tumour"])]:
        labels = polars.Series(words).cast(kind)
        assert Model.from_scores(labels, p, pos_label="malignant").eval().AUC == truth
    for labels in [polars.Series(y == 1), polars.Series(y).cast(polars.Int8), polars.Series(y * 1.0)]:
        assert Model.from_scores(labels, p).eval().AUC == truth


@pytest.mark.parametrize("values", [[0.1, None, 0.3], [None, 0.2, 0.3]])
def test_missing_values_are_refused(values):
    polars = pytest.importorskip("polars")
    with pytest.raises(RocproofError, match="NaN"):
        Model.from_scores([0, 1, 0], polars.Series(values))
    with pytest.raises(RocproofError, match="missing|nan|None"):
        Model.from_scores(polars.Series(["a", None, "b"]), [0.1, 0.2, 0.3], pos_label="a")
    with pytest.raises(RocproofError, match="missing|nan|None"):
        Model.from_scores(polars.Series([1, None, 0]), [0.1, 0.2, 0.3])


def test_formats_without_numbers_are_refused():
    polars = pytest.importorskip("polars")
    with pytest.raises(RocproofError, match="cast it"):
        Model.from_scores([0, 1], polars.Series([[0.1], [0.2]]))
    with pytest.raises(RocproofError, match="2 columns: p, q"):
        Model.from_scores([0, 1], polars.DataFrame({"p": [0.1, 0.2], "q": [0.1, 0.2]}))
    with pytest.raises(RocproofError, match="not numbers|numbers only"):
        Model.from_scores([0, 1], polars.Series(["0.1", "0.2"]))


def test_pyarrow_tables_and_arrays_are_read():
    arrow = pytest.importorskip("pyarrow")
    y, p, q = data()
    table = arrow.table({"p": p, "q": q})
    assert compared(arrow.array(y), table) == expected(y, p, q)
    assert compared(arrow.array(y == 1), table.to_batches()[0]) == expected(y, p, q)
    chunked = arrow.chunked_array([p[:100], p[100:]])
    assert Model.from_scores(y, chunked).eval().AUC == Model.from_scores(y, p).eval().AUC
    words = np.array(["no", "yes"])[y]
    for labels in [arrow.array(words), arrow.array(words).cast(arrow.large_string()), arrow.array(words).dictionary_encode()]:
        model = Model.from_scores(labels[50:], p[50:], pos_label="yes")
        assert model.eval().AUC == Model.from_scores(y[50:], p[50:]).eval().AUC
    single = Model.from_scores(y, arrow.array(p).cast(arrow.float32())).eval().AUC
    assert single == Model.from_scores(y, p.astype(np.float32)).eval().AUC


def test_duckdb_relations_are_read():
    duckdb = pytest.importorskip("duckdb")
    y, p, q = data()
    frame = pandas.DataFrame({"y": y, "p": p, "q": q})
    connection = duckdb.connect()
    connection.register("scored", frame)
    relation = connection.sql("select p, q from scored")
    assert compared(connection.sql("select y from scored"), relation) == expected(y, p, q)
    assert Model.from_scores(y, connection.sql("select p from scored")).eval().AUC == Model.from_scores(y, p).eval().AUC
    counts = connection.sql(
        "select round(p, 1) as score, count(*) filter (y = 1) as pos, count(*) filter (y = 0) as neg from scored group by 1"
    ).fetchnumpy()
    model = Model.from_counts(counts["score"], counts["pos"], counts["neg"])
    assert model.eval().AUC == pytest.approx(Model.from_scores(y, p.round(1)).eval().AUC, abs=1e-14)


def test_arrow_buffers_are_not_copied():
    polars = pytest.importorskip("polars")
    series = polars.Series(np.random.default_rng(1).random(1000))
    floats = _scores._floats("y_score", series)
    assert np.shares_memory(floats, series.to_numpy())
    # The buffer lives as long as the array.
    total = floats.sum()
    del series
    gc.collect()
    assert floats.sum() == total


def test_streams_that_fail_say_why():
    arrow = pytest.importorskip("pyarrow")

    def batches():
        yield arrow.record_batch({"p": [0.1]})
        raise ValueError("the disk is on fire")

    reader = arrow.RecordBatchReader.from_batches(arrow.schema([("p", arrow.float64())]), batches())
    with pytest.raises(RocproofError, match="on fire"):
        _arrow.read_columns(reader)


class Interchange:
    """A frame that offers the interchange protocol only."""

    def __init__(self, frame):
        self.frame = frame

    def __dataframe__(self, *arguments, **options):
        return self.frame.__dataframe__(*arguments, **options)


@pytest.mark.filterwarnings("ignore")
def test_the_interchange_protocol_is_read():
    pytest.importorskip("pyarrow")
    y, p, q = data()
    frame = pandas.DataFrame({"p": p, "q": q})
    if not hasattr(frame, "__dataframe__"):
        pytest.skip("this pandas has no interchange protocol")
    assert compared(y, Interchange(frame)) == expected(y, p, q)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_results_become_frames(library):
    pytest.importorskip(library)
    y, p, q = data()
    comparison = rocproof.compare(y, {"p": p, "q": q}).eval(bootstrap=30, at=[0.2, 0.5])

    def rows(frame):
        return frame.to_dict("records") if library == "pandas" else frame.to_pylist() if library == "pyarrow" else frame.to_dicts()

    found = rows(comparison.to_frame(library))
    [auc] = [row for row in found if (row["model"], row["name"]) == ("p", "AUC")]
    spread = comparison["p"].sampling_interval("AUC")
    assert auc["value"] == comparison["p"].AUC and (auc["lo"], auc["hi"]) == (spread.lo, spread.hi)
    [loss] = [row for row in found if (row["model"], row["by"], row["name"]) == ("q", "skew", "rd")]
    assert loss["value"] == comparison["q"].loss.skew.rd and loss["kind"] == "loss"
    alone = rows(comparison["p"].to_frame(library))
    assert len(alone) * 2 == len(found) and "model" not in alone[0]
    [difference] = [row for row in rows(comparison.differences.to_frame(library)) if row["name"] == "BS"]
    assert difference["value"] == pytest.approx(comparison["p"].BS - comparison["q"].BS)
    assert (difference["first"], difference["second"]) == ("p", "q")
    at = rows(comparison["p"].at[0].to_frame(library))
    assert len(at) == 7 and at[0]["loss"] == comparison["p"].at[0]["methods"][0]["loss"]["value"]
    pieces = rows(rocproof.compare(y, {"p": p, "q": q}).curves("roc").to_frame(library))
    area = sum((row["to"] - row["from"]) * (row["left"] + row["right"]) / 2 for row in pieces if row["model"] == "p")
    assert area == pytest.approx(comparison["p"].AUC)


def test_frames_of_models_have_levels():
    frame = Model("2*(1-x)", "4*x^3").eval().to_frame()
    assert frame[frame["name"] == "AUC"]["level"].item() == "exact"
    with pytest.raises(RocproofError, match="pandas, polars, pyarrow"):
        Model("2*(1-x)", "4*x^3").eval().to_frame("exel")
