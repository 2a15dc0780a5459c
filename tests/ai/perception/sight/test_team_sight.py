"""A side sees the union of its living units' views, within a budget.

It never forgets explored tiles.
"""

from __future__ import annotations

import numpy as np
import pytest

from ai.core.serialization import digest, restore, snapshot
from ai.grid.terrain import Terrain
from ai.perception.sight import team_sight as team_sight_module
from ai.perception.sight.team_sight import TeamSight, team_sight
from tests.ai.perception.sight.ford import visible_from


class Crowd:
    """Unit columns that wander over a map."""

    def __init__(self, count: int, height: int, width: int, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)
        self.shape = (height, width)
        self.ids = np.arange(1, count + 1, dtype=np.int32)
        self.alive = np.ones(count, np.uint8)
        self.side = (np.arange(count) % 2).astype(np.uint8)
        self.x = self.rng.uniform(0, width, count)
        self.y = self.rng.uniform(0, height, count)
        self.radius = self.rng.integers(0, 12, count).astype(np.int32)

    def wander(self) -> None:
        height, width = self.shape
        self.x = np.clip(self.x + self.rng.uniform(-0.6, 0.6, len(self.x)), 0, width - 0.01)
        self.y = np.clip(self.y + self.rng.uniform(-0.6, 0.6, len(self.y)), 0, height - 0.01)

    def update(self, sight: TeamSight, opaque: np.ndarray, changes: list | None, budget: int = 10**9) -> int:
        return sight.update(opaque, changes, self.ids, self.alive, self.side, self.x, self.y, self.radius, budget)

    def union(self, opaque: np.ndarray, side: int) -> np.ndarray:
        mask = np.zeros(opaque.shape, bool)
        for i in np.flatnonzero((self.alive != 0) & (self.side == side)):
            for y, x in visible_from(opaque, int(self.y[i]), int(self.x[i]), int(self.radius[i])):
                mask[y, x] = True
        return mask


def random_map(seed: int, height: int = 40, width: int = 150) -> np.ndarray:
    return (np.random.default_rng(seed).random((height, width)) < 0.1).astype(np.uint8)


def test_visible_is_the_union_of_units_and_explored_the_union_over_time() -> None:
    opaque = random_map(1)
    crowd, sight = Crowd(12, *opaque.shape), team_sight(*opaque.shape)
    explored = [np.zeros(opaque.shape, bool) for _ in range(2)]
    changes = None
    for tick in range(12):
        crowd.update(sight, opaque, changes)
        for side in range(2):
            union = crowd.union(opaque, side)
            explored[side] |= union
            assert np.array_equal(sight.visible_mask(side), union)
            assert np.array_equal(sight.explored_mask(side), explored[side])
        crowd.wander()
        crowd.alive[tick % 12] = tick % 3 != 0
        y, x = tick * 3, tick * 11
        opaque[y : y + 4, x : x + 5] ^= 1
        changes = [(y, x, y + 4, x + 5)]
    assert not sight.visible_mask(2).any()


