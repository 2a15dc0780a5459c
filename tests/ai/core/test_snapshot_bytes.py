"""Snapshot ledger: compares its bytes with a count over distinct parts."""

import gc
from dataclasses import field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.core.serialization import record, restore, snapshot
from ai.core.snapshot_bytes import ARRAY_OVERHEAD, SnapshotLedger


@record
class Shelf:
    books: list[np.ndarray]
    label: dict[str, int] = field(default_factory=dict)


@record
class Room:
    shelves: list[Shelf]
    tick: int = 0


def _distinct_bytes(snapshots) -> int:
    """Another count: every object reachable from the roots, by the garbage collector's own references."""
    seen, todo = {}, [s.root for s in snapshots]
    while todo:
        part = todo.pop()
        if id(part) in seen or not isinstance(part, np.ndarray):
            if id(part) in seen:
                continue
            seen[id(part)] = 0
            todo.extend(p for p in gc.get_referents(part) if not isinstance(p, type | str))
        else:
            seen[id(part)] = part.nbytes + ARRAY_OVERHEAD
    return sum(seen.values())


def _room(shelves: int) -> Room:
    return Room([Shelf([np.full(1000, i, np.int64)], {"number": i}) for i in range(shelves)])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), min_size=1, max_size=12))
def test_arrays_are_counted_once_and_freed_with_their_last_holder(steps):
    room, ledger, held = _room(5), SnapshotLedger(), []
    for shelf, forget in steps:
        room.shelves[shelf].books[0][3] += 1
        held.append(snapshot(room, held[-1] if held else None))
        ledger.add(held[-1])
        if forget and len(held) > 1:
            ledger.remove(held.pop(0))
    arrays = _distinct_bytes(held)
    containers = ledger.nbytes - arrays
    assert 0 < containers < 4000 * len(held)
    for saved in held:
        ledger.remove(saved)
    assert ledger.nbytes == 0


def test_an_unchanged_record_is_shared_whole_and_restores_apart():
    room = _room(3)
    first = snapshot(room)
    room.shelves[1].label["number"] = 7
    room.tick = 1
    second = snapshot(room, first)
    ledger = SnapshotLedger()
    ledger.add(first)
    alone = ledger.nbytes
    ledger.add(second)
    assert ledger.nbytes - alone < 2000, "three arrays of 8,000 bytes are not counted again"
    a, b = restore(first), restore(second)
    assert a.shelves[1].label == {"number": 1} and b.shelves[1].label == {"number": 7}
    a.shelves[0].label["number"] = 9
    a.shelves[0].books[0][0] = 5
    assert restore(second).shelves[0].label == {"number": 0} and restore(second).shelves[0].books[0][0] == 0


def test_a_value_that_equals_the_old_one_but_is_not_the_same_keeps_its_own_sign_and_type():
    """Equal values such as 0.0 and -0.0 have different hashes."""
    shelf = Shelf([], {"number": 0.0, "open": 1})
    first = snapshot(shelf)
    shelf.label = {"number": -0.0, "open": True}
    again = restore(snapshot(shelf, first))
    assert str(again.label["number"]) == "-0.0" and again.label["open"] is True
    shelf.label = {"open": 1, "number": 0.0}
    assert list(restore(snapshot(shelf, first)).label) == ["open", "number"]


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["f8", "i4", "u1", "u8", "bool"]),
    st.integers(1, 40),
    st.lists(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), max_size=30), max_size=6),
)
def test_any_row_of_changes_restores_to_the_bytes_it_was_taken_from(dtype, rows, changes):
    shelf = Shelf([np.zeros((rows, 257), dtype)])
    held, wanted = [], []
    for step in [[], *changes]:
        for place, value in step:
            flat = shelf.books[0].view(np.uint8).reshape(-1)
            flat[place % len(flat)] = value % 2 if dtype == "bool" else value
        held.append(snapshot(shelf, held[-1] if held else None))
        wanted.append(shelf.books[0].tobytes())
    for saved, raw in zip(held, wanted, strict=True):
        again = restore(saved).books[0]
        assert again.tobytes() == raw and again.dtype == shelf.books[0].dtype and again.flags.writeable


def test_few_changes_of_a_large_array_cost_few_bytes():
    shelf, ledger = Shelf([np.zeros((500, 500))]), SnapshotLedger()
    first = snapshot(shelf)
    ledger.add(first)
    assert ledger.nbytes > 2_000_000
    shelf.books[0][7, 100:110] = -0.0
    second = snapshot(shelf, first)
    ledger.add(second)
    assert ledger.nbytes - first.nbytes() < 3000
    ledger.remove(first)
    assert ledger.nbytes > 2_000_000, "the second snapshot still needs the whole array"
    assert np.signbit(restore(second).books[0]).sum() == 10


def test_a_snapshot_that_was_never_added_is_refused():
    with pytest.raises(ValueError, match="not in the ledger"):
        SnapshotLedger().remove(snapshot(_room(1)))
