"""Errors of maps: one line with place, fault and remedy."""

from __future__ import annotations

import os
from pathlib import Path

LONGEST = 80
"""A value quoted from a map is cut to this many characters."""


def quoted(value: object) -> str:
    """Return a value from a map as one printable line of limited length."""
    text = "".join(c if c.isprintable() else " " for c in str(value))
    return f"'{text[: LONGEST - 1]}…'" if len(text) > LONGEST else f"'{text}'"


def shown(path: Path) -> str:
    """Return a path, relative to the working folder when it lies below it."""
    try:
        relative = os.path.relpath(path)
    except ValueError:
        return str(path)
    return str(path) if relative.startswith("..") else relative


class LevelError(ValueError):
    """Error of a map that cannot be used.

    ``str()`` is one line: file, place, what is wrong and what to do.
    """

    def __init__(self, file: Path | str, place: str, wrong: str, cure: str) -> None:
        self.file = shown(file) if isinstance(file, Path) else file
        self.place = place
        self.wrong = wrong
        self.cure = cure
        parts = [self.file, place, f"{wrong}; {cure}" if cure else wrong]
        line = ": ".join(part for part in parts if part)
        super().__init__("".join(c if c.isprintable() else " " for c in line))
