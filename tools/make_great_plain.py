"""Make the map of the ten thousand: ``python -m tools.make_great_plain [OUT.tmx]``.

A seeded plain of 1024 x 1024 tiles with fields, woods, two rivers, a net of roads that bridge them, fords, and hamlets
of walled houses with rooms.  A hundred square regions, ``a1`` in the north-west to ``j10`` in the south-east, name its
parts for scripts.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import zoom

from game.level.level_writer import LevelBuilder
from game.level.model import GROUND

SIDE = 1024
SEED = 10_000
BLOCKS = 10
"""Regions along one side."""
ROADS = 7
HAMLETS = 120
CROWD = 100
"""Soldiers in each of the two crowds that the level brings along."""
MEADOW = (slice(465, 525), slice(440, 590))
LEVEL = Path(__file__).resolve().parent.parent / "levels" / "exhibits/motion/ten_thousand.tmx"


def smooth_noise(rng: np.random.Generator, coarse: int) -> NDArray[np.float64]:
    """Noise float64[SIDE, SIDE] whose features are about SIDE / coarse tiles wide."""
    grid = rng.random((coarse + 3, coarse + 3))
    return np.asarray(zoom(grid, SIDE / coarse, order=3)[:SIDE, :SIDE])


def wandering(rng: np.random.Generator, middle: float, swing: float) -> NDArray[np.int64]:
    """Return a line across the map, ``int64[SIDE]``.

    For every row (or column) it holds the position on the other axis.
    """
    knots = middle + swing * (2.0 * rng.random(10) - 1.0)
    return np.clip(np.interp(np.linspace(0, 9, SIDE), np.arange(10), knots), 8, SIDE - 9).astype(np.int64)


def lay_band(ground: NDArray[np.uint8], line: NDArray[np.int64], half: int, name: str, by_row: bool) -> None:
    """Lay a ground on all tiles within ``half`` tiles of a line.

    Water is bridged instead of covered.
    """
    view = ground if by_row else ground.T
    water, bridge = GROUND["water"], GROUND["bridge_stone"]
    for row, at in enumerate(line.tolist()):
        strip = view[row, at - half : at + half + 1]
        strip[:] = np.where(np.isin(strip, (water, bridge)) & (name != "water"), bridge, GROUND[name])


def build_house(ground: NDArray[np.uint8], rng: np.random.Generator, y: int, x: int, h: int, w: int) -> None:
    """Build a house of one to four rooms.

    Walls are one tile thick. Doorways are two tiles wide on at least two sides.
    """
    ground[y : y + h, x : x + w] = GROUND["wall"]
    ground[y + 1 : y + h - 1, x + 1 : x + w - 1] = GROUND["floor"]
    if w >= 13:
        middle = x + w // 2
        ground[y + 1 : y + h - 1, middle] = GROUND["wall"]
        ground[y + 2 : y + 4, middle] = GROUND["floor"]
    if h >= 13:
        middle = y + h // 2
        ground[middle, x + 1 : x + w - 1] = GROUND["wall"]
        for part in (x + 2, x + w - 4):
            ground[middle, part : part + 2] = GROUND["floor"]
    for side in rng.permutation(4)[:3].tolist():
        if side < 2:
            at = x + 2 if side else x + w - 4
            ground[y if side else y + h - 1, at : at + 2] = GROUND["floor"]
        else:
            at = y + 2 if side == 2 else y + h - 4
            ground[at : at + 2, x if side == 2 else x + w - 1] = GROUND["floor"]


def great_plain() -> LevelBuilder:
    """The level in the making; the same at every call."""
    rng = np.random.default_rng(SEED)
    level = LevelBuilder(SIDE, SIDE, "grass", title="Ten thousand")
    ground = level.ground
    ground[smooth_noise(rng, 24) > 0.72] = GROUND["field"]
    woods = smooth_noise(rng, 40)
    ground[woods > 0.74] = GROUND["wood"]
    ground[(woods > 0.70) & (woods <= 0.705)] = GROUND["gravel"]
    lay_band(ground, wandering(rng, 340, 90), 4, "water", True)
    lay_band(ground, wandering(rng, 640, 110), 3, "water", False)
    for k in range(ROADS):
        middle = (k + 0.5) * SIDE / ROADS
        lay_band(ground, wandering(rng, middle, 40), 3, "road", True)
        lay_band(ground, wandering(rng, middle, 40), 3, "road", False)
    # Fords are reeds in the water, so that there are crossings besides the roads.
    wet = ground == GROUND["water"]
    for k in range(24):
        at = int(rng.integers(20, SIDE - 20))
        stretch = (slice(at, at + 5), slice(None)) if k % 2 else (slice(None), slice(at, at + 5))
        ground[stretch][wet[stretch]] = GROUND["reeds"]
    # The two crowds of the exhibit meet on a meadow in the middle.
    meadow = ground[MEADOW]
    meadow[~np.isin(meadow, [GROUND[n] for n in ("water", "road", "bridge_stone")])] = GROUND["grass"]
    keep = np.isin(ground, [GROUND[n] for n in ("water", "road", "bridge_stone", "reeds")])
    keep[MEADOW] = True
    for _ in range(HAMLETS):
        hy, hx = rng.integers(40, SIDE - 100, 2).tolist()
        for _ in range(14):
            y, x = hy + int(rng.integers(0, 60)), hx + int(rng.integers(0, 60))
            h, w = rng.integers(8, 19, 2).tolist()
            # A lane of three tiles stays open around every house.
            if keep[y - 3 : y + h + 3, x - 3 : x + w + 3].any():
                continue
            ground[y - 1 : y + h + 1, x - 1 : x + w + 1] = GROUND["gravel"]
            build_house(ground, rng, y, x, h, w)
            keep[y : y + h, x : x + w] = True
    for row in range(BLOCKS):
        for column in range(BLOCKS):
            x0, y0 = column * SIDE / BLOCKS, row * SIDE / BLOCKS
            name = f"{'abcdefghij'[column]}{row + 1}"
            level.add("region", x0, y0, SIDE / BLOCKS, SIDE / BLOCKS, name=name, layer="blocks")
    for k in range(2 * CROWD):
        group, place = divmod(k, CROWD)
        x = 462.5 + 2.0 * (place % 10) + (56.0 if group else 0.0)
        y = 480.5 + 2.0 * (place // 10)
        level.add("spawn", x, y, side="raiders", kind="soldier", group=group + 1, layer="crowds")
    return level


def main(arguments: list[str]) -> int:
    """Write the level; the exit code."""
    target = Path(arguments[0]) if arguments else LEVEL
    try:
        great_plain().write(target, overwrite=True, packed=True)
    except ValueError as error:
        print(f"make_great_plain: {error}", file=sys.stderr)
        return 1
    print(f"{target}: {SIDE} x {SIDE} tiles, {target.stat().st_size // 1024} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
