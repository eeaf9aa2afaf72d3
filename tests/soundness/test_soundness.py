"""Tests with values worked out by hand.  Run: python -m unittest"""

import unittest

from flint import arb, fmpq, fmpq_poly

from checking import Checker
from errors import Infinite, Undefined
from evaluator import Case, Evaluation
from exact import ONE, ZERO, compare
from generators import pool
from language import ParseError, Parser, parse_statement
from models import Model, ScoreDistribution, belongs


def q(text):
    top, _, bottom = text.partition("/")
    return fmpq(int(top), int(bottom or 1))


def tied(*pairs):
    return ScoreDistribution([], {q(x): q(mass) for x, mass in pairs})


def pieces(*parts):
    return ScoreDistribution([(q(a), q(b), fmpq_poly([q(c) for c in poly]))
                              for a, b, poly in parts])


TIES = Case(Model(q("1/3"), tied(("1/4", "1/2"), ("1/2", "1/2")),
                  tied(("1/4", "1/10"), ("3/4", "9/10"))).curve())
RAMP = Case(Model(q("1/2"), pieces(("0", "1", ["1"])), pieces(("0", "1", ["0", "2"]))).curve())
GAPS = Case(Model(q("1/3"), pieces(("1/5", "3/5", ["5/2"])),
                  pieces(("2/5", "4/5", ["5/2"]))).curve())
UNIFORM = Case(Model(q("1/3"), pieces(("0", "1", ["1"])), pieces(("0", "1", ["1"]))).curve())
REVERSED = Case(Model(q("1/2"), tied(("1", "1")), tied(("0", "1"))).curve())


def value(case, text, **parameters):
    given = {name: q(number) for name, number in parameters.items()}
    return Evaluation({"m": case}, given).value(Parser(text).expression())


class ValuesByHand(unittest.TestCase):
    def check(self, case, expected):
        for text, wanted in expected.items():
            with self.subTest(text):
                self.assertEqual(str(value(case, text)), wanted)

    def test_metrics_of_ties(self):
        self.check(TIES, {"AUC": "37/40", "KS": "9/10", "BS": "61/480", "CL": "89/1120",
                          "RL": "1/21", "L[o]": "1/18", "RL_conv": "1/18", "AUCH": "19/20",
                          "MAE": "13/40", "s0": "3/8", "s1": "7/10", "int(dc)": "1",
                          "int(F1*dc)": "1/14", "L[su]": "13/40", "L[sd]": "61/480"})

    def test_places_of_ties(self):
        self.check(TIES, {"F0(1/4)": "1/2", "F1(1/3)": "1/10", "Acc(1/2)": "14/15",
                          "F0(Rinv(7/60))": "1/4", "F1(Rinv(7/60))": "1/20", "R(1/4)": "7/30",
                          "MAcc(1/2)": "19/20", "F0(-1)": "0", "F1(2)": "1",
                          "L[sf(1/2); beta(2,1)]": "2/45"})

    def test_no_information(self):
        self.check(UNIFORM, {"AUC": "1/2", "RL": "2/9", "H": "0", "L[o]": "2/9", "KS": "0",
                             "int(x*dc)": "1/3", "int(c*dx)": "2/3", "L[rd]": "1/3",
                             "L[ru]": "1/2", "BS": "1/3", "int(c*dc)": "1/2"})

    def test_reversed(self):
        self.check(REVERSED, {"AUC": "0", "AUCH": "1/2", "RL": "0", "RL_conv": "1/4", "KS": "1",
                              "BS": "1", "BS(Cal(m))": "1/4", "L[rd]": "7/12", "H": "0"})

    def test_logarithm(self):
        found = value(RAMP, "RL")
        self.assertEqual(compare(found, fmpq(1, 2) - arb(3).log() / 4), 0)
        self.assertEqual(str(value(RAMP, "AUC")), "2/3")

    def test_weights_without_polynomials(self):
        exact = value(TIES, "L[o; beta(2,2)]")
        ball = value(TIES, "L[o; beta(2,2)]*(1 + 0*H_priors)")
        self.assertEqual(compare(exact, ball), 0)

    def test_optimal_loss_by_search(self):
        """The least loss over many thresholds, averaged over many costs, comes close."""
        places = [RAMP.curve.at_score(fmpq(k, 200)) for k in range(201)]
        total = ZERO
        for k in range(200):
            cost = fmpq(2 * k + 1, 400)
            total += min(cost * (1 - F0) + (1 - cost) * F1 for F0, F1 in places) / 200
        self.assertLess(abs(float(total) - float(value(RAMP, "L[o]"))), 1e-4)

    def test_restricted_integrals(self):
        self.check(GAPS, {"int(dx on gaps)": "2/5", "int(dx on arcs)": "3/5",
                          "int(dR on ties)": "0", "int(dc on corners)": "1"})


