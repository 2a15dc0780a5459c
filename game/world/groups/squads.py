"""Squads: units with a common task, and their picture of the enemy.

The squad is data; ``game.minds.squad`` thinks for it.
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from ai.core.serialization import record
from ai.decision.blackboards.scoped_boards import ScopedBoards
from ai.decision.dialogues import Talk
from ai.squad.coordination.action_tokens import TokenPool
from ai.squad.coordination.role_tokens import RoleBoard
from ai.squad.manoeuvres.manoeuvre import SquadTask
from game.world.groups.command_posts import ChainLink, CommandPost


@record
class KnownEnemy:
    """Enemy as the members of a squad last saw it.

    Place in tiles; ``tick`` of the sighting.
    """

    unit: int
    x: float
    y: float
    tick: int
    vx: float = 0.0
    """Velocity between two sightings, tiles a second."""
    vy: float = 0.0
    first: int = 0
    """Tick of the first sighting in a row."""


@record
class KnownPassage:
    """Answer to a member's question for a passage to a place (x, y).

    ``rows`` are the regions that it refused then; ``answer`` is a ``Passage`` of ``game.systems.tactics``.
    """

    x: float
    y: float
    rows: list[tuple[int, int]] = field(default_factory=list)
    answer: int = 0


@record
class SquadNews:
    """Facts that a squad has talked about: health by unit, and enemies called out."""

    thought: int = 0
    hp: dict[int, int] = field(default_factory=dict)
    told: list[int] = field(default_factory=list)
    silent: dict[int, int] = field(default_factory=dict)
    """Tick since which a member has no clear line, by unit id."""
    refused: str = ""
    """Reason of a refused manoeuvre, until it is told."""


@record
class Squad:
    """Squad of one side.

    ``members`` are unit ids, one a row of the task's columns; the dead keep their rows. ``intent`` is a row of
    ``game.minds.squad.intents``. ``x, y`` is the place of the intent and ``home_x, home_y`` the place to pull back to,
    in tiles.
    """

    id: int
    side: int
    members: list[int]
    name: str = ""
    intent: str = ""
    x: float = 0.0
    y: float = 0.0
    home_x: float = 0.0
    home_y: float = 0.0
    bend: tuple[float, ...] = ()
    """Place (x, y) that a flank of this intent leads through, empty without one."""
    task: SquadTask | None = None
    last: str = ""
    """Manoeuvre that ended last; it bars its successors until ``barred_until``."""
    barred_until: int = 0
    failed: list[str] = field(default_factory=list)
    """Manoeuvres that were refused or aborted since the intent was given."""
    rests: bool = False
    """True after an intent is served, until the picture of the enemy changes."""
    rest_ids: list[int] = field(default_factory=list)
    """Enemies that were known when the rest began."""
    due: int = 0
    """Tick at which the squad thinks again."""
    given: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int8))
    """Task that each member was last ordered to do, -1 none."""
    given_at: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))
    tries: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int8))
    """Number of times that a member was sent to its present goal again."""
    passages: dict[int, KnownPassage] = field(default_factory=dict)
    """Passages of members that remember danger, by unit id."""
    open: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint8))
    """Flag of each member: its goal could be reached when it was given."""
    enemies: dict[int, KnownEnemy] = field(default_factory=dict)
    roles: RoleBoard = field(default_factory=RoleBoard)
    assaults: TokenPool = field(default_factory=TokenPool)
    talk: Talk = field(default_factory=Talk)
    heard: SquadNews = field(default_factory=SquadNews)
    chain: ChainLink | None = None
    """Link to the commander, if there is one."""


@record
class Squads:
    """All squads of a world, by id."""

    rows: dict[int, Squad] = field(default_factory=dict)
    next_id: int = 0
    posts: dict[int, CommandPost] = field(default_factory=dict)
    next_post: int = 0
    boards: dict[int, ScopedBoards] = field(default_factory=dict)
    """Blackboards of each side that has squads."""

    def of(self, unit: int) -> Squad | None:
        """Return the squad of a unit, or None."""
        return next((squad for squad in self.rows.values() if unit in squad.members), None)

    def release(self, units: list[int]) -> None:
        """Take units out of their squads; a squad without members ends."""
        gone = set(units)
        for squad in list(self.rows.values()):
            if gone.isdisjoint(squad.members):
                continue
            keep = [k for k, unit in enumerate(squad.members) if unit not in gone]
            squad.members = [squad.members[k] for k in keep]
            if not keep:
                del self.rows[squad.id]
                continue
            squad.given, squad.given_at, squad.tries = squad.given[keep], squad.given_at[keep], squad.tries[keep]
            squad.open = squad.open[keep]
            if squad.task is not None:
                squad.task.keep(keep)
