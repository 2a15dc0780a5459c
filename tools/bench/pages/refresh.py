"""Makes old files of exact counts again, and the tables of ``figures/README.md``: ``python -m tools.bench refresh``.

Timings depend on the machine and its load, so they are taken only when asked for with ``--timings``.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from typing import Any

from tools.bench.pages import figures_page, origins


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of ``refresh``."""
    parser.add_argument("--check", action="store_true", help="only name what is old; exit 1 when something is")
    parser.add_argument("--timings", nargs="*", default=[], metavar="FILE", help="files of timings to take again too")


def rows(args: argparse.Namespace) -> list[dict[str, Any]]:
    """Return a row for each file: whether it was old, and what was done.

    ValueError names a file that is not committed, or a bench that failed.
    """
    known, out = origins.load(), []
    if wrong := sorted(set(args.timings) - set(known)):
        raise ValueError(f"--timings {wrong[0]}: is no file of {origins.FIGURES.name}/; one of {', '.join(known)}")
    stale = set(origins.old())
    for name, origin in known.items():
        state = "old" if name in stale else "of these sources" if origin.sources else f"of {origin.commit}"
        if not args.check and (name in stale or name in args.timings):
            words = [*origin.command.split()[1:], "--json", str(origins.FIGURES / name)]
            if "DIR" in words:
                raise ValueError(f"{name}: needs maps; run '{origin.command}' with a folder of maps for DIR")
            if subprocess.run([sys.executable, *words], cwd=origins.ROOT, stdout=subprocess.DEVNULL).returncode:
                raise ValueError(f"{name}: '{origin.command}' failed; run it to see why")
            state = "made again"
        out.append({"algorithm": name, "mode": state, "us_mean": None, "threads": 1})
    if not args.check:
        figures_page.figures.cache_clear()
        figures_page.write()
    return out


def summary(found: list[dict[str, Any]]) -> int:
    """Return 1 when a file is old."""
    return int(any(row["mode"] == "old" for row in found))
