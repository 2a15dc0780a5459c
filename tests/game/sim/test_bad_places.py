"""Orders with wrong positions or values.

An invalid order is refused with a message; a blocked or outside position means the nearest reachable tile.
"""

import math
from pathlib import Path

import numpy as np
import pytest

from game.level.level_writer import LevelBuilder
from game.level.reading import load_level
from game.sim.session import Session
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import write

ISLAND = "\n".join(["." * 24] * 4 + ["." * 16 + "~" * 8] * 3 + ["." * 24] * 4)


def opened(folder: Path) -> Session:
    builder = LevelBuilder.from_letters(ISLAND, title="Places")
    for i in range(3):
        builder.add("spawn", 1.5 + i, 2.5, side="raiders", kind="raider")
    return Session(load_level(write(folder, builder)), seed=3)


def walk(session: Session) -> None:
    """Run until no unit moves, at most to the next multiple of 400 ticks."""
    session.advance()
    while session.world.units.moving[:3].any() and session.world.tick % 400:
        session.advance()


@pytest.mark.parametrize("kind", [OrderKind.MOVE, OrderKind.ATTACK_MOVE, OrderKind.PATROL, OrderKind.SPAWN])
@pytest.mark.parametrize("at", [(math.nan, 3.0), (3.0, math.inf), (-math.inf, 3.0)])
def test_an_order_with_a_number_that_is_not_finite_raises_an_error(
    tmp_path: Path, kind: OrderKind, at: tuple[float, float]
) -> None:
    session = opened(tmp_path)
    with pytest.raises(ValueError, match="must be a finite number"):
        session.give(Order(int(kind), 0, (0, 1, 2), *at, name="raider"))
    with pytest.raises(ValueError, match="must be finite numbers"):
        session.give(Order(int(OrderKind.MOVE_EACH), 0, (0, 1), points=(5.5, 5.5, math.nan, 2.0)))
    session.advance()
    assert not session.waiting and not session.log


@pytest.mark.parametrize(
    ("at", "nearest"),
    [((1e300, 2.5), (23, 2)), ((-1e300, 900.0), (0, 10)), ((20.5, 5.5), (20, 3)), ((40.0, -7.0), (23, 0))],
)
def test_an_outside_or_blocked_position_means_the_nearest_reachable_tile(tmp_path, at, nearest) -> None:
    session = opened(tmp_path)
    session.give(Order(int(OrderKind.MOVE), 0, (0,), *at))
    walk(session)
    u = session.world.units
    assert (int(u.x[0]), int(u.y[0])) == nearest and session.world.paths.statistics.lost == 0
    session.give(Order(int(OrderKind.MOVE_EACH), 0, (1,), points=(1e12, -1e12)))
    walk(session)
    assert np.hypot(u.x[1] - 23.5, u.y[1] - 0.5) < 1.5


BEYOND = [1e300, -1e300]


@pytest.mark.parametrize("value", BEYOND)
def test_a_huge_value_is_refused_with_a_message_for_each_kind_of_order(tmp_path, value: float) -> None:
    session = opened(tmp_path)
    who = (0, 1, 2)
    for kind in (OrderKind.STANCE, OrderKind.PACE, OrderKind.SPAWN):
        session.give(Order(int(kind), 0, who, 5.5, 5.5, value=value, name="raider"))
    for name in ("ranks", "spacing"):
        session.give(Order(int(OrderKind.FORMATION), 0, who, name=name, value=value))
    session.give(Order(int(OrderKind.SETTING), name="paths.budget", value=value))
    session.give(Order(int(OrderKind.MOVE), 0, who, 5.5, 5.5, facing=value))
    session.advance()
    assert [e.kind for e in session.world.events] == ["refused"] * 7
    assert session.world.units.count == 3 and not session.world.units.moving[:3].any()


