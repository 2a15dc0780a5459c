"""Mutants of all files that Fogline reads, from maps to options.

A mutant is a pure function of kind and seed. :func:`try_mutant` reads one as the game does, and says how that ended.
"""

from __future__ import annotations

import os
import random
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from game.checks.headless import run_level
from game.checks.scripts.script import load_script
from game.level.finding import LEVELS
from game.level.reading import load_level
from game.sim.replay import open_replay, save_replay
from game.sim.saves import load_game, save_game
from game.view.input.command_table import default_keys
from game.view.input.key_bindings import read_bindings
from game.view.window.mission_progress import read_progress
from game.view.window.user_options import Options, read_options, write_options

TICKS = 3
"""Ticks that a game from a mutant is played."""
MAGIC = 8
"""Bytes before the compressed body of a save."""
NUMBERS = (b"-1", b"0", b"1e400", b"nan", b"99999999999999999999", b"4294967295", b"0.0000001", b"true", b"null", b'""')
TOKENS = (
    b"<", b">", b"&amp;", b"\x00", b"\xff\xfe", b"[" * 40, b"{", b'"', b"\n", b"<!DOCTYPE a>", b"<properties>", b"= [",
    b"../" * 12, b"/dev/zero", b"units", b"width", b"\xe5\x9c\xb0", b"a" * 5000,
)  # fmt: skip


@dataclass(frozen=True)
class FileKind:
    """Kind of file: true examples, and the function that reads one."""

    name: str
    examples: tuple[bytes, ...]
    read: Callable[[Path], None]
    suffix: str
    packed: bool = False
    """True: the body is compressed, and a mutant is made of the unpacked body."""


def kinds(folder: Path) -> dict[str, FileKind]:
    """Return all kinds of files; made examples lie in ``folder``."""
    level = LEVELS / "regression" / "fights" / "skirmish_small.tmx"
    run = run_level(level, 60, script=load_script(level.with_suffix(".toml")))
    save_replay(run.session, folder / "true.json")
    save_game(run.session, folder / "true.fogsave")
    write_options(Options(), folder / "options.toml")
    os.environ["FOGLINE_DATA"] = str(folder)
    ground = LEVELS / "tilesets" / "ground.tsx"
    places = folder / "tilesets"
    places.mkdir(exist_ok=True)
    for name in ("ground.tsx", "ground.png"):
        (places / name).write_bytes((ground.parent / name).read_bytes())
    small = [level, LEVELS / "regression" / "formation" / "patrol.tmx", LEVELS / "exhibits" / "senses" / "low_wall.tmx"]
    maps = tuple(p.read_bytes().replace(b"../../tilesets/", b"../tilesets/") for p in small)
    scripts = tuple(p.read_bytes() for p in sorted((LEVELS / "exhibits" / "motion").glob("*.toml"))[:6])
    keys = b'[keys]\nstop = "S"\nhold = "H"\nmenu = "Escape"\n'
    progress = b'{"missions": {"the_depot": {"won": 2, "best_ticks": 900, "medal": true}}}'
    rows = (
        FileKind("map", maps, lambda p: [load_level(p)].clear(), ".tmx"),
        FileKind("script", scripts, lambda p: [load_script(p)].clear(), ".toml"),
        FileKind("replay", ((folder / "true.json").read_bytes(),), _play_replay, ".json"),
        FileKind("save", ((folder / "true.fogsave").read_bytes(),), _play_save, ".fogsave", packed=True),
        FileKind("options", ((folder / "options.toml").read_bytes(),), lambda p: [read_options(p)].clear(), ".toml"),
        FileKind("keys", (keys,), lambda p: [read_bindings(default_keys(False), p)].clear(), ".toml"),
        FileKind("progress", (progress,), _read_progress, ".json"),
    )
    return {kind.name: kind for kind in rows}


def _play_replay(path: Path) -> None:
    _, session = open_replay(path)
    for _ in range(TICKS):
        session.advance()


def _play_save(path: Path) -> None:
    session = load_game(path)
    for _ in range(TICKS):
        session.advance()


def _read_progress(path: Path) -> None:
    (Path(os.environ["FOGLINE_DATA"]) / "progress.json").write_bytes(path.read_bytes())
    read_progress()


def mutant(kind: FileKind, seed: int) -> bytes:
    """Return the mutant of a seed: one to four changes of a true example."""
    dice = random.Random(f"{kind.name} {seed}")
    raw = bytearray(dice.choice(kind.examples))
    head = b""
    if kind.packed:
        head, raw = bytes(raw[:MAGIC]), bytearray(zlib.decompress(bytes(raw[MAGIC:])))
    for _ in range(dice.randint(1, 4)):
        _change(raw, dice)
    return head + zlib.compress(bytes(raw), 1) if kind.packed else bytes(raw)


def _change(raw: bytearray, dice: random.Random) -> None:
    """Change some bytes in place."""
    if not raw:
        raw += b"x"
    at = dice.randrange(len(raw))
    how = dice.randrange(6)
    if how == 0:
        raw[at] ^= 1 << dice.randrange(8)
    elif how == 1:
        del raw[at : at + dice.choice((1, 8, 64, 1024))]
    elif how == 2:
        raw[at:at] = raw[at : at + dice.choice((8, 200, 4000))]
    elif how == 3:
        raw[at:at] = dice.choice(TOKENS)
    elif how == 4:
        found = list(re.finditer(rb"-?\d+(?:\.\d+)?", raw[at : at + 4000]))
        if found:
            number = dice.choice(found)
            raw[at + number.start() : at + number.end()] = dice.choice(NUMBERS)
    else:
        del raw[at:]


def try_mutant(kind: FileKind, seed: int, folder: Path) -> str:
    """Read a mutant; return ``ok``, ``refused``, or another error in one line."""
    path = folder / "maps" / f"mutant{kind.suffix}"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(mutant(kind, seed))
    try:
        kind.read(path)
    except ValueError as error:
        return "refused" if "\n" not in str(error) else f"lines: {error!r}"[:200]
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:200].replace("\n", " ")
    return "ok"
