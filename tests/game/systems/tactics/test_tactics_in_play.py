"""Tactics in play: places, routes, influence from knowledge, and bad input."""

from pathlib import Path

import numpy as np
import pytest

from ai.influence.influence_pipeline import ENEMIES, OWN, direct_map
from game.level.reading import load_level
from game.sim.session import Session
from game.systems.tactics.known_threats import KnownThreat, known_threats
from game.systems.tactics.route_costs import LAWS, concerns_of, law_cost, vector_at
from game.systems.tactics.side_influence import influence_of, sources_of, spread_ground
from game.systems.tactics.tactical_places import find_place, load_selectors, place_names
from game.world.orders import Order, OrderKind
from game.world.settings import set_value
from game.world.world import restore_world

LEVEL = load_level(Path(__file__).resolve().parents[4] / "levels" / "exhibits" / "tactics" / "yard.tmx")


def _session(ticks: int = 5, **settings: object) -> Session:
    session = Session(LEVEL, 3, {f"tactics.{name}": value for name, value in settings.items()})
    for _ in range(ticks):
        session.advance()
    return session


def _ids(session: Session, side: int) -> tuple[int, ...]:
    u = session.world.units
    return tuple(int(i) for i in u.id[u.living(side)])


def test_influence_follows_what_the_side_knows_and_costs_nothing_before_it_is_read() -> None:
    session = _session(3)
    world = session.world
    assert not world.influence.sides and world.influence.total == 0
    influence_of(world, 0)
    while not influence_of(world, 0).maps():
        session.advance()
    state = influence_of(world, 0)
    known = {t.unit for t in known_threats(world, 0)}
    assert set(state.stamped[ENEMIES][:, 5].astype(int)) == known
    assert set(state.stamped[OWN][:, 5].astype(int)) == set(_ids(session, 0))
    row = next(r for r in world.influence.rows if r.name == "own_threat")
    assert np.array_equal(state.maps()["own_threat"], direct_map(row, state.stamped, spread_ground(world)))


