"""Walk control against the phases of its source and against finer steps."""

import math

import numpy as np
import pytest

from ai.animation.gait import cadence
from ai.animation.walking.walk_control import (
    HEADING,
    INNER,
    PHASE,
    ROWS,
    SPEED,
    SPEEDING,
    TURN,
    X,
    Y,
    inner_steps,
    phase_factor,
    walk_on,
)  # fmt: skip

LEG = np.array([0.94])


def gone(state: np.ndarray, speed: float, turn: float, seconds: float, step: float, direct: bool = False) -> np.ndarray:
    """Return the states float64[steps + 1, 8] of a body with constant orders."""
    out = [state]
    for _ in range(round(seconds / step)):
        out.append(walk_on(out[-1], np.array([speed]), np.array([turn]), LEG, step, direct))
    return np.array(out)[:, :, 0]


def body(speed: float = 0.0, phase: float = 0.0) -> np.ndarray:
    state = np.zeros((ROWS, 1))
    state[SPEED], state[PHASE] = speed, phase
    return state


@pytest.mark.parametrize(
    ("phase", "faster", "slower"),
    [(0.15, 0.1, 1.0), (0.65, 0.1, 1.0), (0.4, 1.0, 0.1), (0.9, 1.0, 0.1), (0.275, 0.55, 0.55), (0.025, 0.55, 0.55)],
)
def test_the_factor_is_that_of_the_source(phase: float, faster: float, slower: float) -> None:
    at = np.full(2, phase)
    assert phase_factor(at, np.array([False, True])).tolist() == pytest.approx([faster, slower])


@pytest.mark.parametrize(("before", "wanted"), [(0.0, 1.5), (0.5, 2.0), (2.0, 0.6), (1.5, 0.0)])
@pytest.mark.parametrize("phase", [0.0, 0.15, 0.4, 0.7])
def test_a_jump_of_the_order_is_smooth_settles_in_two_cycles_and_does_not_overshoot(
    before: float, wanted: float, phase: float
) -> None:
    cycle = 1.0 / cadence(max(before, wanted), 0.94)
    states = gone(body(before, phase), wanted, 0.0, 2.0 * cycle, 0.02)
    speeds = states[:, SPEED]
    assert np.abs(np.diff(speeds)).max() < 0.3 * abs(wanted - before), "no jump"
    over = (speeds.max() - wanted) if wanted > before else (wanted - speeds.min())
    assert over < 0.05 * abs(wanted - before)
    assert speeds[-1] == pytest.approx(wanted, abs=0.05 * abs(wanted - before))


def test_in_the_braking_phase_a_body_speeds_up_by_a_tenth_and_direct_mode_does_so_at_once() -> None:
    held, free = (gone(body(0.5, phase), 2.0, 0.0, 0.02, 0.02)[1] for phase in (0.15, 0.4))
    assert 0.0 < held[SPEEDING] <= 0.1 * free[SPEEDING] + 1e-9
    now = gone(body(0.5, 0.15), 2.0, 0.7, 0.02, 0.02, direct=True)[1]
    assert (now[SPEED], now[TURN]) == (2.0, 0.7)


def test_inner_steps_are_a_25th_and_the_rest() -> None:
    assert inner_steps(0.03) == [0.03] and inner_steps(0.04) == [0.04]
    assert inner_steps(0.1) == pytest.approx([0.04, 0.04, 0.02])
    assert inner_steps(0.2) == pytest.approx([INNER] * 5)


def chase(rate: int, seconds: float, inner: bool) -> tuple[np.ndarray, float]:
    """Return the place after a pursuit round a circle, and its largest distance.

    The distance is that of the second half.
    """
    state, far = body(), 0.0
    for tick in range(int(seconds * rate)):
        left = 1.0 / rate
        for step in inner_steps(left) if inner else [left]:
            # The target moves between inner steps as it does between quick ticks.
            at = 0.9 * (tick / rate + (1.0 / rate - left))
            goal = 3.0 * math.cos(at), 3.0 * math.sin(at)
            dx, dy = goal[0] - float(state[X, 0]), goal[1] - float(state[Y, 0])
            error = math.remainder(math.atan2(dy, dx) - float(state[HEADING, 0]), math.tau)
            state = walk_on(state, np.array([min(3.5, 2.0 * math.hypot(dx, dy))]), np.array([6.0 * error]), LEG, step)
            left -= step
        if tick > seconds * rate / 2:
            far = max(far, math.hypot(dx, dy))
    return state[[X, Y], 0], far


def test_a_pursuit_is_the_same_at_every_tick_rate_and_fails_without_inner_steps() -> None:
    """The reference runs at 60 ticks a second."""
    reference, near = chase(60, 10.0, inner=True)
    for rate in (10, 25):
        pose, far = chase(rate, 10.0, inner=True)
        assert math.dist(pose, reference) < 0.05 * 0.94, rate
        assert far < near + 0.1
    _, lost = chase(5, 10.0, inner=False)
    _, kept = chase(5, 10.0, inner=True)
    assert kept < near + 0.2 and lost > 1.7 * kept
