"""Typed results, pickles, counts, files, arguments, and notebooks."""

import copy
import json
import pickle
from fractions import Fraction

import numpy as np
import pandas
import pytest

import rocproof
from rocproof import Model, RocproofError
from rocproof._value import short


def data(rows=300, seed=11):
    generator = np.random.default_rng(seed)
    y = generator.integers(0, 2, rows)
    return y, np.round(generator.beta(2 + y, 3 - y), 2), generator.beta(3, 3, rows)


ASKED = {"at": [0.2, "z=1/5"], "known": "deployment", "decompose": "width:10", "finite_sample": True, "delong": True, "bootstrap": 20}


@pytest.fixture(scope="module")
def evaluation():
    y, p, _ = data()
    return Model.from_scores(y, p).eval(**ASKED)


def test_results_are_typed_and_still_dictionaries(evaluation):
    at = evaluation.at[0]
    assert at.condition == "cost" == at["condition"] and at.cost_proportion.exact in (None, Fraction(1, 5))
    optimal = at.method("optimal")
    assert optimal.method == "o" and optimal is not None and optimal.loss == optimal["loss"]["value"]
    assert isinstance(optimal.loss, rocproof.Value) and isinstance(optimal.threshold, rocproof.Threshold)
    assert at.method("sf").threshold.score == 0.5 and at.method("su").threshold.score is None
    assert at.method("rd") == at.method("rate-driven")
    with pytest.raises(KeyError, match="rate-driven"):
        at.method("rate")
    assert evaluation.corp.BS == pytest.approx(evaluation.corp.MCB - evaluation.corp.DSC + evaluation.corp.UNC)
    [parts] = evaluation.decompositions
    assert parts.partition == "width:10" and parts.cells[0].edges[0] <= parts.cells[0].scores[0]
    assert sum(sum(cell.weight) for cell in parts.cells) == 300
    assert evaluation.delong.AUC == evaluation.delong["AUC"] == pytest.approx(evaluation.AUC)
    assert evaluation.delong.lo < evaluation.AUC < evaluation.delong.hi
    assert {choice.title for choice in evaluation.choice.methods} >= {"optimal", "rate-driven"}
    applies = next(choice for choice in evaluation.choice.methods if choice.applies)
    assert applies.out_of_sample.lo < applies.out_of_sample.value == applies["out_of_sample"]["value"]
    assert at.method("o").out_of_sample.value == at.method("o")["out_of_sample"]["value"]
    finite = evaluation.finite_sample[0]
    assert finite.difference == pytest.approx(finite.value - finite.limit, abs=1e-12)
    # Code that treats them as JSON still runs, and printing shows the attributes.
    assert json.loads(json.dumps(at)) == dict(at) and "MCB=" in repr(evaluation.corp) and "MCB" in dir(evaluation.corp)


def test_the_optimal_threshold_is_one_that_loses_least(evaluation):
    y, p, _ = data()
    for at, c in [(evaluation.at[0], 0.2)]:
        threshold = at.method("optimal").threshold.score
        loss = [2 * np.mean(np.where(y == 1, c * (p < t), (1 - c) * (p >= t))) for t in [threshold, *np.unique(p), 2]]
        assert loss[0] == pytest.approx(min(loss)) == pytest.approx(at.method("o").loss)


def test_spreads_say_how_they_were_made(evaluation):
    spread = evaluation.bootstrap.metrics["AUCH"]
    assert spread.method and spread._fields[:4] == ("value", "standard_error", "lo", "hi")
    assert (spread.bias is None) == ("bias" not in evaluation.json["bootstrap"]["metrics"]["AUCH"])
    assert str(rocproof.Spread(0.123456, 0.01, 0.1, 0.15, caveat="few rows")) == "0.1235 [0.1000, 0.1500] (few rows)"


@pytest.mark.parametrize("number, text", [(0.955, "0.9550"), (1, "1.000"), (0, "0"), (1234.4, "1234"), (-0.00012345, "-0.0001234"), (1e-7, "1.000e-07")])
def test_four_digits_are_significant(number, text):
    assert short(number) == text


