"""Integrals of expressions in coordinates and differentials along a curve.

On each stretch some differentials stand still.  A differential that stands
still is treated as an infinitesimal of order one: a product adds the orders, a
quotient subtracts them, a sum keeps the lowest.  What comes out of order above
zero is 0 on that stretch; what comes out of order zero from a quotient of two
infinitesimals has no value (Undefined); what comes out of a negative order is
Infinite.  A coordinate that has no value on a stretch (c in a gap, x at a
corner that lies at a gap) has order zero and an unknown coefficient.

Some cases can be read in two ways: a term that is 0 because a differential stands
still but that also divides by a coordinate that is 0 there, and a coordinate that
is 0 times one that has no value.  They count as 0, and a note is kept
("ambiguous").  Another note is kept if a denominator vanishes at a
single point of a stretch and the quotient has a limit there ("isolated").
"""

from functools import lru_cache

from errors import Infinite, Undefined
from exact import ZERO, Rat, vanishes_somewhere

AMBIGUOUS = "ambiguous"
ISOLATED = "isolated"
NO_NOTES = frozenset()
DIFFERENTIALS = {"dx", "dF0", "dF1", "dR", "dc"}


class Graded:
    """A value on a stretch: an order, and for order zero a coefficient (None if unknown).

    `fault` is "undefined" or "infinite" once something was divided by a zero that
    is no infinitesimal.
    """

    __slots__ = ("order", "coefficient", "fault", "notes")

    def __init__(self, order, coefficient, fault=None, notes=NO_NOTES):
        self.order = order
        self.coefficient = coefficient
        self.fault = fault
        self.notes = notes

    def is_exact_zero(self):
        return (self.order == 0 and self.fault is None
                and self.coefficient is not None and self.coefficient.is_zero())

    def notes_when_dropped(self):
        """The notes that remain when this term counts as 0."""
        return self.notes | {AMBIGUOUS} if self.fault else self.notes


def known(coefficient):
    return Graded(0, coefficient)


def number(value):
    return Graded(0, Rat.constant(value))


def unknown():
    return Graded(0, None)


def still():
    return Graded(1, None)


def add(a, b, factor=1):
    """a + factor*b, where factor is 1 or -1."""
    if a.order != b.order:
        low, high = (a, b) if a.order < b.order else (b, a)
        coefficient = low.coefficient
        if coefficient is not None and low is b and factor < 0:
            coefficient = coefficient.scaled(-1)
        return Graded(low.order, coefficient, low.fault,
                      low.notes | high.notes_when_dropped())
    notes = a.notes | b.notes
    if a.fault or b.fault:
        fault = "undefined" if "undefined" in (a.fault, b.fault) else "infinite"
        return Graded(a.order, None, fault, notes)
    if a.coefficient is None or b.coefficient is None:
        return Graded(a.order, None, None, notes)
    total = a.coefficient + b.coefficient if factor > 0 else a.coefficient - b.coefficient
    return Graded(0, total, None, notes)


def multiply(a, b):
    """a * b"""
    order = a.order + b.order
    notes = a.notes | b.notes
    if a.order > 0 or b.order > 0:
        notes = notes - {AMBIGUOUS}
    if a.fault or b.fault:
        fault = "undefined" if "undefined" in (a.fault, b.fault) else "infinite"
        if a.is_exact_zero() or b.is_exact_zero():
            fault = "undefined"
        return Graded(order, None, fault, notes)
    for zero, other in ((a, b), (b, a)):
        if zero.is_exact_zero():
            if other.order < 0:
                return Graded(order, None, "undefined", notes)
            if other.coefficient is None and other.order == 0:
                return Graded(0, zero.coefficient, None, notes | {AMBIGUOUS})
    if order == 0 and a.order == 0 and a.coefficient is not None and b.coefficient is not None:
        return Graded(0, a.coefficient * b.coefficient, None, notes)
    return Graded(order, None, None, notes)


def divide(a, b, pointwise=True):
    """a / b; `pointwise` says whether to note a divisor that vanishes at single points."""
    order = a.order - b.order
    notes = a.notes | b.notes
    if a.fault or b.fault:
        return Graded(order, None, "undefined" if b.fault else a.fault, notes)
    if b.is_exact_zero():
        nonzero = a.order == 0 and a.coefficient is not None and not a.is_exact_zero()
        fault = "infinite" if nonzero or a.order < 0 else "undefined"
        return Graded(order, None, fault, notes)
    if a.is_exact_zero() and b.order == 0 and b.coefficient is None:
        return Graded(0, a.coefficient, None, notes | {AMBIGUOUS})
    if a.is_exact_zero() and b.order > 0:
        return Graded(order, None, "undefined", notes)
    if pointwise and b.order == 0 and b.coefficient is not None:
        if not b.coefficient.is_constant() and vanishes_somewhere(b.coefficient.top):
            notes = notes | {ISOLATED}
    if a.order == 0 and b.order == 0 and None not in (a.coefficient, b.coefficient):
        return Graded(0, a.coefficient / b.coefficient, None, notes)
    return Graded(order, None, None, notes)


