"""Components equal a flood fill, before and after edits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage

from ai.core.serialization import restore, snapshot
from ai.grid.components import Components
from ai.grid.movement_classes import MovementClass
from ai.grid.terrain import LOG_LENGTH, Terrain


def partition(labels: np.ndarray) -> np.ndarray:
    """Renumber labels by first tile row by row; 0 stays 0.

    Equal partitions then are equal arrays.
    """
    names, first, inverse = np.unique(labels.ravel(), return_index=True, return_inverse=True)
    order = np.argsort(np.where(names == 0, -1, first))
    rank = np.empty(len(names), int)
    rank[order] = np.arange(len(names)) + (0 not in names)
    return rank[inverse].reshape(labels.shape)


def assert_same_as_scipy(components: Components, terrain: Terrain) -> None:
    rebuilt = Components.build(terrain, len(components.local))
    for k in range(len(components.local)):
        labels, _ = ndimage.label(terrain.passable >> k & 1)
        assert np.array_equal(partition(components.label_map(k)), partition(labels))
        assert np.array_equal(components.label_map(k), rebuilt.label_map(k)), "a repair leaves no trace"


edits = st.lists(
    st.tuples(
        st.integers(0, 39), st.integers(0, 69), st.integers(1, 9), st.integers(1, 9), st.sampled_from([0, 1, 3, 15, -1])
    ),
    min_size=1,
    max_size=20,
)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.2, 0.5, 0.62, 0.9]), edits, st.booleans())
def test_repaired_equals_flooded_after_any_edits(seed: int, share: float, todo: list, at_once: bool) -> None:
    rng = np.random.default_rng(seed)
    terrain = Terrain.build((rng.random((40, 70)) < share) * 15)
    components = Components.build(terrain)
    for y, x, height, width, mask in todo:
        y1, x1 = min(y + height, 40), min(x + width, 70)
        value = rng.integers(0, 16, (y1 - y, x1 - x)) if mask < 0 else mask
        terrain.edit(y, x, y1, x1, passable=value)
        if not at_once:
            components.update(terrain)
            assert_same_as_scipy(components, terrain)
    components.update(terrain)
    assert_same_as_scipy(components, terrain)


def test_single_tiles_on_a_large_map_repair_without_a_rebuild() -> None:
    rng = np.random.default_rng(4)
    terrain = Terrain.build(rng.random((150, 140)) < 0.63)
    components = Components.build(terrain)
    for _ in range(300):
        y, x = int(rng.integers(150)), int(rng.integers(140))
        terrain.edit(y, x, y + 1, x + 1, passable=int(rng.integers(0, 16)))
        components.update(terrain)
    assert_same_as_scipy(components, terrain)


def test_an_edit_too_long_ago_rebuilds() -> None:
    terrain = Terrain.build(np.ones((12, 12), bool))
    components = Components.build(terrain)
    for i in range(LOG_LENGTH + 62):
        terrain.edit(i % 12, 5, i % 12 + 1, 6, passable=15 * (i // 12 % 2))
    assert terrain.changes_since(components.revision) is None, "each edit changes a tile, so the log forgot the first"
    assert components.update(terrain)
    assert not components.update(terrain)
    assert_same_as_scipy(components, terrain)


def test_a_door_shuts_walkers_out_but_not_those_who_open_it() -> None:
    ground = np.full((5, 9), 15, np.uint8)
    ground[:, 4] = 0
    ground[2, 4] = 1 << MovementClass.OPENS_DOORS
    terrain = Terrain.build(ground)
    components = Components.build(terrain)
    assert not components.reachable(MovementClass.WALK, 2, 0, 2, 8)
    assert components.reachable(MovementClass.OPENS_DOORS, 2, 0, 2, 8)
    assert not components.reachable(MovementClass.WALK, 0, 4, 0, 4), "a wall is in no component"
    assert not components.reachable(MovementClass.WALK, 0, 0, -1, 0)
    terrain.edit(2, 4, 3, 5, passable=15)
    components.update(terrain)
    assert components.reachable(MovementClass.WALK, 2, 0, 2, 8)
    with pytest.raises(ValueError, match="class"):
        components.label(7, 0, 0)


@pytest.mark.parametrize("seed", range(4))
def test_nearest_reachable_is_the_nearest_by_distance_then_row_then_column(seed: int) -> None:
    rng = np.random.default_rng(seed)
    terrain = Terrain.build(rng.random((50, 44)) < 0.6)
    components = Components.build(terrain, classes=1)
    labels = components.label_map(0)
    label = int(np.argmax(np.bincount(labels[labels > 0])))
    ys, xs = np.nonzero(labels == label)
    for _ in range(60):
        y, x = int(rng.integers(-5, 55)), int(rng.integers(-5, 49))
        order = np.lexsort((xs, ys, (ys - y) ** 2 + (xs - x) ** 2))[0]
        assert components.nearest_reachable(terrain, 0, label, y, x, 60) == (ys[order], xs[order])


def test_nearest_reachable_gives_up_at_its_radius_and_refuses_stale_labels() -> None:
    ground = np.zeros((40, 40), bool)
    ground[0, 0] = True
    terrain = Terrain.build(ground)
    components = Components.build(terrain)
    label = components.label(0, 0, 0)
    assert components.nearest_reachable(terrain, 0, label, 10, 10, 10) == (0, 0)
    assert components.nearest_reachable(terrain, 0, label, 10, 10, 9) is None
    assert components.nearest_reachable(terrain, 0, 0, 0, 0, 9) is None
    terrain.edit(3, 3, 4, 4, passable=15)
    with pytest.raises(ValueError, match="revision"):
        components.nearest_reachable(terrain, 0, label, 1, 1, 9)


def test_a_list_of_tiles_is_answered_at_once() -> None:
    terrain = Terrain.build(np.random.default_rng(3).random((70, 45)) < 0.6)
    components = Components.build(terrain)
    tiles = np.random.default_rng(4).integers(-2, 72, (500, 2))
    wanted = [components.label(1, int(y), int(x)) for y, x in tiles]
    assert components.labels_of(1, tiles).tolist() == wanted and len(set(wanted)) > 3
    with pytest.raises(ValueError, match="tiles"):
        components.labels_of(1, np.zeros((4, 3), int))


def test_restored_components_repair_on() -> None:
    terrain = Terrain.build(np.random.default_rng(1).random((40, 40)) < 0.6)
    components = Components.build(terrain)
    terrain.edit(20, 20, 21, 21, passable=15)
    components.update(terrain)
    copy = restore(snapshot(components))
    terrain.edit(5, 5, 7, 7, passable=0)
    copy.update(terrain)
    assert_same_as_scipy(copy, terrain)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_many_are_told_their_nearest_tiles_together_as_alone_and_by_brute_force(seed: int) -> None:
    rng = np.random.default_rng(seed)
    height, width = (int(n) for n in rng.integers(1, 150, 2))
    terrain = Terrain.build(rng.random((height, width)) < rng.choice([0.02, 0.4, 0.9]))
    components = Components.build(terrain, classes=1)
    labels = components.label_map(0)
    tiles = np.column_stack([rng.integers(0, height, 40), rng.integers(0, width, 40)])
    tiles = tiles[np.lexsort((tiles[:, 1] // 32, tiles[:, 0] // 32))]
    tiles[::9] += rng.integers(-40, 40, (5, 2))
    wanted = labels[tuple(np.argwhere(labels > 0)[rng.integers(0, max((labels > 0).sum(), 1))])] if labels.any() else 1
    for radius in (500, 20):
        found, looks = components.nearest_of(terrain, 0, np.full(40, wanted), tiles, radius)
        assert 0 <= looks <= 40 * (height * width + 9), "no more than looking at everything for each"
        ys, xs = np.nonzero(labels == wanted)
        for (y, x), answer in zip(tiles.tolist(), found.tolist(), strict=True):
            near = np.maximum(np.abs(ys - y), np.abs(xs - x)) <= radius
            order = np.lexsort((xs[near], ys[near], (ys[near] - y) ** 2 + (xs[near] - x) ** 2))[:1]
            assert answer == ([ys[near][order[0]], xs[near][order[0]]] if len(order) else [-1, -1])
