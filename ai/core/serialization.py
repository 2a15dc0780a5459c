"""Codec for all state: snapshot, restore, save, load, compare and hash.

State is *data*: dataclasses registered with :func:`record` whose fields are numbers, strings, bytes, None, numpy
arrays, other records, or lists, tuples and dicts of these. References between things are ids. There are no generators,
closures or suspended coroutines; a script that waits is a program counter and a condition.

Fields may be marked:

* ``unhashed()``: saved and snapshotted, but not part of the hash (traces, statistics, recordings for overlays);
* ``derived()``: neither saved nor hashed; rebuilt by the record's ``__restored__`` method (caches, views);
* ``digested_by(name)``: an array whose digest is kept in the field ``name`` by its edits, so that hashing the world
  does not read it again.

A record with a large sparse part (an open search in its slab) may define ``__pack__(self) -> tree`` and a classmethod
``__unpack__(cls, tree)``; the packed tree replaces its fields everywhere. A record that keeps a running digest of its
history may define ``__digest__(self) -> tree``: the values to hash instead.
"""

from __future__ import annotations

import functools
import hashlib
import json
import operator
import struct
import zlib
from collections.abc import Callable, Collection
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

import numpy as np

T = TypeVar("T")
_MAGIC = b"FOGLINE\x02"
_LARGEST_BODY = 1 << 30  # bytes before compression; a world of 100,000 units has 142 MB
_classes: dict[str, type] = {}
_PLAIN = frozenset((bool, int, float, str, bytes, type(None)))


class StateError(ValueError):
    """A value is not state, or saved bytes cannot be read."""


@dataclass_transform(field_specifiers=(field,))
def record(cls: type[T]) -> type[T]:
    """Make ``cls`` a dataclass and register it with the codec.

    Its class name is the key.
    """
    made = dataclass(cls)
    if cls.__name__ in _classes and _classes[cls.__name__].__module__ != cls.__module__:
        raise StateError(f"two records are named {cls.__name__}: rename one")
    _classes[cls.__name__] = made
    return made


def unhashed(default_factory: Callable[[], Any]) -> Any:
    """Declare a field that is saved but never hashed."""
    return field(default_factory=default_factory, metadata={"unhashed": True})


def derived(default_factory: Callable[[], Any]) -> Any:
    """Declare a field that is rebuilt, never saved or hashed."""
    return field(default_factory=default_factory, metadata={"derived": True}, repr=False, compare=False)


def digested_by(name: str) -> Any:
    """Declare a field covered in the hash by the integer field ``name``."""
    return field(metadata={"digested_by": name}, repr=False)


@dataclass(frozen=True)
class Snapshot:
    """A frozen copy of a record tree.

    Arrays are read-only. They are shared with the snapshot it was based on, and so are unchanged records, lists, dicts.
    """

    root: Any

    def nbytes(self, seen: set[int] | None = None) -> int:
        """Return the bytes held by arrays.

        An array shared between snapshots counts once when they share ``seen``.
        """
        seen = set() if seen is None else seen
        total = 0
        todo = [self.root]
        while todo:
            node = todo.pop()
            if isinstance(node, np.ndarray):
                if id(node) not in seen:
                    seen.add(id(node))
                    total += node.nbytes
            else:
                todo.extend(held_by(node))
        return total


@dataclass(slots=True)
class _Node:
    name: str
    values: dict[str, Any]
    packed: bool = False


@dataclass(slots=True)
class _Patch:
    """Patched array: it differs from ``full`` in few words.

    ``words`` stand at the flat places ``at``.
    """

    full: np.ndarray
    at: np.ndarray
    words: np.ndarray

    def array(self) -> np.ndarray:
        """Return the patched array, a new one."""
        made = self.full.copy()
        made.reshape(-1).view(self.words.dtype)[self.at] = self.words
        return made


def held_by(node: Any) -> Collection[Any]:
    """Return the values in a part of a snapshot; none for arrays."""
    if isinstance(node, _Node):
        return node.values.values()
    if isinstance(node, dict):
        return node.values()
    if isinstance(node, _Patch):
        return (node.full, node.at, node.words)
    return node if isinstance(node, list | tuple) else ()


def _parts(obj: Any, purpose: str) -> _Node:
    names = _names.get((type(obj), purpose))
    if names is None:
        names = _names[type(obj), purpose] = _names_of(type(obj), purpose)
    if names == _DIGEST:
        return _Node(type(obj).__name__, {"digest": obj.__digest__()}, True)
    if names == _PACK:
        return _Node(type(obj).__name__, {"pack": obj.__pack__()}, True)
    return _Node(type(obj).__name__, {name: getattr(obj, name) for name in names})


