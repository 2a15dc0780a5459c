"""Turns of minds without events: the batch adjusts to a wanted reaction time."""

from pathlib import Path

from game.level.level_writer import LevelBuilder
from game.sim.session import Session
from tests.game.sim.small_levels import load, write


def test_the_ring_of_minds_turns_in_the_wanted_time(tmp_path: Path) -> None:
    """Turn a ring of 60 minds.

    The batch is 8 minds a tick at first, 10 for a reaction time of 6 ticks and 3 for 20 ticks.
    """
    builder = LevelBuilder(20, 20)
    for i in range(60):
        builder.add("spawn", 1.5 + i % 10 * 1.5, 1.5 + i // 10 * 1.5, side="raiders", kind="raider")
    session = Session(load(write(tmp_path, builder)), recording=False)
    ring, settings = session.world.turns.minds, session.world.settings.minds
    for reaction, batch in ((0, 8), (6, 10), (20, 3)):
        settings.reaction = reaction
        for _ in range(30):
            session.advance()
        assert ring.batch == batch
        assert not reaction or ring.interval == reaction
