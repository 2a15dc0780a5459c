"""What every screen is: something that takes events, advances and draws, with room for menu widgets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pygame

if TYPE_CHECKING:
    from game.view.app import App


INDENT = "  "
"""Before every item of a list: the widgets have no padding there."""


class Screen:
    """A screen on the app's stack.  Only the top one gets events; ``see_through`` ones are drawn over the next."""

    see_through = False

    def __init__(self, app: App) -> None:
        self.app = app

    def enter(self) -> None:
        """The screen has come to the top."""

    def leave(self) -> None:
        """The screen has been taken off the stack."""

    def resize(self) -> None:
        """The window has another size or the interface another scale."""

    def handle(self, event: pygame.event.Event) -> None:
        """One event."""

    def update(self, dt_ms: int) -> None:
        """Advance by real time."""

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the whole window."""


class MenuScreen(Screen):
    """A screen of pygame_gui widgets on paper.  ``build`` makes them; it runs again when the window changes."""

    escape = True

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.manager: Any = None
        self.actions: dict[Any, Callable[[], None]] = {}
        self.buttons: list[Any] = []
        self.focus = -1

    def enter(self) -> None:
        """Build the widgets."""
        self.resize()

    def resize(self) -> None:
        """Build the widgets anew for the window's size."""
        from game.view.theme import make_manager

        self.manager = make_manager(self.app.window.get_size(), self.app.palette, self.app.options.ui_scale)
        self.actions = {}
        self.buttons = []
        self.focus = -1
        self.build()

    def build(self) -> None:
        """Make the widgets."""

    def button(
        self, rect: pygame.Rect, words: str, action: Callable[[], None], big: bool = False, tip: str | None = None
    ) -> Any:
        """A button that does ``action``."""
        import pygame_gui

        made = pygame_gui.elements.UIButton(
            rect, words, self.manager, tool_tip_text=tip, object_id="#big_button" if big else None
        )
        self.actions[made] = action
        self.buttons.append(made)
        return made

    def handle(self, event: pygame.event.Event) -> None:
        """Buttons by mouse; arrows, Tab and Enter walk them by keyboard; Esc goes back."""
        import pygame_gui

        self.manager.process_events(event)
        if event.type == pygame_gui.UI_BUTTON_PRESSED and event.ui_element in self.actions:
            self.app.sound.play("select")
            self.actions[event.ui_element]()
        elif event.type == pygame.KEYDOWN:
            self.key(event)

    def key(self, event: pygame.event.Event) -> None:
        """One key."""
        if event.key == pygame.K_ESCAPE and self.escape:
            self.app.pop()
        elif event.key in (pygame.K_DOWN, pygame.K_TAB) and not (event.mod & pygame.KMOD_SHIFT):
            self.move_focus(1)
        elif event.key in (pygame.K_UP, pygame.K_TAB):
            self.move_focus(-1)
        elif event.key in (pygame.K_RETURN, pygame.K_SPACE) and 0 <= self.focus < len(self.buttons):
            chosen = self.buttons[self.focus]
            if chosen.is_enabled:
                self.actions[chosen]()

    def move_focus(self, step: int) -> None:
        """Mark the next enabled button."""
        usable = [i for i, b in enumerate(self.buttons) if b.is_enabled]
        if not usable:
            return
        if 0 <= self.focus < len(self.buttons):
            self.buttons[self.focus].unselect()
            at = (usable.index(self.focus) + step) % len(usable) if self.focus in usable else 0
        else:
            at = 0 if step > 0 else len(usable) - 1
        self.focus = usable[at]
        self.buttons[self.focus].select()

    def update(self, dt_ms: int) -> None:
        """Advance the widgets."""
        self.manager.update(dt_ms / 1000.0)

    def draw(self, surface: pygame.Surface) -> None:
        """Backdrop, what the screen paints itself, then the widgets."""
        if not self.see_through:
            self.app.backdrop.draw(surface)
        self.paint(surface)
        self.manager.draw_ui(surface)

    def paint(self, surface: pygame.Surface) -> None:
        """What stands under the widgets: plates, titles."""
