"""Tactical path costs: distance plus weighted concerns, by profiles of unit types.

Source: Ian Millington and John Funge, AI for Games, 6.3.1 to 6.3.4 (C = D + sum of w T, with the tile values of both
ends averaged; weight profiles and concern blending; the warning about negative costs; a static part that is stored).

The one search engine reads a cost per tile in eighths. It takes the mean of both ends times the length of the step. So
a concern adds ``8 * weight * value`` to a tile. A cost below 1 is clamped and counted. A cost above 255 is clamped too.
Concerns are ``float64[H, W]`` in 0..1; a positive weight avoids, a negative one seeks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ai.grid.moves import LEGAL_MOVES, MOVE_X, MOVE_Y
from ai.grid.terrain import ORDINARY_COST

Map = NDArray[np.float64]
Weights = Mapping[str, float]

LEAST, MOST = 1, 255
"""Costs that a tile may have, in eighths."""

PROFILES: dict[str, dict[str, float]] = {
    "shortest": {},
    "scout": {"threat": 2.0, "nearness": 4.0, "view": -0.5},
    "infantry": {"threat": 2.0, "nearness": 1.0, "view": 0.5},
    "heavy": {"ruggedness": 4.0, "threat": 2.0, "nearness": 3.0, "view": 3.0},
    "hunter": {"nearness": -0.6},
}
"""Weights by profile; the source gives only their signs and sizes in words.

A scout keeps away and wants to see far; infantry minds all a little; heavy units mind all much.
"""
WOUNDED = 2.0
"""Factor on the weights of nearness and threat of a unit without health."""


@dataclass(frozen=True)
class CostField:
    """Cost of each tile, ``uint8[H, W]`` in eighths, and how many open tiles were clamped."""

    cost: NDArray[np.uint8]
    clamped_low: int
    clamped_high: int


class NegativeCost(ValueError):
    """A tile's cost is not positive: no search may run on it."""


def least_cost(weights: Weights, lowest: float = ORDINARY_COST) -> float:
    """Return the least cost that a tile can have, in eighths.

    Values lie in 0..1, so it is below 1 when negative weights outweigh the cheapest ground.
    """
    return lowest + ORDINARY_COST * sum(min(0.0, w) for w in weights.values())


def cost_field(
    base: NDArray[np.uint8],
    concerns: Mapping[str, Map],
    weights: Weights,
    open_tiles: NDArray[np.bool_] | None = None,
    strict: bool = False,
) -> CostField:
    """Return the cost field of a profile over ``base: uint8[H, W]``.

    ``strict`` raises NegativeCost instead of clamping, with the tile and the concerns. ValueError names a concern that
    does not exist. Only ``open_tiles`` count as clamped.
    """
    total = base.astype(np.float64)
    for name, weight in weights.items():
        if name not in concerns:
            raise ValueError(f"there is no concern {name!r}; one of {', '.join(sorted(concerns)) or 'none'}")
        if weight:
            total += ORDINARY_COST * weight * concerns[name]
    there = np.ones(base.shape, bool) if open_tiles is None else open_tiles
    rounded = np.rint(total)
    low, high = there & (rounded < LEAST), there & (rounded > MOST)
    if strict and low.any():
        y, x = np.argwhere(low)[0].tolist()
        parts = ", ".join(f"{n} {w:g} x {concerns[n][y, x]:.2f}" for n, w in weights.items())
        raise NegativeCost(f"tile (x={x}, y={y}) costs {total[y, x]:.2f} eighths: ground {base[y, x]}, {parts}")
    cost = np.clip(rounded, LEAST, MOST).astype(np.uint8)
    return CostField(cost, int(low.sum()), int(high.sum()))


def flipped(concerns: Mapping[str, Map], weights: Weights) -> tuple[dict[str, Map], dict[str, float]]:
    """Return concerns and weights without a negative weight, of the same ranking.

    "Seek" becomes "avoid the opposite": the value v of a sought concern becomes 1 - v. Every route of equal length
    keeps its place in the ranking; longer routes pay for their length.
    """
    turned = {name: 1.0 - concerns[name] if weights.get(name, 0.0) < 0 else concerns[name] for name in concerns}
    return turned, {name: abs(weight) for name, weight in weights.items()}


def blended(weights: Weights, health: float, shares: Mapping[str, float] | None = None) -> dict[str, float]:
    """Return the weights of a unit of ``health`` 0..1; wounds add care.

    ``shares`` are further factors by concern, such as those of an aggressive mood.
    """
    care = 1.0 + (WOUNDED - 1.0) * (1.0 - min(max(health, 0.0), 1.0))
    out = {}
    for name, weight in weights.items():
        factor = care if name in ("nearness", "threat") and weight > 0 else 1.0
        out[name] = weight * factor * (1.0 if shares is None else shares.get(name, 1.0))
    return out


