"""Grid of cards under headings, operated by mouse, wheel and keyboard."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import pygame

from game.view.exhibits.cards.card_pictures import CardPictures
from game.view.exhibits.cards.card_sections import CardSection
from game.view.exhibits.cards.technique_cards import TechniqueCard
from game.view.input.selection import DOUBLE_CLICK_MS
from game.view.painting.painter_services import PainterServices
from game.view.painting.text import TextDrawer
from game.view.screens.gallery.card_painter import CardPainter, draw_shape

WIDTH, GAP, LINE = 222, 10, 20
"""Least width of a card, gap, and height of a line, in interface pixels."""
HEADING = 34
BAR = 12
STEP = 60
"""Pixels of a step of the wheel."""
_MOVES = {pygame.K_LEFT: -1, pygame.K_RIGHT: 1}


@dataclass(frozen=True)
class PlacedCard:
    """Card at its place in the content; ``row`` counts rows of cards."""

    card: TechniqueCard
    rect: pygame.Rect
    row: int


class CardGrid:
    """Cards in sections, one of which is selected."""

    is_enabled = True

    def __init__(self, app: PainterServices, text: TextDrawer, rect: pygame.Rect, pictures: CardPictures) -> None:
        self.app, self.text, self.rect = app, text, rect
        room = rect.width - text.px(BAR + 4)
        self.columns = max(1, (room + text.px(GAP)) // text.px(WIDTH + GAP))
        width = (room - (self.columns - 1) * text.px(GAP)) // self.columns
        self.painter = CardPainter(app, text, pictures, width)
        self.sections: Sequence[CardSection] = ()
        self.placed: list[PlacedCard] = []
        self.chosen = ""
        self.top = 0
        self.height = 0
        self._headings: list[tuple[int, CardSection, list[str]]] = []
        self._hovered = ""
        self._clicked = ("", -10_000)
        self._dragged = False

    def set_sections(self, sections: Sequence[CardSection], chosen: str = "") -> None:
        """Show other cards, with the selected one in view."""
        self.sections, self.placed, self._headings = sections, [], []
        px, y, row = self.text.px, 0, 0
        width = self.painter.width
        for section in sections:
            lines = self.text.wrap("sans", 16, section.text, self.rect.width - px(BAR + 20)) if section.text else []
            self._headings.append((y, section, lines))
            y += px(HEADING) + len(lines) * px(LINE) + (px(8) if lines else 0)
            for first in range(0, len(section.cards), self.columns):
                cards = section.cards[first : first + self.columns]
                height = max(map(self.painter.height, cards))
                for column, card in enumerate(cards):
                    box = pygame.Rect(column * (width + px(GAP)), y, width, height)
                    self.placed.append(PlacedCard(card, box, row))
                y += height + px(GAP)
                row += 1
            y += px(8)
        self.height = y
        self.chosen = chosen if any(at.card.slug == chosen for at in self.placed) else ""
        self.top = 0
        self._show_chosen()

    @property
    def index(self) -> int:
        """Number of the selected card, or -1."""
        return next((i for i, at in enumerate(self.placed) if at.card.slug == self.chosen), -1)

    def card_rect(self, index: int) -> pygame.Rect:
        """Return the box of a card on the screen."""
        return self.placed[index].rect.move(self.rect.x, self.rect.y - self.top)

    def cards_in_view(self) -> list[TechniqueCard]:
        """Return the cards that can be seen, the selected one first."""
        shown = [at.card for i, at in enumerate(self.placed) if self.card_rect(i).colliderect(self.rect)]
        return sorted(shown, key=lambda card: card.slug != self.chosen)

    def scroll(self, by: int) -> None:
        """Scroll by pixels."""
        self.top = min(max(self.top + by, 0), max(self.height - self.rect.height, 0))

    def _show_chosen(self) -> None:
        """Scroll to the selected card; a first row shows its heading too."""
        if self.index < 0:
            return
        at = self.placed[self.index]
        above = max((y for y, _, _ in self._headings if y <= at.rect.y), default=0)
        first = self.placed[self.index].row == min(p.row for p in self.placed if p.rect.y >= above)
        self.top = min(self.top, above if first else at.rect.y)
        self.top = max(self.top, at.rect.bottom + self.text.px(6) - self.rect.height, 0)

    def key(self, event: pygame.event.Event) -> str:
        """Handle a key: return ``chosen``, ``opened`` or an empty string."""
        if not self.placed:
            return ""
        if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER) and self.chosen:
            return "opened"
        index = self.index
        if event.key in _MOVES:
            index = index + _MOVES[event.key] if index >= 0 else 0
        elif event.key in (pygame.K_UP, pygame.K_DOWN):
            index = self._in_row(1 if event.key == pygame.K_DOWN else -1)
        elif event.key in (pygame.K_PAGEUP, pygame.K_PAGEDOWN):
            index = self._in_row(3 if event.key == pygame.K_PAGEDOWN else -3)
        elif event.key == pygame.K_HOME:
            index = 0
        elif event.key == pygame.K_END:
            index = len(self.placed) - 1
        else:
            return ""
        self.chosen = self.placed[min(max(index, 0), len(self.placed) - 1)].card.slug
        self._show_chosen()
        return "chosen"

    def _in_row(self, by: int) -> int:
        """Return the number of the card that many rows on, in this column."""
        if self.index < 0:
            return 0
        here = self.placed[self.index]
        row = min(max(here.row + by, 0), self.placed[-1].row)
        others = [(abs(at.rect.x - here.rect.x), i) for i, at in enumerate(self.placed) if at.row == row]
        return min(others)[1]

    def _at(self, pos: tuple[int, int]) -> str:
        if not self.rect.collidepoint(pos):
            return ""
        found = (at.card.slug for i, at in enumerate(self.placed) if self.card_rect(i).collidepoint(pos))
        return next(found, "")

    def handle(self, event: pygame.event.Event) -> str:
        """Handle the mouse: return ``chosen``, ``opened`` or an empty string."""
        if event.type == pygame.MOUSEWHEEL and self.rect.collidepoint(pygame.mouse.get_pos()):
            self.scroll(-event.y * self.text.px(STEP))
        elif event.type == pygame.MOUSEMOTION:
            self._hovered = self._at(event.pos)
            if self._dragged:
                self._drag(event.pos[1])
        elif event.type == pygame.MOUSEBUTTONUP:
            self._dragged = False
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            if self.height > self.rect.height and self._bar().collidepoint(event.pos):
                self._dragged = True
                self._drag(event.pos[1])
                return ""
            slug, now = self._at(event.pos), pygame.time.get_ticks()
            if slug:
                twice = self._clicked[0] == slug and now - self._clicked[1] < DOUBLE_CLICK_MS
                self._clicked = (slug, now)
                self.chosen = slug
                return "opened" if twice else "chosen"
        return ""

    def _bar(self) -> pygame.Rect:
        width = self.text.px(BAR)
        return pygame.Rect(self.rect.right - width, self.rect.y, width, self.rect.height)

    def _drag(self, y: int) -> None:
        share = (y - self.rect.y) / max(self.rect.height, 1)
        self.top = 0
        self.scroll(round(share * self.height - self.rect.height / 2))

    def draw(self, surface: pygame.Surface, seen: Collection[str]) -> None:
        """Draw headings and cards, with a scroll bar if not all fit."""
        text, panels, px = self.text, self.app.panels, self.text.px
        clip = surface.get_clip()
        # The frame of a card is drawn two pixels outside the text; its shadow needs room as well.
        surface.set_clip(self.rect.inflate(4, 0).clip(clip))
        for top, section, lines in self._headings:
            y = self.rect.y + top - self.top
            if y > self.rect.bottom or y + px(HEADING) + (len(lines) + 1) * px(LINE) < self.rect.y:
                continue
            chapter = section.cards[0].chapter
            x = self.rect.x
            if section.title == chapter.title:
                draw_shape(surface, (x + px(9), y + px(15)), px(8), chapter, panels.ink)
                x += px(26)
            title = text.draw(surface, (x, y), section.title, panels.ink, "serif_bold", 22)
            count = str(len(section.cards))
            text.draw(surface, (title.right + px(10), y + px(7)), count, panels.soft, "sans", 16)
            for i, line in enumerate(lines):
                text.draw(surface, (self.rect.x, y + px(HEADING) + i * px(LINE)), line, panels.ink, "sans", 16)
        for i, at in enumerate(self.placed):
            box = self.card_rect(i)
            if box.colliderect(self.rect):
                slug = at.card.slug
                state = "chosen" if slug == self.chosen else "hover" if slug == self._hovered else "rest"
                self.painter.draw(surface, box, at.card, state, slug in seen)
        surface.set_clip(clip)
        if self.height > self.rect.height:
            bar = self._bar()
            pygame.draw.rect(surface, panels.hair, bar, 1)
            long = max(px(24), bar.height * self.rect.height // self.height)
            y = bar.y + (bar.height - long) * self.top // max(self.height - self.rect.height, 1)
            pygame.draw.rect(surface, panels.ink, (bar.x + 2, y, bar.width - 4, long))
