"""Taking cover: one query a decision, the kept place, flight without cover."""

from pathlib import Path

import numpy as np
import pytest

from game.level.reading import load_level
from game.minds.agent_view import AgentView
from game.minds.order_progress import NEVER
from game.minds.soldier import take_cover
from game.sim.session import Session
from game.systems.tactics.tactical_places import Place
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


@pytest.mark.parametrize("began", [7, 500, 20_000])
def test_it_is_under_fire_for_six_seconds_and_looks_again_after_two(
    monkeypatch: pytest.MonkeyPatch, began: int
) -> None:
    """Ask at many ticks after a shot, with places found at other shots.

    The two times are 120 and 40 ticks.
    """
    session = _session()
    unit = _shot_at(session, "Ann")
    session.advance()
    world, asked = session.world, []
    beliefs, me = world.minds[unit].beliefs, AgentView(world, world.units.slot(unit), 0)
    places = {"cover": Place(3.5, 4.5, 1.0, "cover", {}), "flee": Place(9.5, 8.5, 1.0, "flee", {})}

    def find(_world: object, slot: int, name: str) -> Place | None:
        asked.append((slot, name))
        return places.get(name)

    monkeypatch.setattr(take_cover, "find_place", find)
    for shot_at in (NEVER, began, began + 90):
        for found_for in (NEVER, *range(began - 1, began + 95, 5), began + 50, began + 51):
            for tick in (began + 90, *range(began + 117, began + 123), *range(began + 207, began + 213)):
                world.tick, beliefs.shot_at, beliefs.cover_tick = tick, shot_at, found_for
                beliefs.cover, beliefs.flees = (1.5, 1.5), True
                asked.clear()
                fire = shot_at != NEVER and tick - shot_at < 120
                again = fire and (found_for == NEVER or shot_at - found_for >= 40)
                assert take_cover.cover_wanted(me) == fire
                assert asked == [(me.slot, "cover")] * again
                assert beliefs.cover_tick == (shot_at if again else found_for)
                assert (beliefs.cover, beliefs.flees) == (((3.5, 4.5), False) if again else ((1.5, 1.5), True))
    world.tick, beliefs.shot_at = began + 1, began
    for kinds, want in ((("flee",), ((9.5, 8.5), True)), ((), (None, False))):
        beliefs.cover_tick = NEVER
        for name in set(places) - set(kinds):
            del places[name]
        assert take_cover.cover_wanted(me) == bool(kinds)
        assert (beliefs.cover, beliefs.flees) == want and asked[-2:] == [(me.slot, "cover"), (me.slot, "flee")]
