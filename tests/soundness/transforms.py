"""The transforms Conv, Cal and Even of a curve."""

from curve import Curve, Stretch
from errors import Unsupported
from exact import ONE, ZERO, Rat


def even(curve):
    """Scores become rates: x := R; gaps vanish and ties become arcs."""
    stretches = [Stretch("arc", curve.rate(s), s.F0, s.F1)
                 for s in curve.stretches if s.has_mass()]
    return Curve(curve.pi0, ZERO, ONE, stretches)


class _Block:
    """A part of the curve, from stretch `first` to stretch `last`; a chord if it was merged."""

    def __init__(self, first, last, start, end, chord):
        self.first = first
        self.last = last
        self.start = start  # the posterior where it starts
        self.end = end
        self.chord = chord


def _chord_posterior(curve, first, last):
    a, b = curve.stretches[first], curve.stretches[last]
    mass0 = curve.pi0 * (b.F0(ONE) - a.F0(ZERO))
    mass1 = curve.pi1 * (b.F1(ONE) - a.F1(ZERO))
    return mass1 / (mass0 + mass1)


def _merge(curve, first, last):
    posterior = _chord_posterior(curve, first, last)
    return _Block(first, last, posterior, posterior, True)


def _chord(curve, block):
    """The stretch along which x, F0 and F1 run linearly."""
    a, b = curve.stretches[block.first], curve.stretches[block.last]
    x0, x1 = a.x(ZERO), b.x(ONE)
    return Stretch("tie" if x0 == x1 else "arc", Rat.line(x0, x1),
                   Rat.line(a.F0(ZERO), b.F0(ONE)), Rat.line(a.F1(ZERO), b.F1(ONE)))


def _check_above(curve, block):
    """The chord must nowhere lie below the curve (in the plane of F1 and F0)."""
    a, b = curve.stretches[block.first], curve.stretches[block.last]
    run = b.F1(ONE) - a.F1(ZERO)
    rise = b.F0(ONE) - a.F0(ZERO)
    for stretch in curve.stretches[block.first:block.last + 1]:
        excess = ((stretch.F0 - Rat.constant(a.F0(ZERO))).scaled(run)
                  - (stretch.F1 - Rat.constant(a.F1(ZERO))).scaled(rise))
        points = [ZERO, ONE]
        slope = excess.derivative()
        if slope.top.degree() == 1 and slope.is_polynomial():
            turn = -slope.top[0] / slope.top[1]
            if 0 < turn < 1:
                points.append(turn)
        elif slope.top.degree() > 1:
            raise Unsupported("the hull of a curve of a higher degree")
        if any(excess(s) > 0 for s in points):
            raise Unsupported("a tangent chord")


def conv(curve):
    """The upper concave hull of the ROC curve.

    Parts of the curve that lie strictly below the hull are replaced by chords;
    parts that touch it stay, and so do the gaps between the parts.
    """
    blocks = []
    for index, posterior in enumerate(curve.posteriors()):
        if posterior is None:
            continue
        start, end = posterior(ZERO), posterior(ONE)
        blocks.append(_Block(index, index, start, end, False) if start <= end
                      else _merge(curve, index, index))
        while len(blocks) > 1 and blocks[-2].end > blocks[-1].start:
            last = blocks.pop()
            blocks.append(_merge(curve, blocks.pop().first, last.last))
    stretches = []
    previous = -1
    for block in blocks:
        stretches.extend(curve.stretches[previous + 1:block.first])
        if block.chord:
            _check_above(curve, block)
            stretches.append(_chord(curve, block))
        else:
            stretches.append(curve.stretches[block.first])
        previous = block.last
    stretches.extend(curve.stretches[previous + 1:])
    return Curve(curve.pi0, curve.low, curve.high, stretches)


def cal(curve):
    """Scores become the posteriors along the hull; corners become gaps."""
    hull = conv(curve)
    stretches = []
    before, F0, F1 = ZERO, ZERO, ZERO
    for stretch, posterior in zip(hull.stretches, hull.posteriors()):
        if posterior is None:
            continue
        after = posterior(ZERO)
        if after != before:
            stretches.append(_gap(before, after, F0, F1))
        F0, F1 = stretch.F0(ONE), stretch.F1(ONE)
        before = posterior(ONE)
        if not posterior.is_constant():
            stretches.append(Stretch("arc", posterior, stretch.F0, stretch.F1))
        elif stretches and stretches[-1].kind == "tie":
            tie = stretches[-1]
            stretches[-1] = Stretch("tie", tie.x, Rat.line(tie.F0(ZERO), F0),
                                    Rat.line(tie.F1(ZERO), F1))
        else:
            stretches.append(Stretch("tie", posterior, Rat.line(stretch.F0(ZERO), F0),
                                     Rat.line(stretch.F1(ZERO), F1)))
    if before != ONE:
        stretches.append(_gap(before, ONE, F0, F1))
    return Curve(curve.pi0, ZERO, ONE, stretches)


def _gap(start, end, F0, F1):
    return Stretch("gap", Rat.line(start, end), Rat.constant(F0), Rat.constant(F1))


TRANSFORMS = {"Conv": conv, "Cal": cal, "Even": even}
