"""The map of the ten thousand: one connected ground, regions that orders can name, made again byte for byte."""

from pathlib import Path

import numpy as np
from scipy import ndimage

from game.level.build import LEVELS
from game.level.classes import WALK
from game.level.reading import load_level
from game.sim.create import create_world
from game.sim.script import load_script
from game.sim.select import select
from tools.make_great_plain import great_plain

MAP = LEVELS / "exhibits" / "ten_thousand.tmx"


def test_the_tool_makes_the_map_that_is_shipped(tmp_path: Path) -> None:
    level = load_level(MAP)
    assert (level.width, level.height) == (1024, 1024)
    assert np.array_equal(great_plain().ground, level.ground)


def test_one_can_walk_everywhere() -> None:
    open_ground = (load_level(MAP).passable & WALK) != 0
    labels, areas = ndimage.label(open_ground)
    assert np.bincount(labels.ravel())[1:].max() > 0.999 * open_ground.sum(), areas


def test_every_unit_gets_exactly_one_of_the_hundred_orders() -> None:
    script = load_script(MAP.with_name("ten_thousand.groups.toml"))
    assert len(script.order) == 100
    world = create_world(load_level(MAP), 3, extra_units=500)
    # Independent of regions: the block a unit stands in, by division.
    u = world.units
    block = [f"{'abcdefghij'[int(u.x[s] / 102.4)]}{int(u.y[s] / 102.4) + 1}" for s in range(500)]
    for row in script.order:
        name = str(row.units).removeprefix("region:")
        assert select(world, str(row.units)) == [s for s in range(500) if block[s] == name]
        assert row.region != name and world.region(str(row.region)) is not None
