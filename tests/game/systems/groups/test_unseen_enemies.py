"""Unseen enemies do not change the previews, waits and crowd maps of a side."""

from pathlib import Path

import numpy as np

from ai.formation.group_entity import T_BROKEN, Broken
from game.level.level_writer import LevelBuilder
from game.sim.session import Session
from game.systems.groups.formation_preview import preview
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import load, write

WALL = "\n".join(["." * 24] + ["." * 12 + "#" + "." * 11] * 11)
BENT = "\n".join(
    ["." * 12 + "#" * 10 + "." * 12] * 4
    + ["." * 17 + "#" * 5 + "." * 12]
    + ["." * 12 + "#" * 4 + "." + "#" * 5 + "." * 12] * 2
    + ["." * 12 + "#" * 4 + "." * 18]
    + ["." * 12 + "#" * 10 + "." * 12] * 4
)


def session(folder: Path, text: str, *people: tuple[str, float, float, int]) -> Session:
    """Return a session with rows of units one tile apart.

    A row is (side, x of the first unit, y, count).
    """
    builder = LevelBuilder.from_letters(text, title="Unseen")
    for side, x, y, count in people:
        for i in range(count):
            builder.add("spawn", x + i, y, side=side, kind="raider")
    made = Session(load(write(folder, builder)), settings={"crowding.on": True}, recording=False)
    made.world.units.fire_at_will[:] = 0
    return made


def ordered(s: Session, side: int, units: tuple[int, ...], x: float, y: float) -> None:
    s.give(Order(int(OrderKind.FORMATION), side, units, name="shape", text="column"))
    s.give(Order(int(OrderKind.MOVE), side, units, x, y))


def test_the_preview_of_an_order_does_not_reveal_an_unseen_unit(tmp_path: Path) -> None:
    slots = []
    for people in ((), (("guards", 19.5, 6.5, 1),)):
        s = session(tmp_path, WALL, ("raiders", 2.5, 6.5, 5), *people)
        s.give(Order(int(OrderKind.FORMATION), 0, tuple(range(5)), name="shape", text="box"))
        s.advance()
        slots.append(preview(s.world, tuple(range(5)), 19.5, 6.5, 0.0).slots)
    assert not s.world.sight.sees(0, 6, 19) and np.array_equal(*slots)
    # A seen guard's place is taken.
    x, y = s.world.units.x, s.world.units.y
    x[5], y[5] = x[0] + 6.0, y[0] + 2.0
    s.advance()
    there = preview(s.world, tuple(range(5)), float(x[5]), float(y[5]), 0.0).slots
    assert np.hypot(there[:, 0] - x[5], there[:, 1] - y[5]).min() > 0.5


def test_a_column_does_not_wait_for_unseen_enemies_and_its_crowd_map_leaves_them_out(tmp_path: Path) -> None:
    s = session(tmp_path, BENT, ("raiders", 4.5, 4.5, 4), ("guards", 23.5, 7.5, 4))
    ordered(s, 0, tuple(range(4)), 30.5, 7.5)
    ordered(s, 1, tuple(range(4, 8)), 3.5, 4.5)
    u, hidden = s.world.units, 0
    for _ in range(120):
        seen = s.world.sight.sees_positions(0, u.x[4:8], u.y[4:8])
        s.advance()
        assert not (s.world.groups.tag[:, T_BROKEN] == Broken.WAITING).any()
        crowd = s.world.crowding
        if crowd.map.tick == s.world.tick and not seen.any():
            hidden += 1
            assert abs(crowd.map.density.sum() * 4 - 4.0) < 1e-9, "the four units of the side"
    assert hidden > 3
