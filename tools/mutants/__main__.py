"""Breaks the techniques and lists what their tests miss: ``python -m tools.mutants [SLUG...]``.

Every deciding function of a row is changed in small ways. The row's named test runs first, its exhibit's script where
the test passes; what both let pass is listed. Results are kept in a file, so a run that was ended goes on.

With ``--changed`` it ends with 1 only when a new constant return survives: one that the committed figures do not name.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ai.core.kernels import cache_root, sources_of
from ai.core.register import Technique, scan
from tools.bench.pages import figures_page, origins
from tools.mutants.mutations import Mutant, mutants, sample
from tools.mutants.results import Result, alive, areas, constant_returns, equivalents, joined, load, refreshed, save
from tools.mutants.trial import (
    MUTANT,
    UNCHANGED,
    UNJUDGED,
    Bench,
    Queued,
    Trees,
    Trial,
    edit,
    load_libraries,
    run_all,
    stages,
    tested,
    warm_kernels,
)  # fmt: skip

ROOT = Path(__file__).resolve().parent.parent.parent
FIGURES = ROOT / "tools" / "bench" / "figures" / "mutants.json"
EQUIVALENT = Path(__file__).with_name("equivalent.toml")
GATE_SECONDS = 120.0
"""Time that ``--changed`` takes at most for new trials."""
SLACK = 4.0
"""Factor on the processor time of the unchanged program.

It limits each stage of a mutant."""
_ONE_MORE = "\n_UNCHANGED = 0\n"
"""Statement without effect; kernels of the module compile anew, as a mutant's do."""


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Run the mutants of some rows.

    It returns 1 when a row cannot be judged, or when ``--changed`` finds a new constant return that survives.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("slugs", nargs="*", metavar="SLUG", help="rows of ai/techniques.toml; all when none is named")
    parser.add_argument("--changed", metavar="REV", help="only rows whose module, test or exhibit differs from REV")
    parser.add_argument("--most", type=int, default=0, help="mutants of a row at most; 0 for all")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once (2)")
    parser.add_argument("--limit", type=float, default=10.0, help="processor seconds of a stage, at least (10)")
    parser.add_argument("--budget", type=float, default=0.0, help="seconds after which no trial starts; 0 for none")
    parser.add_argument("--results", type=Path, default=FIGURES, help="file that is gone on with")
    parser.add_argument("--join", type=Path, metavar="FILE", help="add the outcomes of FILE for unchanged rows and end")
    parser.add_argument("--tests", action="store_true", help="run quick tests alone: exhibits and long tests kill none")
    parser.add_argument("--list", action="store_true", help="print the names of the mutants and end")
    parser.add_argument("--show", action="store_true", help="print the figures of the results file and end")
    chosen = parser.parse_args(arguments)
    same = equivalents(EQUIVALENT)
    if chosen.show:
        return _show(refreshed(root, load(chosen.results)), same)
    try:
        rows = rows_of(root, chosen.slugs, chosen.changed)
    except ValueError as error:
        print(f"mutants: {error}", file=sys.stderr)
        return 2
    if chosen.list:
        for row in rows:
            print(*(f"{row.slug}: {m.name}" for m in _drawn(root, row, chosen.most)), sep="\n")
        return 0
    results = refreshed(root, load(chosen.results))
    if chosen.join:
        return _join(chosen, root, results, same)
    budget = chosen.budget or (GATE_SECONDS if chosen.changed else 0.0)
    options = Options(root, chosen.results, chosen.most, chosen.jobs, chosen.limit, budget, chosen.tests)
    broken = _run(options, rows, results, same)
    if chosen.results == FIGURES:
        _noted(["SLUG", "--most", str(chosen.most), "--jobs", str(chosen.jobs)])
    return _told(rows, results, same, broken, bool(chosen.changed))


