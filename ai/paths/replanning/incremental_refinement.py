"""Incremental refinement: paths planned over clusters and refined leg by leg.

By default a long path is searched on the lowest level and stored whole (:mod:`ai.search.hierarchy.hpa_batch`), many in
one kernel. Of a thousand units sent across 512 x 512 tiles, 95% have their paths within 14 ticks that way. They need 27
ticks if each is planned here in its own call.

This is the source's scheme, for levels and exhibits that select it (``paths.hierarchy = "lazy"``). Its cluster levels
are built while the level is loaded. If it is selected in play, they are built in slices, and whole paths serve
meanwhile. A plan is discarded when an edit touches the rest of it, or when a body blocks it. A part that is never
walked costs nothing.

Source: "Journal of Game Development" 1, near-optimal hierarchical path-finding (path refinement; levels; replanning).
"""

from __future__ import annotations

import numpy as np

from ai.paths.engines.engine_choice import full_smoother
from ai.paths.requests.request_columns import Learnt, Phase
from ai.paths.requests.request_lifecycle import ask_again
from ai.paths.state.path_trace import Decision
from ai.paths.store.following_kernels import Flag
from ai.paths.store.path_store import APPEND, REPLACE, PathSource
from ai.paths.update_context import PathTick
from ai.search.hierarchy.hpa import HierarchicalSearch
from ai.search.hierarchy.hpa_walk import HierarchicalWalk

LEG = 24
"""Length of a leg in tiles.

Hops are refined up to this length, and the leg is smoothed.
"""

_NOBODY = np.zeros((0, 2), np.int32)

PLANS = 4
"""Largest number of plans for one that avoids standing bodies."""

IN_THE_WAY = 3
"""Distance in tiles within which a standing body counts as blocking."""


def search_of(now: PathTick, movement_class: int) -> HierarchicalSearch:
    """Return the search over the cluster levels of a class.

    It shares its graph with whole paths.
    """
    legs = now.manager.legs
    paths = now.manager.engines.paths_of(now.terrain, movement_class)
    search = legs.searches.get(movement_class)
    if search is None or search.graph is not paths.graph:
        search = legs.searches[movement_class] = HierarchicalSearch(paths.graph)
    return search


def follow_edits(now: PathTick) -> None:
    """Forget finished plans; plan again if an edit touched the rest of a plan."""
    legs, r = now.manager.legs, now.manager.requests
    for slot in [s for s in legs.walks if r.phase[s] in (Phase.IDLE, Phase.PARKED)]:
        del legs.walks[slot]
    for slot in [s for s in legs.stale if s not in legs.walks]:
        del legs.stale[slot]
    if legs.revision == now.terrain.revision:
        return
    changes = now.terrain.changes_since(legs.revision, ("passable", "cost"))
    legs.revision = now.terrain.revision
    if changes is None:
        changes = [(0, 0, now.terrain.height, now.terrain.width)]
    for slot in sorted(legs.walks) if changes else []:
        if r.phase[slot] == Phase.LEGS and legs.walks[slot].touched(
            now.manager.engines.paths[int(r.movement_class[slot])].graph, changes
        ):
            legs.stale[slot] = 1


