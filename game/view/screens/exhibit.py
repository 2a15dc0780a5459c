"""An exhibit of the gallery, full screen: a question, two runs, a switch, at most three knobs, one thing to try."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pygame

from game.view.camera import ZOOM_STEPS, Camera
from game.view.exhibit_plates import ExhibitPlates, Told
from game.view.exhibit_playing import ExhibitPlaying
from game.view.ghost import GhostFigures, draw_ghost, draw_trails
from game.view.knobs import KnobRow
from game.view.overlays.overlay import LegendRow, Overlay
from game.view.screens.play import PlayScreen

if TYPE_CHECKING:
    from game.view.app import App

LEFT = 1
VALUES_EVERY_MS = 100
NOT_HERE = frozenset({"lab", "lift_fog", "menu", "keep_moment", "return_moment", "restart", "minimap"})
"""Commands of the play screen that an exhibit has no use for."""


class FramedCamera(Camera):
    """A camera whose picture is a box of the window and not all of it."""

    frame = pygame.Rect(0, 0, 1, 1)

    @classmethod
    def on(cls, map_width: int, map_height: int, frame: pygame.Rect, window: tuple[int, int]) -> FramedCamera:
        """A camera that shows the whole map in the frame, as large as it goes."""
        camera = cls(map_width, map_height, *window)
        camera.fit(frame, window)
        return camera

    def fit(self, frame: pygame.Rect, window: tuple[int, int]) -> None:
        """Take another frame and show the whole map in it; a strip of one tile may be cut off."""
        self.frame = frame
        self.width, self.height = window
        fitting = [
            z
            for z in ZOOM_STEPS
            if (self.map_width - 1) * z <= frame.width and (self.map_height - 1) * z <= frame.height
        ]
        self.x, self.y = self.map_width / 2, self.map_height / 2
        self.set_zoom(fitting[-1] if fitting else ZOOM_STEPS[0])

    @property
    def origin(self) -> tuple[int, int]:
        """Offset of the window's corner from the map's corner: the camera looks at the frame's middle."""
        return round(self.x * self.zoom) - self.frame.centerx, round(self.y * self.zoom) - self.frame.centery

    def clamp(self) -> None:
        """Keep the frame on the map."""
        half_x, half_y = self.frame.width / 2 / self.zoom, self.frame.height / 2 / self.zoom
        for name, half, size in (("x", half_x, self.map_width), ("y", half_y, self.map_height)):
            middle = size / 2 if 2 * half >= size else min(max(getattr(self, name), half), size - half)
            setattr(self, name, middle)


def open_exhibit(path: Path, technique: str) -> ExhibitPlaying | None:
    """The exhibit beside a map, or None when it has none; raises ValueError in one line."""
    from game.sim.exhibit import ExhibitRun, exhibit_script

    return ExhibitPlaying(ExhibitRun.open(path, technique)) if exhibit_script(path, technique) else None


