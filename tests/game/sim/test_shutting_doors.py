"""Hands stay on the lever of a door in which somebody stands, and it shuts at the first tick in which it is free."""

from pathlib import Path

from game.level.build import LevelBuilder
from game.level.reading import load_level
from game.sim.session import Session
from game.world.doors import units_in
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import FIELD, write


def begun(folder: Path) -> Session:
    """Unit 0 stands at the lever, unit 1 in the open gate."""
    builder = LevelBuilder.from_letters(FIELD, title="Gate")
    builder.add("spawn", 4.5, 3.5, side="raiders", kind="raider")
    builder.add("spawn", 10.5, 6.5, side="raiders", kind="raider")
    builder.add("door", 10, 6, 1, 1, name="gate", open=True)
    builder.add("prop", 4, 2, 1, 1, kind="lever", name="lever", door="gate")
    session = Session(load_level(write(folder, builder)), seed=3)
    session.give(Order(int(OrderKind.USE), 0, (0,), 4.5, 2.5, session.world.props[0].id))
    return session


def test_it_shuts_when_the_one_who_stood_in_it_has_gone(tmp_path: Path) -> None:
    session = begun(tmp_path)
    world, (door,) = session.world, session.world.doors
    refused = []
    for _ in range(80):
        session.advance()
        refused += [e.text for e in world.events if e.kind == "refused"]
    assert door.open and refused == ["something stands in it"], "told once, not at every tick"
    session.give(Order(int(OrderKind.MOVE), 0, (1,), 16.5, 6.5))
    while len(units_in(world, door)):
        assert door.open
        session.advance()
    session.advance()
    assert not door.open
    for _ in range(10):
        session.advance()
    assert world.units.order[0] == OrderKind.NONE


def test_one_who_never_goes_makes_the_other_give_up(tmp_path: Path) -> None:
    session = begun(tmp_path)
    told = []
    for _ in range(1200):
        session.advance()
        told += [e.text for e in session.world.events if e.kind == "gave_up"]
    assert told == ["it does not move"] and session.world.doors[0].open
    assert session.world.units.order[0] == OrderKind.NONE
