"""Scored data beside the numbers that other packages print: pROC, ROCR, dcurves, reliabilitydiag, triptych, murphydiagram, hmeasure,
PRROC, precrec, scikit-learn and model-diagnostics.

    python3 tests/peers/expected.py target/release/rocproof

The data, the numbers and their sources are in `peers.json`. Every number must agree within the tolerance of its case.
"""

import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent

#: Label 1 is positive, and higher scores speak for it, as in the packages.
AS_IN_PACKAGES = ["--positive", "1", "--higher-means", "1"]

#: The orientation of the hmeasure package: costs are those of class 0, label 0, and higher scores speak for label 1.
AS_IN_HMEASURE = ["--positive", "0", "--higher-means", "1"]


class Expected:
    """Runs rocproof on the data of a case and gathers disagreements."""

    def __init__(self, rocproof, folder):
        self.rocproof, self.folder = rocproof, Path(folder)
        self.compared, self.failed = 0, []

    def agree(self, case, name, found, expected, tolerance):
        self.compared += 1
        if found is None or not abs(found - expected) <= tolerance:
            self.failed.append(f"{case}: {name} is {found!r} here and {expected!r} there")

    def score(self, columns, *arguments):
        """The JSON of `score` for columns by name."""
        path = self.folder / "rows.csv"
        rows = [",".join(map(repr, row)) for row in zip(*columns.values())]
        path.write_text("\n".join([",".join(columns), *rows]) + "\n")
        command = [self.rocproof, "score", str(path), "--json", *map(str, arguments)]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode != 0:
            raise SystemExit(f"{' '.join(command)}\n{run.stderr}")
        return json.loads(run.stdout)

    def curves(self, columns, *arguments):
        """The curves of `score --curves`, by model and name."""
        path = self.folder / "curves.json"
        self.score(columns, "--curves", path, *arguments)
        curves = json.loads(path.read_text())["curves"]
        return {(curve["model"], curve["curve"]): curve["pieces"] for curve in curves if not curve["difference"]}


def rows_of(case):
    return {"label": [label for label, _ in case["rows"]], "score": [score for _, score in case["rows"]]}


def metric(found, name, model=0):
    return found["models"][model]["metrics"][name]["value"]


def loss(found, method, condition="cost", model=0):
    return found["models"][model]["loss"][condition][method]["value"]


def severity_h(found):
    """Hand's H for the severity that was asked for."""
    return found["models"][0]["severity"][0]["H"]["value"]


def limits(pieces, x):
    """The limits of a curve at `x` from the left and from the right."""

    def value(piece, at):
        u = (at - piece["from"]) / (piece["to"] - piece["from"])
        polynomial = sum(c * u**k for k, c in enumerate(piece["coefficients"]))
        return polynomial / (1 - at) if piece.get("divisor") == "1-x" else polynomial

    long = [piece for piece in pieces if piece["from"] < piece["to"]]
    left = [value(piece, x) for piece in long if piece["from"] < x <= piece["to"]]
    right = [value(piece, x) for piece in long if piece["from"] <= x < piece["to"]]
    return (left or right)[-1], (right or left)[0]


def catala4(expected, case):
    found = expected.score(rows_of(case), *AS_IN_HMEASURE)
    for name, value in case["expected"].items():
        if name.startswith("L"):
            condition = "skew" if name.startswith("Lz") else "cost"
            value_here = loss(found, name[name.index("[") + 1 : -1], condition)
        else:
            value_here = metric(found, name)
        expected.agree("catala4", name, value_here, value, case["tolerance"])
    for name, (value, tolerance) in case["grid"].items():
        expected.agree("catala4, grid", name, loss(found, name[2:-1]), value, tolerance)
    for setting, values in case["hmeasure_R_1.0-2"].items():
        severity = [] if setting == "srNA" else ["--severity", setting[2:]]
        for orientation in [AS_IN_HMEASURE, AS_IN_PACKAGES]:
            found = expected.score(rows_of(case), *orientation, *severity)
            h = severity_h(found) if severity else metric(found, "H_hmeasure")
            expected.agree(f"catala4, {setting}", "H", h, values["H"], case["tolerance"])
        for name in ["AUC", "AUCH", "Gini", "KS"]:
            expected.agree(f"catala4, {setting}", name, metric(found, name), values[name], case["tolerance"])


