"""Figures: choose the baked cell of each unit and draw all units.

Positions are interpolated between the last two ticks. The body columns decide the pose (stance, gait phase, action);
nothing is stored here. At 8 px a tile and below units are marks in their side's colour, with a notch in the direction
of their facing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pygame

from game.view.painting.camera import Camera
from game.view.painting.palette import Palette
from game.view.painting.unit_picture import Picture
from game.view.units.idle_gestures import IdleGestures
from game.view.units.sprites import Cell, Sprites, laid_together
from game.world.units import Act, Stance

DIRECTIONS = 16
FAR_ZOOM = 8
_FLASH_TICKS = 3
PORTRAIT_ZOOM = 64
"""Zoom of the cells from which portraits are reduced."""
POSES = (
    "stand", "walk1", "walk2", "walk3", "walk4", "crouch", "crouch_walk1", "crouch_walk2", "aim", "shoot",
    "crouch_aim", "hit", "use", "carry", "prone", "crawl1", "crawl2", "prone_aim", "dead1", "dead2", "asleep",
)  # fmt: skip
"""Baked poses; from ``prone`` on the figure lies."""
_CODE = {name: code for code, name in enumerate(POSES)}
_LYING_FROM = _CODE["prone"]


def idle_gestures() -> IdleGestures:
    """Return gestures of standing figures: a foot forward, left or right."""
    return IdleGestures(_CODE["stand"], (_CODE["walk1"], _CODE["walk3"]))


def direction_of(angle: float) -> int:
    """Return the sixteenth of a turn nearest to an angle, clockwise from +x."""
    return round(angle * DIRECTIONS / math.tau) % DIRECTIONS


def pose_codes(p: Picture) -> np.ndarray:
    """Return the index into POSES of each row, int64[n], from its body columns."""
    n = len(p)
    if n == 0:
        return np.zeros(0, np.int64)
    code = _CODE
    gait = p.gait
    walking = (p.moving != 0) & (p.vx * p.vx + p.vy * p.vy > 0.01)
    age = p.tick - p.action_start
    acting = (p.action != Act.NONE) & (age <= p.action_length)
    shooting = acting & (p.action == Act.SHOOT)
    half = (gait * 2).astype(np.int64) % 2
    prone, crouched = p.stance == Stance.PRONE, p.stance == Stance.CROUCH
    cases: list[tuple[np.ndarray, object]] = [
        (p.alive == 0, code["dead1"] + (p.id % 2 == 0)),
        (p.asleep != 0, code["asleep"]),
        (prone & shooting, code["prone_aim"]),
        (prone & walking, code["crawl1"] + half),
        (prone, code["prone"]),
        (crouched & shooting, code["crouch_aim"]),
        (crouched & walking, code["crouch_walk1"] + half),
        (crouched, code["crouch"]),
        (shooting, np.where(age <= _FLASH_TICKS, code["shoot"], code["aim"])),
        (acting & (p.action == Act.HIT), code["hit"]),
        (acting & (p.action == Act.USE), code["use"]),
        (p.carrying >= 0, code["carry"]),
        (walking, code["walk1"] + (gait * 4).astype(np.int64) % 4),
        (p.target >= 0, code["aim"]),
    ]
    conditions = [case[0] for case in cases]
    choices = [np.broadcast_to(np.asarray(case[1], np.int64), n) for case in cases]
    return np.select(conditions, choices, code["stand"])


@dataclass
class _Table:
    """Pictures at one zoom, with the offsets of their corners, int64[2, n].

    They are figures with their shadow, or marks.
    """

    pictures: list[pygame.Surface | None]
    offsets: np.ndarray


_DEAD_SIZE, _DEAD_ALPHA = 0.80, 219
_DEAD_GREY, _DEAD_SHARE = (146, 138, 126), 0.56
"""Grey, and its share, in the colours of the dead.

Saturated colours are for bodies that act.
"""
_DEAD_BY_NIGHT = (158, 162, 188)
"""Multiplier of the dead on dark ground; the living have a rim there instead."""
_NOTHING = pygame.Surface((0, 0))


def _dull(cell: Cell, rimmed: bool) -> Cell:
    """Return a dead body's cell: small, grey and partly transparent."""
    dull = pygame.transform.smoothscale_by(cell.surface, _DEAD_SIZE)
    keep = round(255 * (1 - _DEAD_SHARE))
    dull.fill((keep, keep, keep, _DEAD_ALPHA), special_flags=pygame.BLEND_RGBA_MULT)
    dull.fill((*(round(c * _DEAD_SHARE) for c in _DEAD_GREY), 0), special_flags=pygame.BLEND_RGBA_ADD)
    if rimmed:
        dull.fill((*_DEAD_BY_NIGHT, 255), special_flags=pygame.BLEND_RGBA_MULT)
    return Cell(dull, round(cell.dx * _DEAD_SIZE), round(cell.dy * _DEAD_SIZE))


