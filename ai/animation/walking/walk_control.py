"""Walk control: smoothed speed and turn; speed changes when legs can.

A proportional and derivative control turns wanted speed and angular speed into accelerations. The linear acceleration
is multiplied by a factor of the phase. Speeding up is free at the push-off of a foot (phases 0.4 and 0.9), and a tenth
just after it came down (0.15 and 0.65), when the body brakes anyway. Slowing down is the mirror of it. Between these
phases the factor rises and falls evenly. In direct mode speeds are set at once. A turn beats the speed: the product of
both stays below a limit.

The control runs in inner steps of at most 1/25 s, so a pursuit is the same in a slow tick as in fast ones.

State is float64[8, n], a column per body: x, y in tiles, heading in radians clockwise on the screen, speed in tiles/s,
turn in radians/s, both changes a second, and phase as share of a walk cycle.

Source: "Journal of Game Development 1", "Versatile Walk Engine" (walk control layer). The phases of the factor are read
from its figure; gains are not given there.
"""

from __future__ import annotations

import math

import numpy as np

from ai.animation.foot_places import cadences

X, Y, HEADING, SPEED, TURN, SPEEDING, TURNING, PHASE = range(8)
ROWS = 8
INNER = 1.0 / 25.0
"""Seconds of an inner step at most."""
LEAST = 0.1
"""Least factor of the acceleration."""
BRAKES, PUSHES = 0.15, 0.4
"""Phases at which a body brakes and pushes off, shares of a cycle."""
SPEED_GAIN, SPEED_DAMPING = 9.0, 0.15
TURN_GAIN, TURN_DAMPING = 12.0, 0.15
"""Gains 1/s, and shares of the last change that are taken off."""
SIDEWAYS = 2.0
"""Largest product of speed and turn in tiles/s2."""


def phase_factor(phase: np.ndarray, slower: np.ndarray) -> np.ndarray:
    """Return the factor of the acceleration, float64[n], 0.1 to 1.

    ``slower`` bool[n] marks bodies that slow down.
    """
    at = (phase - BRAKES) % 0.5
    up, down = PUSHES - BRAKES, 0.5 - (PUSHES - BRAKES)
    rising = np.where(at < up, at / up, 1.0 - (at - up) / down)
    factor: np.ndarray = LEAST + (1.0 - LEAST) * np.where(slower, 1.0 - rising, rising)
    return factor


def inner_steps(seconds: float) -> list[float]:
    """Return the inner steps of a tick, the last one the rest."""
    if seconds <= INNER:
        return [seconds]
    whole = int(seconds / INNER + 1e-9)
    rest = seconds - whole * INNER
    return [INNER] * whole + ([rest] if rest > 1e-9 else [])


def walk_on(
    state: np.ndarray, speed: np.ndarray, turn: np.ndarray, leg: np.ndarray, seconds: float, direct: bool = False
) -> np.ndarray:
    """Return the state after one inner step towards wanted speeds and turns."""
    after = state.copy()
    capped = np.minimum(speed, SIDEWAYS / np.maximum(np.abs(state[TURN]), 1e-9))
    if direct:
        after[SPEED], after[TURN] = capped, turn
        after[SPEEDING] = after[TURNING] = 0.0
    else:
        wanted = SPEED_GAIN * (capped - state[SPEED]) - SPEED_DAMPING * state[SPEEDING]
        after[SPEEDING] = wanted * phase_factor(state[PHASE], wanted < 0.0)
        after[TURNING] = TURN_GAIN * (turn - state[TURN]) - TURN_DAMPING * state[TURNING]
        after[SPEED] = np.maximum(state[SPEED] + after[SPEEDING] * seconds, 0.0)
        after[TURN] = state[TURN] + after[TURNING] * seconds
    middle = state[HEADING] + 0.5 * after[TURN] * seconds
    after[X] += after[SPEED] * seconds * np.cos(middle)
    after[Y] += after[SPEED] * seconds * np.sin(middle)
    after[HEADING] = (state[HEADING] + after[TURN] * seconds + math.pi) % math.tau - math.pi
    after[PHASE] = (state[PHASE] + cadences(after[SPEED], after[TURN], leg) * seconds) % 1.0
    return after


TECHNIQUES = (
    {
        "slug": "walk-control",
        "name": "Walk control with accelerations by phase, in inner steps",
        "ids": ("JOGD-2.8", "JOGD-2.11"),
        "source": "Journal of Game Development 1, Versatile Walk Engine",
        "functions": ("phase_factor", "inner_steps", "walk_on"),
        "test": "tests/ai/animation/walking/test_walk_control.py",
        "reason": "no exhibit yet",
        "claim": "In the library only: bodies of the game change speed by the steering's gain, in one step a tick.",
    },
)
