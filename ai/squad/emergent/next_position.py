"""Next position of a member: eleven weighted terms for each tile near it.

Source: William van der Sterren, AI Game Programming Wisdom, 5.3, listing 5.3.2. The source names the terms and gives no
formulas; these are ours. Tiles are ``int32[n, 2]`` of (y, x), places (x, y) in tiles. A term is a column of
``float64[n, 11]`` in the order of :data:`ai.squad.emergent.personalities.TERMS`; p is the middle of a tile.

1. bunching: least distance of p from the lines threat-buddy, in ``SPREAD`` tiles, at most 1; 1 without a threat.
2. blocked: share of the threats within reach whose line from p passes a buddy's body.
3. blocking: share of the buddies' lines of fire in whose way p lies.
4. cover: distance to the nearest free cover tile, in ``NEAR_COVER`` tiles, at most 1.
5. contact: share of the buddies in sight.
6. cohesion: share of the buddies at a proper distance, from ``CLOSEST`` to ``AUDIBLE`` tiles.
7. intelligence: share of the threats in sight within the reach of the weapon.
8. corpses: distance to the nearest dead buddy, in ``SHUNNED`` tiles, at most 1; 1 without one.
9. closing: distance to the nearest threat, or the goal without a threat, in reaches of the weapon.
10. strong: cover of the tile in thirds, at most 1; 1 less on slow ground.
11. formation: distance to the slot of the formation, in ``OFF_SLOT`` tiles, at most 1; 0 without a slot.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ai.grid.terrain import ORDINARY_COST, Terrain
from ai.perception.sight.line_of_sight import lines_clear

SPREAD, NEAR_COVER, CLOSEST, AUDIBLE, SHUNNED, OFF_SLOT = 3.0, 4.0, 1.5, 9.0, 3.0, 8.0
"""Scales of the terms, in tiles."""
BODY = 0.7
"""Tiles from a line of fire within which a body blocks it."""

Places = NDArray[np.float64]


def _none() -> Places:
    return np.zeros((0, 2))


@dataclass(frozen=True)
class Outlook:
    """Situation as one member believes it.

    ``buddies: float64[m, 2]`` are the claimed places of living buddies, ``aims: float64[m, 2]`` the places they fire at
    (NaN none), ``corpses`` places of dead ones. ``covers: float64[c, 2]`` are free cover tiles.
    """

    terrain: Terrain
    goal: tuple[float, float]
    reach: float
    threats: Places = field(default_factory=_none)
    buddies: Places = field(default_factory=_none)
    aims: Places = field(default_factory=_none)
    corpses: Places = field(default_factory=_none)
    covers: Places = field(default_factory=_none)
    slot: tuple[float, float] | None = None


def from_segments(points: Places, starts: Places, ends: Places) -> Places:
    """Return the distance of ``points[n]`` from the segments ``starts[m]``-``ends[m]``, as ``float64[n, m]``."""
    along = ends - starts
    length = np.maximum((along**2).sum(axis=1), 1e-12)
    rel = points[:, None] - starts[None]
    share = np.clip((rel * along).sum(axis=2) / length, 0.0, 1.0)
    return np.asarray(np.hypot(*np.moveaxis(rel - share[..., None] * along, 2, 0)))


def from_lines(points: Places, starts: Places, ends: Places) -> Places:
    """Return the distance of ``points[m]`` from all segments ``starts[n]``-``ends[k]``, as ``float64[n, k, m]``."""
    ax, ay = (ends[None, :, c] - starts[:, None, c] for c in (0, 1))
    rx, ry = (points[None, :, c] - starts[:, None, c] for c in (0, 1))
    length = np.maximum(ax * ax + ay * ay, 1e-12)[..., None]
    dots = ax[..., None] * rx[:, None] + ay[..., None] * ry[:, None]
    share = np.minimum(np.maximum(dots / length, 0.0), 1.0)
    return np.asarray(np.hypot(rx[:, None] - share * ax[..., None], ry[:, None] - share * ay[..., None]))


def _apart(points: Places, places: Places) -> Places:
    return np.asarray(np.hypot(points[:, None, 0] - places[:, 0], points[:, None, 1] - places[:, 1]))


def _nearest(points: Places, places: Places, scale: float, otherwise: float) -> Places:
    if not len(places):
        return np.full(len(points), otherwise)
    return np.minimum(_apart(points, places).min(axis=1) / scale, 1.0)


def _in_sight(o: Outlook, tiles: NDArray[np.int32], places: Places) -> NDArray[np.bool_]:
    """Return which places ``[m]`` each tile ``[n]`` has a line to, as ``bool[n, m]``."""
    ends = np.floor(places[:, ::-1]).astype(np.int32)
    a, b = np.repeat(tiles, len(ends), axis=0), np.tile(ends, (len(tiles), 1))
    return lines_clear(o.terrain.opaque, a, b).astype(bool).reshape(len(tiles), len(ends))


def position_terms(o: Outlook, tiles: NDArray[np.int32]) -> Places:
    """Return the eleven terms of each tile, ``float64[n, 11]``."""
    n, m = len(tiles), len(o.buddies)
    p: Places = tiles[:, ::-1].astype(np.float64) + 0.5
    out = np.zeros((n, 11))
    to_threats = _apart(p, o.threats)
    seen = _in_sight(o, tiles, o.threats) if len(o.threats) else np.zeros((n, 0), bool)
    within = seen & (to_threats <= o.reach)
    out[:, 0] = _unbunched(o, p)
    if m and len(o.threats):
        bodies = from_lines(o.buddies, p, o.threats).min(axis=2)
        shots = within.sum(axis=1)
        out[:, 1] = ((bodies < BODY) & within).sum(axis=1) / np.maximum(shots, 1)
    firing = np.flatnonzero(~np.isnan(o.aims).any(axis=1)) if m else np.zeros(0, np.int64)
    if len(firing):
        out[:, 2] = (from_segments(p, o.buddies[firing], o.aims[firing]) < BODY).mean(axis=1)
    out[:, 3] = _nearest(p, o.covers, NEAR_COVER, 1.0)
    if m:
        gaps = _apart(p, o.buddies)
        out[:, 4] = _in_sight(o, tiles, o.buddies).mean(axis=1)
        out[:, 5] = ((gaps >= CLOSEST) & (gaps <= AUDIBLE)).mean(axis=1)
    if len(o.threats):
        out[:, 6] = within.mean(axis=1)
        out[:, 8] = to_threats.min(axis=1) / o.reach
    else:
        out[:, 8] = np.hypot(p[:, 0] - o.goal[0], p[:, 1] - o.goal[1]) / o.reach
    out[:, 7] = _nearest(p, o.corpses, SHUNNED, 1.0)
    out[:, 9] = np.minimum(o.terrain.cover[tiles[:, 0], tiles[:, 1]], 3) / 3.0
    out[:, 9] -= o.terrain.cost[tiles[:, 0], tiles[:, 1]] > ORDINARY_COST
    if o.slot is not None:
        out[:, 10] = np.minimum(np.hypot(p[:, 0] - o.slot[0], p[:, 1] - o.slot[1]) / OFF_SLOT, 1.0)
    return out


def _unbunched(o: Outlook, p: Places) -> Places:
    """Return the distance to buddies as projected from the nearest threat."""
    if not len(o.threats) or not len(o.buddies):
        return np.ones(len(p))
    nearest = o.threats[_apart(p, o.threats).argmin(axis=1)]
    lines = o.buddies[None] - nearest[:, None]
    lines = lines / np.maximum(np.hypot(lines[..., 0], lines[..., 1]), 1e-12)[..., None]
    rel = p[:, None] - nearest[:, None]
    off = np.abs(rel[..., 0] * lines[..., 1] - rel[..., 1] * lines[..., 0])
    return np.asarray(np.minimum(off.min(axis=1) / SPREAD, 1.0))


def best_position(
    o: Outlook, tiles: NDArray[np.int32], weights: NDArray[np.float64], claimed: Places
) -> tuple[int, NDArray[np.float64]]:
    """Return the row of the best tile that no buddy claims, and all values.

    A claimed tile has the value minus infinity. Equal values go by y, then x; -1 if all are claimed.
    """
    values = position_terms(o, tiles) @ weights
    if len(claimed):
        taken = (np.floor(claimed[:, ::-1]).astype(np.int32)[None] == tiles[:, None]).all(axis=2).any(axis=1)
        values[taken] = -np.inf
    if not len(tiles) or not np.isfinite(values).any():
        return -1, values
    return int(np.lexsort((tiles[:, 1], tiles[:, 0], -np.round(values, 9)))[0]), values


TECHNIQUES = (
    {
        "slug": "next-position",
        "name": "Next position by eleven weighted terms",
        "ids": ("AW-5.3-3", "AW-5.3-4"),
        "source": "AI Game Programming Wisdom, 5.3",
        "functions": ("position_terms", "best_position"),
        "test": "tests/ai/squad/emergent/test_next_position.py",
        "exhibit": "levels/exhibits/squads/two_squads.emergent.toml",
        "overlay": "paths",
        "setting": "tactics.squad_style",
        "measure": "fallen",
        "direction": "down",
        "claim": (
            "The source names the eleven terms; formulas and weights are ours. Roles, wounds and strength change "
            "them, reloading does not. The switch compares whole styles of fighting."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
