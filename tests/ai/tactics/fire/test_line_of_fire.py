"""Line of fire: friends in the way against sampled points, and played shots."""

import math

import numpy as np
import pytest

from ai.perception.spatial_bins import PER_TILE, bin_cells, bin_units
from ai.tactics.fire.line_of_fire import CANDIDATES, REACTION, crosses, friend_in_line, side_steps, widest_circle
from game.level.level_writer import LevelBuilder
from game.level.reading import load_level
from game.sim.session import Session
from game.world.orders import Order, OrderKind
from game.world.units import Fire, Stance


def _sampled(start, end, friend, wide):
    """Return whether one of 4,000 points lies within ``wide`` of a friend."""
    t = np.linspace(0.0, 1.0, 4001)[1:-1]
    px, py = start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1])
    return bool((np.hypot(px - friend[0], py - friend[1]) < wide).any())


def _beyond(start, end, friend):
    """Return whether a friend's middle lies behind the shooter or behind the target."""
    d = np.subtract(end, start)
    along = np.dot(np.subtract(friend, start), d) / np.linalg.norm(d)
    return along <= 0.0 or along >= np.linalg.norm(d)


def test_friends_in_a_line_are_those_that_points_of_the_line_touch() -> None:
    rng = np.random.default_rng(4)
    blocked = 0
    for _ in range(300):
        n = 6
        x, y = rng.uniform(0, 5, n), rng.uniform(0, 5, n)
        vx, vy = rng.uniform(-4, 4, n), rng.uniform(-4, 4, n)
        side = np.array([0, 1, 0, 0, 0, 1], np.uint8)
        alive = np.array([1, 1, 1, 1, 0, 1], np.uint8)
        stance = rng.integers(0, 3, n).astype(np.uint8)
        radius = np.full(n, 0.3)
        start, end = (x[0], y[0]), (x[1], y[1])
        hits = []
        for k in (2, 3):  # 4 is dead and 5 an enemy
            wide = 0.3 + REACTION * math.hypot(vx[k], vy[k])
            friend = x[k], y[k]
            over = stance[k] > stance[0]
            if not over and not _beyond(start, end, friend) and _sampled(start, end, friend, wide):
                hits.append((np.dot(np.subtract(friend, start), np.subtract(end, start)), k))
        got = _found((5, 5), np.arange(n, dtype=np.int32), alive, side, stance, x, y, vx, vy, radius)
        assert got == (min(hits)[1] if hits else -1)
        blocked += got >= 0
        line = crosses(start, end, np.column_stack([x[2:4], y[2:4]]), 0.3)
        want = [not _beyond(start, end, (x[k], y[k])) and _sampled(start, end, (x[k], y[k]), 0.3) for k in (2, 3)]
        assert line.tolist() == want
    assert 30 < blocked < 270


def _found(size, ids, alive, side, stance, x, y, vx, vy, radius):
    """Return the friend between slots 0 and 1 by way of the bins."""
    starts, members = np.zeros(bin_cells(*size) + 1, np.int32), np.zeros(len(x), np.int32)
    bin_units(*size, alive, x, y, starts, members)
    widest = widest_circle(len(x), alive, vx, vy, radius, REACTION)
    across = int(size[1] * PER_TILE) + 1
    return friend_in_line(0, 1, across, starts, members, widest, ids, side, stance, x, y, vx, vy, radius, REACTION)


def test_the_bins_give_the_friend_that_a_look_at_all_units_gives() -> None:
    """The oracle tests every unit; two friends at one distance go by id."""
    rng = np.random.default_rng(9)
    n, size, blocked = 60, (40, 61), 0
    for _ in range(200):
        x, y = rng.uniform(0, size[1], n), rng.uniform(0, size[0], n)
        vx, vy, radius = rng.uniform(-4, 4, n), rng.uniform(-4, 4, n), rng.uniform(0.3, 0.9, n)
        alive, side = (rng.random(n) < 0.8).astype(np.uint8), rng.integers(0, 2, n).astype(np.uint8)
        stance, ids = rng.integers(0, 3, n).astype(np.uint8), rng.permutation(n).astype(np.int32)
        far = math.hypot(x[1] - x[0], y[1] - y[0])
        dx, dy = (x[1] - x[0]) / far, (y[1] - y[0]) / far
        along, off = (x - x[0]) * dx + (y - y[0]) * dy, np.abs((x - x[0]) * dy - (y - y[0]) * dx)
        friend = (alive == 1) & (side == side[0]) & (stance <= stance[0]) & (np.arange(n) > 1)
        hits = np.flatnonzero(friend & (along > 0) & (along < far) & (off < radius + REACTION * np.hypot(vx, vy)))
        got = _found(size, ids, alive, side, stance, x, y, vx, vy, radius)
        assert got == (int(hits[np.argmin(along[hits])]) if len(hits) else -1)
        blocked += got >= 0
    assert 40 < blocked < 190
    x, y = np.array([2.5, 12.5, 7.5, 7.5]), np.array([5.0, 5.0, 4.75, 5.25])
    same, none = np.zeros(4, np.uint8), np.zeros(4)
    for ids, nearest in (([0, 1, 2, 3], 2), ([0, 1, 3, 2], 3)):
        row = np.array(ids, np.int32)
        assert _found((10, 20), row, same + np.uint8(1), same, same, x, y, none, none, none + 0.3) == nearest


