"""Invalid calls: each entry point raises a ValueError with the expected shape.

Shapes that do not fit, tiles outside the map, what is no number; nothing is changed by a refused call.
"""

import re
from collections.abc import Callable

import numpy as np
import pytest

from ai.core.serialization import digest
from ai.grid.components import Components
from ai.grid.terrain import Terrain
from ai.paths import PathManager, PathSettings, PathSource, PathStore, find_footing, resolve_goals, spread_goals
from ai.paths.engines.engine_choice import choose_engines, distance
from ai.paths.groups.group_paths import GroupPaths
from ai.paths.groups.wide_ground import wide_ground
from ai.paths.quick.straight_path import straight_paths
from ai.paths.replanning.hazards import HazardMemory
from ai.paths.sharing.route_cache import RouteCache
from ai.search.any_angle.any_angle import sight, smoothed
from ai.search.astar.astar import AStarSearch
from ai.search.astar.astar_costs import AStarOverCosts, CostGround
from ai.search.astar.quick_search import quick_search
from ai.search.fields.flow_field import FlowField
from ai.search.hierarchy.cluster_graph import ClusterGraph
from ai.search.hierarchy.hpa_batch import HpaBatch
from ai.search.jps.jps import JumpPointSearch, UniformAStar, UniformGround
from ai.search.jps.jps_plus import JPSPlus, jump_tables
from ai.search.regions.next_hop import NextHops, hand_off, route_from_half
from ai.search.regions.region_graph import Regions
from ai.search.regions.region_path import RegionSearch
from ai.search.smoothing.octile_smoothing import smooth_path
from ai.search.smoothing.straight_walk import line_walkable, pull_string
from ai.search.subgoals.subgoal_search import SubgoalGraph, SubgoalSearch

TERRAIN = Terrain.build(np.ones((6, 9), bool))
COMPONENTS = Components.build(TERRAIN)
GROUND = UniformGround.build(TERRAIN)
OUTSIDE, NONE = (6, 0), (float("nan"), 0)
ONE, TWO = np.zeros(1, np.int64), np.zeros((2, 2), np.int32)
KIND = np.zeros(2, np.uint8)
Call = Callable[[], object]


def manager() -> PathManager:
    return PathManager.build(TERRAIN, 4)


def store() -> PathStore:
    return PathStore.build(9, 4)


def update(**change: object) -> None:
    given = {"terrain": TERRAIN, "components": COMPONENTS, "x": np.zeros(2), "y": np.zeros(2)} | change
    manager().update(**given, tick=1, settings=PathSettings())  # type: ignore[arg-type]


def ask(start: tuple, goal: tuple, width: float = 2.0) -> None:
    made = manager()
    GroupPaths().ask(TERRAIN, made.engines, 0, 0, start, goal, width)


def advance(**change: object) -> None:
    given = {"movement_class": KIND, "ids": np.zeros(4, np.int32), "x": np.zeros(4), "y": np.zeros(4)} | change
    store().advance(TERRAIN, np.arange(4), **given, tick=1, near=0.7, touch=0.2, arrive=0.3)  # type: ignore[arg-type]


