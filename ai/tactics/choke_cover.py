"""Choke cover: units without sight of the enemy watch different chokes.

Sources: Martin Walsh, "Modeling Perception and Awareness in Splinter Cell Blacklist", Game AI Pro 2, ch. 28, 28.3.1
(chokes between the watcher's area and the enemy's; different openings; a closed area with one exit is sealed; position
nodes; a capacity for each area); Kevin Dill, Game AI Pro 2, ch. 31, 31.3.7 (dead ends); Lars Lidén, AI Game Programming
Wisdom, 5.1 (ambush positions that see the exit and are not seen from inside). The distances are our choice.

Positions are (x, y) in tiles; areas and chokes are numbers of :class:`ai.grid.areas.AreaGraph`.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.grid.areas import AreaGraph
from ai.perception.sight.line_of_sight import lines_clear
from ai.tactics.choke_points import choke_points, cul_de_sacs, members, pinch_points, visibility_sets

NEAR, FAR = 1.5, 6.0
"""Distances from a choke, in tiles, at which its watchers stand."""
TILES_A_HEAD = 12
"""Tiles of an area per searcher that may enter it together."""
MOST_HEADS = 4
"""Upper limit of searchers per area."""


@dataclass(frozen=True)
class Post:
    """Position from which a unit watches a choke, and its facing (radians)."""

    unit: int
    choke: int
    x: float
    y: float
    facing: float


def capacity(graph: AreaGraph, area: int) -> int:
    """Return how many units may enter an area together."""
    return min(MOST_HEADS, max(1, _size(graph, area) // TILES_A_HEAD))


def distances_to(graph: AreaGraph, area: int) -> dict[int, int]:
    """Return the number of chokes between each area and ``area``.

    Chokes of any kind count. Areas without a path are left out.
    """
    found, todo = {area: 0}, deque([area])
    while todo:
        at = todo.popleft()
        for other in graph.neighbours(at):
            if other not in found:
                found[other] = found[at] + 1
                todo.append(other)
    return found


def openings_towards(graph: AreaGraph, own: int, area: int) -> list[int]:
    """Return the chokes of area ``own`` that lead nearer to ``area``, ascending.

    Inside ``area`` itself these are all its chokes.
    """
    if own == area:
        return graph.chokes_of(area)
    far = distances_to(graph, area)
    here = far.get(own, 0)
    return [k for k in graph.chokes_of(own) if any(far.get(a, here) < here for a in graph.chokes[k].areas)]


def only_exit(graph: AreaGraph, area: int) -> int:
    """Return the only choke that leads out of a dead end, or -1.

    In a chain of dead ends it is the mouth of the chain. Only walkable chokes count. Of two areas that lead only to
    each other, such as a house in a field, the larger is no dead end.
    """
    adjacency = graph.adjacency()
    if len(adjacency[area]) == 1:
        (beyond,) = adjacency[area]
        if len(adjacency[beyond]) == 1:
            doors = graph.between(area, beyond, walkable=True)
            return doors[0] if len(doors) == 1 and _size(graph, beyond) > _size(graph, area) else -1
    ends = cul_de_sacs(adjacency)
    if area not in ends:
        return -1
    seen, todo = {area}, deque([area])
    while todo:
        at = todo.popleft()
        for other in adjacency[at]:
            if other not in ends:
                doors = graph.between(at, other, walkable=True)
                return doors[0] if len(doors) == 1 else -1
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return -1


def _size(graph: AreaGraph, area: int) -> int:
    return int(np.count_nonzero(graph.area == area))


def paths_on(graph: AreaGraph, depth: int) -> set[int]:
    """Return the areas that are the only link to further areas.

    They are choke points of the area graph, unless they only lead into a dead end. A target that gets through one of
    these is lost. Where a detour of at most ``depth`` areas leads to the same place, it can be met there.
    """
    adjacency = graph.adjacency()
    return set(choke_points(adjacency, depth)) - cul_de_sacs(adjacency) if depth else set()


def position_nodes(
    graph: AreaGraph, opaque: NDArray[np.uint8], standing: NDArray[np.bool_], choke: int, area: int
) -> NDArray[np.int32]:
    """Return tiles of an area with a clear line to a choke.

    They are ``int32[n, 2]`` (y, x), a few tiles from the choke, nearest first. ``standing: bool[H, W]`` are the tiles
    where a unit can stand.
    """
    at = graph.chokes[choke]
    height, width = graph.area.shape
    y0, x0 = max(0, int(at.y - FAR)), max(0, int(at.x - FAR))
    y1, x1 = min(height, int(at.y + FAR) + 1), min(width, int(at.x + FAR) + 1)
    fit = (graph.area[y0:y1, x0:x1] == area) & standing[y0:y1, x0:x1]
    ends = (np.argwhere(fit) + (y0, x0)).astype(np.int32)
    if not len(ends):
        return np.zeros((0, 2), np.int32)
    far = np.hypot(ends[:, 0] + 0.5 - at.y, ends[:, 1] + 0.5 - at.x)
    middle = min(at.tiles, key=lambda t: (math.hypot(t[0] + 0.5 - at.y, t[1] + 0.5 - at.x), t))
    starts = np.broadcast_to(np.array(middle, np.int32), ends.shape).copy()
    fit_too = (far >= NEAR) & (far <= FAR) & lines_clear(opaque, starts, ends).astype(bool)
    ends, far = ends[fit_too], far[fit_too]
    return ends[np.lexsort((ends[:, 1], ends[:, 0], far))]


def assign_posts(
    graph: AreaGraph,
    opaque: NDArray[np.uint8],
    standing: NDArray[np.bool_],
    area: int,
    units: Sequence[tuple[int, float, float]],
    taken: Sequence[Post] = (),
    apart: float = 1.5,
    first: Set[int] = frozenset(),
) -> list[Post]:
    """Assign a post to each of ``units`` (id, x, y), in id order.

    A unit takes the choke with the fewest watchers, then one into the areas ``first``, then the nearest. No two units
    stand within ``apart`` tiles of each other. A unit without a choke to watch gets no post.
    """
    posts = list(taken)
    for unit, x, y in sorted(units):
        own = list(graph.areas_at(x, y))
        chokes = sorted({k for a in own for k in openings_towards(graph, a, area)})
        found: tuple[tuple[float, ...], Post] | None = None
        for k in chokes:
            choke = graph.chokes[k]
            side = next((a for a in own if a in choke.areas), own[0])
            watched = sum(p.choke == k for p in posts)
            for ty, tx in _ordered(position_nodes(graph, opaque, standing, k, side), x, y):
                if all(math.hypot(tx + 0.5 - p.x, ty + 0.5 - p.y) >= apart for p in posts):
                    far = math.hypot(choke.x - x, choke.y - y)
                    facing = math.atan2(choke.y - ty - 0.5, choke.x - tx - 0.5)
                    rank = (watched, not any(a in first for a in choke.areas if a not in (area, side)), far, k)
                    if found is None or rank < found[0]:
                        found = rank, Post(unit, k, tx + 0.5, ty + 0.5, facing)
                    break
        if found is not None:
            posts.append(found[1])
    return posts[len(taken) :]


def _ordered(nodes: NDArray[np.int32], x: float, y: float) -> list[tuple[int, int]]:
    far = np.hypot(nodes[:, 1] + 0.5 - x, nodes[:, 0] + 0.5 - y)
    return [(int(nodes[k, 0]), int(nodes[k, 1])) for k in np.lexsort((nodes[:, 1], nodes[:, 0], far))]


def ambush_posts(
    graph: AreaGraph, opaque: NDArray[np.uint8], standing: NDArray[np.bool_], choke: int, inside: int
) -> NDArray[np.int32]:
    """Return ambush tiles outside an exit, ``int32[n, 2]``.

    They see a target that comes out but not one that still stands inside. The graph for the source's pinch points is
    made of the area and its exit; its nodes are the ambush positions.
    """
    outside = [a for a in graph.chokes[choke].areas if a != inside]
    if not outside:
        return np.zeros((0, 2), np.int32)
    nodes = position_nodes(graph, opaque, standing, choke, outside[0])
    within = position_nodes(graph, opaque, standing, choke, inside)
    if not len(nodes) or not len(within):
        return np.zeros((0, 2), np.int32)
    at = graph.chokes[choke]
    door = min(at.tiles, key=lambda t: (math.hypot(t[0] + 0.5 - at.y, t[1] + 0.5 - at.x), t))
    # The places are: inside, before the exit; the exit; its far side with all the open ground behind it. This is a
    # pinch by construction.
    places = np.vstack([within[:1], within[:1], [door], nodes[:1], nodes]).astype(np.int32)
    open_ground = list(range(4, len(places)))
    adjacency = [[1], [0, 2], [1, 3], [2, *open_ground], *([3] for _ in open_ground)]
    sees = visibility_sets(opaque, places)
    pinches = [p for p in pinch_points(adjacency, sees) if p.outside == 3]
    if not pinches:
        return nodes
    # The target is visible at the far side of the exit; from inside the exit the ambush position is not.
    hidden = set(members(sees[3])) - set(members(sees[1]))
    wait = [k - 4 for k in sorted(hidden) if k >= 4]
    return nodes[wait] if wait else nodes


TECHNIQUES = (
    {
        "slug": "choke-covering",
        "name": "Choke covering and sealing of dead ends",
        "ids": ("GP2-28.8",),
        "source": "Game AI Pro 2, ch. 28; AI Game Programming Wisdom, 5.1",
        "functions": ("assign_posts", "only_exit"),
        "test": "tests/ai/tactics/test_choke_cover.py",
        "exhibit": "levels/exhibits/stealth/courtyard.seals.toml",
        "overlay": "posts",
        "setting": "minds.seals",
        "parts": ("AW-5.1-5",),
        "measure": "walked",
        "direction": "down",
        "claim": "Posts, sealing and a capacity by size; posts are not cover slots.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
