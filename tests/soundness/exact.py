"""Exact rationals, rational functions of one variable on [0, 1], and their integrals.

A value is either an exact rational (`fmpq`) or, where logarithms or roots come
in, a ball of 256 bits (`arb`) that is guaranteed to hold the true value.
"""

from flint import acb, acb_poly, arb, ctx, fmpq, fmpq_poly

from errors import Infinite, Unsupported

ctx.prec = 256

ZERO = fmpq(0)
ONE = fmpq(1)
HALF = fmpq(1, 2)
TOLERANCE = fmpq(1, 10**30)
POLY_ONE = fmpq_poly([1])


def rational(text_or_number):
    """A rational from an int, a decimal or rational text, or a rational."""
    if isinstance(text_or_number, fmpq):
        return text_or_number
    if isinstance(text_or_number, int):
        return fmpq(text_or_number)
    text = str(text_or_number)
    if "/" in text:
        top, bottom = text.split("/")
        return rational(top) / rational(bottom)
    if "." in text:
        whole, part = text.split(".")
        return fmpq(int((whole or "0") + part), 10 ** len(part))
    return fmpq(int(text))


def is_whole(value):
    """Is it an exact whole number?"""
    return isinstance(value, fmpq) and value.q == 1


def sign(value):
    """The sign of a value; 0 if it lies within the tolerance of 0."""
    if isinstance(value, fmpq):
        return (value > 0) - (value < 0)
    if not value.is_finite():
        raise Unsupported("a ball that is not finite")
    if value > TOLERANCE / 2:
        return 1
    if value < -TOLERANCE / 2:
        return -1
    if abs(value) < TOLERANCE:
        return 0
    raise Unsupported("a ball too wide to compare")


def compare(left, right):
    """The sign of left - right."""
    return sign(left - right)


def root(value):
    """The square root; exact if it is rational."""
    if sign(value) < 0:
        raise Unsupported("the root of a negative number")
    if isinstance(value, fmpq):
        top, bottom = value.p.isqrt(), value.q.isqrt()
        if top * top == value.p and bottom * bottom == value.q:
            return fmpq(top, bottom)
        return arb(value).sqrt()
    return value.max(arb(0)).sqrt()


def evaluate_polynomial(poly, point):
    """A polynomial at a rational or at a ball."""
    if isinstance(point, fmpq):
        return poly(point)
    total = arb(0)
    for coefficient in reversed(poly.coeffs()):
        total = total * point + coefficient
    return total


def count_roots_inside(poly):
    """How many different roots lie in the open interval (0, 1), by Sturm's chain.

    The ends must not be roots.
    """
    chain = [poly, poly.derivative()]
    while chain[-1].degree() > 0:
        rest = -(chain[-2] % chain[-1])
        if rest == 0:
            break
        chain.append(rest)

    def changes(point):
        signs = [sign(p(point)) for p in chain]
        signs = [s for s in signs if s]
        return sum(1 for a, b in zip(signs, signs[1:]) if a != b)

    return changes(ZERO) - changes(ONE)


def vanishes_somewhere(poly):
    """Has the polynomial a root in the closed interval [0, 1]?"""
    if poly.degree() < 1:
        return poly == 0
    start, end = poly(ZERO), poly(ONE)
    if start == 0 or end == 0 or (start > 0) != (end > 0):
        return True
    if poly.degree() == 1:
        return False
    return count_roots_inside(poly) > 0


def solve(poly):
    """A root of a polynomial of degree one or two in [0, 1] (the polynomial is monotone)."""
    if poly.degree() == 1:
        return -poly[0] / poly[1]
    if poly.degree() != 2:
        raise Unsupported("a root of a polynomial of degree %d" % poly.degree())
    c, b, a = poly.coeffs()
    spread = root(b * b - 4 * a * c)
    for candidate in ((-b + spread) / (2 * a), (-b - spread) / (2 * a)):
        if sign(candidate) >= 0 and compare(candidate, ONE) <= 0:
            return candidate
    raise Unsupported("no root in [0, 1]")


