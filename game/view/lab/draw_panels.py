"""Panels of Lab: badge, overlays, legend, queue, inspector, value under the cursor."""

from __future__ import annotations

import numpy as np
import pygame

from game.level.model import GROUNDS
from game.systems.sandbox.brushes import ground_at
from game.view.exhibits.cards.glossary_terms import Term
from game.view.lab.draw_legend import Legend, LegendDrawer
from game.view.lab.draw_list import OverlayList
from game.view.lab.glossary import Glossary, draw_tip
from game.view.lab.inspector import Arranged, Words, arranged, draw_inspector
from game.view.lab.overlay_finder import OverlayFinder
from game.view.lab.overlay_set import OverlaySet
from game.view.overlays.overlay import REGISTRY, Channel, LabContext, Overlay
from game.view.painting.camera import Camera
from game.view.painting.painter_services import PainterServices
from game.view.painting.text import fitting
from game.view.scene import View

WIDTH, INSPECTOR = 250, 520
"""Widths of list and legend, and of the inspector in a wide window."""
NEED = (1180, 700)
"""Interface pixels that the panels take.

In a smaller window the panels are smaller than the options ask.
"""


class LabPanels:
    """Places and draws the panels; remembers where what can be clicked lies."""

    def __init__(self, app: PainterServices, finder: OverlayFinder) -> None:
        self.app = app
        self.text = fitting(app.text, app.window.get_size(), NEED)
        self.list = OverlayList(app, self.text, finder)
        self.legend = LegendDrawer(app, self.text, WIDTH)
        self.glossary = Glossary()
        self._rects: list[pygame.Rect] = []
        self.below = pygame.Rect(0, 0, 0, 0)
        """Box of the timeline, empty without one."""
        self.beside = pygame.Rect(0, 0, 0, 0)
        """Box of the panel "Why?", empty without it.

        The panel takes the place of list and legend.
        """
        self.pinned = pygame.Rect(0, 0, 0, 0)
        """Box of the pinned numbers, empty without one."""
        self.badge = pygame.Rect(0, 0, 0, 0)
        """Box of the badge, below which notices lie."""
        self._roof = 0
        """Lowest pixel of objective and badge, below which the inspector lies."""
        self._legends: list[Legend] = []
        self._lines: dict[str, list[tuple[str, str]]] = {}
        self._spots: list[tuple[pygame.Rect, str]] = []
        """Boxes and words of the rows of panels and inspector, for tool tips."""
        self._inspected: list[tuple[pygame.Rect, str]] = []
        self._scores: list[tuple[pygame.Rect, Term]] = []
        """Boxes and meanings of the rows of scores in the inspector."""
        self.first = 0
        """First line of the inspector's cells in view."""
        self._of = -1
        self._inspector = pygame.Rect(0, 0, 0, 0)
        self._kept: list[tuple[pygame.Rect, pygame.Surface]] = []
        self._kept_inspector: list[tuple[pygame.Rect, pygame.Surface]] = []

    @property
    def rects(self) -> list[pygame.Rect]:
        """Rectangles of the panels."""
        return self._rects

    @property
    def top(self) -> int:
        """Return the first row of the list that is in view."""
        return self.list.top

    def scroll(self, by: int, at: tuple[int, int]) -> None:
        """Move the panel under a pixel by notches of the wheel.

        A notch moves the inspector by a line, and the list by three rows.
        """
        if self._inspector.collidepoint(at):
            self.first = max(self.first + by, 0)
        else:
            self.list.scroll(3 * by)

    def covers(self, pos: tuple[int, int]) -> bool:
        """Return whether a pixel lies on a panel."""
        return any(rect.collidepoint(pos) for rect in (*self._rects, self.below, self.beside, self.pinned))

    def part_at(self, pos: tuple[int, int]) -> tuple[str, str] | None:
        """Return (lens, overlay or exhibit, name) under a pixel, or None."""
        links = [(rect, ("exhibit", slug)) for rect, slug in self.legend.links]
        return next((what for rect, what in (*links, *self.list.parts) if rect.collidepoint(pos)), None)

    def draw(
        self, surface: pygame.Surface, context: LabContext, overlays: OverlaySet, lens: str,
        registered: list[type[Overlay]], view: View, fresh: bool, inspected: Words | None, objective: pygame.Rect,
    ) -> None:  # fmt: skip
        """Draw badge, list and legend.

        With ``fresh`` the values are read again. The words of an ``inspected`` unit keep their room.
        """
        if inspected is None:
            self._inspector, self._inspected, self._scores = pygame.Rect(0, 0, 0, 0), [], []
        self._draw_badge(surface, context, view, objective)
        self._roof = max(objective.bottom, self.badge.bottom if self.badge.x < self._width(surface) else 0)
        self._roof += self.text.px(8)
        inspector = self._inspector_rect(surface, inspected) if inspected is not None else None
        if fresh or {legend.overlay.name for legend in self._legends} != {o.name for o in overlays.on}:
            self._legends = [Legend(o, context) for o in overlays.on]
            self._lines = {o.name: o.panel_lines(context) for o in overlays.of(Channel.PANEL)}
        if not fresh and self._kept:
            for rect, picture in self._kept:
                self.app.panels.draw_shadow(surface, rect)
                surface.blit(picture, rect)
            return
        px = self.text.px
        width, height = surface.get_size()
        if self.beside.width:
            self._rects, self.list.parts, self.legend.spots, self.legend.links = [], [], [], []
            lowest = inspector.top - px(10) if inspector is not None else self._floor(surface)
            self._draw_lines(surface, context, overlays, objective, lowest)
            self._kept = _pictures(surface, self._rects)
            return
        column = pygame.Rect(width - px(WIDTH + 12), px(12), px(WIDTH), height - px(24))
        needs = self.legend.height(self._legends) if self._legends else 0
        beside = needs + px(8) > column.height // 2
        room = column.height if beside or not needs else column.height - needs - px(8)
        self.list.draw(surface, pygame.Rect(*column.topleft, column.width, room), overlays, lens, registered)
        self._rects = [self.list.rect]
        self.legend.spots, self.legend.links = [], []
        if self._legends:
            rect = pygame.Rect(column.x, 0, column.width, needs)
            bottom = column.bottom
            if beside:
                rect.x -= px(WIDTH + 8)
                beyond = inspector is None or rect.x > inspector.right
                bottom = self._floor(surface) if beyond or inspector is None else inspector.top - px(8)
            legends = self.legend.fitting(self._legends, bottom - px(70))
            rect.height = self.legend.height(legends)
            rect.bottom = bottom
            self._rects.append(rect)
            self.legend.draw(surface, rect, legends)
        lowest = inspector.top - px(10) if inspector is not None else self._floor(surface)
        self._draw_lines(surface, context, overlays, objective, lowest)
        self._kept = _pictures(surface, self._rects)

    def _draw_badge(self, surface: pygame.Surface, context: LabContext, view: View, objective: pygame.Rect) -> None:
        text, palette = self.text, self.app.palette
        words = "fog lifted, no medal" if view.lift_fog else "no medal"
        tick = view.past or f"tick {context.playing.picture.tick}"
        stage = context.playing.last_stage if context.playing.clock.paused else ""
        tick += f", after {stage}" if stage else ""
        line = f"LAB   {words}   {tick}" + (", paused" if context.playing.clock.paused else "")
        width = text.size("serif_bold", 18, line)[0] + text.px(72)
        rect = pygame.Rect(0, text.px(12), width, text.px(44))
        rect.centerx = surface.get_width() // 2
        right = self.beside.left - text.px(8) if self.beside.width else surface.get_width() - text.px(WIDTH + 20)
        if rect.left < objective.right + text.px(8):
            rect.left = objective.right + text.px(8)
        if rect.right > right:
            rect.topleft = objective.left, objective.bottom + text.px(8)
        self.badge = rect
        notch = text.px(14)
        shape = [
            rect.topleft, rect.topright, (rect.right - notch, rect.centery), rect.bottomright, rect.bottomleft,
            (rect.left + notch, rect.centery),
        ]  # fmt: skip
        pygame.draw.polygon(surface, palette["yellow"], shape)
        pygame.draw.polygon(surface, palette["ink"], shape, 2)
        text.draw(surface, rect.center, line, palette["ink"], "serif_bold", 18, "center")

    def _draw_lines(
        self, surface: pygame.Surface, context: LabContext, overlays: OverlaySet, objective: pygame.Rect, lowest: int
    ) -> None:
        """Draw screen panels below the objective; lines that would pass ``lowest`` are left out."""
        text, panels = self.text, self.app.panels
        px = text.px
        self._spots = []
        badge = self.badge.bottom if self.badge.x < px(300) else 0
        y = max(objective.bottom, badge, self.pinned.bottom) + px(12)
        for o in overlays.of(Channel.PANEL):
            lines = self._lines.get(o.name, [])
            chart = o.panel_chart(context)
            budget = o.panel_bar(context)
            head = px(48) + (px(46) if chart is not None else 0) + (px(20) if budget else 0)
            if y + head > lowest:
                return
            lines = lines[: (lowest - y - head) // px(22)]
            height = head + px(22) * len(lines)
            rect = pygame.Rect(px(12), y, px(322), height)
            self._rects.append(rect)
            panels.draw(surface, rect)
            text.draw(surface, (rect.x + px(14), rect.y + px(7)), o.title, panels.ink, "serif_bold", 18)
            at = rect.y + px(36)
            if chart is not None:
                self._draw_chart(surface, pygame.Rect(rect.x + px(14), at, rect.width - px(28), px(38)), chart, context)
                at += px(46)
            if budget is not None:
                self._draw_bar(surface, pygame.Rect(rect.x + px(14), at, rect.width - px(28), px(12)), budget, context)
                at += px(20)
            for what, value in lines:
                # A long value leaves its name a third of the line.
                room = rect.width - px(28)
                value = text.shortened(
                    "sans_bold", 15, value, room - min(text.size("sans", 15, what)[0], room // 3) - px(8)
                )
                said = text.draw(surface, (rect.right - px(14), at), value, panels.ink, "sans_bold", 15, "topright")
                self._spots.append((pygame.Rect(rect.x, at, rect.width, px(22)), what))
                what = text.shortened("sans", 15, what, said.left - rect.x - px(22))
                text.draw(surface, (rect.x + px(14), at), what, panels.soft, "sans", 15)
                at += px(22)
            y = rect.bottom + px(10)

    def _draw_bar(
        self, surface: pygame.Surface, rect: pygame.Rect, budget: tuple[int, int, int], context: LabContext
    ) -> None:
        """Draw the used parts of a budget: one plain, one hatched by its edge."""
        first, second, whole = budget
        pygame.draw.rect(surface, self.app.palette["mist"], rect)
        a = rect.width * min(first, whole) // max(whole, 1)
        b = rect.width * min(first + second, whole) // max(whole, 1)
        pygame.draw.rect(surface, context.palette.overlay["full"], (rect.x, rect.y, a, rect.height))
        pygame.draw.rect(surface, context.palette.overlay["splice"], (rect.x + a, rect.y, b - a, rect.height))
        pygame.draw.rect(surface, self.app.panels.hair, rect, 1)

    def _draw_chart(self, surface: pygame.Surface, rect: pygame.Rect, values: np.ndarray, context: LabContext) -> None:
        pygame.draw.rect(surface, self.app.palette["mist"], rect)
        points = chart_points(values, rect)
        if len(points) > 1:
            pygame.draw.lines(surface, context.palette.overlay["full"], False, points, 2)
        pygame.draw.rect(surface, self.app.panels.hair, rect, 1)

    def draw_inspector(
        self,
        surface: pygame.Surface,
        context: LabContext,
        unit: int,
        words: Words,
        fresh: bool,
    ) -> None:
        """Draw the unit inspector at the bottom left."""
        if not fresh and self._kept_inspector:
            rect, picture = self._kept_inspector[0]
            self.app.panels.draw_shadow(surface, rect)
            surface.blit(picture, rect)
            return
        if unit != self._of:
            self._of, self.first = unit, 0
        at = self._arranged(surface, words)
        rect = self._inspector = self._inspector_rect(surface, words)
        self.first = min(self.first, at.first)
        self._rects.append(rect)
        self._scores = draw_inspector(surface, rect, context, self.app.panels, unit, words, at, self.text)
        self._inspected = [
            (pygame.Rect(rect.x + x, rect.y + y, self.text.px(90), self.text.px(36)), what)
            for x, y, what, _ in at.cells
        ]
        self._kept_inspector = _pictures(surface, [rect])

    def _width(self, surface: pygame.Surface) -> int:
        """Return the inspector's width: at most a third of the window."""
        return min(self.text.px(INSPECTOR), surface.get_width() // 3)

    def _arranged(self, surface: pygame.Surface, words: Words) -> Arranged:
        return arranged(self.text, self._width(surface), words, self.first, self._floor(surface) - self._roof)

    def _inspector_rect(self, surface: pygame.Surface, words: Words) -> pygame.Rect:
        """Return the inspector's box, as high as its words need."""
        height = self._arranged(surface, words).height
        return pygame.Rect(self.text.px(12), self._floor(surface) - height, self._width(surface), height)

    def _floor(self, surface: pygame.Surface) -> int:
        """Return the lowest pixel of panels above the timeline."""
        return self.below.top - self.text.px(8) if self.below.width else surface.get_height() - self.text.px(12)

    def draw_tip(self, surface: pygame.Surface, cursor: tuple[int, int]) -> None:
        """Explain a score, or the glossary's term in the words under the cursor.

        The words are those of a legend, a panel or a listed overlay.
        """
        listed = [(rect, title_of(name)) for rect, (kind, name) in self.list.parts if kind == "overlay"]
        spots = [*self.legend.spots, *self._spots, *self._inspected, *listed]
        term = next((term for rect, term in self._scores if rect.collidepoint(cursor)), None)
        if term is None:
            term = self.glossary.find(next((words for rect, words in spots if rect.collidepoint(cursor)), ""))
        if term is not None:
            draw_tip(surface, self.text, self.app.panels, cursor, term)

    def draw_value(
        self,
        surface: pygame.Surface,
        camera: Camera,
        context: LabContext,
        cursor: tuple[int, int],
        value: str,
    ) -> None:
        """Draw a frame round the tile under the cursor, and the overlays' values."""
        text, panels = self.text, self.app.panels
        tile = camera.tile_at(*cursor)
        if tile is None:
            return
        row, column = tile
        x, y = camera.to_screen(column, row)
        if camera.zoom >= 8:
            pygame.draw.rect(surface, panels.ink, (x, y, camera.zoom, camera.zoom), 2)
        playing = context.playing
        ground = GROUNDS[ground_at(playing.level.ground, playing.world, row, column)].replace("_", " ")
        below = f"tile {column}, {row}   {ground}"
        width = max(text.size("sans_bold", 16, value)[0], text.size("sans", 14, below)[0]) + text.px(24)
        rect = pygame.Rect(cursor[0] + 24, cursor[1] + 16, width, text.px(48))
        rect.clamp_ip(surface.get_rect())
        panels.draw(surface, rect)
        text.draw(surface, (rect.x + text.px(12), rect.y + text.px(4)), value, panels.ink, "sans_bold", 16)
        text.draw(surface, (rect.x + text.px(12), rect.y + text.px(25)), below, panels.soft, "sans", 14)


def title_of(name: str) -> str:
    """Return an overlay's title and question, in which terms are looked for."""
    return f"{REGISTRY[name].title}: {REGISTRY[name].question}" if name in REGISTRY else ""


def _pictures(surface: pygame.Surface, rects: list[pygame.Rect]) -> list[tuple[pygame.Rect, pygame.Surface]]:
    """Return copies of the drawn rectangles.

    Panels are drawn ten times a second, and these copies are blitted in between.
    """
    inside = [rect.clip(surface.get_rect()) for rect in rects]
    return [(rect, surface.subsurface(rect).copy()) for rect in inside if rect.width and rect.height]


def chart_points(values: np.ndarray, rect: pygame.Rect) -> list[tuple[int, int]]:
    """Return the points of a line chart, the newest value at the right."""
    top = max(int(values.max()), 1)
    n = len(values)
    return [
        (
            rect.right - 1 - (n - 1 - i) * (rect.width - 1) // max(n - 1, 1),
            rect.bottom - 1 - int(v) * (rect.height - 2) // top,
        )
        for i, v in enumerate(values.tolist())
    ]
