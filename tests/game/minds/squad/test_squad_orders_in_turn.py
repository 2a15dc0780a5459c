"""Squad orders with shift wait for their turn; survivors stay their squad."""

from pathlib import Path

from game.level.level_writer import LevelBuilder
from game.level.reading import load_level
from game.sim.session import Session
from game.world.orders import Order, OrderKind

FIRST, SECOND, WALK = (6.5, 3.5), (10.5, 5.5), (12.5, 2.5)


def _session(tmp_path: Path) -> Session:
    """Return four soldiers on an empty field."""
    level = LevelBuilder.from_letters("\n".join(["." * 20] * 9), title="Field")
    for k in range(4):
        level.add("spawn", 2.5, 2.5 + k, kind="soldier", side="raiders", layer="objects")
    level.write(tmp_path / "field.tmx")
    return Session(load_level(tmp_path / "field.tmx"), 1, recording=False)


def _give(session: Session, units: tuple[int, ...], at: tuple[float, float], kind: str = "squad", **more: bool) -> None:
    name = "hold" if kind == "squad" else ""
    session.give(Order(int(OrderKind[kind.upper()]), 0, units, *at, name=name, **more))


def test_a_squad_does_its_orders_in_turn_and_a_plain_one_empties_the_queue(tmp_path: Path) -> None:
    """Loose units become a squad together, and take each place before the next.

    A unit that is ordered away leaves the queue and the squad; the others do not wait for it.
    """
    session = _session(tmp_path)
    world, u = session.world, session.world.units
    _give(session, (0,), (4.5, 2.5), "move")
    session.advance()
    _give(session, (0, 1, 2), FIRST, queued=True)
    _give(session, (0, 1, 2), SECOND, queued=True)
    _give(session, (0, 1, 2), WALK, "move", queued=True)
    session.advance()
    assert u.moving[0] and not u.moving[1:].any() and not world.squads.rows
    places, at_first = [], 0
    for _ in range(500):
        session.advance()
        for squad in world.squads.rows.values():
            assert squad.members == [0, 1, 2]
            if not places or places[-1] != (squad.x, squad.y):
                places.append((squad.x, squad.y))
        x, y = FIRST
        if places == [FIRST]:
            at_first = int(((u.x[:3] - x) ** 2 + (u.y[:3] - y) ** 2 < 5.0**2).sum())
        if places and not world.squads.rows and not u.moving.any():
            break
    assert places == [FIRST, SECOND] and at_first == 3
    assert not world.squads.rows and not world.queues
    assert ((u.x[:3] - WALK[0]) ** 2 + (u.y[:3] - WALK[1]) ** 2 < 3.0**2).all() and u.x[3] == 2.5

    _give(session, (0, 1, 2), FIRST)
    _give(session, (0, 1, 2), SECOND, queued=True)
    session.advance()
    assert set(world.queues) == {0, 1, 2}
    _give(session, (2,), WALK, "move")
    for _ in range(200):
        session.advance()
        if not world.queues:
            break
    (squad,) = world.squads.rows.values()
    assert squad.members == [0, 1] and (squad.x, squad.y) == SECOND


def test_survivors_with_a_new_order_are_still_their_squad(tmp_path: Path) -> None:
    """Name and number stay; the home is the middle of the living, who command."""
    session = _session(tmp_path)
    world, u = session.world, session.world.units
    _give(session, (0, 1, 2), FIRST)
    session.advance()
    (squad,) = world.squads.rows.values()
    squad.last, squad.name = "hold_ground", "Reds"
    u.alive[0], u.hp[0] = 0, 0
    _give(session, (1, 2), SECOND)
    session.advance()
    (same,) = world.squads.rows.values()
    assert (same.id, same.name, same.members) == (squad.id, "Reds", [0, 1, 2]) and (same.x, same.y) == SECOND
    assert abs(same.home_y - float(u.y[1:3].mean())) < 0.3
    session.give(Order(int(OrderKind.COMMAND), 0, (1, 2), name="hold", points=FIRST))
    session.advance()
    (led,), (post,) = world.squads.rows.values(), world.squads.posts.values()
    assert led.id == squad.id and post.unit == 1 and post.reports[led.id].strength == 2.0
