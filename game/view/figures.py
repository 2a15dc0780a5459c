"""Figures: which baked cell shows a unit, and drawing all of them at positions between the last two ticks.

The body columns decide the pose (stance, gait phase, action); nothing here is stored.  At 8 px a tile and below
units are side-coloured marks with a notch where they face.
"""

from __future__ import annotations

import math

import numpy as np
import pygame

from game.view.camera import Camera
from game.view.palette import Palette
from game.view.picture import Picture
from game.view.sprites import Cell, Sprites
from game.world.units import Act, Stance

DIRECTIONS = 16
FAR_ZOOM = 8
_WALK = ("walk1", "walk2", "walk3", "walk4")
_CROUCH_WALK = ("crouch_walk1", "crouch_walk2")
_CRAWL = ("crawl1", "crawl2")
_FLASH_TICKS = 3


def direction_of(angle: float) -> int:
    """Sixteenth of a turn clockwise from +x nearest to an angle."""
    return round(angle * DIRECTIONS / math.tau) % DIRECTIONS


def pose_of(p: Picture, row: int) -> tuple[str, str]:
    """(family, pose) of a unit from its body columns."""
    if not p.alive[row]:
        return "lying", "dead1" if p.id[row] % 2 else "dead2"
    if p.asleep[row]:
        return "lying", "asleep"
    stance, action, gait = int(p.stance[row]), int(p.action[row]), float(p.gait[row])
    walking = bool(p.moving[row]) and (p.vx[row] ** 2 + p.vy[row] ** 2) > 0.01
    age = p.tick - int(p.action_start[row])
    acting = action != Act.NONE and age <= int(p.action_length[row])
    if stance == Stance.PRONE:
        if acting and action == Act.SHOOT:
            return "lying", "prone_aim"
        return "lying", _CRAWL[int(gait * 2) % 2] if walking else "prone"
    if stance == Stance.CROUCH:
        if acting and action == Act.SHOOT:
            return "upright", "crouch_aim"
        return "upright", _CROUCH_WALK[int(gait * 2) % 2] if walking else "crouch"
    if acting and action == Act.SHOOT:
        return "upright", "shoot" if age <= _FLASH_TICKS else "aim"
    if acting and action == Act.HIT:
        return "upright", "hit"
    if acting and action == Act.USE:
        return "upright", "use"
    if p.carrying[row] >= 0:
        return "upright", "carry"
    if walking:
        return "upright", _WALK[int(gait * 4) % 4]
    return "upright", "aim" if p.target[row] >= 0 else "stand"


class FigurePainter:
    """Draws figures and far marks from the baked sheets."""

    def __init__(self, sprites: Sprites, palette: Palette) -> None:
        self.sprites = sprites
        self.palette = palette
        self.sides = [side.name for side in palette.sides]

    def draw(
        self, surface: pygame.Surface, camera: Camera, p: Picture, rows: np.ndarray, alpha: float, rim: bool = False
    ) -> None:
        """Draw ``rows`` of the picture, the dead first, then by their foot so that the nearer overlaps."""
        if len(rows) == 0:
            return
        x, y, facing = p.between(alpha)
        rows = rows[np.lexsort((p.id[rows], y[rows], p.alive[rows]))]
        left, top = camera.origin
        zoom = camera.zoom
        px = np.floor(x[rows] * zoom).astype(np.int64) - left
        py = np.floor(y[rows] * zoom).astype(np.int64) - top
        turn = np.rint(facing[rows] * (DIRECTIONS / math.tau)).astype(np.int64) % DIRECTIONS
        if zoom <= FAR_ZOOM:
            self._draw_far(surface, p, rows, px, py, turn, zoom)
            return
        shadows: list[tuple[pygame.Surface, tuple[int, int]]] = []
        bodies: list[tuple[pygame.Surface, tuple[int, int]]] = []
        cell = self.sprites.cell
        for row, cx, cy, d in zip(rows.tolist(), px.tolist(), py.tolist(), turn.tolist(), strict=True):
            family, pose = pose_of(p, row)
            name = f"{self.sides[int(p.side[row]) % len(self.sides)]}.{family}"
            layers: list[tuple[str, list[tuple[pygame.Surface, tuple[int, int]]]]] = [("shadow", shadows)]
            if rim:
                layers.append(("rim", bodies))
            layers.append(("body", bodies))
            for layer, out in layers:
                found: Cell | None = cell(f"{name}.{layer}.{zoom}", pose, d)
                if found is not None:
                    out.append((found.surface, (cx + found.dx, cy + found.dy)))
        surface.fblits(shadows)
        surface.fblits(bodies)

    def _draw_far(
        self, surface: pygame.Surface, p: Picture, rows: np.ndarray, px: np.ndarray, py: np.ndarray, turn: np.ndarray,
        zoom: int,
    ) -> None:  # fmt: skip
        out = []
        for row, cx, cy, d in zip(rows.tolist(), px.tolist(), py.tolist(), turn.tolist(), strict=True):
            if not p.alive[row]:
                continue
            found = self.sprites.cell(f"marks.far_{zoom}", d, self.sides[int(p.side[row]) % len(self.sides)])
            if found is not None:
                out.append((found.surface, (cx + found.dx, cy + found.dy)))
        surface.fblits(out)

    def portrait(self, surface: pygame.Surface, rect: pygame.Rect, p: Picture, row: int) -> None:
        """The unit's figure at 48 px a tile, looking up, in the middle of a box."""
        family, pose = pose_of(p, row)
        if p.alive[row] and family == "upright" and pose.startswith("walk"):
            pose = "stand"
        name = f"{self.sides[int(p.side[row]) % len(self.sides)]}.{family}"
        zoom = 48 if rect.height < 90 else 64
        for layer in ("shadow", "body"):
            found = self.sprites.cell(f"{name}.{layer}.{zoom}", pose, 12)
            if found is not None:
                clip = surface.get_clip()
                surface.set_clip(rect)
                surface.blit(found.surface, (rect.centerx + found.dx, rect.centery + found.dy + rect.height // 6))
                surface.set_clip(clip)
