"""The path manager: the entry point for path requests.

The docstring of the package describes the life of a path.

Source: "AI Game Programming Wisdom", 3.3; goals by 4.5; partial paths by 3.5.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ai.core.scheduling.periods import turn_of
from ai.core.serialization import record
from ai.grid.components import Components
from ai.grid.terrain import Terrain
from ai.grid.tiles import narrowed
from ai.paths import queue_stages
from ai.paths.argument_checks import column_of, slots_of, tiles_of
from ai.paths.engines.engine_choice import (
    ASTAR,
    ENGINE_NAMES,
    FORCED,
    choose_engines,
    distance,
    reason_of,
    rule_of,
)
from ai.paths.quick import priority_path, quick_path
from ai.paths.replanning import incremental_refinement, local_replanning, path_edits
from ai.paths.requests import admission, futility
from ai.paths.requests.path_queue import QueueRow
from ai.paths.requests.request_columns import TURNS, Phase, among
from ai.paths.requests.request_lifecycle import ask_again, withdraw
from ai.paths.requests.urgency import are_urgent
from ai.paths.settings import PathSettings, Refinement
from ai.paths.splice import path_splicing
from ai.paths.state.path_state import Flood, PathState
from ai.paths.state.path_trace import Decision
from ai.paths.store.following_kernels import Flag
from ai.paths.store.path_store import REPLACE, PathSource, PathStore
from ai.paths.update_context import WAITING_CROWD, PathTick, PathUnits
from ai.search.astar.astar import AStarSearch

__all__ = ["Flood", "PathManager", "PathNews", "PathUnits"]


@dataclass(frozen=True)
class PathNews:
    """Results of one update: slots, ordered by unit id."""

    arrived: np.ndarray
    lost: np.ndarray


@record
class PathManager(PathState):
    """Paths of all unit slots on one map.

    Create one with :meth:`build`; call :meth:`update` once per tick.
    """

    @classmethod
    def build(cls, terrain: Terrain, capacity: int = 64) -> PathManager:
        """Return a manager without requests; slots are added on request.

        For a level marked static, call ``engines.make_static`` next.
        """
        made = cls(PathStore.build(terrain.width, capacity), AStarSearch(terrain.height, terrain.width))
        made.revision = made.routes.revision = terrain.revision
        made.requests.reserve(made.store.capacity)
        made.engines.prepare(terrain)
        return made

    def reserve(self, slots: int) -> None:
        """Grow to the unit slots 0..slots-1."""
        if slots > self.store.capacity:
            self.store.reserve(slots)
        self.requests.reserve(self.store.capacity)

    def request(
        self,
        slots: Any,
        units: Any,
        goals: Any,
        movement_class: Any,
        tick: int,
        favoured: Any = 0,
        ordered_at: Any = None,
        points: Any = None,
    ) -> None:
        """Request paths; they are ready after the next :meth:`update`.

        ``goals`` int[n, 2] (y, x), or one for all, may be any tiles: each stands for the nearest reachable tile.
        ``movement_class`` holds the movement classes. ``favoured`` 1 gives a request preference in the biased scheme.

        ``ordered_at`` is the ordered tile if ``goals`` already replace an unreachable tile (one look-up per order).
        If the map opens a path to it in time, the units go there instead, spread out.

        ``points`` float64[n, 2] (x, y) are the units' own places inside their goal tiles; NaN or None: the centres.

        Repeating a request for the same goal changes nothing. Raises ValueError if shapes do not fit.
        """
        chosen = slots_of(slots)
        n = len(chosen)
        ids = np.asarray(units).reshape(-1)
        if ids.shape != (n,):
            raise ValueError(f"{n} slots need units [{n}], got {ids.shape}")
        if n == 0:
            return
        tiles = narrowed(tiles_of("goals", goals, n))
        meant = tiles if ordered_at is None else narrowed(tiles_of("ordered_at", ordered_at, n))
        kinds, liked = column_of("movement_class", movement_class, n), column_of("favoured", favoured, n)
        own = np.full((n, 2), np.nan) if points is None else np.asarray(points, np.float64)
        if own.shape != (n, 2):
            raise ValueError(f"points must be [{n}, 2] of (x, y), got {own.shape}")
        self.reserve(int(chosen.max()) + 1)
        r, known = self.requests, self.store.end_point
        phase = r.phase[chosen]
        under_way = (phase != Phase.IDLE) & (r.place[chosen] == tiles).all(axis=1) & (r.movement_class[chosen] == kinds)
        under_way &= ((known[chosen] == own) | (np.isnan(known[chosen]) & np.isnan(own))).all(axis=1)
        fresh = ~under_way
        at = chosen[fresh]
        if len(at) == 0:
            return
        withdraw(self.queue, r, at)
        known[at] = own[fresh]
        r.unit[at] = ids[fresh]
        r.turn[at] = turn_of(r.unit[at], TURNS)
        r.movement_class[at] = kinds[fresh]
        r.favoured[at] = liked[fresh]
        r.place[at] = tiles[fresh]
        r.ordered_at[at] = meant[fresh]
        r.nearest_tile[at] = -1
        r.detour[at] = r.met[at] = 0
        r.plain[at] = 0
        r.unled[at] = 0
        r.led_by[at] = -1
        r.held_by[at] = r.looked[at] = -1
        r.futile[at] = r.sealed[at] = r.dares[at] = r.local_due[at] = 0
        r.tries[at] = 0
        r.nearest[at] = 1 << 30
        r.asked[at] = tick
        r.phase[at] = Phase.NEW
        self.statistics.requested += len(at)
        at = r.by_unit(at)
        self.trace.note_many(tick, r.unit[at], Decision.REQUESTED, r.place[at, 0], r.place[at, 1])

    def cancel(self, slots: Any, tick: int = 0) -> None:
        """Drop the requests and paths of ``slots``."""
        chosen = slots_of(slots)
        chosen = chosen[chosen < self.requests.capacity]
        active = chosen[(self.requests.phase[chosen] != Phase.IDLE) | (self.store.path_len[chosen] > 0)]
        if len(active) == 0:
            return
        withdraw(self.queue, self.requests, active)
        self.store.clear(active)
        self.requests.phase[active] = Phase.IDLE
        self.trace.note_many(tick, self.requests.unit[active], Decision.CANCELLED)

    def take_path(self, terrain: Terrain, slot: int, corners: np.ndarray) -> None:
        """Store a whole path from another source and end the slot's search.

        ``corners`` int32[n, 2] (y, x) lead from the unit's tile to its goal.
        """
        at = slots_of([slot], self.store.capacity)
        corners = np.array(tiles_of("corners", corners, len(corners), terrain), np.int32)
        withdraw(self.queue, self.requests, at)
        goal = self.store.goal[at]
        self.store.write(
            terrain,
            at,
            self.requests.movement_class[at],
            corners,
            np.array([len(corners)]),
            PathSource.FULL,
            REPLACE,
            smoother="",
        )
        self.store.goal[at] = goal
        self.store.final[slot] = 1
        self.requests.phase[slot] = Phase.READY

    def replan(self, slots: Any, tick: int) -> None:
        """Request the paths of stuck or blocked units again from where they stand.

        After enough failures in a row the unit loses its path.
        """
        chosen = slots_of(slots)
        r = self.requests
        chosen = chosen[chosen < r.capacity]
        chosen = r.by_unit(
            chosen[
                among(
                    r.phase[chosen], (Phase.WAITING, Phase.OPEN, Phase.READY, Phase.PARTIAL, Phase.FLOWING, Phase.LEGS)
                )
            ]
        )
        if len(chosen):
            ask_again(self, chosen, tick)

    def waits_for_doors(self, slots: np.ndarray) -> np.ndarray:
        """Return bool[n]: slots that wait for a map change to reopen their path."""
        r = self.requests
        known = slots < r.capacity
        at = np.where(known, slots, 0)
        return np.asarray(known & (r.phase[at] != Phase.IDLE) & ((r.held_by[at] >= 0) | (r.detour[at] > 0)))

    def wait_for_path(self, slots: Any, tick: int, settings: PathSettings) -> np.ndarray:
        """Return those of ``slots`` that stopped to wait for a map change.

        They have not arrived: each stands before a door, or as near to its goal as it can since an edit cut it off.
        """
        chosen = slots_of(slots)
        r = self.requests
        chosen = chosen[chosen < r.capacity]
        waits = self.waits_for_doors(chosen)
        before_doors = chosen[waits & (r.held_by[chosen] >= 0)]
        chosen = r.by_unit(chosen[waits & (r.held_by[chosen] < 0)])
        if len(chosen):
            withdraw(self.queue, r, chosen)
            fresh = chosen[r.phase[chosen] != Phase.PARKED]
            kept = self.store.goal[chosen]
            self.store.clear(chosen)
            self.store.goal[chosen] = kept
            r.phase[chosen] = Phase.PARKED
            r.deadline[fresh] = tick + settings.patience
            self.trace.note_many(tick, r.unit[fresh], Decision.PARKED, settings.patience)
        return np.concatenate([before_doors, chosen])

    def update(
        self,
        terrain: Terrain,
        components: Components,
        x: np.ndarray,
        y: np.ndarray,
        tick: int,
        settings: PathSettings,
        bodies: PathUnits | None = None,
        spent: int = 0,
    ) -> PathNews:
        """Run one tick: follow edits, advance units, start requests and serve the queue.

        ``x`` and ``y`` float64[slots] are the units' positions in tiles. ``components`` must be up to date. ``bodies``
        has one row per slot; without it, no unit avoids bodies and hazards on its path. ``spent`` is the number of
        revolutions already used for group paths in this tick (:mod:`ai.paths.groups.group_paths`).
        """
        if terrain.width != self.store.width:
            raise ValueError(
                f"the paths are for a map of width {self.store.width}, the terrain has width {terrain.width}"
            )
        if len(x) != len(y) or components.revision != terrain.revision:
            raise ValueError(
                f"positions are {len(x)} and {len(y)} long; components at revision {components.revision}, "
                f"terrain at {terrain.revision}"
            )
        self.reserve(len(x))
        now = PathTick(
            self, terrain, components, _padded(x, self.store.capacity), _padded(y, self.store.capacity), tick, settings,
            bodies,
        )  # fmt: skip
        now.pulled = self.store.pay(settings.budget // 8)
        self.statistics.begin_tick(spent)
        self.queue.served.clear()
        waiting = np.flatnonzero(self.requests.held_by >= 0)
        if len(waiting):
            self.store.show_heads(terrain, waiting, self.requests.movement_class, now.x, now.y)
        self.routes.follow(terrain)
        path_edits.follow_edits(now)
        path_edits.release_held(now)
        if self.engines.drop_tables(terrain):
            self.trace.note(tick, -1, Decision.TABLES_DROPPED)
        asking = (
            np.unique(self.requests.movement_class[self.requests.phase != Phase.IDLE])
            if rule_of(settings).tables
            else ()
        )
        levels, classes = settings.levels if settings.hierarchy == Refinement.LAZY else 0, [int(k) for k in asking]
        now.mended = self.engines.follow(terrain, settings.budget // 2, settings.engine, classes, levels)
        self.statistics.mended_this_tick = now.mended
        incremental_refinement.follow_edits(now)
        now.crowded = quick_path.waiting_ahead(now) > WAITING_CROWD
        now.advance(None)
        flagged = np.flatnonzero(self.store.flags)
        flags = self.store.flags[flagged]
        queue_stages.ends_reached(now, flagged[(flags & Flag.AT_END) != 0])
        quick_path.lead_back(now, flagged[(flags & Flag.OFF_PATH) != 0])
        local_replanning.find_obstructed(now)
        local_replanning.find_endangered(now)
        futility.watch(now)
        local_replanning.serve_line(now)
        quick_path.start_new(now, admission.whose_turn(now, self.requests.in_phase(Phase.NEW)))
        queue_stages.serve_queue(now)
        if now.for_run_outs:
            priority_path.help_run_outs(now)
        now.advance(now.changed())
        path_splicing.wipe_ended(now)
        waiting = np.flatnonzero(self.requests.held_by >= 0)
        if len(waiting):
            self.store.stop_at_doors(terrain, waiting, self.requests.movement_class, now.x, now.y)
        self.statistics.end_tick(int(np.count_nonzero(self.requests.phase == Phase.WAITING)), len(self.queue.open))
        return PathNews(now.news(now.arrived), now.news(now.lost))

    def listing(
        self, tick: int, most: int = 64, terrain: Terrain | None = None, settings: PathSettings | None = None
    ) -> list[QueueRow]:
        """Return the queue for the overlay: open searches in turn order, then waiting requests.

        With ``terrain`` and ``settings``, waiting rows name the engine that would serve them now, and all rows give the
        reason.
        """
        ends = self.store.end_tile(np.arange(self.store.capacity))
        starts = np.where(ends >= 0, ends, self.requests.same_from)
        rows = self.queue.listing(self.requests, self.store.width, tick, starts, most)
        if terrain is None or settings is None or not rows:
            return rows
        first, last = np.array([row.start for row in rows]), np.array([row.goal for row in rows])
        plain = np.array([row.plain for row in rows], np.uint8)
        tabled = np.isin([row.movement_class for row in rows], self.engines.static)
        units = [row.unit for row in rows]
        slots = self.requests.in_phase(Phase.WAITING, Phase.OPEN)
        slots = slots[np.searchsorted(self.requests.unit[slots], units)]
        urgent = are_urgent(self.requests, slots, tick)
        codes = choose_engines(terrain, settings, first, last, plain, tabled, urgent)
        codes = self.engines.answers(terrain, settings, codes, np.array([row.movement_class for row in rows]))
        codes[[row.stage == "open" for row in rows]] = ASTAR
        for i, (code, away) in enumerate(zip(codes.tolist(), distance(first, last).tolist(), strict=True)):
            name = settings.engine if code == FORCED else ENGINE_NAMES[code]
            rows[i] = replace(rows[i], engine=name, reason=reason_of(terrain, settings, code, away, rows[i].plain))
        return rows


def _padded(column: np.ndarray, length: int) -> np.ndarray:
    if len(column) == length and column.dtype == np.float64 and column.flags.c_contiguous and column.flags.writeable:
        return column
    out = np.zeros(length)
    out[: len(column)] = column
    return out


TECHNIQUES = (
    {
        "slug": "path-queue",
        "name": "Path manager and queue",
        "ids": ("AW-3.3-1", "AW-3.3-2"),
        "source": "AI Game Programming Wisdom, 3.3",
        "functions": ("PathManager.request", "PathManager.update"),
        "test": "tests/ai/paths/requests/test_path_queue.py",
        "exhibit": "levels/exhibits/paths/slicing.budget.toml",
        "overlay": "queue",
        "setting": "paths.budget",
        "measure": "waited",
        "direction": "down",
        "claim": "The last turn of a tick is cut to the budget, where the source lets it run over.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
