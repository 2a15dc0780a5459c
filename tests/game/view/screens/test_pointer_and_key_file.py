"""Mouse and key file: double clicks, edge panning, rebound keys, unreachable goals."""

import math
import os
from pathlib import Path

import pygame
import pytest

from game.view.input.order_input import reachable_goal
from game.view.screens.play.end_screen import EndScreen
from game.view.screens.play.pause_screen import PauseScreen
from game.view.screens.play_screen import PlayScreen
from tests.game.view.player import Player


@pytest.fixture
def keys(tmp_path):
    """Return a function that writes the user's key file.

    An app reads the file at its start.
    """
    file = Path(os.environ["FOGLINE_CONFIG"]) / "keys.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    return lambda text: file.write_text(text, encoding="utf-8")


@pytest.fixture
def player():
    made = []

    def start():
        made.append(Player())
        return made[-1]

    yield start
    pygame.key.set_mods(0)
    for one in made:
        one.app.close()


def test_a_double_click_selects_all_units_of_the_kind_on_screen(player):
    one = player()
    play = one.open()
    play.playing.clock.paused = True
    own = sorted(play.playing.picture.id[play.playing.picture.living(0)].tolist())
    spot = one.place(own[0])
    one.click(spot)
    assert play.selection.ids == (own[0],)
    one.frames(30)
    one.click(spot)
    assert play.selection.ids == (own[0],), "the second click came too late"
    one.click(spot)
    assert sorted(play.selection.ids) == own
    play.camera.set_zoom(64)
    p = play.playing.picture
    row = p.row_of[own[0]]
    play.camera.centre_on(float(p.x[row]) - 8, float(p.y[row]))
    one.frames(30)
    play.selection.choose([])
    for _ in range(2):
        one.click(one.place(own[0]))
    assert own[0] in play.selection.ids and len(play.selection.ids) < len(own), "units off screen are not selected"


def test_a_mouse_at_the_edge_pans_while_it_is_in_the_window_and_the_option_is_on(player, monkeypatch):
    one = player()
    play = one.open()
    play.camera.centre_on(48, 32)
    at, inside = [1279, 300], [True]
    monkeypatch.setattr(pygame.mouse, "get_pos", lambda: tuple(at))
    monkeypatch.setattr(pygame.mouse, "get_focused", lambda: inside[0])

    def moved():
        before = play.camera.x, play.camera.y
        one.frames(4)
        return round(play.camera.x - before[0], 6), round(play.camera.y - before[1], 6)

    assert moved() == (0, 0), "edge panning is off"
    one.app.options.edge_pan = True
    assert moved()[0] > 0
    at[:] = 600, 0
    assert moved()[1] < 0
    at[:] = 600, 300
    assert moved() == (0, 0)
    at[:] = 0, 300
    inside[0] = False
    assert moved() == (0, 0), "the mouse has left the window"
    inside[0] = True
    one.key(pygame.K_ESCAPE)
    assert isinstance(one.screen, PauseScreen) and moved() == (0, 0), "a menu lies over the map"


def test_the_key_file_rebinds_a_key_and_its_label_on_all_screens(player, keys):
    keys('hold = "PageUp"\nrestart = "PageDown"\n')
    one = player()
    assert one.app.problems == []
    play = one.open()
    one.press("select_all")
    one.key(0, pygame.KSCAN_PAGEUP)
    assert play.view.marks.words[-1].text == "Hold"
    assert one.app.keymap.label("hold") == "PageUp" and one.app.keymap.label("restart") == "PageDown"
    one.frames(10)
    tick = play.playing.world.tick
    assert tick > 0
    one.key(0, pygame.KSCAN_R)
    one.key(0, pygame.KSCAN_R)
    assert play.playing.world.tick >= tick, "R is not the key any more"
    one.key(0, pygame.KSCAN_PAGEDOWN)
    one.key(0, pygame.KSCAN_PAGEDOWN)
    assert play.playing.world.tick < tick
    for screen in (PauseScreen, EndScreen):
        one.frames(12)
        before = play.playing.world.tick
        one.app.push(screen(one.app, play))
        one.frames(1)
        one.key(0, pygame.KSCAN_R)
        assert isinstance(one.screen, screen)
        one.key(0, pygame.KSCAN_PAGEDOWN)
        assert isinstance(one.screen, PlayScreen) and play.playing.world.tick < before


