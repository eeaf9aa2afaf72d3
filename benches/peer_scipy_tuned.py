#!/usr/bin/env python3
"""Performance measures and expected losses of a two-beta classifier model, with scipy, tuned by hand for beta densities.

Model: scores in [0, 1] have density beta(a0, b0) in class 0 and beta(a1, b1) in
class 1; pi0 is the proportion of class 0.  Every output is computed numerically
from its definition, with scipy.integrate.quad (tolerances 1e-12 requested),
scipy.optimize for roots and minima, and scipy.special for the beta functions.

    peer_scipy_tuned.py a0 b0 a1 b1 pi0 [--repeat N] [--roots]

prints {"values": {...}, "seconds": best time of N runs, imports excluded}.  Keys
cost_* are losses over cost proportions, skew_* the same with pi0 = pi1 = 1/2, for
the threshold choices sf, rf (score-fixed, rate-fixed, at 1/2), su, sd (score-uniform,
-driven), ru, rd (rate-uniform, -driven) and o (optimal).  Integrals that quad did
not certify to the requested tolerance are counted on stderr.

Numerics: a threshold t is located by x = logit(t), and functions take t and u = 1-t,
so that neither end of [0, 1] loses digits.  Rate integrals use the exact substitution
r = R(t).  Optimal losses minimise over t at each c: by the root of c(t) = c in a
convex model, otherwise by a grid and minimize_scalar.  With --roots the root is used
in all models, on the branch where f1/f0 rises (all inner minima are there), which is
faster.  Successive integrals share quadrature nodes, so minima and beta functions are
remembered within a run (never across runs).
"""
import argparse
import json
import sys
import time
from functools import lru_cache
from math import exp, inf, log

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq, minimize_scalar
from scipy.special import betainc, betaincinv, betaln

XMAX, TINY = 700.0, 1e-300              # largest |logit t|, smallest mass
TAIL = np.geomspace(1e-15, 0.5, 16)     # tail masses whose quantiles start a search


def tu(x):
    """t = expit(x) and u = 1 - t, both to full relative accuracy."""
    e = exp(-abs(x))
    small, large = e / (1 + e), 1 / (1 + e)
    return (large, small) if x >= 0 else (small, large)


class BetaPair:
    """The two score distributions, their likelihood ratio and the hull of the ROC curve."""

    def __init__(self, a0, b0, a1, b1, roots=False):
        self.p = ((a0, b0, betaln(a0, b0)), (a1, b1, betaln(a1, b1)))
        self.da, self.db, self.k = a1 - a0, b1 - b0, self.p[0][2] - self.p[1][2]
        self.f, self.F, self.S = (lru_cache(None)(g) for g in (self.f, self.F, self.S))
        self.one_piece = min(b0, b1) >= 1       # no singularity at t = 1
        self.uncertified = []
        # f1/f0 is monotone, or has one turning point, at t = da/(da+db)
        turn = log(self.da / self.db) if self.da * self.db > 0 else None
        self.branches = [(-XMAX, XMAX)] if turn is None else [(-XMAX, turn), (turn, XMAX)]
        # hull: chord from t=0 to xa, the ROC curve from xa to xb, chord from xb to t=1
        self.xa, self.xb, self.rising = -inf, inf, self.branches[0]
        self.convex = self.da >= 0 >= self.db and self.da > self.db
        self.by_root = self.convex or roots
        if not self.convex:
            if turn is None:                    # f1/f0 decreasing: a single chord
                self.xa, self.rising = inf, None
            elif self.da > 0:
                self.xb = self.tangent(self.S)
            else:
                self.rising = self.branches[1]
                self.xa = self.tangent(self.F)

    def f(self, k, t, u):
        a, b, lb = self.p[k]
        return exp((a - 1) * log(t) + (b - 1) * log(u) - lb)

    def F(self, k, t, u):
        a, b, _ = self.p[k]
        return betainc(a, b, t) if t <= u else 1 - betainc(b, a, u)

    def S(self, k, t, u):
        a, b, _ = self.p[k]
        return 1 - betainc(a, b, t) if t <= u else betainc(b, a, u)

    def llr(self, x):
        """log f1/f0 at logit x."""
        t, u = tu(x)
        return self.da * log(t) + self.db * log(u) + self.k

    def tangent(self, G):
        """Where a line from (0, 0) (G = F) or from (1, 1) (G = S) touches the ROC curve."""
        ratio = lambda x: (G(0, *tu(x)) + TINY) / (G(1, *tu(x)) + TINY)
        return brentq(lambda x: self.llr(x) + log(ratio(x)), *self.rising)

    def grid(self):
        """Logits of quantiles of both classes, kept to the branch where f1/f0 rises."""
        logit = lambda small: np.log(np.maximum(small, TINY)) - np.log1p(-small)
        x = [sign * logit(betaincinv(*q, TAIL)) for a, b, _ in self.p
             for sign, q in ((1, (a, b)), (-1, (b, a)))]
        return np.unique(np.clip(np.concatenate(x).round(4), *self.rising))     # no near-twins

    def quad(self, g, lo, hi):
        if not lo < hi:
            return 0.0
        out = quad(g, lo, hi, epsabs=1e-12, epsrel=1e-12, limit=200, full_output=1)
        if len(out) > 3:                        # quad attached a warning
            self.uncertified.append(out[1])
        return out[0]

    def over_t(self, g, xa=-inf, xb=inf):
        """Integral of g(t, 1-t) dt; if the end t = 1 is singular, above 1/2 in u = 1-t."""
        (ta, ua), (tb, ub) = tu(xa), tu(xb)
        if self.one_piece:
            return self.quad(lambda t: g(t, 1 - t), ta, tb)
        return (self.quad(lambda t: g(t, 1 - t), ta, min(tb, 0.5))
                + self.quad(lambda u: g(1 - u, u), ub, min(ua, 0.5)))


