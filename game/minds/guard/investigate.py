"""The careful look at what was noticed: stop, turn the head, wait, walk there, look about, set right, shrug.

Source: Game AI Pro 2, ch. 27 (the cautious mode), ch. 28, 28.3.2 (changed objects).
"""

from __future__ import annotations

from ai.decision.message_router import Message
from ai.decision.skills import MindTurn
from ai.decision.state_machine import State, StateMachine
from game.minds.agent_view import AgentView
from game.minds.guard import companions, restore_object
from game.minds.guard.search.guard_search import LEG_LIMIT, forget, why_look
from game.world.units import Pace

Guard = MindTurn[AgentView]

GOING = "GOING"
"""Said to the nearest comrade: I go and look."""
ANSWER_TICKS = 16
"""So long after it the comrade answers."""
WONDER_TICKS = 24
"""Ticks it stops and stares before it goes to look."""
NEAR_ENOUGH = 1.5
"""So near is at the spot, for one who only wants to look."""


def wonder_enter(turn: Guard) -> None:
    """Stop, turn the head, wait."""
    me, memory = turn.host, turn.memory
    me.halt()
    me.bark("glimpse" if me.sees else "wonder")
    me.turn(me.angle_to(float(memory["wonder_x"]), float(memory["wonder_y"])))
    turn.remind("GO", WONDER_TICKS)


def wonder_begin(turn: Guard) -> None:
    """Say what it wonders about; when comrades enough are on their way there, a look in that direction will do."""
    memory, me = turn.memory, turn.host
    x, y = float(memory["wonder_x"]), float(memory["wonder_y"])
    if not me.sees and companions.others_look(me.world, me.id, x, y) >= me.settings.companions:
        me.look(me.angle_to(x, y))
        memory["glance_until"] = memory["gaze_until"] = turn.tick + WONDER_TICKS
        forget(turn, "wonder")
        turn.finish("a comrade looks into it already")
        return
    if me.world.terrain is not None:
        companions.goes_to_look(me.world, me.id, x, y, me.distance(x, y), 1.5)
    turn.set_state(
        "Stare",
        why_look(turn.host)[0],
        since=int(memory.get("wonder_tick", turn.tick)),
    )


def wonder_go(turn: Guard, message: Message) -> None:
    """Not sure: go and see."""
    memory, me = turn.memory, turn.host
    x, y = float(memory["wonder_x"]), float(memory["wonder_y"])
    mate = companions.who_answers(me.world, me.id) if me.world.terrain is not None else -1
    if mate >= 0:
        me.bark("going")
        turn.send(GOING, mate, ANSWER_TICKS)
    turn.set_state(
        "Walk",
        why_look(me)[0],
        since=int(memory.get("wonder_tick", turn.tick)),
        decided=f"goes to look at {me.ground_words(x, y)}",
    )


def walk_enter(turn: Guard) -> None:
    """There, at a walk."""
    memory = turn.memory
    x, y = float(memory["wonder_x"]), float(memory["wonder_y"])
    memory["walk_x"], memory["walk_y"] = x, y
    me = turn.host
    if me.world.terrain is not None:
        companions.goes_to_look(me.world, me.id, x, y, me.distance(x, y), 1.5)
    turn.push("go", x=x, y=y, pace=int(Pace.WALK), limit=LEG_LIMIT, keeps_gaze=1)


def walk(turn: Guard) -> None:
    """Eyes on the spot; what it notices anew leads it elsewhere."""
    me, memory = turn.host, turn.memory
    x, y = float(memory["wonder_x"]), float(memory["wonder_y"])
    me.look(me.angle_to(x, y))
    if me.distance(x, y) <= NEAR_ENOUGH:
        turn.set_state("Peer", "it is there")
    elif abs(x - float(memory["walk_x"])) + abs(y - float(memory["walk_y"])) > 1.0:
        turn.set_state("Walk", *why_look(me), decided=f"goes to look at {me.ground_words(x, y)}")


def walked(turn: Guard, message: Message) -> None:
    """As near as one gets."""
    turn.set_state("Peer", "it is as near as it gets")


def peer_enter(turn: Guard) -> None:
    """Stand and look about: a few steps for a noise or a glimpse; from a changed thing it does not stray, nor through
    a door that it is to shut."""
    turn.push("look about", steps=int(int(turn.memory.get("wonder_thing", -1)) < 0))


def peered(turn: Guard, message: Message) -> None:
    """Shrug, and back to the round."""
    if restore_object.wants(turn):
        turn.set_state("Mend", "that is not as it should be")
        return
    turn.host.bark("nothing")
    companions.is_back(turn.host.world, turn.unit)
    turn.host.happen("calm")
    forget(turn, "wonder")
    turn.finish("it found nothing")


def mended(turn: Guard, message: Message) -> None:
    """Whatever came of it: back to the round."""
    companions.is_back(turn.host.world, turn.unit)
    turn.host.happen("calm")
    forget(turn, "wonder")
    turn.finish("it has set things right")


LOOK = StateMachine(
    "look",
    (
        State("Begin", wonder_begin, phrase="pricks up its ears", doing="looking into it"),
        State("Stare", wonder_enter, on={"GO": wonder_go}, phrase="stops and stares", doing="looking into it"),
        State(
            "Walk",
            walk_enter,
            walk,
            on={"DONE": walked, "FAILED": walked},
            phrase="goes to look",
            doing="looking into it",
        ),
        State("Peer", peer_enter, on={"DONE": peered}, phrase="looks about", doing="looking into it"),
        State(
            "Mend",
            restore_object.enter,
            on={"DONE": restore_object.there, "FAILED": mended, "MENDED": mended},
            phrase="sets it right",
            doing="looking into it",
        ),
    ),
)
