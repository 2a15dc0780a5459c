"""Command ``run --compare``: one pair of games, and many seeds with a progress bar."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from game.checks.comparing.comparison import Comparison, GameSetup
from game.checks.comparing.intervals import CONFIDENCE
from game.checks.comparing.many_seeds import FigureResult, SeedRuns
from game.sim.session import Session
from game.sim.stage_clock import settle


def compare(setup: GameSetup, seed: int | None, seeds: int) -> tuple[dict[str, Any], list[str], Session]:
    """Play a pair of games, then ``seeds`` more pairs.

    Return the JSON, lines to read, and game ``a``. The seeds follow each other from that of the pair on. ValueError in
    one line for a setting that is not there.
    """
    comparison = Comparison.begin(setup, seed)
    settle()
    comparison.to_the_end()
    report = {"settings": {name: {"a": a, "b": b} for name, (a, b) in setup.pairs().items()}, **comparison.report()}
    lines = list(_pair_lines(comparison))
    if seeds:
        first = comparison.sessions[0].seed
        runs = _play_seeds(SeedRuns(setup, range(first, first + seeds)))
        report["seeds"] = runs.report()
        lines += _seed_lines(runs)
    return report, lines, comparison.sessions[0]


def _play_seeds(runs: SeedRuns) -> SeedRuns:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("seeds", total=len(runs.seeds))
        try:
            runs.start()
            while not runs.over:
                runs.poll(None)
                bar.update(task, completed=runs.done)
        finally:
            runs.stop()
    return runs


def _pair_lines(comparison: Comparison) -> Iterator[str]:
    a, b = (figures.values for figures in comparison.figures)
    yield f"{'figure':<44}{'a':>12}{'b':>12}"
    for kind in comparison.kinds:
        words = f"{kind.words} ({kind.unit})" if kind.unit else kind.words
        yield f"{words:<44}{kind.text(a[kind.name]):>12}{kind.text(b[kind.name]):>12}"
    d, p = comparison.difference, comparison.parting
    if d is None:
        yield f"the worlds are equal up to tick {comparison.tick}"
        return
    yield f"first difference at tick {d.tick}: {'; '.join(d.places[:2])}"
    if p is not None:
        yield f"ways part at tick {p.tick}: {comparison.worlds[0].name_of(p.unit)}"


def _seed_lines(runs: SeedRuns) -> Iterator[str]:
    yield ""
    yield f"{f'{len(runs.results)} seeds':<44}{'a':>12}{'b':>12}{'b - a':>12}   {CONFIDENCE:.0%} interval"
    for row in runs.table():
        yield f"{row.figure.words:<44}{_cells(row)}"
    if runs.alike:
        yield "every seed played the same pair: random numbers change nothing here; --units K scatters units by seed"
    for seed, error in sorted(runs.failed.items()):
        yield f"seed {seed} failed: {error}"


def _cells(row: FigureResult) -> str:
    if not row.difference.count:
        return f"{'-':>12}{'-':>12}{'-':>12}   no pair"
    interval = f"{row.low:+,.2f} to {row.high:+,.2f}" if row.difference.count > 1 else "one pair"
    return f"{row.a:>12,.1f}{row.b:>12,.1f}{row.difference.mean:>+12,.2f}   {interval}, {row.difference.count} pairs"
