"""Allocation against all permutations, and messages by arrival."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from ai.squad.command.in_trays import CommandMessage, delay, take_due
from ai.squad.command.squad_allocation import allocate, available

RNG = np.random.default_rng(11)


def _best(distance: np.ndarray, priorities: np.ndarray, allowed: np.ndarray, threshold: int) -> tuple[int, int, float]:
    """Return (most pairs, least priorities, least distance) over all one-to-one choices."""
    squads, objectives = distance.shape
    best = (0, 0, 0.0)
    for choice in itertools.product(range(-1, objectives), repeat=squads):
        pairs = [(s, o) for s, o in enumerate(choice) if o >= 0]
        if len({o for _, o in pairs}) < len(pairs):
            continue
        if any(not allowed[s, o] or np.isinf(distance[s, o]) or priorities[s] >= threshold for s, o in pairs):
            continue
        found = (-len(pairs), sum(int(priorities[s]) for s, _ in pairs), sum(float(distance[s, o]) for s, o in pairs))
        best = min(best, found)
    return best


@pytest.mark.parametrize("squads", [1, 2, 4])
def test_allocation_equals_the_best_of_all_choices(squads: int) -> None:
    """As many objectives as possible, then the least priorities, then the least distance."""
    for _ in range(40):
        distance = RNG.random((squads, 3)) * 50
        distance[RNG.random(distance.shape) < 0.15] = np.inf
        allowed = RNG.random(distance.shape) > 0.2
        priorities = RNG.choice([0, 3, 6], squads)
        pairs = allocate(distance, priorities, allowed, 6)
        assert len({s for s, _ in pairs}) == len({o for _, o in pairs}) == len(pairs)
        found = (
            -len(pairs), sum(int(priorities[s]) for s, _ in pairs), sum(float(distance[s, o]) for s, o in pairs)
        )  # fmt: skip
        assert found == pytest.approx(_best(distance, priorities, allowed, 6))


def test_nobody_with_a_more_important_task_is_available() -> None:
    assert available(np.array([6, 3, 0, 4, 0]), 4).tolist() == [2, 4, 1]
    assert not allocate(np.zeros((2, 1)), np.array([6, 6]), np.ones((2, 1), bool), 6)
    assert not allocate(np.zeros((0, 1)), np.zeros(0, np.int64), np.zeros((0, 1), bool), 6)


def test_messages_arrive_by_distance() -> None:
    """Twelve tiles at 12 tiles a second take a second."""
    assert delay((0.0, 0.0), (0.0, 12.0), 12.0) == 20 and delay((1.0, 1.0), (1.0, 1.0), 12.0) == 1
    tray = [CommandMessage(k, "status", 0, -1, 0, due) for k, due in enumerate((9, 4, 9, 30))]
    assert [m.number for m in take_due(tray, 3)] == []
    assert [m.number for m in take_due(tray, 9)] == [1, 0, 2]
    assert [m.number for m in tray] == [3]
