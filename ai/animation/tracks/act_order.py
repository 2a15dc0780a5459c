"""Act order: one use of a kind of act by a unit.

A mind gives it to a body. Times are ticks.
"""

from __future__ import annotations

from ai.core.serialization import record

ENDLESS = 0
"""Length of an act that goes on until it is ended."""
NO_DEADLINE = 1 << 60


@record
class ActOrder:
    """Order for an act.

    ``kind`` is a row of the table of kinds; ``target`` an id, -1 for none; ``value`` a number of the kind, such as an
    angle in radians.
    """

    unit: int
    kind: int
    length: int = ENDLESS
    """Ticks of the work after the wind-up."""
    target: int = -1
    value: float = 0.0
    deadline: int = NO_DEADLINE
    """Tick at which an act that has not ended fails."""
