"""Scored data beside scikit-learn, the hmeasure package of PyPI, and DuckDB.

    python3 -m venv target/peers
    target/peers/bin/pip install -r tests/peers/requirements.txt
    target/peers/bin/python tests/peers/compare.py target/release/rocproof

Every value must agree to 1e-12. Where a peer is known to be wrong, the case says why, and what is held against it is the exact value.
"""

import json
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import duckdb
import numpy as np
from hmeasure import h_score
from hmeasure.hsource import _generate_convex_hull_points, _transform_roc_to_invF
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, roc_auc_score, roc_curve

AGREED = 1e-12


class Peers:
    """Runs rocproof and gathers disagreements."""

    def __init__(self, rocproof, folder):
        self.rocproof, self.folder = rocproof, Path(folder)
        self.compared, self.failed, self.largest = 0, [], 0.0

    def score(self, *arguments, text=None):
        run = subprocess.run(
            [self.rocproof, "score", *map(str, arguments), "--json"], input=text, capture_output=True, text=True
        )
        if run.returncode != 0:
            raise SystemExit(run.stderr)
        return json.loads(run.stdout)

    def agree(self, case, name, found, expected):
        self.compared += 1
        apart = abs(found - expected)
        self.largest = max(self.largest, apart)
        if not apart <= AGREED:
            self.failed.append(f"{case}: {name} is {found!r} here and {expected!r} there")

    def write(self, name, scores, labels, weights=None):
        path = self.folder / f"{name}.csv"
        columns = [scores, labels] + ([weights] if weights is not None else [])
        header = "score,label" + (",weight" if weights is not None else "")
        rows = "\n".join(",".join(repr(cell.item()) for cell in row) for row in zip(*columns))
        path.write_text(f"{header}\n{rows}\n")
        return path


def area_under_hull(labels, scores):
    """The AUCH of the hull that hmeasure finds."""
    fpr, tpr, _ = roc_curve(labels, scores, drop_intermediate=False)
    g0, g1 = _generate_convex_hull_points(*_transform_roc_to_invF(fpr, tpr))
    return float(np.sum(np.diff(g0) * (g1[1:] + g1[:-1]) / 2))


def data_sets():
    """Names, scores, labels and weights."""
    generator = np.random.default_rng(2012)

    def labels_of(probabilities):
        labels = (generator.random(len(probabilities)) < probabilities).astype(int)
        labels[:2] = [0, 1]
        return labels

    for n in [10, 100, 1000, 20000]:
        scores = generator.random(n)
        yield f"no ties, {n} rows", scores, labels_of(scores**2), None
        coarse = np.round(scores, 1)
        yield f"ties, {n} rows", coarse, labels_of(coarse), None
        yield f"weights, {n} rows", coarse, labels_of(coarse), generator.exponential(size=n)
        yield f"weights, no ties, {n} rows", scores, labels_of(scores), generator.exponential(size=n)
        yield f"worse than chance, {n} rows", scores, labels_of(1 - scores), None
    scores = generator.beta(1, 20, 50000)
    yield "one in a thousand", scores, labels_of(scores * 0.02), None
    yield "one in a thousand, ties", np.round(scores, 2), labels_of(scores * 0.02), None
    yield "nearly certain", 1 - 1e-9 * generator.random(500), labels_of(np.full(500, 0.5)), None
    constant = np.full(100, 0.25)
    yield "constant scores", constant, labels_of(constant), None
    yield "constant scores, weights", constant, labels_of(constant), generator.exponential(size=100)
    yield "two rows", np.array([0.3, 0.6]), np.array([0, 1]), None
    yield "two rows, wrong way round", np.array([0.6, 0.3]), np.array([0, 1]), None
    yield "two rows, tied", np.array([0.5, 0.5]), np.array([0, 1]), None
    yield "perfect", np.linspace(0, 1, 50), (np.arange(50) >= 20).astype(int), None


def compare_metrics(peers):
    for case, scores, labels, weights in data_sets():
        path = peers.write("rows", scores, labels, weights)
        found = peers.score(path, *(["--weight", "weight"] if weights is not None else []))["metrics"]
        value = {name: metric["value"] for name, metric in found.items()}
        peers.agree(case, "AUC", value["AUC"], roc_auc_score(labels, scores, sample_weight=weights))
        peers.agree(case, "BS", value["BS"], brier_score_loss(labels, scores, sample_weight=weights))
        calibrated = IsotonicRegression().fit(scores, labels, sample_weight=weights).predict(scores)
        peers.agree(case, "RL_conv", value["RL_conv"], np.average((calibrated - labels) ** 2, weights=weights))
        if weights is None:
            peers.agree(case, "AUCH", value["AUCH"], area_under_hull(labels, scores))
            # The severity ratio is that of Beta(2, 2), the default, and the one of class proportions.
            for name, severity in [("H", 1.0), ("H_hmeasure", None), ("H_priors", -1.0)]:
                peers.agree(case, name, value[name], h_score(labels, scores, severity_ratio=severity))
            compare_severities(peers, case, path, labels, scores, value["H_hmeasure"])