def step_terms(
    tiles: NDArray[np.int32], base: NDArray[np.uint8], concerns: Mapping[str, Map], weights: Weights
) -> dict[str, float]:
    """Return distance and each weighted concern of a path, in tiles, ends averaged."""
    if len(tiles) < 2:
        return {"distance": 0.0, **dict.fromkeys(weights, 0.0)}
    y, x = tiles[:, 0], tiles[:, 1]
    length = np.hypot(np.diff(y), np.diff(x))

    def along(values: NDArray[np.floating]) -> float:
        here = values[y, x].astype(np.float64)
        return float((length * (here[:-1] + here[1:])).sum() / 2.0)

    out = {"distance": along(base.astype(np.float64)) / ORDINARY_COST}
    for name, weight in weights.items():
        out[name] = weight * along(concerns[name])
    return out


def sampled_edge(values: Map, start: tuple[int, int], end: tuple[int, int]) -> float:
    """Return the mean of a concern along a long edge (y, x).

    The two ends are not enough: on a coarse graph an edge between two covered places may cross open ground.
    """
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    share = np.arange(steps + 1) / steps
    y = np.rint(start[0] + share * (end[0] - start[0])).astype(np.int64)
    x = np.rint(start[1] + share * (end[1] - start[1])).astype(np.int64)
    return float(values[y, x].mean())


def walkable_edges(standing: NDArray[np.bool_], heights: Map | None = None, steepest: float = 1.0) -> NDArray[np.uint8]:
    """Return the moves of the tactical graph, ``uint8[H, W]``, a bit each.

    An edge joins neighbours that are both open, cuts no corner, and rises at most ``steepest`` a tile.
    """
    height, width = standing.shape
    padded = np.pad(standing, 1)
    around = np.zeros((height, width), np.int64)
    level = np.pad(heights, 1, mode="edge") if heights is not None else None
    flat = np.zeros((height, width), np.uint8)
    for k in range(8):
        dy, dx = int(MOVE_Y[k]), int(MOVE_X[k])
        there = padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]
        around |= there.astype(np.int64) << k
        gentle = np.ones((height, width), bool)
        if level is not None:
            rise = np.abs(level[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width] - level[1:-1, 1:-1])
            gentle = rise / np.hypot(dy, dx) <= steepest
        flat |= gentle.astype(np.uint8) << k
    return np.asarray(np.where(standing, LEGAL_MOVES[around] & flat, 0).astype(np.uint8))


@dataclass
class CostCache:
    """Cost fields by profile: a stored static part, and the live concerns.

    ``live(name)`` returns the version and the map of a concern that changes. A field is composed again when a version
    or the ground changed. ``composed`` counts that.
    """

    base: NDArray[np.uint8]
    static: dict[str, Map]
    live: Callable[[str], tuple[int, Map]]
    open_tiles: NDArray[np.bool_] | None = None
    composed: int = 0
    baked: int = 0
    _static_part: dict[tuple[tuple[str, float], ...], Map] = field(default_factory=dict)
    _fields: dict[tuple[tuple[str, float], ...], tuple[tuple[int, ...], CostField]] = field(default_factory=dict)

    def field_of(self, weights: Weights) -> CostField:
        """Return the cost field of weights; units of one profile share it."""
        key = tuple(sorted(weights.items()))
        moving = [name for name, _ in key if name not in self.static]
        maps = {name: self.live(name) for name in moving}
        versions = tuple(maps[name][0] for name in moving)
        kept = self._fields.get(key)
        if kept is not None and kept[0] == versions:
            return kept[1]
        if key not in self._static_part:
            self.baked += 1
            parts = [w * self.static[n] for n, w in key if n in self.static]
            self._static_part[key] = np.sum(parts, axis=0) if parts else np.zeros(self.base.shape)
        concerns = {"static part": self._static_part[key], **{name: maps[name][1] for name in moving}}
        live_weights = {"static part": 1.0, **{n: w for n, w in key if n in moving}}
        made = cost_field(self.base, concerns, live_weights, self.open_tiles)
        self._fields[key] = versions, made
        self.composed += 1
        return made


TECHNIQUES = (
    {
        "slug": "tactical-costs",
        "name": "Tactical path costs by profile",
        "ids": ("AFG6.3.1", "AFG6.3.2", "AFG6.3.3", "AFG6.3.4", "AFG6.3.6"),
        "source": "AI for Games, 6.3",
        "functions": ("cost_field", "blended", "CostCache.field_of"),
        "test": "tests/ai/tactics/routes/test_tactical_costs.py",
        "exhibit": "levels/exhibits/tactics/field.profile.toml",
        "overlay": "layer_enemy_threat",
        "setting": "tactics.weights",
        "measure": "exposed",
        "direction": "down",
        "claim": (
            "Profiles, wounds and the clamp of negative costs are in the game, which composes a field for each "
            "route. Stored static parts, long edges, flipped weights and slopes are in the library only."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
