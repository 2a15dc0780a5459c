"""Dead ends and choke points of any graph of places.

Sources: Kevin Dill, Game AI Pro 2, ch. 31, 31.3.7 (cul-de-sacs, choke points by depth-limited search); Lars Lidén, "AI
Game Programming Wisdom", 5.1 (bit strings of visibility, pinch points and ambush positions).

A graph is a list of lists: ``adjacency[i]`` are the neighbours of place ``i``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.perception.sight.line_of_sight import lines_clear

Adjacency = Sequence[Sequence[int]]


def cul_de_sacs(adjacency: Adjacency) -> set[int]:
    """Return places with one exit, and places that lead only to such places.

    They are absorbed up to the next junction.
    """
    left = [set(n) for n in adjacency]
    found: set[int] = set()
    todo = deque(i for i, n in enumerate(left) if len(n) == 1)
    junctions = any(len(n) > 2 for n in left)
    while todo:
        at = todo.popleft()
        if at in found or len(left[at]) != 1:
            continue
        (other,) = left[at]
        if not junctions and at not in {i for i, n in enumerate(adjacency) if len(n) == 1}:
            continue  # a chain without a junction is just two dead ends
        found.add(at)
        left[other].discard(at)
        left[at].clear()
        if len(left[other]) == 1 and len(adjacency[other]) == 2:
            todo.append(other)
    return found


def choke_points(adjacency: Adjacency, depth: int) -> dict[int, list[list[int]]]:
    """Return articulation points within ``depth`` steps, and their groups.

    The neighbours of such a place fall apart into groups without it. Only paths of at most ``depth`` steps join two
    neighbours, so a smaller depth ignores long detours.
    """
    found = {}
    for place, neighbours in enumerate(adjacency):
        root = {n: n for n in neighbours}

        def top(n: int, root: dict[int, int] = root) -> int:
            while root[n] != n:
                n = root[n]
            return n

        for n in neighbours:
            for other in _within(adjacency, n, place, depth) & set(neighbours):
                one, two = sorted((top(n), top(other)))
                root[two] = one
        groups: dict[int, list[int]] = {}
        for n in sorted(neighbours):
            groups.setdefault(top(n), []).append(n)
        if len(groups) > 1:
            found[place] = sorted(groups.values())
    return found


def _within(adjacency: Adjacency, start: int, without: int, depth: int) -> set[int]:
    seen = {start: 0}
    todo = deque([start])
    while todo:
        at = todo.popleft()
        if seen[at] >= depth:
            continue
        for other in adjacency[at]:
            if other != without and other not in seen:
                seen[other] = seen[at] + 1
                todo.append(other)
    return set(seen)


def visibility_sets(opaque: NDArray[np.uint8], places: NDArray[np.int32]) -> NDArray[np.uint64]:
    """Return visibility bits ``uint64[n, (n + 63) // 64]``.

    Bit ``j`` of row ``i`` is set when place ``i`` sees place ``j``. ``places: int32[n, 2]`` are (y, x) tiles.
    """
    n = len(places)
    rows = np.zeros((n, (n + 63) // 64), np.uint64)
    for i in range(n):
        starts = np.broadcast_to(places[i], (n, 2)).astype(np.int32).copy()
        sees = lines_clear(opaque, starts, np.ascontiguousarray(places, np.int32)).astype(np.bool_)
        for j in np.flatnonzero(sees).tolist():
            rows[i, j >> 6] |= np.uint64(1) << np.uint64(j & 63)
    return rows


def members(bits: NDArray[np.uint64]) -> list[int]:
    """Return the numbers of the set bits of one row, ascending."""
    return [64 * w + k for w, word in enumerate(bits.tolist()) for k in range(64) if word >> k & 1]


@dataclass(frozen=True)
class Pinch:
    """A place that is the only link between ``inside`` and ``outside``.

    A unit at ``ambush`` sees a target that comes out (``outside``). The target does not see it while it is still at the
    pinch.
    """

    place: int
    inside: int
    outside: int
    ambush: tuple[int, ...]


def pinch_points(adjacency: Adjacency, sees: NDArray[np.uint64]) -> list[Pinch]:
    """Return the pinch points of a graph.

    Each has two neighbours and is pushed to the open end of its hall. ``sees`` comes from :func:`visibility_sets`.
    """
    found = {}
    for place, neighbours in enumerate(adjacency):
        if len(neighbours) != 2:
            continue
        a, b = sorted(neighbours)
        side_a = _within(adjacency, a, place, len(adjacency))
        if b in side_a:
            continue
        side_b = _within(adjacency, b, place, len(adjacency))
        inside, outside = (a, b) if len(side_a) <= len(side_b) else (b, a)
        at = place
        while len(adjacency[outside]) == 2:
            after = next(n for n in adjacency[outside] if n != at)
            inside, at, outside = at, outside, after
        ambush = members(sees[outside] & ~sees[at])
        found[at] = Pinch(at, inside, outside, tuple(ambush))
    return [found[place] for place in sorted(found)]


TECHNIQUES = (
    {
        "slug": "choke-points",
        "name": "Choke points and dead ends",
        "ids": ("GP2-31.11",),
        "source": "Game AI Pro 2, ch. 31",
        "functions": ("cul_de_sacs", "choke_points"),
        "test": "tests/ai/tactics/test_choke_points.py",
        "exhibit": "levels/exhibits/stealth/hall.toml",
        "overlay": "areas",
        "setting": "minds.choke_depth",
        "parts": ("GP2-31.10",),
        "measure": "walked",
        "reason": "The distance walked shows that the runs differ; the technique promises no shorter or longer walk.",
        "claim": (
            "Areas are chokes by their links, found within a depth of areas; their width is not tested. A chain "
            "without a junction is two dead ends."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
