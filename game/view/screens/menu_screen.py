"""Main menu and the list of maps of the sandbox."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pygame
import pygame_gui

from game.view.painting.level_preview import LevelPreview, preview_of
from game.view.painting.palette import ASSETS
from game.view.screens.gallery.gallery_screen import GalleryScreen
from game.view.screens.list_box import ListBox, ListRow
from game.view.screens.loading_screen import LoadingScreen
from game.view.screens.missions_screen import MissionsScreen
from game.view.screens.options_screen import OptionsScreen
from game.view.screens.saves_screen import SavesScreen
from game.view.screens.screen import MenuScreen
from game.view.window.saved_games import level_of, newest_game
from game.view.window.user_options import maps_folder

LEVELS = ASSETS.parent / "levels"
FIRST_MISSION = LEVELS / "the_crossing.tmx"


class MenuMain(MenuScreen):
    """Main menu with the progress of the kernels' compilation."""

    escape = False
    need = (820, 620)

    def build(self) -> None:
        """Build the seven or nine buttons."""
        px = self.text.px
        self.continue_button: pygame_gui.elements.UIButton | None = None
        self.load_button: pygame_gui.elements.UIButton | None = None
        width, height, gap = px(300), px(43), px(7)
        left, top = px(72), self.app.window.get_height() // 2 - px(84)
        rows = [
            ("Play", self.play, "The Crossing: steal the pay chest and carry it home"),
            ("Missions", self.missions, "Every mission: by day and by night"),
            ("Sandbox", self.sandbox, "Any Tiled map"),
            ("Tours", self.app.open_tours, "Five tours of ten minutes: guess, see it run, read the lines"),
            ("Gallery", self.gallery, "Every technique, to see and to switch off"),
            ("Options", self.options, "Window, text size, sound, keys"),
            ("Quit", self.quit, None),
        ]
        if newest_game() is not None:
            rows.insert(0, ("Continue", self.go_on, "The newest saved game, autosaves included"))
            rows.insert(1, ("Load", self.load, "All saved games, with their pictures"))
            height, gap = px(35), px(3)  # nine rows fit into the space of seven
        for i, (words, action, tip) in enumerate(rows):
            rect = pygame.Rect(left, top + i * (height + gap), width, height)
            made = self.button(rect, words, action, big=True, tip=tip)
            if words == "Play":
                self.play_button = made
            elif words == "Continue":
                self.continue_button = made
            elif words == "Load":
                self.load_button = made
        self._show_ready()

    def _show_ready(self) -> None:
        for button in (self.play_button, self.continue_button, self.load_button):
            if button is None:
                continue
            if self.app.start_up.ready:
                button.enable()
            else:
                button.disable()

    def go_on(self) -> None:
        """Load the newest saved game."""
        save = newest_game()
        if save is not None:
            self._open(save)

    def _open(self, save: Path) -> None:
        self.app.push(LoadingScreen(self.app, Path(f"{level_of(save)}.tmx"), save=save))

    def load(self) -> None:
        """Open the list of saved games."""
        self.app.push(SavesScreen(self.app, self._load_save))

    def _load_save(self, save: Path) -> str:
        self.app.pop()
        self._open(save)
        return ""

    def update(self, dt_ms: int) -> None:
        """Enable Play when the kernels of the first mission are ready."""
        super().update(dt_ms)
        if self.app.start_up.ready != self.play_button.is_enabled:
            self._show_ready()

    def paint(self, surface: pygame.Surface) -> None:
        """Draw the title, the keys of the menu, and the progress line."""
        text, palette = self.text, self.app.palette
        left = text.px(72)
        top = surface.get_height() // 2 - text.px(250)
        rect = text.draw(surface, (left - 3, top), "Fogline", palette["ink"], "serif_bold", 84)
        text.draw(
            surface, (left, rect.bottom - text.px(4)), "a staff map come alive", palette["ink"], "serif_italic", 24
        )
        foot = surface.get_height() - text.px(40)
        keys = "Arrows or Tab: choose   Enter: open   F1 in the game: its keys"
        text.draw(surface, (left, foot), keys, self.app.panels.soft, "sans", 16)
        line = self.app.start_up.line()
        if line:
            self._progress(surface, line)
        for i, problem in enumerate(self.app.problems[:3]):
            text.draw(
                surface, (left, surface.get_height() - text.px(66 + 22 * i)), problem, palette["vermilion"], size=15
            )

    def _progress(self, surface: pygame.Surface, line: str) -> None:
        text, palette = self.text, self.app.palette
        rect = pygame.Rect(0, 0, text.px(430), text.px(64))
        rect.bottomright = surface.get_width() - text.px(24), surface.get_height() - text.px(24)
        self.app.panels.draw(surface, rect)
        text.draw(surface, (rect.x + text.px(16), rect.y + text.px(10)), line, palette["ink"], "sans_bold", 16)
        bar = pygame.Rect(rect.x + text.px(16), rect.bottom - text.px(22), rect.width - text.px(32), text.px(9))
        groups = self.app.start_up.groups.values()
        now = next((g for g in groups if not g.ready), None)
        share = now.done / now.total if now is not None and now.total else 0.0
        pygame.draw.rect(surface, palette["mist"], bar)
        pygame.draw.rect(surface, palette["blue"], (bar.x, bar.y, round(bar.width * share), bar.height))
        pygame.draw.rect(surface, palette["ink"], bar, 1)

    def play(self) -> None:
        """Start the first mission."""
        self.app.push(LoadingScreen(self.app, FIRST_MISSION))

    def missions(self) -> None:
        """Open the list of missions."""
        self.app.push(MissionsScreen(self.app))

    def sandbox(self) -> None:
        """Open the list of maps."""
        self.app.push(SandboxScreen(self.app))

    def gallery(self) -> None:
        """Open the gallery of techniques."""
        self.app.push(GalleryScreen(self.app))

    def options(self) -> None:
        """Open the options."""
        self.app.push(OptionsScreen(self.app))

    def quit(self) -> None:
        """Close the window."""
        self.app.running = False


