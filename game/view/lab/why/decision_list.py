"""Decisions of a unit in the last 30 s, and their explanation."""

from __future__ import annotations

import math
from typing import Any

from ai.decision.decision_trace import MESSAGE, TICKS_PER_SECOND, TraceEntry, next_best

SECONDS = 30
MOST = 80
"""Entries that are read; a unit that decides more often shows fewer seconds."""


def last_decisions(world: Any, unit: int) -> list[TraceEntry]:
    """Return decisions and percepts of the last 30 s, newest first."""
    if world.trace is None:
        return []
    since = world.tick - SECONDS * TICKS_PER_SECOND
    return [e for e in world.trace.last(unit, MOST) if e.tick >= since and e.kind != MESSAGE]


def why_the_second_lost(entry: TraceEntry) -> str:
    """Return why the best of the other options lost, or "" if there was none."""
    second, scores = next_best(entry), dict(entry.considered)
    if not second or entry.winner not in scores:
        return ""
    by = scores[entry.winner] - scores[second]
    return f"{second} lost by {by:.2f}" if by > 0 else f"{second} ranks below {entry.winner}"


def belief_and_truth(world: Any, unit: int) -> list[tuple[str, str, str, str]]:
    """Return rows (what, believed, true, difference) about the target of a unit's meter.

    Places are in tiles, ages in seconds. The list is empty without a target.
    """
    u = world.units
    slot = u.slot(unit)
    target = int(u.meter_target[slot])
    if target < 0 or target not in {int(i) for i in u.id[: u.count]}:
        return []
    at = u.slot(target)
    seen, true = (float(u.seen_x[slot]), float(u.seen_y[slot])), (float(u.x[at]), float(u.y[at]))
    off = math.dist(seen, true)
    age = max(0, world.tick - int(u.seen_tick[slot])) / TICKS_PER_SECOND
    state = "alive" if u.alive[at] else "dead"
    return [
        ("place", f"{seen[0]:.1f}, {seen[1]:.1f}", f"{true[0]:.1f}, {true[1]:.1f}", f"{off:.1f} tiles"),
        ("last seen", f"{age:.1f} s ago", state, f"meter {float(u.meter[slot]):.2f}"),
    ]
