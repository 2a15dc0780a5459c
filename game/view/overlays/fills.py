"""Painter of ground fills.

They look like coloured pencil on tracing paper and are repainted only when they change. Numbers of a grid overlay are
smoothed between tiles and drawn in steps with contour lines; other fills colour whole tiles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pygame

from game.view.overlays.grid_overlay import CLOSED_ALPHA, GridOverlay, Scale
from game.view.overlays.overlay import LabContext, Overlay
from game.view.painting.camera import Camera
from game.view.painting.palette import Palette
from game.view.painting.spline import smooth_up

_GRAIN = 256
_LARGEST = 64
"""Size of the largest tile in pixels."""
_RULE = 8
"""Distance of the lines of a hatch in pixels; it divides the grain's size."""
MOST_CHANGED = 700
"""Limit of changed tiles; above it the whole fill is repainted."""
SAMPLE_PX = 3
"""Pixels between two samples of a smoothed fill."""
CONTOUR, LINE_ALPHA = 0.45, 50
"""Share of colour left on a contour line, and its further alpha."""
FLAT = 1e-3
"""Change from sample to sample below which ground is even and has no line."""
LINE_HALF = 0.8
"""Half the width of a contour line in samples."""
PATIENCE = 5
"""Ticks between two pictures of smoothed numbers that change all the time."""


