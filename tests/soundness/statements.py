"""Random statements: identities in disguise, broken identities, inequalities, integrals with
quotients, implications, and statements with parameters.

    python statements.py --count 100 --seed 1
"""

import argparse
import random
import re
from fractions import Fraction

import integrands
from language import ParseError, parse_statement
from templates import (IDENTITIES, IMPLICATIONS, INEQUALITIES, PROBABILISTIC, SCORED, SIMPLE)

TRANSFORMED = ["(Conv(m))", "(Cal(m))", "(Even(m))", "(Conv(Even(m)))", "(Even(Conv(m)))",
               "(Cal(Even(m)))", "(Even(Cal(m)))", "(Cal(Conv(m)))"]
CLASSES = ["convex", "calibrated", "even", "perfect", "random", "continuous", "piecewise",
           "convex even", "convex continuous", "calibrated continuous", "calibrated even"]
PRIOR_CONDITIONS = ["pi0 == 1/2", "pi0 == 1/3", "pi0 == 9/10", "pi0 > pi1", "pi0 <= 1/3",
                    "pi1 == 2/3", "pi0 < 1", "pi0 > 1"]
COEFFICIENTS = ["2", "3", "1/2", "5", "1/3", "7/2", "-1", "-2", "3/4"]
MULTIPLIERS = ["AUC", "pi0", "RL", "(1-AUC)", "KS", "Gini", "pi1", "(1+AUC)", "(pi0-pi1)",
               "L[o]", "(1-2*AUC)", "pi0*pi1"]


class Draft:
    """A statement under construction."""

    def __init__(self, left, relation, right, classes="", conditions="", premise=""):
        self.left = left
        self.relation = relation
        self.right = right
        self.classes = classes
        self.conditions = conditions
        self.premise = premise

    def text(self):
        claim = "%s %s %s" % (self.left, self.relation, self.right)
        body = "%s implies %s" % (self.premise, claim) if self.premise else claim
        if self.classes or "(m)" in body:
            body = "for %s: %s" % ((self.classes + " m").strip(), body)
        return body + (" where " + self.conditions if self.conditions else "")


def apply_model(rng, text, chance=0.25):
    """The template with `@` replaced by one model."""
    model = rng.choice(TRANSFORMED) if "@" in text and rng.random() < chance else ""
    return scale_ends(text, "@", model).replace("@", model)


def scale_ends(text, mark, model):
    """The text with l and h of a transformed model written as numbers: Cal and Even have [0, 1]."""
    changed = "Cal" in model or "Even" in model
    for name, number in (("l", "0"), ("h", "1")):
        pattern = r"\b%s%s(?![A-Za-z0-9_])" % (name, re.escape(mark))
        text = re.sub(pattern, number if changed else name, text)
    return text


def identity(rng):
    """One identity, perhaps about a transformed model."""
    left, right, classes, conditions = rng.choice(IDENTITIES)
    both = apply_model(rng, left + " == " + right)
    left, right = both.split(" == ")
    if not classes and rng.random() < 0.12:
        classes = rng.choice(CLASSES)
    return Draft(left, "==", right, classes, conditions)


def some_functional(rng, probabilistic=True):
    options = SIMPLE + SCORED + (PROBABILISTIC if probabilistic else [])
    return apply_model(rng, rng.choice(options), 0.1)


def _scaled(factor, text):
    return "%s*(%s)" % (factor if factor[0] != "-" else "(%s)" % factor, text)


def combine(rng, first, second):
    """A linear combination of two identities."""
    a, b = rng.choice(COEFFICIENTS), rng.choice(COEFFICIENTS)
    classes = " ".join(dict.fromkeys((first.classes + " " + second.classes).split()))
    conditions = ", ".join(dict.fromkeys(
        c for c in (first.conditions, second.conditions) if c))
    sides = [(second.left, second.right), (second.right, second.left)]
    left, right = rng.choice(sides)
    return Draft("%s + %s" % (_scaled(a, first.left), _scaled(b, left)), "==",
                 "%s + %s" % (_scaled(a, first.right), _scaled(b, right)), classes, conditions)


