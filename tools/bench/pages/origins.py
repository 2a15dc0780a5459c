"""Origins of committed figures: command, machine, date, commit, load and sources of each file.

``figures/origins.json`` has an entry for each file of the folder. The bench writes it with the file. Files of exact
counts do not depend on the machine; they are old when a source of theirs has changed.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import json
import os
import platform
import subprocess
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from ai.core.kernels import sources_of
from ai.core.register import descriptor
from game.level.files import write_whole
from tools.bench import NAMES

ROOT = Path(__file__).resolve().parents[3]
FIGURES = Path(__file__).parents[1] / "figures"
ORIGINS = FIGURES / "origins.json"
EXACT = {"tuning.json": "tuning"}
"""Files whose counts are the same on every machine, and their bench.

Rows of ``exactness.json`` and ``mutants.json`` carry digests of their own. Counts of crowds and of random orders depend
on the whole game, so their commit stands for it.
"""


@dataclass(frozen=True)
class Origin:
    """Circumstances in which a file of figures was taken."""

    command: str
    machine: str
    date: str
    commit: str
    load: str
    """Other work on the machine."""
    sources: str = ""
    """Digest of the sources of exact counts."""


def load() -> dict[str, Origin]:
    """Return the origin of each file by its name."""
    return {name: Origin(**row) for name, row in json.loads(ORIGINS.read_text(encoding="utf-8")).items()}


def note(file: Path, words: list[str], tool: str = "bench") -> None:
    """Write down the origin of a file that a tool has just written."""
    found = load() if ORIGINS.is_file() else {}
    bench = EXACT.get(file.name, "")
    command = " ".join([f"python -m tools.{tool}", *_without_file(words)])
    found[file.name] = Origin(
        command, machine(), time.strftime("%Y-%m-%d"), _commit(), _load(), sources(bench) if bench else ""
    )
    rows = {name: asdict(found[name]) for name in sorted(found)}
    write_whole(ORIGINS, json.dumps(rows, indent=1) + "\n", overwrite=True)


def old() -> list[str]:
    """Return the files of exact counts whose sources have changed since they were taken."""
    found = load()
    return [name for name, bench in EXACT.items() if found[name].sources != sources(bench)]


def sources(bench: str) -> str:
    """Return the digest of a bench and of all that it imports.

    Blank lines, comments, docstrings and descriptors do not count, nor do the versions of libraries.
    """
    digest = hashlib.blake2b(digest_size=10)
    for path in sources_of(NAMES[bench]):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + _code(path))
    return digest.hexdigest()


@functools.cache
def _code(path: Path) -> bytes:
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            for inner in node.body:
                if descriptor(inner) or (isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Constant)):
                    last = inner.end_lineno or inner.lineno
                    lines[inner.lineno - 1 : last] = [""] * (last - inner.lineno + 1)
    code = (line for line in lines if line.strip() and not line.lstrip().startswith("#"))
    return hashlib.blake2b("\n".join(code).encode(), digest_size=16).digest()


def machine() -> str:
    """Return processor and cores."""
    name = platform.processor() or platform.machine()
    told = Path("/proc/cpuinfo")
    if told.is_file():
        models = [line.partition(":")[2].strip() for line in told.read_text().split("\n") if "model name" in line]
        name = models[0] if models else name
    return f"{name}, {os.cpu_count()} cores"


def _load() -> str:
    """Return how many other programs wanted a core, on average, in the last minute."""
    try:
        return f"{max(0.0, os.getloadavg()[0] - 1.0):.1f} other programs"
    except (AttributeError, OSError):
        return "not known"


def _commit() -> str:
    answer = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    return answer.stdout.strip() or "not known"


def _without_file(words: list[str]) -> list[str]:
    """Leave out ``--json FILE`` and write a folder of maps as DIR."""
    left = [w for i, w in enumerate(words) if w != "--json" and (i == 0 or words[i - 1] != "--json")]
    return ["DIR" if i and left[i - 1] == "--maps" else w for i, w in enumerate(left)]
