"""Cover by direction and stance: how well a tile shields from each side.

Source: Ian Millington and John Funge, AI for Games, 6.1.1 (context sensitivity: cover is stored for each direction and
stance, and looked up without rays). Sixteen directions, the ranges and the angles of the attacks are our choice.

A direction is a sixteenth of the circle: 0 is east, 4 south, 8 west, 12 north (radians grow clockwise on the screen, y
down). A value is the share of sampled attacks from that direction that fail, 0..1. Attackers stand on tiles where a
unit can stand. A direction without such a tile has cover 1. The table keeps the tiles that were asked, and no others.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ai.core.kernels import kernel
from ai.perception.sight.line_of_sight import clear_between, clear_over
from ai.perception.sight.wall_heights import EYE, TOPS

DIRECTIONS = 16
RANGES = (3.0, 5.0, 8.0, 11.0)
"""Distances in tiles from which attacks are tried."""
ANGLES = (-0.1, 0.1)
"""Radians beside the middle of a direction; each stands for half of it."""
STANCES = 2
"""Stances of the table: 0 standing, 1 crouching; a prone unit counts as crouching."""


@kernel("void(uint8[:,::1], uint8[:,::1], int32[:,::1], int32[:,::1], float64, float64, uint8[::1])")
def shots_clear(opaque, low, starts, ends, eye, top, out):  # type: ignore[no-untyped-def]
    """Test lines over walls and low walls; pairs off the map are not clear."""
    height, width = opaque.shape
    for i in range(len(starts)):
        y0, x0, y1, x1 = starts[i, 0], starts[i, 1], ends[i, 0], ends[i, 1]
        out[i] = 0
        if min(y0, x0, y1, x1) < 0 or max(y0, y1) >= height or max(x0, x1) >= width:
            continue
        if clear_between(opaque, y0, x0, y1, x1) and clear_over(low, y0, x0, eye, y1, x1, top):
            out[i] = 1


def sees_body(
    opaque: NDArray[np.uint8],
    low: NDArray[np.uint8],
    eyes: NDArray[np.int32],
    tiles: NDArray[np.int32],
    stance: int = 0,
) -> NDArray[np.bool_]:
    """Return whether an eye on each first tile sees a body on the second.

    Both arrays are int32[n, 2] of (y, x). Low walls hide a body that does not stand, as before the first shot.
    """
    out = np.zeros(len(tiles), np.uint8)
    top = float(TOPS[0, 0 if stance == 0 else 1])
    starts, ends = np.array(eyes, np.int32, order="C"), np.array(tiles, np.int32, order="C")
    shots_clear(opaque, low, starts, ends, float(EYE), top, out)
    return out.view(np.bool_)


def direction_of(dx: NDArray[np.float64], dy: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the direction 0..15 of vectors."""
    return np.asarray(np.rint(np.arctan2(dy, dx) / (math.pi / 8)).astype(np.int64) % DIRECTIONS)


