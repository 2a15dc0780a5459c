"""Noise on the map: a ring that grows from where a sound was made to where it can still be heard, cut by the rooms.

The way of a sound is the world's own law (straight within a room, through openings to the next), so the ring shows
which ears it reaches: walls stop it, doors let it out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pygame

from game.view.camera import Camera
from game.view.fog import FogMask
from game.view.palette import RGB, Palette
from game.view.playing import Playing
from game.world.sounds import way_field

LIVES_MS, STEP_MS = 900, 500
MOST = 10
SAMPLES = 4
"""Of the field along a tile."""
BAND = 0.22
"""Half width of a ring in tiles."""
_NEVER = 200.0
_STEP_KIND = 0


@dataclass
class Ring:
    """One sound: box (y0, x0) of its field, ways in tiles at SAMPLES a tile float32[h, w], and what it is."""

    x: float
    y: float
    radius: float
    born: int
    lasts: int
    own: bool
    corner: tuple[int, int]
    ways: np.ndarray


class NoiseRings:
    """The rings of the last second."""

    def __init__(self) -> None:
        self.rings: list[Ring] = []
        self._tick = -1

    def follow(self, playing: Playing, selected: tuple[int, ...], fog: FogMask, now: int) -> None:
        """Take in what was heard since the last call: steps of the selected, everything else that one may know of."""
        world = playing.world
        rows = world.recording.get("sounds", ())
        if world.tick < self._tick:
            self.rings.clear()
            self._tick = int(world.tick)
        fresh = [row for row in rows if row[0] > self._tick]
        self._tick = int(world.tick)
        self.rings = [ring for ring in self.rings if now - ring.born < ring.lasts]
        for _, kind, x, y, radius, unit in fresh:
            own = unit in playing.picture.row_of and playing.picture.side[playing.picture.row_of[unit]] == playing.side
            if kind == _STEP_KIND and unit not in selected:
                continue
            height, width = fog.sighted.shape
            if not own and not fog.sighted[min(max(int(y), 0), height - 1), min(max(int(x), 0), width - 1)]:
                continue
            if radius > 0.5:
                lasts = STEP_MS if kind == _STEP_KIND else LIVES_MS
                corner, ways = sampled_ways(world, x, y, radius)
                self.rings.append(Ring(x, y, radius, now, lasts, bool(own), corner, ways))
        # Loud ones say more than steps.
        if len(self.rings) > MOST:
            self.rings = sorted(self.rings, key=lambda r: (-r.radius, -r.born))[:MOST]

    def draw(self, surface: pygame.Surface, camera: Camera, palette: Palette, night: bool, now: int) -> None:
        """Each ring as far as it has come."""
        for ring in self.rings:
            share = min((now - ring.born) / ring.lasts, 1.0)
            reached = ring.radius * (1 - (1 - share) ** 2)
            fade = 1.0 if share < 0.6 else (1 - share) / 0.4
            colour = palette["select_night" if night else "select"] if ring.own else palette["cone"]
            picture = ring_picture(ring, reached, colour, fade)
            zoom = camera.zoom
            size = (picture.get_width() * zoom // SAMPLES, picture.get_height() * zoom // SAMPLES)
            place = camera.to_screen(ring.corner[1], ring.corner[0])
            if surface.get_clip().colliderect(pygame.Rect(place, size)):
                surface.blit(pygame.transform.smoothscale(picture, size), place)


def sampled_ways(world: Any, x: float, y: float, radius: float) -> tuple[tuple[int, int], np.ndarray]:
    """(y0, x0) and the ways of a sound about a place, SAMPLES to a tile; far beyond its reach in walls."""
    height, width = world.terrain.passable.shape
    far = math.ceil(radius) + 1
    y0, x0 = max(int(y) - far, 0), max(int(x) - far, 0)
    y1, x1 = min(int(y) + far + 1, height), min(int(x) + far + 1, width)
    ways = way_field(world, x, y, y0, x0, y1, x1)
    solid = np.isinf(ways)
    # A wall's tile takes its nearest neighbour's way, so that the ring runs up to the wall and is cut there.
    filled = np.where(solid, _NEVER, ways)
    padded = np.pad(filled, 1, constant_values=_NEVER)
    around = np.min([padded[a : a + ways.shape[0], b : b + ways.shape[1]] for a in range(3) for b in range(3)], axis=0)
    filled = np.where(solid, around + 1.0, filled)
    from scipy.ndimage import zoom as enlarged

    fine = enlarged(filled, SAMPLES, order=1, mode="nearest", grid_mode=True)
    fine[np.kron(solid, np.ones((SAMPLES, SAMPLES), bool))] = _NEVER
    return (y0, x0), fine.astype(np.float32)


def ring_picture(ring: Ring, reached: float, colour: RGB, fade: float) -> pygame.Surface:
    """The ring at a distance: a band with a faint wash inside."""
    band = np.clip(1.0 - np.abs(ring.ways - reached) / (BAND * 1.6), 0, 1)
    wash = (ring.ways < reached) * 0.12
    alpha = (np.maximum(band * 0.85, wash) * 255 * fade).astype(np.uint8)
    picture = pygame.Surface(alpha.shape[::-1], pygame.SRCALPHA)
    picture.fill((*colour, 0))
    pygame.surfarray.pixels_alpha(picture)[:] = alpha.T
    return picture
