"""Write the reference tables (see README.md).

    python generate.py [--small] [--only NAME ...] [--out DIR]
"""
import argparse
import math
import os
import random
import sys
import time
import numpy as np
from flint import fmpq, fmpq_poly
import refcore as rc

HEAD = ["f0", "f1", "pi0", "cost"] + rc.COLS
LETTERS = "betas normals piecewise mixtures weights extreme".split()


# ------------------------------------------------------------- drawing models
def sig(x, n=4):
    """plain decimal text with n significant digits"""
    if x == 0:
        return "0"
    d = n - 1 - math.floor(math.log10(abs(x)))
    t = "%.*f" % (max(d, 0), round(x, d))
    if "." in t:
        t = t.rstrip("0").rstrip(".")
    return t


def logu(r, a, b):
    return math.exp(r.uniform(math.log(a), math.log(b)))


def draw_pi(r):
    k = r.random()
    if k < 0.25:
        return "0.5"
    if k < 0.6:
        return sig(r.uniform(0.02, 0.98), 3)
    if k < 0.65:
        q = r.randint(2, 9)
        return "%d/%d" % (r.randint(1, q - 1), q)
    z = r.uniform(-math.log(999), math.log(999))
    p = 1 / (1 + math.exp(-z))
    return "%.4f" % min(max(p, 0.001), 0.999)


def draw_shape(r, lo=0.3, hi=200):
    v = logu(r, lo, hi)
    k = r.random()
    if k < 0.15:
        return str(max(1, round(v)))
    if k < 0.28:
        return sig(max(1, round(v * 2)) / 2, 5)
    if k < 0.34:
        return sig(lo if r.random() < 0.5 else hi, 4)
    return sig(v, r.choice((2, 3, 4)))


def beta_pair(r, lo=0.3, hi=200):
    a = [draw_shape(r, lo, hi) for _ in range(4)]
    k = r.random()
    if k < 0.07:
        a[2] = a[0]
    elif k < 0.14:
        a[3] = a[1]
    elif k < 0.17:
        a[2:] = a[:2]
    elif k < 0.23:
        a[2:] = [a[1], a[0]]
    elif k < 0.40:
        # neighbours: same scale, so that the curves really overlap
        s = logu(r, 0.01, 1.5)
        a[2] = sig(min(max(float(a[0]) * math.exp(r.gauss(0, s)), lo), hi), 4)
        a[3] = sig(min(max(float(a[1]) * math.exp(r.gauss(0, s)), lo), hi), 4)
    return "beta(%s, %s)" % (a[0], a[1]), "beta(%s, %s)" % (a[2], a[3])


def normal_pair(r):
    fam = r.choice(("normal", "normal", "logistic"))
    s0 = logu(r, 0.1, 10)
    ratio = 1.0 if r.random() < 0.2 else logu(r, 0.2, 5)
    m0 = 0.0 if r.random() < 0.5 else r.uniform(-3, 3)
    k = r.random()
    d = 0.0 if k < 0.05 else r.gauss(0, 1.5) if k < 0.8 else r.uniform(-4, 4)
    t0 = sig(s0, 3)
    t1 = t0 if ratio == 1.0 else sig(float(t0) * ratio, 3)
    m1 = m0 + d * max(s0, float(t1)) * (1 if fam == "normal" else 2)
    if r.random() < 0.55:
        m0, m1 = min(m0, m1), max(m0, m1)
    f0 = "%s(%s, %s)" % (fam, sig(m0, 3), t0)
    f1 = "%s(%s, %s)" % (fam, sig(m1, 3), t1)
    k = r.random()
    if k < 0.02:
        f1 = f0
    elif k < 0.05:
        f1 = f1.replace(fam, "logistic" if fam == "normal" else "normal")
    return f0, f1


def rat(q):
    return str(q)


def poly_text(p):
    out = ""
    co = p.coeffs()
    for n in range(len(co) - 1, -1, -1):
        c = co[n]
        if c == 0:
            continue
        s = "-" if c < 0 else "+"
        c = abs(c)
        xs = "" if n == 0 else "x" if n == 1 else "x^%d" % n
        if n == 0:
            b = rat(c)
        elif c == 1:
            b = xs
        else:
            b = rat(c) + "*" + xs
        if out == "":
            out = b if s == "+" else "-" + b
        else:
            out += " %s %s" % (s, b)
    return out or "0"