def disguise(rng, draft):
    """The same equality in another algebraic form."""
    left, right = draft.left, draft.right
    for _ in range(rng.choice([0, 1, 1, 2])):
        step = rng.randrange(9)
        extra = some_functional(rng, rng.random() < 0.3)
        if step == 0:
            left, right = right, left
        elif step == 1:
            left, right = "%s + %s" % (left, extra), "%s + %s" % (extra, right)
        elif step == 2:
            factor = rng.choice(COEFFICIENTS)
            left, right = _scaled(factor, left), _scaled(factor, right)
        elif step == 3:
            left, right = "(%s) - (%s)" % (left, right), "0"
        elif step == 4:
            factor = rng.choice(MULTIPLIERS)
            left, right = "(%s)*%s" % (left, factor), _scaled(factor, right)
        elif step == 5:
            left, right = "(%s)^2" % left, "(%s)^2" % right
        elif step == 6:
            factor = rng.choice(MULTIPLIERS)
            left, right = "(%s)/(%s)" % (left, factor), "(%s)/(%s)" % (right, factor)
        elif step == 7:
            left, right = "(%s)*(%s)" % (left, right), "(%s)^2" % right
        else:
            left, right = "(%s)^2 + (%s)^2" % (left, right), "2*(%s)*(%s)" % (left, right)
    return Draft(left, draft.relation, right, draft.classes, draft.conditions, draft.premise)


# transforms that give the same model: (one, other, class)
SAME_MODELS = [("(m)", "(Conv(m))", "convex"), ("(m)", "(Cal(m))", "calibrated"),
               ("(m)", "(Even(m))", "even"), ("(Conv(m))", "(Conv(Conv(m)))", ""),
               ("(Cal(m))", "(Cal(Conv(m)))", ""), ("(Cal(m))", "(Cal(Even(m)))", ""),
               ("(Cal(m))", "(Cal(Cal(m)))", ""), ("(Even(m))", "(Even(Even(m)))", ""),
               ("(Conv(Even(m)))", "(Even(Conv(m)))", ""),
               ("(Even(Cal(m)))", "(Even(Conv(m)))", ""),
               ("(Conv(Cal(m)))", "(Cal(m))", ""), ("(m)", "(Conv(m))", "calibrated"),
               ("(m)", "(Conv(m))", "random"), ("(m)", "(Conv(m))", "perfect"),
               ("(Even(m))", "(Cal(m))", "calibrated even")]


def invariance(rng):
    """Any functional of two transforms that give the same model."""
    one, other, classes = rng.choice(SAME_MODELS)
    if rng.random() < 0.5:
        text = "int(%s)@" % integrands.arrange(rng, integrands.monomial(rng))
    else:
        text = rng.choice(SIMPLE + SCORED + PROBABILISTIC)
    if "@" not in text:
        text = "AUC@"
    if not classes and rng.random() < 0.2:
        classes = rng.choice(CLASSES)
    return Draft(text.replace("@", one), "==", text.replace("@", other), classes)


def equality(rng):
    """Kind a: an identity, or a combination, in disguise."""
    if rng.random() < 0.12:
        return invariance(rng)
    draft = identity(rng)
    if rng.random() < 0.3:
        draft = combine(rng, draft, identity(rng))
    return disguise(rng, draft)


# kind b: one thing broken

def _swap(rng, text, pairs):
    """One occurrence of a word replaced by a partner; None if there is none."""
    options = []
    for old, new in pairs:
        pattern = r"(?<![A-Za-z0-9_])%s(?![A-Za-z0-9_])" % re.escape(old)
        options += [(m.start(), m.end(), new) for m in re.finditer(pattern, text)]
    if not options:
        return None
    start, end, new = rng.choice(options)
    return text[:start] + new + text[end:]


WORD_SWAPS = [("RL", "MRL"), ("MRL", "RL"), ("BS", "MBS"), ("MBS", "BS"), ("CL", "MCL"),
              ("MCL", "CL"), ("MAE", "MMAE"), ("MMAE", "MAE"), ("H", "MH"), ("MH", "H"),
              ("L", "Lz"), ("Lz", "L"), ("AUC", "AUCH"), ("AUCH", "AUC"), ("RL_conv", "RL"),
              ("RL", "RL_conv"), ("RL_conv", "MRL_conv"), ("pi0", "pi1"), ("pi1", "pi0"),
              ("s0", "s1"), ("dF0", "dF1"), ("dF1", "dF0"), ("dR", "dF1"), ("F0", "F1"),
              ("F1", "F0"), ("c", "x"), ("x", "c"), ("dx", "dc"), ("dc", "dx"), ("rd", "sd"),
              ("sd", "rd"), ("ru", "su"), ("Conv", "Cal"), ("Cal", "Conv"), ("Cal", "Even"),
              ("Conv", "Even"), ("Even", "Conv"), ("h", "1"), ("l", "0"), ("H", "H_hmeasure"),
              ("Acc", "MAcc"), ("MAcc", "Acc"), ("sf", "rf"), ("t", "r"), ("CL", "RL"), ("R", "F0")]


