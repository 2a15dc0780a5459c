"""Timeline in the window: it shows any tick and leaves the game untouched.

Its log, its replay and its saves stay those of the present.
"""

import numpy as np
import pygame
import pytest

from game.checks.scripts.script import Expect
from game.sim.replay import open_replay, replay_text, save_replay
from game.sim.saves import load_game
from game.sim.tick import STAGES
from game.sim.timeline.breakpoints import Breakpoint
from game.sim.timeline.chronicle import MARK_KINDS
from game.sim.timeline.unit_tracks import SQUADS
from game.view.lab.timeline.future_ghosts import ghost_rows
from game.view.lab.timeline.promise_watch import PromiseWatch
from game.view.lab.timeline.timeline_panel import clusters
from game.view.lab.timeline.timeline_zoom import CLOSEST
from game.view.window.playing import open_recorded
from game.view.window.saved_games import newest_save
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import bridge_level

RAIDERS = (0, 1, 2, 3)


@pytest.fixture(scope="module")
def level(tmp_path_factory):
    return bridge_level(tmp_path_factory.mktemp("bridge"), raiders=4, guards=2)


@pytest.fixture
def play(player, level):
    screen = player.open(level)
    player.frames()
    yield screen
    while player.app.screens:
        player.app.screens.pop().leave()


def run(player, play, ticks):
    """Run ticks in the window; return the hash after each."""
    clock, hashes = play.playing.clock, {}
    clock.paused = True
    for _ in range(ticks):
        clock.steps = 1
        player.app.top.update(0)
        hashes[play.playing.picture.tick] = play.playing.world.hash()
    return hashes


def sought(player, play, tick):
    """Go to a tick; return the hash that is shown there."""
    play.timeline.travel.seek(tick)
    while play.timeline.travel.target >= 0:
        play.update(0)  # a drawn frame would take longer than the tick
    assert play.playing.picture.tick == tick
    return play.playing.world.hash()


def test_the_past_is_shown_and_the_game_stays_as_it_is(player, play):
    travel, game = play.timeline.travel, play.playing
    play.give_order(Order(int(OrderKind.ATTACK_MOVE), 0, RAIDERS, 20.5, 6.5))
    hashes = run(player, play, 90)
    before = (game.world.hash(), list(game.session.log), replay_text(game.session))
    for tick in (40, 12, 77, 76, 89, 1):
        assert sought(player, play, tick) == hashes[tick]
        assert play.playing is not game and play.view.past
    clock = play.playing.clock
    for _ in range(5):
        clock.steps = 1
        player.app.top.update(0)
    assert play.playing.world.hash() == hashes[6], "the past runs on as it did"
    player.press("quick_save")
    assert load_game(newest_save(play.playing.level.name)).world.hash() == before[0], "a save is the present"
    player.press("menu")
    player.choose("Save a replay")
    assert f"@{90:07d}" in player.screen.message
    player.app.pop()
    player.press("time_present")
    assert play.playing is game and not play.view.past and travel.past is None
    assert (game.world.hash(), list(game.session.log), replay_text(game.session)) == before
    assert run(player, play, 1)[91] not in hashes.values()


def test_the_present_stays_as_ghosts_while_the_past_is_shown(player, play):
    play.give_order(Order(int(OrderKind.MOVE), 0, (0, 1), 20.5, 6.5))
    run(player, play, 80)
    sought(player, play, 10)
    present = play.timeline.travel.game.picture
    rows = ghost_rows(play.playing.picture, present, -1)
    far = np.hypot(present.x - play.playing.picture.x, present.y - play.playing.picture.y) >= 0.5
    assert {0, 1} <= set(present.id[rows].tolist()) and set(rows.tolist()) == set(np.flatnonzero(far).tolist())
    assert set(present.side[ghost_rows(play.playing.picture, present, 0)].tolist()) == {0}, "no enemy shows in Play"
    drawn = []
    play.future.draw = lambda *given: drawn.append(given[-1])
    player.frames(1)
    player.press("time_present")
    player.frames(1)
    assert drawn == [0], "own units alone, and nothing in the present"


def test_an_order_in_the_past_makes_a_branch_and_keeps_the_game(player, play):
    travel, game = play.timeline.travel, play.playing
    play.give_order(Order(int(OrderKind.MOVE), 0, RAIDERS, 20.5, 6.5))
    hashes = run(player, play, 50)
    sought(player, play, 20)
    play.give_order(Order(int(OrderKind.MOVE), 0, RAIDERS, 3.5, 10.5))
    assert play.playing is travel.game is not game and len(travel.branches) == 2
    assert [tick for tick, _ in play.playing.session.log] == [1]
    other = run(player, play, 30)
    assert other[50] != hashes[50] and [tick for tick, _ in play.playing.session.log] == [1, 21]
    assert sought(player, play, 15) == hashes[15], "both share their past"
    player.press("time_next_branch")
    assert play.playing is game and game.world.hash() == hashes[50]
    assert [tick for tick, _ in game.session.log] == [1]


