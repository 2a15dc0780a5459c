"""Sizes of picture files, read from their first bytes: PNG, GIF, BMP and JPEG."""

from __future__ import annotations

import struct

LONGEST_SIDE = 8192
MOST_PIXELS = 64_000_000
HEAD = 1 << 16
"""Number of bytes read of a picture; enough for the header of every kind."""


def picture_size(head: bytes) -> tuple[int, int] | None:
    """Return width and height in pixels, None for an unknown or damaged file."""
    try:
        if head[:8] == b"\x89PNG\r\n\x1a\n":
            width, height = struct.unpack(">II", head[16:24])
        elif head[:6] in (b"GIF87a", b"GIF89a"):
            width, height = struct.unpack("<HH", head[6:10])
        elif head[:2] == b"BM":
            width, height = struct.unpack("<ii", head[18:26])
            height = abs(height)
        elif head[:2] == b"\xff\xd8":
            return _jpeg_size(head)
        else:
            return None
    except struct.error:
        return None
    return (width, height) if width > 0 and height > 0 else None


def _jpeg_size(head: bytes) -> tuple[int, int] | None:
    """Return the size in the start-of-frame marker of a JPEG."""
    at = 2
    while at + 9 <= len(head):
        if head[at] != 0xFF:
            return None
        marker = head[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", head[at + 5 : at + 9])
            return int(width), int(height)
        at += 2 + int.from_bytes(head[at + 2 : at + 4], "big")
    return None


def too_large(size: tuple[int, int]) -> str:
    """Return why a picture is refused, empty when it is accepted."""
    width, height = size
    if max(width, height) > LONGEST_SIDE:
        return f"the picture has {width} x {height} px, at most {LONGEST_SIDE} px a side are read"
    if width * height >= MOST_PIXELS:
        return f"the picture has {width * height} px, fewer than {MOST_PIXELS} are read"
    return ""
