"""Subcommands: play, check, run, shot, replay, warm-up, new, sweep, report.

Nothing heavy is imported at the top: the window must open before numba loads.  Every error a user can cause ends
in one line that names the file, the place and the remedy.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from game.sim.warm_up import compile_as_told, compile_in_children
from game.world.faults import StageFault
from game.world.settings import parse_value, walk_settings


def main(argv: list[str]) -> int:
    """Run one subcommand; return the exit code."""
    # Threads that spin while they wait slow each other on a busy machine.  OpenMP reads this with its first thread.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a console that lacks a character still gets its report
    args = _parser().parse_args(argv)
    if getattr(args, "root", None) is not None:
        if not args.root.is_dir():
            print(f"fogline: --root {args.root}: there is no such folder", file=sys.stderr)
            return 2
        os.environ["FOGLINE_MAP_ROOT"] = str(args.root.resolve())  # game.level.tmx.map_folder reads it
    command: Callable[[argparse.Namespace], int] = args.command
    try:
        for file in (getattr(args, name, None) for name in ("json", "junit", "record")):
            if isinstance(file, Path) and str(file) != "-":
                _refuse_unwritable(file)
        return command(args)
    except BrokenPipeError:
        return 1
    except KeyboardInterrupt:
        return 130
    except StageFault as fault:
        print(f"fogline: an error in the program: {fault}", file=sys.stderr)
        return 3
    except (ValueError, OSError) as error:
        # LevelError, StateError and the rest derive from ValueError; their text is the one line.
        print(f"fogline: {' '.join(str(error).split())}", file=sys.stderr)
        return 2


def _refuse_unwritable(file: Path) -> None:
    """Refuse a path that cannot be written, before minutes of work."""
    from game.level.files import refuse_unwritable

    refuse_unwritable(file)


class _Parser(argparse.ArgumentParser):
    """Argument parser that reports an error in one line."""

    def error(self, message: str) -> NoReturn:
        """Print the line and exit with 2."""
        self.exit(2, f"{self.prog}: {' '.join(message.split())}; {self.prog} --help lists what it takes\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="main.py", description="Fogline, a sandbox of game-AI techniques.")
    parser.set_defaults(command=_window, level=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    play = commands.add_parser("play", help="play a level: any orthogonal Tiled .tmx")
    play.add_argument("level")
    _root_option(play)
    play.set_defaults(command=_window)

    check = commands.add_parser("check", help="headless regression: every expectation of every level")
    check.add_argument("paths", nargs="*", type=Path)
    check.add_argument("--json", type=Path, metavar="FILE", help="write a report; - prints it")
    check.add_argument("--junit", type=Path, metavar="FILE", help="write a report in JUnit's XML")
    check.add_argument("--jobs", type=_positive, default=os.cpu_count() or 1, help="processes of this machine")
    check.add_argument("--maps-only", action="store_true", help="findings of the maps alone; no script is played")
    _root_option(check)
    check.set_defaults(command=_check)

    run = commands.add_parser("run", help="run a level headless and report")
    run.add_argument("level", nargs="?", type=Path)
    run.add_argument("--ticks", type=_positive)
    run.add_argument("--seed", type=_whole)
    run.add_argument("--units", type=_count, help="scatter K soldiers, each with an order of its own")
    run.add_argument("--script", type=Path)
    run.add_argument("--set", action="extend", nargs="+", default=[], metavar="NAME=VALUE")
    text = "run a second world with this setting and compare; several may be given"
    run.add_argument("--compare", action="extend", nargs="+", default=[], metavar="NAME=VALUE", help=text)
    run.add_argument("--seeds", type=_positive, metavar="N", help="with --compare: N more pairs in other processes")
    run.add_argument("--threads", type=_positive, help="numba threads")
    run.add_argument("--record", type=Path, metavar="FILE", help="write a replay")
    run.add_argument("--json", type=Path, metavar="FILE")
    run.add_argument("--list-settings", action="store_true")
    _root_option(run)
    run.set_defaults(command=_run)

    shot = commands.add_parser("shot", help="a screenshot with no display")
    shot.add_argument("what", help="a level, or menu, gallery, options")
    shot.add_argument("--tick", type=_count, default=0)
    shot.add_argument("--seed", type=_whole, default=1)
    shot.add_argument("--overlays", default="")
    shot.add_argument("--select", default="")
    shot.add_argument("--camera", default="")
    shot.add_argument("--out", type=Path, required=True)
    shot.add_argument("--size", default="1280x720")
    shot.add_argument("--script", type=Path, help="let this script give the orders up to the tick")
    _root_option(shot)
    shot.set_defaults(command=_shot)

    replay = commands.add_parser("replay", help="play a recorded game again, or verify its hashes")
    replay.add_argument("file", type=Path)
    replay.add_argument("--verify", action="store_true")
    replay.set_defaults(command=_replay)

    warm = commands.add_parser("warm-up", help="compile all kernels into the cache")
    warm.add_argument("--lines", action="store_true", help="plain progress lines, for another program to read")
    warm.add_argument("--group", action="append", help="only this kernel group; may be repeated")
    warm.add_argument("--as-told", action="store_true", help="only kernels whose numbers come in, in this process")
    warm.set_defaults(command=_warm_up)

    sweep = commands.add_parser("sweep", help="play levels x seeds x settings headless, into one table")
    sweep.add_argument("levels", nargs="+", type=Path, metavar="LEVEL")
    sweep.add_argument("--seeds", default="0-9", help="as 0-999, or 1,5,9")
    sweep.add_argument("--vary", action="append", default=[], metavar="NAME=VALUE,VALUE")
    sweep.add_argument("--script", type=Path, help="in place of each level's own")
    sweep.add_argument("--ticks", type=_positive, help="in place of the script's own length")
    sweep.add_argument("--out", type=Path, required=True, metavar="FILE", help=".parquet or .csv")
    sweep.add_argument("--resume", action="store_true", help="play only what FILE does not hold yet")
    sweep.add_argument("--workers", type=_positive, default=os.cpu_count() or 1, help="processes of this machine")
    sweep.add_argument("--cluster", metavar="ADDRESS", help="a Dask scheduler, as tcp://10.0.0.5:8786")
    sweep.set_defaults(command=_sweep)

    report = commands.add_parser("report", help="mean, interval and effect of each setting of a sweep, as HTML")
    report.add_argument("results", type=Path)
    report.add_argument("--out", type=Path, metavar="FILE", help="the page; beside the results by default")
    report.set_defaults(command=_report)

    new = commands.add_parser("new", help="write a starter level: NAME.tmx with a mission, NAME for the sandbox")
    new.add_argument("file", type=Path)
    new.set_defaults(command=_new)
    return parser


def _root_option(command: argparse.ArgumentParser) -> None:
    text = "folder below which a map's pictures and tilesets may lie; else that of its Tiled project"
    command.add_argument("--root", type=Path, metavar="FOLDER", help=text)


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        shown = text if len(text) <= 20 else f"{text[:20]}..."
        raise argparse.ArgumentTypeError(f"{shown!r} is no whole number") from None


def _positive(text: str) -> int:
    value = _whole(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def _count(text: str) -> int:
    value = _whole(text)
    if value < 0:
        raise argparse.ArgumentTypeError("must not be negative")
    return value


def _pairs(rows: list[str], option: str) -> dict[str, str]:
    pairs = {}
    for row in rows:
        name, equals, value = row.partition("=")
        if not equals or not name:
            raise ValueError(f"{option} {row}: write NAME=VALUE; run --list-settings names them")
        pairs[name] = value
    return pairs


def _headless() -> bool:
    """Return whether there is no display.

    Without one SDL picks ``offscreen``, or a ``dummy`` that the environment did not ask for.
    """
    if os.environ.get("SDL_VIDEODRIVER"):
        return False
    import pygame

    try:
        pygame.display.init()
    except pygame.error:
        return True
    return pygame.display.get_driver() in ("offscreen", "dummy")


def _window(args: argparse.Namespace) -> int:
    if args.level is not None:
        from game.level.finding import find_level

        args.level = str(find_level(args.level))
    if _headless():
        from game.view.window.showcase import run_showcase

        return run_showcase(args.level)
    from game.view.app import run_app

    return run_app(args.level)


def _check(args: argparse.Namespace) -> int:
    from game.checks.check import CheckSetup, run_check

    return run_check(args.paths, CheckSetup(args.json, args.junit, args.jobs, args.maps_only))


def _run(args: argparse.Namespace) -> int:
    from game.checks.comparing.compare_command import compare
    from game.checks.comparing.comparison import GameSetup
    from game.checks.comparing.many_seeds import MOST_SEEDS
    from game.checks.headless import prepare_kernels, run_level
    from game.checks.scripts.script import load_script, scripts_of
    from game.level.finding import find_level
    from game.level.reading import load_level
    from game.sim.replay import save_replay
    from game.world.rules.world_settings import default_settings

    settings = default_settings()
    if args.list_settings:
        for name, value, doc in walk_settings(settings):
            print(f"{name} = {value}{'  # ' + doc if doc else ''}")
        return 0
    if args.level is None or not args.level.name:
        raise ValueError("run: name a level, as levels/the_crossing.tmx")
    args.level = find_level(args.level)
    if args.threads:
        import numba

        if args.threads > numba.config.NUMBA_NUM_THREADS:
            raise ValueError(f"run --threads {args.threads}: this machine offers {numba.config.NUMBA_NUM_THREADS}")
        numba.set_num_threads(args.threads)
    given: dict[str, Any] = {n: parse_value(settings, n, v) for n, v in _pairs(args.set, "--set").items()}
    other: dict[str, Any] = {n: parse_value(settings, n, v) for n, v in _pairs(args.compare, "--compare").items()}
    if args.seeds and not other:
        raise ValueError("run --seeds: goes with --compare NAME=VALUE")
    if args.seeds and args.seeds > MOST_SEEDS:
        raise ValueError(f"run --seeds {args.seeds}: at most {MOST_SEEDS}")
    script = None
    if args.script is not None:
        script = load_script(args.script)
    elif args.units is None:
        own = [p for p in scripts_of(args.level) if p.stem == args.level.stem]
        script = load_script(own[0]) if own else None
    report: dict[str, Any]
    lines: list[str] = []
    if other:
        setup = GameSetup(load_level(args.level), script, {}, other, given, args.units, args.ticks)
        setup.check()
        prepare_kernels()
        report, lines, session = compare(setup, args.seed, args.seeds or 0)
    else:
        prepare_kernels()
        run = run_level(args.level, args.ticks, args.seed, args.units, script, given, measured=True)
        report, session = run.report(), run.session
    if args.record is not None:
        save_replay(session, args.record)
    text = json.dumps(report, indent=1)
    if args.json is not None:
        from game.level.files import write_whole

        write_whole(args.json, text + "\n", overwrite=True)
        print("\n".join(lines), end="\n" if lines else "")
    else:
        print(text)
    return 0


def _shot(args: argparse.Namespace) -> int:
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    os.environ["SDL_AUDIODRIVER"] = "dummy"
    from game.level.finding import find_level
    from game.view.window.shot import SCREENS, ShotRequest, parse_camera, parse_size, take_shot

    words = [w for w in args.select.split(",") if w]
    if not all(w.isdecimal() and len(w) < 10 for w in words):
        raise ValueError(f"shot --select {args.select}: unit ids with commas between, as 0,1,2")
    what = args.what if args.what in SCREENS else str(find_level(args.what))
    take_shot(
        ShotRequest(
            what,
            args.out,
            tick=args.tick,
            seed=args.seed,
            overlays=tuple(o for o in args.overlays.split(",") if o),
            select=tuple(int(w) for w in words),
            camera=parse_camera(args.camera) if args.camera else None,
            size=parse_size(args.size),
            script=args.script,
        )
    )
    return 0


def _replay(args: argparse.Namespace) -> int:
    if args.verify:
        from game.sim.replay import verify

        wrong = verify(args.file, lambda tick, ticks: print(f"{tick} of {ticks} ticks", file=sys.stderr))
        for line in wrong:
            print(line)
        if not wrong:
            print(f"{args.file}: true")
        return 1 if wrong else 0
    if not args.file.is_file():
        raise ValueError(f"{args.file}: no such file; run --record FILE writes one")
    from game.view.app import run_app

    return run_app(None, replay=args.file)


def _warm_up(args: argparse.Namespace) -> int:
    from ai.core import kernels

    groups = tuple(args.group) if args.group else kernels.GROUPS
    for group in groups:
        if group not in kernels.GROUPS:
            raise ValueError(f"warm-up --group {group}: not one of {', '.join(kernels.GROUPS)}")
    if args.as_told:
        compile_as_told(groups, sys.stdin)
        return 0
    if args.lines:
        for row in compile_in_children(groups):
            print("\t".join(map(str, row[:4])) + ("\tcached" if row[4] else "\tcompiled"), flush=True)
        return 0
    from rich.progress import Progress

    with Progress() as progress:
        task = progress.add_task("compiling kernels", total=None)
        for done, total, _, name, _ in compile_in_children(groups):
            progress.update(task, completed=done, total=total, description=name.rsplit(".", 1)[-1])
    return 0


def _needs(extra: str, error: ImportError) -> ValueError:
    return ValueError(f"{error.name} is not installed; pip install -r {extra}")


def _sweep(args: argparse.Namespace) -> int:
    try:
        from game.checks.sweep.sweep import run_sweep
        from game.checks.sweep.sweep_grid import parse_seeds, sweep_grid
    except ImportError as error:
        raise _needs("requirements-sweep.txt", error) from None
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    grid = sweep_grid(args.levels, parse_seeds(args.seeds), args.vary, args.script, args.ticks)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns) as bar:
        task = bar.add_task("games", total=len(grid.tasks))
        end = run_sweep(
            grid,
            args.out,
            resume=args.resume,
            workers=args.workers,
            cluster=args.cluster,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    for row in end.failed[:20]:
        given = " ".join(f"{name[4:]}={value}" for name, value in row.items() if name.startswith("set."))
        print(f"failed: {row['level']} seed {row['seed']} {given}: {row['error']}", file=sys.stderr)
    how = "stopped; --resume goes on" if end.stopped else "done"
    print(f"{args.out}: {end.rows} games, {len(end.failed)} failed; {how}")
    return 130 if end.stopped else 1 if end.failed else 0


def _report(args: argparse.Namespace) -> int:
    try:
        from game.checks.sweep.sweep_report import write_report
    except ImportError as error:
        raise _needs("requirements-sweep.txt", error) from None
    print(f"{write_report(args.results, args.out or args.results.with_suffix('.html'))}: written")
    return 0


def _new(args: argparse.Namespace) -> int:
    from game.level.starter import write_starter

    if not args.file.name:
        raise ValueError("new: name the file to write, as my_level.tmx")
    file = args.file if args.file.suffix else args.file.with_suffix(".tmx")
    written = write_starter(file, sandbox=not args.file.suffix)
    print(f"{', '.join(map(str, written))}: written; open the project in Tiled, or play: python main.py play {file}")
    return 0
