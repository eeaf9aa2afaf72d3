"""Writes expressions.tsv: models whose densities are typed expressions.

    python expressions.py [--out DIR] [--count N]     about 6 minutes on one core; then gzip -9 -n

Hull, losses and quadrature are those of refcore.py. Here is what an expression needs beyond a family: its
text is read into a tree, each interval between breakpoints gets a variable v that opens its ends (logit,
log, asinh; the score itself where both densities are analytic and positive at both ends), and the density
in v is held as Taylor polynomials of degree 47 in power series balls of 320 bits and more, on intervals
halved until they agree with the direct value to 1e-30 relative at both ends. Their integrals are the
distribution functions. Irrational breakpoints are rounded to multiples of 2^-300.

Every row: both classes have mass 1 (to 1e-27; constants of families in closed form), F(1/2) two ways,
a polygon hull in double precision, and with uniform cost the losses sd, rd and o once more as those of
the cost weight beta(1, 1), by quadrature over the score, against BS, AUC and RL_conv (to 1e-22).

Verified: all 380 rows made again with other expansions and 220 bits differ by at most 5e-21, the rounding
of the print; those identities hold to 2e-24; AUCH and RL_conv agree with the polygon to 1e-7; 20 rows
computed from the definitions with mpmath agree to 1.2e-16 in every column (11 of them to 2e-17, six to 5e-21),
which is what that search for the optimal threshold reaches. Two more rows agree but for columns where it
fails: H and o of two equal densities (off by up to 2e-9; here H = 0, and zo is right to 4e-22 by a plain
integral), and a mean with a heavy tail (off by 2e-15; here 3, which is exact).
See check_expressions.py.
"""
import argparse
import os
import random
import sys
import time
from bisect import bisect_right

import numpy as np
from flint import arb, arb_poly, arb_series, ctx, fmpq, fmpz

import refcore as rc
from generate import HEAD
from refcore import A, ONE, ZERO

TERMS = 48              # of a Taylor polynomial
CHUNK = 4.0             # first length of their intervals
REL, FLOOR, NEGLIGIBLE = 1e-30, 1e-46, 1e-44
REACH = 420.0           # a variable beyond this: the integral does not exist
GRID = fmpz(2) ** 300
HULL = 1e-7             # agreement with the polygon


class Infinity(float):
    """an infinite end that can be compared with rationals"""

    def __lt__(self, other):
        return float(self) < 0 and self != other

    def __gt__(self, other):
        return float(self) > 0 and self != other

    def __le__(self, other):
        return float(self) < 0 or self == other

    def __ge__(self, other):
        return float(self) > 0 or self == other

    def __neg__(self):
        return Infinity(-float(self))

    __hash__ = float.__hash__


INF = Infinity("inf")


class precision:
    """bits of the working precision, and terms of power series, inside a with block"""

    def __init__(self, bits, terms=TERMS):
        self.new = bits, terms

    def __enter__(self):
        self.old = ctx.prec, ctx.cap
        ctx.prec, ctx.cap = self.new

    def __exit__(self, *_):
        ctx.prec, ctx.cap = self.old


# ------------------------------------------------------------------ expressions
FUNCTIONS = ("exp", "log", "sqrt", "sin", "cos")


def rational(e):
    """exact value of a tree if it has one by rational operations, else None"""
    if e[0] == "num":
        return e[1]
    if e[0] == "neg":
        a = rational(e[1])
        return None if a is None else -a
    if e[0] in ("+", "-", "*", "/", "^"):
        a, b = rational(e[1]), rational(e[2])
        if a is None or b is None:
            return None
        if e[0] == "^":
            if b.q != 1 or abs(b) > 100:
                return None
            n = int(b.p)
            p = fmpq(1)
            for _ in range(abs(n)):
                p = p * a
            return p if n >= 0 else 1 / p
        return a + b if e[0] == "+" else a - b if e[0] == "-" else a * b if e[0] == "*" else a / b
    return None


def value(e, x):
    """a tree at x: an arb, or a power series"""
    k = e[0]
    if k == "x":
        return x
    if k == "num":
        return arb(e[1])
    if k == "pi":
        return arb.pi()
    if k == "neg":
        return -value(e[1], x)
    if k == "^":
        a, n = value(e[1], x), rational(e[2])
        if n is not None and n.q == 1:
            n = int(n.p)
            if n == 0:
                return ONE
            if isinstance(a, arb):
                return a ** n
            p = a
            for _ in range(abs(n) - 1):
                p = p * a
            return p if n > 0 else 1 / p
        if n is None:
            return (a.log() * value(e[2], x)).exp()
        return a ** arb(n)
    if k in FUNCTIONS:
        return getattr(value(e[1], x), k)()
    a, b = value(e[1], x), value(e[2], x)
    return a + b if k == "+" else a - b if k == "-" else a * b if k == "*" else a / b


def constant(e):
    """a breakpoint or weight: rational, on a fine grid where it is not"""
    q = rational(e)
    if q is None:
        with precision(700):
            q = fmpq((value(e, None) * arb(GRID) + arb("0.5")).floor().unique_fmpz(), GRID)
    return q


