"""Overlays of the ground: step cost, connected components and the last search."""

from __future__ import annotations

from typing import Any

import numpy as np

from ai.search.astar.astar import CLOSED, OPEN
from game.view.overlays.overlay import NOT_COMPUTED, Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.painting.palette import RGB

ORDINARY = 8
DEAREST = 32
"""Cost in eighths at which the ramp ends; more expensive tiles look the same."""


def _class_of(context: LabContext) -> int:
    """Return the movement class of the first selected unit, or that of walkers."""
    rows = context.playing.picture.rows(context.selected[:1])
    return int(context.playing.picture.movement_class[rows[0]]) if len(rows) else 0


@overlay
class Cost(Overlay):
    """Cost of each tile, and tiles blocked for a movement class."""

    name, title, channel, scope = "cost", "Step cost", Channel.FILL, Scope.ALL
    question = "What does a step cost here, and which classes can walk?"

    def stamp(self, context: LabContext) -> Any:
        """Return a key that changes with the map and the movement class."""
        return int(context.world.terrain.revision), _class_of(context)

    def fill(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return cividis colours by cost; blocked tiles are dark."""
        terrain = context.world.terrain
        cost = terrain.cost[y0:y1, x0:x1].astype(np.int64)
        ramp = np.array(context.palette.ramps["cividis"], np.uint8)
        at = np.clip((cost - 1) * (len(ramp) - 1) // (DEAREST - 1), 0, len(ramp) - 1)
        out = np.empty((*cost.shape, 4), np.uint8)
        out[..., :3] = ramp[at]
        out[..., 3] = 120
        blocked = terrain.passable[y0:y1, x0:x1] & (1 << _class_of(context)) == 0
        out[blocked] = (*context.palette["ink"], 190)
        return out

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of the ramp and of blocked tiles."""
        ramp = context.palette.ramps["cividis"]
        return [
            LegendRow("1/8 to 4 and more", ramp[0], "tiles of ordinary ground", "ramp", ramp),
            LegendRow("blocked for this class", context.palette["ink"], "tiles"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return that all tiles look the same, as on a bare map."""
        terrain, bit = context.world.terrain, 1 << _class_of(context)
        free = terrain.cost[terrain.passable & bit != 0]
        if len(free) == 0:
            return "this class can enter no tile"
        return "each open tile costs the same" if free.min() == free.max() else ""

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the cost in tiles and the movement classes that can enter."""
        terrain = context.world.terrain
        ty, tx = int(y), int(x)
        mask = int(terrain.passable[ty, tx])
        names = [name for bit, name in enumerate(("walk", "crawl", "doors", "wade")) if mask >> bit & 1]
        return f"{terrain.cost[ty, tx] / ORDINARY:g} tiles a step; {', '.join(names) or 'no class'}"


@overlay
class ComponentsMap(Overlay):
    """Connected components of a movement class."""

    name, title, channel, scope = "components", "Components", Channel.FILL, Scope.ALL
    question = "Which tiles are reachable from each other?"

    def stamp(self, context: LabContext) -> Any:
        """Return a key that changes with the map and the movement class."""
        return int(context.world.components.revision), _class_of(context)

    def fill(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return a colour for each component; blocked tiles count as not computed."""
        labels = context.world.components.label_map(_class_of(context))[y0:y1, x0:x1].astype(np.int64)
        colours = np.array(_categories(context), np.uint8)
        out = np.empty((*labels.shape, 4), np.uint8)
        out[..., :3] = colours[(labels * 2654435761 >> 7) % len(colours)]
        out[..., 3] = 105
        out[labels == 0] = NOT_COMPUTED
        return out

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of colour and number."""
        colours = _categories(context)
        return [
            LegendRow("one colour, one component", colours[0], "number", "ramp", tuple(colours)),
            LegendRow("blocked: in no component", context.palette["ink"], "tiles", "hatch"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return that all open tiles look the same, because they are one component."""
        labels = context.world.components.label_map(_class_of(context))
        free = labels[labels > 0]
        if len(free) == 0:
            return "this class can enter no tile"
        return "each open tile is reachable from every other" if free.min() == free.max() else ""

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the number of the component."""
        label = context.world.components.label(_class_of(context), int(y), int(x))
        return f"component {label}" if label else "blocked: no component"


@overlay
class FloodMap(Overlay):
    """Tiles that the last finished full search touched (AW 3.4)."""

    name, title, channel, scope = "flood", "A* flood", Channel.FILL, Scope.ALL
    question = "How much ground did the last full search touch?"

    def stamp(self, context: LabContext) -> Any:
        """Return a key that changes with each finished search."""
        flood = context.world.paths.flood
        return int(flood.tick), int(flood.unit), int(flood.revolutions)

    def _status(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        flood = context.world.paths.flood
        out = np.zeros((y1 - y0, x1 - x0), np.uint8)
        tiles = np.asarray(flood.tiles)
        fy, fx = int(flood.y), int(flood.x)
        ay, ax = max(y0, fy), max(x0, fx)
        by, bx = min(y1, fy + tiles.shape[0]), min(x1, fx + tiles.shape[1])
        if ay < by and ax < bx:
            out[ay - y0 : by - y0, ax - x0 : bx - x0] = tiles[ay - fy : by - fy, ax - fx : bx - fx]
        return out

    def fill(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return a dark colour for closed tiles and a bright one for open tiles."""
        status = self._status(context, y0, x0, y1, x1)
        out = np.zeros((*status.shape, 4), np.uint8)
        out[status & CLOSED != 0] = (*self._closed(context), 150)
        out[status & OPEN != 0] = (*self._open(context), 190)
        return out

    @staticmethod
    def _closed(context: LabContext) -> RGB:
        return context.palette.ramps["okabe_ito"][4]

    @staticmethod
    def _open(context: LabContext) -> RGB:
        return context.palette.ramps["okabe_ito"][5]

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of closed and open, with the number of revolutions."""
        flood = context.world.paths.flood
        closed = f"{int(flood.revolutions)} revolutions" if int(flood.unit) >= 0 else "no search yet"
        return [
            LegendRow("closed: expanded", self._closed(context), closed),
            LegendRow("open: not expanded yet", self._open(context), "tiles"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return a message before the first search."""
        return "" if int(context.world.paths.flood.unit) >= 0 else "no full search has finished yet"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the state of the tile, and the revolutions and unit of the search."""
        flood = context.world.paths.flood
        if int(flood.unit) < 0:
            return "no full search has finished yet"
        status = int(self._status(context, int(y), int(x), int(y) + 1, int(x) + 1)[0, 0])
        word = "closed" if status & CLOSED else "open" if status & OPEN else "untouched"
        return f"{word}; {int(flood.revolutions)} rev for {context.world.name_of(int(flood.unit))}"


def _categories(context: LabContext) -> list[RGB]:
    """Return the Okabe-Ito colours without black."""
    return list(context.palette.ramps["okabe_ito"][:6])
