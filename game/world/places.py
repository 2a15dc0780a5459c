"""Changing things of a level, doors and props, and the named places.

Minds and scripts use the names.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ai.core.serialization import derived, record
from ai.decision.goal_queue import GoalQueue
from ai.grid.areas import AreaGraph
from ai.search.astar.astar import AStarSearch
from game.world.orders import Order


@record
class Door:
    """Tiles ``[y0:y1, x0:x1]`` with a passability mask and opacity for either state.

    ``opens_for``: sides that may work it by hand; a door with none is moved by its winch alone.
    """

    id: int
    name: str
    kind: str
    y0: int
    x0: int
    y1: int
    x1: int
    open: bool
    opens_for: tuple[int, ...]
    passable_open: int
    passable_shut: int
    opaque_open: int
    opaque_shut: int
    changed: int = 0  # tick of the last change, for the picture of its leaf
    shutting: int = -1  # tick at which a unit last blocked its closing: no other may enter

    @property
    def centre(self) -> tuple[float, float]:
        """Middle of its tiles, (x, y)."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2


@record
class Prop:
    """A thing units can use or carry.  While carried its position is its carrier's."""

    id: int
    kind: str
    name: str
    x: float
    y: float
    width: float
    height: float
    facing: float
    door: str
    carrier: int = -1
    used: int = 0

    @property
    def carryable(self) -> bool:
        """Return true if a unit can lift the prop."""
        return self.kind == "chest"


@record
class Route:
    """A patrol route: at least two points; ``wait`` ticks at each."""

    name: str
    points: tuple[tuple[float, float], ...]
    loop: bool
    wait: int


@record
class Thrown:
    """A body in the air: ``dx, dy`` tiles a tick, for so many more ticks."""

    unit: int
    dx: float
    dy: float
    ticks: int


@record
class Region:
    """A named polygon."""

    name: str
    points: tuple[tuple[float, float], ...]

    def contains(self, x: float, y: float) -> bool:
        """Return true if the position is inside, by the even-odd rule."""
        inside = False
        px, py = self.points[-1]
        for qx, qy in self.points:
            if (py > y) != (qy > y) and x < (qx - px) * (y - py) / (qy - py) + px:
                inside = not inside
            px, py = qx, qy
        return inside

    @property
    def centre(self) -> tuple[float, float]:
        """Middle of its bounds."""
        xs, ys = [p[0] for p in self.points], [p[1] for p in self.points]
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


@record
class DoorErrand:
    """Errand of units through shut doors: members, order, and goals to reach.

    Goals are kinds of :class:`ai.decision.goal_queue.GoalKind`; nodes are tile numbers. ``porter`` is the unit at
    a switch now, -1 none. ``failed`` are the units that could not operate it, ``barred`` the doors that no unit
    can open. ``doors`` counts the doors planned for. ``search`` is the path through doors while it is searched,
    on the map of revision ``looked_at``.
    """

    units: tuple[int, ...]
    order: Order
    goals: GoalQueue
    porter: int = -1
    failed: list[int] = field(default_factory=list)
    barred: list[int] = field(default_factory=list)
    doors: int = 0
    search: AStarSearch | None = None
    looked_at: int = -1
    ground: Any = derived(lambda: None)


@record
class LightSource:
    """Light source: position and ``radius`` in tiles, angles in radians.

    A half angle of pi shines all round. ``carrier`` is the unit that carries it, -1 for a lamp; a torch lies
    where its carrier fell.
    """

    id: int
    name: str
    x: float
    y: float
    radius: float
    strength: float
    color: str
    facing: float = 0.0
    half_angle: float = math.pi
    on: bool = True
    switchable: bool = True
    carrier: int = -1
    changed: int = 0
    """Tick at which it was last switched, for the picture."""

    @property
    def centre(self) -> tuple[float, float]:
        """Return the light's position (x, y)."""
        return self.x, self.y


@record
class NewGround:
    """Tiles ``[y0:y1, x0:x1]`` that are another ground since ``tick``.

    ``ground`` indexes GROUNDS; 255 is the ground that the level draws.
    """

    y0: int
    x0: int
    y1: int
    x1: int
    ground: int
    tick: int


@record
class TilePatch:
    """Rectangle of tiles before and after a brush: uint8[6, height, width] from ``y0, x0``.

    The six values of a tile are passability, cost, opacity, cover, loudness and ground.
    """

    y0: int
    x0: int
    before: np.ndarray
    after: np.ndarray


@record
class Stroke:
    """Stroke of a brush: one step of undo.

    It has the tiles in the order of painting, and the doors and lamps that went or came.
    """

    number: int
    brush: str
    patches: list[TilePatch] = field(default_factory=list)
    doors_before: list[Door] = field(default_factory=list)
    doors_after: list[Door] = field(default_factory=list)
    lights_before: list[LightSource] = field(default_factory=list)
    lights_after: list[LightSource] = field(default_factory=list)


@record
class Brushwork:
    """Strokes that undo takes back, and strokes that redo lays again; newest last."""

    done: list[Stroke] = field(default_factory=list)
    undone: list[Stroke] = field(default_factory=list)
    first_id: int = 0
    """Id of the first door or lamp that was built, 0 before it.

    Things of the level have smaller ids.
    """
    next_id: int = 0


@dataclass
class AreaCache:
    """Cached areas and chokes of a terrain revision; None until requested."""

    graph: AreaGraph | None = None
    revision: int = -1
