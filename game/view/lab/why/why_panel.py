"""Panel "Why?": decisions of a unit with options, cause and code.

It takes the place of Lab's list of overlays. Lengths are in interface pixels. Source of the look: the project's own
sketch of the timeline.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from ai.decision.decision_trace import PERCEPT, TICKS_PER_SECOND, TraceEntry
from game.view.hud.hud_values import clock_words
from game.view.lab.why.code_lines import LINE, draw_lines
from game.view.lab.why.decision_list import why_the_second_lost
from game.view.lab.why.source_lines import Source, source_of
from game.view.painting.painter_services import PainterServices
from game.view.painting.palette import mix
from game.view.painting.text import TextDrawer, fitting

WIDTH = 400
NEED = (1180, 700)
ROW = 22
MOST_OPTIONS, CODE_LINES = 5, 6
TABS = 26
"""Height of the tabs."""
TAB_WORDS = {"why": "Why?"}
"""Words of a tab whose name would not do."""


@dataclass(frozen=True)
class WhyLook:
    """Values that the panel shows; ``chosen`` is the explained entry's index."""

    sentence: str
    entries: tuple[TraceEntry, ...]
    chosen: int
    beliefs: tuple[tuple[str, str, str, str], ...]
    about: str
    """Name of the unit that the beliefs are about."""