def _break_number(rng, text):
    places = list(re.finditer(r"(?<![A-Za-z0-9_.^])\d+(?![A-Za-z0-9_.])", text))
    if not places:
        return None
    spot = rng.choice(places)
    return text[:spot.start()] + str(int(spot.group()) + rng.choice([1, 1, 2])) + text[spot.end():]


def _drop_transform(rng, text):
    places = list(re.finditer(r"(Conv|Cal|Even)\((m|\w+\(m\))\)", text))
    if not places:
        return None
    spot = rng.choice(places)
    return text[:spot.start()] + spot.group(2) + text[spot.end():]


def broken(rng, draft):
    """A draft with one thing changed."""
    for _ in range(10):
        step = rng.randrange(8)
        if step == 0 and draft.classes:
            words = draft.classes.split()
            words.pop(rng.randrange(len(words)))
            draft.classes = " ".join(words)
            return draft
        if step == 1 and draft.conditions:
            draft.conditions = rng.choice(["", rng.choice(PRIOR_CONDITIONS)])
            return draft
        if step == 2:
            draft.relation = {"==": rng.choice(["<=", "<", ">="]), "<=": rng.choice(["<", ">="]),
                              "<": ">", ">=": ">", ">": "<="}[draft.relation]
            return draft
        if step == 3 and not draft.classes:
            draft.classes = rng.choice(CLASSES)
            return draft
        side = rng.choice(["left", "right"])
        text = getattr(draft, side)
        changed = {4: lambda: _break_number(rng, text), 5: lambda: _drop_transform(rng, text)}.get(
            step, lambda: _swap(rng, text, WORD_SWAPS))()
        if changed:
            setattr(draft, side, changed)
            return draft
    return draft


def broken_equality(rng):
    """Kind b: an identity with one thing broken, in disguise."""
    if rng.random() < 0.1:
        return broken(rng, invariance(rng))
    draft = identity(rng)
    if rng.random() < 0.2:
        draft = combine(rng, draft, identity(rng))
    if rng.random() < 0.5:
        return disguise(rng, broken(rng, draft))
    return broken(rng, disguise(rng, draft))


# kind c: inequalities

# functionals with the least and the greatest value they take
RANGES = [("AUC@", 0, 1), ("RL@", 0, Fraction(1, 4)), ("KS@", 0, 1),
          ("RL_conv@", 0, Fraction(1, 4)),
          ("Gini@", -1, 1), ("L[rd]@", Fraction(1, 12), Fraction(7, 12)), ("BS@", 0, 1),
          ("AUCH@", Fraction(1, 2), 1), ("pi0", 0, 1), ("pi0*pi1", 0, Fraction(1, 4)), ("H@", 0, 1),
          ("L[ru]@", Fraction(1, 4), Fraction(3, 4)), ("MRL@", 0, Fraction(1, 4)), ("MAE@", 0, 1),
          ("int(F0*F1*dR)@", 0, 1), ("F0(t)@", 0, 1), ("Acc(Rinv(r))@", 0, 1)]


def bounded_polynomial(rng):
    """A quadratic polynomial of a functional against a bound: tied, or off by a little."""
    name, low, high = rng.choice(RANGES)
    name = apply_model(rng, name, 0.15)
    a, b = rng.choice([-2, -1, 1, 2, 3]), Fraction(rng.randint(-4, 4), rng.choice([1, 2, 3]))
    points = [Fraction(low), Fraction(high)]
    turn = -b / (2 * a)
    if low < turn < high:
        points.append(turn)
    values = [a * p * p + b * p for p in points]
    slack = rng.choice([0, 0, Fraction(1, 1000), Fraction(-1, 1000), Fraction(1, 3)])
    left = "%s*(%s)^2 + %s*(%s)" % ("(%s)" % a, name, "(%s)" % b, name)
    classes = rng.choice(["", "", ""] + CLASSES)
    if rng.random() < 0.5:
        return Draft(left, rng.choice(["<=", "<=", "<"]), str(max(values) + slack), classes)
    return Draft(left, rng.choice([">=", ">=", ">"]), str(min(values) - slack), classes)


