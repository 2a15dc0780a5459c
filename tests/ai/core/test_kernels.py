"""Kernels: one signature each, a cache by source digest, ready after warm-up."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ai.core import kernels
from ai.formation.group_entity import wrapped
from game.sim.warm_up import compile_in_children, marker_of

ROOT = Path(__file__).resolve().parents[3]

WARM_THEN_PLAY = """
import json
from pathlib import Path
from ai.core import kernels
kernels.import_all()
rows = [(k.name, cached) for _, _, k, cached in kernels.warm_up()]
from game.checks.headless import run_level
from game.checks.scripts.script import load_script
level = Path("levels/regression/motion/open_field.tmx")
run_level(level, ticks=40, script=load_script(level.with_suffix(".toml")))
missed = [k.name for k in kernels.registered() if sum(k.dispatcher.stats.cache_misses.values())]
signatures = {k.name: len(k.dispatcher.signatures) for k in kernels.registered()}
print(json.dumps({"rows": rows, "signatures": signatures, "missed": missed}))
"""


def in_new_process(code: str) -> dict:
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return dict(json.loads(done.stdout.splitlines()[-1]))


@pytest.fixture(scope="module")
def played() -> dict:
    """A new process that warms up after others have compiled everything, and then plays."""
    kernels.import_all()
    if not all(marker_of(group).is_file() for group in kernels.GROUPS):
        in_new_process(WARM_THEN_PLAY)
    return in_new_process(WARM_THEN_PLAY)


def test_after_warm_up_every_kernel_comes_from_the_cache(played: dict) -> None:
    assert sorted(name for name, _ in played["rows"]) == sorted(k.name for k in kernels.registered())
    assert [name for name, cached in played["rows"] if not cached] == []


def test_playing_after_warm_up_adds_no_signature_and_misses_no_cache(played: dict) -> None:
    assert {name for name, count in played["signatures"].items() if count != 1} == set()
    assert played["missed"] == []


def test_an_edit_of_an_imported_source_changes_the_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "ai"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "low.py").write_text("STEP = 1\n")
    (package / "other.py").write_text("X = 1\n")
    (package / "high.py").write_text("from ai.low import (\n    STEP,\n)\n")
    monkeypatch.setattr(kernels, "_ROOT", tmp_path)

    def digest() -> str:
        kernels._imported_sources.cache_clear()
        kernels._code_digest.cache_clear()
        return kernels.source_digest("ai.high")

    first = digest()
    (package / "other.py").write_text("X = 2\n")
    assert digest() == first, "a source that is not imported does not matter"
    (package / "low.py").write_text('"""Prose."""\n\n# more\nSTEP = 1\n"""Tiles."""\nTECHNIQUES = ({"slug": "a"},)\n')
    assert digest() == first, "prose and descriptors do not matter"
    (package / "low.py").write_text("STEP = 2\n")
    assert digest() != first
    kernels._imported_sources.cache_clear()
    kernels._code_digest.cache_clear()


EDITED = """
import json, sys
sys.path.insert(0, {folder!r})
from pathlib import Path
from ai.core import kernels
kernels._ROOT = Path({folder!r})
kernels.cache_root = lambda: Path({folder!r}) / "cache"
from game.made import high
value = int(high.doubled(3))
print(json.dumps({{"value": value, "hits": sum(high.doubled.stats.cache_hits.values())}}))
"""
LOW = "from ai.core.kernels import device\n@device\ndef twice(x):\n    return x * 2\n"
HIGH = (
    "from ai.core.kernels import kernel\nfrom game.made.low import twice\n"
    '@kernel("int64(int64)")\ndef doubled(x):\n    return twice(x)\n'
)


def test_an_edit_of_prose_compiles_nothing_again_and_one_of_a_callee_does(tmp_path: Path) -> None:
    made = tmp_path / "game" / "made"
    made.mkdir(parents=True)
    for file in (made.parent / "__init__.py", made / "__init__.py"):
        file.write_text("")

    def run(low: str, high: str) -> tuple[int, int]:
        (made / "low.py").write_text(low)
        (made / "high.py").write_text(high)
        told = in_new_process(EDITED.format(folder=str(tmp_path)))
        return told["value"], told["hits"]

    assert run(LOW, HIGH) == (6, 0)
    assert run(LOW, HIGH) == (6, 1)
    prose = '"""Doubles."""\n\n# Why: a test.\n'
    after = '\nTECHNIQUES = ({"slug": "doubling"},)\n'
    assert run(prose + LOW, prose + HIGH + after) == (6, 1), "moved to other lines, at another time"
    assert run(LOW.replace("2", "3"), HIGH) == (9, 0), "the callee lives in another file"


def test_no_kernel_depends_on_the_defaults_of_steering() -> None:
    defaults = ROOT / "ai" / "steering" / "settings.py"
    kernels.import_all()
    for module in sorted({k.dispatcher.__module__ for k in kernels.registered()}):
        if module.startswith("ai."):
            assert defaults not in kernels.sources_of(module), f"{module} imports the settings; import settings_columns"


def test_the_first_call_compiles_the_registered_signature_only() -> None:
    from ai.grid.terrain import _rectangle_digest  # any kernel taking a C-ordered array

    tiles = np.zeros((4, 4), np.uint8)
    _rectangle_digest(tiles, np.int32(0), 0, np.uint8(4), 4)
    with pytest.raises(TypeError):
        _rectangle_digest(tiles.T[::2], 0, 0, 2, 2)
    assert len(_rectangle_digest.signatures) == 1


def test_two_threads_may_ask_for_one_kernel_at_the_same_time() -> None:
    code = """
