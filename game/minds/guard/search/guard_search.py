"""Guard search: pursuit around a last known position.

Aggressive (*search*): run there, look around at a few places, give up within the time limit, and go home each at
a different moment. The cautious look at a noticed place is ``investigate``.

Source: Game AI Pro 2, ch. 27 (modes, telegraph, staggered return).
"""

from __future__ import annotations

import math

from ai.decision.message_router import Message
from ai.decision.skills import MindTurn
from ai.decision.state_machine import State, StateMachine
from ai.squad.squad_search import Search, Spot
from ai.tactics.canvass import faces_wall, openest
from game.minds.agent_view import AgentView
from game.minds.guard.belief_records import Investigation, LastContact, SearchState, beliefs_of
from game.minds.guard.search import exit_cover, pursuit
from game.minds.shared_behaviours import SWEEP_TICKS
from game.world.units import Pace

Guard = MindTurn[AgentView]

CLAIM_CHECK = 4
"""Ticks between two looks whether one's spot is still worth going to."""
LEG_LIMIT = 200
"""Ticks for the walk to one spot."""
MOVED = 0.5
"""Shift of the last known position that redirects an approach, in tiles."""
CAREFUL = 6.0
"""Tiles from the place at which a guard slows to a walk.

A guard's eyes reach twice as far; nothing may be in between.
"""
SPOT_NEAR, SPOT_FAR = 3.0, 6.5
"""Distance of the places searched from the last known position, tiles."""


def has_lost(me: AgentView) -> bool:
    """Return true if the guard believes that an enemy hides somewhere."""
    return beliefs_of(me.world, me.id).search.active


def why_search(me: AgentView) -> tuple[str, int]:
    """Return the reason for the search, and its start."""
    state = beliefs_of(me.world, me.id).search
    return state.why, state.tick


def state_of(turn: Guard) -> SearchState:
    """Return the guard's own record of its search."""
    state: SearchState = turn.beliefs.search
    return state


# --- search -----------------------------------------------------------------------------------------------------
def search_enter(turn: Guard) -> None:
    """Set out for the place."""
    state, me = state_of(turn), turn.host
    state.done = 0
    search = pursuit.enter(turn)
    if search is not None and search.phase == 2:
        on_to_next(turn, "the others search already")
        return
    if search is not None and me.id in search.investigators and exit_cover.waits_for_the_exit(me, search, turn.tick):
        turn.set_state("Cover", "the only exit is not watched yet", since=state.tick)
        return
    if search is not None and me.id not in search.investigators:
        turn.set_state("Cover", state.why, since=state.tick)
        return
    x, y = state.spot_x, state.spot_y = _place(turn)
    turn.set_state(
        "Go",
        state.why,
        since=state.tick,
        decided=f"runs to {me.ground_words(x, y)} to search" if me.distance(x, y) > 2 else "looks about",
    )


def go_enter(turn: Guard) -> None:
    """Run until the place itself is in view, then walk; between its spots walk."""
    me, state = turn.host, state_of(turn)
    me.aim(-1)
    x, y = state.spot_x, state.spot_y
    if me.distance(x, y) <= 1.0:
        turn.set_state("Sweep", *_why(turn), decided=f"searches {me.ground_words(x, y)}")
    else:
        pace = int(Pace.WALK if state.done else Pace.RUN)
        glances = int(bool(state.done))
        careful = 0.0 if glances else CAREFUL
        limit = LEG_LIMIT if glances else me.settings.give_up
        turn.push("go", x=x, y=y, pace=pace, limit=limit, glances=glances, careful=careful)
        if glances:
            me.again(CLAIM_CHECK)


def go(turn: Guard) -> None:
    """Continue on the path; time may run out."""
    if too_late(turn):
        turn.set_state("Shrug", "it has looked long enough")
        return
    search = pursuit.search_of(turn)
    if search is None or not state_of(turn).done:
        return
    mine = search.spot_of(turn.unit)
    if turn.running.state == "Sweep":
        _look_into(turn, search, mine)
    elif mine is None:
        on_to_next(turn, "a comrade has seen that place, or is nearer")
    elif pursuit.heading_into(turn.host, mine) is not None:
        turn.set_state("Sweep", *_why(turn), decided=f"looks into {turn.host.ground_words(mine.x, mine.y)}")
    else:
        turn.host.again(CLAIM_CHECK)


def _place(turn: Guard) -> tuple[float, float]:
    """Return the last known position of the enemy."""
    search = pursuit.search_of(turn)
    return (search.x, search.y) if search is not None else pursuit.place_of(turn)


