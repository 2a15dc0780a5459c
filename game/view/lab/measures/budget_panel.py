"""Panel "AI budget": times of the tick, of its stages, and of techniques.

It takes the place of Lab's list of overlays. A bar is the mean, and its line the 99th percentile. Lengths are in
interface pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pygame

from game.view.lab.measures.technique_meter import TechniqueTimes
from game.view.lab.measures.tick_meter import NAMES, PROFILED_EVERY, Times
from game.view.painting.painter_services import PainterServices
from game.view.painting.palette import RGB, mix
from game.view.painting.text import TextDrawer, fitting
from game.view.window.playing import TICK_MS

WIDTH = 400
NEED = (1180, 700)
ROW = 20
NUMBER = 46
"""Width of a column of numbers."""
NAME_OF_STAGE, NAME_OF_TECHNIQUE = 74, 178
SHARES = (0.1, 0.2)
"""Shares of the time that games usually give to AI.

Source: Game AI Pro 2, 1.5.7.
"""


@dataclass(frozen=True)
class BudgetLook:
    """Values that the panel shows; times are milliseconds a tick."""

    tick: Times = field(default_factory=Times)
    stages: dict[str, Times] = field(default_factory=dict)
    techniques: tuple[tuple[str, TechniqueTimes], ...] = ()
    """Names and times, the dearest first."""
    ticks: int = 0
    """Samples of the stages."""
    speed: float = 1.0
    """Speed of the clock, which shortens the time that a tick may take."""
    fault: str = ""
    """Reason why techniques are not measured."""
    key: str = ""
    """Key that closes the panel."""
    trace_key: str = ""


class BudgetPanel:
    """Draws the panel and keeps its box."""

    def __init__(self, app: PainterServices) -> None:
        self.app = app
        self.text: TextDrawer = app.text
        self.box = pygame.Rect(0, 0, 0, 0)
        self.rows: list[tuple[pygame.Rect, str]] = []
        """Boxes of the rows with the stage or the technique's slug."""
        self.place: tuple[TextDrawer, pygame.Rect] | None = None
        """Text and box that a frame leaves to the panel.

        Without them the panel lies at the right edge of the window.
        """

    def draw(self, surface: pygame.Surface, look: BudgetLook) -> None:
        """Draw tick, stages, and as many techniques as there is room for."""
        size = surface.get_size()
        self.text = text = self.place[0] if self.place is not None else fitting(self.app.text, size, NEED)
        px, panels = text.px, self.app.panels
        whole = pygame.Rect(size[0] - px(WIDTH + 12), px(12), px(WIDTH), size[1] - px(24))
        self.box = box = self.place[1] if self.place is not None else whole
        self.rows = []
        panels.draw(surface, box)
        y = self._title(surface, box.y + px(4), "AI budget", f"{look.trace_key}: trace   {look.key}: close", line=False)
        if not look.ticks:
            text.draw(surface, (box.x + px(14), y), "no tick ran yet: let time run", panels.soft, "sans_italic", 15)
            return
        y = self._draw_tick(surface, y, look)
        y = self._heads(surface, self._title(surface, y, "Stages", f"ms a tick, last {look.ticks}"), "p99")
        top = max((times.p99 for times in look.stages.values()), default=0.0)
        for name in NAMES:
            self._row(surface, y, name, name, NAME_OF_STAGE, look.stages[name], top, self.app.palette.overlay["full"])
            y += px(ROW)
        self._draw_techniques(surface, y, look)

    def _title(self, surface: pygame.Surface, y: int, words: str, beside: str, line: bool = True) -> int:
        text, panels, px = self.text, self.app.panels, self.text.px
        left, right = self.box.x + px(14), self.box.right - px(14)
        if line:
            pygame.draw.line(surface, panels.hair, (left, y + px(5)), (right, y + px(5)))
        drawn = text.draw(surface, (left, y + px(8)), words, panels.ink, "serif_bold", 16)
        beside = text.shortened("sans", 14, beside, right - drawn.right - px(12))
        text.draw(surface, (right, y + px(9)), beside, panels.soft, "sans", 14, "topright")
        return y + px(32)

    def _heads(self, surface: pygame.Surface, y: int, last: str) -> int:
        """Write the heads of the columns of numbers; return the next line."""
        x = self.box.right - self.text.px(14)
        for words in (last, "mean", "now"):
            self.text.draw(surface, (x, y), words, self.app.panels.soft, "sans", 14, "topright")
            x -= self.text.px(NUMBER)
        return y + self.text.px(ROW)

    def _draw_tick(self, surface: pygame.Surface, y: int, look: BudgetLook) -> int:
        """Draw the whole tick on the scale of the time that it may take."""
        text, panels, palette, px = self.text, self.app.panels, self.app.palette, self.text.px
        whole, tick = TICK_MS / look.speed, look.tick
        words = f"{_ms(tick.now)} now, {_ms(tick.mean)} mean, {_ms(tick.p99)} p99 of {whole:.3g} ms"
        narrow = text.size("sans_bold", 15, words)[0] > self.box.width - px(28)
        text.draw(surface, (self.box.x + px(14), y), words, panels.ink, "sans" if narrow else "sans_bold", 15 - narrow)
        y += px(24)
        bar = pygame.Rect(self.box.x + px(14), y, self.box.width - px(28), px(14))
        top = max(whole * 0.25, tick.p99 * 1.05)
        self._bar(surface, bar, tick, top, palette.overlay["splice"])
        for share in SHARES:
            x = bar.x + round(bar.width * whole * share / top)
            if x < bar.right:
                pygame.draw.line(surface, palette["vermilion"], (x, bar.y - px(3)), (x, bar.bottom + px(3)), 2)
                side = "topright" if share == SHARES[0] else "topleft"
                text.draw(surface, (x, bar.bottom + px(3)), f"{share:.0%}", panels.soft, "sans", 14, side)
        return bar.bottom + px(20)

    def _bar(self, surface: pygame.Surface, rect: pygame.Rect, times: Times, top: float, colour: RGB) -> None:
        """Draw the mean as a bar, and the 99th percentile as a line."""
        panels = self.app.panels
        pygame.draw.rect(surface, mix(panels.paper, panels.ink, 0.08), rect)
        top = max(top, 1e-9)
        wide = round(rect.width * min(times.mean / top, 1.0))
        pygame.draw.rect(surface, colour, (rect.x, rect.y, wide, rect.height))
        x = rect.x + round((rect.width - 1) * min(times.p99 / top, 1.0))
        pygame.draw.line(surface, panels.ink, (x, rect.y - 1), (x, rect.bottom), 2)
        pygame.draw.rect(surface, panels.hair, rect, 1)

    def _row(
        self, surface: pygame.Surface, y: int, key: str, name: str, room: int, times: Times, top: float, colour: RGB
    ) -> None:
        text, panels, px = self.text, self.app.panels, self.text.px
        rect = pygame.Rect(self.box.x + px(14), y, self.box.width - px(28), px(ROW))
        free = rect.width - px(3 * NUMBER)
        words = text.shortened("sans", 15, name, min(px(room - 6), free))
        text.draw(surface, (rect.x, rect.centery), words, panels.ink, "sans", 15, "midleft")
        x = rect.right
        for value in (times.p99, times.mean, times.now):
            text.draw(surface, (x, rect.centery), _ms(value), panels.ink, "sans", 15, "midright")
            x -= px(NUMBER)
        bar = pygame.Rect(rect.x + px(room), rect.y + px(4), x - rect.x - px(room) - px(4), px(ROW - 8))
        if bar.width > 0:
            self._bar(surface, bar, times, top, colour)
        self.rows.append((rect, key))

    def _draw_techniques(self, surface: pygame.Surface, y: int, look: BudgetLook) -> None:
        text, panels, px = self.text, self.app.panels, self.text.px
        every = f"every {PROFILED_EVERY}th tick"
        y = self._title(surface, y, "Techniques", every if self.place is not None else f"{every}, with what they call")
        if look.fault or not look.techniques:
            words = look.fault or "none of them ran in a measured tick"
            for line in text.wrap("sans_italic", 15, words, self.box.width - px(28))[:2]:
                text.draw(surface, (self.box.x + px(14), y), line, panels.soft, "sans_italic", 15)
                y += px(ROW)
            return
        y = self._heads(surface, y, "p99")
        fits = max((self.box.bottom - px(10) - y) // px(ROW), 1)
        shown = _fitting(look.techniques, fits)
        top = max(row.p99 for _, row in look.techniques)
        for name, row in shown:
            times = Times(row.now, row.mean, row.p99)
            self._row(surface, y, row.slug, name, NAME_OF_TECHNIQUE, times, top, self.app.palette.overlay["quick"])
            y += px(ROW)
        left = len(look.techniques) - len(shown)
        if left:
            text.draw(surface, (self.box.x + px(14), y), f"and {left} more", panels.soft, "sans", 14)

    def tip_of(self, key: str, look: BudgetLook, stops: bool = True) -> str:
        """Return the words about a row; a stage has none.

        With ``stops`` they end with the button that sets a stop.
        """
        name, row = next(((name, row) for name, row in look.techniques if row.slug == key), ("", None))
        if row is None:
            return ""
        words = f"{name}: {row.calls} calls, {row.call_us:.3g} us each; at most {_ms(row.most)} ms"
        return f"{words}; right button: stop" if stops else words

    def draw_tip(self, surface: pygame.Surface, words: str, cursor: tuple[int, int]) -> None:
        """Draw words beside a row, inside the window."""
        text, panels, px = self.text, self.app.panels, self.text.px
        rect = pygame.Rect(0, 0, text.size("sans_bold", 15, words)[0] + px(20), px(28))
        rect.midbottom = (cursor[0], cursor[1] - px(10))
        rect.clamp_ip(surface.get_rect())
        panels.draw(surface, rect)
        text.draw(surface, rect.center, words, panels.ink, "sans_bold", 15, "center")


def _fitting(rows: Sequence[tuple[str, TechniqueTimes]], fits: int) -> Sequence[tuple[str, TechniqueTimes]]:
    """Return the rows that fit; the last line then tells the number of others."""
    return rows if len(rows) <= fits else rows[: max(fits - 1, 1)]


def _ms(value: float) -> str:
    """Return milliseconds with two or three places."""
    return f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"
