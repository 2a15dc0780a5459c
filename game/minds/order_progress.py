"""Typed memory of a mind with orders; assigning a new record resets it."""

from __future__ import annotations

from dataclasses import field

from ai.core.serialization import record

NEVER = -100_000
"""A tick before every game: something that has not happened yet."""


@record
class OrderProgress:
    """Progress of a unit with its order."""

    blocked: int = 0
    """Consecutive times that the unit was held up."""
    leg: int = -1
    """End of the patrol it walks to, 0 or 1; -1 without a patrol."""
    ends: list[float] = field(default_factory=list)
    """Both ends of its patrol: x0, y0, x1, y1 in tiles."""
    handle: int = -1
    """Handle of the act that its mind waits for."""
    mark: int = -1
    """State of the thing before its hands were on it."""
    target_known: int = 0
    """Tick at which its side last saw the target."""
    target_far: int = 0
    """Tick from which it has not come within reach of the target."""


@record
class SoldierBeliefs:
    """Beliefs of a soldier."""

    order: OrderProgress = field(default_factory=OrderProgress)
    shot_at: int = NEVER
    """Tick at which it was shot at or hit last."""
    cover: tuple[float, float] | None = None
    """Place that it last found to take cover, tiles."""
    cover_tick: int = NEVER
    """Tick of the shot for which it looked for cover."""
    flees: bool = False
    """True if that place is no cover, but away from its enemies."""