def test_curves_are_typed():
    y, p, _ = data()
    [curve] = Model.from_scores(y, p).curves("brier")
    assert curve.curve == "brier" and curve.area == pytest.approx(np.mean((y - p) ** 2))
    piece = curve.pieces[0]
    assert (piece.start, piece.end) == (piece["from"], piece["to"]) and piece.left == piece.coefficients[0]
    x, loss = curve.points()
    assert x[0] == 0 and x[-1] == 1 and len(x) == len(loss) and (np.diff(x) >= 0).all()
    # Probabilities of at least 1 - c are predicted positive: below it positives are missed, from it on negatives are false alarms.
    for k in np.flatnonzero(~np.isin(np.round(1 - x, 9), p))[::20]:
        c = x[k]
        assert loss[k] == pytest.approx(2 * np.mean(np.where(y == 1, c * (p < 1 - c), (1 - c) * (p >= 1 - c))))


@pytest.mark.parametrize("given", [0.2, "c=0.2", "0.2", Fraction(1, 5), "1/5", np.float64(0.2), np.float32(0.25), [0.2], (0.2,), np.array([0.2])])
def test_a_number_is_a_cost_proportion(given):
    y, p, _ = data()
    [at] = Model.from_scores(y, p).eval(at=given).at
    assert at.condition == "cost" and at.cost_proportion == pytest.approx(0.25 if given is not None and np.all(given == np.float32(0.25)) else 0.2)


@pytest.mark.parametrize(
    "options",
    [
        {"at": True}, {"at": [None]}, {"at": {"c": 0.2}}, {"at": 2}, {"at": object()}, {"known": 3}, {"decompose": 10}, {"decompose": [3]},
        {"finite_sample": "yes"}, {"bootstrap": "many"}, {"bootstrap": 2.5}, {"bootstrap": -3}, {"bootstrap": 2**40}, {"seed": "x"}, {"seed": -1},
        {"delong": 3}, {"confidence": "high", "delong": True}, {"level": 3}, {"cost": 3}, {"threshold": None}, {"rate": [1]},
    ],
)
def test_arguments_of_another_type_are_told(options):
    y, p, _ = data()
    with pytest.raises(RocproofError) as told:
        Model.from_scores(y, p).eval(**options)
    assert len(str(told.value)) > 20


@pytest.mark.parametrize("asked", [lambda m: m.curves(3), lambda m: m.figure(3), lambda m: m.figure(by=2), lambda m: m.curves("roc", by=None)])
def test_so_are_those_of_curves_and_figures(asked):
    y, p, _ = data()
    with pytest.raises(RocproofError, match="is not a text"):
        asked(Model.from_scores(y, p))


def test_everything_is_pickled_and_copied(evaluation, tmp_path):
    y, p, q = data()
    weights = np.random.default_rng(1).exponential(size=len(y))
    one, several = Model.from_scores(y, p), rocproof.compare(y, {"p": p, "q": q})
    weighted = Model.from_scores(y, p, sample_weight=weights)
    counted = Model.from_counts([0.1, 0.5, 0.9], [1, 4, 9], [9, 4, 1])
    for again in [lambda thing: pickle.loads(pickle.dumps(thing)), copy.deepcopy, copy.copy]:
        found = again(evaluation)
        assert found.to_json() == evaluation.to_json() and str(found) == str(evaluation)
        assert found.AUC == evaluation.AUC and found.at == evaluation.at and found.bootstrap.metrics.AUC == evaluation.bootstrap.metrics.AUC
        for model in [one, several, one.cal().even(), weighted, counted, rocproof.compare(y, {"p": p, "q": q}, weights)]:
            options = {} if model.__class__ is rocproof.ScoredModel and "(" in model.name else {"bootstrap": 10}
            assert again(model).eval(**options).to_json() == model.eval(**options).to_json()
        comparison = several.eval(bootstrap=10)
        assert again(comparison).to_json() == comparison.to_json() and list(again(comparison)) == ["p", "q"]
        assert again(comparison)["q"].to_json() == comparison["q"].to_json() and str(comparison["q"]).startswith("q\n")
        for figure in [one.figure("roc"), several.figure("brier", "skew", True), Model("2*(1-x)", "2*x").figure()]:
            assert again(figure).to_svg() == figure.to_svg()
            again(figure).save(tmp_path / "figure.png")
        verdict = rocproof.check("for calibrated m: BS == MAE/2")
        assert again(verdict).proved and again(verdict).latex == verdict.latex and again(verdict).to_json() == verdict.to_json()
        assert again(rocproof.discover("L[rd]", "AUC")).relation


