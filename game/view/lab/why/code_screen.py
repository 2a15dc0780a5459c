"""Code screen: the function that decided, read-only."""

from __future__ import annotations

import contextlib
import os

import pygame

from game.view.lab.why.code_editor import open_in_editor
from game.view.lab.why.code_lines import LINE, draw_lines
from game.view.lab.why.source_lines import Source
from game.view.screens.screen import MenuScreen
from game.view.window.app_services import AppServices

BEFORE = 3
"""Lines shown above the function."""


class CodeScreen(MenuScreen):
    """Page with the file of a function, scrolled to the function."""

    see_through = True
    need = (900, 560)

    def __init__(self, app: AppServices, source: Source, decided: str) -> None:
        super().__init__(app)
        self.source, self.decided = source, decided
        self.top = max(source.line - 1 - BEFORE, 0)
        self.message = ""
        self._rows = 1

    def build(self) -> None:
        """Build panel and buttons."""
        px, window = self.text.px, self.app.window.get_rect()
        self.panel = pygame.Rect(0, 0, min(px(980), window.width - 20), window.height - px(40))
        self.panel.center = window.center
        self._rows = max((self.panel.height - px(170)) // px(LINE), 1)
        x, y = self.panel.x + px(24), self.panel.bottom - px(56)
        for words, action in (("Copy the place", self.copy), ("Open in the editor", self.edit), ("Back", self.app.pop)):
            self.button(pygame.Rect(x, y, px(190), px(40)), words, action)
            x += px(204)

    def copy(self) -> None:
        """Copy ``path:line``; the line below the title shows it in any case."""
        with contextlib.suppress(pygame.error):  # some video drivers have no clipboard
            pygame.scrap.put_text(self.source.place)
        self.message = f"Copied: {self.source.place}"

    def edit(self) -> None:
        """Open the line in the editor of the options, or in that of ``$VISUAL``."""
        editor = self.app.options.editor or os.environ.get("VISUAL", "")
        self.message = open_in_editor(editor, self.source)

    def handle(self, event: pygame.event.Event) -> None:
        """Scroll by wheel and Page keys; the buttons handle the rest."""
        if event.type == pygame.MOUSEWHEEL:
            self._scroll(-3 * event.y)
        elif event.type == pygame.KEYDOWN and event.key in (pygame.K_PAGEDOWN, pygame.K_PAGEUP):
            self._scroll(self._rows - 2 if event.key == pygame.K_PAGEDOWN else 2 - self._rows)
        else:
            super().handle(event)

    def _scroll(self, by: int) -> None:
        self.top = min(max(self.top + by, 0), max(len(self.source.text) - self._rows, 0))

    def paint(self, surface: pygame.Surface) -> None:
        """Draw the title, the place and the lines."""
        text, panels = self.text, self.app.panels
        px = text.px
        panels.draw(surface, self.panel)
        x, y, width = self.panel.x + px(24), self.panel.y + px(14), self.panel.width - px(48)
        title = text.shortened("serif_bold", 22, self.decided, width)
        text.draw(surface, (x, y), title, panels.ink, "serif_bold", 22)
        line = text.shortened("sans", 15, self.message or f"Decided in {self.source.place}, read only", width)
        text.draw(surface, (x, y + px(34)), line, panels.soft, "sans", 15)
        box = pygame.Rect(x, y + px(62), width, self._rows * px(LINE) + px(8))
        draw_lines(surface, box, self.app, text, self.source, (self.top, self._rows))
