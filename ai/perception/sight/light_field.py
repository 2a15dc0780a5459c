"""Light field: light per tile from lamps, with shadows by the sight rule.

Sources: Ian Millington and John Funge, AI for Games, 6.1 (shadow as a tactical quality; a place is as dark as its best
lit part); the falloff is our choice.

A lamp lights the tiles that an observer at its position would see, inside its radius and, for a cone, its sector. A
tile's light is the brightest of its lamps and the ambient light. So a second lamp never makes it darker, and switching
one off never makes it brighter.

Only changed boxes are computed again. A lamp that was lit, put out, moved or turned makes its own box dirty. An edit of
the map makes the boxes of the lamps that could shine over it dirty. Every dirty box is computed with all lamps that
reach it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ai.core.kernels import kernel
from ai.core.serialization import derived, record, unhashed
from ai.perception.sight.shadowcast import MAX_RADIUS, SightBits, field_of_view
from ai.perception.sight.view_cone import MAX_REACH

Rectangles = Sequence[tuple[int, int, int, int]]


@record
class Lamp:
    """Light source.

    Position and radius are in tiles, ``strength`` is 0..1, angles are in radians (half angle pi: all round).
    """

    x: float
    y: float
    radius: float
    strength: float = 1.0
    facing: float = 0.0
    half_angle: float = math.pi
    on: bool = True


@record
class LightField:
    """Light per tile, ``level: uint8[H, W]``, from 0 dark to 255 full.

    Created by :func:`light_field`. The level follows from the ambient light, the lamps and the map, so the hash reads
    those and not the level.
    """

    ambient: float
    """Ambient light: 0 a moonless night .. 1 day."""
    lamps: NDArray[np.float64]
    """Lit lamps ``float64[n, 6]``: x, y, radius, strength, facing, half angle."""
    revision: int
    """Map revision of the level, -1 for none."""
    level: NDArray[np.uint8] = unhashed(lambda: np.zeros((0, 0), np.uint8))
    known_ambient: float = unhashed(lambda: -1.0)
    version: int = unhashed(int)
    """Version that grows with every change of the level."""
    shone: list[tuple[float, ...]] | None = derived(lambda: None)
    """Rows of ``lamps`` of the last update, to detect that nothing changed."""
    laid: int = unhashed(int)
    """Tiles computed in the last update."""

    def update(self, bits: SightBits, revision: int, lamps: Sequence[Lamp], changes: Rectangles | None = None) -> bool:
        """Compute the light of all lit lamps; return False when nothing changed.

        ``revision`` is any number that changes with the opaque tiles. ``changes`` are the half-open rectangles ``(y0,
        x0, y1, x1)`` of these tiles edited since the known revision, None when unknown. Lamps off the map light
        nothing. Raises ValueError for an ambient light outside 0..1. When something changed, it also raises for a
        radius below 0 or above ``MAX_REACH`` and for a strength outside 0..1.
        """
        if not 0 <= self.ambient <= 1:
            raise ValueError(f"ambient light must lie in 0..1, not {self.ambient}")
        shining: list[tuple[float, ...]] = [
            (lamp.x, lamp.y, lamp.radius, lamp.strength, lamp.facing, lamp.half_angle)
            for lamp in lamps
            if lamp.on and 0 <= lamp.x < bits.width and 0 <= lamp.y < bits.height
        ]
        edited = revision != self.revision
        same = not edited and self.ambient == self.known_ambient
        if same and shining == self.shone:
            return False
        table = np.array(shining, np.float64).reshape(-1, 6)
        if same and np.array_equal(table, self.lamps):
            self.shone = shining
            return False
        for lamp in lamps:
            if not (0 <= lamp.radius <= MAX_REACH and 0 <= lamp.strength <= 1):
                raise ValueError(
                    f"lamp at ({lamp.x:g}, {lamp.y:g}): radius must lie in 0..{MAX_REACH:.1f} tiles and strength in"
                    f" 0..1, not {lamp.radius:g} and {lamp.strength:g}"
                )
        whole = (edited and changes is None) or self.ambient != self.known_ambient
        dirty = None if whole else self._dirty(table, shining, changes if edited and changes is not None else ())
        self.lamps, self.shone, self.revision, self.known_ambient = table, shining, revision, self.ambient
        self.laid = 0
        height, width = self.level.shape
        if dirty is None or sum((y1 - y0) * (x1 - x0) for y0, x0, y1, x1 in dirty) > height * width:
            dirty = [(0, 0, height, width)]
        for box in dirty:
            self._lay(bits, box)
        self.version += 1
        return True

    def _dirty(
        self, table: NDArray[np.float64], shining: Sequence[tuple[float, ...]], changes: Rectangles
    ) -> list[tuple[int, int, int, int]]:
        """Return the boxes that changed lamps or map edits may affect."""
        if len(table) == len(self.lamps):
            moved = (table != self.lamps).any(axis=1)
            changed = {tuple(row) for rows in (table, self.lamps) for row in rows[moved].tolist()}
        else:
            changed = {tuple(row) for row in self.lamps.tolist()} ^ set(shining)
        concerned = {lamp for lamp in shining if any(_meet(self._box(lamp), rect) for rect in changes)}
        return sorted({self._box(lamp) for lamp in changed | concerned})

    def _box(self, lamp: Sequence[float]) -> tuple[int, int, int, int]:
        height, width = self.level.shape
        far = math.ceil(lamp[2] + math.sqrt(0.5))
        y, x = math.floor(lamp[1]), math.floor(lamp[0])
        return max(0, y - far), max(0, x - far), min(height, y + far + 1), min(width, x + far + 1)

    def _lay(self, bits: SightBits, box: tuple[int, int, int, int]) -> None:
        """Compute the light of one box."""
        y0, x0, y1, x1 = box
        self.level[y0:y1, x0:x1] = round(255 * self.ambient)
        self.laid += (y1 - y0) * (x1 - x0)
        if self.ambient >= 1:
            return
        table = self.lamps[[k for k in range(len(self.lamps)) if _meet(self._box(self.lamps[k]), box)]]
        if len(table):
            radii = np.minimum(np.ceil(table[:, 2] + math.sqrt(0.5)), MAX_RADIUS).astype(np.int32)
            ys, xs = (np.floor(table[:, k]).astype(np.int32) for k in (1, 0))
            shine(table, ys, xs, field_of_view(bits, ys, xs, radii), y0, x0, y1, x1, self.level)

    def at(self, x: float, y: float, opaque: NDArray[np.uint8], radius: float = 0.3) -> int:
        """Return the light on a body, 0..255; 0 off the map.

        It is the light of its best lit part (its middle and four sides). A side inside a tile of ``opaque`` does not
        count.
        """
        height, width = self.level.shape
        best = 0
        for dx, dy in ((0.0, 0.0), (radius, 0.0), (-radius, 0.0), (0.0, radius), (0.0, -radius)):
            ty, tx = math.floor(y + dy), math.floor(x + dx)
            if 0 <= ty < height and 0 <= tx < width and (dx == dy == 0 or not opaque[ty, tx]):
                best = max(best, int(self.level[ty, tx]))
        return best


def light_field(height: int, width: int, ambient: float = 1.0) -> LightField:
    """Return a field without lamps.

    Raises ValueError when it has no tile or for an ambient light outside 0..1.
    """
    if not 0 <= ambient <= 1:
        raise ValueError(f"ambient light must lie in 0..1, not {ambient}")
    if height < 1 or width < 1:
        raise ValueError(f"a light field needs tiles, got {height}x{width}")
    return LightField(ambient, np.zeros((0, 6)), -1, np.full((height, width), round(255 * ambient), np.uint8))


def _meet(a: tuple[int, int, int, int], b: tuple[int, int, int, int]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@kernel("void(float64[:,::1], int32[::1], int32[::1], uint64[:,::1], int64, int64, int64, int64, uint8[:,::1])")
def shine(lamps, ys, xs, views, y0, x0, y1, x1, level):  # type: ignore[no-untyped-def]
    """Raise ``level`` inside a box to the light of each lamp.

    A lamp's light falls from its strength with the square of the distance.
    """
    wide = (views.shape[1] - 1) // 2
    for k in range(len(lamps)):
        lx, ly, radius, strength, facing, half_angle = lamps[k]
        look_x = np.cos(facing)
        look_y = np.sin(facing)
        cos_half = -2.0 if half_angle >= np.pi else np.cos(half_angle)
        for dy in range(-wide, wide + 1):
            row = views[k, dy + wide]
            y = ys[k] + dy
            if row == 0 or y < y0 or y >= y1:
                continue
            for dx in range(-wide, wide + 1):
                x = xs[k] + dx
                if (row >> np.uint64(32 + dx)) & np.uint64(1) == 0 or x < x0 or x >= x1:
                    continue
                ox = x + 0.5 - lx
                oy = y + 0.5 - ly
                square = ox * ox + oy * oy
                if square > radius * radius:
                    continue
                if dx == 0 and dy == 0:
                    light = strength
                elif ox * look_x + oy * look_y < cos_half * np.sqrt(square):
                    continue
                else:
                    light = strength * (1.0 - square / (radius * radius))
                value = np.uint8(np.floor(255.0 * light + 0.5))
                if value > level[y, x]:
                    level[y, x] = value


TECHNIQUES = (
    {
        "slug": "lightness",
        "name": "Lightness of the best lit body point",
        "ids": ("AFG6.1.14",),
        "source": "AI for Games, 6.1",
        "functions": ("light_field", "shine"),
        "test": "tests/ai/perception/sight/test_light_field.py",
        "exhibit": "levels/exhibits/senses/day_and_night.toml",
        "overlay": "lightness",
        "setting": "rules.daylight",
        "measure": "noticed",
        "direction": "up",
        "claim": "The brightest part counts; a lamp's falloff is ours, and light that bounces off walls is left out.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
