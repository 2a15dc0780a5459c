"""Failure memory of local searches; the oracle is the same search without a memory."""

from __future__ import annotations

import numpy as np
import pytest

from ai.core.serialization import digest, restore, snapshot
from ai.paths.replanning.failure_memory import FailureMemory
from ai.paths.replanning.local_replanning import OBSTRUCTED, serve_line
from ai.paths.replanning.local_replanning_grid import ReplanningGrid
from tests.ai.paths.replanning.test_local_replanning import CORRIDOR, Crowd, tick_of

BARRIER = [(y, 12) for y in range(3, 8)]


def blocked(**settings: object) -> Crowd:
    """Return a walker before a corridor that five bodies close."""
    world = Crowd.among(CORRIDOR, [(5, 8)], BARRIER, local_after=1, deepening=False, **settings)
    world.order((5, 57), slots=[0])
    world.go(3)
    return world


def search(world: Crowd) -> int:
    """Return the revolutions of one local search of the walker."""
    before = world.manager.statistics.local_revolutions
    world.manager.local.clear()
    world.manager.local.ask(0, world.tick, OBSTRUCTED)
    serve_line(tick_of(world, world.tick))
    return world.manager.statistics.local_revolutions - before


def test_a_failed_search_costs_nothing_again_until_a_body_leaves() -> None:
    world = blocked()
    first = search(world)
    assert first > 50
    assert [search(world) for _ in range(5)] == [0] * 5
    again = restore(snapshot(world))
    assert digest(again) == digest(world) and search(again) == 0
    world.y[1], world.x[1] = 5.5, 2.5
    path = world.path(0)
    assert search(world) > 0 and world.path(0) != path, "a body has left the barrier"


def test_an_edit_of_the_ground_asks_anew_and_no_memory_searches_each_time() -> None:
    world = blocked()
    search(world)
    world.terrain.edit(2, 10, 3, 15, passable=255)
    assert search(world) > 0, "there is a way past the barrier now"
    other = blocked(remembered_failures=0)
    assert search(other) == search(other) > 0 and not other.manager.local.failures.failed


@pytest.mark.parametrize("seed", range(8))
def test_answers_of_a_memory_are_those_of_a_search_at_every_limit(seed: int) -> None:
    """Compare every limit on random windows of which bodies come and go."""
    rng = np.random.default_rng(seed)
    world = Crowd.among(CORRIDOR, [(5, 8)], [(5, 11)], futility=False)
    world.order((5, 57), slots=[0])
    world.go(2)
    memory, failures, remembered, now = FailureMemory(), 0, 0, tick_of(world, world.tick)
    for _ in range(40):
        many = int(rng.integers(3, 7))
        tiles = np.column_stack([rng.permutation(np.arange(3, 8))[:5], np.full(5, int(rng.integers(10, 13)))])[:many]
        for limit in rng.integers(1, 130, 6).tolist():
            answers = []
            for known in (None, memory):
                window = ReplanningGrid(now, 0)
                window.bar(tiles[:, 1] + 0.5, tiles[:, 0] + 0.5)
                joined = window.join(limit=limit, known=known)
                if known is not None and window.proven >= 0:
                    memory.keep(window.proven, window.revolutions, 3)
                answers.append((window.cut, None if joined is None else joined.tiles.tolist()))
            assert answers[0] == answers[1], (limit, tiles.tolist())
            failures += answers[0][1] is None
            remembered += joined is None and window.revolutions == 0
    assert failures > 40 and remembered > 20 and len(memory.failed) == 3


def test_the_oldest_failure_is_forgotten_first() -> None:
    memory = FailureMemory()
    for question in range(5):
        memory.keep(question, 10 + question, 3)
    assert [memory.find(question) for question in range(5)] == [-1, -1, 12, 13, 14]


@pytest.mark.parametrize("seed", range(3))
def test_a_crowd_walks_the_same_with_the_memory_and_searches_less(seed: int) -> None:
    rng = np.random.default_rng(seed)
    starts = [(int(y), int(x)) for y, x in zip(rng.integers(3, 8, 6), rng.integers(2, 9, 6), strict=True)]
    places, spent = [], []
    for kept in (64, 0):
        world = Crowd.among(CORRIDOR, starts, BARRIER, remembered_failures=kept, futility=False)
        world.order((5, 57), slots=np.arange(6))
        walked = []
        for tick in range(300):
            if tick == 200:
                world.y[8], world.x[8] = 3.5, 40.5
            world.go(1)
            walked.append((world.x.copy(), world.y.copy()))
        places.append(walked)
        spent.append(world.manager.statistics.local_revolutions)
    assert np.array_equal(places[0], places[1]) and spent[0] < 0.8 * spent[1], spent
