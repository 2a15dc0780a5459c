"""Orders to unknown units and to another side's units are refused by an event."""

import pytest

from game.level.finding import find_level
from game.level.reading import load_level
from game.sim.session import Session
from game.world.orders import Order, OrderKind


def refusals(side: int, units: tuple[int, ...]) -> tuple[list[str], int]:
    """Give one order to move; return its refusals and the number that obey."""
    session = Session(load_level(find_level("skirmish_small")))
    session.give(Order(int(OrderKind.MOVE), side, units, 20.5, 13.5))
    session.advance()
    world = session.world
    texts = [event.text for event in world.events if event.kind == "refused"]
    return texts, int((world.units.order[: world.units.count] == OrderKind.MOVE).sum())


@pytest.mark.parametrize(
    ("side", "units", "text", "obey"),
    [
        (0, (0, 1), None, 2),
        (0, (7,), "move: unit 7 is not of side 0", 0),
        (1, (0, 7), "move: unit 0 is not of side 1", 1),
        (0, (0, 99), "move: 1 of its units does not exist", 1),
        (0, (-5, 98, 99), "move: 3 of its units do not exist", 0),
    ],
)
def test_a_foreign_or_unknown_unit_is_reported(side: int, units: tuple[int, ...], text: str | None, obey: int) -> None:
    texts, obeying = refusals(side, units)
    assert texts == ([text] if text else [])
    assert obeying == obey


def test_an_order_to_a_dead_unit_is_not_refused() -> None:
    session = Session(load_level(find_level("skirmish_small")))
    session.world.units.alive[0] = 0
    session.give(Order(int(OrderKind.MOVE), 0, (0, 1), 20.5, 13.5))
    session.advance()
    assert not [event for event in session.world.events if event.kind == "refused"]
