"""Screen over the game that saves the present map under a name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pygame
import pygame_gui

from game.systems.sandbox.map_saving import not_kept, save_map
from game.view.screens.screen import MenuScreen
from game.view.window.app_services import AppServices
from game.view.window.playing import Playing
from game.view.window.user_options import maps_folder


def proposed_path(playing: Playing) -> Path:
    """Return the path that the screen proposes, in the user's folder of maps."""
    folder, name = maps_folder(), playing.level.name
    own = playing.level.path.resolve().parent == folder.resolve()
    return folder / (f"{name}.tmx" if own else f"{name}_sandbox.tmx")


class SaveMapScreen(MenuScreen):
    """Path line with Save and Cancel.

    A second Save replaces a file that exists.
    """

    see_through = True
    need = (720, 260)

    def __init__(self, app: AppServices, playing: Playing, saved: Callable[[Path], None]) -> None:
        """Create the screen; ``saved`` is called with the path of a saved map."""
        super().__init__(app)
        self.playing, self.saved = playing, saved
        self.message = ""
        self._words = str(proposed_path(playing))
        self._replaced = ""
        """Path that a second Save replaces."""

    def build(self) -> None:
        """Build the path line and the buttons."""
        px, window = self.text.px, self.app.window
        self.panel = pygame.Rect(0, 0, min(px(700), window.get_width() - px(20)), px(220))
        self.panel.center = window.get_rect().center
        inner = self.panel.inflate(-px(40), 0)
        y = self.panel.y + px(64)
        self.entry = pygame_gui.elements.UITextEntryLine(
            pygame.Rect(inner.x, y, inner.width, px(40)), self.manager, initial_text=self._words
        )
        self.stops.append(self.entry)
        y += px(92)
        self.button(pygame.Rect(inner.x, y, px(150), px(44)), "Save", self.save)
        self.button(pygame.Rect(inner.right - px(150), y, px(150), px(44)), "Cancel", self.app.pop)
        self.focus = 0
        self.manager.set_focus_set({self.entry})

    def handle(self, event: pygame.event.Event) -> None:
        """Handle an event; Enter in the path line saves."""
        super().handle(event)
        if event.type == pygame_gui.UI_TEXT_ENTRY_FINISHED and event.ui_element is self.entry:
            self.save()

    def save(self) -> None:
        """Save the map, or say in one line why it cannot be saved."""
        self._words = self.entry.get_text().strip()
        path = Path(self._words).expanduser()
        self.playing.whole()
        try:
            if path.parent == maps_folder():
                path.parent.mkdir(parents=True, exist_ok=True)
            save_map(self.playing.world, self.playing.level, path, overwrite=self._replaced == self._words)
        except (ValueError, OSError) as error:
            self.message = str(error)
            if "exists already" in self.message:
                self.message, self._replaced = f"{path.name} exists already; Save again replaces it", self._words
            return
        self.app.pop()
        self.saved(path)

    def paint(self, surface: pygame.Surface) -> None:
        """Draw panel, title and message."""
        text, panels = self.text, self.app.panels
        panels.draw(surface, self.panel)
        x, y = self.panel.x + text.px(20), self.panel.y + text.px(16)
        text.draw(surface, (x, y), "Save as map", panels.ink, "serif_bold", 26)
        warned = self.message or not_kept(self.playing.level)
        words = warned or "Tiled and Fogline open it again, with the units where they stand now."
        colour = self.app.palette["vermilion"] if warned else panels.soft
        line = text.shortened("sans", 15, words, self.panel.width - text.px(40))
        text.draw(surface, (x, self.panel.y + text.px(114)), line, colour, "sans", 15)
