"""Damaged or changed saves: each is refused in one line or harmless."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game.checks.headless import run_level
from game.checks.scripts.script import load_script
from game.level.finding import find_level
from game.sim.saves import load_game, save_game
from game.sim.session import Session
from game.world.world import World

LEVEL = find_level(Path("skirmish_small"))


@pytest.fixture(scope="module")
def played() -> Session:
    """Return a fight after 140 ticks, with paths, targets and dead units."""
    return run_level(LEVEL, 140, script=load_script(LEVEL.with_suffix(".toml"))).session


def arrays_of(node: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the places of all arrays that are saved and not empty."""
    found = []
    for f in fields(node):
        if f.metadata.get("derived"):
            continue
        value = getattr(node, f.name)
        if isinstance(value, np.ndarray) and value.size:
            found.append((*place, f.name))
        elif is_dataclass(value):
            found += arrays_of(value, (*place, f.name))
    return found


def put(world: World, place: tuple[Any, ...], change: Callable[[np.ndarray], np.ndarray]) -> Callable[[], None]:
    """Change an array of a world; return the function that restores it."""
    owner: Any = world
    for name in place[:-1]:
        owner = getattr(owner, name)
    old = getattr(owner, place[-1])
    setattr(owner, place[-1], change(old))
    return lambda: setattr(owner, place[-1], old)


def spoilt(array: np.ndarray, dice: np.random.Generator) -> np.ndarray:
    """Return an array with an extreme value, another type or another length."""
    how = dice.integers(4)
    if how == 0:
        return array.astype(np.int64 if array.dtype.kind == "f" else np.float64)
    if how == 1:
        return np.concatenate([array, array])
    out = array.copy()
    extremes = [np.nan, np.inf, -1e300] if array.dtype.kind == "f" else [0, 0]
    if array.dtype.kind in "iu":
        extremes = [np.iinfo(array.dtype).max, np.iinfo(array.dtype).min]
    if array.dtype.kind != "b":
        out.flat[dice.integers(out.size, size=max(1, out.size // 4))] = extremes[dice.integers(len(extremes))]
    return out


def reload(session: Session, path: Path) -> str:
    """Save, load and advance a tick; return the error, or "" without one."""
    save_game(session, path)
    try:
        again = load_game(path)
    except ValueError as error:
        assert "\n" not in str(error)
        return str(error)
    again.advance()
    return ""


def test_the_unchanged_save_loads_and_advances(played: Session, tmp_path: Path) -> None:
    assert reload(played, tmp_path / "a.save") == ""


@pytest.mark.parametrize("seed", range(120))
def test_a_spoilt_array_is_refused_or_harmless(played: Session, tmp_path: Path, seed: int) -> None:
    dice = np.random.default_rng(seed)
    with np.errstate(invalid="ignore"):
        places = arrays_of(played.world)
        back = put(played.world, places[seed * 7 % len(places)], lambda array: spoilt(array, dice))
    try:
        reload(played, tmp_path / "a.save")
    finally:
        back()


def filled(value: float) -> Callable[[np.ndarray], np.ndarray]:
    return lambda array: np.full_like(array, value)


@pytest.mark.parametrize(
    ("place", "change", "said"),
    [
        (("units", "target"), filled(1 << 30), "units.target"),
        (("units", "id"), filled(0), "names a unit twice"),
        (("units", "x"), filled(np.nan), "units.x"),
        (("units", "x"), filled(1e6), "units.x"),
        (("units", "kind"), filled(200), "units.kind"),
        (("units", "slot_of"), filled(99), "units.slot_of"),
        (("units", "hp"), lambda array: array[:3], "different lengths"),
        (("paths", "store", "nodes"), filled(1 << 30), "store.nodes"),
        (("paths", "store", "nodes"), filled(0), "store"),
        (("paths", "store", "ends"), filled(1 << 30), "store.ends"),
        (("paths", "store", "arena"), filled(1 << 40), "store.arena"),
        (("paths", "store", "path_len"), filled(1 << 30), "store.path_len"),
        (("paths", "requests", "phase"), filled(77), "requests.phase"),
        (("terrain", "passable"), lambda array: array[:4], "terrain"),
        (("sight", "seen_radius"), filled(9999), "seen_radius"),
    ],
)
def test_a_wrong_index_is_named(
    played: Session, tmp_path: Path, place: tuple[str, ...], change: Callable[[np.ndarray], np.ndarray], said: str
) -> None:
    back = put(played.world, place, change)
    try:
        assert said in reload(played, tmp_path / "a.save")
    finally:
        back()


def test_a_string_in_place_of_a_number_is_named(played: Session, tmp_path: Path) -> None:
    tick = played.world.tick
    played.world.mission.alarms = "many"  # type: ignore[assignment]
    try:
        assert "mission.alarms" in reload(played, tmp_path / "a.save")
    finally:
        played.world.mission.alarms = 0
    assert played.world.tick == tick


def test_a_mind_without_a_unit_is_named(played: Session, tmp_path: Path) -> None:
    minds = played.world.minds
    played.world.minds = {**minds, 9999: next(iter(minds.values()))}
    try:
        assert "names no unit" in reload(played, tmp_path / "a.save")
    finally:
        played.world.minds = minds


@pytest.mark.parametrize("seed", range(25))
def test_flipped_bytes_end_in_one_line(played: Session, tmp_path: Path, seed: int) -> None:
    save_game(played, tmp_path / "a.save")
    raw = bytearray((tmp_path / "a.save").read_bytes())
    dice = np.random.default_rng(seed)
    for at in dice.integers(len(raw), size=1 + seed % 5):
        raw[at] ^= 1 << int(dice.integers(8))
    (tmp_path / "b.save").write_bytes(raw[: len(raw) - seed * 100])
    try:
        load_game(tmp_path / "b.save")
    except ValueError as error:
        assert "\n" not in str(error) and "b.save" in str(error)
