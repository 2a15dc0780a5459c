"""Pages of the inspector: a click shows a thing, and the world stays."""

import itertools
import math

import numpy as np
import pytest

from ai.decision.blackboards.scoped_boards import BoardEntry, BoardScope, ScopedBoards, write
from ai.paths.state.path_trace import Decision
from ai.perception.hearing.hearing import SoundKind
from game.level.level_writer import LevelBuilder
from game.systems.noise import emit, path_of_sound
from game.systems.stealth.foresight import seen_by
from game.systems.stealth.stimulus_system import keenness
from game.view.lab.why.pages.page import DOOR, PATH, SIDE, SOUND, SQUAD, TILE, UNIT, Subject
from game.view.lab.why.pages.page_control import WHY, distance_to
from game.view.lab.why.pages.page_numbers import AHEAD, CROWDED, LOUDNESS, certainty
from game.view.lab.why.pages.page_numbers import OPEN as OPENED
from game.view.lab.why.pages.place_readings import tiles_to
from game.view.lab.why.pages.squad_page import GROUP, NET, OWN, squad_page
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import write as write_level

OPEN, WALL, SIDE_WALLS = "." * 24, "." * 12 + "#" * 12, "." * 12 + "#" + "." * 11
YARD = "\n".join([OPEN] * 4 + [WALL] + [SIDE_WALLS] * 3 + [OPEN] + [SIDE_WALLS] * 3 + [WALL] + [OPEN] * 3)
"""House with a doorway at (12, 8)."""


@pytest.fixture
def play(player, tmp_path):
    builder = LevelBuilder.from_letters(YARD, title="Yard")
    for i in range(3):
        builder.add("spawn", 3.5 + i, 8.5, name=f"Raider {i + 1}", side="raiders", kind="raider")
    builder.add("spawn", 14.5, 1.5, side="guards", kind="guard", facing=0.0, name="Gil")
    builder.add("spawn", 22.5, 8.5, side="guards", kind="guard", facing=0.0, name="Hob")
    builder.add("door", 12, 8, 1, 1, name="gate")
    builder.add("region", 0, 0, 12, 16, name="west")
    screen = player.open(write_level(tmp_path, builder))
    player.frames()
    yield screen
    while player.app.screens:
        player.app.screens.pop().leave()


def run(player, play, ticks):
    play.playing.clock.paused = True
    for _ in range(ticks):
        play.playing.clock.steps = 1
        player.app.top.update(0)


def rows_of(play, title):
    """Return the rows of a section of the shown page as (name, value, beside)."""
    part = next(part for part in play.why.pages.page().sections if part.title == title)
    return [(row.name.strip(), row.value, row.beside) for row in part.rows]


def click_tile(player, play, x, y):
    play.camera.centre_on(x + 3, y)  # the panel covers the right of the window
    player.frames(1)
    player.click(play.camera.to_screen(x, y))
    player.frames(2)


