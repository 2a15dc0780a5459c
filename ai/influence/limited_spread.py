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

from ai.core.kernels import kernel
from ai.grid.terrain import Terrain
from ai.influence.falloff_curves import CURVES
from ai.perception.sight.line_of_sight import clear_between
from ai.search.fields.bounded_flood import bounded_flood

Stamp = tuple[int, int, NDArray[np.float32]]

SPREADS = ("open", "sight", "path")
"""Laws of spread: straight through walls, into tiles in sight, or along paths."""
MOST_KEPT = 2048
"""Stamps that are kept; beyond that all are dropped."""


@dataclass(frozen=True)
class SpreadGround:
    """Ground over which sources spread.

    The terrain is needed for sight and paths. ``kept`` holds stamps that were made before on the same terrain.
    """

    height: int
    width: int
    terrain: Terrain | None = None
    movement_class: int = 0
    kept: dict[tuple[str, str, int, int, int], Stamp] | None = None


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
    """Return :func:`new_stamp`, or the one kept for the same tile, reach and law."""
    kept, key = ground.kept, (spread, curve, y, x, reach)
    if kept is None or spread == "open":
        return new_stamp(ground, spread, curve, y, x, reach)
    if key not in kept:
        if len(kept) >= MOST_KEPT:
            kept.clear()
        kept[key] = new_stamp(ground, spread, curve, y, x, reach)
    return kept[key]


def new_stamp(ground: SpreadGround, spread: str, curve: str, y: int, x: int, reach: int) -> Stamp:
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
    assert ground.terrain is not None, "spread by sight or along paths needs the terrain"
    if spread == "sight":
        seen = np.zeros(shares.shape, np.float32)
        keep_in_sight(ground.terrain.opaque, y, x, y0, x0, np.array(shares, order="C"), seen)
        return y0, x0, seen
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


@kernel("void(uint8[:,::1], int64, int64, int64, int64, float32[:,::1], float32[:,::1])")
def keep_in_sight(opaque, y, x, y0, x0, shares, out):  # type: ignore[no-untyped-def]
    """Copy the shares of open tiles with a clear line to tile (y, x).

    The window begins at tile (y0, x0).
    """
    for j in range(shares.shape[0]):
        for i in range(shares.shape[1]):
            if shares[j, i] > 0 and opaque[y0 + j, x0 + i] == 0 and clear_between(opaque, y, x, y0 + j, x0 + i):
                out[j, i] = shares[j, i]


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
        "functions": ("new_stamp", "template"),
        "test": "tests/ai/influence/test_limited_spread.py",
        "exhibit": "levels/exhibits/influence/wall.toml",
        "overlay": "layer_enemy_threat",
        "setting": "tactics.walls",
        "measure": "walked",
        "direction": "down",
        "claim": "Sight and path stamps are cached by source tile; open stamps round their reach up.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
