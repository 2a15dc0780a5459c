"""Scene casting: fills the roles of a scene with units, the indispensable ones first.

Main roles come first, each by the nearest capable unit in the zone. When none is there, the nearest one outside is
fetched, up to ``reach`` tiles from the middle: this is the end of a search in growing rings. A main seat that stays
empty calls the scene off. Supporting roles and then extras take units that are in the zone. A unit has one role.
While the scene runs, a vacant main or supporting seat is cast anew, and newcomers take supporting seats before extra
ones.

Positions are tiles; ties go to the lower id.

Source: "Game AI Pro 2", ch. 11 (role casting, interruption and recasting).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ai.decision.smart_zones.scene_script import Category, SceneRole


@dataclass(frozen=True)
class Candidates:
    """Units that are free to play.

    ``ids`` int64[n]; ``distance`` float64[n] tiles from the middle; ``inside`` bool[n] in the zone; ``fits``
    bool[n, roles] can play the role.
    """

    ids: np.ndarray
    distance: np.ndarray
    inside: np.ndarray
    fits: np.ndarray

    def present(self) -> int:
        """Return the number of units in the zone that can play some role."""
        return int((self.inside & self.fits.any(axis=1)).sum()) if len(self.ids) else 0


Part = tuple[int, int, int]
"""Role row, seat and unit id."""


def cast_scene(roles: tuple[SceneRole, ...], found: Candidates, reach: float) -> list[Part] | None:
    """Return the parts of a new scene; None if a main seat stays empty."""
    return fill_seats(roles, found, reach, [])


def fill_seats(
    roles: tuple[SceneRole, ...], found: Candidates, reach: float, taken: list[Part], recast: bool = True
) -> list[Part] | None:
    """Return parts for the empty seats, or None if a main seat stays empty.

    ``taken`` are the parts that are played. Without ``recast`` an empty main seat is not filled.
    """
    free = np.ones(len(found.ids), bool)
    free[np.isin(found.ids, [unit for _, _, unit in taken])] = False
    held = {(role, seat) for role, seat, _ in taken}
    out: list[Part] = []
    for category in Category:
        for row, role in enumerate(roles):
            if role.category != category:
                continue
            for seat in range(len(role.seats)):
                if (row, seat) in held:
                    continue
                main = category == Category.MAIN
                at = _nearest(found, free & found.fits[:, row], reach if main else -1.0) if recast or not main else -1
                if at < 0:
                    if main:
                        return None
                    break
                free[at] = False
                out.append((row, seat, int(found.ids[at])))
    return out


def _nearest(found: Candidates, mask: np.ndarray, reach: float) -> int:
    """Return the row of the nearest unit of ``mask``, or -1.

    Units in the zone come before all others; the others count up to ``reach`` tiles.
    """
    rows = np.flatnonzero(mask & (found.inside | (found.distance <= reach)))
    if not len(rows):
        return -1
    order = np.lexsort((found.ids[rows], found.distance[rows], ~found.inside[rows]))
    return int(rows[order[0]])


TECHNIQUES = (
    {
        "slug": "scene-casting",
        "name": "Casting and recasting of roles",
        "ids": ("GP2-11.3", "GP2-11.5"),
        "source": "Game AI Pro 2, ch. 11",
        "functions": ("cast_scene", "fill_seats"),
        "test": "tests/ai/decision/smart_zones/test_scene_casting.py",
        "exhibit": "levels/exhibits/minds/camp.called_away.toml",
        "overlay": "scenes",
        "setting": "scenes.recasts",
        "measure": "staged",
        "direction": "up",
        "claim": "The nearest capable unit within a reach is fetched; no zone grows step by step.",
    },
)
