"""Modular A*: paths with the storage and the cost modifier of the settings.

A modifier changes the cost of tiles or which tiles are open. The same search then finds other paths: a scout avoids
open ground, and a deer never leaves the wood.

Source: "AI Game Programming Wisdom", 3.2 (storage x goal x map; modifier goals).
"""

from __future__ import annotations

import numpy as np

from ai.grid.terrain import Terrain
from ai.paths.settings import CostModifier, PathSettings
from ai.search.modular_astar.modular_astar import Modifier, ModularAstar, Storage

HIDES = 2
"""Cover from which a tile hides a unit on it."""


def shelter_lack(cover: np.ndarray) -> np.ndarray:
    """Return the cover that each tile lacks to hide a unit, uint8 0..HIDES."""
    return (HIDES - np.minimum(cover, HIDES)).astype(np.uint8)


def modifier_of(settings: PathSettings, cover: np.ndarray) -> Modifier | None:
    """Return the modifier of the settings for ground with ``cover`` uint8[height, width]."""
    if settings.modifier == CostModifier.SCOUT:
        return Modifier.avoid(shelter_lack(cover), settings.modifier_strength)
    if settings.modifier == CostModifier.DEER:
        return Modifier.only(cover >= HIDES)
    return None


class MachineEngine:
    """Paths of one movement class on one revision of the ground."""

    def __init__(self, terrain: Terrain, movement_class: int) -> None:
        self.modular_astar = ModularAstar(terrain.height, terrain.width)
        open_ = (terrain.passable >> movement_class & 1) != 0
        self.ground = np.where(open_, terrain.cost, 0).astype(np.uint8)
        self.cover = np.ascontiguousarray(terrain.cover)
        self.cut = False
        self.arrange(PathSettings())

    def arrange(self, settings: PathSettings) -> None:
        """Use the storage and the modifier of ``settings`` from now on."""
        self.storage = Storage[settings.storage.upper()]
        self.modifier = modifier_of(settings, self.cover)

    @property
    def revolutions(self) -> int:
        """Return the number of tiles closed by the last search."""
        return self.modular_astar.revolutions

    def find(self, start: tuple[int, int], goal: tuple[int, int], limit: int) -> np.ndarray | None:
        """Return the path int32[n, 2] (y, x), or None.

        Also None, with :attr:`cut` set, if ``limit`` was not enough.
        """
        self.modular_astar.begin(self.ground, start, goal, self.storage, self.modifier, cap=limit)
        self.modular_astar.run(limit)
        path = self.modular_astar.path()
        self.cut = path is None and self.revolutions >= limit
        return path
