"""Noise rings: each grows to the limit at which its sound is heard.

A ring uses the path field of the simulation: straight within a room, through openings to the next. It therefore shows
which guards hear the sound: walls stop it, doors let it pass.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pygame

from ai.perception.hearing.hearing import SoundKind
from game.systems.noise import path_field
from game.view.light.fog import FogMask
from game.view.painting.camera import Camera
from game.view.painting.palette import Palette
from game.view.painting.text import TextDrawer
from game.view.units.unit_labels import LabelPlacer
from game.view.window.playing import Playing

LIVES_MS, STEP_MS = 900, 500
MOST, MOST_OF_A_KIND = 8, 4
MOST_WALKERS = 8
SAMPLES = 2
"""Samples of the path field along one tile."""
EXCHANGE_TICKS = 60
"""Ticks after a shot without rings of further shots and falls of that side.

Otherwise every rifle would ring.
"""
DASH_PX, DASH_SHARE = 24, 0.6
SPLIT = 4
"""Parts of each piece of a contour, so that dashes end where they should."""
"""Pixels from one dash to the next, and the drawn share of them."""
CAPTION_TILES = 4.0
"""Farthest distance of a caption from its sound, in tiles.

A far ring would carry it out of the window.
"""
WORDS = {
    SoundKind.STEP: "steps", SoundKind.DOOR: "door", SoundKind.SHOT: "shot", SoundKind.IMPACT: "stone",
    SoundKind.VOICE: "whistle", SoundKind.BODY: "fall",
}  # fmt: skip
_NEVER = 1e6


@dataclass
class Ring:
    """Ring of one sound, with its path field.

    ``corner`` is the first tile (y0, x0) of the field. ``paths`` holds the path length in tiles, float32[h, w], with
    SAMPLES a tile. ``born`` and ``lasts`` are in milliseconds.
    """

    x: float
    y: float
    radius: float
    born: int
    lasts: int
    own: bool
    kind: int
    corner: tuple[int, int]
    paths: np.ndarray


class NoiseRings:
    """Noise rings of the last second."""

    def __init__(self) -> None:
        self.rings: list[Ring] = []
        self._tick = -1
        self._last_shot = {True: -EXCHANGE_TICKS, False: -EXCHANGE_TICKS}
        """Tick of the last shot, by whether it was the player's."""

    def follow(self, playing: Playing, selected: tuple[int, ...], fog: FogMask, now: int) -> None:
        """Add the sounds since the last call: steps of selected units, other known sounds.

        A sound that the player's units did not make is shown only where the side has sight.
        """
        world = playing.world
        rows = world.recording.get("sounds", ())
        if world.tick < self._tick:
            self.rings.clear()
            self._last_shot = dict.fromkeys(self._last_shot, -EXCHANGE_TICKS)
            self._tick = int(world.tick)
        if self._tick < 0:
            self._tick = int(world.tick) - 1  # sounds older than the first call have faded
        fresh = [row for row in rows if row[0] > self._tick]
        self._tick = int(world.tick)
        self.rings = [ring for ring in self.rings if now - ring.born < ring.lasts]
        # The steps of a crowd would cover the map; of many sounds in one tick the last MOST are enough.
        walkers = selected if len(selected) <= MOST_WALKERS else ()
        fresh = [row for row in fresh if row[4] > 0.5 and (row[1] != SoundKind.STEP or row[5] in walkers)][-MOST:]
        for tick, kind, x, y, radius, unit in fresh:
            row = playing.picture.row_of.get(unit)
            own = row is not None and bool(playing.picture.side[row] == playing.side)
            going_on = tick - self._last_shot[own] < EXCHANGE_TICKS
            if kind == SoundKind.SHOT:
                self._last_shot[own] = tick
            if going_on and kind in (SoundKind.SHOT, SoundKind.BODY):
                continue
            height, width = fog.sighted.shape
            if not own and not fog.sighted[min(max(int(y), 0), height - 1), min(max(int(x), 0), width - 1)]:
                continue
            lasts = STEP_MS if kind == SoundKind.STEP else LIVES_MS
            corner, paths = sampled_paths(world, x, y, radius)
            self.rings.append(Ring(x, y, radius, now, lasts, own, kind, corner, paths))
        self._thin_out()

    def _thin_out(self) -> None:
        """Keep the newest rings of each kind; a fight would fill the map."""
        kept: list[Ring] = []
        for ring in reversed(self.rings):
            if len(kept) < MOST and sum(r.kind == ring.kind for r in kept) < MOST_OF_A_KIND:
                kept.append(ring)
        self.rings = kept[::-1]

    def draw(self, surface: pygame.Surface, camera: Camera, palette: Palette, night: bool, now: int) -> None:
        """Draw each ring at its present radius: dashes with a casing that fades."""
        clip = surface.get_clip().inflate(40, 40)
        for ring in self.rings:
            share = min((now - ring.born) / ring.lasts, 1.0)
            reached = ring.radius * (1 - (1 - share) ** 2)
            colour = palette["select_night" if night else "select"] if ring.own else palette["cone"]
            casing = palette["ink" if night else "rim"]
            left, top = camera.to_screen(0, 0)
            pieces = _dashes(ring, contour(ring, reached), reached * camera.zoom)
            lines = pieces * camera.zoom + np.array([left, top, left, top])
            seen = (lines[:, 0] > clip.left) & (lines[:, 0] < clip.right)
            seen &= (lines[:, 1] > clip.top) & (lines[:, 1] < clip.bottom)
            rows = np.rint(lines[seen]).astype(np.int64).tolist()
            for ax, ay, bx, by in rows if share < 0.85 else ():
                pygame.draw.line(surface, casing, (ax, ay), (bx, by), 4)
            for ax, ay, bx, by in rows:
                pygame.draw.line(surface, colour, (ax, ay), (bx, by), 2)

    def draw_captions(
        self, surface: pygame.Surface, camera: Camera, palette: Palette, night: bool, now: int, text: TextDrawer,
        labels: LabelPlacer, bodies: Sequence[pygame.Rect] = (),
    ) -> None:  # fmt: skip
        """Write the reach of each kind of sound below its newest ring."""
        colours = (palette["rim"], palette["ink"]) if night else (palette["ink"], palette["rim"])
        for ring in {ring.kind: ring for ring in self.rings if now - ring.born < ring.lasts}.values():
            at = camera.to_screen(ring.x, ring.y + min(ring.radius, CAPTION_TILES))
            line = text.line("sans_bold", 15, caption_of(ring), *colours)
            rect = labels.place(line.get_size(), at, 4, surface.get_clip(), bodies)
            if rect is not None:
                surface.blit(line, rect)


