"""Ends of an order: done, given up with a message, or tried again.

Every action has a time-out and a fallback (AI Game Programming Wisdom, 1.4).
"""

from __future__ import annotations

from ai.decision.message_router import Message
from ai.decision.skills import MindTurn
from game.minds.agent_view import AgentView
from game.world.units import Act

Soldier = MindTurn[AgentView]

BLOCKED_LIMIT = 4
"""Number of tries before an order to handle an object ends with a message."""
CROWD_LIMIT = 200
"""Ticks without progress of a connected crowd before a walker gives up: 10 s.

Progress means that any unit of the crowd gets nearer to its goal. A count of the walker's own stops cannot tell a queue
from a dead end: of 60 units before a door, 32 gave up after 12 s.
"""
SHUT_LIMIT = 70
"""The same limit if a unit that cannot make room blocks the only path.

Most such units soon leave by themselves.
"""
APPROACH_LIMIT = 600
"""Ticks after which an attack without a shot ends."""
LOST_LIMIT = 100
"""Ticks after which an attack ends if its side does not see the target."""
SHRUG_TICKS = 24
"""Ticks of the confused gesture of a unit that gives up."""
WATCH = 5
"""Ticks between two checks of a target or an object that the unit approaches."""


def over(turn: Soldier, because: str) -> None:
    """End the order: continue with the queue, or finish if it is empty."""
    me = turn.host
    turn.beliefs.order.leg = -1
    me.drop_order()
    if me.queued:
        turn.set_state("Next", because)
    else:
        turn.finish(because)


def gives_up(turn: Soldier, why: str, told: bool = False) -> None:
    """Stop, report ``why`` to the player and continue with the queue.

    ``told`` is True if the player has had the message already.
    """
    me = turn.host
    me.halt()
    me.aim(-1)
    if not told:
        me.happen("gave_up", text=why)
    me.act(Act.SHRUG, SHRUG_TICKS)
    me.bark("no_way" if "way" in why or "through" in why else "cannot")
    over(turn, f"it gave up: {why}")


def blocked(turn: Soldier, message: Message) -> None:
    """Request another path, or give up if the connected crowd has stopped for good."""
    me = turn.host
    world = me.world
    still = int(world.steering.still[me.slot]) if me.slot < len(world.steering.still) else 0
    shut = me.slot < len(world.passages.shut) and bool(world.passages.shut[me.slot])
    if shut and still >= SHUT_LIMIT:
        gives_up(turn, "another unit blocks its path and cannot make room")
    elif still >= CROWD_LIMIT:
        gives_up(turn, "it cannot get through the crowd")
    else:
        u = me.units
        me.go_to(float(u.goal_x[me.slot]), float(u.goal_y[me.slot]))


def path_lost(turn: Soldier, message: Message) -> None:
    """Give up without a message: the plan stage has sent it."""
    gives_up(turn, "there is no path any more", told=True)
