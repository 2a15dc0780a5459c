"""Tactical facts: numbers about candidate tiles, by name, computed once for a query.

Sources: Ian Millington and John Funge, AI for Games, 6.1.1 (primitive and compound qualities, fuzzy composition: AND is
the minimum; run-time validity); Lars Lidén, AI Game Programming Wisdom, 5.1 (attack positions hidden from others, a
hidden neighbour for the retreat, positions behind the enemy); Travis McIntosh, Game AI Pro 2, 34.4 (criteria of posts).

Tiles are ``int32[n, 2]`` of (y, x), a fact is ``float64[n]``. Distances are in tiles, angles in radians, qualities in
0..1. A fact ``layer:NAME`` reads a map of ``TacticalGround.layers``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ai.grid.terrain import Terrain
from ai.search.fields.bounded_flood import Reach, bounded_flood
from ai.tactics.ground.cover_directions import CoverTable, cover_spots, sees_body
from ai.tactics.place_quality import visibility_quality

Tiles = NDArray[np.int32]
Values = NDArray[np.float64]

CLOSE = 1.5
"""Tiles within which another unit or a claim occupies a place."""
FIRE_POINT = 2
"""Tiles from a cover tile to its fire point: one roll to the side."""
AMBUSH = 4
"""Tiles within which an exposed tile belongs to an ambush tile."""
FAR_WALK = 1.5
"""Longest walk to a candidate, as a share of the radius of the query."""


@dataclass
class TacticalGround:
    """Map as the facts read it, for one movement class.

    It holds for one revision of the terrain. ``light: uint8[H, W]`` (255 is full light) may be None for daylight.
    ``layers`` are maps ``float64[H, W]`` by name, such as influence.
    """

    terrain: Terrain
    movement_class: int
    low: NDArray[np.uint8]
    standing: NDArray[np.bool_]
    cover: CoverTable
    spots: NDArray[np.bool_]
    light: NDArray[np.uint8] | None = None
    layers: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)


def tactical_ground(terrain: Terrain, movement_class: int = 0, low: NDArray[np.uint8] | None = None) -> TacticalGround:
    """Return the ground of a terrain for one movement class, without layers."""
    standing = (terrain.passable & np.uint8(1 << movement_class)) != 0
    low = np.zeros(terrain.passable.shape, np.uint8) if low is None or not low.size else low
    cover = CoverTable(terrain.opaque, low, standing)
    return TacticalGround(terrain, movement_class, low, standing, cover, cover_spots(terrain.opaque, low, standing))


def _none(columns: int) -> Callable[[], Values]:
    return lambda: np.zeros((0, columns))


@dataclass
class Ask:
    """Unit that asks for a place, and what its side knows.

    ``threats: float64[n, 3]`` are x, y and facing (NaN unknown) of known enemies; ``target`` is the row of the selected
    one. ``comrades, claimed: float64[m, 2]`` are places (x, y). ``reach`` is that of the weapon, in tiles.
    """

    x: float
    y: float
    threats: Values = field(default_factory=_none(3))
    target: int = 0
    comrades: Values = field(default_factory=_none(2))
    claimed: Values = field(default_factory=_none(2))
    stance: int = 0
    reach: float = 12.0

    @property
    def at(self) -> tuple[float, float]:
        """Return the selected threat's place, or the unit's own without threats."""
        if not len(self.threats):
            return self.x, self.y
        return float(self.threats[self.target, 0]), float(self.threats[self.target, 1])


class Evidence:
    """Facts about the tiles of one query, each computed when it is first read."""

    def __init__(self, ground: TacticalGround, ask: Ask, tiles: Tiles, radius: float) -> None:
        self.ground, self.ask, self.tiles, self.radius = ground, ask, tiles, radius
        self.known: dict[str, Values] = {}
        self.rays = 0
        """Number of rays cast for run-time checks."""
        self.floods = 0
        self._reach: Reach | None = None

    def fact(self, name: str) -> Values:
        """Return a fact by name; ValueError for an unknown name."""
        if name not in self.known:
            if name.startswith("layer:"):
                self.known[name] = self._layer(name[6:])
            elif name in FACTS:
                self.known[name] = FACTS[name](self)
            else:
                raise ValueError(f"there is no fact {name!r}; one of {', '.join(FACTS)}, or layer:NAME")
        return self.known[name]

    @property
    def centres(self) -> tuple[Values, Values]:
        """Return x and y of the tiles' centres."""
        return np.asarray(self.tiles[:, 1] + 0.5, np.float64), np.asarray(self.tiles[:, 0] + 0.5, np.float64)

    def far(self, x: float, y: float) -> Values:
        """Return the straight distance of the tiles to (x, y)."""
        xs, ys = self.centres
        return np.asarray(np.hypot(xs - x, ys - y))

    def reach(self) -> Reach:
        """Return the path distances from the unit, one flood for the query."""
        if self._reach is None:
            g, a = self.ground, self.ask
            height, width = g.standing.shape
            y, x = min(max(int(a.y), 0), height - 1), min(max(int(a.x), 0), width - 1)
            self._reach = bounded_flood(g.terrain, g.movement_class, y, x, FAR_WALK * self.radius + 4.0)
            self.floods += 1
        return self._reach

    def seen_by(self, threat: int, tiles: Tiles | None = None) -> NDArray[np.bool_]:
        """Return whether a threat has a line to tiles, the query's own by default."""
        tiles = self.tiles if tiles is None else tiles
        height, width = self.ground.standing.shape
        x, y = self.ask.threats[threat, :2]
        eye = np.array([min(max(int(y), 0), height - 1), min(max(int(x), 0), width - 1)], np.int32)
        self.rays += len(tiles)
        eyes = np.broadcast_to(eye, tiles.shape)
        return sees_body(self.ground.terrain.opaque, self.ground.low, eyes, tiles, self.ask.stance)

    def around(self, reach: int) -> tuple[Tiles, NDArray[np.int64]]:
        """Return open tiles within ``reach`` of each tile, and the row of that tile."""
        steps = np.arange(-reach, reach + 1)
        dy, dx = (part.reshape(-1) for part in np.meshgrid(steps, steps, indexing="ij"))
        kept = (dy != 0) | (dx != 0)
        dy, dx = dy[kept], dx[kept]
        near = (self.tiles[:, None] + np.column_stack([dy, dx])).reshape(-1, 2).astype(np.int32)
        rows = np.repeat(np.arange(len(self.tiles)), len(dy))
        height, width = self.ground.standing.shape
        inside = (near >= 0).all(axis=1) & (near[:, 0] < height) & (near[:, 1] < width)
        near, rows = near[inside], rows[inside]
        fit = self.ground.standing[near[:, 0], near[:, 1]]
        return near[fit], rows[fit]

    def _layer(self, name: str) -> Values:
        layers = self.ground.layers
        if name not in layers:
            raise ValueError(f"there is no layer {name!r}; one of {', '.join(sorted(layers)) or 'none'}")
        return np.asarray(layers[name][self.tiles[:, 0], self.tiles[:, 1]], np.float64)


