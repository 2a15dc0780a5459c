"""Capabilities that several skills use: going somewhere, and looking about.

A skill pushes one and waits for DONE or FAILED; how it is done is the behaviour's business (Game AI Pro 2, ch. 33).
"""

from __future__ import annotations

from ai.decision.machine import Memory
from ai.decision.skills import Behaviour, MindTurn, Outcome
from game.minds.body import Body
from game.world.units import Event

Mind = MindTurn[Body]

SWEEP = (0.0, -0.9, 0.9, 0.0)
"""Angles of a look about, beside the way it faces, in radians."""
SWEEP_TICKS = 14
"""Ticks for each of them."""
TRIES = 3
"""Times it is blocked before it takes a place for out of reach."""
CHECK = 10
"""Ticks between two looks at how the walk goes."""

_ARRIVED, _BLOCKED, _PATH_LOST = int(Event.ARRIVED), int(Event.BLOCKED), int(Event.PATH_LOST)


def _go_start(turn: Mind, memory: Memory) -> None:
    memory["since"], memory["blocked"] = turn.tick, 0
    turn.host.go_to(float(memory["x"]), float(memory["y"]), int(memory["pace"]))
    turn.host.look_ahead()
    turn.host.again(CHECK)


def _go(turn: Mind, memory: Memory) -> Outcome:
    me = turn.host
    me.again(CHECK)
    spent = turn.tick - int(memory["since"])
    if not spent:
        return Outcome.RUNNING  # what woke the mind in this turn belongs to what it did before
    if me.events & _PATH_LOST or spent > int(memory["limit"]):
        return Outcome.FAILURE
    if me.events & _ARRIVED:
        return Outcome.SUCCESS
    if me.events & _BLOCKED or not me.moving:
        memory["blocked"] = int(memory["blocked"]) + 1
        if int(memory["blocked"]) >= TRIES:
            return Outcome.FAILURE
        me.go_to(float(memory["x"]), float(memory["y"]), int(memory["pace"]))
    if not memory.get("keeps_gaze"):
        me.look_ahead()
    return Outcome.RUNNING


GO = Behaviour("go", _go, _go_start)
"""Walk to ``x, y`` at ``pace`` within ``limit`` ticks; with ``keeps_gaze`` the skill turns the head."""


def _look_start(turn: Mind, memory: Memory) -> None:
    memory["since"], memory["ahead"] = turn.tick, turn.host.facing
    turn.host.halt()


def _look(turn: Mind, memory: Memory) -> Outcome:
    spent = turn.tick - int(memory["since"])
    step = spent // SWEEP_TICKS
    if step >= len(SWEEP):
        return Outcome.SUCCESS
    turn.host.turn(float(memory["ahead"]) + SWEEP[step])
    turn.host.again(SWEEP_TICKS - spent % SWEEP_TICKS)
    return Outcome.RUNNING


LOOK_ABOUT = Behaviour("look about", _look, _look_start)
"""Stand and turn to one side and the other."""

SHARED = (GO, LOOK_ABOUT)