def lead_on(now: PathTick, budget: int) -> int:
    """Refine the next legs and renew touched plans; return the revolutions spent.

    At most ``budget`` revolutions are used. Units that are not served come first in the next tick.
    """
    manager, r, store = now.manager, now.manager.requests, now.manager.store
    going = r.in_phase(Phase.LEGS)
    if len(going) == 0:
        return 0
    going = going[r.held_by[going] < 0]
    run_down = (store.path_len[going] <= 1) | ((store.flags[going] & Flag.AT_END) != 0)
    due = going[run_down | np.isin(going, list(manager.legs.stale))]
    # Standing units come before walking ones.
    due = due[np.lexsort((r.unit[due], store.path_len[due] > 0))]
    spent = 0
    lost: list[int] = []
    for slot in due.tolist():
        movement_class = int(r.movement_class[slot])
        walk = manager.legs.walks.get(slot)
        start = now.start_of(slot)
        if walk is None or start[0] < 0:
            lost.append(slot)
            continue
        if not manager.engines.leads_by_legs(now.terrain, movement_class, now.settings.levels):
            continue  # an edit is under repair, or other levels are being built
        search = search_of(now, movement_class)
        stale = slot in manager.legs.stale or not walk.fits(search.graph)
        need = dearest(search, plans=stale)
        if need > now.settings.budget // 2:
            r.plain[slot] = Learnt.PLAIN
            now.note(slot, Decision.TOO_DEAR, need)
            lost.append(slot)
            continue
        if spent + need > budget:
            break
        before = search.revolutions_ever
        search.forget()
        manager.legs.stale.pop(slot, None)
        if stale:
            walk.plan(search, now.terrain, start)
            now.note(slot, Decision.LEGS_AGAIN, walk.replans, len(walk.hops) - 1)
        ok = walk.found
        if ok and (not stale or store.path_len[slot] <= 1):
            _next_leg(now, slot, walk, search, start)
            ok = walk.found
        spent += search.revolutions_ever - before
        if not ok:
            lost.append(slot)
    if lost:
        ask_again(manager, r.by_unit(np.array(lost, np.int64)), now.tick)
    manager.statistics.revolutions_this_tick += spent
    return spent


def begin(
    now: PathTick, movement_class: int, slots: np.ndarray, goals: np.ndarray, limit: int
) -> tuple[int, np.ndarray]:
    """Plan paths for ``slots`` and store their first legs, within ``limit`` revolutions.

    Returns (revolutions spent, bool: which of the served slots have a path).
    """
    manager, r = now.manager, now.manager.requests
    search = search_of(now, movement_class)
    need, spent, found = dearest(search), 0, []
    starts = now.footing(slots)
    for slot, start, goal in zip(slots.tolist(), map(tuple, starts.tolist()), map(tuple, goals.tolist()), strict=True):
        if spent + need > limit:
            break
        before = search.revolutions_ever
        search.forget()
        known = manager.legs.walks.pop(slot, None)
        stands = _in_the_way(now, slot) if known is not None and r.tries[slot] and known.goal == goal else _NOBODY
        if start[0] < 0:
            found.append(False)
            continue
        if known is not None and len(stands) and spent + (PLANS + 1) * need <= limit and known.fits(search.graph):
            walk, parts = known, _leg_round(now, known, search, start, stands)
            now.note(slot, Decision.LEGS_BLOCKED, len(stands), walk.replans)
        else:
            walk = HierarchicalWalk.begin(search, now.terrain, start, goal)
            parts = _leg(now, walk, search, start) if walk.found else []
        spent += search.revolutions_ever - before
        found.append(walk.found)
        if walk.found:
            manager.legs.walks[slot] = walk
            _lay(now, slot, walk, parts, REPLACE)
            r.urgent[slot] = r.starved[slot] = 0
            manager.statistics.full_arrived(now.tick - int(r.asked[slot]))
            away = max(abs(goal[0] - start[0]), abs(goal[1] - start[1]))
            now.note(slot, Decision.BY_LEGS, away, len(search.graph.levels), len(walk.hops) - 1)
    return spent, np.array(found, bool)


def dearest(search: HierarchicalSearch, *, plans: bool = True) -> int:
    """Return the largest number of revolutions of a leg and its plan.

    A question is started only if they fit.
    """
    graph = search.graph
    # Searches inside clusters on all levels, to connect an end or to refine a hop.
    local = graph.size * graph.size + 4 * sum(int(level.counts.max(initial=0)) for level in graph.levels[:-1])
    # The main search settles each node of the highest level at most once.
    return 4 * local + (2 * local + int(graph.levels[-1].counts.sum()) if plans else 0)


