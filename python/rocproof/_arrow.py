"""Columns from the Arrow C interface, which Polars, DuckDB, pyarrow and DataFusion offer, without a dependency on any of them.

Buffers of numbers are read where they are if they come in one chunk and nothing is missing. Structures and formats are those of
https://arrow.apache.org/docs/format/CDataInterface.html.
"""

from __future__ import annotations

import ctypes
from typing import Any, List, Tuple

import numpy as np

from ._errors import refused

#: The NumPy types of Arrow's formats of numbers.
_NUMBERS = {
    "c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8", "e": "f2", "f": "f4", "g": "f8"
}

#: The types of the offsets of Arrow's formats of texts.
_TEXTS = {"u": "i4", "U": "i8"}

#: Texts up to this length stand in the view itself.
_INLINE = 12


class _Schema(ctypes.Structure):
    """``struct ArrowSchema``."""


class _Array(ctypes.Structure):
    """``struct ArrowArray``."""


class _Stream(ctypes.Structure):
    """``struct ArrowArrayStream``."""


_Release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_Next = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_LastError = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)

_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.POINTER(_Schema)),
    ("release", _Release),
    ("private_data", ctypes.c_void_p),
]

_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.POINTER(_Array)),
    ("release", _Release),
    ("private_data", ctypes.c_void_p),
]

_Stream._fields_ = [
    ("get_schema", _Next),
    ("get_next", _Next),
    ("get_last_error", _LastError),
    ("release", _Release),
    ("private_data", ctypes.c_void_p),
]


class _Owner:
    """A structure that is released when nothing refers to its buffers any more."""

    def __init__(self, content: Any) -> None:
        self.content = content

    def __del__(self) -> None:
        if self.content.release:
            self.content.release(ctypes.addressof(self.content))


class _Buffer:
    """Memory of an owner as NumPy reads it."""

    def __init__(self, owner: _Owner, address: int, count: int, dtype: str) -> None:
        self._owner = owner
        self.__array_interface__ = {"data": (address, True), "shape": (count,), "typestr": f"<{dtype}", "version": 3}


def is_arrow(values: Any) -> bool:
    """Whether an object offers the Arrow C interface."""
    return hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__")


def read_columns(values: Any) -> List[Tuple[str, Any]]:
    """The columns of a table with their names; an array is one column without a name."""
    schema, chunks = _read(values)
    root = schema.content
    if _format(root) != "+s":
        return [("", _joined([_column(root, chunk.content, chunk, 0, chunk.content.length) for chunk in chunks]))]
    columns = []
    for k in range(root.n_children):
        child = root.children[k].contents
        parts = [
            _column(child, chunk.content.children[k].contents, chunk, chunk.content.offset, chunk.content.length)
            for chunk in chunks
        ]
        columns.append(((child.name or b"").decode(), _joined(parts)))
    return columns


def _joined(parts: List[Any]) -> Any:
    """The chunks of a column as one array."""
    return parts[0] if len(parts) == 1 else np.concatenate(parts) if parts else np.empty(0)


def _pointer(capsule: Any, name: bytes) -> int:
    """The address in a capsule."""
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return int(get(capsule, name))


def _moved(capsule: Any, name: bytes, kind: Any) -> _Owner:
    """The structure in a capsule, whose owner is no longer the capsule."""
    given = kind.from_address(_pointer(capsule, name))
    owner = _Owner(kind.from_buffer_copy(given))
    given.release = _Release()
    return owner


def _read(values: Any) -> Tuple[_Owner, List[_Owner]]:
    """The schema and the chunks."""
    if not hasattr(values, "__arrow_c_stream__"):
        schema, array = values.__arrow_c_array__()
        return _moved(schema, b"arrow_schema", _Schema), [_moved(array, b"arrow_array", _Array)]
    stream = _moved(values.__arrow_c_stream__(), b"arrow_array_stream", _Stream)

    def call(function: Any, result: Any) -> _Owner:
        address = ctypes.addressof(stream.content)
        if function(address, ctypes.addressof(result)) != 0:
            why = stream.content.get_last_error(address)
            raise refused(f"the Arrow stream failed: {(why or b'no reason was given').decode(errors='replace')}")
        return _Owner(result)

    schema = call(stream.content.get_schema, _Schema())
    chunks: List[_Owner] = []
    while True:
        chunk = call(stream.content.get_next, _Array())
        # The stream ends with an array that is released already.
        if not chunk.content.release:
            return schema, chunks
        chunks.append(chunk)


