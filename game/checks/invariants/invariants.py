"""Invariants of motion as expectations: no wall contact, no overlap, no deadlock."""

from __future__ import annotations

import math

import numpy as np
from scipy.spatial import cKDTree

from ai.core.scheduling.periods import is_due
from ai.formation.group_entity import G_ALONG, GroupState
from ai.formation.slot_flow_fields import RallyField
from ai.formation.slot_following import BY_FIELD
from ai.grid.moves import MOVE_X, MOVE_Y
from ai.steering.collision.progress import connected_groups
from game.checks.expectations import KINDS as PROMISES
from game.checks.expectations import Expectation
from game.checks.invariants.body_invariants import BODY_LAWS
from game.checks.invariants.formation_invariants import DRILL_LAWS
from game.checks.invariants.no_cheating import CHEATING_LAWS
from game.checks.invariants.search_invariants import SEARCH_LAWS
from game.checks.invariants.sight_invariants import SIGHT_LAWS
from game.checks.invariants.stealth_invariants import STEALTH_LAWS
from game.checks.scripts.script import Expect
from game.world.world import World

OVERLAP_SHARE = 0.1
"""Share of a radius that bodies may overlap at any time.

They may overlap by more only for OVERLAP_TICKS.
"""
OVERLAP_TICKS = 5
OVERLAP_MOST = 0.25
"""And by more than this share of a radius in no tick."""
GRAZE = 0.01
"""Tiles by which a body may reach over a wall: invisible at any zoom."""
AROUND = np.array([(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)])
PROGRESS_WINDOW = 100
SAMPLE = 5
"""Ticks between two checks of the remaining paths."""
DETOUR = 1.5
"""Growth of a path in tiles between looks that marks a new one."""


class NoOverlap(Expectation):
    """Living bodies do not overlap beyond a tenth of a radius.

    More is allowed for five ticks on end at most, and never more than a quarter. Units that start on top of each
    other have five ticks to separate.
    """

    def start(self, world: World) -> None:
        self.began = {(a, b) for a, b, _ in self.deep_pairs(world, OVERLAP_MOST)}
        self.running: dict[tuple[int, int], int] = {}
        self.worst: tuple[int, int, int, int] | None = None  # ticks, unit, unit, tick
        self.deepest: tuple[int, int, int] | None = None  # unit, unit, tick

    def watch(self, world: World) -> None:
        now: dict[tuple[int, int], int] = {}
        for a, b, share in self.deep_pairs(world, OVERLAP_SHARE):
            now[a, b] = self.running.get((a, b), 0) + 1
            if now[a, b] > OVERLAP_TICKS and (self.worst is None or now[a, b] > self.worst[0]):
                self.worst = (now[a, b], a, b, world.tick)
            excused = world.tick <= OVERLAP_TICKS and (a, b) in self.began
            if share > OVERLAP_MOST and self.deepest is None and not excused:
                self.deepest = a, b, world.tick
        self.running = now

    def deep_pairs(self, world: World, share: float) -> list[tuple[int, int, float]]:
        """Return id pairs of living bodies with deep overlap, and their shares.

        The share is relative to the smaller radius.
        """
        u = world.units
        live = self.slots[u.alive[self.slots] == 1]
        if len(live) < 2:
            return []
        xy = np.column_stack([u.x[live], u.y[live]])
        pairs = cKDTree(xy).query_pairs(2 * float(u.radius[live].max()), output_type="ndarray")
        a, b = live[pairs].T
        gap = np.hypot(u.x[a] - u.x[b], u.y[a] - u.y[b]) - u.radius[a] - u.radius[b]
        shares = -gap / np.minimum(u.radius[a], u.radius[b])
        deep = shares > share
        first, second = np.minimum(u.id[a], u.id[b]), np.maximum(u.id[a], u.id[b])
        return list(zip(first[deep].tolist(), second[deep].tolist(), shares[deep].tolist(), strict=True))

    def verdict(self, world: World) -> str | None:
        if self.deepest is not None:
            a, b, tick = self.deepest
            return f"{world.name_of(a)} and {world.name_of(b)} were deep in each other at tick {tick}"
        if self.worst is None:
            return None
        ticks, a, b, tick = self.worst
        return f"{world.name_of(a)} and {world.name_of(b)} overlapped for {ticks} ticks up to tick {tick}"


