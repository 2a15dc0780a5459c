"""Shared trees: a crowd shares one search outwards from its goal.

A door on its path opens and shuts.
"""

import numpy as np
import pytest

from ai.core.serialization import digest, restore, snapshot
from ai.paths import Phase
from ai.paths.sharing import shared_trees
from ai.search.hierarchy.shortest_path_tree import ShortestPathTree
from tests.ai.paths.walkers import Walkers

SIZE, BUDGET = 128, 1500


def crowd_before_a_wall() -> Walkers:
    """Return a wood and a wall with two gates before a crowd's goal.

    The nearer gate is a door.
    """
    ground = np.ones((SIZE, SIZE), bool)
    ground[64:66] = False
    ground[64:66, 60:64] = ground[64:66, 110:114] = True
    starts = [(y, x) for y in range(2, 28) for x in range(2, 28)]
    world = Walkers.on(ground, starts, engine="auto", budget=BUDGET)
    world.terrain.edit(36, 30, 56, 60, cost=16)
    world.components.update(world.terrain)
    world.manager.engines.prepare(world.terrain)
    world.order((118, 100))
    return world


def toggle(world: Walkers, shut: bool) -> None:
    world.terrain.edit(64, 60, 66, 64, passable=0 if shut else 255)


def test_a_tree_is_grown_again_out_of_the_budget_after_every_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    grown: list[int] = []

    def watched(*args: object, **options: object) -> ShortestPathTree:
        tree = ShortestPathTree(*args, **options)  # type: ignore[arg-type]
        grown.append(tree.settled)
        return tree

    monkeypatch.setattr(shared_trees, "ShortestPathTree", watched)
    world = crowd_before_a_wall()
    again = 0
    for tick in range(120):
        if tick % 20 == 10:
            toggle(world, shut=tick % 40 == 10)
        before = len(grown)
        world.live(1)
        statistics = world.manager.statistics
        assert sum(grown[before:]) <= statistics.revolutions_this_tick <= BUDGET
        again += len(grown) > before and tick > 30
    assert again >= 3
    assert statistics.lost == statistics.failed == 0
    assert np.count_nonzero(world.manager.requests.phase == Phase.FLOWING) > 300, "and still lead the crowd"


def test_a_restored_crowd_is_led_the_same_from_before_its_tree_is_grown_again() -> None:
    world = crowd_before_a_wall()
    world.live(40)
    toggle(world, shut=True)
    again = restore(snapshot(world))
    for _ in range(12):
        world.live(1)
        again.live(1)
        assert digest(world) == digest(again)


def test_a_tree_that_no_longer_fits_reaches_less_far_and_units_beyond_search_alone() -> None:
    world = crowd_before_a_wall()
    world.live(40)
    assert np.count_nonzero(world.manager.requests.phase == Phase.FLOWING) > 300
    world.settings.budget = 20
    toggle(world, shut=True)
    world.live(1)
    assert world.manager.statistics.revolutions_this_tick <= 20
    world.settings.budget = 4000
    arrived, lost = world.live(1500)
    assert not lost and len(arrived) > 600
