"""Shutting doors: an occupied door shuts in the first free tick."""

from pathlib import Path

from game.level.level_writer import LevelBuilder
from game.level.reading import load_level
from game.sim.session import Session
from game.systems.interaction.doors import units_in
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import FIELD, write


def begun(folder: Path) -> Session:
    """Return a session with unit 0 at a lever, unit 1 in the gate."""
    builder = LevelBuilder.from_letters(FIELD, title="Gate")
    builder.add("spawn", 4.5, 3.5, side="raiders", kind="raider")
    builder.add("spawn", 10.5, 6.5, side="raiders", kind="raider")
    builder.add("door", 10, 6, 1, 1, name="gate", open=True)
    builder.add("prop", 4, 2, 1, 1, kind="lever", name="lever", door="gate")
    session = Session(load_level(write(folder, builder)), seed=3)
    session.give(Order(int(OrderKind.USE), 0, (0,), 4.5, 2.5, session.world.props[0].id))
    return session


def test_a_door_shuts_when_the_unit_in_it_has_left(tmp_path: Path) -> None:
    session = begun(tmp_path)
    world, (door,) = session.world, session.world.doors
    refused = []
    for _ in range(80):
        session.advance()
        refused += [e.text for e in world.events if e.kind == "refused"]
    assert door.open and refused == ["something stands in it"], "reported once, not in each tick"
    session.give(Order(int(OrderKind.MOVE), 0, (1,), 16.5, 6.5))
    while len(units_in(world, door)):
        assert door.open
        session.advance()
    session.advance()
    assert not door.open
    for _ in range(10):
        session.advance()
    assert world.units.order[0] == OrderKind.NONE


def test_the_unit_at_the_lever_gives_up_when_the_door_stays_occupied(tmp_path: Path) -> None:
    session = begun(tmp_path)
    told = []
    for _ in range(1200):
        session.advance()
        told += [e.text for e in session.world.events if e.kind == "gave_up"]
    assert told == ["it takes too long"] and session.world.doors[0].open
    assert session.world.units.order[0] == OrderKind.NONE


WALL = "\n".join(["." * 10 + "~" + "." * 13] * 6 + ["." * 24] + ["." * 10 + "~" + "." * 13] * 7)


def test_a_door_that_is_about_to_shut_admits_no_unit_and_shuts_within_a_crowd(tmp_path: Path) -> None:
    """Walk a crowd through a gate that opens and shuts periodically.

    Oracle: the positions of the bodies.
    """
    builder = LevelBuilder.from_letters(WALL, title="Gate")
    for i in range(24):
        builder.add("spawn", 1.5 + i % 8, 3.5 + 2 * (i // 8), side="raiders", kind="raider")
    builder.add("door", 10, 6, 1, 1, name="gate", open=True)
    session = Session(load_level(write(tmp_path, builder)), 3, {"rules.doors_swing": 20})
    world, (door,) = session.world, session.world.doors
    session.give(Order(int(OrderKind.MOVE), 0, tuple(range(24)), 16.5, 6.5))
    changes, waiting = [], 0
    for _ in range(900):
        before, was_open = set(units_in(world, door).tolist()), door.open
        wanted_to_shut = door.open and door.shutting == world.tick
        session.advance()
        if door.open != was_open:
            changes.append((world.tick, door.open))
        if not door.open:
            assert not len(units_in(world, door)), "the door shut on a unit"
        if wanted_to_shut:
            waiting += 1
            assert set(units_in(world, door).tolist()) <= before, "a unit went in"
    assert waiting > 0, "the door had to wait for a unit"
    shut = [tick for tick, is_open in changes if not is_open]
    assert len(shut) >= 20 and all(tick % 40 in range(20, 35) for tick in shut), "it shuts in its second"
    assert (world.units.x[:24] > 11).all() and world.paths.statistics.lost == 0
