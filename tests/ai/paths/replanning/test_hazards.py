"""Hazards: a side avoids tiles on which one of its units was harmed."""

import itertools

import numpy as np
import pytest

from ai.paths import Decision, Phase
from ai.paths.quick.quick_path import rejoin
from ai.paths.replanning.hazards import HazardMemory, known_tiles
from ai.paths.update_context import PathTick, PathUnits
from tests.ai.paths.replanning.test_local_replanning import Crowd


@pytest.mark.parametrize("seed", range(8))
def test_a_side_remembers_the_last_64_harms_until_they_are_too_old(seed: int) -> None:
    """A model keeps the tick of the last harm of each tile."""
    rng = np.random.default_rng(seed)
    memory, model = HazardMemory(), {0: {}, 1: {}}
    most = 0
    for tick in range(0, 400, 3):
        for _ in range(int(rng.integers(7))):
            side, y, x, kind = int(rng.integers(2)), int(rng.integers(9)), int(rng.integers(40)), int(rng.integers(3))
            memory.learn(side, y, x, tick, kind)
            model[side].pop((y, x), None)
            model[side][y, x] = kind, tick
            while len(model[side]) > 64:
                del model[side][next(iter(model[side]))]
        if tick % 180 > 176:
            ticks = int(rng.choice([30, 150, 300]))
            memory.fade(tick, ticks)
            for side in model:
                model[side] = {t: known for t, known in model[side].items() if known[1] >= tick - ticks}
        assert memory.known == {s: [(*t, *known) for t, known in rows.items()] for s, rows in model.items() if rows}
        most = max(most, *(len(rows) for rows in model.values()))
        for side, rows in model.items() if tick % 60 == 57 else ():
            around = {(y + dy, x + dx) for y, x in rows for dy in (-1, 0, 1) for dx in (-1, 0, 1)}
            assert {tuple(t) for t in known_tiles(memory, side).tolist()} == around
    assert most == 64
    for wrong in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="a hazard must be a tile"):
            memory.learn(0, wrong, 1, 0)


def trap_runs(memory: bool, passes: int) -> tuple[int, list[int]]:
    """Pass a hall with a hidden trap; return how often each unit triggered it.

    Two units of one side pass in turn.
    """
    world = Crowd.among(np.ones((9, 20), bool), [(4, 2), (4, 3)], [], hazards=memory, hazard_ticks=100_000)
    trap, triggered, paths = (4, 10), [0, 0], 0
    for turn in range(passes):
        walker = turn % 2
        world.order((4, 17 if world.x[walker] < 10 else 2 + walker), slots=[walker])
        armed = True
        for _ in range(220):
            if walker in world.go(1)[0]:
                break
            on_it = (int(world.y[walker]), int(world.x[walker])) == trap
            if on_it and armed:
                triggered[walker] += 1
                armed = False
                world.manager.hazards.learn(0, *trap, world.tick, kind=1)
        paths += int(world.manager.requests.phase[walker] == Phase.IDLE)
    return paths, triggered


def test_a_trap_catches_a_side_once_and_every_unit_without_memory() -> None:
    paths, triggered = trap_runs(True, 20)
    assert paths == 20 and triggered == [1, 0], "the first triggered it once, the informed comrade never"
    assert trap_runs(False, 6) == (6, [3, 3])


HALL = np.ones((30, 60), bool)


def passes(world: Crowd, tile: tuple[int, int], ticks: int = 400) -> bool:
    """Return True if walker 0 comes within a tile of ``tile`` on its path."""
    near = False
    for _ in range(ticks):
        world.go(1)
        near |= bool(np.hypot(world.x[0] - tile[1] - 0.5, world.y[0] - tile[0] - 0.5) < 1.0)
    return near


@pytest.mark.parametrize(("side", "memory", "harmed"), [(0, True, False), (0, False, True), (1, True, True)])
def test_only_the_side_that_remembers_a_hazard_avoids_it(side, memory, harmed) -> None:
    world = Crowd.among(HALL, [(15, 2)], [], hazards=memory)
    world.side[:] = side
    world.manager.hazards.learn(0, 15, 30, world.tick)
    world.order((15, 57), slots=[0])
    assert passes(world, (15, 30)) == harmed
    assert world.x[0] > 56, "it arrives nevertheless"


@pytest.mark.parametrize(("side", "led_over"), [(0, False), (1, True)])
def test_a_unit_led_back_to_its_path_avoids_known_hazards(side, led_over) -> None:
    world = Crowd.among(HALL, [(15, 2)], [])
    world.side[:] = side
    world.order((15, 57), slots=[0])
    world.go(2)
    world.manager.take_path(world.terrain, 0, np.array([(15, 2), (15, 4), (15, 57)], np.int32))
    world.go(12)
    trap = (16, 30)
    world.manager.hazards.learn(0, *trap, world.tick)
    world.x[0], world.y[0] = 24.5, 17.5
    bodies = PathUnits(world.stands, world.stuck, world.side, np.full(1, 4.0))
    now = PathTick(world.manager, world.terrain, world.components, world.x, world.y, world.tick, world.settings, bodies)
    assert rejoin(now, 0)
    points = np.array([(17, 24), *world.path(0)])
    assert tuple(points[-1]) == (15, 57), "it leads to the goal nevertheless"
    steps = np.concatenate([np.linspace(a, b, 400) for a, b in itertools.pairwise(points)])
    assert (np.abs(steps - trap).max(axis=1) < 1.0).any() == led_over


def test_a_unit_without_another_path_crosses_a_hazard_and_hazards_fade() -> None:
    world = Crowd.among(HALL[:1], [(0, 2)], [])
    world.manager.hazards.learn(0, 0, 30, 0)
    world.order((0, 57), slots=[0])
    assert passes(world, (0, 30)) and Decision.DARES in world.decisions(0)
    world.settings.hazard_ticks = 10
    world.go(1)
    assert world.manager.hazards.known == {}