def bern_poly(coefs, l, r):
    """polynomial with Bernstein coefficients on [l,r]"""
    n = len(coefs) - 1
    t = fmpq_poly([-l / (r - l), 1 / (r - l)])
    u = fmpq_poly([r / (r - l), -1 / (r - l)])
    p = fmpq_poly([0])
    for k, c in enumerate(coefs):
        p = p + t ** k * u ** (n - k) * (math.comb(n, k) * c)
    return p


def draw_span(r, frac):
    """an interval with tidy ends, mostly [0,1]"""
    k = r.random()
    if k < frac:
        return fmpq(0), fmpq(1)
    den = r.choice((10, 12, 20))
    if k < frac + 0.25:
        a, b = sorted(r.sample(range(den + 1), 2))
        return fmpq(a, den), fmpq(b, den)
    a, b = sorted(r.sample(range(-den, 2 * den + 1), 2))
    return fmpq(a, den), fmpq(b, den)


def draw_piecewise(r, l, h):
    n = r.randint(1, 5)
    den = r.choice((6, 8, 10))
    w = h - l
    inner = sorted(r.sample(range(1, den), min(n - 1, den - 1)))
    b = [l] + [l + w * fmpq(i, den) for i in inner] + [h]
    ps = []
    shape = r.choice(("any", "any", "up", "down", "flat"))
    for i in range(len(b) - 1):
        if n > 1 and r.random() < 0.13:
            ps.append(None)
            continue
        deg = 0 if shape == "flat" else r.choice((0, 1, 1, 2, 2, 3, 4))
        co = [r.choice((0, 0, 1, 1, 2, 3, 5, 9)) for _ in range(deg + 1)]
        if shape == "up":
            co.sort()
            co = [c + i for c in co]
        elif shape == "down":
            co.sort(reverse=True)
            co = [c + len(b) - i - 1 for c in co]
        if not any(co):
            co[-1] = 1
        p = bern_poly([fmpq(c) for c in co], b[i], b[i + 1])
        # keep most written coefficients moderate: lower the degree on narrow pieces
        while len(co) > 1 and r.random() < 0.97 and max(abs(float(rc.A(t))) for t in p.coeffs()) > 2000:
            co = co[:-1]
            if not any(co):
                co[-1] = 1
            p = bern_poly([fmpq(c) for c in co], b[i], b[i + 1])
        ps.append(p)
    if all(p is None for p in ps):
        ps[0] = fmpq_poly([1])
    tot = fmpq(0)
    for i, p in enumerate(ps):
        if p is not None:
            q = p.integral()
            tot += q(b[i + 1]) - q(b[i])
    parts = ["%s on [%s, %s]" % (poly_text(p * (1 / tot)), b[i], b[i + 1])
             for i, p in enumerate(ps) if p is not None]
    return "{ " + "; ".join(parts) + " }"


def draw_simple(r, l, h):
    k = r.random()
    if k < 0.3:
        m = l + (h - l) * fmpq(r.randint(0, 12), 12)
        return "triangular(%s, %s, %s)" % (l, m, h)
    if k < 0.45:
        return "uniform(%s, %s)" % (l, h)
    return draw_piecewise(r, l, h)


def split_weights(r, n):
    den = r.choice((10, 20, 100))
    cuts = sorted(r.sample(range(1, den), n - 1))
    w = [b - a for a, b in zip([0] + cuts, cuts + [den])]
    return [sig(x / den, 3) for x in w]


def int_beta(r, hi=12):
    return "beta(%d, %d)" % (r.randint(1, hi), r.randint(1, hi))


def draw_piece_side(r, frac):
    k = r.random()
    if k < 0.72:
        return draw_simple(r, *draw_span(r, frac))
    n = r.randint(2, 3)
    w = split_weights(r, n)
    parts = [int_beta(r) if r.random() < 0.5 else draw_simple(r, *draw_span(r, frac)) for _ in range(n)]
    return " + ".join("%s*%s" % (a, b) for a, b in zip(w, parts))