class NoWall(Expectation):
    """Living bodies, as discs, stay off walls and the map's edge.

    A wall is a tile that the movement class cannot enter; ``GRAZE`` tiles are tolerated.
    """

    def start(self, world: World) -> None:
        self.first: str | None = None

    def watch(self, world: World) -> None:
        if self.first is not None:
            return
        u, passable = world.units, world.terrain.passable
        live = self.slots[u.alive[self.slots] == 1]
        x, y, movement_class = u.x[live], u.y[live], u.movement_class[live]
        tile_y, tile_x = np.floor(y).astype(int), np.floor(x).astype(int)
        reach = u.radius[live] - GRAZE
        ty, tx = tile_y + AROUND[:, :1], tile_x + AROUND[:, 1:]
        # From the centre to the nearest point of each of the nine tiles.
        away_y, away_x = np.maximum(ty - y, y - ty - 1), np.maximum(tx - x, x - tx - 1)
        touched = np.maximum(away_y, 0.0) ** 2 + np.maximum(away_x, 0.0) ** 2 < reach**2
        inside = (ty >= 0) & (tx >= 0) & (ty < passable.shape[0]) & (tx < passable.shape[1])
        ground = passable[np.where(inside, ty, 0), np.where(inside, tx, 0)]
        bad = (touched & ~(inside & (ground >> movement_class & 1 != 0))).any(axis=0)
        if bad.any():
            slot = live[bad][0]
            where = f"({u.x[slot]:.2f}, {u.y[slot]:.2f})"
            self.first = f"{self.names(world, live[bad])} stood in a wall at {where}, tick {world.tick}"

    def verdict(self, world: World) -> str | None:
        return self.first


