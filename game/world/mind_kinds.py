"""Kinds of mind and their abilities: one entry for each kind.

Every floor asks this table what a mind can do.  The code of a kind is in ``game.minds`` (``Mind``); unit types name
the kind in ``assets/data/units.toml``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Ability = Literal["watches", "patrols", "misses", "repairs"]


@dataclass(frozen=True)
class MindKind:
    """Abilities of a mind of one kind."""

    name: str
    watches: bool = False
    """Its eyes identify enemies for its side, and stimuli concern it."""
    patrols: bool = False
    """It has a routine of its own, so it thinks without an order."""
    misses: bool = False
    """It notices that a comrade is missing."""
    repairs: bool = False
    """It restores changed doors and lamps without a tool."""


MIND_KINDS = {
    kind.name: kind
    for kind in (
        MindKind("soldier"),
        MindKind("guard", watches=True, patrols=True, misses=True, repairs=True),
    )
}


class HasMind(Protocol):
    """A unit type, as far as this table needs it."""

    @property
    def mind(self) -> str:
        """Name of the kind of mind."""


def mind_can(kind: HasMind, ability: Ability) -> bool:
    """Return whether the mind of a unit type has an ability."""
    return bool(getattr(MIND_KINDS[kind.mind], ability))


def minds_that(types: Iterable[HasMind], ability: Ability) -> NDArray[np.bool_]:
    """Return bool[types], read-only: the unit types whose mind has an ability."""
    return _minds_that(tuple(kind.mind for kind in types), ability)


@lru_cache(maxsize=256)
def _minds_that(minds: tuple[str, ...], ability: Ability) -> NDArray[np.bool_]:
    """Return :func:`minds_that` for the names of the kinds of mind.

    Several stages ask for it in each tick.
    """
    able = np.array([getattr(MIND_KINDS[mind], ability) for mind in minds], bool)
    able.setflags(write=False)
    return able
