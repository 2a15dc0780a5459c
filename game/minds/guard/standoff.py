"""Standoff with a visible, unreachable enemy: shoot, then back off in turns.

One covers while the other runs. Source: Martin Walsh, Game AI Pro 2, ch. 28, 28.5.2 (unreachable targets; no unit
here has a grenade, so it is the second branch: announced, in turns, into cover out of the enemy's sight). Times
are ours.
"""

from __future__ import annotations

import numpy as np

from ai.core.scheduling.periods import beat
from ai.decision.skills import MindTurn
from ai.perception.sight.line_of_sight import lines_clear
from ai.tactics.place_quality import cover_quality, views, visibility_quality
from game.minds.agent_view import AgentView
from game.minds.guard.belief_records import StandoffState, beliefs_of
from game.systems.stealth.side_balance import balance_of
from game.world.units import Pace

Guard = MindTurn[AgentView]

NO_EFFECT = 80
"""Ticks of shooting without effect after which they back off."""
TURN = 30
"""Ticks of each bound."""
TOGETHER = 15.0
"""Comrades so near bound together."""
SEARCHED = 16
"""Tiles around within which cover is looked for."""
HIDES = 100
"""Ticks behind cover before they come back to look."""
CANDIDATES = 24
WATCH = 4


def out_of_reach(me: AgentView) -> bool:
    """Return true if no path leads to the visible enemy."""
    return me.settings.fall_back and me.world.terrain is not None and not me.can_reach(*me.seen)


def in_vain(turn: Guard) -> bool:
    """Return true after enough shots at an enemy out of reach."""
    since = _standoff(turn).since
    return since >= 0 and turn.tick - since > NO_EFFECT and out_of_reach(turn.host)


def mates(me: AgentView) -> list[int]:
    """Return ids of nearby guards against the same enemy, ascending, own id included."""
    u, found = me.units, [me.id]
    quarry = beliefs_of(me.world, me.id).combat.enemy.unit
    for slot in u.living(me.side).tolist():
        unit = int(u.id[slot])
        mind = me.world.minds.get(unit)
        if unit == me.id or mind is None or mind.skill != "fight":
            continue
        near = me.distance(float(u.x[slot]), float(u.y[slot])) <= TOGETHER
        if near and 0 <= quarry == beliefs_of(me.world, unit).combat.enemy.unit:
            found.append(unit)
    return sorted(found)


def _standoff(turn: Guard) -> StandoffState:
    state: StandoffState = turn.beliefs.combat.standoff
    return state


def refuge(me: AgentView, x: float, y: float) -> tuple[float, float] | None:
    """Return a reachable tile out of sight of (x, y), or None.

    It is near, and where the own side is strong.
    """
    world = me.world
    height, width = world.terrain.opaque.shape
    y0, y1 = max(0, int(me.y) - SEARCHED), min(height, int(me.y) + SEARCHED + 1)
    x0, x1 = max(0, int(me.x) - SEARCHED), min(width, int(me.x) + SEARCHED + 1)
    movement_class = int(me.units.movement_class[me.slot])
    labels = world.components.label_map(movement_class)
    tiles = np.argwhere(labels[y0:y1, x0:x1] == world.components.label(movement_class, int(me.y), int(me.x))) + (y0, x0)
    if not len(tiles):
        return None
    ends = tiles.astype(np.int32)
    ty, tx = min(max(int(y), 0), height - 1), min(max(int(x), 0), width - 1)
    starts = np.broadcast_to(np.array([ty, tx], np.int32), ends.shape).copy()
    hidden = ends[~lines_clear(world.terrain.opaque, starts, ends).astype(bool)]
    if not len(hidden):
        return None
    taken = [beliefs_of(world, unit).combat.standoff.cover for unit in mates(me) if unit != me.id]
    far = np.hypot(hidden[:, 1] + 0.5 - me.x, hidden[:, 0] + 0.5 - me.y)
    worth = -0.3 * far
    if me.settings.balance:
        worth += me.settings.balance * balance_of(world, me.side)[hidden[:, 0], hidden[:, 1]]
    for cover in taken:
        if cover is not None:
            gap = np.hypot(hidden[:, 1] + 0.5 - cover[0], hidden[:, 0] + 0.5 - cover[1])
            worth[gap < 1.2] -= 100.0
    # Among the best places, choose by cover and by the number of tiles that see the place (AI for Games, 6.1, 6.2).
    few = np.argsort(-worth, kind="stable")[:CANDIDATES]
    standing = labels == world.components.label(movement_class, int(me.y), int(me.x))
    if me.settings.quality:
        worth[few] += cover_quality(world.terrain.opaque, hidden[few], standing)
    if me.settings.quality and world.sight.bits is not None:
        seen_from = views(world.sight.bits, world.terrain.opaque, hidden[few]) / 400.0
        worth[few] -= seen_from + 0.2 * visibility_quality(world.terrain.opaque, hidden[few])
    best = int(few[np.argmax(worth[few])])
    return float(hidden[best, 1]) + 0.5, float(hidden[best, 0]) + 0.5


def enter(turn: Guard) -> None:
    """Say it, once for all of them, and choose where to go."""
    me, state = turn.host, _standoff(turn)
    me.aim(-1)
    state.threat = me.seen
    state.cover = refuge(me, *me.seen) or (me.x, me.y)
    state.began = turn.tick
    if mates(me)[0] == me.id:
        me.bark("fall_back")
        me.happen("unreachable", me.quarry)
    update(turn)


def update(turn: Guard) -> None:
    """Alternate the halves: one runs, the other faces the enemy and shoots."""
    me, state = turn.host, _standoff(turn)
    me.again(WATCH)
    x, y = state.cover or (me.x, me.y)
    fx, fy = state.threat
    if me.distance(x, y) < 0.8:
        if me.moving:
            me.halt()
        me.turn(me.angle_to(fx, fy))
        if turn.tick - state.began > HIDES:
            give_up(turn)
        return
    team = mates(me)
    runs = len(team) == 1 or (beat(turn.tick, TURN) + team.index(me.id)) % 2 == 0
    if runs:
        me.aim(-1)
        if not me.heads_for(x, y):
            me.go_to(x, y, Pace.RUN)
        me.look(me.angle_to(fx, fy))
        return
    if me.moving:
        me.halt()
    if me.sees_enemy:
        me.turn(me.angle_to(*me.seen))
        me.aim(me.quarry)
    else:
        me.aim(-1)
        me.turn(me.angle_to(fx, fy))


def give_up(turn: Guard) -> None:
    """End the standoff after enough time in cover; a search follows.

    The search finds out if the enemy is still there.
    """
    turn.beliefs.combat.standoff = StandoffState()
    turn.set_state("Run", "it has waited in cover")


TECHNIQUES = (
    {
        "slug": "unreachable-target",
        "name": "Retreat from an unreachable attacker",
        "ids": ("GP2-28.16",),
        "source": "Game AI Pro 2, ch. 28",
        "functions": ("out_of_reach", "refuge"),
        "test": "tests/game/minds/test_tactics_in_play.py",
        "exhibit": "levels/exhibits/stealth/over_the_water.toml",
        "overlay": "minds",
        "setting": "minds.fall_back",
        "measure": "walked",
        "reason": "The distance walked shows that the runs differ; the technique promises no shorter or longer walk.",
        "claim": "No grenades: the second branch only, into cover in turns.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