def _format(schema: Any) -> str:
    return str(schema.format.decode())


def _column(schema: Any, array: Any, owner: _Owner, offset: int, length: int) -> Any:
    """The rows ``offset`` to ``offset + length`` of an array."""
    start = array.offset + offset
    if schema.dictionary:
        words = array.dictionary.contents
        dictionary = _column(schema.dictionary.contents, words, owner, 0, words.length)
        indices = _numbers(array, owner, start, length, _NUMBERS[_format(schema)])
        present = _present(array, owner, start, length)
        if present is None:
            return dictionary[indices]
        return np.array([dictionary[i] if here else None for i, here in zip(indices, present)], dtype=object)
    kind = _format(schema)
    present = _present(array, owner, start, length)
    if kind in _NUMBERS:
        numbers = _numbers(array, owner, start, length, _NUMBERS[kind])
        return numbers if present is None else np.where(present, numbers.astype(np.float64), np.nan)
    if kind == "b":
        return _without_missing(_bits(array, owner, 1, start, length), present)
    if kind in _TEXTS:
        return _without_missing(_texts(array, owner, start, length, _TEXTS[kind]), present)
    if kind == "vu":
        return _without_missing(_text_views(array, owner, start, length), present)
    if kind == "n":
        return np.full(length, None, dtype=object)
    name = (schema.name or b"").decode()
    raise refused(f"the column {name!r} has Arrow's format {kind!r}, which is not read", "cast it to 64-bit floats first")


def _view(array: Any, owner: _Owner, buffer: int, count: int, dtype: str) -> Any:
    """A buffer as numbers, where it is."""
    address = array.buffers[buffer] if buffer < array.n_buffers else None
    return np.asarray(_Buffer(owner, address, count, dtype)) if address and count else np.empty(0, dtype=f"<{dtype}")


def _numbers(array: Any, owner: _Owner, start: int, length: int, dtype: str) -> Any:
    return _view(array, owner, 1, start + length, dtype)[start:]


def _bits(array: Any, owner: _Owner, buffer: int, start: int, length: int) -> Any:
    """A buffer of bits as truth values."""
    packed = _view(array, owner, buffer, (start + length + 7) // 8, "u1")
    return np.unpackbits(packed, bitorder="little")[start : start + length].astype(bool)


def _present(array: Any, owner: _Owner, start: int, length: int) -> Any:
    """Which rows are not missing; ``None`` if none is missing."""
    if array.null_count == 0 or array.n_buffers == 0 or not array.buffers[0]:
        return None
    present = _bits(array, owner, 0, start, length)
    return None if present.all() else present


def _without_missing(values: Any, present: Any) -> Any:
    """Values with ``None`` where one is missing."""
    if present is None:
        return values
    found = values.astype(object)
    found[~present] = None
    return found


def _texts(array: Any, owner: _Owner, start: int, length: int, dtype: str) -> Any:
    """Texts by their offsets."""
    if length == 0:
        return np.empty(0, dtype=object)
    ends = _view(array, owner, 1, start + length + 1, dtype)[start:]
    content = _view(array, owner, 2, int(ends[-1]), "u1").tobytes()
    return np.array([content[a:b].decode() for a, b in zip(ends[:-1], ends[1:])], dtype=object)


def _text_views(array: Any, owner: _Owner, start: int, length: int) -> Any:
    """Texts by views: a length, and the text itself or the place where it stands."""
    views = _view(array, owner, 1, 16 * (start + length), "u1").tobytes()
    found = []
    for row in range(start, start + length):
        view = views[16 * row : 16 * row + 16]
        size, _, buffer, offset = (int(part) for part in np.frombuffer(view, dtype="<i4"))
        if size <= _INLINE:
            found.append(view[4 : 4 + size].decode())
        else:
            found.append(_view(array, owner, 2 + buffer, offset + size, "u1")[offset:].tobytes().decode())
    return np.array(found, dtype=object)
