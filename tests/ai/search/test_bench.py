"""The search benchmark: rows have the promised keys, and all exact searches agree with each other on cost."""

import argparse

import numpy as np

from ai.grid.terrain import Terrain
from tools.bench import NAMES
from tools.bench.search import ALGORITHMS, EXACT, Questions, add_arguments, row_of, rows

KEYS = {
    "map", "algorithm", "mode", "threads", "queries", "optimal", "us_mean", "us_p99", "expansions_mean", "preprocess_s",
    "memory_mb",
}  # fmt: skip


def test_exact_searches_agree() -> None:
    ground = np.random.default_rng(8).random((48, 60)) < 0.85
    tiles = np.argwhere(ground).astype(np.int32)
    pick = np.random.default_rng(9).integers(len(tiles), size=(2, 12))
    questions = Questions("noise", ground, tiles[pick[0]], tiles[pick[1]], np.full(12, np.nan))
    costs = {}
    for name in EXACT:
        for mode, answers in ALGORITHMS[name](questions, Terrain.build(ground)).items():
            assert row_of(questions, name, mode, answers).keys() == KEYS
            costs[name, mode] = answers.costs
    reached = np.isfinite(costs["astar_resumable", "single"])
    assert reached.sum() > 6
    for found in costs.values():
        assert np.allclose(found[reached], costs["astar_resumable", "single"][reached], rtol=1e-8)


def test_the_bench_runs_without_maps_or_peers() -> None:
    assert NAMES["search"] == "tools.bench.search"
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    found = rows(parser.parse_args(["--problems", "3", "--algorithms", "astar,astar_resumable", "--no-peers"]))
    assert {row["algorithm"] for row in found} == {"astar", "astar_resumable"}
    assert all(row["us_mean"] > 0 and row["queries"] == 3 for row in found)
