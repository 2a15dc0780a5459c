"""Figure sheets of each side, pose and direction, for each zoom step.

The layers are body, rim for the night, and shadow.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pygame
from scipy import ndimage

from game.view.figures.wardrobe import Shape
from game.view.painting.palette import SideColours, palette
from tools.art.drawing import png
from tools.art.drawing.canvas import reduce_premultiplied
from tools.art.units.body import HEIGHT, LYING, STANDING_HEIGHT, UPRIGHT, figure

DIRECTIONS = 16
ZOOMS = (64, 32, 24, 16, 12)  # 48 is reduced from 64 when loaded
MASTER = 192  # px a tile of the drawing that every zoom is reduced from
CELL_TILES = {"upright": 2.5, "lying": 2.75}
SHEETS = {"upright": UPRIGHT, "lying": LYING}
INNER_LINE, OUTLINE, RIM, LIGHT_BAND = 0.62, 1.15, 1.5, 1.9  # px at 32 px a tile


@dataclass(frozen=True)
class Cut:
    """Figure at one zoom: body uint8 rgba, and alpha of rim and shadow.

    All three are square cells of the same size.
    """

    body: np.ndarray
    rim: np.ndarray
    shadow: np.ndarray


def _paint(parts: list[Shape], turn: float, side_px: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the master drawing: rgb float32 and the mask of the figure."""
    k = MASTER / 32
    surface = pygame.Surface((side_px, side_px), pygame.SRCALPHA)
    c, s = math.cos(turn), math.sin(turn)
    ink = (*palette()["ink"], 255)
    for part in parts:
        x, y = part.outline[:, 0], part.outline[:, 1]
        points = np.c_[x * c - y * s, x * s + y * c] * k + side_px / 2
        pygame.draw.polygon(surface, (*part.colour, 255), points.tolist())
        if part.inked:
            pygame.draw.polygon(surface, ink, points.tolist(), max(1, round(INNER_LINE * k)))
    rgb = pygame.surfarray.array3d(surface).astype(np.float32).transpose(1, 0, 2)
    return rgb, pygame.surfarray.array_alpha(surface).T > 127


