"""Repair cost of each structure after a tile, a door or a building changed.

There is a row per structure and kind of edit. Each edit is made and undone a few times, and its best time counts,
because other load on the machine only makes a repair slower. ``us_max`` is the most expensive edit. A repair in slices
is timed as a whole, and ``slice_max_us`` is the longest slice of any edit.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ai.grid.components import Components
from ai.grid.terrain import Terrain
from ai.search.astar.astar_costs import CostGround
from ai.search.fields.flow_field import FlowField
from ai.search.hierarchy.cluster_graph import ClusterGraph
from ai.search.hierarchy.hpa_batch import HpaBatch
from ai.search.jps.jps import UniformGround
from ai.search.jps.jps_plus import JPSPlus
from ai.search.jps.jump_tables import JumpTables
from ai.search.regions.next_hop import MOST_REGIONS, NextHops
from ai.search.regions.region_graph import Regions
from ai.search.subgoals.subgoal_graph import SubgoalGraph

BUILDING = 8
"""Side of a building that falls down, in tiles."""

TIMES = 3
"""Number of times that each edit is made and undone."""

_SLICE = 500
"""Revolutions of a slice."""


def _all_at_once(update: Callable[[Terrain], object]) -> Callable[[Terrain], list[float]]:
    def repair(terrain: Terrain) -> list[float]:
        began = time.perf_counter()
        update(terrain)
        return [time.perf_counter() - began]

    return repair


def _tables(terrain: Terrain) -> Callable[[Terrain], list[float]]:
    ground = UniformGround.build(terrain)
    tables = JumpTables.build(ground)
    plus = JPSPlus(ground, tables.jumps)

    def repair(terrain: Terrain) -> list[float]:
        changes = terrain.changes_since(ground.revision, ("passable",))
        ground.update(terrain)
        tables.edited(ground, changes or [(0, 0, terrain.height, terrain.width)])
        slices = _in_slices(lambda: tables.advance(ground, _SLICE))
        # JPS+ reads rows that are packed from these tables.
        plus.pack_again(tables.jumps)
        return slices + _in_slices(lambda: plus.pack(64 * _SLICE))

    return repair


def _flow(terrain: Terrain) -> Callable[[Terrain], list[float]]:
    tiles = np.argwhere(terrain.passable & 1)
    field = FlowField.build(terrain, 0, tiles[[len(tiles) // 2]])
    while field.revision != terrain.revision:
        field.run(terrain, 1 << 40)

    def repair(terrain: Terrain) -> list[float]:
        slices = []
        while field.revision != terrain.revision:
            began = time.perf_counter()
            field.run(terrain, 2 * _SLICE)
            slices.append(time.perf_counter() - began)
        return slices

    return repair


def _subgoals(levels: int) -> Callable[[Terrain], Callable[[Terrain], list[float]]]:
    def make(terrain: Terrain) -> Callable[[Terrain], list[float]]:
        ground = UniformGround.build(terrain)
        graph = SubgoalGraph.build(ground, levels)

        def repair(terrain: Terrain) -> list[float]:
            changes = terrain.changes_since(ground.revision, ("passable",))
            ground.update(terrain)
            graph.edited(ground, changes or [(0, 0, terrain.height, terrain.width)])
            return _in_slices(lambda: graph.advance(ground, _SLICE))

        return repair

    return make


def _next_hops(terrain: Terrain) -> Callable[[Terrain], list[float]] | None:
    regions = Regions.build(terrain)
    if regions.open_count > MOST_REGIONS // 2:
        return None
    hops = NextHops.build(regions)
    hops.fill(regions, 50 * regions.open_count)

    def repair(terrain: Terrain) -> list[float]:
        regions.update(terrain)
        # The repair of regions has a row of its own. The next question fills a column, or finds it in the
        # cache.
        began = time.perf_counter()
        hops.follow(regions)
        hops.fill(regions, 1)
        return [time.perf_counter() - began]

    return repair


def _in_slices(advance: Callable[[], int]) -> list[float]:
    slices = []
    while True:
        began = time.perf_counter()
        used = advance()
        slices.append(time.perf_counter() - began)
        if used == 0:
            return slices


def _components_and_paths(terrain: Terrain) -> Callable[[Terrain], list[float]]:
    components, paths = Components.build(terrain), HpaBatch.build(terrain)

    def update(terrain: Terrain) -> None:
        components.update(terrain)
        paths.update(terrain)
        # The next question would have to do this work first.
        paths.prepare(terrain)

    timed = _all_at_once(update)

    def repair(terrain: Terrain) -> list[float]:
        slices = timed(terrain)
        while not paths.ready:
            paths.measure(terrain)  # in the game landmarks live when the next edit comes
        return slices

    return repair


STRUCTURES: dict[str, Callable[[Terrain], Callable[[Terrain], list[float]] | None]] = {
    "components": lambda terrain: _all_at_once(Components.build(terrain).update),
    "components_hpa": _components_and_paths,
    "hpa": lambda terrain: _all_at_once(ClusterGraph.build(terrain).update),
    "hpa_3_levels": lambda terrain: _all_at_once(ClusterGraph.build(terrain, levels=3).update),
    "jps": lambda terrain: _all_at_once(UniformGround.build(terrain).update),
    "astar_weighted": lambda terrain: _all_at_once(CostGround.build(terrain).update),
    "jps_plus": _tables,
    "subgoal_1": _subgoals(1),
    "subgoal_2": _subgoals(2),
    "flow_field": _flow,
    "regions": lambda terrain: _all_at_once(Regions.build(terrain).update),
    "next_hop": _next_hops,
}

SELDOM = ("subgoal_2",)
"""Structure that is repaired for one edit of a kind only.

