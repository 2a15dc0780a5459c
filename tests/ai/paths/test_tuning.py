"""Path tuning: each setting changes its symptom as the source states.

Counted on one fixed workload, played by the ``tuning`` benchmark ("AI Game Programming Wisdom", 3.3, summary box).
"""

import itertools
from dataclasses import replace
from functools import cache

import numpy as np

from tools.bench.tuning import BASE, play, workload


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
