"""The exception for bad input."""

from __future__ import annotations

from typing import Optional


class RocproofError(ValueError):
    """Bad input. The text of an error in an expression shows the expression, with the position underlined."""

    #: What is wrong, in a sentence.
    message: str
    #: Advice, if there is any.
    help: Optional[str]

    def __init__(self, text: str, message: Optional[str] = None, help: Optional[str] = None) -> None:
        super().__init__(text, text if message is None else message, help)
        self.message = text if message is None else message
        self.help = help

    def __str__(self) -> str:
        return str(self.args[0])


# The name under which users import it.
RocproofError.__module__ = "rocproof"


def refused(message: str, help: Optional[str] = None) -> RocproofError:
    """An error that is not about a position in an expression."""
    text = f"Error: {message}" if help is None else f"Error: {message}\n  Help: {help}"
    return RocproofError(text, message, help)
