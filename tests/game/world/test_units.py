"""Unit columns: slots are storage, ids are identity."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai.core.serialization import digest, restore, snapshot
from game.world.units import Units


@given(st.integers(1, 300))
def test_ids_are_consecutive_and_lead_to_their_slots(count: int) -> None:
    units = Units()
    slots = [units.add() for _ in range(count)]
    ids = units.id[slots].tolist()
    assert ids == list(range(count))
    assert units.slots(ids).tolist() == slots
    assert all(units.slot(i) == s for i, s in zip(ids, slots, strict=True))


def test_growing_keeps_values_and_fills_free_slots_with_the_default() -> None:
    units = Units()
    slot = units.add()
    units.x[slot], units.target[slot] = 3.5, 7
    units.reserve(1000)
    assert units.x[slot] == 3.5 and units.target[slot] == 7
    assert units.target[slot + 1] == -1 and np.isnan(units.turn_to[slot + 1]) and units.radius[slot + 1] == 0.3
    assert len({len(getattr(units, name)) for name in ("id", "x", "event", "slot_of")}) == 1


def test_columns_go_through_the_codec() -> None:
    units = Units()
    for _ in range(3):
        units.add()
    assert digest(restore(snapshot(units))) == digest(units)


@pytest.mark.parametrize("wrong", [-1, 3, 1000])
def test_an_id_that_was_never_given_is_refused(wrong: int) -> None:
    units = Units()
    for _ in range(3):
        units.add()
    with pytest.raises(KeyError):
        units.slot(wrong)
    with pytest.raises(KeyError):
        units.slots([0, wrong])
