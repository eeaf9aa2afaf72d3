"""Settles statements about the evaluation of binary classifiers.

>>> import rocproof
>>> model = rocproof.Model("2*(1-x)", "4*x^3", pi0="1/2")
>>> model.eval().metrics["AUC"].exact
Fraction(14, 15)
>>> rocproof.check("for convex m: L[o] == RL").proved
True

Class 0 is the positive class, scores grow with class 1, and ``s <= t`` predicts class 0. Only ``Model.from_scores`` and ``compare`` follow
scikit-learn's convention, by which higher scores speak for the positive label.
"""

from ._errors import RocproofError
from ._evaluation import Evaluation
from ._figure import Figure
from ._model import Model, Roc
from ._paper import Report, paper_models, reproduce
from ._rocproof import __version__
from ._scored import Comparison, ScoredModel, ScoredModels, compare
from ._statement import (
    Counterexample,
    Discovery,
    Verdict,
    Verification,
    check,
    discover,
    verify,
)
from ._value import Spread, Value, Values

__all__ = [
    "Comparison",
    "Counterexample",
    "Discovery",
    "Evaluation",
    "Figure",
    "Model",
    "Report",
    "Roc",
    "RocproofError",
    "ScoredModel",
    "ScoredModels",
    "Spread",
    "Value",
    "Values",
    "Verdict",
    "Verification",
    "__version__",
    "check",
    "compare",
    "discover",
    "paper_models",
    "reproduce",
    "verify",
]
