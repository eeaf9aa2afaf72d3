"""Random integrands, and rewritings of them by naive algebra.

The rewritings are right wherever all quotients are defined.  Where a
differential stands still or a coordinate is 0 they may not be: that is what the
statements built from them test.
"""

COORDINATES = ["F0", "F1", "R", "c", "x", "(1-c)", "(1-F0)", "(1-F1)", "(F0-F1)", "(x-c)", "(1-x)"]
DIFFERENTIALS = ["dF0", "dF1", "dR", "dx", "dc"]
UNITS = ["c/c", "(1-c)/(1-c)", "dR/dR", "dx/dx", "dc/dc", "dF0/dF0", "dF1/dF1", "F0/F0", "F1/F1",
         "R/R", "x/x", "(1-x)/(1-x)", "(x-c)/(x-c)", "(1-F0)/(1-F0)", "(pi0*dF0+pi1*dF1)/dR",
         "(c*dR)/(pi1*dF1)", "pi1*dF1/dR/c", "pi0*dF0/((1-c)*dR)", "dR*dx/(dx*dR)",
         "(dx+dR)/(dx+dR)", "(dR+dc)/(dR+dc)", "(dF0-dF1)/(dF0-dF1)", "(F0-F1)/(F0-F1)",
         "(x-R)/(x-R)", "(c-pi1)/(c-pi1)", "(dx-dR)/(dx-dR)", "(dc-dx)/(dc-dx)",
         "dF0/dF1*(dF1/dF0)", "(c*(1-c))/((1-c)*c)", "(1/dx)/(1/dx)", "(F0/F1)/(F0/F1)", "c^2/c^2",
         "(dR^2+dx^2)/(dx^2+dR^2)",
         "(pi0-pi1)/(pi0-pi1)", "(1-2*pi0)/(pi1-pi0)", "(h-l)/(h-l)", "(F0+F1)/(F0+F1)",
         "(c*(1-c))/(c-c^2)", "(x+1)/(1+x)", "(pi0*c-pi1*(1-c))/(c-pi1)", "(1-R)/(1-R)",
         "(1-2*c)/(1-2*c)", "(c-pi0)/(c-pi0)"]
REWRITES = {
    "dR": ["(pi0*dF0 + pi1*dF1)", "(pi1*dF1 + dF0*pi0)", "pi1*dF1/c", "pi0*dF0/(1-c)",
           "dR*dR/dR", "dR^2/dR"],
    "dF1": ["c/pi1*dR", "(dR - pi0*dF0)/pi1", "c*dR/pi1", "dF1^2/dF1", "dR*(dF1/dR)",
            "c*pi0*dF0/((1-c)*pi1)"],
    "dF0": ["(1-c)/pi0*dR", "(dR - pi1*dF1)/pi0", "(1-c)*dR/pi0", "dF0^2/dF0", "dR/(dR/dF0)",
            "(1-c)*pi1*dF1/(c*pi0)"],
    "dx": ["dx*dR/dR", "dx*dx/dx", "dR/(dR/dx)", "dF0*(dx/dF0)", "dx/dF1*dF1"],
    "dc": ["dc*dR/dR", "dc*dc/dc", "dR*(dc/dR)", "dx*(dc/dx)"],
    "R": ["(pi0*F0 + pi1*F1)", "R^2/R"],
    "c": ["pi1*dF1/dR", "(1 - pi0*dF0/dR)", "c^2/c", "pi1*dF1/(pi0*dF0+pi1*dF1)", "1/(1/c)"],
    "(1-c)": ["pi0*dF0/dR", "(1 - pi1*dF1/dR)", "(1-c)^2/(1-c)", "1/(1/(1-c))"],
    "F0": ["(R - pi1*F1)/pi0", "F0^2/F0", "1/(1/F0)"],
    "F1": ["(R - pi0*F0)/pi1", "F1^2/F1"],
    "x": ["x^2/x", "(x*dR)/dR", "(x*dx)/dx"],
}
NAMES = ["F0", "F1", "R", "c", "x"]


def monomial(rng):
    """A product of coordinates and one differential, as a list of factors."""
    factors = [rng.choice(COORDINATES) for _ in range(rng.choice([0, 1, 1, 2, 2, 3]))]
    return factors + [rng.choice(DIFFERENTIALS + ["dR", "dF0", "dF1"])]


def quotient(rng):
    """A product with a quotient of differentials of degree one, as text."""
    top = [rng.choice(DIFFERENTIALS), rng.choice(DIFFERENTIALS)]
    bottom = rng.choice(DIFFERENTIALS + ["(pi0*dF0+pi1*dF1)", "(dF0+dF1)"])
    lead = [rng.choice(COORDINATES) for _ in range(rng.choice([0, 0, 1, 2]))]
    arrangements = [
        "*".join(lead + top) + "/" + bottom,
        "*".join(lead + [top[0], "(%s/%s)" % (top[1], bottom)]),
        "*".join(lead + ["(%s/%s)" % (top[0], bottom), top[1]]),
        "*".join(lead + [top[0]]) + "/(%s/%s)" % (bottom, top[1]),
        "*".join(lead + ["(%s*%s)" % tuple(top)]) + "/" + bottom,
        "*".join(lead + [top[1], top[0], "(1/%s)" % bottom]),
    ]
    return rng.choice(arrangements)


def arrange(rng, factors):
    """A product in random order and with random parentheses."""
    factors = list(factors)
    rng.shuffle(factors)
    if len(factors) > 2 and rng.random() < 0.3:
        factors = ["(%s)" % "*".join(factors[:2])] + factors[2:]
    return "*".join(factors)


def rewritten(rng, factors, most=2):
    """The factors with some of them rewritten and some units multiplied in."""
    factors = list(factors)
    for _ in range(rng.randint(1, most)):
        place = rng.randrange(len(factors))
        options = REWRITES.get(factors[place])
        if options and rng.random() < 0.75:
            factors[place] = "(%s)" % rng.choice(options)
        else:
            factors.append("(%s)" % rng.choice(UNITS))
    return factors


def exact_differential(rng):
    """(integrand, value): the differential of a monomial, and its growth along the curve."""
    powers = {name: 0 for name in NAMES}
    for _ in range(rng.randint(1, 3)):
        powers[rng.choice(NAMES)] += 1
    only_x = all(power == 0 for name, power in powers.items() if name != "x")
    terms = []
    for name, power in powers.items():
        if power == 0:
            continue
        others = [_power(n, p) for n, p in powers.items() if n != name and p]
        lead = [str(power)] if power > 1 else []
        own = [_power(name, power - 1)] if power > 1 else []
        terms.append("*".join(lead + own + others + ["d" + name]))
    rng.shuffle(terms)
    value = "h^%d" % powers["x"] if powers["x"] else "1"
    if only_x:
        value += " - l^%d" % powers["x"]
    return " + ".join(terms), value


def _power(name, power):
    return name if power == 1 else "%s^%d" % (name, power)
