"""Turn-then-straight routes against their geometry and against routes found by trying every turn."""

import math

import numpy as np
import pytest

from ai.steering.turning import LEFT, RIGHT, fluid_turn, pose_at, shortest_turn, stays_open, turn_route


def cases(n, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        yield (*rng.uniform(-5, 5, 2), rng.uniform(-math.pi, math.pi), *rng.uniform(-9, 9, 2), rng.uniform(0.5, 3))


def brute(x, y, heading, to_x, to_y, radius, side):
    """Turn by every angle in small steps; how far from the destination does the straight line then pass?"""
    best = math.inf
    turn = np.linspace(0, 2 * math.pi, 20_000)
    cx, cy = x - side * radius * math.sin(heading), y + side * radius * math.cos(heading)
    a = heading - side * math.pi / 2 + side * turn
    qx, qy = cx + radius * np.cos(a), cy + radius * np.sin(a)
    h = heading + side * turn
    ahead = (to_x - qx) * np.cos(h) + (to_y - qy) * np.sin(h)
    off = np.abs((to_x - qx) * np.sin(h) - (to_y - qy) * np.cos(h))
    hit = (off < 0.004) & (ahead >= -0.05)
    if hit.any():
        k = int(np.argmax(hit))
        best = turn[k] * radius + ahead[k]
    return best


def test_a_route_begins_here_ends_there_and_never_bends_more_than_its_circle():
    for x, y, heading, to_x, to_y, radius in cases(200):
        for side in (LEFT, RIGHT):
            route = turn_route(x, y, heading, to_x, to_y, radius, side)
            if route is None:
                continue
            assert pose_at(route, 0.0)[:2] == pytest.approx((x, y))
            assert pose_at(route, route.length)[:2] == pytest.approx((to_x, to_y))
            way = np.linspace(0, route.length, 400)
            poses = np.array([pose_at(route, w) for w in way])
            step = way[1]
            moved = np.hypot(*np.diff(poses[:, :2], axis=0).T)
            assert (moved <= step + 1e-9).all()
            turned = np.abs((np.diff(poses[:, 2]) + math.pi) % (2 * math.pi) - math.pi)
            assert (turned <= step / radius + 1e-6).all()


def test_lengths_are_those_found_by_trying_every_turn():
    for case in cases(100, seed=1):
        found = {side: turn_route(*case, side) for side in (LEFT, RIGHT)}
        for side, route in found.items():
            if route is not None and route.arc < 6.2 * case[5]:
                assert route.length == pytest.approx(brute(*case, side), abs=0.08)
        lengths = [route.length for route in found.values() if route is not None]
        assert shortest_turn(*case).length == min(lengths)


def test_inside_one_turning_circle_only_the_other_side_works():
    # The right of one heading east is south (y down).
    assert turn_route(0, 0, 0, 0.1, 1.0, 1.0, RIGHT) is None
    assert shortest_turn(0, 0, 0, 0.1, 1.0, 1.0).side == LEFT


def test_straight_ahead_needs_no_turn():
    assert shortest_turn(0, 0, 0.3, 5 * math.cos(0.3), 5 * math.sin(0.3), 2.0).length == pytest.approx(5.0)


def test_a_fluid_radius_keeps_out_of_the_walls_that_a_fixed_one_cuts():
    """A street two tiles wide with a corner: the wide arc leaves it, a slower and tighter one does not."""
    street = np.zeros((14, 14), bool)
    street[2:4, 0:12] = True
    street[2:14, 10:12] = True

    def is_open(ty, tx):
        return 0 <= ty < 14 and 0 <= tx < 14 and bool(street[ty, tx])

    start = (9.6, 3.2, 0.0, 11.2, 11.0)
    assert not stays_open(shortest_turn(*start, 3.0), is_open)
    route, factor = fluid_turn(*start, 3.0, is_open)
    assert stays_open(route, is_open)
    assert 0.25 <= factor < 1.0
    assert route.radius == pytest.approx(3.0 * factor)


def test_bad_input_is_told():
    with pytest.raises(ValueError, match="positive"):
        turn_route(0, 0, 0, 1, 1, 0.0, RIGHT)
    with pytest.raises(ValueError, match="side"):
        turn_route(0, 0, 0, 1, 1, 1.0, 0)
