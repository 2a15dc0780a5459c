"""Path tuning: each setting changes its symptom as the source states.

Counted on one fixed workload, played by the ``tuning`` benchmark ("AI Game Programming Wisdom", 3.3, summary box).
"""

import argparse
import itertools
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tools.bench import tuning
from tools.bench.tuning import BASE, SWEEPS, play, rows, workload


@cache
def run(**knobs: object) -> dict:
    return play(replace(BASE, **{"budget": 200, **knobs}), workload(96, 2), 80, 1500)


def column(symptom: str, knob: str, *values: object, **others: object) -> list:
    runs = [run(**{**others, knob: value}) for value in values]
    assert all(r["arrived"] == 80 for r in runs)
    return [r[symptom] for r in runs]


def falls(values: list) -> bool:
    return all(b <= a for a, b in itertools.pairwise(values)) and values[-1] < values[0]


def test_more_budget_means_less_waiting_and_fewer_priority_paths() -> None:
    assert falls(column("latency_p95", "budget", 60, 200, 1600))
    assert falls(column("priority", "budget", 60, 200, 1600))
    assert column("stood_ticks", "budget", 60, 1600)[1] == 0 < column("stood_ticks", "budget", 60, 1600)[0]


def test_less_budget_means_smaller_spikes() -> None:
    assert column("queue_max", "budget", 60, 200) == [60, 200]


def test_many_priority_paths_mean_that_the_quick_path_is_too_short() -> None:
    assert falls(column("priority", "quick_tiles_max", 3, 12, 24))


def test_visible_backtracking_means_that_the_quick_path_is_too_long_or_the_splice_missing() -> None:
    assert falls(column("extra_tiles", "quick_tiles_max", 24, 12, 3))
    assert falls(column("extra_tiles", "splice", False, True))


def test_without_priority_paths_units_pause() -> None:
    assert falls(column("stood_ticks", "priority_tick_cap", 0, 5000))


def test_units_that_pause_want_a_longer_quick_path() -> None:
    assert falls(column("stood_ticks", "quick_tiles_max", 3, 12, 24, priority_tick_cap=0))


def test_visible_backtracking_means_that_the_splice_is_too_near() -> None:
    assert falls(column("extra_tiles", "splice_reach", 0.0, 0.5, 1.0))


def test_long_latency_wants_a_larger_increment() -> None:
    assert falls(column("latency_p95", "increment", 0, 5, 20, allowance=10, allowance_cap=2000))


def test_progressive_slicing_shortens_the_wait() -> None:
    assert falls(column("latency_p95", "slicing", "equal", "progressive"))


def test_still_slow_means_a_level_above() -> None:
    assert falls(column("latency_p95", "engine", "astar", "hpa"))
    assert falls(column("priority", "engine", "astar", "hpa"))


def test_the_workload_is_the_same_for_everyone() -> None:
    assert np.array_equal(workload(96, 2), workload(96, 2))
    again = play(replace(BASE, budget=200), workload(96, 2), 80, 1500)
    first = run()
    assert {k: v for k, v in again.items() if k != "us_mean"} == {k: v for k, v in first.items() if k != "us_mean"}


@pytest.mark.parametrize("knob", ["splice", "splice_reach", None])
def test_a_row_of_the_benchmark_is_one_play_of_a_setting(knob: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names tell the value and the other differences from the base."""
    few = tuple(s for s in SWEEPS if s.knob in ("splice", "splice_reach"))
    monkeypatch.setattr(tuning, "SWEEPS", few)
    arguments = argparse.Namespace(units=5, size=24, ticks=60, knob=knob)
    got = rows(arguments)
    expected, ground = [], workload(24, 2)
    for sweep in few:
        for value in sweep.values if knob in (None, sweep.knob) else ():
            played = play(replace(BASE, **{**sweep.others, sweep.knob: value}), ground, 5, 60)
            name = f"{sweep.knob}={value} ({sweep.when})" if sweep.when else f"{sweep.knob}={value}"
            expected.append({"algorithm": name, "mode": "single", "threads": 1, **played})
    assert len(expected) == {"splice": 2, "splice_reach": 7, None: 9}[knob]
    without_time = [[{k: v for k, v in row.items() if k != "us_mean"} for row in table] for table in (got, expected)]
    assert without_time[0] == without_time[1]
    assert all(row["us_mean"] > 0 for row in got)


@pytest.mark.parametrize("units", [1, 7])
def test_on_open_ground_with_time_enough_every_walk_is_the_shortest_and_none_waits(units: int) -> None:
    """With budget for all, each unit walks from its order on."""
    settings = replace(BASE, budget=100_000, allowance=100_000, allowance_cap=100_000, increment=100_000)
    seen = play(settings, np.ones((24, 24), bool), units, 400, seed=3)
    assert seen["arrived"] == units and seen["priority"] == 0
    # A walk is over a little before the middle of its last tile.
    assert -2.0 < seen["extra_tiles"] < 0.25 and seen["stood_ticks"] <= 2
    assert seen["latency_p95"] <= 2 and seen["queue_max"] >= 0
    early = play(settings, np.ones((24, 24), bool), units, 3, seed=3)
    assert early["arrived"] == 0 and early["extra_tiles"] == 0.0
