"""Guard routine: patrol route with waits and side looks, post, and sleep."""

from __future__ import annotations

from ai.decision.message_router import Message
from ai.decision.skills import MindTurn
from ai.decision.state_machine import State, StateMachine
from game.minds.agent_view import AgentView
from game.minds.guard.belief_records import PatrolState
from game.world.places import Route
from game.world.units import Pace

Guard = MindTurn[AgentView]

GLANCE = 0.75
"""Radians to either side for a look during a wait."""
GLANCE_TICKS = 30
"""Ticks between two looks at a post."""
HOME = 0.8
"""Nearer than this a guard is at its post, tiles."""
BESIDE = ((0, 0), (-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (1, -1), (1, 1), (-1, 1))
"""Tiles (dx, dy) beside a route point for later comrades, by rank."""
AT_POINT = 0.6
"""Nearer than this it is at a point of its round, tiles."""
SKIP = 3
"""Times it is blocked on one leg before it takes the next point."""


# --- sleep ------------------------------------------------------------------------------------------------------
def is_asleep(me: AgentView) -> bool:
    """Return true if the guard sleeps."""
    return me.asleep


def sleep_enter(turn: Guard) -> None:
    """Halt and lower the weapon to sleep."""
    turn.host.halt()
    turn.host.aim(-1)


def sleep(turn: Guard) -> None:
    """Sleep until an event wakes the guard."""
    if not turn.host.asleep:
        turn.host.bark("woken")
        turn.finish("it was woken")


def jolt(turn: Guard, message: Message) -> None:
    """Wake up on pain."""
    me = turn.host
    me.units.asleep[me.slot] = 0
    me.happen("woken")
    turn.finish("it was hit in its sleep")


SLEEP = StateMachine(
    "sleep", (State("Sleep", sleep_enter, sleep, on={"HIT": jolt}, phrase="sleeps", doing="sleeping on"),)
)


def patrol_of(turn: Guard) -> PatrolState:
    """Return the guard's record of its routine."""
    state: PatrolState = turn.beliefs.patrol
    return state


# --- round ------------------------------------------------------------------------------------------------------
def route_of(me: AgentView) -> Route | None:
    """Return the patrol route of the guard, or None."""
    name = me.world.routes_of.get(me.id, "")
    return me.world.route(name) if name else None


def begin(turn: Guard) -> None:
    """Go back to the route where it was left, else to the post.

    At first it goes to the nearest point.
    """
    me, state = turn.host, patrol_of(turn)
    me.aim(-1)
    if state.post is None:
        state.post, state.post_facing = (me.x, me.y), me.facing
    route = route_of(me)
    if route is None:
        turn.set_state("Post", turn.finished_because)
        return
    if state.point < 0:
        nearest = min(range(len(route.points)), key=lambda k: (me.distance(*route.points[k]), k))
        state.point, state.direction, state.rank = nearest, 1, rank(me)
    turn.set_state("Walk")


def rank(me: AgentView) -> int:
    """Return the rank by id among guards on the same route.

    Comrades walk beside each other's points.
    """
    name = me.world.routes_of.get(me.id, "")
    return sum(1 for unit, other in me.world.routes_of.items() if other == name and unit < me.id)


def target(turn: Guard, route: Route) -> tuple[float, float]:
    """Return the guard's position at the route point: on it, or beside it.

    The first of a patrol stands on the point, the rest beside it.
    """
    me, state = turn.host, patrol_of(turn)
    x, y = route.points[state.point % len(route.points)]
    dx, dy = BESIDE[state.rank % len(BESIDE)]
    return (x + dx, y + dy) if me.walkable(x + dx, y + dy) else (x, y)


def walk_enter(turn: Guard) -> None:
    """Walk to the present point; a route around one place is a post."""
    me = turn.host
    route = route_of(me)
    if route is None:
        turn.set_state("Post")
        return
    patrol_of(turn).blocked = 0
    for _ in range(2 * len(route.points)):
        x, y = target(turn, route)
        if me.distance(x, y) >= AT_POINT:
            me.go_to(x, y, Pace.WALK)
            return
        _advance(turn, route)
        if route.wait > 0:
            break
    turn.set_state("Wait", "it is at a point of its round")


def walk(turn: Guard) -> None:
    """Look ahead, and resume a walk that something else ended."""
    me = turn.host
    if not me.glancing:
        me.look_ahead()
    if not me.moving and turn.in_state > 2:
        walk_enter(turn)


def at_point(turn: Guard, message: Message) -> None:
    """Wait at a point of the route, or go on to the next."""
    route = route_of(turn.host)
    if route is None:
        return
    _advance(turn, route)
    if route.wait > 0:
        turn.set_state("Wait", "it is at a point of its round")
    else:
        turn.set_state("Walk", "it is at a point of its round")


def _advance(turn: Guard, route: Route) -> None:
    state, count = patrol_of(turn), len(route.points)
    if route.loop:
        state.point = (state.point + 1) % count
        return
    if not 0 <= state.point + state.direction < count:
        state.direction = -state.direction
    state.point += state.direction


def held_up(turn: Guard, message: Message) -> None:
    """Retry when another unit blocks the point, then skip the point."""
    state = patrol_of(turn)
    state.blocked += 1
    route = route_of(turn.host)
    if route is None:
        return
    if state.blocked >= SKIP:
        _advance(turn, route)
        turn.set_state("Walk", "it cannot get to the point of its round")
    else:
        turn.host.go_to(*target(turn, route), Pace.WALK)


def no_path(turn: Guard, message: Message) -> None:
    """Skip a point without a path, after a moment."""
    route = route_of(turn.host)
    if route is not None:
        _advance(turn, route)
        turn.set_state("Wait", "there is no path to the point of its round")


def wait_enter(turn: Guard) -> None:
    """Stand and look to both sides."""
    me = turn.host
    me.halt()
    patrol_of(turn).ahead = me.facing
    route = route_of(me)
    ticks = max(20, route.wait if route is not None else 0)
    turn.remind("ON", ticks)
    patrol_of(turn).wait_ticks = ticks
    wait(turn)


def wait(turn: Guard) -> None:
    """Look ahead, left, right and ahead, for a quarter of the wait each."""
    me = turn.host
    quarter = max(1, patrol_of(turn).wait_ticks // 4)
    step = min(3, turn.in_state // quarter)
    me.look(patrol_of(turn).ahead + (0.0, -GLANCE, GLANCE, 0.0)[step])
    if step < 3:
        me.again(quarter - turn.in_state % quarter)


def wait_over(turn: Guard, message: Message) -> None:
    """Continue the round after a wait."""
    turn.set_state("Walk", "it has waited long enough")


def post_enter(turn: Guard) -> None:
    """Go to the post, or turn to its facing when near."""
    me, state = turn.host, patrol_of(turn)
    x, y = state.post or (me.x, me.y)
    if me.distance(x, y) > HOME:
        me.go_to(x, y, Pace.WALK)
    else:
        me.turn(state.post_facing)
    me.again(GLANCE_TICKS)


def post(turn: Guard) -> None:
    """Stand guard: a look to one side or the other now and then."""
    me, state = turn.host, patrol_of(turn)
    if me.moving:
        me.look_ahead()
        me.again(GLANCE_TICKS)
        return
    if me.distance(*(state.post or (me.x, me.y))) > HOME:
        post_enter(turn)
        return
    until = state.gaze_until
    if turn.tick < until:
        me.again(until - turn.tick)  # asked before its time: the eyes stay where they are
        return
    wait = GLANCE_TICKS + int(me.dice(1) * GLANCE_TICKS)
    state.gaze_until = turn.tick + wait
    me.again(wait)
    me.turn(state.post_facing)
    me.look(state.post_facing + (-GLANCE, 0.0, GLANCE)[int(me.dice(2) * 3)])


def post_reached(turn: Guard, message: Message) -> None:
    """Turn to the facing of the post."""
    turn.host.turn(patrol_of(turn).post_facing)


ROUND = StateMachine(
    "round",
    (
        State("Begin", begin, phrase="goes back to its duty", doing="going home"),
        State(
            "Walk",
            walk_enter,
            walk,
            on={"ARRIVED": at_point, "BLOCKED": held_up, "PATH_LOST": no_path},
            phrase="walks its round",
            doing="walking its round",
        ),
        State("Wait", wait_enter, wait, on={"ON": wait_over}, phrase="waits and looks about", doing="waiting"),
        State(
            "Post",
            post_enter,
            post,
            on={"ARRIVED": post_reached, "BLOCKED": post_reached, "PATH_LOST": post_reached},
            phrase="stands guard",
            doing="standing guard",
        ),
    ),
)
