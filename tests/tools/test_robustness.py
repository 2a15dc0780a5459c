"""Robustness: 500 mutants of files, random orders, and kills while saving."""

from __future__ import annotations

import argparse

import pytest

from game.level.finding import shipped_levels
from game.minds import mind_turns
from tools.bench.robust import fuzz, kill, mutants_of_files, random_orders

SMALL = ("gate_and_winch", "patrol")
LARGE = ("the_depot", "the_crossing", "skirmish_small", "formation_crowded")


@pytest.mark.long
def test_five_hundred_mutants_end_in_a_refusal_or_a_game() -> None:
    rows = fuzz.rows(argparse.Namespace(count=504, seed=1_000_000))
    assert [row["bad"] for row in rows] == [[]] * len(fuzz.KINDS)
    assert sum(row["ok"] + row["refused"] for row in rows) == 504
    assert sum(row["slow"] + row["large"] for row in rows) == 0
    assert all(row["refused"] for row in rows if row["algorithm"] in ("fuzz_map", "fuzz_save", "fuzz_replay"))


def test_a_reader_with_a_fault_is_found_out(tmp_path) -> None:
    """The bench itself must see a traceback and a message of two lines."""

    def fail(path) -> None:
        raise KeyError("hidden")

    def two_lines(path) -> None:
        raise ValueError("one\ntwo")

    for read, said in ((fail, "KeyError"), (two_lines, "lines:")):
        kind = mutants_of_files.FileKind("broken", (b"x",), read, ".txt")
        assert mutants_of_files.try_mutant(kind, 1, tmp_path).startswith(said)


@pytest.mark.parametrize("level", [*SMALL, *(pytest.param(name, marks=pytest.mark.long) for name in LARGE)])
def test_random_orders_break_no_state(level: str) -> None:
    """Oracle: no fault, and the end state passes the check of saves."""
    row = random_orders.play(shipped_levels()[level], 600, seed=3)
    assert row["broken"] == "" and row["ticks"] == 600
    assert row["orders"] > 100 and row["refused"] > 20


def test_random_orders_find_a_broken_mind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mind_turns, "think", lambda turn: {}["missing"])
    row = random_orders.play(shipped_levels()["the_depot"], 30, seed=3)
    assert row["faults"] > 0 and "KeyError" in row["broken"]


def test_a_kill_inside_a_save_leaves_whole_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOGLINE_DATA", "")  # put back after the bench has set its own
    (row,) = kill.rows(argparse.Namespace(kills=2, seed=5))
    assert row["damaged"] == 0 and row["scratch_after_next_save"] == 0 and row["whole"] > 0
