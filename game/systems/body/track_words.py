"""Words for the tracks of a body: the acts that hold them, and time-outs.

They also count the orders of the last second. The inspector shows them. They read the world and change nothing.
"""

from __future__ import annotations

import numpy as np

from ai.animation.tracks.act_deadlines import ACT, BARRED, DEADLINE
from ai.animation.tracks.act_deadlines import UNIT as WATCHED
from ai.animation.tracks.act_kinds import REPORTS, START_OF, ActStage, Track
from ai.animation.tracks.order_spam import TICK
from ai.animation.tracks.order_spam import UNIT as ORDERED
from ai.animation.tracks.track_controller import BEGUN, KIND, LENGTH, SLOT, STAGE, TRACKS
from game.world.rules.act_table import WORDS
from game.world.world import World

_TICKS_A_SECOND = 20


def track_rows(world: World, unit: int) -> list[tuple[str, str]]:
    """Return rows (tracks, acts) of a unit.

    Tracks with the same acts share a row. A body without acts is one row. Rows for the time-out and for the orders of
    the last second follow.
    """
    acts = world.acts.acts_of(unit)
    if len(acts):
        held: dict[str, list[str]] = {}
        for track in Track:
            words = ", ".join(act_words(world, row) for row in acts if row[TRACKS] & track) or "free"
            held.setdefault(words, []).append(str(track.name).lower())
        rows = [(", ".join(names), words) for words, names in held.items()]
    else:
        rows = [("body", "free")]
    return rows + _time_out_rows(world, unit) + _order_rows(world, unit)


def act_words(world: World, row: np.ndarray) -> str:
    """Return an act with its stage and the time that is left."""
    kinds, kind = world.acts.kinds, int(row[KIND])
    name = WORDS[kind]
    if row[STAGE] == ActStage.STOP:
        return f"{name} fades"
    begins = "next: " if row[SLOT] else ""
    if row[STAGE] == ActStage.START:
        return f"{begins}{name} winds up"
    left = int(row[BEGUN] + kinds[kind, START_OF] + row[LENGTH]) - world.tick
    if left <= 0 and kinds[kind, REPORTS]:
        return f"{begins}{name} waits for success"
    return f"{begins}{name} for {_seconds(left)}" if row[LENGTH] else f"{begins}{name}"


def _time_out_rows(world: World, unit: int) -> list[tuple[str, str]]:
    found = world.deadlines.rows[world.deadlines.rows[:, WATCHED] == unit]
    rows = []
    for row in found:
        name = WORDS[int(row[ACT])]
        if row[BARRED] < 0:
            rows.append(("time-out", f"{name} ends in {_seconds(int(row[DEADLINE]) - world.tick)}"))
        elif row[BARRED] > world.tick:
            rows.append(("barred", f"{name} for {_seconds(int(row[BARRED]) - world.tick)}"))
    return rows


def _order_rows(world: World, unit: int) -> list[tuple[str, str]]:
    spam = world.order_spam
    recent = (spam.log[:, ORDERED] == unit) & (spam.log[:, TICK] > world.tick - spam.window)
    if not recent.any():
        return []
    named = unit in spam.named and world.tick - spam.named[unit] < spam.window
    return [("acts ordered", f"{int(recent.sum())} in the last second{': too many' if named else ''}")]


def _seconds(ticks: int) -> str:
    return f"{max(0, ticks) / _TICKS_A_SECOND:.1f} s"
