"""Pictures of the window and GIF recordings, decoded again by other code."""

from io import BytesIO

import pygame
import pytest
from PIL import Image

from game.view.painting.window_recorder import EVERY_MS, KEPT_MS, gif_of, pictures_folder
from game.view.screens.menu_screen import MenuMain


@pytest.fixture
def menu(player):
    player.app.push(MenuMain(player.app))
    player.frames(3)
    yield player.app
    player.app.recorder.close()
    while player.app.screens:
        player.app.screens.pop().leave()


def test_a_key_writes_a_picture_of_the_window_on_any_screen(player, menu):
    before = menu.window.copy()
    player.press("screenshot")
    path = pictures_folder() / "fogline_0001.png"
    assert str(path) in menu.recorder.words
    with Image.open(path) as picture:
        assert picture.size == menu.window.get_size()
        for at in ((5, 5), (640, 360), (1000, 700)):
            assert picture.convert("RGB").getpixel(at) == tuple(before.get_at(at))[:3]
    shown = menu.window.copy()
    assert shown.get_buffer().raw != before.get_buffer().raw, "the notice lies over the window, not in the picture"
    player.press("screenshot")
    assert sorted(p.name for p in pictures_folder().iterdir()) == ["fogline_0001.png", "fogline_0002.png"]


def test_a_recording_keeps_the_last_seconds_and_writes_them_beside_the_frames(player, menu):
    recorder = menu.recorder
    player.press("record")
    most = KEPT_MS // EVERY_MS
    recorder._size = (640, 360)
    recorder.frames.extend([b"\x00" * (640 * 360 * 3)] * (most + 40))
    assert recorder.recording and len(recorder.frames) == most
    recorder.frames.clear()
    player.frames(6, dt_ms=EVERY_MS)
    held = len(recorder.frames)
    assert 6 <= held <= 8 and {len(frame) for frame in recorder.frames} == {640 * 360 * 3}
    player.press("record")
    assert not recorder.recording and not recorder.frames
    recorder.close()
    menu.draw()
    path = pictures_folder() / "fogline_0001.gif"
    with Image.open(path) as gif:
        assert gif.size == (640, 360)
        total = 0
        for at in range(gif.n_frames):
            gif.seek(at)
            total += gif.info["duration"]
        assert total == pytest.approx(held * EVERY_MS, abs=2 * EVERY_MS) and gif.info["loop"] == 0


def test_frames_of_a_gif_are_those_that_were_given():
    colours = ((200, 30, 30), (30, 200, 30), (30, 30, 200))
    with Image.open(BytesIO(gif_of([bytes(c) * (16 * 8) for c in colours], (16, 8)))) as gif:
        assert gif.n_frames == 3
        for at, colour in enumerate(colours):
            gif.seek(at)
            got = gif.convert("RGB").getpixel((4, 4))
            assert gif.info["duration"] == EVERY_MS
            assert max(abs(a - b) for a, b in zip(got, colour, strict=True)) <= 8


def test_a_folder_that_takes_no_file_ends_in_one_line(player, menu):
    pictures_folder().parent.mkdir(parents=True, exist_ok=True)
    pictures_folder().write_text("in the way", encoding="utf-8")
    player.press("screenshot")
    assert "cannot be written" in menu.recorder.words and "\n" not in menu.recorder.words
    player.press("record")
    player.frames(2, dt_ms=EVERY_MS)
    player.press("record")
    menu.recorder.close()
    player.frames()
    assert "cannot be written" in menu.recorder.words
    assert pygame.display.get_surface() is menu.window