def test_mistakes_in_a_key_file_are_reported_and_leave_the_defaults(player, keys):
    keys('hold = "Banana"\nno_such_command = "X"\nstop = "PageUp"\n')
    one = player()
    assert len(one.app.problems) == 2
    assert one.app.keymap.label("hold") == "H" and one.app.keymap.label("stop") == "PageUp"
    keys('hold = "M"\n')
    clash = player()
    assert any("both" in line for line in clash.app.problems)
    assert clash.app.keymap.label("hold") == "H"


def test_with_the_wasd_preset_letters_pan_and_attack_move_has_another_key(player):
    one = player()
    one.app.options.wasd = True
    one.app.apply_options()
    play = one.open()
    one.press("select_all")
    play.camera.centre_on(48, 32)
    x, armed = play.camera.x, play.mouse.armed
    one.app.frame(20, [pygame.event.Event(pygame.KEYDOWN, key=0, scancode=pygame.KSCAN_A, mod=0, unicode="a")])
    one.frames(5)
    one.app.frame(20, [pygame.event.Event(pygame.KEYUP, key=0, scancode=pygame.KSCAN_A, mod=0)])
    assert play.camera.x < x and play.mouse.armed == armed == ""
    moved = one.app.keymap.bindings["attack_move"]
    assert moved.scancode != pygame.KSCAN_A
    mods = {"Ctrl": pygame.KMOD_LCTRL, "Shift": pygame.KMOD_LSHIFT, "Alt": pygame.KMOD_LALT}
    one.key(0, moved.scancode, sum(mods[name] for name in moved.modifiers))
    assert play.mouse.armed == "attack_move"


def test_a_unit_ordered_to_a_blocked_goal_goes_to_the_ghost_and_says_so(player):
    one = player()
    play = one.open()
    unit = sorted(play.playing.picture.id[play.playing.picture.living(0)].tolist())[0]
    play.selection.choose([unit])
    play.playing.clock.paused = True
    p = play.playing.picture
    x0, y0 = float(p.x[p.row_of[unit]]), float(p.y[p.row_of[unit]])
    for x in range(int(x0), 96):
        reachable, ghost = reachable_goal(play.playing, (unit,), x + 0.5, y0)
        if not reachable and ghost is not None:
            break
    play.camera.centre_on(x - 6, y0)
    spot = play.camera.to_screen(x + 0.5, y0)
    one.send(pygame.event.Event(pygame.MOUSEMOTION, pos=spot, rel=(0, 0), buttons=(0, 0, 0)))
    one.frames(4)
    assert play.mouse.cursor == "no" and play.view.ghost == ghost
    one.click(spot, button=3)
    assert play.view.marks.orders, "the click has a mark at once"
    play.playing.clock.paused = False
    one.frames(5)
    said = play.view.marks.words[-1]
    assert "no path there" in said.text and (said.x, said.y) == ghost, "the words are at the ghost"
    for _ in range(100):
        one.frames(10, dt_ms=45)
        p = play.playing.picture
        if not p.moving[p.row_of[unit]]:
            break
    row = play.playing.picture.row_of[unit]
    where = float(play.playing.picture.x[row]), float(play.playing.picture.y[row])
    assert math.dist(where, ghost) < 1.5


def test_a_walled_in_unit_gives_up_and_shows_the_reason_above_it(player):
    one = player()
    play = one.open()
    world = play.playing.world
    unit = sorted(play.playing.picture.id[play.playing.picture.living(0)].tolist())[0]
    play.selection.choose([unit])
    one.frames(5)
    x, y = one.place(unit)
    one.click((x + 320, y), button=3)
    one.frames(20)
    play.playing.whole()
    p = play.playing.picture
    ty, tx = int(p.y[p.row_of[unit]]), int(p.x[p.row_of[unit]])
    for y0, x0, y1, x1 in (
        (ty - 3, tx - 3, ty - 2, tx + 4), (ty + 3, tx - 3, ty + 4, tx + 4),
        (ty - 3, tx - 3, ty + 4, tx - 2), (ty - 3, tx + 3, ty + 4, tx + 4),
    ):  # fmt: skip
        world.terrain.edit(y0, x0, y1, x1, passable=0)
    for _ in range(100):
        one.frames(5, dt_ms=45)
        said = [words for words in play.view.marks.words if words.unit == unit]
        if said:
            break
    assert said, "the unit shows no reason"
    one.frames(1)
    x, y = one.place(unit)
    above = play.app.window.subsurface(pygame.Rect(x - 20, y - 90, 40, 70))
    panel = (*play.app.palette["plate"], 255)
    assert any(above.get_at((i, j)) == panel for i in range(0, 40, 3) for j in range(0, 70, 3)), "a bubble of paper"
