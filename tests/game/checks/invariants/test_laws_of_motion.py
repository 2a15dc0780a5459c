"""Invariants of motion: each reports a breach and accepts a lawful case.

The test puts the bodies at positions tick by tick; the code that moves units does not run.
"""

import math
from collections.abc import Callable

import numpy as np
import pytest

from ai.formation.formation_shapes import Shape
from ai.formation.group_entity import G_HEADING, T_STATE, GroupState
from game.checks.invariants.invariants import expectations
from game.checks.scripts.script import Expect
from game.sim.create_world import create_world
from game.world.groups.drill import Drill
from game.world.groups.movement_groups import Group
from game.world.orders import OrderKind
from game.world.world import World, restore_world
from tests.game.sim.small_levels import bridge_level, load

Hand = Callable[[World, int], None]
"""Function that moves bodies in tick k, counted from 1."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> World:
    return create_world(load(bridge_level(tmp_path_factory.mktemp("laws"))), 1)


@pytest.fixture
def world(made: World) -> World:
    """Return four raiders at rest, 4 tiles or more apart, facing east."""
    world = restore_world(made.snapshot())
    u = world.units
    u.x[:4], u.y[:4] = (3.5, 3.5, 7.5, 7.5), (3.5, 9.5, 3.5, 9.5)
    u.prev_x[:4], u.prev_y[:4], u.facing[:4] = u.x[:4], u.y[:4], 0.0
    return world


def told(world: World, law: str, hand: Hand, ticks: int, **row: object) -> str | None:
    """Return the verdict of an invariant after ``ticks`` ticks moved by hand."""
    watcher = expectations([Expect(kind=law, **row)], world)[0]  # type: ignore[arg-type]
    u, n = world.units, world.units.count
    for k in range(1, ticks + 1):
        world.tick += 1
        u.prev_x[:n], u.prev_y[:n] = u.x[:n], u.y[:n]
        hand(world, k)
        watcher.watch(world)
    return watcher.verdict(world)


def to_and_fro(every: int) -> Hand:
    """Move raider 2 at 0.8 tiles/s; it turns round after ``every`` ticks."""

    def hand(world: World, k: int) -> None:
        world.units.x[1] += 0.04 if k // every % 2 else -0.04

    return hand


@pytest.mark.parametrize("every", [1, 7, 11, 20])
def test_steady_reports_a_body_that_turns_round_every_ten_ticks_or_less(world: World, every: int) -> None:
    words = told(world, "steady", to_and_fro(every), 200)
    if every > 10:
        assert words is None
        return
    assert words is not None and words.startswith("Raider 2 turned round ")
    assert abs(float(words.split()[4]) - 20.0 / every) < 0.2


def run_of(world: World) -> float:
    """Return the running speed of a raider in tiles/s."""
    return float(world.types[int(world.units.kind[0])].run)


def walking(times: float) -> Hand:
    """Move raider 1 at ``times`` its running speed.

    Its velocity column holds the lawful speed.
    """

    def hand(world: World, k: int) -> None:
        world.units.x[0] += times * run_of(world) / 20.0
        world.units.vx[0] = run_of(world)

    return hand


def spinning(rate: float) -> Hand:
    """Turn raider 1 at ``rate`` times the rate of its type."""

    def hand(world: World, k: int) -> None:
        u = world.units
        u.facing[0] = math.remainder(float(u.facing[0] + rate * u.turn_rate[0] / 20.0), math.tau)

    return hand


def thrown(world: World, k: int) -> None:
    """Move raider 1 half a tile aside in tick 10."""
    world.units.y[0] += 0.5 if k == 10 else 0.0


def hasty(world: World, k: int) -> None:
    """Set the velocity of raider 1 to 1.05 times its running speed.

    The raider does not move.
    """
    world.units.vx[0] = 1.05 * run_of(world)


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        (walking(1.0), None),
        (walking(1.5), "came farther in a second than its type runs at tick 1"),
        (hasty, "was faster than its type at tick 1"),
        (spinning(1.0), None),
        (spinning(1.1), "turned faster than its type at tick 1"),
        (thrown, "was thrown about at tick 10"),
    ],
)
def test_within_type_reports_a_unit_that_moves_or_turns_too_fast(world: World, hand: Hand, words: str | None) -> None:
    got = told(world, "within_type", hand, 30)
    assert got is None if words is None else got is not None and got.startswith("Raider 1 ") and words in got


@pytest.mark.parametrize(("gap", "kept"), [(0.30, True), (0.27, False), (-0.5, False)])
@pytest.mark.parametrize("edge", ["river", "map", "corner"])
def test_no_wall_reports_a_body_nearer_to_a_wall_than_its_radius(
    world: World, edge: str, gap: float, kept: bool
) -> None:
    """Put raider 1 ``gap`` tiles from the river, the map's edge or a corner.

    The river begins at x = 10; the corner of its bank at the bridge is at (10, 6).
    """

    def hand(world: World, k: int) -> None:
        u = world.units
        if edge == "river":
            u.x[0], u.y[0] = 10.0 - gap, 2.5
        elif edge == "map":
            u.x[0], u.y[0] = gap, 2.5
        else:
            u.x[0], u.y[0] = 10.0 - gap * math.sqrt(0.5), 6.0 + gap * math.sqrt(0.5)
            u.x[0], u.y[0] = (u.x[0], u.y[0]) if gap > 0 else (10.5, 5.5)

    words = told(world, "no_wall", hand, 1)
    assert words is None if kept else words is not None and "Raider 1 stood in a wall" in words


@pytest.mark.parametrize(
    ("apart", "ticks", "words"),
    [(0.56, 5, None), (0.56, 6, "overlapped for 6 ticks up to tick 16"), (0.5, 1, "deep in each other at tick 11")],
)
def test_no_overlap_reports_bodies_that_overlap_too_long_or_too_deep(
    world: World, apart: float, ticks: int, words: str | None
) -> None:
    """Put raider 2 ``apart`` tiles from raider 1 for ``ticks`` ticks.

    Radii are 0.3 tiles: an overlap of 0.04 tiles is an eighth of a radius, 0.1 tiles are a third.
    """

    def hand(world: World, k: int) -> None:
        world.units.x[1] = world.units.x[0] + (apart if 10 < k <= 10 + ticks else 2.0)
        world.units.y[1] = world.units.y[0]

    got = told(world, "no_overlap", hand, 25)
    assert got is None if words is None else got is not None and words in got


@pytest.mark.parametrize("began", [True, False])
def test_no_overlap_gives_time_to_part_only_to_units_that_overlap_at_the_start(world: World, began: bool) -> None:
    def hand(world: World, k: int) -> None:
        world.units.x[1] = world.units.x[0] + (0.4 if k < 4 else 2.0)
        world.units.y[1] = world.units.y[0]

    if began:
        hand(world, 1)
    words = told(world, "no_overlap", hand, 10)
    assert words is None if began else words is not None and "deep in each other at tick 1" in words


def test_slots_reports_a_rule_that_depends_on_the_slot_and_accepts_one_by_id(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Replace the stages by one rule that moves a unit after tick 150.

    The rule moves the unit of slot 0 or the unit of id 0 by 0.01 tiles a tick.
    """

    def count(world: World) -> None:
        world.tick += 1

    def by_slot(world: World) -> None:
        world.units.prev_x[:] = world.units.x
        world.units.x[0] += 0.01 * (world.tick > 150)

    def by_id(world: World) -> None:
        world.units.prev_x[:] = world.units.x
        world.units.x[world.units.slot_of[0]] += 0.01 * (world.tick > 150)

    said = []
    for rule in (by_slot, by_id):
        copy = restore_world(world.snapshot())
        monkeypatch.setattr("game.sim.tick.STAGES", (("orders", count), ("move", rule)))
        said.append(told(copy, "slots", lambda world, k, rule=rule: rule(world), 170))  # type: ignore[misc]
    assert said[0] is not None and "moved differently (x) at tick 151" in said[0]
    assert said[1] is None


