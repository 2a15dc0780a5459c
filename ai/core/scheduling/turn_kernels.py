"""Turns inside kernels: the same rule as :func:`ai.core.scheduling.periods.whose_turn`."""

from __future__ import annotations

from ai.core.kernels import device


@device
def has_turn(tick: int, member: int, period: int) -> bool:
    """Return whether a member runs in ``tick``.

    It runs once in ``period`` ticks, by its id alone.
    """
    return (tick + member) % period == 0
