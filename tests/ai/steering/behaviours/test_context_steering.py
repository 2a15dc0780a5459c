"""Context maps against brute-force statements of chapter 18, and the stalemate they end."""

import math

import numpy as np
import pytest

from ai.steering.behaviours.context_steering import (
    C_FALLOFF,
    C_KEEP_AWAY,
    C_LOOK,
    C_MARGIN,
    context_settings,
    decide,
    fear_body,
    fear_walls,
    write_peak,
)

OPEN = np.ones((40, 40), np.uint8)


class Minds:
    """Units with context maps of ``n`` slots."""

    def __init__(self, places, n=16, passable=OPEN, **settings):
        self.x, self.y = (np.array(c, float) for c in np.asarray(places, float).reshape(-1, 2).T)
        k = len(self.x)
        self.passable, self.settings = passable, context_settings(**settings)
        self.interest, self.danger, self.kept = (np.zeros((k, n)) for _ in range(3))
        self.heading, self.strength, self.slot = np.zeros(k), np.zeros(k), np.zeros(k, np.int32)

    def look(self, targets, obstacles=()):
        """Every target adds interest, the nearer the more.

        Bodies and walls add danger as in the game's kernel.
        """
        s, self.interest[:], self.danger[:] = self.settings, 0.0, 0.0
        for i, (x, y) in enumerate(zip(self.x.tolist(), self.y.tolist(), strict=True)):
            for tx, ty in np.asarray(targets, float).reshape(-1, 2).tolist():
                d = math.hypot(tx - x, ty - y)
                write_peak(self.interest[i], math.atan2(ty - y, tx - x), 1.0 / (1.0 + d), s[C_FALLOFF])
            for ox, oy, r in np.asarray(obstacles, float).reshape(-1, 3).tolist():
                fear_body(self.danger[i], ox - x, oy - y, r + 0.3, s[C_MARGIN], s[C_KEEP_AWAY])
            if s[C_LOOK] > 0.0:
                look, a = s[C_LOOK], 2.0 * np.pi * np.arange(self.danger.shape[1]) / self.danger.shape[1]
                fear_walls(self.danger[i], self.passable, 1, x, y, 0.3, look, look, np.cos(a), np.sin(a))
            self.slot[i], heading, self.strength[i] = decide(s, self.interest[i], self.danger[i], self.kept[i])
            if self.slot[i] >= 0:
                self.heading[i] = heading
        return self


def apart(a, b):
    return abs((a - b + math.pi) % (2 * math.pi) - math.pi)


def test_two_targets_make_two_peaks_and_removing_one_leaves_the_other():
    near, far = (20.0 + 3.0, 20.0), (20.0, 20.0 + 8.0)
    both = Minds([(20, 20)], look=0.0).look([near, far]).interest[0].copy()
    assert both[0] == pytest.approx(1 / 4)
    assert both[4] == pytest.approx(1 / 9)
    only = Minds([(20, 20)], look=0.0).look([far]).interest[0]
    assert only[4] == both[4]


def test_turning_the_world_by_one_slot_turns_the_maps_by_one_slot():
    rng = np.random.default_rng(0)
    n = 16
    turn = 2 * math.pi / n
    spin = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    targets, rocks = rng.uniform(-6, 6, (3, 2)), rng.uniform(-4, 4, (4, 2))
    a = Minds([(20, 20)], n, look=0.0).look(20 + targets, np.column_stack([20 + rocks, np.full(4, 0.4)]))
    turned = targets @ spin.T, rocks @ spin.T
    b = Minds([(20, 20)], n, look=0.0).look(20 + turned[0], np.column_stack([20 + turned[1], np.full(4, 0.4)]))
    assert np.allclose(np.roll(a.interest[0], 1), b.interest[0])
    assert np.allclose(np.roll(a.danger[0], 1), b.danger[0])


