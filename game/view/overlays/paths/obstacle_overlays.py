"""Overlays of regions with the paths over them, and of obstructed units."""

from __future__ import annotations

from typing import Any

import numpy as np
import pygame

from ai.paths.replanning.hazards import known_tiles
from ai.paths.replanning.local_replanning import deepening_of
from ai.search.fields.flow_field import FlowField
from ai.search.regions.next_hop import MOST_REGIONS, NextHops
from ai.search.regions.region_graph import Regions
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.overlays.pencil import Layer, cased, centre, class_of, dot, hops, path_of, shown_rows
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB

MOST_TILES = 1 << 16

RECENT = 40
"""Ticks for which the last local search stays visible."""

MOST_BODIES = 200
"""Largest number of bodies that labels keep clear of.

In a larger crowd no room would be left for labels.
"""

WARN, ALARM = 4, 8
"""Repeats of a request: shown from WARN, in red from ALARM."""


@overlay
class RegionGraph(Overlay):
    """Regions of even ground, their centres, and paths by the next-hop table (GP2 31)."""

    name, title, channel, scope = "regions", "Regions", Channel.LINE, Scope.ALL
    question = "Which regions does the path lead through?"

    def __init__(self) -> None:
        self._key: tuple[int, int] | None = None
        self._regions: Any = None
        self._own: Any = None
        self._hops: Any = None
        self._flood: Any = None
        self._layer = Layer()

    def _made(self, context: LabContext) -> Any:
        terrain = context.world.terrain
        if terrain.passable.size > MOST_TILES:
            return None
        key = (int(terrain.revision), class_of(context))
        if self._key != key:
            # The regions that lead units are shown if there are any. Otherwise the overlay keeps regions of its own
            # and repairs them in the same way.
            led_by = context.world.paths.engines.chosen.regions.get(key[1])
            known, before = self._key is not None and self._key[1] == key[1], self._regions
            if led_by is not None and led_by.revision == terrain.revision:
                self._regions = led_by
            elif known and before.tile_region.shape == terrain.passable.shape and before is self._own:
                before.update(terrain)
            else:
                self._regions = self._own = Regions.build(terrain, key[1])
            if self._regions.open_count > MOST_REGIONS:
                self._hops = None
            elif self._regions is before and self._hops is not None:
                self._hops.follow(before)
            else:
                self._hops = NextHops.build(self._regions)
            self._key = key
        return self._regions

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw borders and centres, and the region paths of selected units."""
        regions = self._made(context)
        if regions is None:
            return
        self._layer.draw(surface, camera, self._key, lambda layer: self._standing(layer, camera, context))
        for row in context.rows(Scope.SELECTED).tolist()[:4] if context.selected else []:
            route = self._route(context, path_of(context, row))
            if route is not None:
                hops(surface, camera, context, route, ends=False)

    def _standing(self, layer: pygame.Surface, camera: Camera, context: LabContext) -> None:
        regions, of = self._regions, self._regions.tile_region
        y0, x0, y1, x1 = camera.visible_tiles()
        colour, opened = self._border(context), of >= 0
        for y, x in np.argwhere(opened[y0:y1, x0:x1]).tolist():
            y, x = y + y0, x + x0
            ax, ay = camera.to_screen(x, y)
            bx, by = camera.to_screen(x + 1, y + 1)
            if x + 1 < of.shape[1] and opened[y, x + 1] and of[y, x] != of[y, x + 1]:
                pygame.draw.line(layer, colour, (bx, ay), (bx, by), 2)
            if y + 1 < of.shape[0] and opened[y + 1, x] and of[y, x] != of[y + 1, x]:
                pygame.draw.line(layer, colour, (ax, by), (bx, by), 2)
        centres = regions.centres[: regions.open_count][regions.tiles[: regions.open_count] > 0]
        for i in shown_rows(camera, centres).tolist():
            dot(layer, context, centre(camera, tuple(centres[i].tolist())), colour, max(camera.zoom // 10, 2))

    def _route(self, context: LabContext, ends: tuple | None) -> list[tuple[int, int]] | None:
        if ends is None or self._hops is None:
            return None
        (start, goal), regions = ends, self._regions
        route = self._hops.route(regions, regions.at(*start), regions.at(*goal))
        if route is None:
            return None
        return [start, *(tuple(c) for c in regions.centres[route[1:-1]].tolist()), goal]

    @staticmethod
    def _border(context: LabContext) -> RGB:
        return context.palette.ramps["okabe_ito"][4]

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the number of regions and of filled columns of the table."""
        regions = self._made(context)
        count = int(np.count_nonzero(regions.tiles[: regions.open_count])) if regions is not None else 0
        filled = int(self._hops.filled.sum()) if self._hops is not None else 0
        return [
            LegendRow("border and centre", self._border(context), f"{count} regions", "line"),
            LegendRow("path over regions", context.palette.overlay["full"], "regions", "line"),
            LegendRow("goals in the table", context.palette["white"], f"{filled} of {count}"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return a message on a map that is too large."""
        return "" if self._made(context) is not None else "this map is too large for it"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the region, and the distance to the first selected unit's goal.

        The distance is given as a straight line, by the next-hop table and by an exact search.
        """
        regions = self._made(context)
        if regions is None:
            return "map too large for its regions"
        tile = int(y), int(x)
        number = regions.at(*tile)
        if number < 0:
            return ""
        cost = int(regions.cost[number]) / 8
        words = f"region {number}: {regions.tiles[number]} tiles of cost {cost:g}, {len(regions.neighbours(number))}"
        words += " neighbours"
        rows = context.rows(Scope.SELECTED) if context.selected else np.zeros(0, np.int64)
        ends = path_of(context, int(rows[0])) if len(rows) else None
        if ends is not None and self._hops is not None:
            by_table = self._hops.estimate(regions, tile, ends[1])
            straight = float(np.hypot(tile[0] - ends[1][0], tile[1] - ends[1][1]))
            words += f"; to the goal {straight:.0f} straight, {by_table:.0f} by the table"
            words += f", {self._true(context, tile, ends[1]):.0f} exact"
        return words

    def _true(self, context: LabContext, tile: tuple[int, int], goal: tuple[int, int]) -> float:
        """Return the exact path cost in tiles of ordinary ground.

        It comes from one flood for each goal.
        """
        key = (*(self._key or (0, 0)), *goal)
        if self._flood is None or self._flood[0] != key:
            terrain = context.world.terrain
            field = FlowField.build(terrain, key[1], np.array([goal]))
            while not field.ready:
                field.run(terrain, 1 << 40)
            self._flood = (key, field.costs)
        return float(self._flood[1][tile])


@overlay
class Troubles(Overlay):
    """Obstacles, hazards and failed progress of each unit.

    Sources: GP2 34.2, AW 3.3, IA 26 to 28.
    """

    name, title, channel, scope = "troubles", "Obstructions", Channel.MARK, Scope.ALL
    question = "What obstructs each unit, and how does it react?"

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw the last local search, known hazards, and what is written above obstructed units."""
        paths, tick = context.world.paths, context.world.tick
        picture = paths.local.picture
        if picture.unit >= 0 and tick - picture.tick <= RECENT:
            height, width = picture.barred.shape
            ax, ay = camera.to_screen(picture.x, picture.y)
            bx, by = camera.to_screen(picture.x + width, picture.y + height)
            pygame.draw.rect(surface, self._window(context), pygame.Rect(ax, ay, bx - ax, by - ay), 2)
            for y, x in np.argwhere(picture.barred).tolist():
                self._hatch(surface, camera, (picture.y + y, picture.x + x), self._window(context))
        # The picture of the search marks hazard tiles as barred too, so hazards are drawn over it.
        for side in sorted(paths.hazards.known):
            for y, x in known_tiles(paths.hazards, side).tolist():
                self._hatch(surface, camera, (y, x), self._danger(context))
        if picture.unit >= 0 and tick - picture.tick <= RECENT and len(picture.tiles) > 1:
            points = [centre(camera, (y, x)) for y, x in picture.tiles.tolist()]
            cased(surface, context, points, context.palette.overlay["splice"], 3)
        p = context.playing.picture
        xs, ys, _ = p.between(alpha)
        rows = context.on_screen(camera, self.scope, alpha)
        for row in rows[:MOST_BODIES].tolist():
            # Figures are drawn later and would hide a label below them.
            body = pygame.Rect(0, 0, camera.zoom, camera.zoom)
            body.center = camera.to_screen(float(xs[row]), float(ys[row]))
            context.labels.reserve(body)
        for row in rows.tolist():
            reach = self._reach(context, row)
            if reach > 0.0:
                middle = camera.to_screen(float(xs[row]), float(ys[row]))
                pygame.draw.circle(surface, self._window(context), middle, round(reach * camera.zoom), 2)
            words, loud = self._words(context, row)
            if words:
                at = camera.to_screen(float(xs[row]), float(ys[row]) - 0.75)
                colour = self._danger(context) if loud else context.palette["ink"]
                context.labels.put(surface, context.text, words, at, 6, colour, context.palette["rim"])

    @staticmethod
    def _hatch(surface: pygame.Surface, camera: Camera, tile: tuple[int, int], colour: RGB) -> None:
        ax, ay = camera.to_screen(tile[1], tile[0])
        bx, by = camera.to_screen(tile[1] + 1, tile[0] + 1)
        for k in range(0, bx - ax, 6):
            pygame.draw.line(surface, colour, (ax + k, by), (bx, ay + k), 1)
            pygame.draw.line(surface, colour, (ax, by - k), (bx - k, ay), 1)

    @staticmethod
    def _words(context: LabContext, row: int) -> tuple[str, bool]:
        """Return the words above a unit, and whether they have the colour of danger."""
        paths = context.world.paths
        r = paths.requests
        if row >= r.capacity:
            return "", False
        words: list[str] = []
        loud = False
        if row in paths.local.slots:
            words.append(f"queue {paths.local.slots.index(row) + 1}")
        if r.sealed[row] and paths.store.path_len[row] and context.world.settings.paths.deepening:
            wait = (int(r.local_due[row]) - context.world.tick) / 20
            words.append(f"search {int(r.sealed[row]) + 1}" + (f" in {wait:.1f} s" if wait > 0 else ""))
        elif r.futile[row]:
            words.append(f"no progress {int(r.futile[row])} s")
            loud |= bool(r.sealed[row])
        if r.same_count[row] >= WARN and context.world.tick - r.same_since[row] <= 600:
            words.append(f"requested {int(r.same_count[row])}x")
            loud |= bool(r.same_count[row] >= ALARM)
        return ", ".join(words), loud

    @staticmethod
    def _reach(context: LabContext, row: int) -> float:
        """Return the radius in tiles of a unit's next local search.

        A circle of this radius has as many tiles as the search may expand. It is 0 while no search has failed.
        """
        paths, settings = context.world.paths, context.world.settings.paths
        failed = int(paths.requests.sealed[row]) if row < paths.requests.capacity else 0
        if not failed or not settings.deepening or not paths.store.path_len[row]:
            return 0.0
        return float(np.sqrt(deepening_of(settings).limit(failed) / np.pi))

    @staticmethod
    def _window(context: LabContext) -> RGB:
        return context.palette.ramps["okabe_ito"][4]

    @staticmethod
    def _danger(context: LabContext) -> RGB:
        return context.palette.ramps["okabe_ito"][3]

    def empty(self, context: LabContext) -> str:
        """Return a message while no unit is obstructed and no hazard is known."""
        paths, tick = context.world.paths, context.world.tick
        recent = paths.local.picture.unit >= 0 and tick - paths.local.picture.tick <= RECENT
        held_up = recent or any(paths.hazards.known.values())
        held_up = held_up or any(self._words(context, row)[0] for row in context.rows(self.scope).tolist())
        return "" if held_up else "no unit is obstructed now"

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of the marks, with counts."""
        paths = context.world.paths
        known = sum(len(rows) for rows in paths.hazards.known.values())
        s = paths.statistics
        return [
            LegendRow("barred", self._window(context), f"in {s.local} local searches", "hatch"),
            LegendRow("new path", context.palette.overlay["splice"], "tiles", "line"),
            LegendRow("hazard", self._danger(context), f"{known} places remembered", "hatch"),
            LegendRow("next search", self._window(context), "radius in tiles", "ring"),
            LegendRow("no progress", context.palette["ink"], "seconds"),
            LegendRow("requested", context.palette["ink"], "times, the same path"),
        ]

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the obstruction of the unit here, or the age of a hazard."""
        row = context.row_at(self.scope, x, y)
        paths = context.world.paths
        if row >= 0:
            words, _ = self._words(context, row)
            name = context.world.name_of(int(context.playing.picture.id[row]))
            return f"{name}: {words or 'not obstructed'}"
        for rows in paths.hazards.known.values():
            for hy, hx, _, tick in rows:
                if (hy, hx) == (int(y), int(x)):
                    return f"hazard, {(context.world.tick - tick) / 20:.0f} s old"
        return "no obstruction here"
