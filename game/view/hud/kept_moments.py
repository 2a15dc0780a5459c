"""The strip of kept moments: up to five small pictures with their times.

A click on a picture returns to its moment.
"""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from game.sim.session import Session
from game.view.hud.hud_values import clock_words
from game.view.painting.painter_services import PainterServices

WIDTH, HEIGHT = 72, 40
GAP = 6


@dataclass(frozen=True)
class Kept:
    """Moment in the strip; ``page`` is the number of the hint shown then."""

    tick: int
    picture: pygame.Surface
    page: int


class MomentStrip:
    """Pictures of the session's kept moments, in the session's order."""

    def __init__(self, app: PainterServices, session: Session) -> None:
        self.app = app
        self.session = session
        self.kept: list[Kept] = []

    def keep(self, tick: int, page: int) -> None:
        """Add the moment that was just kept, with a picture of the window."""
        px = self.app.text.px
        picture = pygame.transform.smoothscale(self.app.window.convert(24), (px(WIDTH), px(HEIGHT)))
        self.kept = [*self.kept, Kept(tick, picture.convert(), page)][-len(self.session.moments) :]

    def cells(self) -> list[pygame.Rect]:
        """Return the boxes of the moments, the newest at the right, below the clock."""
        px = self.app.text.px
        right, top = self.app.window.get_width() - px(12), px(66)
        step = px(WIDTH + GAP)
        n = len(self.kept)
        return [pygame.Rect(right - (n - i) * step + px(GAP), top, px(WIDTH), px(HEIGHT)) for i in range(n)]

    def at(self, pos: tuple[int, int]) -> int | None:
        """Return the index of the moment under a pixel, or None."""
        return next((i for i, cell in enumerate(self.cells()) if cell.collidepoint(pos)), None)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the strip; nothing is drawn while no moment is kept."""
        text, palette, panels = self.app.text, self.app.palette, self.app.panels
        px = text.px
        for i, (cell, kept) in enumerate(zip(self.cells(), self.kept, strict=True)):
            last = i == len(self.kept) - 1
            panels.draw_shadow(surface, cell)
            surface.blit(kept.picture, cell)
            pygame.draw.rect(surface, palette["yellow"] if last else palette["ink"], cell, 2)
            label = pygame.Rect(cell.x, cell.bottom, cell.width, px(20))
            pygame.draw.rect(surface, panels.paper, label)
            pygame.draw.rect(surface, panels.ink, label, 1)
            key = f"{self.app.keymap.label('return_moment')} " if last else ""
            text.draw(surface, label.center, key + clock_words(kept.tick), panels.ink, "sans_bold", 14, "center")
