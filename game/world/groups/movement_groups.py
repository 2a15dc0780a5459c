"""Groups of units that move as one: a kernel row and a record.

Kernels read the row; the record holds data that rarely changes. A *drill* is the ordered manner of joint
movement: shape, spacing and habits. It belongs to the units and is changed by orders. A control group remembers
its formation because its members do, in the world and in every replay.
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from ai.core.serialization import derived, record, unhashed
from ai.formation.group_entity import G_HEADING, NUMBERS, T_STATE, TAGS, GroupState
from ai.formation.path_corridor import GroupPath
from ai.formation.slot_flow_fields import RallyFields
from game.world.groups.drill import Drill
from game.world.orders import NO_FACING


@record
class Group:
    """Record of a group beside its row of numbers.

    ``members`` are ids, ascending; ``taken`` the preferred slot of each; ``kept`` float64[n, 3] the arrangement
    of a KEEP drill, else empty. ``expected`` are ids of the units that get a slot only when they arrive;
    ``spots`` float64[n, 3] the places of all slots of a standing group, while some are expected. ``order`` is the
    kind it was sent with, ``goal`` the place (x, y) it was sent to, ``since`` the tick of its present state,
    ``fallen`` the number of its losses.
    """

    id: int
    side: int
    movement_class: int
    drill: Drill
    members: np.ndarray
    taken: np.ndarray
    kept: np.ndarray
    order: int
    goal: tuple[float, float]
    path: GroupPath | None = None
    since: int = 0
    was: int = 0  # state at its last decision
    fallen: int = 0
    mourned: int = 0  # number of losses that the group has noticed in a fight
    gaps: bool = False  # a member has died or left since it last closed up
    aimed: int = 0  # index of its present formation within its family
    reunion: int = -1  # id of the group from which this half split at an obstacle
    onward: float = 0.0  # final facing of the whole group's order
    pace: float = 1.0  # share of its speed, so that both halves arrive together
    looked_at: float = -1e9  # position on its path of its last search for a detour
    beside: float = 0.0  # tiles to the right of its path by which it passes a unit
    done: bool = False
    sighted: int = -1  # tick at which an enemy was last in reach
    patience: int = 0  # ticks for members from far away to form up
    waited_at: tuple[float, float] = (0.0, 0.0)  # position on its path, and the members' distance from their slots
    waited_since: int = -1  # tick of the last improvement of either
    told: float = NO_FACING  # final facing that its order named
    awaits: int = -1  # id of the group whose path it waits for: itself, or its company's first
    back: tuple[float, float] = (0.0, 0.0)  # the other end of its patrol
    facing_after: float = 0.0  # final facing, kept while it faces an enemy
    expected: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    spots: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))
    family: np.ndarray | None = derived(lambda: None)


@record
class Company:
    """Company: a group of groups.

    ``squads`` are units' ids, each squad with its own formation, ``over`` the company that it is part of (-1:
    none). Under way it is an entity as any group, with a row of numbers (``row``, else -1) and a path of its own.
    ``parts`` are the rows' owners (group ids) that follow it, ``offsets`` the distance of each from its middle
    along the path.
    """

    id: int
    squads: tuple[tuple[int, ...], ...]
    over: int = -1
    row: int = -1
    entity: int = -1  # id in the path manager of groups
    parts: tuple[int, ...] = ()
    offsets: tuple[float, ...] = ()
    path: GroupPath | None = None


@record
class Groups:
    """All groups of a world: ``num`` float64[rows, NUMBERS], ``tag`` int32[rows, TAGS] (see
    ai.formation.group_entity)."""

    next_id: int = 0
    num: np.ndarray = field(default_factory=lambda: np.zeros((0, NUMBERS)))
    tag: np.ndarray = field(default_factory=lambda: np.zeros((0, TAGS), np.int32))
    rows: dict[int, Group] = field(default_factory=dict)  # row -> group
    drills: list[Drill] = field(default_factory=lambda: [Drill()])
    forming_up: list[tuple[tuple[int, ...], int, float]] = field(default_factory=list)
    """Units, side and facing of units that form up on the spot.

    A move order in the same tick overrides it.
    """
    companies: list[Company] = field(default_factory=list)
    fields: RallyFields = field(default_factory=RallyFields)
    judged: dict[int, dict[str, np.ndarray]] = unhashed(dict)  # row -> the last decision, for overlays
    paths: np.ndarray = derived(lambda: np.zeros((0, 2)))
    laid: bool = derived(bool)

    def add(self, group: Group) -> int:
        """Give a group a row; returns it."""
        row = self.free_row()
        self.rows[row] = group
        return row

    def free_row(self) -> int:
        """Return a free row, for an entity that sets its state at once."""
        free = np.flatnonzero(self.tag[:, T_STATE] == GroupState.NONE)
        if not len(free):
            more = max(8, len(self.tag))
            self.num = np.ascontiguousarray(np.vstack([self.num, np.zeros((more, NUMBERS))]))
            self.tag = np.ascontiguousarray(np.vstack([self.tag, np.zeros((more, TAGS), np.int32)]))
            free = np.flatnonzero(self.tag[:, T_STATE] == GroupState.NONE)
        row = int(free[0])
        self.num[row], self.tag[row] = 0.0, 0
        self.laid = False
        return row

    def drop(self, row: int) -> None:
        """Remove a group."""
        group = self.rows.pop(row, None)
        if group is not None:
            self.fields.forget(group.id)
        self.judged.pop(row, None)
        self.num[row], self.tag[row] = 0.0, 0
        self.laid = False

    def row_of(self, number: int) -> int:
        """Return the row of a group or moving company by id; -1 without one."""
        for row, group in self.rows.items():
            if group.id == number:
                return row
        return next((company.row for company in self.companies if company.entity == number), -1)

    def drill_number(self, drill: Drill) -> int:
        """Number of a drill in ``drills``; equal ones share theirs."""
        for number, known in enumerate(self.drills):
            if known == drill:
                return number
        self.drills.append(drill)
        return len(self.drills) - 1

    def heading(self, row: int) -> float:
        """Return the group's heading, radians."""
        return float(self.num[row, G_HEADING])

    def state(self, row: int) -> GroupState:
        """Return the group's state."""
        return GroupState(int(self.tag[row, T_STATE]))
