"""Fix and flank: one element pins the enemy, another arrives from the side.

Source: Game AI Pro 2, ch. 1, 1.5.1 (posed as an open problem: one squad pins, another flanks); Kevin Dill, ibidem,
31.5.4 (the approach zone is excluded). The method is ours: the pin is the cheapest tile with a line to the enemy within
range; flank goals lie 60 to 120 degrees off the pin's bearing; the path pays for exposure and may not cross the zone
between the pin and the enemy. Tiles are (y, x).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ai.perception.sight.line_of_sight import lines_clear
from ai.search.fields.bounded_flood import bounded_flood
from ai.tactics.ground.tactical_facts import TacticalGround
from ai.tactics.routes.approach_zone import Zone, approach_zone, flank_route, zone_tiles

Tile = tuple[int, int]
LEAST_TURN, MOST_TURN = math.radians(60), math.radians(120)
"""Angle between the bearings of pin and flank, in radians."""
END_DISC = 3.0
"""Tiles around start and goal of the flank that the zone does not close."""
EXPOSED = 4.0
"""Extra cost of a tile that the enemy sees, in costs of ordinary ground."""
GOALS = 12
"""Flank goals that are tried, the nearest to the asked bearing and distance first."""


@dataclass(frozen=True)
class FlankPlan:
    """Plan of two elements: places, paths, the angle between them in radians, and exposure.

    ``exposed`` counts the tiles of the flank path that the enemy sees; ``zone`` is closed to it.
    """

    pin: Tile
    goal: Tile
    flank_path: NDArray[np.int32]
    turn: float
    exposed: int
    zone: Zone


def bearing(enemy: tuple[float, float], tile: Tile) -> float:
    """Return the direction from the enemy to a tile's middle, radians."""
    return math.atan2(tile[0] + 0.5 - enemy[1], tile[1] + 0.5 - enemy[0])


def turn_between(a: float, b: float) -> float:
    """Return the angle between two bearings, 0 to pi."""
    return abs(math.remainder(a - b, math.tau))


def pin_place(
    ground: TacticalGround, start: Tile, enemy: tuple[float, float], reach: float, limit: float = 40.0
) -> Tile | None:
    """Return the nearest tile on foot with a line to the enemy within ``reach``."""
    tiles = tiles_in_sight(ground, enemy, reach)
    if not len(tiles):
        return None
    walk = bounded_flood(ground.terrain, ground.movement_class, *start, limit).at(tiles)
    k = int(np.lexsort((tiles[:, 1], tiles[:, 0], walk))[0])
    return (int(tiles[k, 0]), int(tiles[k, 1])) if math.isfinite(walk[k]) else None


