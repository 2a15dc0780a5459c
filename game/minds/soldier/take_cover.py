"""Take cover: a soldier that is shot at runs to cover, or flees.

Source: Ian Millington and John Funge, AI for Games, 6.1.2 (the decision asks whether there is cover, keeps the place
that it found, and the action reads it; where there is none, another decision is made). The tree is that of figure 6.6:
shot at, cover near: take it; shot at, no cover: run away. A decision asks for cover once, and for a way out if there is
none.
"""

from __future__ import annotations

from ai.decision.message_router import Message
from ai.decision.state_machine import State, StateMachine
from game.minds.agent_view import AgentView
from game.minds.order_ends import Soldier
from game.minds.order_progress import NEVER, SoldierBeliefs
from game.systems.tactics.tactical_places import find_place
from game.world.orders import OrderKind
from game.world.units import Pace, Stance

UNDER_FIRE = 120
"""Ticks after a shot for which a soldier stays in cover."""
THERE = 0.8
"""Tiles from its place at which a soldier is in cover."""
AGAIN = 40
"""Ticks before a new shot makes a soldier choose again."""
WATCH = 5


def cover_wanted(me: AgentView) -> bool:
    """Return true if the unit is under fire and has found a place."""
    mind = me.world.minds.get(me.id)
    if not me.world.settings.tactics.takes_cover or mind is None or me.order != OrderKind.NONE:
        return False
    beliefs: SoldierBeliefs = mind.beliefs
    if beliefs.shot_at == NEVER or me.tick - beliefs.shot_at >= UNDER_FIRE:
        return False
    if beliefs.cover_tick == NEVER or beliefs.shot_at - beliefs.cover_tick >= AGAIN:
        place = find_place(me.world, me.slot, "cover") or find_place(me.world, me.slot, "flee")
        beliefs.cover_tick = beliefs.shot_at
        beliefs.cover = (place.x, place.y) if place is not None else None
        beliefs.flees = place is not None and place.selector == "flee"
    return beliefs.cover is not None


def run_enter(turn: Soldier) -> None:
    """Run to the place that the condition has found."""
    me = turn.host
    x, y = turn.beliefs.cover
    me.aim(-1)
    me.world.tactics.posts[me.id] = x, y
    turn.set_state("Run", "it is shot at", since=turn.tick, decided="flees" if turn.beliefs.flees else "runs to cover")


def run(turn: Soldier) -> None:
    """Keep running until the place is reached."""
    me = turn.host
    x, y = turn.beliefs.cover
    if me.distance(x, y) <= THERE:
        turn.set_state("Duck", "it is in cover")
    elif not me.heads_for(x, y):
        me.go_to(x, y, Pace.RUN)
    me.again(WATCH)


def arrived(turn: Soldier, message: Message) -> None:
    """Duck where the path ended."""
    turn.set_state("Duck", "it is in cover")


def duck(turn: Soldier) -> None:
    """Stay low in cover."""
    me = turn.host
    me.units.stance[me.slot] = Stance.CROUCH
    me.again(WATCH)


def leave(turn: Soldier) -> None:
    """Stand up again."""
    me = turn.host
    me.units.stance[me.slot] = Stance.STAND
    me.world.tactics.posts.pop(me.id, None)


TAKE_COVER = StateMachine(
    "take cover",
    (
        State("Choose", run_enter, phrase="looks for cover", doing="taking cover"),
        State("Run", run, run, on={"ARRIVED": arrived}, phrase="runs to cover", doing="taking cover"),
        State("Duck", duck, duck, leave, phrase="keeps low in cover", doing="taking cover"),
    ),
)


TECHNIQUES = (
    {
        "slug": "take-cover",
        "name": "Decide, then locate cover",
        "ids": ("AFG6.1.7", "AFG6.1.8"),
        "source": "AI for Games, 6.1.2",
        "functions": ("cover_wanted",),
        "test": "tests/game/minds/soldier/test_take_cover.py",
        "exhibit": "levels/exhibits/tactics/yard.toml",
        "overlay": "minds",
        "setting": "tactics.takes_cover",
        "measure": "exposed",
        "direction": "down",
        "claim": (
            "Off in the shipped game. Being shot at is the condition; wounds and ammunition are not. Without "
            "cover the soldier flees, and without any place it stands."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