class CoverTable:
    """Cover of a map by stance and direction, computed where it is asked.

    ``low: uint8[H, W]`` are heights of low walls, ``standing: bool[H, W]`` the tiles of attackers.
    """

    def __init__(self, opaque: NDArray[np.uint8], low: NDArray[np.uint8], standing: NDArray[np.bool_]) -> None:
        if not opaque.shape == low.shape == standing.shape:
            raise ValueError(f"the maps differ in shape: {opaque.shape}, {low.shape}, {standing.shape}")
        self.opaque, self.low, self.standing = opaque, low, standing
        self.rows = np.full((STANCES, *opaque.shape), -1, np.int32)
        """Row of ``values`` of each stance and tile, -1 where it was not asked."""
        self.values = np.zeros((0, DIRECTIONS), np.float32)
        self.rays = 0
        """Number of rays cast so far."""

    def directions(self, tiles: NDArray[np.int32], stance: int = 0) -> NDArray[np.float32]:
        """Return ``float32[n, 16]``: the cover of tiles (y, x) from each direction."""
        low = 0 if stance == 0 else 1
        y, x = tiles[:, 0], tiles[:, 1]
        missing = self.rows[low, y, x] < 0
        if missing.any():
            new = np.unique(tiles[missing], axis=0).astype(np.int32)
            self.rows[low, new[:, 0], new[:, 1]] = np.arange(len(self.values), len(self.values) + len(new))
            sampled = [self._sampled(new, direction, low) for direction in range(DIRECTIONS)]
            self.values = np.vstack([self.values, np.array(sampled, np.float32).T])
        return np.asarray(self.values[self.rows[low, y, x]])

    def against(self, tiles: NDArray[np.int32], threats: NDArray[np.float64], stance: int = 0) -> NDArray[np.float64]:
        """Return the cover of tiles from all threats, ``float64[n]``.

        ``threats: float64[m, >=2]`` begin with x and y. The value is the minimum over the directions of the threats
        (the fuzzy AND of the source), and 1 without a threat.
        """
        out = np.ones(len(tiles))
        if not len(threats) or not len(tiles):
            return out
        cover = self.directions(tiles, stance)
        rows = np.arange(len(tiles))
        for x, y in threats[:, :2].tolist():
            direction = direction_of(x - tiles[:, 1] - 0.5, y - tiles[:, 0] - 0.5)
            out = np.minimum(out, cover[rows, direction])
        return out

    def _sampled(self, tiles: NDArray[np.int32], direction: int, stance: int) -> NDArray[np.float64]:
        height, width = self.opaque.shape
        angles = direction * math.pi / 8 + np.array(ANGLES)
        far = np.array(RANGES)
        dx = np.rint(np.outer(far, np.cos(angles))).astype(np.int32).reshape(-1)
        dy = np.rint(np.outer(far, np.sin(angles))).astype(np.int32).reshape(-1)
        fy, fx = tiles[:, 0, None] + dy, tiles[:, 1, None] + dx
        valid = (fy >= 0) & (fx >= 0) & (fy < height) & (fx < width)
        valid &= self.standing[np.clip(fy, 0, height - 1), np.clip(fx, 0, width - 1)]
        ends = np.repeat(tiles, len(dx), axis=0).reshape(len(tiles), len(dx), 2)[valid]
        starts = np.stack([fy[valid], fx[valid]], 1)
        hit = np.zeros(valid.shape)
        hit[valid] = sees_body(self.opaque, self.low, starts, ends, stance)
        self.rays += len(starts)
        count = valid.sum(axis=1)
        return np.asarray(np.where(count > 0, 1.0 - hit.sum(axis=1) / np.maximum(count, 1), 1.0))

    def repair(self, rectangles: list[tuple[int, int, int, int]]) -> None:
        """Forget the tiles whose attacks may cross a changed rectangle (y0, x0, y1, x1)."""
        margin = int(max(RANGES)) + 1
        for y0, x0, y1, x1 in rectangles:
            self.rows[:, max(0, y0 - margin) : y1 + margin, max(0, x0 - margin) : x1 + margin] = -1


def cover_spots(opaque: NDArray[np.uint8], low: NDArray[np.uint8], standing: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the tiles beside something that shields: ``bool[H, W]``.

    They are tiles where a unit can stand, next to a wall or a low wall on one of four sides.
    """
    blocks = np.pad((opaque != 0) | (low != 0), 1)
    beside = blocks[:-2, 1:-1] | blocks[2:, 1:-1] | blocks[1:-1, :-2] | blocks[1:-1, 2:]
    return np.asarray(standing & beside)


TECHNIQUES = (
    {
        "slug": "cover-directions",
        "name": "Cover by direction and stance",
        "ids": ("AFG6.1.5",),
        "source": "AI for Games, 6.1.1",
        "functions": ("CoverTable.against", "CoverTable.directions"),
        "test": "tests/ai/tactics/ground/test_cover_directions.py",
        "exhibit": "levels/exhibits/tactics/yard.shelter.toml",
        "overlay": "rated_places",
        "setting": "tactics.without",
        "measure": "exposed",
        "direction": "down",
        "claim": (
            "Sixteen directions and two stances, filled for the tiles that are asked. Weapon classes are no "
            "states: all weapons here shoot along straight lines."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