class FillPainter:
    """Keeps the last fill as a surface of whole tiles."""

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self._key: Any = None
        self._made: pygame.Surface | None = None
        self._colours = np.zeros((0, 0, 4), np.uint8)
        self._made_at = 0
        self._grain = _pencil_grain()
        self._hatched: np.ndarray | None = None
        self._wide_grain = pygame.Surface((_GRAIN + _LARGEST, _GRAIN + _LARGEST), pygame.SRCALPHA)
        for y in (0, _GRAIN):
            self._wide_grain.fblits([(self._grain, (x, y)) for x in (0, _GRAIN)])

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, overlay: Overlay) -> None:
        """Draw a fill over the ground."""
        y0, x0, y1, x1 = camera.visible_tiles()
        if y0 >= y1 or x0 >= x1:
            return
        # A margin, so that a small pan does not repaint the fill.
        margin = max(2, 96 // camera.zoom)
        height, width = context.world.terrain.passable.shape
        same, stamp = (overlay.name, camera.zoom), overlay.stamp(context)
        if self._made is None or self._key[0] != same or not _inside((y0, x0, y1, x1), self._key[1]):
            window = (max(y0 - margin, 0), max(x0 - margin, 0), min(y1 + margin, height), min(x1 + margin, width))
            if isinstance(overlay, GridOverlay):
                self._smooth(overlay, context, window, camera.zoom)
                self._key = (same, window, stamp)
                self._blit(surface, camera)
                return
            self._colours = overlay.fill(context, *window)
            self._hatched = overlay.hatched(context, *window)
            self._made = self._make(self._colours, camera.zoom)
            self._key = (same, window, stamp)
        elif self._key[2] != stamp and isinstance(overlay, GridOverlay):
            if not 0 <= context.playing.picture.tick - self._made_at < PATIENCE or context.playing.clock.paused:
                self._smooth(overlay, context, self._key[1], camera.zoom)
                self._key = (same, self._key[1], stamp)
        elif self._key[2] != stamp:
            self._key = (same, self._key[1], stamp)
            colours = overlay.fill(context, *self._key[1])
            had, self._hatched = self._hatched, overlay.hatched(context, *self._key[1])
            plain = had is None and self._hatched is None
            if not plain or not self._mend(self._made, colours, camera.zoom):
                self._made = self._make(colours, camera.zoom)
            self._colours = colours
        self._blit(surface, camera)

    def _blit(self, surface: pygame.Surface, camera: Camera) -> None:
        if self._made is not None:
            surface.blit(self._made, camera.to_screen(self._key[1][1], self._key[1][0]))

    def _smooth(
        self, overlay: GridOverlay, context: LabContext, window: tuple[int, int, int, int], zoom: int
    ) -> None:  # fmt: skip
        """Paint the numbers of a window in steps of colour with contour lines."""
        self._made_at = context.playing.picture.tick
        values, scale = overlay.values(context, *window), overlay.scale(context)
        self._hatched = overlay.hatched(context, *window)
        samples = max(zoom // SAMPLE_PX, 2)
        painted = stepped(values, scale, samples, overlay.crisp)
        picture = np.array(scale.ramp, np.float32)[painted.steps]
        picture *= (1 - (1 - CONTOUR) * painted.lines)[..., None]
        alpha = (overlay.strength + LINE_ALPHA * painted.lines) * painted.known
        h, w = values.shape
        small = pygame.Surface((w * samples, h * samples), pygame.SRCALPHA)
        pygame.surfarray.pixels3d(small)[:] = picture.astype(np.uint8).swapaxes(0, 1)
        pygame.surfarray.pixels_alpha(small)[:] = alpha.astype(np.uint8).T
        big = pygame.transform.smoothscale(small, (w * zoom, h * zoom))
        self._made = self._finished(big, np.isposinf(values), zoom)
        closed = np.zeros((h, w, 4), np.uint8)
        closed[np.isneginf(values)] = (*self.palette["ink"], CLOSED_ALPHA)
        for y, x in zip(*(at.tolist() for at in np.nonzero(closed[..., 3])), strict=True):
            self._made.fill(closed[y, x].tolist(), (x * zoom, y * zoom, zoom, zoom))

    def _mend(self, big: pygame.Surface, colours: np.ndarray, zoom: int) -> bool:
        """Paint the changed tiles; return False when there are too many."""
        ys, xs = np.nonzero((colours != self._colours).any(axis=2))
        if len(ys) > MOST_CHANGED:
            return False
        unknown = np.zeros(colours.shape[:2], bool)
        for y, x, colour in zip(ys.tolist(), xs.tolist(), colours[ys, xs].tolist(), strict=True):
            rect = pygame.Rect(x * zoom, y * zoom, zoom, zoom)
            unknown[y, x] = colour[3] == 1
            big.fill((0, 0, 0, 0) if colour[3] <= 1 else colour, rect)
            if colour[3] > 1:
                area = (rect.x % _GRAIN, rect.y % _GRAIN, zoom, zoom)
                big.blit(self._wide_grain, rect, area, special_flags=pygame.BLEND_RGBA_MULT)
        if unknown.any():
            self._hatch(big, unknown, zoom)
        return True

    def _make(self, colours: np.ndarray, zoom: int) -> pygame.Surface:
        h, w = colours.shape[:2]
        unknown = colours[..., 3] == 1
        shown = colours.copy()
        shown[unknown] = 0
        small = pygame.Surface((w, h), pygame.SRCALPHA)
        pygame.surfarray.pixels3d(small)[:] = shown[..., :3].swapaxes(0, 1)
        pygame.surfarray.pixels_alpha(small)[:] = shown[..., 3].T
        return self._finished(pygame.transform.scale(small, (w * zoom, h * zoom)), unknown, zoom)

    def _finished(self, big: pygame.Surface, unknown: np.ndarray, zoom: int) -> pygame.Surface:
        """Add the grain of a pencil, and hatch tiles without a value."""
        for y in range(0, big.get_height(), _GRAIN):
            for x in range(0, big.get_width(), _GRAIN):
                big.blit(self._grain, (x, y), special_flags=pygame.BLEND_RGBA_MULT)
        if unknown.any():
            self._hatch(big, unknown, zoom)
        if self._hatched is not None and self._hatched.any():
            self._rule(big, self._hatched, zoom)
        return big

    def _rule(self, big: pygame.Surface, tiles: np.ndarray, zoom: int) -> None:
        """Rule tiles with thin slanted lines of ink.

        The lines are fixed to the window, so they continue from tile to tile.
        """
        ruled = pygame.Surface((_GRAIN, _GRAIN), pygame.SRCALPHA)
        for k in range(-_GRAIN, _GRAIN, _RULE):
            pygame.draw.line(ruled, (*self.palette["ink"], 110), (k, _GRAIN), (k + _GRAIN, 0))
        wide = pygame.Surface(self._wide_grain.get_size(), pygame.SRCALPHA)
        for y in (0, _GRAIN):
            wide.fblits([(ruled, (x, y)) for x in (0, _GRAIN)])
        ys, xs = np.nonzero(tiles)
        for y, x in zip((ys * zoom).tolist(), (xs * zoom).tolist(), strict=True):
            big.blit(wide, (x, y), (x % _GRAIN, y % _GRAIN, zoom, zoom))

    def _hatch(self, big: pygame.Surface, unknown: np.ndarray, zoom: int) -> None:
        """Hatch tiles without a value, so that they differ from white and from zero."""
        tile = pygame.Surface((zoom, zoom), pygame.SRCALPHA)
        ground, line = self.palette.ramps["not_computed"]
        tile.fill((*ground, 90))
        step = max(zoom // 4, 4)
        for k in range(-zoom, zoom * 2, step):
            pygame.draw.line(tile, (*line, 120), (k, 0), (k + zoom, zoom))
            pygame.draw.line(tile, (*line, 120), (k + zoom, 0), (k, zoom))
        ys, xs = np.nonzero(unknown)
        big.fblits([(tile, (x * zoom, y * zoom)) for y, x in zip(ys.tolist(), xs.tolist(), strict=True)])


@dataclass(frozen=True)
class Stepped:
    """Samples of a smoothed fill: steps, contour lines and known ground.

    Steps are int64. Lines and ``known`` are float32 strengths from 0 to 1.
    """

    steps: np.ndarray
    lines: np.ndarray
    known: np.ndarray


def stepped(values: np.ndarray, scale: Scale, samples: int, crisp: bool) -> Stepped:
    """Return steps and contour lines, ``samples`` a tile in both directions.

    Amounts are smoothed between tiles before they are stepped. Kinds (``crisp``) are not mixed: the strongest of the
    smoothed kinds takes the sample. A line is one sample wide and has soft edges.
    """
    finite = np.isfinite(values)
    shape = values.shape[0] * samples, values.shape[1] * samples
    if not finite.any():
        return Stepped(np.zeros(shape, np.int64), np.zeros(shape, np.float32), np.zeros(shape, np.float32))
    known = np.ones(shape, np.float32)
    if not finite.all():
        from scipy.ndimage import distance_transform_edt  # slow to import, and few overlays have gaps

        near = distance_transform_edt(~finite, return_distances=False, return_indices=True)
        values = values[tuple(near)]
        known = np.clip((_up(finite.astype(np.float32), samples) - 0.5) * samples + 0.5, 0, 1)
    if not crisp:
        place = _up(scale.places(values).astype(np.float32), samples)
        edge = np.clip(np.rint(place), 1, len(scale.ramp) - 1)
        return Stepped(np.clip(place, 0, len(scale.ramp) - 1).astype(np.int64), _near(place - edge, place), known)
    kinds = scale.steps(values)
    best, second = np.zeros((2, *shape), np.float32)
    steps = np.zeros(shape, np.int64)
    for kind in np.unique(kinds).tolist():
        share = _up((kinds == kind).astype(np.float32), samples)
        first = share > best
        np.maximum(second, np.minimum(best, share), out=second)
        steps[first] = kind
        np.maximum(best, share, out=best)
    return Stepped(steps, _near(best - second, best - second) * (second > 0), known)


def _near(off: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the strength of a line where ``off`` is near zero.

    The slope of the values from sample to sample sets its width.
    """
    across, down = np.zeros((2, *values.shape), np.float32)
    step = np.abs(np.diff(values, axis=1))
    across[:, :-1] = step
    np.maximum(across[:, 1:], step, out=across[:, 1:])
    step = np.abs(np.diff(values, axis=0))
    down[:-1] = step
    np.maximum(down[1:], step, out=down[1:])
    slope = np.sqrt(across * across + down * down)
    lines: np.ndarray = np.clip(1 - np.abs(off) / (LINE_HALF * slope + 1e-6), 0, 1) * (slope > FLAT)
    return lines


def _up(values: np.ndarray, samples: int) -> np.ndarray:
    return smooth_up(np.pad(values, 2, mode="edge"), samples)


def _inside(inner: tuple[int, int, int, int], outer: tuple[int, int, int, int]) -> bool:
    return inner[0] >= outer[0] and inner[1] >= outer[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def _pencil_grain() -> pygame.Surface:
    """Return white noise in slanted strokes of alpha that repeats without a seam."""
    y, x = np.mgrid[0:_GRAIN, 0:_GRAIN]
    stroke = np.sin((x + y) * (2 * np.pi * 40 / _GRAIN) + 1.5 * np.sin((x - 2 * y) * (2 * np.pi * 3 / _GRAIN)))
    rng = np.random.default_rng(7)
    alpha = np.clip(214 + 26 * stroke + rng.normal(0, 9, stroke.shape), 120, 255).astype(np.uint8)
    grain = pygame.Surface((_GRAIN, _GRAIN), pygame.SRCALPHA)
    grain.fill((255, 255, 255, 255))
    pygame.surfarray.pixels_alpha(grain)[:] = alpha.T
    return grain
