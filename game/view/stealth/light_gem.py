"""Light gem: a stone that shows how well lit a place is."""

from __future__ import annotations

import pygame

from game.view.painting.palette import Palette, mix


def draw_gem(surface: pygame.Surface, palette: Palette, at: tuple[int, int], size: int, light: float) -> None:
    """Draw the gem at a pixel; ``light`` (0 to 1) fills it from below.

    ``size`` is the distance from its middle to a corner in pixels.
    """
    x, y = at
    light = min(max(light, 0.0), 1.0)
    stone = [(x, y - size), (x + size * 3 // 4, y), (x, y + size), (x - size * 3 // 4, y)]
    pygame.draw.polygon(surface, palette["ink"], [(x, y - size - 3), (x + size, y), (x, y + size + 3), (x - size, y)])
    pygame.draw.polygon(surface, mix(palette["night"], palette["ink"], 0.5), stone)
    clip = surface.get_clip()
    level = round(y + size - 2 * size * light)
    surface.set_clip(clip.clip(pygame.Rect(x - size, level, 2 * size, y + size - level + 1)))
    pygame.draw.polygon(surface, mix(palette["lamp"], palette["night"], 0.55 * (1 - light)), stone)
    surface.set_clip(clip)
    if light >= 0.6:
        for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)):
            a = (x + dx * (size + 3), y + dy * (size + 4))
            pygame.draw.line(surface, palette["lamp"], a, (a[0] + dx * 2, a[1] + dy * 2), 2)
    pygame.draw.polygon(surface, palette["rim"], stone, 1)
