"""Overlay of fire: lines that friends block, and the steps aside that clear them."""

from __future__ import annotations

import math

import pygame

from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.painting.camera import Camera
from game.world.world import World

Point = tuple[float, float]


@overlay
class FireLines(Overlay):
    """Lines of fire with a friend in them, and places of steps aside."""

    name, title, channel, scope = "fire_lines", "Blocked lines of fire", Channel.LINE, Scope.ALL
    question = "Which friend stands in whose line of fire?"

    def _rows(self, world: World) -> list[tuple[int, Point, Point, Point]]:
        """Return shooter, its place, its friend's and its target's."""
        u = world.units
        rows = []
        for slot in u.living().tolist():
            friend, target = int(u.blocked_by[slot]), int(u.target[slot])
            if friend >= 0 and target >= 0:
                places = [(float(u.x[s]), float(u.y[s])) for s in (slot, u.slot(friend), u.slot(target))]
                rows.append((int(u.id[slot]), places[0], places[1], places[2]))
        return rows

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw lines up to friends, rings on these, and steps aside."""
        palette, world = context.palette, context.world
        size = max(camera.zoom // 2, 6)
        for _, start, friend, _ in self._rows(world):
            at = camera.to_screen(*friend)
            pygame.draw.line(surface, palette["vermilion"], camera.to_screen(*start), at, 3)
            pygame.draw.circle(surface, palette["vermilion"], at, size, 3)
        u = world.units
        for unit, (x, y, _) in sorted(world.tactics.asides.items()):
            slot = u.slot(unit)
            start, end = camera.to_screen(float(u.x[slot]), float(u.y[slot])), camera.to_screen(x, y)
            pygame.draw.line(surface, palette["blue"], start, end, 2)
            pygame.draw.circle(surface, palette["blue"], end, max(size // 2, 3), 2)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the lines."""
        palette = context.palette
        return [
            LegendRow("line of fire up to the friend in it", palette["vermilion"], "tiles", "line"),
            LegendRow("step aside", palette["blue"], "tiles", "line"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return why nothing is drawn."""
        world = context.world
        return "" if self._rows(world) or world.tactics.asides else "no friend stands in a line of fire now"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return whose line the friend under the cursor blocks."""
        for unit, _, friend, _ in self._rows(context.world):
            if math.dist(friend, (x, y)) < 0.6:
                return f"stands in the line of fire of {unit}"
        return ""
