"""Trials of mutants in forked processes and copies of the checkout.

The parent has the libraries loaded, which take as long as most tests. The copy is removed at the end; the checkout
itself is never written. Kernels of an edited module go to a folder of links to the warm kernels, so that no wrong
kernel enters the cache. Byte code of the copy is written by the unchanged program alone.

A stage is limited by its processor time, so other work on the machine stops no mutant. A stage that waits for ever
ends by the clock and judges nothing.
"""

from __future__ import annotations

import math
import os
import resource
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

ALIVE, TEST, EXHIBIT, TIME, UNJUDGED = "alive", "test", "exhibit", "time", "unjudged"
"""Outcomes of a mutant: alive, or stopped by test, exhibit or processor time.

A test that computes for ever has noticed the mutant too. A mutant that the clock ended is unjudged and runs again.
"""
WAITS = 6.0
"""Seconds by the clock for each second of processor time."""
_OUT_OF_TIME, _OUT_OF_MEMORY = 98, 97
_ENDED_BY = {int(signal.SIGXCPU): _OUT_OF_TIME, int(signal.SIGKILL): _OUT_OF_MEMORY}
_NO_TESTS = 5
"""Exit code of pytest when a mark leaves out all tests of a file."""


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
    compiled: bool = False
    """True when kernels are made from the module, so mutants compile their own."""
    long: bool = False
    """True when the file has tests with the mark ``long``; they run last."""


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


def warm_kernels(place: Path, known: Path) -> Path:
    """Return the kernel cache of a copy: links to a warm one."""
    made = place.with_suffix(".kernels")
    if made.is_dir():
        return made
    made.mkdir()
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

    It ends with the number of the first stage that fails, counted from 1, or with 0. A stage has ``seconds`` of
    processor time.
    """

    stages: list[Callable[[], int]]
    tree: Path
    seconds: float
    cache: Path | None = None
    restored: tuple[Path, str] | None = None
    """File of the copy and the text that it has again afterwards."""
    writes_byte_code: bool = False
    pid: int = 0
    used: float = 0.0
    """Seconds of processor time of all stages, when the trial has ended."""
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
            status = os.waitpid(pid, 0)[1]
            if os.WIFSIGNALED(status) and os.WTERMSIG(status) in _ENDED_BY:
                return _ENDED_BY[os.WTERMSIG(status)]
            if status:
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
        sys.dont_write_bytecode = not self.writes_byte_code
        if not self.writes_byte_code:
            os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        seconds = math.ceil(self.seconds)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        for name in [n for n in sys.modules if n.split(".")[0] in ("ai", "game", "tools", "tests", "conftest")]:
            del sys.modules[name]
        sys.path[:] = [str(self.tree), *(p for p in sys.path if p and Path(p) != Path(self.tree))]

    def ended(self) -> int | None:
        """Return how the process ended; None while it runs.

        It is the number of a stage, 0, -1 out of processor time, or -2 when the clock ended it.
        """
        pid, status, usage = os.wait4(self.pid, os.WNOHANG)
        if pid:
            self.used = usage.ru_utime + usage.ru_stime
            code = os.waitstatus_to_exitcode(status)
            return -1 if code == _OUT_OF_TIME else code
        if time.monotonic() - self.begun < WAITS * self.seconds * len(self.stages):
            return None
        os.killpg(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        return -2

    def awaited(self) -> int:
        """Run the trial to its end; return how it ended."""
        self.start()
        while (code := self.ended()) is None:
            time.sleep(0.02)
        return code

    def close(self) -> None:
        """Remove the kernels that the trial made and give the copy its text back."""
        for folder in self.cache.iterdir() if self.cache is not None else ():
            if not folder.is_symlink() and folder.name != "sources":
                shutil.rmtree(folder, ignore_errors=True)
        if self.restored is not None:
            edit(self.restored[0], self.restored[1], RESTORED)


MUTANT, RESTORED, UNCHANGED = 0, 1, 2
"""Times of edited files, in seconds.

Byte code is known by time and size of its source. It is never written for a mutant, so no mutant finds any.
"""


def edit(path: Path, text: str, stamp: int) -> None:
    """Write a source file with one of the times above."""
    path.write_text(text, encoding="utf-8")
    os.utime(path, (stamp, stamp))


def tested(tests: tuple[str, ...], *more: str, plain: bool = False) -> Callable[[], int]:
    """Return a stage that runs test files or tests, with compiled or ``plain`` kernels."""

    def stage() -> int:
        import hypothesis
        import pytest

        # A failing example decides; to make it smaller would take longer than to find it.
        found = hypothesis.settings(phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate), database=None)
        hypothesis.settings.register_profile("mutants", found)
        hypothesis.settings.load_profile("mutants")
        if plain:
            numba.config.DISABLE_JIT = True
            os.environ["NUMBA_DISABLE_JIT"] = "1"
        words = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts=", *tests, *more]
        code = int(pytest.main(words))
        return 0 if code == _NO_TESTS else code

    return stage


def checked(level: str, script: str) -> Callable[[], int]:
    """Return a stage that plays one script as ``main.py check`` does."""

    def stage() -> int:
        from game.checks.headless import begin, go_on
        from game.checks.scripts.script import load_script

        return len(go_on(begin(Path(level), script=load_script(Path(script)), recording=False)).failures())

    return stage


def stages(bench: Bench) -> tuple[list[Callable[[], int]], list[str]]:
    """Return the stages of a row, cheap ones first, and their outcomes."""
    made, means = [], []
    quick = ("-m", "not long")
    if bench.plain:
        made.append(tested((bench.test,), *quick, *(f"--deselect={t}" for t in bench.passed_over), plain=True))
        means.append(TEST)
    if not bench.plain or bench.passed_over:
        made.append(tested(bench.passed_over if bench.plain else (bench.test,), *quick))
        means.append(TEST)
    if bench.script:
        made.append(checked(bench.level, bench.script))
        means.append(EXHIBIT)
    if bench.long:
        made.append(tested((bench.test,), "-m", "long"))
        means.append(TEST)
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
                yield name, outcome_of(code, means)
        time.sleep(0.02)


def outcome_of(code: int, means: list[str]) -> str:
    """Return the outcome that the end of a trial stands for."""
    if code == 0:
        return ALIVE
    if 0 < code <= len(means):
        return means[code - 1]
    return TIME if code == -1 else UNJUDGED
