"""Exhibit of the gallery: a question, two runs, a switch and knobs.

It has at most three knobs and one thing to try, and fills the screen.
"""

from __future__ import annotations

from pathlib import Path

import pygame

from game.checks.comparing.comparison import GameSetup
from game.checks.exhibit_run import ExhibitRun, exhibit_script
from game.checks.scripts.script import Script
from game.level.reading import load_level
from game.view.exhibits.exhibit_frame import MARGIN, TOP, ExhibitFrame, Told
from game.view.exhibits.exhibit_panels import draw_captions, draw_panel_frames
from game.view.exhibits.exhibit_playing import ExhibitPlaying
from game.view.exhibits.framed_camera import FramedCamera
from game.view.exhibits.gallery_rows import technique_of
from game.view.exhibits.knobs import KnobRow
from game.view.exhibits.strips.all_strips import strip_of
from game.view.hud.notices import draw_notice
from game.view.lab.draw_legend import Legend
from game.view.lab.lab_panels import overlay_names
from game.view.screens.compare.compare_screen import Comparing, compare_games
from game.view.screens.play_screen import PlayScreen
from game.view.units.ghost_figures import GhostFigures, draw_ghost, draw_trails
from game.view.window.app_services import AppServices

LEFT = 1
VALUES_EVERY_MS = 100
NOT_HERE = frozenset({
    "lab", "lift_fog", "menu", "keep_moment", "return_moment", "restart", "minimap", "why", "find_overlay",
})  # fmt: skip
"""Commands of the play screen that do nothing in an exhibit."""


def open_exhibit(path: Path, technique: str = "", script: Script | None = None) -> ExhibitPlaying | None:
    """Return the exhibit beside a map (or of ``script``), or None.

    Raises ValueError in one line for a bad script.
    """
    script = script or exhibit_script(path, technique)
    if script is None or script.exhibit is None:
        return None
    show = ExhibitPlaying(ExhibitRun(load_level(path), script))
    try:
        overlay_names(",".join(script.exhibit.overlays))
        strip_of(show)
    except ValueError as error:
        raise ValueError(f"{script.path}: exhibit: {error}") from None
    return show


