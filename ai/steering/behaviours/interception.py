"""When and where a runner can meet something that moves with constant velocity (AI Game Programming Wisdom, 9.8).

|P + t V| = s t, with P the target seen from the runner, V its velocity and s the runner's speed, is a quadratic in t;
its roots bound the window of times at which the runner can be there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class InterceptWindow:
    """Times (seconds from now) at which the target can be met: from ``first`` to ``last`` (inf: for ever)."""

    first: float
    last: float


def meeting_times(px: float, py: float, vx: float, vy: float, speed: float) -> tuple[float, float]:
    """First and last time of meeting; (-1, -1) when there is none."""
    pp = px * px + py * py
    pv = px * vx + py * vy
    k = vx * vx + vy * vy - speed * speed
    if pp == 0.0:
        # Already there; a faster target leaves at once.
        return (0.0, math.inf) if k <= 0.0 else (0.0, 0.0)
    if abs(k) <= 1e-12 * (vx * vx + vy * vy + speed * speed):
        # Equally fast: only one that comes nearer is met, and from then on for ever.
        return (-0.5 * pp / pv, math.inf) if pv < 0.0 else (-1.0, -1.0)
    quarter = pv * pv - pp * k
    if quarter < 0.0:
        return -1.0, -1.0
    root = math.sqrt(quarter)
    # The two roots without cancellation: their product is pp / k.
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
    """The window in which a runner of ``speed`` tiles/s can meet the target, or None.  Positions in tiles."""
    if speed < 0.0:
        raise ValueError(f"speed must not be negative, got {speed}")
    first, last = meeting_times(target[0] - runner[0], target[1] - runner[1], *velocity, speed)
    return None if first < 0.0 else InterceptWindow(first, last)


def lazy_meeting(
    runner: tuple[float, float], target: tuple[float, float], velocity: tuple[float, float]
) -> tuple[float, float] | None:
    """(time, speed) of the meeting that needs the least speed, for a target that comes nearer; else None."""
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
        "measure": "walked",
        "direction": "down",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