def test_an_unknown_enemy_changes_nothing() -> None:
    looked = _session()
    unseen = np.argwhere(((looked.world.terrain.passable & 1) != 0) & (looked.world.sight.visible_mask(0) == 0))
    session = Session(LEVEL, 3)
    world = session.world
    last = world.units.slot(_ids(session, 1)[-1])
    world.units.y[last], world.units.x[last] = unseen[len(unseen) // 2] + 0.5
    world.units.prev_y[last], world.units.prev_x[last] = world.units.y[last], world.units.x[last]
    for _ in range(5):
        session.advance()
    hidden = [i for i in _ids(session, 1) if i not in {t.unit for t in known_threats(world, 0)}]
    assert hidden == [_ids(session, 1)[-1]]
    before = sources_of(world, 0)
    for unit in hidden:
        slot = world.units.slot(unit)
        world.units.x[slot] += 0.4
        world.units.facing[slot] += 1.0
    after = sources_of(world, 0)
    assert all(np.array_equal(before[k], after[k]) for k in before)


def test_units_sent_to_posts_take_places_of_their_own() -> None:
    session = _session()
    ids = _ids(session, 0)
    session.give(Order(int(OrderKind.POST), 0, ids, name="cover"))
    session.advance()
    places = session.world.tactics.posts
    assert set(places) == set(ids) and len(set(places.values())) == len(ids)
    session.give(Order(int(OrderKind.STOP), 0, ids))
    session.advance()
    assert not session.world.tactics.posts


def test_routes_by_every_law_arrive_at_a_cost_field_without_clamped_tiles() -> None:
    session = _session()
    world, slot = session.world, session.world.units.slot(_ids(session, 0)[0])
    influence_of(world, 0)
    for _ in range(5):
        session.advance()
    for name, values in concerns_of(world, 0).items():
        assert values.min() >= 0 and values.max() <= 1, name
    for law in LAWS:
        cost = law_cost(world, slot, law, (12, 30), (9.5, 11.5))
        assert cost.dtype == np.uint8 and cost.min() >= 1
    assert world.tactics.clamped == 0
    session.give(Order(int(OrderKind.ROUTE), 0, _ids(session, 0)[:1], 30.5, 12.5, name="flank"))
    for _ in range(25):
        session.advance()
    assert world.tactics.plans >= 2 and world.sneaks[_ids(session, 0)[0]].law == "flank"


@pytest.mark.parametrize(
    ("order", "told"),
    [
        (Order(int(OrderKind.ROUTE), 0, (0,), 5.5, 5.5, name="dance"), "there is no law 'dance'; one of flank"),
        (Order(int(OrderKind.POST), 0, (0,), name="dance"), "there is no selector 'dance'; one of attack"),
        (Order(int(OrderKind.POST), 0, (0,), name="cover", target=99), "there is no unit 99"),
    ],
)
def test_orders_that_name_what_is_not_there_are_refused(order: Order, told: str) -> None:
    session = _session(2)
    session.give(order)
    session.advance()
    refused = [e.text for e in session.world.events if e.kind == "refused"]
    assert len(refused) == 1 and told in refused[0]


def test_without_a_place_the_unit_says_so_and_keeps_what_it_does() -> None:
    session = _session(1)
    world = session.world
    world.terrain.opaque[:] = 0
    slot = world.units.slot(_ids(session, 0)[0])
    assert "cover" in place_names(world) and "front" in place_names(world)
    assert find_place(world, slot, "front") is None, "no influence yet"
    session.give(Order(int(OrderKind.POST), 0, _ids(session, 0)[:1], name="front"))
    session.advance()
    assert [e.text for e in world.events if e.kind == "no_place"] == ["no place to front"]
    assert not world.units.moving[slot]


def test_an_open_pass_and_the_settings_survive_a_copy() -> None:
    session = _session(2, work=2)
    influence_of(session.world, 0)
    session.advance()
    session.keep()
    hashes = []
    for _ in range(2):
        for _ in range(6):
            session.advance()
        hashes.append(session.world.hash())
        session.back(0)
    assert hashes[0] == hashes[1]
    with pytest.raises(ValueError, match="is one of vector, exposure, zone, shortest"):
        set_value(session.world.settings, "tactics.flank", "magic")
    assert load_selectors()["panic"].most == 20


def test_a_restored_world_goes_on_the_same_without_its_caches() -> None:
    session = _session(6, flank="vector")
    ids = _ids(session, 0)
    session.give(Order(int(OrderKind.ROUTE), 0, ids[:1], 30.5, 12.5, name="infantry"))
    session.give(Order(int(OrderKind.ROUTE), 0, ids[1:], 30.5, 12.5, name="flank"))
    for _ in range(12):
        session.advance()
    other = Session(LEVEL, 3, world=restore_world(session.world.snapshot()))
    for _ in range(30):
        session.advance()
        other.advance()
    assert session.world.hash() == other.world.hash() and session.world.tactics.plans > 2


def test_fix_and_flank_sends_half_to_pin_and_half_around() -> None:
    session = _session(8)
    ids = _ids(session, 0)
    odo = next(i for i, name in session.world.names.items() if name == "Odo")
    session.give(Order(int(OrderKind.POST), 0, ids, name="fix_and_flank", target=odo))
    session.advance()
    laws = {unit: path.law for unit, path in session.world.sneaks.items()}
    assert laws == {ids[1]: "around"}, "the upper half flanks"
    u = session.world.units
    slots, enemy = u.slots(ids), u.slot(odo)
    assert u.moving[slots].all()
    pin, flank = np.arctan2(u.goal_y[slots] - u.y[enemy], u.goal_x[slots] - u.x[enemy])
    turn = abs((flank - pin + np.pi) % (2 * np.pi) - np.pi)
    assert np.radians(60) <= turn <= np.radians(120)


def test_the_weak_border_is_the_least_secure_of_a_plain_scan_and_shared_out() -> None:
    session = Session(load_level(LEVEL.path.parents[1] / "influence" / "front.tmx"), 3)
    world = session.world
    influence_of(world, 0)
    while not influence_of(world, 0).maps():
        session.advance()
    slots = world.units.slots(_ids(session, 0)[:2]).tolist()
    place = find_place(world, slots[0], "weak_border")
    assert place is not None
    maps = influence_of(world, 0).maps()
    own, theirs = (maps[name].astype(float) for name in ("own_nearness", "enemy_nearness"))
    border = {
        (y, x): theirs[y, x] - own[y, x]
        for y, x in np.argwhere(theirs > own).tolist()
        if any(
            0 <= b < own.shape[0] and 0 <= a < own.shape[1] and own[b, a] > theirs[b, a]
            for b, a in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1))
        )
    }
    assert place.rating == pytest.approx(min(border.values())) and (int(place.y), int(place.x)) in border
    world.tactics.posts[int(world.units.id[slots[0]])] = place.x, place.y
    other = find_place(world, slots[1], "weak_border")
    assert other is not None and (other.x, other.y) != (place.x, place.y)


def test_each_side_has_a_combat_vector_of_its_own_at_an_enemy() -> None:
    """A side without shooters reads no vector of another side."""
    world = _session(6).world
    u = world.units
    slot = int(u.living(1)[0])
    enemy = KnownThreat(int(u.id[slot]), float(u.x[slot]), float(u.y[slot]), 0.0, world.tick)
    mine = u.living(0)
    u.target[mine], u.action_start[mine] = enemy.unit, world.tick
    assert vector_at(world, 0, enemy) != (0.0, 0.0)
    assert vector_at(world, 7, enemy) == (0.0, 0.0)
