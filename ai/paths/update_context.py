"""Context of one update: the world's columns, the settings and the results."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ai.core.scheduling.periods import is_due
from ai.grid.components import Components
from ai.grid.terrain import Terrain
from ai.paths.requests.goal_resolution import find_footing
from ai.paths.settings import PathSettings
from ai.paths.state.path_state import PathState
from ai.paths.state.path_trace import Decision

WAITING_CROWD = 1000
"""Requests in the queue, open or waiting, above which they count as a crowd."""

CROWD_STILL = 200
"""Ticks without progress of a connected crowd before its paths are lost: 10 s."""


@dataclass(frozen=True)
class PathUnits:
    """Columns of all bodies, one row per slot, for obstruction, hazards and futility.

    ``standing`` uint8: alive and not moving. ``stuck`` int16: ticks without progress. ``side`` uint8. ``speed``
    float64, tiles/s. ``waits`` bool: lets others pass, which is not futile; None: no unit does. ``still`` int32: ticks
    in which no unit of its connected crowd made progress; None: not known, each unit is judged alone. ``queued``
    uint8: touches, or waits for, a unit that moves.
    """

    standing: np.ndarray
    stuck: np.ndarray
    side: np.ndarray
    speed: np.ndarray
    waits: np.ndarray | None = None
    still: np.ndarray | None = None
    queued: np.ndarray | None = None

    def at_dead_end(self, slots: np.ndarray) -> np.ndarray:
        """Return bool[n]: no unit of the crowd moved for ``CROWD_STILL`` ticks."""
        return np.ones(len(slots), bool) if self.still is None else self.still[slots] >= CROWD_STILL

    def in_moving_queue(self, slots: np.ndarray) -> np.ndarray:
        """Return bool[n]: units in a crowd that moves."""
        if self.queued is None:
            return np.zeros(len(slots), bool)
        return (self.queued[slots] == 1) & ~self.at_dead_end(slots)


@dataclass
class PathTick:
    """Working data of one update; it lives no longer than the call."""

    manager: PathState
    terrain: Terrain
    components: Components
    x: np.ndarray
    y: np.ndarray
    tick: int
    settings: PathSettings
    bodies: PathUnits | None = None
    arrived: list[int] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)
    written: list[np.ndarray] = field(default_factory=list)
    flooded: bool = False
    new_slab_tiles: int = 0
    put_off: int = 0  # new requests whose turn has not come
    mended: int = 0  # revolutions used to repair structures
    pulled: int = 0  # revolutions for smoothing before this tick
    paid: int = 0  # revolutions of these and of owed work, charged to this tick
    crowded: bool = False  # more searches wait than some seconds can serve

    @property
    def for_searches(self) -> bool:
        """Return True if same-tick searches run in this tick.

        In a crowd they run in every second tick, with twice the work per call. In the other ticks, units at the end of
        their path are served. Searches that have not begun come first.
        """
        return not self.crowded or (is_due(self.tick, 2) and not self.put_off)

    @property
    def for_run_outs(self) -> bool:
        """Return True if this tick serves units at the end of their path."""
        return not self.crowded or is_due(self.tick, 2, 1)

    def tiles(self, slots: np.ndarray) -> np.ndarray:
        """Return the tiles under the units, int32[n, 2], clipped to the map."""
        out = np.empty((len(slots), 2), np.int32)
        out[:, 0] = np.clip(np.nan_to_num(self.y[slots]), 0, self.terrain.height - 1)
        out[:, 1] = np.clip(np.nan_to_num(self.x[slots]), 0, self.terrain.width - 1)
        return out

    def footing(self, slots: np.ndarray) -> np.ndarray:
        """Return the tiles from which searches start.

        It is the unit's tile, else the nearest one it can stand on, else (-1, -1).
        """
        return find_footing(self.terrain, self.manager.requests.movement_class[slots], self.tiles(slots))

    def footing_of(self, slot: int) -> tuple[int, int]:
        """Return :meth:`footing` of one slot."""
        x, y = float(self.x[slot]), float(self.y[slot])
        if 0 <= x < self.terrain.width and 0 <= y < self.terrain.height:
            tile = int(y), int(x)
            if int(self.terrain.passable[tile]) >> int(self.manager.requests.movement_class[slot]) & 1:
                return tile
        near = self.footing(np.array([slot]))[0]
        return int(near[0]), int(near[1])

    def starts(self, slots: np.ndarray) -> np.ndarray:
        """Return the start tiles of the next searches, int32[n, 2].

        It is the end of the unit's path, or its own tile without a path.
        """
        ends = self.manager.store.end_tile(slots)
        out = np.stack([ends // self.terrain.width, ends % self.terrain.width], axis=1).astype(np.int32)
        bare = ends < 0
        if bare.any():
            out[bare] = self.footing(slots[bare])
        return out

    def start_of(self, slot: int) -> tuple[int, int]:
        """Return :meth:`starts` of one slot."""
        end = self.manager.store.end_of(slot)
        return divmod(end, self.terrain.width) if end >= 0 else self.footing_of(slot)

    def advance(self, slots: np.ndarray | None) -> None:
        """Advance the paths of ``slots`` (None: all) to their current waypoints."""
        manager, s = self.manager, self.settings
        if slots is None or len(slots):
            manager.store.advance(
                self.terrain,
                slots,
                manager.requests.movement_class,
                manager.requests.unit,
                self.x,
                self.y,
                self.tick,
                near=s.near,
                touch=s.touch,
                arrive=s.arrive,
            )

    def wrote(self, slots: np.ndarray | list[int]) -> None:
        """Note changed paths, so that they are advanced past their first tile."""
        self.written.append(np.asarray(slots, np.int64).reshape(-1))

    def changed(self) -> np.ndarray:
        """Return the slots whose path changed in this update."""
        if not self.written:
            return np.zeros(0, np.int64)
        slots = np.unique(np.concatenate(self.written))
        return slots[self.manager.store.path_len[slots] > 0]

    def note(self, slot: int, decision: Decision, a: int = 0, b: int = 0, c: int = 0) -> None:
        """Write a decision about one slot's unit into the trace."""
        self.manager.trace.note(self.tick, int(self.manager.requests.unit[slot]), decision, a, b, c)

    def note_many(self, slots: np.ndarray, decision: Decision, a: object = 0, b: object = 0, c: object = 0) -> None:
        """Write the same decision about many slots into the trace."""
        if len(slots):
            self.manager.trace.note_many(self.tick, self.manager.requests.unit[slots], decision, a, b, c)

    def news(self, slots: list[int]) -> np.ndarray:
        """Return distinct slots ordered by unit id."""
        return self.manager.requests.by_unit(np.unique(np.array(slots, np.int64)))
