"""Levels of detail: figures out of the box rest, and resume in phase."""

from pathlib import Path

import numpy as np
import pygame
import pytest

from game.systems.body.figure_detail import WINDOW
from game.view.painting.camera import Camera
from game.view.painting.palette import palette
from game.view.painting.unit_picture import take_picture
from game.view.units.figures import FigurePainter
from game.view.units.sprites import Sprites
from game.world.orders import OrderKind
from game.world.places import Region
from game.world.units import Pace
from tests.game.sim.play import Play, raider, yard


class Screen:
    """A painter that draws every tick of a walk to the east."""

    def __init__(self, play: Play, window: Region | None) -> None:
        self.play, self.painter = play, FigurePainter(Sprites(), palette())
        self.painter.limited = True
        self.painter.levels.window = window
        self.camera = Camera(30, 14, 960, 448)
        self.camera.set_zoom(24)
        self.surface = pygame.Surface((960, 448))
        self.picture = take_picture(play.world)

    def draw(self) -> tuple[int, int]:
        """Draw the tick; return the frame of the legs and the last posed tick."""
        self.picture = take_picture(self.play.world, self.picture)
        self.painter.draw(self.surface, self.camera, self.picture, np.arange(1), 1.0)
        c = self.painter.motion.columns
        return int(c.legs[0]), int(c.tick[0])


@pytest.mark.usefixtures("window")
def test_a_figure_rests_out_of_the_box_resumes_in_phase_and_no_world_depends_on_it(tmp_path: Path) -> None:
    builder = yard()
    raider(builder, 7.0, 6.5)
    play = Play(tmp_path, builder)
    play.world.units.pace[:] = Pace.WALK
    play.order("Ann", OrderKind.MOVE, x=20.5, y=6.5)
    box = Region(WINDOW, ((8.0, 0.0), (9.5, 0.0), (9.5, 14.0), (8.0, 14.0)))
    boxed, free = Screen(play, box), Screen(play, None)
    seen, hashes = [], []
    for _ in range(60):
        play.run(1)
        hashes.append(play.world.hash())
        tick, inside = play.world.tick, 8.0 <= float(play.world.units.x[0]) < 9.5
        frame, posed = boxed.draw()
        always, of_tick = free.draw()
        assert of_tick == tick
        seen.append((inside, posed == tick, frame == always))
    inner = [posed for inside, posed, _ in seen if inside]
    assert len(inner) > 10 and all(inner), "in the box it is posed in every tick"
    entered = next(k for k, row in enumerate(seen) if row[0])
    assert entered > 10 and not any(posed for _, posed, _ in seen[2:entered]), "out of it nothing is posed"
    assert all(same for inside, _, same in seen[entered:] if inside), "it comes in with the foot of its body"
    assert not any(posed for inside, posed, _ in seen[entered:] if not inside)
    assert len(seen) > entered + len(inner), "it leaves the box"
    again = Play(tmp_path, builder)
    again.world.units.pace[:] = Pace.WALK
    again.order("Ann", OrderKind.MOVE, x=20.5, y=6.5)
    again.world.settings.figures.lod = False
    undrawn = []
    for _ in range(60):
        again.run(1)
        undrawn.append(again.world.hash())
    assert undrawn == hashes, "the world is the same undrawn, and with the sets off"
