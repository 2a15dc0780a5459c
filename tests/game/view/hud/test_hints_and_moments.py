"""Hint panels beside their targets, and kept moments of the game."""

import pygame
import pytest

from game.checks.scripts.hints import PATIENCE
from game.view.hud.hint_panel import draw_hint


@pytest.fixture
def play(player):
    yield player.open()
    while player.app.screens:
        player.app.screens.pop().leave()


def test_a_hint_stands_beside_its_target_and_does_not_pause_the_game(player, play):
    play.playing.clock.paused = True
    play.playing.run_ticks(PATIENCE + 2)
    play.playing.clock.paused = False
    player.frames(5)
    assert play.hint is not None and not play.playing.clock.paused
    rect = draw_hint(player.app.window, player.app, play.camera, play.hud.layout, play.hint)
    assert player.app.window.get_rect().contains(rect)
    assert not rect.collidepoint(play.camera.to_screen(play.hint.x, play.hint.y))
    assert not any(rect.colliderect(panel) for panel in play.hud.layout.panels)


def test_hints_can_be_switched_off(player, play):
    player.app.options.hints = False
    try:
        play.playing.run_ticks(PATIENCE + 2)
        player.frames(5)
        assert play.hint is None
    finally:
        player.app.options.hints = True


def test_the_last_five_moments_are_shown_and_can_be_returned_to(player, play):
    play.playing.clock.paused = True
    kept = []
    for _ in range(7):
        player.press("keep_moment")
        kept.append((play.playing.world.tick, play.playing.world.hash()))
        play.playing.run_ticks(8)
    assert [m.tick for m in play.moments.kept] == [tick for tick, _ in kept[-5:]]
    player.press("return_moment")
    assert (play.playing.world.tick, play.playing.world.hash()) == kept[-1]
    player.send(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=play.moments.cells()[1].center, button=1))
    assert (play.playing.world.tick, play.playing.world.hash()) == kept[-4]
    play.playing.run_ticks(8)
    assert (play.playing.world.tick, play.playing.world.hash()) == kept[-3], "the game continues equally"