def distance(e: Evidence) -> Values:
    """Straight distance from the unit."""
    return e.far(e.ask.x, e.ask.y)


def path(e: Evidence) -> Values:
    """Path distance from the unit, infinite without a path of 1.5 radii."""
    return e.reach().at(e.tiles)


def target_distance(e: Evidence) -> Values:
    """Straight distance to the selected threat, 0 without threats."""
    return e.far(*e.ask.at) if len(e.ask.threats) else np.zeros(len(e.tiles))


def nearest_threat(e: Evidence) -> Values:
    """Straight distance to the nearest threat, infinite without threats."""
    out = np.full(len(e.tiles), np.inf)
    for x, y in e.ask.threats[:, :2].tolist():
        out = np.minimum(out, e.far(x, y))
    return out


def cover(e: Evidence) -> Values:
    """Stored cover against all threats: the minimum over their directions."""
    return e.ground.cover.against(e.tiles, e.ask.threats, e.ask.stance)


def exposure(e: Evidence) -> Values:
    """Number of threats that have a line to the tile now."""
    out = np.zeros(len(e.tiles))
    for k in range(len(e.ask.threats)):
        out += e.seen_by(k)
    return out


def sees_target(e: Evidence) -> Values:
    """Return 1 where the selected threat is in sight and reach of the weapon."""
    if not len(e.ask.threats):
        return np.zeros(len(e.tiles))
    return (e.seen_by(e.ask.target) & (e.fact("target_distance") <= e.ask.reach)).astype(np.float64)


