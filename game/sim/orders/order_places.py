"""Order places: one reachable tile for each unit about the ordered tile.

A blocked goal is resolved here and nowhere else between the order and its path. The ordered tile is kept in the
column ``ordered_at``, so that the path manager can lead units there when the map opens.
"""

from __future__ import annotations

import math

import numpy as np

from ai.formation.slot_assignment import assign_sorted
from ai.paths.requests.body_places import fit_bodies
from ai.paths.requests.goal_resolution import find_footing, resolve_goals, spread_goals
from game.world.world import World

LANES_FROM = 64
"""Units above which places are assigned in parallel lanes.

Then no unit has to push through those before it.
"""


def find_places(
    world: World, slots: np.ndarray, x: float, y: float, lanes: bool = False
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a place for each unit about (x, y), and the ordered tile.

    Places are tile centres x and y; the tile is an index into the map for units that cannot reach it, else -1.
    The lowest id has the nearest place. With ``lanes`` a crowd goes to them in parallel, each unit to the place
    ahead. Units of different movement classes or components are placed apart, as each can only stand where it can
    go.
    """
    u, terrain = world.units, world.terrain
    world.components.update(terrain)
    gx, gy = np.empty(len(slots)), np.empty(len(slots))
    tiles = _footing_of(world, slots)
    keys = np.zeros(len(slots), np.int64)
    goal = (math.floor(y), math.floor(x))
    meant = (min(max(goal[0], 0), terrain.height - 1), min(max(goal[1], 0), terrain.width - 1))
    barred = np.zeros(len(slots), bool)
    for movement_class in np.unique(u.movement_class[slots]).tolist():
        of_class = u.movement_class[slots] == movement_class
        labels = world.components.labels_of(movement_class, tiles[of_class]).astype(np.int64)
        keys[of_class] = movement_class * (1 << 32) + labels
        barred[of_class] = labels != world.components.label(movement_class, *meant)
    taken: dict[int, list[tuple[int, int]]] = {}
    for key in np.unique(keys):
        members = np.flatnonzero(keys == key)
        first = int(members[0])
        movement_class = int(u.movement_class[slots[first]])
        # Two classes may want the same tile: the class that comes first takes it.
        others = {tile for other, tiles_taken in taken.items() if other != movement_class for tile in tiles_taken}
        spread = spread_goals(
            terrain,
            world.components,
            movement_class,
            goal,
            len(members) + len(others),
            start=(int(tiles[first, 0]), int(tiles[first, 1])),
        )
        if others:
            free = [tile not in others for tile in map(tuple, spread.tolist())]
            spread = spread[free][: len(members)]
        if not len(spread):
            gx[members], gy[members] = u.x[slots[members]], u.y[slots[members]]
            continue
        # Units go to places in the order of their ids; places are nearest first. When units outnumber tiles, they
        # share.
        by_id = members[np.argsort(u.id[slots[members]], kind="stable")]
        chosen = spread[np.arange(len(by_id)) % len(spread)]
        taken.setdefault(movement_class, []).extend(map(tuple, chosen.tolist()))
        if lanes and len(by_id) >= LANES_FROM:
            here = np.column_stack([u.x[slots[by_id]], u.y[slots[by_id]]])
            chosen = chosen[assign_sorted(here, chosen[:, ::-1] + 0.5)]
        gx[by_id], gy[by_id] = chosen[:, 1] + 0.5, chosen[:, 0] + 0.5
    return gx, gy, np.where(barred, meant[0] * terrain.width + meant[1], -1)


def own_places(world: World, slots: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a reachable place for each unit, and its ordered tile.

    ``points`` float64[n, 2] (x, y) are what was ordered, one a unit. A reachable point stays as it is if the unit's
    body fits there, else it moves off the walls of its tile. A unit gets a tile centre of its own if its point is not
    reachable, or if two units of lower ids already have places within a body of it. The centre is as near to the point
    as the tiles that are still free allow; the lowest id chooses first. The second result is the ordered tile's index
    into the map for these units, else -1.
    """
    u, terrain = world.units, world.terrain
    world.components.update(terrain)
    places = fit_bodies(terrain, u.movement_class[slots], points, u.radius[slots])
    ordered_at = np.full(len(slots), -1, np.int64)
    limits = terrain.height - 1, terrain.width - 1
    meant = np.clip(np.floor(points[:, ::-1]), 0, limits).astype(np.int32)
    footing = _footing_of(world, slots)
    classes = u.movement_class[slots]
    nearest = resolve_goals(terrain, world.components, classes, footing, meant)
    barred = (nearest != meant).any(axis=1) & (nearest[:, 0] >= 0)
    by_id = np.argsort(u.id[slots], kind="stable")
    open_rows = by_id[~barred[by_id]]
    full = np.zeros(len(slots), bool)
    full[open_rows] = crowded_points(places[open_rows], u.radius[slots[open_rows]])
    full &= nearest[:, 0] >= 0
    moved = barred | full
    if not moved.any():
        return places, ordered_at
    free = _FreeTiles(world, set(map(tuple, meant[~moved].tolist())))
    for i in by_id[moved[by_id]].tolist():
        y, x = free.take(int(classes[i]), (int(nearest[i, 0]), int(nearest[i, 1])))
        places[i] = x + 0.5, y + 0.5
    ordered_at[barred] = meant[barred, 0].astype(np.int64) * terrain.width + meant[barred, 1]
    return places, ordered_at


def crowded_points(places: np.ndarray, radius: np.ndarray) -> np.ndarray:
    """Return bool[n]: two earlier places that stay lie within two bodies' radii.

    ``places`` float64[n, 2] and ``radius`` float64[n] are in tiles. Two bodies at one point settle side by side; a
    third would be pushed off again and again.
    """
    full = np.zeros(len(places), bool)
    cell = max(2.0 * float(radius.max(initial=0.0)), 1e-9)
    staying: dict[tuple[int, int], list[tuple[float, float, float]]] = {}
    rows = np.column_stack([places, radius]).tolist()
    # Few of the places that stay fit into one cell, so many equal points need no comparison of all pairs.
    for k, ((row, column), (x, y, r)) in enumerate(
        zip(np.floor(places / cell).astype(int).tolist(), rows, strict=True)
    ):
        near = sum(
            math.hypot(x - ox, y - oy) < r + other - 1e-9
            for i in range(row - 1, row + 2)
            for j in range(column - 1, column + 2)
            for ox, oy, other in staying.get((i, j), ())
        )
        full[k] = near >= 2
        if near < 2:
            staying.setdefault((row, column), []).append((x, y, r))
    return full


class _FreeTiles:
    """Free tiles by distance on foot from a tile, each given out once."""

    def __init__(self, world: World, taken: set[tuple[int, int]]) -> None:
        """Start with ``taken`` tiles (y, x) that no unit gets."""
        self.world, self.taken = world, taken
        self.known: dict[tuple[int, int, int], tuple[list[list[int]], int, int]] = {}

    def take(self, movement_class: int, near: tuple[int, int]) -> tuple[int, int]:
        """Return the free tile nearest to ``near`` (y, x), else ``near``."""
        key = (movement_class, *near)
        spread, at, n = self.known.get(key, ([], 0, 1))
        while True:
            while at < len(spread):
                tile = (spread[at][0], spread[at][1])
                at += 1
                if tile not in self.taken:
                    self.taken.add(tile)
                    self.known[key] = spread, at, n
                    return tile
            if spread and len(spread) < n:
                self.known[key] = spread, at, n
                return near
            n *= 4
            spread = spread_goals(self.world.terrain, self.world.components, movement_class, near, n).tolist()
            if not spread:
                return near
            at = 0


def _footing_of(world: World, slots: np.ndarray) -> np.ndarray:
    """Return tiles units stand on: int32[n, 2] (y, x).

    After an edit it is the nearest tile that they can leave.
    """
    u, t = world.units, world.terrain
    ty, tx = np.clip(np.floor(u.y[slots]), 0, t.height - 1), np.clip(np.floor(u.x[slots]), 0, t.width - 1)
    tiles = np.column_stack([ty, tx]).astype(np.int32)
    footing = find_footing(t, u.movement_class[slots], tiles)
    return np.where(footing >= 0, footing, tiles)
