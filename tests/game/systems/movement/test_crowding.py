"""Paths that avoid crowds, in a world: what the published map holds, when it changes, and that off means nothing."""

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
    """Yields the session after each tick of the exhibit's script."""
    script, player = load_script(LEVEL.with_suffix(".toml")), ScriptedPlayer()
    session = Session(load_level(LEVEL), 7, {**script.settings, **settings}, script.units, recording=False)
    for _ in range(ticks):
        for order in player.orders(script, session.world, session.world.tick + 1):
            session.give(order)
        session.advance()
        yield session.world


def test_the_map_counts_every_body_where_it_is_and_stands_still_between_its_turns():
    published, before = [], None
    for world in played(70, **{"crowding.on": True}):
        crowd, u = world.crowding.map, world.units
        if before is not None and crowd.tick == before[0]:
            assert np.array_equal(crowd.density, before[1]), "a snapshot until the next"
        else:
            published.append(crowd.tick)
            living = u.alive[: u.count] == 1
            mass = (u.radius[: u.count][living] / 0.3) ** 2
            assert crowd.density.sum() * CELL**2 == pytest.approx(mass.sum())
        before = crowd.tick, crowd.density.copy()
    assert 3 <= len(published) < 40


def test_off_there_is_no_map():
    for world in played(3, **{"crowding.on": False}):
        assert world.crowding is None
