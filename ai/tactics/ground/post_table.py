"""Post table: facts on posts gathered under budgets, and selection that only reads them.

Source: Travis McIntosh, Game AI Pro 2, 34.4 (the 20 nearest cover posts that face the threat; four rays a post and at
most 160 rays a frame; 20 paths a frame, round robin; selectors are evaluated all the time on the stored facts).

The gathering half casts rays and measures paths, a counted number a tick. The selecting half casts none: it reads the
facts of the last complete set, so a change of behaviour has its place in the same tick. The four rays of a post start
at its tile standing and crouching, and at the tiles to the left and right of it.
"""

from __future__ import annotations

import math
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from ai.core.serialization import record
from ai.search.fields.bounded_flood import bounded_flood
from ai.tactics.ground.cover_directions import sees_body
from ai.tactics.ground.tactical_facts import Ask, Evidence, TacticalGround
from ai.tactics.ground.tactical_query import Place, Selector, gather, rate

RAYS_A_POST = 4
RAYS_A_TICK = 160
PATHS_A_TICK = 20
NEAREST = 20
MOVED = 2.0
"""Tiles by which a threat may move before its set is dropped."""
PENDING, BLOCKED, CLEAR = 0, 1, 2


@record
class PostSet:
    """Posts of one unit, and what is known of them.

    ``tiles: int32[n, 2]`` (y, x); ``rays: uint8[n, 4]`` PENDING, BLOCKED or CLEAR; ``path: float64[n]`` tiles, NaN
    while pending.
    """

    threat: tuple[float, float]
    began: int
    tiles: NDArray[np.int32]
    rays: NDArray[np.uint8]
    path: NDArray[np.float64]

    @property
    def complete(self) -> bool:
        """Return whether every ray and path has its answer."""
        return bool((self.rays != PENDING).all() and not np.isnan(self.path).any())


def _nearest_cover() -> Selector:
    return Selector("posts", "cover", 16.0, NEAREST)


@record
class PostTable:
    """Facts by unit id: the set that is read, and the one that grows."""

    rays_a_tick: int = RAYS_A_TICK
    paths_a_tick: int = PATHS_A_TICK
    sets: dict[int, PostSet] = field(default_factory=dict)
    growing: dict[int, PostSet] = field(default_factory=dict)
    turn: int = -1
    """Unit that was served last."""
    rays: int = 0
    """Rays of the last tick."""
    paths: int = 0
    """Paths of the last tick."""

    def want(self, unit: int, ground: TacticalGround, ask: Ask, tick: int) -> None:
        """Begin a new set for a unit, unless one grows for the same threat."""
        old = self.growing.get(unit)
        if old is not None and math.dist(old.threat, ask.at) <= MOVED:
            return
        kept = self.sets.get(unit)
        if kept is not None and math.dist(kept.threat, ask.at) > MOVED:
            del self.sets[unit]
        tiles = gather(ground, _nearest_cover(), ask)
        n = len(tiles)
        self.growing[unit] = PostSet(ask.at, tick, tiles, np.zeros((n, RAYS_A_POST), np.uint8), np.full(n, np.nan))

    def leave(self, unit: int) -> None:
        """Forget a unit."""
        self.sets.pop(unit, None)
        self.growing.pop(unit, None)

    def step(self, ground: TacticalGround, places: dict[int, tuple[float, float]]) -> None:
        """Cast rays and measure paths within the budgets of a tick; publish complete sets.

        ``places`` are the positions (x, y) of the units; a unit without one is forgotten. Units take turns by id.
        """
        for unit in [u for u in self.growing if u not in places]:
            self.leave(unit)
        self.rays = self.paths = 0
        waiting = sorted(self.growing, key=lambda u: (u <= self.turn, u))
        for unit in waiting:
            posts = self.growing[unit]
            before = self.rays + self.paths
            self._cast(ground, posts)
            self._walk(ground, posts, places[unit])
            if self.rays + self.paths > before:
                self.turn = unit
            if posts.complete:
                self.sets[unit] = self.growing.pop(unit)

    def best(self, selector: Selector, unit: int, ground: TacticalGround, ask: Ask) -> Place | None:
        """Return the best post from stored facts alone; None without a complete set.

        ValueError when the selector needs a ray or a path that the table does not keep.
        """
        posts = self.sets.get(unit)
        if posts is None:
            return None
        shoots = (posts.rays == CLEAR).any(axis=1)
        evidence = StoredEvidence(ground, ask, posts.tiles, selector.radius)
        evidence.known["path"] = posts.path
        evidence.known["fire_point"] = shoots.astype(np.float64)
        evidence.known["sees_target"] = (posts.rays[:, 0] == CLEAR).astype(np.float64)
        ranking = rate(selector, evidence)
        ranking.ratings[~shoots] = 0.0
        return ranking.best()

    def _cast(self, ground: TacticalGround, posts: PostSet) -> None:
        left = self.rays_a_tick - self.rays
        pending = np.argwhere(posts.rays == PENDING)[: max(left, 0)]
        if not len(pending):
            return
        self.rays += len(pending)
        clear = rays_of(ground, posts.tiles[pending[:, 0]], pending[:, 1], posts.threat)
        posts.rays[pending[:, 0], pending[:, 1]] = np.where(clear, CLEAR, BLOCKED)

    def _walk(self, ground: TacticalGround, posts: PostSet, place: tuple[float, float]) -> None:
        pending = np.flatnonzero(np.isnan(posts.path))[: max(self.paths_a_tick - self.paths, 0)]
        if not len(pending):
            return
        self.paths += len(pending)
        limit = 2.0 * _nearest_cover().radius
        posts.path[pending] = bounded_flood(
            ground.terrain, ground.movement_class, int(place[1]), int(place[0]), limit
        ).at(posts.tiles[pending])