def _on(turn: Guard) -> bool:
    """Follow a last known position that moved while the guard was there."""
    state, (x, y) = state_of(turn), _place(turn)
    if state.done or math.hypot(x - state.spot_x, y - state.spot_y) <= MOVED:
        return False
    state.spot_x, state.spot_y = x, y
    turn.set_state("Go", "the enemy is known to be elsewhere", decided=f"goes on to {turn.host.ground_words(x, y)}")
    return True


def _look_into(turn: Guard, search: Search, mine: Spot | None) -> None:
    """Search the spot once the head is on it, then take the next."""
    me, state = turn.host, state_of(turn)
    if mine is not None and pursuit.sees_into(me, mine):
        search.searched(mine, me.id, turn.tick)
    elif mine is not None:
        return
    if state.seen_into < 0:
        state.seen_into = turn.tick
    if turn.tick - state.seen_into >= SWEEP_TICKS and (search.free or pursuit.nearer_to(me, search) is not None):
        on_to_next(turn, "it has seen into that place")


def there(turn: Guard, message: Message) -> None:
    """Search the place, having reached it as near as possible."""
    if message.name == "DONE" and _on(turn):
        return
    x, y = state_of(turn).spot_x, state_of(turn).spot_y
    turn.set_state("Sweep", *_why(turn), decided=f"searches {turn.host.ground_words(x, y)}")


def sweep_enter(turn: Guard) -> None:
    """Stand and look about; at a hiding place first into it."""
    me, search = turn.host, pursuit.search_of(turn)
    state_of(turn).seen_into = -1
    mine = search.spot_of(turn.unit) if search is not None else None
    first = pursuit.heading_into(me, mine) if mine is not None and me.distance(mine.x, mine.y) > 0.6 else None
    if first is not None:
        turn.push("look about", first=first)
        return
    turn.push("look about", steps=int(not state_of(turn).done))


def on_to_next(turn: Guard, because: str) -> None:
    """Go to the next place of the shared search, or end the search."""
    state, me = state_of(turn), turn.host
    state.done = max(1, state.done)
    spot, search = pursuit.next_spot(turn), pursuit.search_of(turn)
    if spot is None and search is not None and search.free and not search.over(turn.tick):
        turn.set_state("Sweep", "comrades of another search look into what is left")
        return
    if spot is None:
        if search is not None:
            search.close(turn.tick)
        turn.set_state("Shrug", "nothing is left to search")
        return
    state.spot_x, state.spot_y = spot.x, spot.y
    turn.set_state("Go", because or _why(turn)[0], decided=f"searches {me.ground_words(spot.x, spot.y)}")


def advance(turn: Guard, message: Message) -> None:
    """Continue the shared search when its phase has changed.

    In the second phase all searchers go to hiding places, and the keeper of the exit stays. In the first phase the
    search begins again.
    """
    search = pursuit.search_of(turn)
    if search is not None and search.phase == 2 and search.keeper == turn.unit and len(search.searchers) > 1:
        turn.host.again(20)  # it keeps the exit while the others look
    elif search is not None and search.phase == 2 and not state_of(turn).done:
        on_to_next(turn, "the enemy is not where it was seen")
    elif search is not None and search.phase == 1:
        turn.set_state("Begin", "there is news of the enemy")


def investigate(turn: Guard, message: Message) -> None:
    """Replace a guard that was first and stopped."""
    state, search = state_of(turn), pursuit.search_of(turn)
    if search is not None and turn.unit not in search.investigators:
        return  # it has joined another one meanwhile
    state.spot_x, state.spot_y = _place(turn)
    turn.set_state("Go", "a guard has to go and look")


def cover_enter(turn: Guard) -> None:
    """Approach until it can shoot past the first guards, and no nearer."""
    me, search = turn.host, pursuit.search_of(turn)
    state_of(turn).watch = None
    post = exit_cover.take_post(me, search) if search is not None else None
    if search is not None and me.id in search.investigators:
        turn.remind("INVESTIGATE", exit_cover.READY)  # it waits for the watcher of the exit, and no longer
    if post is not None:
        state_of(turn).watch = post.facing
        turn.push("go", x=post.x, y=post.y, pace=int(Pace.RUN), limit=LEG_LIMIT)
        return
    place = pursuit.cover_place(me, search) if search is not None else None
    if place is None:
        turn.push("look about")
    else:
        turn.push("go", x=place[0], y=place[1], pace=int(Pace.RUN), limit=LEG_LIMIT)


def cover(turn: Guard) -> None:
    """Watch the place until the guards that went there call."""
    me, search = turn.host, pursuit.search_of(turn)
    if too_late(turn) or search is None:
        turn.set_state("Shrug", "it has looked long enough")
    elif search.keeper == turn.unit and search.phase == 2 and len(search.searchers) < 2:
        on_to_next(turn, "no other guard is left to search")
        return
    elif not me.moving and (watch := state_of(turn).watch) is not None:
        me.turn(watch)
    elif not me.moving and me.line_to(search.x, search.y):
        me.turn(me.angle_to(search.x, search.y))
    me.again(20)


