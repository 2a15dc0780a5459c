"""Drills: how units are told to move together.  Words and numbers only, so that menus know them without a kernel."""

from __future__ import annotations

from enum import IntEnum

from ai.core.serialization import record
from ai.formation.formation_shapes import Shape

LOOSE, KEEP, PLAY = -1, 100, 101
"""Drill shapes beside :class:`ai.formation.formation_shapes.Shape`: everybody for himself; the present arrangement;
a play drawn
in assets/data/playbooks.toml."""

SHAPE_WORDS: dict[str, int] = {"loose": LOOSE, "keep": KEEP} | {shape.name.lower(): int(shape) for shape in Shape}


class Rally(IntEnum):
    """Where a group forms up before it marches (AI Game Programming Wisdom, 5.6)."""

    AHEAD = 0
    """Just ahead of the unit nearest to the destination."""
    START = 1
    """About the middle of where its members are."""
    DESTINATION = 2
    """Everybody goes straight to his place at the end."""


class Matching(IntEnum):
    """Who takes which slot."""

    OPTIMAL = 0
    """Least way in all; by sorting when there are many."""
    SORTED = 1
    NEAREST = 2
    BY_TYPE = 3
    """The tougher in front."""
    ARRIVAL = 4
    """Nobody has one with the order: all go to the centre, and who comes first takes the middle."""


@record
class Drill:
    """How units move together.  ``spacing`` in tiles between slots; ``ranks`` 0 as the shape has it; ``play`` names
    the one drawn, for the shape PLAY."""

    shape: int = LOOSE
    spacing: float = 1.2
    ranks: int = 0
    rally: int = int(Rally.AHEAD)
    slowest: bool = True
    together: bool = False
    matching: int = int(Matching.OPTIMAL)
    play: str = ""
