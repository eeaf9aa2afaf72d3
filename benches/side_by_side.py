#!/usr/bin/env python3
"""rocproof and scipy on the same beta models, one after the other in one run: times, ratios, largest difference.

    pip install scipy && python3 benches/side_by_side.py
"""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
MODELS = [("2", "5", "5", "2", "0.5"), ("2.5", "3.5", "4.5", "1.5", "0.3"), ("0.5", "2", "3", "0.7", "0.2")]


def run(*command):
    return json.loads(subprocess.run(command, cwd=HERE.parent, check=True, capture_output=True, text=True).stdout)


subprocess.run(["cargo", "build", "--release", "--example", "time_eval"], cwd=HERE.parent, check=True)
print(f"{'model':42} {'rocproof':>10} {'scipy':>10} {'ratio':>8} {'tuned':>10} {'ratio':>8}  largest difference")
for model in MODELS:
    ours = run("target/release/examples/time_eval", *model)
    plain = run(sys.executable, "benches/peer_scipy.py", *model)
    tuned = run(sys.executable, "benches/peer_scipy_tuned.py", *model, "--repeat", "20")
    name = "beta({}, {}) beta({}, {}) pi0 {}".format(*model)
    off = max(abs(ours["values"][key] - plain["values"][key]) for key in plain["values"])
    off_tuned = max(abs(ours["values"][key] - tuned["values"][key]) for key in tuned["values"])
    t, p, q = ours["seconds"], plain["seconds"], tuned["seconds"]
    print(f"{name:42} {t * 1e6:8.0f}µs {p * 1e3:8.0f}ms {p / t:8.0f} {q * 1e3:8.1f}ms {q / t:8.0f}  {off:.0e} {off_tuned:.0e}")
