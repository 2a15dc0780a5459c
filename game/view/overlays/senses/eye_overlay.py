"""Overlay of identification time: seconds until a standing unit is identified, by tile."""

from __future__ import annotations

from typing import Any

import numpy as np

from game.systems.stealth.foresight import seconds_around
from game.view.overlays.grid_overlay import GridOverlay, Scale, even_scale
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Scope, overlay

MOST_WATCHERS = 16
SLOWEST = 4.0
"""Seconds at the slow end of the ramp."""


def seconds_of_watchers(context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
    """Return float64[h, w]: seconds until the quickest watcher identifies a standing unit.

    The watchers are the selected units, or all shown enemies while no unit is selected. The value is infinite where no
    watcher would see the unit.
    """
    world, p = context.world, context.playing.picture
    out = np.full((y1 - y0, x1 - x0), np.inf)
    rows = context.rows(Scope.SELECTED) if context.selected else context.rows(Scope.ALL)
    rows = rows[(p.asleep[rows] == 0) & (bool(context.selected) | (p.side[rows] != context.playing.side))]
    for r in rows[:MOST_WATCHERS].tolist():
        wy, wx, seconds = seconds_around(world, int(p.id[r]), x=float(p.x[r]), y=float(p.y[r]), head=float(p.head[r]))
        ay, ax = max(y0, wy), max(x0, wx)
        by, bx = min(y1, wy + seconds.shape[0]), min(x1, wx + seconds.shape[1])
        if ay < by and ax < bx:
            part = out[ay - y0 : by - y0, ax - x0 : bx - x0]
            np.minimum(part, seconds[ay - wy : by - wy, ax - wx : bx - wx], out=part)
    return out


@overlay
class Zones(GridOverlay):
    """Seconds until a standing unit is identified, by tile."""

    name, title, channel, scope = "zones", "Identification time", Channel.FILL, Scope.SELECTED
    question = "How soon would a standing unit be identified here?"

    def stamp(self, context: LabContext) -> Any:
        """Return a key that changes every tick and with the selection."""
        return context.playing.picture.tick, context.selected

    def scale(self, context: LabContext) -> Scale:
        """Return steps in seconds, bright where identification is quick."""
        return even_scale(tuple(reversed(context.palette.ramps["cividis"])), 0.0, SLOWEST, more=True, parts=2)

    def values(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the seconds; nothing on unseen tiles."""
        seconds = seconds_of_watchers(context, y0, x0, y1, x1)
        return np.where(np.isfinite(seconds), seconds, np.nan)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the ramp with its ticks."""
        return [self.scale(context).row("blank: not seen", "seconds")]

    def empty(self, context: LabContext) -> str:
        """Return a message while no watcher is shown."""
        p, rows = context.playing.picture, context.rows(Scope.ALL)
        others = bool((p.side[rows] != context.playing.side).any())
        return "" if context.selected or others else "no watcher is in sight"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the seconds for the tile under the cursor."""
        seconds = float(seconds_of_watchers(context, int(y), int(x), int(y) + 1, int(x) + 1)[0, 0])
        return f"identified in {seconds:.1f} s" if np.isfinite(seconds) else "a standing unit is not seen here"
