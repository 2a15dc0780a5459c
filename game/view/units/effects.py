"""Effects of a shot: line, muzzle flash, smoke, and a hit or miss mark.

They live in real time, never change the world, and do not move when motion is reduced. The bright end of a line is its
target. The mark of a hit is a dark star on the body; that of a miss is pale round dust beyond it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pygame

from game.view.light.fog import FogMask
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB, Palette, mix
from game.view.units.sprites import Sprites
from game.world.events import Happening

LINE_MS, FLASH_MS, SMOKE_MS, HIT_MS, DUST_MS = 350, 90, 1200, 400, 900
MOST = 90
MUZZLE = 0.75
"""Tiles between a shooter's middle and the muzzle."""
BEFORE = 0.4
"""Tiles between a hit body's middle and the star.

The star keeps clear of the headgear.
"""
CORE_PX, CASING_PX = 1.7, 4.0
FAINT = 0.2
"""Strength of a line at the muzzle; it is 1 at its far end."""
_LINE_KINDS = ("line",)


@dataclass
class _Puff:
    kind: str
    x: float
    y: float
    angle: float
    born: int
    to_x: float = 0.0
    to_y: float = 0.0
    colour: RGB = (0, 0, 0)


class Effects:
    """Effects that are still visible."""

    def __init__(self, sprites: Sprites, palette: Palette) -> None:
        self.sprites, self.palette = sprites, palette
        self.still = False
        """Reduced motion: smoke does not drift."""
        self._puffs: list[_Puff] = []
        self._turned: dict[tuple[str, int, int], pygame.Surface] = {}

    def shot(self, fact: Happening, facing: float, now: int, struck: tuple[float, float] | None, side: int) -> None:
        """Show a shot of a unit of ``side`` with a facing.

        ``struck`` is the position of its target in tiles, or None.
        """
        x, y = fact.x + math.cos(facing) * MUZZLE, fact.y + math.sin(facing) * MUZZLE
        made = [_Puff("smoke", x, y, facing, now), _Puff("flash", x, y, facing, now)]
        if struck is not None:
            angle = math.atan2(struck[1] - fact.y, struck[0] - fact.x)
            along = math.cos(angle), math.sin(angle)
            if fact.text == "hit":
                to_x, to_y = struck[0] - along[0] * BEFORE, struck[1] - along[1] * BEFORE
                kind = "hit"
            else:
                # A miss passes the body on one side. The offset varies by tick and unit.
                turn = (fact.tick * 7 + fact.unit * 13) % 5
                aside, on = (0.75, -0.6, 0.5, -0.8, 0.65)[turn], (0.2, 0.9, 0.5, 0.0, 0.7)[turn]
                to_x = struck[0] + along[0] * on - along[1] * aside
                to_y = struck[1] + along[1] * on + along[0] * aside
                kind = "dust"
            colour = self.palette.sides[side % len(self.palette.sides)].colour
            made.append(_Puff("line", x, y, angle, now, to_x, to_y, colour))
            made.append(_Puff(kind, to_x, to_y, angle + math.pi, now))
        self._puffs += made
        del self._puffs[:-MOST]

    def draw(self, surface: pygame.Surface, camera: Camera, fog: FogMask | None, now: int, night: bool = False) -> None:
        """Draw the effects on visible tiles: lines, then smoke, then flashes and marks.

        Below 12 px a tile nothing is drawn.
        """
        life = {"line": LINE_MS, "flash": FLASH_MS, "smoke": SMOKE_MS, "hit": HIT_MS, "dust": DUST_MS}
        self._puffs = [p for p in self._puffs if now - p.born < life[p.kind]]
        if camera.zoom < 12:
            return
        palette = self.palette
        casing = palette["ink"] if night else palette["rim"]
        for p in [p for p in self._puffs if p.kind in _LINE_KINDS]:
            colour = mix(p.colour, palette["white"], 0.3) if night else p.colour
            strength = (1 - (now - p.born) / LINE_MS) ** 0.6
            _shot_line(surface, camera, fog, p, colour, casing, strength)
        for p in sorted((p for p in self._puffs if p.kind not in _LINE_KINDS), key=lambda p: p.kind != "smoke"):
            if fog is not None and not _seen(fog, p.x, p.y):
                continue
            name, x, y = p.kind, p.x, p.y
            if p.kind in ("smoke", "dust"):
                age = (now - p.born) / life[p.kind]
                stem = "smoke" if p.kind == "smoke" else "puff"
                name = f"{stem}2" if self.still else f"{stem}{min(int(age * 3) + 1, 3)}"
                if not self.still and p.kind == "smoke":
                    x, y = x + math.cos(p.angle) * age * 0.5, y + math.sin(p.angle) * age * 0.5 - age * 0.2
            turn = 0 if p.kind == "smoke" else round(p.angle * 16 / math.tau) % 16
            picture = self._picture(name, camera.zoom, turn)
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


