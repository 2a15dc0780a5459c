"""Limits the files that a map may read to one folder.

It is the highest parent folder that holds a ``.tiled-project`` (or any ``NAME.tiled-project``), and at least the
parent of the map's own folder.  ``--root FOLDER`` (``FOGLINE_MAP_ROOT``) names another.
"""

from __future__ import annotations

import os
from pathlib import Path

from game.level.errors import LevelError, quoted, shown
from game.level.tmx.xml_tree import MOST_BYTES

PROJECT = ".tiled-project"
ROOT_VARIABLE = "FOGLINE_MAP_ROOT"


class Room:
    """Folder ``root`` that must hold all files of a map.

    ``project`` lists the nearest project files.
    """

    def __init__(self, map_path: Path) -> None:
        try:
            self.map = map_path.resolve()
            folder = self.map.parent
            self.project: list[Path] = []
            self.root = folder.parent
            for candidate in (folder, *folder.parents):
                found = projects(candidate)
                self.project = self.project or found
                if found and self.root.is_relative_to(candidate):
                    self.root = candidate
            given = os.environ.get(ROOT_VARIABLE)
            if given:
                self.root = Path(given).resolve()
        except (OSError, RuntimeError, ValueError):
            raise LevelError(quoted(map_path), "", "the path cannot be used", "name an existing .tmx file") from None

    def find(self, reference: str, source: Path, place: str, what: str) -> Path:
        """Return the existing file that ``source`` refers to as ``reference``.

        Raises LevelError when there is none.
        """
        try:
            path = (source.parent / reference).resolve()
            if not path.is_file() and "\\" in reference:
                path = (source.parent / reference.replace("\\", "/")).resolve()
            inside = path.is_relative_to(self.root)
            exists = inside and path.is_file()
        except (OSError, RuntimeError, ValueError):
            raise LevelError(source, place, f"{what} {quoted(reference)} is not a usable path", "correct it") from None
        if not inside:
            wrong = f"{what} {quoted(reference)} lies outside {shown(self.root)}"
            cure = f"copy it below that folder, put a {PROJECT} further up, or add --root FOLDER"
            raise LevelError(source, place, wrong, cure)
        if not exists:
            wrong = f"{what} {quoted(reference)} does not exist"
            raise LevelError(source, place, wrong, "put the file there or correct the reference in Tiled")
        return path

    def head(self, path: Path, most: int) -> bytes:
        """Return the first bytes of a file that :meth:`find` returned.

        They are empty when it cannot be read.
        """
        try:
            with path.open("rb") as file:
                return file.read(most)
        except OSError:
            return b""

    def read(self, path: Path, most: int = MOST_BYTES) -> bytes:
        """Return the bytes of a file that :meth:`find` returned, or of the map.

        Raises LevelError.
        """
        try:
            if not path.is_file():
                wrong = "this is a folder" if path.is_dir() else "no such file"
                raise LevelError(path, "", wrong, "name an existing .tmx file")
            size = path.stat().st_size
            if size > most:
                raise LevelError(path, "", f"the file has {size >> 20} MB", f"at most {most >> 20} MB are read")
            return path.read_bytes()
        except (OSError, ValueError) as error:
            if isinstance(error, LevelError):
                raise
            reason = getattr(error, "strerror", None) or "bad path"
            raise LevelError(quoted(path), "", f"cannot be read ({reason})", "check the file") from None


def projects(folder: Path) -> list[Path]:
    """Return the Tiled project files directly in a folder, by name.

    A folder that cannot be listed has none.
    """
    try:
        return sorted(p for p in folder.glob(f"*{PROJECT}") if p.is_file())
    except OSError:
        return []
