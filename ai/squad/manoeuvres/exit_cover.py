"""Exit cover: one member watches each exit of an area, none is left open.

Source: John Reynolds, AI Game Programming Wisdom, 5.5 (covering exits: exits of the area are listed, each gets a
guard; too few soldiers means that the captain reports "not possible"). The places are ours. Tiles are (y, x).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from ai.perception.sight.line_of_sight import lines_clear
from ai.squad.manoeuvres.manoeuvre import Situation, SquadTask

NEAREST, FARTHEST = 2.0, 5.0
"""Tiles from an exit at which its guard stands."""


def exit_place(
    s: Situation, exit_tile: tuple[int, int], near: tuple[float, float], room: NDArray[np.bool_]
) -> tuple[float, float] | None:
    """Return a place outside a room or house with a line to an exit."""
    ey, ex = exit_tile
    reach = int(FARTHEST)
    y0, x0 = max(0, ey - reach), max(0, ex - reach)
    free = s.tactical().standing[y0 : ey + reach + 1, x0 : ex + reach + 1]
    outside = free & ~room[y0 : ey + reach + 1, x0 : ex + reach + 1]
    tiles = (np.argwhere(outside) + (y0, x0)).astype(np.int32)
    far = np.hypot(tiles[:, 0] - ey, tiles[:, 1] - ex)
    tiles = tiles[(far >= NEAREST) & (far <= FARTHEST)]
    door = np.empty_like(tiles)
    door[:] = ey, ex
    tiles = tiles[lines_clear(s.terrain.opaque, tiles, door).astype(bool)]
    if not len(tiles):
        return None
    walk = np.hypot(tiles[:, 1] + 0.5 - near[0], tiles[:, 0] + 0.5 - near[1])
    k = int(np.lexsort((tiles[:, 1], tiles[:, 0], walk))[0])
    return float(tiles[k, 1]) + 0.5, float(tiles[k, 0]) + 0.5


@dataclass(frozen=True)
class ExitCover:
    """Guards at all exits of a room; the others stay in reserve."""

    name: str = "cover_exits"
    after: tuple[str, ...] = ()

    def fitness(self, s: Situation, goal: tuple[float, float]) -> tuple[tuple[str, float], ...]:
        """Return the terms: a room with exits, and a member for each."""
        return (
            ("a room is meant", float(s.room is not None and bool(s.exits))),
            ("there is a member for each exit", float(s.alive.sum() >= len(s.exits))),
        )

    def brief(self, task: SquadTask, s: Situation) -> str:
        """Give each exit a member, with the least walk in all."""
        if s.room is None or not s.exits:
            return "no room with exits is meant"
        if len(s.rows) < len(s.exits):
            return f"it has {len(s.exits)} exits, and we are {len(s.rows)}"
        exits = np.array(s.exits, np.float64) + 0.5
        walks = np.hypot(s.x[s.rows] - exits[:, 1, None], s.y[s.rows] - exits[:, 0, None])
        task.leg[:] = -1
        for k, column in zip(*linear_sum_assignment(walks), strict=True):
            row = int(s.rows[column])
            place = exit_place(s, s.exits[int(k)], (float(s.x[row]), float(s.y[row])), s.room)
            if place is None:
                return "an exit cannot be watched from outside"
            task.leg[row] = k
            task.watch[row] = exits[k, ::-1]
            task.send(row, *place)
        task.spots = exits[:, ::-1].copy()
        return ""

    def step(self, task: SquadTask, s: Situation) -> bool:
        """End when all exits are watched; the guards stay."""
        return True


COVER_EXITS = ExitCover()

TECHNIQUES = (
    {
        "slug": "exit-cover",
        "name": "Covering the exits of an area",
        "ids": ("AW-5.5-5",),
        "source": "AI Game Programming Wisdom, 5.5",
        "functions": ("ExitCover.brief", "exit_place"),
        "test": "tests/ai/squad/manoeuvres/test_exit_cover.py",
        "exhibit": "levels/exhibits/squads/house.exits.toml",
        "overlay": "paths",
        "setting": "tactics.doctrine.guards_exits",
        "measure": "events",
        "direction": "up",
        "claim": (
            "Each exit gets a guard of its own, or the order is refused; one guard never covers two. The size of "
            "the area is not weighed. The switch leaves out the guards of a house search."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
