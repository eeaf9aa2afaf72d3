"""Looks for models on which a statement that was called proved is false or undefined."""

import random
import re
from dataclasses import dataclass, field

from flint import fmpq

from errors import Infinite, NoValue, Undefined, Unsupported, ZeroDivisor
from evaluator import Evaluation
from exact import HALF, ONE, ZERO, rational, sign
from functionals import NEED_PROBABILITIES
from generators import pool
from language import ParseError, Parser, parameters, parse_statement, trees, walk

FAMILIES = {"beta", "binormal", "triangular"}
TRIES_PER_MODEL = 5

# kinds of findings
FALSE = "false"  # a claim does not hold
UNDEFINED = "undefined"  # a side has no value
DIVISION = "division"  # the statement divides by 0, and the given hypotheses do not exclude it
QUOTIENT = "quotient"  # the statement divides by 0, and no hypotheses were given
INFINITE = "infinite"  # a side is infinite
NOTED = "noted"  # the claim holds, but an integral can be read in two ways

# hypotheses of the prover that only repeat the class, the premise or the conditions
CLASS_HYPOTHESES = re.compile(
    r"scores are evenly spaced|the posterior c|scores are posteriors|scores tell nothing|"
    r"no score has mass|the ranking is perfect|both scores have piecewise|scores lie in|"
    r"(scores|class|both) ")


@dataclass
class Finding:
    """One model on which a proved statement fails."""

    kind: str
    statement: str
    model: str
    parameters: dict
    detail: str


@dataclass
class Outcome:
    """What the models say about one statement."""

    statement: str
    evaluations: int = 0
    models: int = 0
    skipped: int = 0
    unread: list = field(default_factory=list)
    added: list = field(default_factory=list)
    findings: list = field(default_factory=list)


class Hypotheses:
    """What the prover says it assumed."""

    def __init__(self, texts, names):
        self.given = texts is not None
        texts = texts or []
        self.probabilities = any(t.startswith("scores lie in [0, 1]") for t in texts)
        self.proper_scale = not self.given or any("l < h" in t for t in texts)
        self.not_zero, self.comparisons, self.stated, self.unread = [], [], [], []
        for text in texts:
            self._read(text, names)

    def _read(self, text, names):
        if CLASS_HYPOTHESES.match(text):
            return
        try:
            if text.endswith(" is not 0"):
                self.not_zero.append(_parser(text[:-len(" is not 0")], names).expression())
                return
            bounded = re.fullmatch(r"(\w+) lies in \[0, 1\]", text)
            if bounded:
                self.comparisons += _parser("0 <= %s <= 1" % bounded.group(1), names).chain()
                return
            found = _parser(text, names).chain()
            self.comparisons += found
            self.stated += [(text, comparison) for comparison in found]
        except ParseError:
            self.unread.append(text)

    def added(self, comparisons):
        """The hypotheses that stand neither in the statement nor follow from its names."""
        return [text for text, comparison in self.stated if comparison not in comparisons]

    def hold(self, evaluation):
        """Do they hold? (Of a quantity without a value they do not.)"""
        return (all(evaluation.holds(c) for c in self.comparisons)
                and all(sign(evaluation.value(t)) != 0 for t in self.not_zero))


def _parser(text, names):
    parser = Parser(text)
    parser.models = list(names)
    return parser


def needs_probabilities(statement):
    """Does some functional of the statement need scores in [0, 1]?"""
    if "calibrated" in statement.classes:
        return True
    for tree in trees(statement):
        for node in walk(tree):
            if node[0] == "functional" and node[1] in NEED_PROBABILITIES:
                return True
            if node[0] == "loss" and node[2] == "sd":
                return True
    return False


def forced_prior(comparisons):
    """The pi0 that a condition like pi0 == 1/3 or pi0 == pi1 demands; None if there is none."""
    for left, relation, right in comparisons:
        if relation != "==":
            continue
        for name, other in ((left, right), (right, left)):
            if name[0] != "functional" or name[1] not in ("pi0", "pi1"):
                continue
            if other[0] == "functional" and other[1] in ("pi0", "pi1") and other[1] != name[1]:
                return HALF
            try:
                value = Evaluation({}).value(other)
            except (KeyError, NoValue, Unsupported, AttributeError):
                continue
            return value if name[1] == "pi0" else 1 - value
    return None


