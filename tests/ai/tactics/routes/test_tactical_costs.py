"""Tactical costs: plain search, Dijkstra, profiles and the guard of costs."""

from itertools import pairwise

import numpy as np
import pytest

from ai.grid.moves import MOVE_X, MOVE_Y
from ai.grid.terrain import Terrain
from ai.tactics.routes.tactical_costs import (
    PROFILES,
    CostCache,
    NegativeCost,
    blended,
    cost_field,
    flipped,
    least_cost,
    sampled_edge,
    step_terms,
    walkable_edges,
)
from ai.tactics.unseen_paths import cost_of_path, weighted_path
from tests.ai.tactics.test_unseen_paths import dijkstra

SHAPE = (30, 40)
START, GOAL = (15, 2), (15, 37)


def _field(seed: int, rows: slice, columns: slice, value: float = 1.0) -> np.ndarray:
    out = 0.05 * np.random.default_rng(seed).random(SHAPE)
    out[rows, columns] = value
    return out


def _terrain() -> Terrain:
    return Terrain.build(np.ones(SHAPE, bool))


CONCERNS = {
    "threat": _field(1, slice(12, 19), slice(15, 25)),
    "nearness": _field(2, slice(8, 19), slice(12, 28), 0.7),
    "view": _field(3, slice(20, 30), slice(5, 35)),
    "ruggedness": _field(4, slice(0, 9), slice(5, 35)),
}


def _path(weights: dict[str, float]) -> np.ndarray:
    terrain = _terrain()
    made = cost_field(terrain.cost, CONCERNS, weights)
    path = weighted_path(terrain, made.cost, 0, START, GOAL)
    assert path is not None
    return path


def _mean(name: str, path: np.ndarray) -> float:
    return float(CONCERNS[name][path[:, 0], path[:, 1]].mean())


def test_without_weights_it_is_the_plain_search() -> None:
    terrain = _terrain()
    made = cost_field(terrain.cost, CONCERNS, {"threat": 0.0})
    assert np.array_equal(made.cost, terrain.cost) and (made.clamped_low, made.clamped_high) == (0, 0)


@pytest.mark.parametrize("name", ["scout", "infantry", "heavy"])
def test_the_search_equals_dijkstra_over_the_same_costs(name: str) -> None:
    made = cost_field(_terrain().cost, CONCERNS, PROFILES[name])
    path = _path(PROFILES[name])
    assert cost_of_path(path, made.cost) == pytest.approx(dijkstra(np.ones(SHAPE, bool), made.cost, START, GOAL))
    terms = step_terms(path, _terrain().cost, CONCERNS, PROFILES[name])
    assert sum(terms.values()) == pytest.approx(cost_of_path(path, made.cost), rel=0.02)


def test_a_weight_on_the_distance_is_redundant() -> None:
    halved = cost_field(np.full(SHAPE, 4, np.uint8), CONCERNS, {"threat": 2.0})
    doubled = cost_field(np.full(SHAPE, 8, np.uint8), CONCERNS, {"threat": 4.0})
    assert (np.abs(2 * halved.cost.astype(int) - doubled.cost) <= 1).all()


def test_profiles_take_different_routes_in_the_order_of_the_source() -> None:
    paths = {name: _path(PROFILES[name]) for name in ("scout", "infantry", "heavy")}
    rows = {name: path.tolist() for name, path in paths.items()}
    assert rows["scout"] != rows["infantry"] != rows["heavy"] != rows["scout"]
    assert _mean("view", paths["scout"]) > _mean("view", paths["infantry"]) > _mean("view", paths["heavy"]) - 0.02
    assert _mean("ruggedness", paths["heavy"]) <= _mean("ruggedness", paths["infantry"]) + 1e-9


def test_a_higher_weight_never_raises_its_concern_along_the_route() -> None:
    along = []
    for weight in (0.0, 0.5, 1.0, 2.0, 4.0):
        path = _path({"threat": weight})
        along.append(step_terms(path, _terrain().cost, CONCERNS, {"threat": 1.0})["threat"])
    assert all(b <= a + 0.15 for a, b in pairwise(along)) and along[-1] < along[0] / 4
    plain, careful = _path({}), _path({"threat": 4.0})
    assert len(careful) >= len(plain) and _mean("threat", careful) < _mean("threat", plain)


