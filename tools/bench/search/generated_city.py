"""A generated city: houses at every angle, closed yards, and a river with bridges."""

from __future__ import annotations

import numpy as np

HOUSES = 0.2
"""Share of tiles that houses cover before the river is drawn."""

REACH = 14
"""Tiles from the middle of a house within which its walls lie."""


def city(side: int, seed: int = 1) -> np.ndarray:
    """Return the open tiles bool[side, side] of a seeded city.

    Walls that are not aligned to the grid are stairs: nearly each of their tiles is a convex corner.
    """
    rng = np.random.default_rng(seed)
    is_open = np.ones((side, side), bool)
    y, x = np.mgrid[:side, :side]
    while 1 - is_open.mean() < HOUSES:
        middle_y, middle_x = rng.integers(0, side, 2)
        # Streets run round the middle of the city and away from it.
        angle = np.arctan2(middle_y - side / 2, middle_x - side / 2) + rng.normal(0, 0.15)
        half_length, half_width = rng.uniform(2, 12), rng.uniform(1.2, 4)
        part = np.s_[max(0, middle_y - REACH) : middle_y + REACH, max(0, middle_x - REACH) : middle_x + REACH]
        dy, dx = y[part] - middle_y, x[part] - middle_x
        along, across = np.cos(angle) * dx + np.sin(angle) * dy, np.cos(angle) * dy - np.sin(angle) * dx
        is_open[part][(np.abs(along) < half_length) & (np.abs(across) < half_width)] = False
    for _ in range(side // 24):
        top, left = rng.integers(0, side - 50, 2)
        height, width = rng.integers(15, 48, 2)
        is_open[[top, top + height], left : left + width] = False
        is_open[top : top + height, [left, left + width]] = False
        is_open[top + height // 2 : top + height // 2 + 2, left] = True
    bank = side * (0.55 + 0.12 * np.sin(5 * x / side))
    is_open[np.abs(y - bank) < side * 0.03] = False
    for bridge in (0.2, 0.75):
        is_open[(np.abs(x - side * bridge) < 3) & (np.abs(y - bank) < side * 0.05)] = True
    return is_open
