"""Unit columns: one numpy array a property, one slot a unit.

So a kernel serves ten thousand of them. Slots are storage; identity is the id, which is never reused.
``slot_of[id]`` leads from one to the other. A dead unit keeps its slot (its body lies there). Units of measure:
tiles, radians, ticks; see each column.
"""

from __future__ import annotations

from dataclasses import field, fields
from enum import IntEnum, IntFlag
from typing import Any

import numpy as np

from ai.core.serialization import record


class Side(IntEnum):
    """Sides: every side is every other side's enemy."""

    RAIDERS = 0
    GUARDS = 1
    YELLOW = 2
    WHITE = 3


class Stance(IntEnum):
    """Posture; slower and harder to see downwards."""

    STAND = 0
    CROUCH = 1
    PRONE = 2


class Pace(IntEnum):
    """Pace: the chosen speed of a unit that nothing slows."""

    WALK = 0
    RUN = 1


class Fire(IntEnum):
    """Fire discipline of a unit."""

    RETURN = 0
    AT_WILL = 1
    HOLD = 2


class Act(IntEnum):
    """Acts of the body besides walking, each with a start and a length.

    They are part of the simulation.
    """

    NONE = 0
    SHOOT = 1
    HIT = 2
    DIE = 3
    USE = 4
    THROW = 5
    WHISTLE = 6
    TAKE_DOWN = 7
    LIFT = 8
    LOOK = 9
    SHRUG = 10
    RELOAD = 11


class Event(IntFlag):
    """Bits of the ``event`` column; any of them wakes the unit's mind."""

    ORDERED = 1
    ARRIVED = 2
    BLOCKED = 4
    PATH_LOST = 8
    SAW = 16
    LOST_SIGHT = 32
    HEARD = 64
    HIT = 128
    TIMER = 256
    MESSAGE = 512
    KILLED_ENEMY = 1024
    NOTICED = 2048
    GLIMPSED = 4096


class LabMark(IntFlag):
    """Marks that Lab puts on units; they are bits of the column ``lab``."""

    FROZEN = 1
    BLIND = 2
    DEAF = 4
    UNSEEN = 8
    OWNED = 16
    WALKED = 32
    """It was walking when it was frozen."""
    SAFE = 64
    """No harm reaches it: shots, traps and take-downs leave it whole."""


def column(dtype: str, default: float = 0) -> Any:
    """Return a column of ``dtype`` whose free slots hold ``default``."""
    return field(default_factory=lambda: np.zeros(0, dtype), metadata={"dtype": dtype, "fill": default})