def level_files() -> list[Path]:
    """Return the player's own maps, then all under ``levels/``, missions first."""
    found = sorted(LEVELS.rglob("*.tmx"))
    own = sorted(p for p in maps_folder().glob("*.tmx") if not p.name.startswith("."))
    return [*own, *sorted(found, key=lambda p: (len(p.relative_to(LEVELS).parts), str(p)))]


def _key_of(path: Path) -> str:
    """Return the words by which a map stands in the list."""
    return str(path.relative_to(LEVELS.parent)) if path.is_relative_to(LEVELS.parent) else str(path)


class SandboxScreen(MenuScreen):
    """List of the game's maps, with a line for another map's path."""

    need = (800, 520)

    def __init__(self, app: Any) -> None:
        super().__init__(app)
        self.message = ""
        self.chosen = ""
        self._previews: dict[str, LevelPreview] = {}

    def build(self) -> None:
        """Build list, path line and buttons."""
        px, window = self.text.px, self.app.window
        self.panel = pygame.Rect(0, 0, min(px(760), window.get_width() - 40), window.get_height() - px(80))
        self.panel.center = window.get_rect().center
        inner = self.panel.inflate(-px(48), 0)
        self.files = {_key_of(p): p for p in level_files()}
        rows = [ListRow(name, (p.stem.replace("_", " ").capitalize(), p.parent.name)) for name, p in self.files.items()]
        self.side = pygame.Rect(0, self.panel.y + px(72), px(250), self.panel.height - px(218))
        self.side.right = inner.right
        rect = pygame.Rect(inner.x, self.side.y, inner.width - self.side.width - px(14), self.side.height)
        self.list = ListBox(self.app, self.text, rect, rows, (0.0, 0.68), self.chosen or rows[0].key)
        self.stops.append(self.list)
        y = self.panel.bottom - px(124)
        self.entry = pygame_gui.elements.UITextEntryLine(
            pygame.Rect(inner.x, y, inner.width, px(40)),
            self.manager,
            placeholder_text="or the path of a .tmx file; a file can be dropped on the window too",
        )
        self.stops.append(self.entry)
        if self.app.options.last_level:
            self.entry.set_text(self.app.options.last_level)
        y += px(54)
        self.button(pygame.Rect(inner.x, y, px(160), px(44)), "Play it", self.play)
        self.button(pygame.Rect(inner.right - px(160), y, px(160), px(44)), "Back", self.app.pop)

    def handle(self, event: pygame.event.Event) -> None:
        """Handle an event.

        Enter in the path line starts a map.
        """
        super().handle(event)
        if event.type == pygame_gui.UI_TEXT_ENTRY_FINISHED and event.ui_element is self.entry:
            self.play()

    def list_moved(self, box: ListBox, what: str) -> None:
        """Select a map; a double click or Enter starts it."""
        self.chosen = box.chosen
        self.entry.set_text(box.chosen)
        if what == "opened":
            self.play()

    def play(self) -> None:
        """Start the selected map, or show in one line why it cannot start."""
        text = self.entry.get_text().strip() or self.list.chosen
        path = self.files.get(text, Path(text).expanduser())
        if not path.is_file():
            self.message = f"{path}: no such file"
        else:
            self.app.options.last_level = text
            self.app.push(LoadingScreen(self.app, path))

    def paint(self, surface: pygame.Surface) -> None:
        """Draw panel, title and message."""
        text, palette = self.text, self.app.palette
        self.app.panels.draw(surface, self.panel)
        x, y = self.panel.x + text.px(24), self.panel.y + text.px(18)
        text.draw(surface, (x, y), "Sandbox", palette["ink"], "serif_bold", 32)
        if self.message:
            text.draw(surface, (x + text.px(170), y + text.px(16)), self.message, palette["vermilion"], size=16)
        self._paint_preview(surface)

    def _paint_preview(self, surface: pygame.Surface) -> None:
        """Draw picture, title and words of the chosen map beside the list."""
        text, panels, key = self.text, self.app.panels, self.list.chosen
        if key not in self.files:
            return
        if key not in self._previews:
            self._previews[key] = preview_of(self.files[key], self.app.palette)
        preview, box = self._previews[key], self.side
        below = box.y
        if preview.picture is not None:
            wide, high = preview.picture.get_size()
            share = min(box.width / wide, (box.height - text.px(120)) / high)
            size = max(round(wide * share), 1), max(round(high * share), 1)
            rect = surface.blit(pygame.transform.scale(preview.picture, size), box.topleft)
            pygame.draw.rect(surface, self.app.palette["ink"], rect, 2)
            below = rect.bottom + text.px(8)
        for kind, words, colour in (
            ("serif_bold", preview.title, panels.ink),
            ("sans", preview.words, panels.soft),
        ):
            for line in text.wrap(kind, 16, words, box.width)[:4]:
                text.draw(surface, (box.x, below), line, colour, kind, 16)
                below += text.px(21)