import json, threading
from ai.core import kernels
kernels.import_all()
entry = kernels.in_turn(("bench",))[-1]
gate, told = threading.Barrier(3), []
def ask():
    gate.wait()
    try:
        kernels.compile_kernel(entry)
        told.append("ready")
    except RuntimeError as error:
        told.append(str(error))
threads = [threading.Thread(target=ask) for _ in range(3)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(json.dumps({"told": told}))
"""
    assert in_new_process(code) == {"told": ["ready"] * 3}


def test_no_source_uses_fastmath_or_object_mode() -> None:
    for folder in ("ai", "game"):
        for path in (ROOT / folder).rglob("*.py"):
            source = path.read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(source)) if "fastmath" in source or "forceobj" in source else ():
                if isinstance(node, ast.keyword) and node.arg in ("fastmath", "forceobj"):
                    raise AssertionError(f"{path}:{node.lineno} uses {node.arg}")
            if path != ROOT / "ai" / "core" / "kernels.py":
                assert "njit(" not in source, f"{path}: use ai.core.kernels.kernel or device"


def test_every_kernel_has_its_turn_once_group_by_group_the_dearest_first() -> None:
    kernels.import_all()
    turns = kernels.in_turn()
    assert sorted(k.name for k in turns) == sorted(k.name for k in kernels.registered())
    assert [kernels.GROUPS.index(k.group) for k in turns] == sorted(kernels.GROUPS.index(k.group) for k in turns)
    own = {k.name: len(k.dispatcher.py_func.__code__.co_code) for k in turns}
    mission = [k.name for k in kernels.in_turn(("mission",))]
    assert own[mission[0]] > own[mission[-1]], "guessed by the length of its code, helpers included"


@pytest.mark.long
def test_children_compile_each_kernel_once_between_them_and_tell_how_far_they_are() -> None:
    kernels.import_all()
    marker_of("bench").unlink(missing_ok=True)
    rows = list(compile_in_children(("bench",)))
    assert marker_of("bench").is_file(), "a window that opens now need not look"
    assert sorted(name for _, _, _, name, _ in rows) == sorted(k.name for k in kernels.registered("bench"))
    assert [done for done, *_ in rows] == list(range(1, len(rows) + 1))
    assert {total for _, total, *_ in rows} == {len(rows)}


def test_a_child_that_fails_is_told_in_one_line() -> None:
    with pytest.raises(ValueError, match=r"a kernel could not be compiled: .*not one of"):
        list(compile_in_children(("no such group",)))


def test_a_helper_of_kernels_is_the_plain_function_in_python() -> None:
    assert wrapped(4.0) == pytest.approx(4.0 - 2 * np.pi) and not wrapped.nopython_signatures


def test_an_unknown_group_is_refused() -> None:
    with pytest.raises(ValueError, match="group"):
        kernels.kernel("void()", group="later")


def test_a_helper_that_hands_on_an_array_is_refused_unless_it_says_so(tmp_path) -> None:
    code = """
import json, sys
sys.path.insert(0, {folder!r})
import borrowed
told = []
for kernel in (borrowed.lends, borrowed.counts):
    try:
        told.append(int(kernel(borrowed.ROW)))
    except Exception as error:
        told.append("device_with_arrays" in str(error))
print(json.dumps({{"told": told}}))
"""
    text = """
import numpy as np
from ai.core.kernels import device, device_with_arrays, kernel
ROW = np.arange(4, dtype=np.int64)
@device
def lent(row):
    return row
@device_with_arrays
def counted(row):
    return row[1:]
@kernel("int64(int64[::1])")
def lends(row):
    return lent(row)[3]
@kernel("int64(int64[::1])")
def counts(row):
    return counted(row)[2]
"""
    (tmp_path / "borrowed.py").write_text(text, encoding="utf-8")
    assert in_new_process(code.format(folder=str(tmp_path))) == {"told": [True, 3]}
