"""Fog of war: unexplored is misty paper, explored is ink without colour, visible is full wash.

Two masks of one value a tile are smoothed up to a quarter of the screen by a cubic B-spline, roughened by noise and
cut by a smoothstep.  Only cells (about 128 px square) that the frontier crosses are blended, and only when their piece
of the mask has changed; all others are plain blits.  The noise drifts slowly: a cell a frame follows it, the one that
has stood longest.  While the camera stands the whole picture is kept, and only the cells that differ are laid anew.
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
"""Cells blended again in a frame at most.  Fewer are enough when all are done before the masks change again, so that
neighbours do not show different moments for longer than that."""
LEAST_CELLS = 3
DRIFT_A_SECOND = 1.2
"""Of the frontier's noise, in samples of an eighth of a tile: a seventh of a tile a second."""
DRIFT_STEP = 0.3
_CELL_PX = 128


class GroundSource(Protocol):
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
    t = np.minimum(np.maximum((values - np.float32(low)) * np.float32(1 / (high - low)), 0), 1)
    return (t * t * (3 - 2 * t) * 255 + 0.5).astype(np.uint8)


@dataclass
class _Cell:
    """A blended cell: what it was made of, its picture, and where the noise stood."""

    stamp: Any
    picture: pygame.Surface
    drift: float


class _Grid(NamedTuple):
    """The cells a camera shows."""

    zoom: int
    left: int
    top: int
    cell: int
    """Tiles along a cell."""
    chunk_tiles: int
    samples: int
    """Of the masks along a tile."""
    rows: range
    columns: range
    seen: str
    """The look of what is visible."""

    def place(self, row: int, column: int) -> tuple[int, int]:
        """Where a cell lies on the screen."""
        return column * self.cell * self.zoom - self.left, row * self.cell * self.zoom - self.top


