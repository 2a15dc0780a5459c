"""Way of a newcomer: play, be caught, go back, read the code, change it.

The stretch with an own map that is saved while it is open is in ``screens/test_read_again.py``.
"""

import numpy as np
import pygame

from ai.decision.decision_trace import PERCEPT
from game.view.lab.timeline.time_travel import PastPlaying
from game.view.lab.why.code_screen import CodeScreen
from game.view.lab.why.source_lines import source_of
from game.view.screens.compare.compare_screen import CompareScreen
from game.view.screens.compare.what_if_screen import WhatIfScreen
from game.view.screens.menu_screen import MenuMain
from game.view.screens.play_screen import PlayScreen
from game.world.orders import Order, OrderKind
from tests.game.view.conftest import player  # noqa: F401

MOST_TICKS = 400


def caught(player, play):  # noqa: F811
    """Run until a guard identifies a raider; return guard, first tick, last tick.

    The meter of that guard began at the first tick. It is read from the world tick by tick.
    """
    play.playing.clock.paused = True
    rising = {}
    for _ in range(MOST_TICKS):
        play.playing.clock.steps = 1
        play.update(0)
        world = play.playing.world
        u, n = world.units, world.units.count
        for slot in np.flatnonzero((u.side[:n] == 1) & (u.alive[:n] == 1)).tolist():
            unit = int(u.id[slot])
            if u.meter[slot] > 0:
                rising.setdefault(unit, world.tick)
            else:
                rising.pop(unit, None)
            if u.meter[slot] >= 1.0:
                return unit, rising[unit], world.tick
    raise AssertionError("nobody was caught")


def test_a_newcomer_is_caught_and_finds_out_why(player):  # noqa: F811
    player.app.push(MenuMain(player.app))
    player.frames(1)
    player.choose("Play")
    play = player.loaded()
    assert isinstance(play, PlayScreen) and play.playing.level.name == "the_crossing"
    play.scene.ground_budget(0)
    player.press("select_all")
    play.give_order(Order(int(OrderKind.ATTACK_MOVE), 0, play.selection.ids, 71.5, 31.5))
    guard, began, now = caught(player, play)
    game = play.playing
    before = game.world.hash()

    player.press("why")
    player.frames(2)
    assert play.view.lab and play.timeline.panel.track.width
    panel, end = play.timeline.panel, play.timeline.travel.end
    wanted = next(x for x in range(panel.track.x, panel.track.right) if panel.tick_at(x, end) >= began)
    player.drag((panel.x_of(now, end), panel.track.centery), (wanted, panel.track.centery))
    player.frames(2)
    assert isinstance(play.playing, PastPlaying) and began <= play.timeline.travel.shown <= began + 2
    slot = play.playing.world.units.slot(guard)
    assert 0 < play.playing.world.units.meter[slot] < 0.2, "the guard has just begun to notice"

    play.camera.centre_on(float(play.playing.world.units.x[slot]) + 3, float(play.playing.world.units.y[slot]))
    player.frames(1)
    player.click(player.place(guard))
    player.frames(2)
    assert play.why.unit == guard
    player.press("time_present")
    player.frames(2)
    entries = play.why.look().entries
    noticed = next(e for e in entries if e.kind == PERCEPT and e.considered)
    assert began <= noticed.tick <= now and noticed.cause
    play.why.chosen = (noticed.tick, noticed.decided)
    player.frames(1)
    player.press("click")  # Enter
    assert isinstance(player.screen, CodeScreen)
    source = source_of(noticed.function)
    assert player.screen.source == source and source.file.is_file()
    assert source.text[source.line - 1].lstrip().startswith(("def ", "@"))
    player.choose("Back")

    play.timeline.travel.seek(began)
    player.frames(2)
    player.press("compare")
    screen = player.screen
    assert isinstance(screen, WhatIfScreen) and screen.tick == began
    screen.find.set_text("vision.far_seconds")
    screen.words = "vision.far_seconds"
    screen.list.set_rows(screen.rows())
    player.click(screen.list.row_rect(0).center)
    assert screen.chosen == "vision.far_seconds"
    screen.value = "30"
    screen.from_here()
    screen = player.screen
    assert isinstance(screen, CompareScreen) and screen.pair.first == began
    while screen.pair.now < now:
        screen.pair.step()
    played, changed = screen.pair.comparison.worlds
    assert played.hash() == before == game.world.hash(), "the game itself is untouched"
    assert played.units.meter[slot] == 1.0 > changed.units.meter[slot], "the other guard still wonders"
    assert began < screen.pair.comparison.difference.tick <= now
    player.key(pygame.K_ESCAPE)
    assert player.screen is play
    while player.app.screens:
        player.app.screens.pop().leave()
