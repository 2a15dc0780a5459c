"""Personalities: weights of the terms of the next position, by role and state.

Source: William van der Sterren, AI Game Programming Wisdom, 5.3 (rifleman, machine gunner and sniper weigh the terms
differently; wounds raise the need for cover; many friends and few threats make a member bold). The source gives no
numbers; these are ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

TERMS = (
    "bunching", "blocked", "blocking", "cover", "contact", "cohesion", "intelligence", "corpses", "closing", "strong",
    "formation",
)  # fmt: skip
"""Names of the eleven terms, in the order of their columns."""
MEANINGS = (
    "Distance from the lines between the nearest threat and each buddy. One burst should not hit two.",
    "Share of the threats within reach whose line of fire from here passes a buddy's body.",
    "Share of the buddies' lines of fire that a body here would block.",
    "Distance from here to the nearest free tile with cover.",
    "Share of the buddies that can be seen from here.",
    "Share of the buddies at a proper distance: neither on top of each other nor out of earshot.",
    "Share of the threats that can be seen and reached from here.",
    "Distance from here to the nearest dead buddy.",
    "Distance from here to the nearest threat, or to the goal while no threat is known.",
    "Cover of the tile itself; slow ground counts against it.",
    "Distance from here to the member's slot of the formation.",
)
"""Meaning of each term, for a reader who has not seen the code."""
WOUNDED = 2.0
"""Factor on the weight of cover at health 0; 1 at full health."""
BOLD = 0.5
"""Share by which superiority changes the weight of closing in."""


@dataclass(frozen=True)
class Personality:
    """Weights of the eleven terms, and the least ticks between two moves."""

    weights: tuple[float, ...]
    dwell: int


PERSONALITIES: Mapping[str, Personality] = MappingProxyType(
    {
        "rifleman": Personality((0.8, -0.6, -2.0, -0.5, 0.2, 0.6, 1.0, 0.3, -1.2, 0.6, -0.2), 40),
        "gunner": Personality((0.5, -1.0, -2.0, -0.8, 0.3, 0.5, 1.5, 0.3, -0.7, 1.0, -0.1), 120),
        "sniper": Personality((0.3, -1.0, -3.0, -1.2, 0.0, 0.2, 1.2, 0.3, 0.5, 1.0, 0.0), 120),
    }
)
"""Personality of each role; a negative weight is a penalty."""


def weights_of(role: str, health: float, friends: int, threats: int) -> NDArray[np.float64]:
    """Return the weights ``float64[11]`` of a role in a state.

    ``health`` is 0..1, ``friends`` counts the member itself. KeyError for an unknown role.
    """
    weights = np.array(PERSONALITIES[role].weights)
    weights[TERMS.index("cover")] *= 1.0 + (WOUNDED - 1.0) * (1.0 - health)
    balance = (friends - threats) / max(friends, threats, 1)
    k = TERMS.index("closing")
    if weights[k] < 0:
        weights[k] *= 1.0 + BOLD * balance
    return weights


def role_of(reach: float, squad_reach: float) -> str:
    """Return the role of a member by the reach of its weapon, in tiles.

    A longer reach than the squad's usual one makes a sniper.
    """
    return "sniper" if reach > squad_reach else "rifleman"
