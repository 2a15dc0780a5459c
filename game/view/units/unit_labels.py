"""Places labels beside units so that no two overlap.

One placer serves all labels of a frame.
"""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from game.view.painting.palette import RGB
from game.view.painting.text import TextDrawer

MOST = 240
"""Largest number of labels per frame; more could not be read."""
_ROWS, _STEP = 5, 7
"""Rows tried below (and above) a figure, and the pixels between two rows."""
_AIR = 6
"""Pixels of a line's height that hold no ink."""


class LabelPlacer:
    """Taken boxes of a frame.

    Each painter of labels near units asks it for a free box.
    """

    def __init__(self) -> None:
        self._taken: list[pygame.Rect] = []
        self._count = 0
        self.covered: tuple[pygame.Rect, ...] = ()
        """Panels that are drawn over the map later and would hide labels."""

    def begin(self) -> None:
        """Start a frame: all space is free except under the panels."""
        self._taken[:] = self.covered
        self._count = 0

    def reserve(self, rect: pygame.Rect) -> None:
        """Reserve a box that is in use, such as that of a meter."""
        self._taken.append(rect)

    def is_free(self, rect: pygame.Rect) -> bool:
        """Return whether no box is placed there."""
        return rect.collidelist(self._taken) < 0

    def place(
        self, size: tuple[int, int], at: tuple[int, int], clear: int, clip: pygame.Rect,
        off: Sequence[pygame.Rect] = (),
    ) -> pygame.Rect | None:  # fmt: skip
        """Return a free box of ``size`` for the figure at a pixel, or None.

        Boxes below, right, left and above are tried. ``clear`` is the number of pixels around the figure's middle that
        stay free. A figure outside ``clip`` gets no box. The box does not overlap the boxes ``off``.
        """
        if self._count >= MOST or not clip.collidepoint(at):
            return None
        (width, height), (x, y) = size, at
        offers = [(x - width // 2, y + clear + k * _STEP) for k in range(_ROWS)]
        offers += [(x + clear + 2, y - height // 2), (x - clear - 2 - width, y - height // 2)]
        offers += [(x - width // 2, y - clear - height - k * _STEP) for k in range(_ROWS)]
        offers += [(x + clear, y + clear // 2), (x - clear - width, y + clear // 2)]
        for left, top in offers:
            rect = pygame.Rect(left, top, width, height)
            if clip.contains(rect) and self.is_free(rect.inflate(-4, -_AIR)) and rect.collidelist(off) < 0:
                self._taken.append(rect.inflate(0, -_AIR))
                self._count += 1
                return rect
        return None

    def put(
        self,
        surface: pygame.Surface,
        text: TextDrawer,
        words: str,
        at: tuple[int, int],
        clear: int,
        colour: RGB,
        halo: RGB,
        kind: str = "sans_bold",
        size: int = 14,
    ) -> pygame.Rect | None:
        """Write a label beside the figure at a pixel.

        Return its box, or None without space.
        """
        if self._count >= MOST or not surface.get_clip().collidepoint(at):
            return None
        line = text.line(kind, size, words, colour, halo)
        rect = self.place(line.get_size(), at, clear, surface.get_clip())
        if rect is not None:
            surface.blit(line, rect)
        return rect

    def put_there(
        self, surface: pygame.Surface, text: TextDrawer, words: str, at: tuple[int, int], colour: RGB, halo: RGB
    ) -> bool:
        """Write a label centred on a pixel; return False if the space is taken."""
        line = text.line("sans_bold", 14, words, colour, halo)
        rect = line.get_rect(center=at)
        if self._count >= MOST or not surface.get_clip().contains(rect) or not self.is_free(rect):
            return False
        self._taken.append(rect)
        self._count += 1
        surface.blit(line, rect)
        return True
