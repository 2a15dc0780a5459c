"""Techniques that the player has seen: one small file in the user's data folder."""

from __future__ import annotations

import json
from pathlib import Path

from game.level.files import write_whole
from game.view.window.user_options import data_folder


def seen_file() -> Path:
    """Return the file of the seen techniques."""
    return data_folder() / "gallery.json"


def read_seen() -> set[str]:
    """Return the slugs of the seen techniques; a damaged file holds none."""
    try:
        found = json.loads(seen_file().read_text(encoding="utf-8")).get("seen", [])
        return {slug for slug in found if isinstance(slug, str)}
    except (OSError, ValueError, AttributeError, TypeError, RecursionError):
        return set()


def note_seen(slug: str) -> str:
    """Add a technique to the file; return the error as one line."""
    seen = read_seen() | {slug}
    try:
        seen_file().parent.mkdir(parents=True, exist_ok=True)
        write_whole(seen_file(), json.dumps({"seen": sorted(seen)}, indent=1) + "\n", overwrite=True)
    except (OSError, ValueError) as error:
        return f"{error}; what you have seen is not kept"
    return ""
