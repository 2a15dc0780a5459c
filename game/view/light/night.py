"""Night light: a multiplier for the ground, with warm colour near lamps.

A map has one light texture of eight samples a tile. It is computed when the level opens. When a door or a wall changes
or a lamp is switched, some rectangles of it are computed again. Chunks of ground are multiplied by their part of the
texture when they are first shown. So a frame at night takes no longer than a frame by day. A lamp has three flat pools
with wavy edges, cut by the tiles that the lamp sees by line of sight. Figures are not ground and keep their colours.
"""

from __future__ import annotations

import itertools
import math
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

import numpy as np
import pygame

from ai.perception.sight.shadowcast import MAX_RADIUS, SightBits, field_of_view, window
from game.level.model import GROUND, Level, Light
from game.view.painting.noise_textures import seamless_noise
from game.view.painting.palette import RGB, Palette, rgb
from game.view.painting.spline import smooth_up
from game.world.places import LightSource

SAMPLES = 8
"""Samples of the light texture along a tile."""
POOLS = (1.0, 0.70, 0.40)
"""Radii of the three flat pools, as shares of the lamp's radius."""
KEPT_BYTES = 48 << 20
_DARK, _SCALE = 48, 200
"""Coding of a sample: ``_DARK + _SCALE * u``.

u is 0 at the edge of the widest pool and 1 at the lamp.
"""
_SOFT = 3
GREEN_LOSS = 178
"""Share of its hue, of 255, that ground loses in a pool.

Without the loss warm light would turn grass olive.
"""
REMEMBERED = 0.66
"""Strength of lamp light on explored ground that the side does not see."""
_REMEMBERED_TINT = np.array([0.62, 0.62, 0.68], np.float32)
_SKIRT = 2
_LAMP = np.array([0xFF, 0xD9, 0xA0], np.float32)
"""Default colour of lamps, which gives the pool colours of the palette."""


GREY = np.array([0.30, 0.59, 0.11], np.float32)
"""Weights of red, green and blue in the lightness of a colour."""
_TOP_LIGHT = 1.4
"""Lightness of the tops of walls at night, relative to the ground."""


Shining = Light | LightSource
"""Lamp of a level, or of a world, where it can be switched."""


def _box_of(light: Shining, height: int, width: int) -> tuple[int, int, int, int]:
    """Return the tiles that a lamp may light: y0, x0, y1, x1."""
    far = math.ceil(light.radius * 1.1) + 1
    y, x = math.floor(light.y), math.floor(light.x)
    return max(y - far, 0), max(x - far, 0), min(y + far + 1, height), min(x + far + 1, width)


