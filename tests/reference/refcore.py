"""High-precision reference values for two-density classifier models.

All arithmetic is done with ball arithmetic (python-flint) at PREC bits.
See README.md for the method.
"""
import re
import math
from flint import arb, arb_poly, fmpq, fmpz, fmpq_poly, ctx
import numpy as np

PREC = 160
ctx.prec = PREC
ZERO, ONE, HALF = arb(0), arb(1), arb(1) / 2
INF = float("inf")
PI = arb.pi()


def A(q):
    return q if isinstance(q, arb) else arb(q)


# ------------------------------------------------------------------ parsing
TOK = re.compile(r"\s*(\d+\.\d*|\d+|\.\d+|[A-Za-z]+|[-+*/^(){}\[\],;:])")


def number(s):
    if "." in s:
        i, f = s.split(".")
        return fmpq(int((i or "0") + f), 10 ** len(f))
    return fmpq(int(s))


class Parser:
    """Recursive descent reader of the density syntax, exact rationals."""

    def __init__(self, text):
        self.t, pos = [], 0
        text = text.strip()
        while pos < len(text):
            m = TOK.match(text, pos)
            if not m:
                raise ValueError("cannot read %r at %d" % (text, pos))
            self.t.append(m.group(1))
            pos = m.end()
        self.i = 0

    def peek(self, k=0):
        return self.t[self.i + k] if self.i + k < len(self.t) else None

    def take(self, want=None):
        tok = self.peek()
        if tok is None or (want is not None and tok != want):
            raise ValueError("expected %r, found %r" % (want, tok))
        self.i += 1
        return tok

    def const(self):
        sign = 1
        while self.peek() in ("-", "+"):
            if self.take() == "-":
                sign = -sign
        v = number(self.take())
        if self.peek() == "/":
            self.take()
            v = v / number(self.take())
        return v * sign

    def poly(self):
        total = fmpq_poly([0])
        first = True
        while first or self.peek() in ("+", "-"):
            sign = 1
            while self.peek() in ("+", "-"):
                if self.take() == "-":
                    sign = -sign
            first = False
            term = fmpq_poly([sign])
            while True:
                if self.peek() == "x":
                    self.take()
                    p = fmpq_poly([0, 1])
                    if self.peek() == "^":
                        self.take()
                        p = p ** int(self.take())
                    term = term * p
                else:
                    term = term * self.const()
                if self.peek() == "*":
                    self.take()
                    continue
                break
            total = total + term
        return total

    def args(self):
        self.take("(")
        out = []
        while True:
            out.append(self.const())
            if self.peek() == ",":
                self.take()
                continue
            self.take(")")
            return out

    def atom(self):
        """one component -> list of (kind, parameters, weight)"""
        tok = self.peek()
        if tok == "{":
            self.take()
            out = []
            # point masses look like 'number :' and pieces like 'poly on [..]'
            j, depth = self.i, 0
            while self.t[j] not in (":", "on", "}"):
                j += 1
            if self.t[j] == ":":
                while True:
                    x = self.const()
                    self.take(":")
                    m = self.const()
                    out.append(("atom", (x,), m))
                    if self.peek() == ";":
                        self.take()
                        if self.peek() != "}":
                            continue
                    break
            else:
                while True:
                    p = self.poly()
                    self.take("on")
                    self.take("[")
                    l = self.const()
                    self.take(",")
                    r = self.const()
                    self.take("]")
                    out.append(("poly", (l, r, p), fmpq(1)))
                    if self.peek() == ";":
                        self.take()
                        if self.peek() != "}":
                            continue
                    break
            self.take("}")
            return out
        name = self.take()
        if name == "truncate":
            self.take("(")
            inner = self.take()
            a = self.args()
            if inner != "normal":
                raise ValueError("only normal densities are truncated here")
            self.take(",")
            lo = self.const()
            self.take(",")
            hi = self.const()
            self.take(")")
            return [("normal", (a[0], a[1], lo, hi), fmpq(1))]
        a = self.args()
        if name == "beta":
            return [("beta", (a[0], a[1]), fmpq(1))]
        if name == "uniform":
            return [("poly", (a[0], a[1], fmpq_poly([1 / (a[1] - a[0])])), fmpq(1))]
        if name == "triangular":
            l, m, h = a
            out = []
            k = 2 / (h - l)
            if m > l:
                out.append(("poly", (l, m, fmpq_poly([-l * k / (m - l), k / (m - l)])), fmpq(1)))
            if h > m:
                out.append(("poly", (m, h, fmpq_poly([h * k / (h - m), -k / (h - m)])), fmpq(1)))
            return out
        if name == "normal":
            return [("normal", (a[0], a[1], None, None), fmpq(1))]
        if name == "logistic":
            return [("logistic", (a[0], a[1]), fmpq(1))]
        raise ValueError("unknown density " + name)

    def density(self):
        out = []
        while True:
            w = fmpq(1)
            if self.peek()[0].isdigit() or self.peek()[0] == ".":
                w = self.const()
                self.take("*")
            out += [(k, p, m * w) for k, p, m in self.atom()]
            if self.peek() == "+":
                self.take()
                continue
            if self.peek() is not None:
                raise ValueError("left over: %r" % self.t[self.i:])
            return out


def parse_const(text):
    p = Parser(text)
    v = p.const()
    assert p.peek() is None
    return v


# --------------------------------------------------------------- components
class IncBeta:
    """Regularised incomplete beta function for fixed parameters, many points.

    I_x(a,b) = x^a (1-x)^b / (a B(a,b)) * sum (a+b)_n/(a+1)_n x^n, used for x
    up to a split point and reflected beyond it; the truncated series is held
    as a polynomial whose tail is below 2^-(PREC-4) relative at the split.
    """

    cache = {}

    def __init__(self, a, b):
        self.a, self.b = A(a), A(b)
        af, bf = float(self.a), float(self.b)
        self.split = min(max((af + 1) / (af + bf + 2), 0.1), 0.9)
        self.lb = self.a.lgamma() + self.b.lgamma() - (self.a + self.b).lgamma()
        self.p = self.series(self.a, self.b, self.split)
        self.q = self.series(self.b, self.a, 1 - self.split)
        # shorter polynomials for the far ends
        self.ps = self.series(self.a, self.b, self.split / 4)
        self.qs = self.series(self.b, self.a, (1 - self.split) / 4)

    @staticmethod
    def series(a, b, xs, cap=2500):
        af, bf = float(a), float(b)
        if max(af, bf) > 3000:
            return None
        lim = -(PREC - 4) * math.log(2)
        lt, lx, n, top = 0.0, math.log(xs * 1.0001), 0, 0.0
        while lt > top + lim + math.log(max(1e-9, 1 - xs)) or n < 8:
            lt += math.log((af + bf + n) / (af + 1 + n)) + lx
            top = max(top, lt)
            n += 1
            if n > cap:
                return None
        co, t = [], ONE / a
        for k in range(n + 1):
            co.append(t)
            t = t * (a + b + k) / (a + (1 + k))
        return arb_poly(co)

    def low(self, x, y, lx=None, ly=None):
        """I_x(a,b) for y = 1-x, both given accurately and in (0,1)."""
        if float(x) <= self.split:
            if self.p is None:
                return x.beta_lower(self.a, self.b, 1)
            e = (self.a * (lx if lx is not None else x.log())
                 + self.b * (ly if ly is not None else y.log()) - self.lb).exp()
            return e * (self.p if float(x) > self.split / 4 else self.ps)(x)
        return 1 - self.upp(x, y, lx, ly)

    def upp(self, x, y, lx=None, ly=None):
        if float(x) > self.split:
            if self.q is None:
                return y.beta_lower(self.b, self.a, 1)
            e = (self.a * (lx if lx is not None else x.log())
                 + self.b * (ly if ly is not None else y.log()) - self.lb).exp()
            return e * (self.q if float(y) > (1 - self.split) / 4 else self.qs)(y)
        return 1 - self.low(x, y, lx, ly)


SQ2 = arb(2).sqrt()
SQ2PI = (2 * PI).sqrt()


