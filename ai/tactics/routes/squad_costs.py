"""Squad path costs: the weakest member's weights, and narrow ground for a wide squad.

Source: Ian Millington and John Funge, AI for Games, 6.4.1 "Group Pathfinding" (of each concern the largest weight of
all members counts; a squad may be held up by a gap that each member passes). The rule from size and width to the extra
cost is ours. Clearances and widths are in tiles, costs in eighths.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ai.grid.terrain import ORDINARY_COST

Weights = Mapping[str, float]

QUEUE = 0.5
"""Extra cost of a narrow tile for each waiting member, in ordinary tiles."""


def weakest_member(weights: Iterable[Weights]) -> dict[str, float]:
    """Return for each concern the largest weight of all members.

    A concern that a member does not name has weight 0 for it, so a squad is less eager than its least eager member.
    """
    rows = list(weights)
    names = sorted({name for row in rows for name in row})
    return {name: max(row.get(name, 0.0) for row in rows) for name in names}


def average_member(weights: Sequence[Weights], shares: Sequence[float]) -> dict[str, float]:
    """Return the mean of the members' weights by shares, for concerns that are preferences.

    Raises ValueError for shares that do not match the members or sum to nothing.
    """
    if len(shares) != len(weights) or sum(shares) <= 0.0:
        raise ValueError(f"give one share for each of {len(weights)} members, above 0 in all; got {list(shares)}")
    names = sorted({name for row in weights for name in row})
    return {
        name: sum(k * row.get(name, 0.0) for k, row in zip(shares, weights, strict=True)) / sum(shares)
        for name in names
    }


def common_ground(passable: NDArray[np.uint8], classes: Iterable[int]) -> NDArray[np.bool_]:
    """Return the tiles ``bool[H, W]`` that members of all movement classes can enter."""
    needed = 0
    for movement_class in classes:
        needed |= 1 << movement_class
    return (passable & needed) == needed


def narrow_cost(cost: NDArray[np.uint8], width: NDArray[np.integer], members: int, needs: float) -> NDArray[np.uint8]:
    """Return the cost of each tile for a squad that walks ``needs`` tiles wide.

    ``width: int[H, W]`` is the width of the ground at each tile. Where it is less, the members behind the first rank
    wait: each tile costs more by the share of the width that is missing, times the members.
    """
    if members <= 1 or needs <= 1.0:
        return cost
    missing = np.clip(1.0 - width / needs, 0.0, 1.0)
    extra = ORDINARY_COST * QUEUE * (members - 1) * missing
    return np.clip(np.rint(cost + extra), 1, 255).astype(np.uint8)


def width_at(open_tiles: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the width of the ground at each tile ``int64[H, W]``, 0 on closed ones.

    It is the shorter of the open runs through the tile along the two axes.
    """
    return np.minimum(_runs(open_tiles), _runs(open_tiles.T).T)


def _runs(open_tiles: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the length of the open run along the row through each tile."""
    out = np.zeros(open_tiles.shape, np.int64)
    for y, row in enumerate(open_tiles):
        edges = np.flatnonzero(np.diff(np.concatenate(([False], row, [False])).astype(np.int8)))
        for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            out[y, start:end] = end - start
    return out


TECHNIQUES = (
    {
        "slug": "squad-costs",
        "name": "Squad path costs: weakest member and width",
        "ids": ("AFG6.4.3", "AFG6.4.4"),
        "source": "AI for Games, 6.4.1",
        "functions": ("weakest_member", "narrow_cost"),
        "test": "tests/ai/tactics/routes/test_squad_costs.py",
        "reason": "No order of the game sends a squad by one path of its own: its members walk by theirs.",
        "claim": (
            "In the library only: blend, common ground and narrow ground; squads of the game walk by a path for "
            "each member."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
