"""Scene timeline: plays the columns of a scene and keeps its cast in step.

All actors of a scene play the same column. When every main role with a row in it has played its boxes, the behaviours
of all others are cancelled and the whole cast goes to the next column. A supporting actor or an extra that is ready
earlier draws its row again; a main actor holds its last behaviour. An actor that joins later begins in the present
column. A behaviour lasts from the arrival at its place.

Without ``sync`` each actor goes through the columns by itself: the comparison for an exhibit.

Source: "Game AI Pro 2", ch. 11 (timeline orchestration with synchronisation points). Units: ticks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from ai.core.serialization import record
from ai.decision.smart_zones.scene_casting import Part
from ai.decision.smart_zones.scene_script import Category, SceneBehaviour, SceneScript

Dice = Callable[[int, int], float]
"""Die ``n`` of a unit in this tick, in [0, 1)."""
IDLE = -1
NEVER = -1_000_000
"""Tick of the last end before the first scene."""
OVER = (IDLE, IDLE)
"""Round and column of an actor that has played its last column."""
NOTES = 8
"""Lines of a scene's log."""
_CHOICE, _LENGTH = 0, 1


@record
class Actor:
    """Unit in a role: its box, its behaviour, and the progress of it."""

    unit: int
    role: int
    seat: int
    column: int = 0
    round: int = 0
    box: int = -1
    behaviour: str = ""
    since: int = -1
    """Tick from which it plays, -1 on the way to its place."""
    until: int = 0
    done: bool = False
    """It has played its row of the column."""
    cast_at: int = 0
    joined: bool = False
    """Its mind has taken the role."""


@record
class SceneState:
    """Running part of a scene."""

    cast: list[Actor] = field(default_factory=list)
    column: int = IDLE
    round: int = 0
    started: int = -1
    ended: int = NEVER
    why: str = ""
    """Reason of the last end."""
    log: list[tuple[int, str]] = field(default_factory=list)
    """Last events as (tick, text), oldest first."""

    @property
    def running(self) -> bool:
        """Return true between beginning and end."""
        return self.column != IDLE

    def actor(self, unit: int) -> Actor | None:
        """Return the actor of a unit, or None."""
        return next((a for a in self.cast if a.unit == unit), None)

    def note(self, tick: int, text: str) -> None:
        """Add a line to the log."""
        self.log = [*self.log[1 - NOTES :], (tick, text)]


def behaviour_of(script: SceneScript, actor: Actor) -> SceneBehaviour | None:
    """Return the present behaviour of an actor, None while it only waits."""
    return script.behaviours.get(actor.behaviour)


def begin(script: SceneScript, state: SceneState, parts: list[Part], tick: int, dice: Dice) -> None:
    """Begin the scene with a cast, at its first column."""
    state.column, state.round, state.started, state.why = 0, 0, tick, ""
    state.note(tick, f"begins: {script.columns[0].name}")
    join(script, state, parts, tick, dice)


def join(script: SceneScript, state: SceneState, parts: list[Part], tick: int, dice: Dice) -> None:
    """Give parts to units; they begin in the present column."""
    for role, seat, unit in parts:
        actor = Actor(unit, role, seat, cast_at=tick)
        state.cast.append(actor)
        _enter(script, actor, (state.round, state.column), dice)
    state.cast.sort(key=lambda a: a.unit)


def arrive(script: SceneScript, actor: Actor, tick: int, dice: Dice) -> None:
    """Start an actor's behaviour, because it is at its place."""
    actor.since = tick
    behaviour = behaviour_of(script, actor)
    least, most = (behaviour.least, behaviour.most) if behaviour is not None else (1, 1)
    actor.until = tick + least + int(dice(actor.unit, _LENGTH) * (most - least + 1))


def drop(state: SceneState, unit: int) -> None:
    """Take a unit out of the cast."""
    state.cast = [a for a in state.cast if a.unit != unit]


def end(state: SceneState, tick: int, why: str) -> list[int]:
    """End the scene and free its cast; return the ids of the cast."""
    freed = [a.unit for a in state.cast]
    state.cast, state.column, state.ended, state.why = [], IDLE, tick, why
    state.note(tick, f"ends: {why}")
    return freed