def pima_lda(expected, case):
    for by_cost in case["expected_by_cost"]:
        a, b = by_cost["cost"]
        found = expected.score(rows_of(case), *AS_IN_HMEASURE, "--cost", f"beta({a}, {b})")
        name = f"beta({a}, {b})"
        expected.agree("pima_lda", f"L[o] under {name}", loss(found, "o"), by_cost["L[o;beta]"], case["tolerance"])
        ratio = by_cost["sev_ratio"]
        if ratio is None or ratio == 1:
            key = "H" if ratio == 1 else "H_hmeasure"
            for orientation in [AS_IN_HMEASURE, AS_IN_PACKAGES]:
                found = expected.score(rows_of(case), *orientation)
                expected.agree("pima_lda", key, metric(found, key), by_cost["H"], case["tolerance"])
        elif ratio > 0:
            for orientation in [AS_IN_HMEASURE, AS_IN_PACKAGES]:
                found = expected.score(rows_of(case), *orientation, "--severity", ratio)
                name = f"H, severity {ratio}"
                expected.agree("pima_lda", name, severity_h(found), by_cost["H"], case["tolerance"])
    hull = expected.curves(rows_of(case), *AS_IN_PACKAGES)["score", "hull"]
    # The hull of the package is given by 1 minus the rates, of label 1 and of label 0.
    ends = {(piece["from"], piece["left"]) for piece in hull} | {(piece["to"], piece["right"]) for piece in hull}
    for x, y in case["hull"]:
        near = min(ends, key=lambda end: min(math.dist(end, (x, y)), math.dist(end, (1 - x, 1 - y)),
                                             math.dist(end, (1 - y, 1 - x)), math.dist(end, (y, x))))
        apart = min(math.dist(near, point) for point in [(x, y), (1 - x, 1 - y), (1 - y, 1 - x), (y, x)])
        expected.agree("pima_lda", f"hull vertex ({x}, {y})", apart, 0.0, 1e-12)


def dcurves(expected, case):
    for name, points in case["net_benefit"].items():
        curves = expected.curves({"label": case["label"], "score": case[name]}, *AS_IN_PACKAGES)
        pieces = curves["score", "net-benefit"]
        for threshold, value in points:
            if threshold < 1:
                # The test is positive where the score is at least the threshold: the limit from the left.
                left, right = limits(pieces, threshold)
                here = left if threshold > 0 else right
                expected.agree("dcurves", f"net benefit of {name} at {threshold}", here, value, case["tolerance"])


def a_sah(expected, case):
    models = list(case["expected"])
    columns = {"label": case["y"], **{name: case[name] for name in models}}
    found = expected.score(columns, *AS_IN_PACKAGES, "--score", ",".join(models), "--delong")
    for k, name in enumerate(models):
        peer, here = case["expected"][name], found["models"][k]["delong"]
        expected.agree("aSAH", f"AUC of {name}", metric(found, "AUC", k), peer["auc"], case["tolerance"])
        expected.agree("aSAH", f"variance of {name}", here["standard_error"] ** 2, peer["var"], case["tolerance"])
        low, high = here.get("normal", [here["lo"], here["hi"]])
        expected.agree("aSAH", f"low end of {name}", low, peer["ci"][0], 1e-9)
        expected.agree("aSAH", f"high end of {name}", high, peer["ci"][2], 1e-9)
        if name in case["youden"]:
            expected.agree("aSAH", f"Youden of {name}", metric(found, "KS", k), case["youden"][name], case["tolerance"])
    for pair in found["differences"]:
        peer, here = case["tests"]["-".join(pair["models"])], pair["delong"]
        z = here["AUC"] / here["standard_error"]
        expected.agree("aSAH", f"Z of {pair['models']}", z, peer["Z"], 1e-9)
        expected.agree("aSAH", f"p of {pair['models']}", here["p"], peer["p"], 1e-9)
        expected.agree("aSAH", f"low end of {pair['models']}", here["lo"], peer["ci"][0], 1e-9)
        expected.agree("aSAH", f"high end of {pair['models']}", here["hi"], peer["ci"][1], 1e-9)


def rocr(expected, case):
    # A false positive that costs twice a false negative: the share of the false negative is 1/3.
    found = expected.score(rows_of(case), *AS_IN_PACKAGES, "--at", "c=1/2", "--at", "c=1/3")
    for name in ["AUC", "BS"]:
        expected.agree("ROCR", name, metric(found, name), case["expected"][name], case["tolerance"])
    optimal = []
    for at in found["models"][0]["at"]:
        [method] = [method for method in at["methods"] if method["method"] == "o"]
        optimal.append(method["loss"]["value"])
    expected.agree("ROCR", "minimal cost", optimal[0], case["expected"]["min_cost_1_1"], case["tolerance"])
    expected.agree("ROCR", "minimal cost, 2:1", 1.5 * optimal[1], case["expected"]["min_cost_fp2_fn1"], case["tolerance"])


def corp(expected, case, labels):
    for name, parts in case["corp"].items():
        columns = {"label": case[labels], "score": case["forecasts"][name]}
        found = expected.score(columns, *AS_IN_PACKAGES, "--decompose", "ties")["models"][0]["corp"]
        names = {"mean_score": "BS", "miscalibration": "MCB", "discrimination": "DSC", "uncertainty": "UNC"}
        for there, here in names.items():
            expected.agree(case["name"], f"{there} of {name}", found[here]["value"], parts[there], case["tolerance"])


