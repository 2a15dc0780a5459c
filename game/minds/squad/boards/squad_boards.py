"""Boards of a side: of members, squads, and the commander's net.

Source: Jeet Shroff, Game AI Pro 2, ch. 36, 36.6.2.2. The key ``threat`` is the place to watch: of a member, the enemy
that it saw itself; of a squad, the known enemy nearest to it; of the net, the last one reported to the commander.
Places are (x, y) in tiles, times in ticks.
"""

from __future__ import annotations

import numpy as np

from ai.decision.blackboards.scoped_boards import (
    Board,
    BoardEntry,
    BoardScope,
    ScopedBoards,
    forget_unit,
    read,
    set_members,
    write,
)
from game.minds.agent_view import FRESH
from game.world.groups.squads import Squad
from game.world.world import World

THREAT = "threat"
"""Key of the enemy to watch."""
OWN_FOR = 60
"""Ticks for which a member watches the enemy that it saw itself."""
NET_FOR = 600
"""Ticks for which a report to the commander counts."""
REACHES = {"own": BoardScope.OWN, "squad": BoardScope.GROUP, "side": BoardScope.ALL}
"""Outermost board that a member reads, by the setting ``tactics.board_reach``."""


def boards_of(world: World, side: int) -> ScopedBoards:
    """Return the boards of a side."""
    return world.squads.boards.setdefault(side, ScopedBoards())


def board_of(world: World, squad: Squad) -> Board:
    """Return the board of a squad."""
    return boards_of(world, squad.side).groups[squad.id]


def update_boards(world: World, squad: Squad) -> None:
    """Let the members join their squad's board, and write what they see."""
    boards, u = boards_of(world, squad.side), world.units
    set_members(boards, squad.id, squad.members)
    slots = u.slots(squad.members)
    fresh = (u.alive[slots] == 1) & (u.meter[slots] >= 1.0) & (u.seen_tick[slots] >= 0)
    fresh &= (world.tick - u.seen_tick[slots] <= FRESH) & (u.meter_target[slots] >= 0)
    for slot in slots[fresh].tolist():
        seen = int(u.seen_tick[slot])
        entry = BoardEntry(
            int(u.id[slot]), seen, float(u.seen_x[slot]), float(u.seen_y[slot]), until=seen + OWN_FOR, text="seen"
        )
        write(boards, BoardScope.OWN, THREAT, entry)
    living = slots[u.alive[slots] == 1]
    if len(living):
        _write_squad_threat(world, squad, living)


def _write_squad_threat(world: World, squad: Squad, living: np.ndarray) -> None:
    u, board = world.units, board_of(world, squad)
    cx, cy = float(u.x[living].mean()), float(u.y[living].mean())
    near = min(squad.enemies.values(), key=lambda e: ((e.x - cx) ** 2 + (e.y - cy) ** 2, e.unit), default=None)
    if near is None:
        board.entries.pop(THREAT, None)
        return
    leader = int(u.id[living[0]])
    entry = BoardEntry(leader, near.tick, near.x, near.y, float(len(squad.enemies)), text="seen by the squad")
    write(boards_of(world, squad.side), BoardScope.GROUP, THREAT, entry, squad.id)


def report_threat(world: World, side: int, author: int, x: float, y: float, many: int) -> None:
    """Write the place of a report to the net of a commander."""
    entry = BoardEntry(author, world.tick, x, y, float(many), "reported", world.tick + NET_FOR)
    write(boards_of(world, side), BoardScope.ALL, THREAT, entry)


def threat_of(world: World, squad: Squad, unit: int) -> tuple[BoardScope, BoardEntry] | None:
    """Return the threat that a member reads, and the scope of its board.

    Only squads with a commander listen to the net.
    """
    last = REACHES[world.settings.tactics.board_reach]
    if squad.chain is None:
        last = min(last, BoardScope.GROUP)
    return read(boards_of(world, squad.side), unit, THREAT, world.tick, last)


def tidy_boards(world: World) -> None:
    """Remove the boards of squads that ended and of units that left."""
    for boards in world.squads.boards.values():
        for group in [group for group in boards.groups if group not in world.squads.rows]:
            set_members(boards, group, ())
        for unit in sorted({*boards.own, *boards.joined}):
            if not boards.joined.get(unit):
                forget_unit(boards, unit)
