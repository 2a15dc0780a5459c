"""Page of the inspector as data: a title, a sentence, and sections of rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ai.decision.decision_trace import TICKS_PER_SECOND

UNIT, SQUAD, SIDE, TILE, PATH, SOUND, DOOR = "unit", "squad", "side", "tile", "path", "sound", "door"
KINDS = UNIT, PATH, SQUAD, SIDE, TILE, DOOR, SOUND
"""Kinds of things in the order of their tabs."""
MOST_ROWS = 24
"""Rows of a section; the rest is counted."""


@dataclass(frozen=True)
class Subject:
    """Thing on a page: its kind and its key.

    The key is a unit id, a squad id, a side, a tile (y, x), the unit of a path, a door id, or the number of a sound.
    """

    kind: str
    key: tuple[int, ...]


@dataclass(frozen=True)
class PageRow:
    """Row: a name, a value, and a third column.

    A click goes to ``tick``, or opens ``link``. ``share`` from 0 to 1 is drawn as a bar, below 0 not at all. ``number``
    is the name of a number that a click pins.
    """

    name: str
    value: str = ""
    beside: str = ""
    tick: int = -1
    share: float = -1.0
    won: bool = False
    link: Subject | None = None
    number: str = ""


@dataclass(frozen=True)
class Section:
    """Section: a title, soft words beside it, and rows.

    ``none`` is said when there are no rows.
    """

    title: str
    rows: tuple[PageRow, ...]
    beside: str = ""
    none: str = "nothing now"


@dataclass(frozen=True)
class Page:
    """Page about a thing; ``sentence`` says its state and goal."""

    title: str
    sentence: str
    sections: tuple[Section, ...]


PageMaker = Callable[..., Page]


def section(title: str, rows: list[PageRow], beside: str = "", none: str = "nothing now") -> Section:
    """Return a section of at most ``MOST_ROWS`` rows; a last row counts the others."""
    more = len(rows) - MOST_ROWS
    if more > 0:
        rows = [*rows[:MOST_ROWS], PageRow(f"and {more} more")]
    return Section(title, tuple(rows), beside, none)


def place(x: float, y: float) -> str:
    """Return a place in tiles as text."""
    return f"{x:.1f}, {y:.1f}"


def ago(now: int, tick: int) -> str:
    """Return the age of a tick, such as ``2.3 s ago``; "never" below 0."""
    return f"{max(now - tick, 0) / TICKS_PER_SECOND:.1f} s ago" if tick >= 0 else "never"
