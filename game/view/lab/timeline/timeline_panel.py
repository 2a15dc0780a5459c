"""Panel of the timeline: transport, clock, filters, bookmarks, axis and marks.

It knows the layout and draws; :mod:`game.view.lab.timeline.timeline_control` fills it and answers clicks. Lengths are
in interface pixels. Source of the look: the project's own sketch of the timeline.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pygame

from game.sim.timeline.chronicle import MARK_KINDS
from game.view.hud.hud_values import TICKS_A_SECOND, clock_words
from game.view.lab.timeline.mark_shapes import BOOKMARK, draw_mark, draw_sign
from game.view.lab.timeline.timeline_zoom import TimelineZoom
from game.view.lab.timeline.unit_rows import RowPainter, UnitRow, hatch, rows_height
from game.view.painting.painter_services import PainterServices
from game.view.painting.palette import mix
from game.view.painting.text import fitting

NEED = (900, 640)
"""Interface pixels that the panel needs.

In a smaller window it is smaller.
"""
RIGHT_COLUMN, WHY_COLUMN = 270, 422
"""Interface pixels that Lab's list, or the panel "Why?", takes at the right."""
NAMES = 74
"""Width of the names at the left of the track."""
TRANSPORT = ("start", "back", "tick_back", "pause", "tick", "on", "present")
NEAR = 12
"""Marks nearer to each other than this are drawn as one."""
HEIGHT, STOPS = 124, 28
"""Heights of the panel without rows, and of the row of breakpoints."""
FILTERS = 34
"""Height of the line of filters, if they find no room beside the clock."""
MOST_HIGH = 0.42
"""Share of the window's height that the panel takes at most for its rows."""
STEPS = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 3600)
"""Seconds between two labels of the axis."""


@dataclass
class TimelineLook:
    """Values that the panel shows.

    Ticks are of the game; ``kinds`` are the kinds of marks that are let through.
    """

    first: int = 0
    shown: int = 0
    now: int = 0
    end: int = 0
    past: bool = False
    paused: bool = False
    kinds: frozenset[str] = frozenset(MARK_KINDS)
    of_selected: bool = False
    branches: int = 1
    branch: int = 0
    ticks: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    """Ticks of the marks, ascending; ``codes`` are their kinds as indices of MARK_KINDS."""
    codes: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    bookmarks: tuple[int, ...] = ()
    rows: tuple[UnitRow, ...] = ()
    stops: tuple[tuple[str, bool], ...] = ()
    """Words of the breakpoints, and whether one has just fired."""
    marked: int = -1
    """Unit that the inspector shows."""
    tip: str = ""
    cursor: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Cluster:
    """Marks drawn as one: pixel, kind drawn, first tick, number."""

    x: int
    kind: str
    tick: int
    count: int


