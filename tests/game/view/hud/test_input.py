"""Input and feedback: marks, cursors, control by keys, by one button and slow motion."""

import numpy as np
import pygame
import pytest

from game.view.hud.edge_marks import EdgeMarks, edge_point
from game.view.hud.feedback import is_news, place_of
from game.view.input.order_input import reachable_goal
from game.view.screens.play_screen import SLOW_AGAIN_MS, SLOW_MS, SLOW_SHARE
from game.world.events import Happening
from game.world.orders import OrderKind


@pytest.fixture
def player(window_of_all):
    made = window_of_all
    made.app.running = True
    yield made
    pygame.key.set_mods(0)
    options = made.app.options
    options.pointer, options.wheel, options.slow_when_seen, options.wasd = "two_buttons", "zoom", True, False
    while made.app.screens:
        made.app.screens.pop().leave()


def _orders(play):
    return [OrderKind(order.kind) for _, order in play.playing.session.log]


def _down(player, scancode):
    event = pygame.event.Event(pygame.KEYDOWN, key=0, scancode=scancode, mod=0, unicode="")
    player.app.frame(20, [event])


def _up(player, scancode):
    player.app.frame(20, [pygame.event.Event(pygame.KEYUP, key=0, scancode=scancode, mod=0)])


def _place(play, reachable):
    """Return the pixel of a tile that the first unit can, or cannot, reach."""
    camera, unit = play.camera, play.selection.ids[:1]
    for y in range(120, 560, 12):
        for x in range(330, 960, 12):
            spot = camera.to_world(x, y)
            ok, instead = reachable_goal(play.playing, unit, *spot)
            if ok == reachable and (ok or instead is not None) and play.mouse._click_at(*spot).under.thing < 0:
                return x, y
    raise AssertionError("no such place on screen")


def test_the_mark_of_an_order_is_drawn_in_the_frame_of_the_click(player):
    play = player.open()
    player.press("select_all")
    play.playing.clock.paused = True
    x, y = _place(play, True)
    sounds = player.app.sound.volumes.master
    player.app.sound.volumes.master = 0.5
    heard = player.app.sound.played.get("order", 0)
    before = play.app.window.copy()
    player.app.frame(16, [pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(x, y), button=3)])
    assert play.view.marks.orders[-1].kind == "move"
    assert player.app.sound.played.get("order", 0) == heard + 1
    player.app.sound.volumes.master = sounds
    box = pygame.Rect(x - 20, y - 20, 40, 40)
    old, new = (pygame.surfarray.array3d(s.subsurface(box)) for s in (before, play.app.window))
    assert not np.array_equal(old, new)


def test_marks_differ_by_the_kind_of_order(player):
    play = player.open()
    player.press("select_all")
    play.playing.clock.paused = True
    x, y = _place(play, True)
    seen = []
    for name in ("move", "attack_move", "patrol"):
        play.view.marks.orders.clear()
        player.press(name)
        player.click((x, y))
        assert play.view.marks.orders[-1].kind == name
        box = pygame.Rect(x - 16, y - 16, 32, 32)
        seen.append(pygame.image.tobytes(play.app.window.subsurface(box), "RGB"))
    assert len(set(seen)) == 3


def test_the_path_is_shown_for_a_second_and_while_shift_is_held(player, monkeypatch):
    play = player.open()
    player.press("select_all")
    player.click(_place(play, True), button=3)
    player.frames(6)
    paths = []
    monkeypatch.setattr(play.scene, "_draw_path", lambda *args: paths.append(args[3]) or (0, 0))
    player.frames(1)
    assert paths
    player.frames(60)
    paths.clear()
    player.frames(1)
    assert not paths
    pygame.key.set_mods(pygame.KMOD_LSHIFT)
    player.frames(1)
    assert paths


def test_the_cursor_shows_the_order_that_a_click_would_give(player):
    play = player.open()
    player.press("select_all")
    play.playing.clock.paused = True
    play.camera.centre_on(48, 32)
    for reachable, cursor in ((True, "move"), (False, "no")):
        pos = _place(play, reachable)
        player.send(pygame.event.Event(pygame.MOUSEMOTION, pos=pos, rel=(0, 0), buttons=(0, 0, 0)))
        player.frames(4)
        assert play.mouse.cursor == cursor
        assert (play.view.ghost is None) == reachable
    unit, kind = play.selection.ids[0], play.playing.picture
    movement_class = int(kind.movement_class[kind.row_of[unit]])
    x, y = play.view.ghost
    start = int(kind.y[kind.row_of[unit]]), int(kind.x[kind.row_of[unit]])
    assert play.playing.world.components.reachable(movement_class, *start, int(y), int(x))
    player.press("attack_move")
    player.frames(4)
    assert play.mouse.cursor == "no"
    player.send(pygame.event.Event(pygame.MOUSEMOTION, pos=_place(play, True), rel=(0, 0), buttons=(0, 0, 0)))
    player.frames(4)
    assert play.mouse.cursor == "attack"