def others_see(e: Evidence) -> Values:
    """Number of threats besides the selected one that have a line to the tile."""
    out = np.zeros(len(e.tiles))
    for k in range(len(e.ask.threats)):
        if k != e.ask.target:
            out += e.seen_by(k)
    return out


def retreat(e: Evidence) -> Values:
    """Return 1 where no threat sees one of the tiles beside it."""
    near, rows = e.around(1)
    hidden = np.ones(len(near), bool)
    for k in range(len(e.ask.threats)):
        hidden &= ~e.seen_by(k, near)
    out = np.zeros(len(e.tiles))
    out[rows[hidden]] = 1.0
    return out


def fire_point(e: Evidence) -> Values:
    """Return 1 where a tile within one roll sees the selected threat in reach."""
    if not len(e.ask.threats):
        return np.zeros(len(e.tiles))
    near, rows = e.around(FIRE_POINT)
    x, y = e.ask.at
    close = np.hypot(near[:, 1] + 0.5 - x, near[:, 0] + 0.5 - y) <= e.ask.reach
    near, rows = near[close], rows[close]
    out = np.zeros(len(e.tiles))
    out[rows[e.seen_by(e.ask.target, near)]] = 1.0
    return out


def behind(e: Evidence) -> Values:
    """Angle between the selected threat's facing and the tile, 0 ahead to pi behind."""
    if not len(e.ask.threats) or math.isnan(float(e.ask.threats[e.ask.target, 2])):
        return np.zeros(len(e.tiles))
    x, y, facing = e.ask.threats[e.ask.target].tolist()
    xs, ys = e.centres
    turn = np.arctan2(ys - y, xs - x) - facing
    return np.asarray(np.abs((turn + math.pi) % (2 * math.pi) - math.pi))


def closing(e: Evidence) -> Values:
    """Tiles by which the straight walk comes nearer to the selected threat."""
    if not len(e.ask.threats):
        return np.zeros(len(e.tiles))
    (ax, ay), (tx, ty) = (e.ask.x, e.ask.y), e.ask.at
    xs, ys = e.centres
    dx, dy = xs - ax, ys - ay
    square = np.maximum(dx * dx + dy * dy, 1e-12)
    share = np.clip(((tx - ax) * dx + (ty - ay) * dy) / square, 0.0, 1.0)
    nearest = np.hypot(ax + share * dx - tx, ay + share * dy - ty)
    return np.asarray(math.hypot(ax - tx, ay - ty) - nearest)


def claimed(e: Evidence) -> Values:
    """Return 1 where another unit has claimed the place."""
    return _near_any(e, e.ask.claimed)


def crowd(e: Evidence) -> Values:
    """Number of comrades within 1.5 tiles."""
    out = np.zeros(len(e.tiles))
    for x, y in e.ask.comrades[:, :2].tolist():
        out += e.far(x, y) < CLOSE
    return out


def spacing(e: Evidence) -> Values:
    """Distance to the nearest comrade or claimed place, infinite without one."""
    out = np.full(len(e.tiles), np.inf)
    for x, y in np.vstack([e.ask.comrades[:, :2], e.ask.claimed[:, :2]]).tolist():
        out = np.minimum(out, e.far(x, y))
    return out


def view(e: Evidence) -> Values:
    """Mean length of the rays around the tile over 12 tiles: reconnaissance."""
    return visibility_quality(e.ground.terrain.opaque, e.tiles)


