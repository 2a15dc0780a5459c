"""Fog of war: unexplored is misty paper, explored is ink without colour, visible is full wash.

Two masks of one value a tile fade towards what the side sees in 200 ms.  They are smoothed up to a quarter of the
screen by a cubic B-spline, roughened by noise and cut by a smoothstep.  Only cells (about 128 px square) that the
frontier crosses are blended, and only when their piece of the mask has changed; all others are plain blits.  The noise
drifts slowly: a cell a frame follows it, the one that has stood longest.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pygame

from game.view.camera import Camera
from game.view.noise import seamless_noise, washed_paper
from game.view.palette import RGB, Palette

FADE_MS = 200
VISIBLE_STEP = (0.26, 0.62)
EXPLORED_STEP = (0.24, 0.70)
ROUGHNESS = 0.22
KEPT_CELLS = 700
CELLS_A_FRAME = 8
"""Cells blended again in a frame; the others keep their last picture for a frame or two."""
UPDATE_MS = 45
DRIFT_A_SECOND = 1.2
"""Of the frontier's noise, in samples of an eighth of a tile: a seventh of a tile a second."""
DRIFT_STEP = 0.3
DRIFTING_CELLS = 1
"""Cells a frame that follow the drift; each is a pixel behind or ahead of its neighbours at most."""
_CELL_PX = 128


class Ground(Protocol):
    """What assembles the ground: surfaces of square chunks in three looks at every zoom step."""

    def chunk_tiles(self, zoom: int) -> int:
        """Tiles along a side of a chunk at a zoom step."""
        ...

    def ready(self, zoom: int, row: int, column: int) -> bool:
        """Whether a chunk is what it will stay, so that what is made of it may be kept."""
        ...

    def chunk(self, look: str, zoom: int, row: int, column: int) -> pygame.Surface:
        """The chunk whose first tile is ``row * chunk_tiles, column * chunk_tiles``; look full, explored or lab."""
        ...


class FogMask:
    """What a side sees, per tile, faded over time.  ``version`` grows with every change."""

    def __init__(self, height: int, width: int, opaque: np.ndarray) -> None:
        self.opaque = opaque.astype(bool)
        self.visible = np.zeros((height, width), bool)
        self.explored = np.zeros((height, width), bool)
        self.shown_visible = np.zeros((height, width), np.float32)
        self.shown_explored = np.zeros((height, width), np.float32)
        self.version = 0
        self._settled = True
        self._due = 0

    def set_target(self, visible: np.ndarray, explored: np.ndarray, at_once: bool = False) -> None:
        """The side now sees ``visible`` and has seen ``explored`` (bool[H, W])."""
        # What blocks sight is seen as one through its thickness; else every wall wears a half-fogged stripe.
        through = visible | self._through(visible)
        explored = explored | self._through(explored)
        if not at_once and np.array_equal(through, self.visible) and np.array_equal(explored, self.explored):
            return
        self.visible = through
        self.explored = explored | through | self.explored if not at_once else explored | through
        self._settled = False
        if at_once:
            self.update(FADE_MS * 10)

    def _through(self, seen: np.ndarray) -> np.ndarray:
        """The opaque tiles up to two behind those that are seen."""
        from scipy.ndimage import binary_dilation  # slow to import, and the first frame needs this module

        return np.asarray(binary_dilation(seen & self.opaque, np.ones((3, 3)), 2, self.opaque))

    def update(self, dt_ms: int) -> None:
        """Fade on by real time, about twenty times a second."""
        if self._settled:
            return
        self._due += dt_ms
        if self._due < UPDATE_MS:
            return
        step = self._due / FADE_MS
        self._due = 0
        for shown, target in ((self.shown_visible, self.visible), (self.shown_explored, self.explored)):
            np.clip(target, shown - step, shown + step, out=shown)
        self.version += 1
        self._settled = bool(
            (self.shown_visible == self.visible).all() and (self.shown_explored == self.explored).all()
        )


