"""Investigate a noticed place: turn, watch, approach, look around, restore what was changed.

Source: Game AI Pro 2, ch. 27 (the cautious mode), ch. 28, 28.3.2 (changed objects).
"""

from __future__ import annotations

from ai.decision.message_router import Message
from ai.decision.skills import MindTurn
from ai.decision.state_machine import State, StateMachine
from game.minds.agent_view import AgentView, tiles
from game.minds.guard import companions, restore_object
from game.minds.guard.belief_records import Investigation, beliefs_of
from game.world.units import Pace

Guard = MindTurn[AgentView]

GOING = "GOING"
"""Message to the nearest comrade: the sender goes to investigate."""
ANSWER_TICKS = 16
"""Ticks after which the comrade answers."""
WATCH_TICKS = 24
"""Ticks for which the guard stands and watches before it approaches."""
NEAR_ENOUGH = 1.5
"""Tiles from the place at which the approach ends."""
LEG_LIMIT = 200
"""Ticks for the approach."""


def has_something(me: AgentView) -> bool:
    """Return whether the guard has noticed something that it did not identify."""
    return beliefs_of(me.world, me.id).investigation.active


def why_investigate(me: AgentView) -> tuple[str, int]:
    """Return why the guard investigates, and the tick of the percept."""
    found = beliefs_of(me.world, me.id).investigation
    return found.why or f"it noticed something {tiles(found.distance)} off", found.tick


def investigation_of(turn: Guard) -> Investigation:
    """Return the guard's record of what it investigates."""
    found: Investigation = turn.beliefs.investigation
    return found


def forget(turn: Guard) -> None:
    """Drop what the guard investigates."""
    turn.beliefs.investigation = Investigation()


def turn_enter(turn: Guard) -> None:
    """Watch the place next; only turn the head when enough comrades investigate it already."""
    found, me = investigation_of(turn), turn.host
    if not me.sees and companions.others_investigate(me.world, me.id, found.x, found.y) >= me.settings.companions:
        me.glance(me.angle_to(found.x, found.y), WATCH_TICKS)
        turn.beliefs.patrol.gaze_until = turn.tick + WATCH_TICKS
        forget(turn)
        turn.finish("a comrade investigates it already")
        return
    _tell_comrades(turn)
    turn.set_state("Watch", why_investigate(me)[0], since=found.tick)


def _tell_comrades(turn: Guard) -> None:
    me, found = turn.host, investigation_of(turn)
    if me.world.terrain is not None:
        companions.goes_to_investigate(me.world, me.id, found.x, found.y, me.distance(found.x, found.y), 1.5)


def watch_enter(turn: Guard) -> None:
    """Stop, face the place and wait."""
    me, found = turn.host, investigation_of(turn)
    me.halt()
    me.bark("glimpse" if me.sees else "notice")
    me.turn(me.angle_to(found.x, found.y))
    turn.remind("GO", WATCH_TICKS)


def watched(turn: Guard, message: Message) -> None:
    """Approach after the wait; tell the nearest comrade."""
    me = turn.host
    mate = companions.who_answers(me.world, me.id) if me.world.terrain is not None else -1
    if mate >= 0:
        me.bark("going")
        turn.send(GOING, mate, ANSWER_TICKS)
    _approach(turn)


def _approach(turn: Guard) -> None:
    me, found = turn.host, investigation_of(turn)
    turn.set_state("Approach", *why_investigate(me), decided=f"goes to investigate {me.ground_words(found.x, found.y)}")


def approach_enter(turn: Guard) -> None:
    """Walk to the place."""
    found = investigation_of(turn)
    found.goal_x, found.goal_y = found.x, found.y
    _tell_comrades(turn)
    turn.push("go", x=found.x, y=found.y, pace=int(Pace.WALK), limit=LEG_LIMIT, keeps_gaze=1)


def approach(turn: Guard) -> None:
    """Keep the eyes on the place; a new percept changes the goal."""
    me, found = turn.host, investigation_of(turn)
    me.look(me.angle_to(found.x, found.y))
    if me.distance(found.x, found.y) <= NEAR_ENOUGH:
        turn.set_state("LookAround", "it is there")
    elif abs(found.x - found.goal_x) + abs(found.y - found.goal_y) > 1.0:
        _approach(turn)


def approached(turn: Guard, message: Message) -> None:
    """Look around from the end of the walk."""
    turn.set_state("LookAround", "it is as near as it gets")


def look_around_enter(turn: Guard) -> None:
    """Look around, with a few steps for a noise or a glimpse.

    At a changed thing the guard stays where it is, so that it does not walk through a door that it has to shut.
    """
    turn.push("look about", steps=int(investigation_of(turn).thing < 0))


def looked_around(turn: Guard, message: Message) -> None:
    """Restore what was changed, else return to the patrol."""
    if restore_object.wants(turn):
        turn.set_state("Restore", "that is not as it should be")
        return
    turn.host.bark("nothing")
    _end(turn, "it found nothing")


def restored(turn: Guard, message: Message) -> None:
    """Return to the patrol, whether the thing was restored or not."""
    _end(turn, "it has set things right")


def _end(turn: Guard, because: str) -> None:
    companions.is_back(turn.host.world, turn.unit)
    turn.host.happen("calm")
    forget(turn)
    turn.finish(because)


_DOING = "investigating"

INVESTIGATE = StateMachine(
    "investigate",
    (
        State("Turn", turn_enter, phrase="turns to what it noticed", doing=_DOING),
        State("Watch", watch_enter, on={"GO": watched}, phrase="stops and watches", doing=_DOING),
        State(
            "Approach",
            approach_enter,
            approach,
            on={"DONE": approached, "FAILED": approached},
            phrase="goes to investigate",
            doing=_DOING,
        ),
        State("LookAround", look_around_enter, on={"DONE": looked_around}, phrase="looks around", doing=_DOING),
        State(
            "Restore",
            restore_object.enter,
            on={"DONE": restore_object.there, "FAILED": restored, "RESTORED": restored},
            phrase="sets it right",
            doing=_DOING,
        ),
    ),
)
