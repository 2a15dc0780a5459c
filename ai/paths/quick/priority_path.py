"""Priority paths for units at the end of their path before their search ends.

Beyond the limit per tick, a unit gets another quick path.

Source: "AI Game Programming Wisdom", 3.3.
"""

from __future__ import annotations

import numpy as np

from ai.paths.quick.quick_path import quick_paths, waiting_ahead
from ai.paths.requests.request_columns import Phase
from ai.paths.requests.request_filter import RequestFilter
from ai.paths.settings import PriorityEnd
from ai.paths.splice.path_splicing import hand_over, lay
from ai.paths.state.path_trace import Decision
from ai.paths.store.path_store import APPEND, PathSource
from ai.paths.update_context import PathTick
from ai.search.astar.astar import RUNNING
from ai.search.astar.quick_search import MAX_CAP, quick_search

QUICK_AGAIN_A_TICK = 120
"""Largest number of units per tick that get another quick path.

The others wait a tick or two.
"""


def help_run_outs(now: PathTick) -> None:
    """Give a priority path to queued units at the end of their path.

    Beyond this tick's limit they get another quick path.
    """
    now.advance(now.changed())
    manager, r, settings = now.manager, now.manager.requests, now.settings
    slots = r.filtered(RequestFilter.RUN_OUT, 0, None, manager.store.path_len, manager.store.flags)
    left = settings.priority_tick_cap if settings.priority else 0
    refused: list[int] = []
    searching = r.phase[slots] == Phase.OPEN
    for slot in slots[searching].tolist():
        served, spent = _rush(now, slot) if left >= settings.priority_cap else (False, 0)
        left -= spent
        if not served:
            refused.append(slot)
    waiting = slots[~searching]
    while len(waiting) and left >= settings.priority_cap:
        fit = left // settings.priority_cap
        unserved, spent = _ahead_of_the_queue(now, waiting[:fit])
        refused.extend(unserved.tolist())
        left -= spent
        waiting = waiting[fit:]
    refused.extend(waiting.tolist())
    if refused:
        _another_quick(now, r.by_unit(np.array(refused)), settings.priority_tick_cap - left)


def _rush(now: PathTick, slot: int) -> tuple[bool, int]:
    """Give an open search extra revolutions: (unit was served, revolutions spent)."""
    manager, settings = now.manager, now.settings
    queue, statistics = manager.queue, manager.statistics
    entry = queue.entry(slot)
    if entry is None or entry.rushed:
        return False, 0
    slab = queue.slabs[entry.slab]
    spent = slab.run(now.terrain, settings.priority_cap)
    statistics.quick_this_tick += spent
    entry.rushed = True
    path = slab.path()
    statistics.priority += 1
    finish = settings.priority_end == PriorityEnd.FINISH and len(path) > 1
    if slab.status != RUNNING or finish:
        now.note(slot, Decision.PRIORITY, spent, len(path))
        hand_over(now, entry, PathSource.PRIORITY)
        return True, spent
    end = manager.store.end_of(slot)
    if len(path) > 1 and end in (int(path[0, 0]) * now.terrain.width + int(path[0, 1]), -1):
        now.note(slot, Decision.PRIORITY_PARTIAL, spent, len(path))
        lay(now, slot, path, PathSource.PRIORITY, APPEND)
        return True, spent
    return False, spent


def _ahead_of_the_queue(now: PathTick, slots: np.ndarray) -> tuple[np.ndarray, int]:
    """Search priority paths in one call for units whose search has not begun.

    Returns (slots not served, revolutions spent).
    """
    manager, r, settings = now.manager, now.manager.requests, now.settings
    starts = now.starts(slots)
    grounded = starts[:, 0] >= 0
    unserved, slots, starts = slots[~grounded], slots[grounded], starts[grounded]
    if len(slots) == 0:
        return unserved, 0
    goals, cap = r.goal[slots], min(settings.priority_cap, MAX_CAP)
    result = quick_search(now.terrain, starts, goals, r.movement_class[slots], cap, cap + 1, pool=manager.store.pool)
    spent = int(result.revolutions.sum())
    manager.statistics.quick_this_tick += spent
    manager.statistics.priority += len(slots)
    moves = result.counts > 1
    finish = settings.priority_end == PriorityEnd.FINISH
    done = result.reached | (moves & finish)
    laid = moves | result.reached
    at, counts = slots[laid], result.counts[laid]
    if len(at):
        tiles = result.tiles[laid][np.arange(cap + 1) < counts[:, None]]
        # Its path ends where the search began, or it had none.
        manager.store.write(
            now.terrain, at, r.movement_class[at], tiles, counts, PathSource.PRIORITY, APPEND, smoother=settings.smooths
        )
        now.wrote(at)
    ended = slots[done]
    manager.store.final[ended] = result.reached[done]
    r.phase[ended] = np.where(result.reached[done], Phase.READY, Phase.PARTIAL)
    r.urgent[ended] = 0
    now.note_many(ended, Decision.PRIORITY, result.revolutions[done], result.counts[done])
    partial = laid & ~done
    now.note_many(slots[partial], Decision.PRIORITY_PARTIAL, result.revolutions[partial], result.counts[partial])
    _wait(now, slots[~laid])
    return unserved, spent


def _another_quick(now: PathTick, slots: np.ndarray, spent: int) -> None:
    """Give quick paths to units beyond the priority limit.

    They start at the ends of the units' present paths.
    """
    r = now.manager.requests
    if not now.settings.quick:
        _wait(now, slots)
        return
    starts = now.starts(slots)
    grounded = starts[:, 0] >= 0
    slots, starts = slots[grounded], starts[grounded]
    slots, starts = slots[:QUICK_AGAIN_A_TICK], starts[:QUICK_AGAIN_A_TICK]
    if len(slots) == 0:
        return
    now.note_many(slots, Decision.PRIORITY_REFUSED, spent)
    done = quick_paths(now, slots, starts, r.goal[slots].copy(), APPEND, waiting_ahead(now), explore=False)
    reached = slots[done]
    for slot in reached.tolist():
        entry = now.manager.queue.entry(slot)
        if entry is not None:
            now.manager.queue.drop(entry)
    # An open search whose extra revolutions are used leaves only waiting.
    stuck = slots[~done & (r.quick[slots] == 0)]
    rushed = [e.slot for e in now.manager.queue.open if e.rushed]
    _wait(now, stuck[np.isin(stuck, rushed) | (not now.settings.priority)])


def _wait(now: PathTick, slots: np.ndarray) -> None:
    """Let units without a nearer tile wait.

    In the queue they are before all units that still walk.
    """
    if len(slots) == 0:
        return
    r = now.manager.requests
    r.starved[slots] = 1
    r.urgent[slots] = 1
    now.manager.statistics.waits += len(slots)
    now.note_many(slots, Decision.WAITING)


TECHNIQUES = (
    {
        "slug": "priority-path",
        "name": "Priority path",
        "ids": ("AW-3.3-7",),
        "source": "AI Game Programming Wisdom, 3.3",
        "functions": ("help_run_outs",),
        "test": "tests/ai/paths/test_stages.py",
        "exhibit": "levels/exhibits/paths/path_stages.priority.toml",
        "overlay": "paths",
        "setting": "paths.priority",
        "measure": "seconds",
        "direction": "down",
        "claim": (
            "Beyond a common limit a tick a unit gets another quick path, where the source always finishes. The "
            "search stays in the queue; the source's rule, which ends it, is a setting."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
