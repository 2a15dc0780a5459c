"""Start-up behind the open window.

A child process compiles the kernels, then a thread loads them.

The window must stay alive on a cold start, and compiling holds the interpreter for seconds at a time, so a child
fills the on-disk cache (``main.py warm-up --lines``) and this process only loads what is there.  A marker file says
that a group is complete, so that a warm start needs no child.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from game.sim.warm_up import marker_of

ROOT = Path(__file__).resolve().parents[3]
FIRST = "mission"


@dataclass
class CompileProgress:
    """Progress of a group; ``ready`` once its kernels are loaded in this process."""

    done: int = 0
    total: int = 0
    name: str = ""
    ready: bool = False
    failed: str = ""


@dataclass
class StartUp:
    """Prepares kernel groups in the background.

    The main loop reads ``groups``, which never blocks.
    """

    groups: dict[str, CompileProgress] = field(
        default_factory=lambda: {"mission": CompileProgress(), "lab": CompileProgress()}
    )
    child: subprocess.Popen[str] | None = None
    _thread: threading.Thread | None = None
    _stop: bool = False

    @property
    def ready(self) -> bool:
        """Return True when the first mission can be played."""
        return self.groups[FIRST].ready

    def begin(self) -> None:
        """Start preparing; returns at once."""
        self._thread = threading.Thread(target=self._work, name="start-up", daemon=True)
        self._thread.start()

    def wait(self, group: str = FIRST) -> None:
        """Block until a group is loaded, for headless use.

        Raises RuntimeError when it cannot be loaded.
        """
        if self._thread is None:
            self.begin()
        while not self.groups[group].ready:
            if self.groups[group].failed:
                raise RuntimeError(self.groups[group].failed)
            assert self._thread is not None
            self._thread.join(0.02)
            if not self._thread.is_alive() and not self.groups[group].ready:
                raise RuntimeError(self.groups[group].failed or "start-up ended early")

    def close(self) -> None:
        """End the child, if it still runs."""
        self._stop = True
        if self.child is None or self.child.poll() is not None:
            return
        if os.name == "posix":
            # The child has children of its own; it leads their group.
            os.killpg(self.child.pid, signal.SIGTERM)
        else:
            self.child.terminate()

    def line(self) -> str:
        """Return one line for the screen; empty when everything is ready."""
        for name, progress in self.groups.items():
            if progress.failed:
                return progress.failed
            if not progress.ready:
                what = "first mission" if name == FIRST else name
                if progress.total:
                    return f"Preparing the {what}: {progress.done} of {progress.total}"
                return f"Preparing the {what}"
        return ""

    def _work(self) -> None:
        try:
            from ai.core import kernels

            kernels.import_all()
            for group, progress in self.groups.items():
                if self._stop:
                    return
                self._prepare(kernels, group, progress)
        except Exception as error:  # shown on the screen, because a thread cannot raise to its caller
            for progress in self.groups.values():
                if not progress.ready:
                    progress.failed = f"start-up failed: {type(error).__name__}: {error}"

    def _prepare(self, kernels: Any, group: str, progress: CompileProgress) -> None:
        if not marker_of(group).is_file() and os.environ.get("NUMBA_DISABLE_JIT", "0") == "0":
            self._run_child(group, progress)
            if self._stop:
                return
        for done, total, entry, _ in kernels.warm_up((group,)):
            progress.done, progress.total, progress.name = done, total, entry.name
            if self._stop:
                return
        progress.ready = True

    def _run_child(self, group: str, progress: CompileProgress) -> None:
        command = [sys.executable, str(ROOT / "main.py"), "warm-up", "--lines", "--group", group]
        self.child = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=ROOT,
            encoding="utf-8",
            start_new_session=os.name == "posix",
        )
        assert self.child.stdout is not None
        for line in self.child.stdout:
            parts = line.split("\t")
            if len(parts) >= 4 and parts[0].isdigit():
                progress.done, progress.total, progress.name = int(parts[0]), int(parts[1]), parts[3]
        self.child.wait()