def clusters(
    ticks: np.ndarray, codes: np.ndarray, left: int, width: int, end: int, near: int, first: int = 0
) -> list[Cluster]:
    """Merge marks from ``first`` to ``end`` into cells of ``near`` pixels.

    The kind drawn is the rarest on the whole track, so that a death is not hidden by shots.
    """
    inside = (ticks >= first) & (ticks <= end)
    ticks, codes, wide = ticks[inside], codes[inside], max(end - first, 1)
    if not len(ticks):
        return []
    cell = ((ticks - first) * width // wide) // near
    amount = np.bincount(codes, minlength=len(MARK_KINDS))
    starts = np.flatnonzero(np.diff(cell, prepend=cell[0] - 1))
    made = []
    for a, b in zip(starts, [*starts[1:], len(ticks)], strict=True):
        at = a + int(np.argmin(amount[codes[a:b]]))
        x = left + int((ticks[at] - first) * width // wide)
        made.append(Cluster(x, MARK_KINDS[int(codes[at])], int(ticks[at]), int(b - a)))
    return made


class TimelinePanel:
    """Layout and drawing of the timeline."""

    def __init__(self, app: PainterServices) -> None:
        self.app = app
        self.text = app.text
        self.box = pygame.Rect(0, 0, 0, 0)
        self.track = pygame.Rect(0, 0, 0, 0)
        """The axis.

        A click on it, or between it and the foot of the panel, is a tick.
        """
        self.parts: list[tuple[pygame.Rect, str]] = []
        """Boxes of what can be pressed, with their names."""
        self.folded = False
        """True if the filters have a line of their own."""
        self.rows = RowPainter(app)
        self.zoom = TimelineZoom()
        self.spots: list[tuple[pygame.Rect, Cluster]] = []
        """Boxes of the drawn marks."""

    def arrange(
        self, lab: bool, rows: Sequence[UnitRow] = (), stops: int = 0, column: int = RIGHT_COLUMN
    ) -> pygame.Rect:
        """Arrange the panel for the window; return its box.

        ``lab`` leaves room for Lab's column.
        """
        size = self.app.window.get_size()
        self.text = text = fitting(self.app.text, size, NEED)
        px = text.px
        # Lab's own text may be smaller than this one in a small window; its column is never wider than this.
        right = px(column) if lab else px(12)
        width = size[0] - px(12) - right
        self.folded = width < self._width_of_one_line()
        more = FILTERS if self.folded else 0
        self.box = pygame.Rect(px(12), 0, width, px(HEIGHT + more + rows_height(rows) + (STOPS if stops else 0)))
        self.box.bottom = size[1] - px(12)
        self.track = pygame.Rect(
            self.box.x + px(12 + NAMES), self.box.y + px(60 + more), self.box.width - px(NAMES + 32), px(12)
        )
        return self.box

    def _width_of_one_line(self) -> int:
        """Return the pixels of transport, clock, filters and buttons side by side."""
        text, px = self.text, self.text.px
        words = sum(text.size("sans_bold", 15, words)[0] + px(26) for words in ("Go on from here", "Selected"))
        clock = text.size("sans_bold", 20, "00:00.00")[0] + px(88)
        return px(39 * len(TRANSPORT) + 29 * len(MARK_KINDS) + 70) + clock + words

    def fitting_rows(self, rows: Sequence[UnitRow]) -> tuple[UnitRow, ...]:
        """Return the first rows that leave the map its room; one at least."""
        kept = list(rows)
        room = self.app.window.get_size()[1] * MOST_HIGH / self.text.scale - HEIGHT - self.folded * FILTERS
        while len(kept) > 1 and rows_height(kept) > room:
            kept.pop()
        return tuple(kept)

    def tick_at(self, x: int, end: int) -> int:
        """Return the tick under a pixel of the track."""
        first, last = self.zoom.span(end)
        return first + round(self.share_at(x) * (last - first))

    def share_at(self, x: int) -> float:
        """Return the place of a pixel on the track, from 0 to 1."""
        return min(max((x - self.track.x) / max(self.track.width, 1), 0.0), 1.0)

    def x_of(self, tick: int, end: int) -> int:
        """Return the pixel of a tick; one beyond the track lies at its edge."""
        first, last = self.zoom.span(end)
        return self.track.x + min(max(tick - first, 0), last - first) * self.track.width // (last - first)

    def on_track(self, pos: tuple[int, int]) -> bool:
        """Return whether a pixel lies on the axis or in the rows around it."""
        rows = pygame.Rect(self.track.x - 6, self.track.y - self.text.px(18), self.track.width + 12, 0)
        rows.height = self.box.bottom - rows.top
        return rows.collidepoint(pos)

    def part_at(self, pos: tuple[int, int]) -> str:
        """Return the name of the button under a pixel, or ""."""
        return next((name for rect, name in self.parts if rect.collidepoint(pos)), "")

    def mark_at(self, pos: tuple[int, int]) -> Cluster | None:
        """Return the mark under a pixel; bookmarks lie over the others."""
        return next((mark for rect, mark in reversed(self.spots) if rect.collidepoint(pos)), None)

    def draw(self, surface: pygame.Surface, look: TimelineLook) -> None:
        """Draw the whole panel."""
        self.app.panels.draw(surface, self.box)
        self.parts, self.spots = [], []
        self.zoom.follow(look.shown, look.end)
        self._draw_transport(surface, look)
        self._draw_axis(surface, look)
        self._draw_marks(surface, look)
        box = pygame.Rect(self.box.x + self.text.px(12), self.track.bottom + self.text.px(46), self.box.width, 0)
        span = self.zoom.span(look.end)
        args = (look.rows, self.text, look.shown, lambda tick: self.x_of(tick, look.end), look.marked, span)
        self.rows.draw(surface, box, *args)
        self._draw_handle(surface, look)
        self._draw_stops(surface, look)
        if look.tip:
            self._draw_tip(surface, look.tip, look.cursor)

    def _button(self, surface: pygame.Surface, rect: pygame.Rect, name: str, on: bool = False) -> None:
        palette = self.app.palette
        pygame.draw.rect(surface, palette["blue"] if on else palette["white"], rect)
        pygame.draw.rect(surface, self.app.panels.ink, rect, 1)
        self.parts.append((rect, name))

    def _draw_transport(self, surface: pygame.Surface, look: TimelineLook) -> None:
        text, panels, palette = self.text, self.app.panels, self.app.palette
        px = text.px
        x, y = self.box.x + px(12), self.box.y + px(10)
        for name in TRANSPORT:
            rect = pygame.Rect(x, y, px(34), px(28))
            on = name == "pause" and look.paused
            self._button(surface, rect, name, on)
            draw_sign(surface, rect, name, palette["white"] if on else panels.ink)
            x += px(39)
        x += px(8)
        middle = y + px(14)
        clock = text.draw(surface, (x, middle), _exact(look.shown), panels.ink, "sans_bold", 20, "midleft")
        rest = f"of {clock_words(look.end)}"
        text.draw(surface, (clock.right + px(8), middle), rest, panels.soft, "sans", 16, "midleft")
        x = self.box.right - px(12)
        if look.past:
            x = self._words_button(surface, x, y, "branch", "Go on from here", True)
        if look.branches > 1:
            x = self._words_button(surface, x, y, "next_branch", f"Branch {look.branch + 1} of {look.branches}")
        flag = pygame.Rect(x - px(30), y, px(30), px(28))
        self._button(surface, flag, "bookmark")
        draw_mark(surface, flag.center, BOOKMARK, palette, px(16))
        left, right = clock.right + px(80), flag.left - px(8)
        if self.folded:
            left, right, y = self.box.x, self.box.right - px(12), y + px(FILTERS)
        x = self._words_button(surface, right, y, "of_selected", "Selected", look.of_selected)
        for kind in reversed(MARK_KINDS):
            rect = pygame.Rect(x - px(26), y + px(1), px(26), px(26))
            if rect.left < left:
                break
            on = kind in look.kinds
            pygame.draw.rect(surface, palette["white"] if on else panels.paper, rect)
            pygame.draw.rect(surface, panels.ink if on else panels.hair, rect, 1)
            draw_mark(surface, rect.center, kind, palette, px(14), faded=not on)
            self.parts.append((rect, f"kind {kind}"))
            x -= px(29)

    def _words_button(
        self, surface: pygame.Surface, right: int, y: int, name: str, words: str, on: bool = False
    ) -> int:
        """Draw a button that ends at ``right``; return the end of the next one."""
        text, px = self.text, self.text.px
        rect = pygame.Rect(0, y, text.size("sans_bold", 15, words)[0] + px(18), px(28))
        rect.right = right
        self._button(surface, rect, name, on)
        colour = self.app.palette["white"] if on else self.app.panels.ink
        text.draw(surface, rect.center, words, colour, "sans_bold", 15, "center")
        return rect.left - px(8)

    def _draw_axis(self, surface: pygame.Surface, look: TimelineLook) -> None:
        text, panels, palette = self.text, self.app.panels, self.app.palette
        px, track = text.px, self.track
        names = self.box.x + px(14)
        start, end = self.zoom.span(look.end)
        if self.zoom.closer:
            self._words_button(surface, track.x - px(10), track.centery - px(20), "whole", "Whole")
            self._draw_part(surface, start, end, look.end)
        else:
            text.draw(surface, (names, track.centery), "time", panels.soft, "sans", 15, "midleft")
        pygame.draw.rect(surface, palette["white"], track)
        first, shown = self.x_of(look.first, look.end), self.x_of(look.shown, look.end)
        pygame.draw.rect(surface, palette.grounds["water"], (first, track.y, max(shown - first, 0), track.height))
        # Recorded, but later than the shown tick, is hatched; so is what can no longer be reached.
        for a, b in ((track.x, first), (shown, track.right)):
            hatch(surface, pygame.Rect(a, track.y, b - a, track.height), "/", mix(panels.ink, panels.paper, 0.6))
        pygame.draw.rect(surface, panels.ink, track, 1)
        seconds = max((end - start) // TICKS_A_SECOND, 1)
        most = max(track.width // px(76), 1)
        step = next((s for s in STEPS if seconds / s <= most), STEPS[-1])
        last = self.x_of(end, look.end)
        for second in range(-(-start // TICKS_A_SECOND // step) * step, end // TICKS_A_SECOND + 1, step):
            x = self.x_of(second * TICKS_A_SECOND, look.end)
            pygame.draw.line(surface, panels.ink, (x, track.bottom), (x, track.bottom + px(4)))
            if last - x > px(52) or end < look.end or second * TICKS_A_SECOND == start:
                words = clock_words(second * TICKS_A_SECOND)
                text.draw(surface, (x, track.bottom + px(3)), words, panels.soft, "sans", 14, "midtop")
        if end == look.end:
            text.draw(surface, (last, track.bottom + px(3)), clock_words(end), panels.ink, "sans_bold", 14, "midtop")

    def _draw_part(self, surface: pygame.Surface, start: int, end: int, whole: int) -> None:
        """Draw the place of the shown part in the whole game, above the axis."""
        track, px = self.track, self.text.px
        line = pygame.Rect(track.x, track.y - px(4), track.width, px(2))
        pygame.draw.rect(surface, self.app.panels.hair, line)
        a, b = (line.x + tick * line.width // max(whole, 1) for tick in (start, end))
        pygame.draw.rect(surface, self.app.palette["blue"], (a, line.y - 1, max(b - a, 3), line.height + 2))

    def _draw_marks(self, surface: pygame.Surface, look: TimelineLook) -> None:
        text, panels, palette = self.text, self.app.panels, self.app.palette
        px, track = text.px, self.track
        y = track.bottom + px(31)
        text.draw(surface, (self.box.x + px(14), y), "events", panels.soft, "sans", 15, "midleft")
        pygame.draw.line(surface, panels.hair, (track.x, y), (track.right, y))
        size = px(13)
        first, last = self.zoom.span(look.end)
        for mark in clusters(look.ticks, look.codes, track.x, track.width, last, px(NEAR), first):
            faded = mark.tick > look.shown
            if mark.count > 1:
                draw_mark(surface, (mark.x + 3, y - 2), mark.kind, palette, size, True)
            draw_mark(surface, (mark.x, y), mark.kind, palette, size, faded)
            self.spots.append((pygame.Rect(mark.x - px(7), y - px(9), px(14), px(18)), mark))
        for tick in (tick for tick in look.bookmarks if first <= tick <= last):
            x = self.x_of(tick, look.end)
            draw_mark(surface, (x, track.y - px(8)), BOOKMARK, palette, px(14), tick > look.shown)
            spot = pygame.Rect(x - px(6), track.y - px(16), px(15), px(16))
            self.spots.append((spot, Cluster(x, BOOKMARK, tick, 1)))

    def _draw_handle(self, surface: pygame.Surface, look: TimelineLook) -> None:
        text, panels, palette = self.text, self.app.panels, self.app.palette
        px, track = text.px, self.track
        first, last = self.zoom.span(look.end)
        if not first <= look.shown <= last:
            return
        x = self.x_of(look.shown, look.end)
        pygame.draw.line(surface, panels.ink, (x, track.y), (x, self.box.bottom - px(8)), 2)
        label = pygame.Rect(0, 0, px(52), px(18))
        label.midbottom = (x, track.y - px(1))
        label.right = min(label.right, self.box.right - px(8))
        pygame.draw.rect(surface, palette["blue"], label)
        pygame.draw.rect(surface, panels.ink, label, 1)
        text.draw(surface, label.center, clock_words(look.shown), palette["white"], "sans_bold", 14, "center")
        tip = ((x - px(6), track.y - 1), (x + px(6), track.y - 1), (x + px(6), track.centery), (x, track.bottom),
               (x - px(6), track.centery))  # fmt: skip
        pygame.draw.polygon(surface, palette["blue"], tip)
        pygame.draw.polygon(surface, panels.ink, tip, 1)

    def _draw_stops(self, surface: pygame.Surface, look: TimelineLook) -> None:
        """Draw the breakpoints at the foot of the panel; a click takes one away."""
        text, panels, palette, px = self.text, self.app.panels, self.app.palette, self.text.px
        x, y = self.track.x, self.box.bottom - px(STOPS + 4)
        if look.stops:
            text.draw(surface, (self.box.x + px(14), y + px(12)), "stops", panels.soft, "sans", 15, "midleft")
        for number, (words, fired) in enumerate(look.stops):
            rect = pygame.Rect(x, y, text.size("sans_bold", 15, words)[0] + px(34), px(24))
            if rect.right > self.box.right - px(40):
                left = f"+{len(look.stops) - number}"
                text.draw(surface, (x, rect.centery), left, panels.ink, "sans_bold", 15, "midleft")
                break
            pygame.draw.rect(surface, palette["vermilion"] if fired else palette["white"], rect)
            pygame.draw.rect(surface, panels.ink, rect, 1)
            dot = (rect.x + px(13), rect.centery)
            pygame.draw.circle(surface, palette["white"] if fired else palette.overlay["whisker"], dot, px(6))
            pygame.draw.circle(surface, panels.ink, dot, px(6), 1)
            ink = palette["white"] if fired else panels.ink
            text.draw(surface, (dot[0] + px(12), rect.centery), words, ink, "sans_bold", 15, "midleft")
            self.parts.append((rect, f"stop {number}"))
            x = rect.right + px(8)

    def _draw_tip(self, surface: pygame.Surface, words: str, cursor: tuple[int, int]) -> None:
        text, panels = self.text, self.app.panels
        rect = pygame.Rect(0, 0, text.size("sans_bold", 15, words)[0] + text.px(20), text.px(28))
        rect.midbottom = (cursor[0], cursor[1] - text.px(14))
        rect.clamp_ip(surface.get_rect())
        panels.draw(surface, rect)
        text.draw(surface, rect.center, words, panels.ink, "sans_bold", 15, "center")


def _exact(tick: int) -> str:
    """Return a tick as ``mm:ss.ss``; a tick is 0.05 s."""
    return f"{clock_words(tick)}.{tick % TICKS_A_SECOND * 5:02d}"
