"""Overlay of repairs: what an edit of the map costs each structure that the searches read.

The overlay keeps structures of its own and repairs them as the game repairs its: by the changed rectangles.  Counts are
exact; microseconds are this machine's, now.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import pygame

from game.view.camera import Camera
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.overlays.pencil import class_of
from game.view.palette import RGB

MOST_TILES = 1 << 18
FADES = 40
"""Ticks for which a changed rectangle stays visible."""


@dataclass(frozen=True)
class Repair:
    """What one structure did after the last edit."""

    structure: str
    amount: int
    unit: str
    of: int
    micros: float


@overlay
class Repairs(Overlay):
    """The last edit of the map, and what each structure mended for it (GP2 1)."""

    name, title, channel, scope = "repairs", "Repairs", Channel.LINE, Scope.ALL
    question = "What did the last change of the map cost to mend?"

    def __init__(self) -> None:
        self._revision = -1
        self._klass = 0
        self._tick = -1
        self._boxes: list[tuple[int, int, int, int]] = []
        self._clusters = np.zeros((0, 2), np.int64)
        self._rows: list[Repair] = []
        self._kept: dict[str, Any] = {}
        self.edits = 0

    def _follow(self, context: LabContext) -> None:
        terrain, klass = context.world.terrain, class_of(context)
        if terrain.passable.size > MOST_TILES:
            return
        if not self._kept or klass != self._klass or terrain.revision < self._revision:
            self._build(context, klass)
        elif terrain.revision != self._revision:
            boxes = terrain.changes_since(self._revision, ("passable", "cost"))
            if boxes is None:
                self._build(context, klass)
            elif boxes:
                self._repair(terrain, boxes)
                self._tick = int(context.world.tick)
                self.edits += 1
            self._revision = int(terrain.revision)

    def _build(self, context: LabContext, klass: int) -> None:
        from ai.grid.components import Components
        from ai.search.hierarchy import ClusterGraph
        from ai.search.jps_plus import jump_tables
        from ai.search.uniform import UniformGround

        terrain = context.world.terrain
        ground = UniformGround.build(terrain, klass)
        self._kept = {
            "components": Components.build(terrain),
            "clusters": ClusterGraph.build(terrain, klass),
            "ground": ground,
            "tables": jump_tables(ground),
        }
        self._klass, self._revision, self._tick = klass, int(terrain.revision), -1
        self._boxes, self._rows, self.edits = [], [], 0
        self._clusters = np.zeros((0, 2), np.int64)

    def _repair(self, terrain: Any, boxes: list[tuple[int, int, int, int]]) -> None:
        from ai.search.jps_plus import jump_tables

        kept, rows = self._kept, []
        before = kept["components"].local.copy()
        _, micros = _timed(kept["components"].update, terrain)
        blocks = int((before != kept["components"].local).any(axis=0).sum())
        rows.append(Repair("components", blocks, "tiles", terrain.passable.size, micros))
        versions = kept["clusters"].versions.copy()
        count, micros = _timed(kept["clusters"].update, terrain)
        rows.append(Repair("clusters", int(count), "clusters", versions.size, micros))
        self._clusters = np.argwhere(versions != kept["clusters"].versions)
        ground = kept["ground"]
        words = [getattr(ground, name).copy() for name in ("east", "west", "south", "north")]
        _, micros = _timed(ground.update, terrain)
        now = [getattr(ground, name) for name in ("east", "west", "south", "north")]
        mended = sum(int((a != b).sum()) for a, b in zip(words, now, strict=True))
        rows.append(Repair("jump words", mended, "words", sum(a.size for a in now), micros))
        tables, micros = _timed(jump_tables, ground)
        changed = int((tables != kept["tables"]).any(axis=1).sum())
        rows.append(Repair("JPS+ tables", changed, "tiles", len(tables), micros))
        kept["tables"] = tables
        self._rows, self._boxes = rows, boxes

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """The changed rectangle, and the clusters that were built again, fading."""
        self._follow(context)
        age = int(context.world.tick) - self._tick
        if self._tick < 0 or not 0 <= age < FADES or not self._kept:
            return
        size = self._kept["clusters"].size
        width = max(1, 5 - age * 5 // FADES)
        for row, column in self._clusters.tolist():
            rect = _box(camera, (row * size, column * size, (row + 1) * size, (column + 1) * size))
            pygame.draw.rect(surface, context.palette["rim"], rect.inflate(-2, -2), width + 3)
            pygame.draw.rect(surface, self._mended(context), rect.inflate(-4, -4), width)
        for box in self._boxes:
            rect = _box(camera, box).inflate(10, 10)
            pygame.draw.rect(surface, context.palette["ink"], rect.inflate(4, 4), width + 4)
            pygame.draw.rect(surface, self._edited(context), rect.inflate(2, 2), width + 1)

    @staticmethod
    def _mended(context: LabContext) -> RGB:
        return context.palette.ramps["okabe_ito"][2]

    @staticmethod
    def _edited(context: LabContext) -> RGB:
        return context.palette.ramps["okabe_ito"][5]

    def legend(self, context: LabContext) -> list[LegendRow]:
        """A row a structure: how much of how much, and how long it took."""
        self._follow(context)
        rows = [
            LegendRow("what changed", self._edited(context), f"edit {self.edits}" if self.edits else "no edit yet"),
            LegendRow("clusters built again", self._mended(context), "", "line"),
        ]
        return rows + [
            LegendRow(r.structure, context.palette["ink"], f"{r.amount} of {r.of} {r.unit}, {r.micros:.0f} µs", "ring")
            for r in self._rows
        ]

    def empty(self, context: LabContext) -> str:
        """Before the first edit, on a map that is too large, or once the marks have faded."""
        if context.world.terrain.passable.size > MOST_TILES:
            return "this map is too large for it"
        if self._tick < 0:
            return "the map has not changed since this is on"
        return "" if int(context.world.tick) - self._tick < FADES else "nothing has changed lately"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """How often the cluster here was built."""
        if not self._kept:
            return ""
        graph = self._kept["clusters"]
        return f"cluster built {int(graph.versions[int(y) // graph.size, int(x) // graph.size])} times"


def _timed(call: Any, *arguments: Any) -> tuple[Any, float]:
    begin = time.perf_counter()
    made = call(*arguments)
    return made, (time.perf_counter() - begin) * 1e6


def _box(camera: Camera, box: tuple[int, int, int, int]) -> pygame.Rect:
    left, top = camera.to_screen(box[1], box[0])
    right, bottom = camera.to_screen(box[3], box[2])
    return pygame.Rect(left, top, right - left, bottom - top)