def _spline_rows(values: np.ndarray, samples: int) -> np.ndarray:
    """float32[n + 4, m] -> float32[n * samples, m]: cubic B-spline along the rows, phase by phase.

    Not a matrix product: on a busy machine the threads of the linear algebra library wait for each other.
    """
    n = values.shape[0] - 4
    out = np.empty((n, samples, values.shape[1]), np.float32)
    for j in range(samples):
        at = (j + 0.5) / samples + 1.5
        first = int(at)
        t = np.float32(at - first)
        u = np.float32(1) - t
        weights = (u * u * u, 3 * t * t * t - 6 * t * t + 4, 3 * u * u * u - 6 * u * u + 4, t * t * t)
        total = values[first - 1 : first - 1 + n] * (weights[0] / np.float32(6))
        for k in (1, 2, 3):
            total += values[first - 1 + k : first - 1 + k + n] * (weights[k] / np.float32(6))
        out[:, j] = total
    return out.reshape(n * samples, -1)


def smooth_up(tiles: np.ndarray, samples: int) -> np.ndarray:
    """float32[h + 4, w + 4] of tile values -> float32[h * samples, w * samples], smooth."""
    down = _spline_rows(np.ascontiguousarray(tiles, np.float32), samples)
    return np.ascontiguousarray(_spline_rows(np.ascontiguousarray(down.T), samples).T)


