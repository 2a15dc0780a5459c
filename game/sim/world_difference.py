"""Difference of two worlds: the first columns and units that differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

import numpy as np

from ai.core.scheduling.periods import is_due
from ai.core.serialization import compare, digest
from game.sim.session import HASH_EVERY, Session
from game.world.units import Units
from game.world.world import World


def hash_with_settings_of(world: World, other: World) -> str:
    """Return the hash that a world has with the settings of another one.

    So two worlds that differ in their settings alone have one hash.
    """
    return digest(replace(world, settings=other.settings))


def differences(a: World, b: World, limit: int = 5) -> list[str]:
    """Return the places in which two worlds differ, settings aside, columns of units first.

    A place reads like ``units.x of Raider 3 (id 2): 4.5 against 4.6``. Only what the hash covers is compared.
    """
    found = list(_columns(a, b))[:limit]
    rest = compare(replace(a, units=Units()), replace(b, units=Units(), settings=a.settings), limit, hashed=True)
    return (found + [line.removeprefix("World.") for line in rest])[:limit]


def first_fault(a: Session, b: Session, last: int) -> str:
    """Advance two sessions in step; return the first difference in words, or "".

    The words name tick, stage, column and unit. Columns of units are compared after each stage, the rest of the world
    every second, because that takes longer than a tick.
    """
    while a.world.tick < last:
        marks = [_stage_marks(session) for session in (a, b)]
        tick = a.world.tick
        stage = next((name for (name, x), (_, y) in zip(*marks, strict=True) if x != y), "")
        if stage:
            return f"tick {tick}, stage {stage}, {differences(a.world, b.world, 1)[0]}"
        if (is_due(tick, HASH_EVERY) or tick == last) and a.world.hash() != b.world.hash():
            places = differences(a.world, b.world, 1) or ["settings"]
            return f"by tick {tick}, {places[0]}"
    return ""


def _stage_marks(session: Session) -> list[tuple[str, str]]:
    """Advance by a tick; return the digest of the units after each stage."""
    marks: list[tuple[str, str]] = []

    def after_stage(name: str) -> None:
        marks.append((name, digest(session.world.units)))

    session.advance(after_stage)
    return marks


def _columns(a: World, b: World) -> Iterator[str]:
    """Yield each column of units that differs, with the lowest id that does."""
    n = a.units.count
    if n != b.units.count:
        yield f"units: {n} against {b.units.count}"
        return
    for f in fields(Units):
        left, right = getattr(a.units, f.name), getattr(b.units, f.name)
        if f.name == "slot_of" or not isinstance(left, np.ndarray) or f.metadata.get("unhashed"):
            continue
        left, right = left[:n], right[:n]
        both_nan = (left != left) & (right != right)
        other = (left != right) & ~both_nan
        rows = other.reshape(n, -1).any(axis=1) if n else np.zeros(0, bool)
        if rows.any():
            slot = min(np.flatnonzero(rows).tolist(), key=lambda s: int(a.units.id[s]))
            unit = int(a.units.id[slot])
            yield f"units.{f.name} of {a.name_of(unit)} (id {unit}): {_told(left[slot], right[slot])}"


def _told(left: object, right: object) -> str:
    """Return two different values with the digits that tell them apart."""
    if not (isinstance(left, np.floating) and isinstance(right, np.floating)):
        return f"{left} against {right}"
    pairs = ((f"{left:.{digits}g}", f"{right:.{digits}g}") for digits in range(4, 18))
    a, b = next((pair for pair in pairs if pair[0] != pair[1]), (repr(float(left)), repr(float(right))))
    return f"{a} against {b}"
