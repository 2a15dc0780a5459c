"""Overlays of modular A*: tile costs, closed tiles, and patches found by flooding."""

from __future__ import annotations

from typing import Any

import numpy as np

from ai.paths.engines.machine_engine import HIDES, MachineEngine, shelter_lack
from ai.search.modular_astar.modular_astar import ModularAstar, patches
from game.level.model import GROUND
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.overlays.pencil import class_of, path_of
from game.view.painting.palette import RGB

MOST_TILES = 1 << 16
DEAREST = 48
"""Cost in eighths at which the ramp ends."""

PATCHES = (("wood", 1), ("water", 4), ("reeds", 0), ("field", 2), ("floor", 5))
"""Kinds of ground with patches, each with the index of its colour."""

STORAGES = {"heap": "heap", "cheap_list": "cheap list", "sorted_list": "sorted list", "fifo": "first come, first out"}
ERRANDS = {"none": "none", "scout": "scout: open ground is expensive", "deer": "deer: only cover is allowed"}


@overlay
class ModularAstarOverlay(Overlay):
    """Modular A* for the selected unit: modified costs and closed tiles (AW 3.2)."""

    name, title, channel, scope = "machine", "Modular A*", Channel.FILL, Scope.SELECTED
    question = "What does each tile cost this search, and which were closed?"

    def __init__(self) -> None:
        self._key: Any = None
        self._paths_found: Any = None
        self._closed = np.zeros((0, 0), bool)

    def stamp(self, context: LabContext) -> Any:
        """Return a key of the map, the request and the parts of the search."""
        rows = context.rows(self.scope)
        path = path_of(context, int(rows[0])) if len(rows) and context.selected else None
        s = context.world.settings.paths
        return (
            int(context.world.terrain.revision), class_of(context), path, s.storage, s.modifier, s.modifier_strength,
        )  # fmt: skip

    def _made(self, context: LabContext) -> Any:
        terrain, key = context.world.terrain, self.stamp(context)
        if terrain.passable.size > MOST_TILES:
            return None
        if self._key != key:
            self._paths_found = MachineEngine(terrain, key[1])
            self._paths_found.arrange(context.world.settings.paths)
            self._closed = np.zeros(terrain.passable.shape, bool)
            if key[2] is not None:
                self._paths_found.find(*key[2], 1 << 40)
                tiles = self._paths_found.modular_astar.closed()
                self._closed[tiles[:, 0], tiles[:, 1]] = True
            self._key = key
        return self._paths_found

    def _prices(self, context: LabContext) -> np.ndarray:
        """Return the modified cost of each tile in eighths; 0 is not allowed."""
        paths, s = self._made(context), context.world.settings.paths
        prices = paths.ground.astype(np.int64)
        if s.modifier == "scout":
            prices += np.where(prices > 0, shelter_lack(paths.cover).astype(np.int64) * s.modifier_strength, 0)
        elif s.modifier == "deer":
            prices[paths.cover < HIDES] = 0
        return prices

    def fill(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return cividis colours by cost, stronger on closed tiles.

        Tiles that are not allowed are dark.
        """
        out = np.zeros((y1 - y0, x1 - x0, 4), np.uint8)
        if self._made(context) is None:
            return out
        prices = self._prices(context)[y0:y1, x0:x1]
        ramp = np.array(context.palette.ramps["cividis"], np.uint8)
        at = np.clip((prices - 8) * (len(ramp) - 1) // (DEAREST - 8), 0, len(ramp) - 1)
        out[..., :3] = ramp[at]
        out[..., 3] = np.where(self._closed[y0:y1, x0:x1], 165, 60)
        out[prices == 0] = (*context.palette["ink"], 120)
        return out

    def empty(self, context: LabContext) -> str:
        """Return a message on a map that is too large."""
        return "" if self._made(context) is not None else "this map is too large for it"

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the ramp and the parts of the search."""
        paths, s = self._made(context), context.world.settings.paths
        ramp, ink = tuple(context.palette.ramps["cividis"]), context.palette["ink"]
        closed = int(self._closed.sum()) if paths is not None else 0
        return [
            LegendRow("1 to 6 and more", ramp[0], "tiles of ordinary ground", "ramp", ramp),
            LegendRow("strong: closed by the search", ramp[len(ramp) // 3], f"{closed} tiles"),
            LegendRow("not allowed for this search", ink, "tiles"),
            LegendRow(f"storage: {STORAGES[s.storage]}", ink),
            LegendRow(f"modifier: {ERRANDS[s.modifier]}", ink),
        ]

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the cost of the tile, and whether it was closed."""
        if self._made(context) is None:
            return "map too large for it"
        price = int(self._prices(context)[int(y), int(x)])
        if not price:
            return "not allowed for this search"
        return f"{price / 8:g} tiles a step; {'closed' if self._closed[int(y), int(x)] else 'not closed'}"


@overlay
class Patches(Overlay):
    """Connected patches of one ground, found by floods of modular A* (AW 3.2)."""

    name, title, channel, scope = "patches", "Patches of ground", Channel.FILL, Scope.ALL
    question = "Which tiles form one wood, one water or one hall?"
    like = "machine"

    def __init__(self) -> None:
        self._of: Any = None
        self._labels: dict[str, np.ndarray] = {}
        self._revolutions = 0

    def _made(self, context: LabContext) -> dict[str, np.ndarray]:
        ground = context.playing.level.ground
        if self._of is not ground:
            self._of, self._labels, self._revolutions = ground, {}, 0
            if ground.size <= MOST_TILES:
                modular_astar = ModularAstar(*ground.shape)
                for name, _ in PATCHES:
                    self._labels[name] = patches(ground == GROUND[name], modular_astar)
                    self._revolutions += int((self._labels[name] > 0).sum())
        return self._labels

    def stamp(self, context: LabContext) -> Any:
        """Return a key of the level; its ground never changes."""
        return id(context.playing.level.ground)

    def fill(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return a colour for each kind of ground, in three strengths for its patches."""
        out = np.zeros((y1 - y0, x1 - x0, 4), np.uint8)
        for name, labels in self._made(context).items():
            part = labels[y0:y1, x0:x1]
            out[part > 0] = (*self._colour(context, name), 0)
            out[..., 3] = np.where(part > 0, np.array([90, 150, 200], np.uint8)[part % 3], out[..., 3])
        return out

    @staticmethod
    def _colour(context: LabContext, name: str) -> RGB:
        colour: RGB = context.palette.ramps["okabe_ito"][dict(PATCHES)[name]]
        return colour

    def empty(self, context: LabContext) -> str:
        """Return a message on a map without patches or a large one."""
        return "" if any(labels.any() for labels in self._made(context).values()) else "there are none on this map"

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the number of patches of each ground, and the tiles flooded."""
        rows = []
        for name, labels in self._made(context).items():
            count = int(labels.max(initial=0))
            if count:
                largest = int(np.bincount(labels[labels > 0]).max())
                words = {"field": "field of grain", "floor": "hall", "reeds": "reeds"}.get(name, name)
                many = f"{count} patch" if count == 1 else f"{count} patches"
                rows.append(LegendRow(f"{words}: largest {largest} tiles", self._colour(context, name), many))
        rows.append(LegendRow("flooded by one search", context.palette["ink"], f"{self._revolutions} tiles"))
        return rows

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the patch of the tile and its size."""
        for name, labels in self._made(context).items():
            number = int(labels[int(y), int(x)])
            if number:
                return f"{name} {number}: {int((labels == number).sum())} tiles"
        return "part of no patch"
