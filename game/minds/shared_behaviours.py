"""Capabilities that several skills use: going somewhere, and looking about.

A skill pushes one and waits for DONE or FAILED; how it is done is the behaviour's business (Game AI Pro 2, ch. 33).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ai.decision.skills import Behaviour, MindTurn, StepOutcome
from ai.decision.state_machine import Memory
from ai.perception.settings import TICKS_PER_SECOND
from ai.squad.squad_search import Search, SpotState
from ai.tactics.canvass import faces_wall, go_about, look_about, openest
from ai.tactics.glances import Reaction, opens, reaction_of, side_reaches
from game.minds.agent_view import AgentView
from game.systems.stealth.side_knowledge import knowledge_of
from game.world.units import Event, Pace

Mind = MindTurn[AgentView]

SWEEP = (0.0, -0.9, 0.9, 0.0)
"""Angles of a look around, beside the way it faces, in radians."""
SWEEP_TICKS = 14
"""Ticks for each of them."""
STEP_LIMIT = 60
"""Ticks for a step of a look about."""
STEPS_TAKE, STEPS_ALONE = 4 * SWEEP_TICKS, 6 * SWEEP_TICKS
"""Longest look around by turns and steps, in ticks: in a search, and alone.

In a search others wait for the unit, so it takes no more than the four turns of one on the spot. A unit that only
investigates may take longer.
"""
TRIES = 3
"""Times it is blocked before it takes a place for out of reach."""
GLANCE_CHECK = 4
GLANCE_LASTS = {Reaction.GLANCE: 10, Reaction.TURN: 12, Reaction.LOOK_IN: 24}
"""Ticks that each reaction to a gap takes."""
TURNED = 0.5
"""Turn of the path in radians that starts its walls again."""
PUSHED = 0.01
"""Tiles of displacement of a standing unit that trigger a new wall check."""
HAIR = 0.1
"""Tiles beside the unit at which a wall ahead is too close.

The unit may be moved a little.
"""
CHECK = 10
"""Ticks between two looks at how the walk goes."""

_ARRIVED, _BLOCKED, _PATH_LOST = int(Event.ARRIVED), int(Event.BLOCKED), int(Event.PATH_LOST)


def _go_start(turn: Mind, memory: Memory) -> None:
    memory["since"], memory["blocked"] = turn.tick, 0
    turn.host.go_to(float(memory["x"]), float(memory["y"]), int(memory["pace"]))
    turn.host.look_ahead()
    turn.host.again(CHECK)


def _go(turn: Mind, memory: Memory) -> StepOutcome:
    me = turn.host
    me.again(CHECK)
    spent = turn.tick - int(memory["since"])
    if not spent:
        return StepOutcome.RUNNING  # the events of this turn belong to the behaviour before
    if me.events & _PATH_LOST or spent > int(memory["limit"]):
        return StepOutcome.FAILURE
    if me.events & _ARRIVED:
        return StepOutcome.SUCCESS
    if me.events & _BLOCKED or not me.moving:
        memory["blocked"] = int(memory["blocked"]) + 1
        if int(memory["blocked"]) >= TRIES:
            return StepOutcome.FAILURE
        me.go_to(float(memory["x"]), float(memory["y"]), int(memory["pace"]))
    if memory.get("careful"):
        _slow_down(me, memory)
    if memory.get("glances") and me.settings.glances and me.world.terrain is not None:
        _glance(me, turn.tick, memory)
    elif not memory.get("keeps_gaze"):
        me.look_ahead()
    return StepOutcome.RUNNING


def _slow_down(me: AgentView, memory: Memory) -> None:
    """Slow to a walk once the place is in view.

    Source: Game AI Pro 2, ch. 27, the aggressive approach.
    """
    me.again(GLANCE_CHECK)
    x, y = float(memory["x"]), float(memory["y"])
    if me.distance(x, y) <= float(memory["careful"]) and me.line_to(x, y):
        memory["pace"], memory["careful"] = int(Pace.WALK), 0
        me.change_pace(Pace.WALK)


def _glance(me: AgentView, tick: int, memory: Memory) -> None:
    """Walk on and look into gaps beside the path, in one of three modes."""
    me.again(GLANCE_CHECK)
    if tick < int(memory.get("until", 0)):
        return
    if memory.pop("stood", 0):
        me.go_to(float(memory["x"]), float(memory["y"]), int(memory["pace"]))
    me.look_ahead()
    now = side_reaches(me.world.terrain.opaque, me.x, me.y, me.facing)
    turned = abs(math.remainder(me.facing - float(memory.get("along", me.facing)), math.tau)) > TURNED
    memory["along"] = me.facing
    for word, reach, sign in (("left", now[0], -1), ("right", now[1], 1)):
        before = float(memory.get(word, 0.0)) if not turned else 99.0
        memory[word] = reach
        if not opens(before, reach):
            continue
        angle = me.facing + sign * math.pi / 2
        reaction = reaction_of(me.dice(40 + sign))
        memory["until"] = tick + GLANCE_LASTS[reaction]
        if reaction == Reaction.GLANCE:
            me.look(angle)
        else:
            memory["stood"] = 1
            me.halt()
            me.turn(angle)
        return


GO = Behaviour("go", _go, _go_start)
"""Walk to ``x, y`` at ``pace`` within ``limit`` ticks.

