"""Memory of a squad: enemies that it keeps and strikes off."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from game.minds.squad.squad_mind import form_squad
from game.minds.squad.squad_picture import perceive
from game.world.groups.squads import KnownEnemy
from tests.game.sim.play import Play, raider, yard


@pytest.mark.parametrize(
    ("night", "struck"),
    [
        (False, {(16.5, 6.5): True, (16.5, 3.5): True, (9.5, 6.5): True, (2.5, 6.5): False}),
        (True, {(16.5, 6.5): False, (16.5, 3.5): True, (9.5, 6.5): True, (2.5, 6.5): False}),
    ],
)
def test_an_empty_place_is_struck_off_only_where_a_member_would_see_a_unit(
    tmp_path: Path, night: bool, struck: dict[tuple[float, float], bool]
) -> None:
    """A soldier looks east from (8, 6); a lamp hangs at (16, 2)."""
    builder = yard("\n".join(["." * 30] * 14), night=night)
    raider(builder, 8.5, 6.5, kind="soldier", facing=0.0)
    builder.add("light", 16.5, 2.5, radius=3.0)
    play = Play(tmp_path, builder).run(50)
    world, ann = play.world, play.unit("Ann")
    squad, slot = form_squad(world, 0, [ann], "hold", 8.5, 6.5), play.slot("Ann")
    world.units.head[slot] = 0.0
    for (x, y), gone in struck.items():
        assert math.hypot(x - 8.5, y - 6.5) < world.types[int(world.units.kind[slot])].cone_range
        squad.enemies[99] = KnownEnemy(99, x, y, 1)
        perceive(world, squad)
        assert (99 not in squad.enemies) == gone, (x, y)