def test_pickles_hold_the_scores_bit_for_bit():
    # 1 - s and -s would lose bits of these.
    p = np.array([1e-300, 0.1, 0.30000000000000004, 1 - 2**-53, 0.0, -0.0])
    for scores in [p, -p, 3 * p]:
        [again], is_negative, *_ = pickle.loads(pickle.dumps(Model.from_scores([0, 1, 0, 1, 1, 0], scores)))._native.state()
        assert sorted(again) == sorted(scores) and is_negative.sum() == 3
        several = pickle.loads(pickle.dumps(rocproof.compare([0, 1, 0, 1, 1, 0], {"a": scores, "b": p})))
        assert list(several._native.state()[0][0]) == list(scores)


def test_counts_are_grouped_rows():
    score, positive, negative = [0.2, 0.5, 0.8], [1, 4, 9], [9, 4, 2]
    model = Model.from_counts(score, positive, negative)
    y = np.concatenate([np.ones(14), np.zeros(15)])
    rows = Model.from_scores(y, np.concatenate([np.repeat(score, positive), np.repeat(score, negative)]))
    grouped, by_row = model.eval(delong=True), rows.eval(delong=True)
    for name in by_row.metrics:
        assert grouped.metrics[name] == pytest.approx(by_row.metrics[name], abs=1e-14), name
    assert grouped.delong.standard_error == pytest.approx(by_row.delong.standard_error)
    assert model.totals == (14, 15) and model.rows == 3
    for wrong, message in [
        (([0.2, 0.5], [1, 2], [1]), "n_negative has 1"),
        (([0.2, 0.5], [1, -2], [1, 1]), "n_positive is -2.0 in row 1"),
        (([0.2, 0.5], [1, 2.5], [1, 1]), "sample_weight"),
        (([0.2, 0.5], [0, 0], [1, 1]), "both classes"),
        (([0.2, np.nan], [1, 1], [1, 1]), "NaN"),
    ]:
        with pytest.raises(RocproofError, match=message):
            Model.from_counts(*wrong)


def test_files_are_read_as_on_the_command_line(tmp_path):
    arrow = pytest.importorskip("pyarrow.parquet")
    import pyarrow

    y, p, q = data()
    frame = pandas.DataFrame({"one": p, "other": q, "y": np.array(["ham", "spam"])[y]})
    frame.to_csv(tmp_path / "scores.csv", index=False)
    frame.to_csv(tmp_path / "scores.txt", index=False, sep=";")
    arrow.write_table(pyarrow.table({name: frame[name].tolist() for name in frame}), tmp_path / "scores.parquet")
    truth = rocproof.compare(frame["y"], frame[["one", "other"]], pos_label="spam").eval(bootstrap=10)
    for file, options in [("scores.csv", {}), ("scores.parquet", {}), ("scores.txt", {"delimiter": ";"})]:
        models = rocproof.read_scores(tmp_path / file, ["one", "other"], "y", pos_label="spam", **options)
        assert models.names == ["one", "other"]
        found = models.eval(bootstrap=10)
        assert found.to_json().replace(str(tmp_path / file), "arrays") == truth.to_json()
        assert pickle.loads(pickle.dumps(models)).eval(bootstrap=10).to_json() == found.to_json()
        one = rocproof.read_scores(str(tmp_path / file), "one", "y", pos_label="ham", higher_means="spam", **options)
        assert isinstance(one, rocproof.ScoredModel) and one.labels == ("ham", "spam")
        # Higher scores speak for the other label, so that the classes are ranked as well.
        assert one.eval().AUC == pytest.approx(truth["one"].AUC, abs=1e-14)
    frame[:100].to_csv(tmp_path / "part-1.csv", index=False)
    frame[100:].to_csv(tmp_path / "part-2.csv", index=False)
    for parts in [str(tmp_path / "part-*.csv"), [tmp_path / "part-1.csv", tmp_path / "part-2.csv"]]:
        whole = rocproof.read_scores(parts, ["one", "other"], "y", pos_label="spam").eval()
        assert {name: each.AUC for name, each in whole.items()} == {name: each.AUC for name, each in truth.items()}
    for wrong, message in [
        ({"score": "won", "label": "y"}, "score= names"),
        ({"score": "one"}, "label= names"),
        ({"score": "one", "label": "y"}, "spam"),
        ({"score": "one", "label": "y", "pos_label": "eggs"}, "no such label"),
        ({"score": "one", "label": "y", "delimiter": "::"}, 'delimiter="::"'),
        ({"score": 3}, "not a text"),
    ]:
        with pytest.raises(RocproofError, match=message) as told:
            rocproof.read_scores(tmp_path / "scores.csv", **wrong)
        assert "--" not in str(told.value)


