"""Pictures of cones of sight, drawn from the distance inside their edges.

A full cone has a line at its edge and a hatch where a crouching unit is not seen. An outline has sparse strokes. The
joined area of many watchers has one outline.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pygame

from game.view.painting.palette import RGB

HATCH_PX, STROKE_PX = 6, 9
"""Pixels between two lines of the hatch, and between two strokes of an outline."""
HATCH_TURN = 0.9
"""Radians between the strokes of two watchers with neighbouring ids."""
FAR_SHARE = 0.38
"""Strength of an outline at the end of its reach.

It is 1 at the eye.
"""
CLEAR_PX = 26
"""Pixels around the eye that an outline leaves free for the figure."""
PX_PER_UNIT = 64.0
"""Scale of field values per tile of distance inside the edge.

128 is the edge.
"""


@dataclass
class Cone:
    """Cone at one zoom; ``left`` and ``top`` in tiles.

    Arrays are indexed [x, y] like surfaces.
    """

    left: float
    top: float
    zoom: int
    inside: np.ndarray
    """Distance inside the edge, uint8."""
    eye: tuple[float, float]
    """Position of the eye in tiles."""
    crouched: np.ndarray | None
    """Visibility of crouching units, uint8, seen from 128 on; None for an outline."""
    known: np.ndarray | None
    """Explored ground of the player's side, uint8, 255 where explored; None: everywhere."""
    sheets: dict[Any, pygame.Surface] = field(default_factory=dict)


def scaled(values: np.ndarray, share: float) -> np.ndarray:
    """Scale uint8[w, h] to the size of the screen.

    A line drawn afterwards is one pixel wide at each zoom.
    """
    if share == 1:
        return values
    small = pygame.Surface(values.shape, 0, 24)
    pygame.surfarray.pixels_red(small)[:] = values
    w, h = (n - 1 if share > 1 else n for n in values.shape)
    big = pygame.transform.smoothscale(small, (max(1, round(w * share)), max(1, round(h * share))))
    return np.array(pygame.surfarray.pixels_red(big))


def painted(cone: Cone, colour: RGB, alpha: np.ndarray, share: float) -> pygame.Surface:
    """Return a sheet of one colour with float32 ``alpha`` (0..1) on explored ground."""
    if cone.known is not None:
        alpha = alpha * (scaled(cone.known, share) * np.float32(1 / 255))
    sheet = pygame.Surface(alpha.shape, pygame.SRCALPHA)
    sheet.fill((*colour, 0))
    pygame.surfarray.pixels_alpha(sheet)[:] = (alpha * 255).astype(np.uint8)
    return sheet


