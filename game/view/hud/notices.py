"""Notice of one line at the top, and the frame of a paused game."""

from __future__ import annotations

import pygame

from game.view.painting.painter_services import PainterServices

HEIGHT = 46
"""Interface pixels of a notice and the gap below it."""


def draw_notice(surface: pygame.Surface, app: PainterServices, words: str, top: int, right: int) -> None:
    """Draw the notice, ``top`` interface pixels below the window's edge.

    It ends left of the pixel ``right``, where a panel begins, and is shortened if need be.
    """
    words = app.text.shortened("sans_bold", 17, words, right - app.text.px(60))
    line = app.text.line("sans_bold", 17, words, app.palette["ink"])
    rect = line.get_rect().inflate(app.text.px(28), app.text.px(14))
    rect.midtop = (surface.get_width() // 2, app.text.px(top))
    rect.right = min(rect.right, right - app.text.px(8))
    app.panels.draw(surface, rect)
    surface.blit(line, line.get_rect(center=rect.center))


def draw_pause_frame(surface: pygame.Surface, app: PainterServices) -> None:
    """Draw a yellow frame round the window while the game is paused."""
    pygame.draw.rect(surface, app.palette["yellow"], surface.get_rect(), 4)
    pygame.draw.rect(surface, app.palette["ink"], surface.get_rect().inflate(-8, -8), 1)
