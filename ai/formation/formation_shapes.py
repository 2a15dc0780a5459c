"""Formation shapes as lists of slots (AI Game Programming Wisdom, 5.6).

A slot is an offset in the formation's own frame, forward and to the right in tiles, with a facing relative to the
heading.  The middle of the slots' extent is the origin.  ``spacing`` is the least distance between two slots.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import IntEnum

import numpy as np

from ai.core.serialization import record


class Shape(IntEnum):
    """The shapes a group can take."""

    LINE = 0
    COLUMN = 1
    BOX = 2
    WEDGE = 3
    VEE = 4
    ECHELON = 5
    TEE = 6
    CIRCLE = 7
    STAGGERED_LINE = 8
    SKIRMISH = 9
    CIRCLE_INWARD = 10
    """A circle that faces its middle, to attack what it surrounds."""


@record
class Slots:
    """Slots of one formation: ``forward``, ``right`` and ``facing``, float64[n].

    ``forward`` and ``right`` are in tiles, ``facing`` in radians to the heading. ``rank`` int32[n] counts from the
    front. ``weight`` float64[n] is larger for a slot that is more important to fill: front and middle before back
    and flanks.
    """

    forward: np.ndarray
    right: np.ndarray
    facing: np.ndarray
    rank: np.ndarray
    weight: np.ndarray

    def __len__(self) -> int:
        return len(self.forward)

    @property
    def width(self) -> float:
        """Return the extent across the heading in tiles."""
        return float(np.ptp(self.right)) if len(self) else 0.0

    @property
    def depth(self) -> float:
        """Return the extent along the heading in tiles."""
        return float(np.ptp(self.forward)) if len(self) else 0.0


def _line(n: int, s: float) -> np.ndarray:
    return np.column_stack([np.zeros(n), np.arange(n) * s])


def _column(n: int, s: float) -> np.ndarray:
    return np.column_stack([-np.arange(n) * s, np.zeros(n)])


def _box(n: int, s: float) -> np.ndarray:
    columns = math.ceil(math.sqrt(n))
    rows = [min(columns, n - first) for first in range(0, n, columns)]
    # The last row is centred when it is not full.
    return np.array([(-r * s, (k - (m - 1) / 2) * s) for r, m in enumerate(rows) for k in range(m)])


def _wedge(n: int, s: float) -> np.ndarray:
    k = np.arange(n)
    arm = (k + 1) // 2
    return np.column_stack([-arm, np.where(k % 2 == 1, arm, -arm)]) * (s / math.sqrt(2.0))


def _vee(n: int, s: float) -> np.ndarray:
    return _wedge(n, s) * (-1.0, 1.0)


def _echelon(n: int, s: float) -> np.ndarray:
    return np.column_stack([-np.arange(n), np.arange(n)]) * (s / math.sqrt(2.0))


def _tee(n: int, s: float) -> np.ndarray:
    front = max(1, math.ceil(0.6 * n)) if n > 2 else n
    front -= (front % 2 == 0) and n > 2
    bar = _line(front, s) - (0.0, (front - 1) / 2 * s)
    return np.vstack([bar, _column(n - front, s) - (s, 0.0)])


def _circle(n: int, s: float) -> np.ndarray:
    if n == 1:
        return np.zeros((1, 2))
    a = 2.0 * math.pi * np.arange(n) / n
    return np.column_stack([np.cos(a), np.sin(a)]) * (s / (2.0 * math.sin(math.pi / n)))


def _staggered(n: int, s: float) -> np.ndarray:
    # Every second slot is half a spacing back, so that no unit is in a neighbour's line of fire.
    k = np.arange(n)
    return np.column_stack([-(k % 2) * 0.5 * s, k * (math.sqrt(3.0) / 2.0) * s])


def _skirmish(n: int, s: float) -> np.ndarray:
    k = np.arange(n)
    return np.column_stack([-((k * 2) % 3) * s, k * 1.5 * s])


_MAKERS: dict[Shape, Callable[[int, float], np.ndarray]] = {
    Shape.LINE: _line,
    Shape.COLUMN: _column,
    Shape.BOX: _box,
    Shape.WEDGE: _wedge,
    Shape.VEE: _vee,
    Shape.ECHELON: _echelon,
    Shape.TEE: _tee,
    Shape.CIRCLE: _circle,
    Shape.STAGGERED_LINE: _staggered,
    Shape.SKIRMISH: _skirmish,
    Shape.CIRCLE_INWARD: _circle,
}


def form(shape: Shape, count: int, spacing: float) -> Slots:
    """Return the slots of a shape for ``count`` units.

    A circle faces outward, or inward by its name; all other shapes face ahead.
    """
    if count < 0:
        raise ValueError(f"a formation has at least 0 slots, got {count}")
    if spacing <= 0.0:
        raise ValueError(f"spacing must be positive, got {spacing}")
    if count == 0:
        none = np.zeros(0)
        return Slots(none, none.copy(), none.copy(), np.zeros(0, np.int32), none.copy())
    offsets = _MAKERS[Shape(shape)](count, spacing)
    if shape in (Shape.CIRCLE, Shape.CIRCLE_INWARD) and count > 1:
        away = 1.0 if shape == Shape.CIRCLE else -1.0
        facing = np.arctan2(away * offsets[:, 1], away * offsets[:, 0])
    else:
        facing = np.zeros(count)
    return arranged(offsets, facing, spacing)


def arranged(offsets: np.ndarray, facing: np.ndarray, spacing: float) -> Slots:
    """Return slots at ``offsets`` float64[n, 2] (forward, right; tiles).

    The middle of their extent is moved to the origin.
    """
    if not len(offsets):
        return form(Shape.COLUMN, 0, spacing)
    offsets = offsets - (offsets.min(axis=0) + offsets.max(axis=0)) / 2.0
    forward, right = offsets.T.copy()
    depth = forward.max() - forward
    levels = np.unique(np.round(depth, 6))
    rank = np.searchsorted(levels, np.round(depth, 6)).astype(np.int32)
    weight = 1.0 / (1.0 + depth / spacing + 0.1 * np.abs(right) / spacing)
    return Slots(forward, right, (facing + math.pi) % (2 * math.pi) - math.pi, rank, weight)


def in_ranks(shape: Shape, count: int, per_rank: int, spacing: float, rank_offset: tuple[float, float]) -> Slots:
    """Return copies of a shape, ``per_rank`` slots each, for ``count`` units.

    Each copy is moved by ``rank_offset`` (forward, right; tiles) from the one before. The last rank is a smaller
    copy.
    """
    if per_rank <= 0:
        raise ValueError(f"a rank holds at least 1, got {per_rank}")
    parts, facing = [], []
    for k, first in enumerate(range(0, count, per_rank)):
        part = form(shape, min(per_rank, count - first), spacing)
        parts.append(np.column_stack([part.forward + k * rank_offset[0], part.right + k * rank_offset[1]]))
        facing.append(part.facing)
    if not parts:
        return form(shape, 0, spacing)
    return arranged(np.vstack(parts), np.concatenate(facing), spacing)


def in_files(count: int, files: int, spacing: float) -> Slots:
    """Return slots in ranks of ``files`` units side by side.

    The last rank is centred when it is not full.
    """
    if files <= 0:
        raise ValueError(f"a column has at least one file, got {files}")
    if count == 0:
        return form(Shape.COLUMN, 0, spacing)
    k = np.arange(count)
    in_rank = np.minimum(files, count - k // files * files)
    offsets = np.column_stack([-(k // files) * spacing, (k % files - (in_rank - 1) / 2) * spacing])
    return arranged(offsets, np.zeros(count), spacing)


def as_they_stand(places: np.ndarray, heading: float) -> Slots:
    """Return slots at the present positions of units, float64[n, 2].

    They are in the frame of ``heading`` around the middle of the units.
    """
    if len(places) == 0:
        return form(Shape.COLUMN, 0, 1.0)
    away = places - (places.min(axis=0) + places.max(axis=0)) / 2.0
    c, s = math.cos(heading), math.sin(heading)
    forward, right = away[:, 0] * c + away[:, 1] * s, away[:, 1] * c - away[:, 0] * s
    depth = forward.max() - forward
    rank = np.searchsorted(np.unique(np.round(depth, 6)), np.round(depth, 6)).astype(np.int32)
    return Slots(forward, right, np.zeros(len(places)), rank, 1.0 / (1.0 + depth + 0.1 * np.abs(right)))


def spacing_for(radii: np.ndarray, gap: float) -> float:
    """Return the spacing that keeps the largest bodies ``gap`` tiles apart."""
    return 2.0 * float(np.max(radii, initial=0.0)) + gap


def place(slots: Slots, x: float, y: float, heading: float) -> np.ndarray:
    """Return world positions and facings float64[n, 3] (x, y, facing) of a formation.

    The centre of the formation is at (x, y).
    """
    c, s = math.cos(heading), math.sin(heading)
    f, r = slots.forward, slots.right
    facing = (slots.facing + heading + math.pi) % (2 * math.pi) - math.pi
    # Right of the heading is clockwise, because y points down.
    return np.column_stack([x + f * c - r * s, y + f * s + r * c, facing])


TECHNIQUES = (
    {
        "slug": "formation-shapes",
        "name": "Formation shapes",
        "ids": ("AW-5.6-1", "AW-5.6-5", "GP2-20.10"),
        "source": "AI Game Programming Wisdom, 5.6; Game AI Pro 2, ch. 20",
        "functions": ("form",),
        "test": "tests/ai/formation/test_formation_shapes.py",
        "exhibit": "levels/exhibits/formation/formation_parade.toml",
        "overlay": "slots",
        "setting": "formation.together",
        "reason": "The exhibit is that of another technique.",
        "claim": "Eleven shapes; columns whose vehicles follow each other are left out. Mixed sizes share a spacing.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
