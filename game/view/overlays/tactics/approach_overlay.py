"""Approach overlay: the ground that a flank leaves out, and its route.

A squad's plan keeps pin, goal and route; its zone follows from pin and enemy, as in the plan itself. Nothing is
searched here. Source: Kevin Dill, Game AI Pro 2, 31.5.3 and 31.5.4.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pygame
from numpy.typing import NDArray

from ai.perception.sight.line_of_sight import lines_clear
from ai.squad.manoeuvres.manoeuvre import SquadTask
from ai.tactics.routes.approach_zone import Zone, approach_zone
from ai.tactics.routes.fix_and_flank import bearing, turn_between
from game.minds.squad.member_roles import FLANKS
from game.systems.tactics.route_costs import AROUND, FLANK, enemy_at
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.overlays.pencil import cased, dot, shown_edges
from game.view.overlays.tactics.squad_overlay import squads_shown
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB
from game.view.units.order_marks import dashed
from game.world.stealth.tactics_state import vector_key
from game.world.world import World

Point = tuple[float, float]
RULED = 14
"""Pixels between two strokes of the zone's hatch."""
VECTOR = 6.0
"""Length of the drawn combat vector in tiles."""


@dataclass(frozen=True)
class SquadFlank:
    """Flank of a squad: its zone, pin, enemy and route (x, y).

    ``seen`` are the tiles of the route that the enemy sees.
    ``turn`` is the angle between the bearings of pin and last tile, in degrees.
    """

    squad: str
    zone: Zone
    pin: Point
    enemy: Point
    route: NDArray[np.float64]
    seen: NDArray[np.bool_]
    turn: float


def flank_of(world: World, squad: str, task: SquadTask) -> SquadFlank | None:
    """Return the flank of a squad's task.

    None for another manoeuvre, or before its brief.
    """
    if task.kind not in FLANKS or task.ended or not len(task.route) or not len(task.spots):
        return None
    enemy = task.x, task.y
    pin = float(task.spots[0, 0]), float(task.spots[0, 1])
    tiles = np.floor(task.route[:, ::-1]).astype(np.int32)
    eyes = np.broadcast_to(np.array([int(enemy[1]), int(enemy[0])], np.int32), tiles.shape)
    seen = lines_clear(world.terrain.opaque, eyes, tiles).astype(bool)
    y, x = tiles[-1].tolist()
    turn = turn_between(bearing(enemy, (int(pin[1]), int(pin[0]))), bearing(enemy, (y, x)))
    return SquadFlank(squad, approach_zone(pin, enemy), pin, enemy, task.route, seen, math.degrees(turn))


