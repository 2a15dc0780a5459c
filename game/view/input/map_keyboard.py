"""Keyboard on the map: held keys pan, and keys move a pointer.

Held keys are tracked by their events and by physical key, so panning follows the bindings on each layout. The pointer
sends the same button events as a mouse, so everything that can be clicked is reached without a mouse.
"""

from __future__ import annotations

from typing import Any

import pygame

from game.view.input.input_context import KeyboardContext
from game.view.painting.camera import edge_pan

PAN_PX_A_SECOND = 900
POINTER_PX_A_SECOND = 420
BORDER_PX = 60
"""Pixels from the window's edge within which the map moves instead of the pointer."""
PANS = ("pan_left", "pan_right", "pan_up", "pan_down")
LEFT, RIGHT = 1, 3


class Keyboard:
    """Held keys and pointer of a play screen."""

    def __init__(self, screen: KeyboardContext) -> None:
        self.screen = screen
        self.held: set[int] = set()
        self.pointer: tuple[float, float] | None = None

    def key_event(self, event: pygame.event.Event) -> None:
        """Record a key down or up.

        Forget all held keys when the window loses the focus. A window without the focus receives no key events.
        """
        scancode = getattr(event, "scancode", 0)
        if event.type == pygame.KEYDOWN:
            self.held.add(scancode)
        elif event.type == pygame.KEYUP:
            self.held.discard(scancode)
        elif event.type == pygame.WINDOWFOCUSLOST:
            self.held.clear()

    def holds(self, command: str) -> bool:
        """Return whether a command's key is held without Ctrl or Alt."""
        bindings = self.screen.app.keymap.bindings
        if pygame.key.get_mods() & (pygame.KMOD_CTRL | pygame.KMOD_ALT):
            return False
        return command in bindings and bindings[command].scancode in self.held

    def direction(self) -> tuple[int, int]:
        """Return -1, 0 or 1 in x and y for the held pan keys.

        Keys held with Ctrl or Alt do not count.
        """
        if pygame.key.get_mods() & (pygame.KMOD_CTRL | pygame.KMOD_ALT):
            return 0, 0
        bindings = self.screen.app.keymap.bindings
        left, right, up, down = (name in bindings and bindings[name].scancode in self.held for name in PANS)
        return right - left, down - up

    def update(self, dt_ms: int) -> None:
        """Move the pointer, or pan the map.

        The keys pan, and so does a mouse at the window's edge.
        """
        screen, seconds = self.screen, min(dt_ms, 50) / 1000
        if screen.app.top is not screen:
            self.held.clear()
        dx, dy = self.direction()
        if self.pointer is not None:
            self._move_pointer(dx, dy, seconds)
            return
        if screen.app.options.edge_pan and screen.app.top is screen and not screen.mouse.dragging:
            ex, ey = edge_pan(pygame.mouse.get_pos(), pygame.mouse.get_focused(), screen.app.window.get_size())
            dx, dy = dx or ex, dy or ey
        if (dx or dy) and screen.pans:
            screen.camera.pan(dx * PAN_PX_A_SECOND * seconds, dy * PAN_PX_A_SECOND * seconds)

    def _move_pointer(self, dx: int, dy: int, seconds: float) -> None:
        assert self.pointer is not None
        camera = self.screen.camera
        x, y = (
            self.pointer[0] + dx * POINTER_PX_A_SECOND * seconds,
            self.pointer[1] + dy * POINTER_PX_A_SECOND * seconds,
        )
        before = (camera.x, camera.y)
        over_x = min(x - BORDER_PX, 0) + max(x - camera.width + BORDER_PX, 0)
        over_y = min(y - BORDER_PX, 0) + max(y - camera.height + BORDER_PX, 0)
        if (dx and over_x * dx > 0) or (dy and over_y * dy > 0):
            camera.pan(over_x if dx else 0, over_y if dy else 0)
            # The pointer takes the rest of the movement that the map at its own edge could not make.
            x -= (camera.x - before[0]) * camera.zoom
            y -= (camera.y - before[1]) * camera.zoom
        self.pointer = min(max(x, 0.0), camera.width - 1.0), min(max(y, 0.0), camera.height - 1.0)
        if dx or dy or (camera.x, camera.y) != before:
            self._send(pygame.MOUSEMOTION, rel=(0, 0), buttons=(0, 0, 0))

    def toggle(self) -> None:
        """Show the pointer on the first selected unit, or in the middle.

        Or hide it.
        """
        if self.pointer is not None:
            self.pointer = None
            return
        screen = self.screen
        p = screen.playing.picture
        rows = p.rows(screen.selection.ids[:1])
        at = (screen.camera.width / 2, screen.camera.height / 2)
        if len(rows):
            x, y = screen.camera.to_screen(float(p.x[rows[0]]), float(p.y[rows[0]]))
            if 0 <= x < screen.camera.width and 0 <= y < screen.camera.height:
                at = (x, y)
        self.pointer = (float(at[0]), float(at[1]))
        self._send(pygame.MOUSEMOTION, rel=(0, 0), buttons=(0, 0, 0))

    def click(self, button: int) -> None:
        """Send a click of a mouse button at the pointer.

        The first call only shows it.
        """
        if self.pointer is None:
            self.toggle()
            return
        self._send(pygame.MOUSEBUTTONDOWN, button=button)
        self._send(pygame.MOUSEBUTTONUP, button=button)

    def _send(self, kind: int, **values: Any) -> None:
        assert self.pointer is not None
        pos = (round(self.pointer[0]), round(self.pointer[1]))
        self.screen.pointed(pygame.event.Event(kind, pos=pos, **values))

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the cursor of the pointer inside a cross."""
        if self.pointer is None:
            return
        screen = self.screen
        palette, px = screen.app.palette, screen.app.text.px
        x, y = round(self.pointer[0]), round(self.pointer[1])
        for colour, width in ((palette["ink"], 5), (palette["yellow"], 3)):
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                start, end = ((x + dx * reach, y + dy * reach) for reach in (px(15), px(24)))
                pygame.draw.line(surface, colour, start, end, px(width))
        screen.sprites.cursor(screen.mouse.cursor, screen.app.options.ui_scale).blit(surface, x, y)
