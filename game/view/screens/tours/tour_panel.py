"""Panel of a stop over the picture: guesses, answer with numbers, code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pygame

from game.view.lab.why.code_lines import LINE, draw_lines
from game.view.lab.why.source_lines import Source
from game.view.painting.painter_services import PainterServices
from game.view.painting.palette import mix
from game.view.painting.text import TextDrawer

PAD = 18
TALL = 38
"""Interface pixels of a button."""
AROUND = 3
"""Lines of code above and below the deciding ones, if there is room."""


@dataclass(frozen=True)
class Choice:
    """Button of the panel: its key, its words, and its action."""

    key: str
    words: str
    act: Callable[[], None]


@dataclass(frozen=True)
class Measured:
    """Number of one run, plain and with its unit."""

    run: str
    value: float
    words: str


@dataclass(frozen=True)
class Card:
    """Content of the panel."""

    title: str
    lead: str = ""
    """Words in bold, below the text or, without ``text_first``, above it."""
    text: str = ""
    text_first: bool = False
    label: str = ""
    """Words above the numbers."""
    numbers: tuple[Measured, ...] = ()
    source: Source | None = None
    choices: tuple[Choice, ...] = ()
    stacked: bool = False
    """True for buttons below each other."""
    tone: str = "ink"
    """Colour of the title, by its name in the palette."""


@dataclass
class TourPanel:
    """Lays out and draws a card over a picture, and finds pressed buttons."""

    app: PainterServices
    text: TextDrawer
    room: pygame.Rect
    """Box of the picture."""
    card: Card
    points: Sequence[tuple[int, int]] = ()
    """Places of units on the screen, which the panel keeps clear if it can."""
    focus: int = 0
    rect: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 0, 0))
    buttons: list[pygame.Rect] = field(default_factory=list)
    _rows: int = 0
    """Lines of code that are shown."""

    def __post_init__(self) -> None:
        self.lay_out()

    def lay_out(self) -> None:
        """Place the panel and its buttons."""
        px, card = self.text.px, self.card
        width = min(px(860), self.room.width - px(24))
        inner = width - px(2 * PAD)
        fixed = px(40) + px(24) * len(self._lines("sans_bold", 17, card.lead, inner))
        fixed += px(22) * len(self._lines("sans", 16, card.text, inner))
        fixed += px(26 + 28 * len(card.numbers)) if card.numbers else 0
        fixed += px(10) + px(TALL + 6) * (len(card.choices) if card.stacked else 1) + px(10)
        self._rows = 0
        if card.source is not None:
            most = card.source.end - card.source.line + 1 + 2 * AROUND
            spare = (self.room.height - px(16) - fixed - px(40)) // px(LINE)
            self._rows = max(min(most, spare), 1)
            fixed += self._rows * px(LINE) + px(40)
        self.rect = pygame.Rect(0, 0, width, min(fixed, self.room.height - px(16)))
        self.rect.midbottom = self.room.centerx, self.room.bottom - px(8)
        above = self.rect.copy()
        above.top = self.room.top + px(8)
        if sum(map(above.collidepoint, self.points)) < sum(map(self.rect.collidepoint, self.points)):
            self.rect = above
        left, bottom = self.rect.x + px(PAD), self.rect.bottom - px(12)
        self.buttons = []
        if card.stacked:
            top = bottom - len(card.choices) * px(TALL + 6) + px(6)
            for i in range(len(card.choices)):
                self.buttons.append(pygame.Rect(left, top + i * px(TALL + 6), inner, px(TALL)))
        elif card.choices:
            wide = inner // len(card.choices)
            for i in range(len(card.choices)):
                self.buttons.append(pygame.Rect(left + i * wide, bottom - px(TALL), wide - px(8), px(TALL)))

    def _lines(self, kind: str, size: int, words: str, width: int) -> list[str]:
        return self.text.wrap(kind, size, words, width) if words else []

    def button_at(self, pos: tuple[int, int]) -> int | None:
        """Return the number of the button under a pixel, or None."""
        return next((i for i, rect in enumerate(self.buttons) if rect.collidepoint(pos)), None)

    def move_focus(self, by: int) -> None:
        """Move the focus over the buttons, around their ends."""
        if self.card.choices:
            self.focus = (self.focus + by) % len(self.card.choices)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the panel."""
        text, panels, px, card = self.text, self.app.panels, self.text.px, self.card
        panels.draw(surface, self.rect)
        left, y, inner = self.rect.x + px(PAD), self.rect.y + px(10), self.rect.width - px(2 * PAD)
        text.draw(surface, (left, y), card.title, self.app.palette[card.tone], "serif_bold", 22)
        y += px(32)
        parts = [("sans_bold", 17, 24, card.lead), ("sans", 16, 22, card.text)]
        for kind, size, step, words in reversed(parts) if card.text_first else parts:
            for line in self._lines(kind, size, words, inner):
                text.draw(surface, (left, y), line, panels.ink, kind, size)
                y += px(step)
        if card.numbers:
            y = self._draw_numbers(surface, pygame.Rect(left, y + px(4), inner, 0))
        if card.source is not None:
            self._draw_code(surface, pygame.Rect(left, y + px(4), inner, 0), card.source)
        for i, (rect, choice) in enumerate(zip(self.buttons, card.choices, strict=True)):
            self._draw_button(surface, rect, choice, i == self.focus)

    def _draw_numbers(self, surface: pygame.Surface, box: pygame.Rect) -> int:
        """Draw the number of each run with a bar; return the lower end."""
        text, panels, palette, px = self.text, self.app.panels, self.app.palette, self.text.px
        text.draw(surface, box.topleft, self.card.label, panels.soft, "sans", 15)
        most = max(*(one.value for one in self.card.numbers), 1e-9)
        y, named, said = box.y + px(22), px(170), px(150)
        for i, one in enumerate(self.card.numbers):
            middle = y + px(13)
            ink = panels.ink if i == 0 else panels.soft
            words = text.shortened("sans_bold", 16, one.run, named - px(8))
            text.draw(surface, (box.x, middle), words, ink, "sans_bold", 16, "midleft")
            bar = pygame.Rect(box.x + named, middle - px(7), box.width - named - said, px(14))
            pygame.draw.rect(surface, mix(panels.paper, palette["mist"], 0.6), bar)
            full = pygame.Rect(bar.x, bar.y, round(bar.width * one.value / most), bar.height)
            pygame.draw.rect(surface, palette["blue"] if i == 0 else mix(panels.ink, panels.paper, 0.55), full)
            pygame.draw.rect(surface, panels.ink, full, 1)
            text.draw(surface, (box.right, middle), one.words, ink, "serif_bold", 19, "midright")
            y += px(28)
        return y

    def _draw_code(self, surface: pygame.Surface, box: pygame.Rect, source: Source) -> None:
        px = self.text.px
        place = f"{source.place}, read only"
        self.text.draw(surface, box.topleft, place, self.app.panels.soft, "sans", 15)
        own = source.end - source.line + 1
        above = max((self._rows - own) // 2, 0)
        part = max(source.line - 1 - above, 0), self._rows
        lines = pygame.Rect(box.x, box.y + px(22), box.width, self._rows * px(LINE) + px(8))
        draw_lines(surface, lines, self.app, self.text, source, part)

    def _draw_button(self, surface: pygame.Surface, rect: pygame.Rect, choice: Choice, focused: bool) -> None:
        text, panels, px = self.text, self.app.panels, self.text.px
        panels.draw(surface, rect, "chosen" if focused else "button")
        ink = self.app.palette["white"] if focused else panels.ink
        cap = pygame.Rect(rect.x + px(8), 0, max(text.size("sans_bold", 15, choice.key)[0] + px(12), px(26)), px(25))
        cap.centery = rect.centery
        pygame.draw.rect(surface, mix(panels.paper, self.app.palette["mist"], 0.4), cap)
        pygame.draw.rect(surface, panels.ink, cap, 2)
        text.draw(surface, cap.center, choice.key, panels.ink, "sans_bold", 15, "center")
        words = text.shortened("sans_bold", 16, choice.words, rect.right - cap.right - px(18))
        text.draw(surface, (cap.right + px(10), rect.centery), words, ink, "sans_bold", 16, "midleft")
