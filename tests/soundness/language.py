"""A parser for statements: text -> trees of nested tuples.

Trees: ("number", q), ("name", text), ("add"|"sub"|"mul"|"div", a, b), ("neg", a),
("pow", a, n), ("call", name, (a, ...)) for min, max, abs, sqrt, ln and Q,
("functional", name, place, models) with place None or ("score"|"rate", tree),
("loss", letter, method, place, (a, b) or None, models),
("integral", tree, only, models); models is (transforms, model name) where the
transforms are in the order in which they are applied.
"""

import re
from dataclasses import dataclass, field

from exact import rational

TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_][A-Za-z_0-9]*)|(==|<=|>=|[-+*/^()\[\],;:<>]))")
RELATIONS = ("==", "<=", "<", ">=", ">")
FUNCTIONS = ("min", "max", "abs", "sqrt", "ln")
PLACES = {"arcs": "arc", "ties": "tie", "gaps": "gap", "corners": "corner"}
TRANSFORM_NAMES = ("Conv", "Cal", "Even")
CLASS_NAMES = ("convex", "calibrated", "even", "perfect", "random", "continuous", "piecewise",
               "beta", "binormal", "triangular", "all")
PLAIN_NAMES = {"AUC", "AUCH", "Gini", "KS", "MAE", "BS", "CL", "RL", "RL_conv", "s0", "s1", "H",
               "H_hmeasure", "H_priors", "pi0", "pi1", "l", "h", "MMAE", "MBS", "MCL", "MRL",
               "MRL_conv", "MH", "MH_hmeasure", "MH_priors"}
PLACE_NAMES = {"F0", "F1", "R", "Acc", "MAcc"}
PARAMETER = re.compile(r"[tr][0-9]?$")


class ParseError(Exception):
    """The text is not a statement of the language."""


@dataclass
class Statement:
    """A parsed statement; premise, claim and conditions are lists of (left, relation, right)."""

    text: str
    models: list
    classes: list
    premise: list
    claim: list
    conditions: list = field(default_factory=list)