def test_grouped_files_are_read(tmp_path):
    (tmp_path / "counts.csv").write_text("score,bad,good\n0.2,9,1\n0.5,4,4\n0.8,2,9\n")
    model = rocproof.read_scores(tmp_path / "counts.csv", counts=("bad", "good"), pos_label="good")
    assert model.totals == (14, 15)
    truth = Model.from_counts([0.2, 0.5, 0.8], [1, 4, 9], [9, 4, 2]).eval()
    assert model.eval().AUC == truth.AUC and model.eval().loss.cost.o == truth.loss.cost.o


def test_notebooks_show_intervals_and_the_best():
    y, p, q = data()
    models = rocproof.compare(y, {"good": p, "<chance>": q})
    bare, html = models.eval(intervals=False)._repr_html_(), models.eval(bootstrap=50)._repr_html_()
    assert "&lt;chance&gt;" in html and "<chance>" not in html
    comparison = models.eval(bootstrap=50)
    auc = comparison["good"].sampling_interval("AUC")
    assert f"<strong>{short(auc.value)} " in html and f"[{short(auc.lo)}, {short(auc.hi)}]" in html
    # The lead of a model over chance is beyond chance: a star.
    assert "]</span>*</strong>" in html and "good − &lt;chance&gt;" in html
    loss = comparison.differences[0].bootstrap.loss.cost["o"]
    assert f"{short(loss.value)} <span" in html and f"[{short(loss.lo)}, {short(loss.hi)}]" in html
    assert "<strong>" in bare and "±" not in html + bare and "0.000000" not in html and "[0." not in bare
    single = Model.from_scores(y, p, name="<mine>").eval(bootstrap=50)
    html = single._repr_html_()
    assert "&lt;mine&gt;" in html and "±" not in html and f"{short(single.BS)} <span" in html and "300 rows" in html
    assert repr(single).count("[") == 3 and "±" not in repr(single)
    # At an operating condition, which threshold to deploy and how sure that is.
    for evaluated in [models.eval(at=0.2), Model.from_scores(y, p, name="good").eval(at=0.2)]:
        [advice] = evaluated.deploy
        assert f"at c = 1/5 use <strong>{advice.model}</strong>" in evaluated._repr_html_()
        assert f"[{short(advice.loss.lo)}, {short(advice.loss.hi)}]" in evaluated._repr_html_()
    # Two models that are the same: neither is the best.
    same = rocproof.compare(y, {"a": p, "b": p}).eval(bootstrap=20)._repr_html_()
    assert "<strong>" not in same


def test_what_to_deploy_is_said_with_its_loss_out_of_sample():
    generator = np.random.default_rng(4)
    y = generator.integers(0, 2, 300)
    p = np.clip(0.5 + 0.25 * (2 * y - 1) + generator.normal(0, 0.25, 300), 0, 1)
    models = rocproof.compare(y, {"signal": p, "noise": generator.random(300)})
    found = models.eval(at=0.2, known="deployment")
    at, over = sorted(found.deploy, key=lambda each: each.at is None)
    assert (at.at, at.model, over.at, over.model) == ("c = 1/5", "signal", None, "signal")
    assert at.loss.lo < at.loss.value < at.loss.hi and at.why and over.threshold is None
    optimal = found["noise"].at[0].method("optimal")
    # The hull of noise promises too much.
    assert optimal.out_of_sample.value > float(optimal.loss)
    assert found["noise"].choice.methods[0].out_of_sample is not None
    train = rocproof.compare(y[:200], {"signal": p[:200], "noise": p[:200]})
    paid = rocproof.compare(y[200:], {"signal": p[200:], "noise": p[200:]}).eval(at=0.2, train=train)
    assert paid["signal"].at[0].method("o").out_of_sample == paid["noise"].at[0].method("o").out_of_sample
    for bad in [p, Model.from_scores(y, p)]:
        with pytest.raises(RocproofError, match="train="):
            models.eval(at=0.2, train=bad)


