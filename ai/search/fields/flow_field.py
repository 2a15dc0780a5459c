"""Flow field: one search from the goal serves all units that go there.

A flood from the goal gives every tile its cost to go and its next move. Units follow a complete published field. After
an edit of the terrain, a copy is repaired from the edited rectangle outwards, some revolutions per tick. It replaces
the published field when done. A unit that follows an old field checks each step, because a door may have shut.

Source: "Game AI Pro 2", 17.6 (flow field by reverse Dijkstra); "AI Game Programming Wisdom", 3.2 (A* as a flood fill).
"""

from __future__ import annotations

from dataclasses import field, fields
from typing import Any

import numpy as np

from ai.core.serialization import record, unhashed
from ai.grid.movement_classes import class_bit
from ai.grid.terrain import Terrain
from ai.grid.tiles import narrowed
from ai.search.astar.astar import FOUND, AStarSearch
from ai.search.fields import flow_field_repair_kernels as kernels
from ai.search.fields.flow_field_repair_kernels import ARRIVED, NO_MOVE

__all__ = ["ARRIVED", "NO_MOVE", "FlowField"]

MOST_MENDED = 4096
"""Number of edited tiles above which a new flood replaces a repair."""

_FLOODS = (kernels.FLOOD, kernels.READ, kernels.PUBLISH)


_LISTS = {"lost": kernels.TAIL, "touched": kernels.TOUCHED, "keys": kernels.HEAP, "heap_tiles": kernels.HEAP}
"""Lists that a repair fills, and the rows of ``work`` with their lengths."""


def _nothing() -> np.ndarray:
    return np.zeros(0)


def _work() -> np.ndarray:
    return np.zeros(kernels.WORK_LENGTH, np.int64)