class LightMap:
    """Light on the ground of one level; ``version`` grows with each change."""

    def __init__(
        self, level: Level, palette: Palette, opaque: np.ndarray, lights: Iterable[Shining] | None = None
    ) -> None:
        self.height, self.width = opaque.shape
        self.night = palette["night"]
        self.version = 0
        self._wall = level.ground == GROUND["wall"]
        self._noise = seamless_noise(256, 23, 11)
        self._tops = self._wall_tops()
        groups: dict[tuple[str, float], list[Shining]] = {}
        for light in level.lights if lights is None else lights:
            if light.radius > 0 and 0 <= light.x < self.width and 0 <= light.y < self.height:
                groups.setdefault((light.color, light.strength), []).append(light)
        self._groups = list(groups.values())
        self._lit = {light.id: bool(light.on) for group in self._groups for light in group}
        self._tables = [self.table(palette, rgb(colour), strength) for colour, strength in groups]
        shape = (self.height * SAMPLES, self.width * SAMPLES)
        self._fields = [np.zeros(shape, np.uint8) for _ in self._groups]
        self.change(opaque, (0, 0, self.height, self.width))

    @property
    def lamps(self) -> list[tuple[float, float, bool]]:
        """Position of each lamp in tiles, and whether it is lit."""
        return [(light.x, light.y, self._lit[light.id]) for group in self._groups for light in group]

    def follow(self, lights: Iterable[Shining], opaque: np.ndarray) -> list[tuple[int, int, int, int]]:
        """Update the light after lamps were switched; return the tiles computed again."""
        touched = []
        for light in lights:
            if self._lit.get(light.id, light.on) != light.on:
                self._lit[light.id] = bool(light.on)
                touched += self.change(opaque, _box_of(light, self.height, self.width))
        return touched

    def _wall_tops(self) -> np.ndarray:
        """Return uint8[H, W] samples: 255 on the tops of walls.

        A top lies slightly inside its tiles.
        """
        rows, columns = (n.repeat(SAMPLES) for n in (np.arange(self.height), np.arange(self.width)))
        wall = self._wall[np.ix_(rows, columns)]
        inner = wall.copy()
        for dy, dx in itertools.product((-1, 0, 1), repeat=2):
            inner &= np.roll(wall, (dy, dx), (0, 1))
        return inner.astype(np.uint8) * np.uint8(255)

    def table(self, palette: Palette, colour: RGB, strength: float) -> np.ndarray:
        """Return the multiplier of each sample value, uint8[256, 3]."""
        pools = [np.array(palette[name], np.float32) for name in ("pool_wide", "pool_middle", "pool_near")]
        tint = np.minimum((np.array(colour, np.float32) / _LAMP) ** 0.6, 1.25)
        value = np.arange(256, dtype=np.float32)[:, None]
        out = np.tile(np.array(palette["night"], np.float32), (256, 1))
        for share, pool in zip(POOLS, pools, strict=True):
            inside = np.clip((value - (_DARK + _SCALE * (1 - share))) / (2 * _SOFT) + 0.5, 0, 1)
            lit = out[0] + (np.minimum(pool * tint, 255) - out[0]) * min(max(strength, 0.0), 1.0)
            out = out * (1 - inside) + np.maximum(lit, out[0]) * inside
        return (out + 0.5).astype(np.uint8)

    def change(self, opaque: np.ndarray, box: tuple[int, int, int, int]) -> list[tuple[int, int, int, int]]:
        """Update the light after opaque tiles changed in ``box`` (y0, x0, y1, x1).

        Returns the tiles whose light is computed again.
        """
        touched = []
        bits = None
        for lights, field in zip(self._groups, self._fields, strict=True):
            every = [(light, _box_of(light, self.height, self.width)) for light in lights]
            boxes = [(light, around) for light, around in every if self._lit[light.id]]
            for _, (y0, x0, y1, x1) in [pair for pair in every if _meet(pair[1], box)]:
                touched.append((y0, x0, y1, x1))
                field[y0 * SAMPLES : y1 * SAMPLES, x0 * SAMPLES : x1 * SAMPLES] = 0
            for light, around in boxes:
                if any(_meet(around, other) for other in touched):
                    bits = SightBits(np.array(opaque, np.uint8)) if bits is None else bits
                    y0, x0, y1, x1 = around
                    part = field[y0 * SAMPLES : y1 * SAMPLES, x0 * SAMPLES : x1 * SAMPLES]
                    np.maximum(part, self.shine(light, bits, opaque, around), out=part)
        self.version += 1
        return touched

    def shine(self, light: Shining, bits: Any, opaque: np.ndarray, around: tuple[int, int, int, int]) -> np.ndarray:
        """Return the samples of one lamp in its box."""
        y0, x0, y1, x1 = around
        ty, tx = math.floor(light.y), math.floor(light.x)
        radius = min(MAX_RADIUS, max(y1 - 1 - ty, ty - y0, x1 - 1 - tx, tx - x0))
        view = window(field_of_view(bits, np.array([ty]), np.array([tx]), radius)[0])
        seen = np.zeros((y1 - y0 + 4, x1 - x0 + 4), np.float32)
        top, left = max(y0, ty - radius), max(x0, tx - radius)
        bottom, right = min(y1, ty + radius + 1), min(x1, tx + radius + 1)
        part = view[top - ty + radius : bottom - ty + radius, left - tx + radius : right - tx + radius]
        # Light falls on the ground and on walls; roofs stay dark.
        part = part & ((opaque[top:bottom, left:right] == 0) | self._wall[top:bottom, left:right])
        seen[top - y0 + 2 : bottom - y0 + 2, left - x0 + 2 : right - x0 + 2] = part
        cut = (smooth_up(seen, SAMPLES) - 0.42) * 2.5
        ys = np.arange(y0 * SAMPLES, y1 * SAMPLES)
        xs = np.arange(x0 * SAMPLES, x1 * SAMPLES)
        dy = ((ys + 0.5) / SAMPLES - light.y).astype(np.float32)[:, None]
        dx = ((xs + 0.5) / SAMPLES - light.x).astype(np.float32)[None, :]
        angle = np.arctan2(dy, dx)
        turn = light.id * 2.399963
        wobble = 1 + 0.07 * (0.6 * np.sin(3 * angle + turn) + 0.4 * np.sin(5 * angle - 2 * turn))
        u = 1 - np.sqrt(dx * dx + dy * dy) / (light.radius * wobble)
        u += self._noise[np.ix_(ys % 256, xs % 256)] * 0.05
        if light.half_angle < math.pi:
            aside = np.abs((angle - light.facing + math.pi) % math.tau - math.pi)
            u = np.minimum(u, (light.half_angle - aside) * np.sqrt(dx * dx + dy * dy) * 2.5)
        return np.clip(_DARK + _SCALE * np.minimum(u, cut), 0, 255).astype(np.uint8)

    def piece(self, y0: int, x0: int, tiles: tuple[int, int], zoom: int) -> pygame.Surface:
        """Return the multiplier of ``tiles`` (rows, columns) from (y0, x0) at a zoom step."""
        down, across = tiles
        size = (across * zoom, down * zoom)
        out = pygame.Surface(size)
        out.fill(self.night)
        share = zoom / SAMPLES
        # After enlarging, pixel i is sample i / share: the middle of a sample lies on the corner of a pixel.
        off = round(_SKIRT * share + (0.5 - share / 2 if share > 1 else 0))
        rows = np.clip(np.arange(y0 * SAMPLES - _SKIRT, (y0 + down) * SAMPLES + _SKIRT), 0, self.height * SAMPLES - 1)
        columns = np.clip(
            np.arange(x0 * SAMPLES - _SKIRT, (x0 + across) * SAMPLES + _SKIRT), 0, self.width * SAMPLES - 1
        )
        total: np.ndarray | None = None
        for field, table in zip(self._fields, self._tables, strict=True):
            part = field[np.ix_(rows, columns)]
            if not part.any():
                continue
            lit = table[self._grown(part, share)[off : off + size[0], off : off + size[1]]]
            total = lit if total is None else np.maximum(total, lit)
        tops = self._tops[np.ix_(rows, columns)]
        if tops.any():
            grown = self._grown(tops, share)[off : off + size[0], off : off + size[1], None]
            high = np.minimum(np.array(self.night) * (1 + (_TOP_LIGHT - 1) / 255 * grown), 255).astype(np.uint8)
            # The brighter colour as a whole wins. A maximum of each channel would turn lamp light on a wall pink.
            total = high if total is None else np.where((total @ GREY > high @ GREY)[..., None], total, high)
        if total is not None:
            pygame.surfarray.blit_array(out, total)
        return out

    @staticmethod
    def _grown(part: np.ndarray, share: float) -> np.ndarray:
        """Enlarge samples uint8[h, w] to pixels uint8[W, H].

        x is the first axis, as in pygame.
        """
        small = pygame.Surface(part.shape[::-1])
        pygame.surfarray.pixels_red(small)[:] = part.T
        size = tuple(round((n - (share > 1)) * share) for n in small.get_size())
        return pygame.surfarray.array_red(pygame.transform.smoothscale(small, size))

    def samples(self, box: tuple[int, int, int, int]) -> np.ndarray:
        """Return the multiplier in a box of tiles (y0, x0, y1, x1).

        The result is float32[h, w, 3]. It has SAMPLES values a tile. Tops of walls are lighter, as in :meth:`piece`.
        """
        y0, x0, y1, x1 = (n * SAMPLES for n in box)
        tops = self._tops[y0:y1, x0:x1, None].astype(np.float32) / 255
        total = np.minimum(np.array(self.night, np.float32) * (1 + (_TOP_LIGHT - 1) * tops), 255)
        for field, table in zip(self._fields, self._tables, strict=True):
            part = field[y0:y1, x0:x1]
            if part.any():
                lit = table[part].astype(np.float32)
                total = np.where((lit @ GREY > total @ GREY)[..., None], lit, total)
        return total

    def at(self, x: float, y: float) -> RGB:
        """Return the multiplier at a position in tiles."""
        sy = min(max(int(y * SAMPLES), 0), self.height * SAMPLES - 1)
        sx = min(max(int(x * SAMPLES), 0), self.width * SAMPLES - 1)
        red, green, blue = self.night
        for field, table in zip(self._fields, self._tables, strict=True):
            r, g, b = (int(c) for c in table[field[sy, sx]])
            red, green, blue = max(red, r), max(green, g), max(blue, b)
        return red, green, blue


