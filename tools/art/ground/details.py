"""Detail textures that fill a material, such as joints, furrows, tufts and ripples.

They are seamless over 16 tiles. They are grey pictures at 64 px a tile: the share of light that the ink lets through
(255: no ink), and the shade over BRIGHTEST.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tools.art.drawing import png
from tools.art.drawing.canvas import Canvas
from tools.art.drawing.noise import dice, hashed, smoothstep, tiling

BRIGHTEST = 1.06  # a shade of 1.06 is stored as 255

TILES = 16
SCALE = 2  # baked at 64 px a tile
SPAN = TILES * 32  # in the px that everything is measured in
SIDE = SPAN * SCALE
Planes = tuple[np.ndarray, np.ndarray]  # ink 0..1 and shade about 1


def _blank() -> Planes:
    return np.zeros((SIDE, SIDE), np.float32), np.ones((SIDE, SIDE), np.float32)


def _grid() -> tuple[np.ndarray, np.ndarray]:
    at = (np.arange(SIDE) + 0.5) / SCALE
    return np.meshgrid(at, at)


def _noise(period: float, seed: int) -> np.ndarray:
    return tiling(SIDE, period * SCALE, seed)


def _strokes(draw: Callable[[Canvas, float, float], None], spots: list[tuple[float, float]]) -> np.ndarray:
    """Return the ink of small drawings at ``spots``, wrapped round the borders."""
    canvas = Canvas(SPAN * SCALE, SPAN * SCALE, 2, SCALE)
    for x, y in spots:
        for dx in (-SPAN, 0, SPAN):
            for dy in (-SPAN, 0, SPAN):
                if -24 < x + dx < SPAN + 24 and -24 < y + dy < SPAN + 24:
                    draw(canvas, x + dx, y + dy)
    return canvas.rgba()[..., 3].astype(np.float32) / 255


def _scattered(per_tile: float, seed: int) -> list[tuple[float, float]]:
    count = round(per_tile * TILES * TILES)
    n = np.arange(count)
    return list(zip(hashed(n, n * 0 + 1, seed) * SPAN, hashed(n, n * 0 + 2, seed) * SPAN, strict=True))


INK = (0, 0, 0)


def grass() -> Planes:
    """Return sparse tufts of three blades."""
    ink, shade = _blank()

    def tuft(canvas: Canvas, x: float, y: float) -> None:
        key = int(x % SPAN * 10), int(y % SPAN * 10)
        lean, size = dice(*key, 1) - 0.5, dice(*key, 2)
        for j in (-1, 0, 1):
            a = -math.pi / 2 + j * 0.5 + lean * 0.5
            length = (3.4 + 2.4 * size) * (1 if j == 0 else 0.75)
            root = (x + j * 1.3, y)
            tip = (root[0] + length * math.cos(a), y + length * math.sin(a))
            canvas.line([root, tip], 1.1, INK, 96, end_width=0.35, caps=False)

    return np.maximum(ink, _strokes(tuft, _scattered(0.5, 31))), shade


def _dots(per_tile: float, size: float, alpha: int, seed: int) -> Planes:
    ink, shade = _blank()

    def dot(canvas: Canvas, x: float, y: float) -> None:
        r = size * (0.45 + 0.75 * dice(int(x % SPAN * 10), int(y % SPAN * 10), 3))
        canvas.disc((x, y), r, INK, alpha)

    return np.maximum(ink, _strokes(dot, _scattered(per_tile, seed))), shade


def field() -> Planes:
    """Return furrows 8.4 px apart with a lighter and a darker side."""
    x, y = _grid()
    u = (21 * x + 57 * y) / SPAN + (_noise(120, 770) * 0.55 + _noise(36, 771) * 0.20)
    spacing = SPAN / math.hypot(21, 57)
    off = np.abs(u % 1 - 0.5) * spacing
    gate = smoothstep(-0.5, 0.1, _noise(52, 772))
    ink = np.clip(0.95 / 2 + 0.4 - off, 0, 1) * 0.30 * gate
    shade = 1 - 0.05 * np.clip(2.1 - np.abs((u % 1 - 0.28) * spacing), 0, 1)
    return ink.astype(np.float32), shade.astype(np.float32)


def flags(cells: int, joint_alpha: float, wobble: float, seed: int, tone: float = 0.085) -> Planes:
    """Return flagstones: jittered cells with a tone each and broken joints of ink."""
    x, y = _grid()
    cell = SPAN / cells
    u, v = (x + _noise(38, 610 + seed) * wobble) / cell, (y + _noise(38, 611 + seed) * wobble) / cell
    ix, iy = np.floor(u).astype(np.int64), np.floor(v).astype(np.int64)
    d1 = np.full(u.shape, 9.0)
    d2 = d1.copy()
    stone = np.zeros(u.shape)
    for oy in (-1, 0, 1):
        for ox in (-1, 0, 1):
            cx, cy = ix + ox, iy + oy
            wx, wy = cx % cells, cy % cells
            jx = cx + 0.5 + (hashed(wx, wy, 3 + seed) - 0.5) * 0.55
            jy = cy + 0.5 + (hashed(wx, wy, 4 + seed) - 0.5) * 0.55
            dx, dy = np.abs(u - jx), np.abs(v - jy)
            d = np.maximum(dx, dy) * 0.72 + 0.28 * np.hypot(dx, dy)
            nearer = d < d1
            d2 = np.where(nearer, d1, np.minimum(d2, d))
            stone = np.where(nearer, hashed(wx, wy, 9 + seed), stone)
            d1 = np.minimum(d1, d)
    joint = np.clip(1.15 - (d2 - d1) * cell * 0.62, 0, 1)
    broken = 0.5 + 0.5 * smoothstep(-0.5, 0.3, _noise(31, 620 + seed))
    shade = (1 + (stone - 0.5) * tone) * (1 - 0.10 * joint)
    return (joint * joint_alpha * broken).astype(np.float32), shade.astype(np.float32)


def water() -> Planes:
    """Return sparse pairs of short ripples."""
    ink, shade = _blank()

    def ripple(canvas: Canvas, x: float, y: float) -> None:
        for dy, length in ((0.0, 7.0), (3.6, 4.5)):
            t = np.linspace(-1, 1, 9)
            canvas.line(np.c_[x + t * length, y + dy + 1.2 * np.cos(t * 2.6)], 0.9, INK, 46, caps=False)

    return np.maximum(ink, _strokes(ripple, _scattered(0.10, 41))), shade


def boards(spacing: float, longest: float, alpha: float, seed: int, upright: bool) -> Planes:
    """Return planks side by side, with butt joints and a tone each."""
    x, y = _grid()
    if upright:
        x, y = y, x
    count = round(SPAN / spacing)
    v = (y + _noise(90, 640 + seed) * 0.5) / SPAN * count
    row = np.floor(v).astype(np.int64) % count
    off = np.abs(v - np.round(v)) * SPAN / count
    per = max(1, round(SPAN / longest))
    w = x / SPAN * per + hashed(row, row * 0, 11 + seed)
    plank = np.floor(w).astype(np.int64) % per
    butt = np.abs(w - np.round(w)) * SPAN / per
    ink = np.maximum(np.clip(0.95 - off, 0, 1) * alpha, np.clip(0.9 - butt, 0, 1) * alpha * 0.8)
    ink = ink * (0.6 + 0.4 * smoothstep(-0.4, 0.3, _noise(30, 641 + seed)))
    shade = 1 + (hashed(row, plank, 12 + seed) - 0.5) * 0.10
    return ink.astype(np.float32), shade.astype(np.float32)


def courses(spacing: float, joint: float, seed: int, ragged: float) -> Planes:
    """Return roof courses from ridge (top) to eaves.

    They are slates with joints, or ragged thatch when ``joint`` is 0.
    """
    x, y = _grid()
    count = round(SPAN / spacing)
    v = (y + _noise(40, 650 + seed) * ragged) / SPAN * count
    row = np.floor(v).astype(np.int64) % count
    below = (v % 1) * SPAN / count
    gate = 0.35 + 0.65 * smoothstep(-0.4, 0.3, _noise(30, 651 + seed))
    ink = np.clip(1.15 - below, 0, 1) * 0.42 * gate
    shade = 1 - 0.07 * np.clip(1 - below / 3.0, 0, 1)
    if joint:
        per = round(SPAN / joint)
        w = x / SPAN * per + row * 0.47 + 0.3 * hashed(row, row * 0, 5 + seed)
        off = np.abs(w - np.round(w)) * SPAN / per
        ink = np.maximum(ink, np.clip(0.85 - off, 0, 1) * 0.28 * gate)
        shade = shade * (1 + (hashed(np.floor(w).astype(np.int64) % per, row, 6 + seed) - 0.5) * 0.09)
    else:
        straw = tiling(SIDE, 5.0, 655 + seed)
        ink = np.maximum(ink, smoothstep(0.62, 0.95, straw) * 0.16)
    return ink.astype(np.float32), shade.astype(np.float32)


DETAILS: dict[str, Callable[[], Planes]] = {
    "grass": grass,
    "field": field,
    "road": lambda: _dots(0.8, 1.0, 95, 35),
    "gravel": lambda: _dots(5.0, 1.0, 95, 33),
    "stone": lambda: flags(24, 0.36, 4.5, 0),
    "wall": lambda: flags(41, 0.52, 1.6, 7),
    "water": water,
    "floor": lambda: boards(8.0, 128.0, 0.34, 1, False),
    "bridge_stone": lambda: flags(30, 0.40, 1.0, 15, 0.07),
    "planks_across": lambda: boards(7.1, 512.0, 0.55, 2, True),
    "planks_along": lambda: boards(7.1, 512.0, 0.55, 3, False),
    "slate": lambda: courses(6.4, 9.0, 1, 1.0),
    "thatch": lambda: courses(5.1, 0.0, 2, 1.6),
}


def texture(name: str) -> tuple[np.ndarray, np.ndarray | None]:
    """Return the light let through by the ink, and the shade, uint8[SIDE, SIDE].

    The shade is None for a material with constant shade.
    """
    ink, shade = DETAILS[name]()
    through = np.clip((1 - ink) * 255 + 0.5, 0, 255).astype(np.uint8)
    if np.ptp(shade) == 0:
        return through, None
    return through, np.clip(np.round(shade * 255 / BRIGHTEST / 3) * 3, 0, 255).astype(np.uint8)


def bake(folder: Path, log: Callable[[str], None] = lambda _: None) -> list[dict[str, object]]:
    """Write ``tiles/detail_<name>_ink.png`` and the shade; return index rows.

    The file of the shade is ``..._shade.png``, written only where a material has one.
    """
    rows: list[dict[str, object]] = []
    for name in DETAILS:
        through, shade = texture(name)
        row: dict[str, object] = {"name": name, "ink": f"tiles/detail_{name}_ink.png", "tiles": TILES}
        size = png.write(folder / f"tiles/detail_{name}_ink.png", through)
        if shade is not None:
            row["shade"] = f"tiles/detail_{name}_shade.png"
            size += png.write(folder / f"tiles/detail_{name}_shade.png", shade)
        log(f"  {name} {size // 1000} kB")
        rows.append(row)
    return rows
