"""What each kind of ground means for walking, sight and cover, and what the names of layers suggest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from game.level.model import GROUND
from game.level.passability_masks import ALL, WADE


@dataclass(frozen=True)
class GroundRule:
    """Defaults of a ground: passability mask, cost in eighths, opacity, cover, loudness of a step."""

    passable: int = ALL
    cost: int = 8
    opaque: int = 0
    cover: int = 0
    noise: int = 8
    """Loudness of a step in eighths."""


RULES: dict[str, GroundRule] = {
    "grass": GroundRule(noise=6),
    "field": GroundRule(cost=10, cover=1, noise=7),
    "road": GroundRule(),
    # Trees hide what is behind them; who stands at their edge looks out and can be seen.
    "wood": GroundRule(cost=12, opaque=1, cover=2),
    "water": GroundRule(passable=WADE, noise=12),
    "reeds": GroundRule(cost=20, cover=3, noise=10),
    "stone": GroundRule(),
    "gravel": GroundRule(noise=14),
    "wall": GroundRule(passable=0, opaque=1),
    "bridge_stone": GroundRule(),
    "bridge_plank": GroundRule(noise=10),
    "floor": GroundRule(),
    "void": GroundRule(),
}

METAL = 18
"""Eighths: a walkable tile as loud as this rings, so it is iron, and painted as a grating."""

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[^\W\d_]+")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WALLS = _words("wall walls solid solids building buildings house houses")
_BLOCKED = _words(
    "collision collisions collide collides collider colliders collidable collidables block blocks blocked blocking "
    "blocker blockers obstacle obstacles unwalkable impassable barrier barriers fence fences"
)
_WATER = _words("water river rivers lake sea ocean lava pit pits hole holes abyss")
_GROUND = _words(
    "ground land grass floor floors terrain path paths road roads bridge bridges island islands dirt sand soil"
)
_NOT = _words("no non not without")


def role_of_name(name: str) -> str:
    """What a layer's name suggests: ``walls``, ``blocked``, ``water``, ``ground`` or nothing."""
    words = {w.lower() for w in _WORD.findall(name)}
    if words & _NOT:
        return ""
    for role, known in (("blocked", _BLOCKED), ("walls", _WALLS), ("ground", _GROUND), ("water", _WATER)):
        if words & known:
            return role
    return ""


BLOCKING_TILE_PROPERTIES = _words(
    "collide collides collidable collision solid blocked blocks blocking obstacle impassable unwalkable wall"
)
"""Names under which other games mark a tile, layer or object that blocks; true means it does."""


def is_marked(given: Mapping[str, object]) -> bool:
    """Say whether a true property with a blocking name is among ``given``."""
    return any(n.lower() in BLOCKING_TILE_PROPERTIES and str(v).lower() in ("true", "1") for n, v in given.items())


VOID = GROUND["void"]
