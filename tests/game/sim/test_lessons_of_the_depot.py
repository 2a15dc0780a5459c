"""Each new obstacle of The Depot at Night is first seen from a safe spot on the way to it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import pytest

from ai.sight.shadowcast import SightBits, field_of_view, sees
from game.level import load_level
from game.level.build import LEVELS
from game.sim.script import load_script
from game.sim.session import Session
from game.world.foresight import seen_by
from game.world.units import Stance

SPOTS = {
    "lamp": (15.5, 24.5),
    "guard": (28.4, 17.4),
    "dog": (38.5, 37.5),
    "vent": (49.5, 34.5),
    "courtyard": (57.5, 27.5),
}
"""Where a raider waits and watches before each obstacle: wood's edge, thicket, lee of the kennel lane, loading door."""

LONGEST_ROUND = 800
"""Ticks of the longest round that a guard may walk: forty seconds."""
EVERY = 4
"""Ticks between two looks at the guards; at a walk they go 0.3 tiles in that time."""


@dataclass
class Watch:
    """What one round of every guard showed of a spot."""

    watched_by: set[str] = field(default_factory=set)
    in_view: dict[str, int] = field(default_factory=dict)
    """Looks, by the route of a guard, in which a raider on the spot had him in view."""
    lit: bool = False
    vent: bool = False


@pytest.fixture(scope="module")
def watches() -> dict[str, Watch]:
    """A whole round of all guards while the raiders stay at their boat; each spot asked about by the guards' kernel."""
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
    for tick in range(LONGEST_ROUND):
        session.advance()
        if tick % EVERY:
            continue
        awake = [s for s in u.living(1).tolist() if not u.asleep[s]]
        for name, watch in found.items():
            watch.watched_by |= {routes[s.watcher] for s in seen_by(world, 0, *SPOTS[name], Stance.CROUCH)}
            for slot in awake:
                if shows(name, float(u.x[slot]), float(u.y[slot])):
                    route = routes[int(u.id[slot])]
                    watch.in_view[route] = watch.in_view.get(route, 0) + 1
    for name, watch in found.items():
        watch.lit = any(shows(name, lamp.x, lamp.y) for lamp in world.lights)
        vent = world.prop("vent")
        assert vent is not None
        watch.vent = shows(name, vent.x, vent.y)
    return found


@pytest.mark.parametrize("name", SPOTS)
def test_who_crouches_on_the_spot_is_seen_by_nobody_for_a_whole_round(watches: dict[str, Watch], name: str) -> None:
    """Not identified late, not glimpsed: no guard's eyes reach him from anywhere on any round."""
    assert watches[name].watched_by == set()


@pytest.mark.parametrize("name", SPOTS)
def test_the_spot_lies_on_the_way(name: str) -> None:
    """The raiders who win by the cellar stop or turn there."""
    script = load_script(LEVELS / "the_depot.cellar.toml")
    stops = [row.at for track in script.track for step in track.step for row in step.orders if row.at is not None]
    assert min(math.dist(SPOTS[name], at) for at in stops) < 0.5


def test_the_obstacle_is_in_view_from_its_spot(watches: dict[str, Watch]) -> None:
    """By the team's own field of view, 14 tiles far."""
    looks = LONGEST_ROUND // EVERY
    assert watches["lamp"].lit and watches["lamp"].in_view["footbridge"] > looks / 4, "the lamp, and who looks at it"
    assert watches["guard"].in_view == {"footbridge": looks}, "one guard and nobody else, all the way of his round"
    assert watches["dog"].in_view.keys() == {"kennel"} and watches["dog"].in_view["kennel"] > looks / 2, "the dog alone"
    assert watches["vent"].vent and watches["vent"].in_view.keys() == {"kennel"}, "the vent, with no guard near"
    assert len(watches["courtyard"].in_view) >= 3, "all that the courtyard combines"
