"""Ground materials: edge sheets with a wash and an ink picture.

An edge sheet holds every tile of :mod:`game.view.ground.dual_grid` (``catalogue``) twice, in grey with alpha. The wash
has the shade, and its coverage as alpha. The ink has the light it lets through, and as alpha how far it hides the ink
below. Colour is multiplied in when a sheet is loaded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from game.view.ground import dual_grid
from tools.art.drawing import png
from tools.art.drawing.noise import smoothstep, tiling
from tools.art.ground.edges import CAP, SIDE, Hand, built, drawn

SHEET_COLUMNS = 16


@dataclass(frozen=True)
class Line:
    """Ink line ``at`` px inside the edge (negative: outside)."""

    at: float
    width: float
    alpha: float
    broken: float = 0.0
    """Amount of gaps: 0 none, 1 on about half of the line."""


@dataclass(frozen=True)
class Material:
    """Style of the edge of one ground.

    Lengths are in px at 32 px a tile.
    """

    name: str
    hand: Hand | None
    """Style of a freely drawn edge; None for a built shape."""
    soft: tuple[float, float] = (1.2, 6.0)
    """Width of the edge, from dry to wet."""
    grow: float = 0.0
    """Distance in px that the coverage reaches beyond the contour."""
    opacity: float = 1.0
    rim: float = 0.13
    """Pooled pigment: how much darker the edge is."""
    lines: tuple[Line, ...] = ()
    inset: float = 0.0
    lighter: float = 0.0
    """Built shapes: how much lighter the top is than its edge."""
    extra: dict[str, float] = field(default_factory=dict)


_WATER = Hand(2.9, seed=3)
MATERIALS = (
    Material("wood", Hand(3.4, seed=1), soft=(9.0, 11.0), rim=0.02),
    Material("field", Hand(2.0, seed=2), rim=0.13, lines=(Line(0, 1.05, 0.52, 0.25),)),
    Material("gravel", Hand(2.6, seed=4), soft=(1.6, 5.0), rim=0.09, lines=(Line(0, 0.8, 0.25, 0.6),)),
    Material("road", Hand(2.4, seed=5), rim=0.12, lines=(Line(0, 1.05, 0.46, 0.45), Line(9.5, 0.9, 0.20, 1.2))),
    Material("stone", Hand(0.8, seed=6), soft=(1.3, 1.7), rim=0.10, lines=(Line(0, 1.15, 0.58, 0.2),)),
    Material("floor", None, soft=(1.0, 1.0), rim=0.08, lines=(Line(0.3, 1.4, 0.8),)),
    Material("bank", _WATER, soft=(4.0, 5.5), grow=5.5, rim=0.05),
    Material(
        "water",
        _WATER,
        soft=(1.2, 1.2),
        rim=0.16,
        lines=(Line(0, 1.75, 0.92), Line(5.6, 0.95, 0.40, 0.4), Line(10.2, 0.9, 0.28, 0.6)),
    ),
    Material(
        "deep", Hand(3.2, seed=8), soft=(4.0, 5.0), rim=0.0, lines=(Line(-7.5, 0.9, 0.20, 0.7), Line(2, 0.9, 0.14, 0.9))
    ),
    Material("reeds", Hand(3.2, seed=9), soft=(4.0, 6.0), grow=3.0, opacity=0.9, rim=0.10),
    Material("void", Hand(3.2, seed=10), soft=(8.0, 11.0), rim=0.0),
    Material("wall", None, soft=(1.0, 1.0), rim=0.16, lines=(Line(0.4, 2.1, 0.97),), inset=4.5, lighter=0.10),
    Material("low_wall", None, soft=(1.0, 1.0), rim=0.12, lines=(Line(0.3, 1.5, 0.92),), inset=8.0, lighter=0.06),
)


def _shapes(material: Material) -> np.ndarray:
    """Return signed distances of each tile of the catalogue, float64[n, SIDE, SIDE]."""
    tiles = dual_grid.catalogue(material.name in dual_grid.STRAIGHT)
    if material.hand is not None:
        return _hand_shapes(material.hand, tiles)
    plain: dict[tuple[int, int], np.ndarray] = {}
    for tile in tiles:
        key = (tile.case, tile.variant)
        if key not in plain:
            wobble = 0.0 if material.name == "floor" else 1.2
            plain[key] = built(tile.case, tile.variant, material.inset, 4.0 if material.inset else 1.2, wobble)
    return np.stack([plain[tile.case, tile.variant] for tile in tiles])


_SHAPES: dict[Hand, np.ndarray] = {}


def _hand_shapes(hand: Hand, tiles: tuple[dual_grid.DualTile, ...]) -> np.ndarray:
    if hand not in _SHAPES:
        _SHAPES[hand] = np.stack([drawn(tile, hand) for tile in tiles])
    return _SHAPES[hand]


def _window() -> np.ndarray:
    """Return weights for variations between variants: 1 inside a tile, 0 at its borders."""
    at = np.minimum(np.arange(SIDE), np.arange(SIDE)[::-1]) + 0.5
    edge = smoothstep(0.5, 14.0, at)
    return np.minimum.outer(edge, edge)


def _pooled(within: np.ndarray, reach: float) -> np.ndarray:
    """Return pigment by distance from the edge: 1 at the edge, 0 at CAP.

    It is 0 at CAP so that plain tiles join.
    """
    rest = np.exp(-CAP / reach)
    return np.clip((np.exp(-within / reach) - rest) / (1 - rest), 0, 1)


def planes(material: Material, distance: np.ndarray, salt: int) -> np.ndarray:
    """Return a tile, float64[3, SIDE, SIDE]: coverage, shade and ink.

    Coverage and ink lie in 0 to 1, shade about 1.
    """
    inner = _window()
    offset = np.array([salt * 37 % 190, salt * 71 % 190])
    local = [
        tiling(256, period, 300 + i)[offset[0] :, offset[1] :][:SIDE, :SIDE] for i, period in enumerate((70, 34, 22))
    ]
    dry, wet = material.soft
    middle = dry + (wet - dry) * 0.45
    width = middle + np.clip(local[0] * 1.4, -0.8, 1.0) * (wet - dry) * 0.55 * inner
    s = distance + material.grow
    coverage = np.clip(s / np.maximum(width, 0.8) + 0.5, 0, 1)
    if distance.max() >= CAP - 1e-6 and distance.min() >= CAP - 1e-6:
        coverage[:] = 1.0
    within = np.clip(s, 0, 99)
    shade = 1 - material.rim * (_pooled(within, 3.2) + 0.4 * _pooled(within, 11))
    if material.lighter:
        shade = shade + material.lighter * np.clip(distance / 2.2, 0, 1)
    ink = np.zeros_like(s)
    for line in material.lines:
        half = line.width * (1 + 0.30 * np.clip(local[1] * 1.6, -1, 1) * inner) / 2
        stroke = np.clip(half + 0.5 - np.abs(distance - line.at), 0, 1) * line.alpha
        if line.broken:
            gap = smoothstep(0.55 - line.broken * 0.5, 0.75 - line.broken * 0.4, local[2] + local[0] * 0.5)
            stroke = stroke * (1 - gap * inner * min(1.0, line.broken * 1.4))
        ink = np.maximum(ink, stroke)
    return np.stack([coverage * material.opacity, shade, np.clip(ink, 0, 1)])


def _byte(plane: np.ndarray) -> np.ndarray:
    return np.clip(plane * 255 + 0.5, 0, 255).astype(np.uint8)


def wash_and_ink(material: Material, planes_: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the wash and the ink of a tile, uint8[SIDE, SIDE, 2] each.

    With grey g and alpha a, the game computes ``below * (1 - a) + g * a``. So all light passes where nothing is drawn,
    and none under a full line. Where the material covers the ink below, that ink disappears.
    """
    coverage, shade, ink = planes_
    wash = np.stack([_byte(shade / brightest(material)), _byte(coverage)], axis=-1)
    alpha = np.maximum(coverage, ink)
    through = coverage * (1 - ink) / np.maximum(alpha, 1e-6)
    return wash, np.stack([_byte(through), _byte(alpha)], axis=-1)