def quadratic_form(rng):
    """A quadratic form in two functionals, definite or almost."""
    first, second = some_functional(rng), some_functional(rng)
    p, q = rng.choice([1, 2, 3]), rng.choice([-3, -2, -1, 1, 2, 3])
    slack = rng.choice([0, 0, Fraction(1, 100), Fraction(-1, 100), Fraction(-1, 1000)])
    left = "%s*(%s)^2 + (%s)*(%s)*(%s) + %s*(%s)^2" % (
        p * p, first, 2 * p * q, first, second, "(%s)" % (q * q + slack), second)
    return Draft(left, rng.choice([">=", ">=", ">"]), "0", rng.choice(["", "", ""] + CLASSES))


def inequality(rng):
    """An inequality: true, tied, combined or broken."""
    if rng.random() < 0.25:
        return rng.choice([bounded_polynomial, bounded_polynomial, quadratic_form])(rng)
    if rng.random() < 0.2:
        draft = identity(rng)
        draft.relation = rng.choice(["<=", ">=", "<", ">"])
        return disguise(rng, draft) if rng.random() < 0.3 else draft
    left, right, classes, conditions = rng.choice(INEQUALITIES)
    left, right = apply_model(rng, left + " <= " + right).split(" <= ")
    if rng.random() < 0.2:
        other = rng.choice([i for i in INEQUALITIES if not i[3]])
        left, right = ("%s + %s" % (left, other[0].replace("@", "")),
                       "%s + %s" % (right, other[1].replace("@", "")))
        classes = " ".join(dict.fromkeys((classes + " " + other[2]).split()))
    if not classes and rng.random() < 0.15:
        classes = rng.choice(CLASSES)
    relation = rng.choice(["<=", "<=", "<=", "<"])
    dice = rng.random()
    if dice < 0.15:
        factor = rng.choice(MULTIPLIERS)
        left, right = "%s*(%s)" % (factor, left), "%s*(%s)" % (factor, right)
    elif dice < 0.25:
        left, right = "(%s)^2" % left, "(%s)^2" % right
    elif dice < 0.3:
        factor = rng.choice(MULTIPLIERS)
        left, right = "(%s)/(%s)" % (left, factor), "(%s)/(%s)" % (right, factor)
    if rng.random() < 0.3:
        left, right = right, left
        relation = {"<=": ">=", "<": ">"}[relation]
    draft = Draft(left, relation, right, classes, conditions)
    return broken(rng, draft) if rng.random() < 0.35 else draft


# kind d: integrals with quotients

def quotient_integral(rng):
    """An integral with quotients against what naive algebra makes of it."""
    dice = rng.random()
    where = rng.choice(["", "", "", "(m)"] + TRANSFORMED[:5])
    only = rng.choice([""] * 9 + [" on arcs", " on ties", " on gaps", " on corners"])
    classes = rng.choice(["", "", "", ""] + CLASSES)
    relation = rng.choice(["==", "==", "==", "==", "==", "<=", ">="])
    if dice < 0.25:
        factors = integrands.monomial(rng)[-2:]
        left = "int(%s)%s" % ("*".join(integrands.rewritten(rng, factors, 1)), where)
        right = "int(%s)%s" % ("*".join(factors), where)
    elif dice < 0.5:
        factors = integrands.monomial(rng)
        left = integrands.arrange(rng, integrands.rewritten(rng, factors))
        right = integrands.arrange(rng, factors if rng.random() < 0.6
                                   else integrands.rewritten(rng, factors, 1))
        left, right = "int(%s%s)%s" % (left, only, where), "int(%s%s)%s" % (right, only, where)
    elif dice < 0.7:
        left, right = integrands.exact_differential(rng)
        left = "int(%s)%s" % (left, where)
        right = scale_ends(right, "", where)
        if rng.random() < 0.3:
            left = left.replace("int(", "int(%s*" % rng.choice(["c/c", "dR/dR", "x/x"]), 1) \
                if "+" not in left else left
    elif dice < 0.85:
        text = integrands.quotient(rng)
        other = integrands.quotient(rng) if rng.random() < 0.3 else text
        factor = rng.choice(["2", "pi0", "3"])
        left = "%s*int(%s)%s" % (factor, text, where)
        right = "int(%s*%s)%s" % (factor, other, where)
    else:
        text = integrands.quotient(rng)
        left, right = "int(%s%s)%s" % (text, only, where), rng.choice(["0", "1", "pi0", "pi1"])
        relation = rng.choice(["==", ">=", "<="])
        if right == "0" and rng.random() < 0.5:
            left = "int((%s)^2/dR)%s" % (text, where)
            relation = ">="
    conditions = rng.choice([""] * 8 + PRIOR_CONDITIONS[:6])
    return Draft(left, relation, right, classes, conditions)


# kind e: premises and conditions