def test_every_thing_that_is_clicked_has_its_page_and_the_world_stays(player, play):
    world, view, pages = play.playing.world, play.view, play.why.pages
    gil, hob = (int(i) for i in world.units.id[world.units.living(1)])
    player.press("why")
    run(player, play, 1)
    player.frames(1)
    assert view.lab and view.why and pages.tabs() == [SIDE]
    assert rows_of(play, "Strength")[0][:2] == ("living", "3 of 3")

    click_tile(player, play, 7.5, 8.5)
    assert pages.shown() == TILE and pages.shown_subject() == Subject(TILE, (8, 7))
    assert ("region", "west", "") in rows_of(play, "Part of")
    seers = {
        (world.name_of(s.watcher), f"{s.seconds:.1f} s", "") for side in (0, 1) for s in seen_by(world, side, 7.5, 8.5)
    }
    assert seers == {row for row in rows_of(play, "Who sees it") if not row[0].startswith("side")}
    assert "Raider 1" in {name for name, _, _ in seers}
    click_tile(player, play, 12.5, 5.5)
    assert "blocked to walkers" in pages.page().sentence and rows_of(play, "Ground")[0][1] == "nobody"

    play.give_order(Order(int(OrderKind.MOVE), 0, (1, 2), 3.5, 13.5))
    play.give_order(Order(int(OrderKind.USE), 0, (0,), 12.5, 8.5, target=world.door("gate").id))
    run(player, play, 20)
    click_tile(player, play, 12.5, 8.5)
    assert pages.shown() == DOOR and "shut" in pages.page().sentence
    assert ("Raider 1", "goes to work it", "") in rows_of(play, "Who asks for it")
    while not world.door("gate").open:
        run(player, play, 1)
    opened = world.tick
    player.frames(1)
    assert "open" in pages.page().sentence and "Raider 1 opened it" in pages.page().sentence
    change = pages.page().sections[-1].rows[0]
    assert (change.name, change.value, change.tick) == ("opened by", "Raider 1", opened)

    emit(world, SoundKind.IMPACT, 12.5, 1.5, 9.0, 0)
    run(player, play, 1)
    reach = {u: 9.0 * keenness(world, np.array([world.units.slot(u)]))[0] for u in (gil, hob)}
    far = {u: path_of_sound(world, 12.5, 1.5, *(float(c[world.units.slot(u)]) for c in (world.units.x, world.units.y)))
           for u in (gil, hob)}  # fmt: skip
    click_tile(player, play, 12.5, 1.5)
    assert pages.shown() == SOUND
    hearers = [row for row in rows_of(play, "Who heard it") if row[0] != "did"]
    assert {name for name, _, _ in hearers} == {world.name_of(u) for u in (gil, hob) if far[u] <= reach[u]} == {"Gil"}
    assert hearers[0][2] == f"{certainty(far[gil], reach[gil]) * 100:.0f} %"
    run(player, play, 40)
    player.frames(1)
    did = next(row for part in pages.page().sections for row in part.rows if row.name.strip() == "did")
    assert did.tick >= 0 and did.value in {e.decided for e in world.trace.last(gil, 40)}

    link = next(rect for rect, target in pages._painted.spots if target == Subject(UNIT, (gil,)))
    before = world.hash()
    player.click(link.move(pages._box.topleft).center)
    player.frames(2)
    assert play.why.unit == gil and pages.shown() == UNIT and play.selection.ids == (gil,)
    assert ("skill", world.minds[gil].skill, "") in rows_of(play, "State and goal")
    for tab in pages.tabs():
        rect = next(rect for rect, name in play.why.panel.tabs if name == tab)
        player.click(rect.center)
        player.frames(2)
        assert pages.shown() == tab
    assert world.hash() == before
    player.click(next(rect for rect, name in play.why.panel.tabs if name == WHY).center)
    player.press("why")
    player.frames(1)
    assert not play.why.shows


def test_a_path_tells_its_stretches_and_their_cost(player, play):
    world = play.playing.world
    play.view.lab = play.view.why = True
    play.selection.choose([0])
    play.give_order(Order(int(OrderKind.MOVE), 0, (0,), 20.5, 14.5))
    run(player, play, 3)
    slot = world.units.slot(0)
    points = np.vstack([[world.units.x[slot], world.units.y[slot]], world.paths.store.points_of(slot)])
    middle = points[0] + (points[1] - points[0]) * 0.6
    click_tile(player, play, *middle)
    assert play.why.pages.shown() == PATH and play.selection.ids == (0,)
    ahead = rows_of(play, "Stretches ahead")
    whole = np.hypot(*np.diff(points, axis=0).T).sum()
    assert sum(float(value.split()[0]) for _, value, _ in ahead) == pytest.approx(whole, abs=0.2)
    told = rows_of(play, "How it was found")
    assert told[-1][0] == "requested a path to tile (20, 14)"
    spent = [r.numbers[1] for r in world.paths.trace.of(0, 60) if r.decision in (Decision.QUICK, Decision.QUICK_ONLY)]
    assert all(any(row[2] == f"{n} rev" for row in told) for n in spent if n)


