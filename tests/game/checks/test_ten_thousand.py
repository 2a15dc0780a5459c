"""Level of ten thousand units: its map, regions of orders and equal hashes.

The map is connected ground that ``tools.make_great_plain`` makes again.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy import ndimage

from game.checks.headless import begin, go_on
from game.checks.scripts.script import load_script
from game.checks.scripts.unit_selectors import select
from game.level.level_writer import LEVELS, LevelBuilder
from game.level.passability_masks import WALK
from game.level.reading import load_level
from game.sim.create_world import create_world
from tools.bench import crowd
from tools.make_great_plain import great_plain

MAP = LEVELS / "exhibits/motion/ten_thousand.tmx"


def test_the_tool_makes_the_ground_of_the_shipped_map() -> None:
    level = load_level(MAP)
    assert (level.width, level.height) == (1024, 1024)
    assert np.array_equal(great_plain().ground, level.ground)


def test_almost_all_open_ground_is_one_component() -> None:
    open_ground = (load_level(MAP).passable & WALK) != 0
    labels, areas = ndimage.label(open_ground)
    assert np.bincount(labels.ravel())[1:].max() > 0.999 * open_ground.sum(), areas


def test_every_unit_gets_exactly_one_of_the_hundred_orders() -> None:
    script = load_script(MAP.with_name("ten_thousand.groups.toml"))
    assert len(script.order) == 100
    world = create_world(load_level(MAP), 3, extra_units=500)
    # Oracle without regions: the block of a unit by division.
    u = world.units
    block = [f"{'abcdefghij'[int(u.x[s] / 102.4)]}{int(u.y[s] / 102.4) + 1}" for s in range(500)]
    for row in script.order:
        name = str(row.units).removeprefix("region:")
        assert select(world, str(row.units)) == [s for s in range(500) if block[s] == name]
        assert row.region != name and world.region(str(row.region)) is not None


def test_ten_thousand_have_the_same_hash_twice_with_two_threads_and_with_one(tmp_path: Path) -> None:
    """Compare the hash of a run with that of ``crowd.again``, the bench's second run.

    The map has walls and a wood, so that units search paths.
    """
    field = np.full((160, 160), ".")
    field[20:140:24, 8:150] = "#"
    field[40:60, 40:120] = "T"
    builder = LevelBuilder.from_letters("\n".join("".join(row) for row in field))
    builder.write(tmp_path / "field.tmx")
    run = begin(tmp_path / "field.tmx", 7, 10_000, recording=False)
    assert len(run.session.waiting[0].units) == 10_000
    first = go_on(run, 20).session.world.hash()
    assert run.session.world.units.moving.sum() > 9_000 and run.session.world.paths.statistics.quick > 0
    assert crowd.again(tmp_path / "field.tmx", 10_000, None, 20) == first


def test_the_bench_fails_when_a_world_is_not_the_same_twice(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"algorithm": "steer"}, {"algorithm": "world", "hash_early": "a", "hash_again": "a"}]
    assert crowd.summary(rows) == 0
    assert crowd.summary([*rows, {"algorithm": "plain", "hash_early": "a", "hash_again": "b"}]) == 1
    assert "plain: a the first time, b the second" in capsys.readouterr().out