class ProgressLaw(Expectation):
    """Each connected crowd of moving units progresses in every 100 ticks.

    A crowd is connected by gaps of at most half a tile, as for the clocks that end an order. At least one member gets
    nearer to its goal. While a unit waits before a passage for one body, the progress of
    the unit it waits for counts. If that unit makes room, its progress with that counts. Distance is measured
    along the path: what is left of it, plus the straight rest where it does not reach the goal yet. For a member
    of a group it is the distance to its slot, plus what is left of the group's path. A new goal, the change from
    a quick path to a full path, and a detour start a new measure. Progress that is lost again does not count.
    """

    def start(self, world: World) -> None:
        n, rows = len(self.slots), PROGRESS_WINDOW // SAMPLE
        self.left = np.full(n, np.nan)
        self.stamp = np.full((n, 2), -1, np.int64)
        self.gained = np.zeros((rows, n))
        self.wanted = np.zeros((rows, n), bool)
        self.first: str | None = None

    def watch(self, world: World) -> None:
        if self.first is not None or not is_due(world.tick, SAMPLE):
            return
        u = world.units
        wants = (u.moving[self.slots] == 1) & (u.alive[self.slots] == 1)
        left, stamp = self._paths_found(world, wants)
        gain = self.left - left
        same = (stamp == self.stamp).all(axis=1) & wants & ~np.isnan(gain) & (gain > -DETOUR)
        row = world.tick // SAMPLE % len(self.gained)
        gain = np.where(same, gain, 0.0)
        self.gained[row] = self._of_others(world, gain) if world.passages.act.any() else gain
        self.wanted[row] = wants
        self.left, self.stamp = left, stamp
        if world.tick >= PROGRESS_WINDOW:
            self._judge(world)

    def _paths_found(self, world: World, wants: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        u, store, groups = world.units, world.paths.store, world.groups
        left = np.full(len(self.slots), np.nan)
        stamp = np.full((len(self.slots), 2), -1, np.int64)
        for i in np.flatnonzero(wants).tolist():
            slot = int(self.slots[i])
            band = int(u.band[slot])
            if band >= 0 and groups.state(band) in (GroupState.FORMING, GroupState.MARCHING, GroupState.SETTLING):
                # Its goal is its own slot, which goes along with the group.
                group = groups.rows[band]
                left[i] = _left_to_slot(world, slot, groups.fields.of(group.id))
                if groups.state(band) == GroupState.MARCHING and group.path is not None:
                    left[i] += group.path.length - float(groups.num[band, G_ALONG])
                stamp[i] = -2, group.since
                continue
            points = store.points_of(slot)
            path = np.vstack([[u.x[slot], u.y[slot]], points, [u.goal_x[slot], u.goal_y[slot]]])
            left[i] = np.hypot(*np.diff(path, axis=0).T).sum()
            stamp[i] = int(store.goal[slot]), int(store.final[slot])
        return left, stamp

    def _judge(self, world: World) -> None:
        u = world.units
        always = np.flatnonzero(self.wanted.all(axis=0))
        if not len(always):
            return
        slots = self.slots[always]
        label = connected_groups(u.x[slots], u.y[slots], u.radius[slots], np.ones(len(slots), bool))
        best = np.full(int(label.max()) + 1, -np.inf)
        np.maximum.at(best, label, self.gained[:, always].sum(axis=0))
        for group in np.flatnonzero(best <= 0.05):
            members = slots[label == group]
            self.first = f"{self.names(world, members)} got no nearer in {PROGRESS_WINDOW} ticks up to {world.tick}"
            return

    def _of_others(self, world: World, gain: np.ndarray) -> np.ndarray:
        """Return ``gain`` float64[n], where waiting units get that of the awaited one.

        It concerns units that wait before a passage.
        """
        u, p = world.units, world.passages
        row = {int(slot): k for k, slot in enumerate(self.slots.tolist())}
        out = gain.copy()
        for k, slot in enumerate(self.slots.tolist()):
            if slot < len(p.act) and p.act[slot] and p.waits_for[slot] >= 0:
                out[k] = gain[row[other]] if (other := u.slot(int(p.waits_for[slot]))) in row else 0.0
        return out

    def verdict(self, world: World) -> str | None:
        return self.first


def _left_to_slot(world: World, slot: int, rally: RallyField | None) -> float:
    """Return tiles to a member's slot, along its group's field while it leads."""
    u = world.units
    x, y, left = float(u.x[slot]), float(u.y[slot]), 0.0
    if u.slot_mode[slot] == BY_FIELD and rally is not None and rally.moves is not None:
        ty, tx = int(y) - rally.window[0], int(x) - rally.window[1]
        height, width = rally.moves.shape
        while 0 <= ty < height and 0 <= tx < width and rally.moves[ty, tx] < len(MOVE_Y):
            move = int(rally.moves[ty, tx])
            ty, tx = ty + int(MOVE_Y[move]), tx + int(MOVE_X[move])
            at = tx + rally.window[1] + 0.5, ty + rally.window[0] + 0.5
            left += math.hypot(at[0] - x, at[1] - y)
            x, y = at
    return left + math.hypot(float(u.slot_x[slot]) - x, float(u.slot_y[slot]) - y)


LAWS = {"no_overlap": NoOverlap, "no_wall": NoWall, "progress": ProgressLaw, **BODY_LAWS, **DRILL_LAWS}
OF_MOTION = ("no_wall", "no_overlap", "progress", "steady", "within_type", "slots")
"""Invariants of motion that every script of a regression level carries."""


def expectations(rows: list[Expect], world: World) -> list[Expectation]:
    """Return the watchers for a script's ``expect`` rows, in their order."""
    kinds = PROMISES | LAWS | CHEATING_LAWS | STEALTH_LAWS | SEARCH_LAWS | SIGHT_LAWS
    return [kinds[row.kind](row, world) for row in rows]
