"""Overlays of how good places are: how well each shields from shots all around, and how far one looks from it.

The very numbers by which guards who back off choose their cover.  A field is worked out some tiles a frame, the
middle of the screen first, so that no frame waits for it; what is not yet known is hatched.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.tactics.place_quality import cover_quality, views, visibility_quality
from game.view.overlays.overlay import NOT_COMPUTED, Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.overlays.senses.hiding_overlays import painted
from game.world.world import World

Judge = Callable[[World, NDArray[np.int32]], NDArray[np.float64]]


class Sliced:
    """A field over the tiles that somebody can stand on, worked out ``slice_`` tiles a call; NaN is not yet known."""

    def __init__(self, judge: Judge, slice_: int) -> None:
        self.judge, self.slice = judge, slice_
        self.field = np.full((0, 0), np.nan)
        self.made_of: Any = None
        self.version = 0

    def stand(self, world: World) -> NDArray[np.bool_]:
        """bool[H, W]: where walkers can stand."""
        return (world.terrain.passable & 1) != 0

    def window(self, world: World, y0: int, x0: int, y1: int, x1: int) -> NDArray[np.float64]:
        """The field in a window, after one more slice of it."""
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
        """The value of one tile, None where nobody stands."""
        y0, x0 = int(y), int(x)
        if not self.stand(world)[y0, x0]:
            return None
        return float(self.window(world, y0, x0, y0 + 1, x0 + 1)[0, 0])


def _shields(world: World, tiles: NDArray[np.int32]) -> NDArray[np.float64]:
    return cover_quality(world.terrain.opaque, tiles, (world.terrain.passable & 1) != 0)


def _looks_out(world: World, tiles: NDArray[np.int32]) -> NDArray[np.float64]:
    return visibility_quality(world.terrain.opaque, tiles)


class _Quality(Overlay):
    """A sliced field in cividis."""

    channel, scope = Channel.FILL, Scope.ALL
    judge: Judge
    slice_ = 96
    words = ""

    def __init__(self) -> None:
        self.field = Sliced(type(self).judge, self.slice_)

    def stamp(self, context: LabContext) -> Any:
        """Changes with the map, and with every slice until all is known."""
        return context.world.terrain.revision, self.field.version

    def fill(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Cividis, bright where the place is good; hatched where it is not yet worked out; nothing in walls."""
        values = self.field.window(context.world, y0, x0, y1, x1)
        known = ~np.isnan(values)
        out = painted(context, np.where(known, values, 0.0), known, 150)
        out[~known & self.field.stand(context.world)[y0:y1, x0:x1]] = NOT_COMPUTED
        return out

    def legend(self, context: LabContext) -> list[LegendRow]:
        """The ramp."""
        ramp = tuple(context.palette.ramps["cividis"])
        return [LegendRow(self.words, ramp[-1], "share", "ramp", ramp)]


@overlay
class CoverQuality(_Quality):
    """How well a place shields from shots all around."""

    name, title = "cover_quality", "Good cover"
    question = "What share of shots from all around fails here?"
    judge, words = staticmethod(_shields), "0 to 1; blank: no ground"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Of the tile under the cursor, with how many tiles look at it."""
        value, world = self.field.at(context.world, x, y), context.world
        if value is None:
            return "nobody stands here"
        told = f"{value:.0%} of shots fail"
        if world.sight.bits is None:
            return told
        tile = np.array([[int(y), int(x)]], np.int32)
        return f"{told}, {int(views(world.sight.bits, world.terrain.opaque, tile)[0])} tiles look at it"


@overlay
class ViewQuality(_Quality):
    """How far one looks from a place."""

    name, title = "view_quality", "Good outlook"
    question = "How far does one look round from here?"
    judge, words, slice_ = staticmethod(_looks_out), "0 to 1 of 12 tiles; blank: no ground", 24

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Of the tile under the cursor."""
        value = self.field.at(context.world, x, y)
        return "nobody stands here" if value is None else f"looks {value * 12:.1f} of 12 tiles far, on average"
