"""Words for a squad's manoeuvre, its stage, and the role of each member.

The HUD and the overlay read them; no mind does. Source of the elements: William van der Sterren, AI Game Programming
Wisdom, 5.4 (one element manoeuvres while the other one fires).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from ai.decision.execution.execution_dag import PlanStep, StepState
from ai.squad.manoeuvres.manoeuvre import ManoeuvreStage, MemberTask, SquadTask
from ai.squad.manoeuvres.suppress_and_flank import flank_steps
from game.minds.squad.intents import INTENTS
from game.world.groups.squads import Squad

MANOEUVRE_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "bound_forward": "bounding advance", "pull_back": "pull back by bounds",
        "suppress_and_flank": "suppress and flank", "flank_left": "flank left", "flank_right": "flank right",
        "clear_room": "clear the room", "fall_back": "fall back", "hold_ground": "hold ground",
        "search_house": "search the house", "door_assault": "attack through all doors",
        "suppress": "suppress", "cover_exits": "cover the exits", "charge": "charge",
        "fire_and_movement": "fire and movement",
    }
)  # fmt: skip
"""Player's words for each manoeuvre."""
STAGE_WORDS = {
    ManoeuvreStage.BRIEF: "plans", ManoeuvreStage.MOVE_TO_START: "moves to the start",
    ManoeuvreStage.EXECUTE: "executes", ManoeuvreStage.DONE: "is done", ManoeuvreStage.ABORTED: "was broken off",
}  # fmt: skip
ROOM_FRAMES = "stacks at the door", "goes in", "flanks the door inside", "holds the room"
"""Words for the phases of a room script."""
FLANKS = "suppress_and_flank", "flank_left", "flank_right"
"""Manoeuvres whose team 0 fires and whose team 1 moves round the enemy."""
Pairs = list[tuple[int, int]]
FIRE, MANOEUVRE = 0, 1
"""Elements of a squad: fire element and manoeuvre element."""


def manoeuvre_words(kind: str) -> str:
    """Return the player's words for a manoeuvre."""
    return MANOEUVRE_WORDS.get(kind, kind.replace("_", " "))


def element_of(task: SquadTask, row: int) -> int:
    """Return the element of a member: FIRE or MANOEUVRE.

    The teams of a flank keep their element. In all other manoeuvres the members that move are the manoeuvre element.
    """
    if task.kind in FLANKS:
        return MANOEUVRE if task.team[row] else FIRE
    return FIRE if task.task[row] == MemberTask.COVER else MANOEUVRE


def role_of(task: SquadTask, row: int) -> str:
    """Return the role of a member in one word."""
    what = int(task.task[row])
    if what == MemberTask.ASSAULT:
        return "assaults"
    if task.kind in FLANKS:
        return "flanks" if task.team[row] else "fires"
    return "covers" if what == MemberTask.COVER else "runs"


def phase_words(squad: Squad) -> str:
    """Return the stage and phase of a squad's manoeuvre, or why it has none."""
    task = squad.task
    if task is None:
        words = INTENTS[squad.intent].words if squad.intent in INTENTS else ""
        return f"rests; order: {words}" if squad.rests and words else f"order: {words}" if words else "has no order"
    words = STAGE_WORDS[ManoeuvreStage(task.stage)]
    if task.stage == ManoeuvreStage.EXECUTE and task.run is not None and task.phase:
        return f"{words}: {ROOM_FRAMES[min(int(task.phase), len(ROOM_FRAMES)) - 1]}"
    if task.stage == ManoeuvreStage.EXECUTE and len(task.spots) > 1:
        return f"{words}: step {min(int(max(task.phase, 1)), len(task.spots))} of {len(task.spots)}"
    return words


def steps_of(task: SquadTask) -> tuple[tuple[PlanStep, StepState], ...]:
    """Return the steps of a manoeuvre's plan, and the set that each is in."""
    if task.dag is None:
        return ()
    steps = flank_steps(len(task.spots))
    return tuple((step, StepState(int(state))) for step, state in zip(steps, task.dag.state, strict=True))


def cover_rows(task: SquadTask, x: NDArray[np.float64], y: NDArray[np.float64], alive: NDArray[np.bool_]) -> Pairs:
    """Return (row that covers, row that it covers) of a manoeuvre now.

    A member that covers covers the nearest living member that moves.
    """
    moving = np.flatnonzero(alive & (task.task != MemberTask.COVER))
    covering = np.flatnonzero(alive & (task.task == MemberTask.COVER))
    if not len(moving):
        return []
    nearest = np.hypot(x[covering, None] - x[moving], y[covering, None] - y[moving]).argmin(axis=1)
    return [(int(row), int(moving[k])) for row, k in zip(covering, nearest, strict=True)]
