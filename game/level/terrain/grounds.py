"""What each kind of ground means for walking, sight and cover, and what the names of layers suggest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

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
    "blocker blockers obstacle obstacles unwalkable impassable impassible unpassable barrier barriers fence fences "
    "nowalk notwalkable nonwalkable nowalkable nopass noentry"
)
_LONG = ("collision", "collider", "collidable", "obstacle", "unwalkable", "impassable", "nonwalkable", "notwalkable")
"""Beginnings and ends of words written together, such as ``collisionobjects``, that mean blocked ground."""
_WALL_OBJECTS = _words("wall walls solid solids")
_WATER = _words("water river rivers lake sea ocean lava pit pits hole holes abyss")
_GROUND = _words(
    "ground land grass floor floors terrain path paths road roads bridge bridges island islands dirt sand soil"
)
_NOT = _words("no non not without")
_WALK = _words("walk walkable walking walkables pass passable passage entry enter go")


def role_of_name(name: str) -> str:
    """What a layer's name suggests: ``walls``, ``blocked``, ``water``, ``ground`` or nothing."""
    words = [w.lower() for w in _WORD.findall(name)]
    if any(a in _NOT and b in _WALK for a, b in pairwise(words)):
        return "blocked"
    if _NOT & set(words):
        return ""
    if any(w in _BLOCKED or w.startswith(_LONG) or w.endswith(_LONG) for w in words):
        return "blocked"
    # The last word says what it is: a house floor is a floor, a bridge over water a bridge.
    for word in reversed(words):
        for role, known in (("walls", _WALLS), ("ground", _GROUND), ("water", _WATER)):
            if word in known:
                return role
    return ""


def is_wall_name(text: str) -> bool:
    """Say whether the class or name of one object says that it blocks, such as ``wall`` or ``collision``."""
    words = [w.lower() for w in _WORD.findall(text)]
    if any(a in _NOT and b in _WALK for a, b in pairwise(words)):
        return True
    return not _NOT & set(words) and any(w in _BLOCKED or w in _WALL_OBJECTS or w.startswith(_LONG) for w in words)


BLOCKING_TILE_PROPERTIES = _words(
    "collide collides collidable collision solid blocked blocks blocking obstacle impassable impassible unpassable "
    "unwalkable nonwalkable non_walkable notwalkable not_walkable nowalk no_walk wall"
)
"""Names under which other games mark a tile, layer or object that blocks; true means it does."""


OPENING_TILE_PROPERTIES = _words("passable passible is_passable is_walkable iswalkable canwalk can_walk")
"""Names under which other games mark what can be walked; false means that it blocks."""


def is_marked(given: Mapping[str, object]) -> bool:
    """Say whether a property among ``given`` says that it blocks."""
    for name, value in given.items():
        text = str(value).strip().lower()
        if name.lower() in BLOCKING_TILE_PROPERTIES and text in ("true", "1", "yes"):
            return True
        if name.lower() in OPENING_TILE_PROPERTIES and text in ("false", "0", "no"):
            return True
    return False


VOID = GROUND["void"]