``keeps_gaze``: the skill turns the head. ``careful``: it slows down to a walk so many tiles before a place that
it has in view.
"""


def _look_start(turn: Mind, memory: Memory) -> None:
    me = turn.host
    memory["since"], memory["ahead"] = turn.tick, me.facing
    me.halt()
    world = me.world
    if world.terrain is None or world.sight.bits is None or not me.settings.canvass:
        looks = [me.facing + angle for angle in SWEEP]
    else:
        opaque = world.terrain.opaque
        if memory.get("steps") and me.settings.steps and _begin_steps(me, memory):
            return
        looks = look_about(world.sight.bits, opaque, me.x, me.y, me.facing)
        if "first" in memory and not faces_wall(opaque, me.x, me.y, float(memory["first"])):
            looks = [float(memory["first"]), *looks[:3]]
        looks = looks or [openest(opaque, me.x, me.y, me.facing)]
    memory["looks"], memory["at_x"], memory["at_y"] = len(looks), me.x, me.y
    for k, angle in enumerate(looks):
        memory[f"look{k}"] = angle
    me.turn(looks[0])


def _begin_steps(me: AgentView, memory: Memory) -> bool:
    """Choose turns and steps for a look around; False without room."""
    world = me.world
    if world.sight.bits is None:
        return False
    kind = world.types[int(me.units.kind[me.slot])]
    search = next((s for s in world.searches if me.id in s.searchers), None)
    spots = [(s.x, s.y) for s in search.spots if s.state != SpotState.SEARCHED] if search is not None else []
    time = STEPS_TAKE if search is not None else STEPS_ALONE
    poses = go_about(
        world.sight.bits, world.terrain.opaque, me.standing(), me.x, me.y, me.facing,
        time, SWEEP_TICKS, TICKS_PER_SECOND / kind.walk, spots, _ruled_out(me, search),
    )  # fmt: skip
    if not any((p.x, p.y) != (me.x, me.y) for p in poses):
        return False
    memory["looks"], memory["clip"] = len(poses), -1
    for k, pose in enumerate(poses):
        memory[f"look{k}"], memory[f"x{k}"], memory[f"y{k}"] = pose.heading, pose.x, pose.y
    _next_clip(me, memory)
    return True


def _ruled_out(me: AgentView, search: Search | None) -> NDArray[np.bool_] | None:
    """Return tiles that cannot hold the wanted unit, None without such knowledge.

    The knowledge is that of the searchers.
    """
    known = knowledge_of(me.world, me.side) if search is not None else None
    found = known.map_of(search.target) if known is not None and search is not None else None
    told = found is not None and not found.settled and me.settings.possible
    return found.possible == 0 if found is not None and told else None


def _next_clip(me: AgentView, memory: Memory) -> None:
    k = int(memory["clip"]) + 1
    memory["clip"], memory["walks"] = k, 0
    if k >= int(memory["looks"]):
        return
    x, y, heading = (float(memory[f"{word}{k}"]) for word in ("x", "y", "look"))
    if me.distance(x, y) > 0.6:
        memory["walks"] = 1
        me.go_to(x, y, Pace.WALK)
        me.look(heading)
    else:
        me.turn(_off_the_wall(me, heading))  # comrades may have pushed it


def _step(turn: Mind, memory: Memory) -> StepOutcome:
    """Play the clips: walk to the next pose, look, and go on.

    On the way the eyes are on the direction of the coming look.
    """
    me, spent = turn.host, turn.tick - int(memory["since"])
    heading = float(memory[f"look{int(memory['clip'])}"])
    me.again(GLANCE_CHECK)
    if not spent:
        return StepOutcome.RUNNING
    if memory["walks"]:
        me.look(heading)
        if me.events & (_ARRIVED | _BLOCKED | _PATH_LOST) or not me.moving or spent > STEP_LIMIT:
            me.halt()
            opaque = me.world.terrain.opaque
            me.turn(openest(opaque, me.x, me.y, heading) if faces_wall(opaque, me.x, me.y, heading) else heading)
            memory["walks"], memory["since"] = 0, turn.tick
    elif spent >= SWEEP_TICKS:
        memory["since"] = turn.tick
        _next_clip(me, memory)
        if int(memory["clip"]) >= int(memory["looks"]):
            return StepOutcome.SUCCESS
    return StepOutcome.RUNNING


def _look(turn: Mind, memory: Memory) -> StepOutcome:
    if "clip" in memory:
        return _step(turn, memory)
    spent = turn.tick - int(memory["since"])
    step = spent // SWEEP_TICKS
    if step >= int(memory["looks"]):
        return StepOutcome.SUCCESS
    me, heading = turn.host, float(memory[f"look{step}"])
    if me.world.terrain is not None and me.distance(float(memory["at_x"]), float(memory["at_y"])) > PUSHED:
        heading = _off_the_wall(me, heading)
    me.turn(heading)
    me.again(min(GLANCE_CHECK, SWEEP_TICKS - spent % SWEEP_TICKS))
    return StepOutcome.RUNNING


def _off_the_wall(me: AgentView, heading: float) -> float:
    """Return a heading for a unit pushed since it chose ``heading``.

    It is that heading, or the openest one if a wall is near.
    """
    opaque = me.world.terrain.opaque
    return openest(opaque, me.x, me.y, heading) if faces_wall(opaque, me.x, me.y, heading, HAIR) else heading


LOOK_ABOUT = Behaviour("look about", _look, _look_start)
"""Stand and look around, each time towards the largest unseen part.

Without such a part it looks to both sides (Game AI Pro 2, 33.4.1). With ``steps``, and where ``minds.steps``
allows it, it walks a few steps for a better look where there is room.
"""

SHARED = (GO, LOOK_ABOUT)
