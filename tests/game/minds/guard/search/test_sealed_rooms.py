"""Exit cover: first guards wait for the watcher of the only exit."""

from __future__ import annotations

from pathlib import Path

import pytest

from ai.squad.squad_search import Search
from game.minds.agent_view import AgentView
from game.minds.guard.belief_records import SearchState
from game.minds.guard.search.exit_cover import heads_for, waits_for_the_exit
from tests.game.sim.play import ROOMS, Play, guard, raider, yard


@pytest.fixture(scope="module")
def play(tmp_path_factory: pytest.TempPathFactory) -> Play:
    """Return two rooms and a gap; the left one is a dead end."""
    builder = yard(ROOMS)
    raider(builder, 2.5, 2.5)
    guard(builder, 18.5, 4.5, "Odo")
    guard(builder, 24.5, 4.5, "Udo")
    folder: Path = tmp_path_factory.mktemp("sealed")
    return Play(folder, builder).run(1)


def search_of(play: Play, x: float = 6.5, cap: int = 9) -> Search:
    odo, udo = play.unit("Odo"), play.unit("Udo")
    return Search(1, 1, play.unit("Ann"), x, 4.5, 1, 500, cap, 8.0, investigators=[odo], searchers=[odo, udo])


def test_the_first_guard_waits_for_the_watcher_at_its_post_but_for_120_ticks_at_most(play: Play) -> None:
    me, u, search = AgentView(play.world, play.slot("Odo"), 0), play.world.units, search_of(play)
    udo = play.slot("Udo")
    assert waits_for_the_exit(me, search, 1) and waits_for_the_exit(me, search, 121)
    assert not waits_for_the_exit(me, search, 122), "the watcher may never come"
    search.keeper, search.posts = play.unit("Udo"), {play.unit("Udo"): (0, 15.5, 2.5, 0.0)}
    home = float(u.x[udo]), float(u.y[udo])
    for x, waits in ((17.0, True), (16.55, True), (16.45, False), (15.5, False)):
        u.x[udo], u.y[udo] = x, 2.5
        assert waits_for_the_exit(me, search, 50) == waits, x
    u.x[udo], u.y[udo] = home


def test_a_lone_guard_waits_for_nobody_and_neither_does_one_at_a_room_that_is_no_dead_end(play: Play) -> None:
    me, search = AgentView(play.world, play.slot("Odo"), 0), search_of(play)
    assert not waits_for_the_exit(me, search_of(play, 20.5), 1), "the larger of two rooms is no dead end"
    search.searchers.pop()
    assert not waits_for_the_exit(me, search, 1)
    minds = play.world.settings.minds
    minds.seals = False
    try:
        assert not waits_for_the_exit(me, search_of(play), 1)
        assert heads_for(me, search_of(play)) == 9
    finally:
        minds.seals = True


def test_four_enter_a_room_of_84_tiles_together_unless_the_rules_send_fewer(play: Play) -> None:
    me = AgentView(play.world, play.slot("Odo"), 0)
    assert [heads_for(me, search_of(play, cap=cap)) for cap in (1, 3, 4, 9)] == [1, 3, 4, 4]


def test_in_play_the_second_guard_keeps_the_exit_and_the_third_goes_in_after_60_ticks(tmp_path: Path) -> None:
    """Send three guards: the first meets no comrade yet and goes, the others wait.

    The keeper of the exit is none of the two that may enter. The raider is behind the first, so no guard sees it.
    """
    builder = yard(ROOMS)
    raider(builder, 28.5, 1.5)
    names = ("Odo", "Udo", "Ubo")
    for k, name in enumerate(names):
        guard(builder, 24.5 + k, 6.5, name, facing=180.0)
    play = Play(tmp_path, builder, minds__investigators=2, vision__far_seconds=60.0).run(2)
    for name in names:
        play.world.minds[play.unit(name)].beliefs.search = SearchState(6.5, 4.5, 1, 1, "it saw raider 4")
        play.world.units.event[play.slot(name)] |= 256
    states = []
    for _ in range(64):
        play.run()
        states.append([play.world.minds[play.unit(name)].machine.state for name in names])
    assert states == [["Go", "Cover", "Cover"]] * 60 + [["Go", "Cover", "Go"]] * 4
    (search,) = play.world.searches
    assert search.keeper == play.unit("Udo") and search.investigators == [play.unit("Odo"), play.unit("Ubo")]