class Checker:
    """Checks statements against pools of models."""

    def __init__(self, models=100, seed=1):
        self.models = models
        self.seed = seed
        self._pools = {}

    def pool(self, classes, pi0, wide, size):
        key = (tuple(sorted(classes)), pi0, wide, size)
        if key not in self._pools:
            if len(self._pools) > 60:
                self._pools.pop(next(iter(self._pools)))
            self._pools[key] = pool(list(key[0]), pi0, wide, size, self.seed)
        return self._pools[key]

    def check(self, text, hypotheses=None):
        """Evaluates a proved statement on models of its classes."""
        statement = parse_statement(text)
        outcome = Outcome(text)
        if FAMILIES & set(statement.classes):
            return outcome
        assumed = Hypotheses(hypotheses, statement.models)
        outcome.unread = assumed.unread
        wide = not (assumed.probabilities if assumed.given else needs_probabilities(statement))
        conditions = statement.conditions + statement.premise
        outcome.added = assumed.added(conditions)
        if assumed.probabilities and not needs_probabilities(statement):
            outcome.added.append("scores lie in [0, 1]")
        pi0 = forced_prior(conditions + assumed.comparisons)
        if pi0 is not None and not 0 < pi0 < 1:
            return outcome
        size = self.models * (4 if conditions else 1) + self.models // 5
        cases = self.pool(statement.classes, pi0, wide, size)
        rng = random.Random(text)
        names = parameters(statement)
        for case in cases:
            if outcome.models >= self.models:
                break
            if assumed.proper_scale and case.curve.low == case.curve.high:
                continue
            env = self._environment(statement, case, cases, rng)
            used = False
            for values in assignments(rng, names, case, conditions):
                used |= self._check_one(statement, assumed, env, values, outcome)
            outcome.models += used
        return outcome

    @staticmethod
    def _environment(statement, case, cases, rng):
        """The models by name; further ones share pi0 with the first."""
        env = {statement.models[0]: case}
        partners = [c for c in cases if c.curve.pi0 == case.curve.pi0]
        for name in statement.models[1:]:
            env[name] = rng.choice(partners)
        return env

    def _check_one(self, statement, assumed, env, values, outcome):
        """One model and one choice of parameters; True if the claim applied."""
        evaluation = Evaluation(env, values)
        try:
            if not all(evaluation.holds(c) for c in statement.conditions + statement.premise):
                return False
            if not assumed.hold(evaluation):
                return False
        except (NoValue, Unsupported):
            outcome.skipped += 1
            return False
        evaluation.notes = set()
        try:
            for comparison in statement.claim:
                if not evaluation.holds(comparison):
                    self._report(outcome, FALSE, env, values, sides(evaluation, comparison))
                    break
            else:
                if evaluation.notes:
                    self._report(outcome, NOTED, env, values, ", ".join(sorted(evaluation.notes)))
        except Unsupported:
            outcome.skipped += 1
            return False
        except ZeroDivisor as problem:
            kind = DIVISION if assumed.given else QUOTIENT
            self._report(outcome, kind, env, values, str(problem))
        except Undefined as problem:
            self._report(outcome, UNDEFINED, env, values, str(problem))
        except Infinite as problem:
            self._report(outcome, INFINITE, env, values, str(problem))
        outcome.evaluations += 1
        return True

    @staticmethod
    def _report(outcome, kind, env, values, detail):
        """Keeps the finding with the shortest model of every kind."""
        model = " ".join(case.source.text() for case in env.values())
        for finding in outcome.findings:
            if finding.kind == kind:
                if len(model) >= len(finding.model):
                    return
                outcome.findings.remove(finding)
                break
        shown = {name: str(value) for name, value in values.items()}
        outcome.findings.append(Finding(kind, outcome.statement, model, shown, detail))


def sides(evaluation, comparison):
    """Both sides of a comparison, written out."""
    left, relation, right = comparison
    return "%s %s %s" % (shown(evaluation.value(left)), relation, shown(evaluation.value(right)))


def shown(value):
    return str(value) if isinstance(value, fmpq) else value.str(15, radius=False)


def assignments(rng, names, case, conditions):
    """Values for the parameters: the ends, marks of the model, and others."""
    if not names:
        yield {}
        return
    curve = case.curve
    marks = [x for s in curve.stretches for x in (s.x(ZERO), s.x(ONE))]
    rates = [curve.rate(s)(ONE) for s in curve.stretches]
    common = [rational(t) for t in ("0", "1", "1/2", "1/3", "3/4", "1/10")]
    outside = [rational("-1"), rational("2")]
    for _ in range(TRIES_PER_MODEL * len(names)):
        values = {}
        for name in names:
            near = marks if name[0] == "t" else rates
            options = common + near + near + (outside if name[0] == "t" else [])
            if name[0] == "t" and rng.random() < 0.2:
                options = [(a + b) / 2 for a, b in zip(marks, marks[1:])] or common
            values[name] = rng.choice(options)
        _obey(values, conditions, case)
        if all(0 <= value <= 1 for name, value in values.items() if name[0] == "r"):
            yield values


def _obey(values, conditions, case):
    """Sets parameters that a condition like r == pi0 fixes."""
    for left, relation, right in conditions:
        for name, other in ((left, right), (right, left)):
            if relation == "==" and name[0] == "name" and name[1] in values:
                try:
                    found = Evaluation({"m": case}, values).value(other)
                except (NoValue, Unsupported, KeyError):
                    continue
                if isinstance(found, fmpq):
                    values[name[1]] = found
