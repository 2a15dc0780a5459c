"""Rules of grounds (passability, sight, cover) and meanings of layer names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from game.level.model import GROUND
from game.level.passability_masks import ALL, WADE


@dataclass(frozen=True)
class GroundRule:
    """Defaults of a ground.

    They are passability mask, cost in eighths, opacity, cover and loudness of a step.
    """

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
    # Trees hide what is behind them; a unit at their edge looks out and is visible.
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
"""Least loudness in eighths of a walkable iron floor, painted as a grating."""

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
"""Beginnings and ends of compound names that mean blocked ground.

An example is ``collisionobjects``.
"""
_WALL_OBJECTS = _words("wall walls solid solids")
_WATER = _words("water river rivers lake sea ocean lava pit pits hole holes abyss")
_GROUND = _words(
    "ground land grass floor floors terrain path paths road roads bridge bridges island islands dirt sand soil"
)
_NOT = _words("no non not without")
_WALK = _words("walk walkable walking walkables pass passable passage entry enter go")


def role_of_name(name: str) -> str:
    """Return the meaning of a layer's name.

    It is ``walls``, ``blocked``, ``water``, ``ground`` or empty.
    """
    words = [w.lower() for w in _WORD.findall(name)]
    if any(a in _NOT and b in _WALK for a, b in pairwise(words)):
        return "blocked"
    if _NOT & set(words):
        return ""
    if any(w in _BLOCKED or w.startswith(_LONG) or w.endswith(_LONG) for w in words):
        return "blocked"
    # The last word decides: a house floor is a floor, a bridge over water is a bridge.
    for word in reversed(words):
        for role, known in (("walls", _WALLS), ("ground", _GROUND), ("water", _WATER)):
            if word in known:
                return role
    return ""


def is_wall_name(text: str) -> bool:
    """Return whether an object's class or name means that it blocks.

    Examples are ``wall`` and ``collision``.
    """
    words = [w.lower() for w in _WORD.findall(text)]
    if any(a in _NOT and b in _WALK for a, b in pairwise(words)):
        return True
    return not _NOT & set(words) and any(w in _BLOCKED or w in _WALL_OBJECTS or w.startswith(_LONG) for w in words)


BLOCKING_TILE_PROPERTIES = _words(
    "collide collides collidable collision solid blocked blocks blocking obstacle impassable impassible unpassable "
    "unwalkable nonwalkable non_walkable notwalkable not_walkable nowalk no_walk wall"
)
"""Property names with which other games mark blocked tiles, layers or objects.

True means that it blocks.
"""


OPENING_TILE_PROPERTIES = _words("passable passible is_passable is_walkable iswalkable canwalk can_walk")
"""Property names with which other games mark walkable tiles.

False means that it blocks.
"""


def is_marked(given: Mapping[str, object]) -> bool:
    """Return whether a property among ``given`` says that it blocks."""
    for name, value in given.items():
        text = str(value).strip().lower()
        if name.lower() in BLOCKING_TILE_PROPERTIES and text in ("true", "1", "yes"):
            return True
        if name.lower() in OPENING_TILE_PROPERTIES and text in ("false", "0", "no"):
            return True
    return False


VOID = GROUND["void"]
