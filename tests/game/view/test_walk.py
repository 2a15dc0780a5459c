"""Walk through the window with simulated input: menus, a mission, saves and Lab."""

import math

import numpy as np
import pygame
import pytest

from ai.search.astar.astar import CLOSED
from game.view.input.key_bindings import parse_key
from game.view.overlays.lenses import all_overlays
from game.view.screens.gallery.gallery_screen import GalleryScreen
from game.view.screens.menu_screen import MenuMain, SandboxScreen
from game.view.screens.options_screen import OptionsScreen
from game.view.screens.play.end_screen import EndScreen
from game.view.screens.play.pause_screen import PauseScreen, newest_save
from game.view.screens.play_screen import PlayScreen
from game.world.orders import Order, OrderKind
from tests.game.view.player import CROSSING


@pytest.fixture
def player(window_of_all):
    made = window_of_all
    made.app.running = True
    yield made
    while made.app.screens:
        made.app.screens.pop().leave()


def _kinds(play):
    return [OrderKind(order.kind) for _, order in play.playing.session.log]


def test_from_the_menu_through_every_screen_and_back(player):
    player.app.push(MenuMain(player.app))
    player.frames(2)
    for words, kind in (("Options", OptionsScreen), ("Gallery", GalleryScreen), ("Sandbox", SandboxScreen)):
        player.choose(words)
        assert isinstance(player.screen, kind)
        player.key(pygame.K_ESCAPE)
        assert isinstance(player.screen, MenuMain)
    player.choose("Play")
    assert isinstance(player.loaded(), PlayScreen)
    player.press("menu")
    player.choose("Leave")
    assert isinstance(player.screen, MenuMain)
    player.choose("Quit")
    assert not player.app.running


def test_the_gallery_opens_the_mission_of_a_technique_in_lab(player):
    player.app.push(GalleryScreen(player.app))
    gallery = player.screen
    row = next(card.row for card in gallery.cards if card.row.kind == "mission" and card.row.overlay)
    grid = gallery.grid
    index = next(i for i, placed in enumerate(grid.placed) if placed.card.slug == row.slug)
    grid.scroll(grid.card_rect(index).y - grid.rect.y)
    player.click(grid.card_rect(index).center)
    assert gallery.chosen == row.slug
    player.key(pygame.K_RETURN)
    player.choose("Open in Lab: Enter")
    assert isinstance(player.loaded(), PlayScreen)
    assert player.screen.view.lab and player.screen.lab.overlays.is_on(row.overlay)


def test_select_order_pause_and_tick(player):
    play = player.open()
    own = [int(i) for i in play.playing.picture.id[play.playing.picture.living(0)]]
    player.click(player.place(own[0]))
    assert play.selection.ids == (own[0],)
    x, y = player.place(own[0])
    u, slot = play.playing.world.units, play.playing.world.units.slot(own[0])
    before = float(u.x[slot]), float(u.y[slot])
    goal = before[0] + 120 / play.camera.zoom, before[1] - 10 / play.camera.zoom
    player.click((x + 120, y - 10), button=3)
    player.frames(40)
    assert _kinds(play)[-1] == OrderKind.MOVE
    assert math.dist((u.goal_x[slot], u.goal_y[slot]), goal) < 1.0, "to the tile that was clicked"
    now = float(u.x[slot]), float(u.y[slot])
    assert math.dist(now, goal) < math.dist(before, goal) - 0.5, "it walks there"
    player.press("pause")
    tick = play.playing.world.tick
    player.frames(30)
    assert play.playing.world.tick <= tick + 1
    tick = play.playing.world.tick
    player.press("one_tick")
    player.frames(3)
    assert play.playing.world.tick == tick + 1
    player.press("pause")
    player.frames(10)
    assert play.playing.world.tick > tick + 1


def test_box_groups_and_the_commands_of_the_card(player):
    play = player.open()
    player.drag((300, 150), (900, 560))
    chosen = play.selection.ids
    assert len(chosen) >= 4
    player.press("set_group_5")
    player.click((700, 300))
    player.press("select_all")
    assert len(play.selection.ids) == len(play.playing.picture.living(0))
    player.press("group_5")
    assert play.selection.ids == chosen
    before = len(play.playing.session.log)
    for name in ("stop", "hold", "crouch", "prone", "pace"):
        player.press(name)
    player.press("patrol")
    assert play.mouse.armed == "patrol"
    player.click((640, 300))
    player.frames(5)
    given = _kinds(play)[before:]
    assert given == [
        OrderKind.STOP,
        OrderKind.HOLD,
        OrderKind.STANCE,
        OrderKind.STANCE,
        OrderKind.PACE,
        OrderKind.PATROL,
    ]
    assert play.mouse.armed == ""


def test_an_order_without_a_selection_shows_a_reason_and_is_not_given(player):
    play = player.open()
    play.selection.choose([])
    player.press("stop")
    player.click((640, 300), button=3)
    tick, session = play.playing.world.tick, play.playing.session
    player.frames(20)
    assert play.playing.world.tick > tick, "an order given would have entered"
    assert session.log == [] and session.waiting == ()
    assert "select" in play.notice
    player.press("select_all")
    player.click((640, 300), button=3)
    player.frames(20)
    assert [order.kind for _, order in session.log] == [OrderKind.MOVE], "the same click with a selection is an order"


