"""Path splicing: joins a finished search to the unit's present path.

A quick path followed by a full path often has a hook, because the quick path went the wrong direction. The splice is
one more limited search, from the unit's tile to a tile far enough along the full path. The part between them is
dropped. If the search does not succeed within its limit, the path stays as it was.

Source: "AI Game Programming Wisdom", 3.3.
"""

from __future__ import annotations

import math

import numpy as np

from ai.paths.engines.engine_choice import full_smoother, rule_of
from ai.paths.requests.path_queue import OpenSearch
from ai.paths.requests.request_columns import Phase
from ai.paths.state.path_trace import Decision
from ai.paths.store.path_store import APPEND, REPLACE, PathSource
from ai.paths.update_context import PathTick
from ai.search.astar.astar import FOUND, AStarSearch


def hand_over(now: PathTick, entry: OpenSearch, stage: PathSource) -> None:
    """Remove ``entry`` from the queue and deliver its path, complete or partial.

    ``stage`` is FULL or PRIORITY.
    """
    manager, slot = now.manager, entry.slot
    requests, statistics = manager.requests, manager.statistics
    slab = manager.queue.slabs[entry.slab]
    found = slab.status == FOUND
    tiles = slab.path()
    spent, age = slab.revolutions, now.tick - int(requests.asked[slot])
    began_at = slab.terrain_revision
    _keep_flood(now, entry, slab)
    manager.queue.drop(entry)
    if began_at != now.terrain.revision and not still_open(now, slot, tiles):
        # The search could not see the edit, because it keeps its tiles. The next update requests again.
        requests.phase[slot] = Phase.NEW
        statistics.replanned += 1
        now.note(slot, Decision.CUT)
        return
    if found:
        now.note(slot, Decision.FULL, len(tiles), spent, age)
    else:
        statistics.failed += 1
        now.note(slot, Decision.GAVE_UP, spent, len(tiles))
    if not join(now, slot, tiles, stage, whole=found):
        requests.phase[slot] = Phase.NEW
        requests.tries[slot] += 1
        now.note(slot, Decision.REPLANNED, int(requests.tries[slot]))
        return
    requests.phase[slot] = Phase.READY if found else Phase.PARTIAL
    manager.store.final[slot] = found
    if found and stage == PathSource.FULL:
        statistics.full_arrived(age)


def join(now: PathTick, slot: int, tiles: np.ndarray, stage: PathSource, *, whole: bool = True) -> bool:
    """Store ``tiles`` as the unit's path; return False if it cannot reach them.

    ``tiles`` int32[n, 2] begin at the start of a search. ``whole``: they lead to the goal, so the path from the unit's
    tile is kept in the route cache.
    """
    manager, settings = now.manager, now.settings
    here = now.footing_of(slot)
    if here[0] < 0:
        return False
    end = manager.store.end_of(slot)
    first = int(tiles[0, 0]) * now.terrain.width + int(tiles[0, 1])
    follows_on = end == first
    on_it = np.flatnonzero((tiles[:, 0] == here[0]) & (tiles[:, 1] == here[1]))
    if len(on_it) and (settings.splice or not follows_on):
        # The unit is on the new path already: no splice is needed, and the part behind it is dropped.
        k = int(on_it[-1])
        lay(now, slot, tiles[k:], stage, REPLACE)
        if whole:
            remember(now, slot, tiles[k:])
        if k > 0:
            manager.statistics.splice += 1
            now.note(slot, Decision.SPLICED, 1, k)
        return True
    reach = max(3, int(manager.requests.quick[slot]))
    k = min(len(tiles) - 1, math.ceil(reach * settings.splice_reach))
    spent = 0
    if settings.splice:
        found, path, spent = search_at_once(now, slot, here, (int(tiles[k, 0]), int(tiles[k, 1])), settings.splice_cap)
        if found:
            stages = np.full(len(path) + len(tiles) - k - 1, stage, np.uint8)
            stages[: len(path)] = PathSource.SPLICE
            joined = np.concatenate([path, tiles[k + 1 :]])
            lay(now, slot, joined, stages, REPLACE)
            if whole:
                remember(now, slot, joined)
            manager.statistics.splice += 1
            now.note(slot, Decision.SPLICED, len(path), k, spent)
            return True
    if follows_on:
        if settings.splice:
            now.note(slot, Decision.SPLICE_REFUSED, 0, spent)
        lay(now, slot, tiles, stage, APPEND)
        return True
    # The unit walked on while the search ran, so it must get back to the start of the search.
    found, path, spent = search_at_once(now, slot, here, (int(tiles[0, 0]), int(tiles[0, 1])), 4 * settings.splice_cap)
    if found:
        stages = np.full(len(path) + len(tiles) - 1, stage, np.uint8)
        stages[: len(path)] = PathSource.SPLICE
        lay(now, slot, np.concatenate([path, tiles[1:]]), stages, REPLACE)
        now.note(slot, Decision.JOINED, 0, spent)
    return found