def rays_of(
    ground: TacticalGround, tiles: NDArray[np.int32], which: NDArray[np.integer], threat: tuple[float, float]
) -> NDArray[np.bool_]:
    """Return whether ray ``which`` (0..3) of each tile reaches the threat.

    0 is standing, 1 crouching, 2 and 3 a step to the left and right where a unit can stand.
    """
    height, width = ground.standing.shape
    ahead = np.arctan2(threat[1] - tiles[:, 0] - 0.5, threat[0] - tiles[:, 1] - 0.5)
    side = np.where(which == 2, -1, np.where(which == 3, 1, 0))
    at = tiles + np.rint(np.column_stack([np.cos(ahead), -np.sin(ahead)]) * side[:, None]).astype(np.int32)
    inside = (at >= 0).all(axis=1) & (at[:, 0] < height) & (at[:, 1] < width)
    stands = inside.copy()
    stands[inside] = ground.standing[at[inside, 0], at[inside, 1]]
    eye = np.broadcast_to(np.array([int(threat[1]), int(threat[0])], np.int32), at.shape)
    out = np.zeros(len(tiles), bool)
    for stance in (0, 1):
        rows = np.flatnonzero(stands & ((which == 1) == (stance == 1)))
        out[rows] = sees_body(ground.terrain.opaque, ground.low, eye[rows], at[rows].astype(np.int32), stance)
    return out


class StoredEvidence(Evidence):
    """Evidence that neither casts rays nor searches."""

    def seen_by(self, threat: int, tiles: NDArray[np.int32] | None = None) -> NDArray[np.bool_]:
        """Refuse to cast a ray."""
        raise ValueError("this selector needs rays that the table of posts does not keep")

    def reach(self):  # type: ignore[no-untyped-def]
        """Refuse to search."""
        raise ValueError("this selector needs paths that the table of posts does not keep")


TECHNIQUES = (
    {
        "slug": "post-table",
        "name": "Posts gathered under ray and path budgets",
        "ids": ("GP2-34.9", "GP2-34.12", "AFG6.1.6"),
        "source": "Game AI Pro 2, 34.4; AI for Games, 6.1.1",
        "functions": ("PostTable.step", "PostTable.best"),
        "test": "tests/ai/tactics/ground/test_post_table.py",
        "reason": "no mind of the game keeps such a table",
        "claim": (
            "In the library only: places of the game are rated when they are asked for. Of the checks on use it "
            "has lines of sight, not control of the ground or shots at a place."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
