"""Check the reference tables by methods other than the one that made them.

    python verify.py closed  DIR            every row: AUC / moments in closed form, order relations
    python verify.py strict  DIR N          N rows a table again with finer quadrature and more bits
    python verify.py ball    DIR N          N rows a table: RL, RL_conv, H by certified ball integration
    python verify.py invert  DIR N          N rows a table: ru and rd with R inverted at every node
    python verify.py direct  DIR N [SEED]   N rows a table: every value from its definition with mpmath
"""
import math
import os
import random
import sys
import time
import numpy as np
import mpmath as mp
from scipy import special as sp
from flint import arb, acb, fmpq, fmpq_poly, ctx
import refcore as rc

TABLES = "betas normals piecewise mixtures weights extreme".split()


def load(d, t):
    p = os.path.join(d, t + ".tsv")
    if not os.path.exists(p):
        return []
    with open(p) as fh:
        head = fh.readline().rstrip("\n").split("\t")
        return [dict(zip(head, l.rstrip("\n").split("\t"))) for l in fh]


def Q(q):
    return mp.mpf(int(q.p)) / int(q.q)


# ------------------------------------------------------------ direct definitions
class Dens:
    """one class: plain mpmath densities and distribution functions"""

    def __init__(self, text):
        self.items, self.atoms = [], []
        for kind, prm, w in rc.Parser(text).density():
            if kind == "atom":
                self.atoms.append((Q(prm[0]), Q(w)))
            else:
                self.items.append((kind, prm, Q(w)))
        self.kinds = {k for k, _, _ in self.items}

    def ends(self):
        s = set()
        for k, p, w in self.items:
            if k == "poly":
                s |= {Q(p[0]), Q(p[1])}
            elif k == "beta":
                s |= {mp.mpf(0), mp.mpf(1)}
            elif k == "normal" and p[2] is not None:
                s |= {Q(p[2]), Q(p[3])}
        return s | {a for a, _ in self.atoms}

    def pdf(self, x, y):
        """density at x, with y = 1-x supplied"""
        t = mp.mpf(0)
        for k, p, w in self.items:
            if k == "poly":
                if Q(p[0]) < x < Q(p[1]):
                    t += w * mp.polyval([Q(c) for c in p[2].coeffs()][::-1], x)
            elif k == "beta":
                if x > 0 and y > 0:
                    t += w * x ** (Q(p[0]) - 1) * y ** (Q(p[1]) - 1) / mp.beta(Q(p[0]), Q(p[1]))
            elif k == "normal":
                m, s = Q(p[0]), Q(p[1])
                if p[2] is None:
                    t += w * mp.npdf(x, m, s)
                elif Q(p[2]) < x < Q(p[3]):
                    t += w * mp.npdf(x, m, s) / self.nz(m, s, Q(p[2]), Q(p[3]))
            else:
                m, s = Q(p[0]), Q(p[1])
                t += w / (s * (2 * mp.cosh((x - m) / s / 2)) ** 2)
        return t

    @staticmethod
    def nz(m, s, a, b):
        a, b = (a - m) / s / mp.sqrt(2), (b - m) / s / mp.sqrt(2)
        if a > 0:
            return (mp.erfc(a) - mp.erfc(b)) / 2
        if b < 0:
            return (mp.erfc(-b) - mp.erfc(-a)) / 2
        return (mp.erf(b) - mp.erf(a)) / 2

    def cdf(self, x, y, left=False):
        t = mp.mpf(0)
        for k, p, w in self.items:
            if k == "poly":
                l, r = Q(p[0]), Q(p[1])
                if x > l:
                    co = [Q(c) for c in p[2].integral().coeffs()][::-1] or [mp.mpf(0)]
                    t += w * (mp.polyval(co, min(x, r)) - mp.polyval(co, l))
            elif k == "beta":
                if y <= 0:
                    t += w
                elif x > 0:
                    a, b = Q(p[0]), Q(p[1])
                    if x > a / (a + b):
                        t += w * (1 - mp.betainc(b, a, 0, y, regularized=True))
                    else:
                        t += w * mp.betainc(a, b, 0, x, regularized=True)
            elif k == "normal":
                m, s = Q(p[0]), Q(p[1])
                if p[2] is None:
                    t += w * mp.ncdf(x, m, s)
                elif x > Q(p[2]):
                    t += w * (1 if x >= Q(p[3]) else self.nz(m, s, Q(p[2]), x) / self.nz(m, s, Q(p[2]), Q(p[3])))
            else:
                t += w / (1 + mp.exp(-(x - Q(p[0])) / Q(p[1])))
        for a, m in self.atoms:
            if a < x or (a == x and not left):
                t += m
        return t

    # double precision twins on arrays, used only to find where to look
    def npcdf(self, x, left=False):
        t = np.zeros_like(x)
        for k, p, w in self.items:
            w = float(w)
            if k == "poly":
                l, r = Q(p[0]), Q(p[1])
                loc = p[2](fmpq_poly([p[0], p[1] - p[0]])).integral() * (p[1] - p[0])
                co = [float(Q(c)) for c in loc.coeffs()][::-1] or [0.0]
                t += w * np.polyval(co, np.clip((x - float(l)) / float(r - l), 0, 1))
            elif k == "beta":
                t += w * sp.betainc(float(Q(p[0])), float(Q(p[1])), np.clip(x, 0, 1))
            elif k == "normal":
                m, s = float(Q(p[0])), float(Q(p[1]))
                if p[2] is None:
                    t += w * sp.ndtr((x - m) / s)
                else:
                    a, b = float(Q(p[2])), float(Q(p[3]))
                    z = np.clip(x, a, b)
                    if a > m:
                        t += w * (sp.ndtr(-(a - m) / s) - sp.ndtr(-(z - m) / s)) / (sp.ndtr(-(a - m) / s) - sp.ndtr(-(b - m) / s))
                    else:
                        t += w * (sp.ndtr((z - m) / s) - sp.ndtr((a - m) / s)) / (sp.ndtr((b - m) / s) - sp.ndtr((a - m) / s))
            else:
                t += w * sp.expit((x - float(Q(p[0]))) / float(Q(p[1])))
        for a, m in self.atoms:
            t += float(m) * ((x > float(a)) if left else (x >= float(a)))
        return t


