"""Gallery: a card for each technique, in chapters, with a search line."""

from __future__ import annotations

from typing import Any

import pygame
import pygame_gui

from game.view.exhibits.cards.card_pictures import CardPictures
from game.view.exhibits.cards.card_sections import (
    SORT_WORDS,
    SORTS,
    CardSection,
    found_cards,
    search_entries,
    sections_of,
)
from game.view.exhibits.cards.seen_cards import read_seen
from game.view.exhibits.cards.technique_cards import TechniqueCard, card_of, read_cards
from game.view.screens.gallery.card_grid import CardGrid
from game.view.screens.gallery.card_page import CardPage
from game.view.screens.list_box import ROW, ListBox, ListRow
from game.view.screens.screen import MenuScreen
from game.view.window.app_services import AppServices

ALL = "all"
_ENTER = (pygame.K_DOWN, pygame.K_RETURN, pygame.K_KP_ENTER)


class GalleryScreen(MenuScreen):
    """Gallery: chapters on the left, cards on the right, a search line above.

    A click or the arrows select a card. A second click or Enter opens its page.
    """

    need = (1180, 600)
    sort = SORTS[0]
    chapter = ALL
    chosen = ""
    searched = ""
    entry: Any = None

    def __init__(self, app: AppServices) -> None:
        super().__init__(app)
        self.cards = read_cards()
        self.entries = search_entries(self.cards)
        self.seen = read_seen()
        self.pictures = CardPictures()
        self.shown: tuple[TechniqueCard, ...] = ()
        """Cards that match search and chapter."""

    def build(self) -> None:
        """Build the line above, the chapters and the grid."""
        px, window = self.text.px, self.app.window
        self.seen = read_seen()
        self.panel = window.get_rect().inflate(-px(24), -px(24))
        left, right = self.panel.x + px(18), self.panel.right - px(18)
        y, high = self.panel.y + px(14), px(36)
        back = pygame.Rect(right - px(84), y, px(84), high)
        box = pygame.Rect(back.x - px(10 + 320), y, px(320), high)
        sort = pygame.Rect(box.x - px(10 + 220), y, px(220), high)
        top = y + px(52)
        side = pygame.Rect(left, top, px(186), px(ROW) * (len(self._chapters()) + 1) + px(10))
        grid = pygame.Rect(side.right + px(16), top, 0, self.panel.bottom - px(14) - top)
        grid.width = right - grid.x
        self.grid = CardGrid(self.app, self.text, grid, self.pictures)
        self.groups = ListBox(self.app, self.text, side, self._groups(), (0.0, 0.5), self.chapter)
        self.stops += [self.grid, self.groups]
        self.entry = pygame_gui.elements.UITextEntryLine(
            box, self.manager, placeholder_text="search names, ids, sources, words (Ctrl+F)"
        )
        self.entry.set_text(self.searched)
        self.button(sort, f"Sorted {SORT_WORDS[self.sort]}", self.sort_next, tip="Sort the cards in another way")
        self.stops.append(self.entry)
        self.button(back, "Back", self.app.pop)
        self._refill()

    def leave(self) -> None:
        """End the process that makes pictures."""
        self.pictures.close()

    def _chapters(self) -> list[str]:
        return list(dict.fromkeys(card.chapter.title for card in self.cards))

    def _groups(self) -> list[ListRow]:
        """Return the chapters with the numbers of seen and of all techniques."""
        rows = []
        for title in (ALL, *self._chapters()):
            cards = [card for card in self.cards if title in (ALL, card.chapter.title)]
            seen = sum(card.slug in self.seen for card in cards)
            rows.append(ListRow(title, ("All" if title == ALL else title, f"{seen} / {len(cards)}")))
        return rows

    def _refill(self) -> None:
        """Show the cards that match, in their order."""
        found = found_cards(self.cards, self.entries, self.searched) if self.searched.strip() else self.cards
        self.shown = tuple(card for card in found if self.chapter in (ALL, card.chapter.title))
        if self.searched.strip():
            title = f"Found for “{self.searched.strip()}”"
            sections = [CardSection(title, "", self.shown)] if self.shown else []
        else:
            sections = sections_of(self.shown, self.sort, self.seen)
        self.grid.set_sections(sections, self.chosen)

    def sort_next(self) -> None:
        """Sort in the next way: by area, by source chapter, not seen yet."""
        self.sort = SORTS[(SORTS.index(self.sort) + 1) % len(SORTS)]
        self.resize()

    def search(self, words: str) -> None:
        """Show only the cards that match the words."""
        self.searched = words
        self._refill()
        self.grid.top = 0

    def resize(self) -> None:
        """Build again for the window's size, at the place where the grid was."""
        grid = getattr(self, "grid", None)
        top, high = (grid.top, grid.height) if grid is not None else (0, 1)
        super().resize()
        self.grid.top = 0
        self.grid.scroll(round(top * self.grid.height / max(high, 1)))

    def handle(self, event: pygame.event.Event) -> None:
        """Handle an event; Ctrl+F, a slash or a letter begins a search.

        In the search line Escape clears it, and Enter and down move to the cards.
        """
        if event.type == pygame.KEYDOWN and self._key(event):
            return
        if event.type == pygame.TEXTINPUT and event.text == "/" and not self.entry.get_text():
            return  # the slash that began the search
        super().handle(event)
        if event.type != pygame.KEYDOWN:
            what = self.grid.handle(event)
            if what:
                self.focus = self.stops.index(self.grid)
                self.manager.set_focus_set(None)
                self._grid_moved(what)
        if event.type == pygame.MOUSEBUTTONDOWN and self.entry.rect.collidepoint(event.pos):
            self.focus = self.stops.index(self.entry)

    def _key(self, event: pygame.event.Event) -> bool:
        """Handle the keys of search and cards; return whether it was one."""
        searching = self.focused is self.entry
        if event.key == pygame.K_f and event.mod & pygame.KMOD_CTRL:
            self._focus_on(self.entry)
        elif searching and event.key == pygame.K_ESCAPE and self.entry.get_text():
            self.entry.set_text("")
            self.search("")
        elif searching and event.key in _ENTER:
            self._focus_on(self.grid)
            if not self.grid.chosen and self.shown:
                self.grid.chosen = self.grid.placed[0].card.slug
            self._grid_moved("chosen")
        elif not searching and self.focused is not self.groups and _is_letter(event):
            # The line takes the letter itself, from the event for text that comes next.
            self._focus_on(self.entry)
        elif not searching and self.focused in (None, self.grid):
            what = self.grid.key(event)
            if not what:
                return False
            self.focus = self.stops.index(self.grid)
            self._grid_moved(what)
        else:
            return False
        return True

    def _focus_on(self, stop: Any) -> None:
        self.focus = self.stops.index(stop)
        self.manager.set_focus_set({stop} if stop is self.entry else None)

    def _grid_moved(self, what: str) -> None:
        self.chosen = self.grid.chosen
        if what == "opened":
            self.open()

    def list_moved(self, box: ListBox, what: str) -> None:
        """Show one chapter alone, or all."""
        self.chapter = box.chosen
        self._refill()
        self.grid.top = 0

    def open(self) -> None:
        """Open the page of the selected card."""
        card = card_of(self.chosen, self.cards)
        if card is not None:
            around = [placed.card for placed in self.grid.placed] or list(self.cards)
            self.app.push(CardPage(self.app, card, around, self.cards, self.pictures))

    def update(self, dt_ms: int) -> None:
        """Search while you type, and have the pictures in view made."""
        super().update(dt_ms)
        if self.entry.get_text() != self.searched:
            self.search(self.entry.get_text())
        if all(group.ready for group in self.app.start_up.groups.values()):
            self.pictures.update(self.grid.cards_in_view())

    @property
    def waits_for_pictures(self) -> bool:
        """Return whether pictures in view are still to be made."""
        return bool(self.pictures.making or self.pictures.missing(self.grid.cards_in_view()))

    def paint(self, surface: pygame.Surface) -> None:
        """Draw panel, title, counts and cards."""
        text, panels = self.text, self.app.panels
        px = text.px
        panels.draw(surface, self.panel)
        x, y = self.panel.x + px(18), self.panel.y + px(10)
        title = text.draw(surface, (x, y), "Gallery", panels.ink, "serif_bold", 32)
        seen = sum(card.slug in self.seen for card in self.cards)
        count = f"{len(self.cards)} techniques, {seen} seen" if self.cards else "nothing yet"
        text.draw(surface, (title.right + px(14), y + px(15)), count, panels.soft, size=16)
        self._paint_help(surface)
        self.grid.draw(surface, self.seen)
        if not self.shown:
            words = f"Nothing here is like “{self.searched}”; Esc in the search line shows all again."
            text.draw(surface, (self.grid.rect.x, self.grid.rect.y), words, panels.soft, size=17)

    def _paint_help(self, surface: pygame.Surface) -> None:
        """Draw the keys, and what is wrong with the pictures, below the chapters."""
        text, panels, px = self.text, self.app.panels, self.text.px
        x, y = self.groups.rect.x, self.groups.rect.bottom + px(16)
        for key, words in (("Enter", "open a card"), ("Arrows", "move"), ("Tab", "next part"), ("Letters", "search")):
            plate = pygame.Rect(x, y, text.size("sans_bold", 14, key)[0] + px(14), px(24))
            pygame.draw.rect(surface, panels.ink, plate, 1)
            text.draw(surface, plate.center, key, panels.ink, "sans_bold", 14, "center")
            text.draw(surface, (plate.right + px(8), plate.centery), words, panels.soft, "sans", 14, "midleft")
            y += px(30)
        for line in (
            text.wrap("sans", 14, self.pictures.problem, self.groups.rect.width) if self.pictures.problem else []
        ):
            text.draw(surface, (x, y + px(4)), line, panels.ink, "sans", 14)
            y += px(18)


def _is_letter(event: pygame.event.Event) -> bool:
    typed = getattr(event, "unicode", "")
    return (
        len(typed) == 1 and (typed.isalnum() or typed == "/") and not event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT)
    )