def drawn(cone: Cone, colour: RGB, full: bool, zoom: int, turn: float) -> pygame.Surface:
    """Draw the cone in one colour.

    In full it has a line at its edge, a thin wash, and a hatch where a crouching unit is not seen. Otherwise it is an
    outline with strokes.
    """
    share = zoom / cone.zoom
    inside = scaled(cone.inside, share)
    px = ((np.arange(256) - 128) / (PX_PER_UNIT * 2) * zoom).astype(np.float32)  # px inside the edge
    soft = np.clip(px + 0.5, 0, 1)
    if full:
        alpha = np.maximum(np.clip(1.7 - np.abs(px - 1.4), 0, 1) * np.float32(0.85), soft * np.float32(0.13))[inside]
        if cone.crouched is not None:
            crouched = scaled(cone.crouched, share)
            hidden = (crouched < 128) & (inside > 128)
            if hidden.any():
                stripe = stripes(cone, inside.shape, zoom, math.pi / 4, HATCH_PX) * np.float32(0.5)
                rim = hidden & (crouched > 128 - max(3, 400 // zoom))
                stripe = np.maximum(stripe, rim * np.float32(0.55))
                alpha = np.where(hidden & (px[inside] > 2.5), np.maximum(stripe, np.float32(0.07)), alpha)
        return painted(cone, colour, alpha, share)
    line = np.clip(1.15 - np.abs(px - 1.0), 0, 1) * np.float32(0.62)
    alpha = np.maximum(line, soft * np.float32(0.045))[inside]
    strokes = stripes(cone, inside.shape, zoom, turn, STROKE_PX) * soft[inside]
    np.maximum(alpha, strokes * np.float32(0.25), out=alpha)
    away = away_from_eye(cone, inside.shape, zoom)
    reach = max(float(away[inside > 128].max(initial=1.0)), 1.0)
    alpha *= 1 - (1 - FAR_SHARE) * np.clip(away / reach, 0, 1)
    alpha *= np.clip(away * zoom - CLEAR_PX * min(zoom / 32, 1), 0, 4) / 4
    return painted(cone, colour, alpha, share)


def joined_cone(cones: list[Cone]) -> Cone | None:
    """Return the joined area of cones of one zoom; None without cones."""
    if not cones:
        return None
    zoom = cones[0].zoom
    left, top = min(c.left for c in cones), min(c.top for c in cones)
    at = [(round((c.left - left) * zoom), round((c.top - top) * zoom)) for c in cones]
    size = [max(p[k] + c.inside.shape[k] for p, c in zip(at, cones, strict=True)) for k in (0, 1)]
    inside, known = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
    for (px, py), cone in zip(at, cones, strict=True):
        w, h = cone.inside.shape
        np.maximum(inside[px : px + w, py : py + h], cone.inside, out=inside[px : px + w, py : py + h])
        part = known[px : px + w, py : py + h]
        np.maximum(part, 255 if cone.known is None else cone.known[:w, :h], out=part)
    return Cone(left, top, zoom, inside, cones[0].eye, None, known)


def drawn_joined(cone: Cone, colour: RGB, zoom: int) -> pygame.Surface:
    """Draw the joined area: one outline, a thin wash and one family of strokes."""
    share = zoom / cone.zoom
    inside = scaled(cone.inside, share)
    px = ((np.arange(256) - 128) / (PX_PER_UNIT * 2) * zoom).astype(np.float32)
    soft = np.clip(px + 0.5, 0, 1)
    alpha = np.maximum(np.clip(1.3 - np.abs(px - 1.0), 0, 1) * np.float32(0.5), soft * np.float32(0.045))[inside]
    strokes = stripes(cone, inside.shape, zoom, HATCH_TURN, STROKE_PX) * soft[inside]
    np.maximum(alpha, strokes * np.float32(0.17), out=alpha)
    return painted(cone, colour, alpha, share)


def away_from_eye(cone: Cone, shape: tuple[int, ...], zoom: int) -> np.ndarray:
    """Return the distance from the eye to each pixel of a sheet.

    The result is float32 in tiles. It is computed exactly, because a line along it would show each step of stored
    values.
    """
    xs = (np.arange(shape[0], dtype=np.float32)[:, None] + np.float32(0.5)) / zoom + np.float32(cone.left - cone.eye[0])
    ys = (np.arange(shape[1], dtype=np.float32)[None, :] + np.float32(0.5)) / zoom + np.float32(cone.top - cone.eye[1])
    tiles: np.ndarray = np.sqrt(xs * xs + ys * ys)
    return tiles


def stripes(cone: Cone, shape: tuple[int, ...], zoom: int, turn: float, period: int) -> np.ndarray:
    """Return lines one pixel wide at an angle, float32.

    They are fixed to the map, so that they do not move when the guard turns.
    """
    xs = np.arange(shape[0], dtype=np.float32)[:, None] + np.float32(cone.left * zoom)
    ys = np.arange(shape[1], dtype=np.float32)[None, :] + np.float32(cone.top * zoom)
    across = xs * np.float32(math.sin(turn)) + ys * np.float32(math.cos(turn))
    from_line = np.abs((across + period / 2) % period - period / 2)
    lines: np.ndarray = np.clip(np.float32(1.0) - from_line, 0, 1)
    return lines


def sureness(cone: Cone, colour: RGB, casing: RGB, filled: float, zoom: int) -> pygame.Surface:
    """Draw the part of the cone within ``filled`` tiles of the eye.

    It is a thin wash; its front is a line with an outline of ``casing``.
    """
    share = zoom / cone.zoom
    inside = scaled(cone.inside, share)
    behind = (np.float32(filled) - away_from_eye(cone, inside.shape, zoom)) * np.float32(zoom)  # px behind the front
    line = np.clip(1.8 - np.abs(behind - 1.6), 0, 1)
    edge = np.clip(1.4 - np.abs(behind + 0.6), 0, 1) * np.float32(0.6)
    alpha = np.maximum(np.maximum(line, edge), np.clip(behind, 0, 1) * np.float32(0.16))
    alpha *= np.clip((inside.astype(np.float32) - 126) / 4, 0, 1)
    sheet = painted(cone, colour, alpha, share)
    pygame.surfarray.pixels3d(sheet)[edge > line] = casing
    return sheet