class ExhibitScreen(PlayScreen):
    """Lab's look on a picture in a frame of paper; orders may be given and reach both runs."""

    def __init__(self, app: App, playing: ExhibitPlaying) -> None:
        super().__init__(app, playing)
        self.show = playing
        self.view.lab = True
        self.view.lift_fog = True
        self.figures = GhostFigures(self.sprites, app.palette)
        self.lab.overlays.on.clear()
        for name in playing.run.exhibit.overlays:
            self.lab.show(name)
        self._turning: KnobRow | None = None
        self._legends: list[tuple[Overlay, list[LegendRow]]] = []
        self._legend_age = VALUES_EVERY_MS
        self._arrange()

    def _arrange(self) -> None:
        from game.view.screens.gallery import read_techniques

        slug = self.show.run.exhibit.technique
        row = next((r for r in read_techniques() if r.slug == slug), None)
        told = Told(row.name, row.source) if row else Told(slug, "")
        self.plates = ExhibitPlates(self.app, self.show.run, told)
        level, window = self.show.level, self.app.window.get_size()
        self.camera = FramedCamera.on(level.width, level.height, self.plates.frame, window)
        place = self.show.run.exhibit.camera
        if place is not None:
            self.camera.set_zoom(place[2])
            self.camera.centre_on(place[0], place[1])

    def resize(self) -> None:
        """Lay the frame out anew."""
        super().resize()
        if hasattr(self, "show"):
            self._arrange()

    # Input

    def handle(self, event: pygame.event.Event) -> None:
        """Keys and plates of the frame first; on the picture the mouse does what it does in play."""
        if event.type == pygame.KEYDOWN and self._key(event):
            return
        if event.type == pygame.MOUSEBUTTONUP and self._turning is not None:
            self._turning = None
        elif event.type == pygame.MOUSEMOTION and self._turning is not None:
            self._turn_to(self._turning, event.pos)
        elif event.type == pygame.MOUSEBUTTONDOWN and self.plates.covers(event.pos):
            if event.button == LEFT:
                self._press(event.pos)
        elif event.type != pygame.DROPFILE:
            super().handle(event)

    def _key(self, event: pygame.event.Event) -> bool:
        key, plates = event.key, self.plates
        if key == pygame.K_ESCAPE:
            if plates.drawer:
                plates.drawer = False
            else:
                self.app.pop()
        elif key == pygame.K_t:
            self.switch()
        elif key == pygame.K_k:
            self._toggle_drawer()
        elif key == pygame.K_r:
            self.again()
        elif key in (pygame.K_UP, pygame.K_DOWN) and plates.shown_rows:
            plates.focus = (plates.focus + (1 if key == pygame.K_DOWN else -1)) % len(plates.shown_rows)
        elif key in (pygame.K_LEFT, pygame.K_RIGHT) and plates.shown_rows:
            row = plates.shown_rows[plates.focus]
            value = self.show.run.value_of(row.knob.setting)
            self._turn(row, row.turned(value, 1 if key == pygame.K_RIGHT else -1))
        else:
            return False
        return True

    def _press(self, pos: tuple[int, int]) -> None:
        plates = self.plates
        row = plates.knob_at(pos)
        if plates.switch_rect.collidepoint(pos):
            self.switch()
        elif plates.drawer_button.collidepoint(pos):
            self._toggle_drawer()
        elif row is not None:
            plates.focus = plates.shown_rows.index(row) if row in plates.shown_rows else plates.focus
            self._turning = None if row.knob.choices else row
            self._turn_to(row, pos)

    def _toggle_drawer(self) -> None:
        self.plates.drawer = not self.plates.drawer
        self.plates.focus = 0

    def _turn_to(self, row: KnobRow, pos: tuple[int, int]) -> None:
        value = row.value_at(pos)
        if value is not None:
            self._turn(row, value)

    def _turn(self, row: KnobRow, value: bool | int | float | str) -> None:
        if value != self.show.run.value_of(row.knob.setting):
            self.show.run.turn(row.knob.setting, value)
            self.app.sound.play("select", at_most_every_ms=120)

    def switch(self) -> None:
        """The technique on or off from this tick; the run that was shown goes on as the ghost."""
        self.show.switch()
        self.app.sound.play("order")

    def again(self) -> None:
        """Both runs from their first tick."""
        self.show.again()

    def give_command(self, name: str) -> None:
        """Commands that mean something here."""
        if name not in NOT_HERE and not name.startswith(("lens_", "pan_")):
            super().give_command(name)

    def _pan(self, dt_ms: int) -> None:
        """The picture stands; it can be dragged with the middle button."""

    def _show_end(self) -> None:
        """An exhibit is not won or lost: it begins again."""

    # Picture

    def update(self, dt_ms: int) -> None:
        """Ticks, the jump back at the end, legend values ten times a second."""
        super().update(dt_ms)
        if not self.view.selected:
            self.view.selected = self.show.run.watched
        if self.show.jumped:
            self.show.jumped = False
            self.scene.look_again(self.show)
            self.view.marks.orders.clear()
            self.view.marks.words.clear()
        self._legend_age += dt_ms
        if self._legend_age >= VALUES_EVERY_MS:
            self._legend_age = 0
            context = self.lab.context(self.show, self.view)
            self._legends = [(o, o.legend(context)) for o in self.lab.overlays.on]

    def draw(self, surface: pygame.Surface) -> None:
        """Paper, the picture in its frame, the plates round it."""
        app, show, camera, view = self.app, self.show, self.camera, self.view
        alpha, run = show.clock.alpha(), show.run
        app.backdrop.draw(surface)
        frame = self._picture_box()
        surface.set_clip(frame)
        self.scene.draw_ground(surface, camera, show, view, alpha)
        self.lab.draw_fills(surface, camera, show, view)
        ghost_world = run.twin.ghost.world
        draw_trails(surface, camera, run.trails[0], app.palette["ink"], app.palette["rim"], pale=False)
        draw_ghost(
            surface, camera, ghost_world, show.ghost, run.watched, run.trails[1], self.figures, app.palette, alpha,
            self.lab.overlays.is_on("paths"),
        )  # fmt: skip
        self.lab.draw_marks(surface, camera, show, view, alpha)
        self.scene.draw_units(surface, camera, show, view, alpha, app.now_ms)
        surface.set_clip(None)
        pygame.draw.rect(surface, app.palette["ink"], frame.inflate(4, 4), 2)
        self.plates.draw(surface, self.lab.panels, self._legends)
        if show.clock.paused:
            pygame.draw.rect(surface, app.palette["yellow"], frame.inflate(4, 4), 4)

    def _picture_box(self) -> pygame.Rect:
        """The part of the frame that the map fills."""
        left, top = self.camera.to_screen(0, 0)
        right, bottom = self.camera.to_screen(self.show.level.width, self.show.level.height)
        return pygame.Rect(left, top, right - left, bottom - top).clip(self.plates.frame)
