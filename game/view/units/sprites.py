"""Baked sheets as surfaces: marks, icons and effects.

A sheet is loaded at first use and stays in memory. The ``[[sheet]]`` rows of ``marks.toml``, ``icons.toml`` and other
files of ``assets/data`` describe the sheets. A cell is a view into its sheet, so a second request costs one dictionary
look-up.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import pygame

from game.level.files import read_toml
from game.view.painting.palette import ASSETS


@dataclass(frozen=True)
class Sprite:
    """Picture with its anchor in pixels from its top left corner.

    The anchor lies on the position at which the picture is drawn.
    """

    image: pygame.Surface
    anchor: tuple[float, float]

    def blit(self, target: pygame.Surface, x: float, y: float) -> None:
        """Draw with the anchor at (x, y) pixels."""
        target.blit(self.image, (round(x - self.anchor[0]), round(y - self.anchor[1])))


class Cell(NamedTuple):
    """Cell cropped to its picture, and its corner from the anchor in pixels."""

    surface: pygame.Surface
    dx: int
    dy: int


class Sheet:
    """Picture of equal cells; ``columns`` and ``rows`` name or number them."""

    def __init__(self, row: dict) -> None:
        image = pygame.image.load(ASSETS / row["file"])
        self.surface = image.convert_alpha() if pygame.display.get_surface() else image
        self.width, self.height = row["cell"]
        self.anchor: tuple[float, float] = (row["anchor"][0], row["anchor"][1])
        self.columns = {name: i for i, name in enumerate(row["columns"])} if isinstance(row["columns"], list) else {}
        rows = row.get("rows")
        self.rows = {name: i for i, name in enumerate(rows)} if isinstance(rows, list) else {}
        self._cells: dict[tuple[int, int], Sprite] = {}

    def sprite(self, column: int | str, row: int | str = 0) -> Sprite:
        """Return a cell by numbers or names."""
        x = self.columns[column] if isinstance(column, str) else column
        y = self.rows[row] if isinstance(row, str) else row
        found = self._cells.get((x, y))
        if found is None:
            area = pygame.Rect(x * self.width, y * self.height, self.width, self.height)
            found = self._cells[x, y] = Sprite(self.surface.subsurface(area), self.anchor)
        return found


@cache
def _index() -> dict[str, dict]:
    """Return the rows of all sheets by name.

    They are read once and must not be changed.
    """
    rows: dict[str, dict] = {}
    for index in sorted((ASSETS / "data").glob("*.toml")):
        rows |= {row["name"]: row for row in read_toml(index).get("sheet", ())}
    return rows


class Sprites:
    """Sheets by name, such as ``sprites.sheet("marks.orders_1x")``."""

    def __init__(self) -> None:
        self._rows = _index()
        self._sheets: dict[str, Sheet] = {}
        self._cells: dict[tuple[str, int | str, int | str], Cell | None] = {}

    def names(self) -> list[str]:
        """Return the names of all sheets."""
        return sorted(self._rows)

    def sheet(self, name: str) -> Sheet:
        """Return a sheet by its name."""
        found = self._sheets.get(name)
        if found is None:
            found = self._sheets[name] = Sheet(self._rows[name])
        return found

    def icon(self, name: str, scheme: str = "day", size: int = 36) -> pygame.Surface:
        """Return an icon of the command card or of a status.

        The schemes are day, on, off, night, night_off and amber; the sizes are 36 and 72.
        """
        return self.sheet(f"icons.{scheme}.{size}").sprite(name).image

    def cursor(self, name: str, scale: float) -> Sprite:
        """Return a mouse cursor for an interface scale; its anchor is the hot spot.

        It is baked in two sizes, and the larger one is used from scale 1.5 on.
        """
        sheet = f"marks.cursors_{2 if scale >= 1.5 else 1}x"
        x, y = self._rows[sheet]["hotspots"][name]
        return Sprite(self.sheet(sheet).sprite(name).image, (x, y))

    def has(self, name: str) -> bool:
        """Return whether a sheet of that name exists."""
        return name in self._rows

    def cell(self, name: str, column: int | str = 0, row: int | str = 0) -> Cell | None:
        """Return a cropped cell, or None if it is missing or empty."""
        key = (name, column, row)
        if key not in self._cells:
            self._cells[key] = self._cropped(name, column, row)
        return self._cells[key]

    def icon_cell(self, name: str, scheme: str, size: int) -> Cell | None:
        """Return an icon of any size, drawn about its middle.

        It is the baked one, or is reduced from the larger one.
        """
        if size == 36:
            return self.cell(f"icons.{scheme}.36", name)
        key = (f"icons.{scheme}.{size}", name, 0)
        if key not in self._cells:
            large = self.cell(f"icons.{scheme}.72", name)
            if large is not None and size != 72:
                share = size / 72
                picture = pygame.transform.smoothscale_by(large.surface, share)
                large = Cell(picture, round(large.dx * share), round(large.dy * share))
            self._cells[key] = large
        return self._cells[key]

    def blit(
        self, target: pygame.Surface, pos: tuple[int, int], name: str, column: int | str = 0, row: int | str = 0
    ) -> bool:
        """Draw a cropped cell with its anchor at ``pos``.

        Return False if it is missing.
        """
        cell = self.cell(name, column, row)
        if cell is None:
            return False
        target.blit(cell.surface, (pos[0] + cell.dx, pos[1] + cell.dy))
        return True

    def _cropped(self, name: str, column: int | str, row: int | str) -> Cell | None:
        if name not in self._rows:
            return None
        try:
            sprite = self.sheet(name).sprite(column, row)
        except (KeyError, ValueError):
            return None
        used = sprite.image.get_bounding_rect()
        if not used.width:
            return None
        dx, dy = round(used.x - sprite.anchor[0]), round(used.y - sprite.anchor[1])
        # The copy matters: blitting a part of a large surface takes half as long again.
        return Cell(sprite.image.subsurface(used).copy(), dx, dy)


def laid_together(cells: list[Cell]) -> Cell:
    """Cells of one anchor as one, the first at the bottom."""
    area = pygame.Rect(cells[0].dx, cells[0].dy, *cells[0].surface.get_size())
    area = area.unionall([pygame.Rect(c.dx, c.dy, *c.surface.get_size()) for c in cells])
    out = pygame.Surface(area.size, pygame.SRCALPHA)
    out.fblits([(c.surface, (c.dx - area.x, c.dy - area.y)) for c in cells])
    return Cell(out, area.x, area.y)