class ExhibitScreen(PlayScreen):
    """Exhibit in the look of Lab, in a frame of paper.

    Orders reach both runs. The picture does not scroll by itself; you can drag it with the middle button.
    """

    pans = False
    travels = False

    def __init__(self, app: AppServices, playing: ExhibitPlaying) -> None:
        super().__init__(app, playing)
        self.show = playing
        self.view.lab = True
        self.view.lift_fog = True
        self.figures = GhostFigures(self.sprites, app.palette, self.scene.figures.parts)
        self.strip = strip_of(playing)
        self.lab.overlays.on.clear()
        for name in playing.run.exhibit.overlays:
            self.lab.show(name)
        self._turning: KnobRow | None = None
        self._legends: list[Legend] = []
        self._legend_age = VALUES_EVERY_MS
        self._arrange()

    def _arrange(self) -> None:
        slug = self.show.run.exhibit.technique
        row = technique_of(slug)
        told = Told(row.name, row.source) if row else Told(slug, "")
        self.panels = self._framed(told)
        level, window = self.show.level, self.app.window.get_size()
        self.camera = FramedCamera.on(level.width, level.height, self.panels.frame, window)
        place = self.show.run.exhibit.camera
        if place is not None:
            # In a large window the whole map may be shown larger than the script asks for.
            self.camera.set_zoom(max(place[2], self.camera.zoom))
            self.camera.centre_on(place[0], place[1])
        # The switch stays in sight: the reader turns it and watches the times.
        px, switch = self.panels.text.px, self.panels.switch_rect
        top = switch.bottom + px(10)
        below = pygame.Rect(switch.x, top, switch.width, window[1] - top - px(MARGIN))
        self.budget.panel.place = self.panels.text, below

    def _framed(self, told: Told) -> ExhibitFrame:
        """Return the frame around the picture."""
        return ExhibitFrame(self.app, self.show.run, told, self.strip)

    def resize(self) -> None:
        """Lay out the frame for the window's size."""
        super().resize()
        if hasattr(self, "show"):
            self._arrange()

    # Input

    def handle(self, event: pygame.event.Event) -> None:
        """Handle keys and panels of the frame first.

        On the picture the mouse works as in play.
        """
        if event.type == pygame.KEYDOWN and self._key(event):
            return
        if event.type == pygame.MOUSEBUTTONUP and self._turning is not None:
            self._turning = None
        elif event.type == pygame.MOUSEMOTION and self._turning is not None:
            self._turn_to(self._turning, event.pos)
        elif self.budget.handle(event):
            pass
        elif event.type == pygame.MOUSEBUTTONDOWN and self.panels.covers(event.pos):
            if event.button == LEFT:
                self._press(event.pos)
        elif self._strip_used(event):
            pass
        elif event.type != pygame.DROPFILE:
            super().handle(event)

    def _key(self, event: pygame.event.Event) -> bool:
        key, panels = event.key, self.panels
        if key == pygame.K_ESCAPE:
            if panels.drawer:
                panels.drawer = False
            else:
                self.app.pop()
        elif key == pygame.K_t:
            self.switch()
        elif key == pygame.K_k:
            self._toggle_drawer()
        elif key == pygame.K_r:
            self.again()
        elif key in (pygame.K_UP, pygame.K_DOWN) and panels.shown_rows:
            panels.focus = (panels.focus + (1 if key == pygame.K_DOWN else -1)) % len(panels.shown_rows)
        elif key in (pygame.K_LEFT, pygame.K_RIGHT) and panels.shown_rows:
            row = panels.shown_rows[panels.focus]
            value = self.show.run.value_of(row.knob.setting)
            self._turn(row, row.turned(value, 1 if key == pygame.K_RIGHT else -1))
        else:
            return panels.strip is not None and panels.strip.key(key)
        return True

    def _strip_used(self, event: pygame.event.Event) -> bool:
        if self.strip is None or event.type != pygame.MOUSEBUTTONDOWN:
            return False
        tile = self.camera.tile_at(*event.pos)
        return tile is not None and self.strip.pressed(tile, event.button)

    def _press(self, pos: tuple[int, int]) -> None:
        panels = self.panels
        row = panels.knob_at(pos)
        if panels.switch_rect.collidepoint(pos):
            self.switch()
        elif panels.drawer_button.collidepoint(pos):
            self._toggle_drawer()
        elif panels.strip is not None and panels.strip.press(pos):
            self.app.sound.play("select")
        elif row is not None:
            panels.focus = panels.shown_rows.index(row) if row in panels.shown_rows else panels.focus
            self._turning = None if row.knob.choices else row
            self._turn_to(row, pos)

    def _toggle_drawer(self) -> None:
        self.panels.drawer = not self.panels.drawer and bool(self.panels.drawer_rows)
        self.panels.focus = 0

    def _turn_to(self, row: KnobRow, pos: tuple[int, int]) -> None:
        value = row.value_at(pos)
        if value is not None:
            self._turn(row, value)

    def _turn(self, row: KnobRow, value: bool | int | float | str) -> None:
        if value != self.show.run.value_of(row.knob.setting):
            self.show.run.turn(row.knob.setting, value)
            self.app.sound.play("select", at_most_every_ms=120)

    def switch(self) -> None:
        """Switch the technique on or off from this tick.

        The run that was shown continues as the ghost.
        """
        self.show.switch()
        self.app.sound.play("order")

    def again(self) -> None:
        """Restart both runs from their first tick."""
        self.show.again()

    def compare(self) -> None:
        """Show the run with the technique beside the one without, from the first tick.

        Turned knobs keep their values.
        """
        run, e, frame = self.show.run, self.show.run.exhibit, self.panels
        both = {**run.script.settings, **run.turned}
        setup = GameSetup(self.show.level, run.script, {e.setting: run.on}, {e.setting: run.off}, both, ticks=e.repeat)
        words = frame.switch_words(True).capitalize(), frame.switch_words(False).capitalize()
        told = Comparing(e.question, e.line or e.setting, words, tuple(e.overlays), e.camera, run.watched)
        compare_games(self.app, setup, told)

    def give_command(self, name: str) -> None:
        """Run a command unless it does nothing in an exhibit."""
        if name not in NOT_HERE and not name.startswith(("lens_", "pan_", "time_")):
            super().give_command(name)

    def _show_end(self) -> None:
        """Do nothing: an exhibit is not won or lost, it starts again."""

    # Picture

    def update(self, dt_ms: int) -> None:
        """Run ticks, handle the restart at the end, and refresh legend values.

        The legend is refreshed ten times a second.
        """
        super().update(dt_ms)
        if not self.view.selected:
            self.view.selected = self.show.run.watched
        if self.show.jumped:
            self.show.jumped = False
            self.scene.look_again(self.show)
            self.view.marks.orders.clear()
            self.view.marks.words.clear()
            if self.strip is not None:
                self.strip.jumped()
        if self.strip is not None:
            self.strip.update(dt_ms)
        self._legend_age += dt_ms
        if self._legend_age >= VALUES_EVERY_MS:
            self._legend_age = 0
            context = self.lab.context(self.show, self.view)
            self._legends = [Legend(o, context, linked=False) for o in self.lab.overlays.on]

    def draw(self, surface: pygame.Surface) -> None:
        """Draw paper, the picture in its frame, and the panels around it."""
        app, show, camera, view = self.app, self.show, self.camera, self.view
        alpha, run = show.clock.alpha(), show.run
        app.backdrop.draw(surface)
        frame = self.picture_box()
        surface.set_clip(frame)
        self.scene.draw_ground(surface, camera, show, view, alpha)
        self.lab.draw_fills(surface, camera, show, view)
        ghost_world = run.ab_run.ghost.world
        draw_trails(surface, camera, run.trails[0], app.palette["ink"], app.palette["rim"], pale=False)
        draw_ghost(
            surface, camera, ghost_world, show.ghost, run.watched, run.trails[1], self.figures, app.palette, alpha,
            self.lab.overlays.is_on("paths"),
        )  # fmt: skip
        draw_panel_frames(surface, camera, run.panels, app.palette)
        self.lab.draw_marks(surface, camera, show, view, alpha)
        if self.strip is not None:
            self.strip.draw(surface, camera, self.lab.context(show, view), alpha)
        self.scene.draw_units(surface, camera, show, view, alpha, app.now_ms)
        draw_captions(surface, camera, run.panels, self.panels.text, app.panels, app.palette)
        surface.set_clip(None)
        pygame.draw.rect(surface, app.palette["ink"], frame.inflate(4, 4), 2)
        self.panels.draw(surface, self._legends)
        self.budget.draw(surface)
        if not self.panels.covers(self.lab.cursor):
            self.lab.draw_value(surface, camera, show, view)
        elif not self.budget.panel.box.collidepoint(self.lab.cursor) or not self.budget.shows:
            self.panels.draw_tip(surface, self.lab.cursor)
        if show.clock.paused and not self.shot:
            pygame.draw.rect(surface, app.palette["yellow"], frame.inflate(4, 4), 4)
        if app.now_ms < self.notice_until:
            # A notice of an exhibit lies over the picture, and leaves question and switch free.
            draw_notice(surface, app, self.notice, TOP + MARGIN, self.panels.frame.right)

    def picture_box(self) -> pygame.Rect:
        """Return the part of the frame that the map fills."""
        left, top = self.camera.to_screen(0, 0)
        right, bottom = self.camera.to_screen(self.show.level.width, self.show.level.height)
        return pygame.Rect(left, top, right - left, bottom - top).clip(self.panels.frame)