def test_a_unit_that_gives_up_shows_the_reason_above_it(player):
    play = player.open()
    unit = int(play.playing.picture.id[play.playing.picture.living(0)][0])
    play.playing.happenings.append(Happening(1, "gave_up", unit, text="no path there"))
    play.tell_what_happened()
    words = play.view.marks.words[-1]
    assert (words.unit, words.text) == (unit, "no path there")


def test_an_order_without_a_position_is_confirmed_by_words(player):
    play = player.open()
    player.press("select_all")
    player.press("hold")
    assert play.view.marks.words[-1].text == "Hold"


def test_selecting_ordering_queueing_and_pressing_a_button_work_by_keys(player):
    play = player.open()
    own = sorted(int(i) for i in play.playing.picture.id[play.playing.picture.living(0)])
    player.press("next_unit")
    assert play.selection.ids == (own[0],)
    player.press("next_unit")
    player.press("previous_unit")
    assert play.selection.ids == (own[0],)
    player.press("pointer")
    start = play.keyboard.pointer
    assert start == pytest.approx(player.place(own[0]), abs=1)
    _down(player, pygame.KSCAN_RIGHT)
    player.frames(8)
    _up(player, pygame.KSCAN_RIGHT)
    x, y = play.keyboard.pointer
    assert x > start[0] + 40 and y == start[1]
    player.frames(3)
    assert play.keyboard.pointer == (x, y)
    player.press("order_here")
    pygame.key.set_mods(pygame.KMOD_LSHIFT)
    player.press("queue_here")
    pygame.key.set_mods(0)
    player.frames(6)
    log = [order for _, order in play.playing.session.log]
    assert [o.kind for o in log] == [OrderKind.MOVE] * 2 and [o.queued for o in log] == [False, True]
    assert (log[0].x, log[0].y) == pytest.approx(play.camera.to_world(round(x), round(y)))
    play.selection.choose([])
    play.keyboard.pointer = tuple(map(float, player.place(own[0])))
    player.press("click")
    assert play.selection.ids == (own[0],)
    play.keyboard.pointer = tuple(map(float, play.hud.layout.card_cell(2).center))
    player.press("click")
    player.frames(6)
    assert _orders(play)[-1] == OrderKind.HOLD
    player.key(pygame.K_ESCAPE)
    assert play.keyboard.pointer is None and player.screen is play


def test_an_armed_order_is_placed_by_the_pointer(player):
    play = player.open()
    player.press("select_all")
    player.press("pointer")
    play.keyboard.pointer = tuple(map(float, _place(play, True)))
    player.press("patrol")
    player.press("click")
    player.frames(6)
    assert _orders(play) == [OrderKind.PATROL] and play.mouse.armed == ""


def test_the_map_moves_when_the_keyboard_pointer_reaches_the_edge(player):
    play = player.open()
    play.camera.centre_on(30, 30)
    player.press("pointer")
    x = play.camera.x
    _down(player, pygame.KSCAN_RIGHT)
    player.frames(120)
    _up(player, pygame.KSCAN_RIGHT)
    assert play.camera.x > x
    assert 0 <= play.keyboard.pointer[0] < play.camera.width


def test_next_group_selects_the_groups_in_turn(player):
    play = player.open()
    play.selection.groups.clear()
    own = sorted(int(i) for i in play.playing.picture.id[play.playing.picture.living(0)])
    play.selection.groups.update({2: (own[0],), 5: (own[1],)})
    chosen = []
    for _ in range(3):
        player.press("next_group")
        chosen.append(play.selection.ids)
    assert chosen == [(own[0],), (own[1],), (own[0],)]


def test_held_keys_pan_by_the_bindings_of_the_preset(player):
    play = player.open()
    play.camera.centre_on(48, 32)
    player.app.options.wasd = True
    player.app.keymap = player.app._read_keys()
    try:
        x = play.camera.x
        _down(player, pygame.KSCAN_D)
        player.frames(5)
        assert play.camera.x > x
        _up(player, pygame.KSCAN_D)
        x = play.camera.x
        player.frames(5)
        assert play.camera.x == x
    finally:
        player.app.options.wasd = False
        player.app.keymap = player.app._read_keys()


