"""The search benchmark: its rows have all keys, and exact searches agree."""

import argparse
import itertools

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.search.jps.jps import UniformGround
from ai.search.jps.jps_plus import JPSPlus, jump_tables
from tests.ai.search.grids import benchmark_folder
from tools.bench import NAMES
from tools.bench.search import search_referee
from tools.bench.search.search_bench import EXACT, add_arguments, row_of, rows, summary
from tools.bench.search.search_check import check_rows
from tools.bench.search.search_referee import Visibility, length_of, line_length
from tools.bench.search.search_repair import STRUCTURES, repair_rows
from tools.bench.search.search_runs import ALGORITHMS, jumps_in_threads
from tools.bench.search.search_trials import Questions, Trial, take_turns

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
        for mode, trial in ALGORITHMS[name](questions, Terrain.build(ground)).items():
            take_turns([trial])
            answers = trial.answers()
            assert row_of(questions, name, mode, answers).keys() == KEYS
            if mode not in ("early_stop", "overhead"):
                costs[name, mode] = answers.costs
    reached = np.isfinite(costs["astar_resumable", "single"])
    assert reached.sum() > 6
    for found in costs.values():
        assert np.allclose(found[reached], costs["astar_resumable", "single"][reached], rtol=1e-8)


def test_regions_and_two_threads_have_rows_and_answers_of_their_own() -> None:
    ground = np.random.default_rng(8).random((48, 60)) < 0.9
    tiles = np.argwhere(ground).astype(np.int32)
    starts, goals = tiles[np.random.default_rng(9).integers(len(tiles), size=(2, 12))]
    questions, terrain = Questions("noise", ground, starts, goals, np.full(12, np.nan)), Terrain.build(ground)
    optima = ALGORITHMS["astar"](questions, terrain)["single"].answers().costs
    for name in ("regions", "next_hop"):
        trials = ALGORITHMS[name](questions, terrain)
        assert {"single", "batch", "batch_threads", "overhead"} == trials.keys()
        single = trials["single"].answers()
        for mode in ("batch", "batch_threads"):
            answers = trials[mode].answers()
            assert np.array_equal(answers.costs, single.costs) and np.array_equal(answers.expansions, single.expansions)
        assert (single.costs >= optima * (1 - 1e-8)).all() and np.array_equal(np.isinf(single.costs), np.isinf(optima))
    uniform = UniformGround.build(terrain)
    pair = [JPSPlus(uniform, jump_tables(uniform)) for _ in range(2)]
    told = jumps_in_threads(pair, starts[:11], goals[:11])
    assert np.allclose(np.where(told < 0, np.inf, told), optima[:11])


def test_the_bench_runs_without_maps_or_peers() -> None:
    assert NAMES["search"] == "tools.bench.search.search_bench"
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    found = rows(parser.parse_args(["--problems", "3", "--algorithms", "astar,astar_resumable", "--no-peers"]))
    assert {row["algorithm"] for row in found} == {"astar", "astar_resumable"}
    assert all(row["us_mean"] > 0 and row["queries"] == 3 for row in found)
    assert all((row["us_p99"] is None) == (row["mode"] == "batch") for row in found), "a batch is one call"


def test_ratios_and_wrong_answers_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    row = {"map": "brc202d", "mode": "single", "optimal": True, "us_mean": 10.0}
    fast, slow = {**row, "algorithm": "astar"}, {**row, "algorithm": "pyastar2d", "us_mean": 100.0, "optimal": None}
    assert summary([fast, slow]) == 0
    assert "ok   brc202d: astar against pyastar2d: 10 (goal at least 6x)" in capsys.readouterr().out
    assert summary([{**fast, "optimal": False}, {**slow, "us_mean": 20.0}]) == 1
    told = capsys.readouterr().out
    assert "MISS brc202d: astar against pyastar2d: 2" in told and "WRONG: astar on brc202d" in told