def brightest(material: Material) -> float:
    """Return the shade that is stored as 255."""
    return 1.0 + material.lighter


def sheet(material: Material) -> tuple[np.ndarray, np.ndarray]:
    """Return wash and ink sheet of a material, uint8[H, W, 2].

    The sheets are SHEET_COLUMNS tiles wide.
    """
    shapes = _shapes(material)
    rows = -(-len(shapes) // SHEET_COLUMNS)
    wash = np.zeros((rows * SIDE, SHEET_COLUMNS * SIDE, 2), np.uint8)
    ink = np.zeros_like(wash)
    for i, distance in enumerate(shapes):
        at = np.s_[
            i // SHEET_COLUMNS * SIDE : (i // SHEET_COLUMNS + 1) * SIDE,
            i % SHEET_COLUMNS * SIDE : (i % SHEET_COLUMNS + 1) * SIDE,
        ]
        wash[at], ink[at] = wash_and_ink(material, planes(material, distance, i))
    return wash, ink


def bake(folder: Path, log: Callable[[str], None] = lambda _: None) -> list[dict[str, object]]:
    """Write edge sheets ``tiles/edge_<material>_wash.png`` and ``..._ink.png``; return index rows."""
    rows: list[dict[str, object]] = []
    for material in MATERIALS:
        files = [f"tiles/edge_{material.name}_{plane}.png" for plane in ("wash", "ink")]
        sizes = [png.write(folder / file, picture) for file, picture in zip(files, sheet(material), strict=True)]
        log(f"  {material.name} {sum(sizes) // 1000} kB")
        row: dict[str, object] = {"name": material.name, "wash": files[0], "ink": files[1], "cell": SIDE}
        rows.append(row | {"columns": SHEET_COLUMNS, "brightest": brightest(material)})
    return rows