def exposure_cost(ground: TacticalGround, enemy: tuple[float, float]) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Return tile costs in eighths with exposure, and the tiles in sight."""
    tiles = np.argwhere(ground.standing).astype(np.int32)
    eye = np.broadcast_to(np.array([int(enemy[1]), int(enemy[0])], np.int32), tiles.shape)
    seen = np.zeros(ground.standing.shape, bool)
    seen[tiles[:, 0], tiles[:, 1]] = lines_clear(ground.terrain.opaque, eye, tiles)
    cost = ground.terrain.cost.astype(np.float64) * (1.0 + EXPOSED * seen)
    return np.clip(np.rint(cost), 1, 255).astype(np.uint8), seen


def flank_plan(
    ground: TacticalGround,
    pinning: Tile,
    flanking: Tile,
    enemy: tuple[float, float],
    reach: float,
    least: float = LEAST_TURN,
    most: float = MOST_TURN,
    cap: int | None = None,
    side: int = 0,
    via: tuple[float, float] | None = None,
) -> FlankPlan | None:
    """Return the plan of two elements at their tiles, or None.

    ``side`` is 1 for a flank on the right of the pinning element as it faces the enemy, -1 on its left, 0 either. The
    flank path leads through the open tile nearest to ``via`` (x, y), which must lie on the same side.
    None means that no pin or no flank exists: the caller goes frontal, waits or gives up.
    """
    pin = pin_place(ground, pinning, enemy, reach)
    if pin is None:
        return None
    ahead = bearing(enemy, pin)
    zone = approach_zone((pin[1] + 0.5, pin[0] + 0.5), enemy)
    cost, seen = exposure_cost(ground, enemy)
    tiles = tiles_in_sight(ground, enemy, reach)
    turns = np.array([turn_between(ahead, bearing(enemy, (int(y), int(x)))) for y, x in tiles])
    far = np.hypot(tiles[:, 1] + 0.5 - enemy[0], tiles[:, 0] + 0.5 - enemy[1])
    fit = (turns >= least) & (turns <= most) & (far >= min(3.0, reach / 2))
    tiles, turns, far = tiles[fit], turns[fit], far[fit]
    if not len(tiles):
        return None
    rank = np.abs(turns - (least + most) / 2) + np.abs(far - 0.6 * reach) / reach
    order = np.lexsort((tiles[:, 1], tiles[:, 0], np.round(rank, 9)))
    # Tiles of both sides are tried, or a wall on one side would hide the other.
    hands = np.array([hand_of(pin, enemy, (int(x) + 0.5, int(y) + 0.5)) for y, x in tiles])
    sides = tuple(hand for hand in (-1, 1) if side in (0, hand))
    if via is not None:
        sides = tuple(hand for hand in sides if hand == hand_of(pin, enemy, via))
    tried = [k for hand in sides for k in [int(i) for i in order if hands[i] == hand][: GOALS // 2]]
    best: tuple[float, int] | None = None
    found: dict[int, NDArray[np.int32]] = {}
    for k in tried:
        goal = int(tiles[k, 0]), int(tiles[k, 1])
        discs = (((goal[1] + 0.5, goal[0] + 0.5), END_DISC), ((flanking[1] + 0.5, flanking[0] + 0.5), END_DISC))
        closed = zone_tiles(zone, ground.standing.shape, discs)
        stops = [flanking, *_bend(ground, closed, via), goal]
        legs = [flank_route(ground.terrain, ground.movement_class, a, b, closed, cost, cap) for a, b in pairwise(stops)]
        if any(leg is None for leg in legs):
            continue
        path = np.concatenate([leg[k > 0 :] for k, leg in enumerate(legs) if leg is not None])
        found[k] = path
        length = float(np.hypot(*np.diff(path, axis=0).T).sum()) if len(path) > 1 else 0.0
        price = length + EXPOSED * float(seen[path[:, 0], path[:, 1]].sum())
        if best is None or price < best[0] - 1e-9:
            best = price, k
    if best is None:
        return None
    k = best[1]
    path = found[k]
    hits = int(seen[path[:, 0], path[:, 1]].sum())
    return FlankPlan(pin, (int(tiles[k, 0]), int(tiles[k, 1])), path, float(turns[k]), hits, zone)


def hand_of(pin: Tile, enemy: tuple[float, float], place: tuple[float, float]) -> int:
    """Return the side of a place for the pin: -1 left, 1 right."""
    to_place = math.atan2(place[1] - enemy[1], place[0] - enemy[0])
    # Seen from the enemy, the left hand of the pinning element is in the direction of growing angles.
    return -1 if math.remainder(to_place - bearing(enemy, pin), math.tau) > 0 else 1


def _bend(ground: TacticalGround, closed: NDArray[np.bool_], via: tuple[float, float] | None) -> list[Tile]:
    """Return the open tile nearest to the bend of a flank, if any."""
    open_tiles = np.argwhere(ground.standing & ~closed) if via is not None else np.zeros((0, 2), np.int64)
    if via is None or not len(open_tiles):
        return []
    far = np.hypot(open_tiles[:, 1] + 0.5 - via[0], open_tiles[:, 0] + 0.5 - via[1])
    y, x = open_tiles[int(np.argmin(far))].tolist()
    return [(y, x)]


def tiles_in_sight(ground: TacticalGround, enemy: tuple[float, float], reach: float) -> NDArray[np.int32]:
    """Return the walkable tiles with a line to an enemy within ``reach``.

    The result is ``int32[n, 2]`` of (y, x)."""
    height, width = ground.standing.shape
    y0, x0 = max(0, int(enemy[1] - reach)), max(0, int(enemy[0] - reach))
    y1, x1 = min(height, int(enemy[1] + reach) + 1), min(width, int(enemy[0] + reach) + 1)
    tiles = (np.argwhere(ground.standing[y0:y1, x0:x1]) + (y0, x0)).astype(np.int32)
    tiles = tiles[np.hypot(tiles[:, 1] + 0.5 - enemy[0], tiles[:, 0] + 0.5 - enemy[1]) <= reach]
    eye = np.broadcast_to(np.array([int(enemy[1]), int(enemy[0])], np.int32), tiles.shape)
    return np.asarray(tiles[lines_clear(ground.terrain.opaque, eye, tiles)])


TECHNIQUES = (
    {
        "slug": "fix-and-flank",
        "name": "Fix and flank",
        "ids": ("GP2-1.3",),
        "source": "Game AI Pro 2, ch. 1",
        "functions": ("flank_plan", "pin_place"),
        "test": "tests/ai/tactics/routes/test_fix_and_flank.py",
        "exhibit": "levels/exhibits/tactics/field.fix.toml",
        "overlay": "flank_zone",
        "setting": "tactics.fixes",
        "measure": "bearings",
        "direction": "up",
        "claim": (
            "Only the plan: the squad decides which unit waits for which report. The ground between pin and enemy "
            "is closed, in place of a penalty around the pin's path."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
