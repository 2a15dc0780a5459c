"""Overlays of the ground: step cost, connected components and the last search."""

from __future__ import annotations

from typing import Any

import numpy as np

from ai.grid.terrain import ORDINARY_COST
from ai.search.astar.astar import CLOSED, OPEN
from game.level.model import GROUNDS
from game.view.overlays.grid_overlay import GridOverlay, Scale
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.painting.palette import RGB

MOST_COSTS, MOST_PARTS = 7, 4
"""Most costs, and most parts besides the largest, that a legend names."""


def _class_of(context: LabContext) -> int:
    """Return the movement class of the first selected unit, or that of walkers."""
    rows = context.playing.picture.rows(context.selected[:1])
    return int(context.playing.picture.movement_class[rows[0]]) if len(rows) else 0


@overlay
class Cost(GridOverlay):
    """Cost of each tile, and tiles blocked for a movement class."""

    name, title, channel, scope = "cost", "Step cost", Channel.FILL, Scope.ALL
    question = "What does a step cost here, and which classes can walk?"
    like = "machine"
    crisp, strength = True, 120

    def stamp(self, context: LabContext) -> Any:
        """Return a key that changes with the map and the movement class."""
        return int(context.world.terrain.revision), _class_of(context)

    def scale(self, context: LabContext) -> Scale:
        """Return one colour for each cost of this map, the cheapest first."""
        ramp, many = context.palette.ramps["cividis"], max(len(self._costs(context)), 2)
        colours = tuple(ramp[2 + k * (len(ramp) - 3) // (many - 1)] for k in range(many))
        return Scale(colours, -0.5, many - 0.5)

    def _costs(self, context: LabContext) -> list[int]:
        """Return the costs in eighths of the open tiles, at most MOST_COSTS of them."""
        terrain = context.world.terrain
        found = np.unique(terrain.cost[terrain.passable & (1 << _class_of(context)) != 0]).tolist()
        return found if len(found) <= MOST_COSTS else found[:: -(-len(found) // MOST_COSTS)]

    def values(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the rank of each tile's cost among the costs of the map."""
        terrain, costs = context.world.terrain, self._costs(context)
        rank = np.searchsorted(costs, terrain.cost[y0:y1, x0:x1], side="right") - 1.0
        blocked = terrain.passable[y0:y1, x0:x1] & (1 << _class_of(context)) == 0
        return np.where(blocked, -np.inf, np.maximum(rank, 0.0))

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return a row for each cost, with the ground that has it."""
        scale, terrain, level = self.scale(context), context.world.terrain, context.playing.level
        rows = []
        for cost, colour in zip(self._costs(context), scale.ramp, strict=False):
            here = (terrain.cost == cost) & (terrain.passable & (1 << _class_of(context)) != 0)
            kinds = np.bincount(level.ground[here].ravel().astype(np.int64), minlength=1)
            ground = GROUNDS[int(kinds.argmax())].replace("_", " ")
            rows.append(LegendRow(ground, colour, f"{cost / ORDINARY_COST:g} a step"))
        return [*rows, LegendRow("blocked for this class", context.palette["ink"], "tiles")]

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
        return f"{terrain.cost[ty, tx] / ORDINARY_COST:g} tiles a step; {', '.join(names) or 'no class'}"


@overlay
class ComponentsMap(GridOverlay):
    """Connected components of a movement class."""

    name, title, channel, scope = "components", "Components", Channel.FILL, Scope.ALL
    question = "Which tiles are reachable from each other?"
    crisp, strength = True, 120

    def stamp(self, context: LabContext) -> Any:
        """Return a key that changes with the map and the movement class."""
        return int(context.world.components.revision), _class_of(context)

    def _sizes(self, context: LabContext) -> list[tuple[int, int]]:
        """Return (label, tiles) of each component, the largest first."""
        labels = context.world.components.label_map(_class_of(context))
        counts = np.bincount(labels.ravel().astype(np.int64), minlength=1)
        counts[0] = 0
        order = np.lexsort((np.arange(len(counts)), -counts))
        return [(int(label), int(counts[label])) for label in order.tolist() if counts[label]]

    def scale(self, context: LabContext) -> Scale:
        """Return the colours of the parts that are cut off from the largest one."""
        colours = tuple(_categories(context))
        return Scale(colours, -0.5, len(colours) - 0.5)

    def values(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return a colour's index for each part but the largest.

        The largest part stays plain; blocked tiles are dark.
        """
        labels = context.world.components.label_map(_class_of(context))[y0:y1, x0:x1].astype(np.int64)
        sizes = self._sizes(context)
        index = np.full(max([label for label, _ in sizes], default=0) + 1, np.nan)
        for k, (label, _) in enumerate(sizes[1:]):
            index[label] = k % len(_categories(context))
        index[0] = -np.inf
        found: np.ndarray = index[labels]
        return found

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the size of the largest component and of the next ones."""
        sizes, colours = self._sizes(context), _categories(context)
        whole = max(sum(size for _, size in sizes), 1)
        rows = [LegendRow("plain: largest part", context.palette["rim"], f"{sizes[0][1] / whole:.1%}")] if sizes else []
        for k, (label, size) in enumerate(sizes[1 : MOST_PARTS + 1]):
            rows.append(LegendRow(f"cut off: part {label}", colours[k % len(colours)], f"{size} tiles"))
        if len(sizes) > MOST_PARTS + 1:
            rows.append(LegendRow(f"and {len(sizes) - MOST_PARTS - 1} more", context.palette["ink"], style="plain"))
        return [*rows, LegendRow("blocked: in no part", context.palette["ink"], "tiles")]

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