def _meet(a: tuple[int, int, int, int], b: tuple[int, int, int, int]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def less_green(ground: pygame.Surface, piece: pygame.Surface, night: RGB) -> None:
    """Remove most of the ground's hue where a multiplier exceeds the night's."""
    lighter = pygame.surfarray.pixels_green(piece).astype(np.int16) - night[1]
    if int(lighter.max()) <= 0:
        return
    grey = pygame.transform.grayscale(ground).convert_alpha()
    pygame.surfarray.pixels_alpha(grey)[:] = np.clip(lighter * 3, 0, GREEN_LOSS)
    ground.blit(grey, (0, 0))


def remembered(piece: pygame.Surface, night: RGB) -> pygame.Surface:
    """Return the multiplier of explored ground: the same pools, dimmer and cooler."""
    light = pygame.surfarray.array3d(piece)
    dark = np.array(night, np.float32)
    lighter = light.astype(np.int16).sum(axis=2) - sum(night)
    out = pygame.Surface(piece.get_size())
    if int(lighter.max()) <= 0:
        out.fill(night)
        return out
    dim = dark + (light * _REMEMBERED_TINT - dark) * np.float32(REMEMBERED)
    pygame.surfarray.blit_array(out, np.maximum(dim, dark).astype(np.uint8))
    return out


class NightGround:
    """Ground at night: the chunks of another ground, multiplied by the light.

    The look of Lab is not changed.
    """

    def __init__(self, inner: Any, light: LightMap) -> None:
        self.inner, self.light = inner, light
        self._kept: OrderedDict[tuple[str, int, int, int], pygame.Surface] = OrderedDict()
        self._bytes = 0

    @property
    def budget(self) -> int | None:
        """Number of chunks that a frame may assemble."""
        found: int | None = getattr(self.inner, "budget", None)
        return found

    @budget.setter
    def budget(self, chunks: int | None) -> None:
        if hasattr(self.inner, "budget"):
            self.inner.budget = chunks

    def begin_frame(self) -> bool:
        """Reset the budget; return whether the last frame showed a stand-in."""
        begin = getattr(self.inner, "begin_frame", None)
        return bool(begin()) if begin is not None else False

    def chunk_tiles(self, zoom: int) -> int:
        """Return the tiles along a side of a chunk."""
        tiles: int = self.inner.chunk_tiles(zoom)
        return tiles

    def ready(self, zoom: int, row: int, column: int) -> bool:
        """Return whether a chunk is final."""
        return bool(self.inner.ready(zoom, row, column))

    def chunk(self, look: str, zoom: int, row: int, column: int) -> pygame.Surface:
        """Return the chunk at night: `full` lit by lamps, `explored` by weaker light.

        `explored` has the same pools, dimmer and cooler.
        """
        if look == "lab":
            plain: pygame.Surface = self.inner.chunk(look, zoom, row, column)
            return plain
        key = (look, zoom, row, column)
        known = self._kept.get(key)
        if known is not None:
            self._kept.move_to_end(key)
            return known
        day = self.inner.chunk(look, zoom, row, column)
        made = self._by_night(day, look != "explored", zoom, row, column)
        if self.ready(zoom, row, column):
            self._keep(key, made)
        return made

    def under_crowns(self, zoom: int, row: int, column: int) -> pygame.Surface | None:
        """Return the chunk without tree crowns.

        The result is None if it has no crowns or is not assembled yet.
        """
        key = ("under", zoom, row, column)
        if key in self._kept:
            return self._kept[key]
        day = self.inner.under_crowns(zoom, row, column)
        if day is None:
            return None
        made = self._by_night(day, True, zoom, row, column)
        self._keep(key, made)
        return made

    def _by_night(self, day: pygame.Surface, lamps: bool, zoom: int, row: int, column: int) -> pygame.Surface:
        """Multiply a chunk by its light; without ``lamps`` by the light of explored ground."""
        made = day.copy()
        n = self.chunk_tiles(zoom)
        tiles = (day.get_height() // zoom, day.get_width() // zoom)
        piece = self.light.piece(row * n, column * n, tiles, zoom)
        if lamps:
            less_green(made, piece, self.light.night)
        else:
            piece = remembered(piece, self.light.night)
        made.blit(piece, (0, 0), special_flags=pygame.BLEND_RGB_MULT)
        return made

    def _keep(self, key: tuple[str, int, int, int], made: pygame.Surface) -> None:
        self._kept[key] = made
        self._bytes += made.get_width() * made.get_height() * 4
        while self._bytes > KEPT_BYTES and len(self._kept) > 1:
            _, old = self._kept.popitem(last=False)
            self._bytes -= old.get_width() * old.get_height() * 4

    def forget(self, y0: int, x0: int, y1: int, x1: int) -> None:
        """Drop the chunks of tiles that have changed, or whose light has."""
        forget = getattr(self.inner, "forget", None)
        if forget is not None:
            forget(y0, x0, y1, x1)
        for key in list(self._kept):
            n = self.chunk_tiles(key[1])
            if y0 < (key[2] + 1) * n and key[2] * n < y1 and x0 < (key[3] + 1) * n and key[3] * n < x1:
                old = self._kept.pop(key)
                self._bytes -= old.get_width() * old.get_height() * 4
