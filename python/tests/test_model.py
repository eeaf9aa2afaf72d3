"""Models: from scipy, transformed, drawn; and their ROC curves."""

import pickle
from fractions import Fraction
from xml.dom import minidom

import numpy as np
import pytest
from scipy import stats

import rocproof
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


@pytest.mark.parametrize(
    "zero, one, f0, f1",
    [
        (stats.gamma(2), stats.gamma(3), "x*exp(-x) on [0, inf]", "x^2*exp(-x)/2 on [0, inf]"),
        (stats.cauchy(), stats.cauchy(1), "1/(pi*(1+x^2)) on [-inf, inf]", "1/(pi*(1+(x-1)^2)) on [-inf, inf]"),
        # A kink inside.
        (stats.laplace(), stats.norm(1), "{ exp(x)/2 on [-inf, 0]; exp(-x)/2 on [0, inf] }", "normal(1, 1)"),
        # Both ends singular; one of them away from 0, and both.
        (stats.arcsine(), stats.uniform(), "beta(1/2, 1/2)", "1"),
        (stats.arcsine(loc=3, scale=2), stats.uniform(3, 2), "normalize(((x-3)*(5-x))^(-1/2) on [3, 5])", "1/2 on [3, 5]"),
        (stats.powerlaw(0.3), stats.powerlaw(3), "beta(0.3, 1)", "beta(3, 1)"),
        (stats.chi2(1, loc=2), stats.expon(2, 3), "normalize((x-2)^(-1/2)*exp(-(x-2)/2) on [2, inf])", "exp(-(x-2)/3)/3 on [2, inf]"),
        (stats.t(3), stats.gamma(2), "normalize((1+x^2/3)^(-2) on [-inf, inf])", "x*exp(-x) on [0, inf]"),
    ],
)
def test_other_distributions_are_known_by_their_values(zero, one, f0, f1):
    numeric, certified = Model.from_scipy(zero, one, pi0="1/3").eval(), Model(f0, f1, pi0="1/3").eval("certified")
    for ours, truth in [(numeric.metrics, certified.metrics), (numeric.loss.cost, certified.loss.cost)]:
        for name in ours:
            if ours[name].available and truth[name].available:
                assert ours[name].level == "numeric" or name in ("s0", "s1", "AUC")
                assert ours[name].lo <= truth[name].hi and truth[name].lo <= ours[name].hi, name
                assert name in ("s0", "s1") or ours[name].error < 1e-9, name


def test_anything_with_a_pdf_serves():
    scores = np.random.default_rng(1).normal(size=200)
    kernel = stats.gaussian_kde(scores)
    deviation = np.sqrt(kernel.covariance[0, 0])
    # P(a kernel below a normal), by hand.
    truth = np.mean(stats.norm.cdf((1 - scores) / np.sqrt(1 + deviation**2)))
    assert Model.from_scipy(kernel, stats.norm(1)).eval().AUC == pytest.approx(truth, abs=1e-10)
    histogram = stats.rv_histogram(np.histogram(scores, bins=10))
    auc = Model.from_scipy(histogram, stats.norm(1)).eval().AUC
    q = (np.arange(200_000) + 0.5) / 200_000
    assert np.mean(1 - stats.norm(1).cdf(histogram.ppf(q))) == pytest.approx(auc, abs=1e-5)


def test_values_have_the_numeric_level_only():
    model = Model.from_scipy(stats.gamma(2), stats.gamma(3))
    assert model.f0 == "scipy.stats.gamma(2)" and model.eval().AUC.level == "numeric"
    assert model.figure().to_svg() and model.conv().eval().AUC == pytest.approx(11 / 16)
    assert pickle.loads(pickle.dumps(model.even())).eval().to_json() == model.even().eval().to_json()
    for level in ["certified", "exact"]:
        with pytest.raises(RocproofError, match="known by its values only"):
            model.eval(level)
    with pytest.raises(RocproofError, match="known by its values only"):
        rocproof.check("AUC >= 1/2", model=model)


class Density:
    """Something with a pdf between 0 and 1."""

    def __init__(self, pdf):
        self.pdf = pdf

    def ppf(self, q):
        return np.asarray(q, dtype=float)

    def isf(self, q):
        return 1 - np.asarray(q, dtype=float)

    def support(self):
        return 0, 1


@pytest.mark.parametrize(
    "pdf, message",
    [
        (lambda x: 2 + 0 * x, "integrates to 2"),
        (lambda x: 4 * x - 1, "negative"),
        (lambda x: np.where(x > 0.5, np.nan, 1), "not a finite number"),
        (lambda x: 0.1 / x**1.1, "grows about as fast"),
    ],
)
def test_values_of_no_density_are_refused(pdf, message):
    with pytest.raises(RocproofError, match=message):
        Model.from_scipy(Density(pdf), stats.norm())


def test_what_a_pdf_raises_is_raised():
    def pdf(x):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        Model.from_scipy(Density(pdf), stats.norm())
    for nothing in [1.0, stats.binom(3, 0.5)]:
        with pytest.raises(RocproofError, match="there is no density") as refused:
            Model.from_scipy(nothing, stats.norm())
        assert "triang" in refused.value.help


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
