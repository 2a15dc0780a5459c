"""Results of a sweep: a line for each finished game, then one table.

``OUT.part`` holds the lines, so that a sweep that is stopped keeps what is finished. ``OUT`` is Parquet or CSV.
"""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import polars

from game.checks.sweep.sweep_grid import SweepTask

KINDS = (".parquet", ".csv")


class ResultStore:
    """Results of one sweep.

    Raises ValueError, in one line, when they cannot be written or read."""

    def __init__(self, out: Path, resume: bool) -> None:
        if out.suffix not in KINDS:
            raise ValueError(f"{out}: results end in .parquet or .csv")
        if not out.parent.is_dir():
            raise ValueError(f"{out}: there is no folder {out.parent}")
        self.out, self.part = out, out.with_name(out.name + ".part")
        self.rows: list[dict[str, Any]] = []
        if resume:
            self._read_again()
        elif out.exists() or self.part.exists():
            raise ValueError(f"{out}: results are there already; add --resume, or name another file")
        try:
            self._lines = self.part.open("a", encoding="utf-8")
        except OSError as error:
            raise ValueError(f"{self.part}: cannot be written ({error.strerror})") from None

    def _read_again(self) -> None:
        """Read the table and the lines of a stopped sweep, but no torn line."""
        if self.out.exists():
            self.rows = read_results(self.out).to_dicts()
        known = {json.dumps(row, sort_keys=True, default=str) for row in self.rows}
        for line in self.part.read_text(encoding="utf-8").splitlines() if self.part.exists() else []:
            try:
                row = json.loads(line)
            except ValueError:
                continue
            if json.dumps(row, sort_keys=True, default=str) not in known:
                self.rows.append(row)
        self.rows = [row for row in self.rows if row["status"] == "done"]

    def finished(self, tasks: list[SweepTask]) -> set[int]:
        """Return the numbers of the tasks that have a row already."""
        done = {_key(row) for row in self.rows}
        return {task.number for task in tasks if _key_of(task) in done}

    def add(self, row: dict[str, Any]) -> None:
        """Keep one row, on disk as well; ValueError for a full disk."""
        self.rows.append(row)
        try:
            self._lines.write(json.dumps(row) + "\n")
            self._lines.flush()
        except OSError as error:
            raise ValueError(
                f"{self.part}: cannot be written ({error.strerror}); what is finished is kept, free space and --resume"
            ) from None

    def close(self) -> polars.DataFrame:
        """Write the table and remove the lines; return the table.

        It is ordered by level, settings and seed."""
        self._lines.close()
        if not self.rows:
            self.part.unlink()
            return polars.DataFrame()
        table = polars.DataFrame(self.rows, infer_schema_length=None)
        names = [n for n in table.columns if n in ("level", "script") or n.startswith("set.")]
        table = table.sort([*names, "seed"])
        raw = io.BytesIO()
        if self.out.suffix == ".parquet":
            table.write_parquet(raw)
        else:
            table.write_csv(raw)
        scratch = self.out.with_name(self.out.name + ".new")
        try:
            scratch.write_bytes(raw.getvalue())
            os.replace(scratch, self.out)
        except OSError as error:
            raise ValueError(f"{self.out}: cannot be written ({error.strerror}); {self.part} holds all rows") from None
        self.part.unlink()
        return table


def read_results(path: Path) -> polars.DataFrame:
    """Read a table of results; ValueError in one line for any other file."""
    if not path.is_file():
        raise ValueError(f"{path}: no such file; main.py sweep writes one")
    try:
        table = polars.read_csv(path, infer_schema_length=None) if path.suffix == ".csv" else polars.read_parquet(path)
    except (polars.exceptions.PolarsError, OSError, ValueError) as error:
        raise ValueError(f"{path}: not a table of results ({type(error).__name__}); main.py sweep writes one") from None
    missing = [name for name in ("level", "seed", "status") if name not in table.columns]
    if missing:
        raise ValueError(f"{path}: has no column {missing[0]}; main.py sweep writes one that has")
    return table


def _key(row: dict[str, Any]) -> tuple[str, str, int, str]:
    settings = sorted((n[4:], v) for n, v in row.items() if n.startswith("set.") and v is not None)
    return str(row["digest"]), str(row["script"] or ""), int(row["seed"]), json.dumps(settings)


def _key_of(task: SweepTask) -> tuple[str, str, int, str]:
    return task.digest, task.script, task.seed, json.dumps(sorted(task.settings))
