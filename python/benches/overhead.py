"""The overhead of Python in a numeric evaluation.

    cargo bench --bench eval -- evaluation   what Rust takes for the same models
    python python/benches/overhead.py        what Python takes

Beside the whole call, the native function alone is timed; and what it takes to look at the metrics, and at all values.
"""

import statistics
import time

import rocproof

MODELS = [("beta(2, 5)", "beta(5, 2)", "1/2"), ("beta(2.5, 3.5)", "beta(4.5, 1.5)", "3/10"), ("2*(1-x)", "4*x^3", "1/2")]
ASKED = {"level": "numeric", "cost": "uniform", "threshold": "1/2", "rate": "1/2"}


def microseconds(call, times=2000):
    """The median time of a call."""
    taken = []
    for _ in range(times):
        start = time.perf_counter_ns()
        call()
        taken.append(time.perf_counter_ns() - start)
    return statistics.median(taken) / 1000


for f0, f1, pi0 in MODELS:
    model = rocproof.Model(f0, f1, pi0)
    native = microseconds(lambda: model._native.evaluate(ASKED, None, None))
    whole = microseconds(lambda: model.eval(level="numeric"))
    one = microseconds(lambda: model.eval(level="numeric").metrics["AUC"])
    everything = microseconds(lambda: (lambda e: (e.metrics, e.loss))(model.eval(level="numeric")))
    print(
        f"{f0:15} {f1:15} native {native:6.1f} µs, eval {whole:6.1f} µs, with the metrics {one:6.1f} µs,"
        f" with metrics and losses {everything:6.1f} µs"
    )