class Direct:
    def __init__(self, r):
        self.d = [Dens(r["f0"]), Dens(r["f1"])]
        pi0 = rc.parse_const(r["pi0"])
        self.pi = (Q(pi0), Q(1 - pi0))
        self.cost = rc.parse_cost(r["cost"])
        self.unit = r["MAE"] != "NA"
        kinds = self.d[0].kinds | self.d[1].kinds
        self.logit = "beta" in kinds
        pts = sorted(self.d[0].ends() | self.d[1].ends())
        self.unb = any(k in ("logistic",) or (k == "normal" and p[2] is None) for d in self.d for k, p, w in d.items)
        if self.unb:
            c = [(Q(p[0]), Q(p[1]), k) for d in self.d for k, p, w in d.items if k in ("normal", "logistic")]
            lo = min(m - s * (12 if k == "normal" else 60) for m, s, k in c)
            hi = max(m + s * (12 if k == "normal" else 60) for m, s, k in c)
            pts = sorted(set(pts) | {lo, hi})
        self.pts = pts
        # working grid for locating features, with a variable that opens the ends of (0,1)
        self.grid = self.make_grid()

    def make_grid(self):
        xs = []
        e = np.concatenate([np.linspace(0, 1, 1501), 10.0 ** np.linspace(-15, -3, 60), 1 - 10.0 ** np.linspace(-15, -3, 60)])
        for a, b in zip(self.pts, self.pts[1:]):
            xs.append(float(a) + float(b - a) * e)
        for d in self.d:
            for k, p, w in d.items:
                q = np.clip(e, 1e-15, 1 - 1e-15)
                if k == "beta":
                    xs.append(sp.betaincinv(float(Q(p[0])), float(Q(p[1])), q))
                elif k == "normal":
                    x = float(Q(p[0])) + float(Q(p[1])) * sp.ndtri(q)
                    if p[2] is not None:
                        x = x[(x > float(Q(p[2]))) & (x < float(Q(p[3])))]
                    xs.append(x)
                elif k == "logistic":
                    xs.append(float(Q(p[0])) + float(Q(p[1])) * sp.logit(q))
        xs.append(np.array([float(p) for p in self.pts]))
        x = np.unique(np.concatenate(xs))
        return x[(x >= float(self.pts[0])) & (x <= float(self.pts[-1]))]

    # integrate g(x, y) dx over every smooth interval
    def over(self, g):
        tot = None
        for a, b in zip(self.pts, self.pts[1:]):
            mid = (a + b) / 2
            if self.logit and a >= 0 and b <= 1:
                f = lambda u: self._u(g, u)
                U = 220
                lo = mp.log(a / (1 - a)) if a > 0 else mp.mpf(-U)
                hi = mp.log(b / (1 - b)) if b < 1 else mp.mpf(U)
                cuts = [lo] + [mp.mpf(c) for c in (-80, -40, -20, -10, -6, -4, -2, -1, 0, 1, 2, 4, 6, 10, 20, 40, 80) if lo < c < hi] + [hi]
                # narrow densities: more cuts around their centres
                for d in self.d:
                    for k, p, w in d.items:
                        if k == "beta":
                            al, be = Q(p[0]), Q(p[1])
                            c, s = mp.log(al / be), mp.sqrt(1 / al + 1 / be)
                            cuts += [c + j * s for j in (-8, -4, -2, 0, 2, 4, 8) if lo < c + j * s < hi]
                cuts = sorted(set(cuts))
            else:
                f = lambda x: g(x, 1 - x)
                cuts = [a + (b - a) * j / 4 for j in range(5)]
                for d in self.d:
                    for k, p, w in d.items:
                        if k in ("normal", "logistic"):
                            c, s = Q(p[0]), Q(p[1])
                            cuts += [c + j * s for j in (-8, -4, -2, 0, 2, 4, 8) if a < c + j * s < b]
                cuts = sorted(set(cuts))
            for l, h in zip(cuts, cuts[1:]):
                v = glquad(f, l, h)
                tot = v if tot is None else [p + q for p, q in zip(tot, v)]
        return tot

    @staticmethod
    def _u(g, u):
        e = mp.exp(-abs(u))
        x, y = (1 / (1 + e), e / (1 + e)) if u > 0 else (e / (1 + e), 1 / (1 + e))
        return [t * x * y for t in g(x, y)]

    def wdens(self, ab):
        a, b = ab
        B = mp.beta(a, b)
        return lambda c, d: c ** (a - 1) * d ** (b - 1) / B

    def weights(self):
        p0, p1 = self.pi
        w = {"uni": (mp.mpf(1), mp.mpf(1)), "H": (mp.mpf(2), mp.mpf(2)), "H_priors": (1 + p1, 1 + p0), "H_R": (mp.mpf(2), 1 + p0 / p1)}
        if self.cost is not None:
            w["cost"] = (Q(self.cost[0]), Q(self.cost[1]))
        return w

    def lossw(self):
        return (mp.mpf(1), mp.mpf(1)) if self.cost is None else (Q(self.cost[0]), Q(self.cost[1]))

    def values(self):
        out = {}
        d0, d1 = self.d
        p0, p1 = self.pi
        ab = self.lossw()
        w = self.wdens(ab)
        h = mp.mpf(1) / 2

        def g(x, y):
            f0, f1 = d0.pdf(x, y), d1.pdf(x, y)
            F0, F1 = d0.cdf(x, y), d1.cdf(x, y)
            v = [F0 * f1]
            for a, b in ((p0, p1), (h, h)):
                s = a * f0 + b * f1
                v.append(a * f0 * b * f1 / s if s > 0 else mp.mpf(0))
                R = a * F0 + b * F1
                q0, q1 = a * (1 - F0), b * F1
                # ru and rd by the change of variable U = R(t)
                v.append(s * (q0 * 2))
                v.append(s * (q1 * 2))
                v.append(s * 2 * (R * q0 + (1 - R) * q1) * (w(R, 1 - R) if 0 < R < 1 else 0))
            v += [x * f0, x * f1, x * x * f0, y * y * f1]
            return v
        n = 13
        I = self.over(g) if len(self.pts) > 1 else None
        I = I or [mp.mpf(0)] * n
        # point masses
        at = sorted({a for a, _ in d0.atoms} | {a for a, _ in d1.atoms})
        for a in at:
            L0, L1 = d0.cdf(a, 1 - a, True), d1.cdf(a, 1 - a, True)
            m0, m1 = d0.cdf(a, 1 - a) - L0, d1.cdf(a, 1 - a) - L1
            I[0] += m1 * (L0 + m0 / 2)
            for k, (p, q) in ((1, (p0, p1)), (5, (h, h))):
                I[k] += p * m0 * q * m1 / (p * m0 + q * m1)
                RL, dR = p * L0 + q * L1, p * m0 + q * m1
                # linear motion across the atom
                I[k + 1] += dR * 2 * p * (1 - L0 - m0 / 2)
                I[k + 2] += dR * 2 * q * (L1 + m1 / 2)

                def z(c):
                    t = (c - RL) / dR
                    if not 0 < c < 1:
                        return [mp.mpf(0)]
                    return [2 * (c * p * (1 - L0 - t * m0) + (1 - c) * q * (L1 + t * m1)) * w(c, 1 - c)]
                I[k + 3] += deq(z, RL, RL + dR)[0]
            I[9] += a * m0
            I[10] += a * m1
            I[11] += a * a * m0
            I[12] += (1 - a) ** 2 * m1
        m = ab[0] / (ab[0] + ab[1])
        out["AUC"], out["Gini"] = I[0], 2 * I[0] - 1
        out["RL"] = I[1]
        out["ru"], out["rd"] = m * I[2] + (1 - m) * I[3], I[4]
        out["zru"], out["zrd"] = m * I[6] + (1 - m) * I[7], I[8]
        out["s0"], out["s1"] = I[9], I[10]
        if self.unit:
            out["MAE"] = p0 * I[9] + p1 * (1 - I[10])
            out["MMAE"] = (I[9] + 1 - I[10]) / 2
            out["BS"] = p0 * I[11] + p1 * I[12]
            out["MBS"] = (I[11] + I[12]) / 2
            out["CL"] = out["BS"] - out["RL"]
        # fixed thresholds
        F0, F1 = d0.cdf(h, h), d1.cdf(h, h)
        for pre, a, b in (("", p0, p1), ("z", h, h)):
            out[pre + "sf"] = 2 * (m * a * (1 - F0) + (1 - m) * b * F1)
            G0, G1 = self.median(a, b)
            out[pre + "rf"] = 2 * (m * a * (1 - G0) + (1 - m) * b * G1)
        # su and sd from their integrals over the threshold / the cost
        lo, hi = (mp.mpf(0), mp.mpf(1)) if self.unit else (self.pts[0], self.pts[-1])
        if not self.unb and hi > lo:
            def gs(x, y):
                F0, F1 = d0.cdf(x, y), d1.cdf(x, y)
                v = [1 - F0, F1]
                if self.unit:
                    ww = w(x, y)
                    v += [2 * x * (1 - F0) * ww, 2 * y * F1 * ww]
                return v
            keep = self.pts, self.logit
            self.pts = sorted(set(self.pts) | {lo, hi})
            self.logit = self.logit or self.unit
            S = self.over(gs)
            self.pts, self.logit = keep
            for pre, a, b in (("", p0, p1), ("z", h, h)):
                out[pre + "su"] = 2 * (m * a * S[0] + (1 - m) * b * S[1]) / (hi - lo)
                if self.unit:
                    out[pre + "sd"] = a * S[2] + b * S[3]
        # optimal thresholds
        for pre, pr in (("", (p0, p1)), ("z", (h, h))):
            names, vals = self.optimal(pr)
            r = dict(zip(names, vals))
            if pre == "":
                out["RL_conv"] = r["uni"]
                for k in ("H", "H_priors", "H_R"):
                    out[k] = 1 - r[k] / self.rand(self.weights()[k])
            out[pre + "o"] = r["uni"] if self.cost is None else r["cost"]
        out["KS"] = self.ks()
        return out

    def rand(self, ab):
        w = self.wdens(ab)
        p0, p1 = self.pi
        return deq(lambda c: [2 * c * p0 * w(c, 1 - c)], mp.mpf(0), p1)[0] + \
            deq(lambda d: [2 * d * p1 * w(1 - d, d)], mp.mpf(0), p0)[0]

    def median(self, a, b):
        d0, d1 = self.d
        h = mp.mpf(1) / 2
        x = self.grid
        R = float(a) * d0.npcdf(x) + float(b) * d1.npcdf(x)
        for p in sorted({q for q, _ in d0.atoms} | {q for q, _ in d1.atoms}):
            L0, L1 = d0.cdf(p, 1 - p, True), d1.cdf(p, 1 - p, True)
            H0, H1 = d0.cdf(p, 1 - p), d1.cdf(p, 1 - p)
            A, B = a * L0 + b * L1, a * H0 + b * H1
            if A <= h <= B:
                t = (h - A) / (B - A)
                return L0 + t * (H0 - L0), L1 + t * (H1 - L1)
        i = int(np.searchsorted(R, 0.5))
        lo, hi = mp.mpf(float(x[max(i - 1, 0)])), mp.mpf(float(x[min(i, len(x) - 1)]))
        lo -= abs(lo) * mp.mpf(10) ** -14
        hi += abs(hi) * mp.mpf(10) ** -14
        for _ in range(int(mp.mp.prec) + 20):
            t = (lo + hi) / 2
            if a * d0.cdf(t, 1 - t) + b * d1.cdf(t, 1 - t) > h:
                hi = t
            else:
                lo = t
        return d0.cdf(lo, 1 - lo), d1.cdf(lo, 1 - lo)

    # global minimiser of the loss for one cost, straight from the definition
    def setup(self):
        x = self.grid
        self.X = np.concatenate([[-np.inf], np.repeat(x, 2), [np.inf]])
        self.G = []
        for d in self.d:
            F, L = d.npcdf(x), d.npcdf(x, True)
            self.G.append(np.concatenate([[0.0], np.column_stack([L, F]).ravel(), [1.0]]))

    def qmin(self, c, e, pr):
        """(min_t Q / 2, grid index) for cost c, e = 1-c"""
        p0, p1 = pr
        v = float(c * p0) * (1 - self.G[0]) + float(e * p1) * self.G[1]
        i = int(np.argmin(v))
        return self.refine(i, c, e, pr), i

    def refine(self, i, c, e, pr):
        p0, p1 = pr
        v = self.X
        best = self.qat(i, c, e, pr)
        if 0 < i < len(v) - 1:
            # improve inside the neighbouring cells with the stationarity condition
            lo, hi = self.X[max(i - 2, 1)], self.X[min(i + 2, len(v) - 2)]
            for a, b in ((lo, self.X[i]), (self.X[i], hi)):
                if b > a:
                    t = self.stationary(mp.mpf(float(a)), mp.mpf(float(b)), c, e, pr)
                    if t is not None:
                        q = c * p0 * (1 - self.d[0].cdf(t, 1 - t)) + e * p1 * self.d[1].cdf(t, 1 - t)
                        best = min(best, q)
        return best

    def qat(self, i, c, e, pr):
        x = self.X[i]
        if x == -np.inf:
            return c * pr[0]
        if x == np.inf:
            return e * pr[1]
        key = i
        if key not in self.memo:
            t = self.snap(x)
            left = i % 2 == 1
            self.memo[key] = (self.d[0].cdf(t, 1 - t, left), self.d[1].cdf(t, 1 - t, left))
        F0, F1 = self.memo[key]
        return c * pr[0] * (1 - F0) + e * pr[1] * F1

    def snap(self, x):
        for p in self.pts:
            if float(p) == x:
                return p
        return mp.mpf(float(x))

    def stationary(self, a, b, c, e, pr):
        def s(t):
            return e * pr[1] * self.d[1].pdf(t, 1 - t) - c * pr[0] * self.d[0].pdf(t, 1 - t)
        eps = (b - a) * mp.mpf(10) ** -12
        a, b = a + eps, b - eps
        fa, fb = s(a), s(b)
        if not (fa < 0 < fb):
            return None
        for _ in range(200):
            t = (a * fb - b * fa) / (fb - fa)
            if not a < t < b:
                t = (a + b) / 2
            ft = s(t)
            if ft == 0 or b - a < mp.mpf(10) ** -(mp.mp.dps * 2 // 3) * max(abs(a), abs(b)):
                return t
            if abs(t - getattr(self, "_pt", 0)) < mp.mpf(10) ** -(mp.mp.dps * 2 // 3) * abs(t):
                return t
            self._pt = t
            if ft < 0:
                a, fa = t, ft
                fb /= 2
            else:
                b, fb = t, ft
                fa /= 2
        return t

    def optimal(self, pr):
        self.setup()
        self.memo = {}
        ws = self.weights()
        names = list(ws)
        dens = [self.wdens(ws[k]) for k in names]
        # argmin index over a cost grid, in log-odds, to find breaks of q
        z = np.linspace(-60, 60, 2401)

        def idx(t):
            c = 1 / (1 + math.exp(-t)) if t > -700 else 0
            e = 1 / (1 + math.exp(t))
            v = c * float(pr[0]) * (1 - self.G[0]) + e * float(pr[1]) * self.G[1]
            i = int(np.argmin(v))
            return i

        corner = {0, len(self.X) - 1}
        for p in self.pts:
            for j in np.nonzero(self.X == float(p))[0]:
                corner.add(int(j))
        ks = [idx(t) for t in z]
        ev = []
        big = max(3, len(self.X) // 60)

        def is_break(i, j):
            if i == j:
                return False
            return (i in corner) != (j in corner) or abs(i - j) > big or (i in corner and j in corner)
        for n in range(len(z) - 1):
            lo, hi, i, j = z[n], z[n + 1], ks[n], ks[n + 1]
            if is_break(i, j):
                stack = [(lo, hi, i, j)]
                cnt = 0
                while stack and cnt < 3000:
                    lo, hi, i, j = stack.pop()
                    cnt += 1
                    if not is_break(i, j):
                        continue
                    if hi - lo < 1e-13 * max(1, abs(lo)):
                        ev.append(((lo + hi) / 2, i, j))
                        continue
                    md = (lo + hi) / 2
                    k = idx(md)
                    stack += [(lo, md, i, k), (md, hi, k, j)]
        cuts = []
        for t in sorted(ev):
            if not cuts or t[0] - cuts[-1][0] > 1e-10:
                cuts.append(t)
        self.ncuts = len(cuts)
        lim = [-mp.inf] + sorted(self.polish(t, i, j, pr) for t, i, j in cuts) + [mp.inf]
        more = []
        for a, b in zip(lim, lim[1:]):
            more.append(a)
            for t in (-30, -12, -6, -3, 0, 3, 6, 12, 30):
                if a < t < b and abs(t - a) > 0.5 and abs(t - b) > 0.5:
                    more.append(mp.mpf(t))
        lim = more + [mp.inf]
        tot = [mp.mpf(0)] * len(names)
        for a, b in zip(lim, lim[1:]):
            a = max(a, mp.mpf(-110))
            b = min(b, mp.mpf(110))
            if not b > a:
                continue

            def f(t):
                ex = mp.exp(-abs(t))
                c, e = (1 / (1 + ex), ex / (1 + ex)) if t > 0 else (ex / (1 + ex), 1 / (1 + ex))
                q = 2 * self.qmin(c, e, pr)[0] * c * e
                return [q * w(c, e) for w in dens]
            v = glquad(f, a, b, mp.mpf(10) ** -18)
            tot = [p + q for p, q in zip(tot, v)]
        return names, tot

    def branch(self, i, t, pr):
        """value of the local minimum reached downhill from grid index i"""
        ex = mp.exp(-abs(t))
        c, e = (1 / (1 + ex), ex / (1 + ex)) if t > 0 else (ex / (1 + ex), 1 / (1 + ex))
        v = float(c * pr[0]) * (1 - self.G[0]) + float(e * pr[1]) * self.G[1]
        while True:
            lo, hi = max(0, i - 4), min(len(v), i + 5)
            k = lo + int(np.argmin(v[lo:hi]))
            if v[k] >= v[i]:
                break
            i = k
        return self.refine(i, c, e, pr)

    def polish(self, t, i, j, pr):
        """cost (log-odds) at which two separate minima tie, by bisection"""
        a, b = mp.mpf(t) - mp.mpf("1e-3"), mp.mpf(t) + mp.mpf("1e-3")
        f = lambda z: self.branch(i, z, pr) - self.branch(j, z, pr)
        fa, fb = f(a), f(b)
        if not fa * fb < 0:
            return mp.mpf(t)
        for _ in range(60):
            m = (a * fb - b * fa) / (fb - fa)
            fm = f(m)
            if fm == 0 or b - a < mp.mpf(10) ** -19:
                return m
            if fm * fa < 0:
                if abs(b - m) < mp.mpf(10) ** -19:
                    return m
                b, fb = m, fm
                fa /= 2
            else:
                if abs(a - m) < mp.mpf(10) ** -19:
                    return m
                a, fa = m, fm
                fb /= 2
        return m

    def ks(self):
        x = self.grid
        best = mp.mpf(0)
        d0, d1 = self.d
        for left in (False, True):
            v = np.abs(d0.npcdf(x, left) - d1.npcdf(x, left))
            for i in np.argsort(v)[-3:]:
                t = self.snap(x[i])
                best = max(best, abs(d0.cdf(t, 1 - t, left) - d1.cdf(t, 1 - t, left)))
            i = int(np.argmax(v))
            a, b = mp.mpf(float(x[max(0, i - 2)])), mp.mpf(float(x[min(len(x) - 1, i + 2)]))
            # golden section with mp values
            gr = (mp.sqrt(5) - 1) / 2
            f = lambda t: abs(d0.cdf(t, 1 - t) - d1.cdf(t, 1 - t))
            for lo, hi in ((a, mp.mpf(float(x[i]))), (mp.mpf(float(x[i])), b), (a, b)):
                if not hi > lo:
                    continue
                u, w = hi - gr * (hi - lo), lo + gr * (hi - lo)
                fu, fw = f(u), f(w)
                for _ in range(70):
                    if fu > fw:
                        hi, w, fw = w, u, fu
                        u = hi - gr * (hi - lo)
                        fu = f(u)
                    else:
                        lo, u, fu = u, w, fw
                        w = lo + gr * (hi - lo)
                        fw = f(w)
                best = max(best, fu, fw)
        return best


_GL = {}


def glnodes(n):
    if n not in _GL:
        x, w = np.polynomial.legendre.leggauss(n)
        out = []
        for t in x:
            t = mp.mpf(float(t))
            for _ in range(3):
                p0, p1 = mp.mpf(1), t
                for k in range(2, n + 1):
                    p0, p1 = p1, ((2 * k - 1) * t * p1 - (k - 1) * p0) / k
                dp = n * (t * p1 - p0) / (t * t - 1)
                t = t - p1 / dp
            p0, p1 = mp.mpf(1), t
            for k in range(2, n + 1):
                p0, p1 = p1, ((2 * k - 1) * t * p1 - (k - 1) * p0) / k
            dp = n * (t * p1 - p0) / (t * t - 1)
            out.append((t, 2 / ((1 - t * t) * dp * dp)))
        _GL[n] = out
    return _GL[n]


def glsum(f, a, b, n):
    tot = None
    h = (b - a) / 2
    for t, w in glnodes(n):
        v = f(a + h * (1 + t))
        tot = [w * h * q for q in v] if tot is None else [p + w * h * q for p, q in zip(tot, v)]
    return tot


def glquad(f, a, b, tol=mp.mpf(10) ** -20, depth=0):
    """adaptive Gauss-Legendre, 24 against 2 x 24 points"""
    one = glsum(f, a, b, 24)
    m = (a + b) / 2
    return _gl2(f, a, b, one, tol, depth)


def _gl2(f, a, b, one, tol, depth):
    m = (a + b) / 2
    l, r = glsum(f, a, m, 24), glsum(f, m, b, 24)
    two = [p + q for p, q in zip(l, r)]
    if max(abs(p - q) for p, q in zip(one, two)) < tol or depth > 24:
        return two
    x = _gl2(f, a, m, l, tol, depth + 1)
    y = _gl2(f, m, b, r, tol, depth + 1)
    return [p + q for p, q in zip(x, y)]


def deq(f, a, b, tol=mp.mpf(10) ** -17, gate=None):
    """tanh-sinh with halving"""
    prev, acc = None, None
    for k in range(1, 9):
        n = 2 ** k
        for i in range(-int(3.4 * n), int(3.4 * n) + 1):
            if k > 1 and i % 2 == 0:
                continue
            t = mp.mpf(i) / n
            s = mp.pi * mp.sinh(abs(t))
            z = mp.exp(-s)
            q = z / (1 + z)
            wt = mp.pi * mp.cosh(t) * q / (1 + z)
            x = a + (b - a) * q if t < 0 else b - (b - a) * q
            if x <= a or x >= b:
                continue
            v = f(x)
            acc = [wt * p for p in v] if acc is None else [r + wt * p for r, p in zip(acc, v)]
        cur = [p * (b - a) / n for p in acc]
        if prev is not None and k >= 3:
            d = max(abs(p - q) for p, q in zip(cur, prev))
            if d < (gate or mp.mpf(10) ** -14):
                return cur
        prev = cur
    return cur


def run_direct(d, n, seed):
    mp.mp.dps = 24
    for t in TABLES:
        rows = load(d, t)
        r = random.Random(seed)
        pick = r.sample(range(len(rows)), min(n, len(rows)))
        worst = {}
        t0 = time.time()
        done = 0
        for i in pick:
            row = rows[i]
            t1 = time.time()
            try:
                v = Direct(row).values()
            except Exception as e:
                print("ERROR", t, i, repr(e), row["f0"], "|", row["f1"], flush=True)
                continue
            done += 1
            for k in rc.COLS:
                if row[k] == "NA":
                    if k in v:
                        print("NA MISMATCH", t, i, k)
                    continue
                if k not in v:
                    continue
                e = abs(mp.mpf(row[k]) - v[k])
                if e > worst.get(k, (0,))[0]:
                    worst[k] = (e, i)
                if e > mp.mpf(10) ** -13:
                    print("  DIFF %s row %d %s %s table %s direct %s | %s | %s | %s | %s" % (
                        t, i, k, mp.nstr(e, 3), row[k], mp.nstr(v[k], 20), row["f0"], row["f1"], row["pi0"], row["cost"]), flush=True)
            print("  %s row %d: %.1f s, worst %s" % (t, i, time.time() - t1, mp.nstr(max(abs(mp.mpf(row[k]) - v[k]) for k in v if row[k] != "NA"), 3)), flush=True)
        print("%s: %d rows direct in %.0f s; largest differences: %s" % (
            t, done, time.time() - t0, ", ".join("%s %s" % (k, mp.nstr(worst[k][0], 2)) for k in rc.COLS if k in worst)), flush=True)


def run_invert(d, n, seed=3):
    """ru and rd with R inverted numerically at every node, small samples"""
    mp.mp.dps = 22
    for t in TABLES:
        rows = [r for r in load(d, t) if min(float(x) for x in [1.0] + numbers(r)) >= 0.01]
        worst = {}
        t0 = time.time()
        r = random.Random(seed)
        for row in r.sample(rows, min(n, len(rows))):
            D = Direct(row)
            ab = D.lossw()
            w = D.wdens(ab)
            h = mp.mpf(1) / 2
            m = ab[0] / (ab[0] + ab[1])
            for pre, a, b in (("", *D.pi), ("z", h, h)):
                cuts = {mp.mpf(0), mp.mpf(1)}
                for p in D.pts:
                    for left in (True, False):
                        cuts.add(a * D.d[0].cdf(p, 1 - p, left) + b * D.d[1].cdf(p, 1 - p, left))
                cuts = sorted(c for c in cuts if 0 <= c <= 1)
                at = []
                for p in sorted({x for x, _ in D.d[0].atoms} | {x for x, _ in D.d[1].atoms}):
                    L = [q.cdf(p, 1 - p, True) for q in D.d]
                    H = [q.cdf(p, 1 - p) for q in D.d]
                    at.append((a * L[0] + b * L[1], a * H[0] + b * H[1], L, H))

                def point(u):
                    for A, B, L, H in at:
                        if A <= u <= B:
                            z = (u - A) / (B - A)
                            return L[0] + z * (H[0] - L[0]), L[1] + z * (H[1] - L[1])
                    if D.logit and D.pts[0] >= 0 and D.pts[-1] <= 1:
                        lo, hi, g = mp.mpf(-200), mp.mpf(200), True
                    else:
                        lo, hi, g = D.pts[0], D.pts[-1], False
                    def F(v):
                        if not g:
                            return D.d[0].cdf(v, 1 - v), D.d[1].cdf(v, 1 - v)
                        e = mp.exp(-abs(v))
                        x, y = (1 / (1 + e), e / (1 + e)) if v > 0 else (e / (1 + e), 1 / (1 + e))
                        return D.d[0].cdf(x, y), D.d[1].cdf(x, y)
                    for _ in range(72):
                        v = (lo + hi) / 2
                        f = F(v)
                        if a * f[0] + b * f[1] > u:
                            hi = v
                        else:
                            lo = v
                    return F(lo)

                def f(u):
                    F0, F1 = point(u)
                    q0, q1 = 2 * a * (1 - F0), 2 * b * F1
                    return [m * q0 + (1 - m) * q1, (u * q0 + (1 - u) * q1) * w(u, 1 - u)]
                tot = [mp.mpf(0), mp.mpf(0)]
                for l, r_ in zip(cuts, cuts[1:]):
                    if r_ - l > mp.mpf(10) ** -18:
                        v = deq(f, l, r_, mp.mpf(10) ** -12, mp.mpf(10) ** -9)
                        tot = [x + y for x, y in zip(tot, v)]
                for k, v in ((pre + "ru", tot[0]), (pre + "rd", tot[1])):
                    e = abs(v - mp.mpf(row[k]))
                    worst[k] = max(worst.get(k, 0), e)
        print("%s: %d rows with R inverted, %.0f s: %s" % (t, min(n, len(rows)), time.time() - t0, ", ".join("%s %s" % (k, mp.nstr(v, 2)) for k, v in worst.items())), flush=True)


def numbers(r):
    """crude filter: proportion away from 0 and 1, modest beta shapes"""
    p = float(rc.A(rc.parse_const(r["pi0"])))
    out = [p, 1 - p]
    for k in ("f0", "f1"):
        for kind, prm, w in rc.Parser(r[k]).density():
            if kind == "beta":
                q = [float(rc.A(x)) for x in prm]
                out += [0.02 if min(q) > 0.6 and max(q) < 40 else 0]
    return out


# ------------------------------------------------------------------ finer rerun
def run_strict(d, n, seed=7):
    for t in TABLES:
        rows = load(d, t)
        r = random.Random(seed)
        pick = r.sample(range(len(rows)), min(n, len(rows)))
        if t == "extreme":
            pick = [i for i in pick if "100000," not in rows[i]["f0"] and "100000," not in rows[i]["f1"]]
        t0 = time.time()
        worst = (0, None, None)
        raise_precision(220)
        rc.STRICT = True
        for i in pick:
            row = rows[i]
            m, out, rad = rc.row(row["f0"], row["f1"], row["pi0"], row["cost"])
            for k in rc.COLS:
                if out[k] is None:
                    assert row[k] == "NA"
                    continue
                e = abs(float((out[k] - arb(row[k])).mid()))
                x = abs(float(out[k]))
                e = e if x < 1 else e / x
                if e > worst[0]:
                    worst = (e, k, i)
        print("%s: %d rows again, finer: largest difference %.1e (%s, row %s), %.0f s" % (t, len(pick), *worst, time.time() - t0), flush=True)


def raise_precision(bits):
    ctx.prec = bits
    rc.PREC = bits
    rc.PI = arb.pi()
    rc.SQ2, rc.SQ2PI = arb(2).sqrt(), (2 * arb.pi()).sqrt()
    rc.HALF = arb(1) / 2
    rc.DEQ = rc.DE()
    rc.DEQ.T = 3.9
    class M(rc.Model):
        def __init__(self, *a):
            super().__init__(*a)
    old = rc.Model.build

    def build(self):
        self.tail_tol = 1e-30 * self.scale
        self.tol = 1e-25 * self.scale
        old(self)
    if not getattr(rc, "_raised", False):
        rc.Model.build = build
        rc._raised = True


# ---------------------------------------------------------------- closed forms
def auc_beta_mb(a0, b0, a1, b1):
    """P(X0 < X1) for two betas by a Mellin-Barnes integral, trapezoid rule"""
    swap = False
    m0 = a0.digamma() - b0.digamma()
    m1 = a1.digamma() - b1.digamma()
    if float(m1) > float(m0):
        a0, b0, a1, b1, swap = a1, b1, a0, b0, True
    # D = U1 - U0 has negative mean; P(D>0) by an inverse Laplace integral
    f = [float(t) for t in (a0, b0, a1, b1)]
    S = min(f[3], f[0])

    def logm(s):
        return math.lgamma(f[2] + s) + math.lgamma(f[3] - s) + math.lgamma(f[0] - s) + math.lgamma(f[1] + s) \
            - sum(math.lgamma(t) for t in f)
    g = min((logm(S * k / 400) - math.log(S * k / 400), S * k / 400) for k in range(1, 400))
    sig = g[1]
    # aliasing terms below e^-62 by Chernoff bounds on both sides
    need = 62 + max(0, 0)
    y = need / sig
    while True:
        up = min(logm(S * k / 400) - (S * k / 400 - sig) * y for k in range(1, 400) if S * k / 400 > sig) if sig < S * 399 / 400 else -1
        if up < -need or y > 1e6:
            break
        y *= 1.15
    h = 2 * math.pi / y
    s0 = arb(sig)
    base = sum((t.lgamma() for t in (a0, b0, a1, b1)), arb(0))
    tot = arb(0)
    n = 0
    while True:
        s = acb(s0, arb(n) * arb(h))
        v = ((a1 + s).lgamma() + (b1 - s).lgamma() + (a0 - s).lgamma() + (b0 + s).lgamma() - base).exp() / s
        tot += v.real if n else v.real / 2
        if n > 5 and float(abs(v)) * (n + 10) < 1e-27:
            break
        n += 1
    p = tot * arb(h) / arb.pi()
    return 1 - p if swap else p


def run_closed(d):
    ctx.prec = 160
    for t in TABLES:
        rows = load(d, t)
        worst = {}
        cnt = {}
        t0 = time.time()

        def note(k, e, i):
            cnt[k] = cnt.get(k, 0) + 1
            if e > worst.get(k, (-1,))[0]:
                worst[k] = (e, i)
        nb = 0
        for i, r in enumerate(rows):
            i0, i1 = rc.Parser(r["f0"]).density(), rc.Parser(r["f1"]).density()
            g = {k: (None if r[k] == "NA" else arb(r[k])) for k in rc.COLS}
            auc = g["AUC"]
            if len(i0) == len(i1) == 1:
                k0, p0, _ = i0[0]
                k1, p1, _ = i1[0]
                if k0 == k1 == "normal" and p0[2] is None and p1[2] is None:
                    z = (arb(p1[0]) - arb(p0[0])) / (arb(p0[1]) ** 2 + arb(p1[1]) ** 2).sqrt()
                    note("AUC normal", abs(float((-z / arb(2).sqrt()).erfc() / 2 - auc)), i)
                if k0 == k1 == "logistic" and p0[1] == p1[1] and p0[0] != p1[0]:
                    u = (arb(p1[0]) - arb(p0[0])) / arb(p0[1])
                    x = u.exp()
                    v = x / (x - 1) - u * x / (x - 1) ** 2
                    note("AUC logistic", abs(float(v - auc)), i)
                if k0 == k1 == "beta" and max(float(arb(x)) for x in p0 + p1) <= 250 and (nb < 700 or i % 10 == 0):
                    nb += 1
                    note("AUC beta (Mellin-Barnes)", abs(float(auc_beta_mb(arb(p0[0]), arb(p0[1]), arb(p1[0]), arb(p1[1])) - auc)), i)
            v = exact_auc(i0, i1)
            if v is not None:
                note("AUC exact rational", abs(float(arb(v) - auc)), i)
            # order relations that every row must satisfy
            pi0 = arb(rc.parse_const(r["pi0"]))
            lo = [g["AUCH"] - abs(auc - arb("0.5")) * 0 - auc, g["RL_conv"] - g["RL"]]
            for pre in ("", "z"):
                for k in ("sf", "rf", "su", "sd", "ru", "rd"):
                    if g[pre + k] is not None:
                        lo.append(g[pre + k] - g[pre + "o"])
            note("order violations", max(0.0, -min(float(x) for x in lo)), i)
            note("KS against 2*AUCH-1", max(0.0, float(g["KS"] - 1), float(2 * g["AUCH"] - 1 - g["KS"] * (2 - g["KS"]))), i)
            if r["cost"] == "uniform":
                pp = pi0 * (1 - pi0)
                note("rd, ru identities", max(abs(float(g["ru"] - pp * (1 - 2 * auc) - arb("0.5"))), abs(float(g["rd"] - pp * (1 - 2 * auc) - arb(1) / 3))), i)
        print("%s: %d rows, %.0f s: %s" % (t, len(rows), time.time() - t0, "; ".join(
            "%s (%d rows) %.1e [row %d]" % (k, cnt[k], worst[k][0], worst[k][1]) for k in worst)), flush=True)


def exact_auc(i0, i1):
    """rational AUC when everything is polynomial or a point mass"""
    def conv(items):
        out = []
        for k, p, w in items:
            if k == "poly":
                out.append((p[0], p[1], p[2] * w))
            elif k == "atom":
                out.append((p[0], p[0], w))
            elif k == "beta" and p[0].q == 1 and p[1].q == 1 and p[0] + p[1] < 40:
                out.append((fmpq(0), fmpq(1), rc.beta_poly(p[0], p[1]) * w))
            else:
                return None
        return out
    a, b = conv(i0), conv(i1)
    if a is None or b is None:
        return None
    tot = fmpq(0)
    for l0, r0, p in a:
        for l1, r1, q in b:
            if l0 == r0 and l1 == r1:
                tot += p * q * (fmpq(1) if l0 < l1 else fmpq(1, 2) if l0 == l1 else fmpq(0))
                continue
            if l0 == r0:
                Qi = q.integral()
                x = max_q(l0, l1)
                if x < r1:
                    tot += p * (Qi(r1) - Qi(x))
                continue
            Pi = p.integral()
            m = Pi(r0) - Pi(l0)
            if l1 == r1:
                x = min_q(l1, r0)
                if x > l0:
                    tot += q * (Pi(x) - Pi(l0))
                continue
            Qi = q.integral()
            x, y = max_q(l0, l1), min_q(r0, r1)
            if y > x:
                I = ((Pi - Pi(l0)) * q).integral()
                tot += I(y) - I(x)
            z = max_q(l1, r0)
            if r1 > z:
                tot += m * (Qi(r1) - Qi(z))
    return tot


def max_q(a, b):
    return a if a > b else b


def min_q(a, b):
    return a if a < b else b


# ------------------------------------------------- certified ball integration
def run_ball(d, n, seed=11):
    """RL over the whole axis, RL_conv and the Beta(2,2) loss over the arcs"""
    for t in TABLES:
        rows = load(d, t)
        r = random.Random(seed)
        pick = r.sample(range(len(rows)), min(n, len(rows)))
        ctx.prec = 160
        worst = {}
        t0 = time.time()
        cnt = 0
        for i in pick:
            row = rows[i]
            if "100000," in row["f0"] + row["f1"]:
                continue
            m = rc.Model(row["f0"], row["f1"], rc.parse_const(row["pi0"]))
            m.hull()
            p0, p1 = m.p0, m.p1
            rl = arb(0)
            for e in m.elems:
                if e.kind == "seg" and e.m[0] > 0 and e.m[1] > 0:
                    rl += p0 * e.m[0] * p1 * e.m[1] / (p0 * e.m[0] + p1 * e.m[1])
            conv = l22 = arb(0)
            w22 = rc.Weight(fmpq(2), fmpq(2))
            for m0, m1, _, _ in m.pools:
                if m0 > 0 and m1 > 0:
                    conv += p0 * m0 * p1 * m1 / (p0 * m0 + p1 * m1)
                l22 += w22.seg(p0 * m0, p1 * m1)
            ok = True
            for J in m.pieces:
                a, b = J.range
                if not float(b) > float(a):
                    continue
                def f(v, an, J=J):
                    e0, e1 = cdens(J, v, an)
                    e0, e1 = p0 * e0, p1 * e1
                    return e0 * e1 / (e0 + e1)

                def f2(v, an, J=J):
                    e0, e1 = cdens(J, v, an)
                    e0, e1 = p0 * e0, p1 * e1
                    s = e0 + e1
                    c, dd = e1 / s, e0 / s
                    return e0 * c ** 3 * (4 - 3 * c) + e1 * dd ** 3 * (4 - 3 * dd)
                tol = arb(10) ** -24 * arb(m.scale)
                arcs = sorted(((v, w) for k, v, w in m.portions if m.elems[k].J is J), key=lambda q: float(q[0]))
                cuts = [a]
                for v, w in arcs:
                    cuts += [v, w]
                cuts.append(b)
                for k in range(len(cuts) - 1):
                    v, w = cuts[k], cuts[k + 1]
                    if not w > v:
                        continue
                    z = acb.integral(f, v, w, rel_tol=arb(2) ** -90, abs_tol=tol, eval_limit=20000).real
                    rl += z
                    if k % 2:
                        conv += z
                        l22 += acb.integral(f2, v, w, rel_tol=arb(2) ** -90, abs_tol=tol, eval_limit=20000).real
            H = 1 - l22 / rc.l_rand(w22, m.pi0q, m.pi1q)
            cnt += 1
            for k, v in (("RL", rl), ("RL_conv", conv), ("H", H)):
                e, rad = abs(float((v - arb(row[k])).mid())), float(v.rad())
                if not (e < 1e9 and rad < 1e-15):
                    print("  loose ball", t, i, k, rad)
                    continue
                if e > worst.get(k, (-1,))[0]:
                    worst[k] = (e, i, rad)
        print("%s: %d rows by ball integration, %.0f s: %s" % (t, cnt, time.time() - t0, "; ".join(
            "%s %.1e (radius %.0e, row %d)" % (k, v[0], v[2], v[1]) for k, v in worst.items())), flush=True)


def cdens(J, v, an):
    """complex densities in the working variable of the piece"""
    out = []
    if J.u:
        if an and float(abs(v.imag).upper()) > 3:
            return acb("nan"), acb("nan")
        e = v.exp()
        l = (1 + e).log(analytic=an)
        x = e / (1 + e)
        y = 1 / (1 + e)
    else:
        x, y = v, 1 - v
    for a in J.act:
        s = acb(0)
        for w, c in a:
            if isinstance(c, rc.BetaC):
                s += w * (c.a * v - c.s * l - c.lb).exp()
                continue
            if isinstance(c, rc.PolyC):
                f = acb(0)
                for q in reversed(c.pq.coeffs()):
                    f = f * x + arb(q)
            elif isinstance(c, rc.NormalC):
                z = (x - c.m) / c.s
                f = (-z * z / 2).exp() / (rc.SQ2PI * c.s * c.z)
            else:
                g = ((x - c.m) / c.s / 2).cosh()
                f = 1 / (4 * c.s * g * g)
            s += w * (f * x * y if J.u else f)
        out.append(s)
    return out


if __name__ == "__main__":
    mode, d = sys.argv[1], sys.argv[2]
    n = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    if mode == "closed":
        run_closed(d)
    elif mode == "strict":
        run_strict(d, n, int(sys.argv[4]) if len(sys.argv) > 4 else 7)
    elif mode == "invert":
        run_invert(d, n)
    elif mode == "ball":
        run_ball(d, n)
    else:
        run_direct(d, n, int(sys.argv[4]) if len(sys.argv) > 4 else 5)
