"""Slot places: each on its own free ground of the group's component.

A slot is moved to the nearest free tile if its disc touches a wall, lies in another component or overlaps a
standing unit. So is a slot behind a wall: its unit would walk a long detour to stand a step from the others ("AI
Game Programming Wisdom", 5.6; "Game AI Pro 2", 20.7).
"""

from __future__ import annotations

import numpy as np

from ai.formation.formation_shapes import Slots, place
from ai.grid.components import Components
from ai.grid.terrain import Terrain
from game.world.world import World

REACH = 12
"""Tiles round the slots searched first for free ground; doubled while insufficient."""


ROUND, ROUND_MORE = 2, 4
"""Largest detour of a slot: factor on the wall-free path, plus this many tiles.

A place within it belongs to the group.
"""


FAR = 1 << 30

BESIDE = 2
"""Largest detour in steps of a moved slot from its old place."""


def detours(free: np.ndarray, y: int, x: int, most_steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Return steps from (y, x) to each tile, with and without walls.

    ``free`` is bool[H, W], the results are int[H, W]. Steps go to the four neighbours; tiles farther than
    ``most_steps`` have :data:`FAR`.
    """
    height, width = free.shape
    straight = np.abs(np.arange(height) - y)[:, None] + np.abs(np.arange(width) - x)[None, :]
    been, out = np.zeros((height + 2, width + 2), bool), np.full((height, width), FAR)
    been[y + 1, x + 1] = free[y, x]
    new, step = been[1:-1, 1:-1].copy(), 0
    while step <= most_steps and new.any():
        out[new] = step
        near = been[:-2, 1:-1] | been[2:, 1:-1] | been[1:-1, :-2] | been[1:-1, 2:]
        new = near & free & ~been[1:-1, 1:-1]
        been[1:-1, 1:-1] |= new
        step += 1
    return out, straight


def free_places(
    terrain: Terrain,
    components: Components,
    movement_class: int,
    label: int,
    wanted: np.ndarray,
    taken: np.ndarray | None = None,
    radius: float = 0.3,
    centre: tuple[float, float] | None = None,
) -> np.ndarray:
    """Return the nearest free place for each wanted one: float64[n, 2] (x, y).

    Free places stay as they are. ``label`` is the required component; ``taken`` float64[m, 2] are standing
    bodies. Places are served in the order given, nearest by distance, then row, then column. With a ``centre``
    (x, y) only places without a long detour from it are free, as long as enough exist. Where the component has no
    tile left, several places share one.
    """
    n = len(wanted)
    out = wanted.copy()
    if n == 0:
        return out
    height, width = terrain.passable.shape
    labels = components.label_map(movement_class)
    good = np.ones(n, bool)
    for dy in (-radius, 0.0, radius):
        for dx in (-radius, 0.0, radius):
            ty, tx = np.floor(wanted[:, 1] + dy).astype(int), np.floor(wanted[:, 0] + dx).astype(int)
            inside = (ty >= 0) & (tx >= 0) & (ty < height) & (tx < width)
            good &= inside
            good[inside] &= labels[ty[inside], tx[inside]] == label
    near = _about(labels, label, wanted, centre)
    if near is not None:
        y0, x0, mask, _ = near
        ty, tx = np.floor(wanted[:, 1]).astype(int) - y0, np.floor(wanted[:, 0]).astype(int) - x0
        good[good] = mask[ty[good], tx[good]]
    if taken is not None and len(taken):
        from scipy.spatial import cKDTree

        gap, _ = cKDTree(taken).query(wanted)
        good &= gap > 2.0 * radius
    bad = np.flatnonzero(~good)
    reach = REACH
    while len(bad):
        low = np.floor(wanted.min(axis=0)).astype(int) - reach
        high = np.ceil(wanted.max(axis=0)).astype(int) + reach + 1
        x0, y0 = np.clip(low, 0, (width - 1, height - 1))
        x1, y1 = np.clip(high, (x0 + 1, y0 + 1), (width, height))
        free = labels[y0:y1, x0:x1] == label
        if near is not None:
            ny, nx, _, mask = near
            y2, x2 = min(y1, ny + mask.shape[0]), min(x1, nx + mask.shape[1])
            with_them = np.zeros_like(free)
            with_them[max(ny - y0, 0) : y2 - y0, max(nx - x0, 0) : x2 - x0] = mask[
                max(y0 - ny, 0) : y2 - ny, max(x0 - nx, 0) : x2 - nx
            ]
            free &= with_them
        for spots in (out[good], taken if taken is not None else np.zeros((0, 2))):
            # A body may cover up to four tiles.
            for dy in (-radius, radius):
                for dx in (-radius, radius):
                    ty, tx = np.floor(spots[:, 1] + dy).astype(int) - y0, np.floor(spots[:, 0] + dx).astype(int) - x0
                    inside = (ty >= 0) & (tx >= 0) & (ty < y1 - y0) & (tx < x1 - x0)
                    free[ty[inside], tx[inside]] = False
        whole = (x0, y0, x1, y1) == (0, 0, width, height)
        tiles = np.argwhere(free)
        if len(tiles) >= len(bad) or (whole and near is None):
            break
        if near is not None:
            near = None  # too little room on this side
        else:
            reach *= 2
    if len(bad) and len(tiles):
        open_ = np.ones(len(tiles), bool)
        centres = tiles[:, ::-1] + (x0 + 0.5, y0 + 0.5)
        for i in bad.tolist():
            away = (centres[:, 0] - wanted[i, 0]) ** 2 + (centres[:, 1] - wanted[i, 1]) ** 2
            best = int(np.argmin(np.where(open_, away, np.inf) if open_.any() else away))
            out[i] = centres[best]
            open_[best] = False
    elif len(bad):
        anywhere = np.argwhere(labels == label)
        if len(anywhere):
            for i in bad.tolist():
                away = ((anywhere[:, ::-1] + 0.5 - wanted[i]) ** 2).sum(axis=1)
                out[i] = anywhere[int(np.argmin(away)), ::-1] + 0.5
    return out


def _about(
    labels: np.ndarray, label: int, wanted: np.ndarray, centre: tuple[float, float] | None
) -> tuple[int, int, np.ndarray, np.ndarray] | None:
    """Return top row, left column and masks of the ground about a group's place.

    One mask shows where slots may stay, the other where moved slots may go.
    """
    if centre is None:
        return None
    height, width = labels.shape
    y, x = int(np.floor(centre[1])), int(np.floor(centre[0]))
    if not (0 <= y < height and 0 <= x < width) or labels[y, x] != label:
        return None
    tiles = np.floor(np.vstack([wanted, [centre]])).astype(int)
    (left, top), (right, bottom) = tiles.min(axis=0), tiles.max(axis=0)
    if min(left, top) >= 0 and (labels[top : bottom + 1, left : right + 1] == label).all():
        return None  # open ground
    # A path that is short enough stays in this area: half of its length out, half of it back.
    steps = ROUND * (int(np.ceil(np.abs(wanted - centre).sum(axis=1).max())) + 2) + ROUND_MORE
    reach = 3 * steps // 4 + 1
    y0, x0 = max(y - reach, 0), max(x - reach, 0)
    free = labels[y0 : y + reach + 1, x0 : x + reach + 1] == label
    path, straight = detours(free, y - y0, x - x0, steps)
    return y0, x0, path <= ROUND * straight + ROUND_MORE, path <= straight + BESIDE


def slots_on_ground(
    terrain: Terrain,
    components: Components,
    movement_class: int,
    label: int,
    slots: Slots,
    x: float,
    y: float,
    heading: float,
    taken: np.ndarray | None = None,
    radius: float = 0.3,
) -> np.ndarray:
    """Return world places and facings float64[n, 3] of slots on free ground.

    The weightiest slots choose first.
    """
    raw = place(slots, x, y, heading)
    order = np.lexsort((np.arange(len(slots)), -slots.weight))
    moved = free_places(terrain, components, movement_class, label, raw[order, :2], taken, radius, (x, y))
    raw[order, :2] = moved
    return raw


def known_to(world: World, side: int) -> np.ndarray:
    """Return bool[count]: units whose position a side knows: its own, and visible ones."""
    u, n = world.units, world.units.count
    return (u.side[:n] == side) | world.sight.sees_positions(side, u.x[:n], u.y[:n])


def places_for(
    world: World, members: np.ndarray, movement_class: int, label: int, table: Slots, x: float, y: float, heading: float
) -> np.ndarray:
    """Return free places for ``members`` (slots in the columns): float64[n, 3].

    They lie beside other standing units, as far as the side sees those. The final places of a group and the
    ghosts of an order before it both come from this.
    """
    u = world.units
    stands = (u.alive[: u.count] == 1) & (u.moving[: u.count] == 0)
    stands &= known_to(world, int(u.side[members[0]]) if len(members) else 0)
    stands[members] = False
    others = np.flatnonzero(stands)
    xs, ys = u.x[: u.count].copy(), u.y[: u.count].copy()
    home_x, home_y = world.steering.home_x, world.steering.home_y
    if len(home_x) >= u.count:
        # A pushed unit goes back to its resting place.
        known = ~np.isnan(home_x[: u.count])
        xs[known], ys[known] = home_x[: u.count][known], home_y[: u.count][known]
    reach = 2.0 * (table.width + table.depth) + 4.0
    near = others[(np.abs(xs[others] - x) < reach) & (np.abs(ys[others] - y) < reach)]
    taken, broadest = np.column_stack([xs[near], ys[near]]), float(u.radius[members].max(initial=0.0))
    return slots_on_ground(
        world.terrain, world.components, movement_class, label, table, x, y, heading, taken, broadest
    )
