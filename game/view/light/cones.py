"""A guard's cone: the exact sector cut by the rounded outline of the tiles it sees.

Computed on the cone's own box at a quarter of the screen's size and only when guard, door or zoom changed; the tiles
come from the library's one rule of sight, and where a crouching body would be missed from its one rule of vision.
Hatched is where only who stands is seen; amber grows from the eye outwards as the watcher grows sure.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pygame

from ai.perception.sight.simple_sight import sector_by
from ai.perception.sight.view_cone import MAX_REACH
from game.view.light.fog import FogMask
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB
from game.view.painting.spline import smooth_up

KEPT = 64
MAKES_A_FRAME = 3
"""Cones worked out in one frame; of further watchers who have moved the last cone stands in until it is their turn."""
WORK_ZOOM = {4: 8, 8: 8, 12: 12, 16: 16, 24: 12, 32: 16, 48: 24, 64: 32}
"""At which size a cone is worked out for each zoom step; near ones at half of it and brought up."""
HATCH_PX = 9
_LONGEST = 1.2
"""Nested zones reach further than the watcher's range, by less than this factor."""
_PX_PER_UNIT = 64.0
"""Field values are distances inside the edge, 128 at the edge, this many to a tile."""


@dataclass(frozen=True)
class Watch:
    """The eyes of one watcher: place, gaze and angle in tiles and radians."""

    x: float
    y: float
    head: float
    half_angle: float
    reach: float
    mood: int = 0
    """How alert it is (0 relaxed, 1 alerted, 2 searching): who is alert looks over low walls at crouching heads."""

    @property
    def key(self) -> tuple[float, ...]:
        """What a cone is kept by."""
        eyes = round(self.half_angle, 3), self.reach, self.mood
        return round(self.x, 3), round(self.y, 3), round(self.head, 3), *eyes


@dataclass
class _Cone:
    """A cone at one zoom; ``left, top`` in tiles.  Arrays are [x, y] like surfaces."""

    left: float
    top: float
    zoom: int
    inside: np.ndarray
    """uint8: distance inside the edge."""
    from_eye: np.ndarray
    """uint8: distance from the eye, ``steps`` to a tile."""
    steps: float
    crouched: np.ndarray | None
    """uint8: 128 and more where a crouching body is seen too; None for an outline."""
    known: np.ndarray | None
    """uint8: 255 where the player's side has explored; None: everywhere."""
    sheets: dict[Any, pygame.Surface] = field(default_factory=dict)


class ConePainter:
    """Draws cones and keeps the last few."""

    def __init__(self) -> None:
        self._made: OrderedDict[Any, _Cone | None] = OrderedDict()
        self._last: dict[tuple[int, int, bool], tuple[Any, Watch]] = {}
        self._left = MAKES_A_FRAME
        self._turn: frozenset[int] = frozenset()
        self._waiting: list[int] = []
        """Watchers whose cone is stale, those that have waited longest first."""

    def begin(self) -> None:
        """A new frame: those who wait come first."""
        self._left = MAKES_A_FRAME
        self._turn = frozenset(self._waiting[:MAKES_A_FRAME])
        if len(self._waiting) > 64:
            self._waiting.clear()

    def draw(
        self, surface: pygame.Surface, camera: Camera, world: Any, watch: Watch, colour: RGB, *,
        at: tuple[float, float] | None = None, full: bool = True, fog: FogMask | None = None,
        amber: RGB | None = None, casing: RGB = (0, 0, 0), filled: float = 0.0, who: int = -1,
    ) -> None:  # fmt: skip
        """Draw one cone; ``at`` is where the figure is drawn between ticks, ``who`` the watcher's id.

        ``full`` fills and hatches it, else it is an outline.  With ``fog`` it ends where the side has never been.
        ``filled`` tiles from the eye are laid in ``amber``, their front in a ``casing``.
        """
        zoom = camera.zoom
        cone, watch = self._cone(world, watch, WORK_ZOOM[zoom], full, fog, who)
        if cone is None:
            return
        ox, oy = (at[0] - watch.x, at[1] - watch.y) if at is not None else (0.0, 0.0)
        # Bringing up takes the middle of the first pixel for its corner.
        half = 0.5 / cone.zoom - 0.5 / zoom if zoom > cone.zoom else 0.0
        place = camera.to_screen(cone.left + half + ox, cone.top + half + oy)
        sheet = self._sheet(cone, (colour, full, zoom), lambda: _drawn(cone, colour, full, zoom))
        surface.blit(sheet, place)
        if amber is not None and filled > 0:
            filled = max(round(filled * 12), 1) / 12
            key = ("amber", amber, filled, zoom)
            surface.blit(self._sheet(cone, key, lambda: _amber(cone, amber, casing, filled, zoom)), place)

    def _cone(
        self, world: Any, watch: Watch, zoom: int, full: bool, fog: FogMask | None, who: int
    ) -> tuple[_Cone | None, Watch]:
        """The cone, kept until its watcher moves or turns, and the eyes it was worked out for."""
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
        """Whether it is this watcher's turn; if not, it waits."""
        if who in self._turn or self._left > len(self._turn):
            if who in self._waiting:
                self._waiting.remove(who)
            return True
        if who not in self._waiting:
            self._waiting.append(who)
        return False

    def _sheet(self, cone: _Cone, key: Any, make: Callable[[], pygame.Surface]) -> pygame.Surface:
        """A picture of the cone, kept with it; of the amber only the last."""
        if key not in cone.sheets:
            for old in [k for k in cone.sheets if k[0] == key[0] == "amber"]:
                del cone.sheets[old]
            cone.sheets[key] = make()
        return cone.sheets[key]


