"""The curve u -> (x, F0, F1) of a model: a chain of arcs, ties and gaps, with corners between."""

from dataclasses import dataclass

from errors import Unsupported
from exact import HALF, ONE, ZERO, Rat, compare


@dataclass(eq=False)
class Stretch:
    """One stretch of the curve: coordinates as functions of s in [0, 1]."""

    kind: str  # "arc", "tie" or "gap"
    x: Rat
    F0: Rat
    F1: Rat

    def has_mass(self):
        return self.kind != "gap"

    def is_straight(self):
        """Do x, F0 and F1 all run linearly?"""
        return all(f.is_polynomial() and f.top.degree() <= 1 for f in (self.x, self.F0, self.F1))


@dataclass(eq=False)
class Corner:
    """A place where only the posterior moves; x is None if a gap lies there."""

    start: object
    end: object
    x: object
    F0: object
    F1: object


class Curve:
    """A curve with its class proportions and its scale."""

    def __init__(self, pi0, low, high, stretches):
        self.pi0 = pi0
        self.pi1 = 1 - pi0
        self.low = low
        self.high = high
        self.stretches = stretches
        self._posteriors = None
        self._corners = None
        self._balanced = None

    def balanced(self):
        """The same curve with pi0 = pi1 = 1/2."""
        if self._balanced is None:
            self._balanced = (self if self.pi0 == HALF
                              else Curve(HALF, self.low, self.high, self.stretches))
        return self._balanced

    def rate(self, stretch):
        """R along a stretch."""
        return stretch.F0.scaled(self.pi0) + stretch.F1.scaled(self.pi1)

    def posteriors(self):
        """For each stretch the posterior along it; None for gaps."""
        if self._posteriors is None:
            self._posteriors = [self._posterior(s) for s in self.stretches]
        return self._posteriors

    def _posterior(self, stretch):
        if not stretch.has_mass():
            return None
        return stretch.F1.derivative().scaled(self.pi1) / self.rate(stretch).derivative()

    def corners(self):
        """The corners, from c = 0 before the first mass to c = 1 after the last."""
        if self._corners is None:
            self._corners = list(self._find_corners())
        return self._corners

    def _find_corners(self):
        before, at_gap = ZERO, False
        x, F0, F1 = self.low, ZERO, ZERO
        for stretch, posterior in zip(self.stretches, self.posteriors()):
            if posterior is None:
                at_gap = True
                continue
            after = posterior(ZERO)
            if before != after:
                yield Corner(before, after, None if at_gap else stretch.x(ZERO), F0, F1)
            before, at_gap = posterior(ONE), False
            x, F0, F1 = stretch.x(ONE), stretch.F0(ONE), stretch.F1(ONE)
        if before != ONE:
            yield Corner(before, ONE, None if at_gap else x, F0, F1)

    def at_score(self, threshold):
        """(F0, F1) at a score: the parts of the classes with scores up to it."""
        F0, F1 = ZERO, ZERO
        for stretch in self.stretches:
            if compare(stretch.x(ONE), threshold) <= 0:
                F0, F1 = stretch.F0(ONE), stretch.F1(ONE)
            elif compare(stretch.x(ZERO), threshold) <= 0:
                s = stretch.x.solve_for(threshold)
                return stretch.F0(s), stretch.F1(s)
            else:
                break
        return F0, F1

    def at_rate(self, wanted):
        """(F0, F1) where R has the wanted value; ties are split linearly."""
        if compare(wanted, ZERO) < 0 or compare(wanted, ONE) > 0:
            raise Unsupported("a rate outside [0, 1]")
        for stretch in self.stretches:
            if not stretch.has_mass():
                continue
            rate = self.rate(stretch)
            if compare(rate(ONE), wanted) >= 0:
                s = rate.solve_for(wanted)
                return stretch.F0(s), stretch.F1(s)
        raise Unsupported("no such rate")
