"""Action table: data that chooses a clip by condition and action.

A row names a condition (such as a weapon in hand), an action (such as walk) and a clip. A query with no row of its own
falls back to the default condition, so one default clip an action is enough and a new weapon is data, not code. Several
rows of one key are variants in ascending order of skill: one is drawn, and ``unlocked`` limits the draw to the first
ones. Each row carries a descriptor that tells the caller which kind of move was drawn, for its sound or its damage.

Conditions and actions are integers from 0 to 65,535; condition 0 is the default. A key packs both in 32 bits.

Source: "AI Game Programming Wisdom", 2.3 (data-driven animation selection; variants, descriptors, unlocking).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ai.core.rand import Stream, below

T = TypeVar("T")
DEFAULT = 0
"""The condition that stands in for all others."""


@dataclass(frozen=True)
class Clip:
    """Clip of a row and what it shows."""

    name: str
    descriptor: str = ""


def packed(condition: int, action: int) -> int:
    """Return the 32-bit key of a condition and an action."""
    if not (0 <= condition <= 0xFFFF and 0 <= action <= 0xFFFF):
        raise ValueError(f"condition {condition} and action {action} must be from 0 to 65535")
    return condition << 16 | action


class ActionTable:
    """Clips by condition and action."""

    def __init__(self, rows: Iterable[tuple[int, int, Clip]]) -> None:
        self.variants: dict[int, tuple[Clip, ...]] = {}
        for condition, action, clip in rows:
            key = packed(condition, action)
            self.variants[key] = (*self.variants.get(key, ()), clip)

    def choose(self, condition: int, action: int, draw: float = 0.0, unlocked: int = 0) -> Clip | None:
        """Return a clip, or None if the action has no default either.

        ``draw`` in [0, 1) picks among the variants; ``unlocked`` above 0 allows the first so many only.
        """
        found = self.variants.get(packed(condition, action)) or self.variants.get(packed(DEFAULT, action))
        if not found:
            return None
        allowed = min(len(found), unlocked) if unlocked > 0 else len(found)
        return found[min(int(draw * allowed), allowed - 1)]

    def without_default(self) -> list[int]:
        """Return the actions that have no default clip, ascending: faults of the data."""
        actions = {key & 0xFFFF for key in self.variants}
        return sorted(a for a in actions if packed(DEFAULT, a) not in self.variants)


def drawn_variant(variants: int, tick: int, unit: int) -> int:
    """Return the variant that a unit draws at a tick."""
    return below(variants, 0, Stream.DECORATION, tick, unit, 1)


def allowed(variants: Sequence[T], drawn: bool) -> Sequence[T]:
    """Return the variants that a draw may take: all, or the first one alone."""
    return variants if drawn else variants[:1]


TECHNIQUES = (
    {
        "slug": "action-table",
        "name": "Action table with defaults and variants",
        "ids": ("AW-2.3-1", "AW-2.3-2"),
        "source": "AI Game Programming Wisdom, 2.3",
        "functions": ("ActionTable.choose", "drawn_variant", "allowed"),
        "test": "tests/ai/animation/test_action_table.py",
        "exhibit": "levels/exhibits/minds/cheering.variants.toml",
        "overlay": "twins",
        "setting": "figures.variants",
        "measure": "repeats",
        "direction": "down",
        "claim": (
            "Figures choose clips by stance and act, and a gesture of a scene draws one of its variants. Moves "
            "unlocked by skill and descriptors are in the library only."
        ),
    },
)