class Parser:
    """A parser by recursive descent."""

    def __init__(self, text):
        self.tokens = self._tokens(text)
        self.position = 0
        self.inside_integral = False
        self.models = ["m"]

    @staticmethod
    def _tokens(text):
        tokens, position = [], 0
        text = text.rstrip()
        while position < len(text):
            match = TOKEN.match(text, position)
            if not match:
                raise ParseError("unexpected text: " + text[position:])
            tokens.append(match.group(1) or match.group(2) or match.group(3))
            position = match.end()
        return tokens

    def peek(self, ahead=0):
        index = self.position + ahead
        return self.tokens[index] if index < len(self.tokens) else None

    def next(self):
        token = self.peek()
        self.position += 1
        return token

    def accept(self, token):
        if self.peek() == token:
            self.position += 1
            return True
        return False

    def expect(self, token):
        if not self.accept(token):
            raise ParseError("expected %s, found %s" % (token, self.peek()))

    # expressions

    def expression(self):
        tree = self.signed_term()
        while self.peek() in ("+", "-"):
            kind = "add" if self.next() == "+" else "sub"
            tree = (kind, tree, self.term())
        return tree

    def signed_term(self):
        if self.accept("-"):
            return ("neg", self.term())
        return self.term()

    def term(self):
        tree = self.unary()
        while True:
            token = self.peek()
            if token in ("*", "/"):
                self.next()
                tree = ("mul" if token == "*" else "div", tree, self.unary())
            elif self.starts_factor(token):
                tree = ("mul", tree, self.unary())
            else:
                return tree

    def starts_factor(self, token):
        if token is None or token in ("on", "implies", "where", "and"):
            return False
        return token == "(" or token[0].isalnum() or token[0] == "_"

    def unary(self):
        if self.accept("-"):
            return ("neg", self.unary())
        return self.powered()

    def powered(self):
        base = self.primary()
        if self.accept("^"):
            negative = self.accept("-")
            token = self.next()
            if token is None or not token.isdigit():
                raise ParseError("exponents are whole numbers")
            base = ("pow", base, -int(token) if negative else int(token))
        return base

    def primary(self):
        token = self.next()
        if token is None:
            raise ParseError("unexpected end")
        if token[0].isdigit():
            return ("number", rational(token))
        if token == "(":
            tree = self.expression()
            self.expect(")")
            return tree
        if self.inside_integral:
            if token in ("Q",):
                self.expect("(")
                tree = self.expression()
                self.expect(")")
                return ("call", token, (tree,))
            if token[0].isalpha():
                return ("name", token)
            raise ParseError("unexpected " + token)
        return self.named(token)

    def named(self, token):
        if token in FUNCTIONS:
            self.expect("(")
            arguments = [self.expression()]
            while self.accept(","):
                arguments.append(self.expression())
            self.expect(")")
            return ("call", token, tuple(arguments))
        if token == "int":
            return self.integral()
        if token in ("L", "Lz") and self.peek() == "[":
            return self.loss(token)
        if token in PLACE_NAMES:
            place = self.place()
            return ("functional", token, place, self.model())
        if token in PLAIN_NAMES:
            return ("functional", token, None, self.model())
        if PARAMETER.match(token):
            return ("name", token)
        raise ParseError("unknown name " + token)

    def place(self):
        self.expect("(")
        if self.accept("Rinv"):
            self.expect("(")
            place = ("rate", self.expression())
            self.expect(")")
        else:
            place = ("score", self.expression())
        self.expect(")")
        return place

    def model(self):
        """An optional model: (m), (Conv(m)), (Cal(Conv(m)))."""
        if not (self.peek() == "(" and (self.peek(1) in TRANSFORM_NAMES
                                        or self.peek(1) in self.models)):
            return ((), self.models[0])
        self.expect("(")
        transforms = []
        while self.peek() in TRANSFORM_NAMES:
            transforms.append(self.next())
            self.expect("(")
        name = self.next()
        if name not in self.models:
            raise ParseError("unknown model %s" % name)
        for _ in range(len(transforms) + 1):
            self.expect(")")
        return (tuple(reversed(transforms)), name)

    def integral(self):
        self.expect("(")
        self.inside_integral = True
        tree = self.expression()
        only = None
        if self.accept("on"):
            kind = self.next()
            if kind not in PLACES:
                raise ParseError("unknown kind of place %s" % kind)
            only = PLACES[kind]
        self.inside_integral = False
        self.expect(")")
        return ("integral", tree, only, self.model())

    def loss(self, letter):
        self.expect("[")
        method = self.next()
        place = None
        if method in ("sf", "rf"):
            self.expect("(")
            place = self.expression()
            self.expect(")")
        elif method not in ("su", "sd", "ru", "rd", "o"):
            raise ParseError("unknown method %s" % method)
        weight = None
        if self.accept(";"):
            if self.accept("beta"):
                self.expect("(")
                a = self.expression()
                self.expect(",")
                b = self.expression()
                self.expect(")")
                weight = (a, b)
            else:
                self.expect("uniform")
        self.expect("]")
        return ("loss", letter, method, place, weight, self.model())

    # statements

    def chain(self):
        """left REL right [REL right ...] as a list of comparisons."""
        left = self.expression()
        comparisons = []
        while self.peek() in RELATIONS:
            relation = self.next()
            right = self.expression()
            comparisons.append((left, relation, right))
            left = right
        if not comparisons:
            raise ParseError("expected a relation, found %s" % self.peek())
        return comparisons

    def conjunction(self):
        comparisons = self.chain()
        while self.accept("and"):
            comparisons += self.chain()
        return comparisons

    def statement(self, text):
        classes = []
        if self.accept("for"):
            self.models = []
            while True:
                token = self.next()
                if token in CLASS_NAMES and self.peek() not in (",", ":"):
                    classes.append(token)
                    continue
                if token is None or not token.isalpha():
                    raise ParseError("unexpected %s" % token)
                self.models.append(token)
                if self.accept(":"):
                    break
                self.expect(",")
        claim = self.conjunction()
        premise = []
        if self.accept("implies"):
            premise, claim = claim, self.conjunction()
        conditions = []
        if self.accept("where"):
            conditions = self.conjunction()
            while self.accept(","):
                conditions += self.conjunction()
        if self.peek() is not None:
            raise ParseError("unexpected %s" % self.peek())
        return Statement(text, self.models, classes, premise, claim, conditions)


def parse_expression(text):
    """The tree of an integrand."""
    parser = Parser(text)
    parser.inside_integral = True
    tree = parser.expression()
    if parser.peek() is not None:
        raise ParseError("unexpected %s" % parser.peek())
    return tree


def parse_statement(text):
    """The parsed statement."""
    return Parser(text).statement(text)


def walk(tree):
    """All nodes of a tree, without the insides of integrals."""
    yield tree
    if tree[0] == "integral":
        return
    for part in tree[1:]:
        if isinstance(part, tuple) and part:
            if isinstance(part[0], str) and part[0] in ("score", "rate"):
                yield from walk(part[1])
            elif isinstance(part[0], tuple):
                for inner in part:
                    if isinstance(inner, tuple) and inner and isinstance(inner[0], str):
                        yield from walk(inner)
            elif isinstance(part[0], str):
                yield from walk(part)


def trees(statement):
    """All trees of a statement's comparisons."""
    for left, _, right in statement.premise + statement.claim + statement.conditions:
        yield left
        yield right


def parameters(statement):
    """The names of the parameters of a statement, sorted."""
    return sorted({node[1] for tree in trees(statement) for node in walk(tree)
                   if node[0] == "name"})
