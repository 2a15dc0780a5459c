"""The terrain changes through one call, and derived structures see each change."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.core.serialization import digest, from_bytes, restore, snapshot, to_bytes
from ai.grid.terrain import FIELDS, LOG_LENGTH, Terrain


def small(height: int = 9, width: int = 13) -> Terrain:
    return Terrain.build(np.ones((height, width), bool))


edits = st.lists(
    st.tuples(
        st.sampled_from(FIELDS), st.integers(0, 8), st.integers(0, 12), st.integers(1, 4), st.integers(1, 5),
        st.integers(0, 1),
    ),
    max_size=12,
)  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(edits)
def test_digests_kept_by_edits_equal_digests_from_scratch(todo: list) -> None:
    terrain = small()
    for field, y, x, height, width, value in todo:
        terrain.edit(y, x, min(y + height, 9), min(x + width, 13), **{field: value + (field == "cost")})
    for field in FIELDS:
        assert getattr(terrain, f"{field}_digest") == terrain.digest_from_scratch(field)
    standing = terrain.cost[terrain.passable > 0]
    assert np.array_equal(terrain.cost_counts, np.bincount(standing, minlength=256))
    assert terrain.lowest_cost == (standing.min() if standing.size else 8)


def test_the_digest_tells_which_tile_and_which_value() -> None:
    one, other = small(), small()
    assert digest(one) == digest(other)
    one.edit(2, 3, 3, 4, cost=16)
    other.edit(2, 4, 3, 5, cost=16)
    assert one.cost_digest != other.cost_digest and digest(one) != digest(other)
    one.edit(2, 3, 3, 4, cost=8)
    other.edit(2, 4, 3, 5, cost=8)
    assert one.cost_digest == other.cost_digest


def test_an_edit_that_changes_nothing_is_no_revision() -> None:
    terrain = small()
    assert not terrain.edit(0, 0, 9, 13, cost=8)
    assert terrain.revision == 0
    assert terrain.edit(0, 0, 1, 1, cost=9)
    assert terrain.revision == 1


def test_changes_since_tells_rectangles_of_the_asked_fields_in_order() -> None:
    terrain = small()
    terrain.edit(0, 0, 1, 2, passable=0)
    terrain.edit(3, 3, 5, 6, opaque=1)
    terrain.edit(1, 1, 2, 2, passable=3, cost=20)
    assert terrain.changes_since(0) == [(0, 0, 1, 2), (3, 3, 5, 6), (1, 1, 2, 2)]
    assert terrain.changes_since(1, ("passable",)) == [(1, 1, 2, 2)]
    assert terrain.changes_since(3) == []
    for i in range(LOG_LENGTH):
        terrain.edit(8, 8, 9, 9, cover=i % 2 + 1)
    assert terrain.changes_since(2) is None
    assert len(terrain.changes_since(3) or []) == LOG_LENGTH
    with pytest.raises(ValueError, match="revision"):
        terrain.changes_since(terrain.revision + 1)


@pytest.mark.parametrize(
    ("rectangle", "values", "complaint"),
    [
        ((0, 0, 10, 1), {"cost": 8}, "not inside a terrain of 9 x 13"),
        ((2, 2, 2, 3), {"cost": 8}, "not inside"),
        ((0, 0, 1, 1), {"cost": 0}, "cost must be 1..255"),
        ((0, 0, 1, 1), {"cost": 256}, "cost must be 1..255"),
        ((0, 0, 1, 1), {"opaque": 2}, "opaque must be 0..1"),
        ((0, 0, 1, 1), {"cover": 0.5}, "whole numbers"),
        ((0, 0, 2, 2), {"passable": np.ones((1, 2))}, r"shape \(1, 2\)"),
        ((0, 0, 1, 1), {"cost": 9, "opaque": 7}, "opaque"),
    ],
)
def test_a_bad_edit_is_refused_whole(rectangle: tuple, values: dict, complaint: str) -> None:
    terrain = small()
    before = digest(terrain)
    with pytest.raises(ValueError, match=complaint):
        terrain.edit(*rectangle, **values)
    assert digest(terrain) == before


def test_bad_arrays_are_refused() -> None:
    with pytest.raises(ValueError, match="shape"):
        Terrain.build(np.ones((3, 0), bool))
    with pytest.raises(ValueError, match="cost has shape"):
        Terrain.build(np.ones((3, 3), bool), cost=np.ones((3, 4), np.uint8))


def test_a_saved_terrain_goes_on_alike() -> None:
    terrain = small()
    terrain.edit(1, 1, 3, 4, passable=0, cost=40)
    for copy in (restore(snapshot(terrain)), from_bytes(to_bytes(terrain))):
        copy.edit(2, 2, 6, 6, passable=1)
        assert copy.revision == 2 and copy.passable_digest == copy.digest_from_scratch("passable")
        assert copy.changes_since(0) == [(1, 1, 3, 4), (2, 2, 6, 6)]