class Conventions(unittest.TestCase):
    def test_zero(self):
        for text in ("int((x-c)^2*dR on gaps)", "int(dF0*dF1/dR on gaps)", "int(dR*dx on gaps)"):
            self.assertEqual(value(GAPS, text), 0)
        self.assertEqual(value(TIES, "int(dF0*dF1/dR on corners)"), 0)

    def test_undefined(self):
        cases = [(GAPS, "int(dx*dR/dR)"), (GAPS, "int(c*dx)"), (TIES, "int(x*dc)"),
                 (GAPS, "int(dF0*dF1/dF1)"), (GAPS, "int(dR*c/c)"), (GAPS, "int(dc*dR/dR)"),
                 (GAPS, "int(dF1/dR*dc)"), (GAPS, "int(dR*F1/F1)"), (TIES, "int(dR*dx/dx)"),
                 (TIES, "int(dR*(dx/dx))"), (TIES, "int(dR/(dx/dx))"), (UNIFORM, "int(dR*dc/dc)"),
                 (REVERSED, "int(dR*x/x)"), (GAPS, "int(dR*(1-c)/(1-c))")]
        for case, text in cases:
            with self.subTest(text), self.assertRaises(Undefined):
                value(case, text)

    def test_infinite(self):
        for case, text in ((GAPS, "int(dF1*dR/dF0)"), (TIES, "int(dR*dR/dx)"),
                           (GAPS, "int(dR/c)"), (UNIFORM, "int(dR/F0)"), (UNIFORM, "int(dx/x)")):
            with self.subTest(text), self.assertRaises(Infinite):
                value(case, text)

    def test_defined_after_all(self):
        self.assertEqual(value(UNIFORM, "int(dx*dR/dR)"), 1)
        self.assertEqual(value(UNIFORM, "int(dR*F0/F0)"), 1)
        self.assertEqual(value(UNIFORM, "int(dF0*dF1/dF1)"), 1)
        self.assertEqual(value(GAPS, "int(dx*dR/dR on arcs)"), fmpq(3, 5))
        self.assertEqual(value(GAPS, "int(x*dc)"), fmpq(7, 15))


class Transforms(unittest.TestCase):
    def test_shapes(self):
        self.assertEqual([s.kind for s in TIES.transformed(("Conv",)).stretches],
                         ["gap", "arc", "gap", "tie", "gap"])
        self.assertEqual([s.kind for s in TIES.transformed(("Cal",)).stretches],
                         ["gap", "tie", "gap", "tie"])
        self.assertEqual([s.kind for s in TIES.transformed(("Even",)).stretches], ["arc"] * 3)

    def test_values(self):
        self.assertEqual(value(TIES, "s0(Conv(m))"), fmpq(3, 8))
        self.assertEqual(value(TIES, "s0(Cal(m))"), fmpq(1, 6))
        self.assertEqual(value(TIES, "CL(Cal(m))"), 0)
        self.assertEqual(value(TIES, "int(x*dR)(Even(m))"), fmpq(1, 2))

    def test_tangent_free_hull(self):
        self.assertEqual(value(RAMP, "AUCH"), fmpq(2, 3))


class Classes(unittest.TestCase):
    def test_pools_obey_their_classes(self):
        for names in (["convex"], ["calibrated"], ["even"], ["perfect"], ["random"],
                      ["continuous"], ["convex", "even"], ["piecewise"]):
            cases = pool(names, size=40)
            self.assertGreater(len(cases), 10)
            for case in cases:
                first, last = case.curve.stretches[0], case.curve.stretches[-1]
                self.assertEqual((first.F0(ZERO), first.F1(ZERO)), (0, 0))
                self.assertEqual((last.F0(ONE), last.F1(ONE)), (1, 1))
                self.assertTrue(all(belongs(case.curve, name) for name in names))

    def test_prior_is_obeyed(self):
        for names in ([], ["calibrated"], ["even"]):
            self.assertTrue(all(c.curve.pi0 == fmpq(1, 3)
                                for c in pool(names, pi0=fmpq(1, 3), size=30)))


class Language(unittest.TestCase):
    def test_statement(self):
        statement = parse_statement(
            "for convex m: AUC > 1/2 implies BS(Cal(m)) <= RL <= 1 where pi0 == 1/2, r >= 0")
        self.assertEqual(statement.classes, ["convex"])
        self.assertEqual([len(statement.premise), len(statement.claim),
                          len(statement.conditions)], [1, 2, 2])

    def test_juxtaposition(self):
        self.assertEqual(Parser("int(F0^2 dF1)").expression(),
                         Parser("int(F0^2*dF1)").expression())

    def test_errors(self):
        for text in ("AUC", "AUC ==", "AUC == XYZ", "int(F0 dF1 == 1", "AUC == 1 where"):
            with self.subTest(text), self.assertRaises(ParseError):
                parse_statement(text)


class Checking(unittest.TestCase):
    def kinds(self, text, hypotheses=None):
        outcome = Checker(models=100).check(text, hypotheses)
        return {finding.kind for finding in outcome.findings}

    def test_true_statements_pass(self):
        for text in ("BS == CL + RL", "for convex m: AUC == AUCH", "MRL == RL where pi0 == 1/2",
                     "F0(t1) <= F0(t2) where t1 <= t2", "AUC > 1 implies AUC == 3",
                     "for m: BS(Cal(m)) == RL_conv", "L[rf(r)] == 1 - Acc(Rinv(r))"):
            with self.subTest(text):
                self.assertEqual(self.kinds(text), set())

    def test_false_statements_fail(self):
        for text in ("BS == CL", "AUC == AUCH", "MRL == RL", "RL > 0", "AUC == 1/2 implies KS == 0",
                     "F0(t1) < F0(t2) where t1 < t2", "RL == 0 implies AUC == 1"):
            with self.subTest(text):
                self.assertIn("false", self.kinds(text))

    def test_missing_values_are_found(self):
        self.assertIn("undefined", self.kinds("int(c*dx) == int(c*dx)"))
        self.assertIn("infinite", self.kinds("int(dF0/F0) >= 0"))
        self.assertIn("quotient", self.kinds("AUC/AUC == 1"))
        self.assertIn("division", self.kinds("AUC/AUC == 1", []))
        self.assertEqual(self.kinds("AUC/AUC == 1", ["AUC is not 0"]), set())


if __name__ == "__main__":
    unittest.main()
