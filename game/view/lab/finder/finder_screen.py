"""Finder screen: a line over the present screen, and what its words find."""

from __future__ import annotations

from typing import Any

import pygame
import pygame_gui

from game.view.lab.finder.entries_everywhere import entries_everywhere
from game.view.lab.finder.finder_entry import FinderEntry
from game.view.lab.finder.fuzzy_ranking import ranked
from game.view.screens.list_box import ListBox, ListRow
from game.view.screens.screen import MenuScreen
from game.view.window.app_services import AnyScreen, AppServices

COLUMNS = (0.0, 0.38, 0.49)
_LIST_KEYS = (pygame.K_UP, pygame.K_DOWN, pygame.K_PAGEUP, pygame.K_PAGEDOWN)
_ENTER = (pygame.K_RETURN, pygame.K_KP_ENTER)


class FinderScreen(MenuScreen):
    """Finder over another screen, whose time stands still meanwhile.

    Letters go to the line, arrows to the list. Enter runs the selected entry.
    """

    need = (820, 440)
    see_through = True
    entry: Any = None

    def __init__(self, app: AppServices, below: AnyScreen | None) -> None:
        super().__init__(app)
        self.below = below
        self.typed = ""
        self.found: dict[str, FinderEntry] = {}
        self._everywhere = entries_everywhere(app)

    def build(self) -> None:
        """Build the line and the list."""
        px, window = self.text.px, self.app.window
        self.panel = pygame.Rect(0, px(48), min(px(900), window.get_width() - px(40)), 0)
        self.panel.height = min(px(470), window.get_height() - px(80))
        self.panel.centerx = window.get_width() // 2
        inner = self.panel.inflate(-px(32), -px(32))
        box = pygame.Rect(inner.x, inner.y, inner.width, px(40))
        self.entry = pygame_gui.elements.UITextEntryLine(
            box, self.manager, placeholder_text="find a command, overlay, exhibit, level, setting or term"
        )
        self.entry.set_text(self.typed)
        rect = pygame.Rect(inner.x, box.bottom + px(10), inner.width, inner.height - px(40 + 10 + 58))
        self.list = ListBox(self.app, self.text, rect, [], COLUMNS)
        self.stops += [self.entry, self.list]
        self.focus = 0
        self.manager.set_focus_set({self.entry})
        self._refill()

    def _refill(self) -> None:
        """Look for the typed words and select the best entry."""
        offered = [*(self.below.offers(self.typed) if self.below is not None else []), *self._everywhere]
        self.found = {str(k): entry for k, entry in enumerate(ranked(offered, self.typed))}
        rows = [ListRow(key, (entry.name, entry.kind, entry.about)) for key, entry in self.found.items()]
        self.list.set_rows(rows, rows[0].key if rows else "")

    def handle(self, event: pygame.event.Event) -> None:
        """Give arrows and Enter to the list, and other keys to the line."""
        if event.type == pygame.KEYDOWN and event.key in _LIST_KEYS:
            self.list.key(event)
        elif event.type == pygame.KEYDOWN and event.key in _ENTER:
            self.open()
        else:
            super().handle(event)
            self.focus = 0

    def list_moved(self, box: ListBox, what: str) -> None:
        """Run an entry that was clicked twice."""
        if what == "opened":
            self.open()
        self.manager.set_focus_set({self.entry})

    def open(self) -> None:
        """Run the selected entry, or complete the line with it."""
        chosen = self.found.get(self.list.chosen)
        if chosen is None:
            return
        if chosen.fills:
            self.entry.set_text(chosen.fills)
        elif chosen.act is not None:
            self.app.pop()
            chosen.act()

    def update(self, dt_ms: int) -> None:
        """Search while the player types."""
        super().update(dt_ms)
        if self.entry.get_text() != self.typed:
            self.typed = self.entry.get_text()
            self._refill()

    def paint(self, surface: pygame.Surface) -> None:
        """Draw the panel and the sentence of the selected entry."""
        text, panels, px = self.text, self.app.panels, self.text.px
        panels.draw(surface, self.panel)
        chosen = self.found.get(self.list.chosen)
        words = chosen.about if chosen is not None else f"Nothing here is like “{self.typed}”. Esc goes back."
        left, y = self.panel.x + px(18), self.list.rect.bottom + px(6)
        for line in text.wrap("sans", 15, words, self.panel.width - px(36))[:2]:
            text.draw(surface, (left, y), line, panels.ink, "sans", 15)
            y += px(19)
        end = self.panel.right - px(18), self.panel.bottom - px(14)
        text.draw(surface, end, "Arrows: choose   Enter: run it   Esc: back", panels.soft, "sans", 14, "bottomright")
