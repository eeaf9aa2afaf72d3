"""Scores and labels, by scikit-learn's conventions."""

import subprocess
import sys
import time

import numpy as np
import pandas
import pytest
from sklearn.metrics import brier_score_loss, roc_auc_score, roc_curve

import rocproof
from rocproof import Model, RocproofError


def data(rows=2000, seed=1):
    generator = np.random.default_rng(seed)
    y = generator.integers(0, 2, rows)
    # Two digits: there are ties.
    return y, np.round(generator.beta(2 + y, 3 - y), 2), generator.exponential(size=rows)


def test_values_are_those_of_scikit_learn():
    y, p, w = data()
    for weight in [None, w]:
        metrics = Model.from_scores(y, p, sample_weight=weight).eval().metrics
        assert metrics["AUC"] == pytest.approx(roc_auc_score(y, p, sample_weight=weight), abs=1e-12)
        assert metrics["BS"] == pytest.approx(brier_score_loss(y, p, sample_weight=weight), abs=1e-12)
        assert metrics["s0"] == pytest.approx(np.average(p[y == 1], weights=None if weight is None else w[y == 1]))


@pytest.mark.parametrize("labels, pos_label", [([0, 1], None), ([-1, 1], None), ([False, True], None), ([0.0, 1.0], None),
                                               (["ham", "spam"], "spam"), ([1, 2], 2)])
def test_labels_are_those_of_scikit_learn(labels, pos_label):
    y, p, _ = data()
    named = np.array(labels)[y]
    model = Model.from_scores(named, p, pos_label=pos_label)
    assert model.totals == (y.sum(), len(y) - y.sum())
    assert model.eval().AUC == pytest.approx(roc_auc_score(y, p))
    other = Model.from_scores(named, p, pos_label=labels[0])
    assert other.eval().AUC == pytest.approx(1 - roc_auc_score(y, p))


def test_thresholds_of_the_roc_curve_are_the_scores():
    p = [0.0, 1e-300, 0.5, 1.0]
    assert list(Model.from_scores([0, 1, 0, 1], p).roc().thresholds) == [np.inf, 1.0, 0.5, 1e-300, 0.0]


def test_the_roc_curve_is_that_of_scikit_learn():
    y, p, w = data()
    for weight in [None, w]:
        model = Model.from_scores(y, p, sample_weight=weight)
        fpr, tpr, thresholds = model.roc()
        theirs = roc_curve(y, p, sample_weight=weight, drop_intermediate=False)
        for ours, their in zip([fpr, tpr, thresholds], theirs):
            np.testing.assert_allclose(ours, their, atol=1e-12)
        fpr, tpr, thresholds = model.conv().roc()
        area = np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1]) / 2)
        assert area == pytest.approx(model.eval().AUCH, abs=1e-12) and len(fpr) < len(theirs[0])
        assert set(thresholds) <= {np.inf, *p} and np.isnan(model.cal().roc().thresholds[1:]).all()


def test_data_frames_lists_and_strides_are_read():
    y, p, w = data()
    frame = pandas.DataFrame({"outcome": y, "p": p, "w": w})
    model = Model.from_scores(frame["outcome"], frame["p"], sample_weight=frame["w"])
    evaluation = model.eval()
    assert evaluation.json["data"]["label"] == "outcome" and evaluation.json["data"]["score"] == ["p"]
    both = np.column_stack([1 - p, p])
    for scores in [p, list(p), both[:, 1], frame[["p"]], p.astype(np.longdouble), p.astype(object)]:
        assert Model.from_scores(list(y), scores, sample_weight=list(w)).eval().AUC == evaluation.AUC


def test_the_command_line_says_the_same(command_line, tmp_path):
    y, p, _ = data()
    file = tmp_path / "data.csv"
    pandas.DataFrame({"y_true": y, "y_score": p}).to_csv(file, index=False)
    columns = ["--score", "y_score", "--label", "y_true", "--positive", "1", "--higher-means", "1"]
    model = Model.from_scores(y, p)
    for level in ["numeric", "exact"]:
        printed, _ = command_line("score", str(file), *columns, "--threshold", "0.3", "--level", level, "--no-intervals", "--json")
        ours = model.eval(level=level, threshold=0.3, intervals=False).to_json()
        assert printed and ours.replace('"arrays"', f'"{file}"') == printed
    printed, _ = command_line("score", str(file), *columns, "--json")
    assert printed and model.eval().to_json().replace('"arrays"', f'"{file}"') == printed
    printed, _ = command_line("score", str(file), *columns, "--transform", "cal", "--json")
    assert model.cal().eval().to_json().replace('"arrays"', f'"{file}"') == printed


