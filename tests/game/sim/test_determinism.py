"""Determinism: equal hashes in any process, with any thread count, snapshot or save."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from ai.core.thread_pool import ThreadPool
from ai.search.hierarchy import hpa_batch_answers
from ai.search.hierarchy.hpa_batch_answers import HpaAnswers
from game.checks.headless import scatter_orders
from game.level.reading import load_level
from game.sim.replay import save_replay, verify
from game.sim.saves import load_game, save_game
from game.sim.session import HASH_EVERY, Session
from game.sim.stages import steer_stage
from game.sim.tick import STAGES
from game.world.orders import Order, OrderKind
from game.world.world import World, restore_world
from tests.game.sim.small_levels import bridge_level

ROOT = Path(__file__).resolve().parent.parent.parent.parent
CROSSING = ROOT / "levels" / "the_crossing.tmx"


def march(session: Session) -> None:
    """Order the raiders over the bridge."""
    session.give(Order(int(OrderKind.MOVE), 0, tuple(range(4)), 20.5, 6.5))


@pytest.fixture(scope="module")
def played_and_kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Session, list]:
    """Return a session recorded for 300 ticks and its snapshots.

    Raiders cross a bridge and guards patrol.
    """
    session = Session(load_level(bridge_level(tmp_path_factory.mktemp("bridge"), raiders=4, guards=2)), seed=5)
    march(session)
    kept: list = []
    for _ in range(300):
        session.advance()
        if session.world.tick % 61 == 1:
            kept.append(session.world.snapshot(kept[-1] if kept else None))
    return session, kept


@pytest.fixture(scope="module")
def played(played_and_kept: tuple[Session, list]) -> Session:
    """Return the recorded session.

    The sessions that are compared with it take no snapshots.
    Equal hashes therefore also show that snapshots change nothing.
    """
    return played_and_kept[0]


def test_two_worlds_in_one_process_are_independent(played: Session) -> None:
    other = Session(played.level, seed=5)
    noise = Session(played.level, seed=6)
    march(other)
    for _ in range(300):
        other.advance()
        noise.advance()
    assert other.hashes == played.hashes


def test_a_snapshot_at_any_tick_goes_on_to_the_same_hashes(played_and_kept: tuple[Session, list]) -> None:
    """Continue each snapshot and compare three or more recorded hashes."""
    played, kept = played_and_kept
    wanted = dict(played.hashes)
    assert [restore_world(saved).tick for saved in kept] == [1, 62, 123, 184, 245]
    for saved in kept:
        branch = Session(played.level, seed=5, recording=False)
        branch.world = restore_world(saved)
        assert branch.world.hash() == restore_world(saved).hash()
        compared = 0
        while branch.world.tick < 300 and compared < 4:
            branch.advance()
            if branch.world.tick in wanted:
                assert branch.world.hash() == wanted[branch.world.tick], branch.world.tick
                compared += 1
        assert compared >= 3


def test_a_replay_is_verified_and_a_changed_one_is_reported(tmp_path: Path, played: Session) -> None:
    path = tmp_path / "game.json"
    save_replay(played, path)
    assert verify(path) == []
    data = json.loads(path.read_text())
    data["ticks"], data["hashes"] = 80, data["hashes"][:4]
    path.write_text(json.dumps(data))
    assert verify(path) == [], "a shortened replay is true, too"
    data["hashes"][3][1] = "0" * 32
    path.write_text(json.dumps(data))
    first, second = verify(path)
    assert "differs from tick 80 on" in first and first.endswith("of tick 60") and "alike twice: another" in second
    data["orders"] = []
    path.write_text(json.dumps(data))
    assert "differs from tick 20 on" in verify(path)[0]


def test_a_stage_that_plays_otherwise_is_named_with_tick_column_and_unit(
    tmp_path: Path, played: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.json"
    save_replay(played, path)
    data = json.loads(path.read_text())
    data["ticks"], data["hashes"] = 40, data["hashes"][:2]
    path.write_text(json.dumps(data))
    run, calls = steer_stage.run, []

    def unsteady(world: World) -> None:
        run(world)
        if world.tick == 33:
            calls.append(1)
            world.units.turn_rate[world.units.slot(2)] += len(calls) * 0.25

    rows = [(name, unsteady if name == "steer" else stage) for name, stage in STAGES]
    monkeypatch.setattr("game.sim.tick.STAGES", tuple(rows))
    first, second = verify(path)
    assert "differs from tick 40 on" in first
    assert "tick 33, stage steer, units.turn_rate of" in second and "(id 2)" in second


def test_a_loaded_game_continues_with_the_same_hashes(tmp_path: Path, played: Session) -> None:
    half = Session(played.level, seed=5)
    march(half)
    for _ in range(150):
        half.advance()
    path = tmp_path / "game.fog"
    save_game(half, path)
    loaded = load_game(path)
    while loaded.world.tick < 300:
        loaded.advance()
    assert loaded.hashes == played.hashes
    assert loaded.log == played.log


def test_back_returns_to_the_kept_state(played: Session) -> None:
    tick, value = played.world.tick, played.world.hash()
    played.keep()
    for _ in range(30):
        played.advance()
    assert played.back()
    assert (played.world.tick, played.world.hash()) == (tick, value)


def test_a_tick_spread_over_frames_is_the_same_tick(played: Session) -> None:
    spread = Session(played.level, seed=5)
    march(spread)
    while spread.world.tick < 300 or not spread._spread.whole:
        spread.advance_until(lambda: True)
    assert spread.hashes == played.hashes


@pytest.mark.parametrize("noise", [b"", b"FOGLINE\x01rubbish", b"{}"])
def test_damaged_files_end_in_one_line(tmp_path: Path, noise: bytes) -> None:
    path = tmp_path / "broken"
    path.write_bytes(noise)
    for read in (load_game, verify):
        with pytest.raises(ValueError) as caught:
            read(path)
        assert "\n" not in str(caught.value) and "broken" in str(caught.value)


def storm(tmp_path: Path, record: Path) -> str:
    """Play The Crossing in a new process; return the hash after 500 ticks.

    The process has one thread.
    The script storms the level, with shots, deaths and alarms.
    """
    report = tmp_path / "report.json"
    command = [sys.executable, "main.py", "run", str(CROSSING), "--ticks", "500", "--seed", "7", "--json", str(report)]
    command += ["--script", str(CROSSING.with_suffix(".rush.toml")), "--threads", "1", "--record", str(record)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return str(json.loads(report.read_text())["hash"])


def test_the_crossing_hashes_the_same_in_other_processes_with_one_thread_or_two_and_replayed(tmp_path: Path) -> None:
    """Record in a process with one thread and verify in another with two."""
    import numba

    record = tmp_path / "crossing.json"
    end = storm(tmp_path, record)
    hashes = json.loads(record.read_text())["hashes"]
    assert [tick for tick, _ in hashes] == list(range(HASH_EVERY, 501, HASH_EVERY)) and hashes[-1] == [500, end]
    threads = {"NUMBA_NUM_THREADS": str(min(2, numba.config.NUMBA_NUM_THREADS))}
    command = [sys.executable, "main.py", "replay", str(record), "--verify"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ, **threads})
    assert done.returncode == 0 and "differs" not in done.stdout + done.stderr, done.stdout + done.stderr


def test_threads_that_share_a_tick_change_no_bit_and_no_charge(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start a thousand units with one thread and with two and compare the hashes.

    Two threads share batch searches, path smoothing and views; one thread shares nothing.
    The budget is so small that batch searches are cut in some ticks.
    All revolutions of the threads are charged.
    """
    level = load_level(ROOT / "levels" / "regression/paths/thousand_512.tmx")
    together, answer = ThreadPool._together, hpa_batch_answers._answer
    shared: Counter[str] = Counter()
    worked: list[int] = []
    cut: list[bool] = []

    def counting(pool: ThreadPool, work: Callable[..., Any], calls: Sequence[tuple]) -> list[Any]:
        shared[work.__name__] += 1
        return together(pool, work, calls)

    @wraps(answer)
    def weighing(*arguments: Any) -> HpaAnswers:
        told = answer(*arguments)
        worked.append(told.spent)
        cut.append(told.done < len(told.outcome))
        return told

    monkeypatch.setattr(ThreadPool, "_together", counting)
    monkeypatch.setattr(hpa_batch_answers, "_answer", weighing)
    hashes = []
    for threads in (1, 2):
        monkeypatch.setattr("ai.core.thread_pool.get_num_threads", lambda threads=threads: threads)
        session = Session(level, 7, {"paths.budget": 7000}, units=1000, recording=False)
        session.give(scatter_orders(session))
        shared.clear()
        while session.world.tick < 8:
            worked.clear()
            session.advance()
            told = session.world.paths.statistics.revolutions_this_tick
            assert sum(worked) <= told <= 7000
        hashes.append(session.world.hash())
        if threads == 1:
            assert not shared
        else:
            assert set(shared) >= {"_answer", "search_windows", "pull_strings", "merge_views"}
    assert hashes[0] == hashes[1] and any(cut)