def implication(rng):
    """A premise and a claim: listed ones, algebraic ones, contradictory ones."""
    dice = rng.random()
    classes = rng.choice(["", "", "", "", ""] + CLASSES)
    if dice < 0.5:
        premise, claim = rng.choice(IMPLICATIONS)
        if rng.random() < 0.2:
            premise, claim = claim, premise
        left, relation, right = re.split(r" (==|<=|>=|<|>) ", claim, maxsplit=1)
        draft = Draft(left, relation, right, classes, "", premise)
        return broken(rng, draft) if rng.random() < 0.15 else draft
    a, b, e = (some_functional(rng, rng.random() < 0.3) for _ in range(3))
    relation = rng.choice(["==", "==", "<=", "<"])
    forms = [
        ("%s {r} %s" % (a, b), "(%s)*(%s)" % (a, e), "(%s)*(%s)" % (b, e)),
        ("(%s)*(%s) {r} (%s)*(%s)" % (a, e, b, e), a, b),
        ("(%s)^2 {r} (%s)^2" % (a, b), a, b),
        ("%s {r} %s" % (a, b), "(%s)^2" % a, "(%s)^2" % b),
        ("%s {r} %s" % (a, b), "(%s)/(%s)" % (a, e), "(%s)/(%s)" % (b, e)),
        ("%s {r} %s" % (a, b), "%s + %s" % (a, e), "%s + %s" % (e, b)),
        ("%s {r} 0" % a, "(%s)*(%s)" % (a, e), "0"),
        ("(%s)*(%s) {r} 0" % (a, e), a, "0"),
    ]
    premise, left, right = rng.choice(forms)
    draft = Draft(left, relation, right, classes, "", premise.replace("{r}", relation))
    if rng.random() < 0.3:
        other = identity(rng)
        draft = Draft(other.left, other.relation, other.right, other.classes, other.conditions,
                      rng.choice(IMPLICATIONS)[0])
    if rng.random() < 0.15:
        both = (draft.conditions, rng.choice(PRIOR_CONDITIONS))
        draft.conditions = ", ".join(condition for condition in both if condition)
    return draft


# kind f: parameters

PARAMETER_CONDITIONS = ["t >= 0", "t <= 1", "0 <= t <= 1", "0 < t < 1", "r > 0", "r < 1",
                        "r == 1/2", "r <= pi0", "t == 1/2", "r >= pi0", "t > 1", "t < 0",
                        "l <= t <= h", "r == pi0", "t == pi1"]


def with_parameters(rng):
    """Statements about a threshold or a rate, with and without conditions."""
    marked = re.compile(r"(?<![A-Za-z0-9_])[tr][0-9]?(?![A-Za-z0-9_])")
    if rng.random() < 0.5:
        pool = [(l, "==", r, k, c) for l, r, k, c in IDENTITIES if marked.search(l + r)]
    else:
        pool = [(l, "<=", r, k, c) for l, r, k, c in INEQUALITIES if marked.search(l + r)]
    left, relation, right, classes, conditions = rng.choice(pool)
    left, right = apply_model(rng, left + " ~ " + right).split(" ~ ")
    draft = Draft(left, relation, right, classes, conditions)
    if relation == "<=" and rng.random() < 0.3:
        draft.relation = "<"
    if rng.random() < 0.3:
        names = set(marked.findall(left + right))
        options = [c for c in PARAMETER_CONDITIONS if set(marked.findall(c)) <= names]
        if options:
            draft.conditions = rng.choice(options)
    if rng.random() < 0.45:
        draft = broken(rng, draft)
    if relation == "==" and rng.random() < 0.3:
        draft = disguise(rng, draft)
    return draft


KINDS = [("identity", equality, 22), ("broken", broken_equality, 24),
         ("inequality", inequality, 18), ("integral", quotient_integral, 20),
         ("implication", implication, 10), ("parameter", with_parameters, 6)]


def generate(count, seed, kinds=None):
    """A list of (kind, text), all different; the same for the same seed and kinds."""
    rng = random.Random(seed)
    makers = {name: maker for name, maker, _ in KINDS}
    names = [name for name, _, _ in KINDS if not kinds or name in kinds]
    weights = [weight for name, _, weight in KINDS if name in names]
    found, seen = [], set()
    while len(found) < count:
        name = rng.choices(names, weights)[0]
        text = makers[name](rng).text()
        if text in seen:
            continue
        seen.add(text)
        try:
            parse_statement(text)
        except ParseError:
            continue
        found.append((name, text))
    return found


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    for _, text in generate(chosen.count, chosen.seed):
        print(text)


if __name__ == "__main__":
    main()
