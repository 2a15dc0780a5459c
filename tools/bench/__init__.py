"""Benchmarks: ``python -m tools.bench NAME [--json FILE] [options]``.

A benchmark is a module with ``add_arguments(parser)`` and ``rows(args) -> list[dict]``, and perhaps ``summary(rows)``,
which prints what they come to and returns the exit code; each row has at least ``algorithm``, ``mode``, ``us_mean`` and
``threads``.  Libraries we measure ourselves against are rows of their own.
"""

from __future__ import annotations

import argparse

NAMES: dict[str, str] = {
    "draw": "tools.bench.draw",
    "env": "tools.bench.agent_env",
    "fuzz": "tools.bench.robust.fuzz",
    "influence": "tools.bench.influence",
    "kill": "tools.bench.robust.kill",
    "orders": "tools.bench.robust.random_orders",
    "soak": "tools.bench.robust.soak",
    "crowd": "tools.bench.crowd",
    "paths": "tools.bench.paths",
    "refresh": "tools.bench.pages.refresh",
    "rewind": "tools.bench.rewind",
    "search": "tools.bench.search.search_bench",
    "sight": "tools.bench.sight",
    "squads": "tools.bench.squads",
    "startup": "tools.bench.startup",
    "tuning": "tools.bench.tuning",
}
"""Benchmark name -> module.  Add yours here."""


def positive(text: str) -> int:
    """A number of things on the command line, at least one."""
    return _whole(text, 1)


def count(text: str) -> int:
    """A number of things on the command line, or none."""
    return _whole(text, 0)


def _whole(text: str, least: int) -> int:
    try:
        value = int(text)
    except ValueError:
        value = least - 1
    if value < least:
        raise argparse.ArgumentTypeError(f"must be a whole number from {least} on, not {text[:20]!r}")
    return value