class PolyC:
    poly = True

    def __init__(self, l, r, p, ab=None):
        self.l, self.r = l, r
        self.pq = p
        self.ab = ab          # set when the polynomial is an integer beta density
        loc = p(fmpq_poly([l, r - l]))
        self.loc = [float(A(t)) for t in loc.coeffs()][::-1] or [0.0]
        self.dloc = [float(A(t)) for t in (loc.derivative() * (1 / (r - l))).coeffs()][::-1] or [0.0]
        self.iloc = [float(A(t)) for t in (loc.integral() * (r - l)).coeffs()][::-1] or [0.0]
        self.lf, self.wf = float(A(l)), float(A(r - l))
        self.p = arb_poly(p)
        self.dp = arb_poly(p.derivative())
        self.aq = p.integral()
        self.a = arb_poly(self.aq)
        self.mass_q = self.aq(r) - self.aq(l)
        self.key = ("p", str(p))

    def fd(self, x, y):
        return self.p(x), self.dp(x)

    def mass(self, x1, y1, x2, y2):
        return self.a(x2) - self.a(x1)

    def cdf(self, x, y):
        return self.a(x) - A(self.aq(self.l))

    def total(self):
        return A(self.mass_q)

    def moment(self, k):
        q = (self.pq * fmpq_poly([0, 1]) ** k).integral()
        return A(q(self.r) - q(self.l))

    def npf(self, x):
        if self.ab is not None:
            a, b = self.ab
            k = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
            x = np.clip(x, 1e-300, 1 - 1e-16)
            f = np.exp(k + (a - 1) * np.log(x) + (b - 1) * np.log1p(-x))
            return f, f * ((a - 1) / x - (b - 1) / (1 - x))
        t = (x - self.lf) / self.wf
        return np.polyval(self.loc, t), np.polyval(self.dloc, t)

    def npcdf(self, x):
        if self.ab is not None:
            from scipy.special import betainc
            return betainc(self.ab[0], self.ab[1], x)
        return np.polyval(self.iloc, (x - self.lf) / self.wf)


class BetaC:
    poly = False

    def __init__(self, a, b):
        self.l, self.r = fmpq(0), fmpq(1)
        self.aq, self.bq = a, b
        self.a, self.b = A(a), A(b)
        self.s = self.a + self.b
        self.ib = IncBeta(a, b)
        self.lb = self.ib.lb
        self.key = ("b", str(a), str(b))

    def fdu(self, u, l, x):
        """density in u = logit(x) (l = log(1+e^u)) and its u-derivative"""
        f = (self.a * u - self.s * l - self.lb).exp()
        return f, f * (self.a - self.s * x)

    def mass(self, x1, y1, x2, y2):
        if float(x1) > self.ib.split:
            return self.sf(x1, y1) - self.sf(x2, y2)
        return self.cdf(x2, y2) - self.cdf(x1, y1)

    def cdf(self, x, y):
        if x == 0 or not x > 0:
            return ZERO
        if y == 0 or not y > 0:
            return ONE
        return self.ib.low(x, y)

    def sf(self, x, y):
        if x == 0 or not x > 0:
            return ONE
        if y == 0 or not y > 0:
            return ZERO
        return self.ib.upp(x, y)

    def total(self):
        return ONE

    def moment(self, k):
        a, s = self.a, self.s
        m = a / s
        return m if k == 1 else m * (a + 1) / (s + 1)

    def npcdf(self, x):
        from scipy.special import betainc
        return betainc(float(self.a), float(self.b), x)


class NormalC:
    poly = False

    def __init__(self, m, s, lo, hi):
        self.l = -INF if lo is None else lo
        self.r = INF if hi is None else hi
        self.m, self.s = A(m), A(s)
        self.cut = lo is not None
        self.z = ONE if lo is None else self.phi_mass(A(lo), A(hi))
        self.lo, self.hi = lo, hi
        self.key = ("n", str(m), str(s), str(lo), str(hi))

    def phi_mass(self, x1, x2):
        z1, z2 = (x1 - self.m) / (self.s * SQ2), (x2 - self.m) / (self.s * SQ2)
        if float(z1) > 0:
            return (z1.erfc() - z2.erfc()) / 2
        if float(z2) < 0:
            return ((-z2).erfc() - (-z1).erfc()) / 2
        return (z2.erf() - z1.erf()) / 2

    def fd(self, x, y):
        z = (x - self.m) / self.s
        f = (-z * z / 2).exp() / (SQ2PI * self.s * self.z)
        return f, -f * z / self.s

    def mass(self, x1, y1, x2, y2):
        return self.phi_mass(x1, x2) / self.z

    def cdf(self, x, y):
        if not self.cut:
            return (-(x - self.m) / (self.s * SQ2)).erfc() / 2
        return self.phi_mass(A(self.lo), x) / self.z

    def sf(self, x, y):
        return ((x - self.m) / (self.s * SQ2)).erfc() / 2

    def total(self):
        return ONE

    def moment(self, k):
        m, s = self.m, self.s
        if not self.cut:
            return m if k == 1 else m * m + s * s
        a, b = (A(self.lo) - m) / s, (A(self.hi) - m) / s
        pa, pb = (-a * a / 2).exp() / SQ2PI, (-b * b / 2).exp() / SQ2PI
        e1 = (pa - pb) / self.z
        e2 = 1 + (a * pa - b * pb) / self.z
        return m + s * e1 if k == 1 else m * m + 2 * m * s * e1 + s * s * e2

    def npf(self, x):
        z = (x - float(self.m)) / float(self.s)
        f = np.exp(-z * z / 2) / (math.sqrt(2 * math.pi) * float(self.s) * float(self.z))
        return f, -f * z / float(self.s)

    def npcdf(self, x):
        from scipy.special import ndtr
        m, s = float(self.m), float(self.s)
        if not self.cut:
            return ndtr((x - m) / s)
        lo = (float(A(self.lo)) - m) / s
        if lo > 0:
            return (ndtr(-lo) - ndtr(-(x - m) / s)) / float(self.z)
        return (ndtr((x - m) / s) - ndtr(lo)) / float(self.z)


class LogisticC:
    poly = False

    def __init__(self, m, s):
        self.l, self.r = -INF, INF
        self.m, self.s = A(m), A(s)
        self.key = ("l", str(m), str(s))

    def fd(self, x, y):
        e = (-abs(x - self.m) / self.s).exp()
        d = 1 + e
        f = e / (self.s * d * d)
        th = (1 - e) / d / self.s
        return f, (-f * th if float(x) > float(self.m) else f * th)

    def cdf(self, x, y):
        return 1 / (1 + (-(x - self.m) / self.s).exp())

    def sf(self, x, y):
        return 1 / (1 + ((x - self.m) / self.s).exp())

    def mass(self, x1, y1, x2, y2):
        if float(x1) > float(self.m):
            return self.sf(x1, y1) - self.sf(x2, y2)
        return self.cdf(x2, y2) - self.cdf(x1, y1)

    def total(self):
        return ONE

    def moment(self, k):
        return self.m if k == 1 else self.m ** 2 + (self.s * PI) ** 2 / 3

    def npf(self, x):
        z = (x - float(self.m)) / float(self.s)
        e = np.exp(-np.abs(z))
        f = e / (1 + e) ** 2 / float(self.s)
        return f, -f * np.tanh(z / 2) / float(self.s)

    def npcdf(self, x):
        from scipy.special import expit
        return expit((x - float(self.m)) / float(self.s))


def beta_poly(a, b):
    """integer beta as an exact polynomial"""
    a, b = int(a), int(b)
    c = fmpq(fmpz.fac_ui(a + b - 1), fmpz.fac_ui(a - 1) * fmpz.fac_ui(b - 1))
    return fmpq_poly([0, 1]) ** (a - 1) * fmpq_poly([1, -1]) ** (b - 1) * c


def isint(q):
    return q.q == 1