class Losses:
    """Expected losses over cost proportions c, for one class proportion."""

    def __init__(self, pair, pi0):
        self.m, self.pi0, self.pi1 = m, pi0, pi1 = pair, pi0, 1 - pi0
        self.shift, self.Qmin = log(pi1 / pi0), lru_cache(None)(self.Qmin)
        # kinks of min_t Q(t;c): posteriors at the ends of the hull's curved part
        flat = tu(self.shift + m.k)[0]
        self.ca = self.cb = pi1
        if m.rising:
            self.ca = self.c(m.xa) if m.xa > -inf else 0.0 if m.da > 0 else flat
            self.cb = self.c(m.xb) if m.xb < inf else 1.0 if m.db < 0 else flat
        self.cuts = sorted({0.0, self.ca, pi1, self.cb, 1.0})
        if m.rising and not m.by_root:
            self.x = m.grid()
            self.S0 = np.array([m.S(0, *tu(x)) for x in self.x])
            self.F1 = np.array([m.F(1, *tu(x)) for x in self.x])

    def c(self, x):
        """Posterior probability of class 1 at logit x."""
        return tu(self.shift + self.m.llr(x))[0]

    def mix(self, t, u):
        return self.pi0 * self.m.f(0, t, u) + self.pi1 * self.m.f(1, t, u)

    def R(self, t, u):
        return self.pi0 * self.m.F(0, t, u) + self.pi1 * self.m.F(1, t, u)

    def Q(self, t, u, c):
        return 2 * (c * self.pi0 * self.m.S(0, t, u) + (1 - c) * self.pi1 * self.m.F(1, t, u))

    def Qmin(self, c):
        """min over t of Q(t;c)."""
        m, ends = self.m, 2 * min(c * self.pi0, (1 - c) * self.pi1)     # t = 0 and t = 1
        if not self.ca < c < self.cb:
            return ends
        if m.by_root:                           # root of c(t) = c where c(t) rises
            target = log(c / (1 - c)) - self.shift
            g = lambda x: m.llr(x) - target
            if not g(m.rising[0]) < 0 < g(m.rising[1]):     # beyond the representable thresholds
                return ends
            return min(ends, self.Q(*tu(brentq(g, *m.rising, xtol=1e-9)), c))
        i = int((c * self.pi0 * self.S0 + (1 - c) * self.pi1 * self.F1).argmin())
        bounds = self.x[max(i - 1, 0)], self.x[min(i + 1, len(self.x) - 1)]
        return min(ends, minimize_scalar(lambda x: self.Q(*tu(x), c), bounds=bounds,
                                         method="bounded", options={"xatol": 1e-9}).fun)

    def over_c(self, g, cuts):
        return sum(self.m.quad(g, lo, hi) for lo, hi in zip(cuts, cuts[1:]))

    def H(self, a, b):
        """1 - L_o(w) / (loss of the better trivial rule at each c), w = Beta(a, b)."""
        lb, pi0, pi1 = betaln(a, b), self.pi0, self.pi1
        w = lambda c: exp((a - 1) * log(c) + (b - 1) * log(1 - c) - lb)
        trivial = self.over_c(lambda c: 2 * min(c * pi0, (1 - c) * pi1) * w(c), [0.0, pi1, 1.0])
        return 1 - self.over_c(lambda c: self.Qmin(c) * w(c), self.cuts) / trivial

    def all(self):
        m, Q = self.m, self.Q
        median = tu(brentq(lambda x: self.R(*tu(x)) - 0.5, -XMAX, XMAX, xtol=1e-14))
        return {"sf": m.quad(lambda c: Q(0.5, 0.5, c), 0, 1),
                "rf": m.quad(lambda c: Q(*median, c), 0, 1),
                "su": m.over_t(lambda t, u: Q(t, u, 0.5)),
                "sd": m.over_t(lambda t, u: Q(t, u, t)),
                "ru": m.over_t(lambda t, u: Q(t, u, 0.5) * self.mix(t, u)),
                "rd": m.over_t(lambda t, u: Q(t, u, self.R(t, u)) * self.mix(t, u)),
                "o": self.over_c(self.Qmin, self.cuts)}