def no_more(turn: Guard, message: Message) -> None:
    """Ask for another turn; the guard keeps its place to cover the others."""
    turn.host.again(1)


def swept(turn: Guard, message: Message) -> None:
    """Go to the next place, until none is left or time is up."""
    state, me = state_of(turn), turn.host
    if _on(turn):
        return
    state.done += 1
    done = state.done
    search = pursuit.search_of(turn)
    if search is not None:
        mine = search.spot_of(me.id)
        if mine is not None and pursuit.sees_into(me, mine):
            search.searched(mine, me.id, turn.tick)
        elif mine is not None and not me.can_reach(mine.x, mine.y):
            search.rule_out(mine, me.id, turn.tick)
        pursuit.advance(turn)
        on_to_next(turn, "")
        return
    spot = next_spot(turn, done) if done <= me.settings.search_spots and not too_late(turn) else None
    if spot is None:
        turn.set_state("Shrug", "nothing is left to search")
    else:
        state.spot_x, state.spot_y = spot
        turn.set_state("Go", *_why(turn), decided=f"searches {me.ground_words(*spot)}")


def _why(turn: Guard) -> tuple[str, int]:
    return why_search(turn.host)


def next_spot(turn: Guard, number: int) -> tuple[float, float] | None:
    """Return a reachable place round the last known position.

    Each guard begins at an angle of its own.
    """
    me = turn.host
    x, y = pursuit.place_of(turn)
    first = me.dice(number) * math.tau
    for k in range(12):
        angle = first + k * math.tau * 0.382
        far = SPOT_NEAR + (SPOT_FAR - SPOT_NEAR) * me.dice(20 + number * 12 + k)
        px, py = math.floor(x + far * math.cos(angle)) + 0.5, math.floor(y + far * math.sin(angle)) + 0.5
        if me.can_reach(px, py) and me.distance(px, py) > 2.0:
            return px, py
    return None


def too_late(turn: Guard) -> bool:
    """Return true if the time for searching is over.

    A shared search has its own time; alone, it counts from the last report.
    """
    search = pursuit.search_of(turn)
    if search is not None:
        return search.over(turn.tick)
    return state_of(turn).since >= 0 and turn.tick - state_of(turn).since > turn.host.settings.give_up


def shrug_enter(turn: Guard) -> None:
    """Give up; delays differ, so that guards go home one after the other."""
    me, search = turn.host, pursuit.search_of(turn)
    me.halt()
    terrain, head = me.world.terrain, float(me.units.head[me.slot])
    if terrain is not None and faces_wall(terrain.opaque, me.x, me.y, head):
        me.turn(openest(terrain.opaque, me.x, me.y, head))
    me.bark("gone")
    if search is not None:
        search.release(me.id)
    wait = search.go_home(me.dice(3)) if search is not None else 10 + int(me.dice(3) * 90)
    turn.remind("HOME", wait)


def home(turn: Guard, message: Message) -> None:
    """End the search; the guard returns to its earlier behaviour."""
    turn.beliefs.search, turn.beliefs.investigation = SearchState(), Investigation()
    turn.beliefs.combat.enemy = LastContact()
    turn.host.happen("calm")
    turn.finish("it found no enemy")


def told_anew(turn: Guard) -> None:
    """Replace the search target by what was learnt meanwhile."""
    state = state_of(turn)
    if state.tick > state.working_on:
        state.working_on = state.tick
        turn.set_state("Begin", state.why, since=state.tick)


def begin(turn: Guard) -> None:
    """Note what is being searched for."""
    state = state_of(turn)
    state.working_on = state.tick if state.active else turn.tick
    search_enter(turn)


def news(turn: Guard, message: Message) -> bool:
    """Replace the search target after a new report.

    The beliefs already hold the report.
    """
    told_anew(turn)
    return True


SEARCH = StateMachine(
    "search",
    (
        State("Begin", begin, phrase="makes up its mind where to search", doing="searching"),
        State("Go", go_enter, go, on={"DONE": there, "FAILED": there}, phrase="goes to search", doing="searching"),
        State(
            "Cover",
            cover_enter,
            cover,
            on={"DONE": no_more, "FAILED": no_more, "ADVANCE": advance, "INVESTIGATE": investigate},
            phrase="covers the guards that go first",
            doing="searching",
        ),
        State("Sweep", sweep_enter, go, on={"DONE": swept}, phrase="looks about", doing="searching"),
        State("Shrug", shrug_enter, on={"HOME": home}, phrase="gives up", doing="giving up"),
    ),
    on={"ALARM": news, "STIMULUS": news, "ADVANCE": advance},
)