class Side:
    def __init__(self, items, pure_beta):
        self.parts, self.atoms = [], {}
        for kind, prm, w in items:
            if kind == "atom":
                self.atoms[prm[0]] = self.atoms.get(prm[0], fmpq(0)) + w
            elif kind == "poly":
                self.parts.append((w, PolyC(*prm)))
            elif kind == "beta":
                a, b = prm
                if not pure_beta and isint(a) and isint(b) and a + b <= 30:
                    self.parts.append((w, PolyC(fmpq(0), fmpq(1), beta_poly(a, b), (int(a.p), int(b.p)))))
                else:
                    self.parts.append((w, BetaC(a, b)))
            elif kind == "normal":
                self.parts.append((w, NormalC(*prm)))
            elif kind == "logistic":
                self.parts.append((w, LogisticC(*prm)))
        self.parts = [(w, c) for w, c in self.parts if w != 0]
        self.atoms = {x: m for x, m in self.atoms.items() if m != 0}
        tot = fmpq(0)
        for w, c in self.parts:
            tot += w * (c.mass_q if isinstance(c, PolyC) else 1)
        tot += sum(self.atoms.values(), fmpq(0))
        if tot != 1:
            raise ValueError("total mass is %s" % tot)

    def moment(self, k):
        t = ZERO
        for w, c in self.parts:
            t += A(w) * c.moment(k)
        for x, m in self.atoms.items():
            t += A(m) * A(x) ** k
        return t

    def F(self, x):
        """right-continuous distribution function at a rational point"""
        t = ZERO
        for w, c in self.parts:
            if c.r <= x if c.r != INF else False:
                t += A(w) * c.total()
            elif c.l < x if c.l != -INF else True:
                t += A(w) * c.cdf(A(x), A(1 - x))
        for p, m in self.atoms.items():
            if p <= x:
                t += A(m)
        return t

    def hull(self):
        lo, hi = INF, -INF
        for w, c in self.parts:
            if isinstance(c, PolyC) and c.pq == 0:
                continue
            lo = c.l if (lo == INF or c.l < lo) else lo
            hi = c.r if (hi == -INF or c.r > hi) else hi
        for p in self.atoms:
            lo = p if (lo == INF or p < lo) else lo
            hi = p if (hi == -INF or p > hi) else hi
        return lo, hi


# ------------------------------------------------------------ interval pieces
class Piece:
    """open interval on which both densities are analytic"""

    def __init__(self, l, r, s0, s1, umode):
        self.l, self.r = l, r
        self.u = umode
        self.act = []
        for s in (s0, s1):
            self.act.append([(A(w), c) for w, c in s.parts if c.l <= l and r <= c.r
                             and not (isinstance(c, PolyC) and c.pq == 0)])
        self.sides = (s0, s1)
        self.polyonly = all(c.poly for a in self.act for _, c in a)
        if self.polyonly:
            self.pq = []
            for s in (s0, s1):
                t = fmpq_poly([0])
                for w, c in s.parts:
                    if c.l <= l and r <= c.r:
                        t = t + c.pq * w
                self.pq.append(t)
            self.pa = [arb_poly(p) for p in self.pq]
            self.pd = [arb_poly(p.derivative()) for p in self.pq]
            self.pi = [arb_poly(p.integral()) for p in self.pq]
            self.live = [p != 0 for p in self.pq]
        else:
            self.live = [bool(a) for a in self.act]

    def xy(self, v):
        if not self.u:
            return v, 1 - v
        if float(v) > 0:
            e = (-v).exp()
            y = e / (1 + e)
            return 1 / (1 + e), y
        e = v.exp()
        x = e / (1 + e)
        return x, 1 / (1 + e)

    def v_of(self, q):
        if not self.u:
            return A(q)
        return (A(q) / A(1 - q)).log()

    def dens(self, v, deriv=False):
        """(f0, f1) in the working variable, optionally with derivatives"""
        if self.polyonly and not self.u:
            f = [p(v) for p in self.pa]
            return (f, [p(v) for p in self.pd]) if deriv else f
        out, der = [], []
        if self.u:
            if float(v) > 0:
                e = (-v).exp()
                l1 = (1 + e).log()
                x, y, l = 1 / (1 + e), e / (1 + e), v + l1
            else:
                e = v.exp()
                l = (1 + e).log()
                x, y = e / (1 + e), 1 / (1 + e)
            J = x * y
            for a in self.act:
                s, d = ZERO, ZERO
                for w, c in a:
                    if isinstance(c, BetaC):
                        f, g = c.fdu(v, l, x)
                    else:
                        f, g = c.fd(x, y)
                        if deriv:
                            g = J * (g * J + f * (y - x))
                        f = f * J
                    s += w * f
                    if deriv:
                        d += w * g
                out.append(s)
                der.append(d)
            self.last = (x, y)
        else:
            for a in self.act:
                s, d = ZERO, ZERO
                for w, c in a:
                    f, g = c.fd(v, 1 - v)
                    s += w * f
                    d += w * g
                out.append(s)
                der.append(d)
            self.last = (v, 1 - v)
        return (out, der) if deriv else out

    def mass(self, k, v1, v2):
        if v1 is v2:
            return ZERO
        if self.polyonly and not self.u:
            return self.pi[k](v2) - self.pi[k](v1)
        x1, y1 = self.xy(v1)
        x2, y2 = self.xy(v2)
        t = ZERO
        for w, c in self.act[k]:
            t += w * c.mass(x1, y1, x2, y2)
        return t

    def tail(self, k, v, right):
        """mass of side k beyond v inside this piece"""
        x, y = self.xy(v)
        t = ZERO
        for w, c in self.act[k]:
            if right:
                if isinstance(c, BetaC) and self.r == 1:
                    t += w * c.sf(x, y)
                elif self.r == INF:
                    t += w * c.sf(x, y)
                else:
                    t += w * c.mass(x, y, A(self.r), A(1 - self.r))
            else:
                if isinstance(c, BetaC) and self.l == 0:
                    t += w * c.cdf(x, y)
                elif self.l == -INF:
                    t += w * c.cdf(x, y)
                else:
                    t += w * c.mass(A(self.l), A(1 - self.l), x, y)
        return t

    def setup_cdf(self):
        """constants so that cdf0(v) inside the piece is cheap"""
        self.base = []
        for k in (0, 1):
            s = self.sides[k]
            t = ZERO
            ids = {id(c) for _, c in self.act[k]}
            for w, c in s.parts:
                if id(c) in ids:
                    continue
                if c.r != INF and self.l != -INF and c.r <= self.l:
                    t += A(w) * c.total()
            for p, m in s.atoms.items():
                if self.l != -INF and p <= self.l:
                    t += A(m)
            if self.polyonly and not self.u:
                t += sum((A(w) * c.cdf(A(self.l), None) for w, c in self.act[k]), ZERO) - self.pi[k](A(self.l))
            self.base.append(t)

    def cdf(self, k, v, xy=None):
        if self.polyonly and not self.u:
            return self.base[k] + self.pi[k](v)
        x, y = xy if xy is not None else self.xy(v)
        t = self.base[k]
        for w, c in self.act[k]:
            t = t + w * c.cdf(x, y)
        return t


# ------------------------------------------------------------ double exponential
class DE:
    def __init__(self):
        self.levels = []
        self.T = 3.72

    def level(self, k):
        while len(self.levels) <= k:
            j = len(self.levels)
            n = 2 << j            # nodes per unit
            nodes = []
            m = int(self.T * n)
            for i in range(-m, m + 1):
                if j > 0 and i % 2 == 0:
                    continue
                t = arb(i) / n
                e, ei = t.exp(), (-t).exp()
                s = PI * (e - ei) / 2
                if i >= 0:
                    z = (-s).exp()
                    p, q = 1 / (1 + z), z / (1 + z)
                else:
                    z = s.exp()
                    p, q = z / (1 + z), 1 / (1 + z)
                w = PI * (e + ei) / 2 * p * q
                nodes.append((i >= 0, q if i >= 0 else p, w))
            self.levels.append((n, nodes))
        return self.levels[k]


DEQ = DE()
STAT = {"nodes": 0, "split": 0, "maxlast": 0.0, "fail": 0}
STRICT = False


def exact(x):
    return x.mid()


def integrate(fun, a, b, ndim, tol, depth=0):
    """vector integral of fun over [a,b]; tol: absolute target"""
    w = b - a
    acc = [ZERO] * ndim
    prev = None
    goal = tol * 1e-4
    kmax = 5 if depth < 12 else 8
    for k in range(0, kmax + 1):
        n, nodes = DEQ.level(k)
        for right, d, wt in nodes:
            v = (b - w * d) if right else (a + w * d)
            vals = fun(v)
            STAT["nodes"] += 1
            for i in range(ndim):
                acc[i] = acc[i] + wt * vals[i]
        cur = [s * w / n for s in acc]
        if prev is not None:
            diffs = [abs(float((c - p).mid())) for c, p in zip(cur, prev)]
            diff = max(diffs)
            # halving the step about squares the relative error
            if k >= 2 and all(d <= tol or (not STRICT and d * d <= goal * abs(float(c)))
                              for d, c in zip(diffs, cur)):
                return cur
            if k == 3 and depth < 12 and diff > 1e-4 * max(1e-30, max(abs(float(c)) for c in cur)):
                break
        prev = cur
    if depth >= 25:
        STAT["fail"] += 1
        return cur
    STAT["split"] += 1
    m = exact((a + b) / 2)
    x = integrate(fun, a, m, ndim, tol, depth + 1)
    y = integrate(fun, m, b, ndim, tol, depth + 1)
    return [p + q for p, q in zip(x, y)]