class Reader(rc.Parser):
    """density text -> list of (weight, kind, data): ("expr", (tree, l, r)) or ("atom", place)"""

    def binary(self, ops, sub):
        a = sub()
        while self.peek() in ops:
            a = self.join(self.take(), a, sub())
        return a

    @staticmethod
    def join(op, a, b):
        la, lb = isinstance(a, list), isinstance(b, list)
        if not la and not lb:
            return (op, a, b)
        if op == "+" and la and lb:
            return a + b
        if op == "*" and lb and not la:
            return [(constant(a) * w, k, d) for w, k, d in b]
        raise ValueError("no such combination of densities")

    def sum(self):
        return self.binary(("+", "-"), self.product)

    def product(self):
        return self.binary(("*", "/"), self.unary)

    def unary(self):
        if self.peek() == "-":
            self.take()
            return ("neg", self.unary())
        return self.power()

    def power(self):
        a = self.primary()
        if self.peek() == "^":
            self.take()
            return ("^", a, self.unary())
        return a

    def end(self):
        sign = fmpq(1)
        if self.peek() == "-" and self.peek(1) == "inf":
            self.take()
            sign = fmpq(-1)
        if self.peek() == "inf":
            self.take()
            return INF if sign > 0 else -INF
        return constant(self.sum())

    def primary(self):
        t = self.take()
        if t == "(":
            e = self.sum()
            self.take(")")
            return e
        if t == "x":
            return ("x",)
        if t == "pi":
            return ("pi",)
        if t[0].isdigit() or t[0] == ".":
            return ("num", rc.number(t))
        if t in FUNCTIONS:
            self.take("(")
            e = self.sum()
            self.take(")")
            return (t, e)
        if t == "{":
            return self.braces()
        self.take("(")
        if t == "normalize":
            d = self.piece()
            out = normalize(d)
        elif t == "truncate":
            d = self.piece()
            self.take(",")
            lo = self.end()
            self.take(",")
            hi = self.end()
            out = normalize([(w, k, (e[0], max(e[1], lo), min(e[2], hi))) for w, k, e in d if e[1] < hi and e[2] > lo])
        else:
            a = [constant(self.sum())]
            while self.peek() == ",":
                self.take()
                a.append(constant(self.sum()))
            out = family(t, a)
        self.take(")")
        return out

    def braces(self):
        out = []
        while True:
            e = self.sum()
            if self.peek() == ":":
                self.take()
                out.append((constant(self.sum()), "atom", constant(e)))
            else:
                out += self.on(e)
            if self.take() == "}":
                return out
            if self.peek() == "}":
                self.take()
                return out

    def on(self, e):
        if self.peek() != "on":
            return e if isinstance(e, list) else [(fmpq(1), "expr", (e, fmpq(0), fmpq(1)))]
        self.take()
        self.take("[")
        l = self.end()
        self.take(",")
        r = self.end()
        self.take("]")
        return [(fmpq(1), "expr", (e, l, r))]

    def piece(self):
        return self.on(self.sum())

    def density(self):
        d = self.piece()
        if self.peek() is not None:
            raise ValueError("left over: %r" % self.t[self.i:])
        return d


def tree(text, **names):
    """the tree of a kernel, with numbers put for names"""
    for k, v in names.items():
        text = text.replace(k, "(%s)" % v)
    return Reader(text).sum()


def family(name, a):
    one = fmpq(1)
    if name == "atom":
        return [(one, "atom", a[0])]
    if name == "uniform":
        return [(1 / (a[1] - a[0]), "expr", (("num", one), a[0], a[1]))]
    if name == "triangular":
        l, m, h = a
        out = []
        if m > l:
            out.append((2 / (h - l) / (m - l), "expr", (tree("x - L", L=l), l, m)))
        if h > m:
            out.append((2 / (h - l) / (h - m), "expr", (tree("H - x", H=h), m, h)))
        return out
    with precision(400):
        if name == "beta":
            p, q = A(a[0]), A(a[1])
            w = ((p + q).lgamma() - p.lgamma() - q.lgamma()).exp()
            return [(w, "expr", (tree("x^A * (1-x)^B", A=a[0] - 1, B=a[1] - 1), fmpq(0), fmpq(1)))]
        if name == "normal":
            w = 1 / ((2 * arb.pi()).sqrt() * A(a[1]))
            return [(w, "expr", (tree("exp(-((x-M)/S)^2/2)", M=a[0], S=a[1]), -INF, INF))]
        if name == "logistic":
            w = 1 / A(a[1])
            return [(w, "expr", (tree("1/(2 + exp((x-M)/S) + exp((M-x)/S))", M=a[0], S=a[1]), -INF, INF))]
    raise ValueError("unknown density " + name)


def normalize(items):
    t = ZERO
    for w, k, d in items:
        t += A(w) * (ONE if k == "atom" else part(*d).total())
    return [(A(w) / t, k, d) for w, k, d in items]


# ---------------------------------------------------------- variables and expansions
class Variable:
    """score as a function of v on (l, r)"""

    def __init__(self, l, r, plain=False):
        self.l, self.r, self.open = l, r, not plain
        if plain:
            self.kind = "plain"
        elif l == -INF:
            self.kind = "asinh" if r == INF else "left"
        else:
            self.kind = "right" if r == INF else "logit"

    def parts(self, v):
        """(x, x-l, r-x, dx/dv); v an arb or a power series"""
        k = self.kind
        c = v if isinstance(v, arb) else v[0]
        if k == "plain":
            return v, v - A(self.l), A(self.r) - v, ONE
        if k == "right":
            e = v.exp()
            return A(self.l) + e, e, None, e
        if k == "left":
            e = (-v).exp()
            return A(self.r) - e, None, e, e
        if k == "asinh":
            e, i = v.exp(), (-v).exp()
            return (e - i) / 2, None, None, (e + i) / 2
        w = A(self.r - self.l)
        if float(c) > 0:
            e = (-v).exp()
            t = 1 / (1 + e)
            s = e * t
        else:
            e = v.exp()
            s = 1 / (1 + e)
            t = e * s
        dl, dr = w * t, w * s
        return (A(self.l) + dl if float(c) <= 0 else A(self.r) - dr), dl, dr, w * t * s

    def of(self, q):
        """v at an inner rational point"""
        k = self.kind
        if k == "plain":
            return A(q)
        if k == "right":
            return A(q - self.l).log()
        if k == "left":
            return -A(self.r - q).log()
        if k == "asinh":
            x = A(q)
            return (x + (x * x + 1).sqrt()).log() if float(x) >= 0 else -((x * x + 1).sqrt() - x).log()
        return (A(q - self.l) / A(self.r - q)).log()

    def xy(self, v):
        """(x, 1-x) without cancellation, inside [0, 1]"""
        _, dl, dr, _ = self.parts(v)
        return A(self.l) + dl, A(1 - self.r) + dr


