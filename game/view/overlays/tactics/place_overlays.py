"""Place overlays: ratings of places, and the zone that flank routes leave out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pygame

from ai.tactics.routes.approach_zone import approach_zone
from game.systems.tactics.known_threats import known_threats
from game.systems.tactics.route_costs import AROUND, FLANK, enemy_at
from game.systems.tactics.tactical_places import ask_of, query_of, selectors_of
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.painting.camera import Camera
from game.world.stealth.tactics_state import vector_key
from game.world.world import World

Point = tuple[float, float]

SELECTOR = "cover"
"""Selector whose ratings are shown for the selected unit."""


@overlay
class RatedPlaces(Overlay):
    """Ratings of places around the selected unit by the selector for cover."""

    name, title, channel, scope = "rated_places", "Rated places", Channel.FILL, Scope.SELECTED
    question = "How good is each place as cover for this unit?"

    def __init__(self) -> None:
        self._kept: tuple[Any, dict[tuple[int, int], float]] | None = None

    def stamp(self, context: LabContext) -> Any:
        """Return a key that changes four times a second and with the selection."""
        return context.world.level_digest, context.selected[:1], context.playing.picture.tick // 5

    def _ratings(self, context: LabContext) -> dict[tuple[int, int], float]:
        key = self.stamp(context)
        if self._kept is None or self._kept[0] != key:
            self._kept = key, self._rated(context)
        return self._kept[1]

    def _rated(self, context: LabContext) -> dict[tuple[int, int], float]:
        world: World = context.world
        if not context.selected:
            return {}
        slot = world.units.slot(context.selected[0])
        if not world.units.alive[slot]:
            return {}
        query = query_of(world, int(world.units.side[slot]), int(world.units.movement_class[slot]), read=False)
        ranking = query.rank(SELECTOR, ask_of(world, slot))
        tiles, ratings = ranking.tiles.tolist(), ranking.ratings.tolist()
        return {(y, x): rating for (y, x), rating in zip(tiles, ratings, strict=True)}

    def fill(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return cividis by rating; rejected candidates are dark."""
        ramp = np.array(context.palette.ramps["cividis"], np.uint8)
        out = np.zeros((y1 - y0, x1 - x0, 4), np.uint8)
        for (y, x), rating in self._ratings(context).items():
            if y0 <= y < y1 and x0 <= x < x1:
                out[y - y0, x - x0, :3] = ramp[round(min(rating, 1.0) * (len(ramp) - 1))]
                out[y - y0, x - x0, 3] = 170
        return out

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the ramp."""
        ramp = tuple(context.palette.ramps["cividis"])
        facts = ", ".join(c.fact for c in selectors_of(context.world)[SELECTOR].criteria)
        return [LegendRow(f"product of {facts}", ramp[-1], "0 to 1", "ramp", ramp)]

    def empty(self, context: LabContext) -> str:
        """Return why nothing is shown."""
        if not context.selected:
            return "no unit is selected"
        side = int(context.world.units.side[context.world.units.slot(context.selected[0])])
        return "" if known_threats(context.world, side) else "its side knows of no enemy"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the rating of the tile under the cursor."""
        rating = self._ratings(context).get((int(y), int(x)))
        return "no candidate" if rating is None else f"rated {rating:.2f}"


@overlay
class FlankZone(Overlay):
    """Zone that a flank route leaves out, and the combat vector."""

    name, title, channel, scope = "flank_zone", "Flank zone", Channel.LINE, Scope.ALL
    question = "Which ground do flank routes leave out?"

    def _rows(self, world: World) -> list[tuple[Point, Point, bool, Point]]:
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

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw the polygon of each zone, or the arrow of the combat vector."""
        palette = context.palette
        for start, enemy, zone, vector in self._rows(context.world):
            if zone:
                corners = [camera.to_screen(x, y) for x, y in approach_zone(start, enemy).corners()]
                pygame.draw.polygon(surface, palette["vermilion"], corners, 2)
                continue
            if vector != (0.0, 0.0):
                tip = enemy[0] + 6.0 * vector[0], enemy[1] + 6.0 * vector[1]
                pygame.draw.line(surface, palette["vermilion"], camera.to_screen(*enemy), camera.to_screen(*tip), 3)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the line."""
        return [LegendRow("zone left out, or combat vector", context.palette["vermilion"], "tiles", "line")]

    def empty(self, context: LabContext) -> str:
        """Return why nothing is shown."""
        return "" if self._rows(context.world) else "no unit flanks now"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return whether the tile under the cursor lies in a zone."""
        for start, enemy, zone, _ in self._rows(context.world):
            if zone and bool(approach_zone(start, enemy).holds(np.array([x]), np.array([y]))[0]):
                return f"in the zone, {math.hypot(x - enemy[0], y - enemy[1]):.0f} tiles from the enemy"
        return ""
