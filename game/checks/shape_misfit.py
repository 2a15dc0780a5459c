"""Misfit of units to a formation, computed from their positions alone."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment

from ai.formation.formation_shapes import Shape, form, place


def misfit(x: np.ndarray, y: np.ndarray, shape: Shape, spacing: float, facing: float) -> np.ndarray:
    """Return tiles from each unit to its best fitted shape place: float64[n]."""
    here = np.column_stack([x, y])
    ideal = place(form(shape, len(here), spacing), 0.0, 0.0, facing)[:, :2]
    ideal = ideal + here.mean(axis=0) - ideal.mean(axis=0)
    away = np.hypot(here[:, None, 0] - ideal[None, :, 0], here[:, None, 1] - ideal[None, :, 1])
    rows, columns = linear_sum_assignment(away)
    return np.asarray(away[rows, columns])