class FigurePainter:
    """Draws figures and far marks from the baked sheets."""

    layers: ClassVar[dict[str, tuple[str, ...]]] = {"plain": ("shadow", "body"), "rimmed": ("shadow", "rim", "body")}
    """Layers of a figure, the lowest first."""

    def __init__(self, sprites: Sprites, palette: Palette) -> None:
        self.sprites = sprites
        self.palette = palette
        self.sides = [side.name for side in palette.sides]
        self._tables: dict[tuple[str, int], _Table] = {}
        self._portraits: dict[tuple[str, str, float], Cell | None] = {}
        self._poses: tuple[Picture | None, np.ndarray] = (None, np.zeros(0, np.int64))

    def poses(self, p: Picture) -> np.ndarray:
        """Return the pose codes of a picture, computed once per picture."""
        if self._poses[0] is not p:
            self._poses = (p, pose_codes(p))
        return self._poses[1]

    def draw(
        self,
        surface: pygame.Surface,
        camera: Camera,
        p: Picture,
        rows: np.ndarray,
        alpha: float,
        rim: bool = False,
        night: bool = False,
        idle: IdleGestures | None = None,
    ) -> None:
        """Draw ``rows`` of the picture: the dead first, then from north to south.

        So the nearer figures overlap the others.
        """
        if len(rows) == 0:
            return
        x, y, facing = p.between(alpha)
        rows = rows[np.lexsort((p.id[rows], y[rows], p.alive[rows]))]
        if camera.zoom <= FAR_ZOOM:
            rows = rows[p.alive[rows] == 1]
        left, top = camera.origin
        zoom = camera.zoom
        px = np.floor(x[rows] * zoom).astype(np.int64) - left
        py = np.floor(y[rows] * zoom).astype(np.int64) - top
        turn = np.rint(facing[rows] * (DIRECTIONS / math.tau)).astype(np.int64) % DIRECTIONS
        side = p.side[rows].astype(np.int64) % len(self.sides)
        if zoom <= FAR_ZOOM:
            self._blit(surface, "far_night" if night else "far", zoom, side * DIRECTIONS + turn, px, py)
            return
        codes = self.poses(p) if idle is None else idle.posed(p, self.poses(p), rows)
        index = (side * len(POSES) + codes[rows]) * DIRECTIONS + turn
        self._blit(surface, "rimmed" if rim else "plain", zoom, index, px, py)

    def _blit(
        self, surface: pygame.Surface, layer: str, zoom: int, index: np.ndarray, px: np.ndarray, py: np.ndarray
    ) -> None:
        """Blit many figures in one call.

        ``layer`` is plain, rimmed, far or far_night.
        """
        table = self._tables.get((layer, zoom))
        if table is None:
            size = len(self.sides) * DIRECTIONS * (1 if layer.startswith("far") else len(POSES))
            table = self._tables[layer, zoom] = _Table([None] * size, np.zeros((2, size), np.int64))
        for i in np.unique(index).tolist():
            if table.pictures[i] is None:
                cell = self._cell(layer, zoom, i)
                table.pictures[i] = _NOTHING if cell is None else cell.surface
                table.offsets[:, i] = (0, 0) if cell is None else (cell.dx, cell.dy)
        xs, ys = (px + table.offsets[0, index]).tolist(), (py + table.offsets[1, index]).tolist()
        pictures = table.pictures
        surface.fblits([(pictures[i], at) for i, at in zip(index.tolist(), zip(xs, ys, strict=True), strict=True)])

    def _cell(self, layer: str, zoom: int, index: int) -> Cell | None:
        """Return the cell of a table index, or None.

        The baked sheets bound the number of cells.
        """
        rest, direction = divmod(index, DIRECTIONS)
        if layer.startswith("far"):
            row = self.sides[rest] + (".night" if layer == "far_night" else "")
            return self.sprites.cell(f"marks.far_{zoom}", direction, row)
        side, pose = divmod(rest, len(POSES))
        family = "lying" if pose >= _LYING_FROM else "upright"
        stem = f"{self.sides[side]}.{family}"
        found = [self.sprites.cell(f"{stem}.{name}.{zoom}", POSES[pose], direction) for name in self.layers[layer]]
        if POSES[pose].startswith("dead"):
            parts = [c for c, name in zip(found, self.layers[layer], strict=True) if c is not None and name != "rim"]
            return laid_together([*parts[:-1], *(_dull(part, layer == "rimmed") for part in parts[-1:])])
        return laid_together([cell for cell in found if cell is not None])

    def portrait(self, surface: pygame.Surface, rect: pygame.Rect, p: Picture, row: int) -> None:
        """Draw the unit's figure, facing up, so large that it fits into the box."""
        pose = POSES[int(self.poses(p)[row])]
        family = "lying" if _CODE[pose] >= _LYING_FROM else "upright"
        if pose.startswith("walk"):
            pose = "stand"
        name = f"{self.sides[int(p.side[row]) % len(self.sides)]}.{family}"
        share = min(rect.height * (0.9 if family == "upright" else 0.62) / PORTRAIT_ZOOM, 1.0)
        clip = surface.get_clip()
        surface.set_clip(rect)
        for layer in ("shadow", "body"):
            found = self._reduced(f"{name}.{layer}.{PORTRAIT_ZOOM}", pose, share)
            if found is not None:
                drop = rect.height // 7 if family == "upright" else 0
                surface.blit(found.surface, (rect.centerx + found.dx, rect.centery + found.dy + drop))
        surface.set_clip(clip)

    def _reduced(self, name: str, pose: str, share: float) -> Cell | None:
        """Return a cell scaled by a share, kept in a cache."""
        key = (name, pose, round(share, 3))
        if key not in self._portraits:
            cell = self.sprites.cell(name, pose, 12)
            if cell is not None and share < 1:
                small = pygame.transform.smoothscale_by(cell.surface, share)
                cell = Cell(small, round(cell.dx * share), round(cell.dy * share))
            self._portraits[key] = cell
        return self._portraits[key]
