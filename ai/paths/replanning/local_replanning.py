"""Local replanning: one fine search per tick for units whose path is obstructed.

A unit joins a queue if it makes no progress and a body stands on its path, or if its path leads over a remembered
hazard. In each tick the first unit of the queue gets a search in a window around it
(:mod:`ai.paths.replanning.local_replanning_grid`). The others follow their present paths. The result replaces the first
part of the path. If the window has no other path, the unit requests a new full path.

Bodies often move away again. So the first search is small, and cheap if it fails; after a delay the next one covers
more (:mod:`ai.search.astar.iterative_limits`). No unit walks round a house because of a body that stands in the door
for a moment.

Sources: "Game AI Pro 2", 34.2 (one local grid search a frame); "AI Game Programming Wisdom", 8.1 (local pathfinder on
top of the global path), 3.5 (limits that grow).
"""

from __future__ import annotations

import numpy as np

from ai.core.scheduling.periods import whose_turn
from ai.paths.replanning.hazards import DEAR, known_tiles
from ai.paths.replanning.local_replanning_grid import WHOLE, Joined, ReplanningGrid
from ai.paths.replanning.local_replanning_queue import LocalPicture
from ai.paths.requests.request_columns import Phase, among
from ai.paths.requests.request_lifecycle import ask_again
from ai.paths.settings import PathSettings
from ai.paths.state.path_trace import Decision
from ai.paths.store.path_store import REPLACE, PathSource
from ai.paths.update_context import PathTick
from ai.search.astar.iterative_limits import Deepening

WALKS = (Phase.WAITING, Phase.OPEN, Phase.READY, Phase.PARTIAL, Phase.FLOWING, Phase.LEGS)

AHEAD = 3.0
"""Tiles of the path ahead in which a standing body is an obstacle."""

CORRIDOR = 0.6
"""Half the path width that must be free of bodies, tiles: two radii."""

LOOKED_AT = 16
"""Obstructed units tested per tick at most."""

SIGHT = 8
"""Distance in tiles at which hazards are noticed; the window reaches farther."""

TURN = 5
"""Ticks between two tests of one unit's path for hazards."""

LET_THROUGH = 2
"""Failed local searches in a row after which a unit counts as walled in.

It applies if limits do not grow.
"""

DARES = 200
"""Ticks for which a unit without another path ignores hazards."""

OBSTRUCTED, HAZARD = 0, 1
"""Reasons to be in the queue."""

RESTS = 5
"""Delays between two searches of a unit for which the largest search failed."""


def deepening_of(settings: PathSettings) -> Deepening:
    """Return the growth of the limits of local searches."""
    first = settings.deepening_first
    return Deepening(first, settings.deepening_step, max(WHOLE, first), settings.deepening_delay)


def walled_in(settings: PathSettings, failed: np.ndarray) -> np.ndarray:
    """Return bool[n]: units without any path after this many failed local searches."""
    return failed >= (deepening_of(settings).most_tries if settings.deepening else LET_THROUGH)


def find_obstructed(now: PathTick) -> None:
    """Queue units without progress that have a standing body on their path."""
    manager, r, settings, bodies = now.manager, now.manager.requests, now.settings, now.bodies
    if bodies is None or settings.local_searches == 0:
        return
    n = len(bodies.stuck)
    waiting = np.flatnonzero((bodies.stuck >= settings.local_after) & (manager.store.path_len[:n] > 0))
    if settings.deepening:
        due = r.local_due[waiting] <= now.tick
    else:
        due = (bodies.stuck[waiting] - settings.local_after) % (2 * settings.local_after) == 0
    slots = waiting[due & among(r.phase[waiting], WALKS) & (r.held_by[waiting] < 0)]
    standing = np.flatnonzero(bodies.standing) if len(slots) else slots
    if len(standing) == 0:
        return
    slots = r.by_unit(slots)[:LOOKED_AT]
    r.local_due[slots] = now.tick + settings.deepening_delay
    for slot in slots.tolist():
        if obstructed(now, slot, standing) and manager.local.ask(slot, now.tick, OBSTRUCTED):
            now.note(slot, Decision.LOCAL_ASKED, len(manager.local.slots) - 1)


def obstructed(now: PathTick, slot: int, standing: np.ndarray) -> bool:
    """Return True if a ``standing`` body blocks the next AHEAD tiles of the line."""
    store = now.manager.store
    x, y = float(now.x[slot]), float(now.y[slot])
    wx, wy = float(store.wp_x[slot]), float(store.wp_y[slot])
    length = float(np.hypot(wx - x, wy - y))
    if length < 1e-9:
        return False
    ux, uy = (wx - x) / length, (wy - y) / length
    dx, dy = now.x[standing] - x, now.y[standing] - y
    along, off = dx * ux + dy * uy, np.abs(dx * uy - dy * ux)
    ahead = (along > 0.0) & (along < min(AHEAD, length + CORRIDOR)) & (off < CORRIDOR) & (standing != slot)
    return bool(ahead.any())