def _next_leg(
    now: PathTick, slot: int, walk: HierarchicalWalk, search: HierarchicalSearch, start: tuple[int, int]
) -> None:
    """Refine the next leg from ``start`` and append it, unless no path is left."""
    replans = walk.replans
    parts = _leg(now, walk, search, start)
    if walk.replans > replans:
        now.note(slot, Decision.LEGS_AGAIN, walk.replans, len(walk.hops) - 1)
    if walk.found:
        _lay(now, slot, walk, parts, APPEND)


def _leg(now: PathTick, walk: HierarchicalWalk, search: HierarchicalSearch, start: tuple[int, int]) -> list[np.ndarray]:
    """Return the tiles ``int32[n, 2]`` of the next hops until they fill a leg.

    The first piece is ``start`` alone.
    """
    parts = [np.array([start], np.int32)]
    tiles = 0
    while tiles < LEG:
        last = parts[-1][-1]
        more = walk.ahead(search, now.terrain, (int(last[0]), int(last[1])))
        if len(more) == 0:
            break
        parts.append(more)
        tiles += len(more)
    return parts


def _leg_round(
    now: PathTick, walk: HierarchicalWalk, search: HierarchicalSearch, start: tuple[int, int], stands: np.ndarray
) -> list[np.ndarray]:
    """Return the first leg of a plan that avoids the tiles ``stands``.

    Without such a plan, it is the first leg of the best plan.
    """
    closed = stands
    for _ in range(PLANS):
        if not walk.blocked(search, now.terrain, start, closed):
            break
        parts = _leg(now, walk, search, start)
        through = [i for i, part in enumerate(parts) if (part[:, None] == stands[None]).all(axis=2).any()]
        if not through:
            return parts
        # The end of the blocked hop is not passable either.
        closed = parts[through[0]][-1:]
    walk.plan(search, now.terrain, start)
    return _leg(now, walk, search, start)


def _lay(now: PathTick, slot: int, walk: HierarchicalWalk, parts: list[np.ndarray], mode: int) -> None:
    manager, path, at = now.manager, np.concatenate(parts), np.array([slot])
    kept = manager.store.goal[at]
    counts = np.array([len(path)])
    manager.store.write(
        now.terrain,
        at,
        manager.requests.movement_class[at],
        path,
        counts,
        PathSource.FULL,
        mode,
        smoother=full_smoother(now.settings),
    )
    manager.store.goal[at] = kept
    now.wrote(at)
    there = (int(path[-1, 0]), int(path[-1, 1])) == walk.goal
    manager.store.final[slot] = there
    manager.requests.phase[slot] = Phase.READY if there else Phase.LEGS
    now.note(slot, Decision.LEG, len(path) - 1, walk.hops_begun, len(walk.hops) - 1)


def _in_the_way(now: PathTick, slot: int) -> np.ndarray:
    """Return the tiles ``int32[n, 2]`` of standing bodies near a unit, except its own."""
    if now.bodies is None:
        return _NOBODY
    n = len(now.bodies.standing)
    away = np.maximum(np.abs(now.x[:n] - now.x[slot]), np.abs(now.y[:n] - now.y[slot]))
    near = np.flatnonzero((now.bodies.standing != 0) & (away <= IN_THE_WAY))
    return now.tiles(near[near != slot])


TECHNIQUES = (
    {
        "slug": "leg-by-leg",
        "name": "Long paths refined leg by leg",
        "ids": ("JOGD-1.8", "JOGD-1.10", "JOGD-1.13"),
        "source": "Journal of Game Development 1, near-optimal hierarchical path-finding (refinement, replanning)",
        "functions": ("lead_on",),
        "test": "tests/ai/paths/replanning/test_incremental_refinement.py",
        "exhibit": "levels/exhibits/search/clusters.toml",
        "overlay": "plans",
        "setting": "paths.hierarchy",
        "reason": "The exhibit is that of another technique.",
        "claim": "Off in the shipped game, where whole paths are faster; each leg is one hop, as told.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
