"""Flow field: one search from the goal serves everyone who goes there.

A flood from the goal tells every tile its cost to go and its next move.  The field that units follow is published
whole; after an edit of the terrain a new one grows behind it, some revolutions a tick, and takes its place when done.
Whoever follows an old field looks before each step: a door may have shut.

Source: "Game AI Pro 2", 17.6 (flow field by reverse Dijkstra); "AI Game Programming Wisdom", 3.2 (A* as a flood fill).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ai.grid.moves import COST_UNIT
from ai.grid.terrain import Terrain
from ai.search.astar import CLOSED, FOUND, RUNNING, AStarSearch
from ai.search.canonical import FROM_START
from ai.state import record, unhashed

NO_MOVE = 255
"""Move of a tile from which no way leads to the goal."""

ARRIVED = 8
"""Move of a goal tile."""


def _nothing() -> np.ndarray:
    return np.zeros(0)


@record
class FlowField:
    """Moves uint8[height, width] towards the nearest of ``goals`` int32[n, 2] (y, x), for one movement class.

    ``moves`` are direction numbers of :mod:`ai.grid.moves`, ARRIVED or NO_MOVE; ``costs`` float32[height, width] are
    tiles of ordinary ground to go, infinite where there is no way.  ``revision`` is the terrain they were made on, -1
    before the first field is done.
    """

    movement_class: int
    goals: np.ndarray
    flood: AStarSearch
    revision: int = -1
    published: int = 0  # running digest of the flood the field was read off, hashed in its place
    moves: np.ndarray = unhashed(_nothing)
    costs: np.ndarray = unhashed(_nothing)

    @classmethod
    def build(cls, terrain: Terrain, movement_class: int, goals: Any) -> FlowField:
        """Begin a field; :meth:`run` makes it.  ValueError when a goal lies outside or there is none."""
        tiles = np.asarray(goals, np.int32).reshape(-1, 2)
        shape = terrain.passable.shape
        made = cls(
            int(movement_class),
            tiles,
            AStarSearch(terrain.height, terrain.width),
            moves=np.full(shape, NO_MOVE, np.uint8),
            costs=np.full(shape, np.inf, np.float32),
        )
        made.flood.begin_flood(terrain, movement_class, tiles)
        return made

    @property
    def ready(self) -> bool:
        """Whether a field has been published."""
        return self.revision >= 0

    def run(self, terrain: Terrain, revolutions: int) -> int:
        """Work on the next field for at most ``revolutions`` and publish it when done; returns how many were used.

        When passability or cost changed since the field was begun, it begins anew.
        """
        known = self.flood.terrain_revision
        changes = terrain.changes_since(known, ("passable", "cost")) if known != terrain.revision else []
        if changes is None or changes:
            self.flood.begin_flood(terrain, self.movement_class, self.goals)
        else:
            self.flood.terrain_revision = terrain.revision
            if self.flood.status != RUNNING:
                self.revision = terrain.revision
        if self.flood.status != RUNNING:
            return 0
        used = self.flood.run(terrain, revolutions)
        if self.flood.status == FOUND:
            self._publish()
        return used

    def _publish(self) -> None:
        marks = self.flood.tile_status
        closed = marks & CLOSED > 0
        arrival = marks >> 4
        # Moves come in pairs: k and k ^ 2 are opposite.
        self.moves = np.where(closed, np.where(arrival == FROM_START, ARRIVED, arrival ^ 2), NO_MOVE).astype(np.uint8)
        self.costs = np.where(closed, self.flood.tile_g / COST_UNIT, np.inf).astype(np.float32)
        self.revision = self.flood.terrain_revision
        self.published = self.flood.trace