_names: dict[tuple[type, str], tuple[str, ...]] = {}
_DIGEST, _PACK = ("__digest__",), ("__pack__",)


def _names_of(cls: type, purpose: str) -> tuple[str, ...]:
    """Return the names of a record's saved fields, or of the hashed ones.

    A record that digests or packs itself has the name of that method in their place.
    """
    if _classes.get(cls.__name__) is not cls:
        raise StateError(f"{cls.__module__}.{cls.__name__} is not a registered record")
    hashed = purpose == "hash"
    if hashed and hasattr(cls, "__digest__"):
        return _DIGEST
    if hasattr(cls, "__pack__"):
        return _PACK
    return tuple(
        f.name
        for f in fields(cls)
        if not f.metadata.get("derived")
        and not (hashed and (f.metadata.get("unhashed") or f.metadata.get("digested_by")))
    )


WORTH_SHARING = 1 << 12
"""Bytes from which an array is compared with that of the base.

A smaller one is copied, which costs less.
"""


def _words(array: np.ndarray) -> np.ndarray:
    """Return an array's bytes as a flat array of wide unsigned words.

    Unlike ``==`` on floats, comparing words distinguishes -0.0 from 0.0, as the hash does.
    """
    width = next(n for n in (8, 4, 2, 1) if array.nbytes % n == 0)
    return np.ascontiguousarray(array).reshape(-1).view(f"u{width}")


def _frozen_array(value: np.ndarray, base: Any) -> np.ndarray | _Patch:
    """Return a read-only copy of an array, or its equal in the base.

    An array with few changes becomes a patch of the last whole one, if that takes at most half of the bytes. A map that
    only changes around units then costs a tenth.
    """
    whole = base.full if isinstance(base, _Patch) else base
    if value.nbytes >= WORTH_SHARING and isinstance(whole, np.ndarray) and _alike(whole, value):
        words = _words(value)
        at = np.flatnonzero(_words(whole) != words).astype(np.int32)
        if len(at) == 0:
            return whole
        if len(at) * (at.itemsize + words.itemsize) * 2 <= value.nbytes:
            changed = words[at]
            if isinstance(base, _Patch) and np.array_equal(base.at, at) and np.array_equal(base.words, changed):
                return base
            for part in (at, changed):
                part.flags.writeable = False
            return _Patch(whole, at, changed)
    copy = np.array(value, order="C")
    copy.flags.writeable = False
    return copy


def _alike(a: np.ndarray, b: np.ndarray) -> bool:
    return a.dtype == b.dtype and a.shape == b.shape


@functools.cache
def _fields(cls: type) -> tuple[Field[Any], ...]:
    """Return the fields of a record; dataclasses look them up again each time."""
    return fields(cls)


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, bool | int | float | str | bytes)


def snapshot(obj: Any, base: Snapshot | None = None) -> Snapshot:
    """Copy a record tree; share equal arrays with the snapshot ``base``."""
    return Snapshot(_freeze(obj, base.root if base else None, (None, type(obj).__name__)))


_Place = tuple[Any, Any]
"""Place of a value: that of its owner, and its name, key or index."""


def _told(place: _Place) -> str:
    """Return a place as text: ``World.units.x``, ``World.notes[3]``."""
    owner, name = place
    if owner is None:
        return str(name)
    return f"{_told(owner)}.{name[0]}" if isinstance(name, tuple) else f"{_told(owner)}[{name!r}]"


def _freeze(value: Any, base: Any, place: _Place) -> Any:
    if type(value) in _PLAIN:
        return value
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            raise StateError(f"{_told(place)}: object arrays are not state")
        return _frozen_array(value, base)
    if isinstance(value, np.generic):
        raise StateError(f"{_told(place)}: numpy scalar {value!r}; store a Python number")
    if _is_plain(value):
        return value
    if isinstance(value, list | tuple):
        old = base if isinstance(base, list | tuple) else ()
        items = [
            v if type(v) in _PLAIN else _freeze(v, old[i] if i < len(old) else None, (place, i))
            for i, v in enumerate(value)
        ]
        if type(base) is type(value) and len(base) == len(items) and all(map(operator.is_, base, items)):
            return base
        return items if isinstance(value, list) else tuple(items)
    if isinstance(value, dict):
        old_dict = base if isinstance(base, dict) else {}
        made = {k: v if type(v) in _PLAIN else _freeze(v, old_dict.get(k), (place, k)) for k, v in value.items()}
        return base if isinstance(base, dict) and _same_values(base, made) else made
    node = _parts(value, "save")
    old_values = base.values if isinstance(base, _Node) and base.name == node.name else {}
    values = node.values
    for k, v in values.items():
        if type(v) not in _PLAIN:
            values[k] = _freeze(v, old_values.get(k), (place, (k,)))
    if old_values and node.packed == base.packed and _same_values(old_values, values):
        return base
    return node


