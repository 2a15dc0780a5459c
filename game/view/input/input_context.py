"""Protocols of the play screen as mouse, keyboard and commands see it; none of them imports the screen."""

from __future__ import annotations

from typing import Protocol

import pygame

from game.view.hud.hud import Hud
from game.view.hud.hud_values import HudState
from game.view.hud.minimap import Minimap
from game.view.input.order_input import Under
from game.view.input.selection import Selection
from game.view.input.unit_choice import Choosing
from game.view.lab.lab_panels import Lab
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
        """Whether a button is held on the map."""


class _Pointer(Protocol):
    def toggle(self) -> None:
        """Show the pointer, or put it away."""

    def click(self, button: int) -> None:
        """Press a mouse button where the pointer is."""


class InputContext(Protocol):
    """State that every kind of input reads."""

    app: AppServices
    playing: Playing
    camera: Camera
    selection: Selection
    view: View
    state: HudState

    def tell(self, words: str) -> None:
        """Show one line for a moment."""

    def give_order(self, order: Order) -> bool:
        """Give an order to the plan or to the world; True for the world."""


class KeyboardContext(Protocol):
    """The play screen as the keyboard sees it."""

    app: AppServices
    playing: Playing
    camera: Camera
    selection: Selection
    sprites: Sprites
    pans: bool

    @property
    def mouse(self) -> _Cursor:
        """The mouse, whose cursor the pointer shows."""

    def pointed(self, event: pygame.event.Event) -> None:
        """Take a mouse event, or one of the pointer that keys move."""


class MouseContext(InputContext, Protocol):
    """The play screen as the mouse sees it."""

    hud: Hud
    lab: Lab
    minimap: Minimap
    scene: Scene
    sprites: Sprites
    choosing: Choosing
    plan_mode: PlanMode
    under: Under | None

    def give_command(self, name: str) -> None:
        """Run a command of the table, or tell the reason against it."""


class CommandContext(InputContext, Protocol):
    """The play screen as the command table sees it."""

    lab: Lab
    choosing: Choosing
    plan_mode: PlanMode
    keys_shown: int

    @property
    def mouse(self) -> _Cursor:
        """The mouse, which holds the armed command."""

    @property
    def keyboard(self) -> _Pointer:
        """The pointer that keys move."""

    def fill_state(self) -> None:
        """Bring the values of the HUD up to date."""

    def set_lab(self, on: bool) -> None:
        """Change between Play and Lab."""

    def open_menu(self) -> None:
        """Open the pause menu."""

    def restart(self, at_once: bool = False) -> None:
        """Start the level again."""

    def keep_moment(self) -> None:
        """Keep this moment."""

    def return_moment(self, which: int = -1) -> None:
        """Go back to a kept moment."""
