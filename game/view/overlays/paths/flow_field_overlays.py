"""Overlays of flow fields: step and path cost to the goal for each tile."""

from __future__ import annotations

from typing import Any

import numpy as np
import pygame

from ai.formation.slot_following import BY_FIELD
from ai.grid.moves import MOVE_X, MOVE_Y
from game.view.overlays.grid_overlay import GridOverlay, Scale
from game.view.overlays.motion.group_overlays import rows_of
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.overlays.pencil import dot
from game.view.painting.camera import Camera

ARROWS_FROM = 12
"""Smallest zoom, in pixels a tile, at which arrows are drawn."""


class _Newest:
    """Published field that was used last in a world; kept after its last use."""

    def __init__(self) -> None:
        self._kept: Any = None
        self._tick = -1

    def of(self, context: LabContext) -> Any:
        """Return the field, or None before the first one.

        A jump back in time drops the field.
        """
        world = context.world
        if world.tick < self._tick:
            self._kept = None
        self._tick = int(world.tick)
        fields = [f for f in world.paths.shared.fields if f.field.ready]
        if fields:
            self._kept = max(fields, key=lambda f: (f.used, f.begun))
        return self._kept


def rally_of(context: LabContext) -> Any:
    """Return the slot flow field of the first shown group with one."""
    groups = context.world.groups
    fields = {each.group: each for each in groups.fields.fields if each.moves is not None}
    return next((fields[groups.rows[row].id] for row in rows_of(context) if groups.rows[row].id in fields), None)


