"""Shared work: threads change no bit of the result.

One look at a tile serves many units.
"""

import numpy as np
import pytest

from ai.core.thread_pool import ThreadPool
from ai.steering.settings import SteeringSettings
from ai.steering.tile_surroundings import LANES, NEAR, ROOMY, WIDE, look_again, look_around
from tests.ai.steering.arena import Arena


def crowd(seed: int, **settings: int) -> Arena:
    """Sixty units between pillars with two goals.

    So there are contacts, walls and oncoming traffic.
    """
    rng = np.random.default_rng(seed)
    passable = np.ones((24, 30), np.uint8)
    passable[[0, -1]] = 0
    passable[:, [0, -1]] = 0
    passable[4:20, 14:16] = 0
    passable[11:14, 14:16] = 1
    tiles = np.argwhere(passable[:, :13])[:]
    left = tiles[rng.choice(len(tiles), 30, replace=False)]
    right = tiles[rng.choice(len(tiles), 30, replace=False)] + (0, 16)
    right = np.array([t if passable[t[0], t[1]] else (t[0], t[1] - 1) for t in right])
    places = np.vstack([left, right])[:, ::-1] + 0.5
    goals = np.vstack([np.tile((25.5, 12.5), (30, 1)), np.tile((4.5, 12.5), (30, 1))])
    return Arena(passable, places, goals, settings=SteeringSettings(**settings))


def test_threads_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    numba = pytest.importorskip("numba")
    if numba.config.NUMBA_NUM_THREADS < 2:
        pytest.skip("one thread only")
    together, parted = ThreadPool._together, []

    def counted(pool: ThreadPool, work, calls):
        parted.append(work)
        return together(pool, work, calls)

    monkeypatch.setattr("ai.core.thread_pool.LEAST", 8)  # sixty are enough to be parted
    monkeypatch.setattr(ThreadPool, "_together", counted)
    alone, shared = crowd(3), crowd(3, threads_from=1)
    for _ in range(80):
        before = len(parted)
        alone.step()
        assert len(parted) == before, "one thread does not split its work"
        shared.step()
        assert len(parted) > before, "several threads split theirs"
    for name in ("x", "y", "vx", "vy", "facing", "stuck", "event", "moving"):
        assert getattr(alone.b, name).tobytes() == getattr(shared.b, name).tobytes(), name
    assert alone.state.whisker.tobytes() == shared.state.whisker.tobytes()


def plain_look(passable: np.ndarray, y: int, x: int) -> tuple[int, int]:
    """Both planes of one tile by their definition, for one class."""
    h, w = passable.shape

    def is_open(ty: int, tx: int) -> bool:
        return 0 <= ty < h and 0 <= tx < w and passable[ty, tx] == 1

    def run(ty: int, tx: int, sy: int, sx: int) -> int:
        length = 1
        for path in (1, -1):
            k = 1
            while is_open(ty + path * k * sy, tx + path * k * sx):
                k += 1
            length += k - 1
        return length

    roomy = all(is_open(y + dy, x + dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1))
    near = [(y + dy, x + dx) for dy in range(-NEAR, NEAR + 1) for dx in range(-NEAR, NEAR + 1)]
    narrow = any(is_open(*t) and min(run(*t, 0, 1), run(*t, 1, 0)) <= LANES for t in near)
    return int(roomy), int(not narrow)


def test_tile_flags_match_their_definition_and_follow_edits() -> None:
    rng = np.random.default_rng(5)
    passable = (rng.random((40, 46)) > 0.04).astype(np.uint8)
    around = look_around(passable)
    for _ in range(3):
        for y, x in rng.integers(0, 40, (150, 2)).tolist():
            assert (around[y, x, ROOMY] & 1, around[y, x, WIDE] & 1) == plain_look(passable, y, x)
        y, x = rng.integers(0, 36, 2).tolist()
        passable[y : y + 4, x : x + 3] ^= 1
        look_again(around, passable, [(y, x, y + 4, x + 3)])
        assert np.array_equal(around, look_around(passable))
