"""Scoped boards: one board for all, one for each group, one for each unit.

Source: Jeet Shroff, Game AI Pro 2, ch. 36, 36.6.2.2 (global, group and local blackboards; a character joins any number
of groups, and loses their boards when it leaves). A read falls back outward: own board, then the groups, the last
joined first, then the board of all. A write names its scope. Author, time and expiry of an entry are ours. Places are
(x, y) in tiles, times in ticks, units and groups are ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from enum import IntEnum

from ai.core.serialization import record
from ai.decision.blackboards.motor_requests import MotorRequest
from ai.decision.blackboards.open_missions import OpenMission


class BoardScope(IntEnum):
    """Scope of a board, from the inside outward."""

    OWN = 0
    GROUP = 1
    ALL = 2


@record
class BoardEntry:
    """Entry of a board: a place, an amount and a word.

    ``until`` is the last tick at which it counts, -1 for ever. ``author`` serves the inspector alone.
    """

    author: int
    tick: int
    x: float = 0.0
    y: float = 0.0
    amount: float = 0.0
    text: str = ""
    until: int = -1

    def holds(self, tick: int) -> bool:
        """Return whether the entry counts at a tick."""
        return self.until < 0 or tick <= self.until


@record
class Board:
    """Board of one scope: entries by key, missions by skill, requests of a unit."""

    members: list[int] = field(default_factory=list)
    """Units of a group board, in the order of their joining."""
    entries: dict[str, BoardEntry] = field(default_factory=dict)
    missions: dict[str, list[OpenMission]] = field(default_factory=dict)
    requests: list[MotorRequest] = field(default_factory=list)
    """Last motor request of the unit, as each stage wrote it."""
    sources: list[str] = field(default_factory=list)
    """Sources that acted last."""


@record
class ScopedBoards:
    """Boards of one side, and the groups that each unit has joined, in order."""

    everyone: Board = field(default_factory=Board)
    groups: dict[int, Board] = field(default_factory=dict)
    own: dict[int, Board] = field(default_factory=dict)
    joined: dict[int, list[int]] = field(default_factory=dict)
    next_mission: int = 0


def join(boards: ScopedBoards, unit: int, group: int) -> None:
    """Let a unit read and write the board of a group."""
    rows = boards.joined.setdefault(unit, [])
    if group not in rows:
        rows.append(group)
        boards.groups.setdefault(group, Board()).members.append(unit)


def leave(boards: ScopedBoards, unit: int, group: int) -> None:
    """Take the board of a group from a unit."""
    rows = boards.joined.get(unit, [])
    if group in rows:
        rows.remove(group)
        boards.groups[group].members.remove(unit)


def set_members(boards: ScopedBoards, group: int, units: Iterable[int]) -> None:
    """Make units the only members of a group.

    A group of none loses its board.
    """
    wanted = list(units)
    present = boards.groups[group].members if group in boards.groups else []
    if wanted and present == wanted:
        return
    for unit in [unit for unit in present if unit not in wanted]:
        leave(boards, unit, group)
    for unit in wanted:
        join(boards, unit, group)
    if not wanted:
        boards.groups.pop(group, None)


def forget_unit(boards: ScopedBoards, unit: int) -> None:
    """Remove a unit's own board and its memberships."""
    for group in list(boards.joined.get(unit, ())):
        leave(boards, unit, group)
    boards.own.pop(unit, None)
    boards.joined.pop(unit, None)


def board_at(boards: ScopedBoards, scope: BoardScope, unit: int, group: int = -1) -> Board:
    """Return the board of a scope for a unit to write to.

    PermissionError for a group that it has not joined.
    """
    if scope == BoardScope.OWN:
        return boards.own.setdefault(unit, Board())
    if scope == BoardScope.ALL:
        return boards.everyone
    if group not in boards.joined.get(unit, ()):
        raise PermissionError(f"unit {unit} is no member of group {group}: it must join before it writes")
    return boards.groups[group]


def write(boards: ScopedBoards, scope: BoardScope, key: str, entry: BoardEntry, group: int = -1) -> None:
    """Write an entry of its author to the board of a scope.

    An older entry with the same key goes.
    """
    board_at(boards, scope, entry.author, group).entries[key] = entry


def outward(boards: ScopedBoards, unit: int, last: BoardScope = BoardScope.ALL) -> Iterator[tuple[BoardScope, Board]]:
    """Yield the boards that a unit may read, from its own outward."""
    if unit in boards.own:
        yield BoardScope.OWN, boards.own[unit]
    if last >= BoardScope.GROUP:
        for group in reversed(boards.joined.get(unit, ())):
            yield BoardScope.GROUP, boards.groups[group]
    if last >= BoardScope.ALL:
        yield BoardScope.ALL, boards.everyone


def read(
    boards: ScopedBoards, unit: int, key: str, tick: int, last: BoardScope = BoardScope.ALL
) -> tuple[BoardScope, BoardEntry] | None:
    """Return the innermost entry of a key that counts, with its scope."""
    for scope, board in outward(boards, unit, last):
        entry = board.entries.get(key)
        if entry is not None and entry.holds(tick):
            return scope, entry
    return None


def drop_expired(board: Board, tick: int) -> None:
    """Remove the entries that count no more."""
    for key in [key for key, entry in board.entries.items() if not entry.holds(tick)]:
        del board.entries[key]


TECHNIQUES = (
    {
        "slug": "scoped-boards",
        "name": "Blackboards of one unit, its groups and all",
        "ids": ("GP2-36.19",),
        "source": "Game AI Pro 2, 36.6.2.2",
        "functions": ("read", "write", "set_members"),
        "test": "tests/ai/decision/blackboards/test_scoped_boards.py",
        "exhibit": "levels/exhibits/squads/two_squads.boards.toml",
        "overlay": "squads",
        "setting": "tactics.board_reach",
        "measure": "averted",
        "direction": "down",
        "claim": (
            "A unit's one group is its squad. The board of all is the net of a commander, so that no squad knows "
            "more than it was told."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
