"""Engine choice: the selected search, and its reason in the path trace.

There is one row for each sentence of the expectation. The ground, the length of the path, the number of units with the
same goal, and earlier requests decide. Any search can be forced.
"""

from collections.abc import Callable

import numpy as np
import pytest

from ai.core.serialization import digest, restore, snapshot
from ai.paths import Decision, Phase
from ai.paths.engines import static_tables
from ai.paths.settings import Engine
from tests.ai.paths.walkers import Walkers, walls

SIZE = 92
FAR = [(y, x) for y in range(8) for x in range(8)]
"""Sixty-four starts in one corner."""


def even(**settings: object) -> Walkers:
    """Walled ground of one cost."""
    ground = walls(SIZE, 4)
    ground[:9, :9] = ground[-12:, -12:] = True
    return Walkers.on(ground, FAR, **{"engine": "auto", **settings})


def mixed(**settings: object) -> Walkers:
    """The same with a wood in it."""
    world = even(**settings)
    world.terrain.edit(20, 20, 60, 90, cost=16)
    world.components.update(world.terrain)
    world.manager.engines.prepare(world.terrain)
    return world


def open_and_mixed() -> Walkers:
    """Return ground without walls and with a wood on the straight path.

    Without walls there are few crossings between clusters.
    """
    starts = [(y, x) for y in range(26) for x in range(26)]
    world = Walkers.on(np.ones((SIZE, SIZE), bool), starts, engine="auto")
    world.terrain.edit(30, 30, 80, 80, cost=16)
    world.components.update(world.terrain)
    world.manager.engines.prepare(world.terrain)
    return world


def static(world: Walkers) -> Walkers:
    world.manager.engines.make_static(world.terrain, [0])
    return world


def asked_before(world: Walkers) -> Walkers:
    """Another unit has walked this path, and stands at its start again."""
    world.order((86, 86), slots=[0])
    world.live(3)
    route = next(iter(world.manager.routes.routes.values())).tiles
    world.y[0], world.x[0] = route[0] + 0.5
    world.manager.cancel([0])
    return world


ROWS: dict[str, tuple[Callable[[], Walkers], tuple[int, int], int, Decision]] = {
    "a straight line when clear": (mixed, (7, 7), 1, Decision.STRAIGHT),
    "a way found lately": (lambda: asked_before(mixed()), (86, 86), 1, Decision.BY_CACHE),
    "next-hop tables where a level of many costs is static": (
        lambda: static(mixed()), (86, 86), 1, Decision.BY_REGIONS,
    ),
    "jump points where the ground is even": (even, (86, 86), 1, Decision.BY_JPS),
    "goal bounds where an even level is static": (lambda: static(even()), (86, 86), 1, Decision.BY_BOUNDS),
    "resumable A* over costs when the way is short": (mixed, (40, 25), 1, Decision.BY_ASTAR),
    "clusters for long ways over costs": (mixed, (86, 86), 1, Decision.BY_CLUSTERS),
    "one search over clusters when many share a goal": (open_and_mixed, (86, 86), 676, Decision.BY_TREE),
    "one flow field when many share a goal on even ground": (even, (86, 86), 64, Decision.BY_FIELD),
}  # fmt: skip


def reasons(world: Walkers, ticks: int) -> dict[Decision, str]:
    """Return the decisions about the first walker as text."""
    world.live(ticks)
    return {row.decision: row.sentence for row in world.manager.trace.of(0, 200)}


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(static_tables, "tables_folder", lambda: tmp_path)


@pytest.mark.parametrize("name", ROWS)
def test_the_search_that_fits_is_taken_and_says_why(name: str) -> None:
    make, goal, many, reason = ROWS[name]
    world = make()
    world.order(goal, slots=np.arange(many))
    told = reasons(world, 12)
    assert reason in told, list(told)
    assert any(c.isdigit() for c in told[reason]), "the reason has its numbers"
    engines = {Decision.BY_JPS, Decision.BY_BOUNDS, Decision.BY_REGIONS, Decision.BY_ASTAR, Decision.BY_CLUSTERS}
    assert not (engines - {reason}) & set(told) or name == "a way found lately"


FORCED = {
    Engine.ASTAR: Decision.BY_ASTAR, Engine.JPS: Decision.BY_JPS, Engine.HPA: Decision.BY_CLUSTERS,
    Engine.FLOW: Decision.BY_FIELD, Engine.JPS_PLUS: Decision.BY_CHOICE, Engine.JPS_PLUS_GB: Decision.BY_BOUNDS,
    Engine.SUBGOAL: Decision.BY_CHOICE, Engine.THETA: Decision.BY_CHOICE, Engine.LAZY_THETA: Decision.BY_CHOICE,
    Engine.REGIONS: Decision.BY_CHOICE, Engine.MACHINE: Decision.BY_CHOICE,
}  # fmt: skip


@pytest.mark.parametrize("engine", FORCED)
def test_each_can_be_forced_and_says_so(engine: Engine) -> None:
    ground = walls(40, 4)
    ground[:9, :9] = ground[-8:, -8:] = True
    world = Walkers.on(ground, FAR, engine=str(engine))
    if engine == Engine.JPS_PLUS_GB:
        static(world)
    if engine == Engine.HPA:
        # As at loading time: clusters of a forced engine are there before the first tick.
        world.manager.engines.choose(world.terrain, world.settings, 0)
    world.order((36, 36), slots=np.arange(64 if engine == Engine.FLOW else 1))
    told = reasons(world, 12)
    assert FORCED[engine] in told, list(told)
    assert engine == Engine.FLOW or "forced 1" in told[FORCED[engine]]
    assert Decision.BY_CACHE not in told


