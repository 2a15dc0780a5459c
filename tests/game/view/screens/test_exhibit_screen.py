"""Exhibit frame with simulated input: gallery, switch, knobs, drawer, repeat, back."""

import numpy as np
import pygame
import pytest

from game.view.lab.measures.chrome_trace import trace_of
from game.view.lab.measures.tick_meter import NAMES
from game.view.screens.exhibit_screen import ExhibitScreen
from game.view.screens.gallery.card_page import CardPage
from game.view.screens.gallery.gallery_screen import GalleryScreen


@pytest.fixture
def exhibit(player):
    gallery = GalleryScreen(player.app)
    player.app.push(gallery)
    player.frames(2)
    gallery.chosen = "splice-path"
    gallery.open()
    player.screen.open()
    assert isinstance(player.loaded(), ExhibitScreen)
    player.screen.scene.ground_budget(0)
    yield player.screen
    while player.app.screens:
        player.app.screens.pop().leave()


def _ticks(player, exhibit, count):
    exhibit.show.clock.paused = True
    exhibit.show.run_ticks(count)
    player.frames(2)


def test_an_exhibit_opens_in_lab_and_moves_without_a_click(player, exhibit):
    assert exhibit.view.lab and exhibit.view.lift_fog
    assert exhibit.lab.overlays.is_on("paths")
    before = exhibit.show.picture.x.copy()
    player.frames(80)
    assert exhibit.show.world.tick > 20 and not np.array_equal(before, exhibit.show.picture.x)


def test_the_camera_does_not_pan_when_the_mouse_is_at_the_edge(player, exhibit, monkeypatch):
    monkeypatch.setattr(pygame.mouse, "get_focused", lambda: True)
    monkeypatch.setattr(pygame.mouse, "get_pos", lambda: (0, 300))
    player.app.options.edge_pan = True
    before = exhibit.camera.x, exhibit.camera.y
    player.frames(10)
    player.app.options.edge_pan = False
    assert (exhibit.camera.x, exhibit.camera.y) == before


def test_t_and_a_click_on_the_panel_switch_the_technique(player, exhibit):
    _ticks(player, exhibit, 40)
    player.key(pygame.K_t)
    run = exhibit.show.run
    assert not run.shows_on and run.ab_run.shown.world.tick == run.ab_run.ghost.world.tick
    player.click(exhibit.panels.switch_rect.center)
    assert run.shows_on


def _measured(player, exhibit, ticks):
    exhibit.show.clock.paused = True
    for _ in range(ticks):
        exhibit.show.clock.steps = 1
        player.screen.update(0)
    player.frames(2, dt_ms=300)


def test_the_budget_of_an_exhibit_lies_below_its_switch_and_begins_again_with_it(player, exhibit):
    player.press("budget")
    assert exhibit.budget.shows
    _measured(player, exhibit, 11)
    panel, meter = exhibit.budget.panel, exhibit.show.meter
    assert meter.written == 11 and meter.techniques.numbers == [0, 5, 10]
    keys = [key for _, key in panel.rows]
    assert keys[: len(NAMES)] == list(NAMES) and "path-queue" in keys
    column = player.app.window.get_rect()
    column.left = exhibit.panels.frame.right
    assert column.contains(panel.box) and not panel.box.colliderect(exhibit.panels.switch_rect)
    assert all(panel.box.contains(rect) for rect, _ in panel.rows)
    run = exhibit.show.run
    values = [run.value_of(row.knob.setting) for row in exhibit.panels.rows]
    for rect, _ in panel.rows:
        player.click(rect.center)
        player.click(rect.center, button=3)
    assert values == [run.value_of(row.knob.setting) for row in exhibit.panels.rows], "knobs below are out of reach"
    assert not meter.watched, "an exhibit has no timeline to stop"
    player.key(pygame.K_t)
    _measured(player, exhibit, 3)
    assert exhibit.show.meter.written == 3, "times of one value of the switch, not of both"
    repeat, exhibit.show.run.exhibit.repeat = run.exhibit.repeat, exhibit.show.world.tick + 1
    _measured(player, exhibit, 3)
    run.exhibit.repeat = repeat
    events = trace_of(exhibit.show.meter, "x")["traceEvents"]
    assert [e["args"]["tick"] for e in events if e.get("cat") == "tick"] == [1, 2, 3, 4, 1, 2]
    counters = [e["ts"] for e in events if e["ph"] == "C"]
    begun = [e["ts"] for e in events if e.get("cat") == "tick"]
    assert counters == [begun[0], begun[5]], "the first and the sixth tick were profiled, each on its own"
    player.press("trace")
    assert "traces" in exhibit.notice
    player.press("budget")
    assert not exhibit.budget.shows