PATHS: dict[str, Call] = {
    "request: units": lambda: manager().request([0, 1], [0], (1, 1), 0, 1),
    "request: goals": lambda: manager().request([0, 1], [0, 1], np.zeros((3, 2), int), 0, 1),
    "request: no number": lambda: manager().request([0], [0], (np.nan, 1.0), 0, 1),
    "request: slot": lambda: manager().request([-1], [0], (1, 1), 0, 1),
    "request: classes": lambda: manager().request([0, 1], [0, 1], (1, 1), [0, 0, 0], 1),
    "request: favoured": lambda: manager().request([0, 1], [0, 1], (1, 1), 0, 1, [0, 0, 0]),
    "request: ordered_at": lambda: manager().request([0, 1], [0, 1], (1, 1), 0, 1, ordered_at=(1, 2, 3)),
    "cancel": lambda: manager().cancel([-3]),
    "replan": lambda: manager().replan([[0, 99]], 1),
    "take_way: tiles": lambda: manager().take_path(TERRAIN, 0, np.zeros(4, np.int32)),
    "take_way: outside": lambda: manager().take_path(TERRAIN, 0, np.array([[0, 0], [0, 9]], np.int32)),
    "take_way: slot": lambda: manager().take_path(TERRAIN, 77, TWO),
    "update: positions": lambda: update(x=np.zeros(3)),
    "update: another map": lambda: update(terrain=Terrain.build(np.ones((5, 5), bool))),
    "store: width": lambda: PathStore.build(0),
    "write: tiles": lambda: store().write(TERRAIN, ONE, ONE, TWO, np.array([3]), PathSource.FULL),
    "write: flat": lambda: store().write(TERRAIN, ONE, ONE, np.zeros(4, np.int32), np.array([2]), PathSource.FULL),
    "write: classes": lambda: store().write(TERRAIN, ONE, KIND, TWO, np.array([2]), PathSource.FULL),
    "write: stages": lambda: store().write(TERRAIN, ONE, ONE, TWO, np.array([2]), np.zeros(3, np.uint8)),
    "write: outside": lambda: store().write(TERRAIN, ONE, ONE, TWO + 8, np.array([2]), PathSource.FULL),
    "write: slot": lambda: store().write(TERRAIN, ONE + 64, ONE, TWO, np.array([2]), PathSource.FULL),
    "clear": lambda: store().clear([64]),
    "advance: classes": lambda: advance(movement_class=np.zeros(3, np.uint8)),
    "advance: positions": lambda: advance(x=np.zeros(2)),
    "mark_cut": lambda: store().mark_cut(TERRAIN, np.zeros(1, np.uint8), np.zeros(4), np.zeros(3), (0, 0, 1, 1)),
    "resolve: starts": lambda: resolve_goals(TERRAIN, COMPONENTS, 0, np.zeros(4, int), (1, 1)),
    "resolve: outside": lambda: resolve_goals(TERRAIN, COMPONENTS, 0, [OUTSIDE], (1, 1)),
    "resolve: no number": lambda: resolve_goals(TERRAIN, COMPONENTS, 0, [(0, 0)], NONE),
    "resolve: classes": lambda: resolve_goals(TERRAIN, COMPONENTS, [0, 0], [(0, 0)], (1, 1)),
    "footing": lambda: find_footing(TERRAIN, 0, [OUTSIDE]),
    "footing: shape": lambda: find_footing(TERRAIN, 0, [1, 2, 3]),
    "spread": lambda: spread_goals(TERRAIN, COMPONENTS, 0, (1, 1), -1),
    "spread: no number": lambda: spread_goals(TERRAIN, COMPONENTS, 0, NONE, 2),  # type: ignore[arg-type]
    "choose": lambda: choose_engines(TERRAIN, PathSettings(), TWO, TWO[:1], KIND),
    "choose: plain": lambda: choose_engines(TERRAIN, PathSettings(), TWO, TWO, KIND[:1]),
    "distance": lambda: distance(TWO, np.zeros((3, 2), int)),
    "straight": lambda: straight_paths(TERRAIN, KIND, np.zeros(2), np.zeros(3), TWO),
    "straight: goals": lambda: straight_paths(TERRAIN, KIND, np.zeros(2), np.zeros(2), TWO[:1]),
    "group: start": lambda: ask(OUTSIDE, (1, 1)),
    "group: goal": lambda: ask((1, 1), NONE),
    "group: width": lambda: ask((1, 1), (2, 2), float("nan")),
    "wide ground": lambda: wide_ground(TERRAIN, 0, 2.0, (0, 0, 7, 9)),
    "route: tiles": lambda: RouteCache().keep(TERRAIN, 0, np.zeros(4, np.int32), 1, 8),
    "route: outside": lambda: RouteCache().keep(TERRAIN, 0, TWO + 8, 1, 8),
    "hazard": lambda: HazardMemory().learn(0, np.nan, 1, 1),  # type: ignore[arg-type]
}

