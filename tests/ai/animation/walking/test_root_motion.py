"""Root motion against sums over clips at several tick rates and independent corrections."""

from itertools import pairwise

import numpy as np
import pytest

from ai.animation.walking.root_motion import (
    COURSE,
    FACING,
    Correction,
    moved_by_clip,
    moved_by_game,
    no_correction,
    root_motion,
)  # fmt: skip
from ai.core.rand import Stream, uniform

AT = np.linspace(0.0, 1.0, 31)
TRACK = np.column_stack([1.6 * AT**2, 0.3 * np.sin(np.pi * AT), -1.1 * AT])
"""A start that swings aside and turns left while it gathers speed."""


def played(ticks: np.ndarray, by: Correction | None = None, blocked: float = np.inf) -> np.ndarray:
    """Return the body after each tick of a clip, float64[ticks + 1, 4].

    A wall stands at x = ``blocked``.
    """
    body = np.array([[0.0, 0.0, 0.4, 0.4]])
    out = [body[0]]
    for begin, end in pairwise(ticks):
        motion = root_motion(TRACK, np.array([begin]), np.array([end]))
        body = moved_by_clip(body, motion, by or no_correction(1))
        body[:, 0] = np.minimum(body[:, 0], blocked)
        out.append(body[0])
    return np.array(out)


def uneven(seed: int, clips: float) -> np.ndarray:
    """Return rising times of uneven ticks from 0 to ``clips``."""
    times = np.cumsum([0.01 + 0.1 * uniform(seed, Stream.SCRIPT, k, 0) for k in range(60)])
    return np.concatenate([[0.0], times[times < clips], [clips]])


@pytest.mark.parametrize(
    "ticks", [np.linspace(0, 1, n + 1) for n in (1, 30, 60, 144)] + [uneven(k, 1.0) for k in (1, 2)]
)
def test_over_a_clip_the_body_moves_by_the_whole_track_at_every_rate(ticks: np.ndarray) -> None:
    end = played(ticks)[-1]
    forward, right, turn = TRACK[-1]
    c, s = np.cos(0.4), np.sin(0.4)
    assert end.tolist() == pytest.approx([c * forward - s * right, s * forward + c * right, 0.4 + turn, 0.4 + turn])


def test_three_rounds_are_three_times_one_and_a_tick_may_hold_several() -> None:
    one = played(np.array([0.0, 3.0]))[-1]
    many = played(uneven(3, 3.0))[-1]
    assert many == pytest.approx(one, abs=1e-9)
    body = np.array([0.0, 0.0, 0.4])
    for _ in range(3):
        c, s = np.cos(body[2]), np.sin(body[2])
        x, y, turn = TRACK[-1]
        body += np.array([c * x - s * y, s * x + c * y, turn])
    assert one[:3] == pytest.approx(body, abs=1e-9)


def test_a_correction_of_the_facing_leaves_path_and_speed_and_each_other_one_too() -> None:
    ticks, zero, one = np.linspace(0, 1, 31), np.zeros(1), np.ones(1)
    plain = played(ticks)
    looks = played(ticks, Correction(zero, np.array([0.05]), one))
    assert looks[:, :2] == pytest.approx(plain[:, :2]) and looks[:, COURSE] == pytest.approx(plain[:, COURSE])
    assert looks[-1, FACING] == pytest.approx(plain[-1, FACING] + 30 * 0.05)
    slow = played(ticks, Correction(zero, zero, np.array([0.5])))
    assert slow[:, :2] == pytest.approx(0.5 * plain[:, :2]) and slow[:, 2:] == pytest.approx(plain[:, 2:])
    bent = played(ticks, Correction(np.array([0.02]), zero, one))
    steps = [np.hypot(*np.diff(path[:, :2], axis=0).T) for path in (plain, bent)]
    assert steps[1] == pytest.approx(steps[0]) and bent[:, FACING] == pytest.approx(plain[:, FACING])
    ways = [np.arctan2(*np.diff(path[:, :2], axis=0).T[::-1]) for path in (plain, bent)]
    assert ways[1] - ways[0] == pytest.approx(0.02 * np.arange(1, 31))


def test_a_body_that_is_held_back_stays_and_its_clip_goes_on() -> None:
    ticks = np.linspace(0, 1, 31)
    held, plain = played(ticks, blocked=0.2), played(ticks)
    assert held[:, 0].max() == 0.2 < plain[:, 0].max()
    assert held[:, FACING] == pytest.approx(plain[:, FACING])


def test_in_game_mode_the_body_moves_by_the_sum_of_velocities() -> None:
    body, way = np.zeros((1, 4)), np.zeros(2)
    for k in range(50):
        velocity = np.array([[np.cos(k / 7), np.sin(k / 5)]])
        body = moved_by_game(body, velocity, np.array([0.3]), 0.05)
        way += velocity[0] * 0.05
    assert body[0].tolist() == pytest.approx([*way, 0.75, 0.75])