def _extremes(mask: np.ndarray, side: int, rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Least and greatest value of each cell's piece with its skirt, uint8[rows, columns] each."""
    found = []
    for reduce in (np.minimum, np.maximum):
        part = mask
        for axis, count in ((0, rows), (1, columns)):
            starts = np.arange(count) * side
            pairs = np.stack([starts, starts + side + 2], axis=1).reshape(-1)[:-1]
            part = reduce.reduceat(part, pairs, axis=axis).take(np.arange(count) * 2, axis=axis)
        found.append(part)
    return found[0], found[1]


def _smoothstep(values: np.ndarray, low: float, high: float) -> np.ndarray:
    t = np.clip((values - low) * (1 / (high - low)), 0, 1)
    return (t * t * (3 - 2 * t) * 255 + 0.5).astype(np.uint8)


@dataclass
class _Cell:
    """A blended cell: what it was made of, its picture, and where the noise stood."""

    stamp: Any
    picture: pygame.Surface
    drift: float


class FogPainter:
    """Draws ground and fog together."""

    def __init__(self, palette: Palette, darkness: RGB | None = None) -> None:
        self.mist = washed_paper(palette["mist"], 5)
        if darkness is not None:
            self.mist.fill(darkness, special_flags=pygame.BLEND_RGB_MULT)
        self._noise = (seamless_noise(512, 29, 3) * 0.7 + seamless_noise(512, 67, 4) * 0.3).astype(np.float32)
        self._cells: OrderedDict[tuple[int, int, int], _Cell] = OrderedDict()
        self.drift = 0.0
        """How far the noise of the frontier has moved, in its own samples of an eighth of a tile."""
        self._key: Any = None
        self._masks: tuple[np.ndarray, ...] | None = None
        self.budget = CELLS_A_FRAME

    def forget(self) -> None:
        """The ground has changed: blend all cells anew."""
        self._cells.clear()

    def move(self, dt_ms: int) -> None:
        """Let the frontier drift for a moment of real time."""
        self.drift += dt_ms * DRIFT_A_SECOND / 1000

    def draw(self, surface: pygame.Surface, camera: Camera, ground: Ground, fog: FogMask | None, look: str) -> None:
        """Draw what the camera shows; without ``fog`` everything in ``look``."""
        zoom = camera.zoom
        chunk_tiles = ground.chunk_tiles(zoom)
        left, top = camera.origin
        y0, x0, y1, x1 = camera.visible_tiles()
        if left < 0 or top < 0 or y1 * zoom - top < camera.height or x1 * zoom - left < camera.width:
            self._blit_mist(surface, surface.get_rect(), left, top)
        if y0 >= y1 or x0 >= x1:
            return
        if fog is None:
            side = chunk_tiles * zoom
            for row in range(y0 // chunk_tiles, (y1 - 1) // chunk_tiles + 1):
                for column in range(x0 // chunk_tiles, (x1 - 1) // chunk_tiles + 1):
                    chunk = ground.chunk(look, zoom, row, column)
                    surface.blit(chunk, (column * side - left, row * side - top))
            return
        cell = chunk_tiles
        while cell % 2 == 0 and cell * zoom > _CELL_PX:
            cell //= 2
        self._draw_cells(surface, camera, ground, fog, cell, chunk_tiles, look)

    def _draw_cells(
        self, surface: pygame.Surface, camera: Camera, ground: Ground, fog: FogMask, cell: int, chunk_tiles: int,
        seen: str,
    ) -> None:  # fmt: skip
        zoom = camera.zoom
        left, top = camera.origin
        y0, x0, y1, x1 = camera.visible_tiles()
        rows = range(y0 // cell, (y1 - 1) // cell + 1)
        columns = range(x0 // cell, (x1 - 1) // cell + 1)
        samples = max(zoom // 4, 1)
        visible, explored, v_least, v_most, e_least, e_most = self._sampled(fog, rows, columns, cell, samples)
        height, width = fog.visible.shape
        side = cell * samples
        left_to_blend = self.budget
        oldest: list[tuple[float, tuple[int, int, int]]] = []
        for i, row in enumerate(rows):
            for j, column in enumerate(columns):
                tiles_w, tiles_h = min(cell, width - column * cell), min(cell, height - row * cell)
                to = (column * cell * zoom - left, row * cell * zoom - top)
                size = (tiles_w * zoom, tiles_h * zoom)
                v_low, v_high, e_low, e_high = v_least[i, j], v_most[i, j], e_least[i, j], e_most[i, j]
                if v_high == 0 and e_high == 0:
                    self._blit_mist(surface, pygame.Rect(to, size), left, top)
                elif v_low == 255 or (v_high == 0 and e_low == 255):
                    look = seen if v_low == 255 else "explored"
                    surface.blit(_piece(ground, look, zoom, row, column, cell, chunk_tiles, size), to)
                else:
                    # One sample of skirt all round, so that neighbouring cells join.
                    v = visible[i * side : (i + 1) * side + 2, j * side : (j + 1) * side + 2]
                    e = explored[i * side : (i + 1) * side + 2, j * side : (j + 1) * side + 2]
                    key = (zoom, row, column)
                    known = self._cells.get(key)
                    stamp: Any = (seen, v.tobytes(), e.tobytes())
                    if known is None or (left_to_blend > 0 and (known.stamp is None or known.stamp != stamp)):
                        left_to_blend -= 1
                        at = (row * side - 1, column * side - 1)
                        v, e = (self._cut(m, at, samples, step) for m, step in ((v, VISIBLE_STEP), (e, EXPLORED_STEP)))
                        made = self._blend(ground, zoom, row, column, cell, chunk_tiles, size, v, e, seen)
                        if not ground.ready(zoom, row * cell // chunk_tiles, column * cell // chunk_tiles):
                            stamp = None
                        self._cells[key] = known = _Cell(stamp, made, self.drift)
                        if len(self._cells) > KEPT_CELLS:
                            self._cells.popitem(last=False)
                    elif self.drift - known.drift >= DRIFT_STEP:
                        oldest.append((known.drift, key))
                    surface.blit(known.picture, to)
        # The frontier drifts a few cells a frame, those that have stood longest first.
        oldest.sort()
        for _, key in oldest[:DRIFTING_CELLS]:
            self._cells[key].stamp = None

    def _cut(self, smooth: np.ndarray, at: tuple[int, int], samples: int, bounds: tuple[float, float]) -> np.ndarray:
        """A piece of a smooth mask, its first sample at ``at``, roughened by the drifting noise and cut."""
        s = smooth.astype(np.float32) * np.float32(1 / 255)
        step = 8 / samples
        whole, part = divmod(self.drift, 1.0)
        rows = (np.arange(at[0], at[0] + s.shape[0]) * step).astype(np.int64) % 512
        columns = ((np.arange(at[1], at[1] + s.shape[1]) * step).astype(np.int64) + int(whole)) % 512
        rough = self._noise[np.ix_(rows, columns)] * np.float32(1 - part)
        rough += self._noise[np.ix_(rows, (columns + 1) % 512)] * np.float32(part)
        # Noise moves the frontier; it must not make holes where all is seen or spots where nothing is.
        s += rough * (ROUGHNESS * 4 * s * (1 - s))
        return _smoothstep(s, *bounds)

    def _sampled(self, fog: FogMask, rows: range, columns: range, cell: int, samples: int) -> tuple[np.ndarray, ...]:
        """Both masks smoothed for whole cells with one sample of skirt, uint8[h * samples + 2, w * samples + 2], and
        for each cell of either the least and greatest value that noise and cut can give it."""
        key = (fog, fog.version, rows, columns, cell, samples)
        if key == self._key and self._masks is not None:
            return self._masks
        y0, x0 = rows.start * cell - 1, columns.start * cell - 1
        h, w = len(rows) * cell + 2, len(columns) * cell + 2
        made = []
        extremes = []
        for shown, bounds in ((fog.shown_visible, VISIBLE_STEP), (fog.shown_explored, EXPLORED_STEP)):
            ys = np.clip(np.arange(y0 - 2, y0 + h + 2), 0, shown.shape[0] - 1)
            xs = np.clip(np.arange(x0 - 2, x0 + w + 2), 0, shown.shape[1] - 1)
            smooth = smooth_up(shown[np.ix_(ys, xs)], samples)
            cut = samples - 1
            mask = (np.clip(smooth[cut : -cut or None, cut : -cut or None], 0, 1) * 255 + 0.5).astype(np.uint8)
            made.append(np.ascontiguousarray(mask))
            for value, sign in zip(_extremes(mask, cell * samples, len(rows), len(columns)), (-1, 1), strict=True):
                s = value.astype(np.float32) / 255
                extremes.append(_smoothstep(s + sign * (ROUGHNESS * 4 * s * (1 - s)), *bounds))
        self._key, self._masks = key, (*made, *extremes)
        return self._masks

    def _blend(
        self, ground: Ground, zoom: int, row: int, column: int, cell: int, chunk_tiles: int, size: tuple[int, int],
        visible: np.ndarray, explored: np.ndarray, seen: str,
    ) -> pygame.Surface:  # fmt: skip
        out = pygame.Surface(size)
        if int(explored.min()) < 255:
            self._blit_mist(out, out.get_rect(), column * cell * zoom, row * cell * zoom, world=True)
        for look, mask in (("explored", explored), (seen, visible)):
            if int(mask.max()) == 0:
                continue
            piece = _piece(ground, look, zoom, row, column, cell, chunk_tiles, size)
            if int(mask.min()) == 255:
                out.blit(piece, (0, 0))
                continue
            layer = pygame.Surface(size, pygame.SRCALPHA)
            layer.blit(piece, (0, 0))
            layer.blit(_alpha_sheet(mask), (-4, -4), special_flags=pygame.BLEND_RGBA_MULT)
            out.blit(layer, (0, 0))
        return out

    def _blit_mist(self, surface: pygame.Surface, rect: pygame.Rect, left: int, top: int, world: bool = False) -> None:
        """Fill ``rect`` with the mist sheet, which is fixed to the map."""
        side = self.mist.get_width()
        ox, oy = (left, top) if world else (rect.x + left, rect.y + top)
        clip = surface.get_clip()
        surface.set_clip(rect.clip(clip))
        for y in range(rect.y - oy % side, rect.bottom, side):
            for x in range(rect.x - ox % side, rect.right, side):
                surface.blit(self.mist, (x, y))
        surface.set_clip(clip)


def _alpha_sheet(mask: np.ndarray) -> pygame.Surface:
    """A white sheet four times the mask's size whose alpha is the mask, smoothed."""
    small = pygame.Surface((mask.shape[1], mask.shape[0]), pygame.SRCALPHA)
    small.fill((255, 255, 255, 0))
    pygame.surfarray.pixels_alpha(small)[:] = mask.T
    return pygame.transform.smoothscale(small, (mask.shape[1] * 4, mask.shape[0] * 4))


def _piece(
    ground: Ground, look: str, zoom: int, row: int, column: int, cell: int, chunk_tiles: int, size: tuple[int, int]
) -> pygame.Surface:
    """The part of a chunk that is one cell."""
    y, x = row * cell, column * cell
    chunk = ground.chunk(look, zoom, y // chunk_tiles, x // chunk_tiles)
    rect = pygame.Rect(x % chunk_tiles * zoom, y % chunk_tiles * zoom, *size)
    return chunk.subsurface(rect.clip(chunk.get_rect()))
