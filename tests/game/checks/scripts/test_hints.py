"""Hints: a player that follows only the hints succeeds.

A hint appears after eight seconds without progress and goes when its action is done.
"""

from pathlib import Path

import pytest

from game.checks.scripts.hints import PATIENCE, Hint, HintBook, HintFollower, load_hints
from game.level.reading import load_level
from game.sim.session import Session
from game.world.orders import Order, OrderKind

CROSSING = Path(__file__).resolve().parents[4] / "levels" / "the_crossing.tmx"


def _session(seed: int = 7) -> Session:
    return Session(load_level(CROSSING), seed=seed, recording=False)


@pytest.mark.long
def test_a_player_who_does_only_what_the_hints_say_wins_the_crossing() -> None:
    """Give orders made from the shown hints alone and win The Crossing.

    An order comes 90 ticks after its hint and up to 0.7 tiles beside the given place.
    """
    session, follower = _session(3), HintFollower(load_hints(CROSSING), 90, 0.7, 3)
    given, shown_at, waits = [], [], {}
    for _ in range(6000):
        shown = follower.book.look(session.world, follower.selected)
        if shown is not None:
            shown_at.append(session.world.tick)
            if shown.act == "wait":
                waits[follower.book.step] = waits.get(follower.book.step, 0) + 1
        for order in follower.orders(session.world):
            given.append(order)
            session.give(order)
        session.advance()
        if session.world.mission.status != "running":
            break
    assert session.world.mission.status == "won"
    assert session.world.mission.losses == 0
    assert shown_at[0] <= 40, "the first hint comes within two seconds"
    assert waits and max(waits.values()) <= 300, f"ticks of waiting by hint: {waits}"
    assert len(given) <= 14
    assert {order.units for order in given} == {(0, 1, 2, 3), (4, 5, 6, 7), (0,)}, "both fours, then one unit alone"
    assert follower.book.look(session.world, follower.selected) is None, "nothing to say when it is over"


def test_a_hint_for_one_unit_asks_to_select_it_alone() -> None:
    session, hints = _session(), load_hints(CROSSING)
    book = HintBook(hints[2:])
    for _ in range(hints[2].patience + 1):
        book.look(session.world, ())
        session.advance()
    everybody = tuple(range(8))
    assert book.look(session.world, everybody).act == "select"
    assert book.look(session.world, (0,)).act == "move"


def test_a_hint_is_for_another_unit_once_its_own_is_lost() -> None:
    session, hints = _session(), load_hints(CROSSING)
    units = session.world.units
    units.alive[units.slot(0)] = 0
    book = HintBook(hints[2:])
    for _ in range(hints[2].patience + 1):
        book.look(session.world, ())
        session.advance()
    shown = book.look(session.world, ())
    assert shown is not None and shown.act == "select" and shown.unit in range(1, 8)


def test_a_row_for_meanwhile_gives_way_to_the_next_while_its_units_walk() -> None:
    session, hints = _session(), load_hints(CROSSING)
    book, first = HintBook(hints), (0, 1, 2, 3)
    for _ in range(hints[0].patience + 1):
        book.look(session.world, first)
        session.advance()
    shown = book.look(session.world, ())
    assert shown.act == "select_group" and shown.group == 1 and shown.units == first
    shown = book.look(session.world, first)
    session.give(Order(int(OrderKind.MOVE), 0, first, shown.x, shown.y))
    for _ in range(hints[1].patience + 2):
        session.advance()
        book.look(session.world, first)
    assert session.world.units.moving[session.world.units.slots(first)].any()
    shown = book.look(session.world, first)
    assert shown.act == "select_group" and shown.group == 2


def test_a_unit_that_did_not_queue_is_told_the_next_place() -> None:
    """Stop at the first place of a row and ask for the next."""
    session = _session()
    x, y = float(session.world.units.x[0]), float(session.world.units.y[0])
    row = {
        "act": "move",
        "units": "Ann",
        "at": [x, y],
        "then": [[x - 8, y], [x - 8, y - 3]],
        "text": "go",
        "patience": 0,
    }
    book = HintBook([Hint(**row)])
    shown = book.look(session.world, (0,))
    assert (shown.x, shown.y) == (x - 8, y) and shown.then == ((x - 8, y - 3),)


def test_a_hint_comes_after_eight_seconds_and_not_while_its_order_is_carried_out() -> None:
    row = {"act": "move", "units": "raiders", "everybody": True, "at": [10.5, 21.5], "radius": 5.0, "text": "home"}
    session, book = _session(), HintBook([Hint(**row)])
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
    row = {"act": "move", "units": "raiders", "everybody": True, "at": [10.5, 21.5], "radius": 5.0, "text": "home"}
    session, book = _session(), HintBook([Hint(**row)])
    for _ in range(PATIENCE + 5):
        book.look(session.world, ())
        session.advance()
    before = session.world.hash()
    shown = book.look(session.world, ())
    assert shown is not None and shown.act == "select_all"
    assert session.world.hash() == before


@pytest.mark.long
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