def test_danger_covers_just_the_headings_that_enter_the_zone():
    n, d, zone = 64, 2.0, 0.5 + 0.3 + 0.1
    m = Minds([(20, 20)], n, look=0.0).look([], [(20 + d, 20, 0.5)])
    half = math.asin(zone / d)
    off = np.abs((2 * math.pi * np.arange(n) / n + math.pi) % (2 * math.pi) - math.pi)
    assert (m.danger[0][off <= half] > 0).all()
    assert (m.danger[0][off > half + 2 * math.pi / n] == 0).all()
    assert not Minds([(20, 20)], n, look=0.0).look([], [(28, 20, 0.5)]).danger.any()


def test_walls_are_dangerous_by_their_distance():
    passable = OPEN.copy()
    passable[:, 22] = 0
    m = Minds([(20.5, 20.5)], 16, passable, look=2.0).look([])
    room = 22 - 20.5 - 0.3
    assert m.danger[0][0] == pytest.approx(1 - room / 2.0)
    assert m.danger[0][8] == 0.0


@pytest.mark.parametrize("seed", range(5))
def test_the_chosen_slot_is_never_more_dangerous_than_any_other(seed):
    rng = np.random.default_rng(seed)
    m = Minds(rng.uniform(10, 30, (50, 2)), 16, (rng.random((40, 40)) < 0.85).astype(np.uint8))
    m.passable[m.y.astype(int), m.x.astype(int)] = 1
    m.look(rng.uniform(5, 35, (4, 2)), np.column_stack([rng.uniform(10, 30, (30, 2)), np.full(30, 0.4)]))
    for i in range(50):
        allowed = m.danger[i] <= m.danger[i].min()
        if m.slot[i] < 0:
            assert not (m.interest[i] * allowed).any()
            continue
        assert allowed[m.slot[i]]
        assert m.interest[i, m.slot[i]] == (m.interest[i] * allowed).max()
        side = round((m.heading[i] / (2 * math.pi) * 16 - m.slot[i] + 8) % 16 - 8, 9)
        if side:
            assert allowed[(m.slot[i] + (1 if side > 0 else -1)) % 16]


def test_eight_slots_give_headings_to_a_twentieth_of_a_slot():
    errors = []
    for a in np.linspace(0, 2 * math.pi, 181):
        m = Minds([(20, 20)], 8, look=0.0, falloff=2.2).look([(20 + 5 * math.cos(a), 20 + 5 * math.sin(a))])
        errors.append(apart(m.heading[0], a) / (2 * math.pi / 8))
    assert max(errors) < 0.05


def test_with_the_nearest_target_behind_an_obstacle_the_maps_lead_to_the_other():
    """Averaged vectors before an obstacle are tested in test_methods."""
    targets, rock = np.array([(16.0, 20.0), (10.0, 27.5)]), np.array([(13.0, 20.0, 1.2)])
    at, nearest = np.array([10.0, 20.0]), 9.0
    for _ in range(300):
        m = Minds([at], 16, look=0.0, keep_away=2.5, margin=0.3).look(targets, rock)
        at += 0.075 * np.array([math.cos(m.heading[0]), math.sin(m.heading[0])]) * (m.slot[0] >= 0)
        nearest = min(nearest, np.hypot(*(targets - at).T).min())
    assert nearest < 0.2


def test_blending_ends_flip_flopping_between_targets_whose_order_flickers():
    def reversals(blend):
        m = Minds([(20, 20)], 16, look=0.0, blend=blend)
        turns, before, rng = 0, None, np.random.default_rng(3)
        for _ in range(100):
            east, west = rng.normal((3.0, 3.3), 0.3)
            m.look([(20 + east, 20), (20 - west, 20)])
            turns += before is not None and apart(m.heading[0], before) > math.pi / 2
            before = m.heading[0]
        return turns

    assert reversals(1.0) > 20
    assert reversals(0.1) <= 5


def test_blur_keeps_the_total_of_interest():
    m = Minds([(20, 20)], 16, look=0.0, blur=0.5).look([(24, 21)])
    assert m.kept.sum() == pytest.approx(m.interest.sum())


def test_bad_settings_are_told():
    with pytest.raises(ValueError, match="blend"):
        context_settings(blend=0.0)
