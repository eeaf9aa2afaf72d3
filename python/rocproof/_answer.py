"""Answers of the native module."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Dict, Union, cast

from ._rocproof import Answer, Judgement


class Answered:
    """An answer in the two forms of the command line: JSON and text."""

    def __init__(self, answer: Union[Answer, Judgement]) -> None:
        self._answer = answer

    @cached_property
    def json(self) -> Dict[str, Any]:
        """The answer as dictionaries and lists."""
        return cast(Dict[str, Any], self._answer.tree())

    def to_json(self) -> str:
        """The answer as JSON text, the same as the command line prints."""
        return self._answer.to_json()

    def __str__(self) -> str:
        return self._answer.text()