def test_a_foreign_map_is_a_sandbox_in_which_units_can_be_placed(player, tmp_path):
    from tests.game.level import foreign

    foreign.png(tmp_path / "tiles.png", 64, 64)
    body = foreign.tileset() + foreign.layer("ground", [[1 + (x + y) % 3 for x in range(40)] for y in range(30)])
    play = player.open(foreign.write(tmp_path, foreign.tmx(body, 40, 30)))
    before = len(play.playing.picture)
    assert before == 8
    player.press("place_guard")
    player.click((640, 300))
    player.frames(10)
    assert _kinds(play) == [OrderKind.SPAWN]
    assert len(play.playing.picture) == before + 1 and play.playing.picture.side[-1] == 1


def test_placing_is_refused_in_a_mission(player):
    play = player.open()
    player.press("place_guard")
    assert play.mouse.armed == "" and "sandbox" in play.notice


def test_the_card_can_be_clicked(player):
    play = player.open()
    player.press("select_all")
    player.click(play.hud.layout.card_cell(3).center)
    player.frames(3)
    assert _kinds(play) == [OrderKind.STOP]


def test_a_click_on_the_minimap_moves_the_camera(player):
    play = player.open()
    box = play.minimap.area(play.hud.layout.minimap_box())
    player.click((box.right - 20, box.centery))
    assert play.camera.x > play.playing.level.width * 0.6


def test_wheel_and_middle_drag_move_the_camera(player):
    play = player.open()
    zoom = play.camera.zoom
    player.send(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=1))
    assert play.camera.zoom > zoom
    x = play.camera.x
    player.drag((700, 300), (500, 300), button=2)
    assert play.camera.x > x


def test_a_saved_game_is_loaded_from_the_pause_menu(player):
    play = player.open()
    player.press("select_all")
    player.click((800, 300), button=3)
    player.frames(30)
    player.press("menu")
    assert isinstance(player.screen, PauseScreen)
    play.playing.whole()
    player.choose("Save")
    assert newest_save(play.playing.level.name) is not None
    saved = play.playing.world.tick
    hashes = {saved: play.playing.world.hash()}
    player.choose("Go on")
    while play.playing.world.tick < saved + 6:
        player.frames(1)
        play.playing.whole()
        hashes[play.playing.world.tick] = play.playing.world.hash()
    player.press("menu")
    player.choose("Load")
    player.choose("Load it")
    assert player.screen is play
    play.playing.clock.paused = True
    play.playing.whole()
    tick = play.playing.world.tick
    assert saved <= tick <= saved + 2 and play.playing.world.hash() == hashes[tick]


def test_the_game_stands_while_the_menu_is_open(player):
    play = player.open()
    player.press("menu")
    tick = play.playing.world.tick
    player.frames(30)
    assert play.playing.world.tick == tick


def test_start_again_needs_two_presses_while_playing(player):
    play = player.open()
    player.frames(20)
    before = play.playing
    player.press("restart")
    assert play.playing is before
    player.press("restart")
    assert play.playing is not before and play.playing.world.tick <= 2


def test_return_moment_restores_tick_and_hash_of_the_kept_moment(player):
    play = player.open()
    player.frames(10)
    player.press("pause")
    player.press("keep_moment")
    tick, kept = play.playing.world.tick, play.playing.world.hash()
    play.playing.run_ticks(40)
    assert play.playing.world.hash() != kept
    player.press("return_moment")
    assert play.playing.world.tick == tick and play.playing.world.hash() == kept


def test_won_and_lost_screens_show_numbers_and_start_again(player):
    for status in ("won", "lost"):
        play = player.open()
        play.playing.world.mission.status = status
        play.playing.world.mission.ended = 2400
        player.frames(2)
        assert isinstance(player.screen, EndScreen)
        assert ("Time", "02:00") in player.screen.numbers()
        player.key(pygame.K_r)
        assert player.screen is play and play.playing.world.mission.status == "running"
        player.app.pop()


def test_each_overlay_draws_and_has_a_legend_and_values(player):
    """Show the overlays one after the other in one opened game."""
    play = player.open()
    player.press("select_all")
    player.click((800, 300), button=3)
    player.frames(5)
    player.press("lab")
    for cls in all_overlays():
        play.lab.overlays.on.clear()
        player.frames(1)
        plain = play.app.window.copy()
        play.lab.show(cls.name)
        player.frames(6)
        assert play.lab.overlays.is_on(cls.name), cls.name
        context = play.lab.context(play.playing, play.view)
        overlay = play.lab.overlays.on[0]
        legend = overlay.legend(context)
        assert legend and all(row.words or row.ramp for row in legend), cls.name
        p = play.playing.picture
        for row in p.living()[:3]:
            assert isinstance(overlay.value_at(context, float(p.x[row]), float(p.y[row])), str), cls.name
        player.send(pygame.event.Event(pygame.MOUSEMOTION, pos=(640, 300), rel=(0, 0), buttons=(0, 0, 0)))
        player.frames(2)
        shown = pygame.surfarray.array3d(play.app.window)
        assert not np.array_equal(pygame.surfarray.array3d(plain), shown), cls.name


