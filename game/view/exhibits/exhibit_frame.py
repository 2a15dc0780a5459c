"""Frame of an exhibit: question, switch, number, knobs, legend, advice and keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from game.checks.exhibit_run import ExhibitRun
from game.checks.metrics.metric import MEASURES
from game.checks.metrics.tally import TICKS_A_SECOND
from game.view.exhibits.exhibit_strip import HEIGHT as STRIP_HEIGHT
from game.view.exhibits.exhibit_strip import StripPanel
from game.view.exhibits.histogram import draw_histogram, draw_interval
from game.view.exhibits.knobs import HEIGHT, KnobRow, Value, words_of
from game.view.exhibits.strips.strip import Strip
from game.view.lab.draw_legend import Legend, LegendDrawer
from game.view.lab.glossary import Glossary, draw_tip
from game.view.painting.painter_services import PainterServices
from game.view.painting.palette import mix
from game.view.painting.text import fitting

WIDTH = 300
NEED = (1200, 700)
"""Interface pixels that the frame takes.

In a smaller window the frame is smaller than the options ask.
"""
MARGIN = 14
TOP = 94
BOTTOM = 62
TALLER = 26
_PAD = 14


def lowered(words: str) -> str:
    """Return words in lower case, but names with a sign, such as A*, unchanged."""
    return " ".join(word.lower() if word.isalpha() else word for word in words.split())


@dataclass(frozen=True)
class Told:
    """Name and source of the technique, as the frame shows them."""

    name: str
    source: str


class ExhibitFrame:
    """Lays out and draws the frame for a window size, and finds pressed parts."""

    def __init__(self, app: PainterServices, run: ExhibitRun, told: Told, strip: Strip | None = None) -> None:
        self.app, self.run, self.told = app, run, told
        self.text = fitting(app.text, app.window.get_size(), NEED)
        self.legend = LegendDrawer(app, self.text, WIDTH)
        self.glossary = Glossary()
        self.drawer = False
        self.focus = 0
        px = self.text.px
        width, height = app.window.get_size()
        below = px(BOTTOM) + px(10) + (px(STRIP_HEIGHT + 4) if strip is not None else 0)
        self.frame = pygame.Rect(px(MARGIN), px(TOP), width - px(3 * MARGIN + WIDTH), height - px(TOP) - below)
        beneath = pygame.Rect(self.frame.x, self.frame.bottom + px(5), self.frame.width, px(STRIP_HEIGHT))
        self.strip = StripPanel(app, self.text, strip, beneath) if strip is not None else None
        left = self.frame.right + px(MARGIN)
        room = px(WIDTH - 2 * _PAD)
        crowded = len(self._name_lines(room)[1]) > 1 and len(self.text.wrap("sans", 14, told.source, room)) > 1
        self.switch_rect = pygame.Rect(left, px(MARGIN), px(WIDTH), px(132 if crowded else 122))
        self.number_rect = pygame.Rect(
            left,
            self.switch_rect.bottom + px(10),
            px(WIDTH),
            px((126 if run.prices is None else 168) + 2 * self._taller()),
        )
        knobs = run.exhibit.knobs
        every = [*knobs, *run.exhibit.more_knobs]
        # An exhibit without knobs has no panel for them.
        rows = px(14) + len(knobs) * px(HEIGHT) + px(36) if every else 0
        self.knob_rect = pygame.Rect(left, self.number_rect.bottom + px(10), px(WIDTH), rows)
        self.legend_top = self.knob_rect.bottom + (px(10) if every else 0)
        self.drawer_button = pygame.Rect(
            left + px(_PAD), self.knob_rect.bottom - px(36), px(WIDTH - 2 * _PAD), px(26) if every else 0
        )
        self.bottom = pygame.Rect(px(MARGIN), height - px(BOTTOM), self.frame.width, px(BOTTOM) - px(10))
        inside = px(WIDTH - 2 * _PAD)
        self.rows = [
            KnobRow(
                knob,
                pygame.Rect(left + px(_PAD), self.knob_rect.y + px(12) + i * px(HEIGHT), inside, px(HEIGHT)),
                self.text.scale,
            )
            for i, knob in enumerate(knobs)
        ]
        fit = max((self.frame.height - px(68)) // px(HEIGHT), 1)
        columns = min(max(-(-len(every) // fit), 1), 3)
        down = -(-len(every) // columns)
        wide = min(px(WIDTH + 40), self.frame.width // columns)
        self.drawer_rect = pygame.Rect(0, 0, columns * wide, min(px(60) + down * px(HEIGHT) + px(8), self.frame.height))
        self.drawer_rect.topright = (self.frame.right, self.frame.y)
        self.drawer_rows = []
        for i, knob in enumerate(every):
            column, row = divmod(i, down)
            left, top = self.drawer_rect.x + column * wide + px(_PAD), self.drawer_rect.y + px(52) + row * px(HEIGHT)
            rect = pygame.Rect(left, top, wide - px(2 * _PAD), px(HEIGHT))
            self.drawer_rows.append(KnobRow(knob, rect, self.text.scale))

    def _taller(self) -> int:
        """Return the further interface pixels of a row with a histogram."""
        return TALLER if MEASURES[self.run.exhibit.measure].sampled else 0

    @property
    def shown_rows(self) -> list[KnobRow]:
        """Return the knobs that can be turned now, those of an open drawer."""
        return self.drawer_rows if self.drawer else self.rows

    def knob_at(self, pos: tuple[int, int]) -> KnobRow | None:
        """Return the knob under a pixel, or None."""
        rows = [*self.drawer_rows, *self.rows] if self.drawer else self.rows
        return next((row for row in rows if row.rect.collidepoint(pos)), None)

    def covers(self, pos: tuple[int, int]) -> bool:
        """Return whether a pixel belongs to the frame and not to the picture."""
        return not self.frame.collidepoint(pos) or (self.drawer and self.drawer_rect.collidepoint(pos))

    def words_at(self, pos: tuple[int, int]) -> str:
        """Return the words under a pixel.

        They are those of a knob, of the number, of the technique's name, of the title, of the thing to try, or of a
        row of the legend.
        """
        e = self.run.exhibit
        if self.bottom.collidepoint(pos):
            return e.try_this
        if self.frame.x <= pos[0] < self.frame.right and pos[1] < self.frame.y:
            return " ".join(self.headline())
        row = self.knob_at(pos)
        if row is not None:
            return row.knob.label
        if self.number_rect.collidepoint(pos):
            words = [e.measure_words or MEASURES[e.measure].words]
            return " ".join(words + ([e.price.words or MEASURES[e.price.measure].words] if e.price is not None else []))
        return self.told.name if self.switch_rect.collidepoint(pos) else self.legend.words_at(pos)

    def draw_tip(self, surface: pygame.Surface, cursor: tuple[int, int]) -> None:
        """Explain the term in the words under the cursor, if the glossary has one."""
        term = self.glossary.find(self.words_at(cursor))
        if term is not None:
            draw_tip(surface, self.text, self.app.panels, cursor, term)

    def draw(self, surface: pygame.Surface, legends: list[Legend]) -> None:
        """Draw the frame without the picture."""
        self._draw_title(surface)
        self._draw_switch(surface)
        self._draw_number(surface)
        self._draw_knobs(surface)
        self._draw_legend(surface, legends)
        self._draw_bottom(surface)
        if self.strip is not None:
            self.strip.draw(surface)
        if self.drawer:
            self._draw_drawer(surface)

    def headline(self) -> tuple[str, str]:
        """Return the title and the line below it."""
        return self.run.exhibit.question, self.run.exhibit.line

    def _draw_title(self, surface: pygame.Surface) -> None:
        text, panels = self.text, self.app.panels
        px, (question, below) = text.px, self.headline()
        rect = pygame.Rect(self.frame.x, px(MARGIN), self.frame.width, px(TOP - MARGIN - 10))
        pygame.draw.rect(surface, panels.paper, rect)
        pygame.draw.rect(surface, panels.ink, rect, 2)
        left, room = rect.x + px(_PAD), rect.width - px(2 * _PAD)
        size = 32
        while size > 20 and text.size("serif_bold", size, question)[0] > room:
            size -= 1
        text.draw(surface, (left, rect.y + px(23)), question, panels.ink, "serif_bold", size, "midleft")
        size = 17
        while size > 14 and text.size("sans", size, below)[0] > room:
            size -= 1
        line = text.shortened("sans", size, below, room)
        text.draw(surface, (left, rect.y + px(53)), line, panels.soft, "sans", size, "midleft")

    def _keycap(self, surface: pygame.Surface, pos: tuple[int, int], words: str, size: int = 15) -> pygame.Rect:
        """Draw a key cap; return its box."""
        text, panels = self.text, self.app.panels
        px = text.px
        wide = text.size("sans_bold", size, words)[0] + px(14)
        rect = pygame.Rect(pos[0], pos[1], max(wide, px(26)), px(size + 11))
        pygame.draw.rect(surface, mix(panels.paper, self.app.palette["mist"], 0.4), rect)
        pygame.draw.rect(surface, panels.ink, rect, 2)
        text.draw(surface, rect.center, words, panels.ink, "sans_bold", size, "center")
        return rect

    def switch_words(self, on: bool) -> str:
        """Return the text of the switch: words, a word value, ON or OFF."""
        e, value = self.run.exhibit, self.run.on if on else self.run.off
        words = (e.on_words if value == e.on else e.also_words if value == e.also else "") if on else e.off_words
        if words:
            return words
        return words_of(value) if isinstance(value, str) else "ON" if on else "OFF"

    def _chips(self) -> list[tuple[str, bool]]:
        """Return (words, shown) of each run that T goes to, in order."""
        run, e = self.run, self.run.exhibit
        on, off = (self.switch_words(True), run.shows_on), (self.switch_words(False), not run.shows_on)
        if e.also is None:
            return [on, off]
        first = e.on_words or words_of(e.on)
        third = run.shows_on and run.on == e.also
        return [(first, run.shows_on and not third), (e.also_words or words_of(e.also), third), off]

    def _name_lines(self, room: int) -> tuple[int, list[str]]:
        """Return the size of the technique's name and its one or two lines."""
        text, size = self.text, 20
        while size > 17 and text.size("serif_bold", size, self.told.name)[0] > room:
            size -= 1
        if text.size("serif_bold", size, self.told.name)[0] <= room:
            return size, [self.told.name]
        return 15, text.wrap("serif_bold", 15, self.told.name, room)[:2]

    def _draw_switch(self, surface: pygame.Surface) -> None:
        text, panels, palette = self.text, self.app.panels, self.app.palette
        px, rect, run = text.px, self.switch_rect, self.run
        panels.draw(surface, rect)
        room = rect.width - px(2 * _PAD)
        size, lines = self._name_lines(room)
        top = rect.y + px(8 if len(lines) == 1 else 4)
        for i, line in enumerate(lines):
            text.draw(surface, (rect.x + px(_PAD), top + i * px(17)), line, panels.ink, "serif_bold", size)
        sources = text.wrap("sans", 14, self.told.source, room)[:2]
        below = rect.y + px(44 if len(lines) > 1 else 42 if len(sources) == 1 else 34)
        cap = self._keycap(surface, (rect.x + px(_PAD), below), "T", 18)
        chips = self._chips()
        gap = px(12 if len(chips) < 3 else 6)
        wide = (rect.right - px(_PAD) - cap.right - gap) // len(chips)
        for i, (words, chosen) in enumerate(chips):
            chip = pygame.Rect(cap.right + gap + i * wide, cap.y, wide - px(4), cap.height)
            panels.draw(surface, chip, "chosen" if chosen else "button")
            ink = palette["white"] if chosen else panels.soft
            size = 18
            while size > 14 and text.size("sans_bold", size, words)[0] > chip.width - px(6):
                size -= 1
            text.draw(surface, chip.center, words, ink, "sans_bold", size, "center")
        other = self.switch_words(not run.shows_on)
        ghost = text.shortened("sans", 15, f"pale figures, the other run: {lowered(other)}", room)
        top = below + px(38 if len(sources) == 1 else 31)
        text.draw(surface, (rect.x + px(_PAD), top), ghost, panels.soft, "sans", 15)
        for i, source in enumerate(sources):
            text.draw(surface, (rect.x + px(_PAD), top + px(17) + i * px(16)), source, panels.soft, "sans", 14)

    def _draw_number(self, surface: pygame.Surface) -> None:
        text, panels, palette = self.text, self.app.panels, self.app.palette
        px, rect, run = text.px, self.number_rect, self.run
        panels.draw(surface, rect)
        label = run.exhibit.measure_words or MEASURES[run.exhibit.measure].words
        counts_on = run.exhibit.measure != "none" and not all(metric.done for metric in run.metrics)
        label += ", so far" if counts_on else ""
        label = text.shortened("sans", 15, label, rect.width - px(2 * _PAD))
        text.draw(surface, (rect.x + px(_PAD), rect.y + px(7)), label, panels.soft, "sans", 15)
        if run.exhibit.measure == "none":
            lines = text.wrap("sans", 17, run.exhibit.look_at, rect.width - px(2 * _PAD))
            for i, line in enumerate(lines[:4]):
                text.draw(surface, (rect.x + px(_PAD), rect.y + px(30 + 22 * i)), line, panels.ink, "sans", 17)
            return
        most = max(run.metrics[0].value, run.metrics[1].value, 1e-9)
        rows = sorted(zip((run.shows_on, not run.shows_on), run.metrics, strict=True), key=lambda row: not row[0])
        for i, (on, metric) in enumerate(rows):
            shown = on == run.shows_on
            y = rect.y + px(30 + i * (46 + self._taller()))
            ink = panels.ink if shown else panels.soft
            word = lowered(self.switch_words(on))
            number = metric.words
            at = rect.right - px(_PAD), y - px(3)
            said = text.draw(surface, at, number, ink, "serif_bold", 21 if shown else 19, "topright")
            kind, room = "sans_bold" if shown else "sans", said.left - rect.x - px(_PAD + 8)
            size = 17 if text.size(kind, 17, word)[0] <= room else 14
            text.draw(surface, (rect.x + px(_PAD), y), text.shortened(kind, size, word, room), ink, kind, size)
            bar = pygame.Rect(rect.x + px(_PAD), y + px(26), rect.width - px(2 * _PAD), px(10 + self._taller()))
            if self._taller():
                colour = palette["blue"] if shown else mix(panels.ink, panels.paper, 0.55)
                end = run.exhibit.repeat / TICKS_A_SECOND
                draw_histogram(surface, bar, metric.samples, end, panels.paper, colour)
                if run.prices is not None:
                    draw_interval(surface, bar, run.prices[0 if shown else 1], end, panels.ink)
                continue
            pygame.draw.rect(surface, mix(panels.paper, palette["mist"], 0.6), bar)
            full = pygame.Rect(bar.x, bar.y, round(bar.width * metric.value / most), bar.height)
            pygame.draw.rect(surface, palette["blue"] if shown else mix(panels.ink, panels.paper, 0.55), full)
            pygame.draw.rect(surface, panels.ink if shown else panels.hair, full, 1)
        self._draw_price(surface)

    def _draw_price(self, surface: pygame.Surface) -> None:
        """Draw the second number of both runs below the first."""
        run, price = self.run, self.run.exhibit.price
        if price is None or run.prices is None:
            return
        text, panels = self.text, self.app.panels
        px, rect = text.px, self.number_rect
        room, left = rect.width - px(2 * _PAD), rect.x + px(_PAD)
        top = rect.y + px(121 + 2 * self._taller())
        pygame.draw.line(surface, panels.hair, (left, top), (rect.right - px(_PAD), top))
        label = text.shortened("sans", 14, price.words or MEASURES[price.measure].words, room)
        text.draw(surface, (left, top + px(3)), label, panels.soft, "sans", 14)
        both = (run.shows_on, run.prices[0]), (not run.shows_on, run.prices[1])
        rows = [f"{self.switch_words(on).lower()} {metric.words}" for on, metric in both]
        line = text.shortened("sans", 15, " / ".join(rows), room)
        text.draw(surface, (left, top + px(22)), line, panels.ink, "sans", 15)

    def _draw_knobs(self, surface: pygame.Surface) -> None:
        if not self.drawer_rows:
            return
        text, panels = self.text, self.app.panels
        panels.draw(surface, self.knob_rect)
        self._draw_rows(surface, self.rows, active=not self.drawer)
        panels.draw(surface, self.drawer_button, "chosen" if self.drawer else "button")
        words = f"All knobs ({len(self.drawer_rows)})   K"
        ink = self.app.palette["white"] if self.drawer else panels.ink
        text.draw(surface, self.drawer_button.center, words, ink, "sans_bold", 15, "center")

    def _draw_rows(self, surface: pygame.Surface, rows: list[KnobRow], active: bool) -> None:
        app = self.app
        for i, row in enumerate(rows):
            value: Value = self.run.value_of(row.knob.setting)
            row.draw(surface, self.text, app.panels, app.palette, value, active and i == self.focus)

    def _draw_drawer(self, surface: pygame.Surface) -> None:
        text, panels, rect = self.text, self.app.panels, self.drawer_rect
        px = text.px
        panels.draw(surface, rect)
        text.draw(surface, (rect.x + px(_PAD), rect.y + px(8)), "All knobs", panels.ink, "serif_bold", 22)
        hint = "up, down: choose   left, right: turn"
        text.draw(surface, (rect.right - px(_PAD), rect.y + px(16)), hint, panels.soft, "sans", 14, "topright")
        self._draw_rows(surface, self.drawer_rows, active=True)

    def _draw_legend(self, surface: pygame.Surface, legends: list[Legend]) -> None:
        px = self.text.px
        room = surface.get_height() - px(MARGIN) - self.legend_top
        rect = pygame.Rect(self.knob_rect.x, self.legend_top, px(WIDTH), 0)
        self.legend.draw(surface, rect, self.legend.fitting(legends, room))

    def _draw_bottom(self, surface: pygame.Surface) -> None:
        self._draw_progress(surface)
        beside = self.app.keymap.label("compare")
        x = self._draw_keys(surface, (("Esc", "back"), (beside, "beside"), ("R", "again"), ("Space", "pause")))
        self._draw_note(surface, x, "Try this", self.run.exhibit.try_this)

    def _draw_progress(self, surface: pygame.Surface) -> None:
        """Draw how much of the run is over, as a line below the picture."""
        px, rect = self.text.px, self.bottom
        share = min(self.run.ab_run.shown.world.tick / self.run.exhibit.repeat, 1.0)
        line = pygame.Rect(rect.x, rect.y - px(8), rect.width, px(4))
        pygame.draw.rect(surface, self.app.palette["mist"], line)
        pygame.draw.rect(surface, self.app.panels.ink, (line.x, line.y, round(line.width * share), line.height))

    def _draw_keys(self, surface: pygame.Surface, keys: Sequence[tuple[str, str]]) -> int:
        """Draw keys and their words from the right; return the left end."""
        text, panels, px = self.text, self.app.panels, self.text.px
        x, y = self.bottom.right, self.bottom.y + px(22)
        for key, words in keys:
            label = text.line("sans", 15, words, panels.soft)
            x -= label.get_width()
            surface.blit(label, (x, y + px(3)))
            x -= max(text.size("sans_bold", 14, key)[0] + px(14), px(26)) + px(6)
            self._keycap(surface, (x, y), key, 14)
            x -= px(14)
        return x

    def _draw_note(self, surface: pygame.Surface, right: int, title: str, said: str) -> None:
        """Draw a title and at most two lines beside it, up to ``right``."""
        text, panels, px = self.text, self.app.panels, self.text.px
        indent = max(px(98), text.size("serif_bold", 18, title)[0] + px(30))
        lines = text.wrap("sans", 16, said, right - self.bottom.x - indent - px(14))
        panel = pygame.Rect(self.bottom.x, self.bottom.y + px(4), right - self.bottom.x, self.bottom.height - px(4))
        pygame.draw.rect(surface, panels.paper, panel)
        pygame.draw.rect(surface, panels.ink, panel, 2)
        pygame.draw.rect(surface, self.app.palette["yellow"], (panel.x, panel.y, px(6), panel.height))
        text.draw(surface, (panel.x + px(16), panel.centery), title, panels.ink, "serif_bold", 18, "midleft")
        top = panel.centery - len(lines) * px(20) // 2
        for i, words in enumerate(lines[:2]):
            text.draw(surface, (panel.x + indent, top + i * px(20)), words, panels.ink, "sans", 16)
