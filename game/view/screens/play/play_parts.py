"""Parts of the play screen that its picture, its worlds and its commands share."""

from __future__ import annotations

import pygame

from game.checks.scripts.hints import HintBook, ShownHint
from game.view.hud.edge_marks import EdgeMarks
from game.view.hud.hud import Hud
from game.view.hud.hud_state import EVERY_MS
from game.view.hud.hud_values import HudState
from game.view.hud.kept_moments import MomentStrip
from game.view.hud.minimap import Minimap
from game.view.input.map_keyboard import Keyboard
from game.view.input.map_mouse import Mouse
from game.view.input.selection import Selection
from game.view.lab.lab_panels import Lab
from game.view.lab.measures.budget_control import Budget
from game.view.lab.sandbox.sandbox_control import Sandbox
from game.view.lab.timeline.future_ghosts import FutureGhosts
from game.view.lab.timeline.timeline_control import Timeline
from game.view.lab.why.why_control import Why
from game.view.painting.camera import Camera
from game.view.scene import Scene, View
from game.view.screens.screen import Screen
from game.view.stealth.plan_mode import PlanMode
from game.view.stealth.stealth_hud import StealthHud
from game.view.units.sprites import Sprites
from game.view.window.app_services import AppServices
from game.view.window.autosaver import Autosaver
from game.view.window.level_watch import LevelWatch
from game.view.window.playing import Playing

NOTICE_MS = 2500


class PlayParts(Screen):
    """Screen with a world, its picture, HUD and Lab.

    ``PlayScreen`` makes the parts that answer mouse and keys, ``PlayWorlds`` those of a world.
    """

    travels = True
    """True if the timeline shows earlier ticks of this screen's game."""
    pans = True
    """True if keys and the window's edge pan the map."""

    playing: Playing
    scene: Scene
    hud: Hud
    minimap: Minimap
    lab: Lab
    autosaver: Autosaver
    hints: HintBook
    mouse: Mouse
    keyboard: Keyboard
    timeline: Timeline
    why: Why
    budget: Budget
    tools: Sandbox
    plan_mode: PlanMode
    stealth: StealthHud

    def __init__(self, app: AppServices, playing: Playing) -> None:
        super().__init__(app)
        self.playing = playing
        self.sprites = Sprites()
        self.view = View()
        self.selection = Selection()
        self.state = HudState()
        self.notice = ""
        self.notice_until = 0
        self.keys_shown = 0
        self.shot = False
        """True for a screenshot: the picture then shows no sign of a pause."""
        width, height = app.window.get_size()
        self.camera = Camera(playing.level.width, playing.level.height, width, height)
        self.edge_marks = EdgeMarks()
        self.watch = LevelWatch(playing.level.path)
        self.moments: MomentStrip | None = None
        self.hint: ShownHint | None = None
        self.hint_box: pygame.Rect | None = None
        """Box of the hint in the frame before, which captions on the map avoid."""
        self._state_age = EVERY_MS
        self._ended_shown = False
        self._first_frame = True
        self.future = FutureGhosts()

    def tell(self, words: str) -> None:
        """Show one line under the alarm panel for a few seconds."""
        self.notice, self.notice_until = words, self.app.now_ms + NOTICE_MS

    def _plans(self) -> bool:
        return self.plan_mode.plan.on or bool(self.plan_mode.plan.units)
