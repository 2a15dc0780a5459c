"""Play screen: world, HUD, Lab, and the commands that they share."""

from __future__ import annotations

import logging
from dataclasses import replace

import numpy as np
import pygame

from game.checks.scripts.hints import HintBook, ShownHint, load_hints
from game.view.exhibits.gallery_rows import ROOT, technique_of
from game.view.hud import notices
from game.view.hud.click_words import draw_click_words
from game.view.hud.edge_marks import EdgeMarks
from game.view.hud.feedback import footsteps, is_news, own_seen, place_of, tell
from game.view.hud.hint_panel import draw_hint, figures_of
from game.view.hud.hud import Hud
from game.view.hud.hud_state import EVERY_MS, fill_state
from game.view.hud.hud_values import HudState, clock_words
from game.view.hud.kept_moments import MomentStrip
from game.view.hud.keys_card import draw_keys_card
from game.view.hud.minimap import Minimap
from game.view.hud.squad_card import note_squads
from game.view.input.command_table import BY_NAME
from game.view.input.facing_drag import draw_ghosts
from game.view.input.key_bindings import Key, key_of_event
from game.view.input.map_keyboard import Keyboard
from game.view.input.map_mouse import Mouse
from game.view.input.order_input import Under
from game.view.input.play_commands import PlayCommands
from game.view.input.selection import Selection
from game.view.input.unit_choice import Choosing
from game.view.lab.lab_panels import Lab
from game.view.lab.sandbox.sandbox_control import Sandbox
from game.view.lab.timeline.timeline_control import Timeline
from game.view.lab.why.why_control import Why
from game.view.painting.camera import Camera
from game.view.scene import Scene, View, is_night
from game.view.screens.end_screen import EndScreen, earned_medal
from game.view.screens.pause_screen import PauseScreen
from game.view.screens.screen import Screen
from game.view.stealth.plan_mode import NOTICE_BELOW, PlanMode
from game.view.stealth.stealth_hud import StealthHud
from game.view.units.order_marks import CAPTION_TOP
from game.view.units.sprites import Sprites
from game.view.window.app_services import AppServices
from game.view.window.autosaver import Autosaver
from game.view.window.fault_screen import FaultScreen, write_broken_replay
from game.view.window.level_watch import LevelWatch
from game.view.window.mission_progress import note_win
from game.view.window.playing import Playing
from game.view.window.saved_games import SAVE_PICTURE
from game.world.faults import StageFault
from game.world.orders import Order

LOG = logging.getLogger("fogline")

RESTART_MS = 2000
NOTICE_MS = 2500
SLOW_MS, SLOW_SHARE = 600, 0.25
"""Duration in ms and relative speed of slow time.

It starts when a guard identifies a unit of yours. An option turns it off.
"""
SLOW_AGAIN_MS = 8000
"""Milliseconds in which identifying the same unit again does not slow time.

Without this limit a fight would be slowed again and again.
"""


