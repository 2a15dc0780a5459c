"""Second future of a recorded game, with one change from a tick on.

Oracle: the same change played from the first tick, and the game itself, which must not notice.
"""

from pathlib import Path

import pytest

from game.checks.comparing.comparison import Comparison
from game.checks.comparing.what_if import Change, next_order_of, what_if
from game.level.reading import load_level
from game.sim.session import Session
from game.sim.timeline.viewing_copy import ViewingCopy
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import bridge_level

FROM, END = 20, 50


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder: Path = tmp_path_factory.mktemp("what_if")
    session = Session(load_level(bridge_level(folder)), 3)
    session.remember()
    session.give(Order(int(OrderKind.MOVE), 0, (0, 1), 20.5, 6.5))
    for tick in range(END):
        if tick == 30:
            session.give(Order(int(OrderKind.MOVE), 0, (0, 2), 3.5, 6.5))
        session.advance()
    return session


def futures(game: Session, change: Change) -> tuple[Comparison, Comparison]:
    """Return both futures forked at a tick, and both games played from the start."""
    copy = ViewingCopy(game)
    copy.seek(FROM)
    setup = what_if(game, FROM, change)
    made = Comparison.go_on(setup, copy.session), Comparison.begin(setup, game.seed)
    for comparison in made:
        while comparison.tick < END:
            comparison.advance()
    return made


def test_a_setting_changes_the_other_future_alone(game: Session) -> None:
    hash_of_game = game.world.hash()
    forked, whole = futures(game, Change("steering.acceleration", 2.0))
    assert forked.difference is not None and forked.difference.tick > FROM
    assert (forked.difference, forked.parting) == (whole.difference, whole.parting)
    assert [w.hash() for w in forked.worlds] == [w.hash() for w in whole.worlds]
    assert forked.worlds[1].settings.steering.acceleration == 2.0 != game.world.settings.steering.acceleration
    assert game.world.hash() == hash_of_game == forked.worlds[0].hash()


def test_the_present_value_is_no_change(game: Session) -> None:
    forked, _ = futures(game, Change("steering.acceleration", game.world.settings.steering.acceleration))
    assert forked.difference is None and forked.worlds[1].hash() == game.world.hash()


def test_an_order_left_out_for_one_unit_reaches_the_other(game: Session) -> None:
    forked, _ = futures(game, Change(unit=0, left_out=next_order_of(game, 0, FROM)))
    assert forked.difference is not None and forked.difference.tick == 31 and forked.parting is not None
    assert forked.parting.unit == 0
    goals = [[float(w.units.ordered_x[unit]) for unit in (0, 2)] for w in forked.worlds]
    assert goals[0][1] == goals[1][1] and goals[0][0] != goals[1][0]
    assert next_order_of(game, 1, FROM) == -1


def test_another_order_takes_its_place_or_enters_at_the_tick(game: Session) -> None:
    """The oracle gives the same orders by hand, with the one that is changed."""
    left_out = next_order_of(game, 0, FROM)
    elsewhere = Order(int(OrderKind.MOVE), 0, (0,), 20.5, 2.5)
    stop = Order(int(OrderKind.STOP), 0, (1,))
    for change, given in (
        (Change(unit=0, left_out=left_out, order=elsewhere), {30: elsewhere}),
        (Change(unit=1, order=stop), {FROM: stop}),
    ):
        by_hand = Session(game.level, 3)
        by_hand.give(Order(int(OrderKind.MOVE), 0, (0, 1), 20.5, 6.5))
        for tick in range(END):
            if tick == 30:
                others = (2,) if 30 in given else (0, 2)
                by_hand.give(Order(int(OrderKind.MOVE), 0, others, 3.5, 6.5))
            if tick in given:
                by_hand.give(given[tick])
            by_hand.advance()
        forked, whole = futures(game, change)
        assert forked.worlds[1].hash() == whole.worlds[1].hash() == by_hand.world.hash()
        assert forked.worlds[0].hash() == game.world.hash()
        assert forked.difference is not None and forked.difference.tick == min(given) + 1
