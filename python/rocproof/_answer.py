"""Answers of the native module."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any, Callable, Dict, NamedTuple, Optional, Union, cast

from ._rocproof import Answer, Judgement


class Stored(NamedTuple):
    """An answer written out, as a pickle holds it. It stands for the native answer."""

    json: str
    written: str
    latex_proof: Optional[str] = None
    html_proof: Optional[str] = None
    sympy_script: Optional[str] = None

    def tree(self) -> Any:
        """The JSON as dictionaries and lists."""
        return json.loads(self.json)

    def part(self, key: str) -> Any:
        """The part of the JSON under a key."""
        return self.tree().get(key)

    def to_json(self) -> str:
        """The JSON as the command line prints it."""
        return self.json

    def text(self) -> str:
        """The text that the command line prints."""
        return self.written

    def latex(self) -> Optional[str]:
        """The proof in LaTeX."""
        return self.latex_proof

    def html(self) -> Optional[str]:
        """The proof in HTML."""
        return self.html_proof

    def sympy(self) -> Optional[str]:
        """The proof as a script for SymPy."""
        return self.sympy_script


class Deferred:
    """An answer whose intervals are computed when they are first asked for."""

    def __init__(self, plain: Answer, compute: Callable[[], Answer]) -> None:
        self._plain = plain
        self._compute = compute
        self._whole: Optional[Answer] = None

    def plain(self) -> Any:
        """The JSON without intervals."""
        return self._plain.tree()

    def part(self, key: str) -> Any:
        """The part of the JSON without intervals under a key."""
        return self._plain.part(key)

    def whole(self) -> Answer:
        """The answer with intervals."""
        if self._whole is None:
            self._whole = self._compute()
        return self._whole

    @property
    def is_whole(self) -> bool:
        """Whether intervals were computed."""
        return self._whole is not None

    def tree(self) -> Any:
        """The JSON as dictionaries and lists."""
        return self.whole().tree()

    def to_json(self) -> str:
        """The JSON as the command line prints it."""
        return self.whole().to_json()

    def text(self) -> str:
        """The text that the command line prints."""
        return self.whole().text()


def _stored(answer: Any) -> Any:
    """An answer that can be pickled."""
    if isinstance(answer, Deferred):
        answer = answer.whole()
    if isinstance(answer, Judgement):
        return Stored(answer.to_json(), answer.text(), answer.latex(), answer.html(), answer.sympy())
    return answer if isinstance(answer, Stored) else Stored(answer.to_json(), answer.text())


class Answered:
    """An answer in the two forms of the command line: JSON and text."""

    def __init__(self, answer: Union[Answer, Judgement, Deferred]) -> None:
        self._answer: Any = answer

    @cached_property
    def json(self) -> Dict[str, Any]:
        """The answer as dictionaries and lists."""
        return cast(Dict[str, Any], self._answer.tree())

    def to_json(self) -> str:
        """The answer as JSON text, the same as the command line prints."""
        return cast(str, self._answer.to_json())

    @cached_property
    def _plain(self) -> Dict[str, Any]:
        """The answer without intervals, if these are not computed yet."""
        return cast(Dict[str, Any], self._answer.plain()) if hasattr(self._answer, "plain") else self.json

    @property
    def _has_intervals(self) -> bool:
        """Whether intervals are at hand, or known to be missing."""
        return bool(getattr(self._answer, "is_whole", True))

    def __str__(self) -> str:
        return cast(str, self._answer.text())

    def __getstate__(self) -> Dict[str, Any]:
        kept = {name: value for name, value in vars(self).items() if not _is_cached(type(self), name)}
        return {**kept, "_answer": _stored(self._answer)}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)


def _is_cached(kind: type, name: str) -> bool:
    """Whether an attribute is computed again when it is asked for."""
    return isinstance(getattr(kind, name, None), cached_property)