def bits(v):
    return 320 + int(6 * abs(v))


def expand(f, v, terms=TERMS):
    """Taylor coefficients of f at the double v"""
    with precision(bits(v), terms):
        s = f(arb_series([arb(v), 1]))
        co = s.coeffs() if isinstance(s, arb_series) else [s]
    if not all(c.is_finite() for c in co):
        raise ArithmeticError("not analytic at %r" % v)
    with precision(rc.PREC + 32):
        return [(+c).mid() for c in co]


def at(f, v):
    with precision(bits(v)):
        return f(arb(v))


class Expansion:
    """a function of v as Taylor polynomials, and its integral"""

    def __init__(self, f, a, b):
        self.f = f
        self.cuts, self.mid, self.p = [a], [], []
        n = max(1, int(np.ceil((b - a) / CHUNK)))
        marks = [a + (b - a) * i / n for i in range(n)] + [b]
        for lo, hi in zip(marks, marks[1:]):
            self.divide(lo, hi, at(f, lo), at(f, hi))
        self.q, self.d, self.own = [], [], []
        for i, p in enumerate(self.p):
            q = p.integral()
            h1, h2 = arb(self.cuts[i]) - self.mid[i], arb(self.cuts[i + 1]) - self.mid[i]
            q = q - q(h1)
            self.q.append(q)
            self.d.append(p.derivative())
            self.own.append(q(h2))
        self.before, self.after = [ZERO], [ZERO]
        for m in self.own:
            self.before.append(self.before[-1] + m)
        for m in self.own[::-1]:
            self.after.insert(0, self.after[0] + m)
        self.total = self.before[-1]
        self.tables()

    def divide(self, lo, hi, flo, fhi):
        m = (lo + hi) / 2
        if hi - lo < 1e-7:
            raise ArithmeticError("expansions do not settle at %r" % m)
        co = expand(self.f, m)
        p = arb_poly(co)
        c = co[0]
        big = max(abs(float(flo)), abs(float(fhi)), abs(float(c)))
        for v, want in ((lo, flo), (hi, fhi), (m + 0.45 * (hi - lo), None)):
            if want is None:
                want = at(self.f, v)
            off = abs(float(p(arb(v) - arb(m)) - want))
            if not off <= REL * abs(float(want)) + 1e-6 * REL * big + FLOOR:
                self.divide(lo, m, flo, c)
                self.divide(m, hi, c, fhi)
                return
        self.cuts.append(hi)
        self.mid.append(arb(m))
        self.p.append(p)

    def tables(self):
        """doubles for scans: coefficients in units of half an interval, each scaled to 1"""
        n = len(self.p)
        self.C, self.half, self.size = np.zeros((n, TERMS)), np.zeros(n), np.zeros(n)
        for i, p in enumerate(self.p):
            h = (self.cuts[i + 1] - self.cuts[i]) / 2
            co = [c * arb(h) ** k for k, c in enumerate(p.coeffs())]
            top = max([abs(c) for c in co], key=float, default=ZERO)
            self.half[i], self.size[i] = h, float(top)
            for k, c in enumerate(co):
                self.C[i, k] = float(c / top) if self.size[i] > 1e-290 else 0.0
        self.centre = np.array([float(m) for m in self.mid])
        self.edge = np.array(self.cuts)
        self.low = np.array([float(b) for b in self.before])

    def place(self, v):
        f = float(v)
        i = bisect_right(self.cuts, f) - 1
        i = 0 if i < 0 else min(i, len(self.p) - 1)
        return i, v - self.mid[i]

    def inside(self, v):
        return self.cuts[0] <= float(v) <= self.cuts[-1]

    def __call__(self, v):
        i, t = self.place(v)
        return self.p[i](t)

    def slope(self, v):
        i, t = self.place(v)
        return self.d[i](t)

    def below(self, v):
        i, t = self.place(v)
        return self.before[i] + self.q[i](t)

    def above(self, v):
        i, t = self.place(v)
        return self.after[i + 1] + (self.own[i] - self.q[i](t))

    def between(self, v, w):
        i, t = self.place(v)
        j, u = self.place(w)
        if i == j:
            return self.q[i](u) - self.q[i](t)
        m = self.own[i] - self.q[i](t) + self.q[j](u)
        for k in range(i + 1, j):
            m += self.own[k]
        return m

    def np(self, v):
        """(value, slope, integral up to v, size) over arrays; value and slope in units of size"""
        i = np.clip(np.searchsorted(self.edge, v, side="right") - 1, 0, len(self.p) - 1)
        C, h = self.C[i], self.half[i]
        t = (v - self.centre[i]) / h
        f, d, q, q0 = (np.zeros_like(v) for _ in range(4))
        for k in range(TERMS - 1, -1, -1):
            d = d * t + f
            f = f * t + C[:, k]
            q = q * t + C[:, k] / (k + 1)
            q0 = -q0 + C[:, k] / (k + 1)
        return f, d / h, self.low[i] + (q * t + q0) * h * self.size[i], self.size[i]


def reach(f, sign, start=0.0):
    """how far f matters on an open side, None if it never ends"""
    v, step = start, 1.0
    while True:
        # two samples below the bound, so that a zero of f does not end the search
        if all(abs(float(at(f, v + sign * s))) < NEGLIGIBLE for s in (0.0, 0.37, 1.1)):
            return v
        v += sign * step
        if abs(v) > REACH:
            return None


