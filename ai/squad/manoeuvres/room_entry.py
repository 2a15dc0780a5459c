"""Room entry: stack at the door, then enter first left, second right, third ahead.

Source: John Reynolds, AI Game Programming Wisdom, 5.5 (entry of several soldiers through one door by a pattern; at the
door they wait until all report). Ian Millington and John Funge, AI for Games, 6.4 (clearing by four, three and two).
The order of entry is the source's; the places are ours. Tiles are (y, x), places (x, y), times ticks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.squad.manoeuvres.bounding_overwatch import places_around
from ai.squad.manoeuvres.manoeuvre import MemberTask, Situation, SquadTask

ENTRY_GAP = 10
"""Ticks between two members that enter."""
OUTSIDE, MOST_INSIDE = 3, 3
"""Tiles before the door where the stack forms; most members that enter."""


def inward(room: NDArray[np.bool_], door: tuple[int, int]) -> tuple[int, int] | None:
    """Return the step (dy, dx) from a door tile into the room, or None."""
    height, width = room.shape
    for dy, dx in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        y, x = door[0] + dy, door[1] + dx
        if 0 <= y < height and 0 <= x < width and room[y, x]:
            return dy, dx
    return None


def entry_places(room: NDArray[np.bool_], door: tuple[int, int], into: tuple[int, int]) -> NDArray[np.int32]:
    """Return the tiles of first, second and third man: left, right and ahead."""
    tiles = np.argwhere(room).astype(np.int32)
    off = tiles - np.array(door)
    deep = off @ np.array(into)
    side = off @ np.array([into[1], -into[0]])  # positive to the right
    left = tiles[np.lexsort((deep, side))[0]]
    right = tiles[np.lexsort((deep, -side))[0]]
    ahead = tiles[np.lexsort((np.abs(side), -deep))[0]]
    return np.array([left, right, ahead], np.int32)


@dataclass(frozen=True)
class ClearRoom:
    """Stack and entry; the member after the third keeps the door."""

    name: str = "clear_room"
    after: tuple[str, ...] = ()

    def fitness(self, s: Situation, goal: tuple[float, float]) -> tuple[tuple[str, float], ...]:
        """Return the terms: a room with a door, and two members."""
        return (
            ("a room is meant", float(s.room is not None and s.door is not None)),
            ("there are two", float(s.alive.sum() >= 2)),
        )

    def brief(self, task: SquadTask, s: Situation) -> str:
        """Form the stack outside the door, nearest member first."""
        if s.room is None or s.door is None:
            return "no room is meant"
        into = inward(s.room, s.door)
        if into is None:
            return "the door leads to no room"
        if len(s.rows) < 2:
            return "a room needs two"
        y, x = s.door[0] - into[0] * OUTSIDE, s.door[1] - into[1] * OUTSIDE
        height, width = s.room.shape
        y, x = min(max(y, 0), height - 1), min(max(x, 0), width - 1)
        places = [p for p in places_around(s.terrain, (y, x), 24, s.movement_class) if not s.room[int(p[1]), int(p[0])]]
        if len(places) < len(s.rows):
            return "there is no place for the stack"
        dx, dy = s.door[1] + 0.5, s.door[0] + 0.5
        # Beside the door, never in the line through it.
        places.sort(
            key=lambda p: (abs((p[0] - dx) * into[0] + (p[1] - dy) * into[1]) < 0.5, abs(p[0] - dx) + abs(p[1] - dy))
        )
        rows = s.rows[np.lexsort((s.rows, np.hypot(s.x[s.rows] - dx, s.y[s.rows] - dy)))]
        task.leg[:] = -1
        for k, (row, place) in enumerate(zip(rows.tolist(), places, strict=False)):
            task.leg[row] = k
            task.team[row] = 0 if k < min(MOST_INSIDE, len(rows) - (len(rows) > 3)) else 1
            task.send(row, *place)
        task.spots = entry_places(s.room, s.door, into)[:, ::-1].astype(np.float64) + 0.5
        return ""

    def step(self, task: SquadTask, s: Situation) -> bool:
        """Send the next member in after the gap; end at their places."""
        rows = s.rows[(task.team[s.rows] == 0) & (task.leg[s.rows] >= 0)]
        rows = rows[np.argsort(task.leg[rows], kind="stable")]
        inside = rows[task.task[rows] != MemberTask.COVER]
        waiting = rows[task.task[rows] == MemberTask.COVER]
        if len(waiting) and (task.phase == 0 or s.tick - task.since >= ENTRY_GAP):
            place = task.spots[min(task.phase, len(task.spots) - 1)]
            task.send(int(waiting[0]), float(place[0]), float(place[1]), MemberTask.ASSAULT)
            task.begin_phase(task.phase + 1, s.tick)
            return False
        return not len(waiting) and bool(s.there(task, inside).all())


CLEAR_ROOM = ClearRoom()

TECHNIQUES = (
    {
        "slug": "room-entry",
        "name": "Room entry from a stack at the door",
        "ids": ("AFG6.4.13",),
        "source": "AI Game Programming Wisdom, 5.5; AI for Games, 6.4",
        "functions": ("ClearRoom.brief", "ClearRoom.step", "entry_places"),
        "test": "tests/ai/squad/manoeuvres/test_room_entry.py",
        "reason": "An order of kind squad shows it in any level; it has no exhibit of its own yet.",
        "claim": "Nobody enters before all stand at the door, and never two at once.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