def test_intervals_are_computed_when_they_are_looked_at():
    y, p, q = data()
    one, several = Model.from_scores(y, p).eval(), rocproof.compare(y, {"p": p, "q": q}).eval()
    # Values, thresholds and short descriptions need no samples.
    assert one.AUC > 0.5 and one.corp.MCB > 0 and several["p"].loss.cost.o > 0 and "[0." not in repr(one)
    assert not one._has_intervals and not several._has_intervals
    for evaluation in [one, several["p"]]:
        spread = evaluation.sampling_interval("AUC")
        assert spread.lo < evaluation.AUC < spread.hi and evaluation._has_intervals and "[0." in repr(evaluation)
    assert several.differences[0].bootstrap.metrics["AUC"].lo > 0
    # As many samples as by default.
    assert Model.from_scores(y, p).eval(bootstrap=200).sampling_interval("BS") == one.sampling_interval("BS")
    assert f"[{short(spread.lo)}, {short(spread.hi)}]" in several._repr_html_()
    wide, narrow = (Model.from_scores(y, p).eval(confidence=level).sampling_interval("BS") for level in [0.99, 0.5])
    assert wide.lo < narrow.lo < narrow.hi < wide.hi
    # Samples with as many rows of each class: the class proportion does not vary.
    kept, drawn = (Model.from_scores(y, p).eval(bootstrap=20, stratified=choice) for choice in [True, False])
    assert kept.bootstrap.metrics["UNC"].standard_error < 1e-12 < drawn.bootstrap.metrics["UNC"].standard_error
    assert kept.json["uncertainty"]["stratified"] and not drawn.json["uncertainty"]["stratified"]
    for level in [2, 0, 1.5]:
        with pytest.raises(RocproofError, match="a share lies between 0 and 1"):
            Model.from_scores(y, p).eval(confidence=level)
    bare = Model.from_scores(y, p).eval(intervals=False)
    assert bare.bootstrap is None and bare.sampling_interval("AUC") is None
    assert Model.from_scores(y, p).cal().eval().sampling_interval("AUC") is None


def test_the_calibration_error_is_by_stated_bins():
    y, _, p = data()
    [found] = Model.from_scores(y, p).eval(ece="width:10").ece
    bins = np.minimum((p * 10).astype(int), 9)
    by_hand = sum(abs((y[bins == k] - p[bins == k]).sum()) for k in range(10)) / len(y)
    assert found.ECE == pytest.approx(by_hand, abs=1e-12)


def test_intervals_of_large_data_are_those_of_formulas():
    """Above 20,000 rows there were no intervals, in results or in tables."""
    generator = np.random.default_rng(5)
    y = generator.integers(0, 2, 30_000)
    p, q = generator.beta(2 + y, 3 - y), generator.beta(2 + y, 3 - y)
    found = Model.from_scores(y, p).eval()
    for name in ("AUC", "BS"):
        spread = found.sampling_interval(name)
        assert spread.lo < found.value(name) < spread.hi and spread == found.sampling_intervals.metrics[name]
    assert found.bootstrap is None and found.sampling_interval("o", "cost") is None
    frame = found.to_frame("pandas").set_index("name")
    assert frame.loc["AUC", "lo"] == found.sampling_interval("AUC").lo and frame.loc["AUC", "interval"] == "DeLong, logit"
    assert "DeLong, logit" in found._repr_html_() and "[" in repr(found)
    several = rocproof.compare(y, {"one": p, "other": q}).eval()
    difference = several.differences[0]
    assert difference.bootstrap is None and difference.sampling_intervals.metrics["AUC"].method == "DeLong"
    assert {"AUC", "BS"} <= set(several.differences.to_frame("pandas")["name"])
    assert "difference" in several._repr_html_()


