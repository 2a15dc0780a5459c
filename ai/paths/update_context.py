"""What the stages of one update share: the world's columns, the settings, and what is told at the end."""

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
"""More requests than these in the queue, open or waiting, are a crowd."""

CROWD_STILL = 200
"""Ticks in which nobody of a unit's connected crowd got nearer to its goal before its path counts as lost: 10 s."""


@dataclass(frozen=True)
class PathUnits:
    """Columns of all bodies, one row a slot, by which obstruction, hazards and futility are judged.

    ``standing`` uint8 (alive and not walking), ``stuck`` int16 ticks without progress, ``side`` uint8, ``speed``
    float64 tiles/s; ``waits`` bool: lets others pass, which is not futile; None: nobody does.  ``still`` int32: ticks
    in which nobody of its connected crowd got on; None: not known, each unit is judged by itself.
    """

    standing: np.ndarray
    stuck: np.ndarray
    side: np.ndarray
    speed: np.ndarray
    waits: np.ndarray | None = None
    still: np.ndarray | None = None

    def at_dead_end(self, slots: np.ndarray) -> np.ndarray:
        """bool[n]: whose whole crowd has stopped for ``CROWD_STILL`` ticks; a queue that moves is no dead end."""
        return np.ones(len(slots), bool) if self.still is None else self.still[slots] >= CROWD_STILL


@dataclass
class PathTick:
    """One update in the making; lives no longer than the call."""

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
    mended: int = 0  # revolutions that went into mending structures
    pulled: int = 0  # revolutions for strings pulled before this tick
    paid: int = 0  # revolutions of these, and of what was owed, that are taken from the searches
    crowded: bool = False  # more wait for a search than can be served for some seconds

    @property
    def for_searches(self) -> bool:
        """Whether searches that are over at once have their turn: in a crowd every second tick, in the others who ran
        out of path is helped; each then does twice as much in one call.  While some have not begun these come first."""
        return not self.crowded or (is_due(self.tick, 2) and not self.put_off)

    @property
    def for_run_outs(self) -> bool:
        """Whether those who ran out of path are helped."""
        return not self.crowded or is_due(self.tick, 2, 1)

    def tiles(self, slots: np.ndarray) -> np.ndarray:
        """Tiles the units stand on, int32[n, 2], clipped to the map."""
        out = np.empty((len(slots), 2), np.int32)
        out[:, 0] = np.clip(np.nan_to_num(self.y[slots]), 0, self.terrain.height - 1)
        out[:, 1] = np.clip(np.nan_to_num(self.x[slots]), 0, self.terrain.width - 1)
        return out

    def footing(self, slots: np.ndarray) -> np.ndarray:
        """Tiles from which their searches start: under them, else the nearest they can stand on, else (-1, -1)."""
        return find_footing(self.terrain, self.manager.requests.movement_class[slots], self.tiles(slots))

    def footing_of(self, slot: int) -> tuple[int, int]:
        """:meth:`footing` of one slot."""
        x, y = float(self.x[slot]), float(self.y[slot])
        if 0 <= x < self.terrain.width and 0 <= y < self.terrain.height:
            tile = int(y), int(x)
            if int(self.terrain.passable[tile]) >> int(self.manager.requests.movement_class[slot]) & 1:
                return tile
        near = self.footing(np.array([slot]))[0]
        return int(near[0]), int(near[1])

    def starts(self, slots: np.ndarray) -> np.ndarray:
        """Where their next searches start: the ends of their paths, or without one where they stand; int32[n, 2]."""
        ends = self.manager.store.end_tile(slots)
        out = np.stack([ends // self.terrain.width, ends % self.terrain.width], axis=1).astype(np.int32)
        bare = ends < 0
        if bare.any():
            out[bare] = self.footing(slots[bare])
        return out

    def start_of(self, slot: int) -> tuple[int, int]:
        """Where its next search starts: the end of its path, or without one where it stands."""
        end = self.manager.store.end_of(slot)
        return divmod(end, self.terrain.width) if end >= 0 else self.footing_of(slot)

    def advance(self, slots: np.ndarray | None) -> None:
        """Advance paths of ``slots``, None: of all, to the waypoints they should head for."""
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
        """Note whose path changed, so that it is advanced past the tile it starts on."""
        self.written.append(np.asarray(slots, np.int64).reshape(-1))

    def changed(self) -> np.ndarray:
        """Slots with a path that changed in this update."""
        if not self.written:
            return np.zeros(0, np.int64)
        slots = np.unique(np.concatenate(self.written))
        return slots[self.manager.store.path_len[slots] > 0]

    def note(self, slot: int, decision: Decision, a: int = 0, b: int = 0, c: int = 0) -> None:
        """Write a decision about one slot's unit into the trace."""
        self.manager.trace.note(self.tick, int(self.manager.requests.unit[slot]), decision, a, b, c)

    def note_many(self, slots: np.ndarray, decision: Decision, a: object = 0, b: object = 0, c: object = 0) -> None:
        """The same decision about many."""
        if len(slots):
            self.manager.trace.note_many(self.tick, self.manager.requests.unit[slots], decision, a, b, c)

    def news(self, slots: list[int]) -> np.ndarray:
        """Distinct slots ordered by unit id."""
        return self.manager.requests.by_unit(np.unique(np.array(slots, np.int64)))
