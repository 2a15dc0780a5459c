"""Goal queue with lazy expansion of subgoals.

A goal makes its subgoals only when work on it starts. Subgoals run one at a time and in order. A subgoal that succeeds
is removed. A subgoal that fails makes its parent fail or plan again. Goals that are never reached make nothing, so a
unit that dies or gets a new order wastes no work.

:func:`goals_of_path` turns a path into goals, from its end backwards. An ordinary link becomes one walk. A door
replaces everything behind it: the path to its switch changes where the rest begins, so the rest is planned when the
door is passed. Consecutive lift links are one ride.

Source: "AI Game Programming Wisdom", 4.5 (goal-queue path execution; doors, switches and lifts as goals).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from enum import IntEnum

from ai.core.serialization import record


class Link(IntEnum):
    """Kinds of links of a path."""

    PLAIN = 0
    DOOR = 1
    LIFT = 2


class GoalKind(IntEnum):
    """Kinds of goals."""

    REACH = 0
    """Get to a node by any path."""
    FOLLOW = 1
    """Walk along one link."""
    PASS_DOOR = 2
    """Open a door by its switch and go through."""
    WORK = 3
    """Go to a switch and operate it."""
    RIDE = 4
    """Call a lift and ride it to a node."""


@record
class Goal:
    """Goal of a unit.

    It has a kind, a subject (a node, link, door or switch), and a target node (-1 none).
    """

    kind: int
    about: int
    node: int = -1


@record
class GoalQueue:
    """Open goals of one agent, the current one last.

    ``expanded`` marks the goals that have made their subgoals.
    """

    goals: list[Goal] = field(default_factory=list)
    expanded: list[bool] = field(default_factory=list)
    made: int = 0  # goals made so far, for tests of laziness

    def push(self, goal: Goal) -> None:
        """Add a goal to be worked on before the others."""
        self.goals.append(goal)
        self.expanded.append(False)
        self.made += 1

    @property
    def current(self) -> Goal | None:
        """Return the current goal."""
        return self.goals[-1] if self.goals else None

    def expand(self, subgoals_of: Callable[[Goal], Sequence[Goal]]) -> Goal | None:
        """Expand until the top goal is one to act on; return that goal.

        ``subgoals_of`` gives the subgoals of a goal in running order. A goal without subgoals is acted on. ValueError
        when the expansion does not end.
        """
        for _ in range(64):
            if not self.goals or self.expanded[-1]:
                return self.current
            self.expanded[-1] = True
            for goal in reversed(list(subgoals_of(self.goals[-1]))):
                self.push(goal)
        raise ValueError("goals expand without end: the path to a door must not lead through the door")

    def succeed(self) -> None:
        """Mark the top goal as reached.

        Parents whose last subgoal it was are reached too.
        """
        if self.goals:
            self._pop()

    def fail(self) -> Goal | None:
        """Mark the top goal as failed.

        Its parent drops its remaining subgoals and plans again. Returns the parent, None when the whole queue has
        failed.
        """
        if not self.goals:
            return None
        self._pop()
        while self.goals and not self.expanded[-1]:
            self._pop()  # remaining subgoals of the same parent
        if self.goals:
            self.expanded[-1] = False
        return self.current

    def _pop(self) -> None:
        self.goals.pop()
        self.expanded.pop()


def goals_of_path(nodes: Sequence[int], kinds: Sequence[int], about: Sequence[int]) -> list[Goal]:
    """Return the goals for a path over ``nodes``, in working order.

    Link i, from nodes[i] to nodes[i + 1], is of kind ``kinds[i]`` and belongs to door or lift ``about[i]``. A lift ends
    the plan as a door does: the rest is planned behind it.
    """
    if len(nodes) != len(kinds) + 1 or len(about) != len(kinds):
        raise ValueError(f"{len(nodes)} nodes need {len(nodes) - 1} kinds and owners, got {len(kinds)}, {len(about)}")
    queue: list[Goal] = []
    end = len(kinds)
    while end > 0:
        link = end - 1
        if kinds[link] == Link.DOOR:
            queue = [Goal(int(GoalKind.PASS_DOOR), about[link], nodes[link + 1])]
        elif kinds[link] == Link.LIFT:
            first = link
            while first > 0 and kinds[first - 1] == Link.LIFT and about[first - 1] == about[link]:
                first -= 1
            queue = [Goal(int(GoalKind.RIDE), about[link], nodes[link + 1])]
            end = first + 1
        else:
            queue.insert(0, Goal(int(GoalKind.FOLLOW), link, nodes[link + 1]))
        end -= 1
    return queue


def goals_of_door(door: int, switches: Sequence[int], homes: Sequence[int], entry: int, entry_home: int) -> list[Goal]:
    """Return the goals to pass a shut door.

    They are: operate the switch on this side, go to the entry, go through. ``homes`` are the components, with all doors
    shut, of the switches' nodes, and ``entry_home`` that of the entry. A switch on the far side is of no use. Without a
    reachable switch the door is pushed, and no switch is among the goals. The path leads to the entry, not to the exit;
    otherwise it would never end.
    """
    near = next((s for s, home in zip(switches, homes, strict=True) if home == entry_home), -1)
    goals = [Goal(int(GoalKind.WORK), near)] if near >= 0 else []
    return [*goals, Goal(int(GoalKind.REACH), entry, entry), Goal(int(GoalKind.FOLLOW), door)]


TECHNIQUES = (
    {
        "slug": "doors-as-goals",
        "name": "Doors and switches as goals",
        "ids": ("AW-4.5-2", "AW-4.5-3"),
        "source": "AI Game Programming Wisdom, 4.5",
        "functions": ("goals_of_path", "GoalQueue.expand"),
        "test": "tests/ai/decision/test_goal_queue.py",
        "exhibit": "levels/exhibits/minds/gate_and_winch.toml",
        "overlay": "goals",
        "setting": "rules.open_doors",
        "measure": "walked",
        "direction": "up",
        "claim": (
            "Doors with switches and lifts. A door that nobody can open is barred for the errand, in place of a "
            "raised cost. Smoothing of links, jumps, ledges and climbing are left out."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
