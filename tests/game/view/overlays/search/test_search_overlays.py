"""Overlays of searches: they show the search structures and do not change the world."""

from collections import Counter

import numpy as np
import pygame
import pytest
from scipy import ndimage

from ai.paths.engines import static_tables
from game.checks.scripts.script import scripts_of
from game.level.finding import find_level
from game.level.model import GROUND
from game.view.overlays.overlay import REGISTRY, Channel
from game.view.screens.exhibit_screen import ExhibitScreen, open_exhibit
from game.view.screens.loading_screen import LoadingScreen

SHOWN = {
    "jumps": ["expanded"],
    "jump_tables": ["jps_tables", "goal_bounds"],
    "subgoals": ["subgoal_graph"],
    "clusters": ["hierarchy_2", "plans"],
    "any_angle": ["any_angle"],
    "regions": ["regions"],
    "flow_field": ["flow_field", "flow_cost"],
    "slicing": ["turns"],
    "door_repair": ["repairs"],
    "under_cover": ["machine"],
}


@pytest.fixture
def exhibit(player, request):
    show = open_exhibit(find_level(request.param))
    screen = ExhibitScreen(player.app, show)
    player.app.push(screen)
    screen.show.clock.paused = True
    player.frames(2)
    yield screen
    while player.app.screens:
        player.app.screens.pop().leave()


def _ticks(player, screen, count):
    for _ in range(count):
        screen.show.run_ticks(1)
        player.frames(1)


def _context(screen):
    return screen.lab.context(screen.show, screen.view)


def _of(screen, name):
    return next(o for o in screen.lab.overlays.on if o.name == name)


@pytest.mark.parametrize("exhibit", list(SHOWN), indirect=True)
def test_an_exhibit_draws_its_overlays_and_the_run_stays_the_same(player, exhibit):
    stem = exhibit.show.run.level.path.stem
    _ticks(player, exhibit, 3)
    ab_run = open_exhibit(find_level(stem)).run
    for _ in range(3):
        ab_run.advance()
    assert exhibit.show.world.hash() == ab_run.ab_run.shown.world.hash(), "overlays do not change the world"
    picture = player.app.window
    context = _context(exhibit)
    for name in SHOWN[stem]:
        overlay = _of(exhibit, name)
        rows = overlay.legend(context)
        assert rows and all(row.words for row in rows)
        if overlay.channel in (Channel.LINE, Channel.MARK):
            blank = pygame.Surface(picture.get_size())
            blank.fill((1, 2, 3))
            overlay.draw(blank, exhibit.camera, context, 1.0)
            # Repairs are shown from the first edit on.
            assert name == "repairs" or (pygame.surfarray.pixels3d(blank) != (1, 2, 3)).any(), f"{name} draws something"
        height, width = exhibit.show.world.terrain.passable.shape
        places = [(x + 0.5, y + 0.5) for y in range(2, height, 2) for x in range(2, width, 2)]
        said = {overlay.value_at(context, x, y) for x, y in places}
        assert said != {""}, f"{name} has values under the cursor"


@pytest.mark.parametrize("exhibit", ["jump_tables"], indirect=True)
def test_the_jump_distance_under_the_cursor_is_that_of_a_walk_in_the_map(exhibit):
    """Walk straight from each fifth tile.

    A jump ends beside an open tile that the tile before could not reach aslant; else at the wall, shown as negative.
    """
    overlay, context = _of(exhibit, "jps_tables"), _context(exhibit)
    open_ = np.pad((exhibit.show.world.terrain.passable & 1) != 0, 1)

    def walked(y: int, x: int, dy: int, dx: int) -> int:
        for steps in range(99):
            if not open_[y + dy, x + dx]:
                return -steps
            forced = any(not open_[y + s * dx, x + s * dy] and open_[y + dy + s * dx, x + dx + s * dy] for s in (1, -1))
            if forced:
                return steps + 1
            y, x = y + dy, x + dx
        raise AssertionError("no end")

    tiles, ends = np.argwhere(open_)[::5].tolist(), set()
    for y, x in tiles:
        words = overlay.value_at(context, x - 0.5, y - 0.5)
        for name, (dy, dx) in {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}.items():
            shown = int(f", {words}".split(f", {name} ")[1].split(",")[0].split()[0])
            assert shown == walked(y, x, dy, dx), (y, x, name)
            ends.add(np.sign(shown))
    assert ends == {-1, 0, 1}


@pytest.mark.parametrize("exhibit", ["flow_field"], indirect=True)
def test_a_released_flow_field_stays_in_view_until_a_jump_back(player, exhibit):
    _ticks(player, exhibit, 4)
    overlay = _of(exhibit, "flow_cost")
    assert "tiles to the goal" in overlay.value_at(_context(exhibit), 40.5, 16.5)
    exhibit.show.world.paths.shared.fields.clear()
    assert "tiles to the goal" in overlay.value_at(_context(exhibit), 40.5, 16.5)
    exhibit.again()
    player.frames(1)
    assert overlay.value_at(_context(exhibit), 40.5, 16.5) == "no field has been made"