def compute(a0, b0, a1, b1, pi0, roots=False):
    m, pi1 = BetaPair(a0, b0, a1, b1, roots), 1 - pi0
    L, skew = Losses(m, pi0), Losses(m, 0.5)
    f, F, S, A, B = m.f, m.F, m.S, tu(m.xa), tu(m.xb)
    F0a, F1a, S0b, S1b = F(0, *A), F(1, *A), S(0, *B), S(1, *B)     # masses under the chords
    v = {}
    area = lambda t, u: F(0, t, u) * f(1, t, u)
    v["AUC"] = m.over_t(area)
    v["AUCH"] = v["AUC"] if m.convex else (
        F0a * F1a / 2 + m.over_t(area, m.xa, m.xb) + (1 - S0b / 2) * S1b)
    v["Gini"] = 2 * v["AUC"] - 1
    roots = [tu(brentq(m.llr, *ends, xtol=1e-12)) for ends in m.branches    # f0 = f1
             if m.llr(ends[0]) * m.llr(ends[1]) < 0]
    v["KS"] = max((abs(F(0, *p) - F(1, *p)) for p in roots), default=0.0)
    v["s0"] = s0 = m.over_t(lambda t, u: t * f(0, t, u))
    v["s1"] = s1 = m.over_t(lambda t, u: t * f(1, t, u))
    v["MAE"], v["MMAE"] = pi0 * s0 + pi1 * (1 - s1), (s0 + 1 - s1) / 2
    e0 = m.over_t(lambda t, u: t * t * f(0, t, u))
    e1 = m.over_t(lambda t, u: u * u * f(1, t, u))
    v["BS"], v["MBS"] = pi0 * e0 + pi1 * e1, (e0 + e1) / 2
    merge = lambda p0, p1: p0 * (p1 / (p0 + p1)) if p0 + p1 > 0 else 0.0
    refine = lambda t, u: merge(pi0 * f(0, t, u), pi1 * f(1, t, u))
    c = lambda t, u: tu(L.shift + m.da * log(t) + m.db * log(u) + m.k)[0]
    v["RL"] = m.over_t(refine)
    v["CL"] = m.over_t(lambda t, u: (t - c(t, u)) ** 2 * L.mix(t, u))
    v["RL_conv"] = v["RL"] if m.convex else (
        merge(pi0 * F0a, pi1 * F1a) + m.over_t(refine, m.xa, m.xb) + merge(pi0 * S0b, pi1 * S1b))
    v["H"], v["H_priors"] = L.H(2, 2), L.H(1 + pi1, 1 + pi0)
    v["H_R"] = L.H(2, 1 + pi0 / pi1)
    for name, losses in (("cost_", L), ("skew_", skew)):
        v.update((name + k, x) for k, x in losses.all().items())
    return {k: float(x) for k, x in v.items()}, m.uncertified


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("a0", "b0", "a1", "b1", "pi0"):
        ap.add_argument(name, type=float)
    ap.add_argument("--repeat", type=int, default=1)
    ap.add_argument("--roots", action="store_true", help="no search in non-convex models")
    args = ap.parse_args()
    best = inf
    for _ in range(max(1, args.repeat)):
        start = time.perf_counter()
        values, uncertified = compute(args.a0, args.b0, args.a1, args.b1, args.pi0, args.roots)
        best = min(best, time.perf_counter() - start)
    if uncertified:
        print(f"{len(uncertified)} integral(s) not certified to 1e-12; "
              f"largest error estimate {max(uncertified):.1e}", file=sys.stderr)
    print(json.dumps({"values": values, "seconds": best}, indent=1))


if __name__ == "__main__":
    main()
