"""Window tests run on SDL's dummy drivers and keep their settings to themselves."""

import os

import pytest

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("FOGLINE_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("FOGLINE_DATA", str(tmp_path / "data"))


@pytest.fixture
def window():
    import pygame

    pygame.display.init()
    pygame.font.init()
    yield pygame.display.set_mode((1280, 720))
    pygame.display.quit()
