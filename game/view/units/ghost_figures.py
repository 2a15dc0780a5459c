"""The other run of an exhibit as a ghost: pale figures, trails and paths."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pygame

from game.view.figures.part_painter import PALE
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB, Palette, mix
from game.view.painting.unit_picture import Picture
from game.view.units.figures import FigurePainter
from game.view.units.order_marks import dashed

_PALE = 165
"""Alpha of a ghost, of 255."""
_MOST = 32
"""Largest number of units whose trails and paths are drawn."""


class GhostFigures(FigurePainter):
    """Pale, half transparent figures without shadows."""

    look: ClassVar[int] = PALE


def draw_trails(
    surface: pygame.Surface, camera: Camera, trail: list[np.ndarray], colour: RGB, rim: RGB, pale: bool
) -> None:
    """Draw the trails of units as thin lines; a ghost's trail is dashed."""
    if len(trail) < 2:
        return
    paths = np.stack(trail)[:, :_MOST]
    for k in range(paths.shape[1]):
        path = paths[:, k]
        moved = np.flatnonzero(np.hypot(*(np.diff(path, axis=0).T)) > 1e-6)
        if len(moved) == 0:
            continue
        steps = path[[0, *(moved[::3] + 1), moved[-1] + 1]]
        points = [camera.to_screen(float(x), float(y)) for x, y in steps]
        if pale:
            dashed(surface, points, colour, None, 2, 5, 5)
        else:
            pygame.draw.lines(surface, rim, False, points, 4)
            pygame.draw.lines(surface, colour, False, points, 2)


def draw_ghost(
    surface: pygame.Surface, camera: Camera, world: Any, picture: Picture, watched: tuple[int, ...],
    trail: list[np.ndarray], figures: GhostFigures, palette: Palette, alpha: float, paths: bool,
) -> None:  # fmt: skip
    """Draw the ghost world: trails, paths if ``paths`` is set, and figures."""
    colour = mix(palette["white"], palette["ink"], 0.45)
    draw_trails(surface, camera, trail, colour, palette["rim"], pale=True)
    x, y, _ = picture.between(alpha)
    store = world.paths.store
    for r in picture.rows(watched)[:_MOST].tolist() if paths else ():
        if not picture.moving[r] or r >= store.capacity:
            continue
        points = [(float(x[r]), float(y[r]))] + [(float(wx), float(wy)) for wx, wy in store.points_of(r).tolist()]
        if len(points) > 1:
            dashed(surface, [camera.to_screen(*p) for p in points], palette["white"], colour, 2, 4, 4)
    figures.draw(surface, camera, picture, np.arange(len(picture)), alpha)
