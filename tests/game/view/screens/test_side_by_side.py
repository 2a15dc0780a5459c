"""Side by side and What if on the dummy driver, operated by a visitor.

Oracles: hashes of the game, which must not change, and of a session that this file plays itself.
"""

from dataclasses import replace

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


def test_an_exhibit_beside_itself(player):
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


def test_what_if_changes_one_order_of_the_selected_unit(player, tmp_path, monkeypatch):
    """Choose a row and type a place: the other future has that order."""
    monkeypatch.setattr("game.checks.comparing.what_if.LEAST_TICKS", 20)
    play = player.open(bridge_level(tmp_path))
    play.playing.clock.paused = True
    play.set_lab(True)
    player.frames(2)
    first, second = (Order(int(OrderKind.MOVE), 0, (0, 1), x, 6.5) for x in (20.5, 3.5))
    play.playing.give(first)
    play.playing.run_ticks(15)
    play.playing.give(second)
    play.playing.run_ticks(15)
    game = play.timeline.travel.game.session
    whole = game.world.hash()
    play.selection.choose((1,))
    play.timeline.travel.seek(10)
    player.frames(3)
    name = game.world.name_of(1)

    def open_list():
        player.press("compare")
        assert isinstance(player.screen, WhatIfScreen)
        return player.screen

    def choose(screen, words):
        index = next(i for i, row in enumerate(screen.list.rows) if row.cells[0] == f"{name} {words}")
        player.click(screen.list.row_rect(index).center)

    def by_hand(orders):
        made = Session(play.playing.level, game.seed)
        for tick in range(30):
            for at, order in orders:
                if at == tick:
                    made.give(order)
            made.advance()
        return made.world

    screen = open_list()
    assert [row.cells[0].removeprefix(f"{name} ") for row in screen.list.rows[:4]] == [
        "without its next order", "ordered elsewhere", "goes elsewhere", "stops",
    ]  # fmt: skip
    choose(screen, "ordered elsewhere")
    for wrong, told in (("there", "X, Y in tiles"), ("3.5", "X, Y in tiles"), ("3.5, 99", "off the map")):
        screen.entry.set_text(wrong)
        screen.value = wrong
        player.choose("From 00:00 on")
        assert told in screen.message and "\n" not in screen.message and player.screen is screen
    screen.value = "3.5, 6.5"
    alone = replace(second, units=(0,))
    elsewhere = Order(int(OrderKind.MOVE), 0, (1,), 20.5, 2.5)
    stop = Order(int(OrderKind.STOP), 0, (1,))
    u, slot = play.playing.world.units, play.playing.world.units.slot(1)
    here = f"{u.x[slot]:.1f}, {u.y[slot]:.1f}"
    ways = (
        ("ordered elsewhere", "3.5, 6.5", "20.5, 2.5", f"{name}: move to 20.5, 2.5", [(15, alone), (15, elsewhere)]),
        ("goes elsewhere", here, "20.5,2.5", f"{name}: move to 20.5, 2.5", [(10, elsewhere), (15, second)]),
        ("stops", "", "", f"{name}: stop", [(10, stop), (15, second)]),
        ("without its next order", "", "", f"{name} without: move", [(15, alone)]),
    )
    for words, proposed, typed, told, orders in ways:
        if player.screen is play:
            screen = open_list()
            choose(screen, words)
        assert screen.value == proposed
        screen.value = typed
        player.choose("From 00:00 on")
        pair = player.screen.pair
        assert isinstance(player.screen, CompareScreen) and pair.first == 10
        assert player.screen.told.words == ("As ordered", told)
        while pair.now < 30:
            pair.step()
        player.frames(1)
        as_played, changed = pair.comparison.worlds
        assert as_played.hash() == whole == game.world.hash()
        assert changed.hash() == by_hand([(0, first), *orders]).hash(), words
        assert pair.comparison.difference.tick == min(at for at, _ in orders) + 1
        player.key(pygame.K_ESCAPE)
        assert player.screen is play and play.timeline.travel.shown == 10
    assert play.selection.ids == (1,)
