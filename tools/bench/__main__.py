"""Entry point of ``python -m tools.bench``."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from game.level.files import refuse_unwritable, write_whole
from tools.bench import NAMES
from tools.bench.pages import figures_page, origins


def _text(value: Any) -> str:
    return f"{value:,.2f}" if isinstance(value, float) else str(value)


def print_table(rows: list[dict[str, Any]]) -> None:
    """Print rows as a plain table; columns in the order they first appear."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    cells = [columns] + [[_text(row[c]) if row.get(c) is not None else "" for c in columns] for row in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(columns))]
    for line in cells:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one benchmark, print its rows and write them as JSON when asked to."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description=__doc__)
    benches = parser.add_subparsers(dest="name", required=True, metavar="NAME")
    words = list(sys.argv[1:] if arguments is None else arguments)
    for name, module in NAMES.items():
        one = benches.add_parser(name)
        one.add_argument("--json", type=Path, metavar="FILE", help="write the rows as a JSON list")
        if name in words[:1]:
            importlib.import_module(module).add_arguments(one)
    args = parser.parse_args(words)
    bench: Any = importlib.import_module(NAMES[args.name])
    try:
        if args.json:
            refuse_unwritable(args.json)
        rows = bench.rows(args)
    except (ValueError, OSError) as error:
        parser.exit(2, f"tools.bench: {' '.join(str(error).split())}\n")
    print_table(rows)
    if args.json:
        write_whole(args.json, json.dumps(rows, indent=1) + "\n", overwrite=True)
        if args.json.resolve().parent == origins.FIGURES:
            origins.note(args.json, words)
            figures_page.figures.cache_clear()
            figures_page.write()
    # Summarize the rows; the result is the exit code.
    return int(bench.summary(rows)) if hasattr(bench, "summary") else 0


if __name__ == "__main__":
    raise SystemExit(main())
