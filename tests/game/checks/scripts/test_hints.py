"""Hints: who does only what they say wins, they leave the player alone for eight seconds, and they go when done."""

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
    """The follower's orders are made from what the plates say, nothing else, 4.5 seconds after it and up to 0.7 tiles
    beside the place; without them nothing happens."""
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
    assert all(len(order.units) in (1, 8) for order in given), "one goes alone; nobody comes along by accident"
    assert follower.book.look(session.world, follower.selected) is None, "nothing to say when it is over"


def test_who_is_to_go_alone_is_to_be_chosen_alone() -> None:
    session, hints = _session(), load_hints(CROSSING)
    book = HintBook(hints[1:])
    for _ in range(PATIENCE + 1):
        book.look(session.world, ())
        session.advance()
    everybody = tuple(range(8))
    assert book.look(session.world, everybody).act == "select"
    assert book.look(session.world, (0,)).act == "move"


def test_it_comes_after_eight_seconds_and_not_to_one_who_is_doing_it() -> None:
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


def test_it_asks_to_select_first_and_asking_changes_nothing() -> None:
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
    """Row after row: who is told to sneak crouches first, who is told to wait waits, and no guard makes anybody out."""
    monkeypatch.setattr("game.checks.scripts.hints.PATIENCE", 20)  # he is no newcomer
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
    assert names == {row: {hint.units} for row, hint in enumerate(hints)}, "each by whom it names, alone"
    lamp = world.lamp("footbridge lamp")
    assert lamp is not None and given[2][-1].target == lamp.id, "put out; who misses the light lights it again"
    assert world.mission.alarms == 0 and not world.units.meter[guards].any(), "and nobody suspects anything at the end"


def test_a_bad_file_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "hints").mkdir()
    (tmp_path / "hints" / "a.toml").write_text('[[hint]]\nact = "move"\ntext = "x"\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"a\.toml: hint.*at = \[x, y\]") as error:
        load_hints(tmp_path / "a.tmx")
    assert "\n" not in str(error.value)
    assert load_hints(tmp_path / "b.tmx") == []
