"""Overlays of place quality: cover from shots on all sides, and view.

Guards that fall back choose their cover by the same values. A field is computed some tiles a frame, from the middle of
the screen outwards, so that no frame is delayed. Tiles that are not computed yet are hatched.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.tactics.place_quality import cover_quality, views, visibility_quality
from game.view.overlays.grid_overlay import GridOverlay, Scale
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Scope, overlay
from game.world.world import World

Judge = Callable[[World, NDArray[np.int32]], NDArray[np.float64]]


class Sliced:
    """Field over passable tiles, computed ``slice_`` tiles a call; NaN means not computed."""

    def __init__(self, judge: Judge, slice_: int) -> None:
        self.judge, self.slice = judge, slice_
        self.field = np.full((0, 0), np.nan)
        self.made_of: Any = None
        self.version = 0

    def stand(self, world: World) -> NDArray[np.bool_]:
        """Return bool[H, W]: tiles that walkers can enter."""
        return (world.terrain.passable & 1) != 0

    def window(self, world: World, y0: int, x0: int, y1: int, x1: int) -> NDArray[np.float64]:
        """Compute one more slice and return the field in a window."""
        key = world.level_digest, world.terrain.revision
        if self.made_of != key:
            self.made_of, self.field = key, np.full(world.terrain.passable.shape, np.nan)
        part = self.field[y0:y1, x0:x1]
        ys, xs = np.nonzero(np.isnan(part) & self.stand(world)[y0:y1, x0:x1])
        if len(ys):
            nearest = np.argsort(np.hypot(ys - (y1 - y0) / 2, xs - (x1 - x0) / 2), kind="stable")[: self.slice]
            ys, xs = ys[nearest], xs[nearest]
            part[ys, xs] = self.judge(world, np.column_stack([ys + y0, xs + x0]).astype(np.int32))
            self.version += 1
        return part

    def at(self, world: World, x: float, y: float) -> float | None:
        """Return the value of one tile, or None on an impassable one."""
        y0, x0 = int(y), int(x)
        if not self.stand(world)[y0, x0]:
            return None
        return float(self.window(world, y0, x0, y0 + 1, x0 + 1)[0, 0])


def _shields(world: World, tiles: NDArray[np.int32]) -> NDArray[np.float64]:
    return cover_quality(world.terrain.opaque, tiles, (world.terrain.passable & 1) != 0)


def _looks_out(world: World, tiles: NDArray[np.int32]) -> NDArray[np.float64]:
    return visibility_quality(world.terrain.opaque, tiles)


class _Quality(GridOverlay):
    """Sliced field in cividis colours."""

    channel, scope = Channel.FILL, Scope.ALL
    judge: Judge
    slice_ = 96
    most: float | None = None
    """Value of a full share; None for shares in percent."""
    unit = ""

    def __init__(self) -> None:
        self.field = Sliced(type(self).judge, self.slice_)

    def stamp(self, context: LabContext) -> Any:
        """Return a key that changes with the map and with every slice."""
        return context.world.terrain.revision, self.field.version

    def scale(self, context: LabContext) -> Scale:
        """Return steps of the share, in the words of the quality."""
        ramp = tuple(context.palette.ramps["cividis"])
        told = [f"{100 * k // 2} %" if self.most is None else f"{self.most * k / 2:g}" for k in range(3)]
        return Scale(ramp, 0.0, 1.0, tuple(zip((0.0, 0.5, 1.0), told, strict=True)))

    def values(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the quality; tiles that wait for their slice are not computed."""
        found = self.field.window(context.world, y0, x0, y1, x1)
        waits = np.isnan(found) & self.field.stand(context.world)[y0:y1, x0:x1]
        return np.where(waits, np.inf, found)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the ramp with its ticks."""
        return [self.scale(context).row("blank: no ground", self.unit)]


@overlay
class CoverQuality(_Quality):
    """Cover quality: share of shots from all sides that fail."""

    name, title = "cover_quality", "Good cover"
    question = "What share of shots from all sides fails here?"
    judge, unit = staticmethod(_shields), "of shots fail"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return cover quality under the cursor, and how many tiles see the tile."""
        value, world = self.field.at(context.world, x, y), context.world
        if value is None:
            return "no unit can stand here"
        told = f"{value:.0%} of shots fail"
        if world.sight.bits is None:
            return told
        tile = np.array([[int(y), int(x)]], np.int32)
        return f"{told}, {int(views(world.sight.bits, world.terrain.opaque, tile)[0])} tiles see it"


@overlay
class ViewQuality(_Quality):
    """View quality: mean free distance of sight in all directions."""

    name, title = "view_quality", "Good view"
    question = "How far does a unit see in all directions here?"
    like = "cover_quality"
    judge, unit, most, slice_ = staticmethod(_looks_out), "tiles of view", 12.0, 24

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the view quality under the cursor, in tiles."""
        value = self.field.at(context.world, x, y)
        return "no unit can stand here" if value is None else f"sees {value * 12:.1f} of 12 tiles far, on average"
