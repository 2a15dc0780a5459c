"""Right of way where one body fits: claim the passage, or wait before it.

It runs when paths of one side oppose each other on narrow ground, or when a unit of the side stands in it. A unit
in the passage that has the right keeps it. Other units in it come next, then the unit that waits longest; the
nearer unit and the lower id decide the rest. A claim covers all arms and crossings up to the next open ground, so
that no unit enters that cannot come out. A unit inside without a right, or idle there, goes to a refuge, with the
units it pushes: on, aside, or out again. An idle unit returns to its place later. A unit without a refuge,
because units with the right come from the only exit, backs out before them. When others have waited for
:data:`game.systems.passages.choreographer.SHARE` ticks no other unit enters against them. Groups on the march
claim passages as single units do.

Some cases have no solution: two units want past each other in an alley shut at both ends; a unit has an order to
hold its place there; an enemy stands there. A unit held up by one of these gives its order up, with a message.

Other sides are not waited for: their plans are not known.

Source: "Game AI Pro 2", 20.9 (a choreographer, with a view of all at once); "AI Game Programming Wisdom", 4.5.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ai.steering.steering_columns import Bodies, Waypoints
from ai.steering.traffic.corridor_segments import COUNT, FIRST, LAST, LEAD, SLOT, STEP, segments_ahead
from ai.steering.traffic.reservation_table import put_bodies, refuge, who_meet
from game.systems.passages.choreographer import Choreographer, Wish
from game.world.passage_claims import CLEARS, GOES, STANDS
from game.world.units import Event
from game.world.world import World

CALM = 20
"""Ticks without a wish to pass before a displaced unit goes back."""
AT_POST = 0.15
"""Distance in tiles at which a unit is at its place."""


def run(world: World, bodies: Bodies, path: Waypoints) -> Bodies:
    """Decide waiting; return the bodies as steering shall see them.

    Waiting units get other waypoints or stand.
    """
    p, n = world.passages, world.units.count
    p.reserve(n)
    p.follow_map(world.terrain)
    was = p.act[:n].copy()
    p.act[:n], p.waits_for[:n], p.left[:n], p.shut[:n] = GOES, -1, 0.0, 0
    p.held, right, since = {}, np.zeros_like(p.right), np.full_like(p.since, -1)
    if world.settings.steering.right_of_way and len(p.narrow):
        for side, wishes in _wishes(world, bodies, path, was).items():
            Choreographer(world, side, wishes, was, path).decide(right, since)
        _go_back(world, since, path)
    p.right, p.since = right, since
    _ask_again(world, was)
    waiting, idle = p.act[:n] == STANDS, (p.act[:n] == CLEARS) & (bodies.moving == 0)
    p.lent = np.flatnonzero(idle)
    if not (waiting.any() or len(p.lent)):
        return bodies
    still = (bodies.holding | (waiting & (bodies.moving == 0))).astype(np.uint8)
    return replace(bodies, moving=((bodies.moving & ~waiting) | idle).astype(np.uint8), holding=still)


def lend(world: World) -> None:
    """Let idle units in the path walk as others do, before the move."""
    world.units.moving[world.passages.lent] = 1


def settle(world: World) -> None:
    """Reset waiting units as not held up after the move.

    Units that made room are idle again.
    """
    u, n, p = world.units, world.units.count, world.passages
    u.moving[p.lent] = 0
    u.event[p.lent] &= ~np.uint32(Event.ARRIVED)
    waiting = np.flatnonzero(p.act[:n] != GOES)
    u.stuck[waiting] = 0
    u.event[waiting] &= ~np.uint32(Event.BLOCKED)
    held_up = np.flatnonzero((u.event[:n] & np.uint32(Event.BLOCKED)) != 0)
    for slot in held_up.tolist():
        if not p.shut[slot] and len(p.narrow) and _stands_before(world, slot):
            p.shut[slot] = 1


def _stands_before(world: World, slot: int) -> bool:
    """Return true if a unit stands right before a blocker on narrow ground.

    The blocker will not make room for it.
    """
    u, n, p = world.units, world.units.count, world.passages
    y, x = int(u.y[slot]), int(u.x[slot])
    if not (p.narrow[max(y - 2, 0) : y + 3, max(x - 2, 0) : x + 3] >> u.movement_class[slot] & 1).any():
        return False  # in an open crowd many are held up, and every unit would be tested for each of them
    ahead = np.array([world.steering.course_x[slot], world.steering.course_y[slot]])
    off = np.column_stack([u.x[:n] - u.x[slot], u.y[:n] - u.y[slot]])
    gap = np.hypot(*off.T) - u.radius[:n] - u.radius[slot]
    there = (u.alive[:n] == 1) & (gap < 0.2) & (off @ ahead > 0.0)
    there &= (u.holding[:n] == 1) | ((u.side[:n] != u.side[slot]) & (u.moving[:n] == 0))
    there &= (p.narrow[u.y[:n].astype(int), u.x[:n].astype(int)] >> u.movement_class[slot] & 1) == 1
    return bool(there.any())


def _go_back(world: World, since: np.ndarray, path: Waypoints) -> None:
    """Return a unit that made room to its place once the passage is unused."""
    u, p, t, tick = world.units, world.passages, world.terrain, world.tick
    for slot in np.flatnonzero(~np.isnan(p.post[: u.count, 0])).tolist():
        x, y = p.post[slot].tolist()
        if u.moving[slot] or not u.alive[slot] or u.holding[slot]:
            p.post[slot] = np.nan
            continue
        since[slot] = tick if p.act[slot] != GOES else p.since[slot]
        if p.act[slot] != GOES:
            continue
        if tick - since[slot] < CALM:
            p.act[slot] = STANDS
            continue
        here, there = int(u.y[slot]) * t.width + int(u.x[slot]), int(y) * t.width + int(x)
        count, off = 1, float(np.hypot(x - u.x[slot], y - u.y[slot]))
        if here != there:
            stamp = p.next_stamps(2) + 1
            n, side = u.count, int(u.side[slot])
            put_bodies(side, stamp, u.side[:n], u.alive[:n], u.x[:n], u.y[:n], t.width, p.marks)
            count = refuge(
                t.passable,
                p.narrow,
                1 << int(u.movement_class[slot]),
                here,
                there,
                0,
                0,
                stamp,
                stamp + 1,
                p.marks,
                p.path,
            )
        if count == 0:
            since[slot] = tick  # a unit blocks the path: it tries again
            continue
        if off < AT_POST:
            world.steering.home_x[slot], world.steering.home_y[slot] = u.x[slot], u.y[slot]
            p.post[slot] = np.nan
            continue
        if here != there:
            ty, tx = divmod(int(p.path[1]), t.width)
            x, y = tx + 0.5, ty + 0.5
        path.x[slot], path.y[slot], path.has_next[slot], path.final[slot] = x, y, 0, 0
        p.act[slot], p.left[slot] = CLEARS, max(count - 2, 0) + np.hypot(x - u.x[slot], y - u.y[slot])


def _wishes(world: World, b: Bodies, path: Waypoints, was: np.ndarray) -> dict[int, list[Wish]]:
    """Return the passage wishes of units, by side.

    They arise where others of the side come the opposite way or stand.
    """
    p, u, store, terrain = world.passages, world.units, world.paths.store, world.terrain
    rows = np.empty((len(b.x) + len(p.claims), 6), np.int32)
    while True:
        found = segments_ahead(
            p.narrow, p.near, terrain.passable, store.nodes, store.points, store.ends, store.aim, b.alive, b.moving,
            b.holding, b.movement_class, b.x, b.y, path.x, path.y, path.next_x, path.next_y, path.has_next, rows,
            p.tiles,
        )  # fmt: skip
        if found >= 0:
            break
        p.tiles = np.zeros(2 * len(p.tiles), np.int32)
    if found == 0 and not p.claims:
        return {}
    of_groups = [np.array(_of_group(world, claimed), np.int32) for claimed in p.claims]
    end = int(rows[found - 1, FIRST] + rows[found - 1, COUNT]) if found else 0
    tiles = (
        np.concatenate([p.tiles[:end], *(np.array(tiles, np.int32) for tiles in of_groups)]) if of_groups else p.tiles
    )
    sides = np.empty(found + len(of_groups), np.uint8)
    sides[:found] = u.side[rows[:found, SLOT]]
    for k, (claimed, mine) in enumerate(zip(p.claims, of_groups, strict=True), found):
        lead = (
            1
            if len(mine) > 1 and not p.narrow.reshape(-1)[mine[0]] >> world.groups.rows[claimed[5]].movement_class & 1
            else 0
        )
        rows[k] = -1, end, len(mine), lead, max(len(mine) - 1, 0), 0
        sides[k] = claimed[0] % 4
        end += len(mine)
    present = np.zeros(4, np.uint8)
    present[sides] = 1
    meets = np.zeros(len(sides), np.uint8)
    away = np.flatnonzero((was != GOES) & (b.moving == 0) & (b.alive == 1))
    away = away[~np.isnan(p.post[away, 0])]
    posts = np.floor(p.post[away]).astype(np.int64)
    homes = np.column_stack([u.side[away], posts[:, 1] * terrain.width + posts[:, 0]])
    who_meet(
        len(sides), p.next_stamps(4), rows, sides, tiles, p.narrow, u.side, b.alive, b.moving, b.movement_class, was,
        b.x, b.y,
        np.ascontiguousarray(homes, np.int64), present, p.marks, meets,
    )  # fmt: skip
    out: dict[int, list[Wish]] = {}
    for k in np.flatnonzero(meets).tolist():
        out.setdefault(int(sides[k]), [])
    for k in np.flatnonzero(meets[:found]).tolist():
        slot, first, count, lead, last, looks = rows[k].tolist()
        stretch = np.concatenate([[lead, last], tiles[first : first + count]]).astype(np.int32)
        out[int(sides[k])].append(Wish(slot, int(b.id[slot]), stretch, lead <= 0, looks * STEP))
    for k, (name, direction, within, off, unit, _) in enumerate(p.claims, found):
        if int(sides[k]) in out:
            stretch = np.concatenate([rows[k, LEAD : LAST + 1], of_groups[k - found]]).astype(np.int32)
            out[int(sides[k])].append(Wish(-1, unit, stretch, bool(within), off, name, direction))
    return out


def _of_group(world: World, claimed: tuple[int, int, int, float, int, int]) -> list[int]:
    """Return the tiles that a group claims, in its direction."""
    p, width = world.passages, world.terrain.width
    y, x = divmod(claimed[0] // 4, width)
    passage = (
        p.at(world.terrain, world.groups.rows[claimed[5]].movement_class, y, x)
        if claimed[5] in world.groups.rows
        else None
    )
    if passage is None:
        return []
    before, after = passage.mouths
    tiles = [*([before] if before else []), *map(tuple, passage.tiles.tolist()), *([after] if after else [])]
    return [ty * width + tx for ty, tx in (tiles if claimed[1] > 0 else tiles[::-1])]


def _ask_again(world: World, was: np.ndarray) -> None:
    """Request a new path for a unit that cleared a passage.

    It has left its own path.
    """
    u, p = world.units, world.passages
    done = np.flatnonzero((was == CLEARS) & (p.act[: len(was)] != CLEARS))
    for slot in done[(u.alive[done] == 1) & (u.moving[done] == 1) & (u.band[done] < 0)].tolist():
        u.path_request[slot] = 1
