"""Interception windows against a scan over time."""

import math

import numpy as np
import pytest

from ai.steering.behaviours.interception import intercept_window, lazy_meeting


def test_windows_are_those_of_a_scan_over_time():
    rng = np.random.default_rng(0)
    t = np.linspace(0.0, 60.0, 60_001)
    kinds = set()
    for _ in range(400):
        p, v, s = rng.uniform(-8, 8, 2), rng.uniform(-3, 3, 2), rng.uniform(0.2, 4)
        can = np.hypot(p[0] + v[0] * t, p[1] + v[1] * t) <= s * t
        window = intercept_window((0, 0), tuple(p), tuple(v), s)
        if window is None:
            kinds.add("never")
            assert not can.any()
            continue
        kinds.add("for ever" if math.isinf(window.last) else "window")
        assert np.hypot(*(p + v * window.first)) == pytest.approx(s * window.first, abs=1e-6)
        inside = (t > window.first + 0.002) & (t < window.last - 0.002)
        outside = (t < window.first - 0.002) | (t > window.last + 0.002)
        assert can[inside].all()
        assert not can[outside].any()
    assert kinds == {"never", "window", "for ever"}


def test_special_cases():
    assert intercept_window((0, 0), (4, 0), (0, 0), 2).first == pytest.approx(2.0)
    assert intercept_window((0, 0), (0, 0), (1, 0), 2).first == 0.0
    assert intercept_window((0, 0), (4, 0), (-2, 0), 2).first == pytest.approx(1.0)  # equal speeds, head on
    assert intercept_window((0, 0), (4, 0), (2, 0), 2) is None  # equal speeds, running away
    with pytest.raises(ValueError, match="negative"):
        intercept_window((0, 0), (1, 0), (0, 0), -1)


def test_the_lazy_meeting_needs_the_least_speed_of_all():
    rng = np.random.default_rng(2)
    t = np.linspace(0.01, 200.0, 400_000)
    for _ in range(20):
        p, v = rng.uniform(-5, 5, 2), rng.uniform(-2, 2, 2)
        lazy = lazy_meeting((0, 0), tuple(p), tuple(v))
        needed = np.hypot(p[0] + v[0] * t, p[1] + v[1] * t) / t
        if lazy is None:
            assert p @ v >= 0
        elif lazy[0] < 190:
            assert lazy[1] == pytest.approx(needed.min(), abs=1e-3)
            assert lazy[0] == pytest.approx(t[needed.argmin()], rel=0.05)
