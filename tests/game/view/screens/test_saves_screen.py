"""List of saved games: mission, time and picture of each, and loading."""

import os

import numpy as np
import pygame
import pytest

from game.view.screens.menu_screen import MenuMain
from game.view.screens.play_screen import PlayScreen
from game.view.screens.saves_screen import SavesScreen
from game.view.window.autosaver import KEPT, write_save
from game.view.window.saved_games import SAVE_PICTURE, all_saves, picture_file, saves_folder


@pytest.fixture
def play(player):
    yield player.open()
    while player.app.screens:
        player.app.screens.pop().leave()


def test_each_save_is_listed_with_its_time_and_picture_and_the_chosen_one_is_loaded(player, play):
    player.frames(6)
    frame = pygame.surfarray.array3d(pygame.transform.smoothscale(player.app.window, SAVE_PICTURE)).astype(int)
    player.press("menu")
    early = play.playing.world.tick
    player.choose("Save")
    first = all_saves()[-1]
    kept = pygame.surfarray.array3d(pygame.image.load(picture_file(first))).astype(int)
    assert np.abs(kept - frame).mean() < 3, "the picture is not that of the game without the menu"
    player.choose("Go on")
    play.playing.run_ticks(60)
    player.press("quick_save")
    os.utime(first, (1_000_000, 1_000_000))
    write_save(play.playing.session, auto=True)  # an autosave without a picture
    (saves_folder() / "elsewhere@0000100.fogsave").write_bytes(b"no save")
    player.press("menu")
    player.choose("Load")
    rows = player.screen.list.rows
    assert isinstance(player.screen, SavesScreen) and len(rows) == 3
    assert rows[-1].key == str(first) and rows[-1].cells[0] == "The Crossing"
    assert rows[-1].cells[1] == f"at 00:{early // 20:02}" and rows[1].cells[1] == f"at 00:{(early + 60) // 20:02}"
    assert sorted(row.cells[3] for row in rows) == ["autosave", "by hand", "by hand"]
    player.click(player.screen.list.row_rect(2).center)
    player.choose("Load it")
    assert player.screen is play and play.playing.world.tick <= early + 3


def test_the_main_menu_lists_all_saves_and_opens_one(player, play):
    write_save(play.playing.session)
    player.app.screens.clear()
    player.app.push(MenuMain(player.app))
    player.choose("Load")
    assert [row.cells[0] for row in player.screen.list.rows] == ["The Crossing"]
    player.key(pygame.K_RETURN)
    assert isinstance(player.loaded(), PlayScreen)


def test_a_damaged_save_is_reported_in_one_line_and_the_game_goes_on(player, play):
    damaged = write_save(play.playing.session)
    damaged.write_bytes(b"no save")
    player.press("menu")
    player.choose("Load")
    player.choose("Load it")
    assert isinstance(player.screen, SavesScreen)
    assert damaged.name in player.screen.message and "\n" not in player.screen.message
    assert play in player.app.screens


def test_an_autosave_takes_its_picture_with_it(play):
    picture = pygame.Surface(SAVE_PICTURE)
    for _ in range(KEPT + 2):
        play.playing.run_ticks(1)
        write_save(play.playing.session, auto=True, picture=picture)
    pictures = sorted(saves_folder().glob("*.png"))
    assert pictures == sorted(picture_file(save) for save in all_saves()) and len(pictures) == KEPT
