"""Cone of sight: the exact sector, cut by the smoothed outline of visible tiles.

It is computed on the cone's own box at a reduced size, and only when watcher, map, light or zoom changed. The tiles
come from the library's rules of line of sight and vision. A full cone is hatched where a standing unit is seen and a
crouching one is not. An outline carries sparse strokes, at an angle of each watcher's own: two that overlap give a
net, not a dark patch. The meter's colour grows from the eye outwards with the detection.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pygame

from ai.perception.sight.simple_sight import sector_by
from ai.perception.sight.view_cone import MAX_REACH
from game.view.light.cone_pictures import HATCH_TURN, PX_PER_UNIT, Cone, drawn, drawn_joined, joined_cone, sureness
from game.view.light.fog import FogMask
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB
from game.view.painting.spline import smooth_up

KEPT = 64
MAKES_A_FRAME = 3
"""Cones computed in one frame.

A watcher that must wait keeps its previous cone until its turn.
"""
WORK_ZOOM = {4: 8, 8: 8, 12: 12, 16: 16, 24: 12, 32: 16, 48: 24, 64: 32}
"""Pixels a tile at which a cone is computed, by zoom step.

From zoom 24 on it is half the zoom, and the result is enlarged.
"""
JOINED_FRAMES = 10
"""Frames for which the joined cone of many watchers is kept."""


@dataclass(frozen=True)
class Watch:
    """View of one watcher: position, heading, half angle and reach in tiles and radians."""

    x: float
    y: float
    head: float
    half_angle: float
    reach: float
    mood: int = 0
    """Alertness: 0 relaxed, 1 alerted, 2 searching.

    An alert watcher sees crouching units over low walls.
    """

    @property
    def key(self) -> tuple[float, ...]:
        """Key of a cone in the cache."""
        eyes = round(self.half_angle, 3), self.reach, self.mood
        return round(self.x, 3), round(self.y, 3), round(self.head, 3), *eyes


class ConePainter:
    """Draws cones and keeps the last ones."""

    def __init__(self) -> None:
        self._made: OrderedDict[Any, Cone | None] = OrderedDict()
        self._last: dict[tuple[int, int, bool], tuple[Any, Watch]] = {}
        self._left = MAKES_A_FRAME
        self._turn: frozenset[int] = frozenset()
        self._joined: Cone | None = None
        self._joined_of: tuple[int, ...] = ()
        self._age = 0
        """Frames since the joined cone was last looked at."""
        self._waiting: list[int] = []
        """Watchers with an outdated cone, the longest waiting first."""

    def begin(self) -> None:
        """Start a frame; the watchers that wait come first."""
        self._left = MAKES_A_FRAME
        self._turn = frozenset(self._waiting[:MAKES_A_FRAME])
        if len(self._waiting) > 64:
            self._waiting.clear()

    def draw(
        self, surface: pygame.Surface, camera: Camera, world: Any, watch: Watch, colour: RGB, *,
        at: tuple[float, float] | None = None, full: bool = True, fog: FogMask | None = None,
        meter: RGB | None = None, casing: RGB = (0, 0, 0), filled: float = 0.0, who: int = -1,
    ) -> None:  # fmt: skip
        """Draw one cone.

        ``at`` is the position at which the figure is drawn between ticks, ``who`` the watcher's id. ``full`` fills and
        hatches the cone, otherwise it is an outline. With ``fog`` it ends at ground that the side has not explored.
        ``filled`` tiles from the eye are washed in the colour ``meter``; their front is a line in ``casing``.
        """
        zoom = camera.zoom
        cone, watch = self._cone(world, watch, WORK_ZOOM[zoom], full, fog, who)
        if cone is None:
            return
        ox, oy = (at[0] - watch.x, at[1] - watch.y) if at is not None else (0.0, 0.0)
        # Enlarging maps the middle of the first pixel to its corner.
        half = 0.5 / cone.zoom - 0.5 / zoom if zoom > cone.zoom else 0.0
        place = camera.to_screen(cone.left + half + ox, cone.top + half + oy)
        turn = 0.0 if full else who * HATCH_TURN % math.pi
        sheet = self._sheet(cone, (colour, full, zoom), lambda: drawn(cone, colour, full, zoom, turn))
        surface.blit(sheet, place)
        if meter is not None and filled > 0:
            filled = max(round(filled * 12), 1) / 12
            key = ("meter", meter, filled, zoom)
            surface.blit(self._sheet(cone, key, lambda: sureness(cone, meter, casing, filled, zoom)), place)

    def draw_joined(
        self, surface: pygame.Surface, camera: Camera, world: Any, watches: Sequence[tuple[int, Watch]], colour: RGB,
        fog: FogMask | None = None,
    ) -> None:  # fmt: skip
        """Draw the ground that several watchers see as one area with one outline.

        ``watches`` holds (id of the watcher, view). Single outlines of many would be a tangle. The area follows its
        watchers a few times a second.
        """
        zoom = WORK_ZOOM[camera.zoom]
        self._age += 1
        if self._age >= JOINED_FRAMES or self._joined is None or self._joined.zoom != zoom:
            cones = [self._cone(world, watch, zoom, False, fog, who)[0] for who, watch in watches]
            key = tuple(id(cone) for cone in cones)
            if self._joined is None or self._joined_of != key:
                self._joined, self._joined_of = joined_cone([cone for cone in cones if cone is not None]), key
            self._age = 0
        joined = self._joined
        if joined is None:
            return
        half = 0.5 / zoom - 0.5 / camera.zoom if camera.zoom > zoom else 0.0
        place = camera.to_screen(joined.left + half, joined.top + half)
        sheet = self._sheet(joined, (colour, "joined", camera.zoom), lambda: drawn_joined(joined, colour, camera.zoom))
        surface.blit(sheet, place)

    def _cone(
        self, world: Any, watch: Watch, zoom: int, full: bool, fog: FogMask | None, who: int
    ) -> tuple[Cone | None, Watch]:
        """Return the cone and the view that it was computed for.

        It is kept until the watcher moves or turns.
        """
        known = None
        if fog is not None:
            y0, x0 = max(int(watch.y - watch.reach) - 1, 0), max(int(watch.x - watch.reach) - 1, 0)
            side = int(2 * watch.reach) + 4
            known = fog.explored[y0 : y0 + side, x0 : x0 + side].tobytes()
        light = world.light.version if world.light.ambient < 1 else 0
        vision = world.settings.vision
        key = (
            watch.key, vision.line_of_sight, vision.shape, zoom, full, world.terrain.revision, light, known,
        )  # fmt: skip
        if key not in self._made:
            last = self._last.get((who, zoom, full)) if who >= 0 else None
            if last is not None and last[0] in self._made and not self._may_make(who):
                return self._made[last[0]], last[1]
            self._left -= 1
            self._made[key] = _make(world, watch, zoom, full, fog)
            if len(self._made) > KEPT:
                self._made.popitem(last=False)
        else:
            self._made.move_to_end(key)
        if who >= 0:
            self._last[who, zoom, full] = (key, watch)
        return self._made[key], watch

    def _may_make(self, who: int) -> bool:
        """Return whether this watcher's cone may be computed now; if not, it waits."""
        if who in self._turn or self._left > len(self._turn):
            if who in self._waiting:
                self._waiting.remove(who)
            return True
        if who not in self._waiting:
            self._waiting.append(who)
        return False

    def _sheet(self, cone: Cone, key: Any, make: Callable[[], pygame.Surface]) -> pygame.Surface:
        """Return a picture of the cone, kept with the cone.

        Of the meter's pictures only the last is kept.
        """
        if key not in cone.sheets:
            for old in [k for k in cone.sheets if k[0] == key[0] == "meter"]:
                del cone.sheets[old]
            cone.sheets[key] = make()
        return cone.sheets[key]


