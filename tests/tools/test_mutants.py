"""Mutants of techniques: names, texts, sample, results and trials."""

import ast
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ai.core.register import scan
from tools.mutants.__main__ import main, rows_of
from tools.mutants.mutations import mutants, sample
from tools.mutants.results import Result, alive, areas, digest_of, equivalents, joined, load, refreshed, save
from tools.mutants.trial import ALIVE, EXHIBIT, TEST, TIME, UNJUDGED, Trial, outcome_of

ROOT = Path(__file__).resolve().parents[2]
MODULE = '''
"""A module."""

LIMIT = 20
UNREAD = 30


def near(a: float, b: float) -> bool:
    """Return whether two numbers are less than LIMIT apart."""
    if a < 0:
        raise ValueError("é")
    return abs(a - b) < LIMIT


def other(a: int) -> int:
    """Return something else."""
    return a + 1


TECHNIQUES = (
    {"slug": "near", "name": "Near", "ids": ("X-1",), "source": "X, 1", "functions": ("near",),
     "test": "tests/test_near.py"},
)
'''


def _named(source: str, *functions: str) -> dict[str, str]:
    return {m.name: m.applied(source) for m in mutants(source, functions)}


def _value(source: str, name: str, *arguments: object) -> object:
    space: dict = {}
    exec(source, space)
    return space[name](*arguments)


def test_each_kind_changes_what_its_name_says_and_nothing_else() -> None:
    made = _named(MODULE, "near")
    assert list(made) == [
        "near: constant return: return True", "near: constant return: return False",
        "near: dropped statement: if a < 0: raise ValueError(\"é\") -> dropped",
        "near: comparison: a < 0 -> ((a) <= (0))", "near: off by one: 0 -> 1",
        "near: comparison: abs(a - b) < LIMIT -> ((abs(a - b)) <= (LIMIT))", "near: sign: a - b -> ((a) + (b))",
        "LIMIT: off by one: 20 -> 21", "LIMIT: ten percent: 20 -> 22",
    ]  # fmt: skip
    assert not _value(MODULE, "near", 1, 21)
    assert _value(made["near: constant return: return True"], "near", 1, 90) is True
    assert _value(made["near: comparison: abs(a - b) < LIMIT -> ((abs(a - b)) <= (LIMIT))"], "near", 1, 21)
    assert not _value(made["near: sign: a - b -> ((a) + (b))"], "near", 15, 15)
    assert _value(made["LIMIT: ten percent: 20 -> 22"], "near", 1, 22)
    assert _value(made['near: dropped statement: if a < 0: raise ValueError("é") -> dropped'], "near", -1, 1)


def test_methods_generators_arrays_and_swaps() -> None:
    source = (
        "class C:\n    def m(self, a: int) -> tuple[int, ...]:\n        return f(a, -a)\n"
        "    def g(self) -> Iterator[int]:\n        yield 3\n"
        "    def v(self, a: object) -> np.ndarray:\n        return a[0]\n"
        "    def u(self) -> None:\n        self.n += 1\n        self.n = max(self.n, 2)\n"
    )
    made = _named(source, "C")
    assert {
        "C.m: constant return: return ()", "C.m: swapped arguments: f(a, -a) -> f(-a, a)", "C.m: sign: -a -> (a)",
        "C.g: constant return: return", "C.v: constant return: return np.zeros_like(a[0])",
        "C.u: dropped statement: self.n += 1 -> dropped", "C.u: sign: self.n += 1 -> self.n -= 1",
    } <= set(made)  # fmt: skip
    assert not any("max(2" in name for name in made), "the order of max's arguments does not matter"
    space: dict = {"Iterator": list, "np": None}
    exec("from __future__ import annotations\n" + made["C.g: constant return: return"], space)
    assert list(space["C"]().g()) == []
    for text in made.values():
        compile(text, "mutant", "exec")


