"""Choreographer: decides per side which unit advances where one body fits.

The rules are in game.systems.passages.passage_right_of_way. Claims are tried in their order, those of units
inside first. Then every unit that stands on another's claim gets a refuge, with the units it pushes. A unit
without a refuge is let out before the others, and all is tried again.

Source: "Game AI Pro 2", 20.9 (a choreographer); the order and the pushing are those of priority inheritance
(Okumura et al., 2019).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ai.steering.steering_columns import Waypoints
from ai.steering.traffic.corridor_segments import behind
from ai.steering.traffic.reservation_table import FLAGS, OWNER, STAMP, TAKEN, WANTED, claim, put_bodies, refuge
from ai.steering.traffic.right_of_way import HELD
from game.world.passage_claims import CLEARS, GOES, STANDS
from game.world.world import World

WAIT_FROM = 3.5
"""Tiles before the mouth at which a unit waits; queued units stop farther out."""
STAYS = 1.5
"""Least gain in tiles for which a waiting unit moves nearer."""
CLEAR = 2.0
"""Tiles to the mouth within which no unit waits."""
SHARE = 200
"""Ticks of waiting after which no unit enters against the waiting one."""
LOSES = 60
"""Ticks without progress after which a unit in a passage loses its right."""
SETTLES = 0.5
"""Tiles to another's goal within which a standing unit need not make room."""
TRIES = 4
"""Units let out first, one after the other, until all have a refuge."""
PLACES = ((1, 2), (2, 2), (2, 3), (3, 2), (3, 1), (4, 1), (4, 0), (3, 0))
"""Places that clear the mouth: tiles out of it, and tiles aside."""
MIDDLE = 0.15
"""Distance to a tile's middle along each axis that counts as in it, tiles."""


@dataclass(frozen=True)
class Wish:
    """Wish of a unit, or a group, to go through.

    ``slot`` -1 means a group as a whole; then ``name`` and ``direction`` describe it.
    """

    slot: int
    unit: int
    stretch: np.ndarray
    inside: bool
    away: float
    name: int = -1
    direction: int = 0


@dataclass
class _Outcome:
    """Outcome of one evaluation: waits, refuges, granted wishes and blocked units.

    Waits are ids by slot, refuges are paths by slot. Blocked units have no refuge: slot -> id of the unit that
    each hinders.
    """

    waits: dict[int, int] = field(default_factory=dict)
    paths: dict[int, list[int]] = field(default_factory=dict)
    granted: list[Wish] = field(default_factory=list)
    refused: list[Wish] = field(default_factory=list)
    caught: dict[int, int] = field(default_factory=dict)


