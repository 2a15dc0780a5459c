"""Footfalls in play: the dead take no step; gaits are state."""

from pathlib import Path

import numpy as np

from game.systems.interaction.bodies import kill
from game.world.orders import OrderKind
from tests.game.sim.play import Play, raider, yard


def walker(folder: Path, ticks: int) -> Play:
    builder = yard()
    raider(builder, 4.5, 4.5)
    play = Play(folder, builder)
    play.order("Ann", OrderKind.MOVE, x=20.5, y=4.5)
    return play.run(ticks)


def test_the_dead_take_no_step(tmp_path: Path) -> None:
    play = walker(tmp_path, 30)
    u, ann = play.world.units, play.slot("Ann")
    assert u.cadence[ann] > 0.5
    kill(play.world, ann)
    play.run(1)
    phase = float(u.gait[ann])
    play.run(30)
    assert u.gait[ann] == phase and u.footfall[ann] == 0 and u.cadence[ann] == 0.0


def test_gaits_are_in_the_hash(tmp_path: Path) -> None:
    world = walker(tmp_path, 20).world
    before = world.hash()
    for name in ("gait", "cadence", "footfall", "prev_facing"):
        column = getattr(world.units, name)
        old = column[0]
        column[0] = old + 1
        assert world.hash() != before, name
        column[0] = old
    assert world.hash() == before
    assert np.count_nonzero(world.units.gait) == 1
