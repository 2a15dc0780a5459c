"""Fog of war: mist on unexplored ground, ink without colour on explored ground.

Visible ground has its full wash. Two masks of one value a tile are enlarged by a cubic B-spline to a quarter of the
screen's size. Noise roughens them and a smoothstep cuts them. Only cells (at most about 128 px square) that the
frontier crosses are blended, and only when their part of the mask has changed. The other cells are copied. The noise
drifts slowly; each frame blends the one cell again whose noise is oldest. While the camera rests, the whole picture is
kept and only the changed cells are drawn.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import pygame

from game.view.light.fog import UPDATE_MS, FogMask
from game.view.painting.camera import Camera
from game.view.painting.noise_textures import seamless_noise, washed_paper
from game.view.painting.palette import RGB, Palette
from game.view.painting.spline import smooth_up

VISIBLE_STEP = (0.26, 0.62)
EXPLORED_STEP = (0.24, 0.70)
ROUGHNESS = 0.22
KEPT_CELLS = 700
CELLS_A_FRAME = 12
"""Largest number of cells blended again in a frame.

A frame blends fewer if all are done before the next change of the masks. So neighbours show different moments for that
time at most.
"""
LEAST_CELLS = 3
SMOOTHING = 4
"""Cells that cost as much as smoothing the masks.

The frame that smooths them blends so many fewer.
"""
DRIFT_A_SECOND = 1.2
"""Drift of the frontier's noise in samples per second.

A sample is an eighth of a tile.
"""
DRIFT_STEP = 0.3
_CELL_PX = 128


class GroundSource(Protocol):
    """Source of ground: surfaces of square chunks in three looks at each zoom step."""

    def chunk_tiles(self, zoom: int) -> int:
        """Return the tiles along a side of a chunk at a zoom step."""
        ...

    def ready(self, zoom: int, row: int, column: int) -> bool:
        """Return whether a chunk is final; then pictures made of it may be kept."""
        ...

    def chunk(self, look: str, zoom: int, row: int, column: int) -> pygame.Surface:
        """Return the chunk whose first tile is ``row * chunk_tiles, column * chunk_tiles``.

        ``look`` is full, explored or lab.
        """
        ...


def _extremes(mask: np.ndarray, side: int, rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Return least and greatest value of each cell with its margin, uint8[rows, columns]."""
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
    t = np.minimum(np.maximum((values - np.float32(low)) * np.float32(1 / (high - low)), 0), 1)
    return (t * t * (3 - 2 * t) * 255 + 0.5).astype(np.uint8)


@dataclass
class _Cell:
    """Blended cell: stamp of its sources, picture, and drift of the noise."""

    stamp: Any
    picture: pygame.Surface
    drift: float


class _Grid(NamedTuple):
    """Cells that a camera shows."""

    zoom: int
    left: int
    top: int
    cell: int
    """Tiles along a side of a cell."""
    chunk_tiles: int
    samples: int
    """Samples of the masks along a tile."""
    rows: range
    columns: range
    seen: str
    """Look of visible ground."""

    def place(self, row: int, column: int) -> tuple[int, int]:
        """Return the pixel of a cell's corner on the screen."""
        return column * self.cell * self.zoom - self.left, row * self.cell * self.zoom - self.top


@dataclass
class _Plane:
    """Smoothed mask of visible or explored tiles, and its tile values."""

    place: tuple[Any, ...]
    shown: np.ndarray
    mask: np.ndarray
    extremes: list[np.ndarray]