def grouped(world: World, x: tuple[float, ...], y: tuple[float, ...], state: GroupState) -> World:
    """Return the world with the raiders as one line group facing east.

    The raiders stand at the given positions.
    """
    u, groups = world.units, world.groups
    u.x[:4], u.y[:4] = x, y
    drill = Drill(shape=int(Shape.LINE), spacing=1.2)
    row = groups.add(
        Group(0, 0, 0, drill, np.arange(4), np.arange(4), np.zeros((0, 3)), int(OrderKind.MOVE), (12.5, 6.5))
    )
    groups.num[row, G_HEADING], groups.tag[row, T_STATE] = 0.0, int(state)
    u.band[:4] = row
    return world


ABREAST = (4.5,) * 4, (3.0, 4.2, 5.4, 6.6)
"""Positions of a line of four that faces east, 1.2 tiles apart."""

FILE = (3.0, 4.2, 5.4, 6.6), (4.5,) * 4


def stand(world: World, k: int) -> None:
    """Move no unit."""


def east(world: World, k: int) -> None:
    """Move all raiders 0.02 tiles east."""
    world.units.x[:4] += 0.02


@pytest.mark.parametrize(
    ("places", "words"),
    [(ABREAST, None), (FILE, "the best line had a unit"), (((4.5, 4.5, 4.5, 6.0), ABREAST[1]), "the best line had")],
)
def test_formed_reports_a_group_that_is_no_line(world: World, places: tuple, words: str | None) -> None:
    got = told(grouped(world, *places, GroupState.STANDING), "formed", stand, 3, name="line")
    assert got is None if words is None else got is not None and words in got


