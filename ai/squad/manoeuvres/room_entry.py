"""Room entry: stack at the door, then enter by a group script.

Sources: Ian Millington and John Funge, AI for Games, 6.4.4 (a fire team takes a house: the first two take the two
nearest corners in which a post fits, the others flank the inside of the door; with three men one keeps the door, two
take corners only). John Reynolds, AI Game Programming Wisdom, 5.5 (at the door they wait until all report; first left,
second right, third ahead, where a room has no two corners). The scripts stand in ``assets/data/squad_scripts.toml``.
The grenade of the source is left out: the game has none. Tiles are (y, x), places (x, y), times ticks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.squad.manoeuvres.bounding_overwatch import places_around
from ai.squad.manoeuvres.manoeuvre import THERE, MemberTask, Situation, SquadTask, abort
from ai.squad.scripts.group_scripts import Primitive, advance_run, begin_run, lost_signals

OUTSIDE = 3
"""Tiles before the door where the stack forms."""
TOO_NEAR = 1.5
"""Tiles from the door within which a corner is no post."""
EXACT, LONG = 0.4, 60
"""Tiles from a place at which a member is there.

After ``LONG`` ticks ``THERE`` is near enough, because others may block the place.
"""
FEWEST, MOST = 2, 4
"""Members that a script takes; more cover the door from outside."""
PLACES = "stack_1", "stack_2", "stack_3", "stack_4", "corner_1", "corner_2", "door_left", "door_right"
"""Places that the scripts of a room may use, in the order of ``SquadTask.spots``."""
SIGN = "room_"
"""Beginning of the names of the scripts; the number of members follows."""


def inward(room: NDArray[np.bool_], door: tuple[int, int]) -> tuple[int, int] | None:
    """Return the step (dy, dx) from a door tile into the room, or None."""
    height, width = room.shape
    for dy, dx in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        y, x = door[0] + dy, door[1] + dx
        if 0 <= y < height and 0 <= x < width and room[y, x]:
            return dy, dx
    return None


def near_corners(room: NDArray[np.bool_], door: tuple[int, int]) -> NDArray[np.int32]:
    """Return the two corners nearest to the door in which a post fits.

    They are ``int32[k, 2]``, k at most 2. A corner has a wall on two sides that meet. Equal distances go by y, then x.
    """
    wide = np.pad(room, 1)
    closed = [~wide[1 + dy : wide.shape[0] - 1 + dy, 1 + dx : wide.shape[1] - 1 + dx] for dy, dx in _SIDES]
    corner = room & (closed[0] | closed[1]) & (closed[2] | closed[3])
    tiles = np.argwhere(corner).astype(np.int32)
    far = np.hypot(tiles[:, 0] - door[0], tiles[:, 1] - door[1])
    tiles, far = tiles[far > TOO_NEAR], far[far > TOO_NEAR]
    return tiles[np.lexsort((tiles[:, 1], tiles[:, 0], np.round(far, 9)))[:2]]


_SIDES = (-1, 0), (1, 0), (0, -1), (0, 1)


def entry_places(room: NDArray[np.bool_], door: tuple[int, int], into: tuple[int, int]) -> NDArray[np.int32]:
    """Return the tiles inside, ``int32[4, 2]``: two corners, left and right of the door.

    A room with fewer corners gives the tiles that are farthest to the left and to the right.
    """
    tiles = np.argwhere(room).astype(np.int32)
    off = tiles - np.array(door)
    deep = off @ np.array(into)
    side = off @ np.array([into[1], -into[0]])  # positive to the right
    corners = near_corners(room, door)
    if len(corners) < 2:
        corners = tiles[[np.lexsort((deep, side))[0], np.lexsort((deep, -side))[0]]]
    beside: list[NDArray[np.int32]] = []
    for sign in (-1, 1):
        rank = np.lexsort((tiles[:, 1], tiles[:, 0], np.abs(deep - 1) + np.abs(side - sign)))
        taken = [*corners.tolist(), *(b.tolist() for b in beside)]
        free = [k for k in rank.tolist() if tiles[k].tolist() not in taken]
        beside.append(tiles[free[0] if free else rank[0]])
    return np.array([*corners, *beside], np.int32)


@dataclass(frozen=True)
class _Team:
    """Hands of a script: tasks of the members, at the places of the room."""

    task: SquadTask
    s: Situation

    def begin(self, row: int, what: Primitive) -> None:
        """Send a member to a place, let it cover, or note the phase."""
        if what.verb in ("go", "enter"):
            x, y = self.task.spots[PLACES.index(what.word)].tolist()
            self.task.send(row, x, y, MemberTask.ASSAULT if what.verb == "enter" else MemberTask.RUN)
        elif what.verb in ("hold", "wait"):
            self.task.cover(row)
        elif what.verb == "phase" and int(what.word) > self.task.phase:
            self.task.begin_phase(int(what.word), self.s.tick)

    def complete(self, row: int, what: Primitive, began: int) -> bool:
        """Return whether a member is there, has given up, or has held long enough."""
        if what.verb == "hold":
            return self.s.tick - began >= int(what.word)
        if what.verb not in ("go", "enter"):
            return True
        within = THERE if self.s.tick - began >= LONG else EXACT
        if self.task.task[row] != MemberTask.COVER and not self.s.there(self.task, np.array([row]), within)[0]:
            return False
        self.task.cover(row)
        return True


@dataclass(frozen=True)
class ClearRoom:
    """Stack and entry by the script for two, three or four."""

    name: str = "clear_room"
    after: tuple[str, ...] = ()

    def fitness(self, s: Situation, goal: tuple[float, float]) -> tuple[tuple[str, float], ...]:
        """Return the terms: a room with a door, and two members."""
        return (
            ("a room is meant", float(s.room is not None and s.door is not None)),
            ("there are two", float(s.alive.sum() >= FEWEST)),
            ("we are not in it", 0.9 * float(s.room is None or not _inside(s, s.room))),
        )

    def brief(self, task: SquadTask, s: Situation) -> str:
        """Give each member its role in the script, nearest to the door first."""
        if s.room is None or s.door is None:
            return "no room is meant"
        into = inward(s.room, s.door)
        if into is None:
            return "the door leads to no room"
        if len(s.rows) < FEWEST:
            return "a room needs two"
        many = min(len(s.rows), MOST)
        if f"{SIGN}{many}" not in s.scripts:
            return f"there is no script {SIGN}{many}"
        stack = _stack(s, s.door, into)
        if len(stack) < len(s.rows):
            return "there is no place for the stack"
        dx, dy = s.door[1] + 0.5, s.door[0] + 0.5
        rows = s.rows[np.lexsort((s.rows, np.hypot(s.x[s.rows] - dx, s.y[s.rows] - dy)))]
        role = np.full(len(task.members), -1)
        role[rows[:many]] = np.arange(many)
        task.run = begin_run(s.scripts[f"{SIGN}{many}"], role.tolist())
        inside = entry_places(s.room, s.door, into)[:, ::-1].astype(np.float64) + 0.5
        task.spots = np.concatenate([[stack[min(k, len(stack) - 1)] for k in range(MOST)], inside])
        for row in rows[:many].tolist():
            task.cover(row)
        for row, place in zip(rows[many:].tolist(), stack[many:], strict=False):
            task.send(row, *place)
        return ""

    def step(self, task: SquadTask, s: Situation) -> bool:
        """Advance the script; a smaller one takes its place after a casualty outside."""
        assert task.run is not None and s.room is not None, "a step follows a brief"
        script = s.scripts[task.run.script]
        lost = lost_signals(script, task.run, s.alive)
        if lost:
            inside = _inside(s, s.room)
            refused = "the drill is broken" if inside else self.brief(task, s)
            if refused and not inside:
                abort(task, s, refused)
                return False
            if inside:  # nobody leaves the room again: the others come after at once
                task.run.signals += lost
        script = s.scripts[task.run.script]
        return advance_run(script, task.run, s.alive, s.tick, _Team(task, s), s.doctrine.signals)


def _inside(s: Situation, room: NDArray[np.bool_]) -> bool:
    """Return whether a living member stands in a room."""
    return bool(room[s.y[s.rows].astype(np.int64), s.x[s.rows].astype(np.int64)].any())


def _stack(s: Situation, door: tuple[int, int], into: tuple[int, int]) -> list[tuple[float, float]]:
    """Return places outside beside the door, never in the line through it."""
    assert s.room is not None
    y, x = door[0] - into[0] * OUTSIDE, door[1] - into[1] * OUTSIDE
    height, width = s.room.shape
    y, x = min(max(y, 0), height - 1), min(max(x, 0), width - 1)
    places = [p for p in places_around(s.terrain, (y, x), 24, s.movement_class) if not s.room[int(p[1]), int(p[0])]]
    dx, dy = door[1] + 0.5, door[0] + 0.5
    places.sort(
        key=lambda p: (abs((p[0] - dx) * into[0] + (p[1] - dy) * into[1]) < 0.5, abs(p[0] - dx) + abs(p[1] - dy))
    )
    return places


CLEAR_ROOM = ClearRoom()

TECHNIQUES = (
    {
        "slug": "room-entry",
        "name": "Room clearing by a fire team of two, three or four",
        "ids": ("AFG6.4.13",),
        "source": "AI for Games, 6.4; AI Game Programming Wisdom, 5.5",
        "functions": ("ClearRoom.brief", "ClearRoom.step", "near_corners"),
        "test": "tests/ai/squad/manoeuvres/test_room_entry.py",
        "reason": "The exhibit of group scripts shows it: with the signals off the same four enter one by one.",
        "claim": "The nearest two corners and the inside of the door are taken; there is no grenade.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
