"""Typed beliefs of a guard; a belief is forgotten by assigning a new record.

Places are (x, y) in tiles, times are ticks, angles are radians.
"""

from __future__ import annotations

from dataclasses import field

from ai.core.serialization import record
from game.minds.order_progress import NEVER, OrderProgress
from game.world.world import World


@record
class Investigation:
    """A place to investigate: something noticed there and not identified."""

    x: float = 0.0
    y: float = 0.0
    tick: int = -1
    """Tick of the percept, -1 without one."""
    distance: float = 0.0
    """Tiles to the place when it was noticed."""
    why: str = ""
    thing: int = -1
    """Id of a changed door or lamp, -1 for anything else."""
    priority: int = 0
    """Priority of the stimulus; a stimulus of a lower priority is ignored meanwhile."""
    goal_x: float = 0.0
    goal_y: float = 0.0
    """Place to which the approach leads."""

    @property
    def active(self) -> bool:
        """Return true if there is something to investigate."""
        return self.tick >= 0


@record
class SearchState:
    """A place to search: an enemy was lost or reported there."""

    x: float = 0.0
    y: float = 0.0
    tick: int = -1
    """Tick of the report, -1 without one."""
    since: int = -1
    """Tick from which the time limit of a guard that searches alone counts."""
    why: str = ""
    who: int = -1
    """Id of the enemy, -1 when it was not identified."""
    working_on: int = -1
    """Tick of the report being acted on; a later report restarts the search."""
    done: int = 0
    """Spots that the guard has searched."""
    spot_x: float = 0.0
    spot_y: float = 0.0
    """Place that it walks to."""
    watch: float | None = None
    """Angle in which it watches an exit."""
    seen_into: int = -1
    """Tick at which it first saw into its spot, -1 not yet."""
    search_id: int = -1
    """Id of the shared search in which it takes part, -1 none."""

    @property
    def active(self) -> bool:
        """Return true if there is a place to search."""
        return self.tick >= 0


@record
class LastContact:
    """The enemy that a guard identified last, as its own eyes saw it."""

    unit: int = -1
    x: float = 0.0
    y: float = 0.0
    tick: int = -1


@record
class StandoffState:
    """An enemy in sight that no path leads to."""

    since: int = -1
    """Tick of the first shot without effect, -1 none."""
    cover: tuple[float, float] | None = None
    """Tile of cover that it backs off to."""
    threat: tuple[float, float] = (0.0, 0.0)
    """Place of the enemy when it backed off."""
    began: int = 0


@record
class CombatState:
    """A guard's fight: its enemy, its alarm, its standoff."""

    enemy: LastContact = field(default_factory=LastContact)
    cried: int = NEVER
    """Tick of its own last shout of alarm."""
    warned: int = NEVER
    """Tick of the last alarm that it heard."""
    standoff: StandoffState = field(default_factory=StandoffState)


@record
class PatrolState:
    """A guard's routine: its post and its place on the patrol route."""

    post: tuple[float, float] | None = None
    """Position of the guard at the start of the game."""
    post_facing: float = 0.0
    point: int = -1
    """Index of the next point of the route, -1 before the first."""
    direction: int = 1
    """Step along the route, 1 or -1."""
    rank: int = 0
    """Rank among the comrades on the same route."""
    blocked: int = 0
    """Times it was held up on this leg."""
    ahead: float = 0.0
    """Facing at the start of a wait."""
    wait_ticks: int = 0
    gaze_until: int = 0
    """Tick until which a guard at its post keeps its head turned."""


@record
class GuardBeliefs:
    """Beliefs of a guard."""

    order: OrderProgress = field(default_factory=OrderProgress)
    patrol: PatrolState = field(default_factory=PatrolState)
    investigation: Investigation = field(default_factory=Investigation)
    search: SearchState = field(default_factory=SearchState)
    combat: CombatState = field(default_factory=CombatState)


def beliefs_of(world: World, unit: int) -> GuardBeliefs:
    """Return a guard's beliefs, empty ones for other kinds or without a record."""
    mind = world.minds.get(unit)
    return mind.beliefs if mind is not None and isinstance(mind.beliefs, GuardBeliefs) else GuardBeliefs()
