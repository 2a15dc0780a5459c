"""Numbers of all units over time, for the small graphs of the inspector.

A sample is a row of ``NUMBERS`` for each slot, every ``EVERY`` ticks. Filling it reads the world and changes nothing.
The oldest samples are dropped when the bytes no longer fit. Units: tiles a second, shares from 0 to 1, tiles.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ai.core.scheduling.periods import is_due
from game.world.world import World

EVERY = 2
"""Ticks between two samples."""
MOST_BYTES = 48_000_000
"""Bytes of a branch: 13 minutes of 400 units, 30 s of 10,000."""
NUMBERS = "speed", "health", "meter", "noticed", "agitation", "suppression", "moving", "living"
"""Columns of a sample.

``meter`` is that of the unit about others, ``noticed`` the fullest one of others about it.
"""
COUNTS = "moving", "living"
"""Numbers that are counted over several units; of the others the mean is taken."""
_SPEED, _HEALTH, _METER, _NOTICED, _AGITATION, _SUPPRESSION, _MOVING, _LIVING = range(len(NUMBERS))


def sample_of(world: World) -> np.ndarray:
    """Return the numbers of all units now, float16[n, len(NUMBERS)]."""
    u, n = world.units, world.units.count
    out = np.zeros((n, len(NUMBERS)), np.float16)
    alive = u.alive[:n] == 1
    out[:, _SPEED] = np.hypot(u.vx[:n], u.vy[:n])
    out[:, _HEALTH] = np.where(alive, u.hp[:n] / np.maximum(u.hp_max[:n], 1), 0.0)
    out[:, _METER] = u.meter[:n]
    about = np.flatnonzero((u.meter_target[:n] >= 0) & (u.meter[:n] > 0) & alive)
    noticed = np.zeros(n)
    np.maximum.at(noticed, u.slot_of[u.meter_target[about]], u.meter[about])
    out[:, _NOTICED] = noticed
    heard = world.ears.agitation[:n]
    out[: len(heard), _AGITATION] = heard
    out[:, _SUPPRESSION] = u.suppressed[:n]
    out[:, _MOVING] = (u.moving[:n] == 1) & alive
    out[:, _LIVING] = alive
    return out


@dataclass
class UnitNumbers:
    """Samples of one branch of a game, oldest first."""

    ticks: list[int] = field(default_factory=list)
    samples: list[np.ndarray] = field(default_factory=list)
    nbytes: int = 0

    def note(self, world: World) -> None:
        """Take a sample of a finished tick if one is due."""
        if not is_due(world.tick, EVERY) or (self.ticks and world.tick <= self.ticks[-1]):
            return
        made = sample_of(world)
        self.ticks.append(world.tick)
        self.samples.append(made)
        self.nbytes += made.nbytes
        gone = 0
        while self.nbytes > MOST_BYTES and gone < len(self.samples) - 1:
            self.nbytes -= self.samples[gone].nbytes
            gone += 1
        if gone:
            del self.ticks[:gone], self.samples[:gone]

    def until(self, tick: int) -> UnitNumbers:
        """Return a copy with the samples up to a tick; it shares the arrays."""
        n = bisect_right(self.ticks, tick)
        return UnitNumbers(self.ticks[:n], self.samples[:n], sum(one.nbytes for one in self.samples[:n]))

    def series(self, slots: Sequence[int], name: str, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        """Return ticks int64[n] and values float64[n] of a number.

        Of several units it is the mean, of ``moving`` and ``living`` the count.
        """
        a, b = bisect_left(self.ticks, first), bisect_right(self.ticks, last)
        column, wanted = NUMBERS.index(name), np.asarray(slots, np.int64)
        ticks, values = [], []
        for tick, sample in zip(self.ticks[a:b], self.samples[a:b], strict=True):
            mine = sample[wanted[wanted < len(sample)], column].astype(np.float64)
            if len(mine):
                ticks.append(tick)
                values.append(float(mine.sum() if name in COUNTS else mine.mean()))
        return np.array(ticks, np.int64), np.array(values)
