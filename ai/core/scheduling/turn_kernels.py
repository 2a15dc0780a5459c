"""The one clock inside kernels: whose turn it is by his id, as :func:`ai.core.scheduling.periods.whose_turn` has it."""

from __future__ import annotations

from ai.core.kernels import device


@device
def has_turn(tick: int, member: int, period: int) -> bool:
    """Whether a member has its turn in ``tick``: once in ``period`` ticks, by its id alone."""
    return (tick + member) % period == 0
