"""Command posts: a commander, its objectives, and what its squads reported.

The post is data; ``game.minds.squad.commander`` thinks for it.
"""

from __future__ import annotations

from dataclasses import field

from ai.core.serialization import record
from ai.squad.command.in_trays import CommandMessage


@record
class SquadObjective:
    """Objective of a side: a place in tiles, and the squad that has it."""

    x: float
    y: float
    by: int = -1
    taken: bool = False
    lost: bool = False
    """True after a squad was lost there: it must be taken by force."""
    barred: list[int] = field(default_factory=list)
    """Squads that reported that they cannot take it."""


@record
class SquadReport:
    """Last report of a squad.

    Place in tiles, strength, number of known enemies, and tick of its sending."""

    x: float
    y: float
    strength: float
    tick: int
    enemies: int = 0
    task: str = "reserve"
    order: int = -1


@record
class CommandPost:
    """Commander of one side.

    ``unit`` is the unit that commands. ``intent`` is a row of ``game.minds.squad.intents`` for the objectives.
    """

    id: int
    side: int
    unit: int
    intent: str
    objectives: list[SquadObjective]
    tray: list[CommandMessage] = field(default_factory=list)
    reports: dict[int, SquadReport] = field(default_factory=dict)
    next_number: int = 0
    vacant: int = -1
    """Tick at which the commander fell, -1 while it lives."""
    due: int = 0
    """Tick of the next look without news."""
    thoughts: int = 0
    """Number of allocations so far."""


@record
class ChainLink:
    """Link of a squad to its commander: its in-tray, and what it reported last."""

    post: int
    tray: list[CommandMessage] = field(default_factory=list)
    order: int = -1
    """Number of the order that the squad carries out."""
    told: int = -1
    """Tick of the last report."""
    strength: float = 0.0
    enemies: int = 0