def test_formed_reports_units_that_never_were_one_group(world: World) -> None:
    u = grouped(world, *ABREAST, GroupState.STANDING).units
    u.band[3] = -1
    assert told(world, "formed", stand, 3, name="line") == "the units were never one group"


@pytest.mark.parametrize(
    ("places", "state", "words"),
    [
        (ABREAST, GroupState.MARCHING, None),
        (FILE, GroupState.MARCHING, "from their line on average"),
        (ABREAST, GroupState.FORMING, "marched unbroken at 0 looks only, not 10"),
    ],
)
def test_holds_shape_reports_a_line_that_breaks_or_never_marches(
    world: World, places: tuple, state: GroupState, words: str | None
) -> None:
    got = told(grouped(world, *places, state), "holds_shape", east, 60, name="line")
    assert got is None if words is None else got is not None and words in got


@pytest.mark.parametrize(
    ("places", "words"),
    [(FILE, None), (ABREAST, "3.6 tiles wide there"), ((tuple(x - 9.0 for x in FILE[0]), FILE[1]), "never came there")],
)
def test_narrows_reports_a_group_too_wide_at_the_gate_or_never_there(
    world: World, places: tuple, words: str | None
) -> None:
    group = grouped(world, *places, GroupState.MARCHING)
    at = (float(np.mean(FILE[0])), float(np.mean(FILE[1])))
    got = told(group, "narrows", stand, 3, at=at, radius=2.0, at_most=1.0)
    assert got is None if words is None else got is not None and words in got


@pytest.mark.parametrize(
    ("rested", "words"),
    [((5, 9, 14, 20), None), ((20, 14, 9, 5), "only in 0% of pairs"), ((5, 9, 14, None), "1 never set off")],
)
def test_inside_out_reports_units_that_rest_in_the_wrong_order(world: World, rested: tuple, words: str | None) -> None:
    u = grouped(world, *ABREAST, GroupState.STANDING).units
    u.x[:4], u.y[:4] = (4.5, 6.0, 7.5, 9.0), 5.5

    def walk(world: World, tick: int) -> None:
        u.moving[:4] = [stop is not None and tick < stop for stop in rested]

    got = told(world, "inside_out", walk, 24, at=(4.5, 5.5))
    assert got is None if words is None else got is not None and words in got


@pytest.mark.parametrize(
    ("through", "words"),
    [
        ((10, 50, 90, 130), None),
        ((10, 50, 200, 240), "only 1 came through in the 100 ticks from 10 on"),
        ((10, 50), "2 of 4 ever came through"),
    ],
)
def test_flows_reports_an_interval_in_which_too_few_units_pass(
    world: World, through: tuple[int, ...], words: str | None
) -> None:
    """Put one raider beyond the river at each tick of ``through``."""

    def hand(world: World, k: int) -> None:
        if k in through:
            world.units.x[through.index(k)] = 20.5

    got = told(world, "flows", hand, 250, region="east", at_least=2)
    assert got is None if words is None else got is not None and words in got


@pytest.mark.parametrize(
    ("halt", "shots", "words"),
    [
        (10, {0: 11, 1: 12, 2: 15, 3: 11}, None),
        (10, {0: 9, 1: 12, 2: 12, 3: 12}, "Raider 1 shot at tick 9, before they halted at 10"),
        (10, {0: 11, 1: 16, 2: 12, 3: 12}, "3 of 4 fired within 5 ticks of the halt at 10"),
        (10, {0: 11, 1: 12, 2: 13, 3: 14}, "at most 1 fired their first shots in one tick, not 2"),
        (10, {}, "0 of 4 fired within 5 ticks"),
        (0, {0: 11, 1: 11, 2: 11, 3: 11}, "their group never halted to fight"),
    ],
)
def test_volley_reports_first_shots_that_are_too_early_or_spread(
    world: World, halt: int, shots: dict[int, int], words: str | None
) -> None:
    def hand(world: World, k: int) -> None:
        world.events = []
        for unit in [unit for unit, tick in shots.items() if tick == k]:
            world.happen("shot", unit)
        if k == halt:
            world.happen("halted", 0)

    got = told(world, "volley", hand, 20, at_least=2)
    assert got is None if words is None else got is not None and words in got
