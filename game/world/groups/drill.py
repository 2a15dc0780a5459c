"""Drills: orders of joint movement, in words and numbers only.

So menus know them without a kernel.
"""

from __future__ import annotations

from enum import IntEnum

from ai.core.serialization import record
from ai.formation.formation_shapes import Shape

LOOSE, KEEP, PLAY = -1, 100, 101
"""Drill shapes beside :class:`ai.formation.formation_shapes.Shape`: loose, keep and play.

LOOSE: each unit for itself. KEEP: the present arrangement. PLAY: a play drawn in assets/data/playbooks.toml.
"""

SHAPE_WORDS: dict[str, int] = {"loose": LOOSE, "keep": KEEP} | {shape.name.lower(): int(shape) for shape in Shape}


class Rally(IntEnum):
    """Rally: place where a group forms up before it marches.

    Source: AI Game Programming Wisdom, 5.6.
    """

    AHEAD = 0
    """Just ahead of the unit nearest to the destination."""
    START = 1
    """About the middle of where its members are."""
    DESTINATION = 2
    """Each unit goes straight to its final place."""


class Matching(IntEnum):
    """Matching of units to slots."""

    OPTIMAL = 0
    """Least total distance; by sorting when there are many."""
    SORTED = 1
    NEAREST = 2
    BY_TYPE = 3
    """Tough units in front, fast ones on the flanks, hurt ones inside."""
    ARRIVAL = 4
    """Slots by arrival: all go to the centre, the first takes the middle.

    No unit has a slot with the order.
    """


@record
class Drill:
    """Drill: joint movement of units.

    ``spacing`` in tiles between slots; ``ranks`` 0 as the shape has it; ``play`` names the one drawn, for the
    shape PLAY.
    """

    shape: int = LOOSE
    spacing: float = 1.2
    ranks: int = 0
    rally: int = int(Rally.AHEAD)
    slowest: bool = True
    together: bool = False
    matching: int = int(Matching.OPTIMAL)
    play: str = ""
