"""What stands round an exhibit's picture: question, switch, number, knobs, legend, what to try, and the keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygame

from game.sim.gauge import WORDS
from game.view.knobs import HEIGHT, KnobRow, Value
from game.view.overlays.overlay import LegendRow, Overlay
from game.view.palette import mix

if TYPE_CHECKING:
    from game.sim.exhibit import ExhibitRun
    from game.view.app import App
    from game.view.overlays.draw_panels import LabPanels

WIDTH = 300
MARGIN = 14
TOP = 84
BOTTOM = 62
_PAD = 14


@dataclass(frozen=True)
class Told:
    """What the frame says of the technique: its row's name and source."""

    name: str
    source: str


class ExhibitPlates:
    """Lays out and draws the frame for a window size; knows what can be pressed where."""

    def __init__(self, app: App, run: ExhibitRun, told: Told) -> None:
        self.app, self.run, self.told = app, run, told
        self.drawer = False
        self.focus = 0
        px = app.text.px
        width, height = app.window.get_size()
        self.frame = pygame.Rect(
            px(MARGIN), px(TOP), width - px(3 * MARGIN + WIDTH), height - px(TOP) - px(BOTTOM) - px(10)
        )
        left = self.frame.right + px(MARGIN)
        self.switch_rect = pygame.Rect(left, px(MARGIN), px(WIDTH), px(122))
        self.number_rect = pygame.Rect(left, self.switch_rect.bottom + px(10), px(WIDTH), px(126))
        knobs = run.exhibit.knobs
        rows = px(14) + len(knobs) * px(HEIGHT) + px(36)
        self.knob_rect = pygame.Rect(left, self.number_rect.bottom + px(10), px(WIDTH), rows)
        self.legend_top = self.knob_rect.bottom + px(10)
        self.drawer_button = pygame.Rect(left + px(_PAD), self.knob_rect.bottom - px(36), px(WIDTH - 2 * _PAD), px(26))
        self.bottom = pygame.Rect(px(MARGIN), self.frame.bottom + px(10), self.frame.width, px(BOTTOM) - px(10))
        inside = px(WIDTH - 2 * _PAD)
        self.rows = [
            KnobRow(
                knob,
                pygame.Rect(left + px(_PAD), self.knob_rect.y + px(12) + i * px(HEIGHT), inside, px(HEIGHT)),
                app.text.scale,
            )
            for i, knob in enumerate(knobs)
        ]
        every = [*knobs, *run.exhibit.more_knobs]
        high = px(60) + len(every) * px(HEIGHT) + px(8)
        self.drawer_rect = pygame.Rect(0, 0, px(WIDTH + 40), min(high, self.frame.height))
        self.drawer_rect.topright = (self.frame.right, self.frame.y)
        self.drawer_rows = [
            KnobRow(
                knob,
                pygame.Rect(
                    self.drawer_rect.x + px(_PAD),
                    self.drawer_rect.y + px(52) + i * px(HEIGHT),
                    self.drawer_rect.width - px(2 * _PAD),
                    px(HEIGHT),
                ),
                app.text.scale,
            )
            for i, knob in enumerate(every)
        ]

    @property
    def shown_rows(self) -> list[KnobRow]:
        """The knobs that can be turned now: the drawer's while it is open."""
        return self.drawer_rows if self.drawer else self.rows

    def knob_at(self, pos: tuple[int, int]) -> KnobRow | None:
        """The knob under a pixel."""
        rows = [*self.drawer_rows, *self.rows] if self.drawer else self.rows
        return next((row for row in rows if row.rect.collidepoint(pos)), None)

    def covers(self, pos: tuple[int, int]) -> bool:
        """Whether a pixel belongs to the frame and not to the picture."""
        return not self.frame.collidepoint(pos) or (self.drawer and self.drawer_rect.collidepoint(pos))

    def draw(self, surface: pygame.Surface, panels: LabPanels, legends: list[tuple[Overlay, list[LegendRow]]]) -> None:
        """Everything but the picture."""
        self._draw_title(surface)
        self._draw_switch(surface)
        self._draw_number(surface)
        self._draw_knobs(surface)
        self._draw_legend(surface, panels, legends)
        self._draw_bottom(surface)
        if self.drawer:
            self._draw_drawer(surface)

    def _draw_title(self, surface: pygame.Surface) -> None:
        text, plates = self.app.text, self.app.plates
        px, e = text.px, self.run.exhibit
        text.draw(surface, (self.frame.x, px(8)), e.question, plates.ink, "serif_bold", 34)
        size = 17
        while size > 14 and text.size("sans", size, e.line)[0] > self.frame.width:
            size -= 1
        text.draw(surface, (self.frame.x, px(54)), e.line, plates.soft, "sans", size)

    def _keycap(self, surface: pygame.Surface, pos: tuple[int, int], words: str, size: int = 15) -> pygame.Rect:
        """A key as it is engraved; returns its box."""
        text, plates = self.app.text, self.app.plates
        px = text.px
        wide = text.size("sans_bold", size, words)[0] + px(14)
        rect = pygame.Rect(pos[0], pos[1], max(wide, px(26)), px(size + 11))
        pygame.draw.rect(surface, mix(plates.paper, self.app.palette["mist"], 0.4), rect)
        pygame.draw.rect(surface, plates.ink, rect, 2)
        text.draw(surface, rect.center, words, plates.ink, "sans_bold", size, "center")
        return rect

    def _draw_switch(self, surface: pygame.Surface) -> None:
        text, plates, palette = self.app.text, self.app.plates, self.app.palette
        px, rect, run = text.px, self.switch_rect, self.run
        plates.draw(surface, rect)
        size = 20
        while size > 14 and text.size("serif_bold", size, self.told.name)[0] > rect.width - px(2 * _PAD):
            size -= 1
        text.draw(surface, (rect.x + px(_PAD), rect.y + px(8)), self.told.name, plates.ink, "serif_bold", size)
        cap = self._keycap(surface, (rect.x + px(_PAD), rect.y + px(42)), "T", 18)
        for i, (words, on) in enumerate((("ON", True), ("OFF", False))):
            chip = pygame.Rect(cap.right + px(12 + i * 88), cap.y, px(84), cap.height)
            chosen = run.shows_on == on
            plates.draw(surface, chip, "chosen" if chosen else "button")
            ink = palette["white"] if chosen else plates.soft
            text.draw(surface, chip.center, words, ink, "sans_bold", 18, "center")
        other = "off" if run.shows_on else "on"
        ghost = f"pale figures: the run with it {other}"
        text.draw(surface, (rect.x + px(_PAD), rect.y + px(80)), ghost, plates.soft, "sans", 15)
        text.draw(surface, (rect.x + px(_PAD), rect.y + px(97)), self.told.source, plates.soft, "sans", 14)

    def _draw_number(self, surface: pygame.Surface) -> None:
        text, plates, palette = self.app.text, self.app.plates, self.app.palette
        px, rect, run = text.px, self.number_rect, self.run
        plates.draw(surface, rect)
        label = WORDS[run.exhibit.measure][0]
        text.draw(surface, (rect.x + px(_PAD), rect.y + px(7)), label, plates.soft, "sans", 15)
        most = max(run.gauges[0].value, run.gauges[1].value, 1e-9)
        rows = sorted(zip((run.shows_on, not run.shows_on), run.gauges, strict=True), key=lambda row: not row[0])
        for i, (on, gauge) in enumerate(rows):
            shown = on == run.shows_on
            y = rect.y + px(30 + i * 46)
            ink = plates.ink if shown else plates.soft
            word = "on" if on else "off"
            text.draw(surface, (rect.x + px(_PAD), y), word, ink, "sans_bold" if shown else "sans", 17)
            number = gauge.words + ("" if gauge.done else " …")
            text.draw(
                surface, (rect.right - px(_PAD), y - px(3)), number, ink, "serif_bold", 21 if shown else 19, "topright"
            )
            bar = pygame.Rect(rect.x + px(_PAD), y + px(26), rect.width - px(2 * _PAD), px(10))
            pygame.draw.rect(surface, mix(plates.paper, palette["mist"], 0.6), bar)
            full = pygame.Rect(bar.x, bar.y, round(bar.width * gauge.value / most), bar.height)
            pygame.draw.rect(surface, palette["blue"] if shown else mix(plates.ink, plates.paper, 0.55), full)
            pygame.draw.rect(surface, plates.ink if shown else plates.hair, full, 1)

    def _draw_knobs(self, surface: pygame.Surface) -> None:
        text, plates = self.app.text, self.app.plates
        plates.draw(surface, self.knob_rect)
        self._draw_rows(surface, self.rows, active=not self.drawer)
        plates.draw(surface, self.drawer_button, "chosen" if self.drawer else "button")
        words = f"All knobs ({len(self.drawer_rows)})   K"
        ink = self.app.palette["white"] if self.drawer else plates.ink
        text.draw(surface, self.drawer_button.center, words, ink, "sans_bold", 15, "center")

    def _draw_rows(self, surface: pygame.Surface, rows: list[KnobRow], active: bool) -> None:
        app = self.app
        for i, row in enumerate(rows):
            value: Value = self.run.value_of(row.knob.setting)
            row.draw(surface, app.text, app.plates, app.palette, value, active and i == self.focus)

    def _draw_drawer(self, surface: pygame.Surface) -> None:
        text, plates, rect = self.app.text, self.app.plates, self.drawer_rect
        px = text.px
        plates.draw(surface, rect)
        text.draw(surface, (rect.x + px(_PAD), rect.y + px(8)), "All knobs", plates.ink, "serif_bold", 22)
        hint = "up, down: choose   left, right: turn"
        text.draw(surface, (rect.right - px(_PAD), rect.y + px(16)), hint, plates.soft, "sans", 14, "topright")
        self._draw_rows(surface, self.drawer_rows, active=True)

    def _draw_legend(
        self, surface: pygame.Surface, panels: LabPanels, legends: list[tuple[Overlay, list[LegendRow]]]
    ) -> None:
        text = self.app.text
        px = text.px
        room = surface.get_height() - px(MARGIN) - self.legend_top
        kept: list[tuple[Overlay, list[LegendRow]]] = []
        height = px(14)
        for o, legend in legends:
            height += px(24) + sum(px(43) if row.style == "ramp" else px(23) for row in legend)
            if height > room:
                break
            kept.append((o, legend))
        rect = pygame.Rect(self.knob_rect.x, self.legend_top, px(WIDTH), 0)
        panels.draw_legend_in(surface, rect, kept)

    def _draw_bottom(self, surface: pygame.Surface) -> None:
        text, plates, palette = self.app.text, self.app.plates, self.app.palette
        px, rect, run = text.px, self.bottom, self.run
        share = min(run.twin.shown.world.tick / run.exhibit.repeat, 1.0)
        line = pygame.Rect(rect.x, rect.y - px(8), rect.width, px(4))
        pygame.draw.rect(surface, palette["mist"], line)
        pygame.draw.rect(surface, plates.ink, (line.x, line.y, round(line.width * share), line.height))
        x, y = rect.right, rect.y + px(22)
        for key, words in (("Esc", "gallery"), ("R", "again"), ("Space", "pause")):
            label = text.line("sans", 15, words, plates.soft)
            x -= label.get_width()
            surface.blit(label, (x, y + px(3)))
            x -= max(text.size("sans_bold", 14, key)[0] + px(14), px(26)) + px(6)
            self._keycap(surface, (x, y), key, 14)
            x -= px(14)
        plate = pygame.Rect(rect.x, rect.y + px(4), x - rect.x, rect.height - px(4))
        lines = text.wrap("sans", 16, run.exhibit.try_this, plate.width - px(112))
        pygame.draw.rect(surface, plates.paper, plate)
        pygame.draw.rect(surface, plates.ink, plate, 2)
        pygame.draw.rect(surface, palette["yellow"], (plate.x, plate.y, px(6), plate.height))
        text.draw(surface, (plate.x + px(16), plate.centery), "Try this", plates.ink, "serif_bold", 18, "midleft")
        top = plate.centery - len(lines) * px(20) // 2
        for i, words in enumerate(lines[:2]):
            text.draw(surface, (plate.x + px(98), top + i * px(20)), words, plates.ink, "sans", 16)
