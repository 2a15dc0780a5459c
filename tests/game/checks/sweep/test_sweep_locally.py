"""Sweeps on this machine: whole grids, stops, deaths and bad input."""

import errno
import os
from collections import Counter
from pathlib import Path

import polars
import pytest

from game.checks.headless import run_level
from game.checks.scripts.script import load_script
from game.checks.sweep.result_store import ResultStore, read_results
from game.checks.sweep.sweep import run_sweep
from game.checks.sweep.sweep_grid import SweepGrid, SweepTask, parse_seeds, sweep_grid
from game.level.finding import find_level

LEVEL = Path("skirmish_small")
VARY = ("steering.avoidance=0,2",)
TICKS = 40


def grid() -> SweepGrid:
    return sweep_grid([LEVEL], [1, 2, 3], VARY, ticks=TICKS)


def test_a_stopped_sweep_goes_on_and_every_game_has_one_row_with_the_hash_of_a_run_of_its_own(tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"

    def stop(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    first = run_sweep(grid(), out, workers=1, progress=stop)
    assert first.stopped and first.rows == 2
    kept = set(read_results(out).select("seed", "set.steering.avoidance", "hash").rows())
    assert len(kept) == 2
    counted: list[int] = []
    second = run_sweep(grid(), out, workers=2, resume=True, progress=lambda done, total: counted.append(done))
    assert counted == [3, 4, 5, 6]
    assert (second.rows, second.failed, second.stopped) == (6, [], False)
    rows = read_results(out).to_dicts()
    assert kept <= {(r["seed"], r["set.steering.avoidance"], r["hash"]) for r in rows}
    assert Counter((r["seed"], r["set.steering.avoidance"]) for r in rows) == Counter(
        (seed, value) for seed in (1, 2, 3) for value in (0, 2)
    )
    path = find_level(LEVEL)
    for row in rows[::5]:
        settings = {"steering.avoidance": row["set.steering.avoidance"]}
        run = run_level(path, TICKS, row["seed"], None, load_script(path.with_suffix(".toml")), settings)
        assert row["hash"] == run.session.world.hash()
    assert not (tmp_path / "out.parquet.part").exists()


class Deadly:
    """Level whose game kills its process."""

    digest = "deadly"

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        os._exit(9)


class Broken:
    """Level whose game raises."""

    digest = "broken"

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        raise RuntimeError("no floor\nhere")


def test_a_process_that_dies_loses_its_own_game_only(tmp_path: Path) -> None:
    good = grid()
    levels = {**good.levels, "deadly": Deadly(), "broken": Broken()}
    tasks = good.tasks[:3]
    for digest in ("deadly", "broken"):
        tasks.insert(1, SweepTask(100 + len(tasks), digest, digest, "", 7, (("steering.avoidance", 0),), TICKS))
    end = run_sweep(SweepGrid(tasks, levels, {**good.scripts, "": None}), tmp_path / "out.parquet", workers=1)
    assert end.rows == 5
    assert {(r["level"], r["seed"], r["set.steering.avoidance"]) for r in end.failed} == {
        ("deadly", 7, 0), ("broken", 7, 0)
    }  # fmt: skip
    errors = {r["level"]: r["error"] for r in end.failed}
    assert "exit code 9" in errors["deadly"]
    assert errors["broken"] == "RuntimeError: no floor here"


def test_failed_games_are_played_again_by_a_resumed_sweep(tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    store = ResultStore(out, resume=False)
    row = {"level": "a", "digest": "d", "script": "", "seed": 1, "status": "failed", "error": "x"}
    store.add(row)
    store.add({**row, "seed": 2, "status": "done", "error": ""})
    store.close()
    again = ResultStore(out, resume=True)
    assert again.finished([SweepTask(i, "a", "d", "", i + 1, (), None) for i in range(2)]) == {1}


def test_a_full_disk_ends_in_one_line_and_leaves_what_was_finished(tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    store = ResultStore(out, resume=False)
    store.add({"level": "a", "digest": "d", "script": "", "seed": 1, "status": "done"})

    class Full:
        def write(self, text: str) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        def close(self) -> None: ...

    store._lines.flush()
    store._lines = Full()
    with pytest.raises(ValueError, match=r"No space left on device.*--resume") as caught:
        store.add({"level": "a", "digest": "d", "script": "", "seed": 2, "status": "done"})
    assert "\n" not in str(caught.value)
    assert [r["seed"] for r in ResultStore(out, resume=True).rows] == [1]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: sweep_grid([Path("nowhere")], [1]), "nowhere"),
        (lambda: sweep_grid([], [1]), "at least one level"),
        (lambda: sweep_grid([LEVEL], [1], ["steering.avoidance"]), "write NAME=VALUE"),
        (lambda: sweep_grid([LEVEL], [1], ["steering.nothing=1"]), "steering.nothing"),
        (lambda: sweep_grid([LEVEL], [1], ["steering.avoidance=high"]), "steering.avoidance"),
        (lambda: sweep_grid([LEVEL], [1], ["crowding.on=1", "crowding.on=0"]), "named twice"),
        (lambda: sweep_grid([LEVEL], range(1_000_000), VARY), "are more than"),
        (lambda: parse_seeds("5-1"), "no range"),
        (lambda: parse_seeds("0-"), "write 0-99"),
        (lambda: parse_seeds("some"), "write 0-99"),
        (lambda: ResultStore(Path("out.txt"), False), "end in .parquet or .csv"),
        (lambda: ResultStore(Path("no_folder_here/out.csv"), False), "no folder"),
        (lambda: read_results(Path("no_file.parquet")), "no such file"),
    ],
)
def test_bad_input_ends_in_one_line(make, words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_table_is_told(tmp_path: Path) -> None:
    bad = tmp_path / "bad.parquet"
    bad.write_bytes(b"no parquet")
    with pytest.raises(ValueError, match="not a table of results"):
        read_results(bad)
    polars.DataFrame({"a": [1]}).write_parquet(bad)
    with pytest.raises(ValueError, match="no column level"):
        read_results(bad)


def test_results_are_not_overwritten_by_chance(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    out.write_text("mine")
    with pytest.raises(ValueError, match="--resume"):
        ResultStore(out, resume=False)
    assert out.read_text() == "mine"


def test_seeds_are_read_once_each_in_order() -> None:
    assert parse_seeds("3,1-4,9") == [3, 1, 2, 4, 9]
