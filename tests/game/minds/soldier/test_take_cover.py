"""Taking cover: one query a decision, the kept place, flight without cover."""

from pathlib import Path

import numpy as np

from game.level.reading import load_level
from game.minds.soldier import take_cover
from game.sim.session import Session
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
    session.advance()
    beliefs = world.minds[unit].beliefs
    assert beliefs.flees and beliefs.cover is not None


def test_it_is_off_in_the_shipped_game_and_under_orders() -> None:
    session = _session(takes=False)
    unit = _shot_at(session, "Ann")
    session.advance()
    assert session.world.minds[unit].skill != "cover"
    assert take_cover.UNDER_FIRE > take_cover.AGAIN
