"""The protocol of an order's handler, and the checks that handlers share."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from game.world.orders import MOST, Order, OrderKind
from game.world.world import World


class OrderHandler(Protocol):
    """Handler of an order: its kinds, its validity, and how it enters."""

    @property
    def kinds(self) -> tuple[OrderKind, ...]:
        """Kinds of order that this handler serves."""

    @property
    def to_units(self) -> bool:
        """Return True if the order is for units, False for the world."""

    @property
    def waits(self) -> bool:
        """Return True if the order waits in the queues of busy units.

        It clears them when it is not queued itself.
        """

    def validate(self, world: World, order: Order) -> str:
        """Return why the order is refused, empty when it is not."""

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Begin the order for living units of its side; return whether it is published.

        ``together``: slots of all units that were sent with these, when they start one by one.
        """


def number_fault(order: Order) -> str:
    """Return why the numbers of an order are refused, empty when they are not."""
    if math.isnan(order.x) or math.isnan(order.y) or not np.isfinite(np.asarray(order.points, float)).all():
        return "that is no place on any map"
    if not -MOST <= order.value <= MOST or not -MOST <= order.facing <= MOST:
        return f"{OrderKind(order.kind).name.lower()}: that is no number to go by"
    return ""


def unit_fault(world: World, order: Order) -> str:
    """Return why an order at a unit is refused, empty when it is not."""
    known = 0 <= order.target < world.units.next_id
    return number_fault(order) or ("" if known else f"there is no unit {order.target}")
