"""Ways by the A* machine: the storage and the modifier of the game's settings, bent to the errand.

A modifier changes two small things, what a tile costs and whether it is open, and the same pooled machine finds other
ways: a scout's, who shuns open ground, or a deer's, that never leaves the wood.

Source: "AI Game Programming Wisdom", 3.2 (storage x goal x map; modifier goals).
"""

from __future__ import annotations

import numpy as np

from ai.grid.terrain import Terrain
from ai.paths.settings import CostModifier, PathSettings
from ai.search.modular_astar.modular_astar import Modifier, ModularAstar, Storage

HIDES = 2
"""Cover from which on a tile hides who stands on it."""


def shelter_lack(cover: np.ndarray) -> np.ndarray:
    """uint8 of the same shape: by how much each tile falls short of hiding somebody, 0 to HIDES."""
    return (HIDES - np.minimum(cover, HIDES)).astype(np.uint8)


def modifier_of(settings: PathSettings, cover: np.ndarray) -> Modifier | None:
    """What the errand of the settings changes on ground of this ``cover`` uint8[height, width]."""
    if settings.modifier == CostModifier.SCOUT:
        return Modifier.avoid(shelter_lack(cover), settings.modifier_strength)
    if settings.modifier == CostModifier.DEER:
        return Modifier.only(cover >= HIDES)
    return None


class MachineEngine:
    """Ways of one movement class on one revision of the ground, all by one machine."""

    def __init__(self, terrain: Terrain, movement_class: int) -> None:
        self.modular_astar = ModularAstar(terrain.height, terrain.width)
        open_ = (terrain.passable >> movement_class & 1) != 0
        self.ground = np.where(open_, terrain.cost, 0).astype(np.uint8)
        self.cover = np.ascontiguousarray(terrain.cover)
        self.cut = False
        self.arrange(PathSettings())

    def arrange(self, settings: PathSettings) -> None:
        """Take the storage and the modifier of ``settings`` for the ways to come."""
        self.storage = Storage[settings.storage.upper()]
        self.modifier = modifier_of(settings, self.cover)

    @property
    def revolutions(self) -> int:
        """Tiles closed by the last search."""
        return self.modular_astar.revolutions

    def find(self, start: tuple[int, int], goal: tuple[int, int], limit: int) -> np.ndarray | None:
        """The way int32[n, 2] (y, x), or None; None as well, with :attr:`cut`, when ``limit`` was not enough."""
        self.modular_astar.begin(self.ground, start, goal, self.storage, self.modifier, cap=limit)
        self.modular_astar.run(limit)
        path = self.modular_astar.path()
        self.cut = path is None and self.revolutions >= limit
        return path