def _same_values(a: dict[Any, Any], b: dict[Any, Any]) -> bool:
    """Return whether two dicts hold the very same objects under equal keys.

    The order of the keys counts as well. Identity suffices: an unchanged value of the live record is still the object
    that was frozen before.
    """
    return len(a) == len(b) and all(map(operator.is_, a.values(), b.values())) and list(a) == list(b)


def restore(saved: Snapshot) -> Any:
    """Return a new, writable record tree equal to the snapshot's source."""
    return _thaw(saved.root)


def _thaw(node: Any) -> Any:
    if type(node) in _PLAIN:
        return node
    if isinstance(node, np.ndarray):
        return np.array(node, order="C")
    if isinstance(node, _Patch):
        return node.array()
    if isinstance(node, list):
        return [v if type(v) in _PLAIN else _thaw(v) for v in node]
    if isinstance(node, tuple):
        return tuple(_thaw(v) for v in node)
    if isinstance(node, dict):
        return {k: _thaw(v) for k, v in node.items()}
    if not isinstance(node, _Node):
        return node
    cls = _classes.get(node.name)
    if cls is None:
        raise StateError(f"unknown record {node.name}: the file is from another version")
    values = {k: v if type(v) in _PLAIN else _thaw(v) for k, v in node.values.items()}
    if node.packed:
        return cls.__unpack__(values["pack"])  # type: ignore[attr-defined]
    obj: Any = object.__new__(cls)
    for f in _fields(cls):
        if f.name in values:
            object.__setattr__(obj, f.name, values[f.name])
        elif f.default is not MISSING:
            object.__setattr__(obj, f.name, f.default)
        elif f.default_factory is not MISSING:
            object.__setattr__(obj, f.name, f.default_factory())
        else:
            raise StateError(f"{node.name}.{f.name} is missing: the file is from another version")
    if hasattr(obj, "__restored__"):
        obj.__restored__()
    return obj


def digest(obj: Any) -> str:
    """Return the hex hash (128 bits) of a record tree.

    Equal state gives equal hashes in every process.
    """
    h = hashlib.blake2b(digest_size=16)
    _feed(h, obj)
    return h.hexdigest()


def _feed(h: Any, value: Any) -> None:
    if isinstance(value, np.ndarray):
        h.update(f"a{value.dtype.str}{value.shape}".encode())
        h.update(np.ascontiguousarray(value).data)
    elif isinstance(value, bool) or value is None:
        h.update(f"c{value}".encode())
    elif isinstance(value, int):
        h.update(f"i{int(value)};".encode())
    elif isinstance(value, float):
        h.update(b"f" + struct.pack("<d", value))
    elif isinstance(value, str):
        raw = value.encode()
        h.update(f"s{len(raw)}:".encode() + raw)
    elif isinstance(value, bytes):
        h.update(f"b{len(value)}:".encode() + value)
    elif isinstance(value, list | tuple):
        h.update(f"l{len(value)}".encode())
        for item in value:
            _feed(h, item)
    elif isinstance(value, dict):
        h.update(f"d{len(value)}".encode())
        for key in sorted(value, key=lambda k: (isinstance(k, str), k)):
            _feed(h, key)
            _feed(h, value[key])
    else:
        node = _parts(value, "hash")
        h.update(f"r{node.name}".encode())
        for key, item in node.values.items():
            h.update(key.encode())
            _feed(h, item)


def compare(a: Any, b: Any, limit: int = 20, hashed: bool = False) -> list[str]:
    """Return the differences of two record trees; empty when equal.

    A difference reads like ``World.units.x: 3 of 40 differ``. With ``hashed`` only what the hash covers is compared.
    """
    found: list[str] = []
    _differ(a, b, type(a).__name__, found, limit, "hash" if hashed else "save")
    return found