def _make(world: Any, watch: Watch, zoom: int, full: bool, fog: FogMask | None) -> Cone | None:
    """Return the cone's arrays, or None if nothing of it is visible."""
    bits = world.sight.bits
    if bits is None:
        return None
    x, y = watch.x, watch.y
    reach = min(watch.reach, MAX_REACH)
    opaque = world.terrain.opaque
    rule, shape = world.settings.vision.line_of_sight, world.settings.vision.shape
    if shape == "cone":
        # The sector of tiles is wider than the cone: the exact edges cut it, and the tiles cut it at walls.
        y0, x0, seen = sector_by(
            rule, bits, opaque, x, y, watch.head, min(watch.half_angle + 0.35, math.pi), min(reach + 1.2, MAX_REACH)
        )
        if seen.size:
            seen = seen & _found(world, watch, (y0, x0), seen.shape, 0)
    else:
        y0, x0, seen = _window(world, watch, 0)
    if seen.size == 0:
        return None
    seen = seen & (opaque[y0 : y0 + seen.shape[0], x0 : x0 + seen.shape[1]] == 0)
    if rule != "none":
        seen = _joined(seen, math.floor(y) - y0, math.floor(x) - x0)
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    if len(rows) == 0:
        return None
    # Crop to the seen tiles with a margin of one tile.
    r0, r1 = max(rows[0] - 1, 0), min(rows[-1] + 2, seen.shape[0])
    c0, c1 = max(columns[0] - 1, 0), min(columns[-1] + 2, seen.shape[1])
    seen = seen[r0:r1, c0:c1]
    y0, x0 = y0 + int(r0), x0 + int(c0)
    samples = max(zoom // 4, 2)
    inside = (smooth_up(np.pad(seen.astype(np.float32), 2), samples) - 0.42) * 1.3  # in tiles, approximately, as below
    h, w = inside.shape
    dy = ((np.arange(h, dtype=np.float32) + 0.5) / samples + np.float32(y0 - y))[:, None]
    dx = ((np.arange(w, dtype=np.float32) + 0.5) / samples + np.float32(x0 - x))[None, :]
    distance = np.sqrt(dx * dx + dy * dy)
    if shape == "cone":
        np.minimum(inside, reach - distance, out=inside)
    if shape != "cone":
        pass  # the edges of other shapes are those of their tiles
    elif watch.half_angle < math.pi / 2:
        for sign in (1.0, -1.0):
            a = watch.head + sign * watch.half_angle
            # Distance inside the edge; it is positive towards the axis.
            np.minimum(inside, (dx * math.sin(a) - dy * math.cos(a)) * np.float32(sign), out=inside)
    elif watch.half_angle < math.pi:
        off = np.abs((np.arctan2(dy, dx) - watch.head + math.pi) % math.tau - math.pi)
        np.minimum(inside, (watch.half_angle - off) * distance, out=inside)
    if rule != "none":
        _leave_slivers(inside, distance)
    up = zoom // samples
    crouched = _up(_crouched(world, watch, (y0, x0), seen, samples), up) if full else None
    explored = None
    if fog is not None:
        part = fog.explored[y0 : y0 + seen.shape[0], x0 : x0 + seen.shape[1]].astype(np.float32)
        if not part.all():
            share = smooth_up(np.pad(part, 2, mode="edge"), samples)
            explored = _up((np.clip((share - 0.35) / 0.4, 0, 1) * 255).astype(np.uint8), up)
    return Cone(
        x0 + 0.5 / samples - 0.5 / zoom, y0 + 0.5 / samples - 0.5 / zoom, zoom,
        _up(np.clip(inside * PX_PER_UNIT * 2 + 128, 0, 255).astype(np.uint8), up),
        (x, y), crouched, explored,
    )  # fmt: skip


def _joined(seen: np.ndarray, row: int, column: int) -> np.ndarray:
    """Return the tiles that are connected with the eye's tile.

    Tiles seen only through a far gap would show as separate islands.
    """
    from scipy.ndimage import label  # slow to import, and the first frame needs this module

    parts, _ = label(seen, np.ones((3, 3)))
    own: np.ndarray = parts == parts[row, column] if parts[row, column] else seen
    return own & seen


def _leave_slivers(inside: np.ndarray, distance: np.ndarray) -> None:
    """Remove parts that the exact edges cut off from the eye's part, in place."""
    from scipy.ndimage import label  # slow to import, and the first frame needs this module

    parts, count = label(inside > 0)
    own = parts[(distance < 1.0) & (parts > 0)]
    if count > 1 and len(own):
        np.minimum(inside, -1.0, out=inside, where=(parts > 0) & ~np.isin(parts, np.unique(own)))


def _window(world: Any, watch: Watch, stance: int) -> tuple[int, int, np.ndarray]:
    """Return (y0, x0, bool[h, w]).

    Tiles where a body of a stance is identified. The vision code of the watchers decides. The angle asked for is wider
    than the cone's, because the cone's edge is drawn exactly.
    """
    terrain, cone = world.terrain, world.settings.vision.shape == "cone"
    wy, wx, seconds = world.vision.seconds_to_identify(
        terrain.opaque, terrain.cover, watch.x, watch.y, watch.head, watch.reach,
        min(watch.half_angle + (0.35 if cone else 0.0), math.pi), stance,
        alert=watch.mood, light=world.light.level, low=world.low,
    )  # fmt: skip
    return wy, wx, np.isfinite(seconds)


def _found(world: Any, watch: Watch, corner: tuple[int, int], shape: tuple[int, ...], stance: int) -> np.ndarray:
    """Return bool tiles where a body is identified, with a ring beyond the range.

    Tiles are judged at their middle. The ring lets the exact arc at the end of the range cut them.
    """
    from scipy.ndimage import maximum_filter  # slow to import, and the first frame needs this module

    y0, x0 = corner
    wy, wx, found = _window(world, watch, stance)
    out = np.zeros(shape, bool)
    ay, ax = max(y0, wy), max(x0, wx)
    by, bx = min(y0 + shape[0], wy + found.shape[0]), min(x0 + shape[1], wx + found.shape[1])
    if ay < by and ax < bx:
        out[ay - y0 : by - y0, ax - x0 : bx - x0] = found[ay - wy : by - wy, ax - wx : bx - wx]
    dy = (np.arange(shape[0]) + y0 + 0.5 - watch.y)[:, None]
    dx = (np.arange(shape[1]) + x0 + 0.5 - watch.x)[None, :]
    beyond = dx * dx + dy * dy > watch.reach * watch.reach
    joined: np.ndarray = out | (beyond & maximum_filter(out, 3))
    return joined


def _crouched(world: Any, watch: Watch, corner: tuple[int, int], seen: np.ndarray, samples: int) -> np.ndarray:
    """Return uint8 samples: 128 or more where a crouching body is identified."""
    low = _found(world, watch, corner, seen.shape, 1).astype(np.float32)
    # Tiles outside the cone take the values of their neighbours, so that no hatch lies along its edge.
    from scipy.ndimage import maximum_filter

    low = np.where(seen, low, maximum_filter(low, 3))
    smooth = smooth_up(np.pad(low, 2, mode="edge"), samples)
    return np.clip((smooth - 0.5) * 255 + 128, 0, 255).astype(np.uint8)


def _up(values: np.ndarray, up: int) -> np.ndarray:
    """Enlarge uint8[h, w] smoothly by a factor.

    The result is uint8[(w - 1) * up, (h - 1) * up]. Pixel i is sample i / up, as pygame scales.
    """
    small = pygame.Surface(values.shape[::-1], 0, 24)
    pygame.surfarray.pixels_red(small)[:] = values.T
    big = (
        pygame.transform.smoothscale(small, ((values.shape[1] - 1) * up, (values.shape[0] - 1) * up))
        if up > 1
        else small
    )
    return np.array(pygame.surfarray.pixels_red(big))
