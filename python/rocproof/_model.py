"""Models of two densities."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, NamedTuple, Optional, Tuple, Union, cast, overload

import numpy as np
import numpy.typing as npt

from . import _arguments, _estimators, _groups, _rocproof, _scipy, _scores
from ._arguments import Number, text_of
from ._errors import refused
from ._evaluation import Evaluation
from ._figure import Figure
from ._transformable import Transformable

if TYPE_CHECKING:
    from ._groups import GroupedModels
    from ._scored import ScoredModel

class Roc(NamedTuple):
    """A ROC curve: ``fpr`` is ``F1``, ``tpr`` is ``F0``, both at ``thresholds``."""

    fpr: npt.NDArray[np.float64]
    tpr: npt.NDArray[np.float64]
    thresholds: npt.NDArray[np.float64]


def request(level: str, cost: str, threshold: Number, rate: Number) -> Dict[str, str]:
    """The arguments that every evaluation has, as text."""
    return {
        "level": _arguments.text("level", level, "exact"),
        "cost": _arguments.text("cost", cost, "beta(2, 2)"),
        "threshold": text_of(threshold, "threshold"),
        "rate": text_of(rate, "rate"),
    }


class Model(Transformable):
    """A model: the score densities of two classes and the proportion of class 0.

    Class 0 is the positive class, and scores grow with the probability of class 1.

    >>> Model("beta(2, 5)", "beta(5, 2)", pi0="1/3").eval().metrics.BS.level
    'exact'
    """

    _native: Any
    #: How the model was made, for pickling: the name of the constructor, its arguments, and the transforms.
    _recipe: Tuple[str, Tuple[Any, ...], Tuple[str, ...]]

    def __init__(self, f0: str, f1: str, pi0: Number = "1/2", name: Optional[str] = None) -> None:
        self._native = _rocproof.Model(f0, f1, text_of(pi0), name)
        self._recipe = ("Model", (f0, f1, text_of(pi0), name), ())

    @classmethod
    def _of(cls, native: Any, recipe: Tuple[str, Tuple[Any, ...], Tuple[str, ...]]) -> Model:
        model = cls.__new__(cls)
        model._native, model._recipe = native, recipe
        return model

    @staticmethod
    def from_file(path: Union[str, os.PathLike[str]]) -> Model:
        """A model from a TOML file with ``pi0``, ``f0`` and ``f1``, and perhaps ``name`` and ``note``."""
        origin = os.fspath(path)
        with open(origin, encoding="utf-8") as file:
            return Model._parsed(origin, file.read())

    @staticmethod
    def _parsed(origin: str, text: str) -> Model:
        return Model._of(_rocproof.Model.parse(origin, text), ("_parsed", (origin, text), ()))

    @staticmethod
    def paper(name: str) -> Model:
        """A model of the paper by the label of its figure, such as ``"strictlyconvex"``."""
        return Model._of(_rocproof.Model.paper(name), ("paper", (name,), ()))

    @staticmethod
    def from_scipy(dist0: Any, dist1: Any, pi0: Number = "1/2", name: Optional[str] = None) -> Model:
        """A model of two distributions of scipy.stats.

        Frozen beta, norm, triang, uniform, logistic, truncnorm and expon become densities of the language, with all levels of
        evidence. Their parameters are read as written: 0.1 is one tenth. Any other distribution that has a pdf is evaluated by it, at
        the numeric level only.

        >>> from scipy import stats
        >>> print(Model.from_scipy(stats.gamma(2), stats.gamma(3)).eval().AUC)
        0.687500000000
        """
        native = _rocproof.Model(_scipy.density(dist0), _scipy.density(dist1), text_of(pi0), name)
        return Model._of(native, ("from_scipy", (dist0, dist1, text_of(pi0), name), ()))

    @overload
    @staticmethod
    def from_scores(
        y_true: Any,
        y_score: Any,
        sample_weight: Any = None,
        pos_label: Any = None,
        name: Optional[str] = None,
    ) -> ScoredModel: ...
    @overload
    @staticmethod
    def from_scores(
        y_true: Any,
        y_score: Any,
        sample_weight: Any = None,
        pos_label: Any = None,
        name: Optional[str] = None,
        *,
        groups: object,
    ) -> GroupedModels: ...
    @staticmethod
    def from_scores(
        y_true: Any,
        y_score: Any,
        sample_weight: Any = None,
        pos_label: Any = None,
        name: Optional[str] = None,
        *,
        groups: Any = None,
    ) -> Union[ScoredModel, GroupedModels]:
        """A model of scored data, in scikit-learn's conventions: higher scores speak for the positive label.

        The positive label is ``pos_label``; if it is not given, it is 1, and the other label must be 0 or -1. It becomes class 0, the
        positive class. Contiguous arrays of 64-bit floats are read without a copy, also those of Polars, pyarrow and DuckDB; other scores
        are converted first. With ``groups``, a value for each row, the model is evaluated value by value:
        ``Model.from_scores(y, p, groups=site).eval()["Bern"].AUC``.
        """
        from ._scored import ScoredModel

        columns = _scores.named(y_score, name)
        if groups is not None:
            return _groups.grouped(y_true, columns, sample_weight, pos_label, groups, ScoredModel)
        return ScoredModel(_scores.scores(y_true, columns, sample_weight, pos_label))

    @staticmethod
    def from_counts(score: Any, n_positive: Any, n_negative: Any, name: Optional[str] = None) -> ScoredModel:
        """A model of grouped data: the number of positives and of negatives with each score, as SQL's ``GROUP BY`` counts them.

        >>> model = Model.from_counts([0.2, 0.5, 0.8], [1, 4, 9], [9, 4, 1])
        >>> model.totals, round(model.eval().AUC, 4)
        ((14.0, 14.0), 0.8673)
        """
        from ._scored import ScoredModel

        return ScoredModel(_scores.counted(score, n_positive, n_negative, name))

    @staticmethod
    def from_estimator(
        estimator: Any,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        pos_label: Any = None,
        response_method: str = "auto",
        name: Optional[str] = None,
    ) -> ScoredModel:
        """A model of the scores that a fitted classifier of scikit-learn gives to the rows of ``X``.

        Scores are the probabilities of the positive label, or the values of ``decision_function`` if there are no probabilities;
        ``response_method`` is ``"predict_proba"`` or ``"decision_function"`` to have one of them.
        """
        score, label = _estimators.response(estimator, X, y, pos_label, response_method)
        return Model.from_scores(y, score, sample_weight, label, name or type(estimator).__name__)

    @property
    def name(self) -> str:
        """The name, inside its transforms."""
        return cast(str, self._native.name)

    @property
    def f0(self) -> str:
        """The density of class 0, before any transform."""
        return cast(str, self._native.f0)

    @property
    def f1(self) -> str:
        """The density of class 1, before any transform."""
        return cast(str, self._native.f1)

    @property
    def pi0(self) -> str:
        """The proportion of class 0."""
        return cast(str, self._native.pi0)

    @property
    def note(self) -> Optional[str]:
        """The note in the model file, if there is one."""
        return cast(Optional[str], self._native.note)

    def eval(
        self,
        level: str = "best",
        cost: str = "uniform",
        threshold: Number = "1/2",
        rate: Number = "1/2",
        width: Optional[Number] = None,
        digits: Optional[int] = None,
    ) -> Evaluation:
        """All metrics and expected losses.

        ``level`` is ``numeric``, ``certified``, ``exact``, or ``best`` for the strongest that applies; ``cost`` is ``uniform`` or
        ``beta(a, b)``; ``threshold`` and ``rate`` belong to the fixed methods; ``width`` is the width that certified enclosures should
        have; ``digits`` is the number of digits of exact values.
        """
        if digits is not None and not 1 <= digits <= 10_000:
            raise refused(f"digits is {digits}", "from 1 to 10000")
        width = None if width is None else text_of(width)
        return Evaluation(self._native.evaluate(request(level, cost, threshold, rate), width, digits))

    def _transformed(self, transform: str) -> Model:
        maker, arguments, transforms = self._recipe
        return Model._of(self._native.transformed(transform), (maker, arguments, (*transforms, transform)))

    def roc(self, points: int = 8) -> Roc:
        """The ROC curve: the ends of straight pieces, and ``points`` points on each smooth piece."""
        return Roc(*self._native.roc(points))

    def figure(self, colour_blind_safe: bool = False) -> Figure:
        """The four panels of the paper's appendix: densities, distribution functions, ROC curve, and curves of loss."""
        return Figure(self._native.figure(colour_blind_safe), (self, (colour_blind_safe,)))

    def __reduce__(self) -> Tuple[Any, ...]:
        return _make, self._recipe

    def __repr__(self) -> str:
        return f"<Model {self.name}: f0 = {self.f0}, f1 = {self.f1}, pi0 = {self.pi0}>"


def _make(maker: str, arguments: Tuple[Any, ...], transforms: Tuple[str, ...]) -> Model:
    """Makes a model from its recipe."""
    model = Model(*arguments) if maker == "Model" else getattr(Model, maker)(*arguments)
    for transform in transforms:
        model = model._transformed(transform)
    return cast(Model, model)
