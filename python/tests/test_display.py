"""Displays on axes of matplotlib."""

import sys

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, roc_auc_score, roc_curve

from rocproof import RocproofError, display

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot as pyplot  # noqa: E402


@pytest.fixture
def scored():
    generator = np.random.default_rng(7)
    y = generator.integers(0, 2, 300)
    yield y, np.round(generator.beta(2 + y, 3 - y), 2)
    pyplot.close("all")


def area(line):
    x, y = line.get_data()
    return np.sum(np.diff(x) * (y[1:] + y[:-1]) / 2)


def test_roc_curves_are_those_of_scikit_learn(scored):
    y, p = scored
    figure, ax = pyplot.subplots()
    shown = display.RocDisplay.from_predictions(y, p, name="mine", ax=ax, chance=True)
    assert shown.ax_ is ax and shown.figure_ is figure
    roc, hull, chance = shown.lines_
    fpr, tpr, _ = roc_curve(y, p, drop_intermediate=False)
    assert area(roc) == pytest.approx(roc_auc_score(y, p), abs=1e-12)
    assert set(zip(*(column.round(9) for column in roc.get_data()))) <= set(zip(fpr.round(9), tpr.round(9)))
    assert area(hull) > area(roc) and "mine (AUC 0." in roc.get_label()
    assert "true positive rate (1)" == ax.get_ylabel() and "false positive rate (0)" == ax.get_xlabel()


def test_estimators_are_drawn_on_new_axes():
    X, y = make_classification(200, random_state=1)
    fitted = LogisticRegression().fit(X, y)
    shown = display.RocDisplay.from_estimator(fitted, X, y, hull=False, color="red")
    assert len(shown.lines_) == 1 and shown.lines_[0].get_color() == "red"
    assert area(shown.lines_[0]) == pytest.approx(roc_auc_score(y, fitted.predict_proba(X)[:, 1]))
    again = shown.plot(name="again")
    assert again is shown and "again" in shown.lines_[0].get_label()
    pyplot.close("all")


def test_losses_have_their_areas(scored):
    y, p = scored
    optimal, brier = display.LossDisplay.from_predictions(y, p).lines_
    # Pieces of the Brier curve are straight, of which the area is exact.
    assert area(brier) == pytest.approx(brier_score_loss(y, p), abs=1e-12)
    assert area(optimal) < area(brier) and (optimal.get_data()[1] >= 0).all()
    assert len(display.LossDisplay.from_predictions(y, 10 * p).lines_) == 2
    [rate] = display.LossDisplay.from_predictions(y, p, methods=["rate-driven"], by="skew").lines_
    assert area(rate) == pytest.approx((1 - 2 * roc_auc_score(y, p)) / 4 + 1 / 3, abs=1e-4)


def test_reliability_is_isotonic(scored):
    from sklearn.isotonic import IsotonicRegression

    y, p = scored
    shown = display.ReliabilityDisplay.from_predictions(y, p)
    curve = shown.lines_[0]
    x, share = curve.get_data()
    assert (np.diff(share) >= 0).all() and set(x) <= set(p)
    np.testing.assert_allclose(share, IsotonicRegression().fit(p, y).predict(x), atol=1e-12)
    assert "MCB" in curve.get_label() and shown.ax_.get_ylabel() == "share of 1"


def test_without_matplotlib_there_is_advice(scored, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(RocproofError, match="pip install matplotlib"):
        display.RocDisplay.from_predictions(*scored)
