"""Protocols of the app for its screens: shared services and the stack of screens."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import pygame

from game.view.input.key_bindings import KeyMap
from game.view.lab.finder.finder_entry import FinderEntry
from game.view.painting.painter_services import PainterServices
from game.view.painting.window_recorder import WindowRecorder
from game.view.window.sound import Sound
from game.view.window.start_up import StartUp


class AnyScreen(Protocol):
    """A screen as the stack sees it: it takes events, advances and draws."""

    @property
    def see_through(self) -> bool:
        """Return whether the next screen below is drawn too."""

    @property
    def finds(self) -> bool:
        """Return whether the finder may open over it now."""

    def enter(self) -> None:
        """Come to the top of the stack."""

    def leave(self) -> None:
        """Leave the stack."""

    def resize(self) -> None:
        """Take another window size or interface scale."""

    def handle(self, event: pygame.event.Event) -> None:
        """Take one event."""

    def update(self, dt_ms: int) -> None:
        """Advance by real time in milliseconds."""

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the whole window."""

    def offers(self, typed: str) -> list[FinderEntry]:
        """Return what the finder can do on this screen."""


class Painted(Protocol):
    """A picture behind menus."""

    def draw(self, surface: pygame.Surface) -> None:
        """Fill the window."""


class AppServices(PainterServices, Protocol):
    """Services and screen stack that the app gives to every screen."""

    problems: list[str]
    start_up: StartUp
    recorder: WindowRecorder
    running: bool

    @property
    def keymap(self) -> KeyMap:
        """Return the bindings of commands to keys."""

    @property
    def sound(self) -> Sound:
        """Return the sound player."""

    @property
    def backdrop(self) -> Painted:
        """Return the paper behind menus."""

    @property
    def top(self) -> AnyScreen | None:
        """Return the screen that gets events."""

    def push(self, screen: AnyScreen) -> None:
        """Put a screen on top."""

    def pop(self) -> None:
        """Take the top screen off; the window closes with the last one."""

    def replace(self, screen: AnyScreen) -> None:
        """Put a screen in place of the top one."""

    def open_shown(self, path: Path, overlay: str = "", technique: str = "", beside: bool = False) -> None:
        """Open the exhibit of a technique on top, alone or side by side.

        A level without that exhibit opens in Lab with the overlay.
        """

    def open_tours(self, name: str = "") -> None:
        """Open the list of tours, and start the tour of this name."""

    def find_anything(self) -> None:
        """Open the finder over the present screen."""

    def set_volumes(self) -> None:
        """Take the volumes of the options."""

    def apply_options(self) -> None:
        """Take the changed options and write them to their file."""

    def keep_options(self) -> None:
        """Write the options to their file."""
