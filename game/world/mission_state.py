"""Mission: objectives, triggers and status.

The rules that advance it are in game.sim.mission_rules.
"""

from __future__ import annotations

from dataclasses import field

from ai.core.serialization import record


@record
class Objective:
    """Something asked of the player; kinds as in game.level.model.Objective."""

    id: int
    name: str
    kind: str
    text: str
    target: str
    region: str
    optional: bool
    done: bool = False
    done_tick: int = -1


@record
class Trigger:
    """Trigger: when ``on`` happens to ``source``, ``does`` to ``target`` after ``delay`` ticks."""

    id: int
    name: str
    on: str
    source: str
    does: str
    target: str
    text: str
    delay: int
    once: bool
    side: int = 1
    intent: str = "hold"
    fired: bool = False
    due: int = -1
    cried_by: int = -1
    """Guard that raised the alarm, -1 for other causes, at ``x, y``, at tick ``since``."""
    x: float = 0.0
    y: float = 0.0
    since: int = -1


@record
class Mission:
    """Mission state.

    ``status``: sandbox (no objectives), running, won or lost.
    """

    status: str = "sandbox"
    objectives: list[Objective] = field(default_factory=list)
    triggers: list[Trigger] = field(default_factory=list)
    ended: int = -1
    reason: str = ""
    alarms: int = 0
    losses: int = 0
    identified: int = 0

    def current(self) -> Objective | None:
        """Return the first objective not yet done, required ones first."""
        open_ones = [o for o in self.objectives if not o.done]
        return next((o for o in open_ones if not o.optional), open_ones[0] if open_ones else None)
