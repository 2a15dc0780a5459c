"""Choice of one change, whose two futures are shown side by side."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any, Protocol

import pygame
import pygame_gui

from game.checks.comparing.comparison import Comparison, Value
from game.checks.comparing.what_if import Change, next_order_of, what_if
from game.sim.timeline.viewing_copy import ViewingCopy
from game.view.hud.hud_values import clock_words
from game.view.lab.lab_panels import Lab
from game.view.lab.timeline.timeline_control import Timeline
from game.view.painting.camera import Camera
from game.view.screens.compare.compare_screen import CompareScreen, Comparing, setting_words
from game.view.screens.list_box import ListBox, ListRow
from game.view.screens.screen import MenuScreen
from game.view.window.app_services import AppServices
from game.view.window.playing import Playing
from game.world.orders import NEEDS_POINT, Order, OrderKind
from game.world.settings import choices_of, parse_value, set_value, value_of, walk_settings

WITHOUT, ELSEWHERE, GO, STOP = "without", "elsewhere", "go", "stop"
"""Changes of one order.

The next one is left out or led elsewhere, or a new one is given at the cursor.
"""
PLACED = ELSEWHERE, GO
"""Changes that take a place."""
TOLD = {
    WITHOUT: "The order is left out", ELSEWHERE: "Its place in the other future", GO: "Its place in the other future",
    STOP: "It stops in the other future",
}  # fmt: skip
MOST_UNITS = 8
"""Selected units whose orders are listed."""


class _Selected(Protocol):
    @property
    def ids(self) -> tuple[int, ...]:
        """Selected unit ids."""


class ComparedGame(Protocol):
    """The play screen as its comparison sees it."""

    playing: Playing
    timeline: Timeline
    lab: Lab
    camera: Camera

    @property
    def selection(self) -> _Selected:
        """Selected units."""


class WhatIfScreen(MenuScreen):
    """List of settings, and of orders of the selected units."""

    see_through = True
    need = (900, 620)

    def __init__(self, app: AppServices, play: ComparedGame) -> None:
        super().__init__(app)
        self.play = play
        self.message = ""
        self.words = ""
        self.chosen = ""
        self.value = ""
        travel = play.timeline.travel
        travel.game.whole()
        self.game = travel.game.session
        self.game.remember()
        self.tick = travel.shown
        self.list: ListBox
        self.find: Any = None
        self.entry: Any = None

    def build(self) -> None:
        """Build the search line, the list, the value and the buttons."""
        px = self.text.px
        self.panel = pygame.Rect(0, 0, px(860), px(580))
        self.panel.center = self.app.window.get_rect().center
        left, wide = self.panel.x + px(24), self.panel.width - px(48)
        entry = pygame_gui.elements.UITextEntryLine
        self.find = entry(pygame.Rect(left, self.panel.y + px(86), wide, px(34)), self.manager, initial_text=self.words)
        box = pygame.Rect(left, self.panel.y + px(128), wide, px(316))
        self.list = ListBox(self.app, self.text, box, self.rows(), (0.0, 0.34, 0.48), self.chosen)
        y = box.bottom + px(10)
        self.entry = entry(
            pygame.Rect(left + px(330), y, wide - px(330), px(34)), self.manager, initial_text=self.value
        )
        self.stops = [self.find, self.list, self.entry]
        y = self.panel.bottom - px(64)
        here, start = f"From {clock_words(self.tick)} on", "From the start"
        self.button(pygame.Rect(left, y, px(190), px(42)), here, self.from_here)
        self.button(pygame.Rect(left + px(204), y, px(190), px(42)), start, self.from_start)
        self.button(pygame.Rect(self.panel.right - px(24 + 130), y, px(130), px(42)), "Back", self.app.pop)

    def rows(self) -> list[ListRow]:
        """Return the rows that the search words let through, orders of selected units first."""
        words = self.words.lower().split()
        found = []
        for unit in self.play.selection.ids[:MOST_UNITS]:
            name, at = self.game.world.name_of(unit), next_order_of(self.game, unit, self.tick)
            if at >= 0:
                tick, order = self.game.log[at]
                kind, when = OrderKind(order.kind), clock_words(tick)
                found.append(ListRow(_key(WITHOUT, unit), (f"{name} without its next order", when, _word(kind))))
                if kind in NEEDS_POINT:
                    found.append(ListRow(_key(ELSEWHERE, unit), (f"{name} ordered elsewhere", when, _word(kind))))
            now = clock_words(self.tick)
            found.append(ListRow(_key(GO, unit), (f"{name} goes elsewhere", now, "a new order: move")))
            found.append(ListRow(_key(STOP, unit), (f"{name} stops", now, "a new order: stop")))
        for name, value, doc in walk_settings(self.game.world.settings):
            found.append(ListRow(name, (name, _shown(value), doc)))
        return [row for row in found if all(word in " ".join(row.cells).lower() for word in words)]

    def handle(self, event: pygame.event.Event) -> None:
        """Handle the search line and the value besides the widgets."""
        super().handle(event)
        if event.type == pygame_gui.UI_TEXT_ENTRY_CHANGED and event.ui_element is self.find:
            self.words = event.text
            self.list.set_rows(self.rows(), self.chosen)
        elif event.type == pygame_gui.UI_TEXT_ENTRY_CHANGED and event.ui_element is self.entry:
            self.value = event.text
        elif event.type == pygame_gui.UI_TEXT_ENTRY_FINISHED and event.ui_element is self.entry:
            self.from_here()

    def list_moved(self, box: ListBox, what: str) -> None:
        """Take the chosen row and propose another value for it."""
        self.chosen, self.message = box.chosen, ""
        kind, unit = _parts(self.chosen)
        if kind in PLACED:
            x, y = self._place(kind, unit)
            self.value = f"{x:.1f}, {y:.1f}"
        else:
            self.value = "" if kind else _shown(self._another())
        self.entry.set_text(self.value)
        if what == "opened":
            self.from_here()

    def _place(self, kind: str, unit: int) -> tuple[float, float]:
        """Return the proposed place: that of the next order, or of the unit."""
        if kind == ELSEWHERE:
            order = self.game.log[next_order_of(self.game, unit, self.tick)][1]
            return order.x, order.y
        picture = self.play.playing.picture
        row = picture.row_of[unit]
        return float(picture.x[row]), float(picture.y[row])

    def _another(self) -> Value:
        """Return a value that the chosen setting does not have now."""
        settings = self.game.world.settings
        value, choices = value_of(settings, self.chosen), choices_of(settings, self.chosen)
        if choices:
            return choices[(choices.index(value) + 1) % len(choices)] if value in choices else choices[0]
        if isinstance(value, bool):
            return not value
        return value if isinstance(value, str) else value * 2 or type(value)(1)

    def change(self) -> Change:
        """Return the chosen change; ValueError in one line if it is none."""
        if not self.chosen:
            raise ValueError("Choose a setting, or an order of a selected unit")
        kind, unit = _parts(self.chosen)
        if kind:
            return self._change_of_order(kind, unit)
        tree = copy.deepcopy(self.game.world.settings)
        value = parse_value(tree, self.chosen, self.value.strip())
        set_value(tree, self.chosen, value)
        return Change(self.chosen, value)

    def _change_of_order(self, kind: str, unit: int) -> Change:
        """Return the chosen change of an order.

        Raises ValueError in one line for a wrong place.
        """
        left_out = next_order_of(self.game, unit, self.tick) if kind in (WITHOUT, ELSEWHERE) else -1
        if kind == WITHOUT:
            return Change(unit=unit, left_out=left_out)
        units = self.game.world.units
        side = int(units.side[units.slot(unit)])
        if kind == STOP:
            return Change(unit=unit, order=Order(int(OrderKind.STOP), side, (unit,)))
        x, y = read_place(self.value, self.game.level.width, self.game.level.height)
        if kind == GO:
            return Change(unit=unit, order=Order(int(OrderKind.MOVE), side, (unit,), x, y))
        order = replace(self.game.log[left_out][1], units=(unit,), x=x, y=y)
        return Change(unit=unit, left_out=left_out, order=order)

    def from_here(self) -> None:
        """Compare both futures from the tick that the timeline shows."""
        self.open(self.tick)

    def from_start(self) -> None:
        """Compare both games from the first recorded tick."""
        history = self.game.history
        self.open(max(history.first, 0) if history is not None else self.tick)

    def open(self, tick: int) -> None:
        """Open both futures from a tick, or say in one line what is wrong."""
        try:
            change = self.change()
            made = ViewingCopy(self.game)
            made.seek(tick)
            # A new order enters at the cursor, from wherever both futures are shown.
            setup = what_if(self.game, tick if change.setting else self.tick, change)
            comparison = Comparison.go_on(setup, made.session)
        except ValueError as error:
            self.message = str(error)
            return
        camera, ids = self.play.camera, self.play.selection.ids
        overlays = tuple(o.name for o in self.play.lab.overlays.on)
        told = Comparing(
            f"What if, from {clock_words(tick)}?",
            f"{self.game.level.name}, seed {self.game.seed}, the recorded orders",
            self._names(change), overlays, (camera.x, camera.y, camera.zoom), ids,
        )  # fmt: skip
        self.app.replace(CompareScreen(self.app, setup, told, comparison))

    def _names(self, change: Change) -> tuple[str, str]:
        if change.setting:
            old = value_of(self.game.world.settings, change.setting)
            return setting_words(change.setting, (old, change.value))
        name, order = self.game.world.name_of(change.unit), change.order
        if order is None:
            return "As ordered", f"{name} without: {_word(self.game.log[change.left_out][1].kind)}"
        place = f" to {order.x:g}, {order.y:g}" if order.kind in NEEDS_POINT else ""
        return "As ordered", f"{name}: {_word(order.kind)}{place}"

    def paint(self, surface: pygame.Surface) -> None:
        """Draw panel, title, and the line about the chosen row."""
        text, panels = self.text, self.app.panels
        px, x = text.px, self.panel.x + text.px(24)
        panels.draw(surface, self.panel)
        text.draw(surface, (x, self.panel.y + px(16)), "What if?", panels.ink, "serif_bold", 28)
        line = "One change of a setting or an order; both futures run side by side. Type to search."
        text.draw(surface, (x, self.panel.y + px(56)), line, panels.soft, "sans", 16)
        y = self.list.rect.bottom + px(27)
        kind, _ = _parts(self.chosen)
        words = TOLD.get(kind, "Value in the other future")
        text.draw(surface, (x, y), words, panels.ink, "sans_bold", 16, "midleft")
        hint = self.message or self._hint()
        for i, part in enumerate(text.wrap("sans", 15, hint, self.panel.width - px(48))[:2]):
            text.draw(surface, (x, y + px(22 + 19 * i)), part, panels.ink, "sans", 15)

    def _hint(self) -> str:
        """Return the documentation of the chosen setting, with its choices."""
        kind, unit = _parts(self.chosen)
        if kind in PLACED:
            return f"Type the place as X, Y in tiles; {self.game.world.name_of(unit)} alone goes there"
        if not self.chosen or kind:
            return ""
        settings = self.game.world.settings
        doc = next((doc for name, _, doc in walk_settings(settings) if name == self.chosen), "")
        choices = choices_of(settings, self.chosen)
        return f"{doc}; one of {', '.join(map(str, choices))}" if choices else doc


def read_place(words: str, width: int, height: int) -> tuple[float, float]:
    """Return the tiles of ``"12.5, 6"``.

    Raises ValueError in one line for no place on the map.
    """
    try:
        x, y = (float(part) for part in words.split(","))
    except ValueError:
        raise ValueError(f"a place is X, Y in tiles such as 12.5, 6.5, not {words.strip()!r}") from None
    if not (0 <= x < width and 0 <= y < height):
        raise ValueError(f"{words.strip()} is off the map, which is {width} x {height} tiles")
    return x, y


def _key(kind: str, unit: int) -> str:
    return f"{kind}:{unit}"


def _parts(key: str) -> tuple[str, int]:
    """Return the change of an order and its unit, empty for a setting."""
    kind, colon, unit = key.partition(":")
    return (kind, int(unit)) if colon else ("", -1)


def _word(kind: int) -> str:
    return OrderKind(kind).name.lower().replace("_", " ")


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)
