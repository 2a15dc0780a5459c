"""Overlay of danger regions: ground that the selected units refuse, with the time left."""

from __future__ import annotations

from typing import Any

import numpy as np

from ai.perception.memory.danger_regions import AFTER_DEATH, region_box
from game.view.overlays.grid_overlay import GridOverlay, Scale, even_scale
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Scope, overlay

LONGEST = AFTER_DEATH / 20.0
"""Seconds of the longest refusal, after a death."""


@overlay
class DangerRegionsOverlay(GridOverlay):
    """Seconds for which a selected unit still refuses each region."""

    name, title, channel, scope = "danger_regions", "Danger regions", Channel.FILL, Scope.SELECTED
    question = "Which ground do the selected units refuse to enter?"
    crisp = True

    def stamp(self, context: LabContext) -> Any:
        """Return a key that changes with the memory, the selection and each second."""
        world = context.world
        return world.level_digest, context.selected, world.tactics.dangers.version, world.tick // 20

    def _left(self, context: LabContext) -> dict[int, float]:
        """Return the seconds left of each region that a selected unit refuses."""
        dangers, tick = context.world.tactics.dangers, context.world.tick
        left: dict[int, float] = {}
        for unit in context.selected:
            for region, until in dangers.of(int(unit)):
                left[region] = max(left.get(region, 0.0), (until - tick) / 20.0)
        return left

    def scale(self, context: LabContext) -> Scale:
        """Return the steps of the seconds left."""
        return even_scale(tuple(context.palette.ramps["cividis"]), 0.0, LONGEST)

    def values(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the seconds left for each tile, NaN where nothing is refused."""
        out = np.full((y1 - y0, x1 - x0), np.nan)
        for region, seconds in self._left(context).items():
            top, left, bottom, right = region_box(region)
            out[max(top - y0, 0) : max(bottom - y0, 0), max(left - x0, 0) : max(right - x0, 0)] = seconds
        return out

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the ramp of the seconds left."""
        return [self.scale(context).row("refused after a hit, time left", "s")]

    def empty(self, context: LabContext) -> str:
        """Return why nothing is drawn."""
        if not context.world.settings.tactics.danger_memory:
            return "the memory of danger regions is switched off"
        if not context.selected:
            return "no unit is selected"
        return "" if self._left(context) else "no selected unit saw a comrade hit in the last 20 s"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the time left for the tile under the cursor."""
        found = self.values(context, int(y), int(x), int(y) + 1, int(x) + 1)[0, 0]
        return "" if np.isnan(found) else f"refused for {found:.0f} s more"
