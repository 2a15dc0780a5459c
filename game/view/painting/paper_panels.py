"""Paper panels: the background of each panel.

They are flat: an ink border of 2 px, a hair line 4 px inside, and a flat shadow of 4 px.
"""

from __future__ import annotations

from collections import OrderedDict

import pygame

from game.view.painting.palette import RGB, Palette, mix

SHADOW = 4
_KEPT = 64


class Panels:
    """Pictures of panels by size and kind, drawn once."""

    def __init__(self, palette: Palette, night: bool = False) -> None:
        self.palette = palette
        self.night = night
        self._made: OrderedDict[tuple[int, int, str], pygame.Surface] = OrderedDict()

    @property
    def paper(self) -> RGB:
        """Fill colour of a panel."""
        return (
            mix(self.palette["night"], self.palette["ink"], 0.55)
            if self.night
            else mix(self.palette["paper"], (255, 250, 235), 0.45)
        )

    @property
    def ink(self) -> RGB:
        """Colour of text and lines on a panel."""
        return self.palette["rim"] if self.night else self.palette["ink"]

    @property
    def soft(self) -> RGB:
        """Colour of secondary text, with a contrast of at least 4.5 .

        1 on the paper.
        """
        return mix(self.ink, self.paper, self.palette.look["soft"])

    @property
    def hair(self) -> RGB:
        """Colour of thin inner lines."""
        return mix(self.ink, self.paper, 0.5)

    def draw(self, surface: pygame.Surface, rect: pygame.Rect, kind: str = "plain") -> None:
        """Draw a panel on ``rect``, with its shadow to the south-east.

        ``kind`` is plain, button, chosen or off.
        """
        key = (rect.width, rect.height, kind)
        panel = self._made.get(key)
        if panel is None:
            panel = self._made[key] = self._make(*key)
            if len(self._made) > _KEPT:
                self._made.popitem(last=False)
        else:
            self._made.move_to_end(key)
        surface.blit(panel, rect)

    def draw_shadow(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        """Draw only the flat shadow of a panel.

        It serves a panel that is kept as a picture.
        """
        right = pygame.Rect(rect.right, rect.y + SHADOW, SHADOW, rect.height)
        below = pygame.Rect(rect.x + SHADOW, rect.bottom, rect.width - SHADOW, SHADOW)
        for strip in (right, below):
            key = (strip.width, strip.height, "shadow")
            made = self._made.get(key)
            if made is None:
                made = self._made[key] = pygame.Surface(strip.size, pygame.SRCALPHA)
                made.fill((*self.palette["ink"], 110))
            surface.blit(made, strip)

    def _make(self, width: int, height: int, kind: str) -> pygame.Surface:
        shadow = SHADOW if kind == "plain" else 0
        panel = pygame.Surface((width + shadow, height + shadow), pygame.SRCALPHA)
        if shadow:
            pygame.draw.rect(panel, (*self.palette["ink"], 110), (shadow, shadow, width, height))
        fill = {
            "chosen": self.palette["blue"],
            "off": mix(self.paper, self.palette["night"] if self.night else self.palette["mist"], 0.5),
        }.get(kind, self.paper)
        pygame.draw.rect(panel, fill, (0, 0, width, height))
        if kind == "plain":
            self._fibre(panel, width, height)
            pygame.draw.rect(panel, self.ink if not self.night else self.palette["ink"], (0, 0, width, height), 2)
            pygame.draw.rect(panel, self.hair, (4, 4, width - 8, height - 8), 1)
        else:
            edge = self.ink if kind != "off" else self.hair
            pygame.draw.rect(panel, edge, (0, 0, width, height), 1 if kind == "off" else 2)
        return panel

    def _fibre(self, panel: pygame.Surface, width: int, height: int) -> None:
        """Draw faint long flecks, so that the panel looks like paper.

        Their positions are hashed, so they are the same each time.
        """
        state = 0x9E3779B9
        tone = mix(self.paper, self.ink, 0.045)
        for _ in range(width * height // 2600):
            state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
            x, y, length = state % width, (state >> 12) % height, 3 + (state >> 24) % 9
            pygame.draw.line(panel, tone, (x, y), (min(x + length, width - 1), y))
