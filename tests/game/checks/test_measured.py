"""The expectation ``measure``: bounds on a number of the exhibits, and its messages."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from game.checks.expectations import Measured
from game.checks.metrics.metric import Metric
from game.checks.scripts.script import Expect


def world(walked: float = 0.0) -> Any:
    """Return a raider that has come ``walked`` tiles to the east in this tick."""
    units = SimpleNamespace(
        count=1, id=np.array([7]), side=np.array([0]), x=np.array([walked]), y=np.array([0.0]),
        prev_x=np.array([0.0]), prev_y=np.array([0.0]), slots=lambda ids: np.zeros(len(ids), np.int64),
        alive=np.array([1]), moving=np.array([1]),
    )  # fmt: skip
    return SimpleNamespace(units=units, events=[])


def measured(monkeypatch: pytest.MonkeyPatch, **bounds: Any) -> Measured:
    monkeypatch.setattr("game.checks.expectations.select", lambda _world, _words: [7])
    return Measured(Expect(kind="measure", **bounds), world())


@pytest.mark.parametrize(
    ("bounds", "told"),
    [
        ({"at_least": 1.5}, None),
        ({"at_most": 1.5}, None),
        ({"at_least": 1.6}, "walked is 1.5, not at least 1.6"),
        ({"at_most": 1.4}, "walked is 1.5, not at most 1.4"),
        ({"at_least": 2, "at_most": 3}, "walked is 1.5, not at least 2 and at most 3"),
    ],
)
def test_a_measure_is_summed_over_the_ticks_and_held_to_its_bounds(
    bounds: dict[str, float], told: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = measured(monkeypatch, name="walked", **bounds)
    for _ in range(3):
        row.watch(world(0.5))
    assert row.verdict(world()) == told


def test_an_unknown_measure_and_one_without_bounds_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="expectation measure: 'wlaked' is none of walked, "):
        measured(monkeypatch, name="wlaked", at_least=1)
    with pytest.raises(ValueError, match="walked needs at_least or at_most"):
        measured(monkeypatch, name="walked")


def test_pairs_of_bodies_in_each_other_are_counted_for_a_second() -> None:
    """Count the pair 0.02 tiles deep, not the one 0.005 tiles deep."""
    x = np.array([0.0, 0.58, 1.175, 3.0])
    units = SimpleNamespace(x=x, y=np.zeros(4), radius=np.full(4, 0.3), moving=np.ones(4), slots=lambda ids: ids)
    metric = Metric("overlapped", (0, 1, 2, 3))
    for _ in range(20):
        metric.watch(SimpleNamespace(units=units))  # type: ignore[arg-type]
    assert metric.value == pytest.approx(1.0) and not metric.done
