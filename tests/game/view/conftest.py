"""Window tests run on SDL's dummy drivers and keep their settings to themselves."""

import os

import pytest

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"


@pytest.fixture(scope="session", autouse=True)
def folders_of_all(tmp_path_factory):
    """For what is made before a test has folders of its own."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("FOGLINE_CONFIG", "FOGLINE_DATA"):
            patch.setenv(name, str(tmp_path_factory.mktemp(name.lower())))
        yield


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("FOGLINE_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("FOGLINE_DATA", str(tmp_path / "data"))


@pytest.fixture(autouse=True)
def any_machine(monkeypatch):
    """A frame takes the time it needs, so that a slow machine runs the same ticks in the same frames as a quick one."""
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
"""One player for all tests of a file, who leaves what they open."""

window_of_all = pytest.fixture(_opened, scope="module", name="window_of_all")
"""The same for a file whose own ``player`` is put right after each test."""
