"""Taking cover: one query a decision, the kept place, flight without cover."""

from pathlib import Path

import numpy as np

from game.level.reading import load_level
from game.minds.soldier import take_cover
from game.sim.session import Session
from game.world.orders import Order, OrderKind
from game.world.units import Event

LEVEL = load_level(Path(__file__).resolve().parents[4] / "levels" / "exhibits" / "tactics" / "yard.tmx")


def _shot_at(session: Session, name: str) -> int:
    """Let a unit be hit, as the fight stage does."""
    world = session.world
    unit = next(i for i, n in world.names.items() if n == name)
    world.units.event[world.units.slot(unit)] |= int(Event.HIT)
    return unit


def _session(takes: bool = True) -> Session:
    session = Session(LEVEL, 3, {"tactics.takes_cover": takes})
    for _ in range(6):
        session.advance()
    return session


def test_one_decision_makes_one_query_and_the_kept_place_is_the_goal() -> None:
    session = _session()
    unit = _shot_at(session, "Ann")
    session.advance()
    world = session.world
    assert world.minds[unit].skill == "cover" and world.tactics.queries == 1
    beliefs = world.minds[unit].beliefs
    slot = world.units.slot(unit)
    assert (world.units.goal_x[slot], world.units.goal_y[slot]) == beliefs.cover == world.tactics.posts[unit]
    for _ in range(20):
        session.advance()
    assert world.tactics.queries == 1
    for _ in range(60):
        session.advance()
        if not world.units.moving[slot]:
            break
    assert np.hypot(world.units.x[slot] - beliefs.cover[0], world.units.y[slot] - beliefs.cover[1]) < 1.0


def test_without_any_cover_it_flees_and_never_takes_cover_in_the_open() -> None:
    session = _session()
    world = session.world
    world.terrain.edit(0, 0, *world.terrain.passable.shape, passable=255, opaque=0)
    for _ in range(2):
        session.advance()
    unit = _shot_at(session, "Ann")
    slot = world.units.slot(unit)
    enemies = np.flatnonzero(world.units.side[: world.units.count] == 1)

    def nearest() -> float:
        u = world.units
        return float(np.hypot(u.x[enemies] - u.x[slot], u.y[enemies] - u.y[slot]).min())

    before = nearest()
    session.advance()
    beliefs = world.minds[unit].beliefs
    assert beliefs.flees and (world.units.goal_x[slot], world.units.goal_y[slot]) == beliefs.cover
    for _ in range(70):
        session.advance()
    assert nearest() > before + 5.0, "it runs away from all enemies"


def test_it_is_off_in_the_shipped_game_and_under_orders() -> None:
    assert not Session(LEVEL, 3).world.settings.tactics.takes_cover
    for takes in (False, True):
        session = _session(takes)
        if takes:
            unit = next(i for i, n in session.world.names.items() if n == "Ann")
            session.give(Order(int(OrderKind.MOVE), 0, (unit,), 4.5, 12.5))
            session.advance()
        unit = _shot_at(session, "Ann")
        session.advance()
        assert session.world.minds[unit].skill != "cover" and session.world.tactics.queries == 0


def test_a_new_hit_soon_after_asks_for_no_other_place_and_a_later_one_does() -> None:
    session = _session()
    world = session.world
    unit = _shot_at(session, "Ann")
    session.advance()
    for wait, queries in ((take_cover.AGAIN - 2, 1), (4, 2)):
        for _ in range(wait):
            session.advance()
        _shot_at(session, "Ann")
        session.advance()
        assert (world.minds[unit].skill, world.tactics.queries) == ("cover", queries)