def _join(chosen: argparse.Namespace, root: Path, results: dict[str, Result], same: dict[str, str]) -> int:
    """Add the outcomes of another file and write the figures.

    The other options say how that file was made.
    """
    taken = joined(results, load(chosen.join))
    results = refreshed(root, results)  # another version of this tool may have made other mutants
    save(chosen.results, results, same)
    print(f"{taken} outcomes of {chosen.join} joined; those of rows that have changed are left out")
    if chosen.results == FIGURES:
        _noted(["--most", str(chosen.most), *(["--tests"] if chosen.tests else []), "--join", "FILE"])
    return 0


def _noted(words: list[str]) -> None:
    """Write the origin of the committed figures and their page."""
    origins.note(FIGURES, words, "mutants")
    figures_page.write()


def rows_of(root: Path, slugs: list[str], revision: str | None) -> list[Technique]:
    """Return the rows of these slugs, or those that differ from a revision.

    ValueError names a slug or a revision that does not exist.
    """
    rows = scan(root)
    unknown = sorted(set(slugs) - {r.slug for r in rows})
    if unknown:
        raise ValueError(f"{unknown[0]}: no row of ai/techniques.toml has this slug")
    if slugs:
        rows = [r for r in rows if r.slug in slugs]
    if revision:
        command = ["git", "diff", "--name-only", revision, "--"]
        answer = subprocess.run(command, cwd=root, capture_output=True, text=True)
        if answer.returncode:
            raise ValueError(f"--changed {revision}: git knows no such revision")
        changed = set(answer.stdout.splitlines())
        rows = [r for r in rows if changed & {r.module, r.test, r.exhibit, r.level}]
    return rows


def _drawn(root: Path, row: Technique, most: int) -> list[Mutant]:
    """Return the mutants of a row to run."""
    made = mutants((root / row.module).read_text(encoding="utf-8"), row.functions)
    return sample(made, most) if most else made


@dataclass(frozen=True)
class Options:
    """Limits of a run: mutants of a row, seconds of each and of all."""

    root: Path
    file: Path
    most: int
    jobs: int
    limit: float
    budget: float
    tests: bool = False
    """True: a mutant that passes the quick tests counts as a survivor."""


def _run(options: Options, rows: list[Technique], results: dict[str, Result], same: dict[str, str]) -> list[str]:
    """Run what has no result yet; return the rows whose unchanged program fails."""
    begun, budget, root = time.monotonic(), options.budget, options.root
    broken: list[str] = []
    trees = Trees(root, options.jobs)
    try:
        for row in rows:
            result = results[row.slug]
            drawn = _drawn(root, row, options.most)
            todo = [m for m in drawn if m.name not in result.outcomes and f"{row.slug}: {m.name}" not in same]
            if not todo or (budget and time.monotonic() - begun > budget):
                continue
            load_libraries()
            trees.fill()
            bench, seconds = _bench(options, row, trees.places[0])
            if bench is None:
                broken.append(row.slug)
                continue
            ends = begun + budget if budget else float("inf")
            for name, outcome in run_all(_queue(root, row, todo, bench, seconds, ends), trees.places):
                print(f"{row.slug}: {outcome:8s} {name}", flush=True)
                if outcome != UNJUDGED:
                    result.outcomes[name] = outcome
                    save(options.file, results, same)
    finally:
        trees.close()
    return broken


def _queue(
    root: Path, row: Technique, todo: list[Mutant], bench: Bench, seconds: float, ends: float
) -> Iterator[Queued]:
    """Yield the trials of a row until the time is used up."""
    source = (root / row.module).read_text(encoding="utf-8")
    for mutant in todo:
        if time.monotonic() > ends:
            return
        made, means = stages(bench)

        def make(place: Path, mutant: Mutant = mutant, made: list = made) -> Trial:
            module = place / row.module
            edit(module, mutant.applied(source), MUTANT)
            cache = warm_kernels(place, cache_root()) if bench.compiled else None
            return Trial(made, place, seconds, cache, (module, source))

        yield mutant.name, make, means


