"""Saved games: the world and its order log through the state codec, written whole."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from ai.core.serialization import StateError, from_bytes, record, to_bytes
from game.level.files import write_whole
from game.level.reading import load_level
from game.sim.replay import recorded_level
from game.sim.session import Session
from game.sim.state_check import check_world
from game.world.orders import Order
from game.world.world import World, revived


@record
class SavedGame:
    """Contents of a save."""

    level: str
    level_digest: str
    seed: int
    settings: dict[str, bool | int | float | str]
    units: int | None
    world: World
    log: list[tuple[int, Order]] = field(default_factory=list)
    hashes: list[tuple[int, str]] = field(default_factory=list)
    waiting: list[Order] = field(default_factory=list)  # given while the game stood; they enter at the next tick
    lab_used: bool = False


def save_game(session: Session, path: Path) -> None:
    """Write the session to a file."""
    session.finish_tick()
    saved = SavedGame(
        str(session.level.path.resolve()),
        session.level.digest,
        session.seed,
        session.given_settings,
        session.extra_units,
        session.world,
        session.log,
        session.hashes,
        list(session.waiting),
        session.lab_used,
    )
    write_whole(path, to_bytes(saved), overwrite=True)


def load_game(path: Path) -> Session:
    """Load the session from a file; ValueError (one line) for an unusable one."""
    try:
        saved = from_bytes(path.read_bytes())
    except OSError as error:
        raise ValueError(f"{path}: cannot be read ({error.strerror}); check the path") from None
    except StateError as error:
        raise ValueError(f"{path}: {error}") from None
    except (OverflowError, RecursionError, MemoryError) as error:
        raise ValueError(f"{path}: the state file is damaged ({type(error).__name__})") from None
    if not isinstance(saved, SavedGame):
        raise ValueError(f"{path}: holds no saved game")
    level = load_level(recorded_level(Path(saved.level), path))
    if level.digest != saved.level_digest:
        raise ValueError(f"{path}: {level.path.name} has changed since this was saved; start the level again")
    try:
        session = Session(level, saved.seed, dict(saved.settings), saved.units)
        check_world(saved.world, session.world)
        session.world = revived(saved.world)
    except StateError as error:
        raise ValueError(f"{path}: {error}") from None
    session.log = [(tick, order) for tick, order in saved.log]
    session.hashes = [(tick, value) for tick, value in saved.hashes]
    session.lab_used = saved.lab_used
    for order in saved.waiting:
        session.give(order)
    return session
