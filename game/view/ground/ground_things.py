"""Houses and props of the ground, laid into chunks with their shadows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from game.view.ground import prop_sprites
from game.view.ground.ground_art import blank
from game.view.ground.roofs import roof
from game.view.painting.flat_shadows import Shade

ROOF_HEIGHT = 17
HOUSES = {"house": "slate", "barn": "thatch", "hut": "thatch", "roof": "slate"}
STRETCHED = {"tower": 3.0, "tent": 2.1}
"""Props drawn at the size of their object.

The value is the length of the baked picture's longer side in tiles.
"""
PICTURE_OF = {"fire": "campfire"}
MOUNTED = ("vent", "grille")
"""Props let into walls.

They are drawn with the tall things, so that they lie on the wall's top. They cast no shadow.
"""


@dataclass(frozen=True)
class Thing:
    """House or prop: middle (x, y) and size in tiles, angle in radians.

    The angle is clockwise on screen. ``kind`` is a kind of house in HOUSES or the name of a baked prop. ``style`` of a
    house is "slate" or "thatch".
    """

    kind: str
    x: float
    y: float
    width: float = 1.0
    height: float = 1.0
    angle: float = 0.0
    style: str = ""
    seed: int = 0

    @property
    def is_house(self) -> bool:
        """Return whether it is drawn as a roof."""
        return self.kind in HOUSES

    @property
    def picture(self) -> str:
        """Return the name of the baked prop."""
        if self.kind == "rock":
            return ("rock", "rock2", "rock3")[self.seed % 3]
        return PICTURE_OF.get(self.kind, self.kind)

    @property
    def turn(self) -> int:
        """Return the rotation in degrees as in pygame, in steps of 5.

        The steps let several things share a picture.
        """
        return -round(math.degrees(self.angle) / 5) * 5 % 360


def _stretched(
    pair: tuple[pygame.Surface, pygame.Surface], thing: Thing, zoom: int
) -> tuple[pygame.Surface, pygame.Surface]:
    """Scale a picture to the size of its object."""
    colour, line = pair
    length = max(colour.get_size())
    unit = STRETCHED[thing.kind] * zoom
    size = (round(thing.width * zoom * length / unit), round(thing.height * zoom * length / unit))
    return pygame.transform.smoothscale(colour, size), pygame.transform.smoothscale(line, size)


class Things:
    """Houses and props on the ground of one map."""

    def __init__(self, things: Sequence[Thing]) -> None:
        shown = [t for t in things if t.is_house or prop_sprites.known(t.picture)]
        self.all = sorted(shown, key=lambda t: (t.y, t.x, t.kind))

    def lay(
        self, wash: pygame.Surface, ink: pygame.Surface, shade: Shade, y0: int, x0: int, zoom: int, tall: bool
    ) -> None:
        """Draw the tall or the low things of the region from tile (y0, x0).

        Each thing is drawn after its shadow.
        """
        columns, rows = wash.get_width() / zoom, wash.get_height() / zoom
        for thing in self.all:
            reach = max(thing.width, thing.height, 2.0)
            if not (-reach < thing.x - x0 < columns + reach and -reach < thing.y - y0 < rows + reach):
                continue
            if thing.is_house:
                if tall:
                    style = thing.style or HOUSES[thing.kind]
                    pair = roof(thing.width, thing.height, zoom, style, thing.seed)
                    self._put(pair, thing, ROOF_HEIGHT, wash, ink, shade, y0, x0, zoom)
            elif (prop_sprites.shadow_length(thing.picture) > 13 or thing.kind in MOUNTED) == tall:
                pair = prop_sprites.split(thing.picture, zoom, thing.turn)
                if thing.kind in STRETCHED and max(thing.width, thing.height) > 1:
                    pair = _stretched(pair, thing, zoom)
                length = 0.0 if thing.kind in MOUNTED else prop_sprites.shadow_length(thing.picture)
                self._put(pair, thing, length, wash, ink, shade, y0, x0, zoom)

    @staticmethod
    def _put(
        pair: tuple[pygame.Surface, pygame.Surface],
        thing: Thing,
        length: float,
        wash: pygame.Surface,
        ink: pygame.Surface,
        shade: Shade,
        y0: int,
        x0: int,
        zoom: int,
    ) -> None:
        colour, line = pair
        width, height = colour.get_size()
        at = (round((thing.x - x0) * zoom - width / 2), round((thing.y - y0) * zoom - height / 2))
        reach = round(length * zoom / 32) + 4
        box = pygame.Rect(at[0], at[1], width + reach, height + reach).clip(wash.get_rect())
        if box.width and box.height:
            tmp = blank(box.size)
            tmp.blit(colour, (at[0] - box.x, at[1] - box.y))
            Shade(box.size, zoom).cast(tmp, length, wash.subsurface(box))
        wash.blit(colour, at)
        ink.blit(line, at)
