"""Whiskers: the kernel against a plain reference, and the article's claims."""

import numpy as np
import pytest

from ai.steering.behaviours.whiskers import whiskers
from ai.steering.settings import SteeringSettings
from ai.steering.spatial_hash import SpatialHash
from ai.steering.tile_surroundings import ROOMY, look_around
from tests.ai.steering.arena import Arena, grid


class Creatures:
    """Bodies moved by their whiskers alone, free of mass: displacement = push velocity * dt."""

    def __init__(self, passable, places, settings, want=(0.0, 0.0)):
        self.passable, self.settings = passable, settings
        self.x, self.y = (np.array(c, float) for c in np.asarray(places, float).reshape(-1, 2).T)
        n = len(self.x)
        self.want = np.full(n, float(want[0])), np.full(n, float(want[1]))
        self.weight, self.touched = np.zeros((n, 8)), np.zeros(n, np.uint8)
        self.push = np.zeros(n), np.zeros(n)
        self.roomy, self.holding, self.alive = np.zeros(n, np.uint8), np.zeros(n, np.uint8), np.ones(n, np.uint8)

    def feel(self):
        n = len(self.x)
        z = np.zeros(n)
        u = np.zeros(n, np.uint8)
        spatial_hash = SpatialHash(n)
        spatial_hash.build(np.arange(n, dtype=np.int32), u + 1, self.x, self.y, z, z, z + 0.3, z, z)
        spatial_hash.gather(1.0, 0)
        whiskers(
            0, n, self.passable, self.roomy, self.settings.packed(), spatial_hash.rank, spatial_hash.contacts,
            spatial_hash.contact_count,
            spatial_hash.body, self.alive, u, u + 1, self.holding, self.x, self.y, *self.want, self.weight,
            self.touched, *self.push,
        )  # fmt: skip

    def step(self):
        self.feel()
        self.x += self.push[0] * 0.05
        self.y += self.push[1] * 0.05


def plain(creatures):
    """Run a tick of the article's listing for all creatures, sensor by sensor."""
    s = creatures.settings
    n = s.whiskers
    weight = creatures.weight.copy()
    push = np.column_stack(creatures.push)
    for i, (x, y) in enumerate(zip(creatures.x, creatures.y, strict=True)):
        if not creatures.alive[i]:
            continue
        push[i] = 0.0
        for d in range(n):
            angle = 2 * np.pi * d / n
            direction = np.round([np.cos(angle), np.sin(angle)], 12)
            sx, sy = np.array([x, y]) + direction * s.whisker_reach
            solid = False
            for oy in (-1, 1):
                for ox in (-1, 1):
                    ty = int(np.floor(sy + oy * s.whisker_radius))
                    tx = int(np.floor(sx + ox * s.whisker_radius))
                    inside = 0 <= ty < creatures.passable.shape[0] and 0 <= tx < creatures.passable.shape[1]
                    solid |= not inside or not creatures.passable[ty, tx]
            if s.whisker_units:
                others = np.arange(len(creatures.x)) != i
                gap = np.hypot(creatures.x[others] - sx, creatures.y[others] - sy)
                solid |= bool((gap < s.whisker_radius + 0.3).any())
            weight[i, d] += s.whisker_repel * solid
            push[i] -= weight[i, d] * direction * 2 / n
            pull = creatures.want[0][i] * direction[0] + creatures.want[1][i] * direction[1]
            weight[i, d] = weight[i, d] * s.whisker_erosion - s.whisker_attract * (1 - s.whisker_erosion) * pull
        if creatures.holding[i]:
            push[i] = 0.0
    return weight, push