def find_endangered(now: PathTick) -> None:
    """Queue units whose path leads over hazards known to their side.

    A unit that just found no other path is left out.
    """
    manager, r, bodies = now.manager, now.manager.requests, now.bodies
    memory = manager.hazards
    memory.fade(now.tick, now.settings.hazard_ticks)
    if bodies is None or not now.settings.hazards or not memory.known or now.settings.local_searches == 0:
        return
    n = len(bodies.side)
    mine = np.flatnonzero((manager.store.path_len[:n] > 0) & whose_turn(now.tick, r.unit[:n], TURN))
    mine = mine[among(r.phase[mine], WALKS) & (r.dares[mine] <= now.tick)]
    for side in sorted(memory.known):
        tiles = known_tiles(memory, side)
        slots = mine[bodies.side[mine] == side]
        near = slots[_nearest(tiles, now.x[slots], now.y[slots]) <= SIGHT]
        for slot in r.by_unit(near)[:LOOKED_AT].tolist():
            window = ReplanningGrid(now, slot)
            if window.crosses(_marked(window, tiles)) and manager.local.ask(slot, now.tick, HAZARD):
                now.note(slot, Decision.HAZARD_AHEAD, len(tiles))


def feared_by(now: PathTick, slot: int) -> np.ndarray:
    """Return the tiles int64[n, 2] (y, x) that the unit avoids.

    The result is empty after the unit found no other path.
    """
    bodies, r = now.bodies, now.manager.requests
    if bodies is None or not now.settings.hazards or r.dares[slot] > now.tick:
        return np.zeros((0, 2), np.int64)
    return known_tiles(now.manager.hazards, int(bodies.side[slot]))


def lines_over(tiles: np.ndarray, x: float, y: float, ends: np.ndarray) -> np.ndarray:
    """Return ``bool[n]``: lines from (x, y) that cross one of ``tiles`` (``int[m, 2]``).

    The lines end at the centres of ``ends`` int[n, 2] (y, x). A line crosses a tile if it passes within half a tile of
    its centre.
    """
    path = ends[:, ::-1] + 0.5 - (x, y)
    there = (tiles[:, ::-1] + 0.5 - (x, y))[:, None]
    share = np.clip((there * path).sum(axis=2) / np.maximum((path * path).sum(axis=1), 1e-9), 0.0, 1.0)
    apart = there - share[:, :, None] * path
    return np.asarray(((apart * apart).sum(axis=2) < 0.25).any(axis=0))


def join_clear_of(now: PathTick, slot: int, tiles: np.ndarray) -> Joined | None:
    """Return the cheapest join of a pushed unit to its path.

    If the path leads over ``tiles``, it joins beyond them where possible.
    """
    window = ReplanningGrid(now, slot, displaced=True)
    window.raise_cost(tiles, DEAR)
    dear = _marked(window, tiles)
    past = window.join(beyond=dear) if window.crosses(dear) else None
    return past or window.join()


