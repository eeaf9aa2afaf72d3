"""Results as DataFrames."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Dict, List, Optional

from ._errors import refused

#: The rows of a DataFrame, all with the same keys.
Rows = List[Dict[str, Any]]

#: The libraries that make DataFrames, and how each makes one from columns.
_MAKERS = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}


def frame(rows: Rows, library: Optional[str] = None) -> Any:
    """A DataFrame of ``library``: ``"pandas"``, ``"polars"`` or ``"pyarrow"``; by default the first of them that is installed."""
    if library is None:
        library = next((name for name in _MAKERS if find_spec(name) is not None), None)
        if library is None:
            raise refused("there is no library of DataFrames", "pip install pandas, or polars")
    if library not in _MAKERS:
        raise refused(f"there are no DataFrames of {library!r}", f"libraries: {', '.join(_MAKERS)}")
    try:
        module = import_module(library)
    except ImportError:
        raise refused(f"{library} is not installed", f"pip install {library}") from None
    names = list(rows[0]) if rows else []
    return getattr(module, _MAKERS[library])({name: [row[name] for row in rows] for name in names})
