"""Evaluates the trees of a statement on models, with a cache of values per model."""

from functools import lru_cache

from flint import arb, fmpq

import functionals
from errors import NoValue, Undefined, Unsupported, ZeroDivisor
from exact import ONE, compare, root, sign
from integrals import integrate
from transforms import TRANSFORMS

CACHE_LIMIT = 500


class Case:
    """A curve with everything that was computed about it."""

    def __init__(self, curve, source=None):
        self.curve = curve
        self.source = source
        self._transformed = {(): curve}
        self._values = {}
        self._texts = {}

    def transformed(self, transforms):
        """The curve after some transforms, the first one applied first."""
        found = self._transformed.get(transforms)
        if found is None:
            before = self.transformed(transforms[:-1])
            try:
                found = TRANSFORMS[transforms[-1]](before)
            except Unsupported as problem:
                found = problem
            self._transformed[transforms] = found
        if isinstance(found, Exception):
            raise found
        return found

    def remember(self, key, compute):
        """compute() or what it gave (or raised) the last time."""
        found = self._values.get(key)
        if found is None:
            try:
                found = (compute(), None)
            except (NoValue, Unsupported) as problem:
                found = (None, problem)
            if len(self._values) > CACHE_LIMIT:
                self._values.clear()
            self._values[key] = found
        if found[1] is not None:
            raise found[1]
        return found[0]


@lru_cache(maxsize=None)
def _names(integrand):
    """The names in an integrand."""
    if integrand[0] == "name":
        return frozenset([integrand[1]])
    parts = integrand[2] if integrand[0] == "call" else integrand[1:]
    return frozenset().union(*(_names(part) for part in parts if isinstance(part, tuple)))


def _minimum(values):
    best = values[0]
    for value in values[1:]:
        if compare(value, best) < 0:
            best = value
    return best


class Evaluation:
    """Evaluates trees on the given cases (model name -> Case) and parameter values."""

    def __init__(self, cases, parameters=None):
        self.cases = cases
        self.parameters = parameters or {}
        self.notes = set()

    def value(self, tree):
        """The value of a tree; raises NoValue or Unsupported."""
        kind = tree[0]
        if kind == "number":
            return tree[1]
        if kind == "add":
            return self.value(tree[1]) + self.value(tree[2])
        if kind == "sub":
            return self.value(tree[1]) - self.value(tree[2])
        if kind == "mul":
            return self.value(tree[1]) * self.value(tree[2])
        if kind == "div":
            return self._quotient(self.value(tree[1]), self.value(tree[2]))
        if kind == "neg":
            return -self.value(tree[1])
        if kind == "pow":
            return self._power(self.value(tree[1]), tree[2])
        if kind == "name":
            return self.parameters[tree[1]]
        if kind == "call":
            return self._call(tree[1], [self.value(part) for part in tree[2]])
        if kind == "functional":
            return self._functional(tree)
        if kind == "loss":
            return self._loss(tree)
        if kind == "integral":
            return self._integral(tree)
        raise ValueError("cannot evaluate %r" % (tree,))

    @staticmethod
    def _quotient(top, bottom):
        if sign(bottom) == 0:
            raise ZeroDivisor("division by 0 in the statement")
        return top / bottom

    def _power(self, base, exponent):
        result = ONE
        for _ in range(abs(exponent)):
            result = result * base
        return self._quotient(ONE, result) if exponent < 0 else result

    @staticmethod
    def _call(name, values):
        if name == "min":
            return _minimum(values)
        if name == "max":
            return -_minimum([-value for value in values])
        if name == "abs":
            return abs(values[0])
        if name == "ln":
            return arb(values[0]).log()
        if sign(values[0]) < 0:
            raise Undefined("the root of a negative number")
        return root(values[0])

    def _functional(self, tree):
        _, name, place, (transforms, model) = tree
        case = self.cases[model]
        if place is None:
            key = (name, transforms)
            return case.remember(
                key, lambda: functionals.plain(name, case.transformed(transforms)))
        by_rate = place[0] == "rate"
        where = self.value(place[1])
        key = (name, transforms, by_rate, where) if isinstance(where, fmpq) else None
        compute = lambda: functionals.at_place(
            name, case.transformed(transforms), by_rate, where)
        return case.remember(key, compute) if key else compute()

    def _loss(self, tree):
        _, letter, method, place, weight, (transforms, model) = tree
        case = self.cases[model]
        where = None if place is None else self.value(place)
        numbers = functionals.UNIFORM if weight is None else tuple(map(self.value, weight))
        if any(isinstance(number, arb) for number in numbers):
            raise Unsupported("a weight with parameters that are not rational")
        if any(number <= 0 for number in numbers):
            raise Undefined("a weight with parameters that are not positive")

        def compute():
            curve = case.transformed(transforms)
            return functionals.loss(curve.balanced() if letter == "Lz" else curve,
                                    method, where, numbers)

        if isinstance(where, arb):
            return compute()
        return case.remember((letter, method, where, numbers, transforms), compute)

    def _integral(self, tree):
        _, integrand, only, (transforms, model) = tree
        case = self.cases[model]
        names = {name: self.parameters[name] for name in _names(integrand)
                 if isinstance(self.parameters.get(name), fmpq)}
        value, notes = case.remember(
            ("integral", integrand, only, transforms, tuple(sorted(names.items()))),
            lambda: integrate(integrand, case.transformed(transforms), only, names))
        self.notes |= notes
        return value

    def holds(self, comparison):
        """Does a comparison hold?"""
        left, relation, right = comparison
        order = compare(self.value(left), self.value(right))
        return {"==": order == 0, "<=": order <= 0, "<": order < 0,
                ">=": order >= 0, ">": order > 0}[relation]
