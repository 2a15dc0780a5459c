"""Right of way where one body fits: a passage belongs to one direction at a time, and who comes the other way waits.

Looked at when two directions of one side want a passage: who is in it goes first, else who is nearer, else the lower
id.  The others stop before it, and whoever of them is in it already goes back, or on, the way that those with the
right go, and clears the ground before the mouth.  When others have waited for :data:`SHARE` ticks nobody enters any
more, and when all are out the direction turns.  Groups on the march claim passages as single units do.

Sides other than one's own are not waited for: what they want is not known.

Source: "Game AI Pro 2", 20.9 (a choreographer, who looks at all at once); "AI Game Programming Wisdom", 4.5.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ai.steering.columns import Bodies, Waypoints
from ai.steering.right_of_way import HELD
from ai.steering.single_file import FIRST, NAME, STEP, Passage, passages_ahead
from game.world.passages import CLEARS, GOES, STANDS, names_of
from game.world.units import Event
from game.world.world import World

WAIT_FROM = 3.5
"""Tiles before the mouth at which somebody stops; one who is held up by others stops farther out."""
CLEAR = 2.0
"""Nearer to the mouth than this nobody waits."""
SHARE = 200
"""Ticks after which the others get their turn."""
PLACES = ((1, 2), (2, 2), (2, 3), (3, 2), (3, 1), (4, 1), (4, 0), (3, 0))
"""Where to clear the mouth to: tiles out of it, and aside."""


@dataclass(frozen=True)
class _Wish:
    """Somebody who wants through: ``slot`` -1 for a group as a whole."""

    slot: int
    unit: int
    direction: int
    inside: bool
    away: float

    @property
    def rank(self) -> tuple[bool, float, int]:
        """Smaller goes first."""
        return (not self.inside, round(self.away, 6), self.unit)


def run(world: World, bodies: Bodies, way: Waypoints) -> Bodies:
    """Decide who waits; those get other waypoints or stand.  Returns the bodies as steering shall see them."""
    p, n = world.passages, world.units.count
    p.reserve(n)
    p.follow_map(world.terrain)
    was = p.act[:n].copy()
    p.act[:n], p.waits_for[:n] = GOES, -1
    if world.settings.steering.right_of_way and len(p.narrow):
        wishes, found = _wishes(world, bodies, way)
        p.held = {name: held for name, held in p.held.items() if name in wishes}
        for name in sorted(wishes):
            _share(world, name, found[name], wishes[name], way)
    _ask_again(world, was)
    waiting = p.act[:n] == STANDS
    return replace(bodies, moving=(bodies.moving & ~waiting).astype(np.uint8)) if waiting.any() else bodies


def settle(world: World) -> None:
    """After the move: to wait for a passage is not to be held up."""
    u, n, p = world.units, world.units.count, world.passages
    waiting = np.flatnonzero(p.act[:n] != GOES)
    u.stuck[waiting] = 0
    u.event[waiting] &= ~np.uint32(Event.BLOCKED)


def _wishes(world: World, b: Bodies, way: Waypoints) -> tuple[dict[int, list[_Wish]], dict[int, Passage]]:
    """Who wants through which passage within sight of it, of those that two directions want."""
    p, terrain, u = world.passages, world.terrain, world.units
    known, wants = p.known, np.empty((len(b.x), 4), np.int32)
    while True:
        found = passages_ahead(
            p.narrow, p.near, terrain.passable, known.at, known.pool, known.table, known.used, b.alive, b.moving,
            b.holding, b.klass, b.x, b.y, way.x, way.y, way.next_x, way.next_y, way.has_next, wants,
        )  # fmt: skip
        if found >= 0:
            break
        known.make_room()
    slots, rows, directions, looks = wants[:found].T
    names = names_of(known.table[rows, NAME], u.side[slots])
    either = np.concatenate([names * 2 + (directions > 0), [2 * c[0] + (c[1] > 0) for c in p.claims]]).astype(np.int64)
    either = np.unique(either)
    both = either[1:][either[1:] >> 1 == either[:-1] >> 1] >> 1
    wishes: dict[int, list[_Wish]] = {}
    passages: dict[int, Passage] = {}
    for k in np.flatnonzero(np.isin(names, both)).tolist():
        name, slot = int(names[k]), int(slots[k])
        if name not in wishes:
            y, x = divmod(int(known.pool[known.table[rows[k], FIRST], 0]), terrain.width)
            wishes[name], passage = [], p.at(terrain, int(u.klass[slot]), y, x)
            assert passage is not None
            passages[name] = passage
        wishes[name].append(_Wish(slot, int(b.id[slot]), int(directions[k]), looks[k] == 0, float(looks[k] * STEP)))
    for name, direction, inside, away, unit, _ in p.claims:
        if name in wishes:
            wishes[name].append(_Wish(-1, unit, direction, bool(inside), away))
    return wishes, passages


def _share(world: World, name: int, passage: Passage, wishes: list[_Wish], way: Waypoints) -> None:
    """Give a passage that two directions want to one of them, and let the others wait."""
    p, u = world.passages, world.units
    inside = {d: sum(wish.inside for wish in wishes if wish.direction == d) for d in (1, -1)}
    if name not in p.held:
        first = min(wishes, key=lambda wish: wish.rank)
        more = inside[1] - inside[-1]
        p.held[name] = (first.direction if more == 0 else 1 if more > 0 else -1), world.tick
    direction, since = p.held[name]
    closing = world.tick - since >= SHARE
    if closing and inside[direction] == 0:
        direction, since = -direction, world.tick
        p.held[name], closing = (direction, since), False
    leader = min((wish for wish in wishes if wish.direction == direction), key=lambda wish: wish.rank)
    for wish in wishes:
        if wish.slot < 0 or (wish.direction == direction and (wish.inside or not closing)):
            continue
        slot = wish.slot
        if wish.inside:
            p.act[slot] = CLEARS
            _lead_out(world, passage, direction, slot, way)
        elif wish.away < CLEAR:
            p.act[slot] = CLEARS
            if not _lead_aside(world, passage, wish.direction, slot, way):
                p.act[slot] = STANDS
        elif wish.away < WAIT_FROM or u.stuck[slot] >= HELD:
            p.act[slot] = STANDS
        if p.act[slot] != GOES:
            p.waits_for[slot] = leader.unit


def _lead_out(world: World, passage: Passage, direction: int, slot: int, way: Waypoints) -> None:
    """Through the passage in the direction of those who have the right."""
    u = world.units
    here = world.passages.known.place(int(u.klass[slot]), int(u.y[slot]) * world.terrain.width + int(u.x[slot]))
    tiles = [*passage.tiles.tolist()]
    mouth = passage.mouths[1 if direction > 0 else 0]
    rest = tiles[here + 1 :] if direction > 0 else tiles[:here][::-1]
    if mouth is not None:
        rest.append(list(mouth))
    to = rest[0] if rest else tiles[here]
    _go(way, slot, to[1] + 0.5, to[0] + 0.5)


def _lead_aside(world: World, passage: Passage, direction: int, slot: int, way: Waypoints) -> bool:
    """Away from the mouth by which somebody wants to enter in ``direction``; False where there is no room for it."""
    u, terrain = world.units, world.terrain
    mouth, last = passage.mouths[0 if direction > 0 else 1], passage.tiles[0 if direction > 0 else -1].tolist()
    if mouth is None:
        return False
    oy, ox = mouth[0] - last[0], mouth[1] - last[1]
    # To the side on which it is, in the middle by its id.
    aside = (float(u.y[slot]) - mouth[0] - 0.5) * ox - (float(u.x[slot]) - mouth[1] - 0.5) * oy
    side = (1 if int(u.id[slot]) % 2 else -1) if abs(aside) < 0.1 else 1 if aside > 0.0 else -1
    for sign in (side, -side):
        for out, off in PLACES:
            ty, tx = mouth[0] + oy * out + ox * off * sign, mouth[1] + ox * out - oy * off * sign
            if (
                0 <= ty < terrain.height
                and 0 <= tx < terrain.width
                and terrain.passable[ty, tx] >> u.klass[slot] & 1
                and not world.passages.narrow[ty, tx] >> u.klass[slot] & 1
            ):
                _go(way, slot, tx + 0.5, ty + 0.5)
                return True
    return False


def _go(way: Waypoints, slot: int, x: float, y: float) -> None:
    way.x[slot], way.y[slot], way.has_next[slot], way.final[slot] = x, y, 0, 0


def _ask_again(world: World, was: np.ndarray) -> None:
    """Who has cleared a passage has left his way, and asks for another from where he is."""
    u, p = world.units, world.passages
    done = np.flatnonzero((was == CLEARS) & (p.act[: len(was)] != CLEARS))
    for slot in done[(u.alive[done] == 1) & (u.moving[done] == 1) & (u.band[done] < 0)].tolist():
        u.path_request[slot] = 1
