"""Overlays of JPS+: jump distances of each tile, and goal bounds of one tile."""

from __future__ import annotations

import math

import numpy as np
import pygame

from ai.grid.moves import MOVE_X, MOVE_Y
from ai.search.jps.goal_bounds_kernels import FAR
from ai.search.jps.jps import UniformGround
from ai.search.jps.jps_plus import jump_tables
from game.view.overlays.overlay import NUMBERS_FROM, Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.overlays.pencil import (
    Layer,
    arrow_head,
    cased,
    centre,
    class_of,
    dot,
    focus_tile,
    path_of,
    shown_rows,
)
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB

MOST_TABLED = 1 << 18
"""Largest map with tables, in tiles."""

MOST_BOUNDED = 1 << 14

NAMES = ("N", "E", "S", "W", "NE", "SE", "SW", "NW")


class _Tables:
    """Jump tables of one movement class at one revision of the terrain."""

    def __init__(self, context: LabContext, movement_class: int) -> None:
        terrain = context.world.terrain
        self.key = (int(terrain.revision), movement_class)
        self.ground = UniformGround.build(terrain, movement_class)
        height, width = terrain.passable.shape
        self.jumps = jump_tables(self.ground).reshape(height + 2, width + 2, 8)[1:-1, 1:-1]
        self.open = self.ground.ground[1:-1, 1:-1] != 0
        ys, xs, ks = np.nonzero((self.jumps > 0) & (np.arange(8) < 4))
        steps = self.jumps[ys, xs, ks].astype(np.int64)
        ends = np.unique((ys + MOVE_Y[ks] * steps) * width + xs + MOVE_X[ks] * steps)
        self.points = np.stack([ends // width, ends % width], axis=1)
        """Jump points: tiles int64[n, 2] (y, x) at which a straight jump ends."""


@overlay
class JumpTablesOverlay(Overlay):
    """Jump distances of JPS+, to a jump point or a wall.

    Source: GP2 14.
    """

    name, title, channel, scope = "jps_tables", "Jump distances", Channel.LINE, Scope.ALL
    question = "How far does each jump go, and where does it end?"

    def __init__(self) -> None:
        self._made: _Tables | None = None
        self._layer = Layer()

    def _tables(self, context: LabContext) -> _Tables | None:
        terrain = context.world.terrain
        if terrain.passable.size > MOST_TABLED:
            return None
        key = (int(terrain.revision), class_of(context))
        if self._made is None or self._made.key != key:
            self._made = _Tables(context, key[1])
        return self._made

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw short lines for the jumps of each tile, and jump points.

        All eight jumps are drawn from the tile under the cursor or of the selected unit.
        """
        tables = self._tables(context)
        if tables is None:
            return
        self._layer.draw(surface, camera, tables.key, lambda layer: self._standing(layer, camera, context, tables))
        tile = focus_tile(camera, context)
        if tile is not None and tables.open[tile]:
            self._rays(surface, camera, context, tables, tile)

    def _standing(self, layer: pygame.Surface, camera: Camera, context: LabContext, tables: _Tables) -> None:
        """Draw the part that depends on map and camera alone: lines and jump points."""
        if camera.zoom >= 24:
            self._ticks(layer, camera, context, tables)
        radius = max(camera.zoom // 7, 3)
        for i in shown_rows(camera, tables.points).tolist():
            y, x = tables.points[i].tolist()
            dot(layer, context, centre(camera, (y, x)), self._point(context), radius)

    @staticmethod
    def _point(context: LabContext) -> RGB:
        return context.palette.ramps["okabe_ito"][1]

    @staticmethod
    def _wall(context: LabContext) -> RGB:
        return context.palette.ramps["okabe_ito"][2]

    def _ticks(self, surface: pygame.Surface, camera: Camera, context: LabContext, tables: _Tables) -> None:
        y0, x0, y1, x1 = camera.visible_tiles()
        zoom, numbers = camera.zoom, camera.zoom >= 64
        point, wall = self._point(context), self._wall(context)
        rows = tables.jumps[y0:y1, x0:x1]
        for y, x in np.argwhere(tables.open[y0:y1, x0:x1]).tolist():
            cx, cy = centre(camera, (y0 + y, x0 + x))
            for k, jump in enumerate(rows[y, x].tolist()):
                if jump == 0:
                    continue
                dx, dy = int(MOVE_X[k]), int(MOVE_Y[k])
                if numbers:
                    at = (cx + dx * zoom // 3, cy + dy * zoom // 3)
                    colour = context.palette["ink"] if jump < 0 else point
                    context.text.draw(surface, at, str(jump), colour, "sans_bold", 14, "center", context.palette["rim"])
                    continue
                # The lines start at an inner circle, and their length grows with the jump.
                reach = min(zoom * 0.2 + abs(jump) * zoom * 0.028, zoom * 0.46) / (1.0 if k < 4 else 1.25)
                a = (cx + round(dx * zoom * 0.14), cy + round(dy * zoom * 0.14))
                b = (cx + round(dx * reach), cy + round(dy * reach))
                pygame.draw.line(surface, point if jump > 0 else wall, a, b, 2 if jump > 0 else 1)

    def _rays(
        self, surface: pygame.Surface, camera: Camera, context: LabContext, tables: _Tables, tile: tuple[int, int]
    ) -> None:
        here = centre(camera, tile)
        for k, jump in enumerate(tables.jumps[tile].tolist()):
            if jump == 0:
                continue
            end = (tile[0] + int(MOVE_Y[k]) * abs(jump), tile[1] + int(MOVE_X[k]) * abs(jump))
            there = centre(camera, end)
            colour = self._point(context) if jump > 0 else self._wall(context)
            cased(surface, context, [here, there], colour)
            if jump > 0:
                arrow_head(surface, there, math.atan2(MOVE_Y[k], MOVE_X[k]), context.palette["ink"], 11)
            else:
                pygame.draw.rect(surface, context.palette["ink"], (there[0] - 4, there[1] - 4, 8, 8))
            if camera.zoom >= NUMBERS_FROM:
                at = ((here[0] + there[0] * 2) // 3, (here[1] + there[1] * 2) // 3)
                ink, rim = context.palette["ink"], context.palette["rim"]
                context.text.draw(surface, at, str(jump), ink, "sans_bold", 16, "center", rim)
        dot(surface, context, here, context.palette["yellow"], 6)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of the two kinds of jumps."""
        return [
            LegendRow("onto a jump point", self._point(context), "steps > 0", "line"),
            LegendRow("up to a wall", self._wall(context), "free steps < 0", "line"),
            LegendRow("jump point: paths bend here", self._point(context), "tiles", "ring"),
            LegendRow("all eight jumps from here", context.palette["yellow"], "cursor or unit", "ring"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return a message on a map that is too large."""
        return "" if context.world.terrain.passable.size <= MOST_TABLED else "this map is too large for it"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return all eight jump distances."""
        tables = self._tables(context)
        if tables is None:
            return "map too large for tables"
        if not tables.open[int(y), int(x)]:
            return "blocked: no jumps"
        row = tables.jumps[int(y), int(x)].tolist()
        return ", ".join(f"{name} {jump}" for name, jump in zip(NAMES, row, strict=True)) + " steps"


@overlay
class GoalBoundsOverlay(Overlay):
    """Goal bounds: box of all goals of each first move of a tile."""

    name, title, channel, scope = "goal_bounds", "Goal bounds", Channel.LINE, Scope.SELECTED
    question = "Which goals does each first move from here lead to?"
    like = "jps_tables"

    def __init__(self) -> None:
        self._key: tuple[int, int] | None = None
        self._boxes = np.zeros((0, 0, 8, 4), np.int64)

    def _bounds(self, context: LabContext) -> np.ndarray | None:
        """Return the boxes int64[H, W, 8, 4] (x0, y0, x1, y1), or None.

        An empty box has x1 < x0. None means that the level has no goal bounds, or none since an edit. The boxes are
        those of the game's searches; the overlay computes none.
        """
        terrain = context.world.terrain
        if self._missing(context):
            return None
        key = (int(terrain.revision), class_of(context))
        if self._key != key:
            table = context.world.paths.engines.tables[key[1]].bounds
            height, width = terrain.passable.shape
            parts = [(table >> np.uint64(16 * i)).astype(np.int64) & 0x7FFF for i in range(4)]
            boxes = np.stack([parts[0] - 1, parts[1] - 1, FAR - parts[2] - 1, FAR - parts[3] - 1], axis=-1)
            self._boxes = boxes.reshape(height + 2, width + 2, 8, 4)[1:-1, 1:-1]
            self._key = key
        return self._boxes

    @staticmethod
    def _missing(context: LabContext) -> str:
        """Return the reason why no goal bounds are shown, or an empty string."""
        terrain = context.world.terrain
        if terrain.passable.size > MOST_BOUNDED:
            return "this map is too large for it"
        engines = context.world.paths.engines
        known = engines.tables.get(class_of(context)) if class_of(context) in engines.static else None
        # The game may not have processed the last edits yet, such as a door that just opened.
        edited = terrain.changes_since(engines.static_revision, ("passable", "cost")) != []
        if getattr(known, "bounds", None) is None or edited:
            return "only an unedited static level has them"
        return ""

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw a box for each first move.

        Boxes without the goal of the unit are thin, because the search skips these moves.
        """
        boxes = self._bounds(context)
        tile = focus_tile(camera, context)
        if boxes is None or tile is None or not context.world.terrain.passable[tile] >> class_of(context) & 1:
            return
        rows = context.rows(Scope.SELECTED)
        path = path_of(context, int(rows[0])) if len(rows) else None
        here = centre(camera, tile)
        ink, rim = context.palette["ink"], context.palette["rim"]
        drawn = []
        for k in range(8):
            x0, y0, x1, y1 = boxes[tile][k].tolist()
            if x1 < x0:
                continue
            holds = path is not None and x0 <= path[1][1] <= x1 and y0 <= path[1][0] <= y1
            drawn.append((holds, k, (x0, y0, x1, y1)))
        for holds, k, (x0, y0, x1, y1) in sorted(drawn):
            left, top = camera.to_screen(x0, y0)
            right, bottom = camera.to_screen(x1 + 1, y1 + 1)
            inset = 2 + k
            box = pygame.Rect(left, top, right - left, bottom - top).inflate(-2 * inset, -2 * inset)
            colour = self._colour(context, k)
            if not surface.get_clip().colliderect(box.inflate(8, 8)):
                continue
            if holds:
                pygame.draw.rect(surface, rim, box.inflate(4, 4), 2)
                pygame.draw.rect(surface, ink, box.inflate(2, 2), 6)
            pygame.draw.rect(surface, colour, box, 4 if holds else 1)
            tip = (here[0] + int(MOVE_X[k]) * camera.zoom, here[1] + int(MOVE_Y[k]) * camera.zoom)
            cased(surface, context, [here, tip], colour, 4 if holds else 2)
            arrow_head(surface, tip, math.atan2(MOVE_Y[k], MOVE_X[k]), colour if holds else ink, 12)
        dot(surface, context, here, context.palette["yellow"], 6)
        at = centre(camera, path[1]) if path is not None else (-camera.zoom, -camera.zoom)
        if surface.get_clip().inflate(camera.zoom, camera.zoom).collidepoint(at):
            pygame.draw.circle(surface, ink, at, camera.zoom // 3, 3)
            pygame.draw.line(surface, ink, (at[0] - 5, at[1] - 5), (at[0] + 5, at[1] + 5), 3)
            pygame.draw.line(surface, ink, (at[0] - 5, at[1] + 5), (at[0] + 5, at[1] - 5), 3)

    @staticmethod
    def _colour(context: LabContext, k: int) -> RGB:
        ramp = context.palette.ramps["okabe_ito"]
        return ramp[(0, 1, 2, 4)[k & 3]]

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of thick and thin boxes."""
        return [
            LegendRow("thick box: holds the goal", context.palette["ink"], "searched", "line"),
            LegendRow("thin box: cannot hold it", context.palette["ink"], "skipped", "line"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return a message while no tile is chosen, or while bounds are missing."""
        missing = self._missing(context)
        if missing:
            return missing
        return "" if context.selected or context.cursor[0] >= 0 else "select a unit or point at a tile"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the first moves that can lead to the unit's goal."""
        boxes = self._bounds(context)
        if boxes is None:
            return self._missing(context)
        mine = boxes[int(y), int(x)]
        moves = [NAMES[k] for k in range(8) if mine[k, 2] >= mine[k, 0]]
        rows = context.rows(Scope.SELECTED)
        path = path_of(context, int(rows[0])) if len(rows) else None
        if path is None:
            return f"{len(moves)} first moves have goals"
        gy, gx = path[1]
        held = [NAMES[k] for k in range(8) if mine[k, 0] <= gx <= mine[k, 2] and mine[k, 1] <= gy <= mine[k, 3]]
        return f"{len(held)} of {len(moves)} first moves can lead to the goal: {', '.join(held)}"
