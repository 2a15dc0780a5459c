"""Who goes to look alone and does not come back is looked for; who comes back is not.  Comrades who fall silent too.

Oracle: the deadline worked out by hand, and the same scene with him alive.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from game.minds.company import EXPECTED, goes_to_look
from game.world.bodies import hide_body, kill
from game.world.places import Prop
from tests.game.sim.test_stealth import Play, guard, raider, yard


@pytest.mark.parametrize(("dies", "misses"), [(True, True), (False, True), (True, False)])
def test_a_second_guard_goes_at_the_deadline_when_the_first_has_died(tmp_path: Path, dies: bool, misses: bool) -> None:
    builder = yard("\n".join(["s" * 30] * 6 + ["#" * 14 + "s" * 16] * 2 + ["s" * 30] * 6))
    guard(builder, 6.5, 2.5, facing=0.0)
    guard(builder, 20.5, 2.5, "Udo", facing=0.0)
    raider(builder, 1.5, 12.5)
    play = Play(tmp_path, builder, minds__misses=misses).run(2)
    world, odo = play.world, play.unit("Odo")
    goes_to_look(world, odo, 8.5, 2.5, 2.0, 1.5)
    deadline = world.tick + int(2 * 2.0 / 1.5 * 20) + EXPECTED
    if dies:
        slot = play.slot("Odo")
        kill(world, slot)
        slot_of_ann = play.slot("Ann")
        world.units.dragging[slot_of_ann] = odo
        hide_body(world, slot_of_ann, Prop(900, "bush", "bush", 1.5, 12.5, 1.0, 1.0, 0.0, ""))
    play.run(deadline - world.tick - 1)
    assert not [e for e in play.seen if "comrade" in e.text]
    play.run(30)
    told = [e for e in play.seen if e.unit == play.unit("Udo") and "comrade" in e.text]
    assert bool(told) == (dies and misses)
