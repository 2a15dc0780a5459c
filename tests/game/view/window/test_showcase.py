"""Showcase without a display: the script plays the raid and writes picture and report."""

import json
from pathlib import Path

import pygame
import pytest

from game.view.window.showcase import run_showcase


@pytest.mark.long
def test_the_showcase_plays_to_the_end_and_writes_picture_and_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_showcase(None) == 0
    report = json.loads((tmp_path / "fogline-showcase.json").read_text(encoding="utf-8"))
    assert report["mission"]["status"] == "won" and report["failures"] == []
    picture = pygame.image.load(str(tmp_path / "fogline-showcase.png"))
    assert picture.get_size() == (1280, 720)
    assert len({tuple(picture.get_at((x, y))) for x in range(0, 1280, 16) for y in range(0, 720, 16)}) > 200
    assert capsys.readouterr().out.count("no display") == 1
