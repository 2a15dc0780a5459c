"""Sweeps on a cluster: a lost worker, and workers that differ."""

import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

from game.checks.sweep import cluster_workers
from game.checks.sweep.cluster_workers import unpack_kernels
from game.checks.sweep.result_store import read_results
from game.checks.sweep.sweep import run_sweep
from game.checks.sweep.sweep_grid import sweep_grid
from game.checks.sweep.sweep_run import play_task


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Address of a scheduler on the loopback with two worker processes."""
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        yield cluster.scheduler_address


def grid(seeds: int):
    return sweep_grid([Path("skirmish_small")], range(seeds), ticks=30)


@pytest.mark.long
def test_another_version_is_found_out_before_its_figures_count(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    here = cluster_workers.version()
    with Client(address, set_as_default=False) as client:
        assert len(cluster_workers._fit_workers(client, address)) == 2
        monkeypatch.setattr(cluster_workers, "version", lambda: {**here, "numba": "0.0.1"})
        monkeypatch.setattr(client, "run", lambda function: {"tcp://one": here})
        with pytest.raises(ValueError, match=r"worker tcp://one has numba .*, here it is 0\.0\.1"):
            cluster_workers._fit_workers(client, address)


@pytest.mark.long
def test_another_hash_is_found_out_before_its_figures_count(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The games of this machine are given another hash."""
    monkeypatch.setattr(cluster_workers, "play_task", lambda *given: {"hash": "another"})
    with pytest.raises(ValueError, match="gives another hash than this machine") as caught:
        run_sweep(grid(2), tmp_path / "out.parquet", cluster=address)
    assert "\n" not in str(caught.value)


@pytest.mark.long
def test_a_killed_worker_loses_nothing_and_doubles_nothing(address: str, tmp_path: Path) -> None:
    """Oracle: the same games played one by one in this process."""
    out, games = tmp_path / "cluster.parquet", grid(12)
    with Client(address, set_as_default=False) as client:
        pids = list(client.run(os.getpid).values())

    def kill(done: int, total: int) -> None:
        if done == total // 2:
            os.kill(pids[0], signal.SIGKILL)

    end = run_sweep(games, out, cluster=address, progress=kill)
    assert (end.rows, end.failed) == (12, [])
    here = Counter((t.seed, play_task(t, games.levels[t.digest], games.scripts[t.script])["hash"]) for t in games.tasks)
    assert Counter(read_results(out).select("seed", "hash").rows()) == here and max(here.values()) == 1


def test_an_unreachable_cluster_ends_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_workers, "CONNECT", "1s")
    with pytest.raises(ValueError, match="no scheduler answers") as caught:
        run_sweep(grid(1), tmp_path / "out.parquet", cluster="tcp://127.0.0.1:9")
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_shipped_kernels_are_unpacked_unless_the_worker_has_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "cache" / "ai.search-1"
    folder.mkdir(parents=True)
    (folder / "jps.nbi").write_bytes(b"index")
    (folder / "notes.txt").write_text("no kernel")
    raw = cluster_workers._zipped(tmp_path / "cache")
    monkeypatch.setenv("FOGLINE_KERNEL_CACHE", "mine")
    unpack_kernels(raw, tmp_path / "one")
    assert not (tmp_path / "one").exists() and os.environ["FOGLINE_KERNEL_CACHE"] == "mine"
    monkeypatch.delenv("FOGLINE_KERNEL_CACHE")
    unpack_kernels(raw, tmp_path / "two")
    assert os.environ["FOGLINE_KERNEL_CACHE"] == str(tmp_path / "two")
    files = [p.relative_to(tmp_path / "two").as_posix() for p in (tmp_path / "two").rglob("*") if p.is_file()]
    assert files == ["ai.search-1/jps.nbi"]
