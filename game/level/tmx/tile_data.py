"""Tile numbers of a layer: CSV, base64, XML tiles and chunks.

Base64 may be plain, zlib, gzip or Zstandard.  The expected length is known before data is unpacked, and limits the
unpacking.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import importlib
import re
import warnings
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from game.level.errors import LevelError, quoted
from game.level.tmx.xml_tree import Node, integer

MOST_TILES = 4_000_000
"""Largest number of tiles of one map and of one layer."""
FARTHEST = 1 << 30

_CSV = re.compile(r"[0-9,\s]*")
_SPACE = re.compile(r"\s+")
_ZSTD = ("compression.zstd", "backports.zstd")
"""Modules of Zstandard.

The first is part of Python since 3.14; the second is the same code as a package, for older versions.
"""
Gids = NDArray[np.uint32]


@dataclass(frozen=True)
class LayerChunk:
    """Rectangle of gids, flip bits set, with upper left tile ``x, y``."""

    x: int
    y: int
    gids: Gids


def read_data(data: Node, place: str, width: int, height: int, budget: int) -> list[LayerChunk]:
    """Return the chunks of a ``<data>`` element.

    A finite layer is one chunk of ``width`` x ``height`` at 0, 0.  ``budget`` is the number of tiles that may still be
    unpacked.  Raises LevelError.
    """
    chunks = data.findall("chunk")
    if not chunks:
        return [LayerChunk(0, 0, _decode(data, data, place, width, height))]
    out = []
    for chunk in chunks:
        assert isinstance(chunk, Node)
        x, y = integer(chunk, "x", -FARTHEST, FARTHEST), integer(chunk, "y", -FARTHEST, FARTHEST)
        w, h = integer(chunk, "width", 1, MOST_TILES), integer(chunk, "height", 1, MOST_TILES)
        budget -= w * h
        if budget < 0:
            raise LevelError(data.file, place, "its chunks hold too many tiles", f"at most {MOST_TILES} are read")
        out.append(LayerChunk(x, y, _decode(chunk, data, f"{place}, chunk {x},{y}", w, h)))
    return out


def _decode(holder: Node, data: Node, place: str, width: int, height: int) -> Gids:
    encoding, compression = data.get("encoding", ""), data.get("compression", "")
    count = width * height
    if encoding == "csv":
        flat = _from_csv(data, place, holder.text or "", count)
    elif encoding == "base64":
        flat = _from_base64(data, place, holder.text or "", compression, count)
    elif not encoding:
        tiles = holder.findall("tile")
        _same_count(data, place, len(tiles), count)
        flat = np.array([integer(t, "gid", 0, 0xFFFFFFFF, 0) for t in tiles if isinstance(t, Node)], dtype=np.uint32)
    else:
        raise LevelError(data.file, place, f"tile encoding {quoted(encoding)} is unknown", _FORMAT)
    return np.ascontiguousarray(flat.reshape(height, width))


_FORMAT = "in Tiled set Map > Map Properties > Tile Layer Format to CSV and save again"


def _same_count(data: Node, place: str, found: int, wanted: int) -> None:
    if found != wanted:
        raise LevelError(data.file, place, f"{found} tiles where {wanted} are needed", "save the map again in Tiled")


def _from_csv(data: Node, place: str, text: str, count: int) -> NDArray[np.uint32]:
    text = text.strip().rstrip(",")
    if not _CSV.fullmatch(text):
        raise LevelError(data.file, place, "its CSV holds something else than whole numbers", _FORMAT)
    found = text.count(",") + 1 if text else 0
    _same_count(data, place, found, count)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            values = np.fromstring(text, dtype=np.int64, sep=",")
        except (DeprecationWarning, ValueError):
            raise LevelError(data.file, place, "its CSV has a number missing", _FORMAT) from None
    _same_count(data, place, values.size, count)
    if values.size and int(values.max()) > 0xFFFFFFFF:
        raise LevelError(data.file, place, f"tile number {int(values.max())} is too large", _FORMAT)
    return values.astype(np.uint32)


def _from_base64(data: Node, place: str, text: str, compression: str, count: int) -> NDArray[np.uint32]:
    if compression not in ("", "zlib", "gzip", "zstd"):
        raise LevelError(data.file, place, f"tile compression {quoted(compression)} is unknown", _FORMAT)
    try:
        raw = base64.b64decode(_SPACE.sub("", text).encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        raise LevelError(data.file, place, "its base64 text is damaged", _FORMAT) from None
    if compression:
        unpacker, damaged = _unpacker(data, place, compression)
        try:
            raw = unpacker.decompress(raw, count * 4 + 1)
        except damaged:
            raise LevelError(data.file, place, f"its {compression} data is damaged", _FORMAT) from None
        if len(raw) <= count * 4 and not unpacker.eof:
            raise LevelError(data.file, place, f"its {compression} data ends too early", _FORMAT)
    if len(raw) != count * 4:
        found = f"{len(raw)} bytes" if len(raw) < count * 4 else "more bytes"
        raise LevelError(
            data.file, place, f"{found} of tiles where {count * 4} are needed", "save the map again in Tiled"
        )
    return np.frombuffer(raw, dtype="<u4").astype(np.uint32)


def _unpacker(data: Node, place: str, compression: str) -> tuple[Any, type[Exception]]:
    """Return an unpacker and the exceptions of damaged input.

    The unpacker has ``decompress(bytes, most)`` and ``eof``.
    """
    if compression == "zlib":
        return zlib.decompressobj(15), zlib.error
    if compression == "gzip":
        return zlib.decompressobj(31), zlib.error
    for module in _ZSTD:
        with contextlib.suppress(ImportError):
            zstd = importlib.import_module(module)
            return zstd.ZstdDecompressor(), zstd.ZstdError
    cure = f"{_FORMAT}, or run python -m pip install -r requirements.txt"
    raise LevelError(data.file, place, "zstd compression needs the package backports.zstd", cure)
