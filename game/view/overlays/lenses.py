"""All overlays, and the ready sets of them on F2 to F7."""

from __future__ import annotations

from game.view.overlays.minds import goals, minds, timeline
from game.view.overlays.motion import candidates, crowds, groups, motion
from game.view.overlays.overlay import REGISTRY, Channel, Overlay
from game.view.overlays.paths import fields, paths, plans, repairs, troubles
from game.view.overlays.search import graphs, ground, jumps, machine, searched
from game.view.overlays.senses import eyes, hiding, quality, senses, stealth, tactics

MODULES = (
    candidates, crowds, eyes, fields, goals, graphs, ground, groups, hiding, jumps, machine, minds, motion, paths,
    plans, quality, repairs, searched, senses, stealth, tactics, timeline, troubles,
)  # fmt: skip
"""Importing these fills the registry."""

LENSES: dict[str, tuple[str, ...]] = {
    "paths": ("flood", "paths", "queue"),
    "motion": ("paths", "whiskers", "motion"),
    "senses": ("sight", "cones", "detection"),
    "ground": ("cost",),
    "squads": ("group", "slots", "candidates"),
    "body": ("body",),
}

_ORDER = (Channel.FILL, Channel.LINE, Channel.MARK, Channel.PANEL)


def all_overlays() -> list[type[Overlay]]:
    """Every registered overlay, fills first."""
    return sorted(REGISTRY.values(), key=lambda cls: (_ORDER.index(cls.channel), cls.title))