@pytest.mark.parametrize("side", [-1.0, 4.0, 44.0])
def test_a_spawn_for_an_unknown_side_is_refused_with_a_message(tmp_path: Path, side: float) -> None:
    session = opened(tmp_path)
    session.give(Order(int(OrderKind.SPAWN), 0, (), 5.5, 5.5, name="raider", value=side))
    session.advance()
    assert [(e.kind, "no side" in e.text) for e in session.world.events] == [("refused", True)]


@pytest.mark.parametrize("kind", [OrderKind.ATTACK, OrderKind.TAKE_DOWN, OrderKind.DRAG])
@pytest.mark.parametrize("target", [-1, -15, 3, 999_999])
def test_an_order_with_an_unknown_target_is_refused_with_a_message(tmp_path: Path, kind, target: int) -> None:
    session = opened(tmp_path)
    session.give(Order(int(kind), 0, (0, 1), target=target))
    session.advance()
    assert [(e.kind, e.text) for e in session.world.events] == [("refused", f"there is no unit {target}")]


def test_move_each_needs_one_point_for_each_unit_and_skips_unknown_units(tmp_path: Path) -> None:
    session = opened(tmp_path)
    for points in ((), (5.5,), (5.5, 5.5, 3.5), (5.5,) * 8):
        session.give(Order(int(OrderKind.MOVE_EACH), 0, (0, 1, 2), points=points))
    session.advance()
    assert [e.kind for e in session.world.events] == ["refused"] * 4
    session.give(Order(int(OrderKind.MOVE_EACH), 0, (77, 1, -4, 2), points=(9.5, 9.5, 4.5, 1.5, 8.5, 8.5, 6.5, 3.5)))
    session.advance()
    u = session.world.units
    assert [(u.goal_x[i], u.goal_y[i]) for i in (1, 2)] == [(4.5, 1.5), (6.5, 3.5)]


def test_unknown_units_are_left_out_of_a_queued_order(tmp_path: Path) -> None:
    session = opened(tmp_path)
    session.give(Order(int(OrderKind.MOVE), 0, (0, 1), 6.5, 2.5))
    session.give(Order(int(OrderKind.MOVE), 0, (0, 77, 1, -3), 9.5, 2.5, queued=True))
    session.advance()
    walk(session)
    u = session.world.units
    assert not session.world.queues and min(u.x[0], u.x[1]) > 8.0


def test_an_object_may_have_a_negative_id(tmp_path: Path) -> None:
    """Accept a negative target of USE: lamps that are props have negative ids."""
    session = opened(tmp_path)
    session.give(Order(int(OrderKind.USE), 0, (0,), target=-15))
    session.advance()
    assert next(e.kind for e in session.world.events) == "order"


NONE = {
    "kind": Order(99), "no kind": Order(0), "kind in words": Order("move"),  # type: ignore[arg-type]
    "units": Order(int(OrderKind.STOP), 0, ("ann",)),  # type: ignore[arg-type]
    "one unit": Order(int(OrderKind.STOP), 0, 5),  # type: ignore[arg-type]
    "ids": Order(int(OrderKind.STOP), 0, (10**30,)),
    "side": Order(int(OrderKind.STOP), None, (0,)),  # type: ignore[arg-type]
    "target": Order(int(OrderKind.ATTACK), 0, (0,), target=10**30),
    "x": Order(int(OrderKind.MOVE), 0, (0,), None, 3.0),  # type: ignore[arg-type]
    "y": Order(int(OrderKind.MOVE), 0, (0,), 3.0, 10**400),
    "points": Order(int(OrderKind.MOVE_EACH), 0, (0,), points=("a", "b")),  # type: ignore[arg-type]
    "name": Order(int(OrderKind.SETTING), name=None),  # type: ignore[arg-type]
}  # fmt: skip


@pytest.mark.parametrize("slip", NONE)
def test_a_malformed_order_raises_an_error_and_is_not_recorded(tmp_path: Path, slip: str) -> None:
    session = opened(tmp_path)
    with pytest.raises(ValueError, match=r"order|kind") as told:
        session.give(NONE[slip])
    assert "\n" not in str(told.value)
    session.advance()
    assert not session.log and not session.world.events