# ---------------------------------------------------------------- cost weights
class Weight:
    """beta(a,b) density on cost; e0*G0(c)+e1*G1(c) helper"""

    def __init__(self, a, b):
        self.aq, self.bq = a, b
        self.a, self.b = A(a), A(b)
        self.m = self.a / (self.a + self.b)
        self.kind = "gen"
        if a == 1 and b == 1:
            self.kind = "uni"
        elif a == 2 and b == 2:
            self.kind = "22"
        elif a == 2:
            self.kind = "2b"
        elif b == 2:
            self.kind = "a2"
        self.ib = None

    def get_ib(self):
        if self.ib is None:
            self.ib = IncBeta(self.aq, self.bq)
        return self.ib

    def G(self, c, d):
        """(G0, G1) at c with d = 1-c, both accurate"""
        if not c > 0:
            return ZERO, 2 * (1 - self.m)
        if not d > 0:
            return 2 * self.m, ZERO
        if self.kind == "uni":
            return c * c, d * d
        if self.kind == "22":
            c3, d3 = c * c * c, d * d * d
            return c3 * (4 - 3 * c), d3 * (4 - 3 * d)
        if self.kind == "2b":
            b = self.b
            db = (b * d.log()).exp()
            up = db * (1 + b * c)            # 1 - I_c(2,b)
            pw = c * c * db * b * (b + 1)
            return 2 * self.m * (1 - up - pw / 2), 2 * (1 - self.m) * (up - pw / b)
        if self.kind == "a2":
            a = self.a
            ca = (a * c.log()).exp()
            lo = ca * (1 + a * d)
            pw = d * d * ca * a * (a + 1)
            return 2 * self.m * (lo - pw / a), 2 * (1 - self.m) * (1 - lo - pw / 2)
        ib = self.get_ib()
        lc, ld = c.log(), d.log()
        e = (self.a * lc + self.b * ld - ib.lb).exp()
        if ib.p is None or ib.q is None:
            lo = ib.low(c, d)
            up = 1 - lo
        elif float(c) <= ib.split:
            lo = e * (ib.p if float(c) > ib.split / 4 else ib.ps)(c)
            up = 1 - lo
        else:
            up = e * (ib.q if float(d) > (1 - ib.split) / 4 else ib.qs)(d)
            lo = 1 - up
        return 2 * self.m * (lo - e / self.a), 2 * (1 - self.m) * (up - e / self.b)

    def W(self, c, d):
        """distribution function of the weight"""
        if not c > 0:
            return ZERO
        if not d > 0:
            return ONE
        if self.kind == "uni":
            return c
        return self.get_ib().low(c, d)

    def intW(self, c, d):
        """integral of W from 0 to c = c W(c) - m I_c(a+1,b)"""
        if not c > 0:
            return ZERO
        if not d > 0:
            return 1 - self.m
        if self.kind == "uni":
            return c * c / 2
        ib = self.get_ib()
        lo = ib.low(c, d)
        pw = (self.a * c.log() + self.b * d.log() - ib.lb).exp()
        return c * lo - self.m * (lo - pw / self.a)

    def seg(self, e0, e1):
        s = e0 + e1
        if not s > 0:
            return ZERO
        g0, g1 = self.G(e1 / s, e0 / s)
        return e0 * g0 + e1 * g1


def l_rand(w, p0, p1):
    g0, g1 = w.G(A(p1), A(p0))
    return A(p0) * g0 + A(p1) * g1


# ----------------------------------------------------------------- the model
class Elem:
    __slots__ = ("kind", "J", "v1", "v2", "m", "up", "F")

    def __init__(self, kind, J, v1, v2, m, up=False):
        self.kind, self.J, self.v1, self.v2, self.m, self.up = kind, J, v1, v2, m, up
        # kind: 'seg' (chord), 'arc' (density ratio monotone; up tells direction)


