"""Worlds of the play screen: first look, restart, kept moments, faults and the end."""

from __future__ import annotations

import logging

import pygame

from game.checks.scripts.hints import HintBook, load_hints
from game.view.hud.hud import Hud
from game.view.hud.hud_values import clock_words
from game.view.hud.kept_moments import MomentStrip
from game.view.hud.minimap import Minimap
from game.view.input.selection import Selection
from game.view.lab.lab_panels import Lab
from game.view.scene import Scene
from game.view.screens.play.end_screen import EndScreen, earned_medal
from game.view.screens.play.play_parts import PlayParts
from game.view.window.autosaver import Autosaver
from game.view.window.fault_screen import FaultScreen, write_broken_replay
from game.view.window.level_watch import LevelWatch
from game.view.window.mission_progress import note_win
from game.view.window.playing import Playing
from game.view.window.saved_games import SAVE_PICTURE
from game.world.faults import StageFault

LOG = logging.getLogger("fogline")

RESTART_MS = 2000


class PlayWorlds(PlayParts):
    """Play screen that goes from one world to another."""

    _restart_until = 0
    _small: pygame.Surface | None = None

    def new_world(self, playing: Playing, look: bool = False) -> None:
        """Show another world.

        It comes from the start, a restart, a load or a return to a kept moment.
        """
        self.playing = playing
        if self.watch.path != playing.level.path:
            self.watch = LevelWatch(playing.level.path)
        self.autosaver = Autosaver(playing.session, self.small_picture)
        if self.moments is None or self.moments.session is not playing.session:
            self._begin_helpers(playing)
        self.scene = Scene(playing, self.app.palette, self.app.text, self.sprites)
        self.timeline.travel.begin(playing)
        night = self.scene.light is not None
        self._first_frame = True
        self.hud = Hud(self.app, self.sprites, self.scene.figures, night)
        self.minimap = Minimap(playing.level, self.app.palette, night)
        lab_on = self.view.lab
        if lab_on:
            playing.session.lab_used = True  # a loaded or restarted game is seen in Lab from its first moment
        self.lab = Lab(self.app, self.scene, self.lab if hasattr(self, "lab") else None)
        self.view.marks.orders.clear()
        self.view.marks.words.clear()
        self.view.lab = lab_on
        self.plan_mode.forget()
        self.mouse.squad_plan.drop()
        self.stealth.forget()
        self._ended_shown = playing.world.mission.status in ("won", "lost")
        self.selection.forget_dead(playing.picture)
        if look:
            self._first_look()

    def _read_again(self) -> None:
        """Start the level as it was saved just now, unless it is faulty."""
        game = self.timeline.travel.game
        playing = self.watch.read(game) if not game.recorded else None
        if playing is None:
            return
        level, camera = playing.level, self.camera
        camera.map_width, camera.map_height = level.width, level.height
        camera.clamp()
        self.new_world(playing)
        self.tell(f"{level.path.name} was saved: read again from its start")

    def _begin_helpers(self, playing: Playing) -> None:
        """Start hints from their first page, with no moment kept."""
        self.moments = MomentStrip(self.app, playing.session)
        # Hints name the level's own units; scattered units are others.
        guided = playing.world.mission.status == "running" and playing.session.extra_units is None
        self.hints = HintBook(load_hints(playing.level.path) if guided else [])
        self.hint = None

    def _first_look(self) -> None:
        p = self.playing.picture
        for unit, group in zip(p.id.tolist(), p.group.tolist(), strict=True):
            if p.side[p.row_of[unit]] == self.playing.side and 1 <= group <= 9:
                self.selection.groups[group] = tuple(sorted({*self.selection.groups.get(group, ()), unit}))
        own = p.living(self.playing.side)
        if len(own) == 0:
            own = p.living()
        if len(own):
            self.camera.centre_on(float(p.x[own].mean()), float(p.y[own].mean()))
        if self.playing.world.mission.status == "sandbox" and not self.playing.level.painted:
            menu, place = self.app.keymap.label("menu"), self.app.keymap.label("place_raider")
            self.tell(f"{menu}: how this map was read; {place}: place units")

    def restart(self, at_once: bool = False) -> None:
        """Start the level again; while it runs the key must be pressed twice."""
        over = self.playing.world.mission.status in ("won", "lost")
        if not (at_once or over or self.app.now_ms < self._restart_until):
            self._restart_until = self.app.now_ms + RESTART_MS
            self.tell(f"{self.app.keymap.label('restart')} again to start over")
            return
        self._restart_until = self.notice_until = 0
        self.selection = Selection()
        self.new_world(self.timeline.travel.game.restart(), look=True)

    def keep_moment(self) -> None:
        """Keep a snapshot of this moment."""
        if self.timeline.travel.past is not None:
            self.tell(f"Moments are kept in the present; {self.app.keymap.label('time_bookmark')} sets a bookmark here")
            return
        tick = self.playing.keep()
        if self.moments is not None:
            self.moments.keep(tick, self.hints.step)
        self.tell(f"Moment kept at {clock_words(tick)}")

    def return_moment(self, which: int = -1) -> None:
        """Return to a kept moment, by default the last one."""
        self.timeline.travel.leave()
        if self.playing.back(which):
            self.hint = None
            self.plan_mode.forget()
            if self.moments is not None:
                self.hints.step = self.moments.kept[which].page
            self.scene.look_again(self.playing)
            self._ended_shown = self.playing.world.mission.status in ("won", "lost")
            self.tell(f"Back at {clock_words(self.playing.world.tick)}")
        else:
            self.tell("No moment is kept yet")

    def small_picture(self) -> pygame.Surface | None:
        """Return the last frame without a menu above it, reduced; None before the first."""
        if self.app.top is self and not self._first_frame:
            self._small = pygame.transform.smoothscale(self.app.window, SAVE_PICTURE)
        return self._small

    def _stop(self, fault: StageFault) -> None:
        """Stop a game whose tick has failed: write the replay, offer the last autosave."""
        LOG.error("%s", fault)
        self.autosaver.on = False
        game = self.timeline.travel.game
        self.playing.clock.paused = True
        screen = FaultScreen(self.app, game, fault, self.new_world)
        screen.message = write_broken_replay(game)
        self.app.push(screen)

    def _show_end(self) -> None:
        if self._ended_shown or self.playing.world.mission.status not in ("won", "lost"):
            return
        self._ended_shown = True
        screen = EndScreen(self.app, self)
        mission = self.playing.world.mission
        if mission.status == "won" and not self.shot:
            screen.message = note_win(self.playing.level.name, mission.ended, earned_medal(self.playing))
        self.app.push(screen)
