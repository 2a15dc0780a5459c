"""Shots at a corner that two tiles close: walls stop them, trees do not.

Two enemies stand diagonally, one tile apart; the tiles beside the diagonal are both wood, both wall, or open.
"""

from pathlib import Path

import pytest

from game.sim.stages import fight_stage
from game.world.units import Event
from tests.game.sim.play import Play, guard, raider, yard


@pytest.mark.parametrize(("beside", "shoots"), [("s", True), ("T", True), ("#", False)])
def test_trees_at_a_corner_let_a_shot_pass_and_walls_do_not(tmp_path: Path, beside: str, shoots: bool) -> None:
    rows = ["s" * 12 for _ in range(8)]
    stand = "T" if beside == "T" else "s"  # in a wood both stand among the trees
    rows[3] = "sss" + stand + beside + "s" * 7
    rows[4] = "sss" + beside + stand + "s" * 7
    builder = yard("\n".join(rows))
    raider(builder, 3.5, 3.5)
    guard(builder, 4.5, 4.5)
    play = Play(tmp_path, builder)
    world = play.world
    ann, odo = play.slot("Ann"), play.slot("Odo")
    world.units.target[ann], world.units.facing[ann] = play.unit("Odo"), 0.785
    world.units.hp[odo] = 9
    fight_stage.run(world)
    fired = [fact for fact in world.events if fact.kind == "shot"]
    assert bool(fired) == shoots
    if shoots:
        assert (fired[0].unit, fired[0].other) == (play.unit("Ann"), play.unit("Odo"))
        assert bool(world.units.event[odo] & int(Event.HIT)) == (fired[0].text == "hit")