def test_marks_are_reached_by_keys_and_filtered(player, play):
    travel = play.timeline.travel
    play.give_order(Order(int(OrderKind.STANCE), 0, (2,), value=1.0))
    run(player, play, 30)
    play.give_order(Order(int(OrderKind.STANCE), 0, (1,), value=1.0))
    run(player, play, 30)
    travel.bookmark()
    run(player, play, 5)
    travel.kinds = {"order"}
    player.press("time_former_mark")
    player.frames(2)
    assert travel.shown == 60, "a bookmark is a mark of every filter"
    player.press("time_former_mark")
    player.frames(2)
    assert travel.shown == 31
    travel.of_selected = True
    play.selection.choose((2,))
    player.press("time_former_mark")
    player.frames(2)
    assert travel.shown == 1
    player.press("time_next_mark")
    player.frames(2)
    assert travel.shown == 60, "the order to unit 1 is no mark of unit 2"


def test_the_bar_is_pressed_and_dragged_in_lab_and_on_the_pause_screen(player, play):
    travel, panel = play.timeline.travel, play.timeline.panel
    hashes = run(player, play, 60)
    player.press("lab")
    player.frames()
    assert play.playing.session.lab_used
    player.click((panel.x_of(30, 60), panel.track.centery))
    player.frames(2)
    assert abs(travel.shown - 30) <= 1
    assert play.playing.world.hash() == hashes[travel.shown]
    play.selection.choose((4, 5))
    player.frames(2)
    rect, row, bar = next(spot for spot in panel.rows.spots if spot[1].unit == 5 and spot[0].width > 8)
    assert bar == play.timeline.travel.game.session.history.tracks.bars(5)[row.bars.index(bar)]
    player.click(rect.center)
    player.frames(2)
    assert (travel.shown, play.view.inspected) == (bar.start, 5)
    play.timeline.travel.leave()
    x, y = rect.center
    player.click((x, y), button=3)
    stop = play.timeline.stops.points[0]
    assert (stop.kind, stop.unit, stop.what) == ("enters", 5, bar.state)
    player.press("time_former_stop")
    player.frames(2)
    assert travel.shown == stop.times(travel.game.session.history)[-1] and play.timeline.stops.fired == stop
    play.timeline.stops.points[:] = [Breakpoint("event", what="order")]
    play.timeline.travel.leave()
    play.give_order(Order(int(OrderKind.STANCE), 0, (2,), value=1.0))
    play.playing.clock.paused = False
    for _ in range(6):
        play.update(25)
    assert play.playing.clock.paused and play.playing.picture.tick == 61, "an order stops the clock at its tick"
    play.timeline.stops.points.clear()
    player.press("lab")
    player.press("menu")
    player.frames()
    player.drag((panel.x_of(30, 61), panel.track.centery), (panel.x_of(10, 61), panel.track.centery))
    player.frames(2)
    assert abs(travel.shown - 10) <= 1
    assert play.playing.world.hash() == hashes[travel.shown]
    player.app.pop()
    player.press("restart")
    player.press("restart")
    player.frames(2)
    assert play.playing.world.tick <= 2 and travel.past is None and len(travel.branches) == 1


def test_a_replay_is_sought_beyond_what_was_played(player, play, tmp_path):
    play.give_order(Order(int(OrderKind.MOVE), 0, RAIDERS, 20.5, 6.5))
    hashes = run(player, play, 60)
    play.timeline.travel.bookmark()
    save_replay(play.playing.session, tmp_path / "game.json")
    assert open_replay(tmp_path / "game.json")[1].bookmarks == [60]
    play.new_world(open_recorded(tmp_path / "game.json"))
    player.frames()
    assert play.timeline.travel.end == 60
    assert sought(player, play, 45) == hashes[45]
    assert sought(player, play, 10) == hashes[10]
    assert sought(player, play, 60) == hashes[60]