class Part:
    """one expression on one interval: mass, moments, distribution function"""

    def __init__(self, e, l, r):
        self.e, self.l, self.r = e, l, r
        self.var = Variable(l, r)
        self.mom = {}
        self.key = (str(e), str(l), str(r))

    def spread(self, k):
        if k not in self.mom:
            def f(v):
                x, _, _, j = self.var.parts(v)
                y = value(self.e, x) * j
                for _ in range(k):
                    y = y * x
                return y
            a, b = reach(f, -1), reach(f, 1)
            self.mom[k] = None if a is None or b is None else Expansion(f, a, b)
        return self.mom[k]

    def total(self):
        return self.spread(0).total

    def moment(self, k):
        s = self.spread(k)
        return None if s is None else s.total

    def cdf(self, q):
        v = self.var.of(q)
        s = self.spread(0)
        return s.below(v) if s.inside(v) else ZERO if float(v) < 0 else s.total


PARTS = {}


def part(e, l, r):
    k = (str(e), str(l), str(r))
    if k not in PARTS:
        PARTS[k] = Part(e, l, r)
    return PARTS[k]


class Side(rc.Side):
    def __init__(self, text):
        self.parts, self.atoms = [], {}
        for w, kind, d in Reader(text).density():
            if kind == "atom":
                self.atoms[d] = self.atoms.get(d, ZERO) + A(w)
            else:
                self.parts.append((A(w), part(*d)))
        t = sum((w * c.total() for w, c in self.parts), ZERO) + sum(self.atoms.values(), ZERO)
        if abs(float(t - 1)) > 1e-27:
            raise ValueError("total mass is %s" % t.str(30))

    def moment(self, k):
        t = ZERO
        for w, c in self.parts:
            m = c.moment(k)
            if m is None:
                return None
            t += w * m
        return t + sum((m * A(x) ** k for x, m in self.atoms.items()), ZERO)

    def F(self, x):
        t = sum((m for p, m in self.atoms.items() if p <= x), ZERO)
        for w, c in self.parts:
            if c.r <= x:
                t += w * c.total()
            elif c.l < x:
                t += w * c.cdf(x)
        return t


class Piece:
    """interval between breakpoints, with what refcore asks of one"""
    u = polyonly = False

    def __init__(self, l, r, sides):
        self.l, self.r = l, r
        self.act = [[(w, c) for w, c in s.parts if c.l <= l and r <= c.r] for s in sides]
        self.live = [bool(a) for a in self.act]
        self.var = Variable(l, r, plain=l != -INF and r != INF and self.tame(l, r))
        self.x = [None, None]
        ends = []
        fs = [self.density(k) if self.live[k] else None for k in (0, 1)]
        for sign, q in ((-1, l), (1, r)):
            if self.var.open:
                ends.append([reach(f, sign) for f in fs if f])
            else:
                ends.append([float(A(q))])
        if any(self.live):
            self.lo, self.hi = min(ends[0]), max(ends[1])
        for k in (0, 1):
            if self.live[k]:
                self.x[k] = Expansion(fs[k], self.lo, self.hi)

    def density(self, k):
        def f(v):
            x, _, _, j = self.var.parts(v)
            y = 0
            for w, c in self.act[k]:
                y = y + value(c.e, x) * w
            return y * j
        return f

    def tame(self, l, r):
        """both densities analytic and positive at both ends, which are doubles"""
        for a in self.act:
            for q in (l, r):
                if fmpq(*float(A(q)).as_integer_ratio()) != q:
                    return False
                t = ZERO
                for w, c in a:
                    try:
                        t += w * expand(lambda v: value(c.e, v), float(A(q)), 6)[0]
                    except (ArithmeticError, ValueError):
                        return False
                if a and not t > 0.01:
                    return False
        return True

    def v_of(self, q):
        return self.var.of(q)

    def dens(self, v, deriv=False):
        f = [x(v) if x else ZERO for x in self.x]
        self.last = v
        return (f, [x.slope(v) if x else ZERO for x in self.x]) if deriv else f

    def mass(self, k, v, w):
        return ZERO if v is w else self.x[k].between(v, w)

    def total(self, k):
        return self.x[k].total if self.live[k] else ZERO

    def tail(self, k, v, right):
        if not self.live[k]:
            return ZERO
        return self.x[k].above(v) if right else self.x[k].below(v)

    def cdf(self, k, v, _=None):
        return self.base[k] + (self.x[k].below(v) if self.live[k] else ZERO)

    def rest(self, k, v):
        return self.aft[k] + (self.x[k].above(v) if self.live[k] else ZERO)


