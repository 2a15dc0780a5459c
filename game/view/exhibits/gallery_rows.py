"""Rows of the gallery: ``ai/techniques.toml`` and the words of exhibit scripts.

They are read as plain TOML: the gallery is open before the simulation's libraries are loaded.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from game.level.files import parse_toml, read_toml, read_words
from game.view.painting.palette import ASSETS

ROOT = ASSETS.parent
TECHNIQUES = ROOT / "ai" / "techniques.toml"
BOOKS = ("AI Game Programming Wisdom", "Game AI Pro 2", "AI for Games", "Journal of Game Development", "IA on AI")
OTHER = "elsewhere"


@dataclass(frozen=True)
class Technique:
    """Technique as the gallery shows it."""

    slug: str
    name: str
    source: str
    module: str
    test: str
    exhibit: str
    """Path of the map, below the root; empty: none yet."""
    overlay: str
    setting: str
    area: str
    kind: str
    """``exhibit`` (opens in its frame), ``mission`` (opens in Lab with the overlay) or ``none``."""
    question: str = ""
    """The exhibit's own title; of a mission its name."""
    line: str = ""
    try_this: str = ""
    claim: str = ""
    """Part of the source that is there, left out or different."""
    ids: tuple[str, ...] = ()
    """Entries of the catalogue, those that it only needs to run at the end."""
    functions: tuple[str, ...] = ()
    """Deciding functions, as named in the module."""
    script: str = ""
    """Path of the exhibit's script, below the root; empty: none yet."""
    measure: str = ""

    @property
    def books(self) -> tuple[str, ...]:
        """Sources it belongs to."""
        return tuple(book for book in BOOKS if book in self.source) or (OTHER,)

    def matches(self, words: str) -> bool:
        """Return whether every word of a search stands somewhere in the row."""
        text = " ".join((self.slug, self.name, self.source, self.question, self.area, self.overlay, self.module))
        return all(word in text.lower() for word in words.lower().split())


def read_techniques(file: Path | None = None) -> list[Technique]:
    """Return the rows of ``TECHNIQUES``, or of another file, in file order.

    The list is empty when there is no file.
    """
    return [_technique(row) for row in register_rows(file or TECHNIQUES)]


def technique_of(slug: str) -> Technique | None:
    """Return the row of a slug, or None."""
    return next((_technique(row) for row in register_rows(TECHNIQUES) if row.get("slug") == slug), None)


def register_row(slug: str) -> dict[str, Any]:
    """Return all that the register says of a technique, or an empty table."""
    return next((row for row in register_rows() if row.get("slug") == slug), {})


def register_rows(file: Path = TECHNIQUES) -> tuple[dict[str, Any], ...]:
    """Return the rows of the register as they are written; none without the file."""
    return _parsed(file, read_words(file)) if file.is_file() else ()


@lru_cache(maxsize=4)
def _parsed(file: Path, register: str) -> tuple[dict[str, Any], ...]:
    rows = parse_toml(file, register).get("technique", [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError(f"{file}: technique: write each as a [[technique]] table")
    return tuple(rows)


def _technique(row: dict[str, Any]) -> Technique:
    def word(key: str) -> str:
        value = row.get(key, "")
        return str(value[0] if value else "") if isinstance(value, list) else str(value)

    def listed(key: str) -> tuple[str, ...]:
        value = row.get(key, [])
        return tuple(str(part) for part in value) if isinstance(value, list) else (str(value),)

    module, exhibit, slug = word("module"), word("exhibit"), word("slug")
    parts = module.split("/")
    shown = _exhibit_words(exhibit, slug, word("script")) if exhibit else {}
    kind = "none" if not exhibit else "exhibit" if shown else "mission"
    question = str(shown.get("question", ""))
    if kind == "mission":
        question = f"in {'the mission ' if Path(exhibit).parent.name == 'levels' else ''}{title_of(exhibit)}"
    return Technique(
        slug, word("name"), word("source"), module, word("test"), exhibit, word("overlay"), word("setting"),
        parts[1] if len(parts) > 1 else "other", kind, question or "no exhibit yet",
        str(shown.get("line", "")), str(shown.get("try_this", "")), word("claim"),
        listed("ids") + listed("parts"), listed("functions"), word("script"), word("measure"),
    )  # fmt: skip


def title_of(level: str) -> str:
    """Return a map's file name as words.

    ``levels/the_crossing.tmx`` becomes The Crossing.
    """
    return Path(level).stem.replace("_", " ").title()


def _exhibit_words(level: str, slug: str, script: str) -> dict[str, Any]:
    """Return the ``[exhibit]`` of a map's scripts for a technique.

    Without one for the technique it is the first; without any it is empty. The script that the row names is read
    first, because reading every script of every map takes seconds.
    """
    named = ROOT / script
    if script and named.is_file() and (words := _table(named, named.stat().st_mtime_ns)).get("technique") == slug:
        return words
    path = ROOT / level
    own = path.with_suffix(".toml")
    files = [own, *sorted(p for p in path.parent.glob(f"{path.stem}.*.toml") if p != own)]
    found = [words for file in files if file.is_file() and (words := _table(file, file.stat().st_mtime_ns))]
    return next((w for w in found if w.get("technique") == slug), found[0] if found else {})


@lru_cache(maxsize=256)
def _table(file: Path, _changed: int) -> dict[str, Any]:
    """Return the ``[exhibit]`` of a script.

    A file that cannot be read has none here; opening it names the error.
    """
    try:
        found = read_toml(file).get("exhibit", {})
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
