"""Options: picture, sound, play, keys and Lab, on one page each.

A change is applied and saved at once.
"""

from __future__ import annotations

import os
from typing import Any

import pygame
import pygame_gui

from game.view.lab.why.code_editor import installed_editors
from game.view.screens.bindings_screen import BindingsScreen
from game.view.screens.screen import MenuScreen
from game.view.window.user_options import SIZES, config_folder

PAGES = ("Picture", "Sound", "Play", "Keys", "Lab")
_ROW = 48
_ON_OFF = (("Off", False), ("On", True))
_VOLUMES = (("All sound", "volume"), ("World", "effects_volume"), ("Interface", "interface_volume"))


class OptionsScreen(MenuScreen):
    """Options screen; each option is one row of its page."""

    need = (800, 536)
    page = PAGES[0]

    def build(self) -> None:
        """Build the buttons of the pages, and buttons or sliders for the options."""
        px, window = self.text.px, self.app.window
        self.panel = pygame.Rect(0, 0, px(760), px(510))
        self.panel.center = window.get_rect().center
        self.rows: list[tuple[str, int]] = []
        self.sliders: dict[Any, str] = {}
        self._y = self.panel.y + px(134)
        width = (self.panel.width - px(48)) // len(PAGES)
        for i, page in enumerate(PAGES):
            rect = pygame.Rect(self.panel.x + px(24) + i * width, self.panel.y + px(76), width - px(8), px(40))
            made = self.button(rect, page, self._turn_to(page))
            if page == self.page:
                made.select()
        pages = self._picture, self._sound, self._play, self._keys, self._lab
        pages[PAGES.index(self.page)]()
        back = pygame.Rect(self.panel.right - px(184), self.panel.bottom - px(58), px(160), px(42))
        self.button(back, "Back", self.app.pop)

    def _picture(self) -> None:
        o = self.app.options
        self._choices("Window", [(f"{w}x{h}", self._size(w, h), (w, h) == (o.width, o.height)) for w, h in SIZES])
        self._options("Fullscreen", "fullscreen", _ON_OFF)
        self._options("Text size", "ui_scale", tuple((f"{s:g}x", s) for s in (1.0, 1.25, 1.5, 2.0)))
        self._options("Motion", "reduced_motion", (("Full", False), ("Reduced", True)))
        self._options("Colours", "high_contrast", (("Paper", False), ("High contrast", True)))

    def _sound(self) -> None:
        px = self.text.px
        for label, name in _VOLUMES:
            rect = pygame.Rect(self.panel.x + px(250), self._row(label), self.panel.width - px(282), px(38))
            value = round(getattr(self.app.options, name) * 100)
            slider = pygame_gui.elements.UIHorizontalSlider(rect, value, (0, 100), self.manager)
            self.sliders[slider] = name
            self.stops.append(slider)

    def _play(self) -> None:
        self._options("Pan at the edge", "edge_pan", _ON_OFF)
        self._options("Slow time when seen", "slow_when_seen", _ON_OFF)
        self._options("Hints", "hints", _ON_OFF)
        self._options("Wheel, two fingers", "wheel", (("Zoom", "zoom"), ("Pan the map", "pan")))
        self._options("Pointer", "pointer", (("Two buttons", "two_buttons"), ("One button", "one_button")))

    def _keys(self) -> None:
        self._options("Preset", "wasd", (("Arrows pan", False), ("WASD pans", True)))
        self._choices("Every key", [("Change keys", lambda: self.app.push(BindingsScreen(self.app)), False)])

    def _lab(self) -> None:
        px = self.text.px
        left = self.panel.x + px(250)
        rect = pygame.Rect(left, self._row("Code editor"), self.panel.right - px(32) - left, px(38))
        visual = os.environ.get("VISUAL", "")
        empty = f"as VISUAL says: {visual}" if visual else "none, and VISUAL is not set"
        self.entry = pygame_gui.elements.UITextEntryLine(
            rect, self.manager, initial_text=self.app.options.editor, placeholder_text=empty
        )
        self.stops.append(self.entry)
        found = [(name, self._set_editor(name), name == self.app.options.editor) for name in installed_editors()]
        if found:
            self._choices("Installed here", found)

    def _set_editor(self, name: str) -> Any:
        def change() -> None:
            self.app.options.editor = name
            self.app.keep_options()
            self.resize()

        return change

    def _row(self, label: str) -> int:
        self.rows.append((label, self._y))
        self._y += self.text.px(_ROW)
        return self._y - self.text.px(_ROW)

    def _choices(self, label: str, items: list[tuple[str, Any, bool]]) -> None:
        px, top = self.text.px, self._row(label)
        left = self.panel.x + px(250)
        width = (self.panel.right - px(24) - left) // len(items)
        for i, (words, action, chosen) in enumerate(items):
            made = self.button(pygame.Rect(left + i * width, top, width - px(8), px(38)), words, action)
            if chosen:
                made.select()

    def _options(self, label: str, name: str, values: tuple[tuple[str, Any], ...]) -> None:
        now = getattr(self.app.options, name)
        self._choices(label, [(words, self._set(name, value), value == now) for words, value in values])

    def _turn_to(self, page: str) -> Any:
        def turn() -> None:
            self.page = page
            self.resize()

        return turn

    def _set(self, name: str, value: Any) -> Any:
        def change() -> None:
            setattr(self.app.options, name, value)
            self.app.apply_options()

        return change

    def _size(self, width: int, height: int) -> Any:
        def change() -> None:
            self.app.options.width, self.app.options.height = width, height
            self.app.apply_options()

        return change

    def handle(self, event: pygame.event.Event) -> None:
        """Handle an event; sliders and text lines set their options at once."""
        super().handle(event)
        if event.type == pygame_gui.UI_HORIZONTAL_SLIDER_MOVED:
            self.slid(event.ui_element, event.value)
        elif event.type == pygame_gui.UI_TEXT_ENTRY_CHANGED:
            self.app.options.editor = event.ui_element.get_text().strip()

    def slid(self, slider: Any, value: float) -> None:
        """Set the volume of a slider and play a sound with it."""
        name = self.sliders.get(slider)
        if name is not None:
            setattr(self.app.options, name, value / 100)
            self.app.set_volumes()
            self.app.sound.play("step" if name == "effects_volume" else "select", at_most_every_ms=120)

    def leave(self) -> None:
        """Save the values of sliders and text lines."""
        self.app.keep_options()

    def paint(self, surface: pygame.Surface) -> None:
        """Draw panel, title, labels of the rows, and values of the sliders."""
        text, palette = self.text, self.app.palette
        self.app.panels.draw(surface, self.panel)
        x, y = self.panel.x + text.px(24), self.panel.y + text.px(18)
        text.draw(surface, (x, y), "Options", palette["ink"], "serif_bold", 32)
        for label, row in self.rows:
            text.draw(surface, (x, row + text.px(8)), label, palette["ink"], size=17)
        for slider, name in self.sliders.items():
            value = f"{round(getattr(self.app.options, name) * 100)} %"
            at = (slider.rect.x - text.px(12), slider.rect.centery)
            text.draw(surface, at, value, self.app.panels.soft, "sans", 16, "midright")
        notes = {
            "Sound": "Nothing is told by sound alone." if self.app.sound.on else "No audio device: the game is silent.",
            "Play": "Seen: when a guard identifies a unit of yours, time runs at a quarter for 0.6 s; for that "
            "unit not again within 8 s. One button: hold it, or Ctrl, to act as the right button.",
            "Keys": f"Kept in {config_folder() / 'keys.toml'}",
            "Lab": 'Opens a line of code from the panel "Why?": a command, such as code or xterm -e vim. '
            "Empty: the one that the variable VISUAL names.",
        }
        note = notes.get(self.page, "")
        lines = text.wrap("sans", 15, note, self.panel.width - text.px(230))
        top = self.panel.bottom - text.px(54 + 20 * max(min(len(lines), 3) - 2, 0))
        for i, line in enumerate(lines[:3]):
            text.draw(surface, (x, top + text.px(20 * i)), line, self.app.panels.soft, size=15)