class WhyPanel:
    """Draws the panel and keeps where its rows and times lie."""

    def __init__(self, app: PainterServices) -> None:
        self.app = app
        self.text: TextDrawer = app.text
        self.box = pygame.Rect(0, 0, 0, 0)
        self.rows: list[tuple[pygame.Rect, int]] = []
        """Boxes of the entries with their indices."""
        self.times: list[tuple[pygame.Rect, int]] = []
        """Boxes of the times that can be pressed, with their ticks."""
        self.code = pygame.Rect(0, 0, 0, 0)
        self.tabs: list[tuple[pygame.Rect, str]] = []
        """Boxes of the tabs with their names."""
        self._fits = 4

    def arrange(self) -> pygame.Rect:
        """Arrange the panel at the right of the window; return its box."""
        size = self.app.window.get_size()
        self.text = fitting(self.app.text, size, NEED)
        px = self.text.px
        self.box = pygame.Rect(size[0] - px(WIDTH + 12), px(12), px(WIDTH), size[1] - px(24))
        return self.box

    def begin(self, surface: pygame.Surface, tabs: Sequence[str], shown: str) -> pygame.Rect:
        """Draw the paper and the tabs; return the box below them."""
        panels, box = self.app.panels, self.arrange()
        text, px = self.text, self.text.px
        panels.draw(surface, box)
        self.rows, self.times, self.code, self.tabs = [], [], pygame.Rect(0, 0, 0, 0), []
        x, y = box.x + px(12), box.y + px(9)
        for name in tabs:
            words = TAB_WORDS.get(name, name.capitalize())
            rect = pygame.Rect(x, y, text.size("sans_bold", 15, words)[0] + px(12), px(TABS))
            if name == shown:
                pygame.draw.rect(surface, self.app.palette["blue"], rect)
            colour = panels.paper if name == shown else panels.ink
            text.draw(surface, rect.center, words, colour, "sans_bold", 15, "center")
            self.tabs.append((rect, name))
            x = rect.right
        y += px(TABS)
        pygame.draw.line(surface, panels.ink, (box.x + px(12), y), (box.right - px(12), y))
        return pygame.Rect(box.x + px(14), y + px(5), box.width - px(28), box.bottom - px(10) - y - px(5))

    def draw(self, surface: pygame.Surface, look: WhyLook, inner: pygame.Rect) -> None:
        """Draw all sections; the list takes the room that the others leave."""
        text, panels, px = self.text, self.app.panels, self.text.px
        box = self.box
        x, y, width = inner.x, inner.y, inner.width
        for line in text.wrap("serif_bold", 17, look.sentence, width)[:3]:
            text.draw(surface, (x, y), line, panels.ink, "serif_bold", 17)
            y += px(22)
        entry = look.entries[look.chosen] if look.entries else None
        below = self._height_below(entry, look) if entry is not None else 0
        y = self._title(surface, y, "Last 30 s", "Enter: the code")
        self._fits = max((box.bottom - px(8) - below - y) // px(ROW), 3)
        y = self._draw_list(surface, y, look)
        if entry is None:
            return
        y = self._draw_options(surface, y, entry)
        y = self._draw_cause(surface, y, entry)
        if look.beliefs:
            y = self._draw_beliefs(surface, y, look)
        self._draw_code(surface, y, entry)

    def _height_below(self, entry: TraceEntry, look: WhyLook) -> int:
        """Return the pixels of the sections below the list."""
        px, options = self.text.px, min(len(entry.considered), MOST_OPTIONS)
        lost = bool(why_the_second_lost(entry))
        total = px(34) + px(ROW) * (options + lost) if options else 0
        total += px(34) + px(ROW) * 2
        total += px(34) + px(ROW) * (len(look.beliefs) + 1) if look.beliefs else 0
        return total + px(34) + px(LINE) * CODE_LINES + px(20)

    def _title(self, surface: pygame.Surface, y: int, words: str, beside: str = "") -> int:
        text, panels, px = self.text, self.app.panels, self.text.px
        left, right = self.box.x + px(14), self.box.right - px(14)
        pygame.draw.line(surface, panels.hair, (left, y + px(5)), (right, y + px(5)))
        text.draw(surface, (left, y + px(8)), words, panels.ink, "serif_bold", 16)
        room = right - left - text.size("serif_bold", 16, words)[0] - px(12)
        text.draw(surface, (right, y + px(9)), text.shortened("sans", 14, beside, room), panels.soft, "sans", 14,
                  "topright")  # fmt: skip
        return y + px(32)

    def _draw_list(self, surface: pygame.Surface, y: int, look: WhyLook) -> int:
        text, panels, palette, px = self.text, self.app.panels, self.app.palette, self.text.px
        x, width = self.box.x + px(14), self.box.width - px(28)
        if not look.entries:
            text.draw(surface, (x, y), "no decision in this time", panels.soft, "sans_italic", 15)
            return y + px(ROW)
        first = min(max(look.chosen - self._fits + 1, 0), max(len(look.entries) - self._fits, 0))
        for index, entry in list(enumerate(look.entries))[first : first + self._fits]:
            rect = pygame.Rect(x, y, width, px(ROW))
            if index == look.chosen:
                pygame.draw.rect(surface, mix(panels.paper, palette["blue"], 0.16), rect)
                pygame.draw.rect(surface, palette["blue"], (rect.x - px(4), rect.y, px(4), rect.height))
            self._time(surface, (x + px(4), rect.centery), entry.tick)
            words = text.shortened("sans", 15, entry.decided, width - px(84))
            ink = panels.soft if entry.kind == PERCEPT else panels.ink
            text.draw(surface, (x + px(78), rect.centery), words, ink, "sans", 15, "midleft")
            self.rows.append((rect, index))
            y += px(ROW)
        return y

    def _time(self, surface: pygame.Surface, at: tuple[int, int], tick: int) -> pygame.Rect:
        """Draw a time that can be pressed, its middle left at a pixel."""
        palette, words = self.app.palette, f"{clock_words(tick)}.{tick % TICKS_PER_SECOND * 5:02d}"
        rect = self.text.draw(surface, at, words, palette["blue"], "sans_bold", 15, "midleft")
        pygame.draw.line(surface, palette["blue"], (rect.left, rect.bottom - 2), (rect.right, rect.bottom - 2))
        self.times.append((rect, tick))
        return rect

    def _draw_options(self, surface: pygame.Surface, y: int, entry: TraceEntry) -> int:
        text, panels, palette, px = self.text, self.app.panels, self.app.palette, self.text.px
        options = entry.considered[:MOST_OPTIONS]
        if not options:
            return y
        y = self._title(surface, y, "Terms" if entry.kind == PERCEPT else "What it could do", "score")
        x, right = self.box.x + px(18), self.box.right - px(14)
        most = max(max(abs(score) for _, score in options), 1e-9)
        for name, score in options:
            won = name == entry.winner
            middle = y + px(ROW) // 2
            words = text.shortened("sans_bold" if won else "sans", 15, name, px(150))
            text.draw(surface, (x, middle), words, panels.ink, "sans_bold" if won else "sans", 15, "midleft")
            bar = pygame.Rect(x + px(158), middle - px(6), px(150), px(12))
            pygame.draw.rect(surface, palette["white"], bar)
            fill = palette["blue"] if won else panels.soft
            pygame.draw.rect(surface, fill, (bar.x, bar.y, round(bar.width * abs(score) / most), bar.height))
            pygame.draw.rect(surface, panels.ink, bar, 1)
            text.draw(surface, (right, middle), f"{score:.2f}", panels.ink, "sans_bold", 15, "midright")
            y += px(ROW)
        lost = why_the_second_lost(entry)
        if lost:
            text.draw(surface, (x, y + px(ROW) // 2), lost, panels.soft, "sans", 15, "midleft")
            y += px(ROW)
        return y

    def _draw_cause(self, surface: pygame.Surface, y: int, entry: TraceEntry) -> int:
        text, panels, px = self.text, self.app.panels, self.text.px
        y = self._title(surface, y, "Because")
        x, width = self.box.x + px(18), self.box.width - px(36)
        middle = y + px(ROW) // 2
        if entry.since >= 0:
            x = self._time(surface, (x, middle), entry.since).right + px(10)
        lines = text.wrap("sans", 15, entry.cause or "no other cause is recorded", width - (x - self.box.x - px(18)))
        for line in lines[:2]:
            text.draw(surface, (x, middle), line, panels.ink, "sans", 15, "midleft")
            middle += px(ROW)
        return y + px(ROW) * 2

    def _draw_beliefs(self, surface: pygame.Surface, y: int, look: WhyLook) -> int:
        text, panels, px = self.text, self.app.panels, self.text.px
        y = self._title(surface, y, look.about)
        columns = (self.box.x + px(18), self.box.x + px(96), self.box.x + px(206), self.box.x + px(300))
        heads: Sequence[tuple[str, str, str, str]] = (("", "it believes", "truth", ""), *look.beliefs)
        for row, cells in enumerate(heads):
            for x, words in zip(columns, cells, strict=True):
                head = row == 0 or x == columns[0]
                ink, face = (panels.soft, "sans") if head else (panels.ink, "sans_bold")
                text.draw(surface, (x, y), words, ink, face, 15)
            y += px(ROW)
        return y

    def _draw_code(self, surface: pygame.Surface, y: int, entry: TraceEntry) -> None:
        text, px = self.text, self.text.px
        source: Source | None = source_of(entry.function)
        y = self._title(surface, y, "Decided here", source.place if source is not None else "no function is recorded")
        if source is None:
            return
        whole = max(source.end - source.body + 1, CODE_LINES)
        rows = max(min((self.box.bottom - px(22) - y) // px(LINE), whole), 0)
        self.code = pygame.Rect(self.box.x + px(14), y, self.box.width - px(28), rows * px(LINE) + px(8))
        draw_lines(surface, self.code, self.app, text, source, (source.body - 1, rows))
