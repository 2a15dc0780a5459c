"""Playbook: reservations are kept, and the rest of the assignment is optimal.

The oracle tries every filling and every assignment of small groups.
"""

import itertools

import numpy as np
import pytest

from ai.formation.playbook import assign_reserved, fill_play, slots_of_play


def fillings(fits):
    """Yield every assignment of units to slots that they fit.

    It is a tuple of slots (None: no slot); the function uses no matching algorithm.
    """
    choices = [[None, *np.flatnonzero(row).tolist()] for row in fits]
    for some in itertools.product(*choices):
        used = [k for k in some if k is not None]
        if len(used) == len(set(used)):
            yield used


@pytest.mark.parametrize(("n", "m"), [(4, 4), (3, 5), (5, 3), (1, 4), (4, 1)])
def test_as_many_as_can_stand_in_the_play_and_its_weightiest_slots_are_filled(n, m):
    rng = np.random.default_rng(10 * n + m)
    for _ in range(12):
        fits, weight = rng.random((n, m)) < 0.45, rng.uniform(0.1, 1.0, m)
        best = max((len(used), weight[used].sum()) for used in fillings(fits))
        filled, lifted = fill_play(fits, weight, relax=1.0)
        assert not lifted
        assert (len(filled), weight[filled].sum()) == (best[0], pytest.approx(best[1]))
        assert (np.diff(filled) > 0).all()


def test_reservations_are_lifted_only_when_too_many_slots_would_stay_empty():
    fits = np.zeros((4, 4), bool)
    fits[:, :2] = True  # two of four slots fit no unit
    weight = np.array([0.2, 0.1, 1.0, 0.9])
    filled, lifted = fill_play(fits, weight, relax=0.5)
    assert filled.tolist() == [0, 1] and not lifted
    filled, lifted = fill_play(fits, weight, relax=0.49)
    assert filled.tolist() == [0, 1, 2, 3] and lifted


def test_the_assignment_is_the_best_of_all_that_keep_the_reservations():
    rng = np.random.default_rng(1)
    tried = 0
    while tried < 25:
        units, slots = rng.uniform(0, 9, (2, 5, 2))
        allowed = rng.random((5, 5)) < 0.6
        away = ((units[:, None] - slots[None]) ** 2).sum(axis=2)
        keeping = [p for p in itertools.permutations(range(5)) if all(allowed[i, k] for i, k in enumerate(p))]
        if not keeping:
            continue
        tried += 1
        taken = assign_reserved(units, slots, allowed)
        assert allowed[np.arange(5), taken].all()
        best = min(sum(away[i, k] for i, k in enumerate(p)) for p in keeping)
        assert away[np.arange(5), taken].sum() == pytest.approx(best)


def test_units_without_a_slot_stand_behind_the_play_and_all_have_room():
    rng = np.random.default_rng(2)
    at, facing = np.array([(1.0, -1.0), (1.0, 0.0), (1.0, 1.0), (0.0, 0.0)]), np.zeros(4)
    for n in (1, 2, 4, 7, 11):
        fits = rng.random((n, 4)) < 0.5
        placed = slots_of_play(at, facing, fits, 1.5, relax=1.0)
        table, allowed = placed.table, placed.allowed
        assert len(table) == n and allowed.shape == (n, n)
        taken = assign_reserved(rng.uniform(0, 9, (n, 2)), np.column_stack([table.forward, table.right]), allowed)
        assert sorted(taken.tolist()) == list(range(n)), "all units have a slot if some stay empty"
        places = np.column_stack([table.forward, table.right])
        away = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1)) + 9.0 * np.eye(n)
        assert away.min() >= 1.5 - 1e-9
        most = max(len(used) for used in fillings(fits))
        # Filled and empty slots together are the play as it is drawn, only moved.
        inside = placed.drawn >= 0
        whole = np.vstack([places[inside] - at[placed.drawn[inside]] * 1.5, placed.holes - at[placed.empty] * 1.5])
        assert np.allclose(whole, whole[:1]) and len(whole) == 4
        assert (table.forward < table.forward.max() - 1.5 * 1.0 - 1e-9).sum() in (0, n - most)


def test_bad_input_is_told():
    with pytest.raises(ValueError, match="fits must be"):
        fill_play(np.ones((2, 3), bool), np.ones(2), 0.5)
    with pytest.raises(ValueError, match="share"):
        fill_play(np.ones((2, 3), bool), np.ones(3), 1.5)
    with pytest.raises(ValueError, match="agree"):
        assign_reserved(np.zeros((2, 2)), np.zeros((3, 2)), np.ones((2, 3), bool))
    with pytest.raises(ValueError, match="infeasible"):
        assign_reserved(np.zeros((2, 2)), np.zeros((2, 2)), np.array([[True, False], [True, False]]))
