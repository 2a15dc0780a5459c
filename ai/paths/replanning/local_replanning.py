"""The fine local search: one a tick for all, for whoever finds his way obstructed by what the coarse path cannot know.

Who gets on no further and has a body standing on the way ahead, or whose way leads over a remembered hazard, takes a
place in a line.  Each tick the first of the line gets a search in a window about it
(:mod:`ai.paths.replanning.local_replanning_grid`); everybody
else keeps walking on what he has.  The result replaces the first part of the path.  When there is no way round in the
window the unit asks for a new path.

Bodies go away again.  So the first search round them looks only a few steps about, and is cheap when it fails; after a
delay the next looks farther (:mod:`ai.search.astar.iterative_limits`).  Nobody runs round the house because somebody
stands
in the
door for a moment.

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
"""A body that stands on the next so many tiles of the way is in the way."""

CORRIDOR = 0.6
"""Half the width of the way that has to be free of bodies, tiles: two radii."""

LOOKED_AT = 16
"""Most obstructed units that are looked at in one tick."""

SIGHT = 8
"""Hazards so near are looked out for, tiles: the window reaches beyond them."""

TURN = 5
"""Ticks between two looks at one unit's way for hazards."""

LET_THROUGH = 2
"""Local searches in vain on end after which somebody counts as walled in, when their limits do not grow."""

DARES = 200
"""Ticks for which somebody who has no other way minds no hazards."""

OBSTRUCTED, HAZARD = 0, 1
"""Why somebody is in the line."""

RESTS = 5
"""Delays between two searches of somebody for whom even the largest has failed."""


def deepening_of(settings: PathSettings) -> Deepening:
    """How the limits of local searches grow."""
    first = settings.deepening_first
    return Deepening(first, settings.deepening_step, max(WHOLE, first), settings.deepening_delay)


def walled_in(settings: PathSettings, failed: np.ndarray) -> np.ndarray:
    """bool[n]: after so many local searches in vain, who has no way round at all."""
    return failed >= (deepening_of(settings).most_tries if settings.deepening else LET_THROUGH)


def find_obstructed(now: PathTick) -> None:
    """Who has not got on for a while and has a standing body on its way takes a place in the line."""
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
    """Whether one of the ``standing`` slots' bodies is on the next AHEAD tiles of the slot's straight way."""
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
    """Whose way leads over ground that his side knows to be dangerous takes a place in the line, unless he has just
    found that there is no other."""
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
    """Tiles int64[n, 2] (y, x) that the slot's unit keeps off: none once it has found that there is no other way."""
    bodies, r = now.bodies, now.manager.requests
    if bodies is None or not now.settings.hazards or r.dares[slot] > now.tick:
        return np.zeros((0, 2), np.int64)
    return known_tiles(now.manager.hazards, int(bodies.side[slot]))


def lines_over(tiles: np.ndarray, x: float, y: float, ends: np.ndarray) -> np.ndarray:
    """bool[n]: which straight lines from (x, y) to the centres of ``ends`` int[n, 2] (y, x) lead over a tile of
    ``tiles`` int[m, 2], that is within half a tile of its centre."""
    path = ends[:, ::-1] + 0.5 - (x, y)
    there = (tiles[:, ::-1] + 0.5 - (x, y))[:, None]
    share = np.clip((there * path).sum(axis=2) / np.maximum((path * path).sum(axis=1), 1e-9), 0.0, 1.0)
    apart = there - share[:, :, None] * path
    return np.asarray(((apart * apart).sum(axis=2) < 0.25).any(axis=0))


def join_clear_of(now: PathTick, slot: int, tiles: np.ndarray) -> Joined | None:
    """The cheapest way by which one who was pushed off its path joins it, past ``tiles`` where the path leads over
    them and there is a way past."""
    window = ReplanningGrid(now, slot, displaced=True)
    window.raise_cost(tiles, DEAR)
    dear = _marked(window, tiles)
    past = window.join(beyond=dear) if window.crosses(dear) else None
    return past or window.join()


def _nearest(tiles: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Distance from each (x, y) to the nearest tile, by the longer axis."""
    return np.maximum(np.abs(x[:, None] - tiles[:, 1] - 0.5), np.abs(y[:, None] - tiles[:, 0] - 0.5)).min(
        axis=1, initial=np.inf
    )


def _marked(window: ReplanningGrid, tiles: np.ndarray) -> np.ndarray:
    """bool of the window's shape: which of its tiles are among ``tiles``."""
    out = np.zeros(window.shape, bool)
    rows = tiles - (window.top, window.left)
    rows = rows[((rows >= 0) & (rows < window.shape)).all(axis=1)]
    out[rows[:, 0], rows[:, 1]] = True
    return out


def serve_line(now: PathTick) -> None:
    """Local searches for the first of the line, ``settings.local_searches`` of them; who no longer wants one leaves."""
    manager, r, line = now.manager, now.manager.requests, now.manager.local
    served = 0
    # Who no longer wants one does not count.
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
    found = window.join(beyond=dear if why == HAZARD else None, limit=limit)
    statistics.local += 1
    statistics.local_revolutions += window.revolutions
    statistics.quick_this_tick += window.revolutions
    line = manager.local
    line.picture = LocalPicture(int(r.unit[slot]), now.tick, window.top, window.left, window.barred | dear)
    if found is None:
        tries = min(int(r.sealed[slot]) + 1, 200)
        if patient and not window.cut:
            # All there is was looked at: a larger limit would find no more.
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
    """Lay the way of :meth:`ai.paths.replanning.local_replanning_grid.Window.join` before what is left of the slot's
    path.

    A LOCAL one is not pulled straight: it leads round what the terrain does not show.
    """
    store = now.manager.store
    rest = store.waypoints(slot)[joined.row :]
    if len(rest) and len(joined.tiles) and (rest[0, :2] == joined.tiles[-1]).all():
        rest = rest[1:]
    tiles = np.concatenate([joined.tiles, rest[:, :2]]).astype(np.int32)
    stages = np.concatenate([np.full(len(joined.tiles), stage), rest[:, 2]]).astype(np.uint8)
    at = np.array([slot])
    movement_class = now.manager.requests.movement_class[at]
    smooth = stage != PathSource.LOCAL and now.settings.smooth
    store.write(now.terrain, at, movement_class, tiles, np.array([len(tiles)]), stages, REPLACE, smooth=smooth)
    now.wrote(at)


TECHNIQUES = (
    {
        "slug": "local-search",
        "name": "One fine local search a tick",
        "ids": ("GP2-34.1", "AW-8.1-2"),
        "source": "Game AI Pro 2, ch. 34",
        "functions": ("find_obstructed", "serve_line"),
        "test": "tests/ai/paths/replanning/test_local_replanning.py",
        "exhibit": "levels/exhibits/paths/in_the_way.toml",
        "overlay": "troubles",
        "setting": "paths.local_searches",
        "measure": "arrived",
        "direction": "up",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
