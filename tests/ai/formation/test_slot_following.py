"""Slot following: rigid motion, aim ahead of time, and slots near walls.

Rigid motion is computed by hand; slots near walls are pulled in.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.formation.group_entity import (
    G_ALONG,
    G_ERROR,
    G_HALF,
    G_HEADING,
    G_LIMIT,
    G_SAID,
    G_SPACING,
    G_SPEED,
    G_STEP,
    G_STOP,
    G_TURN,
    G_X,
    G_Y,
    NUMBERS,
    T_BENDS,
    T_COUNT,
    T_POINTS,
    T_STAGE,
    T_STATE,
    T_TIGHT,
    T_WAITS,
    TAGS,
    GroupState,
    advance_groups,
    measure_groups,
)
from ai.formation.group_pipeline import USUAL_STAGES, GroupStage, read_group_stages
from ai.formation.path_corridor import lay_path
from ai.formation.slot_flow_fields import UNASKED
from ai.formation.slot_following import RESTING, SEEKING, lead_members

NO_FIELD = np.array([[UNASKED, 0, 0, 0, 0]], np.int32)
WIDE = np.ones((40, 60), np.uint8)


class Band:
    """Group of n units on a map, advanced one tick at a time.

    It uses only the library's kernels, and computes the motion by hand.
    """

    def __init__(self, offsets, passable=WIDE, path=((5.5, 20.5), (50.5, 20.5)), period=0.5):
        n = len(offsets)
        self.path = lay_path(passable, 0, np.array(path), 2.0)
        self.num, self.tag = np.zeros((1, NUMBERS)), np.zeros((1, TAGS), np.int32)
        self.num[0, [G_X, G_Y]] = path[0]
        self.num[0, G_STEP], self.num[0, G_STOP], self.num[0, G_LIMIT] = self.path.step, 1e9, 4.0
        self.tag[0, T_STATE], self.tag[0, T_COUNT] = GroupState.MARCHING, n
        self.tag[0, T_POINTS] = len(self.path.points)
        self.tag[0, T_STAGE : T_STAGE + len(USUAL_STAGES)] = USUAL_STAGES
        self.f, self.r = (np.ascontiguousarray(c, float) for c in np.asarray(offsets, float).T)
        self.num[0, G_HALF] = np.abs(self.r).max(initial=0.0)
        self.passable, self.n, self.tick = passable, n, 0
        self.x, self.y = path[0][0] + self.f, path[0][1] + self.r
        self.p = np.array([0.05, period, 0.12, 0.5, 1.25, 24.0, 0.32])
        self.slot_x, self.slot_y = np.zeros(n), np.zeros(n)
        self.mode, self.moving = np.zeros(n, np.uint8), np.zeros(n, np.uint8)
        self.wants = np.zeros((n, 2))

    def step(self):
        n, self.tick = self.n, self.tick + 1
        speed, wp_x, wp_y = np.full(n, 4.0), np.zeros(n), np.zeros(n)
        zeros, ids = np.zeros(n), np.arange(n, dtype=np.int32)
        self.num[0, 9] = 3.0  # cruise
        advance_groups(0.05, self.path.points, self.num, self.tag)
        lead_members(
            self.tick, self.passable, self.p, self.path.points, self.num, self.tag, ids, np.ones(n, np.uint8),
            np.zeros(n, np.int32), np.zeros(n, np.uint8), np.zeros(n, np.uint8), self.x, self.y, speed, self.f, self.r,
            zeros, np.zeros(n), self.mode, self.slot_x, self.slot_y, wp_x, wp_y, np.full(n, -1, np.int32), self.moving,
            zeros, zeros,
            np.zeros(n), np.zeros(n, np.uint8), np.zeros(1, np.uint8), NO_FIELD, np.zeros(n), np.zeros(n),
        )  # fmt: skip
        paths = np.column_stack([wp_x - self.x, wp_y - self.y])
        length = np.maximum(np.hypot(*paths.T), 1e-9)[:, None]
        self.wants = np.where(self.moving[:, None] == 1, paths / length * speed[:, None], 0.0)
        self.x, self.y = self.x + self.wants[:, 0] * 0.05, self.y + self.wants[:, 1] * 0.05

    def error(self):
        return np.hypot(self.slot_x - self.x, self.slot_y - self.y)


def test_slots_are_where_a_turned_and_moved_frame_puts_them():
    band = Band([(1.0, 2.0), (-1.5, -3.0)])
    band.num[0, G_HEADING] = 0.0
    band.step()
    gx, gy, heading = (float(band.num[0, k]) for k in (G_X, G_Y, G_HEADING))
    for k, (f, r) in enumerate([(1.0, 2.0), (-1.5, -3.0)]):
        z = complex(gx, gy) + complex(f, r) * complex(math.cos(heading), math.sin(heading))
        assert (band.slot_x[k], band.slot_y[k]) == pytest.approx((z.real, z.imag))


def test_a_member_out_of_its_slot_returns_and_keeps_the_groups_speed():
    band = Band([(0.0, -1.0), (0.0, 1.0)])
    for _ in range(40):
        band.step()
    band.y[0] -= 1.0
    errors = []
    for _ in range(80):
        band.step()
        errors.append(float(band.error()[0]))
    # Members read the group of the tick before, so one tick's distance remains.
    assert errors[-1] < 3.0 * 0.05 + 0.01 < errors[0]
    assert np.hypot(*band.wants.T) == pytest.approx([3.0, 3.0], abs=0.1)


def test_the_farther_ahead_one_aims_the_looser_the_group():
    left = []
    for period in (0.1, 0.5, 2.0):
        band = Band([(0.0, -1.0), (0.0, 1.0)], period=period)
        for _ in range(30):
            band.step()
        band.y[0] -= 1.0
        for _ in range(20):
            band.step()
        left.append(float(band.error()[0]))
    assert left[0] < left[1] < left[2]


@pytest.mark.parametrize("bends", [0, 1])
@pytest.mark.parametrize("end", [(45.5, 20.5), (40.5, 37.5), (8.5, 36.5), (20.5, 4.5)])
def test_a_member_in_its_slot_wants_the_velocity_of_the_slot(bends, end):
    """The oracle is the way of the slot in one tick.

    The member is a tick behind, and wants a tick's share of the period more.
    """
    band = Band([(1.0, 1.0), (-1.0, -1.0), (0.0, 0.0)], path=((20.5, 20.5), end))
    band.tag[0, T_BENDS] = bends
    band.num[0, G_HEADING] = math.atan2(end[1] - 20.5, end[0] - 20.5) - (0.0 if bends else 0.3)
    turned = 0.0
    for tick in range(50):
        before = np.column_stack([band.slot_x, band.slot_y])
        if tick:
            band.x, band.y = before.T.copy()
        band.step()
        moved = (np.column_stack([band.slot_x, band.slot_y]) - before) / 0.05
        turned += abs(float(band.num[0, G_TURN])) * 0.05
        if tick > 1:
            assert band.wants == pytest.approx(moved * (1.0 + 0.05 / 0.5), abs=0.06 * np.hypot(*moved.T).max() + 0.02)
    assert np.hypot(*moved.T).min() > 2.5 and (turned > 0.25) == (not bends)


def test_members_rest_in_slots_that_stand_and_leave_slots_that_move():
    """A resting member moves again half a tile off its slot.

    A seeking one rests within 0.12 tiles of it.
    """
    away = np.array([0.0, 0.11, 0.13, 0.49, 0.51, 2.0])
    for mode, moves in ((RESTING, [0, 0, 0, 0, 1, 1]), (SEEKING, [0, 0, 1, 1, 1, 1])):
        band = Band([(2.0 * k, 0.0) for k in range(6)])
        band.tag[0, T_STATE] = GroupState.STANDING
        band.y += away
        band.mode[:] = mode
        band.step()
        assert band.moving.tolist() == moves and (band.mode == RESTING).tolist() == [m == 0 for m in moves]
        assert band.wants[2:, 1].tolist() == pytest.approx((-np.abs(band.wants[2:, 1])).tolist())
    band = Band([(2.0 * k, 0.0) for k in range(6)])
    for _ in range(5):
        band.step()
    band.mode[:] = RESTING
    band.step()
    assert (band.moving == 1).all() and (band.mode == SEEKING).all()


def test_a_slot_in_a_wall_is_pulled_in_to_the_near_side_of_it():
    passable = WIDE.copy()
    passable[22, :] = 0
    band = Band([(0.0, 4.0), (0.0, -1.0)], passable)
    band.tag[0, T_TIGHT] = 1
    band.x[:], band.y[:] = 5.5, 20.5
    for _ in range(30):
        band.step()
        assert band.slot_y[0] < 22.0 - 0.3
    assert band.slot_y[1] == pytest.approx(float(band.num[0, G_Y]) - 1.0, abs=0.05)


def test_a_file_bends_with_its_way_and_a_rigid_group_does_not():
    corner = ((5.5, 5.5), (25.5, 5.5), (25.5, 35.5))
    band = Band([(4.0, 0.0), (-4.0, 0.0)], path=corner)
    band.tag[0, T_BENDS] = 1
    band.num[0, G_ALONG] = 20.0
    band.step()
    for k in (0, 1):
        away = np.hypot(band.path.points[:, 0] - band.slot_x[k], band.path.points[:, 1] - band.slot_y[k])
        assert away.min() < 0.6


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None)
def test_sums_over_members_do_not_know_where_units_are_stored(seed):
    """Values are counted by hand, and equal bit by bit in any column order."""
    rng = np.random.default_rng(seed)
    n = 40
    x, y, speed = rng.uniform(0, 50, n), rng.uniform(0, 50, n), rng.uniform(1, 4, n)
    sx, sy = x + rng.normal(0, 1, n), y + rng.normal(0, 1, n)
    band, alive = rng.integers(-1, 3, n).astype(np.int32), (rng.random(n) < 0.8).astype(np.uint8)
    results = []
    for order in (np.arange(n), rng.permutation(n)):
        slot_of = np.argsort(order).astype(np.int32)
        num, tag = np.zeros((3, NUMBERS)), np.zeros((3, TAGS), np.int32)
        columns = (np.ascontiguousarray(c[order]) for c in (alive, band, np.zeros(n, np.uint8), x, y, speed, sx, sy))
        measure_groups(n, slot_of, *columns, num, tag)
        results.append((num.copy(), tag.copy()))
    assert np.array_equal(results[0][0], results[1][0]) and np.array_equal(results[0][1], results[1][1])
    for g in range(3):
        mine = (band == g) & (alive == 1)
        assert results[0][1][g, T_COUNT] == mine.sum()
        if mine.any():
            assert results[0][0][g, G_LIMIT] == speed[mine].min()


def marched(stages, ticks, error=0.0):
    """Return the speeds per tick of a wide group at a right angle.

    Its members are ``error`` tiles behind.
    """
    band = Band([(0.0, -3.0), (0.0, 3.0)], path=((5.5, 20.5), (15.5, 20.5), (15.5, 38.5)))
    band.tag[0, T_STAGE:] = 0
    band.tag[0, T_STAGE : T_STAGE + len(stages)] = stages
    band.tag[0, T_WAITS], band.num[0, G_SPACING] = 1, 1.2
    out = []
    for _ in range(ticks):
        band.num[0, [G_ERROR, 9]] = error, 3.0
        advance_groups(0.05, band.path.points, band.num, band.tag)
        out.append((band.num[0, G_SPEED], abs(band.num[0, G_TURN])))
    return np.array(out), band


def test_each_stage_of_a_groups_pipeline_does_its_own_and_nothing_when_it_is_left_out():
    usual, band = marched(USUAL_STAGES, 60)
    bare, _ = marched((GroupStage.FOLLOW,), 60)
    assert bare[-1, 0] == pytest.approx(3.0) and (np.diff(bare[:, 0]) >= 0).all(), "neither corner nor end slow it down"
    limit, half = 4.0, 3.0
    assert (usual[:, 0] + usual[:, 1] * half <= limit + 0.31).all(), "wings keep up, except for one tick's braking"
    assert (bare[:, 0] + bare[:, 1] * half).max() > limit + 0.5
    assert marched((GroupStage.FOLLOW, GroupStage.WAIT), 40, error=2.4)[0][-1, 0] == 0.0, (
        "two spacings behind: it stops"
    )
    assert marched((GroupStage.FOLLOW,), 40, error=2.4)[0][-1, 0] == pytest.approx(3.0)
    said = band.num[0, G_SAID : G_SAID + 4]
    assert said[0] == 3.0 and (np.diff(said) <= 0).all(), "each stage only lowers the speed of the one before it"


def test_the_last_stage_has_the_final_word():
    """Waiting after braking halves the speed that the brake allows.

    Braking after waiting only caps the rest.
    """
    first, second = (
        marched((GroupStage.FOLLOW, *order), 5, error=1.5)[1].num[0, G_SAID + 2]
        for order in ((GroupStage.WAIT, GroupStage.WHEEL), (GroupStage.WHEEL, GroupStage.WAIT))
    )
    assert first == pytest.approx(second), "a straight path needs no wheeling"
    ends = []
    for order in ((GroupStage.BRAKE, GroupStage.WAIT), (GroupStage.WAIT, GroupStage.BRAKE)):
        _, band = marched((GroupStage.FOLLOW, *order), 1, error=1.5)
        band.num[0, [G_STOP, G_ERROR, 9]] = band.num[0, G_ALONG] + 0.5, 1.5, 3.0
        advance_groups(0.05, band.path.points, band.num, band.tag)
        ends.append(band.num[0, G_SAID + 2])
    share, brake = (2.4 - 1.5) / 1.8, math.sqrt(2.0 * 1.5 * 0.5)
    assert ends == pytest.approx([brake * share, min(3.0 * share, brake)], abs=0.02)


@pytest.mark.parametrize(
    ("words", "told"), [(["wait"], "begins with"), (["follow", "hum"], "'hum'"), (["follow", "wait", "wait"], "twice")]
)
def test_nonsense_is_refused_in_a_line(words, told):
    with pytest.raises(ValueError, match=told):
        read_group_stages(words)
