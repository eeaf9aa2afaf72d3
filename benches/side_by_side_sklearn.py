#!/usr/bin/env python3
"""rocproof and scikit-learn on the same rows in a Parquet file, one after the other in one run: times and values.

    target/peers/bin/pip install -r tests/peers/requirements.txt pyarrow
    target/peers/bin/python benches/side_by_side_sklearn.py [ROWS]

rocproof gives all metrics and losses; scikit-learn the AUC, the Brier score and isotonic calibration.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import pyarrow
import pyarrow.parquet
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, roc_auc_score

ROOT = pathlib.Path(__file__).parent.parent


def timed(work):
    start = time.perf_counter()
    made = work()
    return time.perf_counter() - start, made


def peer(path):
    table = pyarrow.parquet.read_table(path)
    scores, labels = table["score"].to_numpy(), table["label"].to_numpy()
    calibrated = IsotonicRegression().fit(scores, labels).predict(scores)
    return {
        "AUC": roc_auc_score(labels, scores),
        "BS": brier_score_loss(labels, scores),
        "RL_conv": float(np.mean((calibrated - labels) ** 2)),
    }


rows = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10_000_000
subprocess.run(["cargo", "build", "--release"], cwd=ROOT, check=True)
generator = np.random.default_rng(1)
with tempfile.TemporaryDirectory() as folder:
    path = f"{folder}/rows.parquet"
    scores = generator.random(rows)
    labels = (generator.random(rows) < scores).astype(np.int8)
    pyarrow.parquet.write_table(pyarrow.table({"score": scores, "label": labels}), path)
    del scores, labels
    command = [ROOT / "target/release/rocproof", "score", path, "--json"]
    ours, run = timed(lambda: subprocess.run(command, check=True, capture_output=True, text=True))
    theirs, values = timed(lambda: peer(path))
metrics = json.loads(run.stdout)["metrics"]
print(f"{rows} rows: rocproof {ours:.2f} s, scikit-learn {theirs:.2f} s ({theirs / ours:.1f} times)")
for name, value in values.items():
    print(f"{name:8} differs by {abs(value - metrics[name]['value']):.1e}")
