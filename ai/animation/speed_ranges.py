"""Speed ranges: a gait plays alone at a scaled rate, and blends in overlaps.

A gait has a reference speed, and a range of speeds. Ranges of neighbours overlap a little. The rate of a clip is the
speed over its reference speed. In an overlap the weight of the faster gait grows from 0 to 1. Gaits stand in ascending
order; below the first range and above the last one the nearest gait plays.

A switch keeps the phase of the step, so that no foot changes between ground and air. A clip that begins with
something important, such as a start, is not entered at a phase: it begins at its first frame.

Speeds are tiles/s, float64[n]; ranges are float64[gaits]; phases are shares of a cycle.

Source: "Game AI Pro 2", ch. 36 (36.2.5 speed ranges, 36.3.1 phase matching).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ai.core.kernels import device


@dataclass(frozen=True)
class Gaits:
    """Ranges and reference speeds of gaits, slowest first."""

    low: np.ndarray
    high: np.ndarray
    reference: np.ndarray

    def __post_init__(self) -> None:
        """ValueError unless ranges rise, meet, and overlap with their neighbours alone."""
        if not ((self.low <= self.reference) & (self.reference <= self.high)).all():
            raise ValueError("gaits: a reference speed lies outside its range")
        if not ((self.low[1:] <= self.high[:-1]) & (self.low[1:] > self.low[:-1])).all():
            raise ValueError("gaits: ranges do not rise, or there is a gap between two")
        if not (self.low[2:] >= self.high[:-2]).all():
            raise ValueError("gaits: three ranges overlap")


def gaits_at(speed: np.ndarray, gaits: Gaits) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return gait, weight of the next faster gait, and rates of both.

    Gaits are int64[n], weights float64[n] from 0 to 1, rates float64[n, 2].
    """
    slow = np.minimum(np.searchsorted(gaits.high, speed, side="left"), len(gaits.high) - 1)
    next_up = np.minimum(slow + 1, len(gaits.high) - 1)
    overlap = gaits.high[slow] - gaits.low[next_up]
    inside = (next_up > slow) & (overlap > 0.0) & (speed > gaits.low[next_up])
    weight = np.where(inside, (speed - gaits.low[next_up]) / np.where(inside, overlap, 1.0), 0.0)
    rates = np.column_stack([speed / gaits.reference[slow], speed / gaits.reference[next_up]])
    return slow, weight, rates


@device
def overlap_weight(speed: float, low: float, high: float) -> float:
    """Return the weight of the faster gait, 0 to 1, at a speed.

    ``low`` is the least speed of the faster gait, ``high`` the greatest of the slower one.
    """
    return min(max((speed - low) / (high - low), 0.0), 1.0)


def matched_time(phase: np.ndarray, phases: np.ndarray, enters_at_phase: np.ndarray) -> np.ndarray:
    """Return the share of a clip at which it has the phase, float64[n].

    ``phases`` are the phases at equal times of the clip, ascending from 0 to 1, both ends included. A clip that is not
    entered at a phase begins at 0.
    """
    times = np.interp(phase % 1.0, phases, np.linspace(0.0, 1.0, len(phases)))
    share: np.ndarray = np.where(enters_at_phase, times, 0.0)
    return share


TECHNIQUES = (
    {
        "slug": "speed-ranges",
        "name": "Speed ranges of gaits with narrow overlaps",
        "ids": ("GP2-36.6",),
        "source": "Game AI Pro 2, 36.2.5",
        "functions": ("gaits_at", "overlap_weight"),
        "test": "tests/ai/animation/test_speed_ranges.py",
        "reason": "it is decoration: a walk and a run have one clip between them",
        "claim": (
            "The game takes the weight within the overlap of walk and run, where a jog is shown. Ranges, "
            "reference speeds and rates are in the library only; cadence sets the rate."
        ),
    },
    {
        "slug": "phase-matching",
        "name": "Phase matching at a change of gait",
        "ids": ("GP2-36.7",),
        "source": "Game AI Pro 2, 36.3.1",
        "functions": ("matched_time",),
        "test": "tests/ai/animation/test_speed_ranges.py",
        "reason": "every clip of a walk of the figures has its feet at the same phases",
        "claim": (
            "In the library only: figures share one phase for all gaits. It serves clips with feet at uneven times."
        ),
    },
)
