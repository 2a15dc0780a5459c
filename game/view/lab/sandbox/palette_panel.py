"""Palette of the sandbox's tools: pygame_gui buttons on a paper panel.

It takes the place of Lab's list of overlays. Lengths are in interface pixels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pygame
import pygame_gui

from game.view.lab.sandbox.tool_box import BUTTONS, SECTIONS
from game.view.painting.painter_services import PainterServices
from game.view.painting.text import TextDrawer, fitting
from game.view.painting.theme import make_manager

WIDTH = 250
NEED = (1180, 700)
COLUMNS, GAP, HIGH = 3, 5, 26
TITLE, HEADING, STATUS = 36, 22, 66
FONT_SHARE = 14 / 17
"""Size of the buttons' words to that of menus: the smallest that is allowed."""


@dataclass(frozen=True)
class PaletteLook:
    """State of the palette.

    It has the words of the buttons, the buttons chosen and off, and a line about the tool.
    """

    words: Mapping[str, str]
    chosen: frozenset[str]
    off: frozenset[str]
    status: str


class PalettePanel:
    """Lays out the buttons, draws them and finds the pressed one."""

    def __init__(self, app: PainterServices) -> None:
        self.app = app
        self.text: TextDrawer = app.text
        self.box = pygame.Rect(0, 0, 0, 0)
        self.focus = -1
        """Index of the button that Enter presses, -1 for none."""
        self.buttons: dict[str, Any] = {}
        self._headings: list[tuple[str, int]] = []
        self._manager: Any = None
        self._built: tuple[object, ...] = ()

    def build(self) -> None:
        """Make the buttons for the present window and interface scale."""
        size, app = self.app.window.get_size(), self.app
        key = (size, app.options.ui_scale, app.palette)
        if key == self._built:
            return
        self._built = key
        self.text = fitting(app.text, size, NEED)
        px = self.text.px
        self._manager = make_manager(size, app.palette, self.text.scale * FONT_SHARE)
        self.buttons, self._headings = {}, []
        x, y = size[0] - px(WIDTH), px(12) + px(TITLE)
        pitch = (px(WIDTH) - px(24) + px(GAP)) / COLUMNS
        for heading, buttons in SECTIONS:
            self._headings.append((heading, y))
            y += px(HEADING)
            for n, button in enumerate(buttons):
                row, column = divmod(n, COLUMNS)
                left = x + round(column * pitch)
                rect = pygame.Rect(left, y + row * px(HIGH + GAP), round(pitch) - px(GAP), px(HIGH))
                tip = button.tip or None
                self.buttons[button.name] = pygame_gui.elements.UIButton(
                    rect, button.words, self._manager, tool_tip_text=tip
                )
            y += -(-len(buttons) // COLUMNS) * px(HIGH + GAP) + px(4)
        self.box = pygame.Rect(x - px(12), px(12), px(WIDTH), y + px(STATUS) - px(12))

    def handle(self, event: pygame.event.Event) -> str | None:
        """Return the name of a pressed button.

        It is empty for another event on the panel, and None for all others.
        """
        self.build()
        self._manager.process_events(event)
        if event.type == pygame_gui.UI_BUTTON_PRESSED:
            return next((name for name, made in self.buttons.items() if made is event.ui_element), None)
        if event.type == pygame.MOUSEBUTTONDOWN:
            self.focus = -1
        mouse = event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP)
        return "" if mouse and self.box.collidepoint(event.pos) else None

    def move_focus(self, step: int) -> None:
        """Move the frame to the next button that can be pressed."""
        names = list(BUTTONS)
        at = self.focus if self.focus >= 0 else (-1 if step > 0 else len(names))
        for _ in names:
            at = (at + step) % len(names)
            if names[at] in self.buttons and self.buttons[names[at]].is_enabled:
                self.focus = at
                return

    @property
    def focused(self) -> str:
        """Name of the button with the frame; empty without one."""
        return list(BUTTONS)[self.focus] if self.focus >= 0 else ""

    def update(self, dt_ms: int, look: PaletteLook) -> None:
        """Bring the buttons up to date."""
        self.build()
        for name, made in self.buttons.items():
            words = look.words[name]
            if made.text != words:
                made.set_text(words)
            if (name in look.off) == made.is_enabled:
                (made.disable if name in look.off else made.enable)()
            if made.is_enabled and made.is_selected != (name in look.chosen):
                (made.select if name in look.chosen else made.unselect)()
        self._manager.update(dt_ms / 1000.0)

    def draw(self, surface: pygame.Surface, look: PaletteLook, label: str) -> None:
        """Draw the panel; ``label`` is the key that shuts it."""
        self.build()
        text, panels, px = self.text, self.app.panels, self.text.px
        panels.draw(surface, self.box)
        left = self.box.x + px(12)
        text.draw(surface, (left, self.box.y + px(6)), "Sandbox tools", panels.ink, "serif_bold", 18)
        right = self.box.right - px(12)
        text.draw(surface, (right, self.box.y + px(9)), label, panels.soft, "sans", 14, "topright")
        for heading, y in self._headings:
            text.draw(surface, (left, y), heading, panels.ink, "serif_bold", 15)
        y = self.box.bottom - px(STATUS)
        for line in text.wrap("sans", 14, look.status, self.box.width - px(24))[:3]:
            text.draw(surface, (left, y), line, panels.soft, "sans", 14)
            y += px(19)
        self._manager.draw_ui(surface)
        if self.focused:
            frame = self.buttons[self.focused].rect.inflate(px(4), px(4))
            pygame.draw.rect(surface, self.app.palette["ink"], frame.inflate(2, 2), 3)
            pygame.draw.rect(surface, self.app.palette["yellow"], frame, 2)
