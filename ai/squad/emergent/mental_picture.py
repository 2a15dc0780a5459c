"""Mental pictures: the beliefs of each member about the acts of the others.

Source: William van der Sterren, AI Game Programming Wisdom, 5.3 (members announce intentions; a member reads messages,
never the other's mind; a dead member sends nothing, so the others believe in it until they see the body); 5.4 and Game
AI Pro 2, ch. 36.5 (group blackboard). Row i, column j is what member i believes of member j. The diagonal is what a
member posted on the blackboard of the group. Places are (x, y) in tiles, times in ticks.
"""

from __future__ import annotations

from dataclasses import field
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ai.core.serialization import record
from ai.perception.sight.line_of_sight import lines_clear


class Act(IntEnum):
    """Act of a member, as announced or seen."""

    UNKNOWN = -1
    ENGAGE = 0
    MOVE = 1
    DEAD = 2


SEES = 12.0
"""Tiles within which a member sees another one's body."""


@record
class MentalPictures:
    """Beliefs of ``n`` members about each other.

    ``act: int8[n, n]`` (Act), ``at, goal, aim: float64[n, n, 2]`` (NaN unknown), ``sent: int64[n, n]`` (tick of the
    posting). ``since: int64[n]`` is the tick at which a member began its present act.
    """

    act: NDArray[np.int8] = field(default_factory=lambda: np.zeros((0, 0), np.int8))
    at: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0, 2)))
    goal: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0, 2)))
    aim: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0, 2)))
    sent: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 0), np.int64))
    since: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    def keep(self, rows: list[int]) -> None:
        """Keep only the given members: the others have left the squad."""
        grid = np.ix_(rows, rows)
        self.act, self.sent, self.since = self.act[grid], self.sent[grid], self.since[rows]
        self.at, self.goal, self.aim = self.at[grid], self.goal[grid], self.aim[grid]

    def announce(
        self, row: int, tick: int, act: Act, at: tuple[float, float], goal: tuple[float, float],
        aim: tuple[float, float] = (np.nan, np.nan),
    ) -> None:  # fmt: skip
        """Post a member's intention; the others hear it at the next delivery."""
        if act != self.act[row, row]:
            self.since[row] = tick
        self.act[row, row], self.sent[row, row] = act, tick
        self.at[row, row], self.goal[row, row], self.aim[row, row] = at, goal, aim

    def deliver(
        self, x: NDArray[np.float64], y: NDArray[np.float64], alive: NDArray[np.bool_], earshot: float,
        opaque: NDArray[np.uint8],
    ) -> None:  # fmt: skip
        """Let living members hear postings in earshot and see bodies in view.

        Seeing gives a place, and whether the other one is dead; it gives no intention.
        """
        n = len(x)
        far = np.hypot(x[:, None] - x, y[:, None] - y)
        others = alive[:, None] & ~np.eye(n, dtype=bool)
        posted, sent = np.diagonal(self.act), np.diagonal(self.sent)
        hears = others & alive & (far <= earshot) & (posted != Act.UNKNOWN) & (sent > self.sent)
        for i, j in np.argwhere(hears).tolist():
            for column in (self.act, self.at, self.goal, self.aim, self.sent):
                column[i, j] = column[j, j]
        near = np.argwhere(others & (far <= SEES))
        if not len(near):
            return
        tiles = np.column_stack([y, x]).astype(np.int32)
        seen = near[lines_clear(opaque, tiles[near[:, 0]], tiles[near[:, 1]])]
        for i, j in seen.tolist():
            self.at[i, j] = x[j], y[j]
            if not alive[j]:
                self.act[i, j] = Act.DEAD


def blank_pictures(x: NDArray[np.float64], y: NDArray[np.float64], tick: int) -> MentalPictures:
    """Return the pictures at the start: the places are known, the intentions are not."""
    n = len(x)
    at = np.broadcast_to(np.column_stack([x, y]), (n, n, 2)).copy()
    return MentalPictures(
        np.full((n, n), Act.UNKNOWN, np.int8), at, at.copy(), np.full((n, n, 2), np.nan),
        np.full((n, n), -1, np.int64), np.full(n, tick, np.int64),
    )  # fmt: skip


TECHNIQUES = (
    {
        "slug": "mental-picture",
        "name": "Mental pictures and announced intentions",
        "ids": ("AW-5.3-1", "AW-5.3-2"),
        "source": "AI Game Programming Wisdom, 5.3",
        "functions": ("MentalPictures.announce", "MentalPictures.deliver"),
        "test": "tests/ai/squad/emergent/test_mental_picture.py",
        "exhibit": "levels/exhibits/squads/two_squads.earshot.toml",
        "overlay": "paths",
        "setting": "tactics.earshot",
        "measure": "uncovered_share",
        "direction": "down",
        "claim": (
            "Members announce that they engage or move, and hear each other within earshot. Wounds, reloading and "
            "grenades are not announced; the squad shares the enemy's places."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
