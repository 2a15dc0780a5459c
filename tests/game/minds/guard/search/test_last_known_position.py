"""Last known position of a side: guards act on it, and searches follow it.

Sight, the grace period after it and shots that are heard move the position.
Oracle: the tests note the raider's position at the end of the grace period and at its shot.
"""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from ai.perception.memory.last_known_position import Belief
from game.systems.noise import emit_shot
from game.systems.stealth.side_knowledge import believed_at, knowledge_of
from game.world.orders import OrderKind
from game.world.stealth.side_records import SideKnowledge
from tests.game.sim.play import Play, guard, raider, yard

ROWS = ["s" * 15 + "#" + "s" * 14 for _ in range(14)]
ROWS[6] = "#" * 9 + ROWS[6][9:]
ROWS[9] = ROWS[10] = "s" * 30
CELL = (27.5, 1.5)
"""Position in a closed cell, where no guard sees or hears a unit."""


def put(play: Play, name: str, x: float, y: float) -> None:
    u, slot = play.world.units, play.slot(name)
    u.x[slot], u.y[slot], u.prev_x[slot], u.prev_y[slot] = x, y, x, y
    u.moving[slot] = 0


def known_to_guards(play: Play) -> SideKnowledge:
    known = knowledge_of(play.world, 1)
    assert known is not None
    return known


def chased(folder: Path, **settings: object) -> Play:
    """Return a chase: Odo identifies Ann, and Ann runs out of sight.

    Ann runs through a gap and then north.
    Udo and Ivo behind a wall only hear Odo's alarm.
    """
    builder = yard("\n".join(ROWS))
    builder.fill("wall", 26, 0, 29, 3)
    builder.fill("stone", 27, 1, 28, 2)
    guard(builder, 6.5, 9.5, facing=0.0)
    guard(builder, 2.5, 4.5, "Udo", facing=180.0)
    guard(builder, 4.5, 4.5, "Ivo", facing=180.0)
    raider(builder, 11.5, 9.5)
    play = Play(folder, builder, vision__far_seconds=0.4, **settings).run_until("identified", "Odo", 60)
    play.order("Ann", OrderKind.MOVE, x=16.5, y=9.5)
    play.order("Ann", OrderKind.MOVE, x=19.5, y=2.5, queued=True)
    return play


@pytest.mark.parametrize("grace", [20, 0])
def test_a_search_follows_the_believed_position_and_stays_after_the_grace_period(tmp_path: Path, grace: int) -> None:
    """Compare each search with the believed position in each tick.

    At the end of the grace period the position is that of the raider; its later moves change nothing.
    """
    play = chased(tmp_path, minds__grace=grace)
    world, u, ann = play.world, play.world.units, play.unit("Ann")
    track: dict[int, tuple[float, float]] = {}
    known, frozen, cried, heard = known_to_guards(play), None, None, 0
    while frozen is None or world.tick < 120:
        track[world.tick + 1] = float(u.x[play.slot("Ann")]), float(u.y[play.slot("Ann")])
        play.run()
        belief: Belief = known.beliefs.about[ann]
        for search in world.searches:
            cried = cried or (search.x, search.y)
            heard += belief.lost_tick < 0
            assert search.target == ann and (search.x, search.y) == believed_at(world, 1, ann)
        if frozen is not None:
            assert (belief.x, belief.y) == frozen
        elif 0 <= belief.lost_tick <= world.tick - grace:
            frozen = belief.x, belief.y
            assert frozen == track[belief.lost_tick + grace - 1]
            put(play, "Ann", *CELL)
    (search,) = world.searches
    assert frozen is not None and cried is not None and (search.x, search.y) == frozen
    assert heard > 10 and math.dist(cried, frozen) > 4.0, "the search began where Ann was at the alarm"
    assert play.unit("Udo") in search.searchers and not play.happened("identified", "Udo"), "Udo did not see Ann"
    udo = play.slot("Udo")
    while math.dist((u.x[udo], u.y[udo]), frozen) > 1.2:
        play.run()
        assert world.tick < 170, "Udo walks to the last known position"


def test_a_shot_that_is_heard_moves_the_last_known_position_to_where_it_was_fired(tmp_path: Path) -> None:
    """Fire out of sight: belief, possibility map and search move to the shot.

    A report older than the shot changes nothing.
    """
    play = chased(tmp_path)
    world, ann = play.world, play.unit("Ann")
    known = known_to_guards(play)
    while known.beliefs.about[ann].lost_tick < 0 or world.tick < known.beliefs.about[ann].lost_tick + 25:
        play.run()
    lost = known.beliefs.about[ann]
    put(play, "Ann", 16.5, 13.5)
    emit_shot(world, ann, -1)
    fired = world.tick
    for _ in range(14):
        play.run()
        found, belief = known.map_of(ann), known.beliefs.about[ann]
        assert found is not None and (belief is lost or found.possible[13, 16])
        if belief is not lost:
            break
    assert (belief.x, belief.y, belief.tick, belief.seen) == (16.5, 13.5, fired, False)
    far = (world.tick - fired + 2) * 0.2 + 1.5
    assert all(
        math.dist((x + 0.5, y + 0.5), (16.5, 13.5)) < far for y, x in zip(*found.possible.nonzero(), strict=True)
    )
    assert [(s.target, s.x, s.y) for s in world.searches] == [(ann, 16.5, 13.5)]
    assert not known.beliefs.report(fired - 1, ann, 3.5, 3.5, play.unit("Odo"))
    assert believed_at(world, 1, ann) == (16.5, 13.5)
