"""Text on the screen: the game's fonts and a bounded cache of rendered lines.

No text is smaller than 14 px. Sizes are multiplied by the interface scale; text is never a scaled surface.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import cache
from pathlib import Path

import pygame

from game.level.files import read_toml
from game.view.painting.palette import ASSETS, RGB

SMALLEST = 14
CACHED_LINES = 1500


@cache
def _faces() -> dict[str, str]:
    faces: dict[str, str] = read_toml(ASSETS / "data" / "fonts.toml")["face"]
    return faces


def font_file(kind: str) -> Path:
    """Return the file of one of the game's faces.

    The kinds are serif, serif_bold, serif_italic, sans, sans_bold and sans_italic.
    """
    return ASSETS / _faces()[kind]


class TextDrawer:
    """Renders lines once and keeps the last ``CACHED_LINES``."""

    def __init__(self, scale: float = 1.0) -> None:
        self.scale = scale
        self._smaller: dict[float, TextDrawer] = {}
        self._fonts: dict[tuple[str, int], pygame.font.Font] = {}
        self._lines: OrderedDict[tuple[str, int, str, RGB, RGB | None], pygame.Surface] = OrderedDict()

    def within(self, window: tuple[int, int], need: tuple[int, int]) -> TextDrawer:
        """Return a drawer whose scale lets a card fit into a window.

        ``need`` is the size of the card in interface pixels. The scale is never larger than this drawer's.
        """
        scale = min(self.scale, window[0] / need[0], window[1] / need[1])
        if scale == self.scale:
            return self
        if scale not in self._smaller:
            self._smaller = {scale: TextDrawer(scale)}
        return self._smaller[scale]

    def px(self, size: float) -> int:
        """Scale a length in interface pixels to screen pixels."""
        return round(size * self.scale)

    def font(self, kind: str, size: int) -> pygame.font.Font:
        """Return a face at ``size`` interface pixels, never below the smallest size."""
        pixels = max(self.px(size), SMALLEST)
        key = (kind, pixels)
        if key not in self._fonts:
            self._fonts[key] = pygame.font.Font(str(font_file(kind)), pixels)
        return self._fonts[key]

    def size(self, kind: str, size: int, text: str) -> tuple[int, int]:
        """Return width and height of a line in screen pixels."""
        return self.font(kind, size).size(text)

    def line(self, kind: str, size: int, text: str, colour: RGB, halo: RGB | None = None) -> pygame.Surface:
        """Return the rendered line.

        ``halo`` adds a rim of 2 px for text on the map.
        """
        key = (kind, size, text, colour, halo)
        found = self._lines.get(key)
        if found is not None:
            self._lines.move_to_end(key)
            return found
        plain = self.font(kind, size).render(text, True, colour)
        if halo is not None:
            rim = self.font(kind, size).render(text, True, halo)
            made = pygame.Surface((plain.get_width() + 4, plain.get_height() + 4), pygame.SRCALPHA)
            for dx, dy in ((0, 2), (4, 2), (2, 0), (2, 4), (1, 1), (3, 1), (1, 3), (3, 3)):
                made.blit(rim, (dx, dy))
            made.blit(plain, (2, 2))
            plain = made
        self._lines[key] = plain
        if len(self._lines) > CACHED_LINES:
            self._lines.popitem(last=False)
        return plain

    def draw(
        self,
        surface: pygame.Surface,
        pos: tuple[int, int],
        text: str,
        colour: RGB,
        kind: str = "sans",
        size: int = 16,
        anchor: str = "topleft",
        halo: RGB | None = None,
    ) -> pygame.Rect:
        """Draw a line with its ``anchor`` at ``pos``; return its box."""
        line = self.line(kind, size, text, colour, halo)
        rect = line.get_rect(**{anchor: pos})
        surface.blit(line, rect)
        return rect

    def shortened(self, kind: str, size: int, text: str, width: int) -> str:
        """Return ``text``, or the part that fits ``width`` screen pixels with three dots."""
        if self.size(kind, size, text)[0] <= width:
            return text
        while text and self.size(kind, size, text + "…")[0] > width:
            text = text[:-1]
        return text.rstrip(" ,;") + "…"

    def wrap(self, kind: str, size: int, text: str, width: int) -> list[str]:
        """Break a text into lines at most ``width`` screen pixels wide."""
        font = self.font(kind, size)
        lines: list[str] = []
        for paragraph in text.split("\n"):
            line = ""
            for word in paragraph.split():
                longer = f"{line} {word}".strip()
                if line and font.size(longer)[0] > width:
                    lines.append(line)
                    longer = word
                line = longer
            lines.append(line)
        return lines


def fitting(text: TextDrawer, window: tuple[int, int], need: tuple[int, int]) -> TextDrawer:
    """Return ``text``, or a smaller drawer if the window is smaller than ``need``.

    ``need`` is in interface pixels.
    """
    scale = min(text.scale, window[0] / need[0], window[1] / need[1])
    return text if scale == text.scale else TextDrawer(scale)
