"""What is wrong with what was given."""

from __future__ import annotations

from typing import Optional


class RocproofError(ValueError):
    """Bad input. Its text shows what was given with the place underlined, as the command line does."""

    #: What is wrong, in a sentence.
    message: str
    #: What would be right, if there is something to say.
    help: Optional[str]

    def __init__(self, text: str, message: Optional[str] = None, help: Optional[str] = None) -> None:
        super().__init__(text, text if message is None else message, help)
        self.message = text if message is None else message
        self.help = help

    def __str__(self) -> str:
        return str(self.args[0])


# Where users find it.
RocproofError.__module__ = "rocproof"


def refused(message: str, help: Optional[str] = None) -> RocproofError:
    """An error without a place in a text."""
    text = f"Error: {message}" if help is None else f"Error: {message}\n  Help: {help}"
    return RocproofError(text, message, help)
