"""Errors of maps: one line with place, fault and remedy; the nearest known name."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from rapidfuzz.distance import OSA

LONGEST = 80
"""A value quoted from a map is cut to this many characters."""


def quoted(value: object) -> str:
    """Return a value from a map as one printable line of limited length."""
    text = "".join(c if c.isprintable() else " " for c in str(value))
    return f"'{text[: LONGEST - 1]}…'" if len(text) > LONGEST else f"'{text}'"


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the known name nearest to ``name``, or an empty text.

    At most a third of its letters may differ; two swapped letters count as one.  Ties go by the alphabet.
    """
    found = sorted((OSA.distance(name.casefold(), k.casefold()), k) for k in set(known) if k)
    return found[0][1] if found and found[0][0] <= max(1, len(name) // 3) else ""


def perhaps(name: str, known: Iterable[str], otherwise: str) -> str:
    """Return "did you mean X?" with the nearest known name, else ``otherwise``."""
    near = nearest(name, known)
    return f"did you mean {quoted(near)}?" if near else otherwise


def shown(path: Path) -> str:
    """Return a path, relative to the working folder when it lies below it."""
    try:
        relative = os.path.relpath(path)
    except ValueError:
        return str(path)
    return str(path) if relative.startswith("..") else relative


class LevelError(ValueError):
    """Error of a map that cannot be used.

    ``str()`` is one line: file, place, what is wrong and what to do.  ``tile`` and ``thing`` (the id of an object) say
    the place to another program.
    """

    def __init__(
        self,
        file: Path | str,
        place: str,
        wrong: str,
        cure: str,
        tile: tuple[int, int] | None = None,
        thing: int | None = None,
    ) -> None:
        self.tile, self.thing = tile, thing
        self.file = shown(file) if isinstance(file, Path) else file
        self.place = place
        self.wrong = wrong
        self.cure = cure
        parts = [self.file, place, f"{wrong}; {cure}" if cure else wrong]
        line = ": ".join(part for part in parts if part)
        super().__init__("".join(c if c.isprintable() else " " for c in line))