class Model:
    def __init__(self, t0, t1, pi0):
        it0, it1 = Parser(t0).density(), Parser(t1).density()
        pure = (len(it0) == 1 and len(it1) == 1 and it0[0][0] == "beta" and it1[0][0] == "beta")
        self.pure_beta = pure
        self.s0, self.s1 = Side(it0, pure), Side(it1, pure)
        self.pi0q = pi0
        self.pi1q = 1 - pi0
        self.p0, self.p1 = A(pi0), A(1 - pi0)
        self.scale = min(float(self.p0), float(self.p1))
        self.tail_tol = 1e-26 * self.scale
        self.tol = 1e-24 * self.scale
        self.build()

    # ---- elements of the curve in score order
    def build(self):
        s0, s1 = self.s0, self.s1
        pts = set()
        has_u = False
        lowinf = highinf = False
        for s in (s0, s1):
            for w, c in s.parts:
                for e in (c.l, c.r):
                    if e == -INF:
                        lowinf = True
                    elif e == INF:
                        highinf = True
                    else:
                        pts.add(e)
                if isinstance(c, BetaC):
                    has_u = True
            pts.update(s.atoms)
        pts = sorted(pts)
        bounds = list(pts)
        if lowinf:
            bounds.insert(0, -INF)
        if highinf:
            bounds.append(INF)
        self.elems = []
        self.pieces = []
        for i, b in enumerate(bounds):
            if b not in (-INF, INF):
                m0, m1 = s0.atoms.get(b, fmpq(0)), s1.atoms.get(b, fmpq(0))
                if m0 or m1:
                    self.elems.append(Elem("seg", None, b, b, (A(m0), A(m1))))
            if i + 1 < len(bounds):
                l, r = b, bounds[i + 1]
                um = has_u and l != -INF and r != INF and l >= 0 and r <= 1
                J = Piece(l, r, s0, s1, um)
                if any(J.live):
                    self.add_piece(J)

    def cut(self, J, right, both=False, k=None):
        """working-variable limit of J on one side, tail mass below tol there"""
        def small(v):
            if k is not None:
                return float(J.tail(k, v, right)) < self.tail_tol
            return min(float(J.tail(0, v, right)), float(J.tail(1, v, right))) < self.tail_tol
        if J.u:
            c, sc = 0.0, 1.0
            if J.l > 0 or J.r < 1:
                lo = float(J.v_of(J.l)) if J.l > 0 else None
                hi = float(J.v_of(J.r)) if J.r < 1 else None
                c = lo if lo is not None else hi
        else:
            cs = [(float(q.m), float(q.s)) for a in J.act for _, q in a if hasattr(q, "m")]
            c = sum(m for m, _ in cs) / len(cs)
            sc = max(s for _, s in cs)
            if J.l != -INF:
                c = float(A(J.l))
            if J.r != INF:
                c = float(A(J.r))
        sg = 1 if right else -1
        # find bracket around c; start may lie either side
        far = sc
        while not small(arb(c + sg * far)):
            far *= 2
        near = -far
        if J.u and (J.l > 0 or J.r < 1) or (not J.u and (J.l != -INF or J.r != INF)):
            near = 0.0
        else:
            while small(arb(c + sg * near)):
                far = near
                near = near * 2 - sc
        for _ in range(9):
            mid = (near + far) / 2
            if small(arb(c + sg * mid)):
                far = mid
            else:
                near = mid
        return arb(c + sg * far)

    def add_piece(self, J):
        J.setup_cdf()
        infl = J.l == -INF or (J.u and J.l == 0)
        infr = J.r == INF or (J.u and J.r == 1)

        def whole(k):
            t = ZERO
            if not J.live[k]:
                return t
            if J.polyonly:
                q = J.pq[k].integral()
                return A(q(J.r) - q(J.l))
            for w, c in J.act[k]:
                if (c.l == J.l and c.r == J.r):
                    t += w * c.total()
                elif J.l == -INF:
                    t += w * c.cdf(A(J.r), A(1 - J.r))
                elif J.r == INF:
                    t += w * c.sf(A(J.l), A(1 - J.l))
                else:
                    t += w * c.mass(A(J.l), A(1 - J.l), A(J.r), A(1 - J.r))
            return t
        if not (J.live[0] and J.live[1]):
            self.elems.append(Elem("seg", J, None, None, (whole(0), whole(1))))
            return
        if self.proportional(J):
            self.elems.append(Elem("seg", J, None, None, (whole(0), whole(1))))
            return
        self.pieces.append(J)
        if infl:
            a = self.cut(J, False)
            self.elems.append(Elem("seg", (J, "left"), None, a, (J.tail(0, a, False), J.tail(1, a, False))))
        else:
            a = J.v_of(J.l)
        if infr:
            b = self.cut(J, True)
        else:
            b = J.v_of(J.r)
        if float(b) <= float(a):
            # tails meet: nothing to resolve between them
            b = a
        else:
            roots = [r for r in self.turns(J, float(a), float(b)) if float(a) < r < float(b)]
            vs = [a] + [arb(r) for r in roots] + [b]
            for v1, v2 in zip(vs, vs[1:]):
                up = self.rising(J, v1, v2)
                self.elems.append(Elem("arc", J, v1, v2, (J.mass(0, v1, v2), J.mass(1, v1, v2)), up))
        J.range = (a, b)
        if infr:
            self.elems.append(Elem("seg", (J, "right"), b, None, (J.tail(0, b, True), J.tail(1, b, True))))

    def rising(self, J, v1, v2):
        """direction of the density ratio on a monotone arc, from its two ends"""
        for t in (0.001, 0.01, 0.1, 0.25):
            f = J.dens(exact(v1 + (v2 - v1) * arb(t)))
            g = J.dens(exact(v2 - (v2 - v1) * arb(t)))
            d = g[1] * f[0] - f[1] * g[0]
            if d > 0:
                return True
            if d < 0:
                return False
        return False        # constant to working precision: a chord

    def proportional(self, J):
        if J.polyonly:
            p, q = J.pq
            return p * q.leading_coefficient() == q * p.leading_coefficient() if hasattr(p, "leading_coefficient") \
                else p * q[q.degree()] == q * p[p.degree()]
        d = []
        for k in (0, 1):
            m = {}
            for w, c in self.side(k).parts:
                if c.l <= J.l and J.r <= c.r:
                    m[c.key] = m.get(c.key, fmpq(0)) + w
            d.append(m)
        if set(d[0]) != set(d[1]):
            return False
        rs = {d[0][k] / d[1][k] for k in d[0]}
        return len(rs) == 1

    def side(self, k):
        return self.s0 if k == 0 else self.s1

    def turns(self, J, a, b):
        """points where the density ratio changes direction inside (a,b)"""
        if J.polyonly and not J.u:
            p, q = J.pq
            g = q.derivative() * p - q * p.derivative()
            if g == 0 or g.degree() <= 0:
                return []
            out = []
            num = g.numer()
            for r, m in num.complex_roots():
                if m % 2 == 1 and r.imag == 0:
                    x = r.real
                    if x > A(J.l) and x < A(J.r):
                        out.append(float(x))
            # zeros of one density inside also split (ratio 0 or infinite)
            for pol in (p, q):
                for r, m in (pol.numer().complex_roots() if pol.degree() > 0 else []):
                    if r.imag == 0 and r.real > A(J.l) and r.real < A(J.r):
                        out.append(float(r.real))
            return sorted(set(out))
        a0, a1 = J.act
        if len(a0) == 1 and len(a1) == 1:
            c0, c1 = a0[0][1], a1[0][1]
            if isinstance(c0, BetaC) and isinstance(c1, BetaC):
                da, db = c1.aq - c0.aq, c1.bq - c0.bq
                if (da > 0 and db > 0) or (da < 0 and db < 0):
                    return [float((A(da) / A(db)).log())]
                return []
            if isinstance(c0, NormalC) and isinstance(c1, NormalC) and not J.u:
                # (x-m0)/s0^2 - (x-m1)/s1^2 = 0
                i0, i1 = 1 / (c0.s * c0.s), 1 / (c1.s * c1.s)
                den = i0 - i1
                if den.contains(0):
                    return []
                return [float((c0.m * i0 - c1.m * i1) / den)]
        return self.scan(J, a, b)

    def np_h(self, J, v):
        """f1'/f1 - f0'/f0 in double precision, vectorised"""
        res = []
        if J.u:
            with np.errstate(over="ignore"):
                e = np.exp(-np.abs(v))
            x = np.where(v > 0, 1 / (1 + e), e / (1 + e))
            y = np.where(v > 0, e / (1 + e), 1 / (1 + e))
            l = np.where(v > 0, v, 0) + np.log1p(e)
            lj = -np.abs(v) - 2 * np.log1p(e)
        else:
            x = v
        for a in J.act:
            logs, ds = [], []
            for w, c in a:
                lw = math.log(float(w))
                if isinstance(c, BetaC):
                    af, bf = float(c.a), float(c.b)
                    logs.append(lw + af * v - (af + bf) * l - float(c.lb))
                    ds.append(af - (af + bf) * x)
                elif isinstance(c, NormalC):
                    m, s = float(c.m), float(c.s)
                    z = (x - m) / s
                    lf = lw - z * z / 2 - math.log(math.sqrt(2 * math.pi) * s * float(c.z))
                    d = -z / s
                    if J.u:
                        lf = lf + lj
                        d = d * x * y + (y - x)
                    logs.append(lf)
                    ds.append(d)
                elif isinstance(c, LogisticC):
                    m, s = float(c.m), float(c.s)
                    z = np.abs(x - m) / s
                    logs.append(lw - z - 2 * np.log1p(np.exp(-z)) - math.log(s))
                    ds.append(-np.tanh((x - m) / s / 2) / s)
                else:
                    f, g = c.npf(x)
                    with np.errstate(all="ignore"):
                        lf = lw + np.log(np.maximum(f, 1e-300))
                        d = g / np.where(f > 0, f, 1e-300)
                    if J.u:
                        lf = lf + lj
                        d = d * x * y + (y - x)
                    logs.append(lf)
                    ds.append(d)
            L = np.array(logs)
            D = np.array(ds)
            L = np.exp(L - L.max(axis=0))
            res.append((L * D).sum(axis=0) / L.sum(axis=0))
        return res[1] - res[0]

    def arb_g(self, J, v):
        f, d = J.dens(arb(v), True)
        g = d[1] * f[0] - d[0] * f[1]
        return 1 if g > 0 else (-1 if g < 0 else 0)

    def scan(self, J, a, b, n=4001):
        w = b - a
        t = np.linspace(0, 1, n)
        # points also crowd towards both ends
        k = 10.0 ** np.linspace(-14, -3.5, 80)
        t = np.unique(np.concatenate([t, k, 1 - k]))
        t = t[(t > 0) & (t < 1)]
        v = a + w * t
        h = self.np_h(J, v)
        keep = h != 0
        v, h = v[keep], h[keep]
        sg = np.sign(h)
        out = []

        def refine(lo, hi, slo):
            for _ in range(60):
                m = (lo + hi) / 2
                if m <= lo or m >= hi:
                    break
                s = self.arb_g(J, m)
                if s == 0:
                    break
                if s == slo:
                    lo = m
                else:
                    hi = m
            return (lo + hi) / 2

        def true_sign(i):
            return self.arb_g(J, float(v[i]))
        idx = np.nonzero(sg[1:] * sg[:-1] <= 0)[0]
        last = None
        # rounding may blur a sign near a root: settle the neighbourhood exactly
        near = sorted({j for i in idx for j in range(max(0, i - 2), min(len(v), i + 4))})
        exact_sign = {}
        for j in near:
            s = true_sign(j)
            if s != 0:
                exact_sign[j] = s
        js = sorted(exact_sign)
        for j1, j2 in zip(js, js[1:]):
            if j2 - j1 <= 3 and exact_sign[j1] * exact_sign[j2] < 0:
                out.append(refine(float(v[j1]), float(v[j2]), exact_sign[j1]))
        # near misses: local minima of |h| without sign change
        ah = np.abs(h)
        mins = np.nonzero((ah[1:-1] < ah[:-2]) & (ah[1:-1] < ah[2:]) & (sg[1:-1] == sg[:-2]) & (sg[1:-1] == sg[2:]))[0] + 1
        for i in mins[:50]:
            lo, hi = float(v[i - 1]), float(v[i + 1])
            s = sg[i]
            for _ in range(4):
                vv = np.linspace(lo, hi, 41)
                hh = self.np_h(J, vv) * s
                j = int(np.argmin(hh))
                if hh[j] < 0:
                    break
                lo, hi = float(vv[max(0, j - 1)]), float(vv[min(40, j + 1)])
            if hh[j] < 0 and self.arb_g(J, float(vv[j])) == -s:
                out.append(refine(float(v[i - 1]), float(vv[j]), int(s)))
                out.append(refine(float(vv[j]), float(v[i + 1]), int(-s)))
        return sorted(out)

    # ---- convex hull by the lower envelope of single-crossing curves
    def solve_ratio(self, e, loglam):
        """point of arc e where log(f1/f0) = loglam, clipped to the arc"""
        J = e.J
        sgn = 1 if e.up else -1

        def val(v):
            f, d = J.dens(v, True)
            if not f[1] > 0:
                return (-sgn if float(f[1].mid()) <= float(f[0].mid()) else sgn), None
            if not f[0] > 0:
                return sgn, None
            g = (f[1] / f[0]).log() - loglam
            return sgn * float(g), (f, d, g)
        lo, hi = e.v1, e.v2

        def end(v, right):
            f = J.dens(v)
            if f[0] > 0 or f[1] > 0 or not (J.polyonly and not J.u):
                return val(v)[0]
            # both densities vanish at a rational end: exact limit of the ratio
            q = J.r if right else J.l
            x = fmpq_poly([-q, 1])
            g = J.pq[0].gcd(J.pq[1])
            n0, n1 = J.pq[0] // g, J.pq[1] // g
            a0, a1 = n0(q), n1(q)
            if a0 == 0:
                return sgn
            if a1 == 0:
                return -sgn
            return sgn * float((A(a1) / A(a0)).log() - loglam)
        a = end(lo, False)
        if a >= 0:
            return lo
        b = end(hi, True)
        if b <= 0:
            return hi
        flo, fhi = float(lo), float(hi)
        v = (flo + fhi) / 2
        # coarse stage in doubles, guarded Newton
        for it in range(200):
            y, ex = val(arb(v))
            if y == 0:
                break
            if y > 0:
                fhi = v
            else:
                flo = v
            if fhi - flo <= 1e-9 * (abs(flo) + abs(fhi)) * 1e-4:
                break
            nv = None
            if ex is not None:
                f, d, g = ex
                s = float(d[1] / f[1] - d[0] / f[0])
                if s * sgn > 0:
                    nv = v - float(g) / s
            if nv is None or not (flo < nv < fhi):
                nv = (flo + fhi) / 2
            if abs(nv - v) <= 1e-13 * max(abs(v), 1e-300):
                v = nv
                break
            v = nv
        x = arb(v)
        for _ in range(2):
            f, d = J.dens(x, True)
            if not (f[0] > 0 and f[1] > 0):
                break
            s = d[1] / f[1] - d[0] / f[0]
            if s.contains(0):
                break
            nx = exact(x - ((f[1] / f[0]).log() - loglam) / s)
            if not (nx > lo and nx < hi):
                break
            x = nx
        return x

    def span(self, i, v, j, w):
        """masses between position (elem i, v) and (elem j, w); v None = element start"""
        E = self.elems
        if i == j:
            if v is None and w is None:
                return ZERO, ZERO
            J = E[i].J
            a = E[i].v1 if v is None else v
            b = E[i].v1 if w is None else w
            if a is b:
                return ZERO, ZERO
            return J.mass(0, a, b), J.mass(1, a, b)
        m0, m1 = ZERO, ZERO
        if v is None:
            m0, m1 = E[i].m
        elif v is not E[i].v2:
            m0, m1 = E[i].J.mass(0, v, E[i].v2), E[i].J.mass(1, v, E[i].v2)
        for k in range(i + 1, j):
            m0, m1 = m0 + E[k].m[0], m1 + E[k].m[1]
        if w is not None and w is not E[j].v1:
            J = E[j].J
            m0, m1 = m0 + J.mass(0, E[j].v1, w), m1 + J.mass(1, E[j].v1, w)
        return m0, m1

    def cross(self, k, l):
        """log-ratio at which candidate l overtakes candidate k, with contact points"""
        (i, ka), (j, la) = k, l
        E = self.elems

        def at(c, arc, lam):
            return self.solve_ratio(E[c], lam) if arc else None

        def mid_start(c, arc):
            return exact((E[c].v1 + E[c].v2) / 2) if arc else None
        if not ka and not la:
            m0, m1 = self.span(i, None, j, None)
            return self.logratio(m0, m1), None, None
        lo, hi = None, None
        v, w = (E[i].v2 if ka else None), (E[j].v1 if la else None)
        m = self.span(i, v, j, w)
        if float(m[0]) == 0 and float(m[1]) == 0:
            v, w = mid_start(i, ka), mid_start(j, la)
            m = self.span(i, v, j, w)
        lam = self.logratio(*m)
        for it in range(120):
            if lam in (-INF, INF):
                lamq = arb(-400 if lam == -INF else 400)
            else:
                lamq = lam
            v, w = at(i, ka, lamq), at(j, la, lamq)
            m0, m1 = self.span(i, v, j, w)
            # D(lam) = m1 - e^lam m0, decreasing in lam
            new = self.logratio(m0, m1)
            if new is None:
                return lamq, v, w
            fl, fn = float(lamq), float(new)
            if fn > fl:
                lo = fl if lo is None else max(lo, fl)
            else:
                hi = fl if hi is None else min(hi, fl)
            if abs(fn - fl) < 1e-15 * (1 + abs(fl)):
                if it and new not in (-INF, INF):
                    lamq = exact(new)
                    v, w = at(i, ka, lamq), at(j, la, lamq)
                return lamq, v, w
            nxt = new
            if lo is not None and hi is not None and (not (lo < fn < hi) or it > 12):
                nxt = arb((lo + hi) / 2)
                if hi - lo < 1e-15 * (1 + abs(lo)):
                    return lamq, v, w
            if nxt in (-INF, INF):
                if (nxt == INF and fl >= 400) or (nxt == -INF and fl <= -400):
                    return nxt, v, w
                nxt = arb(400 if nxt == INF else -400)
            lam = exact(nxt)
        return lam, v, w

    @staticmethod
    def logratio(m0, m1):
        p0, p1 = m0 > 0, m1 > 0
        if not p0 and not p1:
            return None
        if not p0:
            return INF
        if not p1:
            return -INF
        return (m1 / m0).log()

    def hull(self):
        E = self.elems
        n = len(E)
        cands = []
        for i in range(n):
            if E[i].kind == "arc" and E[i].up:
                cands.append((i, True))
            else:
                if not (i > 0 and E[i - 1].kind == "arc" and E[i - 1].up):
                    cands.append((i, False))
        if not (E[-1].kind == "arc" and E[-1].up):
            cands.append((n, False))
        stack = [(cands[0], None)]
        for c in cands[1:]:
            while True:
                top, info = stack[-1]
                x = self.cross(top, c)
                if x[0] is None:
                    # same point on the curve
                    x = None
                    break
                if info is not None and float(x[0]) <= float(info[0]):
                    stack.pop()
                    continue
                break
            if x is None:
                continue
            stack.append((c, x))
        # active arc portions and pooled spans
        portions, pools = [], []
        first = stack[0][0]
        if first != (0, False) and not (first[0] == 0 and first[1]):
            raise RuntimeError("hull does not start at the origin")
        for s in range(len(stack)):
            (i, arc), info = stack[s]
            enter = None if info is None else info[2]
            leave = None if s + 1 == len(stack) else stack[s + 1][1][1]
            if arc:
                a = E[i].v1 if info is None else enter
                b = E[i].v2 if s + 1 == len(stack) else leave
                if b > a:
                    portions.append((i, a, b))
                else:
                    b = a
                    if s + 1 < len(stack):
                        stack[s + 1] = (stack[s + 1][0], (stack[s + 1][1][0], a, stack[s + 1][1][2]))
        pos0 = (0, None)
        for s in range(1, len(stack)):
            (i, ka), (j, la) = stack[s - 1][0], stack[s][0]
            lam, v, w = stack[s][1]
            m = self.span(i, v if ka else None, j, w if la else None)
            f = self.span(0, None, i, v if ka else None)
            pools.append((m[0], m[1], f[0], f[1]))
        self.portions, self.pools = portions, pools
        self.stack = stack

    # ---- everything
    def compute(self, cost=None):
        s0, s1, p0, p1 = self.s0, self.s1, self.p0, self.p1
        self.hull()
        E = self.elems
        uni = Weight(fmpq(1), fmpq(1))
        w22 = Weight(fmpq(2), fmpq(2))
        even = self.pi0q == fmpq(1, 2)
        wp = Weight(1 + self.pi1q, 1 + self.pi0q)
        wr = Weight(fmpq(2), 1 + self.pi0q / self.pi1q)
        ws = [w22, wp] + ([] if even else [wr])
        wc = None if cost is None else Weight(*cost)
        hp = HALF
        rl = rlh = auc = ZERO
        convp = convh = auch = ZERO
        L = [ZERO] * len(ws)
        Lc = Lch = ZERO
        # segments: contributions to the raw quantities
        F0 = ZERO
        start = []
        for e in E:
            start.append(F0)
            if e.kind == "seg":
                m0, m1 = e.m
                if m0 > 0 and m1 > 0:
                    rl += p0 * m0 * p1 * m1 / (p0 * m0 + p1 * m1)
                    rlh += m0 * m1 / (m0 + m1) / 2
                auc += m1 * (F0 + m0 / 2)
            F0 = F0 + e.m[0]
        # pools
        for m0, m1, f0, f1 in self.pools:
            auch += m1 * (f0 + m0 / 2)
            if m0 > 0 and m1 > 0:
                convp += p0 * m0 * p1 * m1 / (p0 * m0 + p1 * m1)
                convh += m0 * m1 / (m0 + m1) / 2
            for k, w in enumerate(ws):
                L[k] += w.seg(p0 * m0, p1 * m1)
            if wc is not None:
                Lc += wc.seg(p0 * m0, p1 * m1)
                Lch += wc.seg(hp * m0, hp * m1)
        for J in self.pieces:
            a, b = J.range
            if float(b) <= float(a):
                continue
            mine = [(v, w) for i, v, w in self.portions if E[i].J is J]
            ppoly = J.polyonly and not J.u
            if ppoly:
                c0 = J.base[0]
                P0q = J.pq[0].integral()
                prod = arb_poly((P0q * J.pq[1]).integral())

                def aucpart(v, w):
                    return c0 * (J.pi[1](w) - J.pi[1](v)) + prod(w) - prod(v)

            def raw(v):
                f = J.dens(v)
                s = f[0] + f[1]
                if not (s > 0 and f[0] > 0 and f[1] > 0):
                    r = rh = ZERO
                else:
                    t = f[0] * f[1]
                    r = p0 * p1 * t / (p0 * f[0] + p1 * f[1])
                    rh = r if even else t / s / 2
                if ppoly:
                    return r, rh
                return r, rh, f[1] * J.cdf(0, v, J.last)

            def full(v):
                f = J.dens(v)
                s = f[0] + f[1]
                e0, e1 = p0 * f[0], p1 * f[1]
                sp = e0 + e1
                if not (s > 0 and sp > 0 and f[0] >= 0 and f[1] >= 0):
                    out = [ZERO] * (2 + len(ws) + (2 if wc is not None else 0))
                else:
                    c, d = e1 / sp, e0 / sp
                    r = e0 * c
                    out = [r, r if even else f[0] * f[1] / s / 2]
                    for w in ws:
                        g0, g1 = w.G(c, d)
                        out.append(e0 * g0 + e1 * g1)
                    if wc is not None:
                        g0, g1 = wc.G(c, d)
                        out.append(e0 * g0 + e1 * g1)
                        g0, g1 = wc.G(f[1] / s, f[0] / s)
                        out.append((f[0] * g0 + f[1] * g1) / 2)
                if not ppoly:
                    out.append(f[1] * J.cdf(0, v, J.last))
                return out
            nfull = 2 + len(ws) + (2 if wc is not None else 0) + (0 if ppoly else 1)
            cuts = [a]
            for v, w in sorted(mine, key=lambda t: float(t[0])):
                cuts += [v, w]
            cuts.append(b)
            for k in range(len(cuts) - 1):
                v, w = cuts[k], cuts[k + 1]
                if not w > v:
                    continue
                if k % 2 == 0:
                    r = integrate(raw, v, w, 2 if ppoly else 3, self.tol)
                    rl, rlh = rl + r[0], rlh + r[1]
                    auc += aucpart(v, w) if ppoly else r[2]
                else:
                    r = integrate(full, v, w, nfull, self.tol)
                    rl, rlh = rl + r[0], rlh + r[1]
                    convp, convh = convp + r[0], convh + r[1]
                    ap = aucpart(v, w) if ppoly else r[-1]
                    auc, auch = auc + ap, auch + ap
                    for q in range(len(ws)):
                        L[q] = L[q] + r[2 + q]
                    if wc is not None:
                        Lc += r[2 + len(ws)]
                        Lch += r[3 + len(ws)]
        out = {}
        lo0, hi0 = s0.hull()
        lo1, hi1 = s1.hull()
        lo, hi = min(lo0, lo1, key=lambda t: float(A(t)) if t not in (INF, -INF) else t), \
            max(hi0, hi1, key=lambda t: float(A(t)) if t not in (INF, -INF) else t)
        if lo not in (-INF,) and hi not in (INF,):
            lo = lo0 if lo0 < lo1 else lo1
            hi = hi0 if hi0 > hi1 else hi1
        bounded = lo != -INF and hi != INF
        unit = bounded and lo >= 0 and hi <= 1
        m10, m11 = s0.moment(1), s1.moment(1)
        out["AUC"], out["AUCH"], out["Gini"] = auc, auch, 2 * auc - 1
        out["KS"] = self.ks()
        if unit:
            m20, m21 = s0.moment(2), s1.moment(2)
            q1 = 1 - 2 * m11 + m21
            out["MAE"] = p0 * m10 + p1 * (1 - m11)
            out["MMAE"] = (m10 + 1 - m11) / 2
            out["BS"] = p0 * m20 + p1 * q1
            out["MBS"] = (m20 + q1) / 2
            out["CL"] = out["BS"] - rl
        else:
            for k in ("MAE", "MMAE", "BS", "MBS", "CL"):
                out[k] = None
        out["RL"], out["RL_conv"] = rl, convp
        out["H"] = 1 - L[0] / l_rand(w22, self.pi0q, self.pi1q)
        out["H_priors"] = 1 - L[1] / l_rand(wp, self.pi0q, self.pi1q)
        out["H_R"] = out["H"] if even else 1 - L[2] / l_rand(wr, self.pi0q, self.pi1q)
        out["s0"], out["s1"] = m10, m11
        w = uni if wc is None else wc
        m = w.m
        if unit:
            ul, uu = fmpq(0), fmpq(1)
        else:
            ul, uu = lo, hi
        half = fmpq(1, 2)
        Fh = s0.F(half), s1.F(half)
        if unit and wc is not None:
            sdp = self.sd_parts(wc)
        if wc is not None:
            Kp, Kh = self.rd_k(wc, p0, p1, False), None
            Kh = Kp if even else self.rd_k(wc, hp, hp, True)
        for pre, a, b in (("", p0, p1), ("z", hp, hp)):
            def q(f0, f1):
                return 2 * (m * a * (1 - f0) + (1 - m) * b * f1)
            out[pre + "sf"] = q(*Fh)
            out[pre + "rf"] = q(*self.rank_point(a, b))
            if bounded and uu > ul:
                wd = A(uu - ul)
                out[pre + "su"] = q(1 - (m10 - A(ul)) / wd, (A(uu) - m11) / wd)
            else:
                out[pre + "su"] = None
            if not unit:
                out[pre + "sd"] = None
            elif wc is None:
                out[pre + "sd"] = out["BS"] if pre == "" else out["MBS"]
            else:
                out[pre + "sd"] = 2 * m * a * sdp[0] + 2 * (1 - m) * b * sdp[1]
            out[pre + "ru"] = q(a / 2 + b * auc, a * (1 - auc) + b / 2)
            if wc is None:
                out[pre + "rd"] = a * b * (1 - 2 * auc) + arb(1) / 3
                out[pre + "o"] = convp if pre == "" else convh
            else:
                ca, cb = w.a, w.b
                vc = ca * cb / ((ca + cb) * (ca + cb + 1))
                out[pre + "rd"] = 2 * (m * a + vc - a * (Kp if pre == "" else Kh))
                out[pre + "o"] = Lc if pre == "" else Lch
        return out

    def ks(self):
        best = ZERO
        d = ZERO
        for e in self.elems:
            if e.kind == "arc":
                v = self.solve_ratio(e, ZERO)
                if v is not e.v1 and v is not e.v2:
                    t = abs(d + e.J.mass(0, e.v1, v) - e.J.mass(1, e.v1, v))
                    if t > best:
                        best = t
            d = d + e.m[0] - e.m[1]
            if abs(d) > best:
                best = abs(d)
        return best

    def rank_point(self, a, b):
        R, F0, F1 = ZERO, ZERO, ZERO
        for n, e in enumerate(self.elems):
            m = a * e.m[0] + b * e.m[1]
            if not float(m) > 0:
                continue
            nR = R + m
            last = n == len(self.elems) - 1
            if nR > HALF or last or float(nR - HALF) > -1e-40:
                need = HALF - R
                if e.kind == "seg":
                    t = need / m
                    return F0 + t * e.m[0], F1 + t * e.m[1]
                J = e.J
                lo, hi = float(e.v1), float(e.v2)
                v = (lo + hi) / 2
                for it in range(200):
                    x = arb(v)
                    g = float(a * J.mass(0, e.v1, x) + b * J.mass(1, e.v1, x) - need)
                    if g > 0:
                        hi = v
                    else:
                        lo = v
                    f = J.dens(x)
                    s = float(a * f[0] + b * f[1])
                    nv = v - g / s if s > 0 else None
                    if nv is None or not lo < nv < hi:
                        nv = (lo + hi) / 2
                    if abs(nv - v) <= 1e-14 * max(abs(v), 1e-300) or hi - lo <= 4e-16 * max(abs(lo), abs(hi)):
                        v = nv
                        break
                    v = nv
                x = arb(v)
                # polish; a step may leave the arc by a rounding error but not the piece
                lo, hi = J.range
                for _ in range(3):
                    f = J.dens(x)
                    s = a * f[0] + b * f[1]
                    if not s > 0:
                        break
                    nx = exact(x - (a * J.mass(0, e.v1, x) + b * J.mass(1, e.v1, x) - need) / s)
                    x = lo if nx < lo else hi if nx > hi else nx
                g0, g1 = J.mass(0, e.v1, x), J.mass(1, e.v1, x)
                miss = a * g0 + b * g1 - need
                if abs(float(miss)) > 1e-24:
                    STAT["fail"] += 1
                return F0 + g0, F1 + g1
            R, F0, F1 = nR, F0 + e.m[0], F1 + e.m[1]
        raise RuntimeError("no median")

    # ---- pieces for beta cost weights
    def sd_parts(self, w):
        """E0[I_S(a+1,b)] and E1[1-I_S(a,b+1)], by quadrature over the score"""
        ca, cb = w.aq, w.bq
        res = []
        for k, (pa, pb) in ((0, (ca + 1, cb)), (1, (ca, cb + 1))):
            res.append(beta_below(self.side(k), pa, pb, k == 0, self.tol))
        return res

    def rd_k(self, w, a, b, sym):
        """integral of F0(R^-1(c)) over the cost weight"""
        K = ZERO
        R = ZERO
        for e in self.elems:
            m0, m1 = e.m
            dm = a * m0 + b * m1
            if e.kind == "seg" and not isinstance(e.J, tuple):
                if m0 > 0:
                    R2 = R + dm
                    av = 1 - (w.intW(R2, 1 - R2) - w.intW(R, 1 - R)) / dm
                    K += m0 * av
            R = R + dm
        for J in self.pieces:
            infl = J.l == -INF or (J.u and J.l == 0)
            infr = J.r == INF or (J.u and J.r == 1)
            v1 = self.cut(J, False, k=0) if infl else J.v_of(J.l)
            v2 = self.cut(J, True, k=0) if infr else J.v_of(J.r)
            if not float(v2) > float(v1):
                continue
            ib = w.get_ib() if w.kind != "uni" else None

            def fun(v):
                f = J.dens(v)
                xy = None if (J.polyonly and not J.u) else J.last
                Rv = a * J.cdf(0, v, xy) + b * J.cdf(1, v, xy)
                if float(Rv) > 0.5 and infr:
                    S = a * J.tail(0, v, True) + b * J.tail(1, v, True) + J.aft[0] * a + J.aft[1] * b
                else:
                    S = 1 - Rv
                if not f[0] > 0:
                    return (ZERO,)
                if not Rv > 0:
                    return (f[0],)
                if not S > 0:
                    return (ZERO,)
                if w.kind == "uni":
                    return (f[0] * S,)
                return (f[0] * ib.upp(Rv, S),)
            if infr:
                J.aft = []
                for k in (0, 1):
                    t = ZERO
                    s = self.side(k)
                    for wq, c in s.parts:
                        if c.r == INF or J.r == INF:
                            continue
                        if c.l >= J.r if c.l != -INF else False:
                            t += A(wq) * c.total()
                    for c in [c for c in s.parts if c[1].r == INF and J.r != INF]:
                        raise RuntimeError("unsupported mixture")
                    for p, mm in s.atoms.items():
                        if J.r != INF and p >= J.r:
                            t += A(mm)
                    J.aft.append(t)
            K += integrate(fun, v1, v2, 1, self.tol)[0]
        return K


