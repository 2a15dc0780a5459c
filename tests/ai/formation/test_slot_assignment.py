"""Assignments are permutations; their lengths and crossings are counted by brute force."""

import itertools

import numpy as np
import pytest

from ai.formation.formation_shapes import Shape, form, place
from ai.formation.slot_assignment import (
    SLOT_ASSIGNMENTS,
    Merits,
    Roster,
    assign_arrived,
    assign_nearest,
    assign_optimal,
    assign_sorted,
    order_by_type,
)
from game.world.groups.drill import Matching


def walk(units, slots, taken):
    return np.hypot(*(units - slots[taken]).T).sum()


def crossings(a, b):
    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return sum(
        side(a[i], b[i], a[j]) * side(a[i], b[i], b[j]) < -1e-9
        and side(a[j], b[j], a[i]) * side(a[j], b[j], b[i]) < -1e-9
        for i, j in itertools.combinations(range(len(a)), 2)
    )


@pytest.mark.parametrize("assign", [assign_nearest, assign_sorted, assign_optimal])
@pytest.mark.parametrize(("n", "m"), [(12, 12), (5, 9), (9, 5), (0, 3), (3, 0)])
def test_every_unit_gets_a_slot_of_its_own_while_there_are_any(assign, n, m):
    rng = np.random.default_rng(n * 10 + m)
    taken = assign(rng.uniform(0, 9, (n, 2)), rng.uniform(0, 9, (m, 2)))
    given = taken[taken >= 0]
    assert len(given) == min(n, m)
    assert len(set(given.tolist())) == len(given)


def test_optimal_is_the_best_of_all_permutations():
    rng = np.random.default_rng(1)
    for _ in range(10):
        units, slots = rng.uniform(0, 9, (2, 6, 2))
        best = min(walk(units, slots, list(p)) for p in itertools.permutations(range(6)))
        assert walk(units, slots, assign_optimal(units, slots)) == pytest.approx(best)


def test_nearest_is_at_most_half_longer_than_optimal_on_the_whole():
    rng = np.random.default_rng(2)
    ratio = []
    for _ in range(40):
        units, slots = rng.uniform(0, 20, (2, 30, 2))
        ratio.append(
            walk(units, slots, assign_nearest(units, slots)) / walk(units, slots, assign_optimal(units, slots))
        )
    assert np.mean(ratio) < 1.5


def test_a_group_in_its_slots_stays_and_a_line_turned_about_keeps_its_places():
    slots = place(form(Shape.LINE, 9, 1.0), 10.0, 10.0, 0.0)[:, :2]
    about = place(form(Shape.LINE, 9, 1.0), 10.0, 10.0, np.pi)[:, :2]
    for assign in (assign_nearest, assign_optimal):
        assert np.array_equal(assign(slots, slots), np.arange(9))
        assert walk(slots, about, assign(slots, about)) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("heading", [0.0, 0.7, 2.5])
def test_sorted_lanes_of_the_same_shape_never_cross(heading):
    slots = form(Shape.BOX, 16, 1.0)
    units = place(slots, 5.0, 5.0, heading)[:, :2]
    there = place(slots, 5.0 + 30 * np.cos(heading), 5.0 + 30 * np.sin(heading), heading)[:, :2]
    shuffled = np.random.default_rng(3).permutation(16)
    taken = assign_sorted(units[shuffled], there)
    assert crossings(units[shuffled], there[taken]) == 0
    assert np.array_equal(slots.rank[shuffled], slots.rank[taken]), "no unit moves from the back to the front"


def test_sorted_and_optimal_lanes_cross_less_than_random_ones():
    rng = np.random.default_rng(4)
    total = np.zeros(3, int)
    for _ in range(10):
        units = rng.uniform(0, 8, (20, 2))
        slots = place(form(Shape.WEDGE, 20, 1.0), 40.0, 6.0, 0.2)[:, :2]
        for k, taken in enumerate((assign_optimal(units, slots), assign_sorted(units, slots), rng.permutation(20))):
            total[k] += crossings(units, slots[taken])
    assert total[0] == 0
    assert total[1] < total[2] / 2


def test_the_order_of_equal_units_is_that_of_their_ids():
    units = np.array([(0.0, 0.0), (0.0, 0.0), (0.0, 0.0)])
    assert np.array_equal(assign_nearest(units, np.array([(1.0, 0.0), (2.0, 0.0), (3.0, 0.0)])), [0, 1, 2])


def merits(n, toughness=1.0, reach=8.0, speed=4.0, hurt=False):
    columns = [np.broadcast_to(np.asarray(c, float), (n,)).copy() for c in (toughness, reach, speed)]
    return Merits(*columns, np.broadcast_to(np.asarray(hurt, bool), (n,)).copy())


def by_type(slots, **columns):
    n = len(slots.forward)
    return order_by_type(merits(n, **columns), slots.forward, slots.right, slots.weight)


def test_tough_units_stand_in_front():
    rng = np.random.default_rng(5)
    slots = form(Shape.BOX, 20, 1.0)
    tough = rng.integers(1, 5, 20)
    taken = by_type(slots, toughness=tough)
    for i, j in itertools.permutations(range(20), 2):
        if slots.rank[taken[i]] < slots.rank[taken[j]]:
            assert tough[i] >= tough[j]