def test_marks_that_lie_close_are_drawn_as_one_of_the_rarest_kind():
    shot, death = MARK_KINDS.index("shot"), MARK_KINDS.index("death")
    ticks = np.array([10, 11, 12, 500, 990], np.int64)
    codes = np.array([shot, shot, death, shot, shot], np.int64)
    drawn = clusters(ticks, codes, left=100, width=1000, end=1000, near=12)
    assert [(c.kind, c.tick, c.count) for c in drawn] == [("shot", 10, 2), ("death", 12, 1), ("shot", 500, 1),
                                                          ("shot", 990, 1)]  # fmt: skip
    assert [c.x for c in drawn] == [110, 112, 600, 1090]
    one = clusters(ticks, codes, left=100, width=1000, end=1000, near=25)
    assert next((c.kind, c.tick, c.count) for c in one) == ("death", 12, 3)


def test_time_is_stepped_by_stages_forwards_and_backwards(player, play):
    play.give_order(Order(int(OrderKind.MOVE), 0, RAIDERS, 20.5, 6.5))
    hashes = run(player, play, 24)
    names = [name for name, _ in STAGES]
    shown = []
    for _ in range(len(names) + 2):
        player.press("time_stage_on")
        shown.append((play.playing.picture.tick, play.playing.last_stage))
    assert shown == [*((24, name) for name in names[:-1]), (25, ""), (25, names[0]), (25, names[1])]
    assert "after perceive" in play.notice
    places = {}
    for _ in range(len(names) + 3):
        player.press("time_stage_back")
        while play.timeline.travel.target >= 0:
            play.update(0)
        places[play.playing.picture.tick, play.playing.last_stage] = play.playing.picture.x.copy()
    before = [(25, names[0]), (25, ""), *((24, name) for name in reversed(names[:-1])), (24, ""), (23, names[-2])]
    assert list(places) == before
    assert (places[24, "steer"] == places[24, "perceive"]).all() and (places[24, "move"] != places[24, "steer"]).any()
    run(player, play, 1)
    assert play.playing.world.hash() == hashes[24], "stages in one go or one by one: the same tick"
    assert sought(player, play, 10) == hashes[10]
    player.press("time_present")
    assert play.playing.world.hash() == run_again(play, play.playing.world.tick)


def run_again(play, ticks):
    """Return the hash of a new game with the same orders after some ticks."""
    other = play.playing.restart()
    other.session.schedule(list(play.playing.session.log))
    other.run_ticks(ticks)
    return other.world.hash()


def test_a_broken_invariant_leaves_a_mark_once_and_only_in_lab(player, play, monkeypatch):
    travel = play.timeline.travel
    rows = (Expect(kind="never_enters", at=(12.5, 6.5), radius=1.0), Expect(kind="no_wall"))
    monkeypatch.setattr("game.view.lab.timeline.promise_watch.ROWS", rows)
    run(player, play, 3)
    assert play.playing.after_tick is None
    player.press("lab")
    run(player, play, 3)
    play.give_order(Order(int(OrderKind.VERB), 0, (0,), 12.5, 6.5, name="teleport", value=1.0))
    tick = play.playing.picture.tick
    run(player, play, 4)
    marks = [m for m in travel.marks() if m.kind == "broken"]
    assert [m.tick for m in marks] == [tick + 1] and "entered" in travel.words_of(marks[0])
    play.timeline.stops.toggle_event("broken", -1)
    player.press("time_former_stop")
    while travel.target >= 0:
        play.update(0)
    assert travel.shown == tick + 1 and "broken promise" in play.notice


def test_watched_laws_mark_what_breaks_them_and_rest_while_tools_are_used(play):
    """A jump by a tool leaves no mark, one from outside does."""
    session = play.playing.restart().session
    session.remember()
    watch, world = PromiseWatch(session), session.world

    def ticks(count):
        for _ in range(count):
            session.advance()
            watch.watch(world)

    ticks(8)
    assert not watch.words, "a plain game keeps its promises"
    session.give(Order(int(OrderKind.VERB), 0, (0,), 4.5, 2.5, name="teleport", value=1.0))
    ticks(3)
    assert not watch.words, "a tool of Lab is no broken promise"
    ticks(2)
    session.advance()
    world.units.prev_x[0] -= 2.0
    watch.watch(world)
    assert [words for words in watch.words.values() if "thrown about" in words or "farther in a second" in words]
    assert [m.tick for m in session.history.chronicle.marks({"broken"})] == [world.tick]
    for kind in ("steady", "progress", "by_the_table", "possible_holds_truth", "searches_well"):
        assert kind in watch._laws and watch._laws[kind].verdict(world) is None