def shade(e: Evidence) -> Values:
    """Darkness of the tile, 0 in full light."""
    if e.ground.light is None:
        return np.zeros(len(e.tiles))
    return 1.0 - e.ground.light[e.tiles[:, 0], e.tiles[:, 1]] / 255.0


def beside(e: Evidence) -> Values:
    """Return 1 on a cover tile and beside a wall or low wall."""
    return e.ground.spots[e.tiles[:, 0], e.tiles[:, 1]].astype(np.float64)


def sniper(e: Evidence) -> Values:
    """Cover AND view: the minimum of both."""
    return np.minimum(e.fact("cover"), e.fact("view"))


def defensive(e: Evidence) -> Values:
    """Cover with a fire point within a roll to the side."""
    return np.minimum(e.fact("cover"), e.fact("fire_point"))


def ambush(e: Evidence) -> Values:
    """Cover AND shade with an exposed tile within four tiles.

    A tile is as exposed as its view.
    """
    near, rows = e.around(AMBUSH)
    views = visibility_quality(e.ground.terrain.opaque, near) if len(near) else np.zeros(0)
    exposed = np.zeros(len(e.tiles))
    np.maximum.at(exposed, rows, views)
    return np.minimum(np.minimum(e.fact("cover"), e.fact("shade")), exposed)


def _near_any(e: Evidence, places: Values) -> Values:
    out = np.zeros(len(e.tiles))
    for x, y in places[:, :2].tolist():
        out = np.maximum(out, e.far(x, y) < CLOSE)
    return out


FACTS: dict[str, Callable[[Evidence], Values]] = {
    fact.__name__: fact
    for fact in (
        distance, path, target_distance, nearest_threat, cover, exposure, sees_target, others_see, retreat, fire_point,
        behind, closing, claimed, crowd, spacing, view, shade, beside, sniper, defensive, ambush,
    )
}  # fmt: skip
"""Facts by the name that a selector gives."""

BY_RAYS = frozenset(("exposure", "sees_target", "others_see", "retreat", "fire_point", "defensive"))
"""Facts that cast rays at run time."""
BY_PATHS = frozenset(("path",))
"""Facts that search for paths."""


TECHNIQUES = (
    {
        "slug": "tactical-facts",
        "name": "Tactical qualities and their compounds",
        "ids": ("AFG6.1.2", "AFG6.1.4"),
        "source": "AI for Games, 6.1.1",
        "functions": ("sniper", "defensive", "ambush", "Evidence.fact"),
        "test": "tests/ai/tactics/ground/test_tactical_facts.py",
        "reason": "no exhibit yet",
        "claim": (
            "Qualities are computed for the tiles of a query; none is authored in a map. Selectors of the game "
            "use sniper and defensive places; ambush places are in the library only."
        ),
    },
    {
        "slug": "safe-attack-places",
        "name": "Safe attack positions",
        "ids": ("AW-5.1-2",),
        "source": "AI Game Programming Wisdom, 5.1",
        "functions": ("others_see", "retreat"),
        "test": "tests/ai/tactics/ground/test_tactical_facts.py",
        "exhibit": "levels/exhibits/tactics/yard.attack.toml",
        "overlay": "layer_enemy_threat",
        "setting": "tactics.without",
        "measure": "fallen",
        "direction": "down",
        "claim": "The visible sets of the source are rays to the candidates, because any tile may be a place.",
    },
    {
        "slug": "flank-places",
        "name": "Flanking positions",
        "ids": ("AW-5.1-3",),
        "source": "AI Game Programming Wisdom, 5.1",
        "functions": ("behind",),
        "test": "tests/ai/tactics/ground/test_tactical_facts.py",
        "exhibit": "levels/exhibits/tactics/yard.flank.toml",
        "overlay": "layer_enemy_threat",
        "setting": "tactics.without",
        "measure": "bearings",
        "direction": "up",
        "claim": "The unseen approach is a route of its own; the exhibit walks the shortest path.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
