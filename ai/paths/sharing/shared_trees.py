"""Shared trees: one path query for a distant crowd over ground of many costs.

Crowds are detected while more than a thousand requests wait for full paths. Below that, single searches are soon done,
and they spread the units over more paths.

A search runs outwards from the goal over the graph of clusters (:mod:`ai.search.hierarchy.shortest_path_tree`). It uses
the queue's budget, at least one per tick while crowds wait. Then each member is led some tiles at a time, from its own
tile. A quick search covers the last steps to its own place. After an edit a tree grows again from the same budget; its
members follow their present paths until it is ready.

Sources: "Game AI Pro 2", 20.5 (one path query a group, with its bulk) and 17.4 (one search outwards from the goal).
"""

from __future__ import annotations

import numpy as np

from ai.paths.engines.engine_choice import is_uniform, rule_of
from ai.paths.requests.request_columns import Phase
from ai.paths.requests.request_filter import RequestFilter
from ai.paths.sharing.led_segments import CLOSE, STRETCH, lay, leave
from ai.paths.sharing.shared_flow_field import GROWING_TICKS
from ai.paths.sharing.shared_searches import REACH, SharedTree
from ai.paths.state.path_trace import Decision
from ai.paths.store.path_store import APPEND, REPLACE
from ai.paths.update_context import PathTick
from ai.search.hierarchy.shortest_path_tree import ShortestPathTree

LED_A_TICK = 400
"""Units led on per tick at most."""

IN_VAIN = 8
"""Squares in a row without a crowd, most members first, that end the detection."""

MANY = 600
"""Waiting requests from which crowds are detected.

Fewer units take their own paths and do not all pass one place.
"""

_AROUND = np.array([(y << 16) + x for y in (-1, 0, 1) for x in (-1, 0, 1)])
"""Key offsets from a square of goals to itself and its eight neighbours."""

SHARE = 0.75
"""Share of the whole budget that trees may use in a tick.

A tree is grown in one go.
"""

OWN_SEARCH = 250
"""Nodes of the graph that a unit's own search is assumed to settle."""


def serve_crowds(now: PathTick, budget: int) -> tuple[np.ndarray, int]:
    """Detect crowds, grow their trees within ``budget`` and lead members on.

    Returns (uint8[slots], 1 for units that wait for a tree; revolutions spent).
    """
    manager, settings, r = now.manager, now.settings, now.manager.requests
    shared = manager.shared
    if not rule_of(settings).free or is_uniform(now.terrain):
        return np.zeros(r.capacity, np.uint8), 0
    if shared.looked != manager.queue.next_ticket:
        strangers = r.filtered(RequestFilter.STRANGERS, shared.looked)
        if len(strangers) >= settings.flow_group and np.count_nonzero(r.phase == Phase.WAITING) > MANY:
            _find(now, strangers)
        shared.looked = manager.queue.next_ticket
    if not shared.trees:
        return np.zeros(r.capacity, np.uint8), 0
    held = ((r.phase == Phase.WAITING) & (r.led_by >= 0) & (r.unled == 0)).view(np.uint8)
    spent = _grow(now, budget)
    grown = np.zeros(max(shared.next_tree, 1), np.uint8)
    grown[[number for number, tree in shared.trees.items() if _leads(now, tree)]] = 1
    joining = r.filtered(RequestFilter.LED, 0, grown)[:LED_A_TICK]
    if len(joining):
        r.phase[joining] = Phase.FLOWING
        r.urgent[joining] = r.starved[joining] = 0
        manager.statistics.fulls_arrived(now.tick - r.asked[joining])
        now.note_many(joining, Decision.BY_TREE, r.goal[joining, 0], r.goal[joining, 1])
    held[joining] = 0
    _lead_on(now, joining)
    return held, spent


