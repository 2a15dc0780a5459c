"""Each exhibit in its frame with simulated input: switch, knobs, drawer, repeat, back."""

from pathlib import Path

import numpy as np
import pygame
import pytest

from game.checks.exhibit_run import exhibit_scripts
from game.view.screens.exhibit_screen import ExhibitScreen, open_exhibit
from game.view.screens.menu_screen import MenuMain

ROOT = Path(__file__).resolve().parents[4]
MAPS = sorted((ROOT / "levels" / "exhibits").rglob("*.tmx"))
SCRIPTS = [(level, script) for level in MAPS for script in exhibit_scripts(level)]


def layout(script):
    """Return counts and kinds of the parts that the frame lays out."""
    e = script.exhibit
    return len(e.knobs), bool(e.more_knobs), e.also is not None, bool(e.panel), len(e.overlays), bool(e.strip)


IN_THE_GATE = {layout(script): script.path.stem for _, script in reversed(SCRIPTS)}.values()
"""First exhibit of each layout; the tests of the others have the mark ``long``."""


def one_before_the_end(row):
    """Return the value one step below the one eight pixels from the track's end."""
    knob = row.knob
    if knob.choices:
        return knob.choices[max(len(knob.choices) - 2, 0)]
    step = knob.step or (knob.high - knob.low) / 20
    steps = (knob.high - knob.low) / step * (row.track.width - 8) / (row.track.width - 1)
    return max(knob.low + (round(steps) - 1) * step, knob.low)


@pytest.mark.parametrize(
    ("level", "script"),
    [
        pytest.param(*row, id=row[1].path.stem, marks=[pytest.mark.long] * (row[1].path.stem not in IN_THE_GATE))
        for row in SCRIPTS
    ],
)
def test_all_controls_of_the_frame_work(player, level, script):
    app = player.app
    app.push(MenuMain(app))
    screen = ExhibitScreen(app, open_exhibit(level, script=script))
    app.push(screen)
    screen.scene.ground_budget(0)
    run, panels = screen.show.run, screen.panels
    try:
        player.frames(2)
        assert {o.name for o in screen.lab.overlays.on} == set(run.exhibit.overlays), (
            "the grammar switches an overlay off"
        )
        window = app.window.get_rect()
        for rect in (panels.frame, panels.switch_rect, panels.number_rect, panels.knob_rect, panels.bottom):
            assert window.contains(rect)
        screen.show.clock.paused = True
        screen.show.run_ticks(10)
        player.frames(2)
        before = pygame.surfarray.array3d(app.window)
        player.key(pygame.K_t)
        if run.exhibit.also is not None:
            assert run.shows_on and run.on == run.exhibit.also
            player.key(pygame.K_t)
        assert not run.shows_on and run.ab_run.shown.world.tick == run.ab_run.ghost.world.tick
        player.frames(3)
        assert not np.array_equal(before, pygame.surfarray.array3d(app.window))
        player.click(panels.switch_rect.center)
        assert run.shows_on
        for row in list(panels.rows):
            if row.knob.setting == run.exhibit.setting:
                continue
            player.click((row.track.right - 8, row.track.centery))
            player.key(pygame.K_LEFT)
            assert run.value_of(row.knob.setting) == pytest.approx(one_before_the_end(row)), row.knob.setting
        player.key(pygame.K_k)
        assert panels.drawer == bool(panels.drawer_rows), "without knobs there is no drawer"
        if panels.drawer:
            assert window.contains(panels.drawer_rect)
            assert all(panels.drawer_rect.contains(row.rect) for row in panels.drawer_rows), "every knob is in view"
            player.key(pygame.K_ESCAPE)
        if panels.strip is not None:
            laid = panels.strip._laid_out()
            assert laid and all(panels.strip.rect.contains(rect) for rect, _ in laid)
            for rect, button in laid:
                player.click(rect.center)
                player.key(button.key)
        player.send(pygame.event.Event(pygame.MOUSEMOTION, pos=panels.frame.center, rel=(0, 0), buttons=(0, 0, 0)))
        player.frames(2)
        player.key(pygame.K_r)
        assert run.ab_run.shown.world.tick < 5
        player.key(pygame.K_ESCAPE)
        assert isinstance(player.screen, MenuMain)
    finally:
        while app.screens:
            app.screens.pop().leave()
