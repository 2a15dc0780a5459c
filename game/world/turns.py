"""Whose turn it is in each work of the world that not everybody can have in every tick (ai.scheduling)."""

from __future__ import annotations

from dataclasses import field

from ai.scheduling.detail import DetailShares
from ai.scheduling.round_robin import RoundRobin
from ai.state import record


@record
class Turns:
    """The rings that go on from tick to tick: minds with an event, minds without one; eyes and walkers by level of
    detail."""

    woken: RoundRobin = field(default_factory=RoundRobin)
    minds: RoundRobin = field(default_factory=RoundRobin)
    eyes: DetailShares = field(default_factory=DetailShares)
    strides: list[int] = field(default_factory=list)
    """Every how many ticks a walker of each class looks out for others; empty: each in every tick."""
