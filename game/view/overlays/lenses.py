"""All overlays, and their prepared sets on F2 to F7."""

from __future__ import annotations

from game.view.overlays.minds import (
    body_overlays,
    detail_overlay,
    goal_queue_overlay,
    mind_overlays,
    scene_overlay,
    timeline_overlay,
    twinning_overlay,
)
from game.view.overlays.motion import (
    candidate_overlay,
    crowd_overlays,
    footprint_overlay,
    group_overlays,
    motion_overlays,
    waiting_overlays,
)
from game.view.overlays.overlay import REGISTRY, Channel, Overlay
from game.view.overlays.paths import flow_field_overlays, obstacle_overlays, path_overlays, plan_overlay, repair_overlay
from game.view.overlays.search import (
    graph_overlays,
    ground_overlays,
    jump_overlays,
    modular_astar_overlays,
    searched_overlays,
)
from game.view.overlays.senses import (
    eye_overlay,
    hiding_overlays,
    quality_overlays,
    sense_overlays,
    stealth_overlays,
    tactics_overlays,
)
from game.view.overlays.tactics import (
    approach_overlay,
    cover_overlay,
    danger_overlay,
    fire_overlays,
    influence_overlays,
    place_overlays,
    squad_overlay,
    token_overlays,
)

MODULES = (
    approach_overlay,
    body_overlays,
    candidate_overlay,
    cover_overlay,
    crowd_overlays,
    danger_overlay,
    detail_overlay,
    eye_overlay,
    fire_overlays,
    flow_field_overlays,
    footprint_overlay,
    goal_queue_overlay,
    graph_overlays,
    ground_overlays,
    group_overlays,
    hiding_overlays,
    influence_overlays,
    jump_overlays,
    mind_overlays,
    modular_astar_overlays,
    motion_overlays,
    obstacle_overlays,
    path_overlays,
    place_overlays,
    plan_overlay,
    quality_overlays,
    repair_overlay,
    scene_overlay,
    searched_overlays,
    sense_overlays,
    squad_overlay,
    stealth_overlays,
    tactics_overlays,
    timeline_overlay,
    token_overlays,
    twinning_overlay,
    waiting_overlays,
)
"""Overlay modules; importing them fills the registry."""

LENSES: dict[str, tuple[str, ...]] = {
    "paths": ("flood", "paths", "queue"),
    "motion": ("paths", "whiskers", "motion"),
    "senses": ("sight", "cones", "detection"),
    "ground": ("cost",),
    "squads": ("squads", "group", "slots"),
    "body": ("body", "scenes"),
}

_ORDER = (Channel.FILL, Channel.LINE, Channel.MARK, Channel.PANEL)


def all_overlays() -> list[type[Overlay]]:
    """Return every registered overlay, fills first."""
    return sorted(REGISTRY.values(), key=lambda cls: (_ORDER.index(cls.channel), cls.title))
