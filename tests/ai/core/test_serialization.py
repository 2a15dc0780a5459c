"""State codec: saved state returns, equal state hashes equally, unchanged arrays are shared."""

from dataclasses import field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ai.core.serialization import (
    Snapshot,
    StateError,
    compare,
    derived,
    digest,
    digested_by,
    from_bytes,
    record,
    restore,
    snapshot,
    to_bytes,
    unhashed,
)


@record
class Leaf:
    value: float
    array: np.ndarray


@record
class Tree:
    number: int
    word: str
    leaves: list[Leaf]
    table: dict[int, tuple[int, ...]] = field(default_factory=dict)
    notes: list[str] = unhashed(list)
    cache: list[int] = derived(list)
    tiles: np.ndarray = field(default_factory=lambda: np.zeros(3), metadata={"digested_by": "tiles_digest"})
    tiles_digest: int = 0

    def __restored__(self) -> None:
        self.cache = [self.number]


@record
class Slab:
    cells: np.ndarray

    def __pack__(self) -> dict[str, np.ndarray]:
        used = np.flatnonzero(self.cells)
        return {"size": np.array([len(self.cells)]), "at": used, "value": self.cells[used]}

    @classmethod
    def __unpack__(cls, tree: dict[str, np.ndarray]) -> "Slab":
        cells = np.zeros(int(tree["size"][0]), np.int64)
        cells[tree["at"]] = tree["value"]
        return cls(cells)


arrays = hnp.arrays(
    st.sampled_from([np.uint8, np.int32, np.float64, np.bool_]), hnp.array_shapes(max_dims=3, min_side=0, max_side=4)
)
trees = st.builds(
    Tree,
    number=st.integers(),
    word=st.text(),
    leaves=st.lists(st.builds(Leaf, value=st.floats(), array=arrays), max_size=3),
    table=st.dictionaries(st.integers(-5, 5), st.tuples(st.integers(), st.integers()), max_size=3),
    notes=st.lists(st.text(max_size=3), max_size=2),
)


@given(trees)
def test_snapshot_and_save_bring_back_every_field(tree: Tree) -> None:
    tree.cache = [tree.number]
    for copy in (restore(snapshot(tree)), from_bytes(to_bytes(tree))):
        assert compare(tree, copy) == []
        assert digest(copy) == digest(tree)
        assert copy.cache == [tree.number]


@given(trees, trees)
def test_the_hash_tells_states_apart_exactly_when_compare_does(a: Tree, b: Tree) -> None:
    a.notes = b.notes
    assert (digest(a) == digest(b)) == (compare(a, b) == [])


def test_a_restored_tree_does_not_share_arrays_with_the_snapshot() -> None:
    tree = Tree(1, "a", [Leaf(0.5, np.arange(4))])
    saved = snapshot(tree)
    restore(saved).leaves[0].array[0] = 99
    assert restore(saved).leaves[0].array[0] == 0
    assert tree.leaves[0].array[0] == 0


def test_large_unchanged_arrays_are_shared_between_snapshots_and_counted_once() -> None:
    tree = Tree(1, "a", [Leaf(0.5, np.zeros(1000)), Leaf(0.5, np.zeros(1000))])
    first = snapshot(tree)
    tree.leaves[1].array[3] = 1
    second = snapshot(tree, first)
    seen: set[int] = set()
    assert first.nbytes(seen) == 16_024
    assert second.nbytes(seen) == 12 + 24, "one changed word and its place, and a small array that is copied"
    tree.leaves[1].array[:] = 2
    assert snapshot(tree, second).nbytes(seen) == 8_024, "more than half has changed, so it is copied whole"


def test_negative_zero_is_not_taken_for_zero() -> None:
    tree = Leaf(0.0, np.zeros(2))
    first = snapshot(tree)
    tree.array[0] = -0.0
    assert digest(restore(snapshot(tree, first))) == digest(tree) != digest(restore(first))


def test_traces_are_saved_but_not_hashed_and_digested_fields_hash_by_their_digest() -> None:
    a, b = Tree(1, "a", [], notes=["x"]), Tree(1, "a", [], notes=["y"])
    assert digest(a) == digest(b)
    assert compare(a, b)
    b.tiles = np.ones(3)
    assert digest(a) == digest(b)
    b.tiles_digest = 5
    assert digest(a) != digest(b)


def test_packed_records_go_through_their_packed_form() -> None:
    slab = Slab(np.array([0, 7, 0, 0, 9]))
    assert snapshot(slab).nbytes() < 64
    assert restore(snapshot(slab)).cells.tolist() == [0, 7, 0, 0, 9]
    assert digest(slab) == digest(from_bytes(to_bytes(slab)))


@pytest.mark.parametrize("wrong", [object(), np.float64(1.0), {"a": np.array([object()])}, lambda: 0])
def test_what_is_not_data_is_refused(wrong: object) -> None:
    with pytest.raises(StateError):
        snapshot(Tree(1, "a", [wrong]))  # type: ignore[list-item]


@given(st.binary(max_size=200))
def test_damaged_bytes_end_in_one_line(noise: bytes) -> None:
    good = to_bytes(Tree(1, "a", [Leaf(0.5, np.arange(4))]))
    for raw in (noise, good[: len(good) // 2], good[:8] + noise):
        with pytest.raises(StateError):
            from_bytes(raw)


def test_snapshot_of_plain_records_only() -> None:
    assert isinstance(snapshot(Leaf(1.0, np.zeros(1))), Snapshot)
    assert digested_by("x").metadata["digested_by"] == "x"