def _make(world: Any, watch: Watch, zoom: int, full: bool, fog: FogMask | None) -> _Cone | None:
    """The cone's arrays, None when nothing of it shows."""
    bits = world.sight.bits
    if bits is None:
        return None
    x, y = watch.x, watch.y
    reach = min(watch.reach, MAX_REACH)
    opaque = world.terrain.opaque
    rule, shape = world.settings.vision.line_of_sight, world.settings.vision.shape
    if shape == "cone":
        # A wider sector of tiles than the cone itself: the exact edges cut it, the tiles cut what walls hide.
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
    # Only the tiles that are seen, and one more all round.
    r0, r1 = max(rows[0] - 1, 0), min(rows[-1] + 2, seen.shape[0])
    c0, c1 = max(columns[0] - 1, 0), min(columns[-1] + 2, seen.shape[1])
    seen = seen[r0:r1, c0:c1]
    y0, x0 = y0 + int(r0), x0 + int(c0)
    samples = max(zoom // 4, 2)
    inside = (smooth_up(np.pad(seen.astype(np.float32), 2), samples) - 0.42) * 1.3  # about tiles, as below
    h, w = inside.shape
    dy = ((np.arange(h, dtype=np.float32) + 0.5) / samples + np.float32(y0 - y))[:, None]
    dx = ((np.arange(w, dtype=np.float32) + 0.5) / samples + np.float32(x0 - x))[None, :]
    distance = np.sqrt(dx * dx + dy * dy)
    if shape == "cone":
        np.minimum(inside, reach - distance, out=inside)
    if shape != "cone":
        pass  # its edges are those of its tiles
    elif watch.half_angle < math.pi / 2:
        for sign in (1.0, -1.0):
            a = watch.head + sign * watch.half_angle
            # Distance inside the edge: positive towards the axis.
            np.minimum(inside, (dx * math.sin(a) - dy * math.cos(a)) * np.float32(sign), out=inside)
    elif watch.half_angle < math.pi:
        off = np.abs((np.arctan2(dy, dx) - watch.head + math.pi) % math.tau - math.pi)
        np.minimum(inside, (watch.half_angle - off) * distance, out=inside)
    if rule != "none":
        _leave_slivers(inside, distance)
    up = zoom // samples
    steps = 255 / (reach * (1.0 if shape == "cone" else _LONGEST) + 1)
    crouched = _up(_crouched(world, watch, (y0, x0), seen, samples), up) if full else None
    explored = None
    if fog is not None:
        part = fog.explored[y0 : y0 + seen.shape[0], x0 : x0 + seen.shape[1]].astype(np.float32)
        if not part.all():
            share = smooth_up(np.pad(part, 2, mode="edge"), samples)
            explored = _up((np.clip((share - 0.35) / 0.4, 0, 1) * 255).astype(np.uint8), up)
    return _Cone(
        x0 + 0.5 / samples - 0.5 / zoom, y0 + 0.5 / samples - 0.5 / zoom, zoom,
        _up(np.clip(inside * _PX_PER_UNIT * 2 + 128, 0, 255).astype(np.uint8), up),
        _up(np.minimum(distance * steps, 255).astype(np.uint8), up), steps, crouched, explored,
    )  # fmt: skip


def _joined(seen: np.ndarray, row: int, column: int) -> np.ndarray:
    """The tiles that are joined to the eye: what shows through a far gap alone would be a stray island."""
    from scipy.ndimage import label  # slow to import, and the first frame needs this module

    parts, _ = label(seen, np.ones((3, 3)))
    own: np.ndarray = parts == parts[row, column] if parts[row, column] else seen
    return own & seen


def _leave_slivers(inside: np.ndarray, distance: np.ndarray) -> None:
    """Put out what the exact edges have cut off from the part at the eye, in place."""
    from scipy.ndimage import label  # slow to import, and the first frame needs this module

    parts, count = label(inside > 0)
    own = parts[(distance < 1.0) & (parts > 0)]
    if count > 1 and len(own):
        np.minimum(inside, -1.0, out=inside, where=(parts > 0) & ~np.isin(parts, np.unique(own)))


def _window(world: Any, watch: Watch, stance: int) -> tuple[int, int, np.ndarray]:
    """(y0, x0, bool[h, w]): tiles where the watchers' own code would identify a body of that stance.

    A cone is asked for a wider angle than it has, because its edge is drawn exactly.
    """
    terrain, cone = world.terrain, world.settings.vision.shape == "cone"
    wy, wx, seconds = world.vision.seconds_to_identify(
        terrain.opaque, terrain.cover, watch.x, watch.y, watch.head, watch.reach,
        min(watch.half_angle + (0.35 if cone else 0.0), math.pi), stance,
        alert=watch.mood, light=world.light.level, low=world.low,
    )  # fmt: skip
    return wy, wx, np.isfinite(seconds)


def _found(world: Any, watch: Watch, corner: tuple[int, int], shape: tuple[int, ...], stance: int) -> np.ndarray:
    """bool tiles of a window: where a body of that stance would be identified, and one ring beyond the range.

    Tiles are judged at their middle; the ring lets the exact arc at the end of the range cut them.
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
    """uint8 samples: 128 and more where a crouching body would be identified as well."""
    low = _found(world, watch, corner, seen.shape, 1).astype(np.float32)
    # Tiles outside the cone go with their neighbours, so that no hatch rims it.
    from scipy.ndimage import maximum_filter

    low = np.where(seen, low, maximum_filter(low, 3))
    smooth = smooth_up(np.pad(low, 2, mode="edge"), samples)
    return np.clip((smooth - 0.5) * 255 + 128, 0, 255).astype(np.uint8)


def _up(values: np.ndarray, up: int) -> np.ndarray:
    """uint8[h, w] -> uint8[(w - 1) * up, (h - 1) * up], smooth; pixel i is sample i / up, as pygame scales."""
    small = pygame.Surface(values.shape[::-1], 0, 24)
    pygame.surfarray.pixels_red(small)[:] = values.T
    big = (
        pygame.transform.smoothscale(small, ((values.shape[1] - 1) * up, (values.shape[0] - 1) * up))
        if up > 1
        else small
    )
    return np.array(pygame.surfarray.pixels_red(big))


def _finished(cone: _Cone, sheet: pygame.Surface, alpha: np.ndarray, zoom: int) -> pygame.Surface:
    """The sheet with its alpha where the side has been, as large as the screen needs it."""
    if cone.known is not None:
        alpha = (alpha.astype(np.uint16) * cone.known // 255).astype(np.uint8)
    pygame.surfarray.pixels_alpha(sheet)[:] = alpha
    share = zoom / cone.zoom
    if share == 1:
        return sheet
    w, h = (n - 1 if share > 1 else n for n in alpha.shape)
    size = (max(1, round(w * share)), max(1, round(h * share)))
    return pygame.transform.smoothscale(sheet, size)


def _drawn(cone: _Cone, colour: RGB, full: bool, zoom: int) -> pygame.Surface:
    """The cone in one colour: a firm line at the edge; in full a fifth of fill, and hatch where crouching hides."""
    px = (np.arange(256) - 128) / (_PX_PER_UNIT * 2) * zoom  # px inside the edge
    line = np.clip(2.0 - np.abs(px - 1.4), 0, 1) * (1.0 if full else 0.8)
    body = np.clip(px, 0, 1) * (0.2 if full else 0.04)
    alpha = (np.maximum(line, body) * 255).astype(np.uint8)[cone.inside]
    if cone.crouched is not None and full:
        hidden = (cone.crouched < 128) & (cone.inside > 128 + 8)
        if hidden.any():
            stripe = hidden & _stripes(cone, max(round(HATCH_PX * cone.zoom / zoom), 4))
            edge = hidden & (cone.crouched > 128 - max(2, 510 // cone.zoom))
            np.copyto(alpha, alpha // 2, where=hidden)
            alpha[stripe] = 130
            alpha[edge] = 150
    sheet = pygame.Surface(alpha.shape, pygame.SRCALPHA)
    sheet.fill((*colour, 0))
    return _finished(cone, sheet, alpha, zoom)


def _stripes(cone: _Cone, period: int) -> np.ndarray:
    """bool: slanted lines fixed to the map, so that they stand while the guard turns."""
    w, h = cone.inside.shape
    first = round(cone.left * cone.zoom) + round(cone.top * cone.zoom)
    along = (np.arange(first, first + w + h - 1) % period) < max(period // 4, 1)
    return np.lib.stride_tricks.sliding_window_view(along, h)[:w]


def _amber(cone: _Cone, amber: RGB, casing: RGB, filled: float, zoom: int) -> pygame.Surface:
    """The part of the cone within ``filled`` tiles of the eye, its front a firm line in an ink casing."""
    behind = (filled - np.arange(256) / cone.steps) * zoom  # px behind the front
    line = np.clip(1.8 - np.abs(behind - 1.6), 0, 1)
    edge = np.clip(1.6 - np.abs(behind + 0.8), 0, 1) * 0.8
    alpha = (np.maximum(np.maximum(line, edge), np.clip(behind, 0, 1) * 0.4) * 255).astype(np.uint8)[cone.from_eye]
    alpha[cone.inside <= 128] = 0
    sheet = pygame.Surface(alpha.shape, pygame.SRCALPHA)
    sheet.fill((*amber, 0))
    pygame.surfarray.pixels3d(sheet)[(edge > line)[cone.from_eye]] = casing
    return _finished(cone, sheet, alpha, zoom)
