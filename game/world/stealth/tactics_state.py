"""Tactics state: learned danger by side, and caches that follow from the map."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ai.core.serialization import digested_by, record
from ai.influence.frag_map import FragMap
from ai.perception.memory.danger_regions import DangerRegions


@record
class SideFrags:
    """Learned danger of one side: where its units were hit.

    ``stored: float64[H, W]`` times ``scale`` is the value of a tile, as in ``ai.influence.frag_map``.
    """

    side: int
    stored: np.ndarray = digested_by("hits")
    scale: float = 1.0
    hits: int = 0
    """Number of hits logged so far."""

    def map(self) -> FragMap:
        """Return the frag map over the stored values."""
        return FragMap(self.stored, 1.0, self.scale)

    def log(self, victim: tuple[int, int], attacker: tuple[int, int] | None, keep: float) -> None:
        """Log one hit at tiles (y, x); an unseen attacker is None."""
        self.stored = self.stored.copy()  # snapshots may share the old one
        frags = FragMap(self.stored, keep, self.scale)
        frags.log(victim, attacker)
        self.scale = frags.scale
        self.hits += 1


def vector_key(side: int, enemy: int) -> int:
    """Return the key of a side's combat vector at an enemy."""
    return side << 32 | enemy


@record
class Tactics:
    """State of tactics that lasts from tick to tick."""

    frags: list[SideFrags] = field(default_factory=list)
    vectors: dict[int, tuple[float, float]] = field(default_factory=dict)
    """Smoothed combat vector of a side at an enemy, by :func:`vector_key`."""
    vectors_at: dict[int, int] = field(default_factory=dict)
    """Tick of the last smoothing, by :func:`vector_key`."""
    plans: int = 0
    """Flank routes planned so far."""
    flips: int = 0
    """Flank routes that passed the enemy on the other side than the plan before."""
    posts: dict[int, tuple[float, float]] = field(default_factory=dict)
    """Place that each unit has taken or goes to, by unit id."""
    asides: dict[int, tuple[float, float, int]] = field(default_factory=dict)
    """Steps aside by unit id: place in tiles, and tick of the end."""
    dangers: DangerRegions = field(default_factory=DangerRegions)
    clamped: int = 0
    """Tiles of route costs that were below the least cost, over all plans."""
    queries: int = 0
    """Number of queries for places so far."""


@dataclass
class TacticsCache:
    """Caches that follow from the map and the data files."""

    revision: int = -1
    grounds: dict[int, Any] = field(default_factory=dict)
    """Tactical ground by movement class."""
    selectors: dict[str, Any] = field(default_factory=dict)
    layers: list[Any] = field(default_factory=list)
    """Rows of influence layers, as the data file has them."""
    view: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    """Share of the tiles around that each tile sees, ``float64[H, W]``."""
    view_digest: int = -1
    stamps: dict[Any, Any] = field(default_factory=dict)
    """Stamps of influence, as ``ai.influence.limited_spread`` keeps them."""
    stamps_revision: int = -1