EXTRAS = {"at": ["c=0.2", "z=1/5"], "known": "deployment", "decompose": ["ties", "width:10"], "finite_sample": True, "delong": True}


@pytest.mark.parametrize("columns", [["p"], ["p", "q"]])
def test_the_command_line_says_the_same_of_all_else(command_line, tmp_path, columns):
    y, p, _ = data()
    frame = pandas.DataFrame({"y": y, "p": p, "q": np.round(np.sqrt(p), 2)})
    file = tmp_path / "data.csv"
    frame.to_csv(file, index=False)
    options = ["--at", "c=0.2", "--at", "z=1/5", "--known", "deployment", "--decompose", "ties", "--decompose", "width:10"]
    options += ["--finite-sample", "--delong", "--bootstrap", "20", "--seed", "3", "--confidence", "0.9"]
    if len(columns) == 1:
        found = Model.from_scores(frame["y"], frame["p"]).eval(**EXTRAS, bootstrap=20, seed=3, confidence=0.9)
    else:
        found = rocproof.compare(frame["y"], frame[columns]).eval(**EXTRAS, bootstrap=20, seed=3, confidence=0.9)
    names = ["--score", ",".join(columns), "--label", "y", "--positive", "1", "--higher-means", "1"]
    printed, errors = command_line("score", str(file), *names, *options, "--json")
    assert printed and found.to_json().replace('"arrays"', f'"{file}"') == printed, errors
    printed, _ = command_line("score", str(file), *names, *options)
    assert str(found).replace("arrays ", f"{file} ", 1) == printed


def test_what_else_is_asked_is_at_hand():
    y, p, _ = data()
    evaluation = Model.from_scores(y, p).eval(**EXTRAS, bootstrap=50)
    spread = evaluation.bootstrap.metrics["AUC"]
    assert spread.lo < evaluation.AUC < spread.hi and spread.value == evaluation.AUC
    assert evaluation.bootstrap.loss.cost.o.standard_error > 0
    assert evaluation.delong["AUC"] == pytest.approx(evaluation.AUC)
    assert len(evaluation.at) == 2 and len(evaluation.decompositions) == 2
    assert evaluation.corp and evaluation.choice and evaluation.finite_sample
    bare = Model.from_scores(y, p).eval(intervals=False)
    assert bare.bootstrap is bare.delong is bare.choice is None and bare.at == bare.decompositions == bare.deploy == []
    assert float(bare.corp.MCB) == pytest.approx(float(evaluation.corp.MCB), abs=1e-13)


def test_models_are_compared():
    y, p, _ = data()
    q = np.random.default_rng(2).random(len(y))
    models = rocproof.compare(y, {"good": p, "chance": q})
    comparison = models.eval(bootstrap=50, delong=True)
    assert list(comparison) == models.names == ["good", "chance"]
    assert comparison["good"].AUC == Model.from_scores(y, p).eval().AUC == pytest.approx(roc_auc_score(y, p))
    difference = comparison.differences[0]
    assert difference["models"] == ["good", "chance"]
    spread = difference["bootstrap"]["metrics"]["AUC"]
    assert spread["value"] == pytest.approx(comparison["good"].AUC - comparison["chance"].AUC) and spread["lo"] > 0
    assert "good" in comparison._repr_html_() and "<svg" in models.figure("brier")._repr_svg_()
    np.testing.assert_allclose(models.roc("chance").tpr, Model.from_scores(y, q).roc().tpr)
    assert {curve["model"] for curve in models.curves("brier")} == {"good", "chance", "chance - good"}
    for wrong in [{"one": p}, [p, q], {"a": p, "b": q[1:]}]:
        with pytest.raises(RocproofError, match="model|has 1999"):
            rocproof.compare(y, wrong)