def piecewise_pair(r):
    frac = r.choice((0.75, 0.75, 0.3, 0.1))
    f0 = draw_piece_side(r, frac)
    k = r.random()
    if k < 0.02:
        return f0, f0
    f1 = draw_piece_side(r, frac)
    if k < 0.05:
        a, b, c = sorted(r.sample(range(1, 20), 3))
        f0 = draw_simple(r, fmpq(0), fmpq(a, 20))
        f1 = draw_simple(r, fmpq(r.choice((a, b)), 20), fmpq(1))
        if r.random() < 0.4:
            f0, f1 = f1, f0
    return f0, f1


def draw_atoms(r, grid=None):
    n = r.randint(1, 6)
    den = 20 if grid is None else grid
    xs = sorted(r.sample(range(den + 1), n))
    w = split_weights(r, n) if n > 1 else ["1"]
    return "{ " + "; ".join("%s: %s" % (fmpq(x, den), m) for x, m in zip(xs, w)) + " }"


def draw_mix_part(r, kinds):
    k = r.choice(kinds)
    if k == "beta":
        return "beta(%s, %s)" % (draw_shape(r, 0.3, 60), draw_shape(r, 0.3, 60))
    if k == "intbeta":
        return int_beta(r)
    if k == "tnorm":
        return "truncate(normal(%s, %s), 0, 1)" % (sig(r.uniform(-0.3, 1.3), 2), sig(logu(r, 0.04, 2), 2))
    if k == "uniform":
        a, b = sorted(r.sample(range(0, 11), 2))
        return "uniform(%s, %s)" % (sig(a / 10, 2), sig(b / 10, 2))
    if k == "tri":
        return draw_simple(r, fmpq(0), fmpq(1))
    return draw_atoms(r)


def draw_mix_side(r, kinds, n=None):
    n = n or r.choice((1, 2, 2, 3))
    parts = [draw_mix_part(r, kinds) for _ in range(n)]
    if n == 1:
        return parts[0]
    return " + ".join("%s*%s" % (a, b) for a, b in zip(split_weights(r, n), parts))


def mixture_pair(r):
    k = r.random()
    if k < 0.2:
        g = r.choice((4, 5, 10, 20))
        return draw_atoms(r, max(g, 6)), draw_atoms(r, max(g, 6))
    if k < 0.45:
        kinds = ["beta"]
    elif k < 0.6:
        kinds = ["beta", "tnorm"]
    elif k < 0.75:
        kinds = ["beta", "tnorm", "uniform", "atoms"]
    elif k < 0.9:
        kinds = ["intbeta", "tnorm", "uniform", "atoms", "tri"]
    else:
        kinds = ["tnorm"]
    f0 = draw_mix_side(r, kinds)
    return (f0, f0) if r.random() < 0.01 else (f0, draw_mix_side(r, kinds))


def draw_cost(r):
    a, b = (draw_shape(r, 0.3, 20) for _ in range(2))
    if r.random() < 0.25:
        a, b = str(r.randint(1, 9)), str(r.randint(1, 9))
    return "beta(%s,%s)" % (a, b)


def weights_pair(r):
    k = r.random()
    if k < 0.3:
        return beta_pair(r)
    if k < 0.5:
        return normal_pair(r)
    if k < 0.75:
        return piecewise_pair(r)
    return mixture_pair(r)


