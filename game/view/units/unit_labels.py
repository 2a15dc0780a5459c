"""Placing words beside units so that no two stand on each other: one placer a frame, shared by all who write."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from game.view.painting.palette import RGB
from game.view.painting.text import TextDrawer

MOST = 240
"""Labels a frame; more could not be read."""
_ROWS, _STEP = 5, 7
"""Places below a figure that are tried before its sides, and the pixels from one to the next."""
_AIR = 6
"""Pixels of a line's height that hold no ink."""


class LabelPlacer:
    """Knows what is taken in this frame.  Whoever writes near units asks it for a free place."""

    def __init__(self) -> None:
        self._taken: list[pygame.Rect] = []
        self._count = 0
        self.covered: tuple[pygame.Rect, ...] = ()
        """Plates that are drawn over the map later: what is written below them nobody reads."""

    def begin(self) -> None:
        """A new frame: everything is free but what the plates cover."""
        self._taken[:] = self.covered
        self._count = 0

    def reserve(self, rect: pygame.Rect) -> None:
        """Something stands here already: a meter, a bubble."""
        self._taken.append(rect)

    def is_free(self, rect: pygame.Rect) -> bool:
        """Whether nothing has been placed there."""
        return rect.collidelist(self._taken) < 0

    def place(
        self, size: tuple[int, int], at: tuple[int, int], clear: int, clip: pygame.Rect,
        off: Sequence[pygame.Rect] = (),
    ) -> pygame.Rect | None:  # fmt: skip
        """A free box of ``size`` for the figure at a pixel: below it, right, left, above; None when all is full.

        ``clear`` is how many pixels round the figure's middle stay free.  A figure outside ``clip`` gets none.  Nor
        does the box lie on one of the boxes ``off``.
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
        """Write words beside the figure at a pixel; None when there was no room."""
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
        """Write words with their middle at a pixel, or not at all when something stands there."""
        line = text.line("sans_bold", 14, words, colour, halo)
        rect = line.get_rect(center=at)
        if self._count >= MOST or not surface.get_clip().contains(rect) or not self.is_free(rect):
            return False
        self._taken.append(rect)
        self._count += 1
        surface.blit(line, rect)
        return True
