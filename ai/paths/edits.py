"""Map edits: which stored paths are cut, which goals moved.  Runs before anybody takes another step.

A door that shuts on a path makes its unit ask again at once, long before it stands at the door; a door that opens
gives back the goals that had been replaced.  Searches under way are not restarted: their tiles are frozen, and what
they bring is checked when it arrives ("AI Game Programming Wisdom", 3.3).
"""

from __future__ import annotations

import numpy as np

from ai.paths.context import PathTick
from ai.paths.destinations import give_back, settle_goals
from ai.paths.following import Flag
from ai.paths.requests import Phase
from ai.paths.service import withdraw
from ai.paths.trace import Decision

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
    _move_goals(now)
    for rectangle in rectangles:
        manager.store.mark_cut(terrain, manager.requests.klass, now.x, now.y, rectangle)
    _drop_cut_paths(now)


def _move_goals(now: PathTick) -> None:
    """Ask the components again for every goal; whose answer differs asks for a new way."""
    r = now.manager.requests
    active = r.in_phase(Phase.WAITING, Phase.OPEN, Phase.READY, Phase.PARTIAL, Phase.PARKED)
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
    r.detour[slots] = ~reached
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
    again = cut[(phase == Phase.READY) | (phase == Phase.PARTIAL)]
    r.phase[again] = Phase.NEW
    r.asked[again] = now.tick
    manager.statistics.replanned += len(again)
    rest = cut[phase != Phase.NEW]
    goals = manager.store.goal[rest]
    manager.store.clear(rest)
    manager.store.goal[rest] = goals
    r.starved[rest] = 0