class Model(rc.Model):
    def __init__(self, t0, t1, pi0):
        self.s0, self.s1 = Side(t0), Side(t1)
        self.pi0q, self.pi1q = pi0, 1 - pi0
        self.p0, self.p1 = A(pi0), A(1 - pi0)
        self.scale = min(float(self.p0), float(self.p1))
        self.tail_tol, self.tol = 1e-26 * self.scale, 1e-24 * self.scale
        self.build()

    def build(self):
        sides = self.s0, self.s1
        ends = {e for s in sides for _, c in s.parts for e in (c.l, c.r)} | {p for s in sides for p in s.atoms}
        bounds = sorted(ends)
        self.elems, self.pieces, self.all = [], [], []
        F = [ZERO, ZERO]
        for i, b in enumerate(bounds):
            m = [s.atoms.get(b, ZERO) for s in sides]
            if any(float(t) > 0 for t in m):
                self.elems.append(rc.Elem("seg", None, b, b, tuple(m)))
                F = [p + q for p, q in zip(F, m)]
            if i + 1 < len(bounds):
                J = Piece(b, bounds[i + 1], sides)
                if any(J.live):
                    J.base = list(F)
                    F = [F[k] + J.total(k) for k in (0, 1)]
                    self.all.append(J)
                    self.add_piece(J)
        for k, s in enumerate(sides):
            if abs(float(F[k] - 1)) > 1e-27:
                raise ArithmeticError("mass of the pieces is %s" % F[k].str(30))
            for J in self.all:
                J.aft = getattr(J, "aft", []) + [sum((K.total(k) for K in self.all if K.l >= J.r), ZERO)
                                                 + sum((m for p, m in s.atoms.items() if p >= J.r), ZERO)]
                if J.l < fmpq(1, 2) < J.r:
                    if abs(float(J.cdf(k, J.v_of(fmpq(1, 2))) - s.F(fmpq(1, 2)))) > 1e-27:
                        raise ArithmeticError("two values of F(1/2)")

    def cut(self, J, right, both=False, k=None):
        """as in refcore; the expansions bracket it"""
        def small(v):
            ks = (0, 1) if k is None else (k,)
            return min(float(J.tail(i, arb(v), right)) for i in ks) < self.tail_tol
        near, far = (J.lo, J.hi) if right else (J.hi, J.lo)
        for _ in range(12):
            mid = (near + far) / 2
            near, far = (near, mid) if small(mid) else (mid, far)
        return arb(far)

    def add_piece(self, J):
        m = J.total(0), J.total(1)
        if not all(J.live) or self.proportional(J):
            self.elems.append(rc.Elem("seg", J, None, None, m))
            return
        self.pieces.append(J)
        if J.var.open:
            a, b = self.cut(J, False), self.cut(J, True)
            self.elems.append(rc.Elem("seg", (J, "left"), None, a, (J.tail(0, a, False), J.tail(1, a, False))))
        else:
            a, b = arb(J.lo), arb(J.hi)
        if float(b) <= float(a):
            b = a
        else:
            roots = [r for r in self.scan(J, float(a), float(b)) if float(a) < r < float(b)]
            vs = [a] + [arb(r) for r in roots] + [b]
            for v, w in zip(vs, vs[1:]):
                self.elems.append(rc.Elem("arc", J, v, w, (J.mass(0, v, w), J.mass(1, v, w)), self.rising(J, v, w)))
        J.range = (a, b)
        if J.var.open:
            self.elems.append(rc.Elem("seg", (J, "right"), b, None, (J.tail(0, b, True), J.tail(1, b, True))))

    def proportional(self, J):
        ratio = J.total(1) / J.total(0)
        a, b = (float(self.cut(J, r)) for r in (False, True)) if J.var.open else (J.lo, J.hi)
        for i in range(1, 40):
            f = J.dens(arb(a + (b - a) * i / 40.3))
            if abs(float(f[1] - ratio * f[0])) > 1e-26 * abs(float(f[1])):
                return False
        return True

    def np_h(self, J, v):
        with np.errstate(all="ignore"):
            f, g = J.x[0].np(v), J.x[1].np(v)
            h = g[1] / g[0] - f[1] / f[0]
        return np.nan_to_num(h, nan=0.0, posinf=1e300, neginf=-1e300)

    def ends(self, J, k):
        """limits of v for an integral with the density of class k"""
        if not J.var.open:
            return arb(J.lo), arb(J.hi)
        return self.cut(J, False, k=k), self.cut(J, True, k=k)

    def sd_parts(self, w):
        res = []
        for k, B in ((0, rc.BetaC(w.aq + 1, w.bq)), (1, rc.BetaC(w.aq, w.bq + 1))):
            G = B.cdf if k == 0 else B.sf
            t = sum((m * G(A(p), A(1 - p)) for p, m in self.side(k).atoms.items()), ZERO)
            for J in self.all:
                if J.live[k]:
                    a, b = self.ends(J, k)
                    t += rc.integrate(lambda v: (J.x[k](v) * G(*J.var.xy(v)),), a, b, 1, self.tol)[0]
            res.append(t)
        return res

    def rd_k(self, w, a, b, sym):
        """integral of F0(R^-1(c)) over the cost weight"""
        K, R = ZERO, ZERO
        for e in self.elems:
            d = a * e.m[0] + b * e.m[1]
            if e.kind == "seg" and not isinstance(e.J, tuple) and e.m[0] > 0:
                K += e.m[0] * (1 - (w.intW(R + d, 1 - R - d) - w.intW(R, 1 - R)) / d)
            R = R + d
        ib = w.get_ib() if w.kind != "uni" else None
        for J in self.pieces:
            def fun(v):
                f = J.x[0](v)
                R = a * J.cdf(0, v) + b * J.cdf(1, v)
                S = a * J.rest(0, v) + b * J.rest(1, v)
                if not f > 0 or not S > 0:
                    return (ZERO,)
                if not R > 0:
                    return (f,)
                return (f * (S if ib is None else ib.upp(R, S)),)
            lo, hi = self.ends(J, 0)
            K += rc.integrate(fun, lo, hi, 1, self.tol)[0]
        return K


def polygon(m, n=6000):
    """AUCH and RL_conv of a dense polygon in double precision"""
    F = [[0.0], [0.0]]
    places = [(p, 0, p) for p in set(m.s0.atoms) | set(m.s1.atoms)] + [(J.l, 1, J) for J in m.all]
    for _, kind, o in sorted(places, key=lambda t: t[:2]):
        if kind == 0:
            for k, s in enumerate((m.s0, m.s1)):
                F[k].append(F[k][-1] + float(s.atoms.get(o, ZERO)))
            continue
        # even steps in v, and even steps of the mass of each class
        v = np.linspace(o.lo, o.hi, n)
        more = [v]
        for k in (0, 1):
            if o.live[k]:
                c = o.x[k].np(v)[2]
                more.append(np.interp(np.linspace(c[0], c[-1], n), np.maximum.accumulate(c), v))
        v = np.unique(np.concatenate(more))
        for k in (0, 1):
            s = float(o.base[k])
            F[k] += list(s + o.x[k].np(v)[2]) if o.live[k] else [s] * len(v)
    pts = sorted(set(zip(F[1] + [1.0], F[0] + [1.0])))
    h = []
    for q in pts:
        if h and q[0] - h[-1][0] < 1e-14 and abs(q[1] - h[-1][1]) < 1e-14 and q != pts[-1]:
            continue
        while len(h) > 1 and (h[-1][0] - h[-2][0]) * (q[1] - h[-2][1]) >= (h[-1][1] - h[-2][1]) * (q[0] - h[-2][0]):
            h.pop()
        h.append(q)
    h = np.array(h)
    d1, d0 = np.diff(h[:, 0]), np.diff(h[:, 1])
    a, b = float(m.p0) * d0, float(m.p1) * d1
    with np.errstate(all="ignore"):
        rl = np.where(a + b > 0, a * b / (a + b), 0).sum()
    return float((d1 * (h[:-1, 1] + h[1:, 1]) / 2).sum()), float(rl)


