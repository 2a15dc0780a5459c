"""Traps: a trap hurts and throws a unit, and the side remembers it.

A trap springs again only when it is armed; thrown bodies survive a snapshot.
"""

from pathlib import Path

import numpy as np

from ai.core.serialization import digest, restore, snapshot
from game.checks.scripts.script import load_script
from game.checks.scripts.scripted_player import ScriptedPlayer
from game.level.reading import load_level
from game.sim.session import Session
from game.systems.interaction.traps import REARMED, THROW_STEP, THROW_TICKS, TRAP
from game.world.world import restore_world

RAM = Path(__file__).resolve().parents[4] / "levels" / "exhibits/paths/ram.tmx"


def lane(**settings: bool) -> tuple[Session, ScriptedPlayer]:
    script = load_script(RAM.with_suffix(".toml"))
    named = {f"paths.{name}": value for name, value in settings.items()}
    return Session(load_level(RAM), script.seed, {**script.settings, **named}, script.units, recording=False), (
        ScriptedPlayer()
    )


def run(session: Session, player: ScriptedPlayer, ticks: int) -> list[int]:
    """Run the script; return the ticks in which a unit was trapped.

    No unit stands in a wall, and none moves farther in a tick than a throw allows.
    """
    script, caught = load_script(RAM.with_suffix(".toml")), []
    world = session.world
    for _ in range(ticks):
        for order in player.orders(script, world, world.tick + 1):
            session.give(order)
        session.advance()
        u, n = world.units, world.units.count
        caught += [world.tick for event in world.events if event.kind == "trapped"]
        assert (world.terrain.passable[u.y[:n].astype(int), u.x[:n].astype(int)] & 1).all()
        assert np.hypot(u.x[:n] - u.prev_x[:n], u.y[:n] - u.prev_y[:n]).max() <= THROW_STEP + 0.3
    return caught


def test_each_trapped_unit_is_hurt_and_thrown_and_its_side_remembers_the_trap() -> None:
    session, player = lane()
    world = session.world
    (first,) = run(session, player, 60)
    u, ann = world.units, 0
    assert u.hp[ann] == u.hp_max[ann] - 1 and u.hp[1] == u.hp_max[1]
    assert u.y[ann] < 9.0, "through the hole in the wall"
    ((y, x, kind, tick),) = world.paths.hazards.known[0]
    assert (y, x, kind, tick) == (11, 8, TRAP, first)
    caught = [first, *run(session, player, 200)]
    assert len(caught) == 3 and min(np.diff(caught)) >= REARMED
    assert world.paths.statistics.rejoined == 3
    assert not u.moving[: u.count].any() and (u.y[:3] < 9.0).all(), "all units reach their goals"


def test_with_rejoining_a_thrown_unit_walks_less_than_0_7_of_the_distance_without() -> None:
    walked = {}
    for rejoins in (True, False):
        session, player = lane(rejoin=rejoins)
        u, length = session.world.units, 0.0
        for _ in range(26):
            run(session, player, 10)
            length += float(np.hypot(u.x[0] - u.prev_x[0], u.y[0] - u.prev_y[0])) * 10
        walked[rejoins] = length
    assert walked[True] < 0.7 * walked[False]


def test_a_thrown_body_survives_a_snapshot() -> None:
    session, player = lane()
    while not session.world.thrown:
        run(session, player, 1)
    assert session.world.thrown[0].ticks <= THROW_TICKS
    again = restore_world(session.world.snapshot())
    assert again.thrown == session.world.thrown
    assert digest(restore(snapshot(again.thrown))) == digest(session.world.thrown)