def test_lenses_open_lab_and_the_inspector_shows_a_sentence(player):
    play = player.open()
    player.press("select_all")
    player.press("lens_motion")
    player.frames(8)
    assert play.view.lab and play.lab.overlays.is_on("whiskers")
    unit, words = play.lab._words
    assert unit in play.selection.ids and words.sentence.endswith(".") and len(words.table) > 3
    player.press("lab")
    assert not play.view.lab


def test_camera_lab_and_selection_do_not_change_the_simulation(player):
    play = player.open()
    play.playing.clock.paused = True
    for name in ("select_all", "lab", "lens_senses", "zoom_in", "next_unit", "lift_fog", "keys", "keys", "set_group_3"):
        player.press(name)
    play.playing.run_ticks(20)
    from game.view.window.playing import open_session

    other = open_session(CROSSING, play.playing.session.seed)
    other.run_ticks(play.playing.world.tick)
    assert other.world.hash() == play.playing.world.hash()


def test_the_key_shows_the_two_keys_cards_in_turn(player):
    play = player.open()
    for shown in (1, 2, 0):
        player.press("keys")
        assert play.keys_shown == shown


def test_a_map_that_cannot_be_used_is_reported_in_one_line(player, tmp_path):
    from game.view.screens.loading_screen import LoadingScreen

    bad = tmp_path / "bad.tmx"
    bad.write_text("<map>", encoding="utf-8")
    player.app.push(MenuMain(player.app))
    player.app.push(LoadingScreen(player.app, bad))
    assert "bad.tmx" in player.loaded().error and "\n" not in player.screen.error
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.screen, MenuMain)


def test_an_unexpected_error_while_a_map_is_opened_is_reported_in_one_line(player, monkeypatch):
    from game.view.screens.loading_screen import LoadingScreen
    from game.view.window import playing

    def breaks(*args, **keywords):
        raise KeyError("layer")

    monkeypatch.setattr(playing, "open_session", breaks)
    player.app.push(LoadingScreen(player.app, CROSSING))
    assert player.loaded().error == "the_crossing.tmx could not be opened: KeyError: 'layer'"


def test_a_new_window_size_and_scale_apply_at_once(player):
    play = player.open()
    options = player.app.options
    options.width, options.height, options.ui_scale = 1920, 1080, 1.5
    try:
        player.app.apply_options()
        player.frames(3)
        assert play.app.window.get_size() == (1920, 1080)
        assert play.camera.width == 1920
        assert play.hud.layout.clock.right <= 1920 and play.hud.layout.scale == 1.5
    finally:
        options.width, options.height, options.ui_scale = 1280, 720, 1.0
        player.app.apply_options()


def test_a_lens_key_opens_lab_with_that_lens(player):
    play = player.open()
    player.press("lens_paths")
    assert play.view.lab and play.lab.chosen_lens == "paths" and play.lab.overlays.is_on("paths")
    player.press("lens_paths")
    assert play.view.lab and not play.lab.overlays.on


def test_shift_does_not_block_the_key_of_an_armed_order(player):
    play = player.open()
    player.press("select_all")
    player.key(0, parse_key("A").scancode, pygame.KMOD_LSHIFT)
    assert play.mouse.armed == "attack_move"
    player.key(0, parse_key("S").scancode, pygame.KMOD_LSHIFT)
    player.frames(3)
    assert _kinds(play) == [], "an immediate order is not queued and needs its own key"


def test_a_replay_saved_from_the_pause_menu_is_verified(player):
    from game.sim.replay import verify
    from game.view.window.user_options import data_folder

    play = player.open()
    player.press("select_all")
    player.click((800, 300), button=3)
    player.frames(150)
    player.press("menu")
    player.choose("Save a replay")
    (written,) = (data_folder() / "replays").iterdir()
    assert verify(written) == [] and play.playing.session.log


def test_the_flood_overlay_shows_the_search_of_the_longest_path_of_the_mission(player):
    """Order the units across The Crossing, where the path manager searches with A*."""
    play = player.open()
    player.press("select_all")
    player.press("lens_paths")
    play.playing.give(Order(int(OrderKind.MOVE), 0, play.selection.ids, 88.5, 30.5))
    play.playing.run_ticks(3)
    flood = play.playing.world.paths.flood
    assert flood.unit in play.selection.ids and np.count_nonzero(flood.tiles) > 100
    (overlay,) = [o for o in play.lab.overlays.on if o.name == "flood"]
    y, x = np.argwhere(flood.tiles & CLOSED)[0] + (flood.y, flood.x)
    assert "closed" in overlay.value_at(play.lab.context(play.playing, play.view), float(x), float(y))
