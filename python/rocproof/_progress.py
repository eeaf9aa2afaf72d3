"""Progress of long work."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Callable, Iterator, Optional, Union

#: Whether to show progress (``None``: in notebooks and terminals), or a function that is called with it.
Progress = Union[None, bool, Callable[[Union[int, str]], Any]]

#: Seconds before progress is first shown, and between updates.
_SOON = 1.0
_OFTEN = 0.1


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return hasattr(shell, "kernel")


def _displays() -> Any:
    """The display module of IPython."""
    return import_module("IPython.display")


class _Bar:
    """A counter on standard error or in a notebook. It is called with the total, and then for each part that is done."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._total = 0
        self._done = 0
        self._next = time.monotonic() + _SOON
        self._handle: Any = None

    def __call__(self, part: Union[int, str]) -> None:
        if isinstance(part, int):
            self._total = part
            return
        # A part that is a number is the count of those done.
        self._done = int(part) if part.isdigit() else self._done + 1
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _OFTEN
            self._show("" if part.isdigit() else part)

    def _show(self, part: str) -> None:
        if _in_notebook():
            ipython = _displays()
            bar = f"<progress max={self._total} value={self._done}></progress>"
            page = ipython.HTML(f"{bar} {self._done}/{self._total} {self._what}")
            if self._handle is None:
                self._handle = ipython.display(page, display_id=True)
            else:
                self._handle.update(page)
        else:
            line = f"{self._done}/{self._total} {self._what}  {part}"
            print(f"\r{line:70.70}", end="", file=sys.stderr, flush=True)
            self._handle = True

    def close(self) -> None:
        """Removes the counter."""
        if self._handle is None:
            return
        if _in_notebook():
            self._handle.update(_displays().HTML(""))
        else:
            print("\r" + " " * 70 + "\r", end="", file=sys.stderr, flush=True)


@contextmanager
def shown(progress: Progress, what: str) -> Iterator[Optional[Callable[[Union[int, str]], Any]]]:
    """The function to call with progress; ``None`` if nothing is shown."""
    if callable(progress):
        yield progress
        return
    if progress is False or (progress is None and not (_in_notebook() or sys.stderr.isatty())):
        yield None
        return
    bar = _Bar(what)
    try:
        yield bar
    finally:
        bar.close()
