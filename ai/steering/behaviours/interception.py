"""Interception: when and where a runner can meet a target with constant velocity.

P is the offset from runner to target, V the target's velocity and s the runner's speed. |P + t V| = s t is a
quadratic in t. Its roots bound the times at which the runner can meet the target.

Source: AI Game Programming Wisdom, 9.8.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class InterceptWindow:
    """Times of a possible meeting, seconds from now; ``last`` may be inf."""

    first: float
    last: float


def meeting_times(px: float, py: float, vx: float, vy: float, speed: float) -> tuple[float, float]:
    """Return first and last time of meeting, seconds; (-1, -1) if there is none."""
    pp = px * px + py * py
    pv = px * vx + py * vy
    k = vx * vx + vy * vy - speed * speed
    if pp == 0.0:
        # The runner is at the target already; a faster target leaves immediately.
        return (0.0, math.inf) if k <= 0.0 else (0.0, 0.0)
    if abs(k) <= 1e-12 * (vx * vx + vy * vy + speed * speed):
        # Equal speeds: the target is met only if it approaches, and from that time on.
        return (-0.5 * pp / pv, math.inf) if pv < 0.0 else (-1.0, -1.0)
    quarter = pv * pv - pp * k
    if quarter < 0.0:
        return -1.0, -1.0
    root = math.sqrt(quarter)
    # Both roots without cancellation: their product is pp / k.
    q = -(pv + root) if pv >= 0.0 else root - pv
    a = q / k
    b = pp / q if q != 0.0 else a
    low = min(a, b)
    high = max(a, b)
    if k < 0.0:
        return high, math.inf
    return (low, high) if low >= 0.0 else (-1.0, -1.0)


def intercept_window(
    runner: tuple[float, float],
    target: tuple[float, float],
    velocity: tuple[float, float],
    speed: float,
) -> InterceptWindow | None:
    """Return the times at which a runner can meet the target, or None.

    ``speed`` is in tiles/s, positions are in tiles.
    """
    if speed < 0.0:
        raise ValueError(f"speed must not be negative, got {speed}")
    first, last = meeting_times(target[0] - runner[0], target[1] - runner[1], *velocity, speed)
    return None if first < 0.0 else InterceptWindow(first, last)


def lazy_meeting(
    runner: tuple[float, float], target: tuple[float, float], velocity: tuple[float, float]
) -> tuple[float, float] | None:
    """Return (time, speed) of the meeting that needs the least speed.

    Returns None if the target does not approach.
    """
    px, py = target[0] - runner[0], target[1] - runner[1]
    pp, pv = px * px + py * py, px * velocity[0] + py * velocity[1]
    if pv >= 0.0 or pp == 0.0:
        return None
    vv = velocity[0] ** 2 + velocity[1] ** 2
    return -pp / pv, math.sqrt(max(0.0, vv - pv * pv / pp))


TECHNIQUES = (
    {
        "slug": "interception",
        "name": "Interception",
        "ids": ("AW-9.8-1",),
        "source": "AI Game Programming Wisdom, 9.8",
        "functions": ("intercept_window", "lazy_meeting"),
        "test": "tests/ai/steering/behaviours/test_interception.py",
        "exhibit": "levels/exhibits/motion/interception.toml",
        "overlay": "motion",
        "setting": "minds.intercepts",
        "measure": "on_the_way",
        "direction": "down",
        "claim": "Windows and the lazy point; arm's length, delay and bounces are left out.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
