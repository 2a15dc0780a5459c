"""Masks of the passability bits, made from the movement classes of ``ai.grid``."""

from __future__ import annotations

from ai.grid.movement_classes import ALL_CLASSES, MovementClass, class_bit

WALK = class_bit(MovementClass.WALK)
CRAWL = class_bit(MovementClass.CRAWL)
OPENS_DOORS = class_bit(MovementClass.OPENS_DOORS)
WADE = class_bit(MovementClass.WADE)
ALL = ALL_CLASSES
"""Open ground: every class may stand there."""
