#!/usr/bin/env python3
"""Certified refinement losses by rocproof and by Arb, one after the other in one run, at the same guaranteed width.

    pip install python-flint && python3 benches/side_by_side_arb.py [WIDTH]

The peer's integrands are simplified by hand and its precision is tuned for each integral; ours are the densities as typed.
"""
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent
WIDTH = sys.argv[1] if len(sys.argv) > 1 else "1e-12"


def run(*command):
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)


subprocess.run(["cargo", "build", "--release", "--example", "time_refinement_loss"], cwd=ROOT, check=True)
ours = run("target/release/examples/time_refinement_loss", WIDTH)
arb = run(sys.executable, "benches/peer_arb.py", "--width", WIDTH)
print(f"{'model':40} {'rocproof':>10} {'Arb':>10} {'Arb/rocproof':>13}  widths")
for name, peer in arb.items():
    own = ours[name]
    assert own["lo"] <= peer["hi"] and peer["lo"] <= own["hi"], name
    t, p = own["seconds"], peer["seconds"]
    print(f"{name:40} {t * 1e6:8.1f}µs {p * 1e6:8.1f}µs {p / t:13.2f}  {own['hi'] - own['lo']:.0e} {peer['hi'] - peer['lo']:.0e}")
