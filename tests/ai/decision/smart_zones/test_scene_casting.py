"""Casting: nearest unit by brute force, seats by category, three cases of recasting."""

from __future__ import annotations

import numpy as np

from ai.decision.smart_zones.scene_casting import Candidates, cast_scene, fill_seats
from ai.decision.smart_zones.scene_script import Category, SceneRole
from tests.ai.decision.smart_zones.test_scene_script import show

ROLES = show().roles
JUGGLER, SPECTATOR, PASSER = 0, 1, 2


def crowd(distance: list[float], zone: float, jugglers: set[int], first: int = 0) -> Candidates:
    """Units ``first``.. by their distance; only ``jugglers`` can juggle, all can watch."""
    far = np.array(distance, float)
    ids = np.arange(first, first + len(far))
    fits = np.ones((len(far), 3), bool)
    fits[:, JUGGLER] = np.isin(ids, list(jugglers))
    return Candidates(ids, far, far <= zone, fits)


def test_five_of_eight_onlookers_get_seats_and_three_are_extras() -> None:
    parts = cast_scene(ROLES, crowd([0.5, *(3.0 + k for k in range(8))], 20.0, {0}), 0.0)
    assert parts is not None and parts[0] == (JUGGLER, 0, 0)
    assert [(role, seat) for role, seat, _ in parts[1:6]] == [(SPECTATOR, k) for k in range(5)]
    assert [role for role, _, _ in parts[6:]] == [PASSER] * 3
    assert len({unit for _, _, unit in parts}) == 9


def test_an_empty_zone_fetches_the_nearest_capable_unit_and_no_other() -> None:
    """Fifty random crowds outside the zone; the oracle is a loop over units."""
    rng = np.random.default_rng(3)
    empty = 0
    for _ in range(50):
        far = rng.uniform(6.0, 60.0, 12)
        capable = {int(k) for k in rng.choice(12, 2, replace=False)}
        parts = cast_scene(ROLES, crowd(far.tolist(), 5.0, capable), 30.0)
        within = [k for k in sorted(capable) if far[k] <= 30.0]
        if not within:
            assert parts is None, "it never starts with an open main role"
            empty += 1
            continue
        assert parts == [(JUGGLER, 0, min(within, key=lambda k: far[k]))], "supporting roles are not fetched"
    assert 5 < empty < 45


def test_a_unit_in_the_zone_comes_before_a_nearer_one_outside() -> None:
    found = crowd([4.0, 1.0], 0.0, {0, 1})
    found.inside[:] = (True, False)
    assert cast_scene(ROLES[:1], found, 9.0) == [(JUGGLER, 0, 0)]


def test_who_walks_off_is_replaced_by_category() -> None:
    """Recast a main seat or end the scene.

    A supporting seat is filled, and an extra leaves freely.
    """
    taken = [(JUGGLER, 0, 0), (SPECTATOR, 0, 1), (PASSER, 0, 2)]
    others = crowd([2.0, 3.0], 9.0, {11}, first=10)
    assert fill_seats(ROLES[:2], others, 0.0, taken[1:2]) == [(JUGGLER, 0, 11), (SPECTATOR, 1, 10)]
    assert fill_seats(ROLES, others, 0.0, taken[1:], recast=False) is None
    assert fill_seats(ROLES, crowd([2.0], 9.0, set(), first=10), 0.0, taken[1:]) is None
    again = fill_seats(ROLES, others, 0.0, [taken[0], taken[2]])
    assert again is not None and again[:2] == [(SPECTATOR, 0, 10), (SPECTATOR, 1, 11)]
    assert fill_seats(ROLES, crowd([], 9.0, set()), 0.0, taken[:2]) == []
    one = (SceneRole("a", Category.MAIN, ((0.0, 0.0), (1.0, 0.0))),)
    assert cast_scene(one, crowd([1.0], 9.0, {0}), 9.0) is None
