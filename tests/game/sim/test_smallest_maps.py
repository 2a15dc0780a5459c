"""The smallest and the most blocked maps, played headless.

Orders are carried out as far as possible, and an unplayable map is refused with a message.
The oracle is the terrain under each unit after each tick: no unit stands in a wall.
"""

from pathlib import Path

import pytest

from game.cli import main
from game.level.level_writer import LevelBuilder
from game.sim.session import Session
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import load, write


def level(folder: Path, rows: str, *spawns: tuple[float, float]) -> Path:
    builder = LevelBuilder.from_letters(rows, title="Small")
    for x, y in spawns:
        builder.add("spawn", x, y, side="raiders", kind="raider")
    return write(folder, builder)


def sent(session: Session, x: float, y: float, ticks: int = 120) -> list[tuple[str, int]]:
    """Order all units to a position; return the events.

    Each unit stands on a passable tile in each tick.
    """
    u, terrain = session.world.units, session.world.terrain
    session.give(Order(int(OrderKind.MOVE), 0, tuple(range(u.count)), x, y))
    told = []
    for _ in range(ticks):
        session.advance()
        told += [(event.kind, event.unit) for event in session.world.events]
        for i in range(u.count):
            assert terrain.inside(int(u.y[i]), int(u.x[i])) and u.x[i] >= 0 and u.y[i] >= 0
            assert terrain.passable[int(u.y[i]), int(u.x[i])] >> u.movement_class[i] & 1
    return told


@pytest.mark.parametrize("goal", [(0.5, 0.5), (5.0, 5.0), (-3.0, 0.5), (1e300, 0.5)])
def test_on_one_tile_every_order_ends_where_it_began(tmp_path: Path, goal: tuple[float, float]) -> None:
    session = Session(load(level(tmp_path, ".", (0.5, 0.5))), recording=False)
    assert ("arrived", 0) in sent(session, *goal, ticks=20)
    u = session.world.units
    assert (int(u.x[0]), int(u.y[0]), int(u.moving[0])) == (0, 0, 0)


def test_in_one_row_a_unit_walks_to_the_tile_nearest_to_the_goal(tmp_path: Path) -> None:
    session = Session(load(level(tmp_path, "." * 12, (0.5, 0.5))), recording=False)
    u = session.world.units
    assert ("arrived", 0) in sent(session, 11.5, 0.5) and int(u.x[0]) == 11
    assert ("arrived", 0) in sent(session, 4.5, 7.0) and int(u.x[0]) == 4
    assert ("arrived", 0) in sent(session, -9.0, -9.0) and int(u.x[0]) == 0


def test_a_unit_walks_up_to_a_wall_across_the_only_row(tmp_path: Path) -> None:
    session = Session(load(level(tmp_path, ".....#......", (0.5, 0.5))), recording=False)
    assert ("arrived", 0) in sent(session, 11.5, 0.5)
    assert int(session.world.units.x[0]) == 4 and session.world.paths.statistics.requested == 1


def test_a_map_without_open_ground_is_refused_with_a_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = level(tmp_path, "####\n####\n####", (1.5, 1.5))
    for arguments in (["run", str(path), "--ticks", "5"], ["check", str(path)]):
        assert main(arguments) != 0
        told = capsys.readouterr()
        assert "no tile of it can be walked" in told.out + told.err and "Traceback" not in told.out + told.err


def test_a_unit_drawn_into_a_wall_is_left_out_with_a_note(tmp_path: Path) -> None:
    read = load(level(tmp_path, "....\n.#..\n....", (1.5, 1.5), (0.5, 0.5)))
    assert any("no unit can stand there" in note for note in read.card.notes)
    session = Session(read, recording=False)
    assert session.world.units.count == 1 and ("arrived", 0) in sent(session, 3.5, 2.5)


def test_a_unit_whose_tile_becomes_blocked_walks_out_of_it(tmp_path: Path) -> None:
    """Block the start tile: the search begins at the nearest open tile."""
    session = Session(load(level(tmp_path, "\n".join(["." * 12] * 5), (2.5, 2.5))), recording=False)
    world = session.world
    session.advance()
    world.terrain.edit(2, 2, 3, 3, passable=0)
    session.give(Order(int(OrderKind.MOVE), 0, (0,), 9.5, 2.5))
    told = []
    for _ in range(120):
        session.advance()
        told += [event.kind for event in world.events]
    u = world.units
    assert "arrived" in told and (int(u.x[0]), int(u.y[0])) == (9, 2)
