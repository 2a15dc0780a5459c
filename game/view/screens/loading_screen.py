"""Opens a level: waits for its kernels, reads the map and makes the world.

The window keeps reacting meanwhile.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame

from game.view.screens.screen import Screen
from game.view.window.app_services import AnyScreen, AppServices
from game.view.window.start_up import CompileProgress


class LoadingScreen(Screen):
    """Shows the progress; Esc goes back.

    A map that cannot be used is reported in one line.
    """

    def __init__(
        self,
        app: AppServices,
        path: Path,
        seed: int = 1,
        save: Path | None = None,
        overlay: str = "",
        replay: bool = False,
        technique: str = "",
        shown: Callable[[AppServices, Any], AnyScreen] | None = None,
        beside: bool = False,
    ) -> None:
        super().__init__(app)
        self.path = path
        self.seed = seed
        self.save = save
        self.overlay = overlay
        self.replay = replay
        self.technique = technique
        """Slug of a technique whose exhibit is wanted.

        The map opens in the exhibit frame if it has that exhibit.
        """
        self.shown = shown
        """Maker of the exhibit's screen, in place of the usual one."""
        self.beside = beside
        """True to open the exhibit side by side, with and without its technique."""
        self.error = ""
        self.made: tuple[int, int] | None = None
        """Progress in making the tables of a static level: done and total."""
        self._opened: Any = None
        self._thread: threading.Thread | None = None

    @property
    def finds(self) -> bool:
        """Return False: the screen closes by itself."""
        return False

    def _open(self) -> None:
        try:
            from game.view.window.playing import open_recorded, open_session

            if self.technique:
                from game.view.screens.exhibit_screen import open_exhibit

                self._opened = open_exhibit(self.path, self.technique)
                if self._opened is not None:
                    return
            if self.replay:
                self._opened = open_recorded(self.path)
            else:
                self._opened = open_session(self.path, self.seed, self.save, progress=self._make)
        except (ValueError, OSError) as error:
            self.error = str(error)
        except Exception as error:  # shown on the screen: an exception of a thread reaches no caller
            self.error = f"{self.path.name} could not be opened: {type(error).__name__}: {error}"

    def _needed(self) -> list[CompileProgress]:
        """Return the kernel groups that the level waits for."""
        # An exhibit may show any search or rule. It must not pause while that compiles.
        groups = self.app.start_up.groups
        return [groups["mission"], groups["lab"]] if self.technique else [groups["mission"]]

    def _make(self, done: int, total: int) -> None:
        self.made = done, total

    def update(self, dt_ms: int) -> None:
        """Start the thread when the kernels are ready.

        Show the level when it is done.
        """
        needed = self._needed()
        self.error = next((p.failed for p in needed if p.failed), self.error)
        if self.error:
            return
        if not all(p.ready for p in needed):
            time.sleep(0.004)
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._open, name="open-level", daemon=True)
            self._thread.start()
        self._thread.join(0.005)
        if self._opened is not None and hasattr(self._opened, "run"):
            from game.view.screens.exhibit_screen import ExhibitScreen
            from game.view.screens.explorer_screen import ON_ITS_OWN, ExplorerScreen

            if self.shown is not None:
                self.app.replace(self.shown(self.app, self._opened))
                return
            own = self._opened.run.exhibit.technique == ON_ITS_OWN
            exhibit = (ExplorerScreen if own else ExhibitScreen)(self.app, self._opened)
            self.app.replace(exhibit)
            if self.beside and isinstance(exhibit, ExhibitScreen):
                exhibit.compare()
        elif self._opened is not None:
            from game.view.screens.play_screen import PlayScreen

            self.app.replace(PlayScreen(self.app, self._opened, self.overlay))

    def handle(self, event: pygame.event.Event) -> None:
        """Handle Esc, or any click after an error: go back."""
        away = event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE
        if away or (self.error and event.type == pygame.MOUSEBUTTONDOWN):
            self.app.pop()

    def draw(self, surface: pygame.Surface) -> None:
        """Draw a panel in the middle of the paper."""
        self.app.backdrop.draw(surface)
        text, palette = self.app.text, self.app.palette
        width = min(text.px(720), surface.get_width() - 40)
        lines = text.wrap("sans", 17, self.error, width - text.px(48)) if self.error else []
        rect = pygame.Rect(0, 0, width, text.px(120) + len(lines) * text.px(24))
        rect.center = surface.get_rect().center
        self.app.panels.draw(surface, rect)
        x, y = rect.x + text.px(24), rect.y + text.px(18)
        title = "This map cannot be played" if self.error else self.path.stem.replace("_", " ").capitalize()
        text.draw(surface, (x, y), title, palette["ink"], "serif_bold", 26)
        if self.error:
            for i, line in enumerate(lines):
                text.draw(surface, (x, y + text.px(46 + 24 * i)), line, palette["ink"], size=17)
            text.draw(surface, (x, rect.bottom - text.px(36)), "Esc: back", self.app.panels.soft, size=16)
            return
        words = self.app.start_up.line() or "Reading the map"
        progress = next(((p.done, p.total) for p in self._needed() if not p.ready), None)
        if self.made is not None:
            progress = self.made
            words = f"Preparing paths for a map that never changes: {100 * progress[0] // max(progress[1], 1)} %"
        elif progress is None:
            words = "Reading the map"
        if progress is not None:
            done, total = progress
            bar = pygame.Rect(x, y + text.px(76), rect.width - text.px(48), text.px(10))
            pygame.draw.rect(surface, palette["ink"], bar, 1)
            pygame.draw.rect(surface, palette["ink"], (bar.x, bar.y, bar.width * done // max(total, 1), bar.height))
        text.draw(surface, (x, y + text.px(46)), words, palette["ink"], size=17)