@pytest.mark.parametrize("exhibit", ["regions"], indirect=True)
def test_regions_show_straight_estimated_and_true_distances(player, exhibit):
    from ai.search.astar.astar import AStarSearch

    _ticks(player, exhibit, 5)
    words = _of(exhibit, "regions").value_at(_context(exhibit), 3.5, 3.5)
    straight, table, true = (int(part.split()[0]) for part in words.split("; to the goal ")[1].split(", "))
    requests, world = exhibit.show.world.paths.requests, exhibit.show.world
    search = AStarSearch(world.terrain.height, world.terrain.width)
    search.begin(world.terrain, 0, (3, 3), tuple(requests.goal[0].tolist()))
    search.run(world.terrain, 1 << 40)
    assert true == round(search.cost) and straight < true <= 1.5 * table


@pytest.mark.parametrize("exhibit", ["door_repair"], indirect=True)
def test_repairs_count_the_changed_entries_of_each_structure(player, exhibit):
    overlay = _of(exhibit, "repairs")
    _ticks(player, exhibit, 1)
    terrain = exhibit.show.world.terrain
    kept = overlay._kept
    before = {name: getattr(kept["ground"], name).copy() for name in ("east", "west", "south", "north")}
    terrain.edit(5, 10, 6, 11, passable=0 if terrain.passable[5, 10] else 255)
    overlay._follow(_context(exhibit))
    words = sum(int((getattr(kept["ground"], n) != before[n]).sum()) for n in before)
    rows = {r.structure: r for r in overlay._rows}
    assert rows["packed rows"].amount == words > 0
    assert set(rows) == {
        "components", "clusters", "regions", "flow field", "packed rows", "jump tables", "subgoal graph",
    }  # fmt: skip
    # Each structure changed in part and equals a new one; sliced structures count slices.
    from ai.search.jps.jump_tables import JumpTables

    fresh = JumpTables.build(kept["ground"])
    assert np.array_equal(kept["tables"].jumps, fresh.jumps)
    assert 0 < rows["jump tables"].amount < len(fresh.jumps) // 2 and rows["jump tables"].slices >= 1
    assert all(0 < row.amount < row.of for row in overlay._rows) and kept["field"].revision == terrain.revision
    words = [f"{row.words} {row.unit}" for row in overlay.legend(_context(exhibit))]
    assert len(words) == 8 and all(row.structure in " ".join(words) for row in overlay._rows)
    assert 1 <= rows["clusters"].amount <= 4 and rows["clusters"].of == 6
    from ai.search.hierarchy.hpa import ClusterGraph

    assert np.array_equal(kept["clusters"].distances, ClusterGraph.build(terrain).distances), (
        "repaired equals built anew"
    )


@pytest.mark.parametrize("exhibit", ["jump_tables"], indirect=True)
def test_goal_bounds_come_from_the_game_and_end_with_the_first_edit(exhibit, monkeypatch):
    from ai.search.jps import jps_plus

    monkeypatch.setattr(jps_plus, "goal_bound_table", lambda *_: pytest.fail("an overlay makes no goal bounds"))
    overlay = _of(exhibit, "goal_bounds")
    context = _context(exhibit)
    boxes = overlay._bounds(context)
    terrain = exhibit.show.world.terrain
    y, x = (int(v) for v in np.argwhere(terrain.passable & 1)[40])
    assert boxes.shape == (*terrain.passable.shape, 8, 4) and (boxes[y, x, :, 2] >= boxes[y, x, :, 0]).any()
    terrain.edit(y, x, y + 1, x + 1, passable=0)
    assert overlay._bounds(context) is None and "static" in overlay.empty(context)
    assert "static" in overlay.value_at(context, x + 0.5, y + 0.5)


def test_the_overlays_and_exhibits_of_the_table_exist():
    names = {name for shown in SHOWN.values() for name in shown}
    assert names <= set(REGISTRY)
    for stem in SHOWN:
        assert scripts_of(find_level(stem))


@pytest.mark.parametrize("exhibit", ["under_cover"], indirect=True)
def test_patches_equal_those_of_scipys_labelling(exhibit):
    exhibit.lab.show("patches")
    overlay, context = _of(exhibit, "patches"), _context(exhibit)
    ground = exhibit.show.run.level.ground
    said = {row.words.split(":")[0]: row.unit for row in overlay.legend(context)}
    for name, words in (("wood", "wood"), ("water", "water"), ("field", "field of grain"), ("floor", "hall")):
        # Tiles that touch only at a corner belong to different patches.
        _, count = ndimage.label(ground == GROUND[name])
        assert said[words].split()[0] == str(count)
    assert (
        overlay.value_at(context, 4.5, 3.5).startswith("wood 1")
        and overlay.value_at(context, 3.5, 8.5) == "part of no patch"
    )
    colours = overlay.fill(context, 0, 0, *ground.shape)
    assert ((colours[..., 3] > 0) == np.isin(ground, [GROUND[n] for n in ("wood", "water", "field", "floor")])).all()


