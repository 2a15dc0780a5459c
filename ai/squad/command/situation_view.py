"""Squad situation view: counts from what a squad knows of the enemy.

Source: William van der Sterren, AI Game Programming Wisdom, 5.4 (the squad's situation is abstract: known hostiles,
lines of fire between the two sides, groups, spread and strength; many can be fired at while few can fire back: a good
position, and probably not spotted). It reads beliefs alone. Places are (x, y) in tiles, angles in radians.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.perception.sight.line_of_sight import lines_clear

HALF_VIEW = 1.0
"""Half angle of a hostile's view; a hostile of unknown facing sees all round."""
GROUP = 6.0
"""Tiles between two hostiles of one group, at most."""


@dataclass(frozen=True)
class SituationView:
    """Counts of a situation; ``can_fire`` and ``fires_at_us`` are bool[members, hostiles]."""

    known: int
    can_fire: NDArray[np.bool_]
    fires_at_us: NDArray[np.bool_]
    groups: int
    centre: tuple[float, float]
    spread: float
    own_spread: float
    ratio: float
    """Living members for each known hostile."""

    @property
    def targets(self) -> int:
        """Return how many hostiles a member can fire at."""
        return int(self.can_fire.any(axis=0).sum())

    @property
    def ready(self) -> int:
        """Return how many members can fire at all these targets."""
        reached = self.can_fire.any(axis=0)
        return int(self.can_fire[:, reached].all(axis=1).sum()) if reached.any() else 0

    @property
    def threatened(self) -> int:
        """Return how many members a hostile can fire at."""
        return int(self.fires_at_us.any(axis=1).sum())

    @property
    def unspotted(self) -> bool:
        """Return whether more hostiles can be hit than can hit back."""
        return self.targets > int(self.fires_at_us.any(axis=0).sum())


def situation_view(
    opaque: NDArray[np.uint8], members: NDArray[np.float64], hostiles: NDArray[np.float64],
    facing: NDArray[np.float64], reach: float,
) -> SituationView:  # fmt: skip
    """Return the view that living members have of known hostiles.

    ``members`` are float64[n, 2], ``hostiles`` float64[k, 2]. ``facing`` float64[k] is NaN where it is not known.
    """
    n, k = len(members), len(hostiles)
    starts = np.repeat(members[:, ::-1], k, axis=0).astype(np.int32)
    ends = np.tile(hostiles[:, ::-1], (n, 1)).astype(np.int32)
    lines = lines_clear(opaque, starts, ends).astype(np.bool_).reshape(n, k)
    dx, dy = (members[:, None, axis] - hostiles[None, :, axis] for axis in (0, 1))
    lines &= np.hypot(dx, dy) <= reach
    off = np.abs((np.arctan2(dy, dx) - facing[None, :] + math.pi) % math.tau - math.pi)
    looks = np.isnan(off) | (off <= HALF_VIEW)
    return SituationView(
        k, lines, lines & looks, _groups(hostiles), _centre(hostiles), _spread(hostiles), _spread(members),
        n / max(k, 1),
    )  # fmt: skip


def _centre(places: NDArray[np.float64]) -> tuple[float, float]:
    return (float(places[:, 0].mean()), float(places[:, 1].mean())) if len(places) else (math.nan, math.nan)


def _spread(places: NDArray[np.float64]) -> float:
    """Return the mean distance from the centre in tiles, 0 without places."""
    return float(np.hypot(*(places - places.mean(axis=0)).T).mean()) if len(places) else 0.0


def _groups(places: NDArray[np.float64]) -> int:
    """Return the number of groups, chains of hostiles near each other."""
    left, count = set(range(len(places))), 0
    while left:
        count += 1
        front = [left.pop()]
        while front:
            here = places[front.pop()]
            near = [j for j in left if math.dist(here, places[j]) <= GROUP]
            left.difference_update(near)
            front += near
    return count


TECHNIQUES = (
    {
        "slug": "situation-view",
        "name": "Squad situation view",
        "ids": ("AW-5.4-2",),
        "source": "AI Game Programming Wisdom, 5.4",
        "functions": ("situation_view",),
        "test": "tests/ai/squad/command/test_situation_view.py",
        "reason": "No manoeuvre of the game reads these counts; it weighs strength, nearness and closing enemies.",
        "claim": (
            "In the library only: the picture of a squad holds beliefs, but not these counts. Nothing is predicted."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
