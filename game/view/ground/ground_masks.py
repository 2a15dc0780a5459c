"""Masks of the tiles that each layer of the ground covers.

Materials continue below the things built on them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from game.level.model import GROUND
from game.view.ground.bridges import stretches

Mask = NDArray[np.bool_]

_CARRIES_ON = ("stone", "floor", "gravel", "road", "field", "grass")
"""Grounds that may continue below a wall, by descending priority."""


def grown(mask: Mask, steps: int = 1, diagonal: bool = True) -> Mask:
    """Return the mask grown by its neighbours."""
    out = mask.copy()
    for _ in range(steps):
        wide = np.pad(out, 1)
        across = wide[1:-1, :-2] | wide[1:-1, 2:] | out
        if diagonal:
            tall = np.pad(across, ((1, 1), (0, 0)))
            out = tall[:-2] | tall[2:] | across
        else:
            out = across | wide[:-2, 1:-1] | wide[2:, 1:-1]
    return out


def _below_walls(ground: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the ground with each wall tile replaced by the ground beside it."""
    under = ground.copy()
    open_ = ground == GROUND["wall"]
    for _ in range(4):
        if not open_.any():
            break
        filled = under.copy()
        for name in reversed(_CARRIES_ON):
            near = grown((under == GROUND[name]) & ~open_) & open_
            filled[near] = GROUND[name]
        reached = open_ & (filled != GROUND["wall"])
        under, open_ = filled, open_ & ~reached
    under[open_] = GROUND["stone"]
    return under


def _below(deck: Mask, wet: Mask) -> Mask:
    """Return the tiles of an east-west bridge that have water below.

    Water must lie beyond both of the bridge's sides.
    """
    north, south = np.zeros_like(deck), np.zeros_like(deck)
    for y in range(1, deck.shape[0]):
        north[y] = deck[y] & (wet[y - 1] | north[y - 1])
    for y in range(deck.shape[0] - 2, -1, -1):
        south[y] = deck[y] & (wet[y + 1] | south[y + 1])
    return north & south


class Masks:
    """Masks bool[H, W] by layer, and windows of them.

    A window may reach over the map's edge; there the tiles of the edge repeat.
    """

    def __init__(self, ground: NDArray[np.uint8]) -> None:
        under = _below_walls(ground)
        is_ = {name: under == number for name, number in GROUND.items()}
        bridge = is_["bridge_stone"] | is_["bridge_plank"]
        wet = is_["water"] | is_["reeds"]
        east_west, north_south = stretches(bridge, wet)
        wet = wet | _below(east_west, wet) | _below(north_south.T, wet.T).T
        inner = ~grown(~np.pad(wet, 1, mode="edge"), 1)[1:-1, 1:-1]
        plank = is_["bridge_plank"]
        self._masks: dict[str, Mask] = {
            "wood": is_["wood"],
            "field": is_["field"],
            "gravel": is_["gravel"],
            "road": is_["road"] | bridge,
            "stone": is_["stone"],
            "floor": is_["floor"],
            "bank": wet,
            "water": wet,
            "deep": inner,
            "reeds": is_["reeds"],
            "reed_tiles": is_["reeds"],
            "void": is_["void"],
            "wall": ground == GROUND["wall"],
            "bridge_stone": is_["bridge_stone"],
            "planks_across": plank & ~north_south,
            "planks_along": plank & north_south,
        }

    def layers(self) -> list[str]:
        """Return the layers that cover at least one tile of this map."""
        return [name for name, mask in self._masks.items() if mask.any()]

    def window(self, layer: str, y0: int, x0: int, side: int) -> Mask:
        """Return a window bool[side, side] from tile (y0, x0).

        Beyond the map the tiles of its edge repeat.
        """
        mask = self._masks[layer]
        rows = np.clip(np.arange(y0, y0 + side), 0, mask.shape[0] - 1)
        columns = np.clip(np.arange(x0, x0 + side), 0, mask.shape[1] - 1)
        return mask[np.ix_(rows, columns)]
