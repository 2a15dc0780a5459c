"""Shapes of objects in tiles: corners, centres and covered tiles."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from game.level.errors import LevelError
from game.level.map_art import Point
from game.level.tmx.checked_map import CheckedObject

ELLIPSE_CORNERS = 24
_ANCHORS = {
    "topleft": (0.0, 0.0),
    "top": (0.5, 0.0),
    "topright": (1.0, 0.0),
    "left": (0.0, 0.5),
    "center": (0.5, 0.5),
    "right": (1.0, 0.5),
    "bottomleft": (0.0, 1.0),
    "bottom": (0.5, 1.0),
    "bottomright": (1.0, 1.0),
}
MOST_WORK = 64_000_000


class Placer:
    """Converts objects in pixels to positions in tiles.

    ``dx, dy`` is the offset of their layer in pixels.
    """

    def __init__(self, tile_width: int, tile_height: int) -> None:
        self.tile_width = tile_width
        self.tile_height = tile_height

    def _turn(self, thing: CheckedObject, dx: float, dy: float, x: float, y: float) -> Point:
        a = math.radians(thing.rotation)
        c, s = math.cos(a), math.sin(a)
        px, py = thing.x + dx + c * x - s * y, thing.y + dy + s * x + c * y
        return px / self.tile_width, py / self.tile_height

    def placed(self, points: tuple[Point, ...], thing: CheckedObject, dx: float, dy: float) -> tuple[Point, ...]:
        """Return points relative to an object, in pixels before turning, as positions in tiles."""
        return tuple(self._turn(thing, dx, dy, x, y) for x, y in points)

    def anchor(self, thing: CheckedObject, alignment: str) -> Point:
        """Return the upper left corner in pixels, before turning.

        It is relative to the object's position.
        """
        if thing.shape != "tile":
            return 0.0, 0.0
        ax, ay = _ANCHORS.get(alignment, (0.0, 1.0))
        return -ax * thing.width, -ay * thing.height

    def centre(self, thing: CheckedObject, dx: float, dy: float, alignment: str = "bottomleft") -> Point:
        """Return the middle of the object, or of the bounds of its points."""
        if thing.points:
            xs, ys = [p[0] for p in thing.points], [p[1] for p in thing.points]
            return self._turn(thing, dx, dy, (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
        ax, ay = self.anchor(thing, alignment)
        return self._turn(thing, dx, dy, ax + thing.width / 2, ay + thing.height / 2)

    def outline(self, thing: CheckedObject, dx: float, dy: float, alignment: str = "bottomleft") -> tuple[Point, ...]:
        """Return the corners in order; an ellipse gets 24 corners."""
        if thing.points:
            return tuple(self._turn(thing, dx, dy, x, y) for x, y in thing.points)
        ax, ay = self.anchor(thing, alignment)
        w, h = thing.width, thing.height
        if thing.shape == "ellipse":
            turns = [2 * math.pi * i / ELLIPSE_CORNERS for i in range(ELLIPSE_CORNERS)]
            corners = [(w / 2 + w / 2 * math.cos(t), h / 2 + h / 2 * math.sin(t)) for t in turns]
        else:
            corners = [(ax, ay), (ax + w, ay), (ax + w, ay + h), (ax, ay + h)]
        return tuple(self._turn(thing, dx, dy, x, y) for x, y in corners)


class Filler:
    """Finds the tiles whose centre a polygon covers.

    Refuses maps whose polygons would take minutes.
    """

    def __init__(self, file: object, width: int, height: int) -> None:
        self.file = file
        self.width = width
        self.height = height
        self.work = 0

    def tiles(self, points: tuple[Point, ...], place: str) -> tuple[np.ndarray, np.ndarray]:
        """Return rows and columns of the covered tiles.

        A shape that covers no centre covers the tile it lies in.
        """
        xs, ys = np.array([p[0] for p in points]), np.array([p[1] for p in points])
        top, bottom = max(0, math.ceil(ys.min() - 0.5)), min(self.height, math.floor(ys.max() - 0.5) + 1)
        left, right = max(0.0, float(xs.min())), min(float(self.width), float(xs.max()))
        self.work += max(0, bottom - top) * (len(points) + int(max(0.0, right - left)) + 100)
        if self.work > MOST_WORK:
            raise LevelError(
                str(self.file), place, "the shapes cover too much", "draw simpler shapes, or use a tile layer"
            )
        rows: list[np.ndarray] = []
        columns: list[np.ndarray] = []
        xb, yb = np.roll(xs, -1), np.roll(ys, -1)
        for row in range(top, bottom):
            y = row + 0.5
            crosses = (ys > y) != (yb > y)
            if not crosses.any():
                continue
            where = np.sort(xs[crosses] + (y - ys[crosses]) * (xb - xs)[crosses] / (yb - ys)[crosses])
            for a, b in zip(where[::2], where[1::2], strict=False):
                first, last = max(0, math.ceil(a - 0.5)), min(self.width, math.floor(b - 0.5) + 1)
                if first < last:
                    found = np.arange(first, last)
                    columns.append(found)
                    rows.append(np.full(found.size, row))
        if rows:
            return np.concatenate(rows), np.concatenate(columns)
        return self._tile_in_the_middle(xs, ys)

    def crossed(self, points: tuple[Point, ...], place: str) -> tuple[np.ndarray, np.ndarray]:
        """Return rows and columns of the tiles that a line crosses.

        No unit can pass between them.  A line on the border of two tiles takes the tile to the right or below.
        """
        found: set[tuple[int, int]] = set()
        for a, b in pairwise(points if len(points) > 1 else (*points, *points)):
            steps = math.ceil(abs(b[0] - a[0])) + math.ceil(abs(b[1] - a[1])) + 2
            self.work += 100 + steps
            if self.work > MOST_WORK:
                raise LevelError(str(self.file), place, "the lines are too long", "draw shorter lines")
            found.update(_cells_of_line(a, b))
        tiles = np.array(
            sorted((y, x) for x, y in found if 0 <= x < self.width and 0 <= y < self.height), np.int64
        ).reshape(-1, 2)
        return tiles[:, 0], tiles[:, 1]

    def _tile_in_the_middle(self, xs: np.ndarray, ys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x, y = float((xs.min() + xs.max()) / 2), float((ys.min() + ys.max()) / 2)
        if 0 <= x < self.width and 0 <= y < self.height:
            return np.array([int(y)]), np.array([int(x)])
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)


def _cells_of_line(a: Point, b: Point) -> list[tuple[int, int]]:
    """Return the cells (x, y) along a segment, each beside the next."""
    cuts = {0.0, 1.0}
    for low, high in ((a[0], b[0]), (a[1], b[1])):
        if low != high:
            first, last = sorted((low, high))
            cuts.update((k - low) / (high - low) for k in range(math.ceil(first), math.floor(last) + 1))
    ordered = sorted(cut for cut in cuts if 0.0 <= cut <= 1.0)
    cells = []
    for s, t in pairwise(ordered):
        middle = (s + t) / 2
        cells.append((math.floor(a[0] + middle * (b[0] - a[0])), math.floor(a[1] + middle * (b[1] - a[1]))))
    return cells
