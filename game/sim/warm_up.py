"""Filling the kernel cache with several processes at once: compiling holds the interpreter, so threads do not help."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
MOST_WORKERS = 2


def workers() -> int:
    """Processes worth starting on this machine."""
    return max(1, min(MOST_WORKERS, os.cpu_count() or 1))


def compile_in_children(groups: tuple[str, ...]) -> Iterator[tuple[int, int, str, str, bool]]:
    """Compile the groups in child processes; yields (done, total, group, kernel, from cache) as kernels get ready.

    Raises ValueError with the last line of a child that failed.
    """
    count = workers()
    lines: queue.Queue[tuple[int, str | None]] = queue.Queue()
    children = []
    for index in range(count):
        command = [sys.executable, str(ROOT / "main.py"), "warm-up", "--lines", "--share", f"{index + 1}/{count}"]
        for group in groups:
            command += ["--group", group]
        child = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, encoding="utf-8"
        )
        children.append(child)
        threading.Thread(target=_read, args=(index, child, lines), daemon=True).start()
    done, totals, open_ends = 0, [0] * count, count
    try:
        while open_ends:
            index, line = lines.get()
            if line is None:
                open_ends -= 1
                continue
            _, total, group, name, how = line.rstrip("\n").split("\t")
            totals[index] = int(total)
            done += 1
            yield done, max(done, sum(totals)), group, name, how == "cached"
        for child in children:
            errors = child.stderr.read().strip() if child.stderr else ""
            if child.wait():
                raise ValueError(
                    f"a kernel could not be compiled: {errors.splitlines()[-1] if errors else 'no reason'}"
                )
    finally:
        for child in children:
            if child.poll() is None:
                child.terminate()


def _read(index: int, child: subprocess.Popen[str], lines: queue.Queue[tuple[int, str | None]]) -> None:
    assert child.stdout is not None
    for line in child.stdout:
        if line.count("\t") == 4:
            lines.put((index, line))
    lines.put((index, None))
