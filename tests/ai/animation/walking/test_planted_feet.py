"""Planted feet against the closed form of a steady walk and kept prints."""

import math

import numpy as np
import pytest

from ai.animation.foot_places import HIP, foot_places
from ai.animation.gait import cadence
from ai.animation.walking.planted_feet import HEADING, LEFT_DOWN, ROWS, plant_feet, stand_feet
from ai.core.rand import Stream, uniform

LEG = 0.94


def walk(ticks: int, speeds: np.ndarray, turns: np.ndarray, planted: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """Return states float64[ticks, rows] and bodies float64[ticks, 4] of one walk.

    A body is x, y, heading and phase. ``speeds`` tiles/s and ``turns`` radians/s are those of each tick.
    """
    x = y = heading = phase = 0.0
    leg, state = np.array([LEG]), None
    states, bodies = np.zeros((ticks, ROWS)), np.zeros((ticks, 4))
    for tick in range(ticks):
        v, w = float(speeds[tick]), float(turns[tick])
        if state is None:
            state = stand_feet(np.array([x]), np.array([y]), np.array([heading]), np.array([phase]), leg)
        heading += w / 20.0
        dx, dy = v / 20.0 * math.cos(heading), v / 20.0 * math.sin(heading)
        x, y, phase = x + dx, y + dy, (phase + cadence(v, LEG, w) / 20.0) % 1.0
        body = np.array([x]), np.array([y]), np.array([dx * 20.0]), np.array([dy * 20.0])
        state = plant_feet(state, body, np.array([phase]), leg, planted)
        states[tick], bodies[tick] = state[:, 0], (x, y, heading, phase)
    return states, bodies


def test_a_steady_straight_walk_has_the_prints_of_the_closed_form() -> None:
    states, bodies = walk(160, np.full(160, 1.5), np.zeros(160))
    places, _ = foot_places(bodies[:, 3], np.full(160, 1.5), np.zeros(160), np.full(160, LEG))
    for foot, side in ((0, -HIP * LEG), (1, HIP * LEG)):
        down = states[40:, LEFT_DOWN + foot] > 0.0
        assert states[40:, 2 * foot][down] == pytest.approx((bodies[:, 0] + places[foot, :, 0])[40:][down], abs=1e-9)
        assert states[40:, 2 * foot + 1][down] == pytest.approx(side)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_foot_that_is_down_never_moves_while_speed_and_turn_change_at_random(seed: int) -> None:
    """The oracle keeps each print from the tick in which the foot came down."""
    n = 400
    beat = np.arange(n) // 12
    speeds = np.array([0.6 + 2.0 * uniform(seed, Stream.SCRIPT, int(b), 0) for b in beat])
    turns = np.array([5.0 * uniform(seed, Stream.SCRIPT, int(b), 1) - 2.5 for b in beat])
    (locked, bodies), (free, _) = walk(n, speeds, turns), walk(n, speeds, turns, planted=False)
    slid, prints = 0.0, 0
    for foot in (0, 1):
        at, down = locked[:, 2 * foot : 2 * foot + 2], locked[:, LEFT_DOWN + foot] > 0.0
        kept = at[20]  # a start from rest may put a foot down anew
        for tick in range(21, n):
            if not (down[tick] and down[tick - 1]):
                prints += int(down[tick])
                kept = at[tick]
            assert at[tick].tolist() == kept.tolist(), (foot, tick)
            slid += math.dist(free[tick, 2 * foot : 2 * foot + 2], free[tick - 1, 2 * foot : 2 * foot + 2]) * (
                down[tick] and down[tick - 1]
            )
        moves = np.hypot(*np.diff(at, axis=0).T)
        assert moves.max() < 0.75, "a foot in the air takes no jump"
        far = np.hypot(*(at - bodies[:, :2]).T)[down]
        assert far.max() < LEG, "a leg reaches its print"
    assert prints > 20
    assert slid > 0.03 * np.sum(speeds) / 20.0, "the closed form slides by more than 3 % of the way"


def test_a_body_that_is_put_elsewhere_puts_its_feet_down_anew_and_a_body_at_rest_keeps_them() -> None:
    leg, rest, phase = np.array([LEG]), np.zeros(1), np.array([0.2])
    state = stand_feet(rest, rest, rest, phase, leg)
    again = plant_feet(state, (rest, rest, rest, rest), phase, leg)
    assert again[:4].tolist() == state[:4].tolist() == [[0.0], [-HIP * LEG], [0.0], [HIP * LEG]]
    moved = plant_feet(state, (rest + 5.0, rest + 2.0, rest, rest), phase, leg)
    assert np.hypot(moved[[0, 2]] - 5.0, moved[[1, 3]] - 2.0).max() < 0.2
    assert moved[HEADING] == state[HEADING]