def remember(now: PathTick, slot: int, tiles: np.ndarray) -> None:
    """Keep the whole path of a slot in the route cache.

    A forced search is left out, because it always answers itself.
    """
    manager, settings = now.manager, now.settings
    if rule_of(settings).free:
        movement_class = int(manager.requests.movement_class[slot])
        manager.routes.keep(now.terrain, movement_class, tiles, now.tick, settings.remembered_routes)


def lay(now: PathTick, slot: int, tiles: np.ndarray, stages: np.ndarray | PathSource, mode: int) -> None:
    """Store one piece of path for one slot."""
    slots = np.array([slot])
    now.manager.store.write(
        now.terrain,
        slots,
        now.manager.requests.movement_class[slots],
        tiles,
        np.array([len(tiles)]),
        stages,
        mode,
        smoother=full_smoother(now.settings),
    )
    now.wrote(slots)


def search_at_once(
    now: PathTick, slot: int, start: tuple[int, int], goal: tuple[int, int], cap: int
) -> tuple[bool, np.ndarray, int]:
    """Search with at most ``cap`` revolutions: (found, tiles int32[n, 2], revolutions).

    The tiles may be those of a partial path.
    """
    slab = now.manager.instant
    slab.begin(now.terrain, int(now.manager.requests.movement_class[slot]), start, goal, cap)
    slab.run(now.terrain, cap)
    now.manager.statistics.quick_this_tick += slab.revolutions
    return slab.status == FOUND, slab.path(), slab.revolutions


def wipe_ended(now: PathTick) -> None:
    """Clear ended searches in free slabs, so that snapshots need not carry them."""
    manager = now.manager
    for slab in [manager.instant, *(manager.queue.slabs[i] for i in manager.queue.free)]:
        if slab.revolutions:
            slab.begin(now.terrain, 0, (0, 0), (0, 0))


def still_open(now: PathTick, slot: int, tiles: np.ndarray) -> bool:
    """Return True if every step of ``tiles`` is legal on the present terrain."""
    passable, bit = now.terrain.passable, 1 << int(now.manager.requests.movement_class[slot])
    ys, xs = tiles[1:, 0], tiles[1:, 1]
    before_y, before_x = tiles[:-1, 0], tiles[:-1, 1]
    return bool((passable[ys, xs] & passable[before_y, xs] & passable[ys, before_x] & bit).all())


def _keep_flood(now: PathTick, entry: OpenSearch, slab: AStarSearch) -> None:
    """Record the tiles of a search, once per tick, for the flood overlay."""
    if now.flooded:
        return
    now.flooded = True
    flood = now.manager.flood
    flood.unit, flood.tick, flood.revolutions = entry.unit, now.tick, slab.revolutions
    flood.y, flood.x, _, _ = slab.dirty_rectangle
    flood.tiles = slab.dirty_status & np.uint8(15)


TECHNIQUES = (
    {
        "slug": "full-path",
        "name": "Full path from the queue",
        "ids": ("AW-3.3-5",),
        "source": "AI Game Programming Wisdom, 3.3",
        "functions": ("search_at_once", "remember"),
        "test": "tests/ai/paths/replanning/test_path_edits.py",
        "exhibit": "levels/exhibits/paths/path_stages.toml",
        "overlay": "paths",
        "reason": "The exhibit is that of another technique.",
        "claim": "A finished path that an edit has closed is searched again; the source leaves that to the mover.",
    },
    {
        "slug": "splice-path",
        "name": "Splice path",
        "ids": ("AW-3.3-6",),
        "source": "AI Game Programming Wisdom, 3.3",
        "functions": ("hand_over", "join"),
        "test": "tests/ai/paths/test_stages.py",
        "exhibit": "levels/exhibits/paths/path_stages.toml",
        "overlay": "paths",
        "setting": "paths.splice",
        "measure": "seconds",
        "direction": "down",
        "claim": "As told; a unit that stands on its new path already drops the part behind it without a search.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
