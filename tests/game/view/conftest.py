"""Fixtures of window tests: SDL's dummy drivers and temporary settings."""

import os

import pytest

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"


@pytest.fixture(scope="session", autouse=True)
def folders_of_all(tmp_path_factory):
    """Set folders for objects that are made before a test has its own folders."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("FOGLINE_CONFIG", "FOGLINE_DATA"):
            patch.setenv(name, str(tmp_path_factory.mktemp(name.lower())))
        patch.setenv("FOGLINE_PICTURES", "off")  # another process would draw exhibits beside the tests
        yield


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("FOGLINE_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("FOGLINE_DATA", str(tmp_path / "data"))


@pytest.fixture(autouse=True)
def any_machine(monkeypatch):
    """Lift the time limits of a frame.

    A slow machine then runs the same ticks in the same frames as a fast one.
    """
    monkeypatch.setattr("game.view.window.playing.SHARE_MS", 1e9)
    monkeypatch.setattr("game.view.stealth.tile_hover.SHARE_MS", 1e9)


@pytest.fixture
def window():
    import pygame

    pygame.display.init()
    pygame.font.init()
    yield pygame.display.set_mode((1280, 720))
    pygame.display.quit()


def _opened():
    from tests.game.view.player import Player

    made = Player()
    yield made
    made.app.close()


player = pytest.fixture(_opened, scope="module", name="player")
"""Player shared by the tests of a file; each test leaves its screens."""

window_of_all = pytest.fixture(_opened, scope="module", name="window_of_all")
"""Shared player for files with a ``player`` fixture that resets it after each test."""