The local corners are selected again for the whole map, in slices.
"""


def edits_of(ground: np.ndarray, kind: str, count: int) -> list[tuple[int, int, int, int]]:
    """Return seeded rectangles: open tiles, shut doors, or houses.

    A shut door is a wall tile with open ground on two opposite sides.
    """
    rng = np.random.default_rng(11)
    height, width = ground.shape
    if kind == "building":
        corners = rng.integers(0, (height - BUILDING, width - BUILDING), (count, 2))
        return [(y, x, y + BUILDING, x + BUILDING) for y, x in corners.tolist()]
    inner = ground[1:-1, 1:-1]
    if kind == "tile":
        tiles = np.argwhere(inner) + 1
    else:
        across = ground[1:-1, :-2] & ground[1:-1, 2:] & ~ground[:-2, 1:-1] & ~ground[2:, 1:-1]
        along = ground[:-2, 1:-1] & ground[2:, 1:-1] & ~ground[1:-1, :-2] & ~ground[1:-1, 2:]
        tiles = np.argwhere(across | along) + 1
    if len(tiles) == 0:
        return []
    picked = tiles[rng.permutation(len(tiles))[:count]]
    return [(y, x, y + 1, x + 1) for y, x in picked.tolist()]


def repair_rows(name: str, ground: np.ndarray, count: int = 30) -> list[dict[str, Any]]:
    """Return the rows of one map.

    Each edit is made and undone, and the structure is repaired both times.
    """
    found = []
    for structure, make in STRUCTURES.items():
        terrain = Terrain.build(ground)
        repair = make(terrain)
        if repair is None:
            continue
        warm = 0 if structure in SELDOM else 2
        for kind in ("tile", "door", "building"):
            whole, longest = [], []
            for turn, (y0, x0, y1, x1) in enumerate(edits_of(ground, kind, count + warm if warm else 1)):
                before = terrain.passable[y0:y1, x0:x1].copy()
                flipped = np.where(before, 0, 15) if kind != "building" else np.zeros_like(before)
                if (flipped == before).all():
                    continue
                # Even steps make the edit, odd steps undo it.
                best = [(np.inf, np.inf)] * 2
                for again in range(2 * TIMES if warm else 2):
                    terrain.edit(y0, x0, y1, x1, passable=before if again % 2 else flipped)
                    slices = repair(terrain)
                    total, most = best[again % 2]
                    best[again % 2] = min(total, sum(slices) * 1e6), min(most, max(slices) * 1e6)
                # The first edits are a warm-up.
                if turn >= warm:
                    whole += [total for total, _ in best]
                    longest += [most for _, most in best]
            if whole:
                found.append(
                    {
                        "map": name,
                        "algorithm": structure,
                        "mode": f"repair_{kind}",
                        "threads": 1,
                        "queries": len(whole),
                        "optimal": None,
                        "us_mean": float(np.mean(whole)),
                        "us_p99": float(np.percentile(whole, 99)),
                        "expansions_mean": None,
                        "preprocess_s": 0.0,
                        "memory_mb": None,
                        "us_median": float(np.median(whole)),
                        "us_max": float(np.max(whole)),
                        "slice_max_us": float(np.max(longest)),
                    }
                )
    return found
