"""Entry of the finder: what it is, and what Enter does with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

KINDS = ("command", "overlay", "exhibit", "tour", "level", "setting", "term")
"""Kinds of entries; of equally good ones the former kind stands first."""


@dataclass(frozen=True)
class FinderEntry:
    """Entry of the finder.

    ``act`` is called after the finder is closed. An entry with ``fills`` puts these words into the line in its place.
    ``words`` are searched besides the name. ``told`` is True for an entry made for exactly the typed words.
    """

    kind: str
    name: str
    about: str
    act: Callable[[], None] | None = None
    fills: str = ""
    words: str = ""
    told: bool = False