@overlay
class ApproachOverlay(Overlay):
    """Approach that flanks leave out, the flank routes of squads, and combat vectors."""

    name, title, channel, scope = "flank_zone", "Approach and flank", Channel.LINE, Scope.ALL
    question = "Which approach do flanks leave out, and where do they go?"

    def __init__(self) -> None:
        self._kept: tuple[Any, list[SquadFlank]] | None = None

    def squads(self, context: LabContext) -> list[SquadFlank]:
        """Return the flanks of the shown squads, read once a tick."""
        key = context.world.tick, context.lifted, context.selected
        if self._kept is None or self._kept[0] != key:
            found = [
                flank_of(context.world, one.name, one.task) for one in squads_shown(context) if one.task is not None
            ]
            self._kept = key, [one for one in found if one is not None]
        return self._kept[1]

    def units(self, world: World) -> list[tuple[Point, Point, bool, Point]]:
        """Return the flanks of units that go alone.

        A row holds start, enemy, whether a zone is left out, and the combat vector.
        """
        rows = []
        for unit, path in sorted(world.sneaks.items()):
            if path.law not in (FLANK, AROUND):
                continue
            side = int(world.units.side[world.units.slot(unit)])
            enemy = enemy_at(world, side, path.goal)
            if enemy is not None:
                zone = path.law == AROUND or world.settings.tactics.flank == "zone"
                vector = world.tactics.vectors.get(vector_key(side, enemy.unit), (0.0, 0.0))
                rows.append((path.start, (enemy.x, enemy.y), zone, vector))
        return rows

    def zones(self, context: LabContext) -> list[Zone]:
        """Return all zones that are left out."""
        alone = [approach_zone(start, enemy) for start, enemy, zone, _ in self.units(context.world) if zone]
        return [*alone, *(one.zone for one in self.squads(context))]

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw ruled zones, combat vectors, flank routes, pins and turns."""
        palette = context.palette
        for zone in self.zones(context):
            _draw_zone(surface, camera, zone, palette["vermilion"], palette["rim"])
        for _, enemy, zoned, vector in self.units(context.world):
            if not zoned and vector != (0.0, 0.0):
                tip = enemy[0] + VECTOR * vector[0], enemy[1] + VECTOR * vector[1]
                cased(surface, context, [camera.to_screen(*enemy), camera.to_screen(*tip)], palette["vermilion"], 3)
        for flank in self.squads(context):
            self._route(surface, camera, context, flank)
            pin, enemy = camera.to_screen(*flank.pin), camera.to_screen(*flank.enemy)
            end = camera.to_screen(*flank.route[-1].tolist())
            for a, b in ((pin, enemy), (end, enemy)):
                if surface.get_clip().clipline(a, b):
                    dashed(surface, [a, b], palette["ink"], palette["rim"], 1, 3, 5)
            dot(surface, context, pin, palette.ramps["okabe_ito"][0], max(camera.zoom // 4, 4))
            dot(surface, context, end, palette.ramps["okabe_ito"][1], max(camera.zoom // 4, 4))
            if surface.get_clip().collidepoint(end):
                words = f"{flank.turn:.0f} degrees round"
                clear = camera.zoom * 5 // 8
                context.labels.put(surface, context.text, words, end, clear, palette["ink"], palette["rim"])

    def _route(self, surface: pygame.Surface, camera: Camera, context: LabContext, flank: SquadFlank) -> None:
        """Draw the route from tile to tile; steps that the enemy sees are red."""
        palette, route = context.palette, flank.route
        points = [camera.to_screen(x, y) for x, y in route.tolist()]
        yx = route[:, ::-1]
        for k in shown_edges(camera, yx[:-1], yx[1:]).tolist():
            colour = palette["vermilion"] if flank.seen[k + 1] else palette.ramps["okabe_ito"][1]
            cased(surface, context, points[k : k + 2], colour, 3)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return zone, route with its length, and pin."""
        palette, flanks = context.palette, self.squads(context)
        length = sum(float(np.hypot(*np.diff(one.route, axis=0).T).sum()) for one in flanks)
        seen = sum(int(one.seen.sum()) for one in flanks)
        return [
            LegendRow("approach left out", palette["vermilion"], "tiles", "ruled"),
            LegendRow("flank route", palette.ramps["okabe_ito"][1], f"{length:.0f} tiles", "line"),
            LegendRow("seen by the enemy", palette["vermilion"], f"{seen} tiles", "line"),
            LegendRow("pin, fires from here", palette.ramps["okabe_ito"][0], "place", "ring"),
            LegendRow("combat vector", palette["vermilion"], "direction", "line"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return why nothing is shown."""
        return "" if self.squads(context) or self.units(context.world) else "no squad and no unit flanks now"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the step of a flank route, or the zone, under the cursor."""
        for flank in self.squads(context):
            far = np.hypot(flank.route[:, 0] - x, flank.route[:, 1] - y)
            k = int(np.argmin(far))
            if far[k] <= 1.0:
                sees = "the enemy sees it" if flank.seen[k] else "out of the enemy's view"
                return f"flank of {flank.squad}, tile {k + 1} of {len(far)}: {sees}"
        for zone in self.zones(context):
            if bool(zone.holds(np.array([x]), np.array([y]))[0]):
                return f"approach left out, {math.hypot(x - zone.goal[0], y - zone.goal[1]):.0f} tiles from the enemy"
        return ""


def _draw_zone(surface: pygame.Surface, camera: Camera, zone: Zone, colour: RGB, casing: RGB) -> None:
    """Draw a zone's outline and thin strokes across its axis."""
    corners = [camera.to_screen(x, y) for x, y in zone.corners()]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    box = pygame.Rect(min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1)
    if not surface.get_clip().colliderect(box):
        return
    dx, dy = zone.goal[0] - zone.start[0], zone.goal[1] - zone.start[1]
    length = math.hypot(dx, dy)
    strokes = int(length * camera.zoom // RULED)
    for k in range(1, strokes):
        share = k / strokes
        half = zone.narrow + (zone.wide - zone.narrow) * (1.0 - abs(2.0 * share - 1.0))
        x, y = zone.start[0] + share * dx, zone.start[1] + share * dy
        nx, ny = -dy / length * half, dx / length * half
        a, b = camera.to_screen(x + nx, y + ny), camera.to_screen(x - nx, y - ny)
        if surface.get_clip().clipline(a, b):
            pygame.draw.line(surface, colour, a, b, 1)
    pygame.draw.polygon(surface, casing, corners, 4)
    pygame.draw.polygon(surface, colour, corners, 2)