def test_many_views_are_merged_in_halves_to_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fog, memory and digest equal those of an undivided merge in every tick."""
    opaque = random_map(5)
    whole, parts = team_sight(*opaque.shape), team_sight(*opaque.shape)
    one, other = (Crowd(40, *opaque.shape, seed=3) for _ in range(2))
    merged: list[tuple[int, int]] = []
    honest = team_sight_module.merge_views

    def noted(top: int, bottom: int, *views: np.ndarray) -> int:
        merged.append((top, bottom))
        return int(honest(top, bottom, *views))

    monkeypatch.setattr(team_sight_module, "merge_views", noted)
    monkeypatch.setattr(team_sight_module, "SHARED_ROWS", 8)
    for _ in range(4):
        for crowd, sight, many in ((one, whole, 1000), (other, parts, 1)):
            monkeypatch.setattr(team_sight_module, "SHARED_VIEWS", many)
            crowd.update(sight, opaque, [])
            crowd.wander()
        assert np.array_equal(whole.visible, parts.visible) and np.array_equal(whole.explored, parts.explored)
        assert digest(whole) == digest(parts)
    assert sorted(set(merged)) == [(0, 20), (0, 40), (20, 40)]


def test_masks_positions_and_tiles_tell_the_same_in_any_window() -> None:
    opaque = random_map(2)
    crowd, sight = Crowd(20, *opaque.shape), team_sight(*opaque.shape)
    crowd.update(sight, opaque, None)
    whole = sight.visible_mask(1)
    assert np.array_equal(sight.visible_mask(1, 7, 60, 33, 131), whole[7:33, 60:131])
    assert sight.visible_mask(1, 7, 60, 7, 60).shape == (0, 0)
    ys, xs = np.mgrid[-1:41, -1:151].astype(float)
    flat = sight.sees_positions(1, xs.ravel() + 0.5, ys.ravel() + 0.5).reshape(ys.shape)
    assert np.array_equal(flat[1:-1, 1:-1], whole)
    assert flat.sum() == whole.sum()
    assert all(sight.sees(1, y, x) == whole[y, x] for y in range(40) for x in range(0, 150, 7))
    assert not sight.sees(1, 0, 150)
    assert not sight.sees(0, -1, 0)


def test_only_units_that_changed_tile_are_computed() -> None:
    opaque = random_map(3)
    crowd, sight = Crowd(30, *opaque.shape), team_sight(*opaque.shape)
    assert crowd.update(sight, opaque, None) == 30
    assert crowd.update(sight, opaque, []) == 0
    crowd.x[:3] = (crowd.x[:3] + 5) % 150
    assert crowd.update(sight, opaque, []) == 3


def test_the_budget_goes_round_by_id_whatever_the_slots() -> None:
    opaque = np.zeros((20, 400), np.uint8)
    crowd, sight = Crowd(9, 20, 400), team_sight(20, 400)
    crowd.ids = np.array([9, 8, 7, 6, 5, 4, 3, 2, 1], np.int32)
    order: list[int] = []
    for _ in range(5):
        before = sight.seen_x.copy()
        crowd.update(sight, opaque, [], budget=4)
        fresh = sight.seen_x != np.concatenate([before, np.full(9 - len(before), -1, np.int32)])
        order.append(sorted(crowd.ids[fresh].tolist()))  # type: ignore[arg-type]
        crowd.x = (crowd.x + 20) % 400
    assert order == [[1, 2, 3, 4], [5, 6, 7, 8], [1, 2, 3, 9], [4, 5, 6, 7], [1, 2, 8, 9]]
    assert sight.computed == 4
    assert sight.waiting == 5


def test_a_closing_door_hides_at_once_even_without_budget() -> None:
    opaque = np.zeros((5, 21), np.uint8)
    opaque[:, 10] = 1
    opaque[2, 10] = 0
    crowd, sight = Crowd(1, 5, 21), team_sight(5, 21)
    crowd.x[:], crowd.y[:], crowd.radius[:] = 3.5, 2.5, 20
    crowd.update(sight, opaque, None)
    assert sight.sees(0, 2, 15)
    opaque[2, 10] = 1
    crowd.update(sight, opaque, [(2, 10, 3, 11)], budget=0)
    assert not sight.sees(0, 2, 15)
    assert sight.explored_mask(0)[2, 15]
    assert sight.sees(0, 2, 10), "the door itself is seen, like any wall"


def test_terrain_tells_the_views_what_changed_for_eyes() -> None:
    terrain = Terrain.build(np.ones((9, 21), bool), opaque=np.zeros((9, 21), np.uint8))
    crowd, sight = Crowd(1, 9, 21), team_sight(9, 21)
    crowd.x[:], crowd.y[:], crowd.radius[:] = 3.5, 2.5, 20
    crowd.update(sight, terrain.opaque, sight.changes_of(terrain))
    assert sight.sees(0, 2, 15)
    terrain.edit(0, 10, 9, 11, cost=16)
    assert sight.changes_of(terrain) == []
    terrain.edit(0, 10, 9, 11, opaque=1)
    crowd.update(sight, terrain.opaque, sight.changes_of(terrain))
    assert not sight.sees(0, 2, 15)


def test_a_slot_given_to_another_unit_starts_dark() -> None:
    opaque = np.zeros((10, 60), np.uint8)
    crowd, sight = Crowd(1, 10, 60), team_sight(10, 60)
    crowd.update(sight, opaque, None)
    crowd.ids[0] = 77
    crowd.update(sight, opaque, [], budget=0)
    assert not sight.visible_mask(0).any()


def test_a_restored_sight_goes_on_like_the_first() -> None:
    opaque = random_map(4)
    crowd, sight = Crowd(25, *opaque.shape), team_sight(*opaque.shape)
    crowd.update(sight, opaque, None)
    ab_run = restore(snapshot(sight))
    for tick in range(8):
        crowd.wander()
        opaque[tick : tick + 3, 40:60] ^= 1
        changes = [(tick, 40, tick + 3, 60)]
        crowd.update(sight, opaque, changes, budget=6)
        ab_run = restore(snapshot(ab_run))
        crowd.update(ab_run, opaque, changes, budget=6)
        assert digest(ab_run) == digest(sight)
        assert np.array_equal(ab_run.visible, sight.visible)
        assert np.array_equal(ab_run.explored, sight.explored)


def test_the_explored_digest_depends_on_the_tiles_and_not_on_the_way_there() -> None:
    opaque = np.zeros((12, 90), np.uint8)
    digests = []
    for stops in ((10.5, 50.5), (50.5, 10.5), (10.5, 51.5)):
        crowd, sight = Crowd(1, 12, 90), team_sight(12, 90)
        crowd.y[:], crowd.radius[:] = 6.5, 5
        for x in stops:
            crowd.x[:] = x
            crowd.update(sight, opaque, [])
        digests.append(sight.explored_digest)
    assert digests[0] == digests[1] != digests[2]


def test_wrong_input_is_told_and_strays_see_nothing() -> None:
    opaque = np.zeros((10, 10), np.uint8)
    crowd, sight = Crowd(3, 10, 10), team_sight(10, 10, max_radius=11)
    crowd.x[:] = [-0.5, 10.0, 5.0]
    crowd.y[2] = 1e6
    assert crowd.update(sight, opaque, None) == 0
    crowd.radius[0] = 12
    with pytest.raises(ValueError, match="radii"):
        crowd.update(sight, opaque, [])
    with pytest.raises(ValueError, match="opaque"):
        Crowd(1, 10, 10).update(sight, np.zeros((9, 10), np.uint8), [])
    with pytest.raises(ValueError, match="cannot see"):
        team_sight(0, 5)
