"""Ghosts of the recorded future: pale figures where units stand in the present."""

from __future__ import annotations

import numpy as np
import pygame

from game.view.painting.camera import Camera
from game.view.painting.unit_picture import Picture
from game.view.scene import Scene
from game.view.units.ghost_figures import GhostFigures

NEAR = 0.5
"""Tiles within which a unit stands where it stood, and needs no ghost."""


def ghost_rows(past: Picture, present: Picture, side: int) -> np.ndarray:
    """Return the rows of ``present`` with a ghost.

    They are living units that stand elsewhere in the past, of a side, or of all sides for -1.
    """
    rows = np.flatnonzero(present.alive != 0)
    if side >= 0:
        rows = rows[present.side[rows] == side]
    then = np.array([past.row_of.get(unit, -1) for unit in present.id[rows].tolist()], np.int64)
    rows, then = rows[then >= 0], then[then >= 0]
    moved = np.hypot(present.x[rows] - past.x[then], present.y[rows] - past.y[then]) >= NEAR
    found: np.ndarray = rows[moved]
    return found


class FutureGhosts:
    """Painter of the ghosts of one play screen."""

    def __init__(self) -> None:
        self._figures: GhostFigures | None = None

    def draw(
        self, surface: pygame.Surface, camera: Camera, scene: Scene, past: Picture, present: Picture, side: int
    ) -> None:
        """Draw the ghosts of a side, or of all for -1."""
        if self._figures is None or self._figures.parts is not scene.figures.parts:
            self._figures = GhostFigures(scene.sprites, scene.palette, scene.figures.parts)
        self._figures.draw(surface, camera, present, ghost_rows(past, present, side), 1.0)