def extremes():
    same = ["beta(2, 5)", "beta(0.3, 0.3)", "beta(200, 150)", "normal(0, 1.5)", "logistic(0, 1)",
            "triangular(0, 1/3, 1)", "uniform(0.2, 0.7)", "truncate(normal(0.3, 0.2), 0, 1)",
            "{ 18/5*x on [0, 1/3]; 6/5 on [1/3, 1] }", "{ 0.25: 0.1; 0.5: 0.9 }",
            "0.3*beta(2, 5) + 0.7*uniform(0, 1)", "0.5*{ 0.25: 1 } + 0.5*beta(2, 2)",
            "0.5*{ 0.25: 1 } + 0.5*beta(2.5, 1.5)"]
    pairs = [
        ("beta(0.05, 3)", "beta(3, 0.05)"), ("beta(3, 0.05)", "beta(0.05, 3)"),
        ("beta(0.05, 3)", "uniform(0, 1)"), ("uniform(0, 1)", "beta(0.05, 3)"),
        ("beta(0.05, 3)", "beta(1, 1)"), ("beta(0.05, 0.05)", "beta(0.06, 0.04)"),
        ("beta(100000, 100000)", "beta(100000, 101000)"), ("beta(100000, 101000)", "beta(100000, 100000)"),
        ("beta(2, 2)", "beta(2.001, 2)"), ("beta(2.001, 2)", "beta(2, 2)"), ("beta(2, 2)", "beta(2.001, 2.001)"),
        ("beta(2, 2)", "beta(2, 2.001)"), ("beta(200, 0.3)", "beta(0.3, 200)"), ("beta(0.3, 200)", "beta(200, 0.3)"),
        ("beta(1, 1)", "beta(200, 200)"), ("beta(0.3, 0.3)", "beta(200, 200)"), ("beta(200, 200)", "beta(0.3, 0.3)"),
        ("uniform(0.495, 0.503)", "uniform(0.498, 0.505)"),
        ("triangular(0.495, 0.499, 0.505)", "triangular(0.495, 0.501, 0.505)"),
        ("truncate(normal(0.499, 0.002), 0.495, 0.505)", "truncate(normal(0.501, 0.003), 0.495, 0.505)"),
        ("{ 400*x on [0.4975, 0.5025] }", "uniform(0.495, 0.505)"),
        ("{ 0.495: 0.5; 0.5: 0.3; 0.505: 0.2 }", "{ 0.495: 0.1; 0.5: 0.4; 0.505: 0.5 }"),
        ("beta(3000, 3000)", "beta(2900, 2800)"),
        ("uniform(0, 0.3)", "uniform(0.6, 1)"), ("uniform(0.6, 1)", "uniform(0, 0.3)"),
        ("uniform(0, 1/2)", "uniform(1/2, 1)"), ("uniform(1/2, 1)", "uniform(0, 1/2)"),
        ("triangular(0, 0, 0.4)", "triangular(0.5, 1, 1)"),
        ("{ 0.2: 1 }", "{ 0.7: 1 }"), ("{ 0.7: 1 }", "{ 0.2: 1 }"), ("{ 0.5: 1 }", "{ 0.5: 1 }"),
        ("{ 0: 1 }", "{ 1: 1 }"), ("{ 0: 0.5; 1: 0.5 }", "{ 0: 0.25; 1: 0.75 }"),
        ("normal(0.5, 0.000001)", "normal(0.500001, 0.000001)"), ("normal(0.500001, 0.000001)", "normal(0.5, 0.000002)"),
        ("normal(0, 1)", "normal(0.5, 0.01)"), ("normal(0, 0.01)", "normal(0.005, 1)"),
        ("normal(0, 1)", "normal(1, 100)"), ("normal(0, 100)", "normal(1, 1)"), ("normal(0, 1)", "normal(0, 100)"),
        ("normal(0, 1)", "normal(8, 1)"), ("normal(8, 1)", "normal(0, 1)"), ("normal(0, 1)", "normal(0.001, 1)"),
        ("logistic(0, 1)", "logistic(30, 1)"), ("logistic(0, 1)", "logistic(0, 50)"), ("logistic(3, 1)", "logistic(0, 1)"),
        ("uniform(0, 1)", "0.99*uniform(0, 1) + 0.01*{ 1: 1 }"),
        ("0.999*uniform(0, 1) + 0.001*{ 0: 1 }", "uniform(0, 1)"),
        ("triangular(0, 1/2, 1)", "beta(2, 2)"), ("beta(12, 1)", "uniform(0, 1)"), ("uniform(0, 1)", "beta(1, 12)"),
        ("truncate(normal(0, 0.01), 0, 1)", "truncate(normal(1, 0.01), 0, 1)"),
        ("truncate(normal(5, 1), 0, 1)", "truncate(normal(-5, 1), 0, 1)"),
        ("truncate(normal(-2, 0.5), 0, 1)", "uniform(0, 1)"),
    ]
    out = []
    for i, t in enumerate(same):
        out.append((t, t, ("0.3", "0.5", "0.9")[i % 3], ("uniform", "beta(2,3)")[i % 2]))
    pis = ("0.5", "0.2", "0.97", "0.35")
    for i, (a, b) in enumerate(pairs):
        out.append((a, b, pis[i % 4], "uniform"))
    tiny = ("1/1000000000", "999999999/1000000000")
    for a, b in (("beta(2, 5)", "beta(5, 2)"), ("beta(2, 5)", "beta(3, 6.5)"), ("normal(0, 1)", "normal(1, 2)"),
                 ("triangular(0, 1/3, 1)", "triangular(0, 2/3, 1)"), ("uniform(0, 0.6)", "uniform(0.4, 1)"),
                 ("0.3*beta(2, 5) + 0.7*uniform(0, 1)", "0.5*{ 0.25: 1 } + 0.5*beta(2.5, 2)"),
                 ("{ 0.25: 0.1; 0.5: 0.9 }", "{ 0.25: 0.3; 0.75: 0.7 }"), ("beta(0.5, 0.5)", "beta(0.5, 0.4)")):
        for t in tiny:
            out.append((a, b, t, "uniform"))
    for a, b in (("beta(2, 5)", "beta(5, 2)"), ("normal(0, 1)", "normal(1, 2)"), ("beta(2, 2)", "beta(2.001, 2)"),
                 ("triangular(0, 1/3, 1)", "triangular(0, 2/3, 1)"), ("{ 0.25: 0.1; 0.5: 0.9 }", "{ 0.25: 0.3; 0.75: 0.7 }"),
                 ("uniform(0, 0.6)", "uniform(0.4, 1)"), ("beta(0.05, 3)", "beta(3, 0.05)"),
                 ("normal(0.5, 0.000001)", "normal(0.500001, 0.000001)")):
        for c in ("beta(100,100)", "beta(0.1,0.1)"):
            out.append((a, b, "0.3", c))
    return out


