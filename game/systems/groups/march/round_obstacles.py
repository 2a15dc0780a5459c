"""Group split around an obstacle: its halves pass on both sides and meet again.

The halves have the same share of every unit type, and the left ones of each type go left. The half with the
shorter path goes slower in proportion, so that both arrive together. One half keeps the path of the whole. The
other's is searched once, with the rest of the groups' budget in that tick. Behind the obstacle they form up as
one again.

Source: "AI Game Programming Wisdom", 5.6 (subformations round both sides of an obstacle, reasons why broken).
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ai.decision.decision_trace import DECISION
from ai.formation.formation_adaptation import narrow_stretch
from ai.formation.formation_shapes import Shape
from ai.formation.group_entity import (
    G_ALONG,
    G_FACING,
    G_HEADING,
    G_SPACING,
    G_SPEED,
    G_X,
    G_Y,
    T_COUNT,
    T_FREE,
    T_PLACED,
    T_STATE,
    T_WAITS,
    GroupState,
)
from ai.formation.path_corridor import GroupPath
from ai.grid.terrain import Terrain
from ai.paths.groups.path_lines import corners_of, pulling_revolutions
from ai.search.astar.astar import FOUND, AStarSearch
from game.systems.groups.group_forming import begin_group, enter, place_in_slots, set_path, set_stages
from game.systems.groups.slot_arrangement import preferred
from game.world.groups.drill import KEEP
from game.world.groups.movement_groups import Group
from game.world.orders import Order
from game.world.world import World

LEAST = 4
"""Members from which on a group parts."""
LONGER = 1.6
"""Most times as long that the path round the other side may be."""
MARGIN = 24
"""Tiles round the narrow stretch in which the other side is looked for."""
WINDOW = 64
"""Tiles of the window that are read for what a revolution costs."""
UNASKED = -1e9
LAST_WAIT = 160
"""Ticks that the half which is there waits for the other."""


def part(world: World, group: Group, row: int) -> bool:
    """Split the group if its obstacle can be passed on both sides; return success."""
    if group.path is None or group.reunion >= 0 or len(group.members) < LEAST or group.drill.shape == KEEP:
        return False
    table = preferred(world, group)
    half, along = table.width / 2.0 + 0.15, float(world.groups.num[row, G_ALONG])
    stretch = narrow_stretch(group.path, along, half, half)
    if stretch is None or abs(stretch[0] - group.looked_at) < 2.0:
        return False
    group.looked_at = stretch[0]
    behind = stretch[1] + table.depth + 3.0
    if behind > group.path.length - 1.0:
        return False
    budget, left = world.settings.formation.budget, world.group_paths.left(world.settings.formation.budget)
    if left < budget // 2:
        group.looked_at = UNASKED  # search again in a tick with more budget left
        return False
    there = _point(group.path, behind)
    here = np.array([world.groups.num[row, G_X], world.groups.num[row, G_Y]])
    other, spent = _other_side(world.terrain, group, stretch, here, there, left)
    world.group_paths.pay(spent, budget)
    if other is None:
        return False
    first, last = math.ceil(along / group.path.step), math.floor(behind / group.path.step)
    usual = np.vstack([here, group.path.points[first : last + 1 : 3], there])
    lengths = [float(np.hypot(*np.diff(path, axis=0).T).sum()) for path in (usual, other)]
    if lengths[1] > LONGER * lengths[0]:
        return False
    world.trace.add(
        world.tick, int(group.members[0]), DECISION, "parts its group round the obstacle",
        considered=[("parting", 1.0), ("thinning out", lengths[0] / max(lengths[1], 1e-9) / LONGER)], winner="parting",
        cause=f"round the other side it is {lengths[1]:.0f} tiles for {lengths[0]:.0f}", since=world.tick,
        function="game.systems.groups.march.round_obstacles.part",
    )  # fmt: skip
    paths = [usual, other]
    if _side(here, there, usual) > _side(here, there, other):
        paths.reverse()
        lengths.reverse()
    _make_halves(world, group, row, paths, lengths, table.width)
    return True


def _point(path: GroupPath, s: float) -> np.ndarray:
    at = np.arange(len(path.points)) * path.step
    return np.array([np.interp(s, at, path.points[:, 0]), np.interp(s, at, path.points[:, 1])])


def _side(here: np.ndarray, there: np.ndarray, path: np.ndarray) -> float:
    """Return how far right of the straight line a path leads, on average."""
    ahead = (there - here) / max(float(np.hypot(*(there - here))), 1e-9)
    off = path - here
    return float((off[:, 1] * ahead[0] - off[:, 0] * ahead[1]).mean())


def _other_side(
    terrain: Terrain, group: Group, stretch: tuple[float, float], here: np.ndarray, there: np.ndarray, limit: int
) -> tuple[np.ndarray | None, int]:
    """Return turning points float64[n, 2] of a path round the stretch, and revolutions.

    The path is None when ``limit`` revolutions find none.
    """
    path = group.path
    assert path is not None
    first, last = int(stretch[0] / path.step), math.ceil(stretch[1] / path.step) + 1
    narrow = path.points[first : last + 1]
    ends = np.vstack([narrow, here[None], there[None]])
    low = np.maximum(np.floor(ends.min(axis=0)).astype(int) - MARGIN, 0)
    high = np.minimum(np.ceil(ends.max(axis=0)).astype(int) + MARGIN, (terrain.width, terrain.height))
    size = int(np.prod(high - low))
    if size // WINDOW > limit:
        return None, 0
    passable = terrain.passable[low[1] : high[1], low[0] : high[0]].copy()
    cost = terrain.cost[low[1] : high[1], low[0] : high[0]].copy()
    # A bar across the passage, from wall to wall, in its middle.
    middle = (first + last) // 2
    k = min(max(middle, 1), len(path.points) - 2)
    along = path.points[k + 1] - path.points[k - 1]
    across = np.array([-along[1], along[0]]) / max(float(np.hypot(*along)), 1e-9)
    for s in np.arange(-float(path.left[k]) - 0.5, float(path.right[k]) + 0.5, 0.25):
        x, y = path.points[k] + across * s - low
        if 0 <= int(y) < passable.shape[0] and 0 <= int(x) < passable.shape[1]:
            passable[int(y), int(x)] = 0
    ground = Terrain.build(passable, cost)
    search = AStarSearch(ground.height, ground.width)
    start, goal = ((int(p[1] - low[1]), int(p[0] - low[0])) for p in (here, there))
    if not (passable[start] >> group.movement_class & 1 and passable[goal] >> group.movement_class & 1):
        return None, size // WINDOW
    search.begin(ground, group.movement_class, start, goal)
    search.run(ground, limit - size // WINDOW)
    spent = size // WINDOW + search.revolutions
    if search.status != FOUND:
        return None, spent
    corners = corners_of(ground, search.path(), group.movement_class, (int(low[1]), int(low[0])))
    spent += pulling_revolutions(corners)
    corners[0], corners[-1] = here, there
    return corners, spent


def halves(kinds: np.ndarray, right: np.ndarray, ids: np.ndarray) -> np.ndarray:
    """Return bool[n]: true for the right half.

    It takes half of every type, those farther to the right. The two counts differ by one at most.
    """
    goes = np.zeros(len(ids), bool)
    more = 0  # members on the right minus members on the left, so far
    for kind in np.unique(kinds):
        mine = np.flatnonzero(kinds == kind)
        mine = mine[np.lexsort((ids[mine], np.round(right[mine], 6)))]
        # The last unit of an odd number goes to the smaller half.
        to_left = len(mine) // 2 + (len(mine) % 2 if more > 0 else 0)
        goes[mine[to_left:]] = True
        more += len(mine) - 2 * to_left
    return goes


def _make_halves(
    world: World, group: Group, row: int, paths: list[np.ndarray], lengths: list[float], width: float
) -> None:
    u, groups = world.units, world.groups
    slots = u.slots(group.members)
    right = halves(u.kind[slots], u.slot_r[slots], u.id[slots])
    old = groups.num[row].copy()
    order, facing = group.order, float(old[G_FACING])
    # On the path round they go two abreast, so that their slots bend with it.
    drill = replace(group.drill, shape=int(Shape.COLUMN), ranks=2)
    waits, free = groups.tag[row, [T_WAITS, T_FREE]].tolist()
    world.group_paths.forget(group.id)
    groups.drop(row)
    u.band[slots] = -1
    for side, path, length in zip((False, True), paths, lengths, strict=True):
        mine = slots[right == side]
        made = Group(
            groups.next_id, group.side, group.movement_class, drill, u.id[mine].astype(np.int64), np.arange(len(mine)),
            np.zeros((0, 3)), order, group.goal, None, world.tick,
        )  # fmt: skip
        groups.next_id += 1
        made.reunion, made.onward, made.pace = group.id, facing, length / max(lengths)
        at = groups.add(made)
        u.band[mine] = at
        num, tag = groups.num[at], groups.tag[at]
        num[G_SPACING], num[G_FACING], num[G_HEADING] = old[G_SPACING], old[G_HEADING], old[G_HEADING]
        num[G_SPEED] = old[G_SPEED]
        tag[T_COUNT], tag[T_WAITS], tag[T_FREE], tag[T_PLACED] = len(mine), waits, free, 0
        set_stages(world, at, mine)
        start = np.array([u.x[mine].mean(), u.y[mine].mean()])
        corners = path.copy()
        corners[0] = start
        c, s = math.cos(old[G_HEADING]), math.sin(old[G_HEADING])
        aside = (0.25 if side else -0.25) * width
        end = path[-1] + aside * np.array([-s, c])
        if world.terrain.inside(int(end[1]), int(end[0])) and (
            world.terrain.passable[int(end[1]), int(end[0])] >> group.movement_class & 1
        ):
            corners[-1] = end
        set_path(world, made, at, corners, preferred(world, made).width / 2.0)
        num[G_X], num[G_Y] = start
        place_in_slots(world, made, at, mine, preferred(world, made))
        enter(world, made, at, GroupState.MARCHING)
    world.happen("parted", int(group.members[0]), text="the group parts round an obstacle")


def rejoin(world: World, group: Group, row: int, age: int) -> bool:
    """Rejoin two halves behind the obstacle; return true once they are one.

    The first half waits there for the other.
    """
    groups, u = world.groups, world.units
    rows = [k for k, each in groups.rows.items() if each.reunion == group.reunion]
    late = [k for k in rows if groups.tag[k, T_STATE] != GroupState.SETTLING]
    if late and age < LAST_WAIT:
        return False
    ids = np.sort(np.concatenate([groups.rows[k].members for k in rows]))
    order = Order(group.order, group.side, tuple(ids.tolist()), *group.goal, facing=group.onward)
    begin_group(world, u.slots(ids), order)
    world.happen("met", int(ids[0]), text="both halves are past the obstacle")
    return True


TECHNIQUES = (
    {
        "slug": "round-obstacles",
        "name": "Group split around an obstacle",
        "ids": ("AW-5.6-8",),
        "source": "AI Game Programming Wisdom, 5.6",
        "functions": ("part", "halves"),
        "test": "tests/game/systems/groups/march/test_round_obstacles.py",
        "exhibit": "levels/exhibits/minds/rock.toml",
        "overlay": "group",
        "setting": "formation.part",
        "measure": "unformed",
        "direction": "down",
        "claim": "Halves of equal types; splits by ranks or front and back are left out.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
