"""Check expressions.tsv by means other than those that made it.

    python check_expressions.py strict FILE [N]         rows again: other expansions, 220 bits, finer quadrature
    python check_expressions.py direct FILE N [SEED]    N rows: every value from its definition with mpmath
    python check_expressions.py order FILE              every row: order relations between the columns

`direct` shares no code with expressions.py: densities are evaluated as Python expressions, distribution
functions are Gauss-Legendre sums over panels, the optimal threshold is searched at each cost (verify.py).
"""
import gzip
import random
import re
import signal
import sys
import time

import mpmath as mp
import numpy as np
from flint import arb

import refcore as rc
import verify

INF = mp.inf


def load(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as fh:
        head = fh.readline().rstrip("\n").split("\t")
        return [dict(zip(head, l.rstrip("\n").split("\t"))) for l in fh]


# ------------------------------------------------------------------ plain densities
NAMES = {k: getattr(mp, k) for k in ("exp", "log", "sqrt", "sin", "cos", "pi", "inf", "mpf")}


def code(text):
    """Python code of an expression in x, with y for 1-x"""
    t = re.sub(r"\b1 ?- ?x\b(?!\^)", "y", text.replace(" on ", " "))
    t = re.sub(r"(\d+\.\d*|\d+|\.\d+)", r"mpf('\1')", t).replace("^", "**")
    return compile(t.strip(), text, "eval")


def const(text):
    return mp.mpf(eval(code(text), NAMES))


def split(text, sep):
    """parts of a text between separators outside all brackets"""
    out, depth, last = [], 0, 0
    for i, c in enumerate(text):
        depth += c in "([{"
        depth -= c in ")]}"
        if depth == 0 and text.startswith(sep, i):
            out.append(text[last:i])
            last = i + len(sep)
    return [p.strip() for p in out + [text[last:]]]


FAMILY = re.compile(r"(normalize|truncate|beta|uniform|triangular|normal|logistic|atom)\((.*)\)$")


def closes(text):
    """whether the first bracket closes at the very end"""
    depth = 0
    for i, c in enumerate(text):
        depth += c in "([{"
        depth -= c in ")]}"
        if depth == 0 and c in ")]}":
            return i == len(text) - 1
    return False


def read(text):
    """list of [weight, density of (x, y), l, r] and of [weight, place]"""
    text = text.strip()
    terms = split(text, " + ")
    head = re.compile(r"[\d./]+\*(normalize|truncate|\{|beta|uniform|triangular|normal|logistic|atom)")
    if all(head.match(t) for t in terms):
        out = []
        for t in terms:
            w, rest = t.split("*", 1)
            out += [[const(w) * p[0]] + p[1:] for p in read(rest)]
        return out
    if text.startswith("{") and closes(text):
        out = []
        for p in split(text[1:-1], ";"):
            if ":" in p:
                a, m = p.split(":")
                out.append([const(m), const(a)])
            else:
                out += read(p)
        return out
    m = FAMILY.match(text)
    if m and closes(text):
        name, args = m.group(1), split(m.group(2), ",")
        if name == "normalize":
            return scaled(read(m.group(2)))
        if name == "truncate":
            lo, hi = const(args[-2]), const(args[-1])
            return scaled([[w, f, max(l, lo), min(r, hi)] for w, f, l, r in read(",".join(args[:-2]))])
        a = [const(t) for t in args]
        one = mp.mpf(1)
        if name == "atom":
            return [[one, a[0]]]
        if name == "beta":
            B = mp.beta(*a)
            return [[one, lambda x, y: x ** (a[0] - 1) * y ** (a[1] - 1) / B, mp.mpf(0), one]]
        if name == "uniform":
            return [[one, lambda x, y: 1 / (a[1] - a[0]), a[0], a[1]]]
        if name == "triangular":
            k = 2 / (a[2] - a[0])
            return [[one, lambda x, y: k * (x - a[0]) / (a[1] - a[0]), a[0], a[1]],
                    [one, lambda x, y: k * (a[2] - x) / (a[2] - a[1]), a[1], a[2]]]
        if name == "normal":
            return [[one, lambda x, y: mp.npdf(x, *a), -INF, INF]]
        return [[one, lambda x, y: 1 / (a[1] * (2 * mp.cosh((x - a[0]) / a[1] / 2)) ** 2), -INF, INF]]
    m = re.match(r"(.*) on \[(.*)\]$", text)
    body, l, r = (m.group(1), *map(const, m.group(2).split(","))) if m else (text, mp.mpf(0), mp.mpf(1))
    c = code(body)
    return [[mp.mpf(1), lambda x, y: eval(c, NAMES, {"x": x, "y": y}), l, r]]


def scaled(parts):
    t = sum(p[0] * (Panels(*p[1:]).total if len(p) > 2 else 1) for p in parts)
    return [[p[0] / t] + p[1:] for p in parts]


def open_map(l, r):
    """(score, 1-score, slope) at v and v of a score, ends of (l, r) opened"""
    if l == -INF and r == INF:
        return (lambda v: (mp.sinh(v), 1 - mp.sinh(v), mp.cosh(v))), (lambda x, y: mp.asinh(x))
    if r == INF:
        return (lambda v: (l + mp.exp(v), 1 - l - mp.exp(v), mp.exp(v))), (lambda x, y: mp.log(x - l))
    if l == -INF:
        return (lambda v: (r - mp.exp(-v), 1 - r + mp.exp(-v), mp.exp(-v))), (lambda x, y: -mp.log(r - x))

    def go(v):
        e = mp.exp(-abs(v))
        t, s = (1 / (1 + e), e / (1 + e)) if v > 0 else (e / (1 + e), 1 / (1 + e))
        w = r - l
        return (l + w * t if v < 0 else r - w * s), (1 - r) + w * s, w * t * s

    def back(x, y):
        a, b = (x if l == 0 else x - l), (y if r == 1 else r - x)
        return -LIMIT if a <= 0 else LIMIT if b <= 0 else mp.log(a / b)
    return go, back


LIMIT = mp.mpf(150)


class Panels:
    """integral of one density, from Gauss-Legendre sums over short panels of v"""

    def __init__(self, f, l, r):
        self.f, self.l, self.r = f, l, r
        self.go, self.back = open_map(l, r)
        right = LIMIT if r != INF else mp.mpf(70)
        left = -LIMIT if l != -INF else -mp.mpf(70)
        inner = [mp.mpf(i) / 4 for i in range(-48, 49)]
        self.v = [left + (-12 - left) * i / 60 for i in range(60)] + inner + [12 + (right - 12) * i / 60 for i in range(1, 61)]
        self.sum = [mp.mpf(0)]
        for a, b in zip(self.v, self.v[1:]):
            self.sum.append(self.sum[-1] + self.gl(a, b))
        self.total = self.sum[-1]

    def at(self, v):
        x, y, j = self.go(v)
        return self.f(x, y) * j

    def gl(self, a, b):
        return verify.glsum(lambda v: [self.at(v)], a, b, 24)[0]

    def cdf(self, x, y):
        v = self.back(x, y)
        if v <= self.v[0]:
            return mp.mpf(0)
        if v >= self.v[-1]:
            return self.total
        lo, hi = 0, len(self.v) - 1
        while hi - lo > 1:
            m = (lo + hi) // 2
            lo, hi = (m, hi) if self.v[m] <= v else (lo, m)
        # from the nearer end of the panel
        if v - self.v[lo] < self.v[hi] - v:
            return self.sum[lo] + (self.gl(self.v[lo], v) if v > self.v[lo] else 0)
        return self.sum[hi] - self.gl(v, self.v[hi])


class Dens:
    def __init__(self, text):
        parts = read(text)
        self.atoms = [(p[1], p[0]) for p in parts if len(p) == 2]
        self.parts = [(p[0], Panels(*p[1:])) for p in parts if len(p) > 2]
        self.array = {}

    def ends(self):
        return {e for _, c in self.parts for e in (c.l, c.r)} | {a for a, _ in self.atoms}

    def pdf(self, x, y):
        return sum((w * c.f(x, y) for w, c in self.parts if c.l < x < c.r or (c.l < x and y > 0 and c.r == 1)), mp.mpf(0))

    def cdf(self, x, y, left=False):
        t = sum((w * (c.total if x >= c.r and not (c.r == 1 and y > 0) else c.cdf(x, y)) for w, c in self.parts if x > c.l), mp.mpf(0))
        return t + sum((m for a, m in self.atoms if a < x or (a == x and not left)), mp.mpf(0))

    def npcdf(self, x, left=False):
        """doubles at the points of the search grid"""
        k = (len(x), left)
        if k not in self.array:
            if len(x) not in self.array:
                self.array[len(x)] = np.array([float(sum((w * (c.total if t >= c.r else c.cdf(mp.mpf(t), 1 - mp.mpf(t)))
                                                          for w, c in self.parts if t > c.l), mp.mpf(0))) for t in x])
            t = self.array[len(x)].copy()
            for a, m in self.atoms:
                t += float(m) * ((x > float(a)) if left else (x >= float(a)))
            self.array[k] = t
        return self.array[k]


class Direct(verify.Direct):
    def __init__(self, r):
        self.d = [Dens(r["f0"]), Dens(r["f1"])]
        p = const(r["pi0"])
        self.pi = (p, 1 - p)
        self.cost = rc.parse_cost(r["cost"])
        ends = sorted(self.d[0].ends() | self.d[1].ends())
        self.unb = ends[0] == -INF or ends[-1] == INF
        self.unit = not self.unb and ends[0] >= 0 and ends[-1] <= 1
        self.bounds = self.pts = ends
        self.logit = True
        self.grid = self.make_grid()
        if self.unb:
            # thresholds are searched between the outermost points of the grid
            self.pts = sorted({mp.mpf(float(self.grid[0])), mp.mpf(float(self.grid[-1]))} | {e for e in ends if abs(e) != INF})

    def spans(self, pts):
        for l, r in zip(pts, pts[1:]):
            yield open_map(l, r)[0], (-LIMIT if l != -INF else -mp.mpf(70)), (LIMIT if r != INF else mp.mpf(70))

    def make_grid(self):
        xs = [float(e) for e in self.bounds if abs(e) != INF]
        for go, a, b in self.spans(self.bounds):
            lo, hi = max(float(a), -60.0), min(float(b), 60.0)
            v = np.concatenate([np.linspace(lo, -10, 150), np.linspace(-10, 10, 1200), np.linspace(10, hi, 150)])
            xs += [float(go(mp.mpf(t))[0]) for t in v]
        return np.unique(xs)

    def over(self, g):
        pts = self.bounds if len(self.pts) < 2 or self.unb else self.pts
        tot = None
        for go, a, b in self.spans(pts):
            def f(v):
                x, y, j = go(v)
                return [t * j for t in g(x, y)]
            cuts = [a] + [mp.mpf(c) for c in (-60, -30, -15, -8, -4, -2, -1, 0, 1, 2, 4, 8, 15, 30, 60) if a < c < b] + [b]
            for l, h in zip(cuts, cuts[1:]):
                v = verify.glquad(f, l, h, mp.mpf(10) ** -18)
                tot = v if tot is None else [p + q for p, q in zip(tot, v)]
        return tot


PATIENCE = 100          # seconds for a row


def give_up(*_):
    raise TimeoutError


def run_direct(path, n, seed=1):
    signal.signal(signal.SIGALRM, give_up)
    mp.mp.dps = 75
    rows = load(path)
    worst = {}
    for i in random.Random(seed).sample(range(len(rows)), min(n, len(rows))):
        r, t0 = rows[i], time.time()
        signal.alarm(PATIENCE)
        try:
            v = Direct(r).values()
        except TimeoutError:
            print("row %d: not done in %d s" % (i, PATIENCE), r["f0"], "|", r["f1"], "|", r["cost"], flush=True)
            continue
        finally:
            signal.alarm(0)
        far = []
        for k in rc.COLS:
            if r[k] == "NA":
                if k in v and k not in ("s0", "s1"):
                    print("NA MISMATCH", i, k)
            elif k in v:
                e = abs(mp.mpf(r[k]) - v[k])
                far.append((e, k))
                worst[k] = max(worst.get(k, 0), e)
        print("row %d: %.0f s, largest differences %s | %s | %s | %s | %s" % (i, time.time() - t0, ", ".join(
            "%s %s" % (k, mp.nstr(e, 2)) for e, k in sorted(far, reverse=True)[:3]), r["f0"], r["f1"], r["pi0"], r["cost"]), flush=True)
    print("; ".join("%s %s" % (k, mp.nstr(e, 2)) for k, e in worst.items()))


def run_strict(path, n=None, seed=7):
    verify.raise_precision(220)
    rc.STRICT = True
    import expressions as ex
    ex.TERMS, ex.CHUNK, ex.REL, ex.FLOOR, ex.NEGLIGIBLE = 60, 3.1, 1e-38, 1e-56, 1e-54
    old = ex.Model.build

    def build(self):
        self.tail_tol, self.tol = 1e-30 * self.scale, 1e-25 * self.scale
        old(self)
    ex.Model.build = build
    rows = load(path)
    pick = list(range(len(rows))) if n is None else random.Random(seed).sample(range(len(rows)), n)
    worst, t0 = (0.0, None, None), time.time()
    for i in pick:
        r = rows[i]
        out = ex.Model(r["f0"], r["f1"], rc.parse_const(r["pi0"])).compute(rc.parse_cost(r["cost"]))
        for k in rc.COLS:
            if (out[k] is None) != (r[k] == "NA"):
                print("NA MISMATCH", i, k)
            elif out[k] is not None:
                e = abs(float(out[k] - arb(r[k]))) / max(1.0, abs(float(out[k])))
                if e > 1e-19:
                    print("row %d %s differs by %.1e" % (i, k, e), flush=True)
                worst = max(worst, (e, k, i))
    print("%d rows again: largest difference %.1e (%s, row %s), %.0f s" % (len(pick), *worst, time.time() - t0))


def run_order(path):
    mp.mp.dps = 40
    bad = 0
    rows = load(path)
    for i, r in enumerate(rows):
        g = {k: None if r[k] == "NA" else mp.mpf(r[k]) for k in rc.COLS}
        pairs = [("AUCH", "AUC"), ("RL_conv", "RL")] + [(p + k, p + "o") for p in ("", "z") for k in "sf rf su sd ru rd".split()]
        for a, b in pairs:
            if g[a] is not None and g[a] < g[b] - mp.mpf(10) ** -20:
                print("ORDER", i, a, b)
                bad += 1
        ks, tiny = g["KS"], mp.mpf(10) ** -20
        if not (0 <= ks <= 1 and g["AUCH"] >= 0.5 and 2 * g["AUCH"] - 1 <= ks * (2 - ks) + tiny):
            print("ORDER", i, "KS or AUCH")
            bad += 1
        if g["BS"] is not None and abs(g["BS"] - g["CL"] - g["RL"]) > mp.mpf(10) ** -19:
            print("BS", i)
            bad += 1
    print("%d rows, %d violations" % (len(rows), bad))


if __name__ == "__main__":
    {"strict": run_strict, "direct": run_direct, "order": run_order}[sys.argv[1]](sys.argv[2], *map(int, sys.argv[3:]))
