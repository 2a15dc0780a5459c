"""Play screen: world, HUD, Lab, and the commands that they share."""

from __future__ import annotations

from dataclasses import replace

import pygame

from game.view.exhibits.gallery_rows import ROOT, technique_of
from game.view.hud.feedback import footsteps, is_news, own_seen, place_of, tell
from game.view.hud.hud_state import EVERY_MS, fill_state
from game.view.hud.squad_card import note_squads
from game.view.input.command_table import BY_NAME
from game.view.input.key_bindings import Key, key_of_event
from game.view.input.map_keyboard import Keyboard
from game.view.input.map_mouse import Mouse
from game.view.input.order_input import Under
from game.view.input.play_commands import PlayCommands
from game.view.input.unit_choice import Choosing
from game.view.lab.finder.entries_of_play import entries_of_play
from game.view.lab.finder.finder_entry import FinderEntry
from game.view.lab.measures.budget_control import Budget
from game.view.lab.sandbox.sandbox_control import Sandbox
from game.view.lab.timeline.timeline_control import Timeline
from game.view.lab.why.why_control import Why
from game.view.scene import is_night
from game.view.screens.compare.what_if_screen import WhatIfScreen
from game.view.screens.play.pause_screen import PauseScreen
from game.view.screens.play.play_picture import PlayPicture
from game.view.screens.play.play_worlds import PlayWorlds
from game.view.stealth.plan_mode import PlanMode
from game.view.stealth.stealth_hud import StealthHud
from game.view.window.app_services import AppServices
from game.view.window.playing import Playing
from game.world.faults import StageFault
from game.world.orders import Order

SLOW_MS, SLOW_SHARE = 600, 0.25
"""Duration in ms and relative speed of slow time.

It starts when a guard identifies a unit of yours. An option turns it off.
"""
SLOW_AGAIN_MS = 8000
"""Milliseconds in which identifying the same unit again does not slow time.

Without this limit a fight would be slowed again and again.
"""


class PlayScreen(PlayPicture, PlayWorlds):
    """Screen of one level in play."""

    def __init__(self, app: AppServices, playing: Playing, overlay: str = "") -> None:
        super().__init__(app, playing)
        self.under: Under | None = None
        self.mouse = Mouse(self)
        self.keyboard = Keyboard(self)
        self.slow_until = 0
        self.slow_again: dict[int, int] = {}
        """Time in ms from which identifying a unit slows time again.

        The keys are unit ids.
        """
        self.choosing = Choosing(self)
        self.timeline = Timeline(self, playing)
        self.why = Why(self)
        self.budget = Budget(self)
        self.tools = Sandbox(self)
        self.commands = PlayCommands(self)
        self.plan_mode = PlanMode(self)
        self.stealth = StealthHud(self)
        self.new_world(playing, look=True)
        if overlay:
            self.set_lab(True)
            self.lab.show(overlay)

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

    def pointed(self, event: pygame.event.Event) -> None:
        """Handle an event of the mouse or of the pointer that keys move."""
        if (moment := self._moment_pressed(event)) is not None:
            self.return_moment(moment)
        elif not self._lab_takes(event):
            self.mouse.handle(event)

    def _lab_takes(self, event: pygame.event.Event) -> bool:
        """Offer an event to the panels of Lab; return True if it was theirs."""
        panels = (self.timeline, self.tools, self.budget, self.why)
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
        self.budget.update()
        self.why.update()
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

    def compare(self) -> None:
        """Choose one change and see both futures of this game side by side.

        They go on from the tick that the timeline shows.
        """
        if not self.timeline.records:
            return
        while self.timeline.travel.target >= 0:
            self.timeline.travel.advance_seek()
        self.set_lab(True)
        self.playing.clock.paused = True
        self.app.push(WhatIfScreen(self.app, self))

    def offers(self, typed: str) -> list[FinderEntry]:
        """Return commands, overlays and settings for the finder."""
        return entries_of_play(self, self.app.keymap, typed)

    def open_menu(self) -> None:
        """Open the pause menu."""
        self.small_picture()
        self.app.push(PauseScreen(self.app, self))


def _is_plain_enter(event: pygame.event.Event) -> bool:
    """Return whether Enter is pressed without a modifier.

    The command's own key works too.
    """
    held = getattr(event, "mod", 0) & (pygame.KMOD_CTRL | pygame.KMOD_ALT | pygame.KMOD_SHIFT)
    return (not held and getattr(event, "scancode", 0) == pygame.KSCAN_RETURN) or event.key == pygame.K_KP_ENTER
