"""Tree crowns from above, and clumps of reeds.

A crown has flat tones, a dark crescent in the south-east and a light patch in the north-west. Its ink is thicker in
the south-east.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from game.view.painting.palette import mix, palette
from tools.art.drawing import png
from tools.art.drawing.noise import dice, smoothstep, tiling

CELL = 144  # px at 64 a tile: 2.25 tiles
VARIANTS = 32
COLUMNS = 8
SCALE = 2
MASTER = 3


def radius(variant: int) -> float:
    """Return the radius of a crown in tiles, 0.50 to 0.86.

    It grows with the variant, so that small crowns are drawn first.
    """
    return 0.50 + 0.36 * (variant / (VARIANTS - 1)) ** 1.3


def crown(variant: int) -> tuple[np.ndarray, np.ndarray]:
    """Return wash and ink of a crown.

    The wash is uint8[CELL, CELL, 4]: colour and coverage. The ink is uint8[CELL, CELL, 2]: light let through, and how
    far it hides the ink below.
    """
    n = CELL * MASTER
    at = (np.arange(n) + 0.5 - n / 2) / (SCALE * MASTER)
    x, y = np.meshgrid(at, at)
    r = [dice(variant, i, 77) for i in range(10)]
    size = radius(variant) * 32
    theta, dist = np.arctan2(y, x), np.hypot(x, y)
    lobes = 7 + int(r[5] * 4)
    wave = np.abs(np.sin(lobes * theta / 2 + r[6] * 6))
    rim = 0.90 + 0.12 * wave + 0.05 * np.sin(2 * theta + r[7] * 6) + 0.04 * np.sin(3 * theta + r[0] * 9)
    inside = size * rim - dist
    p = palette()
    base = np.array(mix(p.grounds["wood"], p.grounds["grass"], 0.16), float)
    tones = (base, base * 1.09 + (2, 3, -8), base * 0.93 + (-2, 0, 4), base * 1.02 + (10, 2, -10))
    colour = np.broadcast_to(tones[int(r[4] * 4) % 4], (n, n, 3)).copy()
    off = size * 0.25
    dark = np.clip((np.hypot(x + off, y + off) - size * 0.86 * rim) / 1.2 + 0.5, 0, 1)
    lit = np.clip((size * 0.42 * rim - np.hypot(x + size * 0.30, y + size * 0.30)) / 1.2 + 0.5, 0, 1)
    factor = (1 - 0.20 * dark + 0.115 * lit) * (1 - 0.10 * np.exp(-np.clip(inside, 0, 99) / 2.2))
    speck = tiling(512, 5.0 * MASTER, 78)[:n, :n]
    colour = colour * (factor * (1 + 0.016 * speck))[..., None]
    cover = np.clip(inside * SCALE * MASTER + 0.5, 0, 1)
    width = 1.05 + 0.70 * np.clip((x + y) / (1.4 * size), -1, 1)
    line = np.clip((width / 2 + 0.35 - np.abs(inside)) * 2.0, 0, 1) * 0.9
    for j, (share, angle) in enumerate(((0.56, 0.75), (0.62, 1.6), (0.30, 0.2), (0.40, 2.6))):
        if r[j] < 0.25:
            continue
        centre = angle + (r[j + 1] - 0.5) * 0.9
        away = np.abs((theta - centre + np.pi) % (2 * np.pi) - np.pi)
        arc = np.abs(dist - size * (share + 0.07 * wave))
        line = np.maximum(line, np.clip((0.85 - arc) * 1.6, 0, 1) * smoothstep(0.42, 0.2, away) * 0.5)
    hides = np.maximum(cover, line)
    shape = (CELL, MASTER, CELL, MASTER)
    wash = np.zeros((CELL, CELL, 4), np.uint8)
    mass = (colour * cover[..., None]).reshape(*shape, 3).mean((1, 3))
    mean = cover.reshape(shape).mean((1, 3))
    wash[..., :3] = np.clip(np.where(mean[..., None] > 1e-4, mass / np.maximum(mean, 1e-4)[..., None], base), 0, 255)
    wash[..., 3] = np.clip(mean * 255 + 0.5, 0, 255)
    alpha = hides.reshape(shape).mean((1, 3))
    through = (cover * (1 - line)).reshape(shape).mean((1, 3)) / np.maximum(alpha, 1e-4)
    ink = np.stack([through, alpha], axis=-1)
    return wash, np.clip(ink * 255 + 0.5, 0, 255).astype(np.uint8)


def reeds(variant: int) -> np.ndarray:
    """Return a clump of reeds, uint8[96, 96, 4].

    It is seen a little from the south, like marsh on old maps. The scale is 64 px a tile.
    """
    import math

    from tools.art.drawing.canvas import Canvas

    canvas = Canvas(96, 96, 4, SCALE)
    for q in range(2 + variant % 2):
        x = 24 + (dice(variant, q, 1) - 0.5) * 17
        y = 33 + (dice(variant, q, 2) - 0.5) * 9
        lean = (dice(variant, q, 3) - 0.5) * 0.3
        for j in range(5):
            height = dice(variant, q, j, 4)
            a = -math.pi / 2 + (j - 2) * 0.24 + lean
            length = (8.5 + 6.5 * height) * (1 - 0.09 * abs(j - 2))
            root = (x + (j - 2) * 1.7, y + abs(j - 2) * 0.5)
            tip = (root[0] + length * math.cos(a), root[1] + length * math.sin(a))
            canvas.line([root, tip], 1.8, ((62, 70, 46), (84, 94, 58))[j % 2], 255, end_width=0.7, caps=False)
            if height > 0.62:
                head = (tip[0] - 0.42 * length * math.cos(a), tip[1] - 0.42 * length * math.sin(a))
                canvas.line([head, tip], 2.8, (112, 76, 46))
    return canvas.rgba()


REED_VARIANTS = 8


def bake(folder: Path) -> list[dict[str, object]]:
    """Write crown and reed sheets; return index rows."""
    rows = VARIANTS // COLUMNS
    wash = np.zeros((rows * CELL, COLUMNS * CELL, 4), np.uint8)
    ink = np.zeros((rows * CELL, COLUMNS * CELL, 2), np.uint8)
    for i in range(VARIANTS):
        at = np.s_[i // COLUMNS * CELL : (i // COLUMNS + 1) * CELL, i % COLUMNS * CELL : (i % COLUMNS + 1) * CELL]
        colour, line = crown(i)
        wash[at] = colour
        ink[at] = line
    png.write(folder / "tiles" / "crowns_wash.png", wash)
    png.write(folder / "tiles" / "crowns_ink.png", ink)
    png.write(folder / "tiles" / "reeds.png", np.concatenate([reeds(i) for i in range(REED_VARIANTS)], axis=1))
    radii = [round(radius(i), 4) for i in range(VARIANTS)]
    return [
        {"name": "crowns", "wash": "tiles/crowns_wash.png", "ink": "tiles/crowns_ink.png", "cell": CELL}
        | {"columns": COLUMNS, "variants": VARIANTS, "radii": radii},
        {"name": "reeds", "wash": "tiles/reeds.png", "cell": 96, "columns": REED_VARIANTS, "variants": REED_VARIANTS},
    ]