@overlay
class FlowArrows(Overlay):
    """Arrows of the flow field used last or of a slot flow field.

    Source: GP2 17.
    """

    name, title, channel, scope = "flow_field", "Flow field", Channel.LINE, Scope.ALL
    question = "Which step leads from each tile towards the goal?"

    def __init__(self) -> None:
        self._arrows: dict[int, list[pygame.Surface]] = {}
        self._newest = _Newest()

    def _made(self, context: LabContext, zoom: int) -> list[pygame.Surface]:
        if zoom not in self._arrows:
            ink, rim = context.palette["ink"], context.palette["rim"]
            self._arrows[zoom] = [_arrow(zoom, int(MOVE_X[k]), int(MOVE_Y[k]), ink, rim) for k in range(8)]
        return self._arrows[zoom]

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw an arrow in each visible tile, and mark the goal or the slots."""
        found, rally = self._newest.of(context), rally_of(context)
        if camera.zoom < ARROWS_FROM:
            return
        y0, x0, y1, x1 = camera.visible_tiles()
        if rally is not None:
            wy0, wx0, wy1, wx1 = rally.window
            y0, x0, y1, x1 = max(y0, wy0), max(x0, wx0), min(y1, wy1), min(x1, wx1)
            moves = rally.moves[max(y0 - wy0, 0) : max(y1 - wy0, 0), max(x0 - wx0, 0) : max(x1 - wx0, 0)]
        elif found is not None:
            moves = found.field.moves[y0:y1, x0:x1]
        else:
            return
        arrows = self._made(context, camera.zoom)
        left, top = camera.to_screen(x0, y0)
        ys, xs = np.nonzero(moves < 8)
        zoom = camera.zoom
        surface.fblits(
            [
                (arrows[k], (left + x * zoom, top + y * zoom))
                for y, x, k in zip(ys.tolist(), xs.tolist(), moves[ys, xs].tolist(), strict=True)
            ]
        )
        if rally is not None:
            for row, column in rally.slots.tolist():
                at = camera.to_screen(rally.window[1] + column + 0.5, rally.window[0] + row + 0.5)
                dot(surface, context, at, context.palette["yellow"], max(zoom // 8, 2))
            return
        goal = camera.to_screen(found.goal[1] + 0.5, found.goal[0] + 0.5)
        pygame.draw.circle(surface, context.palette["ink"], goal, zoom * 2 // 3, 3)
        dot(surface, context, goal, context.palette["yellow"], max(zoom // 5, 3))

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of arrow and goal."""
        found, rally = self._newest.of(context), rally_of(context)
        if rally is not None:
            led = int((context.world.units.slot_mode[: context.world.units.count] == BY_FIELD).sum())
            return [
                LegendRow("next step to the group's slots", context.palette["ink"], f"{led} units", "line"),
                LegendRow("slots", context.palette["yellow"], "", "ring"),
            ]
        count = len(context.world.paths.shared.fields)
        age = f"{context.world.tick - found.begun} ticks old" if found is not None else "none yet"
        return [
            LegendRow("next step", context.palette["ink"], f"{count} fields in use", "line"),
            LegendRow("goal of the last field used", context.palette["yellow"], age, "ring"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return a message before the first field."""
        known = self._newest.of(context) is not None or rally_of(context) is not None
        return "" if known else "no flow field has been made yet"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the path cost from the tile to the goal."""
        found = self._newest.of(context)
        if rally_of(context) is not None:
            return "" if found is None else "the slot flow field of a group"
        if found is None:
            return "no field has been made"
        cost = float(found.field.costs[int(y), int(x)])
        return f"{cost:.1f} tiles to the goal" if np.isfinite(cost) else "no path from here"


def _arrow(zoom: int, dx: int, dy: int, ink: tuple, rim: tuple) -> pygame.Surface:
    made = pygame.Surface((zoom, zoom), pygame.SRCALPHA)
    middle, reach = zoom / 2, zoom * 0.3 / (1.414 if dx and dy else 1.0)
    tip = (middle + dx * reach, middle + dy * reach)
    tail = (middle - dx * reach, middle - dy * reach)
    side = max(zoom * 0.16, 2.5)
    back = (tip[0] - dx * side, tip[1] - dy * side)
    if dx and dy:
        back = (tip[0] - dx * side * 0.8, tip[1] - dy * side * 0.8)
    wings = [
        (back[0] - dy * side * 0.8, back[1] + dx * side * 0.8),
        (back[0] + dy * side * 0.8, back[1] - dx * side * 0.8),
    ]
    pygame.draw.line(made, rim, tail, back, max(zoom // 8, 1) + 2)
    pygame.draw.line(made, ink, tail, back, max(zoom // 12, 1))
    pygame.draw.polygon(made, ink, [tip, *wings])
    return made


@overlay
class FlowCost(GridOverlay):
    """Path cost from each tile to the goal of the flow field."""

    name, title, channel, scope = "flow_cost", "Cost to the goal", Channel.FILL, Scope.ALL
    question = "What does the path from each tile to the goal cost?"
    like = "flow_field"
    strength = 115

    def __init__(self) -> None:
        self._newest = _Newest()

    def stamp(self, context: LabContext) -> Any:
        """Return a key that changes with each published field."""
        found = self._newest.of(context)
        return None if found is None else (found.goal, int(found.field.published), int(found.field.revision))

    def _far(self, context: LabContext) -> float:
        """Return the largest path cost, at least 1."""
        found = self._newest.of(context)
        if found is None:
            return 1.0
        costs = found.field.costs
        return max(float(costs[np.isfinite(costs)].max(initial=1.0)), 1.0)

    def scale(self, context: LabContext) -> Scale:
        """Return ten steps to the largest cost, bright at the goal."""
        far, ramp = self._far(context), tuple(reversed(context.palette.ramps["cividis"]))
        return Scale(ramp, 0.0, far, tuple((far * k / 2, f"{far * k / 2:.0f}") for k in range(3)))

    def values(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the path cost; walls are nothing, open tiles without a path not computed."""
        found = self._newest.of(context)
        if found is None:
            return np.full((y1 - y0, x1 - x0), np.nan)
        part = found.field.costs[y0:y1, x0:x1].astype(np.float64)
        blocked = context.world.terrain.passable[y0:y1, x0:x1] & (1 << found.movement_class) == 0
        return np.where(blocked, np.nan, np.where(np.isfinite(part), part, np.inf))

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the ramp; between two lines lies a tenth of the largest cost."""
        return [
            self.scale(context).row(f"one line: {self._far(context) / 10:.1f}", "tiles to the goal"),
            LegendRow("no path to the goal", context.palette["ink"], "tiles", "hatch"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return a message before the first field."""
        return "" if self._newest.of(context) is not None else "no flow field has been made yet"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the path cost from the tile to the goal."""
        found = self._newest.of(context)
        if found is None:
            return "no field has been made"
        cost = float(found.field.costs[int(y), int(x)])
        return f"{cost:.1f} tiles to the goal" if np.isfinite(cost) else "no path from here"
