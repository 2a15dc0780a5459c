"""Means with their intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Interval:
    """Mean of ``count`` runs and the half width of its 95 % confidence interval."""

    mean: float
    half: float
    count: int


def interval_of(values: NDArray[np.float64]) -> Interval:
    """Return mean and Student's interval.

    The half width is nan for fewer than two values."""
    from scipy import stats  # takes a second to load, which a window without seeds does without

    count = len(values)
    if count < 2:
        return Interval(float(values.mean()) if count else float("nan"), float("nan"), count)
    error = float(stats.sem(values))
    half = error * float(stats.t.ppf(0.5 + CONFIDENCE / 2, count - 1)) if error > 0 else 0.0
    return Interval(float(values.mean()), half, count)
