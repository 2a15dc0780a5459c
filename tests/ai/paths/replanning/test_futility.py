"""Futility: a unit without progress escalates and gives up; one that walks does not."""

import numpy as np
import pytest

from ai.paths import Decision, Phase
from ai.paths.requests import futility
from ai.paths.update_context import PathTick, PathUnits
from tests.ai.paths.replanning.test_local_replanning import CORRIDOR, Crowd
from tests.ai.paths.walkers import Walkers, walls


@pytest.mark.parametrize("seed", range(8))
def test_progress_is_measured_to_the_waypoint_or_by_the_distance_walked_on_a_new_path(seed: int) -> None:
    """A unit is judged once a second: futile below a fifth of its speed.

    It goes on, to the side, or not at all. Its path may change. It may wait, stand at a door, or miss a check.
    """
    rng = np.random.default_rng(seed)
    world = Crowd.among(np.ones((60, 80), bool), [(30, 20)], [])
    world.order((30, 75), slots=[0])
    world.go(1)
    manager, r, speed = world.manager, world.manager.requests, 4.0
    last = None  # tick, x, y and path at the last check
    path, seen = [(30, 75)], set()
    for turn in range(1, 60):
        world.x[0] += rng.choice([0.0, 0.0, 0.1, 0.75, 0.85, 3.0, -1.0])
        world.y[0] = rng.choice([20.5, 30.5, 31.4, 41.0, *[world.y[0]] * 6])
        world.x[0] = world.x[0] if 5.0 < world.x[0] < 60.0 else 20.5
        if rng.random() < 0.3:
            path = [(int(rng.integers(10, 50)), 70), (30, 75)][int(rng.integers(2)) :]
            manager.take_path(world.terrain, 0, np.array(path, np.int32))
        waits, held, detour = rng.random(3) < 0.1
        r.held_by[0], r.detour[0], r.futile[0] = (5 if held else -1), detour, 0
        bodies = PathUnits(world.stands, world.stuck, world.side, np.full(1, speed), np.array([waits]))
        tick = 20 * turn + int(rng.random() < 0.1)
        now = PathTick(manager, world.terrain, world.components, world.x, world.y, tick, world.settings, bodies)
        before = manager.store.path_len[0], float(manager.store.wp_x[0]), float(manager.store.wp_y[0])
        futility.watch(now)
        if tick % 20:
            assert r.futile[0] == 0, "it is not its turn"
            continue
        here = (float(world.x[0]), float(world.y[0]))
        known = last is not None and last[0] == tick - 20 and not (held or detour or waits)
        if known and last[3] is path:
            _, wx, wy = before
            progress = np.hypot(wx - last[1], wy - last[2]) - np.hypot(wx - here[0], wy - here[1])
        elif known:
            progress = np.hypot(here[0] - last[1], here[1] - last[2])
        futile = bool(known and progress < 0.2 * speed)
        assert r.futile[0] == futile, (turn, known, last, here)
        seen.add((known and last[3] is path, futile))
        last = (tick, *here, path)
    assert len(seen) == 4, "futile or not, on the same path or another"


@pytest.mark.parametrize("begun", [0, 5, 250, 254])
def test_a_unit_that_stands_for_minutes_asks_for_a_path_in_every_third_second(begun: int) -> None:
    """Without local searches it never counts as walled in."""
    world = Crowd.among(np.ones((9, 40), bool), [(4, 5)], [], local_searches=0)
    world.order((4, 35), slots=[0])
    world.go(1)
    r, asked, most = world.manager.requests, [], 0
    for turn in range(1, 14):
        bodies = PathUnits(world.stands, world.stuck, world.side, np.full(1, 4.0))
        tick = 20 * turn
        now = PathTick(world.manager, world.terrain, world.components, world.x, world.y, tick, world.settings, bodies)
        futility.watch(now)
        if r.phase[0] != Phase.READY:
            asked.append(begun + turn - 1)
            r.phase[0] = Phase.READY
        if turn == 1:
            assert r.futile[0] == 0
            r.futile[0] = begun
        else:
            assert 0 < r.futile[0] <= begun + turn - 1
            most = max(most, int(r.futile[0]))
    assert asked == [seconds for seconds in range(begun + 1, begun + 13) if seconds % 3 == 0]
    assert most == min(begun + 12, 255)


def test_a_walled_in_unit_gives_up_in_bounded_time_and_reports_it() -> None:
    wall = [(y, 12) for y in range(3, 8)]
    world = Crowd.among(CORRIDOR, [(5, 2)], wall, futile_limit=6)
    world.order((5, 57), slots=[0])
    _, lost = world.go(50 + 20 * 16)
    assert lost == {0} and world.decisions(0)[-1] == Decision.FUTILE
    assert world.manager.store.path_len[0] == 0, "no path is left to follow"


def test_a_block_that_goes_away_is_forgotten_within_a_second() -> None:
    wall = [(y, 12) for y in range(3, 8)]
    world = Crowd.among(CORRIDOR, [(5, 2)], wall)
    world.order((5, 57), slots=[0])
    world.go(120)
    assert world.manager.requests.futile[0] > 0
    world.x[1:], world.y[1:] = 0.5, 3.5
    at = world.x[0]
    world.go(21)
    assert world.x[0] > at + 2.0
    world.go(20)
    assert world.manager.requests.futile[0] == 0


def test_half_an_hour_of_walking_and_nobody_ends_in_a_futile_loop() -> None:
    """Twenty-four walkers walk for 75 seconds each; none counts as stuck or lost.

    A walker that arrives is sent elsewhere.
    """
    ground = walls(40, 2)
    rng = np.random.default_rng(1)
    label = Walkers.on(ground, [(0, 0)]).components.label_map(0)
    tiles = np.argwhere(label == np.bincount(label[label > 0]).argmax())
    world = Crowd.among(ground, [tuple(t) for t in tiles[rng.choice(len(tiles), 24, replace=False)].tolist()], [])
    world.order(tiles[rng.choice(len(tiles), 24)], slots=np.arange(24))
    trips, lost = 0, set()
    for _ in range(150):
        arrived, gone = world.go(10)
        lost |= gone
        trips += len(arrived)
        for slot in sorted(arrived):
            world.order(tuple(tiles[rng.integers(len(tiles))].tolist()), slots=[slot])
    statistics = world.manager.statistics
    assert statistics.futile == 0 and not lost and statistics.lost == 0
    assert trips > 100 and statistics.requested == trips + 24, "each goal was requested once"
