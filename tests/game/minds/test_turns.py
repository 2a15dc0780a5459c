"""Minds without an event have their turns in a ring whose batch adjusts to a wanted reaction time."""

from pathlib import Path

from game.level.level_writer import LevelBuilder
from game.sim.session import Session
from tests.game.sim.small_levels import load, write


def test_a_ring_of_minds_comes_round_in_the_time_that_was_asked_for(tmp_path: Path) -> None:
    """Sixty ids, eight a tick to begin with: asked for six ticks the batch becomes ten, for twenty three."""
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