@record
class FlowField:
    """Moves uint8[height, width] towards the nearest of ``goals``.

    The field serves one movement class; ``goals`` is int32[n, 2] (y, x). ``moves`` are direction numbers of
    :mod:`ai.grid.moves`, ARRIVED or NO_MOVE (255: no path to a goal). ``costs`` float32[height, width] are tiles of
    ordinary ground to go, infinite when there is no path. ``revision`` is the terrain revision of the field, -1 before
    the first field is done; ``target`` is that of the work in progress.

    A flood is never interrupted, because a map with a busy door would then have no field. Edits made meanwhile are
    ``noted`` as rectangles (y0, x0, y1, x1) since the revision ``began``. They are repaired as soon as the field is
    published.
    """

    movement_class: int
    goals: np.ndarray
    flood: AStarSearch
    revision: int = -1
    target: int = 0
    began: int = 0
    noted: list[tuple[int, int, int, int]] = field(default_factory=list)
    published: int = 0  # running digest of the field's history, hashed in its place
    work: np.ndarray = None  # type: ignore[assignment]
    moves: np.ndarray = unhashed(_nothing)
    costs: np.ndarray = unhashed(_nothing)
    next_moves: np.ndarray = unhashed(_nothing)
    next_costs: np.ndarray = unhashed(_nothing)
    g: np.ndarray = unhashed(_nothing)
    support: np.ndarray = unhashed(_nothing)
    flags: np.ndarray = unhashed(_nothing)
    lost: np.ndarray = unhashed(_nothing)
    touched: np.ndarray = unhashed(_nothing)
    keys: np.ndarray = unhashed(_nothing)
    heap_tiles: np.ndarray = unhashed(_nothing)

    @classmethod
    def build(cls, terrain: Terrain, movement_class: int, goals: Any) -> FlowField:
        """Start a field that :meth:`run` computes.

        ValueError when a goal lies outside or there is none.
        """
        tiles = narrowed(goals).reshape(-1, 2)
        shape = terrain.passable.shape
        made = cls(
            int(movement_class),
            tiles,
            AStarSearch(terrain.height, terrain.width),
            work=_work(),
            moves=np.full(shape, NO_MOVE, np.uint8),
            costs=np.full(shape, np.inf, np.float32),
        )
        made._begin(terrain)
        return made

    @property
    def ready(self) -> bool:
        """Return True if a field has been published."""
        return self.revision >= 0

    def run(self, terrain: Terrain, revolutions: int) -> int:
        """Work on the next field for at most ``revolutions`` and publish it when done.

        Returns the revolutions used. A revolution is one tile expanded or repaired. Reading and publishing a finished
        flood costs none, but at most 16 tiles are processed for each revolution allowed.
        """
        self._follow(terrain)
        work, used, scans = self.work, 0, revolutions
        while used < revolutions and scans > 0 and work[kernels.PHASE] != kernels.IDLE:
            phase, left = int(work[kernels.PHASE]), revolutions - used
            if phase == kernels.FLOOD:
                used += self.flood.run(terrain, left)
                if self.flood.status == FOUND:
                    self._make_room(terrain)
                    work[:] = 0
                    work[kernels.PHASE] = kernels.READ
            elif phase == kernels.READ:
                marks, flood_g, stride = self.flood.slab_arrays
                scans -= kernels.read_flood(marks, flood_g, stride, self.g, self.support, work, terrain.width, scans)
            elif phase == kernels.PUBLISH:
                scans -= self._write(terrain, scans)
            elif phase == kernels.WRITE:
                used += self._write(terrain, left)
            else:
                used += self._mend(terrain, left)
        return used

    def _begin(self, terrain: Terrain) -> None:
        self.flood.begin_flood(terrain, self.movement_class, self.goals)
        self.work[:] = 0
        self.work[kernels.PHASE] = kernels.FLOOD
        self.target = self.began = terrain.revision
        self.noted = []

    def _follow(self, terrain: Terrain) -> None:
        """Record the edits since the last call."""
        if self.target == terrain.revision:
            return
        changes = terrain.changes_since(self.target, ("passable", "cost"))
        phase = int(self.work[kernels.PHASE])
        self.target = terrain.revision
        if changes == []:
            if phase == kernels.IDLE:
                self.revision = terrain.revision
            return
        if changes is None:
            changes = [(0, 0, terrain.height, terrain.width)]
        if phase in _FLOODS:
            # Includes edits that the flood has already seen: moves differ from the flood's view only in and around an
            # edit.
            self.noted = sorted({*self.noted, *changes})
        else:
            self._mend_in(terrain, changes)

    def _mend_in(self, terrain: Terrain, changes: list[tuple[int, int, int, int]]) -> None:
        """Schedule a repair of these rectangles, or a flood when they are too large."""
        if sum((y1 - y0 + 2) * (x1 - x0 + 2) for y0, x0, y1, x1 in changes) > MOST_MENDED:
            self._begin(terrain)
            return
        for rectangle in changes:
            while kernels.note_edit(
                terrain.passable,
                terrain.cost,
                class_bit(self.movement_class),
                *rectangle,
                self.g,
                self.support,
                self.flags,
                self.lost,
                self.touched,
                self.work,
            ):
                self._more_room()

    def _mend(self, terrain: Terrain, limit: int) -> int:
        used = kernels.mend_field(
            terrain.passable,
            terrain.cost,
            class_bit(self.movement_class),
            self.goals,
            self.g,
            self.support,
            self.flags,
            self.lost,
            self.touched,
            self.keys,
            self.heap_tiles,
            self.work,
            limit,
        )
        if used < 0:
            self._more_room()
            return int(-1 - used)
        return int(used)

    def _write(self, terrain: Terrain, limit: int) -> int:
        if self.work[kernels.AT] == 0:
            # Readers keep the old arrays until the new ones are finished.
            self.next_moves, self.next_costs = self.moves.reshape(-1).copy(), self.costs.reshape(-1).copy()
        used = kernels.publish_field(
            terrain.passable,
            terrain.cost,
            class_bit(self.movement_class),
            self.g,
            self.flags,
            self.touched,
            self.next_moves,
            self.next_costs,
            self.work,
            limit,
        )
        if self.work[kernels.PHASE] == kernels.WRITTEN:
            self.moves = self.next_moves.reshape(self.moves.shape)
            self.costs = self.next_costs.reshape(self.costs.shape)
            self.next_moves, self.next_costs = np.zeros(0, np.uint8), np.zeros(0, np.float32)
            self.work[kernels.PHASE] = kernels.IDLE
            noted, self.noted = self.noted, []
            self.revision = self.began if noted else self.target
            # The forgotten and expanded tiles follow from these.
            self.published = (self.published * 1_000_003 + self.flood.trace + self.revision + 1) % (1 << 61)
            if noted:
                self._mend_in(terrain, noted)
        return int(used)

    def _make_room(self, terrain: Terrain) -> None:
        size = terrain.passable.size
        self.g, self.support = np.empty(size, np.int64), np.empty(size, np.uint8)
        self.flags = np.zeros(size, np.uint8)
        # Room for the whole map from the start: the system does not assign memory that is never written, and growing
        # takes milliseconds.
        room = size + 2 * MOST_MENDED
        self.lost, self.touched = np.zeros(room, np.int32), np.zeros(room, np.int32)
        self.keys, self.heap_tiles = np.zeros(room, np.int64), np.zeros(room, np.int32)

    def _more_room(self) -> None:
        for name in _LISTS:
            array = getattr(self, name)
            setattr(self, name, np.concatenate((array, np.zeros_like(array))))

    def __digest__(self) -> tuple:
        """Return the hashed values; the rest follows from the field's history."""
        of = self.movement_class, self.goals, self.flood, self.revision, self.target, self.began, self.noted
        return (*of, self.published, self.work)

    def __pack__(self) -> dict[str, Any]:
        packed = {f.name: getattr(self, f.name) for f in fields(self)}
        for name, row in _LISTS.items():
            packed[name] = packed[name][: int(self.work[row])]
            packed[f"{name}_room"] = len(getattr(self, name))
        return packed

    @classmethod
    def __unpack__(cls, tree: dict[str, Any]) -> FlowField:
        made = cls(**{f.name: tree[f.name] for f in fields(cls)})
        for name in _LISTS:
            room = np.zeros(tree[f"{name}_room"], getattr(made, name).dtype)
            room[: len(tree[name])] = tree[name]
            setattr(made, name, room)
        return made


TECHNIQUES = (
    {
        "slug": "flow-field",
        "name": "Flow field",
        "ids": ("GP2-17.4",),
        "source": "Game AI Pro 2, 17.6",
        "functions": ("FlowField.run",),
        "test": "tests/ai/search/fields/test_flow_field.py",
        "exhibit": "levels/exhibits/search/flow_field.toml",
        "overlay": "flow_field",
        "setting": "paths.engine",
        "measure": "revolutions",
        "direction": "down",
        "claim": "As told; an edit repairs a copy from its rectangle outwards, while units follow the old field.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
