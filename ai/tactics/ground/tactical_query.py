"""Tactical query: gathers candidate tiles, filters, scores and selects one.

Sources: Travis McIntosh, Game AI Pro 2, 34.4 (post selectors: multiplicative criteria, the highest product wins); Ian
Millington and John Funge, AI for Games, 6.1.1, 6.1.2 (run-time validity after the stored value, decide then locate,
never the best of the whole map); Lars Lidén, AI Game Programming Wisdom, 5.1 (relaxed rules when no place is left).

A selector is data. Its limits reject tiles, its criteria map facts by piecewise linear curves to 0..1, and the rating
is their product. A rating of 0 rejects. Among equal ratings the tile with the shorter walk wins, then reading order. A
selector without a place may name another one, which is asked instead.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ai.core.serialization import record
from ai.tactics.ground.nearest_place import nearby_tiles
from ai.tactics.ground.tactical_facts import BY_RAYS, FACTS, Ask, Evidence, TacticalGround, Tiles, Values

GATHERS = ("around", "cover", "open")
"""Sets of candidates.

``around``: every tile near the unit; ``cover``: cover tiles near the unit that shield from the selected threat;
``open``: tiles around the selected threat.
"""
FACING = 0.3
"""Least stored cover at which a cover tile faces the selected threat."""


@record
class Limit:
    """Filter: the fact lies in ``low`` to ``high``."""

    fact: str
    low: float = -math.inf
    high: float = math.inf


@record
class Criterion:
    """Criterion: a fact and a curve of points (fact, rating), ascending.

    Beyond the ends the curve is constant.
    """

    fact: str
    curve: list[tuple[float, float]]

    def rate(self, values: Values) -> Values:
        """Return the rating of values."""
        at, rating = np.array(self.curve, np.float64).T
        return np.asarray(np.interp(values, at, rating))


@record
class Selector:
    """Selector of a behaviour: gather, limits, criteria.

    ``most`` limits the candidates to the nearest. ``nearest``: the first valid tile by walking distance wins instead of
    the highest rating.
    """

    name: str
    gather: str = "around"
    radius: float = 12.0
    most: int = 0
    limits: list[Limit] = field(default_factory=list)
    criteria: list[Criterion] = field(default_factory=list)
    nearest: bool = False
    otherwise: str = ""
    """Selector that is asked when this one has no place."""


@dataclass(frozen=True)
class Place:
    """Chosen place: the middle of a tile, its rating, and the factors by fact."""

    x: float
    y: float
    rating: float
    selector: str
    factors: dict[str, float]


@dataclass(frozen=True)
class Ranking:
    """Candidates of a query: tiles, ratings, and which limit rejected each (-1: none)."""

    selector: Selector
    evidence: Evidence
    ratings: Values
    rejected: NDArray[np.int64]
    factors: NDArray[np.float64]
    """``float64[criteria, n]``: the rating by each criterion, NaN where a limit rejected the tile."""

    @property
    def tiles(self) -> Tiles:
        """Return the candidates, ``int32[n, 2]`` of (y, x)."""
        return self.evidence.tiles

    def best(self) -> Place | None:
        """Return the selected place, or None when every rating is 0."""
        valid = np.flatnonzero(self.ratings > 0)
        if not len(valid):
            return None
        tiles = self.tiles[valid]
        walk = self.evidence.fact("path" if "path" in self.evidence.known else "distance")[valid]
        first = walk if self.selector.nearest else -self.ratings[valid]
        k = valid[np.lexsort((tiles[:, 1], tiles[:, 0], walk, first))[0]]
        y, x = self.tiles[k].tolist()
        named = zip(self.selector.criteria, self.factors[:, k].tolist(), strict=True)
        return Place(
            x + 0.5, y + 0.5, float(self.ratings[k]), self.selector.name, {c.fact: factor for c, factor in named}
        )


class TacticalQuery(Protocol):
    """Service that finds a place for a unit.

    Squads and minds depend on this alone.
    """

    def find(self, selector: str, ask: Ask) -> Place | None:
        """Return the best place by a selector, or None when no place is valid."""

    def rank(self, selector: str, ask: Ask) -> Ranking:
        """Return all candidates with their ratings."""


class GroundQuery:
    """Tactical query over one ground; ``queries``, ``rays`` and ``floods`` count its work."""

    def __init__(self, ground: TacticalGround, selectors: Mapping[str, Selector]) -> None:
        self.ground, self.selectors = ground, selectors
        self.queries = self.rays = self.floods = 0

    def rank(self, selector: str, ask: Ask) -> Ranking:
        """Return all candidates with their ratings.

        Stored facts are read before those that cast rays, and rays are cast for the tiles that are left.
        """
        chosen = self._named(selector)
        self.queries += 1
        tiles = gather(self.ground, chosen, ask)
        ranking = rate(chosen, Evidence(self.ground, ask, tiles, chosen.radius))
        self.rays += ranking.evidence.rays
        self.floods += ranking.evidence.floods
        return ranking

    def find(self, selector: str, ask: Ask) -> Place | None:
        """Return the best place, by the selector or by those it names otherwise."""
        name, asked = selector, set()
        while name and name not in asked:
            asked.add(name)
            place = self.rank(name, ask).best()
            if place is not None:
                return place
            name = self._named(name).otherwise
        return None

    def _named(self, name: str) -> Selector:
        if name not in self.selectors:
            raise ValueError(f"there is no selector {name!r}; one of {', '.join(sorted(self.selectors))}")
        return self.selectors[name]


def gather(ground: TacticalGround, selector: Selector, ask: Ask) -> Tiles:
    """Return the candidates of a selector, nearest first, ``int32[n, 2]`` of (y, x)."""
    x, y = ask.at if selector.gather == "open" else (ask.x, ask.y)
    height, width = ground.standing.shape
    ty, tx = min(max(int(y), 0), height - 1), min(max(int(x), 0), width - 1)
    tiles = nearby_tiles(ty, tx, math.ceil(selector.radius), ground.standing.shape)
    fit = ground.standing if selector.gather != "cover" else ground.spots
    tiles = tiles[fit[tiles[:, 0], tiles[:, 1]]]
    if selector.gather == "cover" and len(ask.threats):
        facing = ground.cover.against(tiles, ask.threats[ask.target : ask.target + 1], ask.stance)
        tiles = tiles[facing >= FACING]
    return tiles[: selector.most] if selector.most else tiles


def rate(selector: Selector, evidence: Evidence) -> Ranking:
    """Return the ratings of the evidence's tiles.

    Limits on stored facts come first, so that rays are cast only for tiles that they leave.
    """
    n = len(evidence.tiles)
    rejected = np.full(n, -1, np.int64)
    left = np.ones(n, bool)
    cheap_first = sorted(range(len(selector.limits)), key=lambda k: (selector.limits[k].fact in BY_RAYS, k))
    part, rows = evidence, np.arange(n)
    for k in cheap_first:
        limit = selector.limits[k]
        if limit.fact in BY_RAYS and len(rows) > left.sum():
            part, rows = _part_of(evidence, left), np.flatnonzero(left)
        values = part.fact(limit.fact)
        wrong = rows[(values < limit.low) | (values > limit.high)]
        rejected[wrong[left[wrong]]] = k
        left[wrong] = False
    if len(rows) > left.sum():
        part, rows = _part_of(part, left[rows]), np.flatnonzero(left)
    ratings, factors = np.zeros(n), np.full((len(selector.criteria), n), np.nan)
    ratings[left] = 1.0
    for k, criterion in enumerate(selector.criteria):
        factors[k, rows] = criterion.rate(part.fact(criterion.fact))
        ratings[rows] *= factors[k, rows]
    if part is not evidence:
        evidence.rays, evidence.floods = part.rays, part.floods
        if "path" in part.known and "path" not in evidence.known:
            walks = np.full(n, np.inf)
            walks[rows] = part.known["path"]
            evidence.known["path"] = walks
    return Ranking(selector, evidence, ratings, rejected, factors)


def _part_of(evidence: Evidence, rows: NDArray[np.bool_]) -> Evidence:
    """Return the evidence of some of the tiles, with what is known of them."""
    tiles = np.ascontiguousarray(evidence.tiles[rows])
    part = type(evidence)(evidence.ground, evidence.ask, tiles, evidence.radius)
    part.known = {name: values[rows] for name, values in evidence.known.items()}
    part.rays, part.floods, part._reach = evidence.rays, evidence.floods, evidence._reach
    return part


def selector_from(name: str, row: Mapping[str, Any], where: str = "selectors") -> Selector:
    """Return the selector of plain data, such as a TOML table.

    ValueError in one line names file, selector and key.
    """
    known = {"gather", "radius", "most", "limits", "criteria", "nearest", "otherwise"}
    for key in row:
        if key not in known:
            raise ValueError(f"{where}: [{name}] has an unknown key {key!r}; one of {', '.join(sorted(known))}")
    out = Selector(
        name, str(row.get("gather", "around")), float(row.get("radius", 12.0)), int(row.get("most", 0)),
        nearest=bool(row.get("nearest", False)), otherwise=str(row.get("otherwise", "")),
    )  # fmt: skip
    if out.gather not in GATHERS:
        raise ValueError(f"{where}: [{name}] gather: {out.gather!r} is none of {', '.join(GATHERS)}")
    if not 1 <= out.radius <= 64:
        raise ValueError(f"{where}: [{name}] radius: must lie in 1..64 tiles, got {out.radius}")
    for fact, bounds in dict(row.get("limits", {})).items():
        low, high = _pair(bounds, f"{where}: [{name}] limits.{fact}")
        out.limits.append(Limit(_checked(fact, f"{where}: [{name}] limits"), low, high))
    for fact, curve in dict(row.get("criteria", {})).items():
        place = f"{where}: [{name}] criteria.{fact}"
        points = [_pair(point, place) for point in curve]
        if len(points) < 2 or any(b[0] <= a[0] for a, b in pairwise(points)):
            raise ValueError(f"{place}: needs two or more points [fact, rating] in ascending order")
        if any(not 0 <= rating <= 1 for _, rating in points):
            raise ValueError(f"{place}: a rating lies in 0..1")
        out.criteria.append(Criterion(_checked(fact, f"{where}: [{name}] criteria"), points))
    return out


def check_selectors(selectors: Mapping[str, Selector], where: str = "selectors") -> None:
    """Raise ValueError when a selector names another one that does not exist."""
    for selector in selectors.values():
        if selector.otherwise and selector.otherwise not in selectors:
            raise ValueError(f"{where}: [{selector.name}] otherwise: there is no selector {selector.otherwise!r}")


def _checked(fact: str, place: str) -> str:
    if fact not in FACTS and not fact.startswith("layer:"):
        raise ValueError(f"{place}: there is no fact {fact!r}; one of {', '.join(FACTS)}, or layer:NAME")
    return fact


def _pair(values: Sequence[float], place: str) -> tuple[float, float]:
    if not isinstance(values, Sequence) or len(values) != 2:
        raise ValueError(f"{place}: takes two numbers, got {values!r}")
    return float(values[0]), float(values[1])


TECHNIQUES = (
    {
        "slug": "tactical-query",
        "name": "Tactical places by selectors",
        "ids": ("GP2-34.10", "AFG6.1.1"),
        "source": "Game AI Pro 2, 34.4; AI for Games, 6.1",
        "functions": ("rate", "gather", "GroundQuery.find"),
        "test": "tests/ai/tactics/ground/test_tactical_query.py",
        "exhibit": "levels/exhibits/tactics/yard.retreat.toml",
        "overlay": "rated_places",
        "setting": "tactics.without",
        "measure": "exposed",
        "direction": "down",
        "claim": (
            "Places are all tiles of the map, rated when a unit asks. There are no records of points, with last "
            "use or a flag that the enemy knows them, and selectors are read at the start."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
