"""Creation of a world: sight is computed before the first tick."""

from pathlib import Path

from game.level.reading import load_level
from game.sim.session import Session
from tests.game.sim.small_levels import bridge_level


def test_a_side_sees_its_surroundings_at_tick_0(tmp_path: Path) -> None:
    world = Session(load_level(bridge_level(tmp_path)), seed=3).world
    assert world.tick == 0 and world.sight.sees(0, 5, 2)
    explored = world.sight.explored_mask(0)
    assert explored[5, 2] and explored.any() and not explored.all()
