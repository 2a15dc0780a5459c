"""Turn-then-straight routes against their geometry and against routes found by trying every turn."""

import math

import numpy as np
import pytest

from ai.core.serialization import restore, snapshot
from ai.steering.behaviours.turn_then_straight import LEFT, RIGHT, pose_at, shortest_turn, turn_route
from ai.steering.behaviours.turning_circle import turn_then_straight
from ai.steering.motion_step import move, steer
from ai.steering.navigation_pipeline import Pipeline, read_stages
from ai.steering.steering_columns import SteeringState
from tests.ai.steering.arena import Arena, grid


def cases(n, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        yield (*rng.uniform(-5, 5, 2), rng.uniform(-math.pi, math.pi), *rng.uniform(-9, 9, 2), rng.uniform(0.5, 3))


def brute(x, y, heading, to_x, to_y, radius, side):
    """Turn by every angle in small steps; return the miss of the straight line.

    The miss is its distance from the destination.
    """
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
            path = np.linspace(0, route.length, 400)
            poses = np.array([pose_at(route, w) for w in path])
            step = path[1]
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


STREETS = grid("""
##############################
#..............###############
#..............###############
#############..###############
#############..###############
#############..###############
#############..########....###
#############..########....###
#############..............###
#############..............###
##############################
""")
WALLS = np.nonzero(STREETS == 0)


def room_beside(x, y):
    """Tiles from a place to the nearest wall of STREETS."""
    ty, tx = WALLS
    return float(np.hypot(x - np.minimum(np.maximum(x, tx), tx + 1), y - np.minimum(np.maximum(y, ty), ty + 1)).min())


@pytest.mark.parametrize("radius", [0.8, 1.2, 1.8, 2.4])
def test_a_cart_in_streets_two_tiles_wide_never_touches_a_wall(radius):
    """Walls would stop a body that touches them: there is room all along.

    A fixed circle would not do: its arc at the first corner runs into the far wall. In the corners the body is
    slower, by no more than its brakes allow.
    """
    body, speed = 0.4, 1.3
    corner = shortest_turn(13.0, 2.0, 0.0, 14.5, 8.5, radius)
    if radius > 1.2:
        cuts = [room_beside(*pose_at(corner, path)[:2]) < body for path in np.linspace(0, corner.length, 60)]
        assert any(cuts)
    cart = Pipeline(read_stages(("follow", "give_way", "drive", "avoid")), circle=radius)
    for start, goal in (((2.0, 2.0), (25.0, 7.5)), ((25.0, 7.5), (2.0, 2.0))):
        arena = Arena(STREETS, [start], [goal], radius=body, speed=speed)
        pace = []
        for tick in range(700):
            path = arena.waypoints_now()
            steer(arena.state, arena.settings, STREETS, tick, arena.b, path, pipelines=(cart,))
            move(arena.state, arena.settings, STREETS, arena.b, path.final)
            if arena.state.reached[0] == 1:
                arena.at[0] += 1
            assert room_beside(arena.b.x[0], arena.b.y[0]) > body + 0.02
            pace.append(math.hypot(arena.b.vx[0], arena.b.vy[0]))
            if not arena.b.moving[0]:
                break
        assert not arena.b.moving[0] and math.hypot(arena.b.x[0] - goal[0], arena.b.y[0] - goal[1]) < 0.3
        assert np.abs(np.diff(pace[:-1])).max() <= arena.settings.acceleration * arena.settings.dt + 1e-9
        if radius > 1.2:
            assert min(pace[20:-20]) < 0.9 * speed, "slower in narrow places"


def driveable(route, body):
    """Return whether a body fits on a route, tested every quarter tile.

    It looks ahead by half a turn at most, then by three tiles of the straight part.
    """
    arc = min(route.arc, math.pi * route.radius)
    steps = 1 + int(arc / 0.25)
    paths = [arc * k / steps for k in range(1, steps + 1)]
    if route.arc <= math.pi * route.radius:
        paths += [route.arc + 0.25 * k for k in range(1, int(min(route.straight, 3.0) / 0.25) + 1)]
    return all(room_beside(*pose_at(route, path)[:2]) >= body for path in paths)


def steered(x, y, heading, to_x, to_y, circle, go, body):
    """Return velocity and turning of a unit on the widest free circle of seven.

    The velocity is a complex number; True: it turns by more than 0.3 radians.

    The circles go from the whole radius down to a quarter; the last one is driven anyhow. The speed shrinks as the
    radius does. A goal straight ahead, within 0.08 tiles of the line, needs no circle.
    """
    ahead = complex(to_x - x, to_y - y) * np.exp(-1j * heading)
    if ahead.real > 0.0 and abs(ahead.imag) < 0.08:
        return go * np.exp(1j * heading), False
    for k in range(7):
        share = 1.0 - 0.125 * k
        routes = [turn_route(x, y, heading, to_x, to_y, circle * share, side) for side in (RIGHT, LEFT)]
        routes = [r for r in routes if r is not None and (k == 6 or driveable(r, body + 0.05))]
        if routes:
            best = min(routes, key=lambda r: r.length)
            turn = min(best.arc / best.radius, go * DT / circle)  # the share cuts both
            return go * share * np.exp(1j * (heading + best.side * turn / (GAIN * DT))), best.arc > 0.3 * best.radius
    return go * 0.25 * np.exp(1j * heading), False


GAIN, DT = 4.0, 0.05


@pytest.mark.parametrize("seed", range(4))
def test_the_widest_of_seven_circles_that_is_free_is_driven_as_slowly_as_it_is_tight(seed):
    """Units that stand, want nothing or have no circle stay as they were.

    A turn counts as progress.
    """
    rng, n = np.random.default_rng(seed), 80
    ty, tx = np.nonzero(STREETS)
    at, to = rng.integers(0, len(ty), (2, n))
    x, y = tx[at] + 0.5, ty[at] + 0.5
    to_x, to_y = tx[to] + 0.5, ty[to] + 0.5
    heading = rng.uniform(-math.pi, math.pi, n)
    straight = rng.random(n) < 0.3
    aim = np.arctan2(to_y - y, to_x - x) + rng.normal(0.0, 0.03, n)
    heading = np.where(straight, aim, heading)
    moving, circle = (rng.random(n) < 0.8).astype(np.uint8), rng.uniform(0.6, 2.6, n) * (rng.random(n) < 0.8)
    want = rng.uniform(0.5, 2.0, n) * (rng.random(n) < 0.9) * np.exp(1j * rng.uniform(0.0, math.tau, n))
    body, stuck = np.full(n, 0.3), np.full(n, 7, np.int16)
    want_x, want_y = want.real.copy(), want.imag.copy()
    turn_then_straight(
        STREETS, circle, GAIN, DT, np.ones(n), moving, np.zeros(n, np.uint8), x, y, heading, body, to_x, to_y, want_x,
        want_y, stuck,
    )  # fmt: skip
    shares = set()
    for i in range(n):
        if moving[i] and abs(want[i]) and circle[i]:
            case = x[i], y[i], heading[i], to_x[i], to_y[i], circle[i]
            expected, turns = steered(*case, abs(want[i]), body[i])
            assert complex(want_x[i], want_y[i]) == pytest.approx(expected, abs=1e-9)
            assert stuck[i] == (0 if turns else 7)
            shares.add(round(abs(expected) / abs(want[i]), 3))
        else:
            assert complex(want_x[i], want_y[i]) == want[i] and stuck[i] == 7
    assert len(shares) > 3


def test_bad_input_is_told():
    with pytest.raises(ValueError, match="positive"):
        turn_route(0, 0, 0, 1, 1, 0.0, RIGHT)
    with pytest.raises(ValueError, match="side"):
        turn_route(0, 0, 0, 1, 1, 1.0, 0)


def test_a_state_kept_before_a_column_existed_gets_room_for_it():
    state = SteeringState()
    state.reserve(5)
    state.turn[3] = 0.25
    kept = snapshot(state)
    older = restore(kept)
    older.circle = np.zeros(0)
    older.reserve(5)
    assert older.circle.shape == (5,) and older.turn[3] == 0.25
