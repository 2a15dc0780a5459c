"""Map edits: which stored paths are cut, which goals moved.  Runs before anybody takes another step.

A door that shuts on a path makes its unit ask again at once, long before it stands at the door; a door that opens
gives back the goals that had been replaced.  Searches under way are not restarted: their tiles are frozen, and what
they bring is checked when it arrives ("AI Game Programming Wisdom", 3.3).
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
"""Who has a way to keep."""

_RECTANGLES = 8
"""Above this many edits in one tick one look over the whole map is cheaper than a look each."""


def follow_edits(now: PathTick) -> None:
    """Follow what changed in passability since the last update."""
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
    """Who waited long enough for a door asks for another way."""
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
    """Of ``cut``, those that keep their way for a while: far from the spot, or at a door that has moved often lately.

    It costs them nothing, and the door may be open again before they are there.  A unit never walks through a shut
    door: bodies stop at it.
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
    # Nobody walks far towards a goal that cannot be reached, unless the door is expected to move again.
    here = labels_of(now.components, r.movement_class[cut], now.tiles(cut))
    there = labels_of(now.components, r.movement_class[cut], r.goal[cut])
    held = ((away >= settings.door_far) & (here == there)) | (often >= FLAPS)
    again = r.held_by[cut] == number
    slots, away = cut[held], away[held]
    manager.store.flags[slots] &= ~np.uint8(Flag.CUT)
    # A door that shuts once more does not start the wait anew.
    fresh = ~again[held]
    r.held_until[slots[fresh]] = now.tick + settings.door_wait
    r.held_by[slots] = number
    now.note_many(slots[fresh], Decision.HELD, away[fresh], settings.door_wait, often)


def _move_goals(now: PathTick) -> None:
    """Ask the components again for every goal; whose answer differs asks for a new way."""
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
    """Whose way is cut: a unit in the queue keeps its place and gets another quick path, any other asks again."""
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
