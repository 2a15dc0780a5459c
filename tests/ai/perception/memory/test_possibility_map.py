"""The possible set equals the end tiles of all unobserved trajectories.

No placement contradicts them. There are two oracles. For a unit that moves from tile to tile at whole periods, it is a
search from the end backwards. For the *free* unit of the game, it is every trajectory from sample point to sample point
within a tick, with each straight line tested against the tiles in whole numbers. Finer samples find nothing more, and
units at any angle never leave the set.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest

from ai.core.serialization import digest, restore, snapshot
from ai.perception.memory.possibility_map import PossibilityMap, fineness, possibility_map, sensory_barriers
from ai.perception.sight.shadowcast import SightBits, field_of_view, window
from tests.ai.perception.trajectories import sampled_end_tiles

MOVES = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]


def legal(passable: np.ndarray, y: int, x: int, dy: int, dx: int) -> bool:
    height, width = passable.shape
    if not (0 <= y + dy < height and 0 <= x + dx < width):
        return False
    if dy == dx == 0:
        return True
    return bool(passable[y + dy, x + dx] and (not (dy and dx) or (passable[y + dy, x] and passable[y, x + dx])))


def end_tiles(passable: np.ndarray, start: tuple[int, int], observed: list[np.ndarray]) -> set[tuple[int, int]]:
    """Return the end tiles of every unobserved trajectory from ``start``.

    The search runs from the end backwards.
    """

    @functools.cache
    def arrives(step: int, y: int, x: int) -> bool:
        if step == 0:
            return (y, x) == start
        if observed[step - 1][y, x]:
            return False
        return any(
            legal(passable, y - dy, x - dx, dy, dx) and arrives(step - 1, y - dy, x - dx)
            for dy, dx in MOVES
            if 0 <= y - dy < passable.shape[0] and 0 <= x - dx < passable.shape[1]
        )

    return {(y, x) for y, x in np.ndindex(passable.shape) if arrives(len(observed), y, x)}


def tiles(chart: PossibilityMap) -> set[tuple[int, int]]:
    found = {(int(y), int(x)) for y, x in np.argwhere(chart.possible)}
    y0, x0, y1, x1 = chart.box
    assert chart.count == len(found)
    assert all(y0 <= y < y1 and x0 <= x < x1 for y, x in found)
    return found


def walk(seed: int, steps: int) -> tuple[np.ndarray, tuple[int, int], list[np.ndarray]]:
    """Return a random 9x9 map, the unit's last tile, and the views.

    A wandering observer's view is recorded at each step.
    """
    rng = np.random.default_rng(seed)
    passable = (rng.random((9, 9)) < 0.8).astype(np.uint8)
    open_tiles = np.argwhere(passable)
    start, player = (tuple(int(n) for n in open_tiles[rng.integers(len(open_tiles))]) for _ in range(2))
    bits = SightBits(1 - passable)
    observed = []
    for _ in range(steps):
        options = [m for m in MOVES if legal(passable, *player, *m)]
        dy, dx = options[rng.integers(len(options))]
        player = (player[0] + dy, player[1] + dx)
        view = window(field_of_view(bits, np.array([player[0]]), np.array([player[1]]), 3)[0])
        seen = np.zeros((9, 9), bool)
        for j, i in np.argwhere(view):
            seen[player[0] - 3 + j, player[1] - 3 + i] = True
        observed.append(seen)
    return passable, start, observed


@pytest.mark.parametrize("seed", range(20))
def test_equals_the_end_tiles_of_all_unobserved_trajectories(seed: int) -> None:
    passable, start, observed = walk(seed, 16)
    chart = possibility_map(9, 9, 1, *start, tick=0, period=1)
    for step, seen in enumerate(observed, 1):
        expected = end_tiles(passable, start, observed[:step])
        assert chart.observe(step, passable, seen, None) == bool(expected)
        assert tiles(chart) == expected
        if not expected:
            break


@pytest.mark.parametrize("seed", range(15))
def test_a_placement_is_possible_and_comes_no_later_than_the_last_chance(seed: int) -> None:
    passable, start, observed = walk(seed, 25)
    chart = possibility_map(9, 9, 1, *start, tick=0, period=1)
    for step, seen in enumerate(observed, 1):
        placed = chart.advance(step, passable, seen)
        if placed is None:
            assert tiles(chart) == end_tiles(passable, start, observed[:step]) != set()
            continue
        assert placed.forced, "without a threshold it is placed only when nothing else is left"
        assert not end_tiles(passable, start, observed[:step])
        before = end_tiles(passable, start, observed[: step - 1])
        assert any(legal(passable, y, x, placed.y - y, placed.x - x) for y, x in before if
                   max(abs(placed.y - y), abs(placed.x - x)) <= 1)  # fmt: skip
        assert tiles(chart) == {(placed.y, placed.x)}
        return


def test_a_desirable_tile_is_taken_early_and_the_rest_becomes_impossible() -> None:
    passable = np.ones((7, 7), np.uint8)
    chart = possibility_map(7, 7, 1, 3, 3, tick=0, period=1)
    chart.advance(1, passable, np.zeros((7, 7), bool))
    observed = np.zeros((7, 7), bool)
    observed[:, 4:] = True
    worth = np.zeros((7, 7))
    worth[4, 4] = 2.0
    placed = chart.advance(2, passable, observed, worth, threshold=1.0)
    assert placed is not None
    assert (placed.y, placed.x, placed.forced) == (4, 4, False)
    assert tiles(chart) == {(4, 4)}
    assert chart.settled


def test_watching_the_only_exit_keeps_the_set_inside_for_ever() -> None:
    passable = np.zeros((9, 9), np.uint8)
    passable[1:5, 1:5] = 1
    passable[5:, 3] = 1
    observed = np.zeros((9, 9), bool)
    observed[5, 3] = True
    chart = possibility_map(9, 9, 1, 2, 2, tick=0, period=1)
    for tick in range(1, 30):
        assert chart.observe(tick, passable, observed, None)
    assert tiles(chart) == {(y, x) for y in range(1, 5) for x in range(1, 5)}


def test_it_grows_one_move_a_period_and_a_sighting_settles_it() -> None:
    passable = np.ones((30, 30), np.uint8)
    chart = possibility_map(30, 30, 1, 15, 15, tick=100, period=5)
    sizes = []
    for tick in range(101, 121):
        chart.observe(tick, passable, np.zeros((30, 30), bool), None)
        sizes.append(chart.count)
    assert sizes == [1] * 4 + [9] * 5 + [25] * 5 + [49] * 5 + [81]
    chart.observe(121, passable, np.zeros((30, 30), bool), (4, 5))
    assert tiles(chart) == {(4, 5)}
    assert chart.settled


def test_the_movement_class_decides_which_ground_counts() -> None:
    passable = np.full((3, 9), 0b01, np.uint8)
    passable[:, 5:] = 0b10
    for movement_class, farthest in ((0, 4), (1, 3)):
        chart = possibility_map(3, 9, 1, 1, 3, tick=0, period=1, movement_class=movement_class)
        for tick in range(1, 9):
            chart.observe(tick, passable, np.zeros((3, 9), bool), None)
        assert max(x for _, x in tiles(chart)) == farthest


@pytest.mark.parametrize(("earshot", "crossed"), [(6.0, False), (2.0, True)])
def test_noisy_ground_in_earshot_is_a_barrier(earshot: float, crossed: bool) -> None:
    passable, noisy = np.ones((5, 15), np.uint8), np.zeros((5, 15), np.uint8)
    noisy[:, 7] = 1
    barriers = sensory_barriers(noisy, np.array([2.5]), np.array([12.5]), earshot)
    chart = possibility_map(5, 15, 1, 2, 2, tick=0, period=1)
    for tick in range(1, 15):
        chart.observe(tick, passable, np.zeros((5, 15), bool), None, barriers)
    far_side = {t for t in tiles(chart) if t[1] > 7}
    assert bool(far_side) == crossed
    assert not far_side & {(y, x) for y in (1, 2, 3) for x in (11, 12, 13)}, "nobody gets next to a listener unnoticed"
    assert not sensory_barriers(noisy, np.array([2.5]), np.array([12.5]), 2.0, stealthy=True)[2, 11]


@pytest.mark.parametrize(("seed", "fine", "finer"), [*((s, 1 + s % 4, 1) for s in range(10)), (2, 2, 3)])
def test_a_free_set_equals_the_end_tiles_of_all_unobserved_ways(seed: int, fine: int, finer: int) -> None:
    """``fine`` steps make a tile: 5 at a run of 4 tiles a second.

    Tiles are observed at single ticks.
    """
    passable, at, observed = walk(seed, 4 * fine)
    observed = [seen for seen in observed for _ in range(2)]
    if finer > 1:
        observed = observed[: 3 * fine]
    row, column = seed % fine, seed // 3 % fine
    place = at[0] + (row + 0.5) / fine, at[1] + (column + 0.5) / fine
    # Every sample point of the part where it was lost.
    start = {
        (2 * finer * (at[0] * fine + row) + 2 * j + 1, 2 * finer * (at[1] * fine + column) + 2 * i + 1)
        for j in range(finer)
        for i in range(finer)
    }
    chart = possibility_map(9, 9, 1, *place, 0, fine=fine)
    for tick, (seen, ends) in enumerate(
        zip(observed, sampled_end_tiles(passable, start, observed, fine, finer), strict=True), 1
    ):
        chart.observe(tick, passable, seen, None)
        assert tiles(chart) == ends


@pytest.mark.parametrize("seed", range(8))
def test_a_free_unit_is_never_lost_until_it_is_observed(seed: int) -> None:
    """The unit runs at any angle among walls from any point of a tile.

    A tenth of the map is observed every tick.
    """
    rng = np.random.default_rng(seed)
    passable = (rng.random((60, 60)) < 0.85).astype(np.uint8)
    passable[28:32, 28:32] = 1
    speed = float(rng.uniform(0.5, 8.0))
    y, x, heading = rng.uniform(28, 32), rng.uniform(28, 32), rng.uniform(-4, 4)
    chart = possibility_map(60, 60, 1, y, x, 0, fine=fineness(speed))
    for tick in range(1, 150):
        ny, nx = y + np.sin(heading) * speed / 20, x + np.cos(heading) * speed / 20
        if rng.random() < 0.1 or not (0 <= ny < 60 and 0 <= nx < 60) or not crosses_open(passable, y, x, ny, nx):
            heading = rng.uniform(-4, 4)
        else:
            y, x = ny, nx
        observed = rng.random((60, 60)) < 0.1
        observed[int(y), int(x)] = False
        assert chart.observe(tick, passable, observed, None)
        assert chart.possible[int(y), int(x)]
        if tick % 20 == 7:
            ab_run = restore(snapshot(chart))
        elif tick > 7:
            ab_run.observe(tick, passable, observed, None)
            assert digest(ab_run) == digest(chart)


def crosses_open(passable: np.ndarray, y: float, x: float, ny: float, nx: float) -> bool:
    return all(passable[int(y + (ny - y) * t), int(x + (nx - x) * t)] for t in np.linspace(0, 1, 40))


@pytest.mark.parametrize(("speed", "reach"), [(4.0, 40), (20.0, 200), (1.0, 200 / 7)])
def test_a_free_set_spreads_as_fast_as_its_unit(speed: float, reach: float) -> None:
    """At four tiles a second a unit runs forty tiles in ten seconds.

    It starts in the middle of a tile; the slowest count as a seventh of a tile per tick.
    """
    chart = possibility_map(3, 450, 1, 1.5, 225.5, 0, fine=fineness(speed))
    for tick in range(1, 201):
        chart.observe(tick, np.ones((3, 450), np.uint8), np.zeros((3, 450), bool), None)
    far = [x for _, x in tiles(chart)]
    assert max(far) - 225 == 225 - min(far)
    assert reach - 0.5 <= max(far) - 225 <= reach + 0.5


def test_maps_are_state() -> None:
    passable, start, observed = walk(3, 6)
    chart = possibility_map(9, 9, 1, *start, tick=0, period=1)
    for tick, seen in enumerate(observed, 1):
        chart.observe(tick, passable, seen, None)
        ab_run = restore(snapshot(chart))
        assert digest(ab_run) == digest(chart)
        assert np.array_equal(ab_run.possible, chart.possible)
        chart = ab_run


def test_wrong_input_is_told() -> None:
    with pytest.raises(ValueError, match="off the"):
        possibility_map(5, 5, 1, 5, 0, tick=0, period=1)
    with pytest.raises(ValueError, match="period"):
        possibility_map(5, 5, 1, 0, 0, tick=0, period=0)
    with pytest.raises(ValueError, match="parts"):
        possibility_map(5, 5, 1, 0, 0, tick=0, fine=8)
    with pytest.raises(ValueError, match="speed"):
        fineness(0.0)
    with pytest.raises(ValueError, match="speed"):
        fineness(21.0)


def test_a_map_that_takes_the_arrays_of_another_knows_nothing_of_it() -> None:
    ground = np.ones((12, 12), np.uint8)
    old = possibility_map(12, 12, 1, 2.5, 2.5, 0, fine=5)
    for tick in range(1, 40):
        old.spread(tick, ground)
    taken, fresh = (possibility_map(12, 12, 2, 8.2, 9.7, 40, fine=5, old=other) for other in (old, None))
    for tick in range(41, 60):
        for found in (taken, fresh):
            found.spread(tick, ground)
    assert (taken.possible == fresh.possible).all() and taken.box == fresh.box
