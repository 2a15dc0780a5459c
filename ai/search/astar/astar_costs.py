"""A* over terrain costs for requests that are answered in one call.

It is exact, and several times as fast as the A* that runs in slices. :class:`CostGround` follows the terrain's edits
tile by tile. Nothing is precomputed except legal moves.
"""

from __future__ import annotations

import numpy as np

from ai.core.serialization import record, unhashed
from ai.grid.movement_classes import class_bit
from ai.grid.moves import COST_UNIT
from ai.grid.terrain import Terrain
from ai.search.astar import astar_costs_kernels as kernels


def _nothing() -> np.ndarray:
    return np.zeros(0, np.uint8)


@record
class CostGround:
    """Legal moves and costs of one movement class, derived from the terrain.

    The arrays have a border of one blocked tile. ``price`` uint8 and ``kinds`` uint16[height + 2, width + 2], ``masks``
    uint64[65536] are as in :mod:`ai.search.astar.astar_costs_kernels`.
    """

    movement_class: int = 0
    revision: int = 0
    lowest: int = 8
    price: np.ndarray = unhashed(_nothing)
    kinds: np.ndarray = unhashed(_nothing)
    masks: np.ndarray = unhashed(_nothing)
    places: np.ndarray = unhashed(_nothing)
    tally: np.ndarray = unhashed(_nothing)

    @classmethod
    def build(cls, terrain: Terrain, movement_class: int = 0) -> CostGround:
        """Read a terrain for one movement class."""
        class_bit(movement_class)
        made = cls(int(movement_class))
        shape = terrain.height + 2, terrain.width + 2
        made.price, made.kinds = np.zeros(shape, np.uint8), np.zeros(shape, np.uint16)
        made._begin(terrain)
        return made

    def update(self, terrain: Terrain) -> bool:
        """Follow the terrain's edits since the last call.

        Returns True when there were any.
        """
        if self.revision == terrain.revision:
            return False
        changes = terrain.changes_since(self.revision, ("passable", "cost"))
        ran_out = bool(self.tally[1])
        if changes is not None and not ran_out:
            self._refresh(terrain, changes)
            ran_out = bool(self.tally[1])
        if changes is None or ran_out:
            # Kinds of ground that no longer exist make room for new ones.
            self._begin(terrain)
        return True

    def _begin(self, terrain: Terrain) -> None:
        self.masks, self.places = np.zeros(kernels.KINDS, np.uint64), np.full(1 << kernels.PLACE_BITS, -1, np.int32)
        first = kernels.first_masks()
        self.masks[: len(first)] = first
        self.tally = np.array([len(first), 0])
        self._refresh(terrain, [(0, 0, terrain.height, terrain.width)])

    def _refresh(self, terrain: Terrain, rectangles: list[tuple[int, int, int, int]]) -> None:
        if self.kinds.shape != (terrain.height + 2, terrain.width + 2):
            raise ValueError(f"the ground is of {self.kinds.shape} with a border, the terrain {terrain.passable.shape}")
        bit = class_bit(self.movement_class)
        for rectangle in rectangles:
            kernels.refresh_ground(
                terrain.passable,
                terrain.cost,
                bit,
                self.price,
                self.kinds,
                self.masks,
                self.places,
                self.tally,
                *rectangle,
            )
        self.lowest = terrain.lowest_cost
        self.revision = terrain.revision


class AStarOverCosts:
    """Answers requests to a :class:`CostGround`.

    It holds scratch, but no state that must outlive a request.
    """

    def __init__(self, ground: CostGround) -> None:
        self.ground = ground
        self.height, self.width = ground.kinds.shape[0] - 2, ground.kinds.shape[1] - 2
        self._cell = np.full(ground.kinds.size, ~np.uint64(0))
        self._stamp = 0
        self._counts = np.zeros(kernels.BUCKETS, np.int32)
        self._stacks = np.zeros((kernels.BUCKETS, 1024), np.int32)
        self._out = np.zeros((1024, 2), np.int32)
        self._answer = np.zeros(3, np.int64)

    @property
    def revolutions(self) -> int:
        """Nodes the last search expanded."""
        return int(self._answer[kernels.REVOLUTIONS])

    @property
    def cost(self) -> float:
        """Cost of the last path found, in tiles of ordinary ground."""
        return int(self._answer[kernels.COST]) / COST_UNIT

    def find(self, start: tuple[int, int], goal: tuple[int, int]) -> np.ndarray | None:
        """Return the tiles int32[n, 2] (y, x) of a cheapest path, or None.

        No path leaves or enters a blocked tile. ValueError for tiles outside the map.
        """
        (start_y, start_x), (goal_y, goal_x) = start, goal
        for name, y, x in (("start", start_y, start_x), ("goal", goal_y, goal_x)):
            if not (0 <= y < self.height and 0 <= x < self.width):
                raise ValueError(f"{name} (y={y}, x={x}) is outside a map of {self.height} x {self.width}")
        ground = self.ground
        while True:
            self._stamp += 1
            if self._stamp >= kernels.STAMPS:
                self._cell.fill(~np.uint64(0))
                self._stamp = 1
            count = kernels.weighted_astar(
                ground.kinds,
                ground.masks,
                ground.price,
                ground.lowest,
                self._cell,
                self._stamp,
                self._counts,
                self._stacks,
                self._out,
                self._answer,
                start_y,
                start_x,
                goal_y,
                goal_x,
            )
            if count == kernels.NEED_ROOM:
                self._stacks = np.zeros((kernels.BUCKETS, 4 * self._stacks.shape[1]), np.int32)
            elif count == len(self._out):
                self._out = np.zeros((2 * len(self._out), 2), np.int32)
            else:
                return self._out[-count:].copy() if count > 0 else None
