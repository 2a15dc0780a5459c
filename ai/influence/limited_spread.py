"""Spread of one source: over open ground, into sight, or along paths.

Source: Dave Mark, Game AI Pro 2, 30.3 (walls: direct fire reaches only tiles in sight; movement reaches by path
distance), 30.4.3 and 30.5 (normalised templates, so that no root is taken while a map is filled). A source stands on
its tile; distances run from tile centre to tile centre.

A stamp is a window: its first tile (y0, x0) and ``float32[h, w]`` of shares of the full strength.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ai.grid.terrain import Terrain
from ai.influence.falloff_curves import CURVES
from ai.perception.sight.shadowcast import MAX_RADIUS, SightBits, field_of_view, window
from ai.search.fields.bounded_flood import bounded_flood

Stamp = tuple[int, int, NDArray[np.float32]]

SPREADS = ("open", "sight", "path")
"""Laws of spread: straight through walls, into tiles in sight, or along paths."""


@dataclass(frozen=True)
class SpreadGround:
    """Ground over which sources spread.

    ``bits`` are needed for sight, ``terrain`` and the movement class for paths.
    """

    height: int
    width: int
    bits: SightBits | None = None
    terrain: Terrain | None = None
    movement_class: int = 0


def reach_in_tiles(reach: float, round_up: bool = True) -> int:
    """Return the reach of the template for a range in tiles.

    Rounded up, ranges look larger and attackers stay farther away; rounded down, they look smaller.
    """
    return max(1, math.ceil(reach - 1e-9) if round_up else math.floor(reach + 1e-9))


@lru_cache(maxsize=256)
def template(curve: str, reach: int) -> NDArray[np.float32]:
    """Return the normalised template of a curve, ``float32[2 r + 1, 2 r + 1]``.

    ValueError for a curve that does not exist.
    """
    if curve not in CURVES:
        raise ValueError(f"there is no falloff curve {curve!r}; one of {', '.join(CURVES)}")
    steps = np.arange(-reach, reach + 1)
    made = CURVES[curve](np.hypot(steps[:, None], steps[None, :]), float(reach)).astype(np.float32)
    made.setflags(write=False)
    return made


def stamp_of(ground: SpreadGround, spread: str, curve: str, y: int, x: int, reach: int) -> Stamp:
    """Return the stamp of a source on tile (y, x), clipped to the map.

    The source has strength 1. ValueError for a law of spread that does not exist.
    """
    if spread not in SPREADS:
        raise ValueError(f"spread is one of {', '.join(SPREADS)}, not {spread!r}")
    y0, x0 = max(0, y - reach), max(0, x - reach)
    y1, x1 = min(ground.height, y + reach + 1), min(ground.width, x + reach + 1)
    if y0 >= y1 or x0 >= x1:
        return 0, 0, np.zeros((0, 0), np.float32)
    shares = template(curve, reach)[y0 - y + reach : y1 - y + reach, x0 - x + reach : x1 - x + reach]
    if spread == "open" or not (0 <= y < ground.height and 0 <= x < ground.width):
        return y0, x0, shares
    if spread == "sight":
        assert ground.bits is not None, "spread by sight needs the bits of sight"
        seen = min(reach, MAX_RADIUS)
        view = window(field_of_view(ground.bits, np.array([y]), np.array([x]), seen))[0]
        out = np.zeros_like(shares)
        ay, ax = max(0, y - seen), max(0, x - seen)
        by, bx = min(ground.height, y + seen + 1), min(ground.width, x + seen + 1)
        part = view[ay - y + seen : by - y + seen, ax - x + seen : bx - x + seen]
        inner = slice(ay - y0, by - y0), slice(ax - x0, bx - x0)
        out[inner] = shares[inner] * part
        return y0, x0, out
    assert ground.terrain is not None, "spread along paths needs the terrain"
    found = bounded_flood(ground.terrain, ground.movement_class, y, x, float(reach))
    wide = np.full(shares.shape, np.inf)
    fy0, fx0 = max(y0, found.y0), max(x0, found.x0)
    fy1, fx1 = (min(y1, found.y0 + found.distance.shape[0]), min(x1, found.x0 + found.distance.shape[1]))
    wide[fy0 - y0 : fy1 - y0, fx0 - x0 : fx1 - x0] = found.distance[
        fy0 - found.y0 : fy1 - found.y0, fx0 - found.x0 : fx1 - found.x0
    ]
    near = np.isfinite(wide)
    walked = np.zeros(shares.shape, np.float32)
    walked[near] = CURVES[curve](wide[near], float(reach))
    return y0, x0, walked


def add_scaled(field: NDArray[np.float32], stamp: Stamp, strength: float) -> None:
    """Add a stamp times ``strength`` to a map."""
    y0, x0, shares = stamp
    if shares.size:
        field[y0 : y0 + shares.shape[0], x0 : x0 + shares.shape[1]] += np.float32(strength) * shares


TECHNIQUES = (
    {
        "slug": "limited-spread",
        "name": "Influence limited by sight and paths",
        "ids": ("GP2-30.3", "GP2-30.4"),
        "source": "Game AI Pro 2, 30.3 to 30.5",
        "functions": ("stamp_of", "template"),
        "test": "tests/ai/influence/test_limited_spread.py",
        "exhibit": "levels/exhibits/influence/wall.toml",
        "overlay": "layer_enemy_threat",
        "setting": "tactics.walls",
        "measure": "walked",
        "direction": "down",
        "claim": "Stamps of sight and paths are computed anew at each update; no cache by tile is kept.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
