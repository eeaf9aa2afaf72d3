"""Models: densities and ties of two classes, their curves, and their text for the prover."""

from flint import fmpq_poly

from curve import Curve, Stretch
from exact import ONE, ZERO, Rat


class ScoreDistribution:
    """The scores of one class: pieces (start, end, polynomial in x) and ties {x: mass}."""

    def __init__(self, pieces=(), ties=None):
        self.pieces = [p for p in pieces if p[2] != 0]
        self.ties = {x: mass for x, mass in (ties or {}).items() if mass != 0}

    def smooth_mass(self):
        return sum((_mass(*piece) for piece in self.pieces), ZERO)

    def tied_mass(self):
        return sum(self.ties.values(), ZERO)

    def normalised(self):
        """The same with a total mass of 1."""
        factor = 1 / (self.smooth_mass() + self.tied_mass())
        return ScoreDistribution([(a, b, p * factor) for a, b, p in self.pieces],
                                 {x: mass * factor for x, mass in self.ties.items()})

    def moved(self, shift, stretch):
        """The distribution of shift + stretch * score."""
        back = fmpq_poly([-shift / stretch, 1 / stretch])
        pieces = [(shift + stretch * a, shift + stretch * b, p(back) * (1 / stretch))
                  for a, b, p in self.pieces]
        return ScoreDistribution(pieces, {shift + stretch * x: m for x, m in self.ties.items()})

    def marks(self):
        """All scores where something changes."""
        return {x for a, b, _ in self.pieces for x in (a, b)} | set(self.ties)

    def density_between(self, start, end):
        """The density on an interval that holds no mark inside."""
        total = fmpq_poly([])
        for a, b, poly in self.pieces:
            if a <= start and end <= b:
                total = total + poly
        return total

    def text(self):
        """The distribution in the prover's syntax."""
        smooth, tied = self.smooth_mass(), self.tied_mass()
        if tied == 0:
            return _pieces_text(self.pieces, ONE)
        if smooth == 0:
            return _ties_text(self.ties, ONE)
        return "%s*%s + %s*%s" % (smooth, _pieces_text(self.pieces, smooth),
                                  tied, _ties_text(self.ties, tied))


def _mass(start, end, poly):
    primitive = poly.integral()
    return primitive(end) - primitive(start)


def _pieces_text(pieces, mass):
    parts = ["%s on [%s,%s]" % (_poly_text(poly * (1 / mass)), a, b)
             for a, b, poly in sorted(pieces, key=lambda piece: piece[0])]
    return "{ " + "; ".join(parts) + " }"


def _ties_text(ties, mass):
    parts = ["%s: %s" % (x, ties[x] / mass) for x in sorted(ties)]
    return "atoms: { " + "; ".join(parts) + " }"


def _poly_text(poly):
    names = ["", "*x", "*x^2", "*x^3", "*x^4"]
    text = ""
    for power, coefficient in enumerate(poly.coeffs()):
        if coefficient != 0:
            joiner = "" if not text and coefficient > 0 else ("-" if coefficient < 0 else "+")
            text += joiner + str(abs(coefficient)) + names[power]
    return text


class Model:
    """Class proportion and the score distributions of the two classes."""

    def __init__(self, pi0, class0, class1, origin=""):
        self.pi0 = pi0
        self.class0 = class0
        self.class1 = class1
        self.origin = origin

    def with_pi0(self, pi0):
        return Model(pi0, self.class0, self.class1, self.origin)

    def moved(self, shift, stretch):
        return Model(self.pi0, self.class0.moved(shift, stretch),
                     self.class1.moved(shift, stretch), self.origin + " moved")

    def marks(self):
        return sorted(self.class0.marks() | self.class1.marks())

    def scale(self):
        """[0, 1] if all scores lie there, else the smallest interval that holds them."""
        marks = self.marks()
        if marks[0] >= 0 and marks[-1] <= 1:
            return ZERO, ONE
        return marks[0], marks[-1]

    def curve(self):
        """The curve of the model."""
        low, high = self.scale()
        marks = sorted(set(self.marks()) | {low, high})
        stretches = []
        F0 = F1 = ZERO
        for index, x in enumerate(marks):
            tie0, tie1 = self.class0.ties.get(x, ZERO), self.class1.ties.get(x, ZERO)
            if tie0 != 0 or tie1 != 0:
                stretches.append(Stretch("tie", Rat.constant(x), Rat.line(F0, F0 + tie0),
                                         Rat.line(F1, F1 + tie1)))
                F0, F1 = F0 + tie0, F1 + tie1
            if index + 1 < len(marks):
                stretch, F0, F1 = self._between(x, marks[index + 1], F0, F1)
                stretches.append(stretch)
        return Curve(self.pi0, low, high, _join_gaps(stretches))

    def _between(self, start, end, F0, F1):
        """The arc or gap between two marks, and F0 and F1 at its end."""
        along = fmpq_poly([start, end - start])
        rise0 = (self.class0.density_between(start, end)(along) * (end - start)).integral()
        rise1 = (self.class1.density_between(start, end)(along) * (end - start)).integral()
        kind = "gap" if rise0 == 0 and rise1 == 0 else "arc"
        stretch = Stretch(kind, Rat(along), Rat(rise0 + F0), Rat(rise1 + F1))
        return stretch, F0 + rise0(ONE), F1 + rise1(ONE)

    def text(self):
        """The options that describe the model to the prover."""
        return "--f0 '%s' --f1 '%s' --pi0 %s" % (self.class0.text(), self.class1.text(), self.pi0)

    def arguments(self):
        """The same as a list of arguments."""
        return ["--f0=" + self.class0.text(), "--f1=" + self.class1.text(),
                "--pi0=" + str(self.pi0)]


def _join_gaps(stretches):
    joined = []
    for stretch in stretches:
        if stretch.kind == "gap" and joined and joined[-1].kind == "gap":
            start = joined.pop().x(ZERO)
            stretch = Stretch("gap", Rat.line(start, stretch.x(ONE)), stretch.F0, stretch.F1)
        joined.append(stretch)
    return joined


def belongs(curve, name):
    """Is the curve in a class of models?"""
    return CLASS_CHECKS[name](curve)


def _is_convex(curve):
    last = ZERO
    for posterior in curve.posteriors():
        if posterior is not None:
            start, end = posterior(ZERO), posterior(ONE)
            if start < last or end < start:
                return False
            last = end
    return True


def _is_calibrated(curve):
    if curve.low != 0 or curve.high != 1 or not _is_convex(curve):
        return False
    return all(p is None or p.same(s.x) for s, p in zip(curve.stretches, curve.posteriors()))


def _is_even(curve):
    return all(s.kind == "arc" and s.x.same(curve.rate(s)) for s in curve.stretches)


def _is_perfect(curve):
    for stretch in curve.stretches:
        moves0 = not stretch.F0.is_constant()
        if moves0 and not (stretch.F1.is_constant() and stretch.F1(ONE) == 0):
            return False
    return True


def _is_random(curve):
    return all(s.F0.same(s.F1) for s in curve.stretches)


def _is_continuous(curve):
    return all(s.kind != "tie" for s in curve.stretches)


def _is_piecewise(curve):
    return _is_continuous(curve) and curve.low == 0 and curve.high == 1


CLASS_CHECKS = {"convex": _is_convex, "calibrated": _is_calibrated, "even": _is_even,
                "perfect": _is_perfect, "random": _is_random, "continuous": _is_continuous,
                "piecewise": _is_piecewise, "all": lambda curve: True}
