"""Kernel cache filled by several processes: compiling holds the interpreter, so threads fail.

A marker file says that a group is complete, so that a window that opens needs no child to check.
"""

from __future__ import annotations

import hashlib
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

ROOT = Path(__file__).resolve().parent.parent.parent
MOST_WORKERS = 2


def workers() -> int:
    """Processes worth starting on this machine."""
    return max(1, min(MOST_WORKERS, os.cpu_count() or 1))


def compile_in_children(groups: tuple[str, ...]) -> Iterator[tuple[int, int, str, str, bool]]:
    """Compile the groups in child processes; yield progress as kernels finish.

    Yields (done, total, group, kernel, from cache). A child that is done with a kernel gets the next one by its
    number, so that no child waits for another. In the end the groups are marked as complete. Raises ValueError
    with the last line of a child that failed.
    """
    lines: queue.Queue[tuple[int, str | None]] = queue.Queue()
    children = [_child(groups) for _ in range(workers())]
    for index, child in enumerate(children):
        threading.Thread(target=_read, args=(index, child, lines), daemon=True).start()
    done, given, total, open_ends = 0, 0, 1, len(children)
    markers: list[str] = []
    try:
        while open_ends:
            index, line = lines.get()
            if line is None:
                open_ends -= 1
                continue
            first, *rest = line.rstrip("\n").split("\t")
            if len(rest) == 3:
                done += 1
                yield done, total, rest[0], rest[1], rest[2] == "cached"
            else:
                total, markers = int(first), rest  # the first line of a child is its number of kernels
            _tell(children[index], given if given < total else None)
            given += 1
        for child in children:
            errors = child.stderr.read().strip() if child.stderr else ""
            if child.wait():
                raise ValueError(
                    f"a kernel could not be compiled: {errors.splitlines()[-1] if errors else 'no reason'}"
                )
        for marker in (Path(name) for row in markers for name in row.split(os.pathsep)):
            marker.parent.mkdir(parents=True, exist_ok=True)
            marker.write_text("complete\n", encoding="utf-8")
    finally:
        for child in children:
            if child.poll() is None:
                child.terminate()


def compile_as_told(groups: tuple[str, ...], numbers: TextIO) -> None:
    """Run the child: report kernels and markers, then compile numbers from input.

    Kernel numbers come one a line.
    """
    from ai.core import kernels

    kernels.import_all()
    todo = kernels.in_turn(groups)
    print(len(todo), os.pathsep.join(str(marker_of(group)) for group in groups), sep="\t", flush=True)
    for number in numbers:
        entry = todo[int(number)]
        cached = kernels.compile_kernel(entry)
        print(f"{number.strip()}\t{entry.group}\t{entry.name}\t{'cached' if cached else 'compiled'}", flush=True)


def marker_of(group: str) -> Path:
    """Return the file that marks a group as cached.

    All modules with kernels must have been imported.
    """
    from ai.core import kernels

    rows = [
        f"{k.name}|{k.signature}|{kernels.cache_folder(k.dispatcher.__module__)}" for k in kernels.registered(group)
    ]
    name = hashlib.blake2b("\n".join(rows).encode(), digest_size=10).hexdigest()
    return kernels.cache_root() / f"{group}-{name}.ready"


def _child(groups: tuple[str, ...]) -> subprocess.Popen[str]:
    command = [sys.executable, str(ROOT / "main.py"), "warm-up", "--as-told"]
    for group in groups:
        command += ["--group", group]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=ROOT, encoding="utf-8")


def _tell(child: subprocess.Popen[str], number: int | None) -> None:
    """Send the next kernel's number, or close the pipe after the last."""
    assert child.stdin is not None
    try:
        if number is None:
            child.stdin.close()
        else:
            child.stdin.write(f"{number}\n")
            child.stdin.flush()
    except OSError:
        pass  # the child has ended; its last line has the reason


def _read(index: int, child: subprocess.Popen[str], lines: queue.Queue[tuple[int, str | None]]) -> None:
    assert child.stdout is not None
    for line in child.stdout:
        if line.split("\t")[0].isdigit() and line.count("\t") in (1, 3):
            lines.put((index, line))
    lines.put((index, None))