def test_a_squad_shows_its_options_and_the_boards_of_three_scopes(player, play):
    world = play.playing.world
    play.give_order(Order(int(OrderKind.SQUAD), 0, (0, 1, 2), 9.5, 12.5, name="hold"))
    run(player, play, 30)
    (squad,) = world.squads.rows.values()
    boards = world.squads.boards.setdefault(0, ScopedBoards())
    write(boards, BoardScope.OWN, "threat", BoardEntry(1, world.tick, 4.0, 5.0, text="seen", until=world.tick + 40))
    write(boards, BoardScope.ALL, "threat", BoardEntry(2, world.tick, 6.0, 7.0, text="reported"))
    board = boards.groups[squad.id]
    play.selection.choose([1])
    play.view.lab = play.view.why = True
    player.frames(1)
    play.why.pages.turn_to(SQUAD)
    player.frames(1)
    assert play.why.pages.shown() == SQUAD
    page = squad_page(world, squad.id)
    titles = [part.title for part in page.sections]
    assert titles.index(GROUP) < titles.index(OWN) < titles.index(NET)
    assert ("Raider 2: threat", "seen at 4.0, 5.0", "0.0 s ago") in rows_of(play, OWN)
    assert ("threat", "reported at 6.0, 7.0", "by Raider 3") in rows_of(play, NET)
    missions = [m for rows in board.missions.values() for m in rows]
    assert len([row for row in rows_of(play, GROUP) if row[0].startswith("mission")]) == len(missions)
    assert [name for name, _, _ in rows_of(play, "Slots")] == ["Raider 1", "Raider 2", "Raider 3"]
    shares = [row.share for part in page.sections if part.title == "Options" for row in part.rows]
    assert all(0 <= share <= 1 for share in shares)


@pytest.mark.parametrize("seed", range(6))
def test_a_line_enters_a_tile_where_small_steps_find_it(seed):
    """Walk the line in steps of a hundredth of a tile and compare."""
    rng = np.random.default_rng(seed)
    points, tile = rng.uniform(0, 6, (4, 2)), (int(rng.integers(6)), int(rng.integers(6)))
    walked, found, nearest = 0.0, math.inf, math.inf
    for a, b in itertools.pairwise(points):
        length = float(np.hypot(*(b - a)))
        for k in range(int(length * 100) + 1):
            x, y = a + (b - a) * min(k / 100 / length, 1.0)
            nearest = min(nearest, math.hypot(x - 3.1, y - 2.2))
            if (int(y), int(x)) == tile and found == math.inf:
                found = walked + k / 100
        walked += length
    told = tiles_to(points, tile)
    assert told == pytest.approx(found, abs=0.02) or (found == math.inf and math.isfinite(told))
    assert distance_to(points, 3.1, 2.2) == pytest.approx(nearest, abs=0.01)