class FogPainter:
    """Draws ground and fog together."""

    def __init__(self, palette: Palette, darkness: RGB | None = None) -> None:
        self.mist = washed_paper(palette["mist"], 5)
        if darkness is not None:
            self.mist.fill(darkness, special_flags=pygame.BLEND_RGB_MULT)
        self._noise = (seamless_noise(512, 29, 3) * 0.7 + seamless_noise(512, 67, 4) * 0.3).astype(np.float32)
        self._cells: OrderedDict[tuple[int, int, int], _Cell] = OrderedDict()
        self._tiles: dict[int, int] = {}
        """Tiles along a cell by zoom."""
        self.drift = 0.0
        """How far the noise of the frontier has moved, in its own samples of an eighth of a tile."""
        self._key: Any = None
        self._masks: tuple[np.ndarray, ...] | None = None
        self.budget = CELLS_A_FRAME
        self.frame_ms = 16
        """How long a frame takes."""
        self._share = LEAST_CELLS
        self._scratches: dict[tuple[int, int, str], pygame.Surface] = {}
        self._frame: pygame.Surface | None = None
        self._frame_key: Any = None
        self._version = -1
        self._shown: dict[tuple[int, int], Any] = {}
        """What each cell of the kept picture was made of."""
        self._pending: dict[tuple[int, int], Any] = {}
        """Cells to be blended again, the longest waiting first."""

    def forget(self, boxes: Iterable[tuple[int, int, int, int]]) -> None:
        """The ground has changed in boxes of tiles (y0, x0, y1, x1): blend the cells in or beside them anew."""
        for y0, x0, y1, x1 in boxes:
            for key in list(self._cells):
                n, (_, row, column) = self._tiles[key[0]], key
                if y0 - 2 < (row + 1) * n and row * n < y1 + 2 and x0 - 2 < (column + 1) * n and column * n < x1 + 2:
                    del self._cells[key]
        self._frame_key = None

    def move(self, dt_ms: int) -> None:
        """Let the frontier drift for a moment of real time."""
        self.drift += dt_ms * DRIFT_A_SECOND / 1000

    def draw(
        self, surface: pygame.Surface, camera: Camera, ground: GroundSource, fog: FogMask | None, look: str
    ) -> None:
        """Draw what the camera shows; without ``fog`` everything in ``look``."""
        zoom = camera.zoom
        chunk_tiles = ground.chunk_tiles(zoom)
        left, top = camera.origin
        y0, x0, y1, x1 = camera.visible_tiles()
        if fog is None or y0 >= y1 or x0 >= x1:
            self._frame_key = None
            self._blit_beyond(surface, camera)
            side = chunk_tiles * zoom
            # A chunk at the map's edge is larger than what is left of the map; beyond it lies the mist.
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
        """Mist where the window is larger than the map."""
        left, top = camera.origin
        _, _, y1, x1 = camera.visible_tiles()
        if left < 0 or top < 0 or y1 * camera.zoom - top < camera.height or x1 * camera.zoom - left < camera.width:
            self._blit_mist(surface, surface.get_rect(), left, top)

    def _compose(self, frame: pygame.Surface, grid: _Grid, ground: GroundSource, fog: FogMask) -> None:
        """Bring the kept picture up to date: plain cells at once, blended ones as the budget allows."""
        visible, explored, *extremes = self._sampled(fog, grid.rows, grid.columns, grid.cell, grid.samples)
        if fog.version != self._version:
            self._version = fog.version
            self._look_over(frame, grid, ground, fog, visible, explored, extremes)
            frames = max(1, min(3, UPDATE_MS // max(self.frame_ms, 1)))
            self._share = max(LEAST_CELLS, -(-len(self._pending) // frames))
        self._let_drift(grid)
        side = grid.cell * grid.samples
        for place in list(self._pending)[: min(self._share, self.budget)]:
            stamp = self._pending.pop(place)
            i, j = place[0] - grid.rows.start, place[1] - grid.columns.start
            at = np.s_[i * side : (i + 1) * side + 2, j * side : (j + 1) * side + 2]
            self._blend_cell(frame, grid, ground, fog, place, stamp, visible[at], explored[at])

    def _look_over(
        self, frame: pygame.Surface, grid: _Grid, ground: GroundSource, fog: FogMask, visible: np.ndarray,
        explored: np.ndarray, extremes: list[np.ndarray],
    ) -> None:  # fmt: skip
        """Lay plain cells that have changed, and line up the others."""
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
                    # One sample of skirt all round, so that neighbouring cells join.
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
        """The frontier drifts a cell a frame, the one that has stood longest."""
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
        """Pixels of a cell, less at the map's edge."""
        height, width = fog.visible.shape
        across, down = min(grid.cell, width - column * grid.cell), min(grid.cell, height - row * grid.cell)
        return across * grid.zoom, down * grid.zoom

    def _blend_cell(
        self, frame: pygame.Surface, grid: _Grid, ground: GroundSource, fog: FogMask, place: tuple[int, int],
        stamp: Any,
        visible: np.ndarray, explored: np.ndarray,
    ) -> None:  # fmt: skip
        """Blend a cell of what is seen, explored and neither, keep it and lay it."""
        row, column = place
        size = self._size(grid, fog, row, column)
        side = grid.cell * grid.samples
        rough = self._rough((row * side - 1, column * side - 1), visible.shape, grid.samples)
        picture = pygame.Surface(size)
        explored_cut = _cut(explored, rough, EXPLORED_STEP)
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
        """The part of a chunk that is one cell.  A stand-in is not kept: the next frame lays everything again."""
        y, x, n = row * grid.cell, column * grid.cell, grid.chunk_tiles
        chunk = ground.chunk(look, grid.zoom, y // n, x // n)
        if not ground.ready(grid.zoom, y // n, x // n):
            self._frame_key = None
        rect = pygame.Rect(x % n * grid.zoom, y % n * grid.zoom, *size)
        return chunk.subsurface(rect.clip(chunk.get_rect()))

    def _scratch(self, size: tuple[int, int], use: str) -> pygame.Surface:
        """A surface with alpha that every cell of a size is worked out on; each use writes all of it."""
        found = self._scratches.get((*size, use))
        if found is None:
            if len(self._scratches) > 24:
                self._scratches.clear()
            found = self._scratches[(*size, use)] = pygame.Surface(size, pygame.SRCALPHA)
            found.fill((255, 255, 255, 0))
        return found

    def _alpha_sheet(self, mask: np.ndarray) -> pygame.Surface:
        """A white sheet four times the mask's size whose alpha is the mask, smoothed."""
        height, width = mask.shape
        small = self._scratch((width, height), "small")
        pygame.surfarray.pixels_alpha(small)[:] = mask.T
        return pygame.transform.smoothscale(
            small, (width * 4, height * 4), self._scratch((width * 4, height * 4), "sheet")
        )

    def _rough(self, at: tuple[int, int], shape: tuple[int, ...], samples: int) -> np.ndarray:
        """The drifting noise of a piece of the masks, its first sample at ``at``; float32[shape]."""
        whole = int(self.drift)
        part = np.float32(self.drift - whole)
        rows = (np.arange(at[0], at[0] + shape[0]) * 8 // samples % 512)[:, None]
        columns = (np.arange(at[1], at[1] + shape[1]) * 8 // samples + whole) % 512
        rough: np.ndarray = self._noise[rows, columns]
        rough += (self._noise[rows, (columns + 1) % 512] - rough) * part
        return rough

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
    """A piece of a smooth mask, uint8, roughened and cut by a smoothstep.

    Noise moves the frontier; it must not make holes where all is seen or spots where nothing is.
    """
    s = smooth * np.float32(1 / 255)
    s += rough * (s - s * s) * np.float32(ROUGHNESS * 4)
    return _smoothstep(s, *bounds)
