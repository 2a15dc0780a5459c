"""Panels of the side by side screen: title, transport with its axis, and figures.

Lengths are in interface pixels. Source of the look: the project's own sketch of the screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pygame

from game.checks.comparing.comparison import Difference
from game.checks.comparing.intervals import CONFIDENCE
from game.checks.comparing.many_seeds import FigureResult
from game.checks.comparing.run_figures import Figure
from game.view.hud.hud_values import TICKS_A_SECOND, clock_words
from game.view.lab.timeline.mark_shapes import draw_sign
from game.view.lab.timeline.unit_rows import hatch
from game.view.painting.painter_services import PainterServices
from game.view.painting.palette import RGB, mix
from game.view.painting.text import fitting

NEED = (1180, 720)
MARGIN, GAP, PAD = 12, 10, 14
TITLE, TRANSPORT, ROW, HEAD = 56, 62, 25, 34
LEAST_ROWS, LEAST_FIELD = 4, 330
TRANSPORT_KEYS = ("start", "tick_back", "pause", "tick", "present")
DIFFERS = "splice"
"""Name of the overlay colour that marks the first difference."""


@dataclass
class CompareLook:
    """Values that the panels show."""

    title: str
    line: str
    words: tuple[str, str]
    kinds: Sequence[Figure]
    first: int = 0
    shown: int = 0
    now: int = 0
    end: int = 0
    paused: bool = False
    difference: Difference | None = None
    values: tuple[dict[str, float | None], dict[str, float | None]] = field(default_factory=lambda: ({}, {}))
    seeds: Sequence[FigureResult] | None = None
    """Results over the seeds, None for the figures of this pair."""
    seeds_done: int = 0
    seeds_all: int = 0
    seeds_words: str = ""
    """Note about the seeds: an error, or a reason for missing intervals."""
    has_seeds: bool = False
    linked: bool = True
    pointer: bool = True
    top_row: int = 0


class ComparePanels:
    """Lays out and draws the panels; ``frames`` are the two pictures."""

    def __init__(self, app: PainterServices, rows: int, split: float = 0.5) -> None:
        self.app = app
        self.text = fitting(app.text, app.window.get_size(), NEED)
        px = self.text.px
        width, height = app.window.get_size()
        room = height - px(2 * MARGIN + 3 * GAP + TITLE + TRANSPORT + HEAD + 10)
        self.rows = min(rows, max(LEAST_ROWS, (room - px(LEAST_FIELD)) // px(ROW)))
        self.title = pygame.Rect(px(MARGIN), px(MARGIN), width - px(2 * MARGIN), px(TITLE))
        self.table = pygame.Rect(0, 0, self.title.width, px(HEAD + 10) + self.rows * px(ROW))
        self.table.bottomleft = (px(MARGIN), height - px(MARGIN))
        self.transport = pygame.Rect(px(MARGIN), self.table.y - px(GAP + TRANSPORT), self.title.width, px(TRANSPORT))
        top = self.title.bottom + px(GAP)
        self.field = pygame.Rect(px(MARGIN), top, self.title.width, self.transport.y - px(GAP) - top)
        self.track = pygame.Rect(
            self.transport.x + px(336), self.transport.y + px(25), self.transport.width - px(336 + 136), px(12)
        )
        self.parts: dict[str, pygame.Rect] = {}
        """Boxes of what can be pressed, by name."""
        self.split_at(split)
        self._place_parts()

    def split_at(self, share: float) -> None:
        """Divide the field; ``share`` is that of the left picture."""
        px, whole = self.text.px, self.field
        self.split = min(max(share, 0.2), 0.8)
        middle = whole.x + round(whole.width * self.split)
        gap = px(4)
        left = pygame.Rect(whole.x, whole.y, middle - gap - whole.x, whole.height)
        right = pygame.Rect(middle + gap, whole.y, whole.right - middle - gap, whole.height)
        self.frames = (left, right)
        self.handle = pygame.Rect(0, 0, px(30), px(50))
        self.handle.center = (middle, whole.centery)

    def share_at(self, x: int) -> float:
        """Return the share of the left picture for a handle at a pixel."""
        return (x - self.field.x) / max(self.field.width, 1)

    def _place_parts(self) -> None:
        px, parts = self.text.px, self.parts
        right, y, high = self.title.right - px(PAD), self.title.centery - px(14), px(28)
        for name, wide in (("back", 86), ("swap", 118), ("pointer", 92), ("camera", 92)):
            parts[name] = pygame.Rect(right - px(wide), y, px(wide), high)
            right -= px(wide + 10)
        side = px(34)
        for i, name in enumerate(TRANSPORT_KEYS):
            x = self.transport.x + px(PAD) + i * (side + px(6))
            parts[name] = pygame.Rect(x, self.transport.centery - side // 2, side, side)
        parts["first"] = pygame.Rect(
            self.transport.right - px(PAD + 104), self.transport.centery - px(15), px(104), px(30)
        )
        parts["seeds"] = pygame.Rect(self.table.x + px(PAD + 140), self.table.y + px(7), px(104), px(26))

    def part_at(self, pos: tuple[int, int]) -> str:
        """Return the name of the part under a pixel, or an empty string."""
        return next((name for name, box in self.parts.items() if box.collidepoint(pos)), "")

    def on_track(self, pos: tuple[int, int]) -> bool:
        """Return whether a pixel lies on the axis."""
        return self.track.inflate(0, self.text.px(26)).collidepoint(pos)

    def tick_at(self, x: int, first: int, end: int) -> int:
        """Return the tick under a pixel of the axis."""
        part = min(max((x - self.track.x) / max(self.track.width, 1), 0.0), 1.0)
        return first + round(part * (end - first))

    def half_at(self, pos: tuple[int, int]) -> int:
        """Return the picture under a pixel, -1 for none."""
        return next((i for i, frame in enumerate(self.frames) if frame.collidepoint(pos)), -1)

    # Drawing

    def draw(self, surface: pygame.Surface, look: CompareLook) -> None:
        """Draw title, plates of the pictures, transport and figures."""
        self._draw_title(surface, look)
        self._draw_handle(surface)
        self._draw_transport(surface, look)
        self._draw_table(surface, look)

    def _button(self, surface: pygame.Surface, name: str, words: str, on: bool = False, off: bool = False) -> None:
        panels, palette, box = self.app.panels, self.app.palette, self.parts[name]
        panels.draw(surface, box, "chosen" if on else "off" if off else "button")
        ink = palette["white"] if on else panels.soft if off else panels.ink
        self.text.draw(surface, box.center, words, ink, "sans_bold", 14, "center")

    def _draw_title(self, surface: pygame.Surface, look: CompareLook) -> None:
        text, panels, rect = self.text, self.app.panels, self.title
        px = text.px
        panels.draw(surface, rect)
        linked = text.size("sans", 14, "linked")[0]
        left = self.parts["camera"].x - linked - px(8)
        text.draw(surface, (left, rect.centery), "linked", panels.soft, "sans", 14, "midleft")
        room = left - rect.x - px(2 * PAD)
        title = text.shortened("serif_bold", 22, look.title, room)
        text.draw(surface, (rect.x + px(PAD), rect.y + px(18)), title, panels.ink, "serif_bold", 22, "midleft")
        line = text.shortened("sans", 15, look.line, room)
        text.draw(surface, (rect.x + px(PAD), rect.y + px(41)), line, panels.soft, "sans", 15, "midleft")
        self._button(surface, "camera", "camera", on=look.linked)
        self._button(surface, "pointer", "pointer", on=look.pointer)
        self._button(surface, "swap", "Swap sides")
        self._button(surface, "back", "Back")

    def _draw_handle(self, surface: pygame.Surface) -> None:
        panels, box = self.app.panels, self.handle
        pygame.draw.rect(surface, panels.paper, box)
        pygame.draw.rect(surface, panels.ink, box, 2)
        x, y, r = box.centerx, box.centery, self.text.px(5)
        for sign in (-1, 1):
            points = [(x + sign * 2, y - r), (x + sign * (2 + r), y), (x + sign * 2, y + r)]
            pygame.draw.polygon(surface, panels.ink, points)

    def draw_plate(self, surface: pygame.Surface, half: int, words: str) -> None:
        """Draw the name of a picture in its lower left corner."""
        text, palette, frame = self.text, self.app.palette, self.frames[half]
        px = text.px
        room = frame.width - px(2 * MARGIN)
        words = text.shortened("serif_bold", 18, words, room - px(24))
        plate = pygame.Rect(0, 0, min(text.size("serif_bold", 18, words)[0] + px(24), room), px(34))
        plate.bottomleft = (frame.x + px(MARGIN), frame.bottom - px(MARGIN))
        pygame.draw.rect(surface, palette["blue"] if half == 0 else mix(palette["ink"], palette["paper"], 0.25), plate)
        pygame.draw.rect(surface, palette["ink"], plate, 2)
        text.draw(surface, (plate.x + px(12), plate.centery), words, palette["white"], "serif_bold", 18, "midleft")

    def draw_parting(self, surface: pygame.Surface, half: int, at: tuple[int, int], tick: int) -> None:
        """Draw the place on the map where the ways part."""
        text, panels = self.text, self.app.panels
        px = text.px
        words = f"ways part, tick {tick}"
        box = pygame.Rect(at[0] + px(12), at[1] - px(12), text.size("sans_bold", 14, words)[0] + px(14), px(24))
        if box.right > self.frames[half].right:
            box.right = at[0] - px(12)
        pygame.draw.rect(surface, panels.paper, box)
        pygame.draw.rect(surface, panels.ink, box, 1)
        text.draw(surface, box.center, words, panels.ink, "sans_bold", 14, "center")
        self._diamond(surface, at, px(8))

    def _diamond(self, surface: pygame.Surface, at: tuple[int, int], r: int) -> None:
        x, y = at
        points = [(x - r, y), (x, y - r), (x + r, y), (x, y + r)]
        pygame.draw.polygon(surface, self._differs, points)
        pygame.draw.polygon(surface, self.app.palette["ink"], points, 2)

    @property
    def _differs(self) -> RGB:
        return self.app.palette.overlay[DIFFERS]

    def _x_of(self, look: CompareLook, tick: int) -> int:
        return self.track.x + round((tick - look.first) / max(look.end - look.first, 1) * self.track.width)

    def _draw_transport(self, surface: pygame.Surface, look: CompareLook) -> None:
        text, panels, palette, rect = self.text, self.app.panels, self.app.palette, self.transport
        px = text.px
        panels.draw(surface, rect)
        for name in TRANSPORT_KEYS:
            on = name == "pause" and look.paused
            panels.draw(surface, self.parts[name], "chosen" if on else "button")
            draw_sign(surface, self.parts[name], name, palette["white"] if on else panels.ink)
        clock = f"{clock_words(look.shown)}.{look.shown % TICKS_A_SECOND * 10 // TICKS_A_SECOND}"
        left = self.parts[TRANSPORT_KEYS[-1]].right + px(12)
        text.draw(surface, (left, rect.centery), clock, panels.ink, "sans_bold", 20, "midleft")
        self._draw_axis(surface, look)
        self._button(surface, "first", "go to first", off=look.difference is None)

    def _draw_axis(self, surface: pygame.Surface, look: CompareLook) -> None:
        text, panels, palette, track = self.text, self.app.panels, self.app.palette, self.track
        px, d = text.px, look.difference
        pygame.draw.rect(surface, palette["white"], track)
        live = self._x_of(look, look.now)
        parts = self._x_of(look, d.tick) if d is not None else live
        same = pygame.Rect(track.x, track.y, min(parts, live) - track.x, track.height)
        pygame.draw.rect(surface, mix(palette["blue"], palette["white"], 0.6), same)
        if d is not None:
            other = pygame.Rect(parts, track.y, live - parts, track.height)
            pygame.draw.rect(surface, mix(self._differs, palette["white"], 0.5), other)
            hatch(surface, other, "/", self._differs)
        pygame.draw.rect(surface, panels.ink, track, 1)
        seconds = max((look.end - look.first) // TICKS_A_SECOND, 1)
        step = next((s for s in (1, 2, 4, 5, 10, 20, 30, 60, 120, 300, 600) if seconds // s <= 8), 1200)
        for second in range(-(-look.first // TICKS_A_SECOND), look.end // TICKS_A_SECOND + 1):
            if second % step == 0:
                x = self._x_of(look, second * TICKS_A_SECOND)
                pygame.draw.line(surface, panels.ink, (x, track.bottom), (x, track.bottom + px(3)))
                at = x, track.bottom + px(3)
                text.draw(surface, at, clock_words(second * TICKS_A_SECOND), panels.soft, "sans", 14, "midtop")
        words = f"no difference up to tick {look.now}"
        if d is not None:
            self._diamond(surface, (parts, track.y - px(5)), px(6))
            places = "; ".join(d.places[:1])
            words = f"first differ: tick {d.tick}, {places}"
        left = parts + px(12) if d is not None else track.x
        room = track.right - left
        if d is not None and room < px(300):
            left, room = track.x, parts - px(12) - track.x
        words = text.shortened("sans_bold", 14, words, room)
        text.draw(surface, (left, track.y - px(11)), words, panels.ink, "sans_bold", 14, "midleft")
        x = self._x_of(look, look.shown)
        knob = pygame.Rect(x - px(7), track.y - px(5), px(14), track.height + px(10))
        pygame.draw.rect(surface, palette["blue"], knob)
        pygame.draw.rect(surface, panels.ink, knob, 2)

    def _draw_table(self, surface: pygame.Surface, look: CompareLook) -> None:
        text, panels, palette, rect = self.text, self.app.panels, self.app.palette, self.table
        px = text.px
        panels.draw(surface, rect)
        head = rect.y + px(20)
        columns = self._columns()
        title = f"Over {look.seeds_done} seeds" if look.seeds is not None else f"After {clock_words(look.shown)}"
        text.draw(surface, (columns[0], head), title, panels.ink, "serif_bold", 17, "midleft")
        for i, words in enumerate(_short_heads(look.words)):
            words = text.shortened("sans", 14, words, px(128 if i else 92))
            text.draw(surface, (columns[i + 1], head), words, panels.soft, "sans", 14, "midright")
        middle = (columns[3] + columns[4]) // 2
        if look.seeds_words and look.seeds_done == look.seeds_all:
            words = text.shortened("sans", 14, look.seeds_words, columns[6] - columns[3])
            text.draw(surface, (columns[3], head), words, panels.ink, "sans", 14, "midleft")
        elif look.seeds is not None:
            for x, words, anchor in (
                (columns[3], "-2 sd, less on the right", "midleft"),
                (columns[4], "more on the right, +2 sd", "midright"),
                (columns[5], "mean difference", "midright"),
                (columns[6], f"{CONFIDENCE:.0%} interval".replace("%", " %"), "midright"),
            ):
                text.draw(surface, (x, head), words, panels.soft, "sans", 14, anchor)
        elif look.seeds_all and look.seeds_done < look.seeds_all:
            bar = pygame.Rect(columns[3], head - px(8), columns[6] - columns[3] - px(130), px(16))
            pygame.draw.rect(surface, palette["white"], bar)
            full = pygame.Rect(bar.x, bar.y, bar.width * look.seeds_done // look.seeds_all, bar.height)
            pygame.draw.rect(surface, palette["blue"], full)
            pygame.draw.rect(surface, panels.ink, bar, 1)
            words = f"{look.seeds_done} of {look.seeds_all} seeds"
            text.draw(surface, (bar.right + px(10), head), words, panels.ink, "sans", 14, "midleft")
        else:
            text.draw(surface, (columns[3], head), "right less left", panels.soft, "sans", 14, "midleft")
            hidden = len(look.kinds) - self.rows
            if hidden > 0:
                words = f"wheel: {hidden} more"
                text.draw(surface, (columns[6], head), words, panels.soft, "sans_italic", 14, "midright")
        running = bool(look.seeds_all) and look.seeds_done < look.seeds_all
        words = "Stop" if running else "This pair" if look.seeds is not None else "20 seeds"
        self._button(surface, "seeds", words)
        pygame.draw.line(surface, panels.hair, (columns[0], rect.y + px(HEAD)), (columns[6], rect.y + px(HEAD)))
        for i, kind in enumerate(look.kinds[look.top_row : look.top_row + self.rows]):
            y = rect.y + px(HEAD + 4) + i * px(ROW) + px(ROW) // 2
            self._draw_row(surface, look, kind, y, columns, middle)

    def _columns(self) -> tuple[int, ...]:
        """Return the pixels of name, both values, graph from and to, difference and interval."""
        px, rect = self.text.px, self.table
        room = rect.width - px(2 * PAD)
        left = rect.x + px(PAD)
        shares = (0.0, 0.28, 0.39, 0.42, 0.70, 0.81, 1.0)
        return tuple(left + round(share * room) for share in shares)

    def _draw_row(
        self, surface: pygame.Surface, look: CompareLook, kind: Figure, y: int, columns: tuple[int, ...], middle: int
    ) -> None:
        text, panels, palette = self.text, self.app.panels, self.app.palette
        px = text.px
        words = f"{kind.words} ({kind.unit})" if kind.unit else kind.words
        words = text.shortened("sans_bold", 15, words, columns[1] - columns[0] - px(74))
        text.draw(surface, (columns[0], y), words, panels.ink, "sans_bold", 15, "midleft")
        row = next((r for r in look.seeds if r.figure.name == kind.name), None) if look.seeds is not None else None
        pair = (look.values[0].get(kind.name), look.values[1].get(kind.name))
        if look.seeds is not None:
            pair = (row.a, row.b) if row is not None and row.difference.count else (None, None)
        for i, ink in ((0, palette["blue"]), (1, panels.ink)):
            text.draw(surface, (columns[i + 1], y), kind.text(pair[i]), ink, "sans_bold", 15, "midright")
        if row is None or not row.difference.count:
            if look.seeds is None and None not in pair:
                change = (pair[1] or 0.0) - (pair[0] or 0.0)
                text.draw(surface, (columns[3], y), _signed(change), panels.soft, "sans", 15, "midleft")
            return
        text.draw(surface, (columns[5], y), _signed(row.difference.mean), panels.ink, "sans_bold", 15, "midright")
        if row.difference.count < 2:
            text.draw(surface, (columns[6], y), "one pair", panels.soft, "sans", 15, "midright")
            return
        words = f"{_signed(row.low)} to {_signed(row.high)}"
        text.draw(surface, (columns[6], y), words, panels.soft, "sans", 15, "midright")
        self._draw_interval(surface, row, y, columns, middle)

    def _draw_interval(
        self, surface: pygame.Surface, row: FigureResult, y: int, columns: tuple[int, ...], middle: int
    ) -> None:
        """Draw mean and interval in standard deviations of the figure.

        The mean is filled if 0 lies outside of the interval.
        """
        panels, palette, px = self.app.panels, self.app.palette, self.text.px
        pygame.draw.line(surface, panels.hair, (columns[3], y), (columns[4], y))
        pygame.draw.line(surface, panels.ink, (middle, y - px(10)), (middle, y + px(10)), 2)
        scale = (columns[4] - columns[3]) / 4 / row.spread if row.spread > 0 else 0.0

        def x_of(value: float) -> int:
            return min(max(middle + round(value * scale), columns[3]), columns[4])

        low, at, high = x_of(row.low), x_of(row.difference.mean), x_of(row.high)
        pygame.draw.line(surface, panels.ink, (low, y), (high, y), 2)
        for x in (low, high):
            pygame.draw.line(surface, panels.ink, (x, y - px(5)), (x, y + px(5)), 2)
        sure = row.low > 0 or row.high < 0
        pygame.draw.circle(surface, palette["blue"] if sure else panels.paper, (at, y), px(5))
        pygame.draw.circle(surface, panels.ink, (at, y), px(5), 1)


def _short_heads(words: tuple[str, str]) -> tuple[str, str]:
    """Return the heads of both columns; for one setting only its values."""
    names, values = zip(*(word.rpartition(" = ")[::2] for word in words), strict=True)
    return (values[0], values[1]) if names[0] and names[0] == names[1] else words


def _signed(value: float) -> str:
    return f"{value:+,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:+,.2f}"
