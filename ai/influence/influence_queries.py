"""Influence queries: scalar facts for decisions, and the signed map with its zero line.

Source: Dave Mark, Game AI Pro 2, 30.2 (allies positive, enemies negative; contested and empty ground differ because the
maps are stored apart), 30.6.1 and 30.7.1 (threat at a point, crowding without oneself, concentration, piling on). Maps
are ``float[H, W]``, tiles are (y, x).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ai.influence.limited_spread import Stamp
from ai.influence.working_map import Window, normalised

Map = NDArray[np.floating]
OURS, THEIRS, CONTESTED, EMPTY = 1, 2, 3, 0
"""Zones of a signed map."""


def value_at(field: Map, y: int, x: int) -> float:
    """Return a map's value on a tile, 0 off the map."""
    height, width = field.shape
    return float(field[y, x]) if 0 <= y < height and 0 <= x < width else 0.0


def crowding(allies: Map, own: Stamp, strength: float, y: int, x: int) -> float:
    """Return the nearness of allies on a tile without the unit's own stamp.

    ``own`` is the very stamp of the last update.
    """
    y0, x0, shares = own
    inside = 0 <= y - y0 < shares.shape[0] and 0 <= x - x0 < shares.shape[1]
    mine = strength * float(shares[y - y0, x - x0]) if inside else 0.0
    return value_at(allies, y, x) - mine


def without_own(allies: Map, own: Stamp, strength: float, window: Window) -> NDArray[np.float64]:
    """Return a window of a map less the unit's own stamp."""
    out = np.array(allies[window.y0 : window.y1, window.x0 : window.x1], np.float64)
    y0, x0, shares = own
    ay, ax = max(y0, window.y0), max(x0, window.x0)
    by, bx = min(y0 + shares.shape[0], window.y1), min(x0 + shares.shape[1], window.x1)
    if ay < by and ax < bx:
        part = strength * shares[ay - y0 : by - y0, ax - x0 : bx - x0].astype(np.float64)
        out[ay - window.y0 : by - window.y0, ax - window.x0 : bx - window.x0] -= part
    return out


def concentration(enemies: Map, window: Window, allies: Map | None = None, weight: float = 1.0) -> float:
    """Return the highest nearness of enemies in a window.

    With ``allies`` it counts less where friends are.
    """
    rows, columns = slice(window.y0, window.y1), slice(window.x0, window.x1)
    field = np.array(enemies[rows, columns], np.float64)
    if allies is not None:
        field = field * (1.0 - weight * normalised(np.array(allies[rows, columns], np.float64)))
    return float(field.max()) if field.size else 0.0


def may_attack(threat_of_allies: Map, target: tuple[int, int], limit: float) -> bool:
    """Return whether fewer attackers than ``limit`` are on a target: no piling on."""
    return value_at(threat_of_allies, *target) < limit


def signed_map(ours: Map, theirs: Map) -> NDArray[np.float64]:
    """Return allies less enemies; both stay stored apart."""
    return np.asarray(np.asarray(ours, np.float64) - np.asarray(theirs, np.float64))


def zones(ours: Map, theirs: Map, some: float = 0.1, margin: float = 0.25) -> NDArray[np.int64]:
    """Return EMPTY, OURS, THEIRS or CONTESTED for each tile.

    A side counts from ``some`` on. Ground is contested where both count and differ by less than ``margin``.
    """
    signed = signed_map(ours, theirs)
    out = np.where(signed > 0, OURS, THEIRS)
    out[(np.asarray(ours) < some) & (np.asarray(theirs) < some)] = EMPTY
    out[(np.asarray(ours) >= some) & (np.asarray(theirs) >= some) & (np.abs(signed) < margin)] = CONTESTED
    return np.asarray(out.astype(np.int64))


def zero_line(signed: Map) -> list[tuple[float, float, float, float]]:
    """Return the zero line as segments (x0, y0, x1, y1), by marching squares.

    Corners are tile centres, in tiles. At a saddle the line runs around the positive corners.
    """
    field = np.asarray(signed, np.float64)
    found: list[tuple[float, float, float, float]] = []
    height, width = field.shape
    positive = field > 0
    mixed = np.zeros((max(height - 1, 0), max(width - 1, 0)), bool)
    corners = positive[:-1, :-1], positive[:-1, 1:], positive[1:, 1:], positive[1:, :-1]
    mixed = (corners[0] | corners[1] | corners[2] | corners[3]) & ~(corners[0] & corners[1] & corners[2] & corners[3])
    for y, x in np.argwhere(mixed).tolist():
        at = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
        values = [float(field[cy, cx]) for cx, cy in at]
        cuts: list[tuple[float, float]] = []
        for k in range(4):
            a, b = values[k], values[(k + 1) % 4]
            if (a > 0) != (b > 0):
                share = a / (a - b)
                (ax, ay), (bx, by) = at[k], at[(k + 1) % 4]
                cuts.append((ax + share * (bx - ax) + 0.5, ay + share * (by - ay) + 0.5))
        if len(cuts) == 4 and values[0] > 0:
            cuts = [cuts[3], cuts[0], cuts[1], cuts[2]]
        for p, q in zip(cuts[::2], cuts[1::2], strict=True):
            found.append((*p, *q))
    return found


def most_crowded(targets: Sequence[tuple[int, int]], threat_of_allies: Map, limit: float) -> list[int]:
    """Return the rows of targets that no more attackers may join."""
    return [k for k, target in enumerate(targets) if not may_attack(threat_of_allies, target, limit)]


TECHNIQUES = (
    {
        "slug": "influence-queries",
        "name": "Influence queries and the zero line",
        "ids": ("GP2-30.8", "GP2-30.13"),
        "source": "Game AI Pro 2, 30.2, 30.6 and 30.7",
        "functions": ("crowding", "concentration", "zones", "zero_line"),
        "test": "tests/ai/influence/test_influence_queries.py",
        "reason": "no exhibit yet",
        "claim": (
            "The game takes a unit's own stamp out of a map, and an overlay draws the zero line. Crowding, "
            "concentration, zones and piling on are in the library only; assault tokens limit attackers."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
