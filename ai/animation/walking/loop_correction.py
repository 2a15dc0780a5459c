"""Loop correction: direction and facing turn smoothly to the path, and curves are slower.

A loop keeps one angle between its motion and its facing: 0 ahead, half a turn backwards. Both turn to their targets by
an angular velocity that rises and falls within a limit, so that a turn ends at rest on its target. A body slows down
before a curve: with the radius r its speed is at most sqrt(a r) with the sideways acceleration a, and at most w r with
the largest angular velocity w. It leans in proportion to its sideways acceleration.

Arrays: angles float64[n] in radians clockwise on the screen, rates in radians/s, speeds in tiles/s, curvatures in
1/tiles.

Source: "Game AI Pro 2", ch. 36 (36.2.4.1 correction of loops).
"""

from __future__ import annotations

import numpy as np

GRAVITY = 9.81
"""Tiles/s2; a body leans by the angle of its sideways acceleration against it."""
MOST_LEAN = 0.35
"""Radians."""


def turn_smoothly(
    angle: np.ndarray, rate: np.ndarray, wanted: np.ndarray, most_rate: float, most_change: float, seconds: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return angles and rates after a tick on the shorter way to ``wanted``.

    ``most_rate`` is in radians/s and ``most_change`` in radians/s2. The rate is the largest from which the turn can
    still end at its target.
    """
    missing = _wrapped(wanted - angle)
    # In steps of a tick a rate r needs r * r / 2a + r * t / 2 to fall to 0, so it solves a square.
    slack = 0.5 * most_change * seconds
    best = np.sqrt(slack * slack + 2.0 * most_change * np.abs(missing)) - slack
    best = np.minimum(np.minimum(best, most_rate), np.abs(missing) / seconds)
    target = np.sign(missing) * best
    rate = rate + np.clip(target - rate, -most_change * seconds, most_change * seconds)
    return _wrapped(angle + rate * seconds), rate


def speed_cap(curvature: np.ndarray, most_sideways: float, most_rate: float) -> np.ndarray:
    """Return the largest speed in a curve, float64[n]; inf on a straight path.

    ``most_sideways`` is in tiles/s2.
    """
    bend = np.abs(curvature)
    radius = np.divide(1.0, bend, out=np.full(len(bend), np.inf), where=bend > 0.0)
    cap: np.ndarray = np.minimum(np.sqrt(most_sideways * radius), most_rate * radius)
    return cap


def speed_ahead(caps: np.ndarray, ways: np.ndarray, most_brake: float) -> np.ndarray:
    """Return the largest speed now that keeps every cap ahead, float64[n].

    ``caps`` and ``ways`` float64[n, places] are the caps and the tiles to their places; ``most_brake`` is tiles/s2.
    """
    least: np.ndarray = np.sqrt(caps * caps + 2.0 * most_brake * ways).min(axis=1)
    return least


def curvature_of(points: np.ndarray) -> np.ndarray:
    """Return the signed curvature of the circle through three points, float64[n].

    ``points`` is float64[n, 3, 2]; it is positive for a turn to the right.
    """
    a, b = points[:, 1] - points[:, 0], points[:, 2] - points[:, 1]
    c = points[:, 2] - points[:, 0]
    cross = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    sides = np.hypot(*a.T) * np.hypot(*b.T) * np.hypot(*c.T)
    bend: np.ndarray = np.divide(2.0 * cross, sides, out=np.zeros(len(points)), where=sides > 0.0)
    return bend


def lean(speed: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Return the lean to the inside of the turn in radians, float64[n]."""
    angle: np.ndarray = np.clip(np.arctan(speed * rate / GRAVITY), -MOST_LEAN, MOST_LEAN)
    return angle


def _wrapped(angle: np.ndarray) -> np.ndarray:
    wrapped: np.ndarray = (angle + np.pi) % (2.0 * np.pi) - np.pi
    return wrapped


TECHNIQUES = (
    {
        "slug": "loop-correction",
        "name": "Smooth turns to the path, slower curves, lean",
        "ids": ("GP2-36.3",),
        "source": "Game AI Pro 2, 36.2.4.1",
        "functions": ("turn_smoothly", "speed_cap", "lean"),
        "test": "tests/ai/animation/walking/test_loop_correction.py",
        "reason": "no exhibit yet",
        "claim": (
            "In the library only: bodies of the game turn by a turn rate and slow down in a turn, and do not lean."
        ),
    },
)
