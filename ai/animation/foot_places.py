"""Foot places: where both feet stand, so that a planted foot does not slide.

A foot is planted from the footfall of its own phase (0 left, 0.5 right) until it leaves the ground. It stays where it
came down while the body passes over it, and is beside the hip at the middle of its stance, 0.3 cycles after the
footfall. The place beside the hip is half a hip width to the side, so on a curve both feet stand on circles round the
centre of the turn, and the outer foot steps longer. The right foot leaves the ground at phase 0.25 when slow and 0.10
at the fastest walk, the left one half a cycle later. In the air a foot follows a cubic step to its next place.

Both places follow in closed form from phase, speed and angular speed, so nothing is stored. In the frame of a body
that walks with speed v and turns with w, a point beside the hip at the distance b moves within t seconds to
(b sin(wt) - v sin(wt) / w, b cos(wt) + v (1 - cos(wt)) / w). The source uses the angles of a leg instead, because its
legs have joints.

Arrays: float64[n], in tiles, tiles/s, radians/s; +x of a body is forward and +y is right.

Source: "Journal of Game Development 1", "Versatile Walk Engine" (curved walking by angular speed; toe-off phases).
"""

from __future__ import annotations

import numpy as np

from ai.animation.gait import CADENCE, FASTEST

HIP = 0.1
"""Half the width of the hips in leg lengths."""
MIDDLE = 0.3
"""Cycles from a footfall to the moment when the foot is beside the hip."""
SLOW_TOE_OFF, FAST_TOE_OFF = 0.25, 0.10
"""Phases at which the right foot leaves the ground.

The first is for no speed, the second for the fastest walk.
"""


def cadences(speed: np.ndarray, turning: np.ndarray, leg: np.ndarray) -> np.ndarray:
    """Return cycles a second, float64[n]; see :mod:`ai.animation.gait`."""
    length = np.sqrt(np.minimum(speed / leg, FASTEST)) / CADENCE * leg
    straight = np.divide(speed, length, out=np.zeros(len(speed)), where=length > 0.0)
    rate: np.ndarray = np.maximum(straight, np.abs(turning) / np.pi)
    return rate


def stance_end(speed: np.ndarray, leg: np.ndarray) -> np.ndarray:
    """Return the cycles for which a foot stays on the ground, float64[n]."""
    fast = np.minimum(speed / leg, FASTEST) / FASTEST
    share: np.ndarray = 0.5 + SLOW_TOE_OFF + (FAST_TOE_OFF - SLOW_TOE_OFF) * fast
    return share


def foot_places(
    phase: np.ndarray, speed: np.ndarray, turning: np.ndarray, leg: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the places of both feet, and which of them are planted.

    Places are float64[2, n, 2] and flags bool[2, n], left foot first.
    A place is (x, y) from the body's centre. A body that neither walks nor turns has both feet beside its hips.
    """
    rate, end = cadences(speed, turning, leg), stance_end(speed, leg)
    places, planted = np.zeros((2, len(phase), 2)), np.ones((2, len(phase)), bool)
    period = np.divide(1.0, rate, out=np.zeros(len(phase)), where=rate > 0.0)
    for foot, (began, side) in enumerate(((0.0, -1.0), (0.5, 1.0))):
        beside = side * HIP * leg
        age = (phase - began) % 1.0
        on_ground = _carried_back((np.minimum(age, end) - MIDDLE) * period, beside, speed, turning)
        landing = _carried_back(-MIDDLE * period, beside, speed, turning)
        share = np.clip((age - end) / (1.0 - end), 0.0, 1.0)
        share = share * share * (3.0 - 2.0 * share)
        places[foot] = on_ground + (landing - on_ground) * share[:, None]
        planted[foot] = (age < end) | (rate == 0.0)
    return places, planted


def _carried_back(t: np.ndarray, beside: np.ndarray, speed: np.ndarray, turning: np.ndarray) -> np.ndarray:
    """Return a fixed point in the frame of a moving body, float64[n, 2].

    It was beside the hip ``t`` seconds ago.
    """
    angle = turning * t
    half = np.sinc(angle / (2.0 * np.pi))
    along, across = speed * t * np.sinc(angle / np.pi), speed * t * half * np.sin(angle / 2.0)
    return np.column_stack([beside * np.sin(angle) - along, beside * np.cos(angle) + across])


TECHNIQUES = (
    {
        "slug": "foot-places",
        "name": "Planted feet on straight and curved paths",
        "ids": ("JOGD-2.7",),
        "source": "Journal of Game Development 1, Versatile Walk Engine",
        "functions": ("foot_places",),
        "test": "tests/ai/animation/test_foot_places.py",
        "reason": "part of another technique: planted feet take their places from it",
        "claim": (
            "Places of feet in closed form stand for the angles of a leg. The overlay of footprints and the "
            "measures use them; drawn figures do not."
        ),
    },
)