class Rat:
    """A rational function of s, as a reduced fraction of two polynomials."""

    __slots__ = ("top", "bottom")

    def __init__(self, top, bottom=POLY_ONE):
        self.top = top
        self.bottom = bottom

    @staticmethod
    def make(top, bottom):
        """The reduced fraction; the denominator is 1 if it is constant."""
        if bottom.degree() > 0:
            common = top.gcd(bottom)
            if common.degree() > 0:
                top, bottom = top // common, bottom // common
        if bottom.degree() == 0:
            return Rat(top * (1 / bottom[0]))
        return Rat(top, bottom)

    @staticmethod
    def constant(value):
        return Rat(fmpq_poly([value]))

    @staticmethod
    def line(start, end):
        """The linear function from start (s = 0) to end (s = 1)."""
        return Rat(fmpq_poly([start, end - start]))

    def is_polynomial(self):
        return self.bottom.degree() == 0

    def is_zero(self):
        return self.top == 0

    def is_constant(self):
        return self.top.degree() <= 0 and self.bottom.degree() == 0

    def same(self, other):
        """Are they the same function?"""
        return (self - other).is_zero()

    def __add__(self, other):
        if self.is_polynomial() and other.is_polynomial():
            return Rat(self.top + other.top)
        return Rat.make(self.top * other.bottom + other.top * self.bottom,
                        self.bottom * other.bottom)

    def __sub__(self, other):
        if self.is_polynomial() and other.is_polynomial():
            return Rat(self.top - other.top)
        return Rat.make(self.top * other.bottom - other.top * self.bottom,
                        self.bottom * other.bottom)

    def __mul__(self, other):
        if self.is_polynomial() and other.is_polynomial():
            return Rat(self.top * other.top)
        return Rat.make(self.top * other.top, self.bottom * other.bottom)

    def __truediv__(self, other):
        return Rat.make(self.top * other.bottom, self.bottom * other.top)

    def scaled(self, factor):
        return Rat(self.top * factor, self.bottom)

    def __call__(self, point):
        """The value at a point (a rational or a ball)."""
        if self.is_polynomial():
            return evaluate_polynomial(self.top, point)
        return evaluate_polynomial(self.top, point) / evaluate_polynomial(self.bottom, point)

    def derivative(self):
        if self.is_polynomial():
            return Rat(self.top.derivative())
        return Rat.make(self.top.derivative() * self.bottom - self.top * self.bottom.derivative(),
                        self.bottom * self.bottom)

    def after(self, inner):
        """The composition self(inner(s)), for polynomials only."""
        if not (self.is_polynomial() and inner.is_polynomial()):
            raise Unsupported("a composition of rational functions")
        return Rat(self.top(inner.top))

    def integral(self):
        """The integral over [0, 1]."""
        if self.is_polynomial():
            return self.top.integral()(ONE)
        if vanishes_somewhere(self.bottom):
            raise Infinite("a pole on the stretch")
        top, bottom = acb_poly(self.top), acb_poly(self.bottom)
        value = acb.integral(lambda z, _: top(z) / bottom(z), 0, 1).real
        if not value.is_finite() or value.rad() > TOLERANCE / 1000:
            raise Unsupported("an integral that is not precise enough")
        return value

    def solve_for(self, value):
        """The s in [0, 1] where the (monotone) function has the value."""
        return solve(self.top - self.bottom * value)


def beta_constant(a, b):
    """The beta function B(a, b): exact for whole parameters."""
    if is_whole(a) and is_whole(b):
        a, b = int(a.p), int(b.p)
        value = ONE
        # (a-1)! (b-1)! / (a+b-1)!
        for k in range(1, b):
            value = value * k / (a + k)
        return value / a
    a, b = arb(a), arb(b)
    return a.gamma() * b.gamma() / (a + b).gamma()


def beta_weight(a, b):
    """The density of beta(a, b) as a polynomial; None if it is not one."""
    if not (is_whole(a) and is_whole(b)):
        return None
    weight = fmpq_poly([0, 1]) ** (int(a.p) - 1) * fmpq_poly([1, -1]) ** (int(b.p) - 1)
    return weight * (1 / beta_constant(a, b))


def integrate_against_beta(poly, start, end, a, b):
    """The integral of poly(c) w(c) over [start, end], where w is the density of beta(a, b)."""
    if not poly or start == end:
        return ZERO
    weight = beta_weight(a, b)
    if weight is not None:
        primitive = (poly * weight).integral()
        return primitive(end) - primitive(start)
    total = arb(0)
    for power, coefficient in enumerate(poly.coeffs()):
        if coefficient != 0:
            upper = arb(end).beta_lower(arb(a + power), arb(b))
            lower = arb(start).beta_lower(arb(a + power), arb(b))
            total += coefficient * (upper - lower)
    return total / beta_constant(a, b)
