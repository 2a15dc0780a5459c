"""Benchmarks: ``python -m tools.bench NAME [--json FILE] [options]``.

A benchmark is a module with ``add_arguments(parser)`` and ``rows(args) -> list[dict]``, and perhaps ``summary(rows)``,
which prints what they come to and returns the exit code; each row has at least ``algorithm``, ``mode``, ``us_mean`` and
``threads``.  Libraries we measure ourselves against are rows of their own.
"""

NAMES: dict[str, str] = {
    "draw": "tools.bench.draw",
    "crowd": "tools.bench.crowd",
    "paths": "tools.bench.paths",
    "rewind": "tools.bench.rewind",
    "search": "tools.bench.search",
    "sight": "tools.bench.sight",
    "startup": "tools.bench.startup",
    "tuning": "tools.bench.tuning",
}
"""Benchmark name -> module.  Add yours here."""