def test_a_wounded_unit_cares_more_and_never_less() -> None:
    weights = PROFILES["infantry"]
    assert blended(weights, 1.0) == weights
    hurt = blended(weights, 0.25)
    assert hurt["nearness"] == weights["nearness"] * 1.75 and hurt["view"] == weights["view"]
    assert blended(weights, 1.0, {"threat": 0.5})["threat"] == weights["threat"] / 2
    cares = {name: weights[name] for name in ("nearness", "threat")}
    sums = []
    for health in (0.0, 1.0):
        terms = step_terms(_path(blended(weights, health)), _terrain().cost, CONCERNS, cares)
        sums.append(terms["nearness"] + terms["threat"])
    assert sums[0] <= sums[1] + 0.3


def test_costs_below_one_are_refused_or_clamped_and_counted() -> None:
    base = _terrain().cost
    with pytest.raises(NegativeCost, match=r"tile \(x=15, y=12\) costs -\d"):
        cost_field(base, CONCERNS, {"threat": -2.0}, strict=True)
    made = cost_field(base, CONCERNS, {"threat": -2.0})
    assert made.clamped_low == (CONCERNS["threat"] > 0.5).sum() and made.cost.min() == 1
    assert weighted_path(_terrain(), made.cost, 0, START, GOAL) is not None
    assert cost_field(base, CONCERNS, {"threat": 40.0}).clamped_high > 0
    for name, weights in PROFILES.items():
        assert least_cost(weights) >= 1, name
        assert cost_field(base, CONCERNS, weights).clamped_low == 0, name
    with pytest.raises(ValueError, match="there is no concern 'smell'; one of nearness"):
        cost_field(base, CONCERNS, {"smell": 1.0})


def test_seeking_turned_into_avoiding_keeps_the_ranking_of_equal_lengths() -> None:
    weights = {"view": -0.5, "threat": 1.0}
    turned, positive = flipped(CONCERNS, weights)
    assert min(positive.values()) >= 0
    sought = cost_field(_terrain().cost, CONCERNS, weights).cost.astype(int)
    avoided = cost_field(_terrain().cost, turned, positive).cost.astype(int)
    assert (np.abs(avoided - sought - 4) <= 1).all()


def test_a_long_edge_is_sampled_and_not_judged_by_its_ends() -> None:
    """The mean of two covered ends takes an exposed middle for safe."""
    exposed = np.zeros((9, 21))
    exposed[4, 3:18] = 1.0
    assert (exposed[4, 0] + exposed[4, 20]) / 2 == 0.0
    assert sampled_edge(exposed, (4, 0), (4, 20)) == pytest.approx(15 / 21)
    assert sampled_edge(exposed, (0, 0), (0, 20)) == 0.0


def test_edges_keep_to_open_gentle_ground() -> None:
    rng = np.random.default_rng(4)
    standing, heights = rng.random((14, 16)) > 0.2, rng.integers(0, 4, (14, 16)).astype(float)
    moves = walkable_edges(standing, heights, steepest=1.0)
    for y in range(14):
        for x in range(16):
            for k in range(8):
                ny, nx = y + int(MOVE_Y[k]), x + int(MOVE_X[k])
                inside = 0 <= ny < 14 and 0 <= nx < 16
                legal = standing[y, x] and inside and bool(standing[ny, nx])
                if legal and k >= 4:
                    legal = bool(standing[y, nx] and standing[ny, x])
                if legal:
                    legal = abs(heights[ny, nx] - heights[y, x]) <= np.hypot(ny - y, nx - x)
                assert bool(moves[y, x] >> k & 1) == legal
                if legal:
                    back = next(j for j in range(8) if MOVE_Y[j] == -MOVE_Y[k] and MOVE_X[j] == -MOVE_X[k])
                    assert moves[ny, nx] >> back & 1, "an edge leads back"


def test_a_baked_static_part_equals_direct_costs_and_is_read_again_when_a_layer_changes() -> None:
    versions, live = {"threat": 1}, {"threat": CONCERNS["threat"]}
    base = _terrain().cost
    static = {n: CONCERNS[n] for n in ("view", "ruggedness", "nearness")}
    cache = CostCache(base, static, lambda name: (versions[name], live[name]))
    weights = PROFILES["heavy"]
    first = cache.field_of(weights)
    direct = cost_field(base, CONCERNS, weights)
    assert (np.abs(first.cost.astype(int) - direct.cost) <= 1).all()
    assert cache.field_of(dict(weights)) is first and (cache.composed, cache.baked) == (1, 1)
    live["threat"], versions["threat"] = np.zeros(SHAPE), 2
    again = cache.field_of(weights)
    assert again.cost.sum() < first.cost.sum() and (cache.composed, cache.baked) == (2, 1)
