"""Settles statements about the evaluation of binary classifiers.

>>> import rocproof
>>> model = rocproof.Model("2*(1-x)", "4*x^3", pi0="1/2")
>>> model.eval().metrics["AUC"].exact
Fraction(14, 15)
>>> rocproof.check("for convex m: L[o] == RL").proved
True

In models of densities class 0 is the positive class, scores grow with class 1, and ``s <= t`` predicts class 0. Scored data follow scikit-learn's
convention: higher scores speak for the positive label. Of these ``pi0`` is the share of the positive label, and ``c`` that of the cost of missing it.
"""

from . import display, metrics
from ._bins import BinEvaluation, Range, evaluate_bins
from ._errors import RocproofError
from ._evaluation import Evaluation
from ._figure import Figure
from ._groups import GroupedEvaluations, GroupedModels
from ._model import Model, Roc
from ._paper import Report, paper_models, reproduce
from ._records import (
    AtCondition,
    CalibrationError,
    Cell,
    Choice,
    Corp,
    Curve,
    CurveList,
    Decomposition,
    DeLong,
    Deploy,
    Difference,
    Differences,
    FiniteSample,
    HandMeasure,
    MethodAt,
    MethodChoice,
    Piece,
    Threshold,
)
from ._rocproof import __version__
from ._scored import Comparison, ScoredModel, ScoredModels, compare, read_scores
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
    "AtCondition",
    "BinEvaluation",
    "CalibrationError",
    "Cell",
    "Choice",
    "Comparison",
    "Corp",
    "Counterexample",
    "Curve",
    "CurveList",
    "DeLong",
    "Decomposition",
    "Deploy",
    "Difference",
    "Differences",
    "Discovery",
    "Evaluation",
    "Figure",
    "FiniteSample",
    "GroupedEvaluations",
    "GroupedModels",
    "HandMeasure",
    "MethodAt",
    "MethodChoice",
    "Model",
    "Piece",
    "Range",
    "Report",
    "Roc",
    "RocproofError",
    "ScoredModel",
    "ScoredModels",
    "Spread",
    "Threshold",
    "Value",
    "Values",
    "Verdict",
    "Verification",
    "__version__",
    "check",
    "compare",
    "discover",
    "display",
    "evaluate_bins",
    "metrics",
    "paper_models",
    "read_scores",
    "reproduce",
    "verify",
]
