"""Start clips over 360 degrees: spread the missing rotation evenly over a clip.

Few clips of a start have an authored turn each, such as 0 and 120 degrees to both sides. The clip with the nearest turn
is chosen, and the rotation that it lacks is added in equal parts to its frames. Three clips at 0 and 120 degrees leave
at most 60 degrees to add.

Angles are radians, clockwise on the screen, float64[n]; ``authored`` is float64[clips].

Source: "Game AI Pro 2", ch. 36 (36.2.4.2, starts and turns).
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import device

THREE_CLIPS = np.radians([0.0, 120.0, -120.0])
"""Turns of the source's clips: straight on, to the right, to the left."""


def start_clips(turn: np.ndarray, authored: np.ndarray = THREE_CLIPS) -> tuple[np.ndarray, np.ndarray]:
    """Return the clip of each wanted turn, and the rotation that it lacks.

    Clips are int64[n]; of two equally near ones the first is taken. The rotation is float64[n], from -pi to pi.
    """
    missing = (turn[:, None] - authored + math.pi) % math.tau - math.pi
    # Rounded, so that the order decides between two that differ by less than a float can tell.
    clip = np.argmin(np.round(np.abs(missing), 9), axis=1)
    return clip, missing[np.arange(len(turn)), clip]


def turned_after(frame: np.ndarray, frames: np.ndarray, authored: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """Return the rotation after ``frame`` of ``frames`` frames, float64[n].

    A clip turns by the same angle in each frame, and so does the correction.
    """
    rotation: np.ndarray = (authored + missing) * np.clip(frame / frames, 0.0, 1.0)
    return rotation


@device
def start_of(turn: float) -> int:
    """Return the clip of ``THREE_CLIPS`` for a turn from -pi to pi."""
    return 1 if turn > math.pi / 3.0 + 1e-9 else 2 if turn < -math.pi / 3.0 - 1e-9 else 0


@device
def turn_of_frame(missing: float, left: int) -> float:
    """Return the rotation of the next frame, with ``left`` frames to come.

    It is an equal part of the rotation that is still missing, so a goal that moves is met as well.
    """
    return missing / max(left, 1)


TECHNIQUES = (
    {
        "slug": "turn-starts",
        "name": "Starts over 360 degrees from three clips",
        "ids": ("GP2-36.4",),
        "source": "Game AI Pro 2, 36.2.4.2",
        "functions": ("start_clips", "turned_after", "start_of", "turn_of_frame"),
        "test": "tests/ai/animation/test_turn_starts.py",
        "exhibit": "levels/exhibits/motion/starts.toml",
        "overlay": "steps",
        "setting": "figures.starts",
        "measure": "legs_swung",
        "direction": "down",
        "claim": "Figures start by three clips; the body itself turns by its turn rate.",
    },
)
