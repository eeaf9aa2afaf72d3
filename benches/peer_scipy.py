#!/usr/bin/env python3
"""All metrics and expected losses of a model with two beta score densities, as one writes them with scipy.

Every output by its definition: `scipy.stats` distributions, `scipy.integrate.quad` with tolerances of 1e-12, roots by
`brentq`, the optimal threshold of each cost proportion by a grid and `minimize_scalar`.

    peer_scipy.py a0 b0 a1 b1 pi0      prints {"values": {...}, "seconds": best of three, imports excluded}

`peer_scipy_tuned.py` computes the same much faster, with what is special to beta densities worked out by hand.
"""
import json
import sys
import time
import warnings

import numpy as np
from scipy import stats
from scipy.integrate import IntegrationWarning, quad
from scipy.optimize import brentq, minimize_scalar

warnings.simplefilter("ignore", IntegrationWarning)


def integral(f, lo=0.0, hi=1.0):
    return quad(f, lo, hi, epsabs=1e-12, epsrel=1e-12, limit=200)[0]


def losses(d0, d1, pi0):
    """The expected losses of the seven threshold choice methods for uniform cost proportions."""
    pi1 = 1 - pi0
    rate = lambda t: pi0 * d0.cdf(t) + pi1 * d1.cdf(t)
    density = lambda t: pi0 * d0.pdf(t) + pi1 * d1.pdf(t)
    loss = lambda t, c: 2 * (c * pi0 * d0.sf(t) + (1 - c) * pi1 * d1.cdf(t))
    median = brentq(lambda t: rate(t) - 0.5, 0, 1, xtol=1e-15)
    grid = np.linspace(0, 1, 201)
    sf0, cdf1 = d0.sf(grid), d1.cdf(grid)

    def least(c):
        values = 2 * (c * pi0 * sf0 + (1 - c) * pi1 * cdf1)
        i = int(values.argmin())
        bounds = grid[max(i - 1, 0)], grid[min(i + 1, 200)]
        inside = minimize_scalar(lambda t: loss(t, c), bounds=bounds, method="bounded", options={"xatol": 1e-9})
        return min(inside.fun, values[i])

    return least, {
        "sf": integral(lambda c: loss(0.5, c)),
        "rf": integral(lambda c: loss(median, c)),
        "su": integral(lambda t: loss(t, 0.5)),
        "sd": integral(lambda c: loss(c, c)),
        "ru": integral(lambda t: loss(t, 0.5) * density(t)),
        "rd": integral(lambda t: loss(t, rate(t)) * density(t)),
        "o": integral(least),
    }


def compute(a0, b0, a1, b1, pi0):
    d0, d1, pi1 = stats.beta(a0, b0), stats.beta(a1, b1), 1 - pi0
    v = {"AUC": integral(lambda s: d0.cdf(s) * d1.pdf(s))}
    v["Gini"] = 2 * v["AUC"] - 1
    v["KS"] = -minimize_scalar(lambda t: -abs(d0.cdf(t) - d1.cdf(t)), bounds=(0, 1), method="bounded").fun
    v["s0"], v["s1"] = integral(lambda s: s * d0.pdf(s)), integral(lambda s: s * d1.pdf(s))
    v["MAE"], v["MMAE"] = pi0 * v["s0"] + pi1 * (1 - v["s1"]), (v["s0"] + 1 - v["s1"]) / 2
    bs0, bs1 = integral(lambda s: s**2 * d0.pdf(s)), integral(lambda s: (1 - s) ** 2 * d1.pdf(s))
    v["BS"], v["MBS"] = pi0 * bs0 + pi1 * bs1, (bs0 + bs1) / 2

    def refinement(s):
        p0, p1 = pi0 * d0.pdf(s), pi1 * d1.pdf(s)
        return p0 * p1 / (p0 + p1) if p0 + p1 > 0 else 0.0

    def calibration(s):
        p0, p1 = pi0 * d0.pdf(s), pi1 * d1.pdf(s)
        return (s - p1 / (p0 + p1)) ** 2 * (p0 + p1) if p0 + p1 > 0 else 0.0

    v["RL"], v["CL"] = integral(refinement), integral(calibration)
    least, cost = losses(d0, d1, pi0)
    _, skew = losses(d0, d1, 0.5)
    # The hull: for a convex model the curve itself.
    v["AUCH"], v["RL_conv"] = v["AUC"], v["RL"]
    for name, (a, b) in {"H": (2, 2), "H_priors": (1 + pi1, 1 + pi0), "H_R": (2, 1 + pi0 / pi1)}.items():
        w = stats.beta(a, b)
        chance = integral(lambda c: 2 * c * pi0 * w.pdf(c), 0, pi1) + integral(lambda c: 2 * (1 - c) * pi1 * w.pdf(c), pi1, 1)
        v[name] = 1 - integral(lambda c: least(c) * w.pdf(c)) / chance
    v.update({f"cost_{k}": x for k, x in cost.items()} | {f"skew_{k}": x for k, x in skew.items()})
    return {k: float(x) for k, x in v.items()}


if __name__ == "__main__":
    parameters = [float(a) for a in sys.argv[1:6]]
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        values = compute(*parameters)
        best = min(best, time.perf_counter() - start)
    print(json.dumps({"values": values, "seconds": best}, indent=1))