def test_every_row_has_mutants_under_unique_names_and_the_reviewed_list_names_such() -> None:
    same = equivalents(ROOT / "tools/mutants/equivalent.toml")
    names = set()
    for k, row in enumerate(scan(ROOT)):
        if k % 6 and not any(entry.startswith(f"{row.slug}: ") for entry in same):
            continue
        source = (ROOT / row.module).read_text(encoding="utf-8")
        made = mutants(source, row.functions)
        assert made and len({m.name for m in made}) == len(made), row.slug
        ast.parse(made[k % len(made)].applied(source))
        names |= {f"{row.slug}: {m.name}" for m in made}
    assert set(same) <= names


def test_names_stay_when_the_text_moves_and_the_sample_is_the_same_each_time() -> None:
    made = mutants(MODULE, ("near",))
    moved = mutants("# one more line\n" + MODULE.replace("def other", "def another"), ("near",))
    assert [m.name for m in made] == [m.name for m in moved]
    drawn = sample(made, 5)
    assert len(drawn) == 5 and [m.name for m in drawn] == [m.name for m in sample(moved, 5)]
    assert [m.kind for m in drawn].count("constant return") == 2
    assert len({m.kind for m in drawn}) == 4, "the kinds take turns"
    assert sample(made, 99) == made
    assert all(set(sample(made, k)) <= set(sample(made, k + 1)) for k in range(9)), "a small sample begins a larger one"
    assert sum(m.kind == "constant return" for m in sample(made, 1)) == 2, "no constant return is left out"
    wide = "def f(a: int) -> int:\n    return a + a + a + a\n\n\ndef g(a: int) -> int:\n    return a + 1\n"
    assert "g" in {m.function for m in sample(mutants(wide, ("f", "g")), 4) if m.kind != "constant return"}


def test_results_are_read_back_and_equivalent_mutants_leave_the_figures(tmp_path: Path) -> None:
    outcomes = {"a": TEST, "b": EXHIBIT, "c": TIME, "d": ALIVE, "e": ALIVE}
    results = {"near": Result("near", "search", "0", 9, outcomes)}
    same = {"near: e": "it sorts what is sorted"}
    save(tmp_path / "r.json", results, same)
    assert load(tmp_path / "r.json") == results and load(tmp_path / "none.json") == {}
    assert alive(results["near"], same) == ["d"]
    (area,) = areas(results, same)
    assert area == {
        "area": "search", "techniques": 1, "judged": 1, "made": 9, "run": 5, "by_test": 1, "by_exhibit": 1,
        "by_time": 1, "alive": 1, "constant_alive": 0, "killed": 0.75,
    }  # fmt: skip
    (tmp_path / "same.toml").write_text('[[equivalent]]\nslug = "near"\nmutant = "e"\n')
    with pytest.raises(ValueError, match=r"same\.toml: e: has no reason"):
        equivalents(tmp_path / "same.toml")


TINY = """
def bigger(a: int, b: int) -> bool:
    return a > b


def more(a: float) -> float:
    return a + 1.0


TECHNIQUES = (
    {"slug": "bigger", "name": "N", "ids": ("X-1",), "source": "X", "functions": ("bigger",), "test": "test_bigger.py"},
    {"slug": "more", "name": "N", "ids": ("X-2",), "source": "X", "functions": ("more",), "test": "test_more.py"},
)
"""


def test_endless_mutants_are_stopped_by_processor_time_and_waiting_ones_are_not_judged(tmp_path: Path) -> None:
    def endless() -> int:
        while True:
            pass

    code = Trial([lambda: 0, endless], tmp_path, 1.0).awaited()
    assert outcome_of(code, [TEST, EXHIBIT]) == TIME
    code = Trial([lambda: time.sleep(60) or 0], tmp_path, 0.05).awaited()
    assert outcome_of(code, [TEST]) == UNJUDGED
    assert outcome_of(Trial([lambda: 0, lambda: 1], tmp_path, 5).awaited(), [TEST, EXHIBIT]) == EXHIBIT
    assert outcome_of(Trial([lambda: 0], tmp_path, 5).awaited(), [TEST]) == ALIVE


