"""Functions of labels and scores, and scorers for scikit-learn."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, roc_auc_score, roc_curve
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.svm import LinearSVC

from rocproof import Model, RocproofError, metrics


def data(rows=400, seed=5):
    generator = np.random.default_rng(seed)
    y = generator.integers(0, 2, rows)
    return y, np.round(generator.beta(2 + y, 3 - y), 2), generator.exponential(size=rows)


def test_functions_are_those_of_scikit_learn():
    y, p, w = data()
    for weight in [None, w]:
        assert metrics.auc(y, p, sample_weight=weight) == pytest.approx(roc_auc_score(y, p, sample_weight=weight), abs=1e-12)
        assert metrics.gini(y, p, sample_weight=weight) == pytest.approx(2 * roc_auc_score(y, p, sample_weight=weight) - 1)
        brier = brier_score_loss(y, p, sample_weight=weight)
        assert metrics.brier_score(y, p, sample_weight=weight) == pytest.approx(brier, abs=1e-12)
        fpr, tpr, _ = roc_curve(y, p, sample_weight=weight)
        assert metrics.ks(y, p, sample_weight=weight) == pytest.approx(max(tpr - fpr), abs=1e-12)
        recalibrated = IsotonicRegression().fit(p, y, sample_weight=weight).predict(p)
        mcb = brier - brier_score_loss(y, recalibrated, sample_weight=weight)
        assert metrics.miscalibration(y, p, sample_weight=weight) == pytest.approx(mcb, abs=1e-12)
        share = np.average(y, weights=weight)
        dsc = share * (1 - share) - brier_score_loss(y, recalibrated, sample_weight=weight)
        assert metrics.discrimination(y, p, sample_weight=weight) == pytest.approx(dsc, abs=1e-12)
    assert metrics.mean_absolute_error(y, p) == pytest.approx(np.mean(np.abs(y - p)), abs=1e-12)
    assert type(metrics.auc(y, p)) is float


def test_losses_follow_from_metrics():
    # The paper: uniform costs make the score-driven loss the Brier score, the score-uniform one the absolute error, and rates those of the AUC.
    y, p, _ = data()
    pi = y.mean()
    auc = roc_auc_score(y, p)
    assert metrics.expected_loss(y, p, method="score-driven") == pytest.approx(brier_score_loss(y, p), abs=1e-12)
    assert metrics.expected_loss(y, p, method="su") == pytest.approx(np.mean(np.abs(y - p)), abs=1e-12)
    assert metrics.expected_loss(y, p) == pytest.approx(pi * (1 - pi) * (1 - 2 * auc) + 1 / 3, abs=1e-12)
    assert metrics.expected_loss(y, p, method="ru") == pytest.approx(pi * (1 - pi) * (1 - 2 * auc) + 1 / 2, abs=1e-12)
    assert metrics.expected_loss(y, p, method="rd", by="skew") == pytest.approx((1 - 2 * auc) / 4 + 1 / 3, abs=1e-12)
    # Errors at a fixed threshold: with uniform costs each weighs the same.
    assert metrics.expected_loss(y, p, method="score-fixed", threshold=0.3) == pytest.approx(np.mean((p >= 0.3) != y), abs=1e-12)
    # Whatever the threshold, the optimal one is not worse: the least over a grid of conditions, by hand.
    c = (np.arange(20000) + 0.5) / 20000
    fpr, tpr, _ = roc_curve(y, p)
    least = np.min(2 * (np.outer(c, pi * (1 - tpr)) + np.outer(1 - c, (1 - pi) * fpr)), axis=1)
    assert metrics.expected_loss(y, p, method="optimal") == pytest.approx(least.mean(), abs=1e-6)


@pytest.mark.parametrize(
    "names",
    [
        ["auc", "AUC", "roc_auc", "ROC AUC", "area-under-the-roc-curve"],
        ["h", "H", "h-measure", "h_measure"],
        ["bs", "BS", "brier", "neg_brier_score"],
        ["o", "optimal", "L[o]", "neg-optimal", "optimal loss"],
        ["rd", "rate-driven", "rate_driven", "L[rd]", "neg_rate_driven_loss"],
    ],
)
def test_names_are_accepted_in_words_and_short(names):
    y, p, _ = data()
    assert len({metrics.value(y, p, name) for name in names}) == 1


def test_what_has_no_value_is_an_error_with_help():
    y, p, _ = data()
    with pytest.raises(RocproofError, match="rate-driven"):
        metrics.expected_loss(y, p, method="rate-drven")
    with pytest.raises(RocproofError, match="brier-score"):
        metrics.value(y, p, "breir")
    with pytest.raises(RocproofError, match="probabilities"):
        metrics.brier_score(y, 10 * p)
    with pytest.raises(RocproofError, match='by="cost"'):
        metrics.expected_loss(y, p, by="costs")
    with pytest.raises(RocproofError, match="no threshold"):
        metrics.value(y, p, "auc", threshold=0.3)
    with pytest.raises(KeyError, match="there are"):
        metrics.scorers["auk"]
    assert "auk" not in metrics.scorers


def test_scorers_serve_cross_validation():
    X, y = make_classification(400, random_state=1)
    for ours, theirs in [("auc", "roc_auc"), ("neg-brier-score", "neg_brier_score")]:
        for model in [LogisticRegression(), LinearSVC()] if ours == "auc" else [LogisticRegression()]:
            found = cross_val_score(model, X, y, scoring=metrics.scorers[ours], error_score="raise")
            np.testing.assert_allclose(found, cross_val_score(model, X, y, scoring=theirs), atol=1e-12)
    losses = cross_val_score(LogisticRegression(), X, y, scoring=metrics.make_scorer("rate-driven", by="skew"))
    assert (losses < 0).all()
    # Every scorer has a value for a classifier with probabilities, and losses are negated.
    fitted = LogisticRegression().fit(X, y)
    assert len(metrics.scorers) == len(list(metrics.scorers))
    for name, scorer in metrics.scorers.items():
        found = scorer(fitted, X, y)
        assert found < 0 if name.startswith("neg-") else found > 0, name


def test_scorers_choose_the_better_of_a_grid():
    X, y = make_classification(300, n_informative=4, random_state=2)
    search = GridSearchCV(LogisticRegression(), {"C": [1e-6, 1.0]}, scoring=metrics.scorers["score-driven"])
    # Almost no weight is left with the smaller C, and probabilities are all near one half.
    assert search.fit(X, y).best_params_ == {"C": 1.0}


def test_scorers_know_the_positive_label():
    X, y = make_classification(300, random_state=3)
    named = np.array(["ham", "spam"])[y]
    fitted = LogisticRegression().fit(X, named)
    p = fitted.predict_proba(X)
    for label, column in [("spam", 1), ("ham", 0)]:
        expected = brier_score_loss(named == label, p[:, column])
        assert metrics.make_scorer("brier", pos_label=label)(fitted, X, named) == pytest.approx(-expected)
        expected = roc_auc_score(named == label, p[:, column])
        assert metrics.make_scorer("auc", pos_label=label)(fitted, X, named) == pytest.approx(expected)
    with pytest.raises(RocproofError, match="pos_label="):
        metrics.make_scorer("auc")(fitted, X, named)


def test_models_of_estimators():
    X, y = make_classification(300, random_state=4)
    named = np.array(["ham", "spam"])[y]
    fitted, machine = LogisticRegression().fit(X, named), LinearSVC().fit(X, named)
    for label, column in [("spam", 1), ("ham", 0)]:
        model = Model.from_estimator(fitted, X, named, pos_label=label)
        assert model.name == "LogisticRegression" and model.labels == (label, "ham" if label == "spam" else "spam")
        assert model.eval().BS == pytest.approx(brier_score_loss(named == label, fitted.predict_proba(X)[:, column]))
        sign = 1 if column else -1
        expected = roc_auc_score(named == label, sign * machine.decision_function(X))
        assert Model.from_estimator(machine, X, named, pos_label=label).eval().AUC == pytest.approx(expected)
    for wrong, message in [
        ({"pos_label": "eggs"}, "eggs"),
        ({}, "which label is positive"),
        ({"pos_label": "spam", "response_method": "predict"}, "predict_proba"),
    ]:
        with pytest.raises(RocproofError, match=message):
            Model.from_estimator(fitted, X, named, **wrong)
    with pytest.raises(RocproofError, match="fit the classifier|no predict_proba|no decision"):
        Model.from_estimator(LogisticRegression(), X, named, pos_label="spam")


def test_scikit_learn_is_not_imported_before_it_is_needed():
    program = "import sys, rocproof; sys.exit(any(name in sys.modules for name in ['sklearn', 'matplotlib', 'pandas', 'polars', 'pyarrow']))"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
