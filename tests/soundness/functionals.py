"""The named functionals and expected losses, each computed from its own definition."""

from flint import fmpq_poly

from errors import Undefined, Unsupported
from exact import ONE, ZERO, Rat, beta_weight, integrate_against_beta, rational
from integrals import integrate
from language import parse_expression
from transforms import conv

INTEGRALS = {
    "AUC": "F0*dF1",
    "MAE": "x*pi0*dF0 + (1-x)*pi1*dF1",
    "BS": "x^2*pi0*dF0 + (1-x)^2*pi1*dF1",
    "CL": "(x-c)^2*dR",
    "RL": "pi0*dF0*pi1*dF1/dR",
    "s0": "x*dF0",
    "s1": "x*dF1",
}
INTEGRAL_TREES = {name: parse_expression(text) for name, text in INTEGRALS.items()}
UNIFORM = (ONE, ONE)

# names that take no argument, and names that take a place (a score or Rinv(rate))
PLAIN = ("AUC", "AUCH", "Gini", "KS", "MAE", "BS", "CL", "RL", "RL_conv", "s0", "s1",
         "H", "H_hmeasure", "H_priors", "pi0", "pi1", "l", "h")
AT_PLACE = ("F0", "F1", "R", "Acc")
BALANCED = tuple("M" + name for name in
                 ("MAE", "BS", "CL", "RL", "RL_conv", "H", "H_hmeasure", "H_priors"))
BALANCED_AT_PLACE = ("MAcc",)
NEED_PROBABILITIES = {"MAE", "BS", "CL", "MMAE", "MBS", "MCL"}


def plain(name, curve):
    """A functional without arguments."""
    if name.startswith("M") and name in BALANCED:
        return plain(name[1:], curve.balanced())
    if name in INTEGRAL_TREES:
        return integrate(INTEGRAL_TREES[name], curve)[0]
    if name == "AUCH":
        return plain("AUC", conv(curve))
    if name == "RL_conv":
        return plain("RL", conv(curve))
    if name == "Gini":
        return 2 * plain("AUC", curve) - 1
    if name == "KS":
        return kolmogorov_smirnov(curve)
    if name == "H":
        return h_measure(curve, rational(2), rational(2))
    if name == "H_hmeasure":
        return h_measure(curve, rational(2), 1 + curve.pi0 / curve.pi1)
    if name == "H_priors":
        return h_measure(curve, 1 + curve.pi1, 1 + curve.pi0)
    numbers = {"pi0": curve.pi0, "pi1": curve.pi1, "l": curve.low, "h": curve.high}
    return numbers[name]


def at_place(name, curve, by_rate, place):
    """F0, F1, R or Acc (or MAcc) at a score, or where the rate has a value."""
    if name == "MAcc":
        return at_place("Acc", curve.balanced(), by_rate, place)
    F0, F1 = curve.at_rate(place) if by_rate else curve.at_score(place)
    if name == "F0":
        return F0
    if name == "F1":
        return F1
    if name == "R":
        return curve.pi0 * F0 + curve.pi1 * F1
    return curve.pi0 * F0 + curve.pi1 * (1 - F1)


def kolmogorov_smirnov(curve):
    """The largest distance between F0 and F1 along the curve."""
    best = ZERO
    for stretch in curve.stretches:
        difference = stretch.F0 - stretch.F1
        slope = difference.derivative()
        points = [ZERO, ONE]
        if slope.top.degree() == 1:
            turn = -slope.top[0] / slope.top[1]
            if 0 < turn < 1:
                points.append(turn)
        elif slope.top.degree() > 1:
            raise Unsupported("KS of a curve of a higher degree")
        best = max([best] + [abs(difference(s)) for s in points])
    return best


def loss_line(curve, F0, F1):
    """Q at a point as a polynomial of the cost proportion c."""
    constant = 2 * curve.pi1 * F1
    return constant, 2 * curve.pi0 * (1 - F0) - constant


def loss_at_point(curve, F0, F1, cost):
    """Q(cost) at a point."""
    return 2 * (cost * curve.pi0 * (1 - F0) + (1 - cost) * curve.pi1 * F1)


def lower_envelope(lines):
    """The least of some lines over [0, 1]: a list of (start, end, line)."""
    pieces = []
    start = ZERO
    current = min(lines)  # the least at 0, of these the one with the least slope
    while True:
        end, following = ONE, None
        for line in lines:
            if line[1] < current[1]:
                crossing = (line[0] - current[0]) / (current[1] - line[1])
                earlier = crossing < end or (crossing == end and following is not None
                                             and line[1] < following[1])
                if earlier and crossing < 1:
                    end, following = crossing, line
        pieces.append((start, end, current))
        if following is None:
            return pieces
        start, current = end, following


def integrate_least(lines, a, b):
    """The integral over the cost proportion of the least of some lines, weighted by beta(a, b)."""
    total = ZERO
    for start, end, line in lower_envelope(lines):
        total = total + integrate_against_beta(fmpq_poly(list(line)), start, end, a, b)
    return total