@pytest.mark.parametrize("count", [4, 6, 8])
@pytest.mark.parametrize("more", [{"whisker_attract": 0.7, "whisker_units": 1}, {"whisker_reach": 1.3}, {}], ids=str)
def test_the_kernel_equals_a_plain_reference(count, more):
    """Creatures stand on open ground, in walls, and beside each other.

    Some are dead and some hold their position.
    """
    rng = np.random.default_rng(count)
    passable = (rng.random((16, 16)) < 0.75).astype(np.uint8)
    passable[:5, :5], passable[10:15, 9:15] = 0, 1
    places = np.vstack([rng.uniform(0.0, 16.0, (60, 2)), [(2.5, 2.5), (12.5, 12.5)]])
    creatures = Creatures(passable, places, SteeringSettings(whiskers=count, **more), want=(0.8, -0.4))
    creatures.alive[:4], creatures.holding[4:10] = 0, 1
    around = look_around(passable)
    creatures.roomy[:] = around[creatures.y.astype(int), creatures.x.astype(int), ROOMY] & 1
    assert creatures.roomy.any()
    creatures.weight[::5, :count] = 0.1  # touches of before
    creatures.touched[:] = 255
    for _ in range(5):
        weight, push = plain(creatures)
        creatures.feel()
        assert np.allclose(creatures.weight, weight)
        assert np.allclose(np.column_stack(creatures.push), push)
        assert (creatures.touched[:4] == 255).all() and creatures.touched[60] == (1 << count) - 1
    assert creatures.touched[61] == 0 or "whisker_reach" in more or "whisker_units" in more


def test_between_two_walls_at_equal_distance_it_does_not_move():
    corridor = grid("#####\n     \n#####")
    creatures = Creatures(corridor, [(2.5, 1.5)], SteeringSettings(whisker_reach=0.5))
    for _ in range(100):
        creatures.step()
    assert creatures.touched[0] != 0
    assert (creatures.x[0], creatures.y[0]) == (2.5, 1.5)


def test_it_moves_away_before_anything_touches_its_body():
    settings = SteeringSettings(whisker_units=1, whisker_reach=0.5)
    creatures = Creatures(np.ones((9, 9), np.uint8), [(4.5, 4.5), (6.5, 4.5)], settings)
    while creatures.x[0] == 4.5:
        creatures.x[1] -= 0.05
        creatures.y[1] = 4.5
        x = creatures.x[1]
        creatures.feel()
        creatures.x[0] += creatures.push[0][0] * 0.05
    gap = x - 4.5 - 0.6
    assert creatures.x[0] < 4.5
    assert 0.0 < gap <= settings.whisker_reach + settings.whisker_radius + 0.3


def test_once_nothing_touches_the_push_decays_by_the_erosion_factor():
    settings = SteeringSettings(whisker_erosion=0.9)
    creatures = Creatures(np.ones((9, 9), np.uint8), [(4.5, 4.5)], settings)
    creatures.weight[0, :4] = [1.0, 0.0, 0.0, 0.0]
    sizes = []
    for _ in range(20):
        creatures.feel()
        sizes.append(-creatures.push[0][0])
    assert np.allclose(np.array(sizes[1:]) / sizes[:-1], 0.9)


@pytest.mark.parametrize("count", [4, 6, 8])
def test_a_bias_alone_settles_at_exactly_the_wanted_velocity(count):
    settings = SteeringSettings(whiskers=count, whisker_attract=1.0)
    creatures = Creatures(np.ones((9, 9), np.uint8), [(4.5, 4.5)], settings, want=(1.1, 0.6))
    for _ in range(200):
        creatures.feel()
    assert creatures.push[0][0] == pytest.approx(1.1)
    assert creatures.push[1][0] == pytest.approx(0.6)


def test_a_convex_obstacle_is_passed_and_a_trap_is_not():
    """The article's limit: whiskers alone do not leave a U-trap.

    With the waypoints of a path they do.
    """
    trap = grid(
        """
####################
#                  #
#        #####     #
#            #     #
#            #     #
#            #     #
#        #####     #
#                  #
####################"""
    )
    pillar = np.ones_like(trap)
    pillar[4, 9] = 0
    settings = SteeringSettings(avoidance=0, whiskers=8, whisker_attract=1.0)
    for passable, by_path, arrives in ((pillar, False, True), (trap, False, False), (trap, True, True)):
        arena = Arena(passable, [(5.5, 4.9)], [(16.5, 4.9)], settings=settings)
        if not by_path:
            arena.paths = [[(16.5, 4.9)]]
            arena.plan = lambda i: [(16.5, 4.9)]
        arena.run(800, law=False)
        assert (not arena.b.moving[0]) is arrives
