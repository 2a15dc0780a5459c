"""Shapes of the timeline's marks: one shape and one colour for each kind."""

from __future__ import annotations

import math

import pygame

from game.view.painting.palette import RGB, Palette, mix

BOOKMARK = "bookmark"


def colour_of(kind: str, palette: Palette) -> RGB:
    """Return the fill colour of a kind of mark."""
    overlay = palette.overlay
    return {
        "order": overlay["priority"],
        "detection": overlay["quick"],
        "alarm": overlay["whisker"],
        "shot": overlay["splice"],
        "death": palette["ink"],
        "door": overlay["full"],
        "manoeuvre": palette["white"],
        "broken": palette["vermilion"],
        BOOKMARK: palette["blue"],
    }[kind]


def draw_mark(
    surface: pygame.Surface, centre: tuple[int, int], kind: str, palette: Palette, size: int, faded: bool = False
) -> None:
    """Draw a mark about a pixel; ``size`` is its width in pixels.

    A faded mark lies after the shown tick.
    """
    ink, fill = palette["ink"], colour_of(kind, palette)
    if faded:
        ink, fill = mix(ink, palette["paper"], 0.55), mix(fill, palette["paper"], 0.55)
    x, y = centre
    r = size // 2
    if kind == "order":
        _polygon(surface, ((x - r, y - r + 1), (x + r, y), (x - r, y + r - 1)), fill, ink)
    elif kind == "alarm":
        _polygon(surface, ((x - r, y + r - 1), (x, y - r), (x + r, y + r - 1)), fill, ink)
    elif kind == "manoeuvre":
        _polygon(surface, ((x - r, y), (x, y - r), (x + r, y), (x, y + r)), fill, ink)
    elif kind == "detection":
        box = pygame.Rect(0, 0, size + 2, size - 4)
        box.center = centre
        pygame.draw.ellipse(surface, fill, box)
        pygame.draw.ellipse(surface, ink, box, 1)
        pygame.draw.circle(surface, ink, centre, max(r // 3, 2))
    elif kind == "shot":
        for colour, width in ((ink, 5), (fill, 3)):
            for sign in (1, -1):
                a, b = (x - r + 1, y - sign * (r - 1)), (x + r - 1, y + sign * (r - 1))
                pygame.draw.line(surface, colour, a, b, width)
    elif kind == "death":
        pygame.draw.line(surface, ink, (x, y - r), (x, y + r), 3)
        pygame.draw.line(surface, ink, (x - r + 2, y - r // 2), (x + r - 2, y - r // 2), 3)
    elif kind == "broken":
        pygame.draw.circle(surface, fill, centre, r + 1)
        pygame.draw.circle(surface, ink, centre, r + 1, 1)
        crack = ((x - r // 2, y - r), (x + r // 3, y - r // 4), (x - r // 3, y + r // 4), (x + r // 2, y + r))
        pygame.draw.lines(surface, palette["white"], False, crack, 3)
        pygame.draw.lines(surface, ink, False, crack, 1)
    elif kind == "door":
        box = pygame.Rect(x - r + 3, y - r, size - 6, size)
        pygame.draw.rect(surface, fill, box)
        pygame.draw.rect(surface, ink, box, 1)
        surface.set_at((box.right - 3, y), ink)
    else:
        pygame.draw.line(surface, ink, (x, y - r), (x, y + r), 2)
        _polygon(surface, ((x, y - r), (x + r, y - r // 2), (x, y)), fill, ink)


def _polygon(surface: pygame.Surface, points: tuple[tuple[int, int], ...], fill: RGB, ink: RGB) -> None:
    pygame.draw.polygon(surface, fill, points)
    pygame.draw.polygon(surface, ink, points, 1)


def draw_sign(surface: pygame.Surface, box: pygame.Rect, name: str, colour: RGB) -> None:
    """Draw the sign of the transport button ``name``."""
    x, y = box.center
    r = box.height // 4
    sign = 1 if name in ("on", "play", "tick", "present") else -1
    if name == "pause":
        for dx in (-r, r // 3):
            pygame.draw.rect(surface, colour, (x + dx, y - r, max(r * 2 // 3, 2), 2 * r))
        return
    shift = {"start": 2, "present": -2, "tick_back": 2, "tick": -2}.get(name, 0)
    arrow = [(x - sign * r + shift, y - r), (x + sign * r + shift, y), (x - sign * r + shift, y + r)]
    pygame.draw.polygon(surface, colour, arrow)
    if name in ("start", "present"):
        pygame.draw.line(surface, colour, (x + sign * (r + 1) + shift, y - r), (x + sign * (r + 1) + shift, y + r), 3)
    elif name in ("tick", "tick_back"):
        pygame.draw.line(surface, colour, (x - sign * (r + 3) + shift, y - r), (x - sign * (r + 3) + shift, y + r), 2)
    elif name in ("back", "on"):
        points = [(x + math.copysign(r, sign) + dx, y + dy) for dx, dy in ((0, -3), (3, 0), (0, 3), (-3, 0))]
        pygame.draw.polygon(surface, colour, points)
