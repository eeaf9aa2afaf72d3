"""Scores of fitted classifiers in scikit-learn's conventions."""

from __future__ import annotations

from typing import Any, Tuple

import numpy as np

from . import _scores
from ._errors import refused

#: The methods that give scores, in the order in which they are tried.
_METHODS = ("predict_proba", "decision_function")


def response(estimator: Any, X: Any, y: Any, pos_label: Any, method: str = "auto") -> Tuple[Any, Any]:
    """The scores of rows, which grow with the positive label, and that label."""
    if method not in ("auto", *_METHODS):
        raise refused(f"there is no response_method {method!r}", f"auto, {' or '.join(_METHODS)}")
    wanted = _METHODS if method == "auto" else (method,)
    found = next((name for name in wanted if hasattr(estimator, name)), None)
    if found is None:
        name = type(estimator).__name__
        raise refused(f"{name} has no {' and no '.join(wanted)}", "scores are needed, not predicted labels")
    positive = _scores.positive_label(y, pos_label)
    if not hasattr(estimator, "classes_"):
        raise refused(f"{type(estimator).__name__} has no classes_", "fit the classifier first")
    classes = list(estimator.classes_)
    if len(classes) != 2:
        raise refused(f"the classifier knows {len(classes)} labels", "two are needed")
    if positive not in classes:
        raise refused(f"the classifier does not know the label {positive!r}", f"pos_label is one of {classes}")
    column = classes.index(positive)
    scores = np.asarray(getattr(estimator, found)(X))
    if found == "predict_proba":
        return np.ascontiguousarray(scores[:, column]), positive
    return scores if column == 1 else -scores, positive
