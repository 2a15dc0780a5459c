"""A queue of goals with lazy expansion: a goal makes its subgoals only when it is first worked on.

While a goal has subgoals they run one at a time and in order; one that succeeds is taken off, one that fails makes its
parent fail or plan anew.  Nothing is made for goals that are never reached, so that whoever dies or is told something
else has cost nothing.

:func:`goals_of_path` turns a path into goals, from its end backwards.  Ordinary links become one walk each; a door
takes the place of all that lies behind it, since the way to its switch changes where the rest begins and the rest is
planned when the door is passed; the links of a lift that follow each other are one ride.

Source: "AI Game Programming Wisdom", 4.5 (goal-queue path execution; doors, switches and lifts as goals).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from enum import IntEnum

from ai.core.serialization import record


class Link(IntEnum):
    """What a link of a path is."""

    PLAIN = 0
    DOOR = 1
    LIFT = 2


class GoalKind(IntEnum):
    """What a goal is about."""

    REACH = 0
    """Get to a node, however."""
    FOLLOW = 1
    """Walk along one link."""
    PASS_DOOR = 2
    """Open a door by its switch and go through."""
    WORK = 3
    """Go to a switch and work it."""
    RIDE = 4
    """Call a lift and ride it to a node."""


@record
class Goal:
    """One goal: its kind, what it is about (a node, link, door or switch) and where it leads (a node, -1 none)."""

    kind: int
    about: int
    node: int = -1


@record
class GoalQueue:
    """The open goals of one agent, the one worked on last; ``expanded`` marks those that have made their subgoals."""

    goals: list[Goal] = field(default_factory=list)
    expanded: list[bool] = field(default_factory=list)
    made: int = 0  # goals made so far, for tests of laziness

    def push(self, goal: Goal) -> None:
        """A goal to be worked on before the others."""
        self.goals.append(goal)
        self.expanded.append(False)
        self.made += 1

    @property
    def current(self) -> Goal | None:
        """The goal to be worked on now."""
        return self.goals[-1] if self.goals else None

    def expand(self, subgoals_of: Callable[[Goal], Sequence[Goal]]) -> Goal | None:
        """Expand until the goal on top is one to be acted on, which is returned.

        ``subgoals_of`` gives the subgoals of a goal in the order in which they are to run; none: it is acted on.
        ValueError when goals go on begetting goals.
        """
        for _ in range(64):
            if not self.goals or self.expanded[-1]:
                return self.current
            self.expanded[-1] = True
            for goal in reversed(list(subgoals_of(self.goals[-1]))):
                self.push(goal)
        raise ValueError("goals beget goals without end: a door's way in must not lead through the door")

    def succeed(self) -> None:
        """The goal on top is reached; parents whose last subgoal it was are reached with it."""
        if self.goals:
            self._pop()

    def fail(self) -> Goal | None:
        """The goal on top cannot be reached: its parent drops what was still to come and plans anew.  Returns the
        parent, None when the whole errand has failed."""
        if not self.goals:
            return None
        self._pop()
        while self.goals and not self.expanded[-1]:
            self._pop()  # its brothers that were to follow
        if self.goals:
            self.expanded[-1] = False
        return self.current

    def _pop(self) -> None:
        self.goals.pop()
        self.expanded.pop()


def goals_of_path(nodes: Sequence[int], kinds: Sequence[int], about: Sequence[int]) -> list[Goal]:
    """Goals in the order of working for a path over ``nodes`` whose link i, from nodes[i] to nodes[i + 1], is of kind
    ``kinds[i]`` and belongs to door or lift ``about[i]``.

    A lift ends what is planned as a door does: behind it the rest is planned anew.
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
    """What passing a shut door takes: work the switch that lies on this side of it, go to its entry, go through.

    ``homes`` are the components, with all doors shut, of the switches' nodes and ``entry_home`` that of the entry: a
    switch on the far side is of no use.  Without one that can be reached the door is pushed: no switch among the goals.
    The way leads to the entry, not to the exit, or it would never end.
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
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
