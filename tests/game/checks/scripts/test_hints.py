"""Hints: a player that follows only the hints succeeds.

A hint appears after eight seconds without progress and goes when its action is done.
"""

from pathlib import Path

import pytest

from game.checks.scripts.hints import PATIENCE, HintBook, HintFollower, load_hints
from game.level.reading import load_level
from game.sim.session import Session
from game.world.orders import Order, OrderKind

CROSSING = Path(__file__).resolve().parents[4] / "levels" / "the_crossing.tmx"


def _session(seed: int = 7) -> Session:
    return Session(load_level(CROSSING), seed=seed, recording=False)


def test_a_player_who_does_only_what_the_hints_say_wins_the_crossing() -> None:
    """Give orders made from the shown hints alone and win The Crossing.

    An order comes 90 ticks after its hint and up to 0.7 tiles beside the given place.
    """
    session, follower = _session(3), HintFollower(load_hints(CROSSING), 90, 0.7, 3)
    given = []
    for _ in range(6000):
        for order in follower.orders(session.world):
            given.append(order)
            session.give(order)
        session.advance()
        if session.world.mission.status != "running":
            break
    assert session.world.mission.status == "won"
    assert session.world.mission.losses == 0
    assert len(given) <= 12
    assert all(len(order.units) in (1, 8) for order in given), "one unit alone or all eight"
    assert follower.book.look(session.world, follower.selected) is None, "nothing to say when it is over"


def test_a_hint_for_one_unit_asks_to_select_it_alone() -> None:
    session, hints = _session(), load_hints(CROSSING)
    book = HintBook(hints[1:])
    for _ in range(PATIENCE + 1):
        book.look(session.world, ())
        session.advance()
    everybody = tuple(range(8))
    assert book.look(session.world, everybody).act == "select"
    assert book.look(session.world, (0,)).act == "move"


def test_a_hint_comes_after_eight_seconds_and_not_while_its_order_is_carried_out() -> None:
    session, book = _session(), HintBook(load_hints(CROSSING))
    everybody = tuple(range(8))
    for tick in range(PATIENCE):
        assert book.look(session.world, everybody) is None, tick
        session.advance()
    shown = book.look(session.world, everybody)
    assert shown is not None and shown.act == "move"
    session.give(Order(int(OrderKind.MOVE), 0, everybody, shown.x, shown.y))
    session.advance()
    assert book.look(session.world, everybody) is None, "they are on their way"


def test_a_hint_asks_to_select_first_and_does_not_change_the_world() -> None:
    session, book = _session(), HintBook(load_hints(CROSSING))
    for _ in range(PATIENCE + 5):
        book.look(session.world, ())
        session.advance()
    before = session.world.hash()
    shown = book.look(session.world, ())
    assert shown is not None and shown.act == "select_all"
    assert session.world.hash() == before


def test_a_player_who_does_only_what_the_hints_say_plays_the_opening_of_the_depot_unseen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Follow the hints of The Depot at Night row by row.

    A unit crouches before it sneaks and waits where the hint says so; no guard identifies a raider.
    """
    # Hints come after 1 second instead of 8, so that the test is short.
    monkeypatch.setattr("game.checks.scripts.hints.PATIENCE", 20)
    depot = CROSSING.with_name("the_depot.tmx")
    session, hints = Session(load_level(depot), 6, recording=False), load_hints(depot)
    world, follower = session.world, HintFollower(hints, 10, 0.1, 3)
    guards = world.units.living(1)
    given: dict[int, list[Order]] = {}
    said: dict[int, list[str]] = {}
    while follower.book.step < len(hints):
        assert world.tick < 1600, f"row {follower.book.step} of {len(hints)} is not done"
        orders = follower.orders(world)
        row = follower.book.step
        shown = follower.book.look(world, follower.selected)
        if shown is not None and [*said.get(row, [""])][-1] != shown.act:
            said.setdefault(row, []).append(shown.act)
        for order in orders:
            given.setdefault(row, []).append(order)
            session.give(order)
        session.advance()
        assert world.units.meter[guards].max() < 1.0, world.tick
    assert list(given) == list(range(len(hints))), "each row is followed, none is passed over"
    assert {row: acts[-1] for row, acts in said.items()} == {row: hint.act for row, hint in enumerate(hints)}
    assert "crouch" in said[0] and "crouch" in said[1] and "wait" in said[3]
    names = {row: {world.names[unit] for order in orders for unit in order.units} for row, orders in given.items()}
    assert names == {row: {hint.units} for row, hint in enumerate(hints)}, "each by the unit it names, alone"
    lamp = world.lamp("footbridge lamp")
    assert lamp is not None and given[2][-1].target == lamp.id, "the lamp is put out"
    assert world.mission.alarms == 0 and not world.units.meter[guards].any(), "no guard is suspicious at the end"


def test_a_bad_file_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "hints").mkdir()
    (tmp_path / "hints" / "a.toml").write_text('[[hint]]\nact = "move"\ntext = "x"\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"a\.toml: hint.*at = \[x, y\]") as error:
        load_hints(tmp_path / "a.tmx")
    assert "\n" not in str(error.value)
    assert load_hints(tmp_path / "b.tmx") == []
