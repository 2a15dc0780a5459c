"""Guard: patrols, investigates, shouts the alarm, fights, searches, and gives up.

Skills, highest first: *sleep*, *fight* (an identified enemy in sight, or just lost), *search* (the place of a
lost enemy, reported by a comrade or a shot), *investigate* (something noticed but not identified), *obey*,
*scene* (a role in the scene of a zone), *round* (the patrol route, or the post). Its beliefs are typed records
(``belief_records``). A sighting is a setback for you and never the end.

Sources: AI Game Programming Wisdom 6.5, 6.6; Game AI Pro 2, ch. 27 (search phases, staggered return), 33, 34.
"""

from __future__ import annotations

from ai.decision.message_router import Message
from ai.decision.skills import MindTurn, Skill, SkillList
from ai.perception.stimuli.stimulus_board import PRIORITY, StimulusKind
from game.minds import alarm
from game.minds.agent_view import AgentView
from game.minds.alarm import ALARM
from game.minds.guard import guard_fight, investigate, patrol
from game.minds.guard.belief_records import GuardBeliefs, Investigation, LastContact, SearchState
from game.minds.guard.search import guard_search
from game.minds.mind import Mind
from game.minds.scenes import scene_role
from game.minds.shared_behaviours import SHARED
from game.minds.soldier.obey import OBEY, has_order
from game.minds.soldier.soldier import always
from game.systems.stealth.side_knowledge import report
from game.systems.stealth.stimulus_system import STIMULUS
from game.world.units import Event

Guard = MindTurn[AgentView]

_NOTICED, _HEARD = int(Event.NOTICED), int(Event.HEARD)
_GLIMPSED = int(Event.GLIMPSED)

GUARD = SkillList(
    "guard",
    (
        Skill("sleep", patrol.SLEEP, patrol.is_asleep, "sleeping on"),
        Skill("fight", guard_fight.FIGHT, guard_fight.has_enemy, "fighting", guard_fight.sees_whom),
        Skill("search", guard_search.SEARCH, guard_search.has_lost, "searching", guard_search.why_search),
        Skill(
            "investigate",
            investigate.INVESTIGATE,
            investigate.has_something,
            "investigating",
            investigate.why_investigate,
        ),
        Skill("obey", OBEY, has_order, "obeying"),
        Skill("scene", scene_role.SCENE, scene_role.has_role, "taking part in a scene", scene_role.why_scene),
        Skill("round", patrol.ROUND, always, "going home"),
    ),
    SHARED,
)

RELAXED, ALERTED, SEARCHING = 0, 1, 2
MOODS = {"fight": ALERTED, "investigate": ALERTED, "search": SEARCHING}
"""Alertness of a guard's eyes by skill; other skills are relaxed."""


def beliefs_in(turn: Guard) -> GuardBeliefs:
    """Return the guard's beliefs."""
    beliefs: GuardBeliefs = turn.beliefs
    return beliefs


def note_percepts(turn: Guard) -> None:
    """Update the guard's beliefs from the events, before it decides."""
    me, beliefs = turn.host, beliefs_in(turn)
    found = beliefs.investigation
    if me.asleep:
        return
    if me.sees_enemy:
        beliefs.combat.enemy = LastContact(me.quarry, *me.seen, me.seen_tick)
        if me.settings.preempts:
            investigate.forget(turn)
    elif me.sees and found.active:
        found.x, found.y = me.seen
    elif me.events & _NOTICED and me.quarry >= 0 and me.is_enemy(me.quarry):
        found.x, found.y = me.seen
        found.tick, found.distance = turn.tick, me.seen_distance
    elif me.events & _GLIMPSED and me.settings.graded and me.quarry >= 0 and me.is_enemy(me.quarry):
        # The lowest grade: the head turns for a second, the feet go on (Game AI Pro 2, 4.4).
        me.glance(me.angle_to(*me.seen), GLIMPSE_TICKS)
        beliefs.patrol.gaze_until = turn.tick + GLIMPSE_TICKS
        me.again(GLIMPSE_TICKS)
    elif me.events & _HEARD and not me.sees:
        # An unlocated movement near by: look over the shoulder, which also warns the player.
        me.glance(me.facing + (2.2 if me.dice(7) < 0.5 else -2.2), GLANCE_TICKS)
        beliefs.patrol.gaze_until = turn.tick + GLANCE_TICKS
        me.again(GLANCE_TICKS)