def test_a_number_stays_pinned_until_its_cross_is_pressed(player, play):
    """Pins outlive selection and panel; a fifth is refused in one line."""
    world, why = play.playing.world, play.why
    play.view.lab = play.view.why = True
    play.selection.choose([0])
    player.frames(1)
    why.pages.turn_to(UNIT)
    play.give_order(Order(int(OrderKind.MOVE), 0, (0,), 10.5, 2.5))
    run(player, play, 30)
    speeds = play.timeline.travel.game.session.history.numbers.series([world.units.slot(0)], "speed", 0, world.tick)

    def spot(name):
        player.frames(2)
        rect = next(rect for rect, target in why.pages._painted.spots if target == name)
        return rect.move(why.pages._box.topleft).center

    for name in ("speed", "health", "meter", "noticed", "agitation"):
        player.click(spot(name))
    assert [pin.number for pin in why.pins.pins] == ["speed", "health", "meter", "noticed"]
    assert play.notice == "4 numbers are pinned: remove one first"
    player.click(spot("health"))
    play.selection.choose([1])
    play.view.why = False
    player.frames(2)
    assert [pin.title for pin in why.pins.pins] == ["Raider 1: speed", "Raider 1: meter", "Raider 1: noticed"]
    shown = why.pins.series(why.pins.pins[0].subject, "speed")
    assert shown[0].tolist() == speeds[0].tolist() and shown[1].tolist() == speeds[1].tolist() and max(shown[1]) > 1
    cards = [*why.pins.crosses, *(box for box, _ in why.pins.graphs)]
    assert all(play.lab.covers(card.center) and why.pins.box.contains(card) for card in cards)
    assert why.pins.box.collidelist([*play.lab.panels.rects, play.lab.panels.below, play.lab.panels.badge]) < 0
    player.click(why.pins.crosses[1].center)
    player.frames(1)
    assert [pin.number for pin in why.pins.pins] == ["speed", "noticed"] and play.selection.ids == (1,)
    box, last = why.pins.graphs[0]
    player.click((box.right - 1 - 10 * box.width // 600 - 1, box.centery))
    player.frames(3)
    assert last - 20 <= play.timeline.travel.shown < last and play.view.past
    play.timeline.travel.leave()


def test_numbers_of_places_are_graphs_that_reach_back_before_the_page_was_opened(player, play):
    """Keyframes and shown ticks agree with what an equal game shows at each tick."""
    world, why = play.playing.world, play.why
    gate = world.door("gate").id
    again = play.playing.restart()
    for playing in (play.playing, again):
        playing.give(Order(int(OrderKind.MOVE), 0, (1, 2), 3.5, 13.5))
        playing.give(Order(int(OrderKind.USE), 0, (0,), 12.5, 8.5, target=gate))
        emit(playing.world, SoundKind.IMPACT, 12.5, 1.5, 9.0, 0)
    seen = {}
    for _ in range(130):
        again.run_ticks(1)
        w = again.world
        near = int((np.hypot(w.units.x[:3] - 3.5, w.units.y[:3] - 13.5) <= 2.0).sum())
        slot = w.units.slot(1)
        points = np.vstack([[w.units.x[slot], w.units.y[slot]], w.paths.store.points_of(slot)])
        ahead = float(np.hypot(*np.diff(points, axis=0).T).sum()) if w.paths.store.path_len[slot] else 0.0
        seen[w.tick] = near, float(w.door(gate).open), ahead
    run(player, play, 130)
    assert world.hash() == again.world.hash()
    play.view.lab = play.view.why = True
    wanted = {
        Subject(TILE, (13, 3)): (CROWDED, 0),
        Subject(DOOR, (gate,)): (OPENED, 1),
        Subject(PATH, (1,)): (AHEAD, 2),
    }
    for subject, (name, at) in wanted.items():
        why.pages.open(subject)
        player.frames(10)
        ticks, values = why.pages.series.series(subject, name)
        assert {30, 60, 90, 120, 130} <= set(ticks.tolist()) and len(set(values.tolist())) > 1, subject
        for tick, value in zip(ticks.tolist(), values.tolist(), strict=True):
            assert tick == 0 or value == pytest.approx(seen[tick][at]), (subject, tick)
    ticks, values = why.pages.series.series(Subject(DOOR, (gate,)), OPENED)
    opened = min(tick for tick, row in seen.items() if row[1])
    assert opened - 1 in ticks and values[ticks.tolist().index(opened)] == 1.0, "the very tick of the change"

    _, number, _, _, _, _, _, hearers = world.recording["heard"][0]
    ticks, values = why.pages.series.series(Subject(SOUND, (number,)), LOUDNESS)
    sure = [1 - path_of_sound(world, 12.5, 1.5, x, y) / (9.0 * keen) for _, x, y, keen in hearers.tolist()]
    assert values.max() == pytest.approx(max(sure)) and (ticks[-1], values[-1]) == (130, 0.0)

    why.pages.open(Subject(PATH, (1,)))
    player.frames(2)
    rect = next(rect for rect, target in why.pages._painted.spots if target == AHEAD)
    player.click(rect.move(why.pages._box.topleft).center)
    assert [pin.title for pin in why.pins.pins] == ["Path of Raider 2: tiles ahead"]
    play.timeline.travel.seek(45)
    while play.timeline.travel.target >= 0:
        player.frames(1)
    player.frames(2)
    ticks, values = why.pins.series(why.pins.pins[0].subject, AHEAD)
    assert ticks[-1] == 45 and values[-1] == pytest.approx(seen[45][2]), "the past has its own end"
    play.timeline.travel.leave()
