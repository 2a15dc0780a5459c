"""Measures of a distribution: spread and mean of times to identify an enemy."""

from __future__ import annotations

import statistics
from types import SimpleNamespace

import numpy as np
import pytest

from game.checks.metrics.metric import Metric

FIRST = {11: 20, 12: 26, 13: 50, 14: 50}
"""Tick of the first identification by unit id."""


def test_spread_and_mean_count_each_unit_once_and_no_other_unit() -> None:
    spread, mean = (Metric(name, tuple(FIRST)) for name in ("sighting_spread", "sighting_mean"))
    units = SimpleNamespace(slots=lambda ids: np.arange(len(ids)))
    for tick in range(1, 61):
        facts = [SimpleNamespace(kind="identified", unit=unit) for unit, first in FIRST.items() if tick >= first]
        facts += [SimpleNamespace(kind="identified", unit=99), SimpleNamespace(kind="noticed", unit=14)]
        world = SimpleNamespace(tick=tick, events=facts, units=units)
        for metric in (spread, mean):
            metric.watch(world)  # type: ignore[arg-type]
        assert spread.done == (tick >= 50)
    seconds = [tick / 20 for tick in FIRST.values()]
    assert sorted(spread.samples) == sorted(seconds) == sorted(mean.samples)
    assert spread.value == pytest.approx(statistics.pstdev(seconds))
    assert mean.value == pytest.approx(statistics.mean(seconds))
    assert mean.half_interval == pytest.approx(1.96 * statistics.stdev(seconds) / 2.0)  # the root of four samples
    assert mean.words == f"{statistics.mean(seconds):.1f} ± {mean.half_interval:.1f} s"
    assert spread.words == f"{statistics.pstdev(seconds):.1f} s", "a spread has no interval"