def caption_of(ring: Ring) -> str:
    """Return the kind of a sound and how far it is heard."""
    return f"{WORDS.get(SoundKind(ring.kind), 'noise')}, {ring.radius:.0f} m"


def _dashes(ring: Ring, pieces: np.ndarray, radius_px: float) -> np.ndarray:
    """Return the pieces of a contour on dashes, by their angle round the sound."""
    share = np.linspace(0, 1, SPLIT + 1)[:, None, None]
    ends = pieces[None, :, :2] * (1 - share) + pieces[None, :, 2:] * share
    pieces = np.concatenate([ends[:-1], ends[1:]], axis=2).reshape(-1, 4)
    count = max(round(math.tau * radius_px / DASH_PX), 8)
    angle = np.arctan2(pieces[:, 1] + pieces[:, 3] - 2 * ring.y, pieces[:, 0] + pieces[:, 2] - 2 * ring.x)
    kept: np.ndarray = pieces[(angle / math.tau * count) % 1.0 < DASH_SHARE]
    return kept


def contour(ring: Ring, reached: float) -> np.ndarray:
    """Return the contour of a path length as line pieces float64[n, 4].

    A row is (x, y, x, y) in tiles. The method is marching squares on the samples. The crossing of an edge is
    interpolated between its two samples. Walls give no line.
    """
    f = ring.paths
    corners = np.stack([f[:-1, :-1], f[:-1, 1:], f[1:, 1:], f[1:, :-1]])  # clockwise from the top left
    inside = corners < reached
    mixed = inside.any(axis=0) & ~inside.all(axis=0) & (corners < _NEVER / 2).all(axis=0)
    rows, columns = np.nonzero(mixed)
    if not len(rows):
        return np.zeros((0, 4))
    values = corners[:, rows, columns].astype(np.float64)
    after = np.roll(values, -1, axis=0)
    crosses = (values < reached) != (after < reached)
    share = (reached - values) / np.where(crosses, after - values, 1.0)
    at = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    start, path = at, np.roll(at, -1, axis=0) - at
    x = columns + start[:, 0, None] + path[:, 0, None] * share
    y = rows + start[:, 1, None] + path[:, 1, None] * share
    order = np.argsort(~crosses, axis=0, kind="stable")
    n = np.arange(len(rows))
    pieces = [
        np.column_stack([x[order[a], n], y[order[a], n], x[order[b], n], y[order[b], n]]) for a, b in ((0, 1), (2, 3))
    ]
    found = np.concatenate([pieces[0], pieces[1][crosses.sum(axis=0) == 4]])
    y0, x0 = ring.corner
    placed: np.ndarray = (found + 0.5) / SAMPLES + np.array([x0, y0, x0, y0])
    return placed


def sampled_paths(world: Any, x: float, y: float, radius: float) -> tuple[tuple[int, int], np.ndarray]:
    """Return corner (y0, x0) and path field of a sound, SAMPLES a tile.

    ``radius`` is in tiles. Samples in walls hold a length far beyond the radius.
    """
    height, width = world.terrain.passable.shape
    far = math.ceil(radius) + 1
    y0, x0 = max(int(y) - far, 0), max(int(x) - far, 0)
    y1, x1 = min(int(y) + far + 1, height), min(int(x) + far + 1, width)
    paths = path_field(world, x, y, y0, x0, y1, x1)
    solid = np.isinf(paths)
    # A wall tile takes the length of its nearest neighbour, so that the ring runs up to the wall and is cut there.
    filled = np.where(solid, _NEVER, paths)
    padded = np.pad(filled, 1, constant_values=_NEVER)
    around = np.min(
        [padded[a : a + paths.shape[0], b : b + paths.shape[1]] for a in range(3) for b in range(3)], axis=0
    )
    filled = np.where(solid, around + 1.0, filled)
    from scipy.ndimage import zoom as enlarged

    fine = enlarged(filled, SAMPLES, order=1, mode="nearest", grid_mode=True)
    fine[np.kron(solid, np.ones((SAMPLES, SAMPLES), bool))] = _NEVER
    return (y0, x0), fine.astype(np.float32)
