"""Hipped roofs of any size: four slopes of baked courses, with ink lines.

The ink lines are ridge, hips and eaves.
"""

from __future__ import annotations

import math
from functools import lru_cache

import pygame

from game.view.ground.ground_art import BRIGHTEST, art_at, blank, opaque
from game.view.painting.palette import RGB, mix, palette, scaled

TONES = {"north": 1.10, "south": 0.84, "west": 1.02, "east": 0.90}
INSET = 2.0  # px at 32 a tile
Point = tuple[float, float]


def _colour(style: str) -> RGB:
    p = palette()
    return p["thatch"] if style == "thatch" else mix(p["slate"], (120, 110, 120), 0.12)


def _wobbled(points: list[Point], zoom: int, seed: int) -> list[Point]:
    """Return the closed outline with a corner each half tile, slightly shifted.

    The shift is at most 0.9 px at 32 px a tile.
    """
    out: list[Point] = []
    k = zoom / 32
    for i, (x0, y0) in enumerate(points):
        x1, y1 = points[(i + 1) % len(points)]
        steps = max(1, round(math.hypot(x1 - x0, y1 - y0) / (16 * k)))
        for s in range(steps):
            t = s / steps
            x, y = x0 + (x1 - x0) * t, y0 + (y1 - y0) * t
            a = math.sin(seed * 1.7 + (x / k) * 0.31 + (y / k) * 0.23) * 0.9
            out.append((x + a * k * (y1 != y0), y + a * k * (x1 != x0)))
    return out


def _slopes(width: float, height: float, zoom: int) -> tuple[dict[str, list[Point]], list[tuple[Point, Point]]]:
    """Return the outlines of the four slopes and the lines between them, in px."""
    e = INSET * zoom / 32
    a, b, c, d = (e, e), (width - e, e), (width - e, height - e), (e, height - e)
    if width >= height:
        p, q = (height / 2, height / 2), (width - height / 2, height / 2)
        slopes = {"north": [a, b, q, p], "south": [c, d, p, q], "west": [d, a, p], "east": [b, c, q]}
        return slopes, [(a, p), (d, p), (b, q), (c, q), (p, q)]
    p, q = (width / 2, width / 2), (width / 2, height - width / 2)
    slopes = {"north": [a, b, p], "south": [c, d, q], "west": [d, a, p, q], "east": [b, c, q, p]}
    return slopes, [(a, p), (b, p), (d, q), (c, q), (p, q)]


@lru_cache(maxsize=256)
def roof(
    width: float, height: float, zoom: int, style: str = "slate", seed: int = 0
) -> tuple[pygame.Surface, pygame.Surface]:
    """Return wash and ink of a roof at one zoom step.

    ``width`` and ``height`` are in tiles.
    """
    size = (round(width * zoom), round(height * zoom))
    slopes, seams = _slopes(*size, zoom)
    detail = "thatch" if style == "thatch" else "slate"
    line, tone = art_at(zoom).detail(detail)
    wash, ink = blank(size), opaque(size)
    outline = _wobbled([slopes["north"][0], slopes["north"][1], slopes["south"][0], slopes["south"][1]], zoom, seed)
    for side, corners in slopes.items():
        turn = {"north": 180, "south": 0, "west": -90, "east": 90}[side]
        cut = _mask(size, corners)
        part = blank(size)
        part.fill((*scaled(_colour(style), TONES[side] * BRIGHTEST), 255))
        if tone is not None:
            _cover(part, pygame.transform.rotate(tone, turn), pygame.BLEND_RGB_MULT)
        part.blit(cut, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
        wash.blit(part, (0, 0))
        strokes = blank(size)
        strokes.fill((255, 255, 255, 255))
        _cover(strokes, pygame.transform.rotate(line, turn), pygame.BLEND_RGB_MULT)
        strokes.blit(cut, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
        ink.blit(strokes, (0, 0))
    edge = _mask(size, outline)
    whole = blank(size)
    whole.blit(wash, (0, 0))
    whole.fill((0, 0, 0, 255), special_flags=pygame.BLEND_RGBA_MAX)
    whole.blit(edge, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
    ink.blit(_lines(size, outline, seams, zoom), (0, 0))
    lines = blank(size)
    lines.blit(ink, (0, 0))
    lines.blit(_mask(size, outline, 1.3 * zoom / 32), (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
    return whole, lines


def _mask(size: tuple[int, int], corners: list[Point], grow: float = 0.0) -> pygame.Surface:
    """Return white with a smooth alpha inside an outline.

    The polygon is drawn slightly larger, so that slopes meet without gaps.
    """
    big = blank((size[0] * 3, size[1] * 3))
    points = [(x * 3, y * 3) for x, y in corners]
    pygame.draw.polygon(big, (255, 255, 255, 255), points)
    pygame.draw.polygon(big, (255, 255, 255, 255), points, max(2, round(grow * 6)))
    out = pygame.transform.smoothscale(big, size)
    out.fill((255, 255, 255, 0), special_flags=pygame.BLEND_RGBA_MAX)
    return out


def _cover(target: pygame.Surface, texture: pygame.Surface, flags: int) -> None:
    for y in range(0, target.get_height(), texture.get_height()):
        for x in range(0, target.get_width(), texture.get_width()):
            target.blit(texture, (x, y), special_flags=flags)


def _lines(size: tuple[int, int], outline: list[Point], seams: list[tuple[Point, Point]], zoom: int) -> pygame.Surface:
    """Return eaves, hips and ridge as black strokes with alpha."""
    k = zoom / 32
    big = blank((size[0] * 3, size[1] * 3))
    big.fill((0, 0, 0, 0))
    for p, q in seams:
        _stroke(big, p, q, 1.5 * k, 205)
    for i, p in enumerate(outline):
        _stroke(big, p, outline[(i + 1) % len(outline)], 2.1 * k, 247)
    return pygame.transform.smoothscale(big, size)


def _stroke(big: pygame.Surface, p: Point, q: Point, width: float, alpha: int) -> None:
    length = math.hypot(q[0] - p[0], q[1] - p[1]) or 1.0
    w = max(width, 0.7) * 1.5
    nx, ny = -(q[1] - p[1]) / length * w, (q[0] - p[0]) / length * w
    a, b = (p[0] * 3, p[1] * 3), (q[0] * 3, q[1] * 3)
    corners = [(a[0] + nx, a[1] + ny), (b[0] + nx, b[1] + ny), (b[0] - nx, b[1] - ny), (a[0] - nx, a[1] - ny)]
    pygame.draw.polygon(big, (0, 0, 0, alpha), corners)
    for end in (a, b):
        pygame.draw.circle(big, (0, 0, 0, alpha), end, w)