def evaluate(tree, values, curve):
    """The value of an integrand's tree on one stretch."""
    kind = tree[0]
    if kind == "number":
        return number(tree[1])
    if kind == "name":
        return values[tree[1]]
    if kind == "add":
        return add(evaluate(tree[1], values, curve), evaluate(tree[2], values, curve))
    if kind == "sub":
        return add(evaluate(tree[1], values, curve), evaluate(tree[2], values, curve), -1)
    if kind == "neg":
        return multiply(number(-1), evaluate(tree[1], values, curve))
    if kind == "mul":
        return multiply(evaluate(tree[1], values, curve), evaluate(tree[2], values, curve))
    if kind == "div":
        return divide(evaluate(tree[1], values, curve), evaluate(tree[2], values, curve),
                      not has_differential(tree[2]))
    if kind == "pow":
        return power(evaluate(tree[1], values, curve), tree[2])
    if kind == "call" and tree[1] == "Q":
        cost = evaluate(tree[2][0], values, curve)
        return loss_at(cost, values)
    raise ValueError("not part of an integrand: %r" % (tree,))


@lru_cache(maxsize=None)
def has_differential(tree):
    """Does a differential occur in the tree?"""
    if tree[0] == "name":
        return tree[1] in DIFFERENTIALS
    parts = tree[2] if tree[0] == "call" else tree[1:]
    return any(isinstance(part, tuple) and has_differential(part) for part in parts)


def power(base, exponent):
    """base ^ exponent for a whole exponent."""
    result = number(1)
    for _ in range(abs(exponent)):
        result = multiply(result, base)
    return divide(number(1), result) if exponent < 0 else result


def loss_at(cost, values):
    """Q(cost) = 2*(cost*pi0*(1-F0) + (1-cost)*pi1*F1) at a point of the curve."""
    one = number(1)
    first = multiply(multiply(cost, values["pi0"]), add(one, values["F0"], -1))
    second = multiply(multiply(add(one, cost, -1), values["pi1"]), values["F1"])
    return multiply(number(2), add(first, second))


def _mass_differentials(curve, stretch):
    """dF0, dF1 and dR on an arc or a tie; a class without mass there stands still."""
    d0, d1 = stretch.F0.derivative(), stretch.F1.derivative()
    dR = d0.scaled(curve.pi0) + d1.scaled(curve.pi1)
    return (still() if d0.is_zero() else known(d0),
            still() if d1.is_zero() else known(d1), known(dR))


def stretch_values(curve, index):
    """The coordinates and differentials on one arc, tie or gap."""
    stretch = curve.stretches[index]
    values = {"x": known(stretch.x), "F0": known(stretch.F0), "F1": known(stretch.F1),
              "R": known(curve.rate(stretch)), "dc": still()}
    if stretch.kind == "gap":
        values["c"] = unknown()
        values["dx"] = known(stretch.x.derivative())
        values["dF0"] = values["dF1"] = values["dR"] = still()
        return values
    posterior = curve.posteriors()[index]
    values["c"] = known(posterior)
    values["dF0"], values["dF1"], values["dR"] = _mass_differentials(curve, stretch)
    if stretch.kind == "tie":
        values["dx"] = still()
    else:
        values["dx"] = known(stretch.x.derivative())
        if not posterior.is_constant():
            values["dc"] = known(posterior.derivative())
    return values


def corner_values(curve, corner):
    """The coordinates and differentials at a corner."""
    rate = curve.pi0 * corner.F0 + curve.pi1 * corner.F1
    mass = still()
    return {"x": unknown() if corner.x is None else number(corner.x),
            "F0": number(corner.F0), "F1": number(corner.F1), "R": number(rate),
            "c": known(Rat.line(corner.start, corner.end)),
            "dc": number(corner.end - corner.start),
            "dx": still(), "dF0": mass, "dF1": mass, "dR": mass}


def places(curve):
    """(kind, values) of every stretch and corner of the curve, computed once."""
    cached = getattr(curve, "integral_places", None)
    if cached is None:
        cached = [(s.kind, stretch_values(curve, i)) for i, s in enumerate(curve.stretches)]
        cached += [("corner", corner_values(curve, c)) for c in curve.corners()]
        constants = {"pi0": number(curve.pi0), "pi1": number(curve.pi1),
                     "l": number(curve.low), "h": number(curve.high)}
        for _, values in cached:
            values.update(constants)
        curve.integral_places = cached
    return cached


def integrate(tree, curve, only=None, parameters=None):
    """The integral along the curve and its notes; `only` is a kind of place or None.

    Raises Undefined or Infinite.
    """
    total = ZERO
    notes = NO_NOTES
    for kind, values in places(curve):
        if only is not None and kind != only:
            continue
        if parameters:
            values = {**values, **{n: number(v) for n, v in parameters.items()}}
        result = evaluate(tree, values, curve)
        if result.order > 0:
            notes |= result.notes_when_dropped()
            continue
        notes |= result.notes
        if result.fault == "undefined":
            raise Undefined("0/0 on a %s" % kind)
        if result.fault == "infinite" or result.order < 0:
            raise Infinite("a/0 on a %s" % kind)
        if result.coefficient is None:
            raise Undefined("no value on a %s" % kind)
        total = total + result.coefficient.integral()
    return total, notes
