"""The Depot at Night: a raider sees each obstacle from a safe spot first.

The raider then meets the obstacle without another one near.
The tests use the sight kernel of the guards over one whole round of all guards, for both quiet routes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import pytest

from ai.perception.sight.shadowcast import SightBits, field_of_view, sees
from game.checks.scripts.script import load_script
from game.level import Level, load_level
from game.level.level_writer import LEVELS
from game.sim.session import Session
from game.systems.stealth.foresight import seconds_around
from game.world.units import Stance

SPOTS = {
    "lamp": (15.5, 24.5),
    "guard": (28.4, 17.4),
    "dog": (38.5, 37.5),
    "vent": (49.5, 34.5),
    "courtyard": (57.5, 27.5),
    "patrol": (35.5, 9.5),
    "breach": (64.5, 1.5),
    "coal yard": (66.4, 11.4),
    "gate": (33.5, 25.5),
}
"""Spots (x, y) in tiles from which a raider watches the obstacles.

The spot ``gate`` belongs to the loud route.
"""
WAYS = {
    "cellar": ("lamp", "guard", "dog", "vent", "courtyard"),
    "breach": ("lamp", "patrol", "breach", "coal yard"),
}
"""Spots of each quiet route in the order of the route."""
ALONE = {
    "landing": set(),
    "wood's edge": {"footbridge"},
    "footbridge": {"footbridge"},
    "lane": {"footbridge"},
    "kennel lane": {"kennel"},
    "path west": {"north path"},
    "path middle": {"north path"},
    "breach": {"coal yard"},
    "grating": set(),
}
"""Routes of the guards that see into each region during a round."""

LONGEST_ROUND = 800
"""Length of the longest round of a guard: 800 ticks, 40 seconds."""
EVERY = 8
"""Ticks between two samples of the guards; a guard walks 0.6 tiles meanwhile."""


@dataclass
class Watch:
    """Results for one spot over one round of every guard."""

    watched_by: set[str] = field(default_factory=set)
    in_view: dict[str, int] = field(default_factory=dict)
    """Number of samples, by route, with the guard in view from the spot."""
    lamps: set[str] = field(default_factory=set)
    vent: bool = False
    grating: bool = False


@dataclass
class Round:
    """Results of one round of all guards while the raiders stay at their boat."""

    level: Level
    watches: dict[str, Watch]
    eyes: dict[str, np.ndarray]
    """Tiles, bool[H, W] by route, where the guard would see a raider.

    The raider stands or crouches.
    """

    def seers(self, region: str) -> set[str]:
        """Return the routes of guards that see an open tile of a region."""
        area = self.level.region(region)
        assert area is not None
        x0, y0, x1, y1 = (int(v) for v in area.bounds)
        return {name for name, seen in self.eyes.items() if seen[y0:y1, x0:x1].any()}


@pytest.fixture(scope="module")
def seen() -> Round:
    session = Session(load_level(LEVELS / "the_depot.tmx"), 6, recording=False)
    world = session.world
    u = world.units
    sight = world.types[int(u.kind[0])].sight
    ys, xs = ([int(at[axis]) for at in SPOTS.values()] for axis in (1, 0))
    rows = field_of_view(SightBits(world.terrain.opaque), ys, xs, [int(sight)] * len(SPOTS))
    views = dict(zip(SPOTS, rows, strict=True))
    found = {name: Watch() for name in SPOTS}

    def shows(name: str, x: float, y: float) -> bool:
        at = SPOTS[name]
        return math.dist(at, (x, y)) <= sight and sees(views[name], int(y) - int(at[1]), int(x) - int(at[0]))

    routes = {int(u.id[s]): spawn.route for s, spawn in enumerate(session.level.spawns)}
    walkable = (world.terrain.passable & 1) != 0
    by_stance = {
        stance: {route: np.zeros(walkable.shape, bool) for route in routes.values() if route}
        for stance in (Stance.STAND, Stance.CROUCH)
    }
    for tick in range(LONGEST_ROUND):
        session.advance()
        if tick % EVERY:
            continue
        for slot in (s for s in u.living(1).tolist() if not u.asleep[s]):
            unit = int(u.id[slot])
            for stance, eyes in by_stance.items():
                y0, x0, seconds = seconds_around(world, unit, stance)
                part = eyes[routes[unit]][y0 : y0 + seconds.shape[0], x0 : x0 + seconds.shape[1]]
                part |= np.isfinite(seconds)
            for name, watch in found.items():
                if shows(name, float(u.x[slot]), float(u.y[slot])):
                    watch.in_view[routes[unit]] = watch.in_view.get(routes[unit], 0) + 1
    vent = world.prop("vent")
    assert vent is not None
    for name, watch in found.items():
        x, y = SPOTS[name]
        watch.watched_by = {route for route, eyes in by_stance[Stance.CROUCH].items() if eyes[int(y), int(x)]}
        watch.lamps = {lamp.name for lamp in world.lights if lamp.name and shows(name, lamp.x, lamp.y)}
        watch.vent = shows(name, vent.x, vent.y)
        watch.grating = shows(name, vent.x, vent.y + 1.0)
    standing, crouching = by_stance.values()
    return Round(session.level, found, {r: (standing[r] | crouching[r]) & walkable for r in standing})


@pytest.mark.parametrize("name", SPOTS)
def test_a_crouching_raider_on_the_spot_is_out_of_sight_for_a_whole_round(seen: Round, name: str) -> None:
    """Find no guard that sees the spot, not even for one sample."""
    assert seen.watches[name].watched_by == set()


@pytest.mark.parametrize("path", WAYS)
def test_the_spots_lie_on_the_route_in_their_order(path: str) -> None:
    """Find orders of the winning script near the spots, in sequence.

    An order counts within 0.5 tiles of its spot.
    """
    script = load_script(LEVELS / f"the_depot.{path}.toml")
    stops = [row.at for track in script.track for step in track.step for row in step.orders if row.at is not None]
    first = [next(k for k, at in enumerate(stops) if math.dist(SPOTS[name], at) < 0.5) for name in WAYS[path]]
    assert first == sorted(first)


def test_the_obstacle_is_in_view_from_its_spot(seen: Round) -> None:
    """Use the field of view of a raider with the sight of its type."""
    looks, of = LONGEST_ROUND // EVERY, seen.watches
    assert "footbridge lamp" in of["lamp"].lamps and of["lamp"].in_view["footbridge"] > looks / 4, "lamp and guard"
    assert of["guard"].in_view == {"footbridge": looks}, "one guard and no other, all of its round"
    assert of["dog"].in_view.keys() == {"kennel"} and of["dog"].in_view["kennel"] > looks / 2, "the dog alone"
    assert of["vent"].vent and of["vent"].in_view.keys() == {"kennel"}, "the vent, with no guard near"
    assert of["vent"].grating, "the grating before the vent"
    assert len(of["courtyard"].in_view) >= 3, "three guards of the courtyard"
    assert of["patrol"].in_view["north path"] > looks / 2, "most of the round on the path"
    assert of["breach"].in_view["coal yard"] == looks and of["breach"].lamps == {"breach lamp"}, "guard and lamp"
    assert of["coal yard"].in_view.keys() == {"coal yard", "yard"}, "the yard's guard from the bushes"
    assert of["gate"].in_view["gate"] > looks / 2 and "gate lamp" in of["gate"].lamps, "the loud route as well"


@pytest.mark.parametrize("region", ALONE)
def test_an_obstacle_is_met_alone(seen: Round, region: str) -> None:
    assert seen.seers(region) == ALONE[region]


def test_the_courtyard_combines_the_obstacles(seen: Round) -> None:
    assert len(seen.seers("courtyard")) >= 4
    assert len(seen.seers("warehouse")) <= 1, "the vent leads to a room that at most one guard sees"
