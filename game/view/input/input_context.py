"""Protocols of the play screen for mouse, keyboard and commands.

None of them imports the screen, so that there is no circular import.
"""

from __future__ import annotations

from typing import Protocol

import pygame

from game.view.hud.edge_marks import EdgeMarks
from game.view.hud.hud import Hud
from game.view.hud.hud_values import HudState
from game.view.hud.minimap import Minimap
from game.view.input.order_input import Under
from game.view.input.selection import Selection
from game.view.input.unit_choice import Choosing
from game.view.lab.lab_panels import Lab
from game.view.lab.measures.budget_control import Budget
from game.view.lab.sandbox.sandbox_control import Sandbox
from game.view.lab.timeline.timeline_control import Timeline
from game.view.lab.why.why_control import Why
from game.view.painting.camera import Camera
from game.view.scene import Scene, View
from game.view.stealth.plan_mode import PlanMode
from game.view.units.sprites import Sprites
from game.view.window.app_services import AppServices
from game.view.window.playing import Playing
from game.world.orders import Order


class _Cursor(Protocol):
    armed: str
    cursor: str

    @property
    def dragging(self) -> bool:
        """Return True while a button is held on the map."""


class _Pointer(Protocol):
    def toggle(self) -> None:
        """Show or hide the pointer."""

    def click(self, button: int) -> None:
        """Press a mouse button at the pointer."""


class InputContext(Protocol):
    """Part of the play screen that every kind of input reads."""

    app: AppServices
    playing: Playing
    camera: Camera
    selection: Selection
    view: View
    state: HudState

    def tell(self, words: str) -> None:
        """Show one line for a few seconds."""

    def give_order(self, order: Order) -> bool:
        """Give an order to the plan or to the world.

        Return True for the world.
        """


class KeyboardContext(Protocol):
    """Part of the play screen that the keyboard uses."""

    app: AppServices
    playing: Playing
    camera: Camera
    selection: Selection
    sprites: Sprites
    pans: bool

    @property
    def mouse(self) -> _Cursor:
        """Return the mouse; the pointer is drawn with its cursor."""

    def pointed(self, event: pygame.event.Event) -> None:
        """Handle an event of the mouse or of the pointer that keys move."""


class MouseContext(InputContext, Protocol):
    """Part of the play screen that the mouse uses."""

    hud: Hud
    lab: Lab
    minimap: Minimap
    scene: Scene
    sprites: Sprites
    choosing: Choosing
    plan_mode: PlanMode
    why: Why
    under: Under | None

    def give_command(self, name: str) -> None:
        """Run a command of the table, or tell why it cannot run."""


class CommandContext(InputContext, Protocol):
    """Part of the play screen that the command table uses."""

    edge_marks: EdgeMarks
    hud: Hud
    scene: Scene
    lab: Lab
    choosing: Choosing
    plan_mode: PlanMode
    keys_shown: int
    timeline: Timeline
    why: Why
    budget: Budget
    tools: Sandbox

    @property
    def mouse(self) -> _Cursor:
        """Return the mouse, which holds the armed command."""

    @property
    def keyboard(self) -> _Pointer:
        """Return the keyboard, which moves the pointer."""

    def fill_state(self) -> None:
        """Update the values of the HUD."""

    def set_lab(self, on: bool) -> None:
        """Change between Play and Lab."""

    def open_menu(self) -> None:
        """Open the pause menu."""

    def compare(self) -> None:
        """Show this game side by side with one change."""

    def small_picture(self) -> pygame.Surface | None:
        """Return the last frame of play, reduced."""

    def restart(self, at_once: bool = False) -> None:
        """Start the level again; without ``at_once`` it may ask first."""

    def new_world(self, playing: Playing, look: bool = False) -> None:
        """Show another world."""

    def keep_moment(self) -> None:
        """Keep a snapshot of this moment."""

    def return_moment(self, which: int = -1) -> None:
        """Return to a kept moment."""
