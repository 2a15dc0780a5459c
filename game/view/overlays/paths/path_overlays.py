"""Overlays of paths: source of each part, time slices and the request queue."""

from __future__ import annotations

import numpy as np
import pygame

from ai.paths.requests.request_columns import Phase
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB
from game.view.units.order_marks import dashed

STAGES = ("none", "quick", "full", "splice", "priority")
LOCAL = 5
"""Path source of a local search; drawn as a splice path."""

FULL_BAR = 100
"""Revolutions for each tile of length in the bar above a unit."""

MOST_PATHS = 16
"""Largest number of paths drawn at once; more could not be told apart."""

MOST_ROWS = 4
"""Number of units in the queue panel, two lines each."""

LOOKED_BACK = 200
"""Number of last decisions that are searched for the last answered units."""


def stage_colour(context: LabContext, stage: int) -> RGB:
    """Return the palette's colour of a path source."""
    return context.palette.overlay.get(STAGES[stage % len(STAGES)], context.palette["ink"])


@overlay
class PathStages(Overlay):
    """Remaining path of each unit, coloured by the search that found it.

    Source: AW 3.3.
    """

    name, title, channel, scope = "paths", "Path stages", Channel.LINE, Scope.SELECTED
    question = "Which search found each part of the path?"

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw casing, ink and colour; a full path is solid, other parts are dashed."""
        p = context.playing.picture
        x, y, _ = p.between(alpha)
        for r in context.rows(self.scope)[:MOST_PATHS].tolist():
            points = self._points(context, r)
            if not points:
                continue
            places = np.array([(x[r], y[r]), *[(px, py) for px, py, _ in points]])
            pixels = np.floor(places * camera.zoom).astype(np.int64) - camera.origin
            self._draw_path(surface, context, [(px, py) for px, py in pixels.tolist()], [s for _, _, s in points])

    def __init__(self) -> None:
        self._tick = -1
        self._known: dict[int, list[tuple[float, float, int]]] = {}

    def _points(self, context: LabContext, row: int) -> list[tuple[float, float, int]]:
        """Return the rest of a path as (x, y, source), read once a tick."""
        tick = context.playing.picture.tick
        if tick != self._tick:
            self._tick, self._known = tick, {}
        if row not in self._known:
            self._known[row] = self._read(context, row)
        return self._known[row]

    @staticmethod
    def _read(context: LabContext, row: int) -> list[tuple[float, float, int]]:
        store = context.world.paths.store
        if row >= store.capacity:
            return []
        stages = [3 if s == LOCAL else int(s) for s in store.waypoints(row)[:, 2].tolist()]
        points = [(float(x), float(y), s) for (x, y), s in zip(store.points_of(row).tolist(), stages, strict=True)]
        if points:
            points[0] = (float(store.wp_x[row]), float(store.wp_y[row]), points[0][2])
        return points

    def _draw_path(
        self, surface: pygame.Surface, context: LabContext, pixels: list[tuple[int, int]], stages: list[int]
    ) -> None:
        palette = context.palette
        clip = surface.get_clip()
        if not clip.colliderect(_bounds(pixels)):
            return
        pygame.draw.lines(surface, palette["rim"], False, pixels, 9)
        pygame.draw.lines(surface, palette["ink"], False, pixels, 6)
        first = 0
        for i in range(1, len(stages) + 1):
            if i < len(stages) and stages[i] == stages[first]:
                continue
            # Consecutive pieces with one source are one line.
            stage, run = stages[first], pixels[first : i + 1]
            colour = stage_colour(context, stage)
            if not clip.colliderect(_bounds(run)):
                first = i
                continue
            if stage == 2:
                pygame.draw.lines(surface, colour, False, run, 3)
            else:
                pygame.draw.lines(surface, palette["white"], False, run, 3)
                dashed(surface, run, colour, None, 3, *((8, 6) if stage != 4 else (3, 4)))
            if first and clip.inflate(12, 12).collidepoint(run[0]):
                pygame.draw.circle(surface, palette["ink"], run[0], 6)
                pygame.draw.circle(surface, colour, run[0], 4)
            first = i
        if clip.inflate(14, 14).collidepoint(pixels[-1]):
            pygame.draw.circle(surface, palette["ink"], pixels[-1], 7)
            pygame.draw.circle(surface, stage_colour(context, stages[-1]), pixels[-1], 5)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return a row for each source with the number of shown paths."""
        rows = context.rows(self.scope)[:MOST_PATHS].tolist()
        paths = [{stage for _, _, stage in self._points(context, r)} for r in rows]
        shown = sum(bool(path) for path in paths)
        return [
            LegendRow(
                name, stage_colour(context, i), f"{sum(i in path for path in paths)} of {shown}",
                "dash" if name != "full" else "line",
            )
            for i, name in enumerate(STAGES)
            if i
        ]  # fmt: skip

    def empty(self, context: LabContext) -> str:
        """Return a message while no shown unit has a path."""
        rows = context.rows(self.scope)[:MOST_PATHS].tolist()
        return "" if any(self._points(context, r) for r in rows) else "no unit shown has a path now"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the source of the nearest waypoint of a shown path within a tile."""
        best, words = 1.0, ""
        for r in context.rows(self.scope)[:MOST_PATHS].tolist():
            for i, (wx, wy, stage) in enumerate(self._points(context, r)):
                d = (wx - x) ** 2 + (wy - y) ** 2
                if d < best:
                    unit = context.world.name_of(int(context.playing.picture.id[r]))
                    best, words = d, f"{STAGES[stage]}, waypoint {i + 1} of {unit}"
        return words


BAR, MOST_BARS = 26, 4
"""Pixels kept free for a bar with its number; largest number of stacked bars."""


@overlay
class TurnsOverlay(Overlay):
    """Search progress and next turn of each waiting unit (AW 3.3)."""

    name, title, channel, scope = "turns", "Turns in the queue", Channel.MARK, Scope.ALL
    question = "How far is each search, and how large is its next turn?"

    def __init__(self) -> None:
        self._tick = -1
        self._open: dict[int, tuple[int, int, bool]] = {}
        self._waiting: set[int] = set()

    def _read(self, context: LabContext) -> None:
        """Read open searches and waiting units, once a tick.

        An open search is kept as unit -> (revolutions so far, revolutions of the next turn, favoured).
        """
        world = context.world
        if self._tick == world.tick:
            return
        self._tick = world.tick
        queue, requests = world.paths.queue, world.paths.requests
        equal = str(world.settings.paths.slicing) == "equal"
        share = world.settings.paths.budget // max(len(queue.open), 1)
        self._open = {
            e.unit: (queue.slabs[e.slab].revolutions, share if equal else e.allowance, e.favoured) for e in queue.open
        }
        waiting = requests.in_phase(Phase.WAITING)
        self._waiting = set(requests.unit[waiting].tolist())

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw a bar: revolutions so far, then those of the next turn.

        FULL_BAR revolutions are a tile long. A waiting unit gets a small circle.
        """
        self._read(context)
        p, palette = context.playing.picture, context.palette
        x, y, _ = p.between(alpha)
        rows = context.scene.on_screen(camera, context.playing, context.rows(self.scope), alpha)
        for r in rows.tolist():
            unit = int(p.id[r])
            at = camera.to_screen(float(x[r]), float(y[r]))
            top = at[1] - camera.zoom * 7 // 8
            if unit in self._waiting:
                pygame.draw.circle(surface, palette["ink"], (at[0], top), 5)
                pygame.draw.circle(surface, palette["white"], (at[0], top), 3)
                continue
            if unit not in self._open:
                continue
            had, turn, favoured = self._open[unit]
            scale = camera.zoom / FULL_BAR
            # The bar ends at three tiles; the number above it is exact.
            first = min(round(had * scale), 3 * camera.zoom)
            second = max(min(round(turn * scale), camera.zoom), 2)
            left = at[0] - camera.zoom // 2
            # Bars of neighbours that would overlap are stacked.
            for lift in range(0, MOST_BARS * BAR, BAR):
                box = pygame.Rect(left - 2, top - 22 - lift, max(first + second + 4, BAR), BAR)
                if context.labels.is_free(box):
                    break
            context.labels.reserve(box)
            top -= lift
            colour = stage_colour(context, 4 if favoured else 2)
            pygame.draw.rect(surface, palette["ink"], (left - 2, top - 5, first + second + 4, 10))
            pygame.draw.rect(surface, colour, (left, top - 3, first, 6))
            pygame.draw.rect(surface, palette["white"], (left + first, top - 3, second, 6))
            if camera.zoom >= 32:
                words = str(had)
                context.text.draw(
                    surface, (left, top - 7), words, palette["ink"], "sans_bold", 14, "bottomleft", palette["rim"]
                )

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of the parts of a bar."""
        self._read(context)
        palette = context.palette
        rows = [
            LegendRow("searched so far", stage_colour(context, 2), f"rev, a tile is {FULL_BAR}"),
            LegendRow("next turn", palette["white"], "rev"),
            LegendRow("waits for memory of a search", palette["white"], f"{len(self._waiting)} units", "ring"),
        ]
        if any(favoured for _, _, favoured in self._open.values()):
            rows.insert(1, LegendRow("searched so far, favoured", stage_colour(context, 4), "rev"))
        return rows

    def empty(self, context: LabContext) -> str:
        """Return a message while no request is waiting or open."""
        self._read(context)
        return "" if self._open or self._waiting else "no unit waits for a path now"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the search of the unit under the cursor."""
        self._read(context)
        p = context.playing.picture
        for r in context.rows(Scope.ALL).tolist():
            if (p.x[r] - x) ** 2 + (p.y[r] - y) ** 2 < 0.6:
                unit = int(p.id[r])
                if unit in self._open:
                    had, turn, _ = self._open[unit]
                    return f"{context.world.name_of(unit)}: {had} rev so far, next turn {turn}"
                return "waits for memory of a search" if unit in self._waiting else "waits for no path"
        return ""


