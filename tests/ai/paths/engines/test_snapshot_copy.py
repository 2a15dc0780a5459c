"""Snapshot copies of engines answer like engines that were built.

They do so from the ground, and after edits that each world makes for itself.
"""

import numpy as np

from ai.core.serialization import restore, snapshot
from ai.grid.terrain import Terrain
from ai.paths.engines.snapshot_copy import copy_paths
from ai.search.hierarchy.hpa_batch import HpaBatch

SIDE = 96


def ground() -> Terrain:
    rng = np.random.default_rng(4)
    return Terrain.build(rng.random((SIDE, SIDE)) > 0.12, rng.integers(8, 17, (SIDE, SIDE)).astype(np.uint8))


def answers(paths: HpaBatch, terrain: Terrain) -> list:
    tiles = np.argwhere(terrain.passable & 1).astype(np.int32)
    some = tiles[np.random.default_rng(5).permutation(len(tiles))[:40]]
    found = paths.plan(terrain, some[:20], some[20:], 1 << 40)
    return [found.outcome.tolist(), found.offsets.tolist(), found.tiles.tolist()]


def test_a_copied_graph_plans_as_its_original_and_as_a_rebuilt_one() -> None:
    terrain = ground()
    paths = HpaBatch.build(terrain)
    paths.prepare(terrain)
    saved = snapshot(paths)
    copied, built = restore(saved), restore(saved)
    assert copy_paths(copied, paths) and not copy_paths(copied, paths), "once"
    built.revive(terrain)
    first = answers(paths, terrain)
    assert len(first[2]) > 200 and answers(copied, terrain) == first and answers(built, terrain) == first


def test_each_mends_its_own() -> None:
    terrain = ground()
    paths = HpaBatch.build(terrain)
    paths.prepare(terrain)
    saved = snapshot(paths)
    copied, built, other = restore(saved), restore(saved), restore(snapshot(terrain))
    copy_paths(copied, paths)
    built.revive(terrain)
    before = answers(paths, terrain)
    other.edit(20, 0, 22, SIDE - 2, passable=np.zeros((2, SIDE - 2), np.uint8))
    for each in (copied, built):
        assert each.update(other) > 0
    assert answers(copied, other) == answers(built, other) != before
    assert answers(paths, terrain) == before


def test_without_a_graph_there_is_nothing_to_copy() -> None:
    terrain = ground()
    bare = restore(snapshot(HpaBatch.build(terrain)))
    assert not copy_paths(restore(snapshot(bare)), bare)
