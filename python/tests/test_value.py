"""Values are floats that know what they rest on."""

import copy
import math
import pickle
from fractions import Fraction

import pytest

from rocproof import Model, Value


@pytest.fixture(scope="module")
def evaluation():
    return Model("2*(1-x)", "4*x^3", pi0="1/2").eval()


def test_rationals_are_fractions(evaluation):
    auc = evaluation.metrics["AUC"]
    assert auc.exact == Fraction(14, 15) and auc.level == "exact" and auc.closed_form == "14/15"
    assert isinstance(auc, float) and auc.lo <= auc <= auc.hi and Fraction(auc.lo) <= auc.exact <= Fraction(auc.hi)
    assert auc + 1 == 14 / 15 + 1 and type(auc + 1) is float
    assert str(auc) == "0.933333333333333" and f"{auc:.3f}" == "0.933" and f"{auc}" == str(auc)


def test_other_closed_forms_are_text(evaluation):
    optimal = evaluation.loss["cost"]["o"]
    assert optimal.exact is None and optimal.closed_form == "1/2 + pi/20 - 4*ln(2)/5"
    assert math.isclose(optimal, 1 / 2 + math.pi / 20 - 4 * math.log(2) / 5, abs_tol=1e-15)


def test_names_are_attributes(evaluation):
    assert evaluation.AUC is evaluation.metrics.AUC is evaluation.metrics["AUC"]
    assert evaluation.loss.cost.o is evaluation.loss["cost"]["o"]
    assert "AUC" in dir(evaluation) and "o" in dir(evaluation.loss.cost)
    with pytest.raises(AttributeError, match="there are: AUC"):
        evaluation.AUCC
    with pytest.raises(KeyError, match="there are: AUC"):
        evaluation.metrics["AUCC"]


def test_only_justified_digits_are_printed():
    assert str(Value(0.25, 0.23, 0.27, level="numeric")) == "0.2"
    certified = Model("beta(2.5, 4)", "beta(5, 1.5)").eval().metrics["AUC"]
    assert certified.level == "certified" and 0 < certified.hi - certified.lo < 1e-11
    assert certified.exact is None and certified.closed_form is None
    assert float(str(certified)) == pytest.approx(certified, abs=1e-11) and len(str(certified)) < 16


def test_what_does_not_apply_says_why():
    brier = Model("normal(0, 1)", "normal(1, 2)").eval(level="numeric").metrics["BS"]
    assert not brier.available and math.isnan(brier) and brier.why and brier.why in str(brier)


def test_values_and_models_survive_copies(evaluation):
    for value in [evaluation.AUC, Model("normal(0, 1)", "normal(1, 1)").eval("numeric").BS]:
        again = pickle.loads(pickle.dumps(value))
        assert repr(again) == repr(value) and again.level == value.level and again.why == value.why
        assert repr(copy.deepcopy(value)) == repr(value)
    for model in [Model("beta(2, 5)", "2*x", "1/pi", name="mine").conv().even(), Model.paper("diagonal")]:
        again = pickle.loads(pickle.dumps(model))
        assert again.name == model.name and again.eval().to_json() == model.eval().to_json()


def test_notebooks_show_tables(evaluation):
    html = evaluation._repr_html_()
    assert "0.933333333333333" in html and "<code>14/15</code>" in html and "L[sf(1/2)]" in html