def advance(script: SceneScript, state: SceneState, tick: int, dice: Dice, sync: bool = True) -> list[int]:
    """Advance a running scene by one tick; return the ids with another behaviour.

    A cast without a main role or the end of the last round ends the scene, and all are freed.
    """
    cued: set[int] = set()
    if not state.running:
        return []
    for actor in state.cast:
        if actor.since >= 0 and tick >= actor.until and _next_box(script, actor, tick, dice, sync):
            cued.add(actor.unit)
    mains = [a for a in state.cast if script.roles[a.role].category == Category.MAIN]
    if not mains:
        return sorted({*cued, *end(state, tick, "nobody plays a main role")})
    if sync:
        if not all(a.done for a in mains):
            return sorted(cued)
        following = _following(script, state.round, state.column)
        if following != OVER:
            _turn_to(script, state, following, tick)
            for actor in state.cast:
                _enter(script, actor, following, dice)
                cued.add(actor.unit)
            return sorted(cued)
    else:
        for actor in state.cast:
            if actor.done and actor.column != IDLE:
                _enter(script, actor, _following(script, actor.round, actor.column), dice)
                cued.add(actor.unit)
        going = [(a.round, a.column) for a in mains if a.column != IDLE]
        if going:
            if min(going) != (state.round, state.column):
                _turn_to(script, state, min(going), tick)
            return sorted(cued)
    return sorted({*cued, *end(state, tick, "it is over")})


def _turn_to(script: SceneScript, state: SceneState, stage: tuple[int, int], tick: int) -> None:
    """Go to a column of a round."""
    state.round, state.column = stage
    state.note(tick, script.columns[state.column].name)


def _following(script: SceneScript, played: int, column: int) -> tuple[int, int]:
    """Return round and column after a column, or OVER after the last round."""
    if column + 1 < len(script.columns):
        return played, column + 1
    return (played + 1, script.loop) if not script.rounds or played + 1 < script.rounds else OVER


def _enter(script: SceneScript, actor: Actor, stage: tuple[int, int], dice: Dice) -> None:
    """Begin the row of the actor's role in a column of a round.

    A main actor without a row in it is done; others wait.
    """
    actor.round, actor.column = stage
    actor.box = -1
    boxes = script.columns[actor.column].rows.get(script.roles[actor.role].name, ()) if stage != OVER else ()
    actor.done = not boxes
    if boxes:
        _cue(script, actor, 0, dice)
    else:
        actor.behaviour, actor.since = "", -1


def _cue(script: SceneScript, actor: Actor, box: int, dice: Dice) -> None:
    """Choose the behaviour of a box; the actor then has to reach its place."""
    choices = script.columns[actor.column].rows[script.roles[actor.role].name][box]
    left = dice(actor.unit, _CHOICE + 2 * (box + 1)) * sum(weight for _, weight in choices)
    name = choices[-1][0]
    for choice, weight in choices:
        left -= weight
        if left < 0.0:
            name = choice
            break
    actor.box, actor.behaviour, actor.since = box, name, -1


def _next_box(script: SceneScript, actor: Actor, tick: int, dice: Dice, sync: bool) -> bool:
    """Go to the next box of the row; return whether the behaviour is another."""
    if actor.column == IDLE or not actor.behaviour:
        return False
    boxes = script.columns[actor.column].rows[script.roles[actor.role].name]
    if actor.box + 1 < len(boxes):
        _cue(script, actor, actor.box + 1, dice)
        return True
    main = script.roles[actor.role].category == Category.MAIN
    actor.done = actor.done or main or not sync
    if not main and sync:
        _cue(script, actor, 0, dice)
        return True
    return False


TECHNIQUES = (
    {
        "slug": "scene-timeline",
        "name": "Timeline with synchronisation points",
        "ids": ("GP2-11.4",),
        "source": "Game AI Pro 2, ch. 11",
        "functions": ("advance", "join"),
        "test": "tests/ai/decision/smart_zones/test_scene_timeline.py",
        "exhibit": "levels/exhibits/minds/camp.cards.toml",
        "overlay": "scenes",
        "setting": "scenes.sync",
        "measure": "out_of_step",
        "direction": "down",
        "claim": "Alternatives are drawn by dice, not chosen by the actor; the columns are kept as told.",
    },
)
