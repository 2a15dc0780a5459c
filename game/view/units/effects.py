"""Short pictures of what has just happened: muzzle flash and smoke, a hit, a splash; decoration only.

They are kept by real time, take part in nothing, and stand still when motion is reduced.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import pygame

from game.view.light.fog import FogMask
from game.view.painting.camera import Camera
from game.view.units.sprites import Sprites
from game.world.events import Happening

FLASH_MS, SMOKE_MS, HIT_MS = 90, 900, 260
MOST = 60


@dataclass
class _Puff:
    kind: str
    x: float
    y: float
    angle: float
    born: int


class Effects:
    """The puffs that are still in the air."""

    def __init__(self, sprites: Sprites) -> None:
        self.sprites = sprites
        self.still = False
        """Reduced motion: smoke hangs where it was until it is gone."""
        self._puffs: list[_Puff] = []
        self._turned: dict[tuple[str, int, int], pygame.Surface] = {}

    def shot(self, fact: Happening, facing: float, now: int) -> None:
        """A shot was fired by somebody who faces that way."""
        x, y = fact.x + math.cos(facing) * 0.75, fact.y + math.sin(facing) * 0.75
        self._puffs += [_Puff("smoke", x, y, facing, now), _Puff("flash", x, y, facing, now)]
        del self._puffs[:-MOST]

    def hit(self, x: float, y: float, now: int) -> None:
        """Somebody was struck."""
        self._puffs.append(_Puff("hit", x, y, 0.0, now))
        del self._puffs[:-MOST]

    def draw(self, surface: pygame.Surface, camera: Camera, fog: FogMask | None, now: int) -> None:
        """Draw them on tiles that are seen, from 12 px a tile up."""
        life = {"flash": FLASH_MS, "smoke": SMOKE_MS, "hit": HIT_MS}
        self._puffs = [p for p in self._puffs if now - p.born < life[p.kind]]
        if camera.zoom < 12:
            return
        for p in self._puffs:
            if (
                fog is not None
                and not fog.visible[
                    min(max(int(p.y), 0), fog.visible.shape[0] - 1), min(max(int(p.x), 0), fog.visible.shape[1] - 1)
                ]
            ):
                continue
            name, x, y = p.kind, p.x, p.y
            if p.kind == "smoke":
                age = (now - p.born) / SMOKE_MS
                name = "smoke2" if self.still else f"smoke{min(int(age * 3) + 1, 3)}"
                if not self.still:
                    x, y = x + math.cos(p.angle) * age * 0.5, y + math.sin(p.angle) * age * 0.5 - age * 0.2
            picture = self._picture(name, camera.zoom, round(p.angle * 16 / math.tau) % 16 if name == "flash" else 0)
            if picture is not None:
                surface.blit(picture, picture.get_rect(center=camera.to_screen(x, y)))

    def _picture(self, name: str, zoom: int, turn: int) -> pygame.Surface | None:
        key = (name, zoom, turn)
        if key not in self._turned:
            if not self.sprites.has("marks.effects"):
                return None
            image = self.sprites.sheet("marks.effects").sprite(name, 0).image
            self._turned[key] = pygame.transform.rotozoom(image, -turn * 22.5, zoom / 32)
        return self._turned[key]