# ----------------------------------------------------------------------- models
UNIT = """
1 + sin(6*pi*x)/2
1 - sin(2*pi*x)/3
1 + sin(6*pi*x)
1 + 0.9*cos(3*pi*x)
1 - 0.95*cos(pi*x)
1 + cos(5*pi*x)*cos(pi*x)/2
pi/2*sin(pi*x)
pi/2*cos(pi*x/2)
2*sin(2*pi*x)^2
exp(x)/(exp(1)-1)
1/(x+1)/log(2)
4/(pi*(1+x^2))
2/(1+x)^2
-log(x)
-log(1-x)
log(x)^2/2
-4*x*log(x)
x^(-1/2)/2
(1-x)^(-1/3)*2/3
x^(-0.7)*0.3
3/2*sqrt(x)
2.7*x^1.7
1/(pi*sqrt(x*(1-x)))
8/pi*sqrt(x*(1-x))
3*(2*x-1)^2
2*(1-x)
normalize(1 + sin(3*pi*x)/2)
normalize(1 + 0.8*sin(11*pi*x))
normalize(2 + cos(8*pi*x) + sin(4*pi*x)/2)
normalize(1.25 + sin(7*x) - x/4)
normalize(exp(-3*x))
normalize(exp(5*x))
normalize(exp(sin(2*pi*x)))
normalize(exp(cos(9*x)))
normalize(sqrt(x)*exp(-x))
normalize(x^1.7*(1-x)^0.4*exp(2*x))
normalize(x^0.3*(1-x)^(-0.4)*(2 - x))
normalize(1/(1+25*(x-1/2)^2))
normalize(1/(1+400*(x-0.3)^2))
normalize(exp(-50*(x-0.7)^2))
normalize(exp(-1/x))
normalize(exp(-0.1/(x*(1-x))))
normalize(sqrt(1+x)*log(2+x))
normalize(1/(0.1+x))
normalize(x^x)
normalize(sqrt(sin(pi*x)))
normalize(1/(1 + exp(-12*(x-0.4))))
normalize(x*exp(-8*x))
normalize((1 + sin(40*x)/3)*x)
normalize(cos(x)^3)
""".strip().split("\n")

PIECES = """
{ pi/2*sin(pi*x) on [0, 1/2]; 1 on [1/2, 1] }
{ 1/(4*sqrt(x)) on [0, 1/4]; 1 on [1/4, 1] }
{ sqrt(2) on [0, sqrt(2)/2] }
{ sqrt(2)/2 on [0, sqrt(2)/2]; 1/(2-sqrt(2)) on [sqrt(2)/2, 1] }
{ pi on [1/2, 1/2 + 1/(2*pi)]; 1 on [0, 1/2] }
{ -log(2*x) on [0, 1/2]; 4*(x-1/2) on [1/2, 1] }
normalize({ exp(-3*x) on [0, 1/3]; 1 + sin(6*pi*x)/2 on [1/3, 1] })
normalize({ sqrt(x) on [0, sqrt(2)/4]; exp(x) on [1/2, 1] })
normalize({ 1 + sin(9*x)/2 on [0, 1/3]; sqrt(1-x) on [1/3, 1] })
normalize({ exp(2*x) on [0.1, 1/pi]; 3 on [1/pi, 0.6]; (1-x)^1.5 on [0.7, 1] })
normalize({ (1/3-x)^(-1/2) on [0, 1/3]; (x-1/3)^(-1/2) on [1/3, 1] })
normalize({ (x-1/4)^0.3 on [1/4, sqrt(3)/2]; 1/(1+x) on [sqrt(3)/2, 1] })
normalize({ 1 on [0, 1/3]; 4 + cos(20*x) on [1/3, 2/3]; exp(-x) on [2/3, 1] })
normalize({ x^(-0.4) on [0, exp(-1)]; log(1/x) on [exp(-1), 1] })
normalize({ sin(pi*x)^2 on [0, 0.4]; sin(pi*x) on [0.6, 1] })
normalize({ cos(pi*x/2) on [0, pi/4]; 2*x on [pi/4, 1] })
normalize({ 5 on [1/5, 2/5]; 1 + sin(6*pi*x)/2 on [2/5, 3/5]; 5*exp(x) on [4/5, 1] })
normalize(exp(4*x) on [0.2, sqrt(2)/2])
normalize(1/sqrt(x-1/5) on [1/5, 1])
truncate(exp(-x) on [0, inf], 0, 1)
truncate(1/(pi*(1+x^2)) on [-inf, inf], 0, 1)
""".strip().split("\n")