def test_goal_bounds_are_never_made_in_a_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engine forced on a level that is not static, or was edited.

    Jump points answer, and the trace gives the reason.
    """
    for is_static in (False, True):
        world = even(engine="jps_plus_gb")
        if is_static:
            static(world)
            world.terrain.edit(50, 50, 51, 51, passable=0)
            world.components.update(world.terrain)
        monkeypatch.setattr(static_tables, "goal_bound_table", lambda *_: pytest.fail("goal bounds in a tick"))
        world.order((86, 86), slots=[0])
        told = reasons(world, 12)
        assert Decision.NO_BOUNDS in told and Decision.BY_BOUNDS not in told, list(told)
        assert "marked static" in told[Decision.NO_BOUNDS]
        monkeypatch.undo()


@pytest.mark.parametrize("engine", [Engine.JPS_PLUS, Engine.SUBGOAL])
def test_tables_of_a_forced_search_are_built_in_slices_while_another_answers(engine: Engine) -> None:
    """Building and repair of tables are charged.

    Until the tables are ready, a search that needs none of them answers, the same in a world restored on the way.
    After that the forced search answers.
    """
    world = even(engine=str(engine), budget=800)
    chosen, again, others, waited = world.manager.engines.chosen, None, set(), 0
    for tick in range(400):
        if tick == 150:
            assert chosen.ready(world.terrain, engine, 0)
            world.terrain.edit(40, 20, 56, 36, passable=0)
        if tick in (0, 150, 151, 200):
            world.order((86 - tick % 7, 86), slots=[tick % 5])
        world.think()
        world.walk()
        is_ready = chosen.ready(world.terrain, engine, 0)
        waited += not is_ready
        assert world.manager.statistics.revolutions_this_tick + world.manager.statistics.charged_this_tick <= 800
        rows = [row for row in world.manager.trace.recent(40) if row.tick == world.tick]
        others |= {row.decision for row in rows if not is_ready}
        if tick == 151:
            again = restore(snapshot(world))
        elif again is not None and tick < 200:
            again.think()
            again.walk()
            assert digest(again) == digest(world), tick
        if tick > 200 and is_ready:
            break
    assert is_ready and waited > 1 and Decision.BEING_MENDED in others
    assert any(row.decision == Decision.BY_CHOICE for row in world.manager.trace.recent(4096))


def rooms() -> np.ndarray:
    """Return 256 x 256 tiles of even ground with rooms of 15 x 15.

    Benchmark maps have such rooms.

    Doors are one tile wide.
    """
    ground = np.ones((256, 256), bool)
    ground[::16], ground[:, ::16] = False, False
    rng = np.random.default_rng(5)
    for k in range(16):
        for j in range(1, 16):
            ground[16 * j, 16 * k + rng.integers(1, 15)] = ground[16 * k + rng.integers(1, 15), 16 * j] = True
    return ground


def test_even_ground_serves_a_crowd_over_clusters_before_a_second_is_over_and_few_by_jump_points() -> None:
    """Send three hundred units to goals of their own, then one unit alone.

    The budget is a fifth of the usual one.
    """
    ground = rooms()
    tiles = np.argwhere(ground)
    rng = np.random.default_rng(1)
    starts, goals = (tiles[rng.choice(len(tiles), 300, replace=False)] for _ in range(2))
    world = Walkers.on(ground, [tuple(s) for s in starts.tolist()], engine="auto", budget=2400)
    world.order(goals)
    for _ in range(24):
        world.live(1)
        assert world.manager.statistics.revolutions_this_tick <= 2400
        if world.tick == 1:
            rows = world.manager.listing(world.tick, 400, world.terrain, world.settings)
            assert {("hpa", "long path, urgent")} <= {(row.engine, row.reason) for row in rows}
    assert 0 < world.manager.statistics.latency() < 20
    assert not np.isin(world.manager.requests.phase[:300], (Phase.NEW, Phase.WAITING, Phase.OPEN)).any()
    told = [row for row in world.manager.trace.recent(4096) if row.decision == Decision.CLUSTERS_OF_EVEN]
    assert len(told) > 200 and all(row.choice is not None and row.choice[0] == "hpa" for row in told)
    for slot in range(0, 300, 30):
        walked = world.path_left(slot)
        assert world.components.reachable(0, *starts[slot], *goals[slot]) and walked < 4 * 256
    alone = Walkers.on(ground, [(1, 1)], engine="auto")
    alone.order((250, 250))
    assert Decision.BY_JPS in reasons(alone, 3)


def test_a_way_too_dear_for_jump_points_goes_over_the_clusters() -> None:
    world = Walkers.on(rooms(), [(1, 1)], engine="auto", budget=1000)
    world.order((250, 250))
    told = reasons(world, 12)
    assert Decision.DEAR_TO_JUMP in told and Decision.CLUSTERS_OF_EVEN in told
    assert Decision.TOO_DEAR not in told and world.manager.requests.phase[0] == Phase.READY