def niamey(expected, case):
    corp(expected, case, "obs")
    for name in {**case["cep"], **case["murphy"]}:
        columns = {"label": case["obs"], "score": case["forecasts"][name]}
        curves = expected.curves(columns, *AS_IN_PACKAGES)
        for x, probability in case["cep"].get(name, []):
            pieces = curves["score", "reliability"]
            near = [p["left"] for p in pieces if p["from"] - 1e-14 <= x <= p["to"] + 1e-14]
            expected.agree("niamey", f"CEP of {name} at {x}", near[0] if near else None, probability, 1e-12)
        for knot, left, right in case["murphy"].get(name, []):
            here = limits(curves["score", "murphy"], nearest_end(curves["score", "murphy"], knot))
            for side, value, there in zip(["left", "right"], here, [left, right]):
                if 0 < knot < 1:
                    expected.agree("niamey", f"Murphy curve of {name}, {side} of {knot}", value, there, 1e-12)


def nearest_end(pieces, x):
    """The end of a piece next to `x`, which is given to 15 digits only."""
    ends = [end for piece in pieces for end in (piece["from"], piece["to"])]
    near = min(ends, key=lambda end: abs(end - x))
    return near if abs(near - x) < 1e-14 else x


def recession(expected, case):
    for name, values in case["murphy"].items():
        pieces = expected.curves({"label": case["label"], "score": case[name]}, *AS_IN_PACKAGES)["score", "murphy"]
        for theta, there in zip(case["theta"], values):
            if 0 < theta < 1:
                here = limits(pieces, theta)
                near = min(here, key=lambda value: abs(value - there))
                expected.agree("recession", f"Murphy curve of {name} at {theta}", near, there, case["tolerance"])


def soft_labels(expected, case):
    ones = case["weight_of_1"]
    columns = {"score": case["score"], "n0": [1 - one for one in ones], "n1": ones}
    found = expected.score(columns, "--counts", "n0,n1", "--positive", "n1", "--higher-means", "n1")
    expected.agree("soft labels", "AUC", metric(found, "AUC"), case["expected"]["AUC"], case["tolerance"])


def precrec(expected, case):
    found = expected.score(rows_of(case), *AS_IN_PACKAGES, "--delong")
    expected.agree("P10N10", "AUC", metric(found, "AUC"), case["expected"]["AUC"], case["tolerance"])
    variance = found["models"][0]["delong"]["standard_error"] ** 2
    expected.agree("P10N10", "variance", variance, case["expected"]["delong_var"], case["tolerance"])


def literals(expected, case):
    labels, scores, value = case["brier"]
    found = expected.score({"label": labels, "score": scores}, *AS_IN_PACKAGES)
    expected.agree("literals", "Brier score", metric(found, "BS"), value, 1e-12)
    for labels, scores, value in case["roc"]:
        found = expected.score({"label": labels, "score": scores}, *AS_IN_PACKAGES)
        expected.agree("literals", f"AUC of {scores}", metric(found, "AUC"), value, 1e-12)
    labels, scores, fitted = case["isotonic"]
    pieces = expected.curves({"label": labels, "score": scores}, *AS_IN_PACKAGES)["score", "reliability"]
    for score, value in zip(scores, fitted):
        near = [piece["left"] for piece in pieces if piece["from"] <= score <= piece["to"]]
        expected.agree("literals", f"isotonic fit at {score}", near[0] if near else None, value, 1e-12)
    labels, scores, parts = case["decompose"]
    found = expected.score({"label": labels, "score": scores}, *AS_IN_PACKAGES, "--decompose", "ties")
    for name, value in parts.items():
        expected.agree("literals", name, found["models"][0]["corp"][name]["value"], value, case["tolerance"])


COMPARISONS = {
    "catala4": catala4,
    "pima_lda": pima_lda,
    "dcurves_df_binary": dcurves,
    "aSAH": a_sah,
    "ROCR.simple": rocr,
    "niamey": niamey,
    "recession": recession,
    "ex_binary": lambda expected, case: corp(expected, case, "y"),
    "soft_labels": soft_labels,
    "P10N10": precrec,
    "literals": literals,
}


def main():
    with tempfile.TemporaryDirectory() as folder:
        expected = Expected(Path(sys.argv[1]).resolve(), folder)
        for case in json.loads((HERE / "peers.json").read_text())["cases"]:
            COMPARISONS[case["name"]](expected, case)
    print("\n".join(expected.failed))
    print(f"{expected.compared} numbers of other packages compared, {len(expected.failed)} disagree")
    sys.exit(bool(expected.failed))


main()
