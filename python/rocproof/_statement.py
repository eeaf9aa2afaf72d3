"""Statements about all models."""

from __future__ import annotations

import json
import os
from functools import cached_property
from html import escape
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union, cast

from . import _html, _rocproof
from ._answer import Answered
from ._errors import refused
from ._model import Model
from ._scored import ScoredModel
from ._value import Value, value_of


class Counterexample:
    """A model that breaks a statement, with both sides of the claim that fails."""

    def __init__(self, found: Dict[str, Any]) -> None:
        #: The counterexample as JSON.
        self.json = found
        #: The claim that fails.
        self.claim: str = found["claim"]
        #: Its sides.
        self.lhs: Value = value_of(found["lhs"])
        self.rhs: Value = value_of(found["rhs"])
        #: The values of the statement's parameters, by name.
        self.parameters: Dict[str, str] = found.get("parameters", {})

    @cached_property
    def model(self) -> Model:
        """The model, the first one if there are two."""
        return self.models[0]

    @cached_property
    def models(self) -> List[Model]:
        """The models, one for each model of the statement."""
        found = self.json.get("models") or [self.json["model"]]
        return [Model(each["f0"], each["f1"], each["pi0"], each["name"]) for each in found]

    def __repr__(self) -> str:
        return f"<Counterexample to {self.claim}: {self.lhs} and {self.rhs} on {self.models}>"


class Verdict(Answered):
    """The verdict on a statement: ``proved``, ``refuted``, ``supported`` or ``undecided``. As a bool it is true if the statement is proved."""

    _answer: _rocproof.Judgement

    @property
    def statement(self) -> str:
        """The statement as it was given."""
        return cast(str, self.json["statement"])

    @property
    def verdict(self) -> str:
        """``"proved"``, ``"refuted"``, ``"supported"`` or ``"undecided"``."""
        return cast(str, self.json["verdict"])

    @property
    def proved(self) -> bool:
        """Whether the statement is proved; if it was decided on models, whether it holds on them."""
        return self.verdict == "proved"

    @property
    def refuted(self) -> bool:
        """Whether there is a counterexample."""
        return self.verdict == "refuted"

    @property
    def hypotheses(self) -> List[str]:
        """The hypotheses of the statement."""
        return cast(List[str], self.json.get("hypotheses", []))

    @cached_property
    def counterexample(self) -> Optional[Counterexample]:
        """The model that breaks it, if it was refuted."""
        found = self.json.get("counterexample")
        return None if found is None else Counterexample(found)

    @property
    def sides(self) -> List[Tuple[Value, Value]]:
        """Both sides of each claim, where the statement was decided on models."""
        return [(value_of(claim["lhs"]), value_of(claim["rhs"])) for claim in self.json.get("claims", [])]

    @property
    def certificate(self) -> Optional[Dict[str, Any]]:
        """The proof, for ``verify``."""
        return cast(Optional[Dict[str, Any]], self.json.get("certificate"))

    @property
    def nearby(self) -> List[Dict[str, str]]:
        """Statements close to a refuted one, with their verdicts."""
        return cast(List[Dict[str, str]], self.json.get("nearby", []))

    @cached_property
    def latex(self) -> Optional[str]:
        """The proof in LaTeX, for amsmath."""
        return self._answer.latex()

    @cached_property
    def sympy(self) -> Optional[str]:
        """The proof as a Python script that checks it with SymPy alone."""
        return self._answer.sympy()

    def __bool__(self) -> bool:
        return self.proved

    def __repr__(self) -> str:
        return f"<Verdict {self.verdict}: {self.statement}>"

    def _repr_latex_(self) -> Optional[str]:
        return self.latex

    def _repr_html_(self) -> str:
        html = f"<p><strong>{self.verdict}</strong>: {_rocproof.statement_html(self.statement)}</p>"
        derivation = self._answer.html()
        if derivation is not None:
            return html + _html.details("the proof", derivation)
        return html + f"<pre>{escape(str(self))}</pre>"