def optimal_loss(curve, a, b):
    """L[o; beta(a, b)]: the threshold is the best one for every cost proportion."""
    if all(s.kind == "gap" or (s.F0.top.degree() <= 1 and s.F1.top.degree() <= 1
                               and s.F0.is_polynomial() and s.F1.is_polynomial())
           for s in curve.stretches):
        points = {(ZERO, ZERO)} | {(s.F0(ONE), s.F1(ONE)) for s in curve.stretches}
        return integrate_least([loss_line(curve, *p) for p in points], a, b)
    return optimal_loss_of_hull(curve, conv(curve), a, b)


def optimal_loss_of_hull(curve, hull, a, b):
    """The same for a curve with bent arcs.

    At cost c the loss falls along the hull as long as the posterior is below c, and
    rises after that; so the best point is the one where the posterior passes c.
    """
    weight = beta_weight(a, b)
    if weight is None:
        raise Unsupported("a bent curve with a weight that is no polynomial")
    total = ZERO
    for corner in hull.corners():
        line = fmpq_poly(list(loss_line(curve, corner.F0, corner.F1)))
        total = total + integrate_against_beta(line, corner.start, corner.end, a, b)
    for stretch, posterior in zip(hull.stretches, hull.posteriors()):
        if posterior is None or posterior.is_constant():
            continue
        loss = loss_along(curve, stretch, posterior)
        total = total + (loss * compose(weight, posterior) * posterior.derivative()).integral()
    return total


def compose(poly, inner):
    """poly(inner(s)) for a rational function inner."""
    total = Rat.constant(ZERO)
    for coefficient in reversed(poly.coeffs()):
        total = total * inner + Rat.constant(coefficient)
    return total


def loss_along(curve, stretch, cost):
    """Q(cost) along a stretch, where the cost is a function of s."""
    one = Rat.constant(ONE)
    first = cost * (one - stretch.F0)
    second = (one - cost) * stretch.F1
    return first.scaled(2 * curve.pi0) + second.scaled(2 * curve.pi1)


def integrate_driven(curve, driver, stretches, a, b):
    """The integral of Q(v) w(v) dv where v = driver(stretch) runs over [0, 1]."""
    weight = beta_weight(a, b)
    total = ZERO
    for stretch in stretches:
        cost = driver(stretch)
        if cost.is_constant():
            continue
        loss = loss_along(curve, stretch, cost)
        if weight is not None:
            total = total + (loss * compose(weight, cost) * cost.derivative()).integral()
        elif cost.is_polynomial() and cost.top.degree() == 1:
            # s as a linear function of the cost
            back = fmpq_poly([-cost.top[0] / cost.top[1], 1 / cost.top[1]])
            in_cost = loss.after(Rat(back))
            total = total + integrate_against_beta(in_cost.top, cost(ZERO), cost(ONE), a, b)
        else:
            raise Unsupported("a bent curve with a weight that is no polynomial")
    return total


def uniform_score_loss(curve, mean):
    """L[su]: the threshold is uniform over the scale."""
    width = curve.high - curve.low
    if width == 0:
        raise Undefined("a scale of one point")
    total = ZERO
    for stretch in curve.stretches:
        loss = loss_along(curve, stretch, Rat.constant(mean))
        total = total + (loss * stretch.x.derivative()).integral()
    return total / width


def uniform_rate_loss(curve, mean):
    """L[ru]: the rate is uniform over [0, 1]."""
    total = ZERO
    for stretch in curve.stretches:
        loss = loss_along(curve, stretch, Rat.constant(mean))
        total = total + (loss * curve.rate(stretch).derivative()).integral()
    return total


def loss(curve, method, place, parameters):
    """L[method; beta(parameters)]; `place` is the threshold of sf or the rate of rf."""
    a, b = parameters
    mean = a / (a + b)
    if method == "sf":
        return loss_at_point(curve, *curve.at_score(place), mean)
    if method == "rf":
        return loss_at_point(curve, *curve.at_rate(place), mean)
    if method == "su":
        return uniform_score_loss(curve, mean)
    if method == "ru":
        return uniform_rate_loss(curve, mean)
    if method == "sd":
        if curve.low != 0 or curve.high != 1:
            raise Undefined("scores that are no probabilities")
        return integrate_driven(curve, lambda s: s.x, curve.stretches, a, b)
    if method == "rd":
        massive = [s for s in curve.stretches if s.has_mass()]
        return integrate_driven(curve, curve.rate, massive, a, b)
    if method == "o":
        return optimal_loss(curve, a, b)
    raise ValueError("no such method: " + method)


def h_measure(curve, a, b):
    """1 - (optimal loss) / (optimal loss of scores that tell nothing)."""
    nothing = [(ZERO, 2 * curve.pi0), (2 * curve.pi1, -2 * curve.pi1)]
    return 1 - optimal_loss(curve, a, b) / integrate_least(nothing, a, b)
