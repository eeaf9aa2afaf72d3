"""How far long work is."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Callable, Iterator, Optional, Union

#: What is asked: whether to show how far work is, by default where somebody can see it; or a function that is told.
Progress = Union[None, bool, Callable[[Union[int, str]], Any]]

#: Nothing is shown of what is over sooner, in seconds; then a page need not be painted more often than this.
_SOON = 1.0
_OFTEN = 0.1


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return hasattr(shell, "kernel")


def _displays() -> Any:
    """What shows things in notebooks."""
    return import_module("IPython.display")


class _Bar:
    """Counts how much is done, on standard error or in a notebook. It is told how much there is, and then of each part."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._total = 0
        self._done = 0
        self._next = time.monotonic() + _SOON
        self._handle: Any = None

    def __call__(self, told: Union[int, str]) -> None:
        if isinstance(told, int):
            self._total = told
            return
        # Parts that are numbers say how many are done.
        self._done = int(told) if told.isdigit() else self._done + 1
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _OFTEN
            self._show("" if told.isdigit() else told)

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
        """Leaves nothing behind."""
        if self._handle is None:
            return
        if _in_notebook():
            self._handle.update(_displays().HTML(""))
        else:
            print("\r" + " " * 70 + "\r", end="", file=sys.stderr, flush=True)


@contextmanager
def shown(progress: Progress, what: str) -> Iterator[Optional[Callable[[Union[int, str]], Any]]]:
    """What is to be told how far the work is."""
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