_BB = {}


def beta_below(side, pa, pb, below, tol):
    """P(B <= S) (below) or P(B > S), B ~ Beta(pa,pb), S from the side"""
    B = BetaC(pa, pb)
    t = ZERO
    for p, m in side.atoms.items():
        x, y = A(p), A(1 - p)
        t += A(m) * (B.cdf(x, y) if below else B.sf(x, y))
    for w, c in side.parts:
        if isinstance(c, PolyC):
            l, r = c.l, c.r
            # by parts with partial moments of B: E[C(S)] = sum over powers
            # int_l^r p(x) I_x dx = P(r)I_r - P(l)I_l - int_l^r P dB, P antiderivative
            P = c.aq
            tot = ZERO
            Ir, Il = B.cdf(A(r), A(1 - r)), B.cdf(A(l), A(1 - l))
            tot = A(P(r)) * Ir - A(P(l)) * Il
            mom = ONE
            a, s = A(pa), A(pa + pb)
            for n, co in enumerate(P.coeffs()):
                if co != 0:
                    Bn = B if n == 0 else BetaC(pa + n, pb)
                    tot -= A(co) * mom * Bn.mass(A(l), A(1 - l), A(r), A(1 - r))
                mom = mom * (a + n) / (s + n)
            t += A(w) * (tot if below else c.total() - tot)
        else:
            # smooth part: integrate in the logit variable
            full = isinstance(c, BetaC)
            J = Piece.__new__(Piece)
            J.u = True
            J.l, J.r = c.l, c.r
            if not full and (c.l != 0 or c.r != 1):
                J.u = True
            def fun(v):
                if float(v) > 0:
                    e = (-v).exp()
                    x, y, l = 1 / (1 + e), e / (1 + e), v + (1 + e).log()
                else:
                    e = v.exp()
                    x, y, l = e / (1 + e), 1 / (1 + e), (1 + e).log()
                f = c.fdu(v, l, x)[0] if full else c.fd(x, y)[0] * x * y
                return (f * (B.cdf(x, y) if below else B.sf(x, y)),)

            def lim(right):
                q = c.r if right else c.l
                if 0 < q < 1:
                    return (A(q) / A(1 - q)).log()
                v = 1.0
                sg = 1 if right else -1
                def small(z):
                    if z > 0:
                        e = (-arb(z)).exp()
                        x, y = 1 / (1 + e), e / (1 + e)
                    else:
                        e = arb(z).exp()
                        x, y = e / (1 + e), 1 / (1 + e)
                    if full:
                        mm = c.sf(x, y) if right else c.cdf(x, y)
                    else:
                        mm = c.mass(x, y, ONE, ZERO) if right else c.mass(ZERO, ONE, x, y)
                    return float(mm) < 1e-27 * max(1e-12, tol * 1e24)
                while not small(sg * v):
                    v *= 1.5
                return arb(sg * v)
            t += A(w) * integrate(fun, lim(False), lim(True), 1, tol)[0]
    return t


COLS = ("AUC AUCH Gini KS MAE MMAE BS MBS CL RL RL_conv H H_priors H_R s0 s1 "
        "sf rf su sd ru rd o zsf zrf zsu zsd zru zrd zo").split()


def show(v, digits=21):
    if v is None:
        return "NA"
    m = v.mid()
    if abs(float(m)) < 1e-40:
        return "0"
    s = m.str(digits, radius=False)
    return s


def parse_cost(text):
    if text == "uniform":
        return None
    p = Parser(text)
    assert p.take() == "beta"
    a, b = p.args()
    return a, b


def row(f0, f1, pi0, cost="uniform"):
    m = Model(f0, f1, parse_const(pi0))
    out = m.compute(parse_cost(cost))
    worst = max(float(v.rad()) for v in out.values() if v is not None)
    return m, out, worst
