"""Subcommands: play, check, run, shot, replay, warm-up, new.

Nothing heavy is imported at the top: the window must open before numba loads.  Every error a user can cause ends
in one line that names the file, the place and the remedy.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable


def main(argv: list[str]) -> int:
    """Run one subcommand; returns the exit code."""
    parser = _parser()
    args = parser.parse_args(argv)
    command: Callable[[argparse.Namespace], int] = args.command
    try:
        return command(args)
    except BrokenPipeError:
        return 1
    except KeyboardInterrupt:
        return 130
    except (ValueError, OSError) as error:
        # LevelError, StateError and the rest derive from ValueError; their text is the one line.
        print(f"fogline: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="main.py", description="Fogline, a sandbox of game-AI techniques.")
    parser.set_defaults(command=_window, level=None)
    commands = parser.add_subparsers(title="commands", metavar="")

    play = commands.add_parser("play", help="play a level: any orthogonal Tiled .tmx")
    play.add_argument("level")
    play.set_defaults(command=_window)

    warm = commands.add_parser("warm-up", help="compile all kernels into the cache")
    warm.add_argument("--lines", action="store_true", help="plain progress lines, for another program to read")
    warm.add_argument("--group", action="append", help="only this kernel group; may be repeated")
    warm.set_defaults(command=_warm_up)
    return parser


def _window(args: argparse.Namespace) -> int:
    from game.view.app import run_app

    return run_app(args.level)


def _warm_up(args: argparse.Namespace) -> int:
    from ai import kernels

    kernels.import_all()
    groups = tuple(args.group) if args.group else kernels.GROUPS
    for group in groups:
        if group not in kernels.GROUPS:
            raise ValueError(f"warm-up --group {group}: not one of {', '.join(kernels.GROUPS)}")
    if args.lines:
        for done, total, entry, cached in kernels.warm_up(groups):
            print(f"{done}\t{total}\t{entry.group}\t{entry.name}\t{'cached' if cached else 'compiled'}", flush=True)
        return 0
    from rich.progress import Progress

    with Progress() as progress:
        task = progress.add_task("compiling kernels", total=None)
        for done, total, entry, _ in kernels.warm_up(groups):
            progress.update(task, completed=done, total=total, description=entry.name.rsplit(".", 1)[-1])
    return 0