SEARCHES: dict[str, Call] = {
    "begin": lambda: AStarSearch(6, 9).begin(TERRAIN, 0, (0, 0), OUTSIDE),
    "begin: another map": lambda: AStarSearch(5, 9).begin(TERRAIN, 0, (0, 0), (1, 1)),
    "begin: class": lambda: AStarSearch(6, 9).begin(TERRAIN, 9, (0, 0), (1, 1)),
    "quick: shapes": lambda: quick_search(TERRAIN, TWO, TWO[:1], 0, 9),
    "quick: outside": lambda: quick_search(TERRAIN, [OUTSIDE], [(1, 1)], 0, 9),
    "quick: caps": lambda: quick_search(TERRAIN, TWO, TWO, 0, [9, 9, 9]),
    "flow": lambda: FlowField.build(TERRAIN, 0, [OUTSIDE]),
    "flow: none": lambda: FlowField.build(TERRAIN, 0, []),
    "long ways": lambda: HpaBatch.build(TERRAIN).plan(TERRAIN, TWO, TWO[:1], 99),
    "long ways: outside": lambda: HpaBatch.build(TERRAIN).plan(TERRAIN, [OUTSIDE], [(1, 1)], 99),  # type: ignore[arg-type]
    "clusters": lambda: ClusterGraph.build(TERRAIN, 0, 3),
    "regions": lambda: Regions.build(TERRAIN, 0, 1),
    "regions: at": lambda: Regions.build(TERRAIN).at(*OUTSIDE),
    "regions: price": lambda: Regions.build(TERRAIN).lengths(np.zeros(7)),
    "regions: find": lambda: RegionSearch(Regions.build(TERRAIN)).find(TERRAIN, OUTSIDE, (1, 1)),
    "next hop": lambda: NextHops.build(Regions.build(TERRAIN)).route(Regions.build(TERRAIN), 0, 99),
    "hand off": lambda: hand_off(TERRAIN, 0, np.zeros((0, 2)), (1.5, 1.5)),
    "half table": lambda: route_from_half(np.zeros(3, np.uint16), 3, 0, 7),
    "jumps": lambda: JumpPointSearch(GROUND).find(OUTSIDE, (1, 1)),
    "astar": lambda: UniformAStar(GROUND).find((0, 0), OUTSIDE),
    "weighted": lambda: AStarOverCosts(CostGround.build(TERRAIN)).find((0, 0), OUTSIDE),
    "jps plus": lambda: JPSPlus(GROUND, jump_tables(GROUND)).find((0, 0), OUTSIDE),
    "jps plus: tables": lambda: JPSPlus(GROUND, np.zeros((3, 8), np.int16)),
    "subgoals": lambda: SubgoalSearch.over(GROUND, 2).find(OUTSIDE, (1, 1)),
    "subgoals: levels": lambda: SubgoalGraph.build(GROUND, 0),
    "sight": lambda: sight(GROUND, np.zeros((2, 3), np.int32)),
    "smoothed": lambda: smoothed(GROUND, np.zeros(4, np.int32)),
    "smoothed: outside": lambda: smoothed(GROUND, [OUTSIDE, (1 << 40, 0)]),  # type: ignore[arg-type]
    "smooth": lambda: smooth_path(TERRAIN, 0, np.zeros(4)),
    "smooth: outside": lambda: smooth_path(TERRAIN, 0, TWO + 8),
    "lines": lambda: line_walkable(TERRAIN, np.zeros((2, 3))),
    "lines: no number": lambda: line_walkable(TERRAIN, [[0, 0, np.nan, 1]]),
    "pull_string": lambda: pull_string(TERRAIN, TWO + 8),
}


@pytest.mark.parametrize("name", [*PATHS, *SEARCHES])
def test_it_says_which_shape_or_number_was_wrong(name: str) -> None:
    before = digest(TERRAIN)
    with pytest.raises(ValueError) as told:
        ({**PATHS, **SEARCHES}[name])()
    words = str(told.value)
    assert re.search(r"\d", words) and "\n" not in words, f"it names numbers or shapes: {words}"
    assert len(words) < 200 and "broadcast" not in words and "reshape" not in words, f"no message of numpy: {words}"
    assert digest(TERRAIN) == before
