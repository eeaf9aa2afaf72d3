"""Statements: verdicts with their evidence."""

import copy
from fractions import Fraction

import pytest

import rocproof
from rocproof import Model


def test_a_proof_has_a_certificate_a_derivation_and_a_script():
    verdict = rocproof.check("for calibrated m: BS == MAE/2")
    assert verdict and verdict.proved and verdict.verdict == "proved" and verdict.counterexample is None
    assert "\\mathit{BS}" in verdict.latex and verdict._repr_latex_() == verdict.latex
    assert "<math" in verdict._repr_html_() and "unconverted" not in verdict._repr_html_()
    assert "import" in verdict.sympy
    verified = rocproof.verify(verdict)
    assert verified.valid and verified.statement == "for calibrated m: BS == MAE/2"


def test_a_certificate_that_was_changed_is_rejected(tmp_path):
    certificate = rocproof.check("L[rd] == pi0*pi1*(1 - 2*AUC) + 1/3").certificate
    assert rocproof.verify(certificate)
    spoiled = copy.deepcopy(certificate)
    spoiled["statement"] = "L[rd] == pi0*pi1*(1 - 2*AUC) + 1/4"
    assert not rocproof.verify(spoiled) and rocproof.verify(spoiled).why
    file = tmp_path / "proof.json"
    file.write_text(rocproof.check("BS == CL + RL").to_json())
    assert rocproof.verify(file).statement == "BS == CL + RL"


def test_a_counterexample_is_a_model():
    verdict = rocproof.check("BS == MAE/2")
    assert verdict.refuted and not verdict and verdict.certificate is None and verdict.latex is None
    found = verdict.counterexample
    metrics = found.model.eval().metrics
    assert metrics["BS"].exact == found.lhs.exact and metrics["MAE"].exact / 2 == found.rhs.exact
    assert found.lhs.exact != found.rhs.exact and isinstance(found.lhs.exact, Fraction)
    assert {"statement": "for calibrated m: BS == MAE/2", "verdict": "proved"} in verdict.nearby
    assert "refuted" in verdict._repr_html_()


def test_a_statement_is_decided_on_models():
    model = Model("2*(1-x)", "2*x")
    assert rocproof.check("BS == 1/6", model=model).proved
    assert rocproof.check("BS == 1/7", model=model).refuted
    two = rocproof.check("for m, n: AUC(m) <= AUC(n)", model=["@diagonal", "@strictlyconvex"])
    assert two.proved and two.json["models"] == ["diagonal", "strictlyconvex"]
    assert rocproof.check("BS == RL", over="calibrated").proved
    with pytest.raises(rocproof.RocproofError, match="scored data"):
        rocproof.check("BS == 1/6", model=Model.from_scores([0, 1], [0.1, 0.2]))


def test_relations_are_discovered():
    found = rocproof.discover("L[rd]", "AUC")
    assert found and found.relation == "L[rd] == -2*pi0*pi1*AUC + pi0*pi1 + 1/3"
    assert rocproof.check(found.relation).proved and "<math" in found._repr_html_()
    none = rocproof.discover("BS", ["AUC"])
    assert not none and none.relation is None
    assert rocproof.discover("BS", "MAE", classes="calibrated")
