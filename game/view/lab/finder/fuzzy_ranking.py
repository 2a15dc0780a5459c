"""Fuzzy ranking of the finder's entries by typed words.

The distance of a slip of the pen is that of rapidfuzz: two swapped letters count as one edit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz.distance import OSA

from game.view.lab.finder.finder_entry import KINDS, FinderEntry

ALIKE = 0.7
"""Least similarity of a typed word to a word of a name, 0..1."""
IN_NAME, IN_WORDS = 3.0, 2.0
"""Values of an entry with all words in its name, or in others.

A similar name counts below 1.
"""
_WORD = re.compile(r"[^\W_]+")


def ranked(entries: Sequence[FinderEntry], typed: str, most: int = 60) -> list[FinderEntry]:
    """Return the entries that hold the typed words, or similar ones, the best first.

    Without words it is the first ``most`` entries as they stand.
    """
    asked = typed.lower().split()
    if not asked:
        return list(entries[:most])
    found = []
    for at, entry in enumerate(entries):
        value = _value(entry, asked)
        if value > 0.0:
            found.append((not entry.told, -value, KINDS.index(entry.kind), len(entry.name), at))
    return [entries[key[-1]] for key in sorted(found)[:most]]


def _value(entry: FinderEntry, asked: list[str]) -> float:
    """Return how well an entry fits, 0 if it does not."""
    name = entry.name.lower()
    if entry.told:
        return IN_NAME
    if all(word in name for word in asked):
        return IN_NAME + name.startswith(asked[0])
    text = f"{name} {entry.kind} {entry.words.lower()}"
    if all(word in text for word in asked):
        return IN_WORDS
    parts = _WORD.findall(name)
    alike = [max((_similarity(word, part) for part in parts), default=0.0) for word in asked]
    return sum(alike) / len(alike) if min(alike) >= ALIKE else 0.0


def _similarity(word: str, part: str) -> float:
    """Return the similarity of a typed word to a word or to its beginning."""
    whole = OSA.normalized_similarity(word, part)
    return max(whole, OSA.normalized_similarity(word, part[: len(word)]) - 0.01)
