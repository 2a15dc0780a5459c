"""Squads that go on to their place after an enemy is gone."""

from pathlib import Path

import numpy as np
import pytest

from game.level.level_writer import LevelBuilder
from game.level.reading import load_level
from game.sim.session import Session
from game.world.groups.squads import KnownEnemy
from game.world.orders import Order, OrderKind


@pytest.mark.parametrize("intent", ["emergent", "take"])
def test_a_squad_goes_on_to_its_place_after_the_enemy_on_the_way_fell(tmp_path: Path, intent: str) -> None:
    """The enemy stands 24 tiles from the place: a squad that stops there fails."""
    level = LevelBuilder(40, 16)
    for k in range(3):
        level.add("spawn", 2.5, 6.5 + k, kind="soldier", side="raiders", name=f"R{k}", group=1)
    level.add("spawn", 11.5, 7.5, kind="soldier", side="guards", name="Gus", facing=180)
    level.write(tmp_path / "road.tmx")
    session = Session(load_level(tmp_path / "road.tmx"), 1, recording=False)
    u = session.world.units
    units = tuple(int(i) for i in u.id[u.living(0)])
    session.give(Order(int(OrderKind.SQUAD), 0, units, 35.5, 8.5, name=intent))
    session.advance()
    squad, gus = session.world.squads.rows[0], int(u.id[u.living(1)][0])
    squad.enemies[gus] = KnownEnemy(gus, 11.5, 7.5, session.world.tick)
    while squad.task is None:
        session.advance()
    assert squad.task.x < 20.0, "the squad turns to the enemy first"
    u.hp[u.living(1)] = 0
    u.alive[u.living(1)] = 0
    for _ in range(900):
        session.advance()
    living = u.living(0)
    assert len(living) and (np.hypot(u.x[living] - 35.5, u.y[living] - 8.5) <= 7.0).all()
    assert squad.rests
