"""Page of a technique: question, picture, paragraph, source, deciding lines, test, and related techniques."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pygame

from game.view.exhibits.cards.card_pictures import CardPictures
from game.view.exhibits.cards.seen_cards import note_seen
from game.view.exhibits.cards.technique_cards import TechniqueCard, card_of
from game.view.exhibits.gallery_rows import ROOT
from game.view.lab.why.code_lines import LINE, draw_lines
from game.view.lab.why.code_screen import CodeScreen
from game.view.screens.gallery.card_painter import draw_picture, draw_shape
from game.view.screens.screen import MenuScreen
from game.view.window.app_services import AppServices

HEAD, ROW_HEIGHT, LABEL = 64, 20, 92
"""Heights of head and line, and width of the labels, in interface pixels."""
LEFT_SHARE = 0.45
BUTTON, CHIP = 40, 30


class CardPage(MenuScreen):
    """Page of one card; Page keys turn to the next card of the gallery."""

    need = (1180, 660)

    def __init__(
        self, app: AppServices, card: TechniqueCard, around: Sequence[TechniqueCard],
        cards: Sequence[TechniqueCard], pictures: CardPictures,
    ) -> None:  # fmt: skip
        super().__init__(app)
        self.card, self.around, self.cards, self.pictures = card, around, cards, pictures
        self.function = 0
        self.top = 0
        self.message = ""
        self.code_box = pygame.Rect(0, 0, 0, 0)
        self._lines: list[tuple[str, list[str], int]] = []

    def enter(self) -> None:
        """Show the card and remember that it was seen."""
        self._show(self.card)
        super().enter()

    def _show(self, card: TechniqueCard) -> None:
        self.card, self.function, self.focus = card, 0, -1
        self.message = note_seen(card.slug)
        self._to_function(0)

    def _to_function(self, index: int) -> None:
        self.function = index
        source = self.source
        self.top = max(source.line - 2, 0) if source is not None else 0

    @property
    def source(self) -> Any:
        """Return the source of the chosen deciding function, or None."""
        found = self.card.deciding
        return found[self.function] if self.function < len(found) else None

    def build(self) -> None:
        """Build the buttons and measure the texts."""
        px, card = self.text.px, self.card
        self.panel = self.app.window.get_rect().inflate(-px(24), -px(24))
        inner = self.panel.inflate(-px(36), -px(28))
        left = pygame.Rect(inner.x, inner.y + px(HEAD), round(inner.width * LEFT_SHARE), inner.height - px(HEAD))
        right = pygame.Rect(left.right + px(24), left.y, inner.right - left.right - px(24), left.height)
        self.left, self.right = left, right
        self._build_left(left)
        self._build_right(right)
        self.button(pygame.Rect(inner.right - px(84), inner.y, px(84), px(36)), "Back", self.app.pop)
        at = self._place()
        for x, words, step in ((inner.right - px(94 + 92), "Next", 1), (inner.right - px(94 + 92 + 100), "Former", -1)):
            turn = self.button(pygame.Rect(x, inner.y, px(90), px(36)), words, partial(self.turn, step))
            if not 0 <= at + step < len(self.around):
                turn.disable()
        self.title_room = inner.width - px(94 + 92 + 100 + 20)
        self.title = self.text.wrap("serif_bold", 28, card.name, self.title_room - px(34))
        self.title_size = 28 if len(self.title) == 1 else 20
        self.title = self.text.wrap("serif_bold", self.title_size, card.name, self.title_room - px(34))

    def _build_left(self, box: pygame.Rect) -> None:
        """Lay out question, picture, buttons and related techniques."""
        px, card, row = self.text.px, self.card, self.card.row
        self.question = self.text.wrap("serif_italic", 20, row.question, box.width)
        y = box.y + px(26) * len(self.question) + px(4)
        self.picture = pygame.Rect(box.x, y, box.width, box.width * 9 // 16)
        y = self.picture.bottom + px(10)
        half = (box.width - px(10)) // 2
        words = {"mission": "Open in Lab: Enter", "exhibit": "Open exhibit: Enter"}.get(row.kind, "No exhibit")
        opens = self.button(pygame.Rect(box.x, y, half, px(BUTTON)), words, self.open)
        beside = self.button(pygame.Rect(box.x + half + px(10), y, half, px(BUTTON)), "Side by side: B", self.beside)
        if row.kind == "none":
            opens.disable()
        if not self._switches:
            beside.disable()
        self.related_y = y + px(BUTTON + 14)
        x, y = box.x, self.related_y + px(24)
        for slug in card.related:
            other = card_of(slug, self.cards)
            if other is None:
                continue
            wide = min(self.text.size("sans_bold", 16, other.name)[0] + px(44), box.width)
            if x + wide > box.right:
                x, y = box.x, y + px(CHIP + 6)
            if y + px(CHIP) > box.bottom:
                break
            self.button(pygame.Rect(x, y, wide, px(CHIP)), other.name, partial(self.turn_to, other))
            x += wide + px(6)

    def _build_right(self, box: pygame.Rect) -> None:
        """Lay out paragraph, facts, functions and code."""
        px, card, row = self.text.px, self.card, self.card.row
        wide = box.width - px(LABEL)
        facts = [
            ("", self.text.wrap("sans", 16, card.paragraph, box.width), 0),
            ("Source", self.text.wrap("sans", 15, self._source_words(), wide), px(LABEL)),
            ("Here", self.text.wrap("sans", 15, row.claim, wide), px(LABEL)),
            ("Switch", self.text.wrap("sans", 15, self._switch_words(), wide), px(LABEL)),
            ("Test", self.text.wrap("sans", 15, row.test, wide), px(LABEL)),
        ]
        self._lines = [(label, lines, indent) for label, lines, indent in facts if any(lines)]
        y = box.y + sum(px(ROW_HEIGHT) * len(lines) + px(5) for _, lines, _ in self._lines) + px(8)
        self.decided_y = y
        x, y = box.x + px(LABEL), y - px(4)
        for index, name in enumerate(row.functions[: len(card.deciding)]):
            chip = self.text.size("sans_bold", 16, name)[0] + px(40)
            if x + chip > box.right and x > box.x + px(LABEL):
                x, y = box.x + px(LABEL), y + px(CHIP + 4)
            self.button(pygame.Rect(x, y, min(chip, wide), px(CHIP)), name, partial(self.choose, index))
            x += chip + px(6)
        y += px(CHIP + 6)
        high = box.bottom - y - px(CHIP + 8)
        self.code_box = pygame.Rect(box.x, y, box.width, max(high, px(LINE)))
        self.code_rows = max((self.code_box.height - px(8)) // px(LINE), 1)
        self.code_box.height = self.code_rows * px(LINE) + px(8)
        read = pygame.Rect(box.right - px(190), self.code_box.bottom + px(6), px(190), px(CHIP))
        if self.source is not None:
            self.button(read, "Read the file: C", self.code)

    @property
    def _switches(self) -> bool:
        """Return whether there is an exhibit that has its technique on and off."""
        return self.card.row.kind == "exhibit" and bool(self.card.row.setting)

    def _source_words(self) -> str:
        row = self.card.row
        return f"{row.source}  ({', '.join(row.ids)})"

    def _switch_words(self) -> str:
        row = self.card.row
        if row.kind == "none":
            return "In the library and its tests; nothing in the game shows it yet."
        keys = "T in the exhibit" if row.kind == "exhibit" else "a setting"
        return f"{row.setting}, {keys}" if row.setting else "It cannot be switched off alone."

    # Acts

    def open(self) -> None:
        """Open the exhibit, or the mission in Lab with the overlay."""
        row = self.card.row
        if row.kind != "none":
            self.app.open_shown(ROOT / row.exhibit, row.overlay, row.slug)

    def beside(self) -> None:
        """Open the exhibit on and off side by side."""
        row = self.card.row
        if self._switches:
            self.app.open_shown(ROOT / row.exhibit, row.overlay, row.slug, beside=True)

    def code(self) -> None:
        """Open the file of the chosen function."""
        if self.source is not None:
            self.app.push(CodeScreen(self.app, self.source, self.card.name))

    def choose(self, index: int) -> None:
        """Show the lines of another deciding function."""
        self._to_function(index)

    def _place(self) -> int:
        slugs = [card.slug for card in self.around]
        return slugs.index(self.card.slug) if self.card.slug in slugs else -2

    def turn(self, by: int) -> None:
        """Turn to another card of the gallery."""
        at = self._place() + by
        if 0 <= at < len(self.around):
            self.turn_to(self.around[at])

    def turn_to(self, card: TechniqueCard) -> None:
        """Show the page of another card."""
        self._show(card)
        self.resize()

    # Input

    def handle(self, event: pygame.event.Event) -> None:
        """Handle the keys of the page and the wheel; the buttons handle the rest."""
        if event.type == pygame.MOUSEWHEEL:
            self._scroll(-3 * event.y)
        elif event.type != pygame.KEYDOWN or not self._key(event.key):
            super().handle(event)

    def _key(self, key: int) -> bool:
        turns = {pygame.K_PAGEDOWN: 1, pygame.K_PAGEUP: -1}
        if key in (pygame.K_RETURN, pygame.K_KP_ENTER) and self.focused is None:
            self.open()
        elif key == pygame.K_b:
            self.beside()
        elif key == pygame.K_c:
            self.code()
        elif key in turns:
            self.turn(turns[key])
        else:
            return False
        return True

    def _scroll(self, by: int) -> None:
        if self.source is not None:
            self.top = min(max(self.top + by, 0), max(len(self.source.text) - self.code_rows, 0))

    def update(self, dt_ms: int) -> None:
        """Have the picture of the page made before all others."""
        super().update(dt_ms)
        if all(group.ready for group in self.app.start_up.groups.values()):
            self.pictures.update([self.card])

    # Picture

    def paint(self, surface: pygame.Surface) -> None:
        """Draw panel, title, picture, texts and code."""
        text, panels, px, card = self.text, self.app.panels, self.text.px, self.card
        panels.draw(surface, self.panel)
        x, y = self.panel.x + px(18), self.panel.y + px(14)
        draw_shape(surface, (x + px(12), y + px(18)), px(11), card.chapter, panels.ink)
        for line in self.title:
            text.draw(surface, (x + px(34), y), line, panels.ink, "serif_bold", self.title_size)
            y += px(self.title_size + 6)
        y = self.left.y
        for line in self.question:
            text.draw(surface, (self.left.x, y), line, panels.ink, "serif_italic", 20)
            y += px(26)
        draw_picture(surface, self.picture, self.app, text, self.pictures, card)
        if card.related:
            text.draw(surface, (self.left.x, self.related_y), "Related", panels.ink, "serif_bold", 17)
        y = self.right.y
        for label, lines, indent in self._lines:
            if label:
                text.draw(surface, (self.right.x, y), label, panels.ink, "serif_bold", 16)
            for line in lines:
                kind, size = ("sans", 15) if label else ("sans", 16)
                text.draw(surface, (self.right.x + indent, y), line, panels.ink, kind, size)
                y += px(ROW_HEIGHT)
            y += px(5)
        self._paint_code(surface)

    def _paint_code(self, surface: pygame.Surface) -> None:
        text, panels, px = self.text, self.app.panels, self.text.px
        text.draw(surface, (self.right.x, self.decided_y), "Decided in", panels.ink, "serif_bold", 16)
        if self.source is None:
            return
        draw_lines(surface, self.code_box, self.app, text, self.source, (self.top, self.code_rows))
        room = self.right.width - px(200)
        place = text.shortened("sans", 14, self.message or self.source.place, room)
        text.draw(surface, (self.right.x, self.code_box.bottom + px(12)), place, panels.soft, "sans", 14)