@pytest.mark.parametrize("rows", [6, 18])
def test_the_interval_of_the_auc_is_inside(rows):
    """The plain interval of DeLong was given: [1, 1] for perfect rows without a caveat, or up to 1.022."""
    y = np.arange(rows) % 2
    p = np.linspace(0, 1, rows) + y
    if rows == 18:
        p[-1] = p[-4] - 0.01
    found = Model.from_scores(y, p).eval(delong=True, intervals=False)
    spread = found.sampling_interval("AUC")
    assert 0 <= spread.lo < spread.hi <= 1 and spread == found.delong.interval
    assert (spread.caveat is None) == (found.AUC < 1)
    assert found.to_frame("pandas").set_index("name").loc["AUC", "hi"] <= 1


def test_metrics_and_their_directions_are_those_of_the_command_line(command_line, tmp_path):
    """Notebooks showed AUCH and not balanced accuracy, the command line the reverse."""
    y, p, _ = data()
    found = Model.from_scores(y, np.round(p, 1)).eval()
    first, _ = rocproof._quantities._quantities(found)
    frame = pandas.DataFrame({"label": y, "score": np.round(p, 1)})
    frame.to_csv(tmp_path / "rows.csv", index=False)
    text, _ = command_line("score", str(tmp_path / "rows.csv"))
    shown = [name if by is None else f"L[{name}]" for name, by in first]
    lines = [line.split()[0] for line in text.splitlines() if line.split()]
    assert [name for name in lines if name in shown] == shown
    assert rocproof._quantities.direction(("MAcc(1/2)", None)) == 1 and rocproof._quantities.direction(("MCB", None)) == -1
    assert rocproof._quantities.direction(("UNC", None)) == 0 and rocproof._quantities.direction(("AUC", "cost")) == -1


def test_deployment_names_a_rule(evaluation):
    over = [each for each in evaluation.deploy if each.at is None]
    assert over and all(isinstance(each.rule, str) for each in evaluation.deploy)
    assert "--" not in str(evaluation) and "--" not in evaluation._repr_html_()
    y = np.arange(60) % 5 == 0
    rare = Model.from_scores(y, (np.arange(60) * 7) % 60 / 60).eval(at=0.05)
    assert "inf" not in "".join(each.rule for each in rare.deploy) and ">inf" not in rare._repr_html_()


def test_groups_are_evaluated_value_by_value(tmp_path):
    y, p, q = data(600)
    site = np.array(["Bern", "Zug", None])[np.arange(600) % 3]
    models = Model.from_scores(y, p, groups=site)
    found = models.eval(at=0.2)
    assert list(found) == ["Bern", "Zug", None] and models.all.rows == 600 and models["Zug"].rows == 200
    alone = Model.from_scores(y[site == "Bern"], p[site == "Bern"]).eval(at=0.2)
    assert found["Bern"].AUC == alone.AUC and found["Bern"].at == alone.at
    assert found["Bern"].sampling_interval("AUC") == alone.sampling_interval("AUC")
    assert found.all.AUC == Model.from_scores(y, p).eval().AUC
    frame = found.to_frame("pandas")
    assert set(frame["group"].dropna()) == {"Bern", "Zug"} and len(frame) == 3 * len(alone.to_frame("pandas")) and set(frame["rows"]) == {200} and "lo" in frame
    assert "Bern" in found._repr_html_() and "all rows" in found._repr_html_()
    # One class only, several models, columns of a frame, and files.
    frame = pandas.DataFrame({"label": y, "one": p, "other": q, "site": np.where(np.arange(600) < 3, 9, np.arange(600) % 2)})
    frame.loc[:2, "label"] = 1
    several = rocproof.compare(frame["label"], frame[["one", "other"]], groups=frame["site"])
    assert list(several) == [0, 1] and "both" in several.why[9] and several.column == "site"
    with pytest.raises(KeyError, match="both"):
        several[9]
    compared = several.eval()
    assert list(compared[0]) == ["one", "other"] and set(compared.to_frame("pandas")["model"]) == {"one", "other"}
    assert "both" in compared._repr_html_() and len(pickle.loads(pickle.dumps(several))) == 2
    path = tmp_path / "rows.csv"
    frame.to_csv(path, index=False)
    read = rocproof.read_scores(path, ["one", "other"], group_by="site")
    assert list(read) == ["0", "1"] and "both" in read.why["9"] and read.column == "site"
    assert read.eval(intervals=False)["0"]["one"].AUC == compared[0]["one"].AUC
    with pytest.raises(RocproofError, match="groups has 2"):
        Model.from_scores(y, p, groups=["a", "b"])