@record
class Units:
    """Columns of all units of a world, all of the capacity's length.

    ``count`` slots are in use.
    """

    count: int = 0
    next_id: int = 0
    slot_of: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))

    # Identity
    id: np.ndarray = column("i4", -1)
    alive: np.ndarray = column("u1")
    side: np.ndarray = column("u1")
    kind: np.ndarray = column("u1")  # row of World.types
    group: np.ndarray = column("u1")  # control group it starts in, 0 none
    movement_class: np.ndarray = column("u1")  # movement class: bit index into Terrain.passable
    radius: np.ndarray = column("f8", 0.3)

    # Position; prev_* is the position one tick ago, for interpolation
    x: np.ndarray = column("f8")
    y: np.ndarray = column("f8")
    prev_x: np.ndarray = column("f8")
    prev_y: np.ndarray = column("f8")
    vx: np.ndarray = column("f8")  # tiles/s
    vy: np.ndarray = column("f8")
    facing: np.ndarray = column("f8")  # radians, of the body
    prev_facing: np.ndarray = column("f8")  # one tick ago
    head: np.ndarray = column("f8")  # radians, of the gaze, absolute
    upright: np.ndarray = column("u1", 255)  # stance to return to once its path allows; 255: as it stands
    speed: np.ndarray = column("f8", 1.5)  # largest speed now, tiles/s
    stance: np.ndarray = column("u1")
    pace: np.ndarray = column("u1")
    gait: np.ndarray = column("f8")  # phase of the step cycle, [0, 1)
    cadence: np.ndarray = column("f8")  # cycles a second in this tick; a cycle is two steps
    footfall: np.ndarray = column("u1")  # feet that came down in this tick: left at phase 0, right at 0.5

    # Movement
    moving: np.ndarray = column("u1")  # wants to move
    goal_x: np.ndarray = column("f8")
    goal_y: np.ndarray = column("f8")
    ordered_at: np.ndarray = column("i4", -1)  # tile that was ordered, until stage plan asks, when goal is a substitute
    path_request: np.ndarray = column("u1")  # 1: ask the path manager in this tick's plan stage
    stuck: np.ndarray = column("i2")  # ticks without progress
    detail: np.ndarray = column(
        "u1"
    )  # class of its level of detail as a walker, 0 matters most (game.systems.stealth.perception_lod)
    holding: np.ndarray = column("u1")  # must not be pushed and keeps its place
    turn_rate: np.ndarray = column("f8", 7.0)  # radians a second
    turn_to: np.ndarray = column("f8", np.nan)  # angle to which a standing unit turns its body; nan: none

    # Orders of the player or of its mind
    order: np.ndarray = column("u1")  # OrderKind
    ordered_x: np.ndarray = column("f8")
    ordered_y: np.ndarray = column("f8")
    order_target: np.ndarray = column("i4", -1)  # id of a unit, prop or door, depending on the order

    # Movement in a group
    drill: np.ndarray = column("u1")  # row of World.groups.drills, the drill of its group; 0 loose
    band: np.ndarray = column("i4", -1)  # row of World.groups, -1 none
    slot_f: np.ndarray = column("f8")  # its slot in the group's frame: tiles forward of the middle,
    slot_r: np.ndarray = column("f8")  # to the right of it,
    slot_a: np.ndarray = column("f8")  # and facing, radians to the heading
    slot_x: np.ndarray = column("f8")  # present position of the slot, tiles
    slot_y: np.ndarray = column("f8")
    slot_mode: np.ndarray = column("u1")  # seeking, resting, on its own path, away (ai.formation.slot_following)
    lead_x: np.ndarray = column("f8")  # next point from its group's field, tiles
    lead_y: np.ndarray = column("f8")
    slot_gap: np.ndarray = column("f8")  # distance from its slot, tiles, at which it came to rest

    use_target: np.ndarray = column("i4", -1)  # id of the prop or door that the USE action operates

    # Fighting
    hp: np.ndarray = column("i2")
    hp_max: np.ndarray = column("i2")
    weapon: np.ndarray = column("u1")  # row of World.weapons, 0 none
    cooldown: np.ndarray = column("i2")  # ticks until it may fire again
    target: np.ndarray = column("i4", -1)  # unit id it shoots at
    blocked_by: np.ndarray = column("i4", -1)  # id of the friend in its line of fire at the last check, -1 none
    fire_at_will: np.ndarray = column("u1", 1)  # Fire
    suppressed: np.ndarray = column("f8")  # share of 1 by shots at it and near it; spoils its aim

    # Mind and senses
    event: np.ndarray = column("u4")  # Event bits since the mind last ran
    timer: np.ndarray = column("i4", -1)  # tick at which TIMER is raised
    asleep: np.ndarray = column("u1")
    meter: np.ndarray = column("f8")  # detection, 0 unnoticed .. 1 identified
    meter_target: np.ndarray = column("i4", -1)  # id of the meter's target
    seen_x: np.ndarray = column("f8")  # position at which meter_target was last seen
    seen_y: np.ndarray = column("f8")
    seen_tick: np.ndarray = column("i4", -1)
    mood: np.ndarray = column("u1")  # watcher's alertness: 0 relaxed, 1 alerted, 2 searching

    # Body
    carrying: np.ndarray = column("i4", -1)  # prop id
    action: np.ndarray = column("u1")  # Act
    action_start: np.ndarray = column("i4", -1)
    action_length: np.ndarray = column("i2")
    dragging: np.ndarray = column("i4", -1)  # id of the body it drags
    hidden: np.ndarray = column("u1")  # 1 for a body that cannot be found, 2 for a unit that Lab took away
    lab: np.ndarray = column("u1")  # LabMark bits

    @property
    def capacity(self) -> int:
        """Number of slots allocated."""
        return len(self.id)

    def reserve(self, slots: int) -> None:
        """Grow every column to at least ``slots``; existing values stay."""
        if slots <= self.capacity:
            return
        size = max(64, self.capacity)
        while size < slots:
            size *= 2
        for f in fields(self):
            if "dtype" in f.metadata:
                grown = np.full(size, f.metadata["fill"], f.metadata["dtype"])
                old = getattr(self, f.name)
                grown[: len(old)] = old
                setattr(self, f.name, grown)
        ids = np.full(size, -1, np.int32)
        ids[: len(self.slot_of)] = self.slot_of
        self.slot_of = ids

    def add(self) -> int:
        """Take the next free slot for a new id; returns the slot."""
        self.reserve(max(self.count, self.next_id) + 1)
        slot = self.count
        self.id[slot] = self.next_id
        self.slot_of[self.next_id] = slot
        self.alive[slot] = 1
        self.count += 1
        self.next_id += 1
        return slot

    def add_copies(self, slot: int, x: np.ndarray, y: np.ndarray) -> None:
        """Copy the last unit, in ``slot``, to every place but the first.

        The first place is its own.
        """
        last = slot + len(x)
        self.reserve(max(last, self.next_id + len(x)))
        for f in fields(self):
            if "dtype" in f.metadata:
                column = getattr(self, f.name)
                column[slot + 1 : last] = column[slot]
        for column, values in (
            (self.x, x), (self.prev_x, x), (self.goal_x, x), (self.y, y), (self.prev_y, y), (self.goal_y, y)
        ):  # fmt: skip
            column[slot + 1 : last] = values[1:]
        new = np.arange(len(x) - 1)
        self.id[slot + 1 : last] = self.next_id + new
        self.slot_of[self.next_id + new] = slot + 1 + new
        self.count += len(new)
        self.next_id += len(new)

    def slot(self, unit: int) -> int:
        """Slot of an id; raises KeyError for an id that was never given."""
        if not 0 <= unit < self.next_id:
            raise KeyError(f"no unit {unit}")
        return int(self.slot_of[unit])

    def slots(self, ids: Any) -> np.ndarray:
        """Slots of several ids, int64[n], in the order given; unknown ids raise KeyError."""
        wanted = np.asarray(ids, dtype=np.int64).reshape(-1)
        if len(wanted) and (wanted.min() < 0 or wanted.max() >= self.next_id):
            raise KeyError(f"no unit {int(wanted.max() if wanted.max() >= self.next_id else wanted.min())}")
        return self.slot_of[wanted].astype(np.int64)

    def living(self, side: int | None = None) -> np.ndarray:
        """Slots of living units, of one side or of all, in slot order."""
        mask = self.alive[: self.count] == 1
        if side is not None:
            mask &= self.side[: self.count] == side
        return np.flatnonzero(mask)