@pytest.mark.parametrize("by", ["long press", "ctrl"])
def test_one_button_does_what_the_right_one_does(player, by):
    play = player.open()
    player.press("select_all")
    x, y = _place(play, True)
    down = pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(x, y), button=1)
    up = pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(x, y), button=1)
    if by == "ctrl":
        pygame.key.set_mods(pygame.KMOD_LCTRL)
        player.send(down)
    else:
        player.app.options.pointer = "one_button"
        player.send(down)
        assert _orders(play) == []
        player.frames(30)
    player.send(up)
    player.frames(6)
    assert _orders(play) == [OrderKind.MOVE]
    assert len(play.selection.ids) > 1, "the release of that press does not select"


def test_the_wheel_pans_with_that_option_and_zooms_with_ctrl(player):
    play = player.open()
    play.camera.centre_on(48, 32)
    player.app.options.wheel = "pan"
    x, y, zoom = play.camera.x, play.camera.y, play.camera.zoom
    wheel = pygame.event.Event(pygame.MOUSEWHEEL, x=1, y=-1, precise_x=1.0, precise_y=-1.0)
    player.send(wheel)
    assert play.camera.x > x and play.camera.y > y and play.camera.zoom == zoom
    pygame.key.set_mods(pygame.KMOD_LCTRL)
    player.send(wheel)
    assert play.camera.zoom < zoom


def test_sounds_and_sightings_off_screen_have_marks_at_the_edge(player):
    play = player.open()
    play.camera.centre_on(20, 20)
    marks = EdgeMarks()
    x, y = play.camera.x + 60, play.camera.y
    marks.heard(Happening(1, "shot", 3, x=x, y=y), 0)
    marks.heard(Happening(1, "identified", 4, 0, x=x, y=y), 0)
    marks.heard(Happening(1, "shot", 3, x=play.camera.x, y=play.camera.y), 0)
    assert [m.kind for m in marks.shown(play.camera, 10)] == ["identified", "shot"]
    assert marks.shown(play.camera, 60_000) == []
    at, angle = edge_point(play.camera, x, y, 50)
    assert at[0] == play.camera.width - 50 and angle == pytest.approx(0, abs=0.05)
    own, other = (int(play.playing.picture.id[play.playing.picture.living(side)][0]) for side in (0, 1))
    assert is_news(Happening(1, "identified", other, own), play.playing)
    assert not is_news(Happening(1, "identified", own, other), play.playing), "a sighting by the own side is no news"
    assert not is_news(Happening(1, "noticed", other, other), play.playing), "a guard that notices a guard is no news"


def test_the_mark_of_an_unseen_guard_is_at_its_target_when_suspicious_and_at_the_guard_when_certain(player):
    play = player.open()
    p, world = play.playing.picture, play.playing.world
    own, other = (int(p.id[p.living(side)][0]) for side in (0, 1))
    x, y = next(
        (x + 0.5, y + 0.5)
        for y, x in np.argwhere(world.terrain.passable & 1)
        if not world.sight.sees(0, int(y), int(x))
    )
    here = float(p.x[p.row_of[own]]), float(p.y[p.row_of[own]])
    assert place_of(Happening(1, "noticed", other, own, x=x, y=y), play.playing) == here
    assert place_of(Happening(1, "identified", other, own, x=x, y=y), play.playing) == (x, y)
    seen = float(int(here[0])), float(int(here[1]))
    assert place_of(Happening(1, "noticed", other, own, x=seen[0], y=seen[1]), play.playing) == seen


def test_time_runs_at_a_quarter_for_0_6_s_when_a_unit_is_identified(player):
    """Count the ticks of 30 frames of 20 ms: twelve, or a quarter.

    The same unit slows time again only after a while.
    """
    assert (SLOW_MS, SLOW_SHARE) == (600, 0.25)
    play = player.open()
    first, second = (int(unit) for unit in play.playing.picture.id[play.playing.picture.living(0)][:2])

    def ran(seen):
        play.playing.happenings += [Happening(1, "identified", 99, unit) for unit in seen]
        play.tell_what_happened()
        ticks = [play.playing.world.tick]
        for _ in range(2):
            player.frames(30)
            ticks.append(play.playing.world.tick)
        return ticks[1] - ticks[0], ticks[2] - ticks[1]

    player.app.options.slow_when_seen = False
    assert all(11 <= ticks <= 13 for ticks in ran([first]))
    player.app.options.slow_when_seen = True
    for seen, slow in (([first], True), ([first], False), ([second, first], True), ([second], False)):
        at_first, then = ran(seen)
        assert 11 <= then <= 13, "full speed after 0.6 s"
        assert 2 <= at_first <= 4 if slow else 11 <= at_first <= 13
    player.app.now_ms += SLOW_AGAIN_MS
    assert 2 <= ran([second])[0] <= 4, "after a while the same unit counts again"
