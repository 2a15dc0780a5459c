"""Congestion avoidance: units compare their path with the fastest one.

The path costs are times from a congestion map that is published every few ticks. The map and the choice are in
ai.paths.congestion.congestion_map; this module applies them to the world. Each side has a map of its own units and of
the enemies that it sees.

A unit checks the next section of its path when its request is answered, and again at intervals. It searches the fastest
path only if the crowd's cost there exceeds the margin by which another path must be better; otherwise no other path
could be taken. A unit with a new order takes a better path in the same tick. A unit that is under way takes it only
when it has been better for a while. A unit that once took a path round a crowd always searches, to find out whether the
crowd has gone. The checks and searches of a tick are limited.
"""

from __future__ import annotations

import numpy as np

from ai.core.scheduling.periods import whose_turn
from ai.paths.congestion.congestion_map import CongestionMap, Crowding
from ai.paths.congestion.congestion_search import CongestionSearch
from ai.paths.congestion.path_costs import SECTION, look_ahead, path_costs, smooth
from ai.paths.requests.request_columns import Phase
from ai.steering.tile_surroundings import WIDE
from ai.steering.traffic.traffic_lanes import CELL, HEADINGS
from game.systems.groups.slot_places import known_to
from game.world.passage_claims import GOES
from game.world.world import World

QUEUE = 16
"""Tiles after the compared section within which a passage has its queue."""

LOOK_CELLS = 4
"""Traffic cells along the heading that are checked for oncoming units.

The cell of the unit itself counts.
"""


