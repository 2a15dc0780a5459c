"""How an order ends: done, given up in words, or tried another way (AI Game Programming Wisdom, 1.4: every action has a
time-out and a fallback)."""

from __future__ import annotations

from ai.decision.message_router import Message
from ai.decision.skills import MindTurn
from game.minds.agent_view import AgentView

Soldier = MindTurn[AgentView]

BLOCKED_LIMIT = 4
"""So often it tries another way before it says that it cannot get through."""
CROWD_LIMIT = 200
"""Ticks in which nobody of a walker's connected crowd has got nearer to its goal before the walker gives up: 10 s.  A
count of its own stops cannot tell a queue from a dead end: of 60 before a door, 32 gave up after 12 s."""
SHUT_LIMIT = 70
"""The same where a unit stands in the only way that will not make room; most of those go by themselves soon."""
APPROACH_LIMIT = 600
"""Ticks after which an attack that never came to a shot is given up."""
LOST_LIMIT = 100
"""Ticks after which an attacked unit that nobody of one's side sees is given up."""
WATCH = 5
"""Ticks between two looks at an enemy or a thing on the way to it."""


def over(turn: Soldier, because: str) -> None:
    """The order is done or given up: wait for the next of the queue, or be done with obeying."""
    me = turn.host
    turn.beliefs.order.leg = -1
    me.drop_order()
    if me.queued:
        turn.set_state("Next", because)
    else:
        turn.finish(because)


def gives_up(turn: Soldier, why: str, told: bool = False) -> None:
    """Stop, say so to the player in words (unless it is told already), and go on with the queue."""
    me = turn.host
    me.halt()
    me.aim(-1)
    if not told:
        me.happen("gave_up", text=why)
    me.bark("no_way" if "way" in why or "through" in why else "cannot")
    over(turn, f"it gave up: {why}")


def blocked(turn: Soldier, message: Message) -> None:
    """No progress: ask for another path; give up when the whole crowd about the unit has stopped for good."""
    me = turn.host
    world = me.world
    still = int(world.steering.still[me.slot]) if me.slot < len(world.steering.still) else 0
    shut = me.slot < len(world.passages.shut) and bool(world.passages.shut[me.slot])
    if shut and still >= SHUT_LIMIT:
        gives_up(turn, "somebody stands in its way and cannot make room")
    elif still >= CROWD_LIMIT:
        gives_up(turn, "it cannot get through the crowd")
    else:
        u = me.units
        me.go_to(float(u.goal_x[me.slot]), float(u.goal_y[me.slot]))


def path_lost(turn: Soldier, message: Message) -> None:
    """The way is gone and no other leads there; the plan stage has said so."""
    gives_up(turn, "there is no way there any more", told=True)