def compare_severities(peers, case, path, labels, scores, default):
    """Severity ratios, whichever label is called positive."""
    ratios = [0.1, 2, 7.5]
    options = [word for ratio in ratios for word in ("--severity", str(ratio))]
    for orientation in [[], ["--positive", "0", "--higher-means", "1"]]:
        found = peers.score(path, *options, *orientation)
        peers.agree(case, "H_hmeasure", found["metrics"]["H_hmeasure"]["value"], default)
        for ratio, measure in zip(ratios, found["models"][0]["severity"]):
            peers.agree(case, f"severity {ratio}", measure["H"]["value"], h_score(labels, scores, severity_ratio=ratio))


def compare_near_ties(peers):
    """scikit-learn's isotonic regression merges scores closer than 1e-15; they are different scores, and here they stay so."""
    scores, labels = np.array([0.3, 0.1 + 0.2, 0.2, 0.8]), np.array([0, 1, 0, 1])
    found = peers.score(peers.write("near", scores, labels))["metrics"]
    peers.agree("near ties", "AUC", found["AUC"]["value"], 1.0)
    peers.agree("near ties", "RL_conv", found["RL_conv"]["value"], 0.0)
    calibrated = IsotonicRegression().fit(scores, labels).predict(scores)
    if np.mean((calibrated - labels) ** 2) == 0.0:
        peers.failed.append("near ties: isotonic regression of scikit-learn tells them apart by now")


def compare_grouping(peers):
    """DuckDB groups, by the query of the README, and rocproof finishes."""
    generator = np.random.default_rng(5)
    scores = np.round(generator.random(200_000), 3)
    labels = (generator.random(200_000) < scores).astype(int)
    rows = peers.folder / "predictions.parquet"
    engine = duckdb.connect()
    engine.register("frame", {"score": scores, "label": labels})
    engine.execute(f"COPY (SELECT * FROM frame) TO '{rows}' (FORMAT parquet)")
    query = f"""SELECT score, count(*) FILTER (WHERE label = 0) AS n0, count(*) FILTER (WHERE label = 1) AS n1
                FROM '{rows}' GROUP BY score"""
    groups = peers.folder / "groups.parquet"
    engine.execute(f"COPY ({query}) TO '{groups}' (FORMAT parquet)")
    text = "score,n0,n1\n" + "".join(f"{s!r},{a},{b}\n" for s, a, b in engine.execute(query).fetchall())
    by_rows, by_groups, by_pipe = peers.score(rows), peers.score(groups), peers.score("-", text=text)
    for name, metric in by_rows["metrics"].items():
        for found in (by_groups, by_pipe):
            peers.agree("grouped by DuckDB", name, found["metrics"][name]["value"], metric["value"])
    for condition, losses in by_rows["loss"].items():
        for name, loss in losses.items():
            peers.agree("grouped by DuckDB", name, by_groups["loss"][condition][name]["value"], loss["value"])


def compare_small_fractions(peers):
    """Rational arithmetic on a small set: a tie, and a score on the wrong side."""
    scores, labels = np.array([0.25, 0.5, 0.5, 0.125, 0.75]), np.array([0, 1, 0, 1, 1])
    found = peers.score(peers.write("small", scores, labels))
    exact = [Fraction(score) for score in scores.tolist()]
    wins = sum((a > b) + Fraction(a == b, 2) for a, y in zip(exact, labels) if y for b, z in zip(exact, labels) if not z)
    peers.agree("fractions", "AUC", found["metrics"]["AUC"]["value"], float(wins / 6))
    brier = sum((a - int(y)) ** 2 for a, y in zip(exact, labels)) / 5
    peers.agree("fractions", "BS", found["metrics"]["BS"]["value"], float(brier))
    peers.agree("fractions", "sd", found["loss"]["cost"]["sd"]["value"], float(brier))


def main():
    with tempfile.TemporaryDirectory() as folder:
        peers = Peers(sys.argv[1], folder)
        for compare in [compare_metrics, compare_near_ties, compare_grouping, compare_small_fractions]:
            compare(peers)
    print(f"{peers.compared} values beside scikit-learn, hmeasure and DuckDB; the largest difference is {peers.largest:.1e}")
    for failure in peers.failed:
        print(failure)
    sys.exit(1 if peers.failed else 0)


if __name__ == "__main__":
    main()