def _nearest(tiles: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the distance from each (x, y) to the nearest tile.

    The distance is measured along the longer axis, in tiles.
    """
    return np.maximum(np.abs(x[:, None] - tiles[:, 1] - 0.5), np.abs(y[:, None] - tiles[:, 0] - 0.5)).min(
        axis=1, initial=np.inf
    )


def _marked(window: ReplanningGrid, tiles: np.ndarray) -> np.ndarray:
    """Return bool of the window's shape: True for its tiles among ``tiles``."""
    out = np.zeros(window.shape, bool)
    rows = tiles - (window.top, window.left)
    rows = rows[((rows >= 0) & (rows < window.shape)).all(axis=1)]
    out[rows[:, 0], rows[:, 1]] = True
    return out


def serve_line(now: PathTick) -> None:
    """Run ``settings.local_searches`` local searches; units that need none leave the queue."""
    manager, r, line = now.manager, now.manager.requests, now.manager.local
    served = 0
    # Units that need none do not count.
    while line.slots and served < now.settings.local_searches:
        line.turns.count = 1
        (slot,) = line.turns.due(again=False)
        since, why = line.leave(slot)
        if manager.store.path_len[slot] == 0 or r.phase[slot] not in WALKS or r.held_by[slot] >= 0:
            continue
        line.longest = max(line.longest, now.tick - since)
        served += 1
        _serve(now, slot, why)
    manager.statistics.local_per_tick_max = max(manager.statistics.local_per_tick_max, served)
    if now.settings.local_searches == 0:
        line.clear()


def _serve(now: PathTick, slot: int, why: int) -> None:
    manager, r, statistics = now.manager, now.manager.requests, now.manager.statistics
    window = ReplanningGrid(now, slot)
    barred = 0
    if now.bodies is not None:
        standing = np.flatnonzero(now.bodies.standing)
        standing = standing[standing != slot]
        barred = window.bar(now.x[standing], now.y[standing])
    dear = np.zeros(window.shape, bool)
    if now.bodies is not None and now.settings.hazards:
        tiles = known_tiles(manager.hazards, int(now.bodies.side[slot]))
        window.raise_cost(tiles, DEAR)
        dear = _marked(window, tiles)
    grows = deepening_of(now.settings)
    patient = now.settings.deepening and why == OBSTRUCTED
    limit = grows.limit(int(r.sealed[slot])) if patient else WHOLE
    known = manager.local.failures if now.settings.remembered_failures else None
    found = window.join(beyond=dear if why == HAZARD else None, limit=limit, known=known)
    if known is not None and window.proven >= 0:
        known.keep(window.proven, window.revolutions, now.settings.remembered_failures)
    statistics.local += 1
    statistics.local_revolutions += window.revolutions
    statistics.quick_this_tick += window.revolutions
    line = manager.local
    line.picture = LocalPicture(int(r.unit[slot]), now.tick, window.top, window.left, window.barred | dear)
    if found is None:
        tries = min(int(r.sealed[slot]) + 1, 200)
        if patient and not window.cut:
            # The whole window was searched, so a larger limit would find nothing new.
            tries = max(tries, grows.most_tries)
        r.sealed[slot] = tries
        rate_limited = bool(walled_in(now.settings, r.sealed[slot]))
        wait = grows.delay * (RESTS if rate_limited else 1)
        if patient:
            r.local_due[slot] = now.tick + wait
        else:
            r.dares[slot] = now.tick + DARES
        now.note(slot, Decision.LOCAL_FAILED, barred, limit, wait)
        if why == OBSTRUCTED and not now.settings.futility and (rate_limited or not patient):
            ask_again(manager, np.array([slot]), now.tick)
        return
    r.sealed[slot] = 0
    line.picture.tiles = found.tiles
    put(now, slot, found)
    if why == HAZARD and dear[found.tiles[:, 0] - window.top, found.tiles[:, 1] - window.left].any():
        r.dares[slot] = now.tick + DARES
        now.note(slot, Decision.DARES, len(found.tiles))
        return
    now.note(slot, Decision.LOCAL, len(found.tiles), barred, found.revolutions)


def put(now: PathTick, slot: int, joined: Joined, stage: PathSource = PathSource.LOCAL) -> None:
    """Store a path from ``ReplanningGrid.join`` before the rest of the slot's path.

    A LOCAL path is not smoothed: it avoids obstacles that the terrain does not show.
    """
    store = now.manager.store
    rest, points = store.waypoints(slot)[joined.row :], store.points_of(slot)[joined.row :]
    if len(rest) and len(joined.tiles) and (rest[0, :2] == joined.tiles[-1]).all():
        rest, points = rest[1:], points[1:]
    tiles = np.concatenate([joined.tiles, rest[:, :2]]).astype(np.int32)
    points = np.concatenate([joined.tiles[:, ::-1] + 0.5, points])
    stages = np.concatenate([np.full(len(joined.tiles), stage), rest[:, 2]]).astype(np.uint8)
    at = np.array([slot])
    movement_class = now.manager.requests.movement_class[at]
    smoother = "" if stage == PathSource.LOCAL else now.settings.smooths
    count = np.array([len(tiles)])
    store.write(now.terrain, at, movement_class, tiles, count, stages, REPLACE, smoother=smoother, points=points)
    now.wrote(at)


TECHNIQUES = (
    {
        "slug": "local-search",
        "name": "Local replanning: one fine search a tick",
        "ids": ("GP2-34.1", "AW-8.1-2"),
        "source": "Game AI Pro 2, ch. 34",
        "functions": ("find_obstructed", "serve_line"),
        "test": "tests/ai/paths/replanning/test_local_replanning.py",
        "exhibit": "levels/exhibits/paths/in_the_way.toml",
        "overlay": "troubles",
        "setting": "paths.local_searches",
        "measure": "arrived",
        "direction": "up",
        "claim": "Units are the obstacles; the window is not turned towards the next waypoint.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
