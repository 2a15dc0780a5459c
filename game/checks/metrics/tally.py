"""Tally: the running number of a measure, and its state between ticks."""

from __future__ import annotations

import copy
import math
from typing import Any, Self

import numpy as np

from game.world.world import World

TICKS_A_SECOND = 20
LOOKS = 4
"""Ticks from one look at what units see to the next."""
MOST_PAIRS = 256
"""Units above which contacts are not counted."""


class Tally:
    """Tally of some units: ``value`` is the number so far.

    ``done`` tells if it is final.

    ``counted`` names the statistic, the kind of event or the shape, for the measures that need a name.
    """

    def __init__(self, units: tuple[int, ...], counted: str = "") -> None:
        self.units = np.array(units, np.int64)
        self.counted = counted
        self.value = 0.0
        self.done = False
        self.ticks = 0
        self.seen = 0
        self.set_out = False
        self.before: np.ndarray | None = None
        self.samples: tuple[float, ...] = ()
        """The single values of a distribution, for a histogram."""
        self.half_interval = math.nan
        """Half of the interval of a mean, not a number without one."""
        self.memory: Any = None
        """Memory of a measure; a tick replaces it and does not change it."""

    def copy(self) -> Self:
        """Return a copy that is updated separately."""
        return copy.copy(self)

    def at_rest(self, world: World, slots: np.ndarray) -> bool:
        """Return true if every unit has moved and rests again."""
        moving = bool(world.units.moving[slots].any())
        self.set_out |= moving
        return self.set_out and not moving

    def mean_in(self, number: float, weight: float = 1.0) -> None:
        """Take a number into the running mean, ``weight`` times."""
        self.seen += int(weight)
        self.value += (number - self.value) * weight / max(self.seen, 1)
