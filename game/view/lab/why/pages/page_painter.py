"""Painter of a page: sections of rows with times, links, bars and small graphs.

The page is painted once on a surface of its own and blitted until it changes. Lengths are in interface pixels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pygame

from ai.decision.decision_trace import TICKS_PER_SECOND
from game.view.hud.hud_values import clock_words
from game.view.lab.why.pages.page import Page, PageRow, Section, Subject
from game.view.lab.why.pages.page_numbers import number_words
from game.view.lab.why.small_graph import draw_graph
from game.view.painting.painter_services import PainterServices
from game.view.painting.palette import mix
from game.view.painting.text import TextDrawer

ROW = 21
TIME, BAR, SCORE, GRAPH, GAP = 66, 58, 34, 120, 8
"""Widths of time, bar, score and graph, and the least gap between texts."""
MOST_LINES = 4
"""Lines of one name or value."""
Series = Callable[[str], tuple[np.ndarray, np.ndarray]]
"""Ticks and values of a number of the page's subject."""
Target = int | str | Subject
"""Result of a click: a tick to go to, a number, or a page."""


@dataclass
class Painted:
    """Picture of a page, its clickable boxes, and its whole height."""

    picture: pygame.Surface
    spots: list[tuple[pygame.Rect, Target]] = field(default_factory=list)
    height: int = 0
    """Pixels of the whole page."""


def time_words(tick: int) -> str:
    """Return a tick as ``mm:ss.hh``."""
    return f"{clock_words(tick)}.{tick % TICKS_PER_SECOND * 5:02d}"


class PagePainter:
    """Paints one page into a box of a given size."""

    def __init__(self, app: PainterServices, text: TextDrawer, size: tuple[int, int], series: Series) -> None:
        self.app, self.text, self.series = app, text, series
        self.painted = Painted(pygame.Surface(size))
        self.painted.picture.fill(app.panels.paper)
        self._width = size[0]

    def paint(self, page: Page, top: int) -> Painted:
        """Paint a page scrolled down by ``top`` pixels."""
        px, panels, surface = self.text.px, self.app.panels, self.painted.picture
        y = px(2) - top
        for line in self.text.wrap("serif_bold", 17, page.sentence, self._width)[:MOST_LINES]:
            self.text.draw(surface, (0, y), line, panels.ink, "serif_bold", 17)
            y += px(22)
        for part in page.sections:
            y = self._section(y + px(4), part)
        self.painted.height = y + top
        return self.painted

    def _section(self, y: int, part: Section) -> int:
        text, panels, px, surface = self.text, self.app.panels, self.text.px, self.painted.picture
        pygame.draw.line(surface, panels.hair, (0, y), (self._width, y))
        drawn = text.draw(surface, (0, y + px(3)), part.title, panels.ink, "serif_bold", 16)
        beside = text.shortened("sans", 14, part.beside, self._width - drawn.width - px(12))
        text.draw(surface, (self._width, y + px(4)), beside, panels.soft, "sans", 14, "topright")
        y += px(27)
        if not part.rows:
            text.draw(surface, (px(4), y), part.none, panels.soft, "sans_italic", 15)
            return y + px(ROW)
        for row in part.rows:
            y = self._row(y, row)
        return y

    def _row(self, y: int, row: PageRow) -> int:
        """Draw a row; return the pixel below it."""
        text, panels, palette, px = self.text, self.app.panels, self.app.palette, self.text.px
        surface, left = self.painted.picture, px(4)
        right = self._right_part(y, row)
        if row.tick >= 0:
            rect = text.draw(surface, (left, y), time_words(row.tick), palette["blue"], "sans_bold", 14)
            pygame.draw.line(surface, palette["blue"], (rect.left, rect.bottom - 2), (rect.right, rect.bottom - 2))
            self.painted.spots.append((rect, row.tick))
            left = max(left + px(TIME), rect.right + px(GAP))
        face = "sans_bold" if row.won else "sans"
        colour = palette["blue"] if row.link is not None else panels.ink if row.won or not row.value else panels.soft
        names = text.wrap(face, 15, row.name, right - left)[:MOST_LINES]
        room = right - left - text.size(face, 15, names[-1])[0] - px(GAP)
        whole = text.size("sans_bold", 15, row.value)[0]
        for line in names:
            fits = text.shortened(face, 15, line, right - left)
            rect = text.draw(surface, (left, y), fits, colour, face, 15)
            if row.link is not None:
                self.painted.spots.append((rect, row.link))
            y += px(ROW)
        if row.value and whole <= room:
            text.draw(surface, (right, y - px(ROW)), row.value, panels.ink, "sans_bold", 15, "topright")
        elif row.value:
            indent = left + px(12)
            for line in text.wrap("sans_bold", 15, row.value, self._width - indent)[:MOST_LINES]:
                fits = text.shortened("sans_bold", 15, line, self._width - indent)
                text.draw(surface, (indent, y), fits, panels.ink, "sans_bold", 15)
                y += px(ROW)
        return y

    def _right_part(self, y: int, row: PageRow) -> int:
        """Draw graph, bar and third column; return the right end of the value."""
        text, panels, palette, px = self.text, self.app.panels, self.app.palette, self.text.px
        surface, right = self.painted.picture, self._width
        if row.number:
            box = pygame.Rect(right - px(GRAPH), y + px(1), px(GRAPH), px(ROW - 3))
            ticks, values = self.series(row.number)
            draw_graph(surface, box, self.app, ticks, values)
            self.painted.spots.append((pygame.Rect(0, y, self._width, px(ROW)), row.number))
            last = number_words(row.number, float(values[-1])) if len(values) and not row.value else ""
            right = box.left - px(GAP)
            return text.draw(surface, (right, y), last, panels.ink, "sans_bold", 15, "topright").left - px(GAP)
        if row.beside:
            words = text.shortened("sans_bold", 14, row.beside, self._width // 2)
            drawn = text.draw(surface, (right, y), words, panels.ink, "sans_bold", 14, "topright")
            right = min(drawn.left, right - px(SCORE) if row.share >= 0 else right) - px(GAP)
        if row.share >= 0:
            bar = pygame.Rect(right - px(BAR), y + px(4), px(BAR), px(11))
            fill = palette["blue"] if row.won else mix(panels.paper, panels.ink, 0.55)
            pygame.draw.rect(surface, palette["white"], bar)
            pygame.draw.rect(surface, fill, (bar.x, bar.y, round(bar.width * min(row.share, 1.0)), bar.height))
            pygame.draw.rect(surface, panels.ink, bar, 1)
            right = bar.left - px(GAP)
        return right
