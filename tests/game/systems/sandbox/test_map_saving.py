"""Saved maps equal the world when they are read again."""

from pathlib import Path

import numpy as np
import pytest

from game.level.level_writer import LevelBuilder
from game.level.model import Level
from game.level.reading import load_level
from game.sim.session import Session
from game.systems.sandbox.map_saving import not_kept, save_map
from game.world.orders import Order, OrderKind
from game.world.world import World
from tests.game.level.foreign import layer, tileset, tmx
from tests.game.level.foreign import write as foreign_map
from tests.game.sim.small_levels import FIELD, write

CROSSING = Path(__file__).resolve().parents[4] / "levels" / "the_crossing.tmx"


def same_map(world: World, read: Level) -> None:
    """Compare a read level with a world, value by value."""
    terrain = world.terrain
    for name in ("passable", "cost", "opaque", "cover"):
        assert np.array_equal(getattr(read, name), getattr(terrain, name)), name
    assert np.array_equal(read.noise, world.loudness)
    doors = [(d.name, d.kind, d.x0, d.y0, d.x1, d.y1, d.open, d.opens_for) for d in world.doors]
    assert [(d.name, d.kind, d.x0, d.y0, d.x1, d.y1, d.open, d.opens_for) for d in read.doors] == doors
    lamps = [(s.name, s.x, s.y, s.radius, s.on) for s in world.lights if s.id >= 0]
    assert [(s.name, s.x, s.y, s.radius, s.on) for s in read.lights] == lamps
    u = world.units
    units = [u.slot(int(i)) for i in sorted(u.id[u.living()].tolist())]
    assert len(read.spawns) == len(units)
    for spawn, slot in zip(read.spawns, units, strict=True):
        unit = int(u.id[slot])
        assert (spawn.side, spawn.kind) == (u.side[slot], world.types[int(u.kind[slot])].name)
        assert np.hypot(spawn.x - u.x[slot], spawn.y - u.y[slot]) < 0.01 and spawn.asleep == bool(u.asleep[slot])
        assert (spawn.name, spawn.route) == (world.names.get(unit, ""), world.routes_of.get(unit, ""))
        assert abs((spawn.facing - u.facing[slot] + np.pi) % (2 * np.pi) - np.pi) < 0.01
    assert {r.name: (r.points, r.loop, r.wait) for r in read.routes} == {
        r.name: (r.points, r.loop, r.wait) for r in world.routes
    }


def test_a_painted_map_with_placed_units_is_read_as_it_was_saved(tmp_path):
    b = LevelBuilder.from_letters(FIELD, title="A try", night=True)
    b.add("spawn", 3.5, 3.5, name="Ann", group=1)
    b.add("prop", 10.5, 3.5, kind="crate", name="box")
    session = Session(load_level(write(tmp_path, b)))
    paint, spawn = int(OrderKind.PAINT), int(OrderKind.SPAWN)
    verb = Order(int(OrderKind.VERB), units=(1,), name="patrol", x=20.5, y=8.5)
    for order in (
        Order(paint, name="wall", points=(6.0, 0.0, 7.0, 14.0)), Order(paint, name="door", points=(6.0, 5.0, 7.0, 6.0)),
        Order(paint, name="water", points=(12.0, 9.0, 16.0, 12.0)),
        Order(paint, name="lamp", points=(2.0, 9.0, 3.0, 10.0)),
        Order(paint, name="cover", points=(18.0, 0.0, 20.0, 2.0)), Order(spawn, name="guard", value=1.0, x=20.5, y=6.5),
        verb,
        Order(int(OrderKind.EDIT), points=(8.0, 8.0, 9.0, 10.0, 0.0, -1.0, -1.0, 2.0)),
    ):  # fmt: skip
        session.give(order)
        session.advance()
    target = tmp_path / "saved.tmx"
    save_map(session.world, session.level, target)
    read = load_level(target)
    same_map(session.world, read)
    assert (read.title, read.properties["night"], read.painted) == ("A try", True, True)
    assert [(p.kind, p.name, p.x, p.y) for p in read.props] == [("crate", "box", 10.5, 3.5)]
    assert not [p.name for p in tmp_path.iterdir() if p.name.startswith(".")], "no draft is left"
    with pytest.raises(ValueError, match="exists already") as told:
        save_map(session.world, session.level, target)
    assert "\n" not in str(told.value)
    save_map(session.world, session.level, target, overwrite=True)
    again = Session(read)
    again.advance()
    assert again.world.units.count == 2


def test_a_shipped_mission_is_read_as_it_was_saved(tmp_path):
    session = Session(load_level(CROSSING))
    save_map(session.world, session.level, tmp_path / "copy.tmx")
    read = load_level(tmp_path / "copy.tmx")
    same_map(session.world, read)
    for name in ("regions", "objectives", "triggers", "texts", "zones"):
        assert len(getattr(read, name)) == len(getattr(session.level, name)), name
    assert [o.text for o in read.objectives] == [o.text for o in session.level.objectives]
    for a, b in zip(read.texts, session.level.texts, strict=True):
        assert a.text == b.text and np.hypot(a.x - b.x, a.y - b.y) < 0.05


def test_what_is_not_kept_is_said(tmp_path: Path) -> None:
    """Our own ground is kept; tiles and pictures of another tileset are not."""
    assert not_kept(load_level(CROSSING)) == ""
    foreign = load_level(foreign_map(tmp_path, tmx(tileset() + layer("Floor", [[1, 2, 3, 4]] * 3))))
    told = not_kept(foreign)
    assert "own tiles and pictures are not kept" in told and "\n" not in told
    session = Session(foreign)
    save_map(session.world, session.level, tmp_path / "copy.tmx")
    assert not_kept(load_level(tmp_path / "copy.tmx")) == ""


def test_a_map_that_cannot_be_written_is_refused_in_one_line(tmp_path):
    session = Session(load_level(write(tmp_path, LevelBuilder.from_letters(FIELD))))
    for path, words in ((tmp_path / "x.txt", "ends in .tmx"), (tmp_path / "none" / "x.tmx", "folder does not exist")):
        with pytest.raises(ValueError, match=words) as told:
            save_map(session.world, session.level, path)
        assert "\n" not in str(told.value)
    before = sorted(p.name for p in tmp_path.iterdir())
    session.world.terrain.passable[3, 3] = 4  # a class of its own that no property of a layer can say
    with pytest.raises(ValueError, match="tile 3,3 would be read otherwise"):
        save_map(session.world, session.level, tmp_path / "y.tmx")
    assert sorted(p.name for p in tmp_path.iterdir() if p.suffix != ".png") == [
        n for n in before if not n.endswith(".png")
    ]
