"""Pictures of the gallery's cards, made in another process.

The folder is ``FOGLINE_PICTURES``, else ``pictures`` in the user's cache folder; ``FOGLINE_PICTURES=off`` makes none.
A picture is named by what draws it: the script, the map, and the files of the view. So a new version makes new ones.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import platformdirs
import pygame

from game.view.exhibits.cards.technique_cards import TechniqueCard
from game.view.exhibits.gallery_rows import ROOT
from game.view.painting.palette import ASSETS

OFF = "off"
WORKER = "game.view.exhibits.cards.picture_worker"
DRAWN_BY = ("figures", "ground", "light", "overlays", "painting", "units", "exhibits")
"""Folders of the view whose files decide how a picture looks."""
KEPT = 64
"""Scaled pictures that stay in memory."""


def pictures_folder() -> Path | None:
    """Return the folder of this version; None if pictures are switched off."""
    named = os.environ.get("FOGLINE_PICTURES", "")
    if named == OFF:
        return None
    base = Path(named) if named else Path(platformdirs.user_cache_dir("fogline", False)) / "pictures"
    return base / version_of_the_look()


@lru_cache(maxsize=1)
def version_of_the_look() -> str:
    """Return a digest of size and time of the files that draw."""
    digest = hashlib.blake2b(digest_size=8)
    view = ROOT / "game" / "view"
    files = [file for folder in DRAWN_BY for file in (view / folder).rglob("*.py")]
    for file in sorted([*files, *(ASSETS / "data").glob("*.toml"), Path(__file__).with_name("picture_worker.py")]):
        about = file.stat()
        digest.update(f"{file.relative_to(ROOT)} {about.st_size} {about.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def picture_key(card: TechniqueCard) -> str:
    """Return the file name of a card's picture, empty if nothing shows the technique.

    Cards with the same map, script and overlay share a picture.
    """
    if card.row.kind == "none":
        return ""
    digest = hashlib.blake2b(digest_size=10)
    for name in (card.row.exhibit, card.row.script):
        file = ROOT / name
        digest.update(name.encode())
        digest.update(file.read_bytes() if name and file.is_file() else b"")
    digest.update(card.row.overlay.encode() if card.row.kind == "mission" else b"")
    return f"{digest.hexdigest()}.png"


class CardPictures:
    """Loads pictures that exist, and has the others made.

    They are made one at a time, those in view first.
    """

    def __init__(self) -> None:
        self.folder, self.problem = _usable(pictures_folder())
        self.failed: set[str] = set()
        """Keys of pictures that could not be made."""
        self.making = ""
        """Key of the picture that is made now."""
        self._keys: dict[str, str] = {}
        self._whole: dict[str, pygame.Surface] = {}
        self._scaled: dict[tuple[str, tuple[int, int]], pygame.Surface] = {}
        self._child: subprocess.Popen[str] | None = None
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._may_load = True

    def key_of(self, card: TechniqueCard) -> str:
        """Return the file name of a card's picture, empty for none."""
        if card.slug not in self._keys:
            self._keys[card.slug] = picture_key(card)
        return self._keys[card.slug]

    def picture(self, card: TechniqueCard, size: tuple[int, int]) -> pygame.Surface | None:
        """Return the picture cut and scaled to a size; None while there is none.

        One file at most is read in a frame, so that a page full of cards does not stop the window.
        """
        key = self.key_of(card)
        if not key or self.folder is None:
            return None
        scaled = self._scaled.get((key, size))
        if scaled is not None:
            return scaled
        whole = self._whole.get(key)
        if whole is None:
            if not self._may_load or key == self.making or not (self.folder / key).is_file():
                return None
            self._may_load = False
            try:
                whole = pygame.image.load(str(self.folder / key)).convert()
            except pygame.error:
                # A damaged file is made again.
                with contextlib.suppress(OSError):
                    (self.folder / key).unlink()
                return None
            self._whole = {**dict(list(self._whole.items())[-KEPT:]), key: whole}
        made = pygame.transform.smoothscale(whole.subsurface(cut_to(whole.get_size(), size)), size)
        self._scaled = {**dict(list(self._scaled.items())[-KEPT:]), (key, size): made}
        return made

    def missing(self, cards: Sequence[TechniqueCard]) -> list[TechniqueCard]:
        """Return the cards whose pictures are not there and can be made."""
        if self.folder is None:
            return []
        keys = {card.slug: self.key_of(card) for card in cards}
        return [
            card
            for card in cards
            if keys[card.slug] and keys[card.slug] not in self.failed and not (self.folder / keys[card.slug]).is_file()
        ]

    def update(self, wanted: Sequence[TechniqueCard]) -> None:
        """Fetch the picture that is finished, and have the next wanted one made."""
        self._may_load = True
        while not self._answers.empty():
            answer = json.loads(self._answers.get())
            if answer.get("error"):
                self.failed.add(answer["key"])
            self.making = ""
        if self._child is not None and self._child.poll() is not None:
            # A worker that ended made nothing of its last request, and would not make it another time.
            if self.making:
                self.failed.add(self.making)
            self.making, self._child = "", None
        if self.making or self.folder is None:
            return
        card = next(iter(self.missing(wanted)), None)
        if card is None:
            return
        self.making = self.key_of(card)
        row = card.row
        request = {
            "key": self.making, "out": str(self.folder / self.making), "level": row.exhibit,
            "script": row.script if row.kind == "exhibit" else "", "overlay": row.overlay,
        }  # fmt: skip
        try:
            child = self._child if self._child is not None else self._start()
            assert child.stdin is not None
            child.stdin.write(json.dumps(request) + "\n")
            child.stdin.flush()
        except OSError:
            self.failed.add(self.making)
            self.making = ""

    def _start(self) -> subprocess.Popen[str]:
        environ = {**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "FOGLINE_PICTURES": OFF}
        self._child = subprocess.Popen(
            [sys.executable, "-m", WORKER], cwd=ROOT, env=environ, text=True, encoding="utf-8",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        reader = threading.Thread(target=self._read, args=(self._child,), name="card-pictures", daemon=True)
        reader.start()
        return self._child

    def _read(self, child: subprocess.Popen[str]) -> None:
        """Pass the worker's answers on; lines of libraries are left out."""
        assert child.stdout is not None
        for line in child.stdout:
            if line.startswith("{"):
                self._answers.put(line)

    def close(self) -> None:
        """End the worker and remove a temporary folder."""
        if self._child is not None:
            self._child.terminate()
            self._child.wait()
            for pipe in (self._child.stdin, self._child.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
            self._child = None
        self.making = ""
        if self.problem and self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


def cut_to(whole: tuple[int, int], size: tuple[int, int]) -> pygame.Rect:
    """Return the largest middle part of a picture with the shape of ``size``."""
    width = min(whole[0], whole[1] * size[0] // max(size[1], 1))
    height = min(whole[1], whole[0] * size[1] // max(size[0], 1))
    part = pygame.Rect(0, 0, max(width, 1), max(height, 1))
    part.center = (whole[0] // 2, whole[1] // 2)
    return part


def _usable(folder: Path | None) -> tuple[Path | None, str]:
    """Return a folder that can be written and a line about it.

    A temporary folder serves where the wanted one cannot be written; the line says so. Pictures of older versions are
    removed.
    """
    if folder is None:
        return None, ""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        told = f"{folder.parent}: pictures cannot be kept there ({error.strerror}); set FOGLINE_PICTURES to a folder"
        try:
            return Path(tempfile.mkdtemp(prefix="fogline-pictures-")), told
        except OSError:
            return None, told
    for other in folder.parent.iterdir():
        if other.is_dir() and other != folder and len(other.name) == len(folder.name):
            shutil.rmtree(other, ignore_errors=True)
    return folder, ""
