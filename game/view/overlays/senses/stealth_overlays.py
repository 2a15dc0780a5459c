"""Overlays of light, areas, beliefs and searches of guards, exposure and unseen paths."""

from __future__ import annotations

from typing import Any

import numpy as np
import pygame

from ai.tactics.choke_points import choke_points
from ai.tactics.unseen_paths import weighted_path
from game.minds.settings import settings_of
from game.systems.noise import rooms
from game.systems.stealth.side_knowledge import barriers_of, listening
from game.systems.stealth.watcher_intel import sightings_of
from game.view.overlays.overlay import NOT_COMPUTED, Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.painting.camera import Camera
from game.world.stealth.side_records import SideKnowledge
from game.world.stealth.sneak_paths import SneakPath
from game.world.world import World

_STATES = ("not searched", "claimed", "searched", "not reachable")


@overlay
class Lightness(Overlay):
    """Light on each tile."""

    name, title, channel, scope = "lightness", "Lightness", Channel.FILL, Scope.ALL
    question = "How much light falls on a unit that stands here?"

    def stamp(self, context: LabContext) -> Any:
        """Return a key that changes with the light."""
        return context.world.light.version

    def fill(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return cividis colours, bright where it is light."""
        level = context.world.light.level[y0:y1, x0:x1]
        ramp = np.array(context.palette.ramps["cividis"], np.uint8)
        out = np.empty((*level.shape, 4), np.uint8)
        out[..., :3] = ramp[level.astype(np.int64) * (len(ramp) - 1) // 255]
        out[..., 3] = 140
        return out

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the ramp."""
        ramp = tuple(context.palette.ramps["cividis"])
        return [LegendRow("dark to full light", ramp[-1], "0 to 1", "ramp", ramp)]

    def empty(self, context: LabContext) -> str:
        """Return that all tiles look the same, as on a map by day."""
        level = context.world.light.level
        return "all tiles are equally light" if level.min() == level.max() else ""

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the light on the tile under the cursor."""
        return f"lightness {context.world.light.level[int(y), int(x)] / 255:.2f}"


@overlay
class PossibleOverlay(Overlay):
    """Possible places of the enemies that guards have lost."""

    name, title, channel, scope = "possible", "Possible places", Channel.FILL, Scope.ALL
    question = "Where can the enemies be that the guards lost?"

    def stamp(self, context: LabContext) -> Any:
        """Return a key that changes every tick and with the selection.

        While a guard is selected, only the map of its side is shown.
        """
        return context.playing.picture.tick, context.selected

    def _mask(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        out = np.zeros((y1 - y0, x1 - x0), bool)
        for known in self._wanted(context):
            for found in known.maps:
                out |= found.possible[y0:y1, x0:x1] != 0
        return out

    def _wanted(self, context: LabContext) -> list[SideKnowledge]:
        p = context.playing.picture
        sides = set(p.side[p.rows(context.selected)].tolist())
        return [k for k in context.world.knowledge if k.side in sides] or context.world.knowledge

    def _barred(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the passable tiles that no lost enemy can have entered unheard."""
        out = np.zeros((y1 - y0, x1 - x0), bool)
        for known in self._wanted(context):
            barriers = barriers_of(context.world, listening(context.world, known)) if known.maps else None
            if barriers is not None:
                out |= barriers[y0:y1, x0:x1] != 0
        return out & (context.world.terrain.passable[y0:y1, x0:x1] != 0)

    def fill(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return one colour for possible tiles, and a chequered one for barriers of hearing."""
        mask = self._mask(context, y0, x0, y1, x1)
        ramp = np.array(context.palette.ramps["cividis"], np.uint8)
        out = np.zeros((*mask.shape, 4), np.uint8)
        hatch = (np.arange(y0, y1)[:, None] + np.arange(x0, x1)[None, :]) % 2 == 0
        barred = self._barred(context, y0, x0, y1, x1)
        out[barred] = (*ramp[len(ramp) // 8], 70)
        out[barred & hatch] = (*ramp[len(ramp) // 8], 150)
        out[mask] = (*ramp[len(ramp) * 3 // 4], 130)
        return out

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of the colours."""
        ramp = context.palette.ramps["cividis"]
        return [
            LegendRow("possible; blank: impossible", ramp[len(ramp) * 3 // 4], "tiles"),
            LegendRow("chequered: would be heard", ramp[len(ramp) // 8], "tiles", "dash"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return why nothing is shown."""
        return "" if any(known.maps for known in self._wanted(context)) else "no guard has lost an enemy"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return whether the lost enemy can be on the tile under the cursor."""
        tile = int(y), int(x), int(y) + 1, int(x) + 1
        if self._mask(context, *tile)[0, 0]:
            return "can be here"
        return "would have been heard here" if self._barred(context, *tile)[0, 0] else "cannot be here"


@overlay
class Areas(Overlay):
    """Areas of the map for sound, and the openings between them."""

    name, title, channel, scope = "areas", "Areas and chokes", Channel.FILL, Scope.ALL
    question = "Which rooms does sound cross, and through which openings?"

    def stamp(self, context: LabContext) -> Any:
        """Return a key of the map and of the depth of detours."""
        return context.world.terrain.revision, settings_of(context.world).choke_depth

    def _chokes(self, context: LabContext) -> dict[int, list[list[int]]]:
        """Return choke areas with the groups of neighbours that they connect.

        Source: Game AI Pro 2, ch. 31.
        """
        depth = settings_of(context.world).choke_depth
        return choke_points(rooms(context.world).adjacency(), depth) if depth else {}

    def fill(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return a shade for each area and the brightest colour for openings.

        Walls get no colour.
        """
        area = rooms(context.world).area[y0:y1, x0:x1].astype(np.int64)
        ramp = np.array(context.palette.ramps["cividis"], np.uint8)
        out = np.zeros((*area.shape, 4), np.uint8)
        inside = area >= 0
        out[..., :3][inside] = ramp[(area[inside] * 2654435761 >> 5) % (len(ramp) * 3 // 4)]
        out[..., 3][inside] = 110
        out[area <= -2] = (*ramp[-1], 200)
        return out

    def hatched(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the tiles of choke areas."""
        hatched: np.ndarray = np.isin(rooms(context.world).area[y0:y1, x0:x1], list(self._chokes(context)))
        return hatched

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of areas, openings and choke areas."""
        ramp = tuple(context.palette.ramps["cividis"])
        return [
            LegendRow("one shade, one area", ramp[len(ramp) // 4], "number", "ramp", ramp[: len(ramp) * 3 // 4]),
            LegendRow("a door or narrow passage", ramp[-1], "tiles"),
            LegendRow("hatched: choke area, no detour", context.palette["ink"], "area", "ruled"),
        ]

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the area and the parts that it connects.

        For an opening, return the areas that it joins.
        """
        graph = rooms(context.world)
        areas = graph.areas_at(x, y)
        if not areas:
            return "wall"
        if len(areas) > 1:
            return f"opening between {' and '.join(map(str, areas))}"
        groups = self._chokes(context).get(areas[0])
        if not groups:
            return f"area {areas[0]}"
        parts = " and ".join(", ".join(map(str, group)) for group in groups)
        return f"area {areas[0]}, a choke between {parts}"


@overlay
class SearchSpots(Overlay):
    """Hiding places of present searches, and the guard that claimed each."""

    name, title, channel, scope = "spots", "Search spots", Channel.LINE, Scope.ALL
    question = "Which hiding places are left, and which guard searches where?"

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw a ring for each place and a cross at the last known position.

        A line runs from a guard to the place that it has claimed.
        """
        p, palette = context.playing.picture, context.palette
        colours = (palette["ink"], palette["blue"], palette["mist"], palette["vermilion"])
        x, y, _ = p.between(alpha)
        size = max(camera.zoom // 4, 3)
        for search in context.world.searches:
            cx, cy = camera.to_screen(search.x, search.y)
            for dx, dy in ((1, 1), (1, -1)):
                ends = (cx - size * dx, cy - size * dy), (cx + size * dx, cy + size * dy)
                pygame.draw.line(surface, palette["ink"], *ends, 2)
            for spot in search.spots:
                at = camera.to_screen(spot.x, spot.y)
                pygame.draw.circle(surface, colours[spot.state], at, size, 2)
                rows = p.rows((spot.by,) if spot.state == 1 else ())
                if len(rows):
                    r = int(rows[0])
                    pygame.draw.line(surface, colours[1], camera.to_screen(float(x[r]), float(y[r])), at, 1)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the states of a place."""
        palette = context.palette
        colours = (palette["ink"], palette["blue"], palette["mist"], palette["vermilion"])
        return [LegendRow(word, colour, "spots", "ring") for word, colour in zip(_STATES, colours, strict=True)]

    def empty(self, context: LabContext) -> str:
        """Return a message while no guard searches."""
        return "" if context.world.searches else "no guard searches now"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the state of the place under the cursor."""
        for search in context.world.searches:
            for spot in search.spots:
                if abs(spot.x - x) < 0.7 and abs(spot.y - y) < 0.7:
                    by = f" by {context.world.name_of(spot.by)}" if spot.by >= 0 else ""
                    return f"{_STATES[spot.state]}{by}"
        return ""


@overlay
class Exposure(Overlay):
    """Number of watchers known to the player's side that see each tile."""

    name, title, channel, scope = "exposure", "Exposure", Channel.FILL, Scope.ALL
    question = "How many known watchers would see you here?"

    def _stance(self, context: LabContext) -> int:
        rows = context.playing.picture.rows(context.selected[:1])
        return int(context.playing.picture.stance[rows[0]]) if len(rows) else 0

    def stamp(self, context: LabContext) -> Any:
        """Return a key of the published map and of the first selected unit's stance."""
        known = sightings_of(context.world, context.playing.side)
        return (-1 if known is None else known.chart.rounds), self._stance(context)

    def fill(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return cividis colours by number of watchers; nothing on unseen tiles.

        All tiles are hatched before the first map is published.
        """
        known = sightings_of(context.world, context.playing.side)
        out = np.zeros((y1 - y0, x1 - x0, 4), np.uint8)
        if known is None or not known.chart.rounds:
            out[:] = NOT_COMPUTED
            return out
        count = known.chart.front[self._stance(context), y0:y1, x0:x1]
        ramp = np.array(context.palette.ramps["cividis"], np.uint8)
        seen = count > 0
        at = len(ramp) // 3 + np.minimum(count[seen].astype(np.int64), 4) * (len(ramp) - 1 - len(ramp) // 3) // 4
        out[..., :3][seen] = ramp[at]
        out[..., 3][seen] = 130
        return out

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the ramp and the stance that it holds for."""
        ramp = tuple(context.palette.ramps["cividis"][len(context.palette.ramps["cividis"]) // 3 :])
        words = ("standing", "crouching", "lying")[self._stance(context)]
        return [
            LegendRow(f"one to four and more, {words}", ramp[-1], "watchers", "ramp", ramp),
            LegendRow("outside cones: heads turn", ramp[0], "watchers"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return a message while no watcher is known."""
        known = sightings_of(context.world, context.playing.side)
        return "" if known is not None and known.about else "no watcher is known to the side"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the number of watchers of the tile for each stance."""
        known = sightings_of(context.world, context.playing.side)
        if known is None or not known.chart.rounds:
            return "not computed yet"
        counts = known.chart.front[:, int(y), int(x)].tolist()
        return f"seen by {counts[0]} standing, {counts[1]} crouching, {counts[2]} lying"


@overlay
class SneakPaths(Overlay):
    """Unseen paths beside the shortest ones, with the stance on each part."""

    name, title, channel, scope = "sneak_ways", "Exposure-weighted paths", Channel.LINE, Scope.SIDE
    question = "Which path does a sneaking unit take, and in which stance?"

    def __init__(self) -> None:
        super().__init__()
        self._plain: dict[int, tuple[Any, np.ndarray]] = {}

    def _shortest(self, world: World, unit: int, path: SneakPath) -> np.ndarray:
        """Return the shortest path int32[n, 2] (y, x) from start to goal.

        It starts where the unit's unseen path starts. It is computed for the picture alone.
        """
        start = int(path.tiles[0, 0]), int(path.tiles[0, 1])
        key = start, path.goal, world.terrain.revision
        if self._plain.get(unit, (None,))[0] != key:
            movement_class = int(world.units.movement_class[world.units.slot(unit)])
            plain = weighted_path(world.terrain, world.terrain.cost, movement_class, start, path.goal)
            self._plain[unit] = key, path.tiles if plain is None else plain
        return self._plain[unit][1]

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw unseen paths in blue and the shortest paths in ink.

        Unseen paths are dotted for crouching and lying.
        """
        palette = context.palette
        for unit, path in context.world.sneaks.items():
            if not len(path.tiles) or not len(context.playing.picture.rows((unit,))):
                continue
            points = [camera.to_screen(float(x) + 0.5, float(y) + 0.5) for y, x in path.tiles.tolist()]
            shortest = self._shortest(context.world, unit, path)
            if len(shortest) > 1:
                plain = [camera.to_screen(float(x) + 0.5, float(y) + 0.5) for y, x in shortest.tolist()]
                pygame.draw.lines(surface, palette["ink"], False, plain, 1)
            for k in range(len(points) - 1):
                low = int(path.stances[k + 1])
                if low == 0:
                    pygame.draw.line(surface, palette["blue"], points[k], points[k + 1], 3)
                elif low == 1 or k % 2:
                    middle = tuple((a + b) // 2 for a, b in zip(points[k], points[k + 1], strict=True))
                    pygame.draw.circle(surface, palette["blue"], middle, max(2, camera.zoom // 10))

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of line, dots and thin line."""
        palette = context.palette
        return [
            LegendRow("upright", palette["blue"], "tiles", "solid"),
            LegendRow("crouched; fewer dots: lying", palette["blue"], "tiles", "dash"),
            LegendRow("shortest path", palette["ink"], "tiles", "line"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return a message while no unit sneaks."""
        return "" if context.world.sneaks else "no unit sneaks now"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the stance on the tile under the cursor."""
        for path in context.world.sneaks.values():
            for k, (ty, tx) in enumerate(path.tiles.tolist()):
                if (ty, tx) == (int(y), int(x)):
                    return ("upright", "crouched", "lying")[int(path.stances[k])]
        return ""