def run(world: World) -> None:
    """Publish the map when it is due, then let units choose their path."""
    settings = world.settings.crowding
    if not settings.on:
        return
    u, n = world.units, world.units.count
    if world.crowding is None:
        world.crowding = Crowding(CongestionMap.blank(world.terrain.height, world.terrain.width))
    crowd: Crowding = world.crowding
    crowd.reserve(u.capacity)
    # Maps that follow the terrain are updated here, because they decide below; so also in a restored world.
    world.passages.follow_map(world.terrain)
    world.steering.follow_terrain(world.terrain)
    if crowd.map.tick < 0 or world.turns.due("congestion", world.tick):
        mass = (u.radius[:n] / 0.3) ** 2
        sides = sorted({0, *np.unique(u.side[:n][(u.alive[:n] == 1) & (u.moving[:n] == 1)]).tolist()})
        turn = world.turns.whose("congestion", world.tick, len(sides))
        for k, side in enumerate(sides):
            if k != turn and crowd.of(side).tick >= 0:
                continue
            there = u.alive[:n] * known_to(world, side).astype(np.uint8)
            crowd.of(side).publish(u.id[:n], there, u.x[:n], u.y[:n], u.vx[:n], u.vy[:n], mass, world.tick)
    if settings.weight <= 0.0 or world.paths.requests.capacity < n:
        return
    r, store = world.paths.requests, world.paths.store
    able = (u.alive[:n] == 1) & (u.moving[:n] == 1) & (r.phase[:n] == Phase.READY) & (store.final[:n] == 1)
    able &= store.path_len[:n] > 0
    # A member keeps to the path of its group, and a unit at a passage keeps its place in the queue.
    able &= (u.band[:n] < 0) & (world.passages.act[:n] == GOES)
    fresh = able & (crowd.looked[:n] != r.asked[:n])
    every = max(settings.replan, int(np.count_nonzero(able)) // settings.looks)
    line = world.turns.paths
    due_now = world.turns.due("congestion", world.tick)
    asks = able.copy() if due_now else fresh | (able & whose_turn(world.tick, u.id[:n], every))
    if not line.tasks and not asks.any():
        # The usual tick of a small world: no unit looks, and the rest would pass empty arrays on.
        line.budget = settings.budget
        if due_now:
            line.keep(set())
        return
    asks[u.slots(line.tasks)] = able[u.slots(line.tasks)]
    able[_in_lanes(world, np.flatnonzero(asks))] = False
    fresh &= able
    look = np.flatnonzero(fresh | (able & whose_turn(world.tick, u.id[:n], every)))
    look = look[np.argsort(u.id[look], kind="stable")]
    crowd.looked[look] = r.asked[look]
    crowd.better_since[np.flatnonzero(fresh)] = -1  # the earlier path was better for another order
    if len(look):
        ground, felt, _ = _look(world, crowd, look)
        minds = (felt > settings.margin * (ground + felt)) | (crowd.took[look] == r.asked[look])
        crowd.better_since[look[~minds]] = -1
        new, due = u.id[look[minds & fresh[look]]].tolist(), u.id[look[minds & ~fresh[look]]].tolist()
    else:
        new, due = [], []
    # The costs of recent searches tell how many fit into the tick's expansions; the others stay in line.
    line.budget = settings.budget
    if due_now:
        line.keep(set(u.id[:n][able].tolist()))
    others = set(new)
    kept = [i for i in line.tasks if able[u.slot(i)] and i not in others]
    others.update(kept)
    line.tasks = new + kept + [i for i in due if i not in others]
    served = line.due(again=False)
    served, line.tasks = served[: settings.per_tick], served[settings.per_tick :] + line.tasks
    if served:
        slots, fresh_ones = u.slots(served), np.isin(served, new)
        left: list[int] = []
        budget = settings.budget
        for side in np.unique(u.side[slots]).tolist():
            mine = u.side[slots] == side
            undone, spent = _choose(world, crowd, crowd.of(side), slots[mine], fresh_ones[mine], budget)
            left, budget = left + undone, budget - spent
        line.tasks = left + line.tasks


def _in_lanes(world: World, slots: np.ndarray) -> np.ndarray:
    """Return the slots in or near a narrow place with oncoming traffic.

    Units keep right there instead. A path round the crowd would weave a tile or two to the side and back, and both
    columns would turn to and fro.
    """
    u, s = world.units, world.steering
    if not len(slots) or not len(s.traffic):
        return slots[:0]
    x, y = u.x[slots], u.y[slots]
    narrow = s.around[y.astype(np.intp), x.astype(np.intp), WIDE] >> u.movement_class[slots] & 1 == 0
    slots, x, y = slots[narrow], x[narrow], y[narrow]
    angle = u.facing[slots]
    against = np.floor(angle * (HEADINGS / (2.0 * np.pi)) + 0.5).astype(np.int64) + HEADINGS // 2
    rows, columns = s.traffic.shape[:2]
    meets = np.zeros(len(slots), bool)
    for ahead in range(LOOK_CELLS):
        cy = np.clip(((y + np.sin(angle) * CELL * ahead) // CELL).astype(np.intp), 0, rows - 1)
        cx = np.clip(((x + np.cos(angle) * CELL * ahead) // CELL).astype(np.intp), 0, columns - 1)
        for turn in (-1, 0, 1):
            meets |= s.traffic[cy, cx, (against + turn) % HEADINGS] > 0
    return slots[meets]


def _same_passage(world: World, old: np.ndarray, new: np.ndarray, rest: np.ndarray) -> bool:
    """Return True if both paths lead through one passage for one body.

    The new path would only jump the queue. ``old`` and ``new`` float64[n, 2] (y, x) are the sections ahead.
    ``rest`` is the path after them, of which ``QUEUE`` tiles count.
    """
    narrow = world.passages.narrow
    beyond = _along(rest)[: 2 * QUEUE]
    met = [np.flatnonzero(_met(narrow, points)) for points in (_along(old), _along(new))]
    after = _met(narrow, beyond).any()
    if after:
        return True
    tiles = [
        set(map(tuple, _along(line)[m].astype(np.int64).tolist())) for line, m in zip((old, new), met, strict=True)
    ]
    return bool(tiles[0] & tiles[1])


def _along(line: np.ndarray) -> np.ndarray:
    """Return points float64[n, 2] every half tile along a polyline float64[m, 2]."""
    step = np.diff(line, axis=0)
    many = np.maximum(1, np.ceil(2.0 * np.hypot(step[:, 0], step[:, 1]))).astype(np.int64)
    of = np.repeat(np.arange(len(step)), many)
    part = (np.arange(len(of)) - np.repeat(np.cumsum(many) - many, many)) / np.repeat(many, many)
    return np.concatenate([line[:-1][of] + step[of] * part[:, None], line[-1:]])


def _met(narrow: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return bool[n]: the point lies on a narrow tile."""
    return narrow[points[:, 0].astype(np.intp), points[:, 1].astype(np.intp)] != 0


def _look(world: World, crowd: Crowding, slots: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return ground cost, crowd cost and waypoint count of the next path section."""
    u, store, settings = world.units, world.paths.store, world.settings.crowding
    found, counts = np.zeros((len(slots), 2)), np.zeros(len(slots), np.int64)
    for side in np.unique(u.side[slots]).tolist():
        mine, known = np.flatnonzero(u.side[slots] == side), crowd.of(side)
        costs, many = np.zeros((len(mine), 2)), np.zeros(len(mine), np.int64)
        look_ahead(
            world.terrain.cost, known.density, known.vx, known.vy, settings.weight, store.nodes, store.ends,
            slots[mine], np.maximum(u.speed[slots[mine]], 0.5), u.x, u.y, SECTION, costs, many,
        )  # fmt: skip
        found[mine], counts[mine] = costs, many
    return found[:, 0], found[:, 1], counts


def _choose(
    world: World, crowd: Crowding, known: CongestionMap, slots: np.ndarray, fresh: np.ndarray, budget: int
) -> tuple[list[int], int]:
    """Replace the next path section of units if a faster one exists.

    All units are of one side. As many of them choose as ``budget`` expansions allow. Returns the ids of the
    other units, and the expansions spent.
    """
    if budget <= 0:
        return world.units.id[slots].tolist(), 0
    u, t, r, settings, store = (
        world.units,
        world.terrain,
        world.paths.requests,
        world.settings.crowding,
        world.paths.store,
    )
    if crowd.scratch is None:
        crowd.scratch = CongestionSearch(t.passable.size)
    speeds = np.maximum(u.speed[slots], 0.5)
    starts = np.column_stack([np.floor(u.y[slots]), np.floor(u.x[slots])]).astype(np.int32)
    _, _, counts = _look(world, crowd, slots)
    paths = [store.waypoints(slot)[:, :2] for slot in slots.tolist()]
    ends = np.array([path[many - 1] for path, many in zip(paths, counts.tolist(), strict=True)], np.int32)
    found = crowd.scratch.find(
        known, t, u.movement_class[slots], speeds, starts, ends, settings.weight, settings.effort, budget
    )
    for unit, work in zip(u.id[slots[: found.done]].tolist(), found.spent[: found.done].tolist(), strict=True):
        world.turns.paths.spent(unit, work)
    rows = np.flatnonzero(np.diff(found.offsets) >= 2)
    left = u.id[slots[found.done :]].tolist()
    if not len(rows):
        return left, int(found.spent[: found.done].sum())
    before = [np.vstack([[u.y[slots[row]], u.x[slots[row]]], paths[row][: counts[row]] + 0.5]) for row in rows.tolist()]
    at = slots[rows]
    now = path_costs(known, t, u.movement_class[at], speeds[rows], before, settings.weight)
    takes = fresh[rows] & (found.costs[rows] < now)
    under_way = ~fresh[rows]
    takes[under_way] = crowd.decides(
        at[under_way], now[under_way], found.costs[rows[under_way]], world.tick, settings.margin, settings.hold
    )
    for k in np.flatnonzero(takes).tolist():
        rest = paths[rows[k]][counts[rows[k]] - 1 :] + 0.5
        takes[k] = not _same_passage(world, before[k], found.path(int(rows[k])) + 0.5, rest)
    taken = rows[takes]
    tiles = [found.path(row) for row in taken.tolist()]
    corners = smooth(known, t, u.movement_class[slots[taken]], speeds[taken], tiles, settings.weight)
    for row, path in zip(taken.tolist(), corners, strict=True):
        slot = int(slots[row])
        world.paths.take_path(t, slot, np.concatenate([path, paths[row][counts[row] :]]))
        crowd.took[slot] = r.asked[slot]
    return left, int(found.spent[: found.done].sum())
