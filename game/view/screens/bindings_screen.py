"""Screen for changing keys: choose a command, then press its new key.

A key that another command has is swapped: the other command gets the old key.
"""

from __future__ import annotations

import pygame

from game.view.input.command_table import COMMANDS, GROUP_WORDS, default_keys
from game.view.input.key_bindings import key_of_event, write_bindings
from game.view.screens.list_box import ListBox, ListRow
from game.view.screens.screen import MenuScreen
from game.view.window.user_options import config_folder


class BindingsScreen(MenuScreen):
    """List of all commands with their keys.

    Enter or a double click waits for the new key.
    """

    need = (800, 560)
    waiting = ""
    message = ""
    chosen = ""

    def build(self) -> None:
        """Build the list and its buttons."""
        px, window = self.text.px, self.app.window
        self.panel = pygame.Rect(0, 0, px(760), min(px(640), window.get_height() - px(30)))
        self.panel.center = window.get_rect().center
        rect = pygame.Rect(0, 0, self.panel.width - px(48), self.panel.height - px(182))
        rect.topleft = self.panel.x + px(24), self.panel.y + px(70)
        self.list = ListBox(self.app, self.text, rect, self._rows(), (0.0, 0.42, 0.68), self.chosen)
        self.stops.append(self.list)
        y = self.panel.bottom - px(58)
        self.button(pygame.Rect(rect.x, y, px(180), px(42)), "Change key", self.wait)
        self.button(pygame.Rect(rect.x + px(192), y, px(180), px(42)), "As shipped", self.reset)
        self.button(pygame.Rect(rect.right - px(160), y, px(160), px(42)), "Back", self.app.pop)

    @property
    def finds(self) -> bool:
        """Return False while the screen waits for a key.

        It may be the key of the finder.
        """
        return not self.waiting

    def _rows(self) -> list[ListRow]:
        keymap = self.app.keymap
        return [ListRow(c.name, (c.words, keymap.label(c.name), GROUP_WORDS[c.group])) for c in COMMANDS]

    def list_moved(self, box: ListBox, what: str) -> None:
        """Select a row; an opened row waits for its new key."""
        self.chosen, self.message = box.chosen, ""
        if what == "opened":
            self.wait()

    def wait(self) -> None:
        """Wait for the new key of the selected command."""
        self.waiting = self.chosen
        self.message = "Press the new key; Esc keeps the old one" if self.chosen else "Choose a command first"

    def reset(self) -> None:
        """Restore all keys of the preset."""
        (config_folder() / "keys.toml").unlink(missing_ok=True)
        self.app.apply_options()
        self.message = "All keys are as shipped"

    def handle(self, event: pygame.event.Event) -> None:
        """Handle an event; a key that is waited for has no other effect."""
        if self.waiting and event.type == pygame.KEYDOWN:
            self._take(event)
        else:
            super().handle(event)

    def _take(self, event: pygame.event.Event) -> None:
        if event.key in (
            pygame.K_LCTRL,
            pygame.K_RCTRL,
            pygame.K_LSHIFT,
            pygame.K_RSHIFT,
            pygame.K_LALT,
            pygame.K_RALT,
        ):
            return  # a modifier, held for the key that follows
        name, self.waiting = self.waiting, ""
        key = key_of_event(event)
        if event.key == pygame.K_ESCAPE and name != "menu":
            self.message = ""
            return
        keymap = self.app.keymap
        if key is None:
            self.message = f"{pygame.key.name(event.key) or 'That key'} cannot be used"
            return
        taken, old = keymap.command_of(key), keymap.bindings.get(name)
        swaps = taken is not None and taken != name
        if swaps and old is None:
            self.message = f"{key} is taken by {_words(taken)}, and this command has no key to give for it"
            return
        keymap.bindings[name] = key
        keymap.learn(event)
        told = f"Kept: {key}"
        if taken is not None and swaps and old is not None:
            keymap.bindings[taken] = old
            told = f"Swapped: {_words(name)} has {keymap.label(name)} now, {_words(taken)} has {keymap.label(taken)}"
        try:
            write_bindings(default_keys(self.app.options.wasd), keymap.bindings, config_folder() / "keys.toml")
            self.message = told
        except (ValueError, OSError) as error:
            self.message = f"Kept for now only: {error}"
        self.list.set_rows(self._rows(), name)

    def paint(self, surface: pygame.Surface) -> None:
        """Draw panel, title and message."""
        text, panels = self.text, self.app.panels
        panels.draw(surface, self.panel)
        x, y = self.panel.x + text.px(24), self.panel.y + text.px(16)
        text.draw(surface, (x, y), "Keys", panels.ink, "serif_bold", 32)
        colour = self.app.palette["vermilion"] if "taken" in self.message or "cannot" in self.message else panels.ink
        words = self.message or "Enter or a double click changes a key."
        text.draw(surface, (x, self.panel.bottom - text.px(98)), words, colour, "sans", 17)


def _words(name: str | None) -> str:
    """Return the words of a command."""
    return next(c.words for c in COMMANDS if c.name == name)