def test_a_tiny_row_is_judged_by_its_test_and_the_run_goes_on_where_it_ended(tmp_path: Path) -> None:
    (tmp_path / "ai").mkdir()
    (tmp_path / "ai" / "__init__.py").write_text("")
    module, test, file = tmp_path / "ai" / "bigger.py", tmp_path / "test_bigger.py", tmp_path / "results.json"
    module.write_text(TINY)
    test.write_text("from ai.bigger import bigger\n\n\ndef test():\n    assert bigger(2, 1) and not bigger(1, 2)\n")
    (tmp_path / "test_more.py").write_text("from ai.bigger import more\n\n\ndef test():\n    assert more(1.5) == 2.5\n")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    program = "import sys; from pathlib import Path; from tools.mutants.__main__ import main; "
    program += f"main(['bigger', 'more', '--results', {str(file)!r}], Path({str(tmp_path)!r}))"
    said = subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    survivor = "bigger: comparison: a > b -> ((a) >= (b))"
    results = load(file)
    assert results["bigger"].outcomes == {
        "bigger: constant return: return True": TEST, "bigger: constant return: return False": TEST, survivor: ALIVE
    }  # fmt: skip
    assert results["more"].outcomes == {
        "more: constant return: return 0.0": TEST, "more: sign: a + 1.0 -> ((a) - (1.0))": TEST,
        "more: ten percent: 1.0 -> 1.1": TEST,
    }, "byte code of the program is never taken for that of a mutant of its size"  # fmt: skip
    assert f"ALIVE  bigger: {survivor}" in said and "83% killed" in said
    assert module.read_text() == TINY, "the checkout is never written"
    # All have an outcome, so nothing runs again. Prose keeps the digest, another test changes it.
    main(["bigger", "--results", str(file)], tmp_path)
    assert load(file) == results
    row = scan(tmp_path)[0]
    module.write_text(TINY.replace("-> bool:", '-> bool:\n    """Compare."""'))
    assert digest_of(tmp_path, row) == results["bigger"].digest
    other = {"bigger": Result("bigger", "bigger.py", digest_of(tmp_path, row), 3, {survivor: TEST})}
    kept = refreshed(tmp_path, results)
    assert joined(kept, other) == 1 and kept["bigger"].outcomes[survivor] == TEST
    assert joined(kept, {"bigger": Result("bigger", "bigger.py", "of another text", 3, {survivor: ALIVE})}) == 0
    test.write_text("def test():\n    pass\n")
    assert refreshed(tmp_path, results)["bigger"].outcomes == {}, "another test judges anew"
    assert digest_of(tmp_path, row) != results["bigger"].digest
    # A constant that survives is new to the committed figures, so the gate stops; another survivor is only told.
    git = ["git", "-c", "user.name=n", "-c", "user.email=e"]
    subprocess.run([*git, "add", "-A"], cwd=tmp_path, check=True)
    subprocess.run([*git, "commit", "-q", "-m", "one"], cwd=tmp_path, check=True)
    test.write_text("def test():\n    assert True\n")
    for outcome, code in ((ALIVE, 1), (TEST, 0)):
        judged = refreshed(tmp_path, {})
        made = [m.name for m in mutants(module.read_text(), row.functions)]
        judged["bigger"].outcomes = {n: outcome if "constant" in n else ALIVE for n in made}
        save(file, judged, {})
        assert main(["--changed", "HEAD", "--results", str(file)], tmp_path) == code
    assert [r.slug for r in rows_of(tmp_path, [], "HEAD")] == ["bigger"], "rows without an exhibit have not changed"
    with pytest.raises(ValueError, match=r"smaller: no row of ai/techniques\.toml"):
        rows_of(tmp_path, ["smaller"], None)
