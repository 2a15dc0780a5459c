"""Path edits: finds cut paths and changed goals after map edits, before units move.

A unit whose path is cut by a door requests again in the same tick, long before it reaches the door. A door that opens
restores the goals that it had replaced. Running searches are not restarted: they keep the tiles they saw, and their
result is checked when it arrives ("AI Game Programming Wisdom", 3.3).
"""

from __future__ import annotations

import numpy as np

from ai.paths.replanning.moving_doors import FLAPS
from ai.paths.requests.destinations import give_back, settle_goals
from ai.paths.requests.goal_resolution import labels_of
from ai.paths.requests.request_columns import Phase, among
from ai.paths.requests.request_lifecycle import withdraw
from ai.paths.state.path_trace import Decision
from ai.paths.store.following_kernels import Flag
from ai.paths.update_context import PathTick

HOLDS = (Phase.READY, Phase.PARTIAL, Phase.FLOWING, Phase.LEGS)
"""Phases with a path that can be kept."""

_RECTANGLES = 8
"""Edits per tick above which one check of the whole map is cheaper."""


def follow_edits(now: PathTick) -> None:
    """Update paths and goals after edits of passability since the last update."""
    manager, terrain = now.manager, now.terrain
    if manager.revision == terrain.revision:
        return
    rectangles = terrain.changes_since(manager.revision, ("passable",))
    manager.revision = terrain.revision
    if rectangles is None or len(rectangles) > _RECTANGLES:
        rectangles = [(0, 0, terrain.height, terrain.width)]
    if not rectangles:
        return
    r = manager.requests
    for rectangle in rectangles:
        manager.store.mark_cut(terrain, r.movement_class, now.x, now.y, rectangle)
        number = manager.doors.moved(rectangle, now.tick)
        cut = (manager.store.flags & Flag.CUT) != 0
        free = r.by_unit(np.flatnonzero((r.held_by == number) & ~cut[: len(r.held_by)]))
        r.held_by[free] = -1
        now.note_many(free, Decision.HELD_OPEN)
        _hold(now, number, rectangle, r.by_unit(np.flatnonzero(cut)))
    _move_goals(now)
    _drop_cut_paths(now)


def release_held(now: PathTick) -> None:
    """Request another path for units that waited long enough for a door."""
    r = now.manager.requests
    waiting = np.flatnonzero(r.held_by >= 0)
    if len(waiting) == 0:
        return
    stale = waiting[~among(r.phase[waiting], HOLDS)]
    r.held_by[stale] = -1
    due = r.by_unit(waiting[(r.held_by[waiting] >= 0) & (r.held_until[waiting] <= now.tick)])
    if len(due) == 0:
        return
    r.held_by[due] = -1
    now.manager.store.flags[due] |= int(Flag.CUT)
    _drop_cut_paths(now)


def _hold(now: PathTick, number: int, rectangle: tuple[int, int, int, int], cut: np.ndarray) -> None:
    """Keep paths of ``cut`` slots for a while; return those kept.

    A path is kept if the cut is far ahead, or at a door that moved often recently. That costs nothing, and the door may
    be open before the unit arrives. A unit never walks through a shut door, because bodies stop at it.
    """
    manager, r, settings = now.manager, now.manager.requests, now.settings
    cut = cut[among(r.phase[cut], HOLDS)]
    if len(cut) == 0 or settings.door_wait == 0:
        return
    y0, x0, y1, x1 = rectangle
    dy = np.maximum(np.maximum(y0 - now.y[cut], now.y[cut] - y1), 0.0)
    dx = np.maximum(np.maximum(x0 - now.x[cut], now.x[cut] - x1), 0.0)
    away = np.maximum(dy, dx).astype(np.int64)
    often = manager.doors.times(number, now.tick)
    # A unit does not walk far towards an unreachable goal, unless the door is expected to move again.
    here = labels_of(now.components, r.movement_class[cut], now.tiles(cut))
    there = labels_of(now.components, r.movement_class[cut], r.goal[cut])
    held = ((away >= settings.door_far) & (here == there)) | (often >= FLAPS)
    again = r.held_by[cut] == number
    slots, away = cut[held], away[held]
    manager.store.flags[slots] &= ~np.uint8(Flag.CUT)
    # A door that shuts once more does not restart the wait.
    fresh = ~again[held]
    r.held_until[slots[fresh]] = now.tick + settings.door_wait
    r.held_by[slots] = number
    now.note_many(slots[fresh], Decision.HELD, away[fresh], settings.door_wait, often)


def _move_goals(now: PathTick) -> None:
    """Resolve every goal again; a changed answer requests a new path."""
    r = now.manager.requests
    active = r.in_phase(Phase.WAITING, Phase.OPEN, Phase.READY, Phase.PARTIAL, Phase.PARKED, Phase.FLOWING, Phase.LEGS)
    active = active[r.held_by[active] < 0]
    if len(active) == 0:
        return
    starts = now.footing(active)
    active, starts = active[starts[:, 0] >= 0], starts[starts[:, 0] >= 0]
    before = r.goal[active].copy()
    reopened = give_back(now, active, starts)
    goals = settle_goals(now, active, starts)
    moved = (goals != before).any(axis=1) & (goals[:, 0] >= 0)
    slots, goals = active[moved], goals[moved]
    if len(slots) == 0:
        return
    reached = (goals == r.place[slots]).all(axis=1)
    now.note_many(np.union1d(slots[reached], reopened), Decision.REOPENED)
    withdraw(now.manager.queue, r, slots)
    r.phase[slots] = Phase.NEW
    r.asked[slots] = now.tick


def _drop_cut_paths(now: PathTick) -> None:
    """Drop cut paths: queued units get another quick path, the others request again."""
    manager, r = now.manager, now.manager.requests
    cut = r.by_unit(np.flatnonzero((manager.store.flags & Flag.CUT) != 0))
    if len(cut) == 0:
        return
    manager.store.flags[cut] = 0
    now.note_many(cut, Decision.CUT)
    phase = r.phase[cut]
    again = cut[among(phase, HOLDS)]
    r.phase[again] = Phase.NEW
    r.asked[again] = now.tick
    manager.statistics.replanned += len(again)
    rest = cut[phase != Phase.NEW]
    goals = manager.store.goal[rest]
    manager.store.clear(rest)
    manager.store.goal[rest] = goals
    r.starved[rest] = 0
