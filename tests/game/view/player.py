"""Simulated player: sends keys, clicks and drags to an app on the dummy driver."""

from pathlib import Path

import pygame

from game.view.app import App
from game.view.input.command_table import BY_NAME
from game.view.input.key_bindings import parse_key
from game.view.window.user_options import Options

ROOT = Path(__file__).resolve().parents[3]
CROSSING = ROOT / "levels" / "the_crossing.tmx"


class Player:
    """Drives an :class:`App` frame by frame with simulated input."""

    def __init__(self, size=(1280, 720)):
        self.app = App(Options(volume=0.0, edge_pan=False), size)
        self.app.strict = True
        self.app.start_up.wait()

    @property
    def screen(self):
        return self.app.top

    def frames(self, count=1, dt_ms=20):
        for _ in range(count):
            self.app.frame(dt_ms, [])

    def send(self, *events):
        """Run a frame with the events and a second one, which is drawn.

        Widgets answer with events of their own through the event queue, which the second frame reads.
        """
        draw, self.app.draw = self.app.draw, lambda: None
        try:
            self.app.frame(20, list(events))
        finally:
            self.app.draw = draw
        self.app.frame(20, pygame.event.get())

    def press(self, command):
        key = parse_key(BY_NAME[command].key)
        mod = 0
        for name, bit in (("Ctrl", pygame.KMOD_LCTRL), ("Alt", pygame.KMOD_LALT), ("Shift", pygame.KMOD_LSHIFT)):
            mod |= bit if name in key.modifiers else 0
        self.key(0, key.scancode, mod)

    def key(self, code, scancode=0, mod=0):
        self.send(pygame.event.Event(pygame.KEYDOWN, key=code, scancode=scancode, mod=mod, unicode=""))

    def click(self, pos, button=1):
        pos = (int(pos[0]), int(pos[1]))
        self.send(pygame.event.Event(pygame.MOUSEMOTION, pos=pos, rel=(0, 0), buttons=(0, 0, 0)))
        self.send(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=pos, button=button))
        self.send(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=pos, button=button))

    def drag(self, a, b, button=1):
        a, b = (int(a[0]), int(a[1])), (int(b[0]), int(b[1]))
        self.send(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=a, button=button))
        for pos in (((a[0] + b[0]) // 2, (a[1] + b[1]) // 2), b):
            self.send(pygame.event.Event(pygame.MOUSEMOTION, pos=pos, rel=(1, 1), buttons=(1, 0, 0)))
        self.send(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=b, button=button))

    def choose(self, words):
        """Press the menu button with these words."""
        button = next(b for b in self.screen.buttons if b.text == words)
        assert button.is_enabled, words
        self.screen.actions[button]()
        self.frames(2)

    def loaded(self):
        """Wait for the loading screen; return the next screen, or its error screen."""
        from game.view.screens.loading_screen import LoadingScreen

        loading = self.screen
        if isinstance(loading, LoadingScreen):
            if loading.technique:
                self.app.start_up.wait("lab")
            self.frames()
            if self.screen is loading:
                loading._thread.join()
                self.frames()
        return self.screen

    def open(self, path=CROSSING):
        """Open a level and wait until it is played."""
        from game.view.screens.loading_screen import LoadingScreen
        from game.view.screens.play_screen import PlayScreen

        self.app.push(LoadingScreen(self.app, path))
        play = self.loaded()
        assert isinstance(play, PlayScreen), play.error
        # Placeholders replace the painted ground, because no test depends on it.
        play.scene.ground_budget(0)
        return play

    def place(self, unit):
        """Return the screen position of a unit."""
        play = self.screen
        p = play.playing.picture
        row = p.row_of[unit]
        return play.camera.to_screen(float(p.x[row]), float(p.y[row]))
