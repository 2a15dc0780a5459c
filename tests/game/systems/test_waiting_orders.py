"""Waiting orders: saves and kept states hold orders given before the next tick."""

from pathlib import Path

from game.level.reading import load_level
from game.sim.saves import load_game, save_game
from game.sim.session import Session
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import bridge_level

MARCH = Order(int(OrderKind.MOVE), 0, (0, 1, 2, 3), 20.5, 6.5)


def begun(folder: Path) -> Session:
    session = Session(load_level(bridge_level(folder)), seed=3)
    for _ in range(10):
        session.advance()
    session.give(MARCH)
    return session


def test_a_save_holds_waiting_orders(tmp_path: Path) -> None:
    session = begun(tmp_path)
    save_game(session, tmp_path / "game.fog")
    loaded = load_game(tmp_path / "game.fog")
    for played in (session, loaded):
        for _ in range(30):
            played.advance()
    assert loaded.log == session.log == [(11, MARCH)]
    assert loaded.world.hash() == session.world.hash()
    assert loaded.world.units.moving[:4].all()


def test_a_kept_state_holds_waiting_orders(tmp_path: Path) -> None:
    session = begun(tmp_path)
    session.keep()
    for _ in range(30):
        session.advance()
    wanted = session.world.hash()
    assert session.back() and session.waiting == (MARCH,)
    for _ in range(30):
        session.advance()
    assert session.world.hash() == wanted and session.log == [(11, MARCH)]