@pytest.mark.parametrize("seed", range(8))
def test_long_reach_stands_behind_and_fast_units_on_the_flanks(seed):
    rng = np.random.default_rng(seed)
    slots = form(Shape.BOX, 20, 1.0)
    reach, speed = rng.choice([6.0, 12.0], 20), rng.choice([3.0, 4.0, 5.0], 20)
    taken = by_type(slots, reach=reach, speed=speed)
    assert sorted(taken.tolist()) == list(range(20))
    rank, aside = slots.rank[taken], np.round(np.abs(slots.right[taken]), 6)
    for i, j in itertools.permutations(range(20), 2):
        if rank[i] < rank[j]:
            assert reach[i] <= reach[j], "no long reach before a short one"
        if rank[i] == rank[j] and aside[i] > aside[j]:
            assert speed[i] >= speed[j], "no slower unit farther out in its rank"


@pytest.mark.parametrize("shape", [Shape.BOX, Shape.CIRCLE, Shape.WEDGE])
def test_hurt_units_stand_inside(shape):
    slots = form(shape, 12, 1.0)
    hurt = np.zeros(12, bool)
    hurt[[2, 7, 9]] = True
    taken = by_type(slots, toughness=np.arange(12.0), reach=np.tile((6.0, 12.0), 6), hurt=hurt)
    away = np.round(np.hypot(slots.forward, slots.right)[taken], 6)
    assert sorted(taken.tolist()) == list(range(12))
    assert away[hurt].max() <= away[~hurt].min()


def test_equal_units_take_the_important_slots_by_id():
    slots = form(Shape.WEDGE, 7, 1.0)
    taken = by_type(slots)
    assert taken.tolist() == np.lexsort((-slots.weight, -np.round(slots.forward, 6))).tolist()


@pytest.mark.parametrize("shape", [Shape.LINE, Shape.BOX, Shape.WEDGE, Shape.CIRCLE])
def test_arrived_units_hold_the_slots_around_the_centre_in_any_order_of_arrival(shape):
    rng = np.random.default_rng(6)
    slots = place(form(shape, 14, 1.0), 20.0, 9.0, 0.4)[:, :2]
    centre = np.array([20.0, 9.0])
    rings = np.sort(np.hypot(*(slots - centre).T))
    taken, order = np.full(14, -1), rng.permutation(14)
    for batch in np.split(order, [1, 2, 5, 6, 9]):
        units = rng.uniform(0, 20, (14, 2))
        units[taken >= 0] = slots[taken[taken >= 0]]
        taken = assign_arrived(units, slots, taken, batch, centre, body=0.6)
        held = taken[taken >= 0]
        assert (taken[batch] >= 0).all() and len(set(held.tolist())) == len(held), "a separate slot for each unit"
        assert np.allclose(np.sort(np.hypot(*(slots[held] - centre).T)), rings[: len(held)]), "no open slot farther in"


def test_a_unit_in_the_path_of_the_next_is_pushed_aside_and_none_is_passed():
    """Five units arrive one after another from the right along the line of slots."""
    slots = np.column_stack([np.arange(5.0), np.zeros(5)])
    centre, body = np.array([2.0, 0.0]), 0.6
    units, taken = np.tile((9.0, 0.0), (5, 1)), np.full(5, -1)
    for who in (3, 0, 4, 1, 2):
        taken = assign_arrived(units, slots, taken, np.array([who]), centre, body)
        units[taken >= 0] = slots[taken[taken >= 0]]
    assert taken.tolist() == [1, 3, 4, 0, 2], "the first unit was pushed to the far end, the last is nearest"
    units, taken = np.tile((9.0, 0.0), (5, 1)), np.full(5, -1)
    for who in (3, 0, 4, 1, 2):
        taken = assign_arrived(units, slots, taken, np.array([who]), centre, body, mobile=np.zeros(5, bool))
    assert taken[3] == 2, "an immobile unit in the centre keeps it, the others go round"


def test_bad_input_is_told():
    with pytest.raises(ValueError, match=r"\[n, 2\]"):
        assign_nearest(np.zeros(3), np.zeros((3, 2)))
    with pytest.raises(ValueError, match="agree"):
        order_by_type(merits(2), np.zeros(3), np.zeros(3), np.zeros(3))


@pytest.mark.parametrize("code", sorted(SLOT_ASSIGNMENTS))
@pytest.mark.parametrize("optimal", [0, 200])
def test_every_method_of_the_table_gives_each_unit_one_slot(code, optimal):
    rng = np.random.default_rng(code)
    n = 17
    forward = rng.uniform(-3, 0, n)
    roster = Roster(
        rng.uniform(0, 20, (n, 2)), rng.uniform(0, 20, (n, 2)), merits(n, rng.uniform(1, 100, n)), forward,
        rng.uniform(-3, 3, n), rng.uniform(0, 1, n), np.round(-forward).astype(np.int32), optimal,
    )  # fmt: skip
    assert sorted(SLOT_ASSIGNMENTS[code](roster).tolist()) == list(range(n))


def test_the_codes_of_the_table_are_those_that_drills_and_menus_know():
    late = {Matching.ARRIVAL}
    assert set(SLOT_ASSIGNMENTS) == {int(m) for m in set(Matching) - late}
    roster = Roster(
        np.array([[0.0, 0.0], [9.0, 0.0]]), np.array([[1.0, 0.0], [8.0, 0.0]]), merits(2, [1.0, 2.0]),
        np.array([0.0, -1.0]), np.zeros(2), np.ones(2), np.array([0, 1], np.int32), 200,
    )  # fmt: skip
    taken = {m.name: SLOT_ASSIGNMENTS[m](roster).tolist() for m in Matching if m not in late}
    assert taken["OPTIMAL"] == taken["NEAREST"] == [0, 1], "each takes the slot beside it"
    assert taken["BY_TYPE"] == [1, 0], "the tougher unit takes the slot in front"