class FogPainter:
    """Draws ground and fog together."""

    def __init__(self, palette: Palette, darkness: RGB | None = None) -> None:
        self.mist = washed_paper(palette["mist"], 5)
        if darkness is not None:
            self.mist.fill(darkness, special_flags=pygame.BLEND_RGB_MULT)
        self._noise = (seamless_noise(512, 29, 3) * 0.7 + seamless_noise(512, 67, 4) * 0.3).astype(np.float32)
        self._cells: OrderedDict[tuple[int, int, int], _Cell] = OrderedDict()
        self._tiles: dict[int, int] = {}
        """Tiles along a side of a cell, by zoom."""
        self.drift = 0.0
        """Drift of the frontier's noise, in samples of an eighth of a tile."""
        self._key: Any = None
        self._masks: tuple[np.ndarray, ...] | None = None
        self._planes: dict[int, _Plane] = {}
        """The last mask of visible tiles, 0, and of explored ones, 1."""
        self.budget = CELLS_A_FRAME
        self.frame_ms = 16
        """Duration of a frame in milliseconds."""
        self._share = LEAST_CELLS
        self._scratches: dict[tuple[int, int, str], pygame.Surface] = {}
        self._frame: pygame.Surface | None = None
        self._frame_key: Any = None
        self._version = -1
        self._shown: dict[tuple[int, int], Any] = {}
        """Stamp of each cell in the kept picture."""
        self._pending: dict[tuple[int, int], Any] = {}
        """Cells to be blended again, the longest waiting first."""

    def forget(self, boxes: Iterable[tuple[int, int, int, int]]) -> None:
        """Blend cells in or beside changed boxes of tiles again.

        A box is (y0, x0, y1, x1).
        """
        for y0, x0, y1, x1 in boxes:
            for key in list(self._cells):
                n, (_, row, column) = self._tiles[key[0]], key
                if y0 - 2 < (row + 1) * n and row * n < y1 + 2 and x0 - 2 < (column + 1) * n and column * n < x1 + 2:
                    del self._cells[key]
        self._frame_key = None

    def move(self, dt_ms: int) -> None:
        """Move the noise of the frontier by a time step of real time."""
        self.drift += dt_ms * DRIFT_A_SECOND / 1000

    def draw(
        self, surface: pygame.Surface, camera: Camera, ground: GroundSource, fog: FogMask | None, look: str
    ) -> None:
        """Draw the tiles that the camera shows; without ``fog`` all of them in ``look``."""
        zoom = camera.zoom
        chunk_tiles = ground.chunk_tiles(zoom)
        left, top = camera.origin
        y0, x0, y1, x1 = camera.visible_tiles()
        if fog is None or y0 >= y1 or x0 >= x1:
            self._frame_key = None
            self._blit_beyond(surface, camera)
            side = chunk_tiles * zoom
            # A chunk at the map's edge is larger than the rest of the map; mist lies beyond the map.
            clip = surface.get_clip()
            shown = pygame.Rect(x0 * zoom - left, y0 * zoom - top, (x1 - x0) * zoom, (y1 - y0) * zoom)
            surface.set_clip(shown.clip(clip))
            for row in range(y0 // chunk_tiles, (y1 - 1) // chunk_tiles + 1):
                for column in range(x0 // chunk_tiles, (x1 - 1) // chunk_tiles + 1):
                    chunk = ground.chunk(look, zoom, row, column)
                    surface.blit(chunk, (column * side - left, row * side - top))
            surface.set_clip(clip)
            return
        cell = chunk_tiles
        while cell % 2 == 0 and cell * zoom > _CELL_PX:
            cell //= 2
        self._tiles[zoom] = cell
        rows, columns = range(y0 // cell, (y1 - 1) // cell + 1), range(x0 // cell, (x1 - 1) // cell + 1)
        grid = _Grid(zoom, left, top, cell, chunk_tiles, max(zoom // 4, 1), rows, columns, look)
        key = (grid, surface.get_size(), fog)
        moved = key != self._frame_key or self._frame is None
        if moved:
            if self._frame is None or self._frame.get_size() != surface.get_size():
                self._frame = pygame.Surface(surface.get_size())
            self._blit_beyond(self._frame, camera)
            self._shown, self._pending, self._version = {}, {}, -1
            self._frame_key = key
        assert self._frame is not None
        self._compose(self._frame, grid, ground, fog)
        surface.blit(self._frame, (0, 0))

    def _blit_beyond(self, surface: pygame.Surface, camera: Camera) -> None:
        """Draw mist where the window is larger than the map."""
        left, top = camera.origin
        _, _, y1, x1 = camera.visible_tiles()
        if left < 0 or top < 0 or y1 * camera.zoom - top < camera.height or x1 * camera.zoom - left < camera.width:
            self._blit_mist(surface, surface.get_rect(), left, top)

    def _compose(self, frame: pygame.Surface, grid: _Grid, ground: GroundSource, fog: FogMask) -> None:
        """Update the kept picture: plain cells at once, blended ones within the budget."""
        visible, explored, *extremes = self._sampled(fog, grid.rows, grid.columns, grid.cell, grid.samples)
        share = self._share
        if fog.version != self._version:
            self._version = fog.version
            self._look_over(frame, grid, ground, fog, visible, explored, extremes)
            frames = max(1, min(3, -(-UPDATE_MS // max(self.frame_ms, 1))))
            self._share = max(LEAST_CELLS, -(-(len(self._pending) + SMOOTHING) // frames))
            share = max(LEAST_CELLS, self._share - SMOOTHING)
        self._let_drift(grid)
        side = grid.cell * grid.samples
        for place in list(self._pending)[: min(share, self.budget)]:
            stamp = self._pending.pop(place)
            i, j = place[0] - grid.rows.start, place[1] - grid.columns.start
            at = np.s_[i * side : (i + 1) * side + 2, j * side : (j + 1) * side + 2]
            self._blend_cell(frame, grid, ground, fog, place, stamp, visible[at], explored[at])

    def _look_over(
        self, frame: pygame.Surface, grid: _Grid, ground: GroundSource, fog: FogMask, visible: np.ndarray,
        explored: np.ndarray, extremes: list[np.ndarray],
    ) -> None:  # fmt: skip
        """Draw plain cells that have changed, and queue the blended ones."""
        v_least, v_most, e_least, e_most = (plane.tolist() for plane in extremes)
        side = grid.cell * grid.samples
        for i, row in enumerate(grid.rows):
            for j, column in enumerate(grid.columns):
                place = (row, column)
                if v_least[i][j] == 255:
                    stamp: Any = grid.seen
                elif v_most[i][j] == 0 and e_least[i][j] == 255:
                    stamp = "explored"
                elif v_most[i][j] == 0 and e_most[i][j] == 0:
                    stamp = "mist"
                else:
                    # The margin of one sample makes neighbouring cells join.
                    at = np.s_[i * side : (i + 1) * side + 2, j * side : (j + 1) * side + 2]
                    stamp = (grid.seen, visible[at].tobytes(), explored[at].tobytes())
                    if self._shown.get(place) == stamp:
                        self._pending.pop(place, None)
                        continue
                    known = self._cells.get((grid.zoom, row, column))
                    if place not in self._shown and known is not None:
                        frame.blit(known.picture, grid.place(row, column))
                        self._shown[place] = known.stamp
                    if place not in self._shown:
                        self._blend_cell(frame, grid, ground, fog, place, stamp, visible[at], explored[at])
                    elif self._shown[place] != stamp:
                        self._pending[place] = stamp
                    continue
                self._pending.pop(place, None)
                if self._shown.get(place) == stamp:
                    continue
                self._shown[place] = stamp
                rect = pygame.Rect(grid.place(row, column), self._size(grid, fog, row, column))
                if stamp == "mist":
                    self._blit_mist(frame, rect, grid.left, grid.top)
                else:
                    frame.blit(self._piece(grid, ground, stamp, row, column, rect.size), rect)

    def _let_drift(self, grid: _Grid) -> None:
        """Queue the blended cell whose noise is oldest, one a frame."""
        oldest, found = self.drift - DRIFT_STEP, None
        for (row, column), stamp in self._shown.items():
            if isinstance(stamp, tuple) and (row, column) not in self._pending:
                known = self._cells.get((grid.zoom, row, column))
                if known is not None and known.drift <= oldest:
                    oldest, found = known.drift, (row, column)
        if found is not None:
            self._pending[found] = self._shown[found]

    @staticmethod
    def _size(grid: _Grid, fog: FogMask, row: int, column: int) -> tuple[int, int]:
        """Return the size of a cell in pixels.

        It is smaller at the map's edge.
        """
        height, width = fog.visible.shape
        across, down = min(grid.cell, width - column * grid.cell), min(grid.cell, height - row * grid.cell)
        return across * grid.zoom, down * grid.zoom

    def _blend_cell(
        self, frame: pygame.Surface, grid: _Grid, ground: GroundSource, fog: FogMask, place: tuple[int, int],
        stamp: Any,
        visible: np.ndarray, explored: np.ndarray,
    ) -> None:  # fmt: skip
        """Blend a cell of visible, explored and unexplored ground; keep and draw it."""
        row, column = place
        size = self._size(grid, fog, row, column)
        side = grid.cell * grid.samples
        rough = self._rough((row * side - 1, column * side - 1), visible.shape, grid.samples)
        picture = pygame.Surface(size)
        # Noise changes nothing on ground that is explored throughout.
        explored_cut = explored if int(explored.min()) == 255 else _cut(explored, rough, EXPLORED_STEP)
        if int(explored_cut.min()) < 255:
            left, top = column * grid.cell * grid.zoom, row * grid.cell * grid.zoom
            self._blit_mist(picture, picture.get_rect(), left, top, world=True)
        for look, mask in (("explored", explored_cut), (grid.seen, _cut(visible, rough, VISIBLE_STEP))):
            if int(mask.max()) == 0:
                continue
            piece = self._piece(grid, ground, look, row, column, size)
            if int(mask.min()) == 255:
                picture.blit(piece, (0, 0))
                continue
            layer = self._scratch(size, "layer")
            layer.blit(piece, (0, 0))
            layer.blit(self._alpha_sheet(mask), (-4, -4), special_flags=pygame.BLEND_RGBA_MULT)
            picture.blit(layer, (0, 0))
        known = _Cell(stamp, picture, self.drift)
        if self._frame_key is None:
            known.stamp = None  # made of a stand-in
        self._cells[grid.zoom, row, column] = known
        if len(self._cells) > KEPT_CELLS:
            self._cells.popitem(last=False)
        self._shown[place] = stamp
        frame.blit(picture, grid.place(row, column))

    def _piece(
        self, grid: _Grid, ground: GroundSource, look: str, row: int, column: int, size: tuple[int, int]
    ) -> pygame.Surface:
        """Return the part of a chunk that is one cell.

        A stand-in is not kept: the next frame draws everything again.
        """
        y, x, n = row * grid.cell, column * grid.cell, grid.chunk_tiles
        chunk = ground.chunk(look, grid.zoom, y // n, x // n)
        if not ground.ready(grid.zoom, y // n, x // n):
            self._frame_key = None
        rect = pygame.Rect(x % n * grid.zoom, y % n * grid.zoom, *size)
        return chunk.subsurface(rect.clip(chunk.get_rect()))

    def _scratch(self, size: tuple[int, int], use: str) -> pygame.Surface:
        """Return a surface with alpha for temporary use, shared by cells of one size.

        Each use overwrites all of it.
        """
        found = self._scratches.get((*size, use))
        if found is None:
            if len(self._scratches) > 24:
                self._scratches.clear()
            found = self._scratches[(*size, use)] = pygame.Surface(size, pygame.SRCALPHA)
            found.fill((255, 255, 255, 0))
        return found

    def _alpha_sheet(self, mask: np.ndarray) -> pygame.Surface:
        """Return a white sheet whose alpha is the mask, enlarged four times and smoothed."""
        height, width = mask.shape
        small = self._scratch((width, height), "small")
        pygame.surfarray.pixels_alpha(small)[:] = mask.T
        return pygame.transform.smoothscale(
            small, (width * 4, height * 4), self._scratch((width * 4, height * 4), "sheet")
        )

    def _rough(self, at: tuple[int, int], shape: tuple[int, ...], samples: int) -> np.ndarray:
        """Return the drifting noise of a part of the masks, float32[shape].

        Its first sample lies at ``at``.
        """
        whole = int(self.drift)
        part = np.float32(self.drift - whole)
        rows = np.arange(at[0], at[0] + shape[0]) * 8 // samples % 512
        columns = (np.arange(at[1], at[1] + shape[1]) * 8 // samples + whole) % 512
        noise = self._noise.take(rows, axis=0)
        rough: np.ndarray = noise.take(columns, axis=1)
        rough += (noise.take((columns + 1) % 512, axis=1) - rough) * part
        return rough

    def _sampled(self, fog: FogMask, rows: range, columns: range, cell: int, samples: int) -> tuple[np.ndarray, ...]:
        """Return both masks smoothed for whole cells, and bounds of each cell.

        A mask is uint8[h * samples + 2, w * samples + 2], with a margin of one sample. The bounds are the least and
        greatest value of each cell after noise and cut.
        """
        key = (fog, fog.version, rows, columns, cell, samples)
        if key == self._key and self._masks is not None:
            return self._masks
        y0, x0 = rows.start * cell - 1, columns.start * cell - 1
        h, w = len(rows) * cell + 2, len(columns) * cell + 2
        made = []
        extremes = []
        for plane, bounds in enumerate((VISIBLE_STEP, EXPLORED_STEP)):
            shown = fog.shown_explored if plane else fog.shown_visible
            kept = self._planes.get(plane)
            if kept is not None and kept.place == key[2:] and np.array_equal(kept.shown, shown):
                made.append(kept.mask)
                extremes += kept.extremes
                continue
            ys = np.clip(np.arange(y0 - 2, y0 + h + 2), 0, shown.shape[0] - 1)
            xs = np.clip(np.arange(x0 - 2, x0 + w + 2), 0, shown.shape[1] - 1)
            smooth = smooth_up(shown[np.ix_(ys, xs)], samples)
            cut = samples - 1
            mask = (np.clip(smooth[cut : -cut or None, cut : -cut or None], 0, 1) * 255 + 0.5).astype(np.uint8)
            least_most = []
            for value, sign in zip(_extremes(mask, cell * samples, len(rows), len(columns)), (-1, 1), strict=True):
                s = value.astype(np.float32) / 255
                least_most.append(_smoothstep(s + sign * (ROUGHNESS * 4 * s * (1 - s)), *bounds))
            self._planes[plane] = _Plane(key[2:], shown.copy(), np.ascontiguousarray(mask), least_most)
            made.append(self._planes[plane].mask)
            extremes += least_most
        self._key, self._masks = key, (*made, *extremes)
        return self._masks

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


def _cut(smooth: np.ndarray, rough: np.ndarray, bounds: tuple[float, float]) -> np.ndarray:
    """Roughen a part of a smooth mask, uint8, and cut it by a smoothstep.

    Noise moves the frontier. It makes no holes in fully visible ground and no spots in ground that is not visible.
    """
    s = smooth * np.float32(1 / 255)
    s += rough * (s - s * s) * np.float32(ROUGHNESS * 4)
    return _smoothstep(s, *bounds)
