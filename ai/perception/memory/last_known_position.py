"""Last known positions, shared by a side.

They direct its guards' pursuit and search, show the player the side's beliefs, and start its possibility maps.

Source: Travis McIntosh, "Human Enemy AI in The Last of Us", Game AI Pro 2, ch. 34 (34.3: one shared last known position
that stays in place while no guard perceives the target; stimuli move it too).

This module never gets an enemy's true position. It reads the columns that perception wrote for this side's own watchers
(which target each identified, where and when), and reports such as sounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from ai.core.serialization import record


@record
class Belief:
    """Believed position of a target.

    ``x, y`` are in tiles, ``tick`` is that of the last report, ``reporter`` the unit that gave it.
    """

    target: int
    x: float
    y: float
    tick: int
    reporter: int
    seen: bool = True
    """False when the last report was not sight."""
    lost_tick: int = -1
    """Tick at which the last watcher lost it; -1 while a watcher sees it."""


@record
class SideBeliefs:
    """All beliefs of one side by target id."""

    side: int
    about: dict[int, Belief] = field(default_factory=dict)

    def perceive(
        self,
        tick: int,
        ids: NDArray[np.int32],
        alive: NDArray[np.uint8],
        side: NDArray[np.uint8],
        meter: NDArray[np.float64],
        meter_target: NDArray[np.int32],
        seen_x: NDArray[np.float64],
        seen_y: NDArray[np.float64],
        seen_tick: NDArray[np.int32],
        beside: Sequence[tuple[int, int, float, float]] = (),
    ) -> list[int]:
        """Apply this tick's identified targets; return the targets now out of sight.

        The columns are those that the meter fills. ``beside`` lists identified and visible targets besides a watcher's
        own, as (slot of the watcher, id, x, y). Of several watchers that see one target the smallest id reports.
        """
        own = np.flatnonzero((seen_tick == tick) & (meter >= 1.0))
        own = own[(side[own] == self.side) & (alive[own] != 0)]
        reports = list(zip(*(column[own].tolist() for column in (ids, meter_target, seen_x, seen_y)), strict=True))
        reports += [(int(ids[s]), target, x, y) for s, target, x, y in beside if side[s] == self.side and alive[s]]
        fresh = set()
        for reporter, target, x, y in sorted(reports):
            if target not in fresh:
                fresh.add(target)
                self.about[target] = Belief(target, x, y, tick, reporter)
        lost = [t for t, b in self.about.items() if b.seen and b.lost_tick < 0 and t not in fresh]
        for target in lost:
            self.about[target].lost_tick = tick
        return sorted(lost)

    def report(self, tick: int, target: int, x: float, y: float, reporter: int) -> bool:
        """Apply a report of ``tick`` that is not sight (a shot).

        It counts unless a watcher sees the target now, or saw it later.
        """
        known = self.about.get(target)
        counts = known is None or (known.lost_tick >= 0 and tick > known.tick)
        if counts:
            self.about[target] = Belief(target, x, y, tick, reporter, seen=False, lost_tick=tick)
        return counts

    def forget(self, target: int) -> None:
        """Forget a target that is known to be gone."""
        self.about.pop(target, None)


TECHNIQUES = (
    {
        "slug": "last-known-position",
        "name": "Shared last known position",
        "ids": ("GP2-34.7",),
        "source": "Game AI Pro 2, ch. 34",
        "functions": ("SideBeliefs.perceive", "SideBeliefs.report"),
        "test": "tests/ai/perception/memory/test_last_known_position.py",
        "exhibit": "levels/exhibits/senses/fork.grace.toml",
        "overlay": "possible",
        "setting": "minds.grace",
        "parts": ("GP2-27.3",),
        "measure": "possible",
        "direction": "down",
        "claim": "As told; besides, each guard keeps the place of its own last contact.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
