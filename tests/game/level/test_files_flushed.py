"""Atomic file writes: data reaches the disk before the file gets its name."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from game.level.files import write_whole


@pytest.mark.parametrize("overwrite", [False, True])
def test_file_and_folder_are_flushed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, overwrite: bool) -> None:
    flushed: list[tuple[bool, bool]] = []
    flush, target = os.fsync, tmp_path / "game.save"

    def noted(handle: int) -> None:
        flushed.append((stat.S_ISDIR(os.fstat(handle).st_mode), target.exists()))
        flush(handle)

    monkeypatch.setattr(os, "fsync", noted)
    write_whole(target, b"state", overwrite=overwrite)
    assert flushed == [(False, False), (True, True)]
    assert target.read_bytes() == b"state"
    assert os.listdir(tmp_path) == ["game.save"]