class Discovery(Answered):
    """Linear relations between functionals, each with a proof."""

    @property
    def relation(self) -> Optional[str]:
        """The target as a combination of the basis, as a statement for ``check``; ``None`` if no relation was found."""
        found = self.json["relation"]
        return None if found is None else cast(str, found["statement"])

    @property
    def within(self) -> List[str]:
        """Relations within the basis."""
        return [found["statement"] for found in self.json["within"]]

    def __bool__(self) -> bool:
        return self.relation is not None

    def __repr__(self) -> str:
        return f"<Discovery {self.relation}>"

    def _repr_html_(self) -> str:
        if self.relation is None:
            return f"<p>{escape(str(self))}</p>"
        found = [self.relation, *self.within]
        return "".join(f"<p>{_rocproof.statement_html(statement)}</p>" for statement in found)


class Verification:
    """The result of checking a certificate. As a bool it is true if the certificate is valid."""

    def __init__(self, answer: _rocproof.Answer) -> None:
        #: The result as JSON.
        self.json: Dict[str, Any] = answer.tree()
        #: Whether the certificate is valid.
        self.valid: bool = self.json["verdict"] == "proved"
        #: The statement that it proves.
        self.statement: Optional[str] = self.json.get("statement")
        #: The hypotheses of the statement.
        self.hypotheses: List[str] = self.json.get("hypotheses", [])
        #: The reason why it is not valid.
        self.why: Optional[str] = self.json.get("why")

    def __bool__(self) -> bool:
        return self.valid

    def __repr__(self) -> str:
        return f"<Verification: {self.statement}>" if self.valid else f"<Verification: not valid, {self.why}>"


def _listed(given: Union[None, str, Sequence[str]]) -> List[str]:
    return [] if given is None else [given] if isinstance(given, str) else list(given)


def _native_of(model: Union[Model, ScoredModel, str]) -> _rocproof.Model:
    if isinstance(model, str):
        model = Model.paper(model[1:]) if model.startswith("@") else Model.from_file(model)
    if isinstance(model, ScoredModel):
        raise refused("statements are decided on densities, not on scored data", "give a Model of two densities")
    return cast(_rocproof.Model, model._native)


def check(
    statement: str,
    model: Union[None, Model, str, Sequence[Union[Model, str]]] = None,
    over: Union[None, str, Sequence[str]] = None,
    time: float = 60,
) -> Verdict:
    """Settles a statement about all models: proved, refuted by a counterexample, supported, or undecided.

    With a ``model`` (a ``Model``, a file, or ``"@name"``; a list for statements about several models) the statement is decided on that
    model. ``over`` restricts it to classes of models. The search is bounded by a count of work, so that the verdict does not depend on
    the machine; ``time`` is a ceiling in seconds.

    >>> check("L[o] == RL").counterexample.model.eval().convex
    False
    """
    given = [] if model is None else [model] if isinstance(model, (Model, ScoredModel, str)) else list(model)
    if given and over is not None:
        raise refused("a statement is decided on a model, or over a class", "leave out one of both")
    return Verdict(_rocproof.check(statement, [_native_of(each) for each in given], _listed(over), float(time)))


def discover(
    target: str,
    basis: Union[str, Sequence[str]],
    classes: Union[None, str, Sequence[str]] = None,
    where: Union[None, str, Sequence[str]] = None,
    time: float = 60,
) -> Discovery:
    """All linear relations between a functional and others, with coefficients that are rational functions of ``pi0``.

    ``time`` is a ceiling in seconds.

    >>> print(discover("L[rd]", "AUC"), end="")
    L[rd] == -2*pi0*pi1*AUC + pi0*pi1 + 1/3
    """
    return Discovery(_rocproof.discover(target, _listed(basis), _listed(classes), _listed(where), float(time)))


def verify(certificate: Union[Verdict, Dict[str, Any], str, os.PathLike[str]]) -> Verification:
    """Checks a certificate with the checker alone: that of a verdict, a certificate as JSON, or a file."""
    if isinstance(certificate, Verdict):
        if certificate.certificate is None:
            raise refused(f"there is no proof to verify: the verdict is {certificate.verdict}")
        certificate = certificate.certificate
    if isinstance(certificate, dict):
        return Verification(_rocproof.verify("the certificate", json.dumps(certificate)))
    name = os.fspath(certificate)
    if name.lstrip().startswith("{"):
        return Verification(_rocproof.verify("the certificate", name))
    with open(name, encoding="utf-8") as file:
        return Verification(_rocproof.verify(name, file.read()))
