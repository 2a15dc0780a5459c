"""Methods of avoidance and steering move one crowd under the same invariants.

Each fulfils its purpose.
"""

import math

import numpy as np
import pytest

from ai.steering.behaviours.turn_then_straight import shortest_turn
from ai.steering.settings import SteeringSettings
from tests.ai.steering.arena import Arena
from tests.ai.steering.collision.test_crowds import room


def crossing(**settings) -> Arena:
    rng = np.random.default_rng(1)
    west = [(4 + 0.9 * (i % 4) + rng.uniform(-0.1, 0.1), 6 + 1.2 * (i // 4)) for i in range(16)]
    east = [(28 - x, y + 0.1) for x, y in west]
    return Arena(room(20, 28), west + east, east + west, settings=SteeringSettings(**settings))


@pytest.mark.parametrize(
    "settings",
    [*({"avoidance": a} for a in range(5)), {"method": 1}, {"method": 2}, {"turning_radius": 0.8}],
    ids=lambda s: "".join(f"{k}{v}" for k, v in s.items()),
)
def test_two_crowds_cross_with_each_avoidance_and_each_method(settings):
    arena = crossing(**settings)
    arena.run(1400, law=False)
    assert not arena.b.moving.any()
    assert arena.worst_overlap_ticks <= 5


def posts_between(posts, **settings) -> Arena:
    settings = SteeringSettings(avoidance=0, right_of_way=0, context_keep_away=2.0, **settings)
    arena = Arena(room(17, 30), [(4.5, 8.5), *posts], [(25.5, 8.5), *posts], settings=settings)
    arena.b.moving[1:] = 0
    arena.b.holding[1:] = 1
    for _ in range(500):
        arena.step()
        if not arena.b.moving[0]:
            break
    return arena


def test_blended_vectors_stall_before_posts_and_context_maps_go_round_uneven_rows_of_them():
    """Five rows of three or four posts across the path, 0.9 tiles apart.

    Each post is up to a quarter of a tile out of line. The test shows this one layout, a row with uneven posts,
    and no other. Context maps know only what is near: of the five rows one makes a pocket in which they stay as
    well.
    """
    stalled = round_them = 0
    for seed in range(5):
        rng = np.random.default_rng(seed)
        n, middle = 3 + seed % 2, rng.uniform(12.0, 18.0)
        posts = [(middle + rng.uniform(-0.25, 0.25), 8.5 + 0.9 * (k - (n - 1) / 2)) for k in range(n)]
        round_them += not posts_between(posts, method=2).b.moving[0]
        vectors = posts_between(posts, method=1)
        slow = math.hypot(vectors.b.vx[0], vectors.b.vy[0]) < 0.1
        stalled += bool(vectors.b.moving[0]) and slow and vectors.b.x[0] < middle
    assert stalled == 5
    assert round_them >= 4


@pytest.mark.parametrize("radius", [1.0, 2.0, 3.0])
def test_a_cart_drives_the_shortest_turn_and_then_straight(radius):
    """The driven length is that of the closed formula.

    Braking and the tolerance at the goal are left out.
    """
    arena = Arena(
        room(40, 40), [(20.0, 20.0)], [(12.0, 22.0)], settings=SteeringSettings(turning_radius=radius), speed=2.0
    )
    arena.paths = [[(12.0, 22.0)]]
    driven, sharpest = 0.0, 0.0
    for _ in range(400):
        x, y, facing = arena.b.x[0], arena.b.y[0], arena.b.facing[0]
        arena.step()
        step = math.hypot(arena.b.x[0] - x, arena.b.y[0] - y)
        driven += step
        turn = abs((arena.b.facing[0] - facing + math.pi) % (2 * math.pi) - math.pi)
        if step > 0.08:
            sharpest = max(sharpest, turn / step)
        if not arena.b.moving[0]:
            break
    assert not arena.b.moving[0]
    assert driven == pytest.approx(shortest_turn(20.0, 20.0, 0.0, 12.0, 22.0, radius).length, abs=0.6)
    assert sharpest <= 1.3 / radius, "slightly sharper only while it accelerates"


def test_a_quick_temper_feels_nothing_until_late():
    """Foresight of the unit's type takes the place of the settings' horizon."""
    arena = Arena(
        room(12, 30), [(4.5, 6.0), (16.5, 6.1)], [(25.5, 6.0), (4.5, 6.1)], settings=SteeringSettings(sense_radius=8.0)
    )
    arena.state.reserve(2)
    arena.state.foresight[:] = (0.1, 4.0)
    for _ in range(60):
        arena.step()
    assert abs(arena.state.force_y[0]) < 1e-9 < abs(arena.state.force_y[1])