class Choreographer:
    """Choreographer of one side in one tick: grants advance and makes room."""

    def __init__(self, world: World, side: int, wishes: list[Wish], was: np.ndarray, path: Waypoints) -> None:
        self.world, self.side, self.wishes, self.was, self.path = world, side, wishes, was, path
        self.width = world.terrain.width
        u, n, p = world.units, world.units.count, world.passages
        tiles = u.y[:n].astype(np.int64) * self.width + u.x[:n].astype(np.int64)
        self.tile = tiles
        slim = (p.narrow.reshape(-1)[tiles] >> u.movement_class[:n]) & 1 == 1
        idle = (u.alive[:n] == 1) & (u.side[:n] == side) & (u.moving[:n] == 0) & (slim | (was != GOES))
        self.idle = sorted(np.flatnonzero(idle).tolist(), key=lambda slot: int(u.id[slot]))
        self.of = {wish.slot: wish for wish in wishes if wish.slot >= 0}

    def decide(self, right: np.ndarray, since: np.ndarray) -> None:
        """Write every unit's act, and the next tick's ``right`` and ``since``."""
        p, u, tick = self.world.passages, self.world.units, self.world.tick
        first = [slot for slot in [*self.of, *self.idle] if p.right[slot] == 2]
        first.sort(key=lambda slot: (int(p.since[slot]), int(u.id[slot])))
        outcome = usual = self._evaluate(first)
        for _ in range(TRIES):
            let_out = [slot for slot in outcome.caught if slot not in first and not u.holding[slot]]
            if not outcome.caught or not let_out:
                break
            first = [let_out[0], *first]
            outcome = self._evaluate(first)
        if outcome.caught:
            # It cannot be solved: units that are held up for long report it.
            outcome, first = usual, []
            for slot, other in usual.caught.items():
                for each in (slot, u.slot(other)):
                    if each >= 0:
                        p.shut[each] = 1
        for wish in outcome.granted:
            if wish.slot >= 0:
                stuck = wish.inside and u.stuck[wish.slot] >= LOSES
                right[wish.slot] = 0 if stuck else 1
                since[wish.slot] = tick if stuck else p.since[wish.slot]
        for wish in outcome.refused:
            if wish.slot >= 0:
                since[wish.slot] = p.since[wish.slot] if p.since[wish.slot] >= 0 else tick
        for slot in first:
            if slot in self.of or slot in outcome.paths:
                right[slot], since[slot] = 2, p.since[slot] if p.since[slot] >= 0 else tick
        for wish in self.wishes:
            if wish.slot < 0:
                holds = p.held.get(wish.name, (0, tick))[0]
                p.held[wish.name] = (wish.direction if wish in outcome.granted else holds), tick
        self._act(outcome)

    def _flags(self, tile: int, stamp: int) -> int:
        marks = self.world.passages.marks
        return int(marks[FLAGS, tile]) if marks[STAMP, tile] == stamp else 0

    def _claims(self, wish: Wish, stamp: int, force: int = 0) -> int:
        lead, last, *_ = wish.stretch[:2].tolist()
        marks = self.world.passages.marks
        count = len(wish.stretch) - 2
        return int(claim(wish.stretch, 2, count, lead, last, self.width, force, wish.unit, stamp, marks))

    def _evaluate(self, first: list[int]) -> _Outcome:
        """Evaluate claims in order, ``first`` before all others, then refuges.

        Units that stand on a claim need a refuge.
        """
        p, u, tick, out = self.world.passages, self.world.units, self.world.tick, _Outcome()
        n = u.count
        stamp = p.next_stamps() + 1
        put_bodies(self.side, stamp, u.side[:n], u.alive[:n], u.x[:n], u.y[:n], self.width, p.marks)
        for wish in self.wishes:
            self._claims(wish, stamp, 2)
        place = {slot: k for k, slot in enumerate(first)}
        for slot in first:
            if slot not in self.of and self._flags(int(self.tile[slot]), stamp) & WANTED:
                self._path_out(out, slot, stamp, int(u.id[slot]), WANTED, 1)

        def inside_first(wish: Wish) -> tuple[int, bool, int, int, int]:
            has = wish.slot >= 0 and p.right[wish.slot] > 0
            waited = int(p.since[wish.slot]) if wish.slot >= 0 and p.since[wish.slot] >= 0 else tick
            return place.get(wish.slot, TRIES + n), not has, waited, len(wish.stretch), wish.unit

        def outside(wish: Wish) -> tuple[bool, int, bool, float, int]:
            has = wish.slot >= 0 and p.right[wish.slot] > 0
            waited = int(p.since[wish.slot]) if wish.slot >= 0 and p.since[wish.slot] >= 0 else tick
            long = tick - waited >= SHARE
            return not long, waited if long else 0, not has, round(wish.away, 6), wish.unit

        for wish in sorted((wish for wish in self.wishes if wish.inside), key=inside_first):
            self._grant(out, wish, stamp)
        self._make_room(out, stamp)
        for wish in sorted((wish for wish in self.wishes if not wish.inside), key=outside):
            self._grant(out, wish, stamp)
            if wish.slot in out.waits and tick - int(p.since[wish.slot]) >= SHARE and p.since[wish.slot] >= 0:
                self._claims(wish, stamp, 1)
        self._make_room(out, stamp)
        self.stamp = stamp
        return out

    def _grant(self, out: _Outcome, wish: Wish, stamp: int) -> None:
        other = self._claims(wish, stamp)
        if other < 0:
            out.granted.append(wish)
            return
        out.refused.append(wish)
        if wish.slot >= 0:
            out.waits[wish.slot] = other

    def _make_room(self, out: _Outcome, stamp: int) -> None:
        """Find paths out for units on claims without a right; pushed units push others."""
        p, u = self.world.passages, self.world.units
        inside = [wish.slot for wish in out.refused if wish.inside and wish.slot >= 0]
        more = True
        while more:
            more = False
            for slot in [*inside, *self.idle]:
                tile = int(self.tile[slot])
                if slot in out.paths or slot in out.caught or not self._flags(tile, stamp) & TAKEN:
                    continue
                owner = int(p.marks[OWNER, tile])
                if owner == int(u.id[slot]) or (slot not in self.of and self._settles_with(slot, owner)):
                    continue
                if u.holding[slot] or not self._path_out(out, slot, stamp, owner, TAKEN, 0):
                    out.caught[slot] = owner
                    continue
                more = True

    def _settles_with(self, slot: int, owner: int) -> bool:
        """Return true if an idle unit stands at the other's goal."""
        u, other = self.world.units, self.world.units.slot(owner)
        if other < 0:
            return False
        to_me = np.hypot(u.goal_x[other] - u.x[slot], u.goal_y[other] - u.y[slot])
        same = np.hypot(u.goal_x[other] - u.goal_x[slot], u.goal_y[other] - u.goal_y[slot])
        return bool(min(to_me, same) < SETTLES)

    def _path_out(self, out: _Outcome, slot: int, stamp: int, unit: int, shun: int, against: int) -> bool:
        """Find a refuge for ``slot`` and claim the path there for ``unit``."""
        p, u, t = self.world.passages, self.world.units, self.world.terrain
        search = p.next_stamps() + 1
        count = refuge(
            t.passable, p.narrow, 1 << int(u.movement_class[slot]), int(self.tile[slot]), -1, shun, against, stamp,
            search,
            p.marks, p.path,
        )  # fmt: skip
        if count:
            out.paths[slot] = p.path[:count].tolist()
            x, y, onward = float(u.x[slot]), float(u.y[slot]), int(p.path[min(1, count - 1)])
            back = behind(t.passable, 1 << int(u.movement_class[slot]), x, y, onward) if count > 1 else -1
            tiles = np.concatenate([[back] if back >= 0 else [], p.path[:count]]).astype(np.int32)
            lead = -1 if back >= 0 else 0
            claim(tiles, 0, len(tiles), lead, len(tiles) - 1, self.width, 1, unit, stamp, p.marks)
            out.waits.setdefault(slot, unit)
        return bool(count)

    def _act(self, out: _Outcome) -> None:
        p, u = self.world.passages, self.world.units
        for wish in out.refused:
            slot = wish.slot
            if slot < 0 or p.shut[slot]:
                continue
            tile = int(self.tile[slot])
            if slot in out.paths:
                self._clear(slot, out.paths[slot])
            elif wish.inside:
                if not self._to_the_middle(slot):
                    p.act[slot] = STANDS
            elif self._hinders(slot, tile) and self._path_out(out, slot, self.stamp, wish.unit, TAKEN, 0):
                self._clear(slot, out.paths[slot])
            elif wish.away < CLEAR:
                p.act[slot] = CLEARS if self._lead_aside(wish) else STANDS
            elif wish.away < WAIT_FROM + (STAYS if self.was[slot] else 0.0) or u.stuck[slot] >= HELD:
                p.act[slot] = STANDS
            if p.act[slot] != GOES:
                p.waits_for[slot] = out.waits[slot]
        for slot in self.idle:
            if slot in out.paths:
                if np.isnan(p.post[slot, 0]):
                    p.post[slot] = u.x[slot], u.y[slot]
                self._clear(slot, out.paths[slot])
                p.waits_for[slot] = out.waits[slot]
            elif not self._to_the_middle(slot) and self.was[slot] != GOES:
                x, y = p.post[slot].tolist()
                if not np.isnan(x) and self._flags(int(y) * self.width + int(x), self.stamp) & WANTED:
                    p.act[slot] = STANDS  # until the path back is free

    def _to_the_middle(self, slot: int) -> bool:
        """Send a unit at its refuge on to the middle of its tile."""
        u, (y, x) = self.world.units, divmod(int(self.tile[slot]), self.width)
        off = max(abs(float(u.x[slot]) - x - 0.5), abs(float(u.y[slot]) - y - 0.5))
        if self.was[slot] != CLEARS or off < MIDDLE:
            return False
        self._clear(slot, [int(self.tile[slot])])
        return True

    def _hinders(self, slot: int, tile: int) -> bool:
        """Return true if a tile is claimed by any unit but ``slot``."""
        p = self.world.passages
        mine = int(self.world.units.id[slot])
        return bool(self._flags(tile, self.stamp) & TAKEN) and int(p.marks[OWNER, tile]) != mine

    def _clear(self, slot: int, path: list[int]) -> None:
        p, u = self.world.passages, self.world.units
        y, x = divmod(path[min(1, len(path) - 1)], self.width)
        self._go(slot, x + 0.5, y + 0.5)
        p.act[slot] = CLEARS
        p.left[slot] = max(len(path) - 2, 0) + np.hypot(x + 0.5 - u.x[slot], y + 0.5 - u.y[slot])

    def _lead_aside(self, wish: Wish) -> bool:
        """Lead a unit aside from a mouth that another enters; False without room."""
        p, u, terrain, slot = self.world.passages, self.world.units, self.world.terrain, wish.slot
        lead = int(wish.stretch[0])
        (my, mx), (ty, tx) = (divmod(int(tile), self.width) for tile in wish.stretch[1 + lead : 3 + lead])
        oy, ox = my - ty, mx - tx
        # To the side on which it is, in the middle by its id.
        aside = (float(u.y[slot]) - my - 0.5) * ox - (float(u.x[slot]) - mx - 0.5) * oy
        side = (1 if int(u.id[slot]) % 2 else -1) if abs(aside) < 0.1 else 1 if aside > 0.0 else -1
        for sign in (side, -side):
            for out, off in PLACES:
                y, x = my + oy * out + ox * off * sign, mx + ox * out - oy * off * sign
                if (
                    0 <= y < terrain.height
                    and 0 <= x < terrain.width
                    and terrain.passable[y, x] >> u.movement_class[slot] & 1
                    and not p.narrow[y, x] >> u.movement_class[slot] & 1
                    and not self._flags(y * self.width + x, self.stamp) & TAKEN
                ):
                    self._go(slot, x + 0.5, y + 0.5)
                    p.left[slot] = np.hypot(x + 0.5 - u.x[slot], y + 0.5 - u.y[slot])
                    return True
        return False

    def _go(self, slot: int, x: float, y: float) -> None:
        path = self.path
        path.x[slot], path.y[slot], path.has_next[slot], path.final[slot] = x, y, 0, 0
