"""Map edits by scripts: their effects on the world, their records and their errors."""

from pathlib import Path

import numpy as np
import pytest

from game.checks.headless import run_level
from game.checks.scripts.script import Script, load_script
from game.level.level_writer import LevelBuilder
from game.level.model import GROUND
from game.level.reading import load_level
from game.sim.session import Session
from game.world.orders import Order, OrderKind, order_from_json


@pytest.fixture
def level(tmp_path: Path) -> Path:
    b = LevelBuilder(12, 8)
    b.add("spawn", 2.5, 2.5, side="raiders")
    b.add("region", 5.2, 3.0, 2.5, 2.0, name="house")
    b.write(tmp_path / "m.tmx")
    return tmp_path / "m.tmx"


def edited(level: Path, ticks: int = 3, **row: object):
    return run_level(level, ticks=ticks, script=Script.model_validate({"edit": [{"tick": 2, **row}]}))


def test_an_edit_sets_the_properties_of_its_ground_and_other_keys_override_them(level: Path) -> None:
    world = edited(level, region="house", ground="wall", text="it stands again").session.world
    assert world.terrain.passable[3:5, 5:8].max() == 0 and world.terrain.opaque[3:5, 5:8].min() == 1
    assert world.terrain.passable[2, 5] & 1 and world.terrain.passable[3, 8] & 1, (
        "tiles outside the region are unchanged"
    )
    assert [(n.y0, n.x0, n.y1, n.x1, n.ground) for n in world.new_ground] == [(3, 5, 5, 8, GROUND["wall"])]
    terrain = edited(level, box=[4, 1, 6, 2], ground="road", walkable=False, cost=2.5, cover=3).session.world.terrain
    assert not terrain.passable[1, 4:6].any() and set(terrain.cost[1, 4:6].tolist()) == {20}
    assert set(terrain.cover[1, 4:6].tolist()) == {3} and not terrain.opaque.any()
    only_sight = edited(level, box=[4, 1, 6, 2], blocks_sight=True).session.world
    assert only_sight.terrain.opaque[1, 4:6].all() and only_sight.terrain.passable[1, 4] & 1
    assert only_sight.new_ground == []


def test_an_edit_is_a_recorded_order_with_an_event(level: Path) -> None:
    run = edited(level, ticks=2, region="house", ground="wall", text="it stands again")
    assert [(e.kind, e.text, e.x, e.y) for e in run.session.world.events] == [("edit", "it stands again", 6.5, 4.0)]
    ((tick, order),) = [row for row in run.session.log if row[1].kind == OrderKind.EDIT]
    assert tick == 2 and order_from_json(order.to_json()) == order


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"ground": "wall"}, "either box"),
        ({"box": [1, 1, 3, 3], "region": "house", "ground": "wall"}, "either box"),
        ({"box": [3, 1, 3, 3], "ground": "wall"}, "left < right"),
        ({"box": [1, 1, 3, 3]}, "needs ground, walkable"),
        ({"box": [1, 1, 3, 3], "ground": "lava"}, "none of grass"),
        ({"box": [1, 1, 3, 3], "cost": 0}, "greater than"),
        ({"box": [1, 1, 3, 3], "cover": 4}, "less than"),
        ({"box": [1, 1, 3, 3], "walkable": False, "colour": 3}, "edit.0.colour"),
    ],
)
def test_bad_edit_rows_are_refused_with_file_and_row(tmp_path: Path, row: dict, words: str) -> None:
    def toml(value: object) -> str:
        return str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')

    text = "[[edit]]\ntick = 2\n" + "".join(f"{key} = {toml(value)}\n" for key, value in row.items())
    (tmp_path / "m.toml").write_text(text)
    with pytest.raises(ValueError, match=r"m\.toml: edit\.0") as told:
        load_script(tmp_path / "m.toml")
    assert words in str(told.value) and "\n" not in str(told.value)


@pytest.mark.parametrize("row", [{"box": [8, 1, 14, 3]}, {"region": "barn"}])
def test_an_edit_outside_the_map_or_of_an_unknown_region_raises_an_error(level: Path, row: dict) -> None:
    with pytest.raises(ValueError, match=r"12 x 8 tiles|no region 'barn'"):
        edited(level, walkable=False, **row)


@pytest.mark.parametrize("points", [(), (1.0,) * 7, (1.5, 1, 3, 3, -1, -1, -1, -1), (1, 1, 30, 3, 0, -1, -1, -1)])
def test_an_edit_order_with_bad_numbers_is_refused_and_changes_nothing(level: Path, points: tuple) -> None:
    session = edited(level, box=[4, 1, 6, 2], cost=2).session
    before = session.world.terrain.passable.copy()
    session.give(Order(int(OrderKind.EDIT), points=tuple(float(p) for p in points)))
    session.advance()
    assert [e.kind for e in session.world.events] == ["refused"]
    assert np.array_equal(session.world.terrain.passable, before)


def buried(folder: Path, box: tuple[int, int, int, int], *orders: Order) -> Session:
    """Build a wall over four raiders, give the orders and run ten ticks.

    The raiders stand in the middle of a yard of 40 x 40 tiles.
    """
    b = LevelBuilder.from_letters("\n".join(["s" * 40] * 40))
    for i in range(4):
        b.add("spawn", 19.5 + i % 2, 19.5 + i // 2, side="raiders")
    b.write(folder / "m.tmx")
    session = Session(load_level(folder / "m.tmx"))
    session.give(Order(int(OrderKind.EDIT), points=(*map(float, box), 0.0, 8.0, 1.0, 0.0), name="wall"))
    session.advance()
    for order in orders:
        session.give(order)
    for _ in range(10):
        session.advance()
    return session


@pytest.mark.parametrize("kind", [OrderKind.MOVE, OrderKind.SNEAK, OrderKind.ATTACK_MOVE])
@pytest.mark.parametrize("shape", ["loose", "line"])
def test_buried_units_are_moved_to_open_tiles_of_their_own_and_obey(tmp_path: Path, kind, shape: str) -> None:
    drill = Order(int(OrderKind.FORMATION), 0, (0, 1, 2, 3), name="shape", text=shape)
    session = buried(tmp_path, (10, 10, 30, 32), drill, Order(int(kind), 0, (0, 1, 2, 3), 5.5, 5.5))
    u, world = session.world.units, session.world
    apart = np.hypot(*(a[:4, None] - a[None, :4] for a in (u.x, u.y)))[np.triu_indices(4, 1)]
    assert u.alive[:4].all() and apart.min() > 0.5
    assert (world.terrain.passable[u.y[:4].astype(int), u.x[:4].astype(int)] & 1).all()
    assert u.moving[:4].any() and not [e for e in world.events if e.kind == "gave_up"]


def test_units_die_when_no_open_ground_is_left_on_the_map(tmp_path) -> None:
    session = buried(tmp_path, (0, 0, 40, 40), Order(int(OrderKind.MOVE), 0, (0, 1, 2, 3), 5.5, 5.5))
    assert not session.world.units.alive[:4].any() and session.world.mission.losses == 4
