"""Replays: level, seed, settings, order log and a hash every second.

``verify`` plays one again and compares.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ai.core.scheduling.periods import is_due
from game.level.files import write_whole
from game.level.finding import shipped_levels
from game.level.reading import load_level
from game.sim.session import HASH_EVERY, MOST_UNITS, Session
from game.sim.world_difference import first_fault
from game.world.orders import brief, order_from_json

FORMAT = "fogline-replay-2"
MOST_BYTES = 256 << 20
MOST_TICKS = 10_000_000
MOST_ORDERS = 2_000_000
MOST_BOOKMARKS = 10_000
TELL_EVERY = 20_000
"""Ticks between two calls of ``progress``."""


class Replay(BaseModel):
    """A replay file."""

    model_config = ConfigDict(extra="forbid")
    format: str
    level: str
    level_digest: str
    seed: int
    settings: dict[str, bool | int | float | str]
    units: int | None = Field(ge=0, le=MOST_UNITS)
    ticks: int = Field(ge=0, le=MOST_TICKS)
    orders: list[tuple[Annotated[int, Field(ge=1)], dict[str, Any]]] = Field(max_length=MOST_ORDERS)
    hashes: list[tuple[int, str]]
    lab_used: bool = False
    bookmarks: list[Annotated[int, Field(ge=0)]] = Field(default=[], max_length=MOST_BOOKMARKS)


def save_replay(session: Session, path: Path) -> None:
    """Write the session's recording."""
    session.finish_tick()
    write_whole(path, replay_text(session), overwrite=True)


def replay_text(session: Session) -> str:
    """Return the session's recording as the text of a replay.

    A tick that failed is left as it is."""
    replay = Replay(
        format=FORMAT,
        level=str(session.level.path.resolve()),
        level_digest=session.level.digest,
        seed=session.seed,
        settings=session.given_settings,
        units=session.extra_units,
        ticks=session.world.tick,
        orders=[(tick, order.to_json()) for tick, order in session.log],
        hashes=session.hashes,
        lab_used=session.lab_used,
        bookmarks=session.bookmarks[:MOST_BOOKMARKS],
    )
    return replay.model_dump_json(indent=1)


def load_replay(path: Path) -> Replay:
    """Read a replay; raises ValueError in one line."""
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise ValueError(f"{path}: the replay has {size >> 20} MB, at most {MOST_BYTES >> 20} MB are read")
    except OSError as error:
        raise ValueError(f"{path}: cannot be read ({error.strerror}); check the path") from None
    try:
        replay = Replay.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ValueError(f"{path}: cannot be read ({error.strerror}); check the path") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(p) for p in first["loc"]) or "top level"
        raise ValueError(f"{path}: not a Fogline replay: {place}: {first['msg']}") from None
    except (ValueError, RecursionError):
        raise ValueError(f"{path}: not a replay (not JSON)") from None
    if replay.format != FORMAT:
        raise ValueError(f"{path}: replay format {brief(replay.format)} is not {FORMAT!r}; record it again")
    return replay


def open_replay(path: Path) -> tuple[Replay, Session]:
    """Return the replay and a session whose orders enter by themselves.

    The session is at its start. Raises ValueError in one line when the level is gone or has changed.
    """
    replay = load_replay(path)
    level = load_level(recorded_level(Path(replay.level), path))
    if level.digest != replay.level_digest:
        raise ValueError(f"{path}: {level.path.name} has changed since this was recorded; record it again")
    try:
        session = Session(level, replay.seed, dict(replay.settings), replay.units)
    except ValueError as error:
        raise ValueError(f"{path}: {error}; record it again") from None
    session.lab_used = replay.lab_used
    session.bookmarks = sorted(set(replay.bookmarks))
    orders = []
    for number, (tick, row) in enumerate(replay.orders):
        try:
            orders.append((tick, order_from_json(row)))
        except ValueError as error:
            raise ValueError(f"{path}: orders.{number}: {error}; record it again") from None
    session.schedule(orders)
    return replay, session


def recorded_level(recorded: Path, beside: Path) -> Path:
    """Return the recorded level, or one of the same name.

    It is searched where it was recorded, beside the file that names it, and in the shipped levels. Only a Tiled map is
    read; its digest decides whether it is the one.
    """
    name = brief(recorded.name)
    if recorded.suffix.lower() != ".tmx":
        raise ValueError(f"{beside}: its level {name} is no .tmx file; record it again")
    try:
        places = [recorded, beside.parent / recorded.name]
        found = next((p for p in places if p.is_file()), shipped_levels().get(recorded.name.removesuffix(".tmx")))
    except (OSError, ValueError):
        found = None
    if found is None:
        raise ValueError(f"{beside}: its level {name} is neither where it was, nor beside the file, nor a shipped one")
    return found


def verify(path: Path, progress: Callable[[int, int], None] | None = None) -> list[str]:
    """Play a replay headless; return lines about different hashes, empty if equal.

    ``progress(tick, ticks)`` is called every so often.
    """
    replay, session = open_replay(path)
    while session.world.tick < replay.ticks:
        session.advance()
        if progress is not None and is_due(session.world.tick, TELL_EVERY):
            progress(session.world.tick, replay.ticks)
    got = dict(session.hashes)
    wrong = [tick for tick, value in replay.hashes if got.get(tick) != value]
    if wrong:
        equal = max((tick for tick, _ in replay.hashes if tick < wrong[0]), default=0)
        counts = f"{len(wrong)} of {len(replay.hashes)} hashes"
        return [
            f"{path}: differs from tick {wrong[0]} on ({counts}); the last equal one is of tick {equal}",
            _played_twice(path, wrong[0]),
        ]
    expected = replay.ticks // HASH_EVERY
    if len(replay.hashes) < expected:
        return [f"{path}: holds {len(replay.hashes)} hashes, {expected} were due"]
    return []


def _played_twice(path: Path, last: int) -> str:
    """Return in words whether this install plays a replay alike twice."""
    found = first_fault(open_replay(path)[1], open_replay(path)[1], last)
    if found:
        return f"{path}: this install does not play it alike twice: {found}; that is an error in the program"
    return f"{path}: this install plays it alike twice: another version recorded it, or the file was changed"
