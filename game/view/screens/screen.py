"""Base of all screens: handles events, advances and draws; and base of menus."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pygame
import pygame_gui

from game.view.lab.finder.finder_entry import FinderEntry
from game.view.painting.text import TextDrawer
from game.view.painting.theme import make_manager
from game.view.screens.list_box import ListBox
from game.view.window.app_services import AppServices


class Screen:
    """Screen on the app's stack.

    Only the top screen gets events. A ``see_through`` screen is drawn over the screen below it.
    """

    see_through = False

    def __init__(self, app: AppServices) -> None:
        self.app = app

    @property
    def finds(self) -> bool:
        """Return whether the finder may open over the screen now."""
        return True

    def enter(self) -> None:
        """Prepare the screen when it comes to the top."""

    def leave(self) -> None:
        """Clean up when the screen is taken off the stack."""

    def resize(self) -> None:
        """Adapt to a new window size or interface scale."""

    def handle(self, event: pygame.event.Event) -> None:
        """Handle one event."""

    def update(self, dt_ms: int) -> None:
        """Advance by real time."""

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the whole window."""

    def offers(self, typed: str) -> list[FinderEntry]:
        """Return entries of the finder for this screen alone."""
        return []


class MenuScreen(Screen):
    """Screen of widgets on paper.

    ``build`` makes the widgets; it runs again when the window changes. ``need`` is the size of the screen in interface
    pixels. In a smaller window text and widgets are smaller than the options ask, so that nothing is cut off. Tab and
    the arrows move the focus over all widgets. A frame shows the focus, Enter presses, left and right move a slider.
    """

    escape = True
    need = (760, 560)

    night = False
    """True for dark panels over a level at night."""

    def __init__(self, app: AppServices) -> None:
        super().__init__(app)
        self.manager: Any = None
        self.actions: dict[Any, Callable[[], None]] = {}
        self.buttons: list[Any] = []
        self.stops: list[Any] = []
        self.focus = -1
        self.text: TextDrawer = app.text

    def enter(self) -> None:
        """Build the widgets and set a plain cursor."""
        with contextlib.suppress(pygame.error):  # some video drivers have no cursors of their own
            pygame.mouse.set_cursor(pygame.SYSTEM_CURSOR_ARROW)
        self.resize()

    def resize(self) -> None:
        """Build the widgets again for the window's size; the focus stays."""
        width, height = self.app.window.get_size()
        scale = min(self.app.options.ui_scale, width / self.need[0], height / self.need[1])
        self.text = self.app.text if scale == self.app.text.scale else TextDrawer(scale)
        self.manager = make_manager(self.app.window.get_size(), self.app.palette, scale, self.night)
        self.actions = {}
        self.buttons = []
        self.stops = []
        self.build()
        self.focus = self.focus if self.focus < len(self.stops) else -1

    def build(self) -> None:
        """Make the widgets."""

    def button(
        self, rect: pygame.Rect, words: str, action: Callable[[], None], big: bool = False, tip: str | None = None
    ) -> Any:
        """Add a button that runs ``action``."""
        made = pygame_gui.elements.UIButton(
            rect, words, self.manager, tool_tip_text=tip, object_id="#big_button" if big else None
        )
        self.actions[made] = action
        self.buttons.append(made)
        self.stops.append(made)
        return made

    def handle(self, event: pygame.event.Event) -> None:
        """Handle an event: mouse, or arrows, Tab, Enter and Esc.

        Arrows and Tab move the focus, Enter presses, Esc goes back.
        """
        if event.type == pygame.KEYDOWN and event.key == pygame.K_TAB:
            self.move_focus(-1 if event.mod & pygame.KMOD_SHIFT else 1)
            return
        self.manager.process_events(event)
        if event.type == pygame_gui.UI_BUTTON_PRESSED and event.ui_element in self.actions:
            self.press(event.ui_element)
        elif event.type == pygame.KEYDOWN:
            self.key(event)
        elif event.type == pygame.MOUSEBUTTONDOWN:
            self.focus = -1
        if event.type != pygame.KEYDOWN:
            for box in [s for s in self.stops if isinstance(s, ListBox)]:
                what = box.handle(event)
                if what:
                    self.focus = self.stops.index(box)
                    self.list_moved(box, what)

    def press(self, button: Any) -> None:
        """Run the action of a button."""
        self.app.sound.play("select")
        self.actions[button]()

    def list_moved(self, box: ListBox, what: str) -> None:
        """Handle a row of a list that was ``chosen`` or ``opened``."""

    @property
    def focused(self) -> Any:
        """Widget with the focus, or None before the first Tab or arrow."""
        return self.stops[self.focus] if 0 <= self.focus < len(self.stops) else None

    def key(self, event: pygame.event.Event) -> None:
        """Handle one key."""
        at = self.focused
        if event.key == pygame.K_ESCAPE:
            if self.escape:
                self.app.pop()
            return
        if isinstance(at, pygame_gui.elements.UITextEntryLine):
            return  # the text line handles its own keys
        if isinstance(at, ListBox):
            what = at.key(event)
            if what:
                self.list_moved(at, what)
                return
        sideways = {pygame.K_LEFT: -1, pygame.K_RIGHT: 1}.get(event.key, 0)
        if isinstance(at, pygame_gui.elements.UIHorizontalSlider) and sideways:
            low, high = at.value_range
            at.set_current_value(min(max(at.get_current_value() + 5 * sideways, low), high))
            self.slid(at, at.get_current_value())
        elif event.key == pygame.K_DOWN or sideways > 0:
            self.move_focus(1)
        elif event.key == pygame.K_UP or sideways < 0:
            self.move_focus(-1)
        elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE) and at in self.actions:
            self.press(at)

    def slid(self, slider: Any, value: float) -> None:
        """Handle the new value of a slider."""

    def move_focus(self, step: int) -> None:
        """Move the focus to the next widget that can be used."""
        usable = [i for i, stop in enumerate(self.stops) if isinstance(stop, ListBox) or stop.is_enabled]
        if not usable:
            return
        if self.focus in usable:
            at = (usable.index(self.focus) + step) % len(usable)
        else:
            at = 0 if step > 0 else len(usable) - 1
        self.focus = usable[at]
        stop = self.stops[self.focus]
        self.manager.set_focus_set({stop} if hasattr(stop, "set_text_length_limit") else None)

    def update(self, dt_ms: int) -> None:
        """Advance the widgets."""
        self.manager.update(dt_ms / 1000.0)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw backdrop, own parts, widgets, and a frame around the focused widget."""
        if not self.see_through:
            self.app.backdrop.draw(surface)
        self.paint(surface)
        for box in [s for s in self.stops if isinstance(s, ListBox)]:
            box.draw(surface)
        self.manager.draw_ui(surface)
        if self.focused is not None:
            frame = self.focused.rect.inflate(self.text.px(8), self.text.px(8))
            pygame.draw.rect(surface, self.app.palette["ink"], frame.inflate(2, 2), 4)
            pygame.draw.rect(surface, self.app.palette["yellow"], frame, 2)

    def paint(self, surface: pygame.Surface) -> None:
        """Draw the parts below the widgets, such as panels and titles."""
