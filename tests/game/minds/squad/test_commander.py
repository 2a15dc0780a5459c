"""Command in play: orders and reports take time, losses and failures are answered."""

from pathlib import Path

import numpy as np
import pytest

from game.level.level_writer import LevelBuilder
from game.level.reading import load_level
from game.sim.session import Session
from game.world.groups.command_posts import CommandPost
from game.world.orders import Order, OrderKind
from game.world.world import restore_world

PLACES = (20.5, 3.5, 20.5, 14.5)


def _session(tmp_path: Path, walled: bool = False) -> Session:
    """Return two squads of three on a field; walls shut in the second place."""
    rows = [["."] * 24 for _ in range(18)]
    if walled:
        for x, y in [(x, y) for x in range(18, 23) for y in range(12, 17)]:
            rows[y][x] = "#" if x in (18, 22) or y in (12, 16) else "."
    level = LevelBuilder.from_letters("\n".join("".join(row) for row in rows), title="Field")
    for group, y in ((1, 7.5), (2, 9.5)):
        for k in range(3):
            level.add("spawn", 2.5 + k, y, kind="soldier", side="raiders", group=group, layer="objects")
    level.write(tmp_path / "field.tmx")
    return Session(load_level(tmp_path / "field.tmx"), 1, recording=False)


def _command(session: Session, points: tuple[float, ...] = PLACES, name: str = "take") -> None:
    session.give(Order(int(OrderKind.COMMAND), 0, tuple(range(6)), name=name, points=points))
    session.advance()


def _post(session: Session) -> CommandPost:
    return session.world.squads.posts[0]


def test_each_objective_gets_a_squad_and_orders_take_their_time(tmp_path: Path) -> None:
    """A restored world goes on the same; both places are taken."""
    session = _session(tmp_path)
    session.world.settings.tactics.message_speed = 1.0
    _command(session)
    squads = list(session.world.squads.rows.values())
    orders = {m.receiver: m for squad in squads if squad.chain for m in squad.chain.tray}
    assert sorted(orders) == [0, 1] and {(m.x, m.y) for m in orders.values()} == {(20.5, 3.5), (20.5, 14.5)}
    u = session.world.units
    for squad in squads:
        leader = u.slot(squad.members[0])
        far = np.hypot(u.x[leader] - u.x[0], u.y[leader] - u.y[0])
        assert orders[squad.id].due - session.world.tick == pytest.approx(20 * far, abs=1.1)  # rounded up
        assert squad.intent == ""
    while session.world.tick <= max(m.due for m in orders.values()) + 5:
        assert all(s.intent == "" or session.world.tick >= orders[s.id].due for s in squads)
        session.advance()
    assert [s.intent for s in squads] == ["take", "take"]
    again = Session(session.level, 1, recording=False, world=restore_world(session.world.snapshot()))
    for _ in range(40):
        session.advance()
        again.advance()
    assert session.world.hash() == again.world.hash()
    session.world.settings.tactics.message_speed = 12.0
    thoughts = _post(session).thoughts
    while not all(one.taken for one in _post(session).objectives):
        session.advance()
        assert session.world.tick < 900
    for one in _post(session).objectives:
        slots = u.slots(session.world.squads.rows[one.by].members)
        assert (np.hypot(u.x[slots] - one.x, u.y[slots] - one.y) < 6.0).any()
    assert _post(session).thoughts - thoughts <= 3  # it decides on news alone


def test_the_dead_commander_is_replaced_and_a_lost_squad_is_missed(tmp_path: Path) -> None:
    """The next member commands; the lost squad's place goes to the other squad."""
    session = _session(tmp_path)
    _command(session)
    for _ in range(20):
        session.advance()
    world, u = session.world, session.world.units
    lost = world.squads.rows[next(k for k, s in world.squads.rows.items() if 0 in s.members)]
    for unit in lost.members:
        u.alive[u.slot(unit)] = 0
        u.moving[u.slot(unit)] = 0
    died, commands = world.tick, []
    while not all(one.taken for one in _post(session).objectives):
        session.advance()
        commands += [e.tick for e in world.events if e.kind == "command" and e.text == "takes command"]
        assert world.tick < 1500
    assert len(commands) == 1 and commands[0] - died >= 100
    assert _post(session).unit in (3, 4, 5) and list(_post(session).reports) == [1]
    assert {one.by for one in _post(session).objectives} == {1}


def test_a_place_that_no_squad_reaches_stays_open_and_the_other_is_taken(tmp_path: Path) -> None:
    session = _session(tmp_path, walled=True)
    _command(session)
    for _ in range(500):
        session.advance()
    taken = {(one.x, one.y): one.taken for one in _post(session).objectives}
    assert taken == {(20.5, 3.5): True, (20.5, 14.5): False}


def test_bad_commands_are_refused_in_one_line(tmp_path: Path) -> None:
    session = _session(tmp_path)
    for points, name in (((), "take"), ((1.0,), "take"), ((99.0, 1.0), "take"), (PLACES, "dance")):
        _command(session, points, name)
        refused = [e.text for e in session.world.events if e.kind == "refused"]
        assert len(refused) == 1 and "\n" not in refused[0] and not session.world.squads.posts
