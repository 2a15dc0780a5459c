"""Update rates of the parts of a unit: fewer decisions, equal steering and movement."""

from pathlib import Path

import numpy as np
import pytest

from ai.core.scheduling.update_timeline import KEPT, Part, Timeline
from game.level.level_writer import LevelBuilder
from game.sim.session import Session
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import load, write

LONG = "\n".join(["." * 96] * 12)
TICKS = 160


def marching(folder: Path, settings: dict[str, object]) -> Session:
    """Return a session with six guards on rounds and a column of six units.

    No unit arrives within TICKS.
    """
    builder = LevelBuilder.from_letters(LONG, title="Long field")
    for i in range(6):
        builder.add("spawn", 3.5 + i, 2.5, side="guards", kind="raider")
        builder.add("spawn", 90.5 - i, 8.5 + i % 2, side="guards", kind="guard", route=f"round {i}")
        builder.add("route", name=f"round {i}", points=((90.5 - i, 8.5 + i % 2), (2.5, 8.5 + i % 2)), loop=True)
    session = Session(load(write(folder, builder)), settings=settings, recording=False)
    units = tuple(range(0, 12, 2))
    session.give(Order(int(OrderKind.FORMATION), 1, units, name="shape", text="column"))
    session.give(Order(int(OrderKind.MOVE), 1, units, 92.5, 2.5))
    return session


def counts(session: Session) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the updates of units and groups in TICKS and the greatest velocity change.

    The velocity change is that of one unit in one tick, in tiles/s.
    """
    u, jolt = session.world.units, 0.0
    for _ in range(20):
        session.advance()
    turns = session.world.turns
    before = turns.timeline.count.copy(), turns.groups_timeline.count.copy()
    for _ in range(TICKS):
        old = u.vx[: u.count].copy(), u.vy[: u.count].copy()
        session.advance()
        jolt = max(jolt, float(np.hypot(u.vx[: u.count] - old[0], u.vy[: u.count] - old[1]).max()))
    return turns.timeline.count - before[0], turns.groups_timeline.count - before[1], jolt


def test_halving_the_rate_of_decisions_leaves_the_steering_updates_unchanged(tmp_path: Path) -> None:
    often = {"minds.round_robin": 4, "formation.adapt_every": 5}
    seldom = {"minds.round_robin": 2, "formation.adapt_every": 10}
    (units, groups, jolt), (fewer, fewer_groups, other) = (
        counts(marching(tmp_path, given)) for given in (often, seldom)
    )
    assert fewer[Part.DECIDE] == pytest.approx(units[Part.DECIDE] / 2, abs=3) and units[Part.DECIDE] > 100
    assert fewer_groups[Part.DECIDE] == groups[Part.DECIDE] // 2 == TICKS // 10
    assert units[Part.STEER] == fewer[Part.STEER] == units[Part.MOVE] == fewer[Part.MOVE] == 12 * TICKS
    assert groups[Part.STEER] == fewer_groups[Part.STEER] == TICKS
    # The limit is the acceleration of a body in a tick, although its decision may be ten ticks old.
    assert max(jolt, other) <= 16.0 * 0.05 + 1e-9


def test_the_ring_keeps_the_last_ticks_of_each_member_and_counts_all() -> None:
    rng, timeline, told = np.random.default_rng(3), Timeline(), {}
    for tick in range(0, 200, 3):
        for part in Part:
            ids = np.flatnonzero(rng.random(9) < 0.4)
            timeline.note(tick, part, ids)
            told[tick, part] = set(ids.tolist())
    for part in Part:
        assert timeline.count[part] == sum(len(ids) for (_, p), ids in told.items() if p == part)
        for member in range(10):
            expected = [member in told.get((198 - KEPT + 1 + k, part), ()) for k in range(KEPT)]
            assert timeline.of(member, part).tolist() == expected
