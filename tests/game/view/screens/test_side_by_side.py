"""Side by side and What if on the dummy driver, operated by a visitor.

Oracles: hashes of the game, which must not change, and of a session that this file plays itself.
"""

import numpy as np
import pygame
import pytest

from game.checks.comparing.many_seeds import SeedRuns, play_seed
from game.level.finding import LEVELS
from game.sim.session import Session
from game.view.screens.compare.compare_screen import CompareScreen
from game.view.screens.compare.what_if_screen import WhatIfScreen
from game.view.screens.exhibit_screen import ExhibitScreen, open_exhibit
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import bridge_level


@pytest.fixture(autouse=True)
def leave_screens(player):
    yield
    while player.app.screens:
        player.app.screens.pop().leave()


def in_process(monkeypatch):
    """Play seeds in this process, one a poll."""

    def poll(self, seconds=0.0):
        self.results.append(play_seed(self.setup, self.seeds[len(self.results)]))
        return True

    monkeypatch.setattr(SeedRuns, "start", lambda self: None)
    monkeypatch.setattr(SeedRuns, "poll", poll)


def wheel(player, pos):
    """Zoom in by one step at a pixel."""
    player.send(pygame.event.Event(pygame.MOUSEMOTION, pos=pos, rel=(0, 0), buttons=(0, 0, 0)))
    player.send(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=1, flipped=False))


def test_an_exhibit_beside_itself(player, monkeypatch):
    path = LEVELS / "exhibits" / "stealth" / "past_the_eyes.tmx"
    player.app.push(ExhibitScreen(player.app, open_exhibit(path)))
    player.press("compare")
    screen = player.screen
    assert isinstance(screen, CompareScreen)
    for half in screen.halves:
        half.scene.ground_budget(0)
    pair = screen.pair
    settings = [world.settings.rules.sneak_weight for world in pair.comparison.worlds]
    assert settings == [3.0, 0.0] and screen.told.words == ("Past the eyes", "Shortest")
    pair.clock.paused = True
    for _ in range(30):
        pair.step()
    player.frames()
    difference, hashes = pair.comparison.difference, [h.world.hash() for h in pair.halves]
    assert difference is not None and 0 < difference.tick < 30 and pair.comparison.parting is not None

    player.click(screen.panels.parts["first"].center)
    assert pair.shown == difference.tick and pair.now == 30
    player.key(pygame.K_LEFT)
    before = [half.world for half in pair.halves]
    assert pair.shown == difference.tick - 1
    assert np.array_equal(before[0].units.x, before[1].units.x), "nothing differs yet"
    values = pair.values
    player.click(screen.panels.parts["present"].center)
    assert [h.world.hash() for h in pair.halves] == hashes and pair.values != values

    left, right = (half.camera for half in screen.halves)
    player.drag(screen.panels.handle.center, (screen.panels.handle.centerx + 200, screen.panels.handle.centery))
    assert screen.panels.frames[0].width > screen.panels.frames[1].width + 300
    wheel(player, screen.panels.frames[0].center)
    assert left.zoom == right.zoom
    player.click(screen.panels.parts["camera"].center)
    wheel(player, screen.panels.frames[0].center)
    assert left.zoom > right.zoom, "the cameras are not linked any more"
    place = screen.order[0]
    player.click(screen.panels.parts["swap"].center)
    assert screen.order[1] == place


def test_what_if_changes_one_setting_at_the_cursor_of_the_timeline(player, tmp_path, monkeypatch):
    in_process(monkeypatch)
    monkeypatch.setattr("game.checks.comparing.what_if.LEAST_TICKS", 30)
    monkeypatch.setattr("game.view.screens.compare.compare_screen.SEEDS", 2)
    play = player.open(bridge_level(tmp_path))
    play.playing.clock.paused = True
    play.set_lab(True)
    player.frames(2)
    order = Order(int(OrderKind.MOVE), 0, (0, 1, 2, 3), 20.5, 6.5)
    play.playing.give(order)
    play.playing.run_ticks(40)
    game = play.timeline.travel.game.session
    whole = game.world.hash()
    play.timeline.travel.seek(20)
    player.frames(2)

    player.press("compare")
    assert isinstance(player.screen, WhatIfScreen)
    player.screen.find.set_text("steering.accel")
    player.screen.words = "steering.accel"
    player.screen.list.set_rows(player.screen.rows())
    player.click(player.screen.list.row_rect(0).center)
    assert player.screen.chosen == "steering.acceleration" and float(player.screen.value) == 32.0
    player.screen.value = "fast"
    player.choose("From 00:01 on")
    assert "acceleration takes float" in player.screen.message
    player.screen.value = "2"
    player.choose("From 00:01 on")
    screen = player.screen
    assert isinstance(screen, CompareScreen) and screen.pair.first == 20
    while screen.pair.now < 40:
        screen.pair.step()
    as_played, changed = screen.pair.comparison.worlds
    assert as_played.hash() == whole == game.world.hash()
    by_hand = Session(play.playing.level, game.seed)
    by_hand.give(order)
    for tick in range(1, 41):
        by_hand.advance()
        if tick == 20:
            by_hand.set("steering.acceleration", 2.0)
    assert np.array_equal(by_hand.world.units.x, changed.units.x)
    assert not np.array_equal(as_played.units.x, changed.units.x)
    assert screen.pair.comparison.difference.tick > 20

    screen.pair.clock.paused = True
    screen.do("seeds")
    player.frames(4)
    assert screen.seeds.over and screen.shows_seeds and len(screen.seeds.results) == 2
    player.key(pygame.K_ESCAPE)
    assert player.screen is play and play.timeline.travel.shown == 20