def test_curves_are_exact_pieces():
    y, p, _ = data()
    model = Model.from_scores(y, p)
    [curve] = model.curves("brier")
    area = sum(
        (piece["to"] - piece["from"]) * sum(c / (k + 1) for k, c in enumerate(piece["coefficients"]))
        for piece in curve["pieces"]
    )
    assert area == pytest.approx(model.eval().BS, abs=1e-12)
    assert len(model.curves()) > 8 and len(model.curves(["roc", "hull"])) == 2
    with pytest.raises(RocproofError, match="names="):
        model.curves("brir")


def test_samples_tell_how_far_they_are_and_stop():
    y, p, _ = data(200_000)
    told = []
    Model.from_scores(y, p).eval(bootstrap=100, progress=told.append)
    assert told[0] == 100 and all(0 < int(count) <= 100 for count in told[1:]) and len(told) > 1

    def stop(told):
        if isinstance(told, str):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Model.from_scores(y, p).eval(bootstrap=100_000, progress=stop)
    # Nothing goes on behind the scenes.
    time.sleep(2)
    before = time.process_time()
    time.sleep(1)
    assert time.process_time() - before < 0.5


@pytest.mark.parametrize(
    "options, message",
    [
        ({"bootstrap": 1}, "bootstrap=1"),
        ({"confidence": 0.9, "intervals": False}, "confidence= is for intervals"),
        ({"at": "c=2"}, "0 and 1|between"),
        ({"decompose": "widht:3"}, 'decompose="widht:3"'),
        ({"known": "soon"}, "known="),
        ({"level": "certified"}, "no certified level"),
    ],
)
def test_what_cannot_be_asked_is_told(options, message):
    y, p, _ = data()
    with pytest.raises(RocproofError, match=message):
        Model.from_scores(y, p).eval(**options)
    with pytest.raises(RocproofError, match="transform"):
        Model.from_scores(y, p).cal().eval(delong=True)


def test_figures_show_curves():
    y, p, _ = data()
    model = Model.from_scores(y, p)
    assert "</svg>" in model.figure()._repr_svg_()
    assert model.figure("roc").to_svg() != model.figure("methods", by="skew").to_svg()
    with pytest.raises(RocproofError, match="net-benefit"):
        model.figure("rok")
    with pytest.raises(RocproofError, match="transform"):
        model.cal().figure()


@pytest.mark.parametrize(
    "y, p, options, message",
    [
        ([0, 1], [0.1, np.nan], {}, "row 1 is NaN"),
        ([0, 1], [0.1], {}, "y_score has 1"),
        ([0, 1, 2], [0.1, 0.2, 0.3], {}, "row 2 is .*a third one"),
        ([1, 1], [0.1, 0.2], {}, "all labels are 1"),
        ([], [], {}, "no rows"),
        (["a", "b"], [0.1, 0.2], {}, "which label is positive"),
        ([1, 2], [0.1, 0.2], {}, "which label is positive"),
        ([0, 1], [0.1, 0.2], {"pos_label": 2}, "pos_label is 2"),
        ([0, 1], [0.1, 0.2], {"sample_weight": [1, -1]}, "weight in row 1 is -1"),
        ([0, 1], [[0.1, 0.9], [0.2, 0.8]], {}, "shape"),
        ([0, 1], ["high", "low"], {}, "not numbers"),
        ([0, 1], ["0.1", "0.2"], {}, "not numbers"),
        ([0, 1], [0.1, 0.2j], {}, "not numbers"),
        ([0, 1], [0.1, None], {}, "row 1 is NaN"),
        ([0, 1], pandas.array([0.1, None]), {}, "row 1 is NaN|numbers only"),
        (pandas.array([0, None, 1]), [0.1, 0.2, 0.3], {}, "missing"),
        (pandas.array([None, 0, 1]), [0.1, 0.2, 0.3], {}, "missing"),
        ([np.nan, 1.0, 0.0], [0.1, 0.2, 0.3], {}, "row 0 is nan"),
        ([0.0, np.nan, 1.0], [0.1, 0.2, 0.3], {}, "row 1 is nan"),
        ([None, 1], [0.1, 0.2], {}, "row 0 is None"),
    ],
)
def test_bad_data_are_refused(y, p, options, message):
    with pytest.raises(RocproofError, match=message):
        Model.from_scores(y, p, **options)