def test_steps_aside_are_other_tiles_beside_the_line_first_away_from_the_friend() -> None:
    found = side_steps((5.5, 5.5), (12.5, 5.5), (8.5, 5.8), 0)
    assert found[0] == (5.5, 4.5) and found[1] == (5.5, 6.5)
    assert len(found) <= CANDIDATES and (5.5, 5.5) not in found and len(set(found)) == len(found)
    assert side_steps((5.5, 5.5), (12.5, 5.5), (8.5, 5.2), 0)[0] == (5.5, 6.5)
    middle = [side_steps((5.5, 5.5), (12.5, 5.5), (8.5, 5.5), turn)[0] for turn in (0, 1)]
    assert sorted(middle) == [(5.5, 4.5), (5.5, 6.5)]
    assert side_steps((5.5, 5.5), (5.5, 5.5), (8.5, 5.5), 0) == []


@pytest.fixture(scope="module")
def level(tmp_path_factory):
    """Three soldiers in single file, and an enemy that does not see them."""
    built = LevelBuilder.from_letters("\n".join(["." * 20] * 9), title="File")
    for k in range(3):
        built.add("spawn", 4.5 + 1.5 * k, 4.5, kind="soldier", side="raiders", facing=0)
    built.add("spawn", 12.0, 4.5, kind="soldier", side="guards", facing=0)
    file = tmp_path_factory.mktemp("file") / "file.tmx"
    built.write(file)
    return load_level(file)


def _play(level, ticks, *, checks, strays=True, stance=None, orders=()):
    """Let three soldiers fire along their file; return shots (shooter, struck) and the world."""
    session = Session(level, 1, recording=False)
    world, u = session.world, session.world.units
    world.settings.tactics.line_of_fire, world.settings.rules.friendly_fire = checks, strays
    u.hp[:4] = 100
    u.fire_at_will[:3] = Fire.AT_WILL
    if stance is not None:
        for unit in (1, 2):
            u.stance[u.slot(unit)] = stance
    for order in orders:
        session.give(order)
    shots = []
    for _ in range(ticks):
        session.advance()
        shots += [(e.unit, e.other, e.text) for e in world.events if e.kind == "shot" and e.unit < 3]
    return shots, world


def test_shots_of_a_file(level) -> None:
    hold = [Order(int(OrderKind.HOLD), 0, (0, 1, 2))]
    shots, _ = _play(level, 50, checks=False, orders=hold)
    assert {other for unit, other, _ in shots if unit == 0} == {1} and (2, 3) in {s[:2] for s in shots}
    assert all(text == "hit" for unit, _, text in shots if unit == 0)
    shots, world = _play(level, 50, checks=True, orders=hold)
    assert shots and {unit for unit, _, _ in shots} == {2}, "only the first of the file has a clear line"
    assert world.units.blocked_by[:3].tolist() == [1, 2, -1] and not world.tactics.asides
    shots, _ = _play(level, 50, checks=True, orders=hold, stance=Stance.CROUCH)
    assert {unit for unit, other, _ in shots if other == 3} == {0, 2}, "the last of the file fires over kneeling men"


def test_soldiers_without_an_order_step_aside_until_all_fire(level) -> None:
    shots, world = _play(level, 90, checks=True)
    u = world.units
    assert {unit for unit, _, _ in shots} == {0, 1, 2} and {other for _, other, _ in shots} == {3}
    places = [(float(u.x[k]), float(u.y[k])) for k in range(3)]
    for k in range(3):
        for other in range(3):
            assert (
                other == k
                or _beyond(places[k], (12.0, 4.5), places[other])
                or not _sampled(places[k], (float(u.x[3]), float(u.y[3])), places[other], 0.3)
            )
    assert not world.tactics.asides