# ------------------------------------------------------- brute-force hull check
def brute_hull(m, n=400):
    """AUCH and RL_conv from a dense polygon in double precision"""
    from scipy import special as sp
    e = 10.0 ** -np.arange(1, 16, 0.5)
    p = np.unique(np.concatenate([(np.arange(n) + 0.5) / n, e, 1 - e]))
    grid, ats = [], {}
    for s in (m.s0, m.s1):
        for w, c in s.parts:
            if isinstance(c, rc.BetaC):
                x = sp.betaincinv(float(c.a), float(c.b), p)
            elif isinstance(c, rc.NormalC):
                lo, hi = (0.0, 1.0) if not c.cut else (float(sp.ndtr((float(rc.A(c.lo)) - float(c.m)) / float(c.s))),
                                                       float(sp.ndtr((float(rc.A(c.hi)) - float(c.m)) / float(c.s))))
                x = float(c.m) + float(c.s) * sp.ndtri(lo + (hi - lo) * p)
                if c.cut and lo > 0.999:
                    k = np.arange(1, n) / n * 12
                    x = float(rc.A(c.lo)) + k * float(c.s) ** 2 / (float(rc.A(c.lo)) - float(c.m))
                if c.cut:
                    a, b = float(rc.A(c.lo)), float(rc.A(c.hi))
                    x = np.concatenate([x, a + (b - a) * p])
                    x = x[(x >= a) & (x <= b)]
            elif isinstance(c, rc.LogisticC):
                x = float(c.m) + float(c.s) * sp.logit(p)
            else:
                a, b = float(rc.A(c.l)), float(rc.A(c.r))
                x = np.concatenate([[a, b], a + (b - a) * p])
            grid.append(x)
        for q in s.atoms:
            ats[float(rc.A(q))] = 1
    if ats:
        grid.append(np.array(sorted(ats)))
    x = np.unique(np.concatenate(grid))
    P = []
    for s in (m.s0, m.s1):
        F = np.zeros_like(x)
        for w, c in s.parts:
            a = -np.inf if c.l == -rc.INF else float(rc.A(c.l))
            b = np.inf if c.r == rc.INF else float(rc.A(c.r))
            t = np.where(x >= b, float(c.total()), 0.0)
            ins = (x > a) & (x < b)
            t[ins] = c.npcdf(x[ins])
            F += float(rc.A(w)) * t
        L = F.copy()
        for q, mm in s.atoms.items():
            fq = float(rc.A(q))
            F += float(rc.A(mm)) * (x >= fq)
            L += float(rc.A(mm)) * (x > fq)
        P.append(np.concatenate([[0.0], np.column_stack([L, F]).ravel(), [1.0]]))
    F0, F1 = P
    pts = sorted(set(zip(F1.tolist(), F0.tolist())))
    h = []
    for q in pts:
        # neighbours closer than rounding would confuse the turn test
        if h and q[0] - h[-1][0] < 1e-14 and abs(q[1] - h[-1][1]) < 1e-14 and q != pts[-1]:
            continue
        while len(h) > 1 and (h[-1][0] - h[-2][0]) * (q[1] - h[-2][1]) >= (h[-1][1] - h[-2][1]) * (q[0] - h[-2][0]):
            h.pop()
        h.append(q)
    h = np.array(h)
    d1, d0 = np.diff(h[:, 0]), np.diff(h[:, 1])
    auch = float((d1 * (h[:-1, 1] + h[1:, 1]) / 2).sum())
    a, b = float(m.p0) * d0, float(m.p1) * d1
    with np.errstate(all="ignore"):
        rl = np.where(a + b > 0, a * b / (a + b), 0).sum()
    return auch, float(rl)


