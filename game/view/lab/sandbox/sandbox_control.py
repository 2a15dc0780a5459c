"""Control of the sandbox: the palette, its keys, and the tool in hand."""

from __future__ import annotations

from typing import Protocol

import pygame

from game.view.input.key_bindings import key_of_event
from game.view.lab.sandbox.map_tools import LEFT, MapToolContext, MapTools
from game.view.lab.sandbox.palette_panel import PaletteLook, PalettePanel
from game.view.lab.sandbox.tool_box import BUTTONS, SIZES, TOOLS, ToolBox
from game.view.lab.timeline.timeline_control import Timeline
from game.view.scene import View
from game.view.window.app_services import AppServices
from game.world.orders import Order, OrderKind

NO_TOOL = "Digits choose a tool, Page Down walks the buttons, Enter presses"


class _Panels(Protocol):
    def covers(self, pos: tuple[int, int]) -> bool:
        """Return whether a pixel lies on a panel."""


class SandboxContext(MapToolContext, Protocol):
    """The play screen as the sandbox sees it."""

    view: View
    timeline: Timeline
    travels: bool

    @property
    def app(self) -> AppServices:
        """Services that all screens share."""

    @property
    def lab(self) -> _Panels:
        """Panels of Lab."""

    def tell(self, words: str) -> None:
        """Show one line for a moment."""

    def set_lab(self, on: bool) -> None:
        """Change between Play and Lab."""


class Sandbox:
    """Sandbox tools of one play screen."""

    def __init__(self, play: SandboxContext) -> None:
        self.play = play
        self.open = False
        self.box = ToolBox()
        self.map = MapTools(play, self.box)
        self.panel = PalettePanel(play.app)

    @property
    def shows(self) -> bool:
        """Return whether the palette is drawn."""
        return self.open and self.play.view.lab

    def toggle(self) -> None:
        """Open or shut the palette; it belongs to Lab, which opens too."""
        if not self.play.travels:
            self.play.tell("The sandbox tools work on a level, not in an exhibit")
            return
        self.open = not self.shows
        self.box.tool, self.panel.focus = "", -1
        if self.open:
            self.play.view.why = False
            if not self.play.view.lab:
                self.play.set_lab(True)

    def press(self, name: str) -> None:
        """Press a button of the palette."""
        box = self.box
        if name in TOOLS:
            box.tool = "" if box.tool == name else name
        elif name == "size":
            box.size = SIZES[(SIZES.index(box.size) + 1) % len(SIZES)]
        elif name in ("undo", "redo"):
            self.step(name)
        self.play.app.sound.play("select", at_most_every_ms=60)

    def step(self, name: str) -> None:
        """Take back a stroke or lay it again."""
        if not self.play.view.lab:
            self.play.tell(f"{BUTTONS[name].words} belongs to the sandbox tools of Lab")
        elif self._in_the_present():
            clock = self.play.playing.clock
            self.play.give_order(Order(int(OrderKind.PAINT), name=name))
            clock.steps = max(clock.steps, int(clock.paused))

    def _in_the_present(self) -> bool:
        """Return whether the world may be changed, and say so if not."""
        if self.play.timeline.travel.past is None:
            return True
        self.play.tell(f"This is the past: {self.play.app.keymap.label('time_branch')} goes on from here")
        return False

    # Input

    def key(self, event: pygame.event.Event) -> bool:
        """Handle a key; return True if the open palette took it."""
        if not self.shows or event.type != pygame.KEYDOWN:
            return False
        key = key_of_event(event)
        if key is None or key.modifiers:
            return False
        name = next((b.name for b in BUTTONS.values() if b.key == str(key)), "")
        if name:
            self.press(name)
        elif str(key) in ("PageDown", "PageUp"):
            self.panel.move_focus(1 if str(key) == "PageDown" else -1)
        elif str(key) == "Enter" and self.panel.focused:
            self.press(self.panel.focused)
        elif str(key) == "Esc" and (self.box.tool or self.panel.focused):
            self.box.tool, self.panel.focus = "", -1
        else:
            return False
        return True

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle mouse and buttons; return True if the sandbox took the event."""
        if not self.shows:
            return False
        pressed = self.panel.handle(event)
        if pressed is not None:
            if pressed:
                self.press(pressed)
            return True
        if not self.box.tool:
            return False
        pressed_down = event.type == pygame.MOUSEBUTTONDOWN
        if pressed_down and self.play.lab.covers(event.pos):
            return False
        if pressed_down and event.button == LEFT and not self._in_the_present():
            return True
        return self.map.handle(event)

    # Picture

    def update(self, dt_ms: int) -> None:
        """Bring the palette up to date."""
        self.play.view.tool = self.box.tool if self.shows else ""
        if self.shows:
            self.panel.update(dt_ms, self._look())

    def _look(self) -> PaletteLook:
        work, box = self.play.playing.world.brushwork, self.box
        off = {name for name, strokes in (("undo", work.done), ("redo", work.undone)) if not strokes}
        words = {button.name: box.words(button) for button in BUTTONS.values()}
        return PaletteLook(words, frozenset({box.tool}), frozenset(off), self._status())

    def _status(self) -> str:
        """Return a line about the tool in hand."""
        button = BUTTONS.get(self.box.tool)
        if button is None:
            return NO_TOOL
        return f"{button.tip or button.words}. Right button: put it down"

    def draw_map(self, surface: pygame.Surface) -> None:
        """Draw what the tool in hand would change."""
        if self.shows and not self.play.lab.covers(self.map.pos):
            self.map.draw(surface)

    def draw(self, surface: pygame.Surface) -> pygame.Rect:
        """Draw the palette; return its box, which is empty while it is shut."""
        if not self.shows:
            return pygame.Rect(0, 0, 0, 0)
        self.panel.draw(surface, self._look(), self.play.app.keymap.label("tools"))
        return self.panel.box
