"""Kill benchmark: processes that save are killed; every file must be whole."""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tools.bench import positive

SAVER = """
import sys
from pathlib import Path
from game.level.finding import find_level
from game.level.reading import load_level
from game.sim.session import Session
from game.view.window.autosaver import write_save
session = Session(load_level(find_level(Path("skirmish_small"))))
session.advance()  # loads the kernels, which may take longer than all of the later waiting
write_save(session, auto=True)
print("ready", flush=True)
while True:
    session.advance()
    write_save(session, auto=True)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this bench."""
    parser.add_argument("--kills", type=positive, default=30)
    parser.add_argument("--seed", type=int, default=1)


def rows(args: argparse.Namespace) -> list[dict[str, Any]]:
    """Return one row: kills, whole and damaged files, scratch files left."""
    from game.sim.saves import load_game
    from game.sim.session import Session
    from game.view.window.autosaver import write_save
    from game.view.window.saved_games import SUFFIX, all_saves, saves_folder

    dice, whole, damaged, scratch, left = random.Random(args.seed), 0, 0, 0, 0
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FOGLINE_DATA"] = folder
        for _ in range(args.kills):
            child = subprocess.Popen([sys.executable, "-c", SAVER], stdout=subprocess.PIPE, text=True)
            assert child.stdout is not None
            child.stdout.readline()
            time.sleep(dice.uniform(0.0, 0.5))
            child.send_signal(signal.SIGKILL)
            child.wait()
            last: Session | None = None
            for path in all_saves():
                try:
                    last = load_game(path)
                    whole += 1
                except ValueError:
                    damaged += 1
            scratch += len(list(saves_folder().glob(f".*{SUFFIX}.*"))) if saves_folder().is_dir() else 0
            if last is not None:
                write_save(last, auto=True)
                left += len(list(Path(saves_folder()).glob(f".*{SUFFIX}.*")))
    seconds = time.perf_counter() - start
    return [
        {
            "algorithm": "kill_while_saving", "mode": "single", "us_mean": round(seconds / args.kills * 1e6),
            "threads": 1, "kills": args.kills, "whole": whole, "damaged": damaged, "scratch_after_kill": scratch,
            "scratch_after_next_save": left,
        }
    ]  # fmt: skip


def summary(found: list[dict[str, Any]]) -> int:
    """Return 1 when a file was damaged or a scratch file stayed."""
    return int(any(row["damaged"] or row["scratch_after_next_save"] for row in found))
