# ruff: noqa: E501 - maps are easier to read on one line
"""Builders of Tiled maps of other tools, independent of the code under test."""

from __future__ import annotations

import base64
import gzip
import importlib
import struct
import sys
import zlib
from pathlib import Path

zstd = importlib.import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")

H, V, D = 1 << 31, 1 << 30, 1 << 29


def png(path: Path, width: int, height: int) -> Path:
    """Write a PNG of one colour."""
    row = b"\0" + b"\x80\x90\xa0" * width

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(row * height)) + chunk(b"IEND", b""))
    return path


def data(gids: list[list[int]], form: str = "csv") -> str:
    """Return a <data> element in one of Tiled's formats."""
    flat = [g for row in gids for g in row]
    if form == "csv":
        return '<data encoding="csv">\n' + ",\n".join(",".join(map(str, row)) for row in gids) + "\n</data>"
    if form == "xml":
        return "<data>" + "".join(f'<tile gid="{g}"/>' for g in flat) + "</data>"
    raw = struct.pack(f"<{len(flat)}I", *flat)
    name = form.partition("-")[2]
    packers = {"": bytes, "zlib": zlib.compress, "gzip": gzip.compress, "zstd": zstd.compress}
    packed = packers[name](raw)
    extra = f' compression="{name}"' if name else ""
    return f'<data encoding="base64"{extra}>\n   {base64.b64encode(packed).decode()}\n  </data>'


def tileset(first: int = 1, columns: int = 4, rows: int = 4, tile: tuple[int, int] = (16, 16), inner: str = "",
            image: str = "tiles.png", head: str = "") -> str:  # fmt: skip
    """Return a <tileset> with one image."""
    w, h = tile
    return (
        f'<tileset firstgid="{first}" name="tiles" tilewidth="{w}" tileheight="{h}" tilecount="{columns * rows}" '
        f'columns="{columns}" {head}><image source="{image}" width="{columns * w}" height="{rows * h}"/>{inner}</tileset>'
    )


def layer(name: str, gids: list[list[int]], form: str = "csv", attributes: str = "", inner: str = "") -> str:
    """Return a <layer> element."""
    return (
        f'<layer id="1" name="{name}" width="{len(gids[0])}" height="{len(gids)}" {attributes}>{inner}'
        f"{data(gids, form)}</layer>"
    )


def properties(**values: object) -> str:
    """Return a <properties> element with typed values."""
    out = []
    for name, value in values.items():
        kind = {bool: "bool", int: "int", float: "float"}.get(type(value), "string")
        text = str(value).lower() if isinstance(value, bool) else str(value)
        out.append(f'<property name="{name}" type="{kind}" value="{text}"/>')
    return f"<properties>{''.join(out)}</properties>"


def tmx(body: str, width: int = 4, height: int = 3, tile: tuple[int, int] = (16, 16), attributes: str = "") -> str:
    """Return a whole map."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<map version="1.10" tiledversion="1.10.2" orientation="orthogonal" renderorder="right-down" width="{width}" '
        f'height="{height}" tilewidth="{tile[0]}" tileheight="{tile[1]}" {attributes}>{body}</map>\n'
    )


def write(folder: Path, text: str | bytes, name: str = "map.tmx") -> Path:
    """Write a file into the folder ``maps`` beside the picture ``tiles.png``."""
    path = folder / "maps" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    picture = path.parent / "tiles.png"
    if not picture.exists():
        png(picture, 64, 64)
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path
