"""Crowd avoidance after a restore: equal hashes, independent of the caches."""

from __future__ import annotations

import pytest

from game.checks.scripts.script import load_script
from game.checks.scripts.scripted_player import ScriptedPlayer
from game.level.finding import find_level
from game.level.reading import load_level
from game.sim.session import Session
from game.world.world import restore_world


@pytest.mark.parametrize(
    ("name", "at"),
    [("bridge_60", range(100, 241, 20)), pytest.param("room_100", range(100, 401, 60), marks=pytest.mark.long)],
)
def test_a_world_restored_in_a_crowd_has_the_same_hashes(name: str, at: range) -> None:
    path = find_level(name)
    script = load_script(path.with_suffix(".toml"))
    session, player = Session(load_level(path), script.seed, dict(script.settings), None, False), ScriptedPlayer()
    hashes, kept = {}, {}
    for tick in range(1, at[-1] + 22):
        for order in player.orders(script, session.world, tick):
            session.give(order)
        session.advance()
        hashes[tick] = session.world.hash()
        if tick in at:
            kept[tick] = session.world.snapshot()
    assert session.world.crowding is not None and session.world.crowding.switches > 0
    for begin, saved in kept.items():
        again = Session(load_level(path), script.seed, dict(script.settings), None, False, world=restore_world(saved))
        for tick in range(begin + 1, begin + 21):
            again.advance()
            assert again.world.hash() == hashes[tick], f"restored at {begin}, differs at {tick}"
