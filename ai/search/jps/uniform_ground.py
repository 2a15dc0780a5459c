"""Uniform-cost ground for jump point search: legal moves and stop bits.

It follows the terrain's edits tile by tile, without long precomputation. Source: "Game AI Pro 2", ch. 14.
"""

from __future__ import annotations

import numpy as np

from ai.core.serialization import record, unhashed
from ai.grid.movement_classes import class_bit
from ai.grid.terrain import Terrain
from ai.search.jps import jump_stop_bits, uniform_astar_kernels


def _nothing() -> np.ndarray:
    return np.zeros(0, np.uint64)


@record
class UniformGround:
    """Legal moves and stop bits of one movement class.

    The arrays have a border of one blocked tile: ``ground`` and ``moves`` uint8[height + 2, width + 2]; ``east``,
    ``west`` uint64[height + 2, words], ``south``, ``north`` uint64[width + 2, words].
    """

    movement_class: int = 0
    revision: int = 0
    ground: np.ndarray = unhashed(_nothing)
    moves: np.ndarray = unhashed(_nothing)
    east: np.ndarray = unhashed(_nothing)
    west: np.ndarray = unhashed(_nothing)
    south: np.ndarray = unhashed(_nothing)
    north: np.ndarray = unhashed(_nothing)

    @classmethod
    def build(cls, terrain: Terrain, movement_class: int = 0) -> UniformGround:
        """Read a terrain for one movement class; costs are ignored."""
        class_bit(movement_class)
        made = cls(movement_class)
        height, width = terrain.height + 2, terrain.width + 2
        made.ground = np.zeros((height, width), np.uint8)
        made.moves = np.zeros((height, width), np.uint8)
        ones = ~np.uint64(0)
        made.east, made.west = (np.full((height, -(-width // 64)), ones) for _ in range(2))
        made.south, made.north = (np.full((width, -(-height // 64)), ones) for _ in range(2))
        made._refresh(terrain, [(0, 0, terrain.height, terrain.width)])
        return made

    def update(self, terrain: Terrain) -> bool:
        """Follow the terrain's edits since the last call.

        Returns True when there were any.
        """
        if self.revision == terrain.revision:
            return False
        changes = terrain.changes_since(self.revision, ("passable",))
        self._refresh(terrain, [(0, 0, terrain.height, terrain.width)] if changes is None else changes)
        return True

    def _refresh(self, terrain: Terrain, rectangles: list[tuple[int, int, int, int]]) -> None:
        bit = class_bit(self.movement_class)
        for y0, x0, y1, x1 in rectangles:
            uniform_astar_kernels.refresh_moves(terrain.passable, bit, self.ground, self.moves, y0, x0, y1, x1)
            jump_stop_bits.refresh_stops(
                self.ground, self.east, self.west, self.south, self.north, y0 + 1, x0 + 1, y1 + 1, x1 + 1
            )
        self.revision = terrain.revision
