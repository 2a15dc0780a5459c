"""Movement classes: which units can stand on which tiles.

A tile's passability is a bitmask with one bit per class, so that doors, crawl spaces and fords need no second map.

Source: "AI Game Programming Wisdom", 4.5 (ability sets).
"""

from __future__ import annotations

from enum import IntEnum


class MovementClass(IntEnum):
    """Bit number of a class in the passability mask; a unit has exactly one."""

    WALK = 0
    CRAWL = 1
    OPENS_DOORS = 2
    WADE = 3


CLASS_COUNT = len(MovementClass)
ALL_CLASSES = (1 << CLASS_COUNT) - 1
"""Mask of a tile that every class may enter."""


def class_bit(movement_class: int) -> int:
    """Return the mask with only this class set.

    ValueError when there is no such class.
    """
    if not 0 <= movement_class < 8:
        raise ValueError(f"movement class must be 0..7, got {movement_class}")
    return 1 << int(movement_class)