@pytest.mark.parametrize("exhibit", ["under_cover"], indirect=True)
def test_the_modular_astar_overlay_shows_costs_of_a_scout_and_closed_tiles(player, exhibit):
    _ticks(player, exhibit, 6)
    overlay, context = _of(exhibit, "machine"), _context(exhibit)
    wood, road = overlay.value_at(context, 4.5, 3.5), overlay.value_at(context, 10.5, 8.5)
    assert wood.startswith("2 tiles") and road.startswith("5 tiles"), (wood, road)
    assert "closed" in wood
    assert {"storage: cheap list", "modifier: scout: open ground is expensive"} < {
        r.words for r in overlay.legend(context)
    }


@pytest.mark.parametrize("exhibit", ["slicing"], indirect=True)
def test_the_queue_panel_shows_age_engine_reason_revolutions_allowance_and_budget(player, exhibit):
    """Compare lines with the open searches, and bar and chart with the manager's counts."""
    overlay = next(o for o in REGISTRY.values() if o.name == "queue")()
    for _ in range(60):
        _ticks(player, exhibit, 1)
        world = exhibit.show.world
        if len(world.paths.queue.open) > 1 and any(
            world.paths.queue.slabs[e.slab].revolutions for e in world.paths.queue.open
        ):
            break
    context, paths, budget = _context(exhibit), world.paths, world.settings.paths.budget
    lines, statistics = overlay.panel_lines(context), paths.statistics
    said = dict(lines)
    assert said["queue, this tick"] == f"{statistics.revolutions_this_tick} of {budget} rev"
    assert said["open / waiting"] == f"{len(paths.queue.open)} / {statistics.waiting_now}"
    assert 0 < statistics.revolutions_this_tick <= budget
    for entry in paths.queue.open[:2]:
        slab, age = paths.queue.slabs[entry.slab], world.tick - int(paths.requests.asked[entry.slot])
        at = lines.index(
            (f"{world.name_of(entry.unit)}, {age} ticks", f"{slab.revolutions} rev, turn {entry.allowance}")
        )
        engine, reason = lines[at + 1]
        assert engine.strip() == "astar" and reason == "forced", "the exhibit forces A*"
    used, charged, whole = overlay.panel_bar(context)
    assert (used, charged, whole) == (statistics.revolutions_this_tick, statistics.charged_this_tick, budget)
    chart = overlay.panel_chart(context)
    assert chart is not None and chart[-1] == used and chart.sum() == statistics.revolutions_total
    player.frames(1)
    for _ in range(200):
        if not paths.queue.open:
            break
        exhibit.show.run_ticks(1)
    told = [row for row in paths.trace.recent(200) if row.choice is not None and row.unit >= 0]
    engine, why = told[-1].choice
    after = overlay.panel_lines(_context(exhibit))
    assert any(label.startswith(world.name_of(told[-1].unit)) and words == engine for label, words in after)
    assert ("    because", why) in after


def _longest_run(surface, colour):
    """Return the length of the longest run of ``colour`` in each row, in pixels."""
    ink, runs = surface.map_rgb(colour), []
    for row in (pygame.surfarray.array2d(surface) == ink).T:
        longest = run = 0
        for pixel in row[100:-100].tolist():
            run = run + 1 if pixel else 0
            longest = max(longest, run)
        runs.append(longest)
    return runs


def test_the_loading_bar_shows_the_progress_of_the_tables_of_a_static_level(player, tmp_path, monkeypatch):
    monkeypatch.setattr(static_tables, "tables_folder", lambda: tmp_path)
    level = find_level("jumps")
    screen = LoadingScreen(player.app, level)
    assert screen.made is None
    screen._open()
    assert screen.error == "" and screen.made is not None
    done, total = screen.made
    world = screen._opened.session.world
    assert done == total == int((world.terrain.passable & 1).sum()), "the bounds of each open tile are counted"
    again = LoadingScreen(player.app, level)
    again._open()
    assert again.made is None, "the second time the tables are read from the folder"
    lengths = []
    for part in (total // 4, total // 2, total):
        screen._make(part, total)
        surface = pygame.Surface((1280, 720))
        screen.draw(surface)
        runs = _longest_run(surface, player.app.palette["ink"])
        # Most rows with much ink belong to the bar.
        lengths.append(Counter(run for run in runs if run > 50).most_common(1)[0][0])
    assert lengths[0] == pytest.approx(lengths[2] / 4, rel=0.05) and lengths[1] == pytest.approx(
        lengths[2] / 2, rel=0.05
    )
