"""Measures of figures: the work that posing them takes."""

from __future__ import annotations

import numpy as np

from ai.animation.animation_lod import PART_NAMES, posed_parts
from game.checks.metrics.tally import Tally
from game.systems.body.figure_detail import shipped_detail
from game.world.world import World

_ZOOM = 32
"""Pixels a tile of the window that the measure counts for."""


def posed(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return parts of figures posed a tick, the run's mean.

    ``counted`` names the region that stands for the window. ValueError for a region that the map does not have.
    """
    region = world.region(tally.counted)
    if region is None:
        raise ValueError(f"counted names {tally.counted!r}, which is no region of {world.level_name}")
    u, detail = world.units, shipped_detail()
    if not world.settings.figures.lod:
        tally.mean_in(float(len(PART_NAMES) * len(slots)))
        return
    at = zip(u.x[slots].tolist(), u.y[slots].tolist(), strict=True)
    in_view = np.array([region.contains(x, y) for x, y in at], bool)
    tally.mean_in(float(posed_parts(detail.sets, *detail.levels(u.radius[slots], _ZOOM, in_view)).sum()))
