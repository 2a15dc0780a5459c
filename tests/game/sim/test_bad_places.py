"""Orders to places that are no places: refused in words, or meant as the nearest tile that can be reached."""

import math
from pathlib import Path

import numpy as np
import pytest

from game.level.build import LevelBuilder
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
    """Until nobody is on his way any more, to the next 400th tick at most."""
    session.advance()
    while session.world.units.moving[:3].any() and session.world.tick % 400:
        session.advance()


@pytest.mark.parametrize("kind", [OrderKind.MOVE, OrderKind.ATTACK_MOVE, OrderKind.PATROL, OrderKind.SPAWN])
@pytest.mark.parametrize("at", [(math.nan, 3.0), (3.0, math.nan)])
def test_what_is_no_number_is_refused_in_words(tmp_path: Path, kind: OrderKind, at: tuple[float, float]) -> None:
    session = opened(tmp_path)
    session.give(Order(int(kind), 0, (0, 1, 2), *at, name="raider"))
    session.advance()
    assert [e.text for e in session.world.events if e.kind == "refused"] == ["that is no place on any map"]
    assert not session.world.units.moving[:3].any()
    session.give(Order(int(OrderKind.MOVE_EACH), 0, (0, 1), points=(5.5, 5.5, math.nan, 2.0)))
    session.advance()
    assert not session.world.units.moving[:3].any()


@pytest.mark.parametrize(
    ("at", "nearest"),
    [((math.inf, 2.5), (23, 2)), ((-1e300, 900.0), (0, 10)), ((20.5, 5.5), (20, 3)), ((40.0, -7.0), (23, 0))],
)
def test_outside_and_blocked_mean_the_nearest_tile_that_can_be_reached(tmp_path, at, nearest) -> None:
    session = opened(tmp_path)
    session.give(Order(int(OrderKind.MOVE), 0, (0,), *at))
    walk(session)
    u = session.world.units
    assert (int(u.x[0]), int(u.y[0])) == nearest and session.world.paths.statistics.lost == 0
    session.give(Order(int(OrderKind.MOVE_EACH), 0, (1,), points=(1e12, -1e12)))
    walk(session)
    assert np.hypot(u.x[1] - 23.5, u.y[1] - 0.5) < 1.5
