"""Start of Fogline in restricted environments.

The cases: no writable kernel cache, another user, ``python -OO`` and a console of few characters.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.prose_lint import ROOT

KERNEL = """
from ai.core import kernels
from ai.search.astar.iterative_limits import *
print(kernels.cache_root())
"""


def python(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the checkout with some variables changed."""
    command = [sys.executable, *arguments]
    environment = {**os.environ, **variables}
    how = {"capture_output": True, "text": True, "timeout": 300, "errors": "replace"}
    return subprocess.run(command, cwd=ROOT, env=environment, **how)


def compiled_files() -> set[Path]:
    return {p for folder in ("ai", "game") for p in (ROOT / folder).rglob("*.nb[ic]")}


@pytest.mark.parametrize("folder", ["/dev/null/x", "/proc/fogline"])
def test_an_unusable_cache_is_reported_in_one_line_and_replaced_by_a_temporary_folder(folder: str) -> None:
    before = compiled_files()
    done = python("-c", KERNEL, FOGLINE_KERNEL_CACHE=folder)
    assert done.returncode == 0
    used = Path(done.stdout.strip())
    assert used.name.startswith("fogline-kernels-") and not used.exists(), "it is removed at the end"
    assert done.stderr.count("\n") == 1 and folder in done.stderr and "FOGLINE_KERNEL_CACHE" in done.stderr
    assert compiled_files() == before


def test_a_file_in_place_of_the_cache_is_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    done = python("-c", KERNEL, FOGLINE_KERNEL_CACHE=str(tmp_path / "file"))
    assert done.returncode == 0 and done.stderr.count("\n") == 1


NO_TEMPORARY = """
import tempfile
tempfile.tempdir = {folder!r}
from game.cli import main
raise SystemExit(main(["check", "skirmish_small"]))
"""


@pytest.mark.parametrize("folder", ["/proc/none", str(ROOT)])
def test_without_any_folder_the_start_ends_in_one_line(folder: str) -> None:
    """Fail when no temporary folder exists, without writing to the checkout.

    Python's ``tempfile`` offers the current folder when there is no other one.
    """
    before = compiled_files()
    done = python("-c", NO_TEMPORARY.format(folder=folder), FOGLINE_KERNEL_CACHE="/dev/null/x")
    assert done.returncode == 2 and done.stderr.strip().count("\n") == 0
    assert "FOGLINE_KERNEL_CACHE" in done.stderr and "Traceback" not in done.stderr
    assert compiled_files() == before


def test_a_map_is_checked_without_docstrings_and_assertions(tmp_path: Path) -> None:
    """Check a new map under ``python -OO``.

    It is read but not played: the digests of kernels differ under -OO, so all would be compiled.
    """
    made = tmp_path / "made.tmx"
    assert python("-OO", "main.py", "new", str(made)).returncode == 0
    done = python("-OO", "main.py", "check", "--maps-only", str(made))
    assert done.returncode == 0 and "0 failed" in done.stdout


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_console_that_lacks_characters_gets_the_whole_report(tmp_path: Path, encoding: str) -> None:
    made = tmp_path / "Größe_地図.tmx"
    assert python("main.py", "new", str(made)).returncode == 0
    done = python("main.py", "check", "--maps-only", str(made), PYTHONIOENCODING=encoding)
    assert done.returncode == 0 and "Traceback" not in done.stderr
    assert "\\u5730" in done.stdout and done.stdout.strip().endswith("0 failed")


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("setpriv") is None, reason="needs root to become nobody")
def test_another_user_without_a_home_can_list_the_settings() -> None:
    """List the settings as the user ``nobody``.

    The test is skipped when the checkout or this Python cannot be read by others.
    """
    nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    readable = subprocess.run([*nobody, sys.executable, "-c", "import numba"], capture_output=True, timeout=120)
    listed = subprocess.run([*nobody, "ls", str(ROOT / "ai")], capture_output=True, timeout=20)
    if readable.returncode or listed.returncode:
        pytest.skip("this Python or this checkout cannot be read by others")
    environment = {**os.environ, "HOME": "/nonexistent"}
    environment.pop("FOGLINE_KERNEL_CACHE", None)
    done = subprocess.run(
        [*nobody, sys.executable, "main.py", "run", "--list-settings"],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0 and "paths.budget" in done.stdout
