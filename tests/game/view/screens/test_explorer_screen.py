"""Explorer screen with simulated input: keys, buttons, painting, breaks, gallery and Lab."""

import numpy as np
import pygame
import pytest

from game.view.screens.exhibit_screen import open_exhibit
from game.view.screens.explorer_screen import ExplorerScreen
from game.view.screens.gallery.gallery_screen import GalleryScreen
from tests.game.view.player import ROOT

GARDEN = ROOT / "levels" / "exhibits/search/astar_explorer.tmx"


@pytest.fixture
def explorer(player):
    player.app.push(ExplorerScreen(player.app, open_exhibit(GARDEN)))
    player.screen.scene.ground_budget(0)
    player.frames(2)
    yield player.screen
    while player.app.screens:
        player.app.screens.pop().leave()


def _at(screen, tile, lane=0):
    return screen.cameras[lane].to_screen(tile[1] + 0.5, tile[0] + 0.5)


def _press(player, screen, words):
    control = next(c for c in screen.controls() if words in (c.words, c.cap))
    player.click(control.rect.center)


def test_the_explorer_plays_and_repeats_until_the_first_input(player, explorer):
    player.frames(30, dt_ms=100)
    assert explorer.lab.step > 20
    explorer.lab.go_to(explorer.lab.total)
    player.frames(45, dt_ms=100)
    assert explorer.lab.step < explorer.lab.total, "the search began again"
    player.key(pygame.K_RIGHT)
    at = explorer.lab.step
    player.frames(10, dt_ms=100)
    assert explorer.lab.step == at and not explorer.playing_steps


def test_keys_and_buttons_step_both_ways(player, explorer):
    player.key(pygame.K_HOME)
    player.key(pygame.K_RIGHT)
    player.key(pygame.K_RIGHT, mod=pygame.KMOD_LSHIFT)
    assert explorer.lab.step == 11
    player.key(pygame.K_LEFT)
    assert explorer.lab.step == 10
    _press(player, explorer, "Shift →")
    _press(player, explorer, "back")
    assert explorer.lab.step == 19
    _press(player, explorer, "End")
    assert explorer.lab.ended
    player.key(pygame.K_HOME)
    assert explorer.lab.step == 0


def test_algorithms_are_chosen_by_key_and_arrow_and_t_swaps_them(player, explorer):
    player.key(pygame.K_2)
    assert explorer.lab.lanes[1].algorithm == "jps_plus"
    head = explorer.panels.header(0)
    player.click((head.x + 50, head.centery))
    assert explorer.lab.lanes[0].algorithm == "dijkstra"
    player.key(pygame.K_t)
    assert [lane.algorithm for lane in explorer.lab.lanes] == ["jps_plus", "dijkstra"]


def test_ends_are_dragged_and_ground_is_painted_in_either_picture(player, explorer):
    player.key(pygame.K_HOME)
    start = explorer.lab.question.start
    player.drag(_at(explorer, start), _at(explorer, (1, 6)))
    assert explorer.lab.question.start == (1, 6)
    player.drag(_at(explorer, (11, 8), lane=1), _at(explorer, (11, 10), lane=1))
    assert (11, 8) in explorer.lab.painted and (11, 10) in explorer.lab.painted
    assert not explorer.lab.terrain.passable[11, 8] & 1
    assert explorer.playing.world.terrain.passable[11, 8] & 1, "the world is unchanged"
    player.key(pygame.K_r)
    assert not explorer.lab.painted and explorer.lab.question.start == start


def test_a_break_on_a_tile_stops_the_search_there(player, explorer):
    player.key(pygame.K_HOME)
    tile = (3, 3)
    player.click(_at(explorer, tile), button=3)
    player.key(pygame.K_b)
    lane = explorer.lab.lanes[0]
    assert 0 < explorer.lab.step < explorer.lab.total
    assert any(x.stopped_by is not None and x.stopped_by.tile == tile for x in explorer.lab.lanes)
    _press(player, explorer, f"tile expanded {tile[1]},{tile[0]}")
    assert not explorer.lab.breaks and lane is explorer.lab.lanes[0]
    _press(player, explorer, "goal seen")
    player.key(pygame.K_HOME)
    player.key(pygame.K_SPACE)
    player.frames(80, dt_ms=100)
    assert not explorer.playing_steps and 0 < explorer.lab.step < explorer.lab.total


def test_turning_a_knob_selects_the_search_that_has_it(player, explorer):
    row = explorer.panels.rows[0]
    player.click((row.track.right - 4, row.track.centery))
    assert explorer.lab.lanes[0].algorithm == "textbook" and explorer.lab.question.weight == 5.0


def test_the_single_picture_shows_the_path_of_the_other_lane(player, explorer):
    explorer.lab.choose(1, "theta")
    explorer.lab.go_to(explorer.lab.total)
    player.key(pygame.K_v)
    assert explorer.single and len(explorer.cameras) == 1
    player.frames(2)
    picture = pygame.surfarray.array3d(player.app.window)
    other = np.array(explorer.painter.colour("other"))
    assert (np.abs(picture.astype(int) - other).sum(axis=2) == 0).any()


def test_the_gallery_opens_the_explorer_on_its_own_map(player):
    gallery = GalleryScreen(player.app)
    player.app.push(gallery)
    player.frames(2)
    gallery.chosen = "astar-explorer"
    gallery.open()
    page = player.screen
    page.open()
    assert isinstance(player.loaded(), ExplorerScreen)
    assert player.screen.lab.question.start == (6, 6) and player.screen.lab.question.goal == (6, 11)
    player.key(pygame.K_ESCAPE)
    assert player.screen is page
    while player.app.screens:
        player.app.screens.pop().leave()


def test_in_lab_the_explorer_shows_the_search_of_the_selected_unit(player):
    play = player.open(ROOT / "levels" / "regression/search/maze.tmx")
    player.press("explore")
    assert player.screen is play, "Play does not open the explorer"
    play.set_lab(True)
    unit = int(play.playing.picture.id[0])
    play.selection.choose([unit])
    from game.world.orders import Order, OrderKind

    play.playing.give(Order(int(OrderKind.MOVE), 0, (unit,), 40.5, 20.5))
    player.frames(30)
    player.press("explore")
    screen = player.screen
    assert isinstance(screen, ExplorerScreen)
    requests, width = play.playing.world.paths.requests, play.playing.world.terrain.width
    row = play.playing.picture.row_of[unit]
    assert screen.lab.question.goal == divmod(int(requests.same_to[row]), width)
    screen.lab.go_to(screen.lab.total)
    assert all(lane.frame.found for lane in screen.lab.lanes)
    assert screen.lab.lanes[0].frame.cost == pytest.approx(screen.lab.lanes[1].frame.cost)
    player.key(pygame.K_ESCAPE)
    assert player.screen is play
    while player.app.screens:
        player.app.screens.pop().leave()