HALF = """
exp(-x) on [0, inf]
2*exp(-2*x) on [0, inf]
exp(-x/3)/3 on [0, inf]
x*exp(-x) on [0, inf]
x^2*exp(-x)/2 on [0, inf]
exp(-x/2)/sqrt(2*pi*x) on [0, inf]
sqrt(2/pi)*exp(-x^2/2) on [0, inf]
x*exp(-x^2/2) on [0, inf]
1/(1+x)^2 on [0, inf]
2/(1+x)^3 on [0, inf]
2/(pi*(1+x^2)) on [0, inf]
2/3*exp(-x)*(1+sin(x)) on [0, inf]
normalize(sqrt(x)*exp(-x) on [0, inf])
normalize(x^1.5*exp(-2*x) on [0, inf])
normalize(exp(-log(x)^2/2)/x on [0, inf])
normalize(x*exp(-x)/(1+x) on [0, inf])
2/x^3 on [1, inf]
1/x^2 on [1, inf]
3/x^4 on [1, inf]
1.5*x^(-2.5) on [1, inf]
2*exp(-2*(x-1)) on [1, inf]
exp(1-x) on [1, inf]
{ 1/2 on [0, 1]; exp(1-x)/2 on [1, inf] }
{ x/2 on [0, sqrt(2)]; sqrt(2)/2/x^2 on [sqrt(2), inf] }
normalize({ exp(x) on [0, 1]; x^(-3) on [1, inf] })
""".strip().split("\n")

LINE = """
exp(-x^2/2)/sqrt(2*pi) on [-inf, inf]
exp(-(x-1)^2/8)/sqrt(8*pi) on [-inf, inf]
exp(-(x-2)^2/2)/sqrt(2*pi) on [-inf, inf]
1/(pi*(1+x^2)) on [-inf, inf]
2/(pi*(4+(x-1)^2)) on [-inf, inf]
2/(pi*(1+x^2)^2) on [-inf, inf]
1/(2*(1+(x-1)^2)^(3/2)) on [-inf, inf]
2/pi/(exp(x)+exp(-x)) on [-inf, inf]
exp(-x)/(1+exp(-x))^2 on [-inf, inf]
exp(x-exp(x)) on [-inf, inf]
{ exp(x)/2 on [-inf, 0]; exp(-x)/2 on [0, inf] }
{ 2/3*exp(x) on [-inf, 0]; exp(-x)/3 on [0, inf] }
{ 1/(2*(1-x)^2) on [-inf, 0]; exp(-x)/2 on [0, inf] }
exp(x) on [-inf, 0]
2/(1-x)^3 on [-inf, 0]
normalize((1 + sin(2*x)/2)*exp(-x^2/4) on [-inf, inf])
normalize(exp(-x^4) on [-inf, inf])
normalize(x^2*exp(-x^2) on [-inf, inf])
normal(0.5, 1)
logistic(1, 0.7)
""".strip().split("\n")

BOUNDED = """
x/2 on [0, 2]
3/4*(1-x^2) on [-1, 1]
2/pi*sqrt(1-x^2) on [-1, 1]
1/(pi*sqrt(1-x^2)) on [-1, 1]
(1+sin(pi*x))/2 on [-1, 1]
normalize(exp(-x) on [-1, 2])
normalize(2 + sin(5*x) on [0, pi])
normalize(1/(1+x^2) on [-1, 2])
sin(x)/2 on [0, pi]
log(x) on [1, exp(1)]
normalize({ exp(x) on [-1, 0]; sqrt(x) on [0, sqrt(3)] })
""".strip().split("\n")

FAMILIES = ["beta(2, 5)", "beta(5, 2)", "beta(0.6, 1.8)", "beta(3.5, 2.5)", "beta(1, 1)", "uniform(0, 1)", "uniform(0.2, 0.7)",
            "triangular(0, 1/3, 1)", "truncate(normal(0.6, 0.2), 0, 1)"]
ATOMS = ["{ 0.25: 0.1; 0.5: 0.9 }", "atom(0.5)", "{ 0: 0.5; 1: 0.5 }", "{ 1/3: 0.2; 2/3: 0.8 }", "atom(0.8)"]
FAR_ATOMS = ["atom(1)", "{ 0: 0.3; 2: 0.7 }", "atom(3/2)"]
PIS = ["1/2", "1/2", "0.3", "0.3", "0.05", "0.001", "0.999"]
COSTS = ["uniform", "uniform", "beta(2,2)", "beta(0.7,3)", "beta(5,1.5)"]


def braced(t):
    """a density as a part of a mixture"""
    if t.startswith(("normalize", "truncate", "{")) or t[:4] in ("beta", "unif", "tria", "norm", "logi", "atom"):
        return t
    return "{ %s%s }" % (t, "" if " on [" in t else " on [0, 1]")


def mixture(r, pool, others, atoms):
    w = r.choice(("0.3", "0.5", "0.85", "0.02"))
    v = str(1 - fmpq(*map(int, (w[2:], 10 ** len(w[2:])))))
    a, b = r.choice(pool), r.choice(others + atoms if r.random() < 0.6 else pool)
    return "%s*%s + %s*%s" % (w, braced(a), v, braced(b))


def draw_side(r, kind):
    k = r.random()
    if kind == "unit":
        if k < 0.5:
            return r.choice(UNIT)
        if k < 0.72:
            return r.choice(PIECES)
        if k < 0.8:
            return r.choice(FAMILIES)
        return mixture(r, UNIT + PIECES, FAMILIES, ATOMS)
    if kind == "half":
        return r.choice(HALF) if k < 0.8 else mixture(r, HALF, ["uniform(0, 2)", "beta(2, 3)"], FAR_ATOMS)
    if kind == "line":
        return r.choice(LINE) if k < 0.8 else mixture(r, LINE, HALF + ["uniform(-1, 1)"], FAR_ATOMS)
    if kind == "bounded":
        return r.choice(BOUNDED) if k < 0.8 else mixture(r, BOUNDED, UNIT, ATOMS)
    return r.choice(LINE + HALF + UNIT + BOUNDED)