GLIMPSE_TICKS = 20
"""Ticks for which the head stays on what was glimpsed."""
GLANCE_TICKS = 12
"""Ticks of a glance at nothing in particular."""


def wake(turn: Guard) -> None:
    """Wake the guard from sleep."""
    me = turn.host
    me.units.asleep[me.slot] = 0
    me.happen("woken")


def _investigate_at(turn: Guard, x: float, y: float, since: int, why: str, thing: int = -1, rank: int = 0) -> None:
    """Believe that a place needs investigation.

    ``thing`` is a changed door or lamp, ``rank`` the priority.
    """
    turn.beliefs.investigation = Investigation(x, y, since, turn.host.distance(x, y), why, thing, rank)


def attend(turn: Guard, message: Message) -> None:
    """React to a stimulus: alarm for a body, investigation for everything else."""
    me, beliefs = turn.host, beliefs_in(turn)
    x, y = float(message.data["x"]), float(message.data["y"])
    since, why = int(message.data["since"]), str(message.data["why"])
    if int(message.data["kind"]) == StimulusKind.BODY:
        _search_at(turn, x, y, since, why)
        me.bark("man_down")
        me.happen("alarm", int(message.data["thing"]))
        beliefs.combat.cried = beliefs.combat.warned = turn.tick
        alarm.shout(me, x, y, int(message.data["thing"]), turn.tick)
    elif _is_busy(turn, _rank(message)):
        return  # noticed but ignored: it is busy with something more serious (AI Game Programming Wisdom, 2.2)
    elif not beliefs.search.active or me.distance(x, y) < me.settings.earshot:
        odd = int(message.data["kind"]) in (StimulusKind.DOOR, StimulusKind.LAMP)
        thing = int(message.data["thing"]) if odd else -1
        _investigate_at(turn, x, y, since, f"{why} {me.distance(x, y):.0f} tiles off", thing, _rank(message))


def _is_busy(turn: Guard, priority: int) -> bool:
    """Return whether the guard investigates something of a higher priority."""
    found: Investigation = turn.beliefs.investigation
    return bool(turn.host.settings.priorities) and found.active and priority < found.priority


def _rank(message: Message) -> int:
    return PRIORITY[StimulusKind(int(message.data["kind"]))]


def told(turn: Guard, message: Message) -> None:
    """Turn a message into beliefs: an alarm shout, or a noticed stimulus."""
    me, beliefs = turn.host, beliefs_in(turn)
    if message.name == investigate.GOING:
        if not (me.asleep or me.sees_enemy):
            me.bark("answer")
        return
    if me.asleep:
        wake(turn)
    if message.name == ALARM:
        beliefs.combat.warned = turn.tick
        _hear_of(turn, message)
    elif message.name == STIMULUS and int(message.data["kind"]) == StimulusKind.SHOT:
        _hear_of(turn, message)
    elif message.name == STIMULUS and not me.sees_enemy:
        attend(turn, message)


def _hear_of(turn: Guard, message: Message) -> None:
    """Believe an alarm or a shot: a place to search, unless better knowledge exists."""
    me, beliefs = turn.host, beliefs_in(turn)
    x, y = float(message.data["x"]), float(message.data["y"])
    since = int(message.data.get("since", message.sent_at))
    who = int(message.data.get("who", message.sender))
    if who >= 0 and me.is_enemy(who):
        report(me.world, me.side, who, x, y, since, me.id, exact=message.name == STIMULUS)
    if me.sees_enemy:
        return
    if since < beliefs.combat.enemy.tick or since <= beliefs.search.tick:
        return
    if message.data.get("of_lab"):
        why = f"Lab set {me.call(who)} as its target"
    elif message.name == ALARM:
        why = f"{me.call(message.sender)} cried alarm over {me.call(who)}"
    elif message.data.get("at_me"):
        why = f"it was shot at from {me.distance(x, y):.0f} tiles off"
    else:
        why = f"it heard a shot {me.distance(x, y):.0f} tiles off"
    _search_at(turn, x, y, since, why, who if who >= 0 and me.is_enemy(who) else -1)


def _search_at(turn: Guard, x: float, y: float, since: int, why: str, who: int = -1) -> None:
    """Set a place to search: the side's belief about ``who``, or (x, y).

    The latter applies when the report names no enemy.
    """
    search: SearchState = turn.beliefs.search
    search.x, search.y, search.tick, search.since = x, y, since, turn.tick
    search.why, search.who = why, who


MIND = Mind("guard", GUARD, GuardBeliefs, note_percepts, told, MOODS)