def _seen(fog: FogMask, x: float, y: float) -> bool:
    height, width = fog.visible.shape
    return bool(fog.visible[min(max(int(y), 0), height - 1), min(max(int(x), 0), width - 1)])


def _shot_line(
    surface: pygame.Surface, camera: Camera, fog: FogMask | None, p: _Puff, colour: RGB, casing: RGB, strength: float
) -> None:
    """Blend a thin line with a casing into the picture, on visible tiles.

    It goes along the longer axis pixel by pixel. So no pixel is blended twice, and no surface of the line's size is
    needed.
    """
    left, top = camera.origin
    zoom = camera.zoom
    ax, ay, bx, by = p.x * zoom - left, p.y * zoom - top, p.to_x * zoom - left, p.to_y * zoom - top
    steep = abs(by - ay) > abs(bx - ax)
    if steep:
        ax, ay, bx, by = ay, ax, by, bx
    if abs(bx - ax) < 1:
        return
    clip = surface.get_clip()
    low, high = (clip.top, clip.bottom) if steep else (clip.left, clip.right)
    major = np.arange(max(math.ceil(min(ax, bx)), low), min(math.floor(max(ax, bx)) + 1, high))
    if len(major) == 0:
        return
    share = (major - ax) / (bx - ax)
    minor = ay + (by - ay) * share
    slant = 1 / math.hypot(1, (by - ay) / (bx - ax))
    rows = np.rint(minor).astype(np.int64)[:, None] + np.arange(-4, 5)
    off = np.abs(rows - minor[:, None]) * slant
    core = np.clip((CORE_PX + 1) / 2 - off, 0, 1)
    around = np.clip((CASING_PX + 1) / 2 - off, 0, 1) * 0.5
    bright = ((FAINT + (1 - FAINT) * share**1.4) * strength)[:, None]
    columns = np.broadcast_to(major[:, None], rows.shape)
    xs, ys = (rows, columns) if steep else (columns, rows)
    inside = (around > 0) & (xs >= clip.left) & (xs < clip.right) & (ys >= clip.top) & (ys < clip.bottom)
    if fog is not None:
        height, width = fog.visible.shape
        ty = np.clip((ys + top) // zoom, 0, height - 1)
        tx = np.clip((xs + left) // zoom, 0, width - 1)
        inside &= fog.visible[ty, tx].astype(bool)
    xs, ys, core = xs[inside], ys[inside], core[inside][:, None]
    whole = np.maximum(core, around[inside][:, None])
    tone = (np.array(casing) * (whole - core) + np.array(colour) * core) / whole
    alpha = whole * np.broadcast_to(bright, inside.shape)[inside][:, None]
    pixels = pygame.surfarray.pixels3d(surface)
    pixels[xs, ys] = (pixels[xs, ys] * (1 - alpha) + tone * alpha + 0.5).astype(np.uint8)
