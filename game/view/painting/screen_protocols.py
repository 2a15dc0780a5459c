"""Protocols of the play screen for its parts.

So no part imports the screen or the app.
"""

from __future__ import annotations

from typing import Any, Protocol

import pygame

from game.view.hud.hud_layout import HudLayout
from game.view.hud.hud_values import HudState
from game.view.hud.kept_moments import MomentStrip
from game.view.light.fog import FogMask
from game.view.painting.camera import Camera
from game.view.painting.painter_services import PainterServices
from game.view.painting.paper_panels import Panels
from game.view.stealth.meter_breakdown import MeterBreakdown
from game.view.stealth.watcher_marks import WatchPainter
from game.view.units.figures import FigurePainter
from game.view.units.order_marks import Marks
from game.view.units.sprites import Sprites
from game.view.units.unit_labels import LabelPlacer
from game.view.window.playing import Playing


class _Hud(Protocol):
    panels: Panels
    layout: HudLayout


class _Scene(Protocol):
    figures: FigurePainter
    labels: LabelPlacer
    eyes: WatchPainter
    fog: FogMask

    def night(self, view: Any) -> bool:
        """Return whether the ground is shown at night."""


class _View(Protocol):
    lab: bool
    hovered: int
    marks: Marks


class _Mouse(Protocol):
    armed: str

    @property
    def pos(self) -> tuple[int, int]:
        """Pixel under the cursor."""

    @property
    def dragging(self) -> bool:
        """True while a button is held on the map."""


class _Chosen(Protocol):
    ids: tuple[int, ...]


class PlayContext(Protocol):
    """Part of the play screen that its parts use."""

    playing: Playing
    camera: Camera
    sprites: Sprites

    @property
    def app(self) -> PainterServices:
        """Services that all screens share."""

    @property
    def hud(self) -> _Hud:
        """The panels of the HUD."""

    @property
    def scene(self) -> _Scene:
        """The picture of the world."""

    @property
    def view(self) -> _View:
        """State of the view besides the world."""

    @property
    def selection(self) -> _Chosen:
        """The selected units."""

    @property
    def mouse(self) -> _Mouse:
        """The mouse on the map."""

    def tell(self, words: str) -> None:
        """Show one line for a few seconds."""


class _Stealth(Protocol):
    @property
    def breakdown(self) -> MeterBreakdown:
        """Breakdown of the detection meters."""


class _Travel(Protocol):
    game: Playing
    """Game of the present."""


class _Timeline(Protocol):
    @property
    def records(self) -> bool:
        """True if earlier ticks of the game can be shown."""

    @property
    def travel(self) -> _Travel:
        """Time travel of the play screen."""

    def arrange(self, lab: bool) -> pygame.Rect:
        """Arrange the panel; return its box."""

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle an event of the mouse; return True if it was the panel's."""

    def update(self) -> None:
        """Go on to the tick that is sought."""

    def draw(self, surface: pygame.Surface, lab: bool) -> pygame.Rect:
        """Draw the panel; return its box."""


class PlayedLevel(Protocol):
    """Part of the play screen that the menus above it use."""

    playing: Playing
    moments: MomentStrip | None
    state: HudState

    @property
    def timeline(self) -> _Timeline:
        """The timeline of the game."""

    @property
    def stealth(self) -> _Stealth:
        """The stealth part of the HUD."""

    def tell(self, words: str) -> None:
        """Show one line for a few seconds."""

    def small_picture(self) -> pygame.Surface | None:
        """Return the last frame of play, reduced."""

    def new_world(self, playing: Playing, look: bool = False) -> None:
        """Show another world."""

    def restart(self, at_once: bool = False) -> None:
        """Start the level again; without ``at_once`` it may ask first."""

    def return_moment(self, which: int = -1) -> None:
        """Return to a kept moment."""
