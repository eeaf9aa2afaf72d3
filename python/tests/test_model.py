"""Models: from scipy, transformed, drawn; and their ROC curves."""

from fractions import Fraction
from xml.dom import minidom

import numpy as np
import pytest
from scipy import stats

from rocproof import Model, RocproofError


@pytest.mark.parametrize(
    "distribution, density",
    [
        (stats.beta(2, 5), "beta(2, 5)"),
        (stats.beta(0.5, b=0.1), "beta(1/2, 1/10)"),
        (stats.norm(0.3, 2), "normal(3/10, 2)"),
        (stats.triang(0.25, loc=1, scale=4), "triangular(1, 2, 5)"),
        (stats.uniform(0.1, 0.2), "uniform(1/10, 3/10)"),
        (stats.logistic(loc=1), "logistic(1, 1)"),
        (stats.truncnorm(-1, 2, loc=0.5, scale=0.1), "truncate(normal(1/2, 1/10), 2/5, 7/10)"),
    ],
)
def test_distributions_have_their_parameters_as_written(distribution, density):
    assert Model.from_scipy(distribution, distribution).f0 == density


@pytest.mark.parametrize(
    "zero, one",
    [
        (stats.beta(2, 5, loc=1, scale=3), stats.beta(5, 2, loc=1, scale=3)),
        (stats.beta(0.5, 1.5, loc=-1, scale=2), stats.uniform(-1, 2)),
        (stats.expon(), stats.expon(loc=0.5, scale=2)),
        (stats.norm(), stats.truncnorm(-1, 2, loc=0.5)),
        (stats.triang(0.2), stats.logistic(loc=1, scale=0.3)),
    ],
)
def test_what_scipy_says_is_in_the_enclosure(zero, one):
    # F0 at a quantile of class 1 and the AUC, by scipy's own numbers.
    auc = Model.from_scipy(zero, one).eval(level="certified").metrics["AUC"]
    q = (np.arange(200_000) + 0.5) / 200_000
    assert np.mean(zero.cdf(one.ppf(q))) == pytest.approx(auc, abs=1e-5)


def test_other_distributions_are_refused_and_told_what_serves():
    with pytest.raises(RocproofError, match="gamma") as refused:
        Model.from_scipy(stats.gamma(2), stats.norm())
    assert "triang" in refused.value.help
    with pytest.raises(RocproofError, match="float"):
        Model.from_scipy(1.0, stats.norm())


def test_numbers_are_as_exact_as_they_are_written():
    for pi0 in ["0.1", 0.1, Fraction(1, 10), np.float64(0.1)]:
        assert Model("2*(1-x)", "2*x", pi0=pi0).pi0 == "1/10"


def test_transforms_nest():
    model = Model.paper("severalconcavities")
    assert model.eval().convex is False and model.conv().eval().convex is True
    assert model.conv().cal().name == "Cal(Conv(severalconcavities))"
    assert model.cal().eval(level="numeric").metrics["CL"] == pytest.approx(0, abs=1e-12)
    assert model.even().eval().metrics["AUC"].exact == model.eval().metrics["AUC"].exact


@pytest.mark.parametrize("name", ["strictlyconvex", "severalconcavities", "discontinuous", "notcumulative2"])
def test_the_area_below_the_roc_curve_is_the_auc(name):
    model = Model.paper(name)
    for each, metric in [(model, "AUC"), (model.conv(), "AUCH")]:
        fpr, tpr, thresholds = each.roc(points=64)
        assert (fpr[0], tpr[0], fpr[-1], tpr[-1]) == (0, 0, pytest.approx(1), pytest.approx(1))
        assert np.all(np.diff(fpr) >= 0) and np.all(np.diff(tpr) >= 0) and np.all(np.diff(thresholds) >= 0)
        area = np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1]) / 2)
        assert area == pytest.approx(model.eval().metrics[metric], abs=1e-4)


def test_figures_are_svg_with_identifiers_of_their_own():
    figure = Model.paper("strictlyconvex").figure()
    other = Model.paper("strictlyconvex").figure(colour_blind_safe=True)
    identifiers = []
    for svg in [figure._repr_svg_(), other._repr_svg_()]:
        elements = minidom.parseString(svg).getElementsByTagName("*")
        identifiers.append({e.getAttribute("id") for e in elements if e.hasAttribute("id")})
    assert identifiers[0] and not identifiers[0] & identifiers[1]
    assert figure.to_svg() != other.to_svg()
