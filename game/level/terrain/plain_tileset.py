"""Plain ground tileset for levels outside the project: flat colours."""

from __future__ import annotations

import struct
import zlib

from game.level.model import GROUNDS
from game.level.passability_masks import WALK
from game.level.terrain.grounds import RULES

PICTURE = "fogline_ground.png"
"""File name of the picture beside the map."""
TILE = 32
COLOURS = {
    "grass": "b4bc93",
    "field": "c9be97",
    "road": "d6c6a2",
    "wood": "7f9272",
    "water": "8fb0b5",
    "reeds": "98a07a",
    "stone": "a39c90",
    "gravel": "c2b79d",
    "wall": "6e675f",
    "bridge_stone": "b5ae9f",
    "bridge_plank": "b09873",
    "floor": "bba582",
    "void": "c9c4b8",
}


def ground_picture() -> bytes:
    """Return a PNG with one flat tile per ground, in the order of GROUNDS."""
    row = b"".join(bytes.fromhex(COLOURS[name]) * TILE for name in GROUNDS)
    packed = zlib.compress((b"\0" + row) * TILE, 9)
    head = struct.pack(">IIBBBBB", TILE * len(GROUNDS), TILE, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", packed) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def tileset_element() -> str:
    """Return the ``<tileset>`` element of the picture.

    Each tile states its ground and whether it is walkable.
    """
    count = len(GROUNDS)
    out = [
        f' <tileset firstgid="1" name="ground" tilewidth="{TILE}" tileheight="{TILE}" tilecount="{count}" '
        f'columns="{count}">\n  <image source="{PICTURE}" width="{TILE * count}" height="{TILE}"/>\n'
    ]
    for number, name in enumerate(GROUNDS):
        walkable = "true" if RULES[name].passable & WALK else "false"
        out.append(
            f'  <tile id="{number}">\n   <properties>\n    <property name="ground" value="{name}"/>\n'
            f'    <property name="walkable" type="bool" value="{walkable}"/>\n   </properties>\n  </tile>\n'
        )
    out.append(" </tileset>\n")
    return "".join(out)
