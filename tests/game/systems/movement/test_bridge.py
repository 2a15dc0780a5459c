"""Level ``bridge_60`` from shifted starts: all units cross and none gives up."""

from pathlib import Path

import numpy as np
import pytest

from game.checks.invariants.invariants import expectations
from game.checks.scripts.script import Expect, load_script
from game.checks.scripts.scripted_player import ScriptedPlayer
from game.level.reading import load_level
from game.sim.session import Session

BRIDGE = Path(__file__).resolve().parents[4] / "levels" / "regression/motion/bridge_60.tmx"


@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 9))])
def test_sixty_cross_from_jittered_places(seed: int) -> None:
    script = load_script(BRIDGE.with_suffix(".toml"))
    session, player = Session(load_level(BRIDGE), script.seed, dict(script.settings), None, False), ScriptedPlayer()
    world = session.world
    u, n = world.units, world.units.count
    rng = np.random.default_rng(seed)
    u.x[:n] += rng.uniform(-0.1, 0.1, n)
    u.y[:n] += rng.uniform(-0.1, 0.1, n)
    laws = expectations([Expect(kind="progress"), *(e for e in script.expect if e.kind == "arrives")], world)
    gave_up = []
    for tick in range(1, 1200):
        for order in player.orders(script, world, tick):
            session.give(order)
        session.advance()
        gave_up += [e for e in world.events if e.kind == "gave_up"]
        for law in laws:
            law.watch(world)
        if tick > 10 and not u.moving[:n].any():
            break
    assert gave_up == []
    assert [law.verdict(world) for law in laws] == [None, None, None]
    assert world.tick < 800, "a third of what the level allows"