def _shaded(rgb: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Darken a flat band on the south-east of the figure.

    The light comes from the north-west, whichever way the figure turns.
    """
    d = round(LIGHT_BAND * MASTER / 32)
    lit = np.zeros_like(mask)
    lit[:-d, :-d] = mask[d:, d:]
    band = mask & ~lit & (rgb.sum(2) > 160)
    rgb[band] *= 0.78
    return rgb


def _distance_outside(mask: np.ndarray) -> np.ndarray:
    """Return the distance to the figure in pixels.

    It is exact near the figure and a constant farther off.
    """
    margin = MASTER // 6
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    box = np.s_[max(0, rows[0] - margin) : rows[-1] + margin, max(0, columns[0] - margin) : columns[-1] + margin]
    out = np.full(mask.shape, np.float32(margin))
    out[box] = ndimage.distance_transform_edt(~mask[box])
    return out


def _swept(mask: np.ndarray, length: float) -> np.ndarray:
    """Return the silhouette swept along (1, 1) by ``length`` px."""
    out, reach = mask.copy(), max(1, round(length))
    step = 1
    while reach > 0:
        move = min(step, reach)
        shifted = np.zeros_like(out)
        shifted[move:, move:] = out[:-move, :-move]
        out |= shifted
        reach -= move
        step *= 2
    return out


def _mean(plane: np.ndarray, factor: int) -> np.ndarray:
    n = plane.shape[0] // factor
    return plane.astype(np.float32).reshape(n, factor, n, factor).mean((1, 3))


def cut(side: SideColours, pose: str, direction: int, zooms: tuple[int, ...] = ZOOMS) -> dict[int, Cut]:
    """Return the figure at each zoom.

    ``direction`` counts sixteenths of a turn, clockwise from +x.
    """
    family = "lying" if pose in LYING else "upright"
    size = int(CELL_TILES[family] * MASTER)
    rgb, mask = _paint(figure(side, pose), direction * 2 * math.pi / DIRECTIONS, size)
    rgb = _shaded(rgb, mask)
    distance = _distance_outside(mask)
    ink = np.array(palette()["ink"], np.float32)
    rgb[~mask] = ink
    height = HEIGHT.get(pose, STANDING_HEIGHT)
    out: dict[int, Cut] = {}
    for zoom in zooms:
        factor, z = MASTER // zoom, zoom / 32
        line = max(OUTLINE * z, 0.8) * factor
        shape = mask | (distance <= line)
        body = reduce_premultiplied(rgb, shape.astype(np.float32), factor)
        rim = _mean(distance <= line + max(RIM * z, 1.0) * factor, factor)
        shadow = _mean(_swept(shape, height * MASTER / 32), factor)
        blurred = ndimage.gaussian_filter(shadow, 0.7 * max(z, 0.5))
        out[zoom] = Cut(body, _byte(rim), _byte(blurred * 0.44))
    return out


def _byte(plane: np.ndarray) -> np.ndarray:
    return np.clip(plane * 255 + 0.5, 0, 255).astype(np.uint8)


def _flattened(rgba: np.ndarray) -> np.ndarray:
    """Return the picture with fewer levels, which halves the files.

    Alpha has 16 steps, colour 64. The difference is not visible.
    """
    out = rgba.copy()
    out[..., 3] = np.minimum((out[..., 3].astype(np.uint16) + 8) // 17 * 17, 255)
    solid = out[..., :3].astype(np.uint16)
    out[..., :3] = np.minimum((solid + 2) // 4 * 4, 255)
    return out


def _tinted(alpha: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    out = np.zeros((*alpha.shape, 4), np.uint8)
    out[..., :3] = colour
    out[..., 3] = alpha
    return out


def bake(folder: Path) -> list[dict[str, object]]:
    """Write ``<side>_<family>_<layer>_<zoom>.png``; return index rows.

    Columns are poses, rows are directions.
    """
    p = palette()
    rows: list[dict[str, object]] = []
    for side in p.sides:
        for family, poses in SHEETS.items():
            for zoom, layers in _sheets(side, poses, family).items():
                cell = int(CELL_TILES[family] * zoom)
                for layer, picture in layers.items():
                    name = f"figures/{side.name}_{family}_{layer}_{zoom}.png"
                    png.write(folder / name, _flattened(picture))
                    rows.append(
                        {
                            "name": f"{side.name}.{family}.{layer}.{zoom}",
                            "file": name,
                            "cell": [cell, cell],
                            "anchor": [cell / 2, cell / 2],
                            "zoom": zoom,
                            "columns": list(poses),
                            "rows": "direction",
                        }
                    )
    return rows


def _sheets(side: SideColours, poses: tuple[str, ...], family: str) -> dict[int, dict[str, np.ndarray]]:
    p = palette()
    sheets: dict[int, dict[str, np.ndarray]] = {}
    for zoom in ZOOMS:
        cell = int(CELL_TILES[family] * zoom)
        blank = np.zeros((DIRECTIONS * cell, len(poses) * cell, 4), np.uint8)
        sheets[zoom] = {layer: blank.copy() for layer in ("body", "rim", "shadow")}
    for column, pose in enumerate(poses):
        for row in range(DIRECTIONS):
            for zoom, piece in cut(side, pose, row).items():
                cell = piece.body.shape[0]
                at = np.s_[row * cell : (row + 1) * cell, column * cell : (column + 1) * cell]
                sheets[zoom]["body"][at] = piece.body
                sheets[zoom]["rim"][at] = _tinted(piece.rim, p["rim"])
                sheets[zoom]["shadow"][at] = _tinted(piece.shadow, p["shadow"])
    return sheets