def test_the_ghost_is_drawn(player, exhibit):
    _ticks(player, exhibit, 110)
    with_ghost = pygame.surfarray.array3d(player.app.window)
    exhibit.show.ghost = exhibit.show.picture
    exhibit.show.run.trails[1].clear()
    player.frames(1)
    assert not np.array_equal(with_ghost, pygame.surfarray.array3d(player.app.window))


def test_knobs_by_mouse_and_by_keys_reach_both_worlds(player, exhibit):
    _ticks(player, exhibit, 5)
    run, row = exhibit.show.run, exhibit.panels.rows[0]
    player.drag(row.track.midleft, row.track.midright)
    assert run.value_of("paths.budget") == 40
    player.key(pygame.K_LEFT)
    assert run.value_of("paths.budget") == 39
    _ticks(player, exhibit, 2)
    for session in (run.ab_run.shown, run.ab_run.ghost):
        assert session.world.settings.paths.budget == 39
    player.click(exhibit.panels.drawer_button.center)
    assert exhibit.panels.drawer and len(exhibit.panels.shown_rows) == 7
    player.key(pygame.K_UP)
    player.key(pygame.K_RIGHT)
    assert run.value_of("paths.slicing") == "equal"
    player.key(pygame.K_ESCAPE)
    assert not exhibit.panels.drawer and player.screen is exhibit


def test_an_exhibit_repeats_and_escape_goes_back(player, exhibit):
    _ticks(player, exhibit, exhibit.show.run.exhibit.repeat)
    assert exhibit.show.run.rounds == 1 and exhibit.show.world.tick < 5
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.screen, CardPage)


def test_an_order_given_on_the_picture_reaches_both_runs(player, exhibit):
    _ticks(player, exhibit, 20)
    player.click(player.place(0))
    assert exhibit.selection.ids == (0,)
    player.frames(6)
    player.click(exhibit.camera.to_screen(4.5, 3.5), button=3)
    _ticks(player, exhibit, 2)
    for session in (exhibit.show.run.ab_run.shown, exhibit.show.run.ab_run.ghost):
        u = session.world.units
        assert abs(float(u.goal_y[u.slot(0)]) - 3.5) < 1.5


def test_the_panels_do_not_overlap_the_picture_at_three_sizes(player, exhibit):
    options = player.app.options
    try:
        for size, scale in (((1280, 720), 1.0), ((1920, 1080), 1.5), ((1024, 640), 1.0)):
            options.width, options.height, options.ui_scale = *size, scale
            player.app.apply_options()
            player.frames(2)
            panels = exhibit.panels
            for rect in (panels.switch_rect, panels.number_rect, panels.knob_rect, panels.bottom):
                assert not rect.colliderect(panels.frame)
                assert player.app.window.get_rect().contains(rect)
            # A map larger than the frame does not cover the panels beside it.
            beside = pygame.Rect(panels.frame.right + 3, panels.frame.y, 8, panels.frame.height)
            kept = player.app.window.subsurface(beside).copy()
            exhibit.camera.set_zoom(64)
            player.frames(1)
            assert kept.get_buffer().raw == player.app.window.subsurface(beside).copy().get_buffer().raw
    finally:
        options.width, options.height, options.ui_scale = 1280, 720, 1.0
        player.app.apply_options()
