"""Figure levels: the posed parts of each figure, by level of detail sets.

A row outside the window keeps its picture. In an exhibit a region of the map may stand for the window.
"""

from __future__ import annotations

import numpy as np

from ai.animation.animation_lod import BODY, FRAMES, GESTURES, HEAD, due, parts_of
from game.systems.body.figure_detail import WINDOW, shipped_detail
from game.view.painting.unit_picture import Picture
from game.world.places import Region
from game.world.world import World

ALL = BODY | FRAMES | HEAD | GESTURES


class FigureLevels:
    """Levels of detail of one scene's figures."""

    def __init__(self) -> None:
        self.detail = shipped_detail()
        self.on = True
        """If false, every figure of the map is posed in full in every tick."""
        self.window: Region | None = None

    def follow(self, world: World) -> None:
        """Take up the setting, and the region that stands for the window."""
        self.on = world.settings.figures.lod
        self.window = world.region(WINDOW)

    def levels(self, p: Picture, rows: np.ndarray, zoom: int) -> tuple[np.ndarray, np.ndarray]:
        """Return class and level of rows that are drawn."""
        in_view = np.ones(len(rows), bool)
        if self.window is not None:
            at = zip(p.x[rows].tolist(), p.y[rows].tolist(), strict=True)
            in_view = np.array([self.window.contains(x, y) for x, y in at], bool)
        return self.detail.levels(p.radius[rows], zoom, in_view)

    def parts(self, p: Picture, rows: np.ndarray, zoom: int) -> np.ndarray:
        """Return the bits of the parts of rows, int64[n]."""
        if not self.on:
            return np.full(len(rows), ALL)
        return parts_of(self.detail.sets, *self.levels(p, rows, zoom))

    def resting(self, p: Picture, rows: np.ndarray, zoom: int) -> list[int]:
        """Return the rows that keep their picture in this tick."""
        if not self.on:
            return []
        kept: list[int] = rows[~due(self.detail.sets, *self.levels(p, rows, zoom), p.id[rows], p.tick)].tolist()
        return kept

    def coarse(self, zoom: int) -> bool:
        """Return whether a person at a zoom shows half of its frames."""
        here = np.ones(1, bool)
        return self.on and not parts_of(self.detail.sets, *self.detail.levels(np.array([0.3]), zoom, here))[0] & FRAMES
