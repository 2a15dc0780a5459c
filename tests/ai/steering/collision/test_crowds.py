"""Invariants of motion in crowds: no overlap, arrival, no deadlock.

No unit is in a wall or in another unit. Each scene is a small map drawn here; paths come from the Dijkstra field of
``arena``. The progress invariant: of every touching group of units that want to move, one gets nearer to its goal
within 100 ticks.
"""

import numpy as np
import pytest

from ai.steering.collision.progress import connected_groups
from ai.steering.settings import SteeringSettings
from tests.ai.steering.arena import Arena

ROW = 0.9


def room(h, w):
    passable = np.ones((h, w), np.uint8)
    passable[0] = passable[-1] = 0
    passable[:, 0] = passable[:, -1] = 0
    return passable


def two_rooms(width, length=10, side=14, h=16):
    passable = room(h, 2 * side + length)
    passable[1:-1, side : side + length] = 0
    top = h // 2 - width // 2
    passable[top : top + width, side : side + length] = 1
    return passable


def block(n, x0, y0, columns, gap=ROW):
    return [(x0 + (k % columns) * gap, y0 + (k // columns) * gap) for k in range(n)]


def bridge_meeting(ids=None, settings=None):
    west, east = block(30, 6, 5, 6), block(30, 28, 5, 6)
    return Arena(two_rooms(2), west + east, east + west, ids=ids, settings=settings)


def test_sixty_units_pass_each_other_on_a_bridge_two_tiles_wide():
    arena = bridge_meeting()
    broken = arena.run(1600)
    assert not arena.b.moving.any(), f"{int(arena.b.moving.sum())} of 60 still walk"
    assert broken == 0, arena.offenders
    assert arena.worst_overlap_ticks <= 5


def test_without_right_of_way_and_lanes_the_same_meeting_jams():
    """Without the technique the two columns lock."""
    arena = bridge_meeting(settings=SteeringSettings(keep_right=0.0, give_way_after=1000, side_bias=0.0))
    arena.run(1600, law=False)
    assert arena.b.moving.sum() > 10


def test_permuting_slots_changes_no_trajectory():
    n = 60
    ids = np.arange(n, dtype=np.int32) * 3 + 5
    plain = bridge_meeting(ids=ids)
    west, east = block(30, 6, 5, 6), block(30, 28, 5, 6)
    shuffled = np.random.default_rng(3).permutation(n)
    places, goals = np.array(west + east)[shuffled], np.array(east + west)[shuffled]
    mixed = Arena(two_rooms(2), places, goals, ids=ids[shuffled])
    for _ in range(400):
        plain.step()
        mixed.step()
    for column in ("x", "y", "vx", "vy", "facing", "stuck", "moving"):
        assert np.array_equal(getattr(plain.b, column)[shuffled], getattr(mixed.b, column)), column


def test_four_columns_cross():
    h, n = 34, 20
    c = h // 2
    street = np.zeros((h, h), bool)
    street[c - 2 : c + 2] = True
    street[:, c - 2 : c + 2] = True
    west = [(1.5 + 0.8 * (k // 4), c - 1.5 + k % 4) for k in range(n)]
    east = [(h - x, y) for x, y in west]
    north = [(y, x) for x, y in west]
    south = [(y, h - x) for x, y in west]
    arena = Arena(room(h, h) & street, west + east + north + south, east + west + south + north)
    broken = arena.run(1600)
    assert not arena.b.moving.any()
    assert broken == 0, arena.offenders
    assert arena.worst_overlap_ticks <= 5


@pytest.mark.long
def test_two_hundred_go_through_a_gate_two_tiles_wide():
    passable = room(30, 50)
    passable[:, 25] = 0
    passable[14:16, 25] = 1
    arena = Arena(passable, block(200, 4, 5, 16), block(200, 30, 5, 16))
    broken = arena.run(2600)
    assert not arena.b.moving.any()
    assert broken == 0


def test_in_a_one_tile_corridor_the_lower_id_goes_first():
    passable = two_rooms(1, side=8, h=11)
    arena = Arena(passable, [(3.5, 5.5), (22.5, 5.5)], [(22.5, 5.5), (3.5, 5.5)])
    arrived = {}
    for _ in range(1200):
        arena.step()
        for i in np.flatnonzero(arena.b.moving == 0):
            arrived.setdefault(int(i), arena.tick)
    assert set(arrived) == {0, 1}
    assert arrived[0] < arrived[1]
    assert arena.worst_overlap < 0.03


def test_a_unit_that_just_stepped_aside_gives_way_again():
    def meeting(until, aside=-1):
        arena = Arena(two_rooms(1, side=8, h=11), [(3.5, 5.5), (22.5, 5.5)], [(22.5, 5.5), (3.5, 5.5)])
        for tick in range(until):
            if tick == until - 1 and aside >= 0:
                arena.state.give_left[aside] = -3
            arena.step()
            if aside < 0 and arena.state.give_left[:2].any():
                break
        return arena.tick, arena.state.give_left[:2].tolist(), arena.state.give_to[:2].tolist()

    first, left, to = meeting(600)
    assert max(left) > 0
    assert meeting(first, int(np.argmax(left))) == (first, left, to)


def test_a_crowd_ordered_to_one_tile_settles_round_it():
    arena = Arena(room(40, 40), block(200, 4, 4, 16), [(30.5, 30.5)] * 200)
    arena.run(1500)
    assert not arena.b.moving.any()
    away = np.hypot(arena.b.x - 30.5, arena.b.y - 30.5)
    # 200 discs of radius 0.3 packed at 60 % fill a disc of radius 5.5.
    assert np.quantile(away, 0.9) < 9.0
    before = arena.b.x.copy(), arena.b.y.copy()
    for _ in range(50):
        arena.step()
    assert np.hypot(arena.b.x - before[0], arena.b.y - before[1]).max() < 0.3, "they push for ever"


def test_ten_units_walk_at_random_for_a_thousand_ticks_and_no_centre_is_ever_in_a_wall():
    rng = np.random.default_rng(11)
    passable = (rng.random((20, 20)) < 0.8).astype(np.uint8)
    ty, tx = np.nonzero(passable)
    pick = rng.choice(len(ty), 40, replace=False)
    places = np.column_stack([tx[pick] + 0.5, ty[pick] + 0.5])
    arena = Arena(passable, places, places, speed=4.0)
    for tick in range(1000):
        if tick % 25 == 0:
            # Each unit walks straight to a random point, through anything in between.
            arena.paths = [[(rng.uniform(0, 20), rng.uniform(0, 20))] for _ in range(40)]
            arena.at = [0] * 40
            arena.b.moving[:] = 1
        arena.step()
        arena.paths = [p if len(p) == 1 else p[-1:] for p in arena.paths]
        arena.at = [0] * 40
        assert arena.in_wall() == 0


def test_idle_units_make_room_and_holding_ones_do_not():
    """Six units close a room from wall to wall.

    Between their bodies are gaps of 0.2 tiles.
    """
    row = np.array([(15.5, 1.4 + 0.8 * k) for k in range(6)])
    for holding in (0, 1):
        arena = Arena(room(7, 30), [(3.5, 3.5), *row], [(26.5, 3.5), *row])
        arena.b.moving[1:] = 0
        arena.b.holding[1:] = holding
        moved = 0.0
        for _ in range(330):
            arena.step()
            moved = max(moved, np.hypot(arena.b.x[1:] - row[:, 0], arena.b.y[1:] - row[:, 1]).max())
        if holding:
            assert moved < 1e-12 and arena.b.moving[0] and 14.5 < arena.b.x[0] < 15.5, "it stops before them"
        else:
            assert 0.2 < moved < 2.0 and not arena.b.moving[0] and arena.b.x[0] > 26.0
            assert arena.b.x[1:] == pytest.approx(row[:, 0], abs=0.1), "they come back"


def test_an_idle_unit_between_two_files_does_not_hesitate_between_them():
    """Files 1.1 tiles apart leave 0.5 tiles; a body needs 0.6.

    The body can clear neither line, and must not try each in turn.
    """
    files = [(1.5 + 1.2 * k, y) for k in range(6) for y in (3.0, 4.1)]
    arena = Arena(room(8, 34), [(15.5, 3.5), *files], [(15.5, 3.5), *((x + 22.0, y) for x, y in files)])
    arena.b.moving[0] = 0
    last, turns, far = np.zeros(2), 0, 0.0
    for _ in range(300):
        before = np.array([arena.b.x[0], arena.b.y[0]])
        arena.step()
        step = np.array([arena.b.x[0], arena.b.y[0]]) - before
        if np.hypot(*step) > 0.01:  # 0.2 tiles/s
            turns += float(step @ last) < 0.0
            last, far = step, far + np.hypot(*step)
    assert far > 0.2, "no unit came near it"
    assert turns <= 4, "twelve units pass, and it changes sides at most twice"
    assert (arena.b.x[1:] > 20.0).all(), "they pass"


def test_idle_units_walk_back_to_their_place_when_nobody_passes_any_more():
    places = [(3.5, 3.5), (15.5, 3.5), (16.2, 3.9)]
    arena = Arena(room(7, 30), places, [(26.5, 3.5), *places[1:]])
    arena.b.moving[1:] = 0
    before = arena.b.x.copy(), arena.b.y.copy()
    pushed = 0.0
    for _ in range(700):
        arena.step()
        away = np.hypot(arena.b.x - before[0], arena.b.y - before[1])[1:]
        pushed = max(pushed, float(away.max()))
    assert not arena.b.moving[0]
    assert pushed > 0.2, "no unit had to make room"
    assert away.max() < 0.1
    still = arena.b.x.copy()
    arena.step()
    assert np.array_equal(still, arena.b.x), "they sway"


@pytest.mark.parametrize("seed", range(3))
def test_connected_groups_are_the_components_of_a_plain_flood(seed):
    rng = np.random.default_rng(seed)
    n = 80
    x, y = rng.uniform(0, 14, (2, n))
    radius = np.full(n, 0.3)
    want = rng.random(n) < 0.8
    groups = connected_groups(x, y, radius, want)
    assert (groups[~want] == -1).all()
    label = {}
    for start in np.flatnonzero(want):
        if start in label:
            continue
        todo, label[start] = [start], start
        while todo:
            i = todo.pop()
            for k in np.flatnonzero(want & (np.hypot(x - x[i], y - y[i]) <= 1.1)):
                if k not in label:
                    label[k] = start
                    todo.append(k)
    for i in label:
        for k in label:
            assert (groups[i] == groups[k]) == (label[i] == label[k])
