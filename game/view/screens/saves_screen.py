"""List of saved games with mission, time and a small picture for each."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path

import pygame

from game.view.hud.hud_values import clock_words
from game.view.screens.list_box import ListBox, ListRow
from game.view.screens.screen import MenuScreen
from game.view.window.app_services import AppServices
from game.view.window.mission_cards import load_missions
from game.view.window.saved_games import SAVE_PICTURE, all_saves, is_auto, level_of, picture_file, tick_of

HIGH = 76
"""Height of a row in interface pixels."""
COLUMNS = (0.2, 0.48, 0.66, 0.86)


class PictureList(ListBox):
    """Rows of saves, each with its picture at the left."""

    def set_rows(self, rows: list[ListRow], chosen: str = "") -> None:
        """Replace the rows and forget the pictures of former ones."""
        self._pictures: dict[str, pygame.Surface | None] = {}
        super().set_rows(rows, chosen)

    @property
    def row_height(self) -> int:
        """Height of a row in pixels."""
        return self.text.px(HIGH)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the rows, then the pictures in them."""
        super().draw(surface)
        ink, mist = self.app.palette["ink"], self.app.palette["mist"]
        for i in range(self.top, min(self.top + self.shown, len(self.rows))):
            row = self.row_rect(i)
            box = pygame.Rect(0, 0, self.text.px(SAVE_PICTURE[0] // 2), self.text.px(SAVE_PICTURE[1] // 2))
            box.midleft = row.x + self.text.px(8), row.centery
            picture = self._picture(self.rows[i].key, box.size)
            if picture is None:
                pygame.draw.rect(surface, mist, box)
                self.text.draw(surface, box.center, "no picture", self.app.panels.soft, "sans", 14, "center")
            else:
                surface.blit(picture, box)
            pygame.draw.rect(surface, ink, box, 1)

    def _picture(self, save: str, size: tuple[int, int]) -> pygame.Surface | None:
        """Return the picture of a save; None if it cannot be read."""
        if save not in self._pictures:
            try:
                image = pygame.image.load(picture_file(Path(save)))
                self._pictures[save] = pygame.transform.smoothscale(image, size)
            except (OSError, ValueError, pygame.error):
                self._pictures[save] = None
        return self._pictures[save]


class SavesScreen(MenuScreen):
    """Saves to choose from, the youngest first.

    With ``level`` only the saves of that level are listed.
    """

    need = (900, 560)

    def __init__(self, app: AppServices, load: Callable[[Path], str], level: str | None = None) -> None:
        """Create the screen; ``load`` opens a save and returns the error, or ""."""
        super().__init__(app)
        self.load_save, self.level = load, level
        self.message = ""
        self.chosen = ""

    def build(self) -> None:
        """Build the list and the buttons."""
        px, window = self.text.px, self.app.window
        self.panel = pygame.Rect(0, 0, min(px(900), window.get_width() - px(40)), window.get_height() - px(60))
        self.panel.center = window.get_rect().center
        inner = self.panel.inflate(-px(48), 0)
        rect = pygame.Rect(inner.x, self.panel.y + px(76), inner.width, self.panel.height - px(76 + 104))
        rows = self._rows()
        self.list = PictureList(self.app, self.text, rect, rows, COLUMNS, self.chosen or (rows[0].key if rows else ""))
        self.stops.append(self.list)
        y = self.panel.bottom - px(60)
        self.load_button = self.button(pygame.Rect(inner.x, y, px(160), px(44)), "Load it", self.load)
        if not rows:
            self.load_button.disable()
        self.button(pygame.Rect(inner.right - px(160), y, px(160), px(44)), "Back", self.app.pop)
        self.focus = self.stops.index(self.list)

    def _rows(self) -> list[ListRow]:
        titles = _titles()
        rows = []
        for save in reversed(all_saves()):
            level = level_of(save)
            if self.level not in (None, level):
                continue
            title = titles.get(level, level.replace("_", " ").capitalize())
            try:
                written = datetime.datetime.fromtimestamp(save.stat().st_mtime).strftime("%d %b %Y, %H:%M")
            except OSError:
                continue  # an autosave has just made room for another
            kind = "autosave" if is_auto(save) else "by hand"
            rows.append(ListRow(str(save), (title, f"at {clock_words(tick_of(save))}", written, kind)))
        return rows

    def list_moved(self, box: ListBox, what: str) -> None:
        """Note the selected save; a double click or Enter loads it."""
        self.chosen = box.chosen
        if what == "opened":
            self.load()

    def load(self) -> None:
        """Load the selected save."""
        if self.list.chosen:
            self.message = self.load_save(Path(self.list.chosen))

    def paint(self, surface: pygame.Surface) -> None:
        """Draw panel, title and message."""
        text, panels = self.text, self.app.panels
        panels.draw(surface, self.panel)
        x, y = self.panel.x + text.px(24), self.panel.y + text.px(18)
        title = text.draw(surface, (x, y), "Saved games", panels.ink, "serif_bold", 30)
        hint = "Arrows: choose   Enter: load   Esc: back" if self.list.rows else "There is no saved game yet."
        text.draw(surface, (title.right + text.px(18), y + text.px(14)), hint, panels.soft, "sans", 16)
        words = text.shortened("sans", 15, self.message, self.panel.width - text.px(48))
        colour = self.app.palette["vermilion"]
        text.draw(surface, (x, self.panel.bottom - text.px(92)), words, colour, "sans", 15)


def _titles() -> dict[str, str]:
    """Return the titles of missions by the names of their levels."""
    try:
        return {card.level.stem: card.title for card in load_missions()}
    except ValueError:
        return {}
