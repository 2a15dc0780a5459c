"""Overlay of repairs: cost of a map edit for each structure of the searches.

The overlay keeps its own structures and repairs them with the same calls as the game: from the changed rectangles, in
slices where the game uses slices. Counts are exact. Microseconds depend on the machine. The charge is the largest one
of a tick since the edit, read from the game's path manager.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pygame

from ai.grid.components import Components
from ai.grid.terrain import Terrain
from ai.search.fields.flow_field import FlowField
from ai.search.hierarchy.hpa import ClusterGraph
from ai.search.jps.jps import UniformGround
from ai.search.jps.jump_tables import JumpTables
from ai.search.regions.region_graph import Regions
from ai.search.subgoals.subgoal_graph import SubgoalGraph
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.overlays.pencil import class_of
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB

MOST_TILES = 1 << 18
FADES = 40
"""Ticks for which a changed rectangle stays visible."""


SLICE = 1000
"""Revolutions of one slice of a repair."""


@dataclass(frozen=True)
class Repair:
    """Repair of one structure after the last edit: ``amount`` of ``of`` parts changed.

    ``unit`` names the parts and ``micros`` is the time in microseconds. ``slices`` is 0 for a structure that is always
    repaired at once.
    """

    structure: str
    amount: int
    unit: str
    of: int
    micros: float
    slices: int = 0


@overlay
class Repairs(Overlay):
    """Last map edit and the repair of each structure (GP2 1)."""

    name, title, channel, scope = "repairs", "Repairs", Channel.LINE, Scope.ALL
    question = "How much did each structure repair after the last edit?"

    def __init__(self) -> None:
        self._revision = -1
        self._movement_class = 0
        self._tick = -1
        self._boxes: list[tuple[int, int, int, int]] = []
        self._clusters = np.zeros((0, 2), np.int64)
        self._rows: list[Repair] = []
        self._kept: dict[str, Any] = {}
        self._charged = 0
        self.edits = 0

    def _follow(self, context: LabContext) -> None:
        terrain, movement_class = context.world.terrain, class_of(context)
        if terrain.passable.size > MOST_TILES:
            return
        if not self._kept or movement_class != self._movement_class or terrain.revision < self._revision:
            self._build(context, movement_class)
        elif terrain.revision != self._revision:
            boxes = terrain.changes_since(self._revision, ("passable", "cost"))
            if boxes is None:
                self._build(context, movement_class)
            elif boxes:
                self._repair(terrain, boxes)
                self._tick = int(context.world.tick)
                self._charged = 0
                self.edits += 1
            self._revision = int(terrain.revision)
        self._charged = max(self._charged, int(context.world.paths.statistics.charged_this_tick))

    def _build(self, context: LabContext, movement_class: int) -> None:
        terrain = context.world.terrain
        if not self._kept:
            # Each kernel is called once before it is timed, so no time includes compilation.
            trial = Terrain.build(np.ones((12, 12), bool))
            self._kept = self._made(trial, movement_class)
            trial.edit(4, 4, 5, 9, passable=0)
            self._repair(trial, [(4, 4, 5, 9)])
        self._kept = self._made(terrain, movement_class)
        self._movement_class, self._revision, self._tick = movement_class, int(terrain.revision), -1
        self._boxes, self._rows, self.edits = [], [], 0
        self._clusters = np.zeros((0, 2), np.int64)

    @staticmethod
    def _made(terrain: Terrain, movement_class: int) -> dict[str, Any]:
        ground = UniformGround.build(terrain, movement_class)
        kept: dict[str, Any] = {
            "components": Components.build(terrain),
            "clusters": ClusterGraph.build(terrain, movement_class),
            "ground": ground,
            "tables": JumpTables.build(ground),
            "subgoals": SubgoalGraph.build(ground),
            "regions": Regions.build(terrain, movement_class),
        }
        tiles = np.argwhere(terrain.passable >> movement_class & 1)
        if len(tiles):
            # The goal of the field is the open tile nearest to the middle.
            middle = np.abs(tiles - np.array(terrain.passable.shape) // 2).sum(axis=1).argmin()
            field = kept["field"] = FlowField.build(terrain, movement_class, tiles[[middle]])
            while field.revision != terrain.revision:
                field.run(terrain, 1 << 40)
        return kept

    def _repair(self, terrain: Terrain, boxes: list[tuple[int, int, int, int]]) -> None:
        kept = self._kept
        before = kept["components"].local.copy()
        _, micros = _timed(kept["components"].update, terrain)
        tiles = int((before != kept["components"].local).any(axis=0).sum())
        rows = [Repair("components", tiles, "tiles", terrain.passable.size, micros)]
        versions = kept["clusters"].versions.copy()
        count, micros = _timed(kept["clusters"].update, terrain)
        rows.append(Repair("clusters", int(count), "clusters", versions.size, micros))
        self._clusters = np.argwhere(versions != kept["clusters"].versions)
        regions, field = kept["regions"], kept.get("field")
        slices, micros = _in_slices(lambda: regions.work(terrain, SLICE) if regions.revision != terrain.revision else 0)
        changed = int(np.count_nonzero(regions.changed_at > kept.get("cuts", 0)))
        kept["cuts"] = regions.cuts
        live = int(np.count_nonzero(regions.tiles[: regions.open_count]))
        rows.append(Repair("regions", changed, "regions", live, micros, slices))
        if field is not None:
            moves = field.moves.copy()
            # Writing a finished flood to the field costs no revolution, but it is a slice.
            slices, micros = _in_slices(
                lambda: field.run(terrain, SLICE) + 1 if field.revision != terrain.revision else 0
            )
            rows.append(Repair("flow field", int((moves != field.moves).sum()), "tiles", moves.size, micros, slices))
        rows += self._on_rows(terrain, boxes)
        self._rows, self._boxes = rows, boxes

    def _on_rows(self, terrain: Terrain, boxes: list[tuple[int, int, int, int]]) -> list[Repair]:
        """Repair the packed rows of jump point search and the structures built on them."""
        ground, tables, graph = self._kept["ground"], self._kept["tables"], self._kept["subgoals"]
        words = [getattr(ground, name).copy() for name in ("east", "west", "south", "north")]
        _, micros = _timed(ground.update, terrain)
        now = [getattr(ground, name) for name in ("east", "west", "south", "north")]
        mended = sum(int((a != b).sum()) for a, b in zip(words, now, strict=True))
        rows = [Repair("packed rows", mended, "words", sum(a.size for a in now), micros)]
        jumps = tables.jumps.copy()
        tables.edited(ground, boxes)
        slices, micros = _in_slices(lambda: tables.advance(ground, SLICE))
        changed = int((jumps != tables.jumps).any(axis=1).sum())
        rows.append(Repair("jump tables", changed, "tiles", len(jumps), micros, slices))
        corners, links = _corners_and_links(graph)
        graph.edited(ground, boxes)
        slices, micros = _in_slices(lambda: graph.advance(ground, SLICE))
        now_corners, now_links = _corners_and_links(graph)
        relinked = np.setxor1d(links, now_links) >> 32
        changed = len(np.union1d(relinked, np.setxor1d(corners, now_corners)))
        rows.append(Repair("subgoal graph", changed, "corners", len(now_corners), micros, slices))
        return rows

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw the changed rectangle and the rebuilt clusters; both fade."""
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
        """Return a row for each structure: changed parts, all parts, and time."""
        self._follow(context)
        edits = (
            f"{self._charged} of {context.world.settings.paths.budget} rev. charged" if self.edits else "no edit yet"
        )
        rows = [LegendRow(f"edit {self.edits}" if self.edits else "last edit", self._edited(context), edits)]
        for r in self._rows:
            colour, style = (
                (self._mended(context), "line") if r.structure == "clusters" else (context.palette["ink"], "ring")
            )
            sliced = f" in {r.slices}" if r.slices > 1 else ""
            cost = f"{_short(r.amount)}/{_short(r.of)} {r.unit}, {_spell(r.micros)}{sliced}"
            rows.append(LegendRow(r.structure, colour, cost, style))
        return rows

    def empty(self, context: LabContext) -> str:
        """Return a message without a recent edit or on a large map."""
        if context.world.terrain.passable.size > MOST_TILES:
            return "this map is too large for it"
        if self._tick < 0:
            return "no map edit since this overlay was switched on"
        return "" if int(context.world.tick) - self._tick < FADES else "no recent map edit"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return how often the cluster under the cursor was built."""
        if not self._kept:
            return ""
        graph = self._kept["clusters"]
        return f"cluster built {int(graph.versions[int(y) // graph.size, int(x) // graph.size])} times"


def _short(number: int) -> str:
    return f"{number / 1000:.0f}k" if number >= 10_000 else str(number)


def _spell(micros: float) -> str:
    return f"{micros / 1000:.0f} ms" if micros >= 10_000 else f"{micros:.0f} µs"


def _timed(call: Any, *arguments: Any) -> tuple[Any, float]:
    begin = time.perf_counter()
    made = call(*arguments)
    return made, (time.perf_counter() - begin) * 1e6


def _in_slices(call: Callable[[], int]) -> tuple[int, float]:
    """Return the number of calls that did work, and the microseconds of all calls."""
    begin, slices = time.perf_counter(), 0
    while call():
        slices += 1
    return max(slices, 1), (time.perf_counter() - begin) * 1e6


def _corners_and_links(graph: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return corners int64[n] (y << 16 | x) and links int64[m] (from << 32 | to)."""
    places = graph.places.astype(np.int64) @ (1 << 16, 1)
    ends = places[graph.edges()]
    return places[graph.live], ends[:, 0] << 32 | ends[:, 1]


def _box(camera: Camera, box: tuple[int, int, int, int]) -> pygame.Rect:
    left, top = camera.to_screen(box[1], box[0])
    right, bottom = camera.to_screen(box[3], box[2])
    return pygame.Rect(left, top, right - left, bottom - top)