MEMORY = """
import sys
import numpy as np
import rocproof
def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))
rows = int(sys.argv[1])
generator = np.random.default_rng(1)
p = generator.random(rows)
y = np.zeros(rows, dtype=bool)
y[::2] = True
rocproof.Model.from_scores(y[:1000], p[:1000]).eval()
before = peak()
model = rocproof.Model.from_scores(y, p)
print((peak() - before) / rows)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peaks are measured as Linux tells them")
def test_ten_million_scores_are_not_copied():
    # Keys that sort take eight bytes of each row, and labels one or two; a copy of the scores would be eight more.
    done = subprocess.run([sys.executable, "-c", MEMORY, "10000000"], capture_output=True, text=True, check=True)
    assert 8 <= float(done.stdout) < 12, done.stdout


def test_scores_are_read_where_they_are():
    # NumPy gives the array itself where it can.
    from rocproof import _scores

    p = np.linspace(0, 1, 10)
    assert np.shares_memory(_scores._floats("y_score", p), p)
    frame = pandas.DataFrame({"a": p, "b": p})
    assert np.shares_memory(_scores._floats("y_score", frame["b"]), frame["b"].to_numpy())
    assert not np.shares_memory(_scores._floats("y_score", p[::2]), p)


def test_arrays_that_cannot_be_written_are_read():
    y, p, _ = data()
    for array in [y, p]:
        array.flags.writeable = False
    assert Model.from_scores(y, p).rows == len(y)


#: The hull has the corners (0, 1/2) and (1/4, 1), in shares of negatives and positives. At c the least loss is the smaller of c/3 and (1-c)/3,
#: and that of chance the smaller of 2c/3 and 4(1-c)/3.
SIX = ([0, 0, 0, 0, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.8, 0.7])


def test_severities_are_those_of_hmeasure():
    evaluation = Model.from_scores(*SIX).eval(severity=[1, "1/2", "beta(3, 2)"])
    symmetric, half, prior = evaluation.severity
    assert symmetric.severity == "1" and symmetric.prior == "beta(2, 2)"
    assert abs(float(symmetric.H) - 217 / 352) < 1e-14 and abs(float(evaluation.H) - 217 / 352) < 1e-14
    # A false alarm is half as severe as a miss, which is also the default of hmeasure: negatives are twice the positives.
    assert half.prior == "beta(3, 2)" and abs(float(half.H) - 83 / 128) < 1e-14
    assert abs(float(prior.H) - 83 / 128) < 1e-14 and abs(float(evaluation.H_hmeasure) - 83 / 128) < 1e-14
    # The label that is called positive, and the direction of scores with it, do not matter to R.
    y, p = np.array(SIX[0]), np.array(SIX[1])
    turned = Model.from_scores(y, 1 - p, pos_label=0).eval()
    assert abs(float(turned.H) - 217 / 352) < 1e-14
    with pytest.raises(rocproof.RocproofError, match="severity"):
        Model.from_scores(*SIX).eval(severity=0)


def test_net_benefit_where_it_is_deployed():
    model = Model.from_scores(*SIX)

    def at(name, p, **options):
        [curve] = model.curves(name, **options)
        piece = next(piece for piece in curve["pieces"] if p <= piece["to"])
        u = (p - piece["from"]) / (piece["to"] - piece["from"])
        return sum(c * u**k for k, c in enumerate(piece["coefficients"])) / {"x": p, "1-x": 1 - p}[piece["divisor"]]

    # From 0.7 on both positives and one of four negatives are treated; the odds of 0.6 are 3/2.
    assert abs(at("net-benefit", 0.6) - (2 / 6 - 1.5 / 6)) < 1e-14
    assert abs(at("net-benefit", 0.6, prevalence=0.1) - (0.1 - 1.5 * 0.9 / 4)) < 1e-14
    assert abs(at("interventions-avoided", 0.6) - 3 / 6) < 1e-14
    # Breakpoints are the scores.
    [curve] = model.curves("net-benefit")
    assert [piece["to"] for piece in curve["pieces"]] == [0.1, 0.2, 0.3, 0.7, 0.8, 1.0]
    svg = model.figure("interventions-avoided", prevalence="1/10").to_svg()
    assert "threshold probability" in svg and "class 0" not in svg


def test_figures_name_the_labels():
    labels = ["benign", "benign", "benign", "benign", "malignant", "malignant"]
    svg = Model.from_scores(labels, SIX[1], pos_label="malignant").figure("roc").to_svg()
    assert "true positive rate (malignant)" in svg and "2 malignant (positive), 4 benign (negative)" in svg
