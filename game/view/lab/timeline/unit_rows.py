"""Rows of the timeline: states as coloured bars, the meter as a curve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pygame

from game.sim.timeline.unit_tracks import AT_REST, DEAD, GONE, METER_EVERY, Bar
from game.view.hud.hud_values import TICKS_A_SECOND, clock_words
from game.view.painting.painter_services import PainterServices
from game.view.painting.palette import RGB, mix
from game.view.painting.text import TextDrawer

MOST_ROWS = 8
ROW, CURVE, LEGEND = 20, 12, 20
"""Heights of a row, of a curve below it, and of the legend."""
HATCHES = {"investigate": "/", "search": "|", "fight": "x", DEAD: "x"}
"""Second sign of a skill besides its colour."""


OF_MANOEUVRE = (
    ("flank", "splice"), ("fall_back", "full"), ("pull_back", "full"), ("suppress", "whisker"), ("charge", "whisker"),
    ("assault", "whisker"), ("clear", "whisker"), ("search", "priority"), ("bound", "quick"), ("advance", "quick"),
)  # fmt: skip
"""Parts of the names of manoeuvres, and their colours; the first that fits counts."""


@dataclass(frozen=True)
class UnitRow:
    """States of a unit, oldest first, and its meter (0 to 1) by tick.

    The row of a squad has a track number below 0, and its manoeuvres.
    """

    unit: int
    name: str
    bars: tuple[Bar, ...]
    ticks: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    meter: np.ndarray = field(default_factory=lambda: np.zeros(0))
    inspects: int = -1
    """Unit that a click inspects: itself, or the first of the squad."""

    @property
    def height(self) -> int:
        """Return the interface pixels that the row takes."""
        return ROW + (CURVE if len(self.ticks) else 0)


def rows_height(rows: Sequence[UnitRow]) -> int:
    """Return the interface pixels of all rows and their legend."""
    return sum(row.height for row in rows) + LEGEND if rows else 0


class RowPainter:
    """Draws rows and keeps where their bars lie."""

    def __init__(self, app: PainterServices) -> None:
        self.app = app
        self.spots: list[tuple[pygame.Rect, UnitRow, Bar]] = []
        self.curves: list[tuple[pygame.Rect, UnitRow]] = []

    def colour_of(self, skill: str) -> RGB:
        """Return the fill colour of a skill."""
        overlay, palette = self.app.palette.overlay, self.app.palette
        manoeuvre = next((overlay[colour] for part, colour in OF_MANOEUVRE if part in skill), palette["white"])
        return {
            "round": overlay["quick"],
            "obey": mix(overlay["priority"], palette["white"], 0.35),
            "stand": palette["mist"],
            "sleep": palette["faint"],
            "investigate": overlay["splice"],
            "search": mix(overlay["priority"], palette["ink"], 0.1),
            "fight": overlay["whisker"],
            "take_cover": overlay["full"],
            DEAD: palette["mist"],
            AT_REST: palette["mist"],
            GONE: palette["mist"],
        }.get(skill, manoeuvre)

    def draw(
        self, surface: pygame.Surface, box: pygame.Rect, rows: Sequence[UnitRow], text: TextDrawer, shown: int,
        x_of: Callable[[int], int], marked: int, span: tuple[int, int],
    ) -> None:  # fmt: skip
        """Draw the rows from the top of a box.

        ``x_of`` gives the pixel of a tick; only ticks of ``span`` are drawn. Bars later than ``shown`` are pale. The
        row of the unit ``marked`` has a blue bar at its left.
        """
        panels, palette = self.app.panels, self.app.palette
        px, y = text.px, box.y
        self.spots, self.curves = [], []
        for row in rows:
            if row.unit == marked:
                pygame.draw.rect(surface, palette["blue"], (box.x - px(4), y, px(4), px(ROW - 2)))
            left = x_of(span[0])
            room = left - box.x - px(8)
            name = text.shortened("sans_bold", 15, row.name, room)
            text.draw(surface, (box.x + px(2), y + px(8)), name, panels.ink, "sans_bold", 15, "midleft")
            for bar in row.bars:
                if bar.end >= span[0] and bar.start <= span[1]:
                    self._draw_bar(surface, row, bar, y, text, shown, x_of)
            if len(row.ticks):
                self._draw_curve(surface, row, y + px(ROW - 2), px(CURVE), shown, x_of, span)
                wide = x_of(row.bars[-1].end if row.bars else int(row.ticks[-1])) - left
                self.curves.append((pygame.Rect(left, y + px(ROW - 2), wide, px(CURVE)), row))
            y += px(row.height)
        if rows:
            self._draw_legend(surface, (x_of(span[0]), y), rows, text)

    def _draw_bar(
        self, surface: pygame.Surface, row: UnitRow, bar: Bar, y: int, text: TextDrawer, shown: int,
        x_of: Callable[[int], int],
    ) -> None:  # fmt: skip
        panels, palette, px = self.app.panels, self.app.palette, text.px
        left, right = x_of(bar.start), x_of(bar.end)
        rect = pygame.Rect(left, y, max(right - left, 1) + 1, px(ROW - 3))
        fill = self.colour_of(bar.skill)
        ink = panels.ink
        now = min(max(x_of(shown), rect.left), rect.right)
        for a, b, part in ((rect.left, now, 0.0), (now, rect.right, 0.5)):
            piece = pygame.Rect(a, rect.y, b - a, rect.height)
            if piece.width > 0:
                pygame.draw.rect(surface, mix(fill, palette["paper"], part), piece)
                hatch(surface, piece, HATCHES.get(bar.skill, ""), mix(ink, palette["paper"], 0.35 + part / 2))
        pygame.draw.rect(surface, ink, rect, 1)
        words = bar.step.replace("_", " ")
        width = text.size("sans", 14, words)[0]
        if rect.width > width + px(10):
            back = pygame.Rect(rect.x + px(4), rect.y + 1, width + px(4), rect.height - 2)
            pygame.draw.rect(surface, mix(panels.paper, palette["white"], 0.5), back)
            text.draw(surface, (back.x + px(2), back.centery), words, ink, "sans", 14, "midleft")
        self.spots.append((rect, row, bar))

    def _draw_curve(
        self, surface: pygame.Surface, row: UnitRow, top: int, height: int, shown: int, x_of: Callable[[int], int],
        span: tuple[int, int],
    ) -> None:  # fmt: skip
        """Draw the meter as a filled curve.

        A gap in the samples is an empty meter.
        """
        foot, violet = top + height - 2, self.app.palette["meter"]
        pale = mix(violet, self.app.panels.paper, 0.55)
        pygame.draw.line(surface, self.app.panels.hair, (x_of(span[0]), foot), (x_of(int(row.ticks[-1])), foot))
        columns: dict[int, float] = {}
        last = max((bar.end for bar in row.bars), default=int(row.ticks[-1]))
        inside = (row.ticks + METER_EVERY >= span[0]) & (row.ticks <= span[1])
        for tick, value in zip(row.ticks[inside].tolist(), row.meter[inside].tolist(), strict=True):
            for x in range(x_of(tick), x_of(min(tick + METER_EVERY, last)) + 1):
                columns[x] = max(columns.get(x, 0.0), value)
        now = x_of(shown)
        for x, value in columns.items():
            colour = violet if x <= now else pale
            pygame.draw.line(surface, colour, (x, foot - 1), (x, foot - 1 - round(value * (height - 4))))

    def _draw_legend(
        self, surface: pygame.Surface, at: tuple[int, int], rows: Sequence[UnitRow], text: TextDrawer
    ) -> None:
        panels, px = self.app.panels, text.px
        x, y = at
        skills = list(dict.fromkeys(bar.skill for row in rows for bar in row.bars))
        for skill in skills:
            box = pygame.Rect(x, y + px(4), px(16), px(11))
            pygame.draw.rect(surface, self.colour_of(skill), box)
            hatch(surface, box, HATCHES.get(skill, ""), panels.soft)
            pygame.draw.rect(surface, panels.ink, box, 1)
            words = skill.replace("_", " ")
            drawn = text.draw(surface, (box.right + px(5), box.centery), words, panels.soft, "sans", 14, "midleft")
            x = drawn.right + px(14)
        if any(len(row.ticks) for row in rows):
            pygame.draw.rect(surface, self.app.palette["meter"], (x, y + px(7), px(16), px(5)))
            at_words = (x + px(21), y + px(9))
            text.draw(surface, at_words, "meter of it, or about it, 0 to 1", panels.soft, "sans", 14, "midleft")

    def meter_at(self, pos: tuple[int, int]) -> tuple[UnitRow, float] | None:
        """Return the row and the meter's value of the curve under a pixel."""
        for rect, row in self.curves:
            if rect.collidepoint(pos):
                return row, round(min(max((rect.bottom - 2 - pos[1]) / (rect.height - 4), 0.1), 1.0), 1)
        return None

    def bar_at(self, pos: tuple[int, int]) -> tuple[UnitRow, Bar] | None:
        """Return the bar under a pixel with its row, the shortest of several."""
        found = [(rect.width, row, bar) for rect, row, bar in self.spots if rect.inflate(2, 2).collidepoint(pos)]
        if not found:
            return None
        _, row, bar = min(found, key=lambda f: f[0])
        return row, bar


def words_of(row: UnitRow, bar: Bar) -> str:
    """Return a bar as text, such as ``00:12  Bren: search, Go for 2.4 s``."""
    seconds = (bar.end - bar.start) / TICKS_A_SECOND
    skill = bar.skill.replace("_", " ")
    state = skill if bar.skill == bar.step else f"{skill}, {bar.step}"
    return f"{clock_words(bar.start)}  {row.name}: {state} for {seconds:.1f} s"


def hatch(surface: pygame.Surface, rect: pygame.Rect, kind: str, colour: RGB, step: int = 7) -> None:
    """Hatch a box: "/" slanted, "|" upright, "x" crossed, "" not at all."""
    if not kind or rect.width <= 0:
        return
    clip = surface.get_clip()
    surface.set_clip(rect.clip(clip))
    height = rect.height
    for x in range(rect.left - height - rect.left % step, rect.right + height, step):
        if kind == "|":
            pygame.draw.line(surface, colour, (x, rect.top), (x, rect.bottom))
        if kind in "/x":
            pygame.draw.line(surface, colour, (x, rect.bottom), (x + height, rect.top))
        if kind == "x":
            pygame.draw.line(surface, colour, (x, rect.top), (x + height, rect.bottom))
    surface.set_clip(clip)
