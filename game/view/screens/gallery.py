"""The gallery: a row for every technique of ``ai/techniques.toml``, each opening its exhibit."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

import pygame

from game.view.palette import ASSETS
from game.view.screens.list_box import ListBox, ListRow
from game.view.screens.screen import MenuScreen

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
    question: str = ""
    """What its overlay or exhibit answers."""


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
            _question(_first(row.get("overlay", "")), str(row.get("exhibit", ""))),
        )
        for row in rows
    ]


def _first(value: object) -> str:
    if isinstance(value, list):
        return str(value[0]) if value else ""
    return str(value)


def _question(overlay: str, exhibit: str) -> str:
    """The question of a technique's overlay, else the name of the map that shows it."""
    from game.view.overlays.lenses import all_overlays

    found = next((cls.question for cls in all_overlays() if cls.name == overlay), "")
    return found or Path(exhibit).stem.replace("_", " ").capitalize()


def _package(module: str) -> str:
    parts = module.replace("/", ".").split(".")
    return parts[1] if len(parts) > 1 else "other"


class GalleryScreen(MenuScreen):
    """Packages on the left, techniques in the middle, what the chosen one is below."""

    need = (1000, 560)
    package = "all"
    chosen = ""

    def build(self) -> None:
        """Two lists and two buttons."""
        px, window = self.text.px, self.app.window
        self.rows = read_techniques()
        self.plate = pygame.Rect(0, 0, min(px(1120), window.get_width() - 40), window.get_height() - px(60))
        self.plate.center = window.get_rect().center
        counts = {"all": len(self.rows)}
        for row in self.rows:
            counts[row.package] = counts.get(row.package, 0) + 1
        top, height, left = self.plate.y + px(78), self.plate.height - px(246), self.plate.x + px(24)
        packages = [ListRow(name, (name, str(count))) for name, count in counts.items()]
        rect = pygame.Rect(left, top, px(180), height)
        self.packages = ListBox(self.app, self.text, rect, packages, (0.0, 0.82), self.package)
        self.list_rect = pygame.Rect(left + px(194), top, self.plate.right - px(24) - left - px(194), height)
        self.list = ListBox(self.app, self.text, self.list_rect, self._shown(), (0.0, 0.33, 0.72), self.chosen)
        self.stops += [self.list, self.packages]
        y = self.plate.bottom - px(60)
        self.open_button = self.button(pygame.Rect(left, y, px(180), px(44)), "Open exhibit", self.open)
        self.button(pygame.Rect(self.plate.right - px(184), y, px(160), px(44)), "Back", self.app.pop)
        self._choose(self.chosen)

    def _shown(self) -> list[ListRow]:
        """Name, question, source of the techniques of the chosen package."""
        shown = [r for r in self.rows if self.package in ("all", r.package)]
        self.by_name = {r.name: r for r in shown}
        return [ListRow(r.name, (r.name, r.question, r.source)) for r in shown]

    def _choose(self, name: str) -> None:
        self.chosen = name if name in self.by_name else ""
        if self.chosen:
            self.open_button.enable()
        else:
            self.open_button.disable()

    def list_moved(self, box: ListBox, what: str) -> None:
        """Choosing a package filters; choosing a technique tells of it; a double click or Enter opens it."""
        if box is self.packages:
            self.package = box.chosen
            self.list.set_rows(self._shown(), self.chosen)
        self._choose(self.list.chosen)
        if what == "opened" and box is self.list:
            self.open()

    def open(self) -> None:
        """Open the chosen technique's exhibit with its overlay on."""
        from game.view.screens.loading import LoadingScreen

        row = self.by_name.get(self.chosen)
        if row is not None:
            path = ROOT / (row.exhibit or "levels/the_crossing.tmx")
            self.app.push(LoadingScreen(self.app, path, overlay=row.overlay, technique=row.slug))

    def paint(self, surface: pygame.Surface) -> None:
        """Plate, title, how many, and the chosen row's lines."""
        text, palette, plates = self.text, self.app.palette, self.app.plates
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