def test_a_stop_at_a_technique_fires_where_its_function_ran(player, play):
    play.playing.clock.paused = True
    first = play.playing.picture.tick
    play.timeline.stops.toggle_technique("path-queue", "ai.paths.manager")
    play.give_order(Order(int(OrderKind.MOVE), 0, RAIDERS, 20.5, 6.5))
    player.frames(2, dt_ms=0)
    play.playing.clock.paused = False
    for _ in range(6):
        play.update(25)
    assert play.playing.clock.paused and play.playing.picture.tick == first + 1
    assert "path queue decides" in play.notice
    history = play.timeline.travel.game.session.history
    assert history.ran == {"path-queue": [first + 1]}
    play.timeline.stops.toggle_technique("path-queue", "ai.paths.manager")
    run(player, play, 2)
    assert history.ran == {"path-queue": [first + 1]} and play.playing.meter.techniques is None


def test_squads_have_rows_and_many_rows_leave_the_map_its_room(player, play):
    play.give_order(Order(int(OrderKind.SQUAD), 0, RAIDERS, 20.5, 6.5, name="hold"))
    run(player, play, 30)
    player.press("lab")
    play.selection.choose(RAIDERS)
    player.frames(2, dt_ms=120)
    panel = play.timeline.panel
    rect, row, _ = next(spot for spot in panel.rows.spots if spot[1].unit == SQUADS)
    assert row.inspects in RAIDERS and row.bars[-1] == play.playing.session.history.tracks.bars(SQUADS)[-1]
    assert panel.box.height < 0.55 * play.app.window.get_height()
    player.click(rect.center, button=3)
    stop = play.timeline.stops.points[0]
    assert stop.unit == SQUADS and stop.what in {bar.state for bar in row.bars}
    assert row.name in play.timeline.stops.words_of(stop)
    names = {name for _, name in panel.parts}
    assert {f"kind {kind}" for kind in MARK_KINDS} <= names, "no filter is left out"


def test_the_wheel_zooms_the_axis_and_ticks_pixels_and_marks_stay_true(player, play):
    """Twelve minutes: each tick is reached by a click, whatever part is shown."""
    run(player, play, 40)
    player.press("lab")
    play.selection.choose(RAIDERS[:2])
    player.frames(2, dt_ms=120)
    panel, travel = play.timeline.panel, play.timeline.travel
    play.playing.recorded, end = 14_400, 14_400  # a replay of twelve minutes of which two seconds were played

    def wheel(x, notches, sideways=0):
        player.send(pygame.event.Event(pygame.MOUSEMOTION, pos=(x, panel.track.centery), rel=(0, 0), buttons=(0, 0, 0)))
        player.send(pygame.event.Event(pygame.MOUSEWHEEL, x=sideways, y=notches, flipped=False))

    zoom, camera = panel.zoom, (play.camera.x, play.camera.y, play.camera.zoom)
    x = panel.track.x + panel.track.width // 3
    at = panel.tick_at(x, end)
    assert zoom.span(end) == (0, end) and abs(at - end / 3) < 20
    for _ in range(6):
        wheel(x, 1)
        first, last = zoom.span(end)
        assert abs(panel.tick_at(x, end) - at) <= (last - first) / panel.track.width + 1, "the cursor keeps its tick"
    assert 0 < first < at < last < end and camera == (play.camera.x, play.camera.y, play.camera.zoom)
    for tick in range(first, last + 1, 37):
        assert abs(panel.tick_at(panel.x_of(tick, end), end) - tick) <= (last - first) / panel.track.width + 1
    ticks, codes = np.array([10, first - 1, first, at, last, last + 1]), np.array([0, 1, 2, 3, 4, 5])
    made = clusters(ticks, codes, panel.track.x, panel.track.width, last, 12, first)
    assert [(m.tick, m.x) for m in made] == [(tick, panel.x_of(tick, end)) for tick in (first, at, last)]
    wheel(x, 0, sideways=1)
    assert zoom.span(end)[0] > first
    for _ in range(30):
        wheel(x, 1)
    assert zoom.span(end)[1] - zoom.span(end)[0] == CLOSEST
    travel.seek(5)
    while travel.target >= 0:
        player.frames(1)
    player.frames(1)
    assert zoom.span(end)[0] <= 5 <= zoom.span(end)[1], "the axis follows the tick that is shown"
    player.click((panel.x_of(30, end), panel.track.centery))
    while travel.target >= 0:
        player.frames(1)
    assert travel.shown == 30
    rect = next(rect for rect, name in panel.parts if name == "whole")
    assert panel.box.contains(rect)
    player.click(rect.center)
    player.frames(1)
    assert zoom.span(end) == (0, end) and all(name != "whole" for _, name in panel.parts)
    wheel(x, -3)
    assert zoom.span(end) == (0, end)
    play.playing.recorded = 0
    travel.leave()