def _find(now: PathTick, waiting: np.ndarray) -> None:
    """Detect crowds of at least ``flow_group`` units among ``waiting`` (by unit id).

    Their members have one distant goal area.
    """
    settings, r, shared = now.settings, now.manager.requests, now.manager.shared
    far = np.abs(now.tiles(waiting) - r.goal[waiting]).max(axis=1) >= settings.long_path
    waiting = waiting[far]
    goals, kinds = r.goal[waiting].astype(np.int64), r.movement_class[waiting].astype(np.int64)
    square = goals // (2 * REACH)
    keys = (kinds << 32) + (square[:, 0] << 16) + square[:, 1]
    by_square = np.argsort(keys, kind="stable")
    squares, begin, counts = np.unique(keys[by_square], return_index=True, return_counts=True)
    ends, first = begin + counts, by_square[begin]
    free = np.ones(len(waiting), bool)
    # A crowd across four squares has at least a quarter of its units in one; the largest comes first.
    order = np.lexsort((first, -counts))
    failed = 0
    for cell in order[counts[order] >= max(2, settings.flow_group // 4)].tolist():
        failed += 1
        if failed > IN_VAIN:
            break
        crowd = by_square[begin[cell] : ends[cell]]
        crowd = crowd[free[crowd]]
        if len(crowd) < max(2, settings.flow_group // 4):
            failed -= 1  # it was counted with a neighbour
            continue
        movement_class, middle = int(kinds[crowd[0]]), goals[crowd].mean(axis=0)
        if not now.manager.engines.begin_paths(now.terrain, movement_class):
            continue
        # A square is twice the reach wide, so all units within reach are in it or in an adjacent one.
        about = (squares[cell] + _AROUND)[:, None] == squares[None, :]
        near = np.concatenate([by_square[begin[k] : ends[k]] for k in np.flatnonzero(about.any(axis=0)).tolist()])
        near = np.sort(near[free[near]])
        members = near[np.abs(goals[near] - middle).max(axis=1) <= REACH]
        if len(members) < settings.flow_group:
            continue
        free[members] = False
        if not _pays(now, movement_class, waiting[members], middle, len(members)):
            continue
        middle = goals[members].mean(axis=0)
        nearest = members[int(np.argmin(((goals[members] - middle) ** 2).sum(axis=1)))]
        failed = 0
        number = shared.next_tree
        shared.next_tree += 1
        goal = (int(goals[nearest, 0]), int(goals[nearest, 1]))
        shared.trees[number] = SharedTree(movement_class, goal, now.tick, now.tick)
        r.led_by[waiting[members]] = number
        now.note_many(waiting[members], Decision.TREE_BEGUN, *goal, len(members))


def _pays(now: PathTick, movement_class: int, members: np.ndarray, middle: np.ndarray, count: int) -> bool:
    """Return True if one search for all ``members`` is less work.

    The alternative is ``count`` searches of their own.
    """
    farthest = float(np.hypot(*(now.tiles(members) - middle).T).max())
    covered = min(1.0, np.pi * farthest * farthest / now.terrain.passable.size)
    nodes = int(now.manager.engines.paths_of(now.terrain, movement_class).graph.counts.sum())
    return count * OWN_SEARCH >= covered * nodes


def _grow(now: PathTick, budget: int) -> int:
    """Grow trees within ``budget``, at least one; forget unused ones.

    New trees come first, then those out of date for longest.
    """
    manager, r, shared = now.manager, now.manager.requests, now.manager.shared
    spent = 0
    used = np.zeros(shared.next_tree + 1, np.uint8)
    r.filtered(RequestFilter.TREES, 0, used)
    for number in sorted(shared.trees, key=lambda each: (shared.trees[each].revision, each)):
        tree = shared.trees[number]
        if used[number]:
            tree.used = now.tick
        elif now.tick - tree.used > GROWING_TICKS:
            del shared.trees[number]
            continue
        if tree.reach >= 0:
            if not _leads(now, tree):
                spent += _grow_again(now, tree, budget - spent, first=spent == 0)
            continue
        if spent > budget // 3:
            continue
        members = np.flatnonzero(r.led_by == number)
        members = members[(r.phase[members] == Phase.WAITING) & (r.unled[members] == 0)]
        if not len(members):
            continue
        paths = manager.engines.paths_of(now.terrain, tree.movement_class)
        if not paths.whole:
            continue
        starts = now.footing(members)
        made = ShortestPathTree(paths, now.terrain, tree.goal, starts[starts[:, 0] >= 0], limit=budget - spent)
        spent += _keep(tree, made)
    manager.statistics.revolutions_this_tick += spent
    return spent


def _grow_again(now: PathTick, tree: SharedTree, budget: int, first: bool) -> int:
    """Grow a tree to its reach after an edit; return the revolutions spent.

    It starts only if it probably fits into ``budget``. The ``first`` of a tick grows in any case and reaches less far
    if that takes more. Units beyond its reach search for themselves.
    """
    paths = now.manager.engines.paths_of(now.terrain, tree.movement_class)
    if not paths.whole or (tree.settled > budget and not first):
        return 0
    return _keep(tree, ShortestPathTree(paths, now.terrain, tree.goal, reach=tree.reach, limit=budget))


def _keep(tree: SharedTree, grown: ShortestPathTree) -> int:
    tree.grown, tree.revision, tree.settled = grown, grown.revision, grown.settled
    tree.reach = max(grown.reach, 0)  # without revolutions left it reaches nothing, but counts as grown
    return grown.settled


def _leads(now: PathTick, tree: SharedTree) -> bool:
    """Return True if a tree has grown and matches the present terrain."""
    return tree.reach >= 0 and tree.revision == now.terrain.revision


def _lead_on(now: PathTick, joining: np.ndarray) -> None:
    """Lead joining units from their tiles, and members at the end of their path."""
    r, store = now.manager.requests, now.manager.store
    going = r.filtered(RequestFilter.RUN_DOWN, 1, None, store.path_len, store.flags)
    going = going[~np.isin(going, joining)] if len(joining) else going
    # Standing units come before walking ones.
    stands = (store.path_len[going] == 0) | ((store.flags[going] & 1) != 0)
    going = going[np.lexsort((r.unit[going], ~stands))][: max(LED_A_TICK - len(joining), LED_A_TICK // 4)]
    for slots, mode in ((joining, REPLACE), (going, APPEND)):
        if not len(slots):
            continue
        starts = now.footing(slots) if mode == REPLACE else now.starts(slots)
        tiles = np.zeros((len(slots), STRETCH + 1, 2), np.int32)
        counts = np.zeros(len(slots), np.int32)
        lost = starts[:, 0] < 0
        asked = ~lost
        numbers = r.led_by[slots]
        for number in np.unique(numbers[asked]).tolist():
            rows = np.flatnonzero((numbers == number) & asked)
            found = _read_off(now, number, starts[rows], r.goal[slots[rows]])
            if found is None:
                lost[rows] = True
            elif not len(found[1]):
                asked[rows] = False  # an edit is under repair
            else:
                tiles[rows], counts[rows] = found
        asked &= ~lost
        lay(now, slots[asked], tiles[asked], counts[asked], mode)
        leave(now, slots[lost])


def _read_off(
    now: PathTick, number: int, starts: np.ndarray, goals: np.ndarray
) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the next pieces along a tree, as from ``ShortestPathTree.lead``.

    Empty while the tree waits to grow again; None without such a tree.
    """
    shared = now.manager.shared.trees.get(number)
    if shared is None:
        return None
    paths = now.manager.engines.paths_of(now.terrain, shared.movement_class)
    if not paths.whole or not _leads(now, shared):
        return np.zeros((0, STRETCH + 1, 2), np.int32), np.zeros(0, np.int32)
    if shared.grown is None:
        # A restored world grows the tree again; it was charged before the save.
        shared.grown = ShortestPathTree(paths, now.terrain, shared.goal, reach=shared.reach)
    return shared.grown.lead(paths, now.terrain, starts, goals, STRETCH, CLOSE)
