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
from game.view.overlays.grid_overlay import GridOverlay, Scale, even_scale
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.painting.camera import Camera
from game.world.stealth.side_records import SideKnowledge
from game.world.stealth.sneak_paths import SneakPath
from game.world.world import World

AREA_COLOURS = 6
"""Colours that areas share; two areas beside each other have different ones."""
NAMED_FROM = 12
"""Pixels a tile from which areas wear their number."""
LEAST_NAMED = 12
"""Tiles in view from which an area wears its number."""
MOST_LOST = 3
"""Most lost enemies that the legend names."""
_STATES = ("not searched", "claimed", "searched", "not reachable")


@overlay
class Lightness(GridOverlay):
    """Light on each tile."""

    name, title, channel, scope = "lightness", "Lightness", Channel.FILL, Scope.ALL
    question = "How much light falls on a unit that stands here?"

    def stamp(self, context: LabContext) -> Any:
        """Return a key that changes with the light."""
        return context.world.light.version

    def scale(self, context: LabContext) -> Scale:
        """Return steps in the numbers of the light gem."""
        return even_scale(tuple(context.palette.ramps["cividis"]), 0.0, 100.0)

    def values(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the light in hundredths; nothing on a map that is lit alike."""
        level = context.world.light.level
        if self.empty(context):
            return np.full((y1 - y0, x1 - x0), np.nan)
        return np.asarray(level[y0:y1, x0:x1] / 2.55, np.float64)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the ramp, and what a step across a line is worth."""
        return [self.scale(context).row("one line: 10", "lit, as on the gem")]

    def empty(self, context: LabContext) -> str:
        """Return that all tiles look the same, as on a map by day."""
        level = context.world.light.level
        return "all tiles are equally light" if level.min() == level.max() else ""

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the light on the tile under the cursor."""
        return f"lit {context.world.light.level[int(y), int(x)] / 2.55:.0f}"


@overlay
class PossibleOverlay(GridOverlay):
    """Possible places of the enemies that guards have lost."""

    name, title, channel, scope = "possible", "Possible places", Channel.FILL, Scope.ALL
    question = "Where can the enemies be that the guards lost?"
    crisp = True

    def stamp(self, context: LabContext) -> Any:
        """Return a key that changes every tick and with the selection.

        While a guard is selected, only the map of its side is shown.
        """
        return context.playing.picture.tick, context.selected

    def _count(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the number of lost enemies possible on each tile, int64[h, w]."""
        out = np.zeros((y1 - y0, x1 - x0), np.int64)
        for known in self._wanted(context):
            for found in known.maps:
                out += found.possible[y0:y1, x0:x1] != 0
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

    def scale(self, context: LabContext) -> Scale:
        """Return one step for barred tiles, then one for each number of enemies."""
        ramp = tuple(context.palette.ramps["cividis"])
        colours = (ramp[1], *ramp[6:])
        return Scale(colours, -0.5, len(colours) - 0.5)

    def values(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the number of enemies that can be there.

        It is 0 where they would have been heard; other tiles are nothing.
        """
        count = self._count(context, y0, x0, y1, x1)
        barred = self._barred(context, y0, x0, y1, x1)
        return np.where(count > 0, count, np.where(barred, 0.0, np.nan))

    def hatched(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the tiles that cannot be entered unheard."""
        return self._barred(context, y0, x0, y1, x1) & (self._count(context, y0, x0, y1, x1) == 0)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return a row for each lost enemy with the size of its ground."""
        scale, world = self.scale(context), context.world
        rows = [
            LegendRow(f"{world.name_of(found.unit)}, lost", scale.ramp[1], f"{int((found.possible != 0).sum())} tiles")
            for known in self._wanted(context)
            for found in known.maps
        ][:MOST_LOST]
        if len(rows) > 1:
            rows.append(LegendRow("brighter: more of them", scale.ramp[2]))
        return [*rows, LegendRow("ruled: it would be heard", context.palette["ink"], "tiles", "ruled")]

    def empty(self, context: LabContext) -> str:
        """Return why nothing is shown."""
        return "" if any(known.maps for known in self._wanted(context)) else "no guard has lost an enemy"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return whether the lost enemy can be on the tile under the cursor."""
        tile = int(y), int(x), int(y) + 1, int(x) + 1
        count = int(self._count(context, *tile)[0, 0])
        if count:
            return "can be here" if count == 1 else f"{count} of them can be here"
        return "would have been heard here" if self._barred(context, *tile)[0, 0] else "cannot be here"


@overlay
class Areas(GridOverlay):
    """Areas of the map for sound, and the openings between them."""

    name, title, channel, scope = "areas", "Areas and chokes", Channel.FILL, Scope.ALL
    question = "Which rooms does sound cross, and through which openings?"
    crisp, strength = True, 105

    def stamp(self, context: LabContext) -> Any:
        """Return a key of the map and of the depth of detours."""
        return context.world.terrain.revision, settings_of(context.world).choke_depth

    def _chokes(self, context: LabContext) -> dict[int, list[list[int]]]:
        """Return choke areas with the groups of neighbours that they connect.

        Source: Game AI Pro 2, ch. 31.
        """
        depth = settings_of(context.world).choke_depth
        return choke_points(rooms(context.world).adjacency(), depth) if depth else {}

    def scale(self, context: LabContext) -> Scale:
        """Return the colours of areas, then that of openings."""
        colours = (*context.palette.ramps["okabe_ito"][:AREA_COLOURS], context.palette["ink"])
        return Scale(colours, -0.5, len(colours) - 0.5)

    def values(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return a colour's index for each area, another than its neighbours' have.

        The largest area, the open air of most maps, stays plain, and so do walls.
        """
        area = rooms(context.world).area[y0:y1, x0:x1].astype(np.int64)
        colour = np.array(self._colours(context), np.float64)
        colour[self._largest(context)] = np.nan
        return np.where(area >= 0, colour[np.maximum(area, 0)], np.where(area <= -2, AREA_COLOURS, np.nan))

    def _largest(self, context: LabContext) -> int:
        area = rooms(context.world).area
        return int(np.bincount(area[area >= 0].ravel(), minlength=1).argmax())

    def _colours(self, context: LabContext) -> list[int]:
        """Return a colour's index for each area, other than its neighbours' colours."""
        beside = rooms(context.world).adjacency()
        colours: list[int] = []
        for area, others in enumerate(beside):
            taken = {colours[other] for other in others if other < area}
            free = [c for c in range(AREA_COLOURS) if c not in taken] or [0]
            colours.append(free[area % len(free)])
        return colours

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Write the number of each area in its middle."""
        if camera.zoom < NAMED_FROM:
            return
        area = rooms(context.world).area
        y0, x0, y1, x1 = camera.visible_tiles()
        part = area[y0:y1, x0:x1]
        for number in np.unique(part[part >= 0]).tolist():
            ys, xs = np.nonzero(part == number)
            if len(ys) < LEAST_NAMED or number == self._largest(context):
                continue
            k = int(np.argmin((ys - ys.mean()) ** 2 + (xs - xs.mean()) ** 2))
            at = camera.to_screen(x0 + int(xs[k]) + 0.5, y0 + int(ys[k]) + 0.5)
            context.labels.put_there(
                surface, context.text, f"area {number}", at, context.palette["ink"], context.palette["rim"]
            )

    def hatched(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the tiles of choke areas."""
        ruled = [area for area in self._chokes(context) if area != self._largest(context)]
        hatched: np.ndarray = np.isin(rooms(context.world).area[y0:y1, x0:x1], ruled)
        return hatched

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the number of areas, openings and choke areas."""
        area, chokes = rooms(context.world).area, len(rooms(context.world).chokes)
        count = int(area.max()) + 1
        ramp = self.scale(context).ramp[:-1]
        return [
            LegendRow("rooms; plain: largest", ramp[0], f"{count} area{'' if count == 1 else 's'}", "ramp", ramp),
            LegendRow("door or narrow passage", context.palette["ink"], f"{chokes}"),
            LegendRow("ruled: no detour round it", context.palette["ink"], f"{len(self._chokes(context))}", "ruled"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return that the map is one room, where sound goes straight."""
        return "" if int(rooms(context.world).area.max()) > 0 else "the whole map is one room for sound"

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
class Exposure(GridOverlay):
    """Number of watchers known to the player's side that see each tile."""

    name, title, channel, scope = "exposure", "Exposure", Channel.FILL, Scope.ALL
    question = "How many known watchers would see you here?"
    crisp = True

    def _stance(self, context: LabContext) -> int:
        rows = context.playing.picture.rows(context.selected[:1])
        return int(context.playing.picture.stance[rows[0]]) if len(rows) else 0

    def stamp(self, context: LabContext) -> Any:
        """Return a key of the published map and of the first selected unit's stance."""
        known = sightings_of(context.world, context.playing.side)
        return (-1 if known is None else known.chart.rounds), self._stance(context)

    def scale(self, context: LabContext) -> Scale:
        """Return one step for each number of watchers, the last for four and more."""
        ramp = tuple(context.palette.ramps["cividis"])
        return Scale(ramp[3::2], 0.5, 4.5, ((1.0, "1"), (2.0, "2"), (3.0, "3"), (4.0, "4+")))

    def values(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the number of watchers that see each tile; nothing on unseen ones.

        All tiles are hatched before the first map is published.
        """
        known = sightings_of(context.world, context.playing.side)
        if known is None or not known.chart.rounds:
            return np.full((y1 - y0, x1 - x0), np.inf)
        count = known.chart.front[self._stance(context), y0:y1, x0:x1].astype(np.float64)
        return np.where(count > 0, count, np.nan)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the ramp and the stance that it holds for."""
        words = ("standing", "crouching", "lying")[self._stance(context)]
        return [
            self.scale(context).row(f"a {words} unit", "watchers"),
            LegendRow("outside cones: heads turn", context.palette["ink"], style="plain"),
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
