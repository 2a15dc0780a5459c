"""Trials of mutants in forked processes and copies of the checkout.

The parent has the libraries loaded, which take as long as most tests. The copy is removed at the end; the checkout
itself is never written. Kernels of an edited module go to a folder of links to the warm kernels, so that no wrong
kernel enters the cache.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numba

ALIVE, TEST, EXHIBIT, TIME = "alive", "test", "exhibit", "time"
"""Outcomes of a mutant: alive, or stopped by test, exhibit or time limit.

A test that does not end has noticed the mutant too.
"""


@dataclass(frozen=True)
class Bench:
    """Test and exhibit of one row."""

    test: str
    level: str = ""
    script: str = ""
    plain: bool = False
    """True when the test runs the Python form of the kernels first."""
    passed_over: tuple[str, ...] = ()
    """Tests that need compiled kernels.

    They run compiled when the Python form has not stopped the mutant.
    """


class Trees:
    """Copies of the checkout, one for each process that runs at once."""

    def __init__(self, root: Path, count: int) -> None:
        self._root, self._top = root, Path(tempfile.mkdtemp(prefix="fogline-mutants-"))
        self.places = [self._top / f"tree{k}" for k in range(count)]

    def fill(self) -> None:
        """Copy all files that git knows or would add, once."""
        if self.places[0].is_dir():
            return
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=self._root, check=True, capture_output=True, text=True).stdout
        for place in self.places:
            for name in filter(None, listed.split("\0")):
                if (self._root / name).is_file():
                    (place / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(self._root / name, place / name)

    def close(self) -> None:
        """Remove the copies."""
        shutil.rmtree(self._top, ignore_errors=True)


def warm_kernels(scratch: Path, known: Path) -> Path:
    """Make a kernel cache of links to a warm one; return its folder."""
    made = Path(tempfile.mkdtemp(prefix="kernels-", dir=scratch))
    for folder in known.iterdir() if known.is_dir() else ():
        if folder.is_dir() and folder.name != "sources":
            (made / folder.name).symlink_to(folder)
    if (known / "sources").is_dir():
        shutil.copytree(known / "sources", made / "sources")
    return made


def load_libraries() -> None:
    """Load what all tests need before the first fork."""
    import hypothesis  # noqa: F401
    import pytest  # noqa: F401
    import scipy.ndimage
    import scipy.optimize
    import scipy.sparse.csgraph  # noqa: F401


@dataclass
class Trial:
    """Forked process that runs stages in turn, each in its own process.

    It ends with the number of the first stage that fails, counted from 1, or with 0.
    """

    stages: list[Callable[[], int]]
    tree: Path
    seconds: float
    cache: Path | None = None
    restored: tuple[Path, str] | None = None
    """File of the copy and the text that it has again afterwards."""
    pid: int = 0
    begun: float = field(default_factory=time.monotonic)

    def start(self) -> None:
        """Fork; the group of processes can be ended as one."""
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            code = 99
            try:
                code = self._run()
            finally:
                os._exit(code)

    def _run(self) -> int:
        for number, stage in enumerate(self.stages, 1):
            pid = os.fork()
            if pid == 0:
                code = 1
                try:
                    self._enter()
                    code = stage()
                finally:
                    os._exit(min(code, 1))
            if os.waitpid(pid, 0)[1]:
                return number
        return 0

    def _enter(self) -> None:
        """Turn the process into one that was started in the copy."""
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        os.chdir(self.tree)
        if self.cache is not None:
            os.environ["FOGLINE_KERNEL_CACHE"] = str(self.cache)
        os.environ["PYTHONPATH"] = str(self.tree)
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        sys.dont_write_bytecode = True
        for name in [n for n in sys.modules if n.split(".")[0] in ("ai", "game", "tools", "tests", "conftest")]:
            del sys.modules[name]
        sys.path[:] = [str(self.tree), *(p for p in sys.path if p and Path(p) != Path(self.tree))]

    def ended(self) -> int | None:
        """Return how the process ended; None while it runs.

        It is the number of a stage, 0, or -1 out of time.
        """
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() - self.begun < self.seconds:
            return None
        os.killpg(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        return -1

    def close(self) -> None:
        """Remove the kernels of the trial and give the copy its text back."""
        if self.cache is not None:
            shutil.rmtree(self.cache, ignore_errors=True)
        if self.restored is not None:
            self.restored[0].write_text(self.restored[1], encoding="utf-8")


def tested(test: str, *more: str, plain: bool = False) -> Callable[[], int]:
    """Return a stage that runs a test file, with compiled or ``plain`` kernels."""

    def stage() -> int:
        import pytest

        if plain:
            numba.config.DISABLE_JIT = True
            os.environ["NUMBA_DISABLE_JIT"] = "1"
        return int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts=", test, *more]))

    return stage


def checked(level: str, script: str) -> Callable[[], int]:
    """Return a stage that plays one script as ``main.py check`` does."""

    def stage() -> int:
        from game.checks.headless import begin, go_on
        from game.checks.scripts.script import load_script

        return len(go_on(begin(Path(level), script=load_script(Path(script)), recording=False)).failures())

    return stage


def stages(bench: Bench) -> tuple[list[Callable[[], int]], list[str]]:
    """Return the stages of a row and what the failure of each means."""
    made, means = [], []
    if bench.plain:
        made.append(tested(bench.test, *(f"--deselect={t}" for t in bench.passed_over), plain=True))
        means.append(TEST)
    if not bench.plain or bench.passed_over:
        made.append(tested(*(bench.passed_over if bench.plain else (bench.test,))))
        means.append(TEST)
    if bench.script:
        made.append(checked(bench.level, bench.script))
        means.append(EXHIBIT)
    return made, means


Queued = tuple[str, Callable[[Path], Trial], list[str]]
"""Name of a trial, its maker, and the outcome that each stage's failure means."""


def run_all(trials: Iterable[Queued], places: list[Path]) -> Iterator[tuple[str, str]]:
    """Run trials in several copies at once; yield names and outcomes."""
    free = list(places)
    running: list[tuple[str, Trial, list[str], Path]] = []
    queue = iter(trials)
    waiting = True
    while waiting or running:
        while waiting and free:
            following = next(queue, None)
            if following is None:
                waiting = False
                break
            name, make, means = following
            place = free.pop()
            trial = make(place)
            trial.start()
            running.append((name, trial, means, place))
        for entry in list(running):
            name, trial, means, place = entry
            code = trial.ended()
            if code is not None:
                running.remove(entry)
                free.append(place)
                trial.close()
                outcome = ALIVE if code == 0 else means[code - 1] if 0 < code <= len(means) else TIME
                yield name, outcome
        time.sleep(0.02)