FIXED = [
    ("1 + sin(6*pi*x)/2", "1 + sin(6*pi*x)/2"), ("x^(-1/2)/2", "beta(0.5, 1)"), ("8/pi*sqrt(x*(1-x))", "beta(1.5, 1.5)"),
    ("exp(-x) on [0, inf]", "normalize(exp(-x) on [0, inf])"), ("exp(-x)/(1+exp(-x))^2 on [-inf, inf]", "logistic(0, 1)"),
    ("exp(-x^2/2)/sqrt(2*pi) on [-inf, inf]", "normal(1, 2)"), ("exp(-x^2/2)/sqrt(2*pi) on [-inf, inf]", "normal(1, 1)"),
    ("2*(1-x)", "2*x"), ("1 + 0.9*cos(3*pi*x)", "1 - 0.95*cos(pi*x)"), ("beta(2, 5)", "1 + sin(6*pi*x)/2"),
    ("1 + sin(6*pi*x)/2", "beta(5, 2)"), ("1 + sin(6*pi*x)", "beta(3.5, 2.5)"), ("uniform(0, 1)", "normalize(1 + 0.8*sin(11*pi*x))"),
    ("uniform(0, 1)", "1 + sin(6*pi*x)"), ("2*sin(2*pi*x)^2", "normalize(exp(5*x))"), ("normalize(exp(-3*x))", "normalize(exp(5*x))"),
    ("2*exp(-2*x) on [0, inf]", "2/3*exp(-x)*(1+sin(x)) on [0, inf]"), ("exp(-x) on [0, inf]", "2/x^3 on [1, inf]"),
    ("-log(x)", "-log(1-x)"), ("1/(pi*(1+x^2)) on [-inf, inf]", "2/(pi*(4+(x-1)^2)) on [-inf, inf]"),
    ("{ 2 + sin(40*x)/2 - sin(40*x)/2 on [0, 1/2] }", "{ 2*sin(pi*x/2)^2 + 2*cos(pi*x/2)^2 on [1/2, 1] }"),
    ("{ sqrt(2) on [0, sqrt(2)/2] }", "{ 1/(1-sqrt(2)/2) on [sqrt(2)/2, 1] }"),
]


def rows(count):
    r = random.Random(302)
    for i, (a, b) in enumerate(FIXED):
        yield a, b, PIS[2 * i % 7], COSTS[i % 5]
    kinds = ["unit"] * 12 + ["half"] * 4 + ["line"] * 3 + ["bounded"] * 2 + ["any"]
    seen = set(FIXED)
    while len(seen) < count:
        kind = r.choice(kinds)
        a, b = draw_side(r, kind), draw_side(r, kind)
        if a == b or (a in FAMILIES and b in FAMILIES):
            continue
        m = [Side(t).moment(1) for t in (a, b)]
        # most models rank the classes the right way round
        if None not in m and m[0] > m[1] and r.random() < 0.8:
            a, b = b, a
        pi, cost = r.choice(PIS), r.choice(COSTS)
        if (a, b) not in seen:
            seen.add((a, b))
            yield a, b, pi, cost


def row(f0, f1, pi0, cost):
    """(values, largest miss of the identities, ball radius)"""
    m = Model(f0, f1, rc.parse_const(pi0))
    out = m.compute(rc.parse_cost(cost))
    miss = 0.0
    if cost == "uniform":
        same = m.compute((fmpq(1), fmpq(1)))
        for pre, a, b, l, s in (("", m.p0, m.p1, "RL_conv", "BS"), ("z", rc.HALF, rc.HALF, "zo", "MBS")):
            auc = out["AUC"]
            diffs = [same[pre + "rd"] - a * b * (1 - 2 * auc) - ONE / 3, same[pre + "o"] - out[l],
                     same[pre + "ru"] - a * b * (1 - 2 * auc) - ONE / 2]
            if out[s] is not None:
                diffs += [same[pre + "sd"] - out[s]]
            miss = max([miss] + [abs(float(d)) for d in diffs])
    return m, out, miss, max(float(v.rad()) for v in out.values() if v is not None)


def write(path, count):
    t0, worst, n = time.time(), [0.0] * 4, 0
    with open(path, "w") as fh:
        fh.write("\t".join(HEAD) + "\n")
        for f0, f1, pi, cost in rows(count):
            t1, fails = time.time(), rc.STAT["fail"]
            try:
                m, out, miss, rad = row(f0, f1, pi, cost)
            except Exception as e:
                print("ROW FAILED", f0, "|", f1, "|", pi, "|", cost, repr(e), file=sys.stderr, flush=True)
                continue
            for points in (6000, 60000):
                au, rl = polygon(m, points)
                da, dr = float(out["AUCH"]) - au, float(out["RL_conv"]) - rl
                if max(abs(da), abs(dr)) < HULL:
                    break
            got = abs(da), abs(dr), miss, rad
            worst = [max(p) for p in zip(worst, got)]
            if max(got[:2]) > HULL or da < -1e-9 or miss > 1e-22 or rad > 1e-24 or rc.STAT["fail"] > fails:
                print("ROW SUSPECT", f0, "|", f1, "|", pi, "|", cost, da, *got, file=sys.stderr, flush=True)
            if time.time() - t1 > 8:
                print("slow %.1f s" % (time.time() - t1), f0, "|", f1, file=sys.stderr, flush=True)
            fh.write("\t".join([f0, f1, pi, cost] + [rc.show(out[k]) for k in rc.COLS]) + "\n")
            fh.flush()
            n += 1
    print("%d rows in %.0f s, largest: polygon AUCH %.1e RL_conv %.1e, identities %.1e, ball radius %.1e" % (n, time.time() - t0, *worst))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--out", default=os.path.dirname(os.path.abspath(__file__)))
    ap.add_argument("--count", type=int, default=380)
    a = ap.parse_args()
    write(os.path.join(a.out, "expressions.tsv"), a.count)


if __name__ == "__main__":
    main()
