"""The gallery: a row for every technique of ``ai/techniques.toml``, each opening its exhibit."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

import pygame

from game.view.palette import ASSETS
from game.view.screens.screen import INDENT, MenuScreen

ROOT = ASSETS.parent
TECHNIQUES = ROOT / "ai" / "techniques.toml"


@dataclass(frozen=True)
class Technique:
    """What the gallery shows of a row."""

    slug: str
    name: str
    source: str
    module: str
    exhibit: str
    overlay: str
    package: str


def read_techniques(file: Path = TECHNIQUES) -> list[Technique]:
    """The rows in file order; an empty list when there is no file."""
    if not file.is_file():
        return []
    rows = tomllib.loads(file.read_text(encoding="utf-8")).get("technique", [])
    return [
        Technique(
            str(row.get("slug", "")),
            str(row.get("name", "")),
            str(row.get("source", "")),
            str(row.get("module", "")),
            str(row.get("exhibit", "")),
            _first(row.get("overlay", "")),
            _package(str(row.get("module", ""))),
        )
        for row in rows
    ]


def _first(value: object) -> str:
    if isinstance(value, list):
        return str(value[0]) if value else ""
    return str(value)


def _package(module: str) -> str:
    parts = module.replace("/", ".").split(".")
    return parts[1] if len(parts) > 1 else "other"


class GalleryScreen(MenuScreen):
    """Packages on the left, techniques in the middle, what the chosen one is below."""

    package = ""
    chosen = ""

    def build(self) -> None:
        """Two lists and two buttons."""
        import pygame_gui

        px, window = self.app.text.px, self.app.window
        self.rows = read_techniques()
        self.plate = pygame.Rect(0, 0, min(px(1060), window.get_width() - 40), window.get_height() - px(80))
        self.plate.center = window.get_rect().center
        packages = ["all", *dict.fromkeys(r.package for r in self.rows)]
        top = self.plate.y + px(78)
        height = self.plate.height - px(250)
        left = self.plate.x + px(24)
        self.packages = pygame_gui.elements.UISelectionList(
            pygame.Rect(left, top, px(190), height),
            [INDENT + name for name in packages],
            self.manager,
            default_selection=f"{INDENT}all",
        )
        self.list_rect = pygame.Rect(left + px(206), top, self.plate.right - px(24) - left - px(206), height)
        self.list = pygame_gui.elements.UISelectionList(self.list_rect, [], self.manager)
        self._fill()
        y = self.plate.bottom - px(62)
        self.open_button = self.button(pygame.Rect(left, y, px(180), px(44)), "Open exhibit", self.open)
        self.button(pygame.Rect(self.plate.right - px(184), y, px(160), px(44)), "Back", self.app.pop)
        if not self.chosen:
            self.open_button.disable()

    def _fill(self) -> None:
        shown = [r for r in self.rows if self.package in ("", "all", r.package)]
        self.by_name = {r.name: r for r in shown}
        self.list.set_item_list([INDENT + name for name in self.by_name])

    def handle(self, event: pygame.event.Event) -> None:
        """Choosing a package filters; choosing a technique tells of it; a double click opens it."""
        import pygame_gui

        super().handle(event)
        if event.type == pygame_gui.UI_SELECTION_LIST_NEW_SELECTION:
            if event.ui_element is self.packages:
                self.package, self.chosen = event.text.strip(), ""
                self._fill()
                self.open_button.disable()
            else:
                self.chosen = event.text.strip()
                self.open_button.enable()
        elif event.type == pygame_gui.UI_SELECTION_LIST_DOUBLE_CLICKED_SELECTION and event.ui_element is self.list:
            self.open()

    def open(self) -> None:
        """Open the chosen technique's exhibit with its overlay on."""
        from game.view.screens.loading import LoadingScreen

        row = self.by_name.get(self.chosen)
        if row is not None:
            path = ROOT / (row.exhibit or "levels/the_crossing.tmx")
            self.app.push(LoadingScreen(self.app, path, overlay=row.overlay))

    def paint(self, surface: pygame.Surface) -> None:
        """Plate, title, how many, and the chosen row's lines."""
        text, palette, plates = self.app.text, self.app.palette, self.app.plates
        plates.draw(surface, self.plate)
        x, y = self.plate.x + text.px(24), self.plate.y + text.px(18)
        text.draw(surface, (x, y), "Gallery", palette["ink"], "serif_bold", 32)
        count = f"{len(self.rows)} techniques" if self.rows else "nothing is registered yet"
        text.draw(
            surface, (self.plate.right - text.px(24), y + text.px(14)), count, plates.soft, size=17, anchor="topright"
        )
        row = self.by_name.get(self.chosen)
        y = self.list_rect.bottom + text.px(16)
        if row is None:
            text.draw(
                surface,
                (x, y),
                "Choose a technique to see where it comes from and what shows it.",
                plates.soft,
                size=17,
            )
            return
        text.draw(surface, (x, y), row.name, palette["ink"], "serif_bold", 21)
        text.draw(surface, (x, y + text.px(32)), row.source, palette["ink"], size=16)
        shown = f"code {row.module}    exhibit {row.exhibit or 'none yet'}    overlay {row.overlay or 'none yet'}"
        text.draw(surface, (x, y + text.px(56)), shown, plates.soft, size=16)