def _bench(options: Options, row: Technique, place: Path) -> tuple[Bench | None, float]:
    """Return a row's bench and the processor seconds of a mutant's stage.

    If kernels use the module, its test runs the Python form of the kernels, because that needs no compiler.
    Tests that need the compiled kernels are found by a run of the unchanged program. A failed fixture counts too.
    """
    root, limit = options.root, options.limit
    compiled = plain = compiles(root, row.module)
    passed_over: tuple[str, ...] = ()
    if plain:
        code, lines = _listened(row.test, place, limit)
        passed_over = tuple(re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", lines, re.M))
        plain = code in (0, 1) and bool(passed_over or code == 0)
    long = not options.tests and ".long" in (root / row.test).read_text(encoding="utf-8")
    script = "" if options.tests else row.exhibit
    bench = Bench(row.test, row.level, script, plain, passed_over if plain else (), compiled, long)
    made, _ = stages(bench)
    cache, restored = None, None
    if compiled and not (options.tests and plain and not passed_over):
        source = (root / row.module).read_text(encoding="utf-8")
        cache, restored = warm_kernels(place, cache_root()), (place / row.module, source)
        edit(place / row.module, source + _ONE_MORE, UNCHANGED)
    trial = Trial(made, place, 20 * limit, cache, restored, writes_byte_code=True)
    code = trial.awaited()
    trial.close()
    if code:
        print(f"{row.slug}: the unchanged program fails (stage {code}); mend {row.test} or {row.exhibit} first")
        return None, 0.0
    return bench, max(limit, SLACK * trial.used)


def _listened(test: str, place: Path, limit: float) -> tuple[int | None, str]:
    """Run a test file on the Python form of kernels; return code and lines."""
    lines = place.parent / "listened.txt"

    def stage() -> int:
        with lines.open("w") as out:
            os.dup2(out.fileno(), 1)
            return tested((test,), "-m", "not long", "--maxfail=1000", "-rfE", plain=True)()

    code = Trial([stage], place, limit).awaited()
    return code, lines.read_text() if lines.is_file() else ""


def compiles(root: Path, module: str) -> bool:
    """Return whether a module holds kernels or is read by one that does."""
    path = root / module
    for folder in ("ai", "game"):
        for other in sorted((root / folder).rglob("*.py")):
            if b"kernels import" in other.read_bytes():
                name = ".".join(other.relative_to(root).with_suffix("").parts)
                if path in sources_of(name):
                    return True
    return False


def _show(results: dict[str, Result], same: dict[str, str]) -> int:
    for area in areas(results, same):
        print(
            f"{area['area']:16s} {area['judged']:3d} of {area['techniques']:3d} techniques,"
            f" {area['run']:4d} of {area['made']:4d} mutants run:"
            f" {area['by_test']} by test, {area['by_exhibit']} by exhibit, {area['by_time']} by time,"
            f" {area['alive']} alive; " + (f"{area['killed']:.0%} killed" if area["run"] else "not run")
        )
    return 0


def _told(
    rows: list[Technique], results: dict[str, Result], same: dict[str, str], broken: list[str], strict: bool
) -> int:
    """Print the survivors and the figures; return the exit code."""
    own = {r.slug: results[r.slug] for r in rows if r.slug in results}
    for slug, result in own.items():
        for name in alive(result, same):
            print(f"ALIVE  {slug}: {name}")
    _show(own, same)
    known = {slug: set(alive(result, {})) for slug, result in load(FIGURES).items()}
    new = [f"{s}: {n}" for s, r in own.items() for n in constant_returns(r, same) if n not in known.get(s, ())]
    if strict:
        print(*(f"NEW    {name} (a constant decides as well as this function)" for name in new), sep="\n")
    return 1 if broken or (strict and new) else 0


if __name__ == "__main__":
    sys.exit(main())
