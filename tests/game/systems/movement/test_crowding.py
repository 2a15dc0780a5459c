"""Crowd map of a world: its density, its update ticks and its setting."""

from pathlib import Path

import numpy as np
import pytest

from ai.paths.congestion.congestion_map import CELL
from game.checks.scripts.script import load_script
from game.checks.scripts.scripted_player import ScriptedPlayer
from game.level.reading import load_level
from game.sim.session import Session

LEVEL = Path(__file__).resolve().parents[4] / "levels/exhibits/paths/two_gates.tmx"


def played(ticks: int, **settings: bool | int):
    """Yield the world after each tick of the exhibit's script."""
    script, player = load_script(LEVEL.with_suffix(".toml")), ScriptedPlayer()
    session = Session(load_level(LEVEL), 7, {**script.settings, **settings}, script.units, recording=False)
    for _ in range(ticks):
        for order in player.orders(script, session.world, session.world.tick + 1):
            session.give(order)
        session.advance()
        yield session.world


def test_the_map_counts_all_bodies_and_is_constant_between_its_updates():
    published, before = [], None
    for world in played(70, **{"crowding.on": True}):
        crowd, u = world.crowding.map, world.units
        if before is not None and crowd.tick == before[0]:
            assert np.array_equal(crowd.density, before[1]), "the map is constant until the next update"
        else:
            published.append(crowd.tick)
            living = u.alive[: u.count] == 1
            mass = (u.radius[: u.count][living] / 0.3) ** 2
            assert crowd.density.sum() * CELL**2 == pytest.approx(mass.sum())
        before = crowd.tick, crowd.density.copy()
    assert 3 <= len(published) < 40


def test_with_the_setting_off_there_is_no_map():
    for world in played(3, **{"crowding.on": False}):
        assert world.crowding is None
