"""Map of The Depot at Night: units, guards, entrances, lamps and noisy grounds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import ndimage

from game.level import Level, load_level
from game.level.level_writer import LEVELS
from game.level.passability_masks import CRAWL, WALK
from game.sim.session import Session
from game.systems.lights import shine, switch
from game.systems.stealth.foresight import lightness
from game.world.orders import Order, OrderKind
from game.world.places import LightSource
from game.world.unit_types import load_types

WALK_SPEED = 1.5
LEAST_WAIT = 1.0
"""Least wait of a guard at a route point, in seconds."""


@pytest.fixture(scope="module")
def level() -> Level:
    return load_level(LEVELS / "the_depot.tmx")


def joined(passable: np.ndarray, bit: int, a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Return whether a movement class gets from a to b, by flood fill."""
    labels, _ = ndimage.label((passable & bit) != 0)
    return bool(labels[int(a[1]), int(a[0])] == labels[int(b[1]), int(b[0])] != 0)


def shut(level: Level, *boxes: tuple[int, int, int, int]) -> np.ndarray:
    """Return the passability with rectangles (x0, y0, x1, y1) blocked."""
    out = level.passable.copy()
    for x0, y0, x1, y1 in boxes:
        out[y0:y1, x0:x1] = 0
    return out


GATE, BREACH = (44, 19, 45, 23), (62, 6, 64, 7)


def test_each_of_the_four_raiders_has_a_tool_of_its_own(level: Level) -> None:
    types = {t.name: t for t in load_types()[0]}
    raiders = {s.name: types[s.kind] for s in level.spawns if s.side == 0}
    assert list(raiders) == ["Wren", "Odo", "Ilse", "Tam"]
    crawls = {name: {"crawl"} if kind.movement_class == "crawl" else set() for name, kind in raiders.items()}
    own = {name: set(kind.tools) | crawls[name] for name, kind in raiders.items()}
    for name, tool in (("Wren", "stone"), ("Odo", "hook"), ("Ilse", "crawl"), ("Tam", "take_down")):
        assert [who for who, tools in own.items() if tool in tools] == [name]


def test_at_most_fourteen_guards_walk_rounds_of_at_most_forty_seconds(level: Level) -> None:
    guards = [s for s in level.spawns if s.side == 1]
    assert len(guards) <= 14 and any(s.kind == "dog" for s in guards)
    for spawn in guards:
        route = level.route(spawn.route)
        assert route is not None, "every guard has a round"
        legs = list(zip(route.points, route.points[1:], strict=False))
        points = len(route.points)
        far = sum(math.dist(a, b) for a, b in legs)
        if route.loop:
            far, stops = far + math.dist(route.points[-1], route.points[0]), points
        else:
            far, stops = 2 * far, 2 * (points - 1)
        wait = max(LEAST_WAIT, route.wait / 20) if route.wait else 0.0
        assert far / WALK_SPEED + stops * wait <= 40.0, route.name


def test_an_alarm_rouses_the_barracks_and_wakes_two_patrols_without_ending_the_mission(level: Level) -> None:
    on_alarm = {t.target: t.does for t in level.triggers if t.on == "alarm"}
    assert on_alarm == {"barracks": "rouse", "outer west": "wake", "outer south": "wake"}
    assert {s.route for s in level.spawns if s.asleep} == set(on_alarm)
    assert [(o.kind, o.target, o.region) for o in level.objectives if not o.optional] == [
        ("take", "pay chest", ""),
        ("bring", "pay chest", "landing"),
    ]


def test_breach_and_vent_lead_in_besides_the_gate(level: Level) -> None:
    start, chest = level.spawns[0], level.prop("pay chest")
    cellar = level.door("cellar door")
    assert chest is not None and cellar is not None and not cellar.open and cellar.opens_for == ()
    a, b = (start.x, start.y), (chest.x, chest.y)
    assert joined(shut(level, BREACH), WALK, a, b), "by the gate"
    assert joined(shut(level, GATE), WALK, a, b), "by the breach"
    neither = shut(level, GATE, BREACH)
    assert not joined(neither, WALK, a, b)
    bar = level.prop("cellar bar")
    assert bar is not None and bar.door == "cellar door"
    assert joined(neither, CRAWL, a, (bar.x, bar.y - 1)), "Ilse gets to the bar by the vent"
    neither[cellar.y0 : cellar.y1, cellar.x0 : cellar.x1] = cellar.passable(True)
    assert joined(neither, WALK, a, b), "the others follow by the cellar"


def test_the_first_obstacle_is_seen_from_a_safe_spot(level: Level) -> None:
    """Measure from the wood's edge, where a raider sees lamp and guard.

    A raider sees 14 tiles; a guard sees a standing raider in a wood within 6 tiles.
    """
    lamp = next(lamp for lamp in level.lights if lamp.name == "footbridge lamp")
    route = level.route("footbridge")
    assert route is not None
    spot = (15.5, 24.5)
    assert level.cover[int(spot[1]), int(spot[0])] == 2, "in the wood"
    assert math.dist(spot, (lamp.x, lamp.y)) <= 2.2, "within reach of the hook"
    assert min(math.dist(spot, p) for p in route.points) > 6.0, "a unit in a wood is seen from six tiles at most"
    assert min(math.dist(spot, p) for p in route.points) < 14.0


def test_each_region_of_a_lesson_shows_its_message(level: Level) -> None:
    told = {t.source: t.text for t in level.triggers if t.on == "entered" and t.does == "say"}
    places = {
        "wood's edge": "Odo",
        "lane": "Tam",
        "kennel lane": "Wren",
        "warehouse": "Ilse",
        "before the grating": "engine",
        "before the breach": "Odo",
        "before the gate": "loud",
    }
    for place, who in places.items():
        assert who in told[place]