# ---------------------------------------------------------------------- tables
SETS = {
    # name: (pair function, full count, small count, seed)
    "betas": (beta_pair, 8000, 300, 101),
    "normals": (normal_pair, 2600, 300, 102),
    "piecewise": (piecewise_pair, 6000, 300, 103),
    "mixtures": (mixture_pair, 2000, 300, 104),
    "weights": (weights_pair, 1500, 300, 105),
}


def rows_of(name, count):
    if name == "extreme":
        yield from extremes()
        return
    fn, _, _, seed = SETS[name]
    r = random.Random(seed)
    for _ in range(count):
        f0, f1 = fn(r)
        yield f0, f1, draw_pi(r), (draw_cost(r) if name == "weights" else "uniform")


def run(name, path, count, skip=0):
    t0 = time.time()
    worst = {"radius": 0.0, "auch": 0.0, "rl": 0.0}
    bad = []
    done = 0
    mode = "a" if skip else "w"
    with open(path, mode) as fh:
        if not skip:
            fh.write("\t".join(HEAD) + "\n")
        for i, (f0, f1, pi, cost) in enumerate(rows_of(name, count)):
            if i < skip:
                continue
            before = rc.STAT["fail"]
            t1 = time.time()
            try:
                m, out, rad = rc.row(f0, f1, pi, cost)
                au, rl = brute_hull(m)
            except Exception as e:
                bad.append((i, repr(e)))
                print("ROW FAILED", name, i, f0, "|", f1, "|", pi, "|", cost, repr(e), file=sys.stderr, flush=True)
                continue
            dt = time.time() - t1
            if dt > 3:
                print("slow %.1fs" % dt, name, i, f0, "|", f1, "|", pi, file=sys.stderr, flush=True)
            da, dr = float(out["AUCH"]) - au, float(out["RL_conv"]) - rl
            if abs(da) > 3e-5 or abs(dr) > 3e-5:
                au, rl = brute_hull(m, 6000)
                da, dr = float(out["AUCH"]) - au, float(out["RL_conv"]) - rl
            worst["radius"] = max(worst["radius"], rad)
            worst["auch"] = max(worst["auch"], abs(da))
            worst["rl"] = max(worst["rl"], abs(dr))
            if abs(da) > 3e-5 or abs(dr) > 3e-5 or da < -1e-9 or rad > 1e-24 or rc.STAT["fail"] > before:
                bad.append((i, da, dr, rad))
                print("ROW SUSPECT", name, i, f0, "|", f1, "|", pi, "|", cost, da, dr, rad, file=sys.stderr, flush=True)
            fh.write("\t".join([f0, f1, pi, cost] + [rc.show(out[k]) for k in rc.COLS]) + "\n")
            fh.flush()
            done += 1
    print("%s: %d rows in %.0f s, largest ball radius %.1e, polygon check AUCH %.1e RL_conv %.1e, %d flagged"
          % (name, done, time.time() - t0, worst["radius"], worst["auch"], worst["rl"], len(bad)), flush=True)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--small", action="store_true", help="some 300 rows of each table")
    ap.add_argument("--only", nargs="*", default=LETTERS)
    ap.add_argument("--out", default=os.path.dirname(os.path.abspath(__file__)))
    ap.add_argument("--count", type=int, default=None)
    a = ap.parse_args()
    for name in a.only:
        n = 0 if name == "extreme" else SETS[name][2 if a.small else 1]
        if a.count is not None:
            n = a.count
        run(name, os.path.join(a.out, name + ".tsv"), n)


if __name__ == "__main__":
    main()