def _bounds(pixels: list[tuple[int, int]]) -> pygame.Rect:
    xs, ys = [x for x, _ in pixels], [y for _, y in pixels]
    return pygame.Rect(min(xs) - 8, min(ys) - 8, max(xs) - min(xs) + 16, max(ys) - min(ys) + 16)


@overlay
class PathQueue(Overlay):
    """Requests for full paths and the revolutions of this tick (AW 3.3)."""

    name, title, channel, scope = "queue", "Path queue", Channel.PANEL, Scope.ALL
    question = "Which units wait for a path, and what is searched now?"

    def panel_lines(self, context: LabContext) -> list[tuple[str, str]]:
        """Return revolutions and counts, the first requests, and the last answers.

        A request has age, engine, revolutions, allowance and the reason for its engine. The last answers are shown
        where requests leave room.
        """
        world = context.world
        s, budget = world.paths.statistics, world.settings.paths.budget
        listing = world.paths.listing(world.tick, 64, world.terrain, world.settings.paths)
        waiting = len(world.group_paths.open) + world.sneak_line.waiting
        most = world.settings.formation.budget + world.settings.rules.sneak_budget
        apart = [("    of that for groups, sneaking", f"{s.groups_this_tick} of {most} rev, {waiting} wait")]
        lines = [
            ("queue, this tick", f"{s.revolutions_this_tick} of {budget} rev"),
            ("outside the queue, this tick", f"{s.quick_this_tick} rev"),
            *(apart if world.groups.rows or world.sneaks else ()),
            ("open / waiting", f"{len(world.paths.queue.open)} / {s.waiting_now}"),
            ("full path after (p95)", f"{s.latency(0.95)} ticks"),
        ]
        for row in listing[:MOST_ROWS]:
            used = f"{row.revolutions} rev, turn {row.allowance}" if row.stage == "open" else "waits"
            lines.append((f"{world.name_of(row.unit)}, {row.age} ticks", used))
            lines.append((f"    {row.engine}", row.reason))
        shown = {row.unit for row in listing[:MOST_ROWS]}
        for told in reversed(world.paths.trace.recent(LOOKED_BACK)):
            if len(shown) >= MOST_ROWS:
                break
            if told.choice is not None and told.unit >= 0 and told.unit not in shown:
                shown.add(told.unit)
                engine, why = told.choice
                lines.append((f"{world.name_of(told.unit)}, {world.tick - told.tick} ticks ago", engine))
                lines.append(("    because", why))
        return lines

    def panel_bar(self, context: LabContext) -> tuple[int, int, int]:
        """Return this tick's revolutions: used, charged, and the whole budget.

        Leading a large crowd and repairing structures are charged.
        """
        s = context.world.paths.statistics
        return s.revolutions_this_tick, s.charged_this_tick, context.world.settings.paths.budget

    def panel_chart(self, context: LabContext) -> np.ndarray | None:
        """Return the revolutions of the queue in the last ticks."""
        rows = context.world.paths.statistics.sparkline()
        return rows[:, 0] if len(rows) else None

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the unit of the chart."""
        return [LegendRow("queue, last ticks", stage_colour(context, 2), "rev a tick", "line")]

    def empty(self, context: LabContext) -> str:
        """Return a message while no search is open."""
        return "" if context.world.paths.queue.open else "no search is open now"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the number of open searches; the queue has no place on the map."""
        world = context.world
        return f"{len(world.paths.queue.open)} searches open"