class PlayScreen(Screen):
    """Screen of one level in play."""

    lab: Lab
    travels = True
    """True if the timeline shows earlier ticks of this screen's game."""
    pans = True
    """True if keys and the window's edge pan the map."""

    def __init__(self, app: AppServices, playing: Playing, overlay: str = "") -> None:
        super().__init__(app)
        self.playing = playing
        self.sprites = Sprites()
        self.view = View()
        self.selection = Selection()
        self.state = HudState()
        self.notice = ""
        self.notice_until = 0
        self.keys_shown = 0
        self._restart_until = 0
        self._state_age = EVERY_MS
        self._ended_shown = False
        self._small: pygame.Surface | None = None
        self.shot = False
        """True for a screenshot: the picture then shows no sign of a pause."""
        width, height = app.window.get_size()
        self.camera = Camera(playing.level.width, playing.level.height, width, height)
        self.under: Under | None = None
        self.mouse = Mouse(self)
        self.keyboard = Keyboard(self)
        self.edge_marks = EdgeMarks()
        self.slow_until = 0
        self.slow_again: dict[int, int] = {}
        """Time in ms from which identifying a unit slows time again.

        The keys are unit ids.
        """
        self.choosing = Choosing(self)
        self.timeline = Timeline(self, playing)
        self.why = Why(self)
        self.tools = Sandbox(self)
        self.watch = LevelWatch(playing.level.path)
        self.commands = PlayCommands(self)
        self.plan_mode = PlanMode(self)
        self.stealth = StealthHud(self)
        self.moments: MomentStrip | None = None
        self.hint: ShownHint | None = None
        self.new_world(playing, look=True)
        if overlay:
            self.set_lab(True)
            self.lab.show(overlay)

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

    # Screen

    def enter(self) -> None:
        """Take over the cursor."""
        self.resize()

    def resize(self) -> None:
        """Fit camera and panels to the window."""
        self.camera.resize(*self.app.window.get_size())
        if self.scene.palette is not self.app.palette:
            self.new_world(self.playing)
        self.scene.text = self.app.text
        self.mouse.forget_cursor()
        self._state_age = EVERY_MS
        self.lab.resize()

    def leave(self) -> None:
        """Save the game and show the system's cursor."""
        if not self.shot:
            self.autosaver.save()
        pygame.mouse.set_visible(True)

    def handle(self, event: pygame.event.Event) -> None:
        """Handle keys by the command table; other events go to Lab and mouse."""
        if self.lab.typed(event, self.view):
            return
        self.keyboard.key_event(event)
        if self.tools.key(event):
            return
        if event.type == pygame.KEYDOWN:
            if self.keyboard.pointer is not None and event.key == pygame.K_ESCAPE and not self.mouse.armed:
                self.keyboard.toggle()
                return
            if self.keys_shown and event.key == pygame.K_ESCAPE:
                self.keys_shown = 0
                return
            if event.key == pygame.K_ESCAPE and (self.mouse.cancel() or self.plan_mode.drop()):
                return
            if _is_plain_enter(event) and self.keyboard.pointer is None and self._plans() and self.plan_mode.run():
                return
            if _is_plain_enter(event) and self.keyboard.pointer is None and self.why.show_code():
                return
            key = key_of_event(event)
            name = self._command_of(key) if key is not None else None
            if name is not None:
                self.give_command(name)
        elif event.type == pygame.DROPFILE:
            self.tell(f"{event.file}: only Tiled maps, .tmx, are opened here")
        else:
            if event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN):
                self.keyboard.pointer = None
            self.pointed(event)

    def _plans(self) -> bool:
        return self.plan_mode.plan.on or bool(self.plan_mode.plan.units)

    def pointed(self, event: pygame.event.Event) -> None:
        """Handle an event of the mouse or of the pointer that keys move."""
        if (moment := self._moment_pressed(event)) is not None:
            self.return_moment(moment)
        elif not self._lab_takes(event):
            self.mouse.handle(event)

    def _lab_takes(self, event: pygame.event.Event) -> bool:
        """Offer an event to the panels of Lab; return True if it was theirs."""
        panels = (self.timeline, self.tools, self.why)
        if self.view.lab and any(panel.handle(event) for panel in panels):
            return True
        taken = self.lab.handle(event, self.view)
        wanted = technique_of(self.lab.wanted) if self.lab.wanted else None
        self.lab.wanted = ""
        if wanted is not None:
            self.app.open_shown(ROOT / wanted.exhibit, wanted.overlay, wanted.slug)
        return taken

    def _moment_pressed(self, event: pygame.event.Event) -> int | None:
        """Return the index of the clicked moment below the clock, or None."""
        pressed = event.type == pygame.MOUSEBUTTONDOWN and event.button == 1
        return self.moments.at(event.pos) if pressed and self.moments and not self.view.lab else None

    def _command_of(self, key: Key) -> str | None:
        """Return the command of a key.

        Shift queues an order. So with Shift held, an order's own key counts too if the combination has no other
        command.
        """
        keymap = self.app.keymap
        name = keymap.command_of(key)
        if name is None and "Shift" in key.modifiers:
            name = keymap.command_of(Key(key.scancode, key.modifiers - {"Shift"}))
            if name is not None and not BY_NAME[name].target:
                return None
        return name

    def update(self, dt_ms: int) -> None:
        """Run the ticks that are due, move the camera, refresh values."""
        self.keyboard.update(dt_ms)
        if self.travels and not self.shot and self.watch.due(self.app.now_ms):
            self._read_again()
        self.plan_mode.update()
        # Slow time changes when ticks run, never what they do.
        slow = SLOW_SHARE if self.app.now_ms < self.slow_until else 1.0
        try:
            self.timeline.update()
            advanced = self.playing.advance(dt_ms * slow)
        except StageFault as fault:
            self._stop(fault)
            return
        if advanced:
            self.selection.forget_dead(self.playing.picture)
            self.tell_what_happened()
        if self.scene.dark != is_night(self.playing):
            self.new_world(self.playing)  # a setting has changed between day and night
        self.choosing.update_follow()
        self.scene.still = self.app.options.reduced_motion
        self.scene.update(self.playing, dt_ms)
        self.view.marks.forget_old(self.app.now_ms)
        self.view.selected = self.selection.ids
        self.view.every_cone = self.keyboard.holds("cones") and not self.view.lab
        self.stealth.update(self.under is not None and not self.mouse.dragging and not self.shot)
        self.view.show_paths = bool(pygame.key.get_mods() & pygame.KMOD_SHIFT)
        self.mouse.hold()
        self.mouse.hover(dt_ms)
        self.tools.update(dt_ms)
        self._state_age += dt_ms
        if self._state_age >= EVERY_MS:
            self._state_age = 0
            self.fill_state()
            self._look_for_hint()
        self.state.paused = self.playing.clock.paused and not self.shot
        self.state.armed = self.mouse.armed
        self.state.held = "plan" if self.plan_mode.plan.on else ""
        self.hud.arrange(self.state)
        self._show_end()

    def _look_for_hint(self) -> None:
        """Select the hint of the hint panel.

        It is also looked up in a pause, because the selection may change. No hint is shown in an alarm or in plan
        mode. A hint is looked up only at the end of a tick.
        """
        wanted = self.app.options.hints and self.state.alarm != "Alarm" and not self.plan_mode.plan.on
        wanted = wanted and self.timeline.travel.past is None
        if not wanted:
            self.hint = None
        elif self.playing.session.whole:
            self.hint = self.hints.look(self.playing.world, self.selection.ids)

    def fill_state(self) -> None:
        """Update the values of the HUD."""
        size, scale = self.app.window.get_size(), self.app.options.ui_scale
        fill_state(self.state, self.playing, self.selection, self.camera, size, scale)
        group = self.app.start_up.groups["lab"]
        prepared = self.shot or group.ready
        wait = f"being prepared: {group.done} of {group.total}" if group.total else "being prepared"
        self.state.situation = replace(self.state.situation, preparing="" if prepared else wait)

    def tell_what_happened(self) -> None:
        """Show and sound the events since the last call."""
        happenings = self.playing.take_happenings()
        app, scene = self.app, self.scene
        tell(happenings, self.playing, self.view.marks, scene.effects, app.sound, self.camera, app.now_ms)
        note_squads(self.state, happenings, self.playing)
        for fact in happenings:
            if is_news(fact, self.playing):
                self.edge_marks.heard(fact, app.now_ms, place_of(fact, self.playing))
        self.stealth.hear(happenings)
        if scene.figures.book.news:
            self.tell(scene.figures.book.news.pop(0))
        present = not self.shot and self.timeline.travel.past is None
        if present and (wrong := self.autosaver.look(happenings)):
            self.tell(wrong)
        seen = {h.other for h in happenings if own_seen([h], self.playing)} if app.options.slow_when_seen else set()
        if any(app.now_ms >= self.slow_again.get(unit, 0) for unit in seen):
            self.slow_until = app.now_ms + SLOW_MS
        self.slow_again |= dict.fromkeys(seen, app.now_ms + SLOW_AGAIN_MS)
        footsteps(self.playing, self.app.sound, self.camera)

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

    def draw(self, surface: pygame.Surface) -> None:
        """Draw world, overlays, HUD and notices."""
        alpha = self.playing.clock.alpha()
        if self._first_frame:
            self.scene.ground_budget(None)  # all at once: ground that appears late would distract
        self.scene.labels.covered = () if self.view.lab else self.hud.layout.panels
        self.scene.draw_ground(surface, self.camera, self.playing, self.view, alpha)
        self.lab.draw_fills(surface, self.camera, self.playing, self.view)
        self.plan_mode.draw_wash(surface)
        self.stealth.draw_ground(surface)
        self.view.marks.caption_top = self._caption_top()
        rows = self.scene.draw_units(surface, self.camera, self.playing, self.view, alpha, self.app.now_ms)
        self.plan_mode.draw(surface)
        self.stealth.draw_above(surface, rows, alpha)
        self.lab.draw_marks(surface, self.camera, self.playing, self.view, alpha)
        if self.mouse.facing is not None:
            colour = self.app.palette.sides[self.playing.side].colour
            draw_ghosts(surface, self.camera, self.app.palette, self.mouse.facing, colour)
        self.tools.draw_map(surface)
        self.mouse.squad_plan.draw(surface)
        self.timeline.tint(surface)
        self.edge_marks.boxes = []
        if not self.shot and not self.view.lab:
            app = self.app
            taken = [*self.hud.layout.panels, *self.stealth.boxes]
            args = (app.text, self.hud.panels, app.palette, self.sprites, taken)
            self.edge_marks.draw(surface, self.camera, app.now_ms, *args)
        self.draw_panels(surface, rows)
        self.keyboard.draw(surface)
        self._draw_notices(surface)
        if self._first_frame and not self.shot:
            self.scene.ground_budget(1)
        self._first_frame = False

    def draw_panels(self, surface: pygame.Surface, rows: np.ndarray) -> None:
        """Draw the panels of the HUD, or those of Lab."""
        self.hud.draw(surface, self.state, self.playing.picture, self.view.lab)
        if self.view.lab:
            below = self.timeline.draw(surface, lab=True)
            self.lab.panels.beside = self.tools.draw(surface) if self.tools.shows else self.why.draw(surface)
            self.lab.draw_panels(surface, self.camera, self.playing, self.view, self.hud.layout.objective, below)
        else:
            box = self.hud.layout.minimap_box()
            self.minimap.draw(surface, box, self.camera, self.scene.fog, self.playing.picture, rows, 16)
            self.stealth.draw_panels(surface)
            self.plan_mode.draw_banner(surface)
            self.hud.draw_tip(surface, self.state)
            self.mouse.squad_plan.draw_card(surface)
            if self.mouse.words and not self.mouse.dragging:
                colours = self.hud.panels.ink, self.hud.panels.paper
                draw_click_words(surface, self.app.text, self.mouse.pos, self.mouse.words, *colours)
            if self.hint is not None:
                self._draw_hint(surface, self.hint, rows)
            if self.moments is not None:
                self.moments.draw(surface)

    def _draw_hint(self, surface: pygame.Surface, hint: ShownHint, rows: np.ndarray) -> None:
        """Draw the hint panel clear of figures, names, marks and the caption."""
        figures = figures_of(self.camera, self.playing, rows)
        others = [*self.stealth.boxes, *self.edge_marks.boxes, *self.scene.lettering]
        if self.view.marks.caption_box is not None:
            others.append(self.view.marks.caption_box)
        draw_hint(surface, self.app, self.camera, self.hud.layout, hint, figures, others)

    def _draw_notices(self, surface: pygame.Surface) -> None:
        past = self.view.past
        if self.playing.clock.paused and not self.shot and not self.plan_mode.plan.on and not past:
            notices.draw_pause_frame(surface, self.app)
        words = self.notice if self.app.now_ms < self.notice_until else ""
        if not words and past and not self.view.lab:
            words = self.timeline.words_in_play()
        words = words or self.watch.fault
        if words:
            words = self.app.text.shortened("sans_bold", 17, words, surface.get_width() - self.app.text.px(60))
            notices.draw_notice(surface, self.app, words, self._notice_top())
        if self.keys_shown:
            draw_keys_card(surface, self.app, self.sprites, everything=self.keys_shown == 2)

    def _notice_top(self) -> int:
        """Return the interface pixels above a notice.

        It lies below the alarm panel, or below the banner of plan mode.
        """
        return 102 if self.view.lab and self.hud.layout.tight else NOTICE_BELOW if self._plans() else 72

    def _caption_top(self) -> int:
        """Return the interface pixels above the story's caption.

        It lies below the banner and the notice if they are shown.
        """
        if self.notice and self.app.now_ms < self.notice_until:
            return self._notice_top() + notices.HEIGHT
        return max(CAPTION_TOP, self._notice_top()) if self._plans() else CAPTION_TOP

    # Commands

    def tell(self, words: str) -> None:
        """Show one line under the alarm panel for a few seconds."""
        self.notice, self.notice_until = words, self.app.now_ms + NOTICE_MS

    def give_order(self, order: Order) -> bool:
        """Give an order to the plan or to the world.

        Return True for the world. In plan mode the plan takes it.
        """
        if self.plan_mode.take(order):
            return False
        self.playing.give(order)
        return True

    def give_command(self, name: str) -> None:
        """Run a command of the table, or tell why it cannot run."""
        self.commands.give(name)

    def set_lab(self, on: bool) -> None:
        """Change between Play and Lab."""
        self.view.lab = on
        self.plan_mode.leave()
        session = self.timeline.travel.game.session
        if on and not session.lab_used:
            session.lab_used = True
            self.tell("Lab: overlays on F2 to F7; no medal for this run")
        self.lab.entered(on, self.playing)

    def small_picture(self) -> pygame.Surface | None:
        """Return the last frame without a menu above it, reduced; None before the first."""
        if self.app.top is self and not self._first_frame:
            self._small = pygame.transform.smoothscale(self.app.window, SAVE_PICTURE)
        return self._small

    def open_menu(self) -> None:
        """Open the pause menu."""
        self.small_picture()
        self.app.push(PauseScreen(self.app, self))

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


def _is_plain_enter(event: pygame.event.Event) -> bool:
    """Return whether Enter is pressed without a modifier.

    The command's own key works too.
    """
    held = getattr(event, "mod", 0) & (pygame.KMOD_CTRL | pygame.KMOD_ALT | pygame.KMOD_SHIFT)
    return (not held and getattr(event, "scancode", 0) == pygame.KSCAN_RETURN) or event.key == pygame.K_KP_ENTER