def test_trials_take_turns_and_the_best_round_counts() -> None:
    """A load of the machine affects all trials alike."""
    tiles = np.array([[0, 0], [1, 1]], np.int32)
    questions = Questions("two", np.ones((2, 2), bool), tiles, tiles[::-1], np.full(2, np.nan))
    asked: list[str] = []
    slow = Trial(questions, lambda *row: asked.append("slow"), lambda: (1.0, 2.0), rounds=3)
    brief = Trial(questions, lambda *row: asked.append("brief"), rounds=1)
    whole = Trial(questions, lambda: asked.append("whole"), rounds=3, batch=True, queries=10)
    take_turns([slow, brief, whole])
    turns = [name for name, _ in itertools.groupby(asked)]  # fast searches run twice in their turn
    assert turns == 2 * ["slow", "brief", "whole"] + 2 * ["slow", "whole"]
    assert (slow.us < 1e5).all() and (slow.answers().costs == 1).all() and (slow.answers().expansions == 2).all()
    assert whole.us[0] == whole.us[1] < slow.us.sum() + 1e4


def test_repairs_have_a_row_a_structure_and_edit() -> None:
    ground = np.ones((40, 40), bool)
    ground[20] = False
    ground[20, 9] = True
    found = repair_rows("walls", ground, count=2)
    assert {row["mode"] for row in found} == {"repair_tile", "repair_door", "repair_building"}
    assert {row["algorithm"] for row in found} == set(STRUCTURES)
    assert all(row["us_mean"] > 0 and row["slice_max_us"] <= row["us_max"] + 1e-6 for row in found)


@pytest.mark.skipif(benchmark_folder() is None, reason="FOGLINE_MAPS names no folder of MovingAI maps")
@pytest.mark.long
def test_answers_on_some_benchmark_rows_are_proved() -> None:
    """A sample of the ``--check`` test of every row.

    Exact searches are exact; the others are legal and near-optimal.
    """
    found = check_rows(benchmark_folder(), "arena,den520d", 7, most_bounded=5000)
    assert len(found) >= 26 and all(row["optimal"] for row in found), [r for r in found if not r["optimal"]]


def test_the_proof_sees_through_bad_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    ground = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], bool)
    assert length_of(ground, np.array([[0, 0], [0, 1], [0, 2], [1, 2]])) == 3
    assert np.isnan(length_of(ground, np.array([[0, 1], [1, 2]]))), "a corner is cut"
    assert np.isnan(length_of(ground, np.array([[0, 0], [0, 2]]))), "a tile is skipped"
    assert np.isnan(length_of(ground, np.array([[0, 1], [1, 1]]))), "through the wall"
    assert line_length(ground, np.array([[0, 0], [0, 2]])) == 2
    assert np.isnan(line_length(ground, np.array([[0, 0], [2, 2]]))), "through the wall"
    assert np.isnan(line_length(ground, np.array([[0, 1], [1, 2]]))), "past a corner"
    assert np.isnan(line_length(ground, np.array([[2, 1], [0, 2]]))) and np.isnan(
        line_length(ground.T, np.array([[1, 2], [2, 0]]))
    ), "along a knight's line the wall is met half-way"
    uniform = UniformGround.build(Terrain.build(ground))
    assert Visibility(ground).optimum(uniform, (0, 0), (3, 3)) == pytest.approx(2 * np.sqrt(5)), "round one corner"
    monkeypatch.setattr(search_referee, "MOST_CORNERS", 0)
    for at_most in (5.0, np.inf):
        assert Visibility(ground).optimum(uniform, (0, 0), (3, 3), at_most) == pytest.approx(2 * np.sqrt(5))
    assert np.isinf(Visibility(ground).optimum(uniform, (0, 0), (3, 3), 4.4)), "no way as short as that"
    walls = np.ones((20, 20), bool)
    walls[7:13, 7:13] = False
    found = list(search_referee.windows(walls))
    assert len(found) == search_referee.WINDOWS
    for cut, asked in found:
        assert np.array_equal(cut, walls)
        assert any(path > np.hypot(a[0] - b[0], a[1] - b[1]) + 0.1 for a, b, path in asked), "round the block"
        assert all(path >= np.hypot(a[0] - b[0], a[1] - b[1]) - 1e-9 for a, b, path in asked)
        assert {a != b and path >= search_referee.WINDOW_AWAY for a, b, path in asked} == {True}
    with pytest.raises(ValueError, match="--maps"):
        check_rows(None, "", 0)
