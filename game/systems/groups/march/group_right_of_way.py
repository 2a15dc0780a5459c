"""Right of way for groups at narrow places: one goes, the others wait.

This is a choreographer in the sense of "Game AI Pro 2", 20.9: it looks at all groups at once and decides for
them. A group that is in the narrow place already goes first, else the nearer one, else the older one. Two columns
that meet on a bridge one unit wide never stand face to face.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ai.decision.decision_trace import DECISION
from ai.formation.group_entity import G_ALONG, G_DEPTH, G_STOP, T_BROKEN, T_STATE, Broken, GroupState
from game.world.passage_claims import free_for
from game.world.world import World

SINGLE = 1.4
"""Free tiles across the path below which two bodies cannot pass."""
SIGHT = 18.0
"""Tiles ahead of its front rank at which a group claims a narrow place."""
STAND_OFF = 2.5
"""Tiles before it at which the front rank of a group waits."""


@dataclass(frozen=True)
class _Claim:
    row: int
    group: int
    inside: bool
    away: float
    start: float
    x: float
    y: float
    dx: float
    dy: float

    @property
    def rank(self) -> tuple[bool, float, int]:
        """Return the rank; the smaller one goes first."""
        return (not self.inside, round(self.away, 6), self.group)


def give_way(world: World) -> None:
    """Set the places on their paths at which marching groups must stop."""
    groups = world.groups
    if not world.turns.due("right_of_way", world.tick) or not world.settings.formation.give_way:
        return
    marching = [row for row in sorted(groups.rows) if groups.tag[row, T_STATE] == GroupState.MARCHING]
    world.passages.follow_map(world.terrain)
    claims = [claim for row in marching if (claim := _claim(world, row)) is not None]
    for row in marching:
        groups.num[row, G_STOP] = 1e9
    for mine in claims:
        for other in claims:
            if other.group == mine.group or mine.dx * other.dx + mine.dy * other.dy >= 0.0:
                continue
            if groups.rows[other.row].side != groups.rows[mine.row].side:
                continue  # the goal of an enemy is not known, so no unit gives it right of way
            same = (mine.x - other.x) ** 2 + (mine.y - other.y) ** 2 < 4.0
            if same and other.rank < mine.rank:
                _wait(world, mine)
    _share_with_all(world, claims)


def _wait(world: World, claim: _Claim) -> None:
    num, before = world.groups.num[claim.row], world.groups.tag[claim.row, T_BROKEN]
    if before != Broken.WAITING:
        world.trace.add(
            world.tick, int(world.groups.rows[claim.row].members[0]), DECISION, "lets its group wait at the passage",
            considered=[("waiting", 1.0), ("going on", 0.0)], winner="waiting",
            cause="an oncoming group is in it or nearer", since=world.tick,
            function="game.systems.groups.march.group_right_of_way._wait",
        )  # fmt: skip
    num[G_STOP] = max(claim.start - STAND_OFF - num[G_DEPTH] / 2.0, 0.0)
    world.groups.tag[claim.row, T_BROKEN] = Broken.WAITING


def _share_with_all(world: World, claims: list[_Claim]) -> None:
    """Enter claims of groups in the common table; groups without a right wait."""
    passages, groups = world.passages, world.groups
    passages.claims = []
    for claim in claims:
        group = groups.rows[claim.row]
        passage = passages.at(world.terrain, group.movement_class, int(claim.y), int(claim.x))
        if passage is None:
            continue
        (ay, ax), (by, bx) = passage.tiles[0].tolist(), passage.tiles[-1].tolist()
        if len(passage.tiles) == 1:
            (ay, ax), (by, bx) = passage.mouths[0] or (ay, ax), passage.mouths[1] or (by, bx)
        direction = 1 if (bx - ax) * claim.dx + (by - ay) * claim.dy >= 0.0 else -1
        name, first = passages.name(passage, group.side), int(group.members[0])
        passages.claims.append((name, direction, int(claim.inside), float(max(claim.away, 0.0)), first, claim.row))
        if not free_for(passages, name, direction):
            _wait(world, claim)


def _claim(world: World, row: int) -> _Claim | None:
    """Return the next place on a group's path where two units cannot pass.

    It counts if it is near or the group is in it.
    """
    group, num = world.groups.rows[row], world.groups.num[row]
    path = group.path
    if path is None:
        return None
    along, half = float(num[G_ALONG]), float(num[G_DEPTH]) / 2.0
    first = max(0, int((along - half - 1.0) / path.step))
    last = min(len(path.left), int((along + half + SIGHT) / path.step) + 2)
    shut = np.flatnonzero(path.left[first:last] + path.right[first:last] < SINGLE) + first
    if not len(shut):
        return None
    # The whole narrow place counts, also the part behind the rear or out of sight.
    low = high = int(shut[0])
    narrow = path.left + path.right < SINGLE
    while low > 0 and narrow[low - 1]:
        low -= 1
    while high < len(narrow) - 1 and narrow[high + 1]:
        high += 1
    middle = (low + high) // 2
    ahead = path.points[min(high + 1, len(narrow) - 1)] - path.points[max(low - 1, 0)]
    start = low * path.step
    front = along + half
    x, y = path.points[middle].tolist()
    return _Claim(row, group.id, front > start - 0.5, start - front, start, x, y, float(ahead[0]), float(ahead[1]))


TECHNIQUES = (
    {
        "slug": "group-right-of-way",
        "name": "Right of way for groups",
        "ids": ("GP2-20.17",),
        "source": "Game AI Pro 2, ch. 20",
        "functions": ("give_way",),
        "test": "tests/game/systems/groups/march/test_group_right_of_way.py",
        "exhibit": "levels/exhibits/formation/column_on_bridge.toml",
        "overlay": "group",
        "setting": "formation.give_way",
        "measure": "seconds",
        "direction": "down",
        "claim": "Of the choreographer's uses only traffic at narrow places.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
