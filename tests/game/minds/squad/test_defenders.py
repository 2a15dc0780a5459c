"""Defenders: they hold, clear a house, and pull back when weaker."""

from pathlib import Path

import pytest

from game.level.level_writer import LevelBuilder
from game.level.reading import load_level
from game.sim.session import Session
from game.world.groups.squads import KnownEnemy, Squad
from game.world.orders import Order, OrderKind

HERE, REFUGE = (12.5, 12.5), (26.5, 12.5)
IN_THE_HOUSE = (16.5, 5.5)


def _session(tmp_path: Path, many: int = 4) -> Session:
    """Return a squad south of a house and another far off; no enemy."""
    rows = ["." * 32] * 3 + ["." * 12 + "########" + "." * 12] + ["." * 12 + "#ffffff#" + "." * 12] * 3
    rows += ["." * 12 + "###f####" + "." * 12] + ["." * 32] * 10
    level = LevelBuilder.from_letters("\n".join(rows), title="House")
    for k in range(many):
        level.add("spawn", 11.5 + k, 13.5, kind="soldier", side="raiders", group=1, layer="objects")
    level.add("spawn", 26.5, 13.5, kind="soldier", side="raiders", group=2, layer="objects")
    level.write(tmp_path / "house.tmx")
    session = Session(load_level(tmp_path / "house.tmx"), 1, recording=False)
    session.give(Order(int(OrderKind.COMMAND), 0, tuple(range(many + 1)), name="defend", points=(*HERE, *REFUGE)))
    return session


def _squad(session: Session, ticks: int) -> Squad:
    for _ in range(ticks):
        session.advance()
    return session.world.squads.rows[0]


def _tell(session: Session, places: list[tuple[float, float]]) -> None:
    """Let the squad believe in enemies that stand at places."""
    tick = session.world.tick
    squad = session.world.squads.rows[0]
    squad.enemies = {100 + k: KnownEnemy(100 + k, x, y, tick, first=tick - 100) for k, (x, y) in enumerate(places)}


@pytest.mark.parametrize(("many", "kind"), [(2, "clear_room"), (4, "search_house")])
def test_defenders_hold_and_clear_the_house_that_an_enemy_is_in(tmp_path: Path, many: int, kind: str) -> None:
    """An enemy in the open leaves them there; in a house it is sought."""
    session = _session(tmp_path, many)
    squad = _squad(session, 100)
    assert (squad.intent, squad.x, squad.y) == ("defend", *HERE) and squad.last == "hold_ground" and squad.rests
    squad.barred_until = 0
    _tell(session, [(24.5, 12.5)])
    while not _squad(session, 5).rests:
        assert session.world.tick < 260
    squad.barred_until = 0
    _tell(session, [IN_THE_HOUSE])
    squad = _squad(session, 12)
    assert squad.task is not None and squad.task.kind == kind and (squad.task.x, squad.task.y) == IN_THE_HOUSE
    u = session.world.units
    for _ in range(300):
        session.advance()
    slots = u.slots(squad.members)
    inside = (u.y[slots] < 7.0) & (u.x[slots] > 13.0) & (u.x[slots] < 19.0)
    assert inside.sum() == many - (kind == "search_house")  # one watches the door from outside
    assert squad.intent == "defend" and not session.world.set_aside


def test_a_much_weaker_squad_pulls_back_to_the_other_place_and_defends_there(tmp_path: Path) -> None:
    session = _session(tmp_path, 2)
    squad = _squad(session, 100)
    squad.barred_until = 0
    _tell(session, [(5.5 + k, 1.5) for k in range(4)])
    squad = _squad(session, 12)
    assert squad.task is not None and squad.task.kind == "pull_back" and (squad.task.x, squad.task.y) == REFUGE
    for _ in range(420):
        session.advance()
    u = session.world.units
    slots = u.slots(squad.members)
    assert (abs(u.x[slots] - REFUGE[0]) < 7.0).all()
    assert (squad.intent, squad.x, squad.y) == ("defend", *REFUGE)


def test_a_manoeuvre_that_ends_after_a_retreat_does_not_lift_its_bar(tmp_path: Path) -> None:
    """Hold ground bars nothing.

    It ends within the time of the retreat's bar. A later hold is noted after that time.
    """
    session = _session(tmp_path, 2)
    while (squad := _squad(session, 1)).task is None:
        assert session.world.tick < 60
    until = "pull_back", session.world.tick + 200
    squad.last, squad.barred_until = until
    while squad.task is not None:
        _squad(session, 1)
        assert session.world.tick < until[1]
    assert (squad.last, squad.barred_until) == until
    squad.rests, squad.barred_until = False, session.world.tick
    while _squad(session, 1).task is None:
        assert session.world.tick < 400
    while squad.task is not None:
        _squad(session, 1)
        assert session.world.tick < 600
    assert squad.last == "hold_ground"
