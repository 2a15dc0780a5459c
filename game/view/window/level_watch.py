"""Watches the files of a level: map, tilesets, pictures and script.

A level is read again when a file has changed and has then stayed the same for one look, because editors write in
several steps.
"""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

from game.level.reading import load_level
from game.sim.session import Session
from game.view.window.playing import Clock, Playing

EVERY_MS = 400
_SOURCE = re.compile(r'source="([^"]+)"')

Stamps = dict[Path, tuple[int, int]]


def files_of(path: Path) -> list[Path]:
    """Return the files that make up a level."""
    found = [path, path.with_suffix(".toml")]
    todo = [path]
    while todo:
        file = todo.pop()
        with contextlib.suppress(OSError, ValueError):
            text = file.read_text(encoding="utf-8", errors="replace")
            for source in _SOURCE.findall(text):
                other = (file.parent / source).resolve()
                if other not in found:
                    found.append(other)
                    todo += [other] if other.suffix.lower() in (".tsx", ".xml") else []
    return found


def stamps_of(files: list[Path]) -> Stamps:
    """Return time and size of each file that exists."""
    out: Stamps = {}
    for file in files:
        with contextlib.suppress(OSError):
            found = file.stat()
            out[file] = found.st_mtime_ns, found.st_size
    return out


class LevelWatch:
    """Watch of one level; ``fault`` is why its last saved state cannot be played."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.fault = ""
        self._files = files_of(path)
        self._known = self._last = stamps_of(self._files)
        self._looked = 0

    def due(self, now_ms: int) -> bool:
        """Return whether the level was saved since the last look, and is whole."""
        if now_ms - self._looked < EVERY_MS:
            return False
        self._looked = now_ms
        present = stamps_of(self._files)
        steady, self._last = present == self._last, present
        return steady and present != self._known

    def read(self, before: Playing) -> Playing | None:
        """Return a new game of the level; None with a ``fault``.

        Seed, settings, clock and side are those of the game ``before``.
        """
        self._known = self._last
        old = before.session
        try:
            session = Session(load_level(self.path), old.seed, old.given_settings, old.extra_units)
        except (ValueError, OSError) as error:
            self.fault = " ".join(str(error).split())
            return None
        self.fault = ""
        self._files = files_of(self.path)
        self._known = self._last = stamps_of(self._files)
        return Playing(session, Clock(before.clock.speed_index, before.clock.paused), before.side)
