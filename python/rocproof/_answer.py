"""What is made of answers of the native part."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Dict, Union, cast

from ._rocproof import Answer, Judgement


class Answered:
    """An answer, as the command line gives it: JSON, and a text for people."""

    def __init__(self, answer: Union[Answer, Judgement]) -> None:
        self._answer = answer

    @cached_property
    def json(self) -> Dict[str, Any]:
        """What ``to_json`` writes, as dictionaries and lists."""
        return cast(Dict[str, Any], self._answer.tree())

    def to_json(self) -> str:
        """What the command line prints with ``--json``, to the last byte."""
        return self._answer.to_json()

    def __str__(self) -> str:
        return self._answer.text()