def _differ(a: Any, b: Any, place: str, found: list[str], limit: int, purpose: str) -> None:
    if len(found) >= limit:
        return
    if type(a) is not type(b):
        found.append(f"{place}: {type(a).__name__} against {type(b).__name__}")
    elif isinstance(a, np.ndarray):
        if a.shape != b.shape or a.dtype != b.dtype:
            found.append(f"{place}: {a.dtype}{a.shape} against {b.dtype}{b.shape}")
        elif a.tobytes() != b.tobytes():
            found.append(f"{place}: {int(np.count_nonzero(a != b))} of {a.size} differ")
    elif isinstance(a, list | tuple):
        if len(a) != len(b):
            found.append(f"{place}: {len(a)} items against {len(b)}")
        for i, (x, y) in enumerate(zip(a, b, strict=False)):
            _differ(x, y, f"{place}[{i}]", found, limit, purpose)
    elif isinstance(a, dict):
        for key in sorted(set(a) | set(b), key=str):
            if key not in a or key not in b:
                found.append(f"{place}[{key!r}]: only on one side")
            else:
                _differ(a[key], b[key], f"{place}[{key!r}]", found, limit, purpose)
    elif _is_plain(a):
        if a != b and not (a != a and b != b):
            found.append(f"{place}: {a!r} against {b!r}")
    else:
        left, right = _parts(a, purpose), _parts(b, purpose)
        for key in left.values:
            _differ(left.values[key], right.values[key], f"{place}.{key}", found, limit, purpose)


def to_bytes(obj: Any) -> bytes:
    """Return compressed bytes of a record tree, for saves.

    It uses no pickle: reading them runs no code. StateError for a tree that :func:`from_bytes` would refuse.
    """
    blobs: list[bytes] = []
    tree = _describe(_freeze(obj, None, (None, type(obj).__name__)), blobs)
    header = json.dumps(tree, separators=(",", ":")).encode()
    body = struct.pack("<QQ", len(header), len(blobs)) + header
    body += b"".join(struct.pack("<Q", len(b)) + b for b in blobs)
    if len(body) > _LARGEST_BODY:
        raise StateError(f"the state has more than {_LARGEST_BODY >> 20} MB and cannot be saved")
    return _MAGIC + zlib.compress(body, 6)


def _unpacked(packed: bytes) -> bytes:
    """Return the decompressed body.

    Raises StateError if it is cut short or over the limit.
    """
    reader = zlib.decompressobj()
    body = reader.decompress(packed, _LARGEST_BODY)
    if reader.unconsumed_tail:
        raise StateError(f"the state file unpacks to more than {_LARGEST_BODY >> 20} MB")
    if not reader.eof:
        raise StateError("the state file is damaged (cut short)")
    return body


def from_bytes(raw: bytes) -> Any:
    """Return the record tree in ``raw``.

    Raises :class:`StateError` with one line when it cannot be read.
    """
    if raw[: len(_MAGIC)] != _MAGIC:
        raise StateError("not a Fogline state file, or one of another version")
    try:
        body = _unpacked(raw[len(_MAGIC) :])
        size, count = struct.unpack_from("<QQ", body)
        tree = json.loads(body[16 : 16 + size])
        at = 16 + size
        blobs = []
        for _ in range(count):
            (length,) = struct.unpack_from("<Q", body, at)
            blobs.append(body[at + 8 : at + 8 + length])
            at += 8 + length
        return _thaw(_revive(tree, blobs))
    except StateError:
        raise
    except (zlib.error, struct.error, ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise StateError(f"the state file is damaged ({type(error).__name__})") from error


def _describe(node: Any, blobs: list[bytes]) -> Any:
    if isinstance(node, np.ndarray):
        blobs.append(node.tobytes())
        return ["a", node.dtype.str, list(node.shape), len(blobs) - 1]
    if isinstance(node, float):
        return ["f", struct.pack("<d", node).hex()]
    if isinstance(node, bytes):
        blobs.append(node)
        return ["b", len(blobs) - 1]
    if isinstance(node, bool) or node is None or isinstance(node, str):
        return node
    if isinstance(node, int):
        return int(node)
    if isinstance(node, list | tuple):
        return ["l" if isinstance(node, list) else "t", [_describe(v, blobs) for v in node]]
    if isinstance(node, dict):
        return ["d", [[_describe(k, blobs), _describe(v, blobs)] for k, v in node.items()]]
    return ["r", node.name, node.packed, {k: _describe(v, blobs) for k, v in node.values.items()}]


def _revive(tree: Any, blobs: list[bytes]) -> Any:
    if not isinstance(tree, list):
        return tree
    tag = tree[0]
    if tag == "a":
        return np.frombuffer(blobs[tree[3]], dtype=np.dtype(tree[1])).reshape(tree[2])
    if tag == "f":
        return struct.unpack("<d", bytes.fromhex(tree[1]))[0]
    if tag == "b":
        return blobs[tree[1]]
    if tag in "lt":
        items = [_revive(v, blobs) for v in tree[1]]
        return items if tag == "l" else tuple(items)
    if tag == "d":
        return {_revive(k, blobs): _revive(v, blobs) for k, v in tree[1]}
    if tag == "r":
        return _Node(tree[1], {k: _revive(v, blobs) for k, v in tree[3].items()}, bool(tree[2]))
    raise StateError(f"unknown tag {tag!r}")
