"""Heuristic scale: the exact factor is optimal, factor 1 is not on sought ground."""

import numpy as np
import pytest

from ai.tactics.routes.heuristic_scale import exact_scale, scaled_search

START, GOAL = (10, 1), (10, 38)


def _sought() -> np.ndarray:
    """Build ordinary ground with a cheap road along the edge of the map."""
    costs = np.full((21, 40), 8, np.uint8)
    costs[1, 1:39] = costs[1:11, 1] = costs[1:11, 38] = 3
    return costs


def test_factor_1_misses_the_sought_ground_and_the_exact_factor_finds_it() -> None:
    costs = _sought()
    full, half, exact = (scaled_search(costs, START, GOAL, s) for s in (1.0, 0.5, exact_scale(costs)))
    best = scaled_search(costs, START, GOAL, 0.125)
    assert exact_scale(costs) == 3 / 8
    assert exact.cost == best.cost < full.cost
    assert half.expanded >= full.expanded and exact.expanded >= half.expanded
    assert half.cost <= full.cost
    eighths = [scaled_search(costs, START, GOAL, scale).expanded for scale in (2 / 8, 3 / 8, 3.9 / 8, 4 / 8)]
    assert eighths[0] > eighths[1] == eighths[2] > eighths[3], "a scale is rounded down to eighths"


@pytest.mark.parametrize("seed", range(5))
def test_the_exact_factor_is_optimal_on_random_fields(seed: int) -> None:
    costs = np.random.default_rng(seed).integers(2, 30, (21, 40)).astype(np.uint8)
    exact, low = scaled_search(costs, START, GOAL, exact_scale(costs)), scaled_search(costs, START, GOAL, 0.125)
    assert exact.cost == pytest.approx(low.cost) and exact.expanded <= low.expanded


def test_without_a_path_there_is_none() -> None:
    costs = _sought()
    costs[:, 20] = 0
    assert scaled_search(costs, START, GOAL, 1.0).path is None
    assert exact_scale(np.zeros((3, 3), np.uint8)) == 1.0
    assert exact_scale(np.array([[0, 1], [8, 9]], np.uint8)) == 1 / 8, "only closed tiles do not count"
