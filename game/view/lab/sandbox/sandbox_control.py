"""Control of the sandbox: the palette, its keys, and the tool in hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

import numpy as np
import pygame

from game.level.model import SIDES
from game.minds.mind_turns import skills_of
from game.systems.sandbox.path_test import RADII
from game.systems.sandbox.unit_verbs import VERBS
from game.view.input.key_bindings import key_of_event
from game.view.input.selection import Selection
from game.view.lab.sandbox.map_tools import LEFT, MapToolContext, MapTools
from game.view.lab.sandbox.palette_panel import PaletteLook, PalettePanel
from game.view.lab.sandbox.path_test_view import draw_plate, draw_test
from game.view.lab.sandbox.save_map_screen import SaveMapScreen
from game.view.lab.sandbox.tool_box import AT_ONCE, BUTTONS, COUNTS, SIZES, SWITCHES, TOOLS, ToolBox
from game.view.lab.timeline.timeline_control import Timeline
from game.view.scene import Scene, View
from game.view.window.app_services import AppServices
from game.world.orders import Order, OrderKind

T = TypeVar("T")

MOST_WORDS = 60
"""Units whose marks are named; more could not be read."""
TOP = 112
"""Interface pixels above the plate of a path test: badge and objective stand there."""
NO_TOOL = "Digits choose a tool, Page Down walks the buttons, Enter presses"


class _Panels(Protocol):
    def covers(self, pos: tuple[int, int]) -> bool:
        """Return whether a pixel lies on a panel."""


class SandboxContext(MapToolContext, Protocol):
    """The play screen as the sandbox sees it."""

    view: View
    scene: Scene
    timeline: Timeline
    travels: bool

    @property
    def selection(self) -> Selection:
        """Selected units."""

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


def _next(values: Sequence[T], value: T) -> T:
    """Return the value after one; the row goes round.

    For an unknown value it is the first.
    """
    at = list(values).index(value) if value in values else -1
    return values[(at + 1) % len(values)]


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
            self.play.view.why = self.play.view.budget = False
            if not self.play.view.lab:
                self.play.set_lab(True)

    def press(self, name: str) -> None:
        """Press a button of the palette."""
        box = self.box
        if name in TOOLS:
            box.tool = "" if box.tool == name else name
        elif name == "size":
            box.size = _next(SIZES, box.size)
        elif name in ("undo", "redo"):
            self.step(name)
        elif name == "side":
            box.side = (box.side + 1) % len(SIDES)
        elif name == "kind":
            box.kind = _next([t.name for t in self.play.playing.world.types], box.kind)
        elif name == "count":
            box.count = _next(COUNTS, box.count)
        elif name == "radius":
            box.radius = _next(RADII, box.radius)
            self.map.retest()
        elif name == "clear":
            self.map.start = self.map.test = None
        elif name == "save":
            self._save()
        elif name == "play_as":
            self._play_next_side()
        elif name == "skill":
            self._next_skill()
        elif self._in_the_present():
            self._change_selected(name)
        self.play.app.sound.play("select", at_most_every_ms=60)

    def _change_selected(self, name: str) -> None:
        """Give a verb to the selected units."""
        if name in SWITCHES:
            u, mark = self.play.playing.world.units, VERBS[name].mark
            assert mark is not None, "a verb that is switched has a mark"
            slots = u.slots(self.play.selection.ids)
            self.map.verb(name, float(bool((u.lab[slots] & int(mark) == 0).any())))
        elif name in AT_ONCE:
            self.map.verb(name)
        elif name == "side_of":
            self.map.verb("side", -1.0)
        elif name == "state":
            if not self.box.skill:
                self._next_skill()
            self.map.verb("state", text=self.box.skill)

    def _next_skill(self) -> None:
        """Choose the next skill of the first selected unit's mind."""
        units, world = self.play.selection.ids, self.play.playing.world
        if units:
            self.box.skill = _next(skills_of(world, world.units.slot(units[0])), self.box.skill)
        else:
            self.play.tell("Select units first: their minds have the skills")

    def _save(self) -> None:
        """Ask for a path and save the present map there."""
        playing = self.play.timeline.travel.game
        told = self.play.tell
        self.play.app.push(SaveMapScreen(self.play.app, playing, lambda path: told(f"Saved: {path}")))

    def _play_next_side(self) -> None:
        """Command the next side that has units, and see what it sees."""
        playing = self.play.playing
        p = playing.picture
        sides = [side for side in range(len(SIDES)) if len(p.living(side)) or side == playing.side]
        playing.side = _next(sides, playing.side)
        self.play.selection.choose([])
        self.play.scene.look_again(playing)
        self.play.tell(f"You command the {SIDES[playing.side]}")

    def step(self, name: str) -> None:
        """Take back a stroke or lay it again."""
        if not self.play.view.lab:
            self.play.tell(f"{BUTTONS[name].words} belongs to the sandbox tools of Lab")
        elif self._in_the_present():
            self.map.give(Order(int(OrderKind.PAINT), name=name))

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
        return PaletteLook(words, frozenset({box.tool, *self._marks()}), frozenset(off), self._status())

    def _marks(self) -> list[str]:
        """Return the switches that are on for all selected units."""
        u, ids = self.play.playing.world.units, self.play.selection.ids
        if not ids:
            return []
        common = int(np.bitwise_and.reduce(u.lab[u.slots(ids)]))
        return [name for name in SWITCHES if common & int(VERBS[name].mark or 0)]

    def _status(self) -> str:
        """Return a line about the tool in hand."""
        button = BUTTONS.get(self.box.tool)
        if button is None:
            return NO_TOOL
        return f"{button.tip or button.words}. Right button: put it down"

    def draw_map(self, surface: pygame.Surface) -> None:
        """Draw what the tool in hand would change."""
        if self.play.view.lab:
            self._draw_marks(surface)
        if not self.shows:
            return
        if self.map.test is not None or self.map.start is not None:
            draw_test(surface, self.play.camera, self.play.app, self.map.start, self.map.test)
        if not self.play.lab.covers(self.map.pos):
            self.map.draw(surface)

    def _draw_marks(self, surface: pygame.Surface) -> None:
        """Name the marks of Lab under units that have some."""
        world, p, camera, app = self.play.playing.world, self.play.playing.picture, self.play.camera, self.play.app
        u, n = world.units, min(len(p), world.units.count)
        for r in np.flatnonzero((u.lab[:n] != 0) & (u.alive[:n] == 1)).tolist()[:MOST_WORDS]:
            words = ", ".join(v.words for v in VERBS.values() if v.mark is not None and u.lab[r] & int(v.mark))
            x, y = camera.to_screen(float(p.x[r]), float(p.y[r]))
            if words and surface.get_rect().collidepoint(x, y):
                at = (x, y + camera.zoom // 2 + 2)
                app.text.draw(surface, at, words, app.palette["ink"], "sans_bold", 14, "midtop", app.palette["rim"])

    def draw(self, surface: pygame.Surface) -> pygame.Rect:
        """Draw the palette; return its box, which is empty while it is shut."""
        if not self.shows:
            return pygame.Rect(0, 0, 0, 0)
        self.panel.draw(surface, self._look(), self.play.app.keymap.label("tools"))
        if self.map.test is not None:
            text, bar = self.panel.text, self.play.timeline.panel.box
            top, floor = text.px(TOP), bar.top if bar.height else surface.get_height()
            gap = text.px(14)
            room = pygame.Rect(gap, top, self.panel.box.left - 2 * gap, floor - gap - top)
            draw_plate(surface, self.play.camera, self.play.app, text, self.map.test, room)
        return self.panel.box
