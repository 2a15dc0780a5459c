"""The window, its main loop, and the stack of screens.

Nothing slow is imported at the top: the window opens first, then numba and the simulation load.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from pathlib import Path

import pygame

from game.view.input.command_table import default_keys
from game.view.input.key_bindings import KeyMap, layout_labels, read_bindings
from game.view.painting.backdrop import paint_backdrop
from game.view.painting.palette import HIGH_CONTRAST, Palette, palette
from game.view.painting.paper_panels import Panels
from game.view.painting.text import TextDrawer
from game.view.painting.window_recorder import WindowRecorder
from game.view.window.app_services import AnyScreen
from game.view.window.sound import Sound, Volumes
from game.view.window.start_up import StartUp
from game.view.window.user_options import Options, config_folder, read_options, write_options
from game.world.faults import fault_text

LOG = logging.getLogger("fogline")

FRAMES_A_SECOND = 60


class App:
    """The state that all screens share.

    Drive it with :meth:`run`, or frame by frame with :meth:`frame` (tests).
    """

    def __init__(self, options: Options | None = None, size: tuple[int, int] | None = None) -> None:
        pygame.display.init()
        pygame.font.init()
        self.problems: list[str] = []
        if options is None:
            options, self.problems = read_options(config_folder() / "options.toml")
        if size is not None:
            options.width, options.height = size
        self.options = options
        self.window = self._open()
        self.palette: Palette = self._chosen_palette()
        self.text = TextDrawer(options.ui_scale)
        self.panels = Panels(self.palette)
        self.sound = Sound(self._volumes())
        self.keymap = self._read_keys()
        self.start_up = StartUp()
        self.screens: list[AnyScreen] = []
        self.running = True
        self.now_ms = 0
        self.recorder = WindowRecorder(self)
        self._anywhere: dict[str | None, Callable[[], None]] = {
            "find_anything": self.find_anything,
            "screenshot": self.recorder.shoot,
            "record": self.recorder.toggle,
        }
        """Commands that every screen has."""
        self.strict = False
        """If true, an error in a screen is raised, for screenshots and tests."""
        self._backdrop: Backdrop | None = None

    def _open(self) -> pygame.Surface:
        pygame.display.set_caption("Fogline")
        flags = pygame.RESIZABLE | (pygame.FULLSCREEN if self.options.fullscreen else 0)
        return pygame.display.set_mode((self.options.width, self.options.height), flags)

    def _volumes(self) -> Volumes:
        o = self.options
        return Volumes(o.volume, o.effects_volume, o.interface_volume)

    def set_volumes(self) -> None:
        """Set the volumes from the options; they apply from the next sound on."""
        self.sound.volumes = self._volumes()

    def _chosen_palette(self) -> Palette:
        return palette(HIGH_CONTRAST if self.options.high_contrast else "")

    def _read_keys(self) -> KeyMap:
        bindings, problems = read_bindings(default_keys(self.options.wasd), config_folder() / "keys.toml")
        self.problems.extend(problems)
        return KeyMap(bindings, layout_labels())

    @property
    def backdrop(self) -> Backdrop:
        """Return the paper behind menus, drawn once for each window size."""
        size = self.window.get_size()
        if self._backdrop is None or self._backdrop.surface.get_size() != size:
            self._backdrop = Backdrop(size, self.palette)
        return self._backdrop

    @property
    def top(self) -> AnyScreen | None:
        """Return the screen that gets events."""
        return self.screens[-1] if self.screens else None

    def push(self, screen: AnyScreen) -> None:
        """Put a screen on top."""
        self.screens.append(screen)
        screen.enter()

    def pop(self) -> None:
        """Take the top screen off; the window closes with the last screen."""
        if self.screens:
            self.screens.pop().leave()
        if self.screens:
            self.screens[-1].resize()
        else:
            self.running = False

    def replace(self, screen: AnyScreen) -> None:
        """Put a screen in place of the top one."""
        if self.screens:
            self.screens.pop().leave()
        self.push(screen)

    def open_shown(self, path: Path, overlay: str = "", technique: str = "", beside: bool = False) -> None:
        """Open the exhibit of a technique on top, alone or side by side.

        A level without that exhibit opens in Lab with the overlay.
        """
        from game.view.screens.loading_screen import LoadingScreen

        self.push(LoadingScreen(self, path, overlay=overlay, technique=technique, beside=beside))

    def open_tours(self, name: str = "") -> None:
        """Open the list of tours, and start the tour of this name."""
        from game.view.screens.tours.tour_list_screen import TourListScreen

        tours = TourListScreen(self)
        self.push(tours)
        tours.start_named(name)

    def find_anything(self) -> None:
        """Open the finder over the present screen; close it if it is open."""
        from game.view.lab.finder.finder_screen import FinderScreen

        if isinstance(self.top, FinderScreen):
            self.pop()
        elif self.top is not None and self.top.finds:
            self.push(FinderScreen(self, self.top))

    def apply_options(self) -> None:
        """Apply changed options: window, scale, volume, keys, and the options file."""
        if self.window.get_size() != (self.options.width, self.options.height) or bool(
            self.window.get_flags() & pygame.FULLSCREEN
        ) != bool(self.options.fullscreen):
            self.window = self._open()
        self.text = TextDrawer(self.options.ui_scale)
        if self.palette is not self._chosen_palette():
            self.palette = self._chosen_palette()
            self.panels = Panels(self.palette)
            self._backdrop = None
        self.sound.volumes = self._volumes()
        self.keymap = self._read_keys()
        self.keep_options()
        for screen in self.screens:
            screen.resize()

    def keep_options(self) -> None:
        """Write the options to their file.

        If that fails, the game keeps them until it ends and the menu says why.
        """
        try:
            write_options(self.options, config_folder() / "options.toml")
        except (ValueError, OSError) as error:
            self.problems = [*self.problems[-2:], str(error)]

    def frame(self, dt_ms: int, events: list[pygame.event.Event] | None = None) -> None:
        """Run one frame: events, update, draw.

        ``events`` replaces the system's queue.
        """
        self.now_ms += dt_ms
        for event in pygame.event.get() if events is None else events:
            if event.type == pygame.QUIT:
                self.running = False
            elif event.type == pygame.VIDEORESIZE:
                self.window = pygame.display.get_surface() or self.window
                for screen in self.screens:
                    screen.resize()
            elif event.type == pygame.KEYDOWN:
                self.keymap.learn(event)
                command = self.keymap.command_of_event(event)
                if command in self._anywhere and (self.top is None or self.top.finds):
                    self._anywhere[command]()
                    continue
            elif event.type == pygame.DROPFILE and self._opened_by_drop(event.file):
                continue
            self._guarded("handle", event)
        self._guarded("update", dt_ms)
        try:
            self.draw()
        except Exception as error:
            self._screen_failed(error)

    def _opened_by_drop(self, file: str) -> bool:
        """Open a map that was dropped on the window; return False for another file."""
        if Path(file).suffix.lower() != ".tmx":
            return False
        from game.view.screens.loading_screen import LoadingScreen

        self.push(LoadingScreen(self, Path(file)))
        return True

    def _guarded(self, act: str, given: object) -> None:
        """Let the top screen act; on an error only that screen is closed."""
        if self.top is None:
            return
        try:
            getattr(self.top, act)(given)
        except Exception as error:
            self._screen_failed(error)

    def _screen_failed(self, error: Exception) -> None:
        """Take a screen off after an error and report the error once.

        The menu opens if no screen is left.
        """
        if self.strict or self.top is None:
            raise error
        words = f"{type(self.top).__name__}: {fault_text(error)}"
        LOG.error("%s", words, exc_info=error)
        self.problems = [*self.problems[-2:], words]
        failed = self.screens.pop()
        with contextlib.suppress(Exception):
            failed.leave()
        if self.screens:
            self.screens[-1].resize()
            return
        from game.view.screens.menu_screen import MenuMain

        if isinstance(failed, MenuMain):
            raise error
        self.push(MenuMain(self))

    def draw(self) -> None:
        """Draw the visible screens, from the lowest one up."""
        first = len(self.screens) - 1
        while first > 0 and self.screens[first].see_through:
            first -= 1
        for screen in self.screens[max(first, 0) :]:
            screen.draw(self.window)
        self.recorder.after_draw(self.window)

    def run(self) -> int:
        """Run the main loop; return the exit code."""
        clock = pygame.time.Clock()
        try:
            while self.running and self.screens:
                self.frame(clock.tick(FRAMES_A_SECOND))
                pygame.display.flip()
        finally:
            self.close()
        return 0

    def close(self) -> None:
        """Take all screens off, end the child process, close the window."""
        while self.screens:
            self.screens.pop().leave()
        self.recorder.close()
        self.start_up.close()
        self.sound.close()
        pygame.display.quit()


class Backdrop:
    """Washed paper with a few contour lines, for the menus."""

    def __init__(self, size: tuple[int, int], palette: Palette) -> None:
        self.surface = paint_backdrop(size, palette)

    def draw(self, surface: pygame.Surface) -> None:
        """Fill the window."""
        surface.blit(self.surface, (0, 0))


def first_frame(options: Options | None = None) -> App:
    """Open the window and show the game's name before anything slow is loaded."""
    app = App(options)
    app.window.fill(app.palette["paper"])
    app.text.draw(app.window, app.window.get_rect().center, "Fogline", app.palette["ink"], "serif_bold", 84, "center")
    pygame.event.pump()
    pygame.display.flip()
    return app


def run_app(level: str | None, replay: Path | None = None) -> int:
    """Run the window; return the exit code.

    It opens on the menu, on ``level``, or on a recorded game.
    """
    app = first_frame()
    app.start_up.begin()
    from game.view.screens.loading_screen import LoadingScreen
    from game.view.screens.menu_screen import MenuMain

    if replay is not None:
        app.push(LoadingScreen(app, replay, replay=True))
    elif level is None:
        app.push(MenuMain(app))
    else:
        app.push(LoadingScreen(app, Path(level)))
    return app.run()