def test_map_is_painted_and_set_at_night(level: Level) -> None:
    assert level.painted and level.properties["night"]
    assert level.properties["story"] and level.properties["par"] == 480


def raid(level: Level) -> Session:
    """Return a session of the mission after its first tick."""
    session = Session(level, 6, recording=False)
    session.advance()
    return session


def hung(session: Session, name: str) -> LightSource:
    """Return a lamp by its name."""
    lamp = session.world.lamp(name)
    assert lamp is not None
    return lamp


def test_the_lamp_south_of_the_gate_lights_a_cone_of_the_road_only(level: Level) -> None:
    """Sample tiles 3.2 tiles from the lamp in steps of 15 degrees.

    Tiled gives the lamp a cone of 100 degrees to the west; only tiles in the cone are bright.
    """
    session = raid(level)
    lamp = hung(session, "gate lamp south")
    assert (math.degrees(lamp.facing), math.degrees(lamp.half_angle)) == pytest.approx((180.0, 50.0))
    world = session.world
    switch(world, hung(session, "gate lamp"), on=False)
    shine(world)
    for off in range(0, 360, 15):
        if abs(off - 180) % 360 in (45, 60):
            # These tiles lie on the rim of the cone.
            continue
        a = math.radians(off)
        x, y = lamp.x + 3.2 * math.cos(a), lamp.y + 3.2 * math.sin(a)
        if world.terrain.opaque[int(y), int(x)]:
            continue
        inside = abs(off - 180) < 50
        assert (lightness(world, x, y) > 2 * world.light.ambient) == inside, off
    switch(world, lamp, on=False)
    shine(world)
    assert lightness(world, lamp.x - 3.2, lamp.y) == pytest.approx(world.light.ambient, abs=0.01)


def test_a_unit_ordered_to_put_out_the_yard_lamp_reports_that_it_cannot(level: Level) -> None:
    """Order Odo to use the only lamp that is not switchable."""
    assert [lamp.name for lamp in level.lights if not lamp.switchable] == ["yard lamp", "watch fire"]
    session = raid(level)
    world = session.world
    odo = next(unit for unit, name in world.names.items() if name == "Odo")
    mast = hung(session, "yard lamp")
    session.give(Order(int(OrderKind.USE), 0, (odo,), target=mast.id))
    told = []
    for _ in range(10):
        session.advance()
        told += [(e.kind, e.text) for e in world.events if e.unit == odo]
    assert ("gave_up", "it cannot be put out") in told and mast.on
    assert not world.units.moving[world.units.slot(odo)], "the unit does not walk there first"


WALKS = {"grass": (50.5, 36.5, 0.0, 1.0), "gravel": (44.5, 36.5, -1.0, 0.0), "iron": (58.5, 35.5, 0.0, 1.0)}
"""Walks by ground: start (x, y) and direction (dx, dy) of the guard.

The walk goes two tiles east; the guard stands in that direction from its middle.
"""


def heard(level: Level, ground: str, away: float) -> bool:
    """Return whether a guard ``away`` tiles from a walk hears it.

    The walk goes two tiles east and back; the guard looks the other way.
    """
    session = raid(level)
    world = session.world
    u = world.units
    x, y, dx, dy = WALKS[ground]
    walker = next(unit for unit, name in world.names.items() if name == "Wren")
    guard = next(int(u.id[s]) for s, spawn in enumerate(level.spawns) if spawn.route == "footbridge")
    slot = u.slot(walker)
    u.x[slot], u.y[slot] = u.prev_x[slot], u.prev_y[slot] = x, y
    session.give(Order(int(OrderKind.PACE), 0, (walker,), value=0.0))
    session.give(Order(int(OrderKind.MOVE), 0, (walker,), x + 2.0, y))
    session.give(Order(int(OrderKind.MOVE), 0, (walker,), x, y, queued=True))
    slot = u.slot(guard)
    for _ in range(70):
        # The guard is put back each tick, because its round would move it.
        u.x[slot], u.y[slot] = u.prev_x[slot], u.prev_y[slot] = x + 1.0 + away * dx, y + away * dy
        u.facing[slot] = u.head[slot] = math.atan2(dy, dx)
        session.advance()
        if any(e.kind == "heard" and e.unit == guard for e in world.events):
            return True
    return False


@pytest.mark.parametrize(("away", "grounds"), [(1.8, 3), (3.6, 2), (5.8, 1)])
def test_a_walk_is_heard_farther_over_gravel_than_grass_and_farthest_over_the_grating(
    level: Level, away: float, grounds: int
) -> None:
    """Hear a walk on three grounds at three distances.

    The noise of a walk reaches 2.6 tiles; the factors of grass, gravel and iron are 0.75, 1.75 and 2.5.
    """
    assert [heard(level, ground, away) for ground in ("iron", "gravel", "grass")] == [n < grounds for n in range(3)]


def test_every_path_into_the_vent_crosses_the_grating(level: Level) -> None:
    """Block the grating, which has noise factor 2.5: no crawler reaches the vent."""
    vent = level.prop("vent")
    assert vent is not None
    iron = level.noise == 20
    y, x = int(vent.y), int(vent.x)
    assert iron[y + 1, x - 1 : x + 2].all() and not iron[level.passable == 0].any()
    mouth = level.passable.copy()
    mouth[iron] = 0
    outside, inside = (vent.x, vent.y + 4), (vent.x, vent.y - 1)
    assert joined(shut(level, GATE, BREACH), CRAWL, outside, inside)
    mouth[GATE[1] : GATE[3], GATE[0] : GATE[2]] = 0
    mouth[BREACH[1] : BREACH[3], BREACH[0] : BREACH[2]] = 0
    assert not joined(mouth, CRAWL, outside, inside)
