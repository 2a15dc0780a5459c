"""Rally points of groups and the assignment of members to slots.

Oracles: the order of the three rallies by shape, delay and arrival in chapter 5.6 of the source;
brute force over all permutations; a count of crossing lines.
"""

import itertools
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from ai.formation.formation_shapes import Shape
from ai.formation.group_entity import GroupState
from game.checks.metrics.group_measures import crossings
from game.level.level_writer import LevelBuilder
from game.sim.session import Session
from game.world.groups.drill import Matching, Rally
from tests.game.sim.small_levels import load, write
from tests.game.systems.groups.test_groups import misfit, run, sent, told

FIELD = "\n".join(["." * 44] * 24)
SPOTS = [
    (15.2, 11.0),
    (6.5, 17.4),
    (9.8, 5.2),
    (14.0, 16.3),
    (4.6, 8.9),
    (7.3, 12.7),
    (12.1, 19.0),
    (11.4, 8.3),
    (5.0, 4.4),
]
LEAD = 0
"""Unit nearest to the destination."""


def scattered(folder: Path, spots: list[tuple[float, float]] = SPOTS, weak: tuple[int, ...] = ()) -> Session:
    builder = LevelBuilder.from_letters(FIELD, title="Field")
    for i, (x, y) in enumerate(spots):
        builder.add("spawn", x, y, side="raiders", kind="dog" if i in weak else "raider")
    return Session(load(write(folder, builder)), recording=False)


@dataclass
class Rallied:
    """Measures of one order."""

    set_out: int = -1
    """Tick at which the group began to march."""
    gap: float = 0.0
    """Tiles from the worst member to its slot at that tick."""
    lead_walked: float = 0.0
    error: float = 0.0
    """Sum of the worst member's misfit until all stood, in tile seconds."""
    backward: float = 0.0
    """Greatest increase of a member's distance from the destination, in tiles."""
    arrived: int = -1


@pytest.fixture(scope="module")
def rallies(tmp_path_factory: pytest.TempPathFactory) -> dict[Rally, Rallied]:
    out = {}
    for rally in (Rally.START, Rally.AHEAD, Rally.DESTINATION):
        session = scattered(tmp_path_factory.mktemp(rally.name))
        told(session, "shape", "wedge")
        told(session, "rally", rally.name.lower())
        sent(session, 36.5, 12.5, facing=0.0)
        u, seen = session.world.units, Rallied()
        from_there = np.array(SPOTS)
        left = np.hypot(from_there[:, 0] - 36.5, from_there[:, 1] - 12.5)
        while seen.arrived < 0 and session.world.tick < 400:
            run(session, 1)
            here = np.column_stack([u.x[:9], u.y[:9]])
            if seen.set_out < 0 and session.world.tick > 1 and session.world.groups.state(0) != GroupState.FORMING:
                seen.set_out = session.world.tick
                seen.gap = float(np.hypot(u.slot_x[:9] - here[:, 0], u.slot_y[:9] - here[:, 1]).max())
                seen.lead_walked = math.dist(here[LEAD], SPOTS[LEAD])
            seen.error += misfit(session, Shape.WEDGE, 1.2, 0.0) / 20.0
            seen.backward = max(seen.backward, float((np.hypot(here[:, 0] - 36.5, here[:, 1] - 12.5) - left).max()))
            if session.world.tick > 20 and not u.moving[:9].any():
                seen.arrived = session.world.tick
        out[rally] = seen
    return out


def test_a_group_sets_out_when_its_slots_are_filled(rallies: dict[Rally, Rallied]) -> None:
    """Compare the gaps of the worst member at the start of the march.

    At rally START all slots are filled; at AHEAD the last member may still catch up.
    """
    assert rallies[Rally.START].set_out > 15 and rallies[Rally.START].gap < 0.6
    assert rallies[Rally.AHEAD].set_out > 15 and rallies[Rally.AHEAD].gap < 1.5


def test_at_rally_ahead_the_foremost_waits_and_members_walk_back_less(rallies: dict[Rally, Rallied]) -> None:
    assert rallies[Rally.AHEAD].lead_walked < 2.5 < rallies[Rally.START].lead_walked
    assert rallies[Rally.AHEAD].backward < rallies[Rally.START].backward


def test_rally_destination_arrives_first_and_has_the_largest_shape_error(rallies: dict[Rally, Rallied]) -> None:
    """Compare the shape errors: START <= AHEAD <= DESTINATION; only DESTINATION has no delay."""
    start, ahead, end = (rallies[r] for r in (Rally.START, Rally.AHEAD, Rally.DESTINATION))
    assert end.set_out <= 3 and 0 < end.arrived < min(start.arrived, ahead.arrived)
    assert start.error <= ahead.error <= end.error and end.error > 3.0 * ahead.error


def test_the_setting_gives_the_rally_of_every_group(tmp_path: Path) -> None:
    session = scattered(tmp_path)
    session.world.settings.formation.rally = "destination"
    told(session, "shape", "wedge")
    sent(session, 36.5, 12.5, facing=0.0)
    run(session, 3)
    assert session.world.groups.state(0) == GroupState.SETTLING


def paths_to_slots(folder: Path, matching: Matching, weak: tuple[int, ...] = (), spots: list = SPOTS) -> np.ndarray:
    """Return position and slot of each member right after the order, float64[n, 4]."""
    session = scattered(folder, spots, weak)
    n = len(spots)
    told(session, "shape", "box")
    told(session, "matching", matching.name.lower())
    sent(session, 36.5, 12.5, facing=0.0)
    run(session, 2)
    u = session.world.units
    assert len(np.unique(np.round(np.column_stack([u.slot_x[:n], u.slot_y[:n]]), 3), axis=0)) == n
    return np.column_stack([u.x[:n], u.y[:n], u.slot_x[:n], u.slot_y[:n]])


def test_optimal_matching_is_the_best_of_all_permutations(tmp_path: Path) -> None:
    paths = paths_to_slots(tmp_path, Matching.OPTIMAL, spots=SPOTS[:7])
    away = ((paths[:, None, :2] - paths[None, :, 2:]) ** 2).sum(axis=2)
    best = min(sum(away[i, p[i]] for i in range(7)) for p in itertools.permutations(range(7)))
    assert abs(np.trace(away) - best) < 0.02 * best + 0.2, "a tick has passed since"


def test_nearest_matching_lets_the_member_nearest_to_a_slot_choose_first(tmp_path: Path) -> None:
    """Find the member with the least distance to any slot: it has that slot."""
    paths = paths_to_slots(tmp_path, Matching.NEAREST)
    away = np.hypot(*(paths[:, None, :2] - paths[None, :, 2:]).transpose(2, 0, 1))
    first = int(np.argmin(away.min(axis=1)))
    assert int(np.argmin(away[first])) == first
    # The last member gets the last slot, so the sum is not below that of the optimal matching.
    least = paths_to_slots(tmp_path, Matching.OPTIMAL)
    assert (away.diagonal() ** 2).sum() >= ((least[:, :2] - least[:, 2:]) ** 2).sum() - 0.5


def test_sorted_matching_keeps_ranks_in_order_and_reduces_crossings(tmp_path: Path) -> None:
    paths = paths_to_slots(tmp_path, Matching.SORTED)
    ahead = paths[:, 2:].mean(axis=0) - paths[:, :2].mean(axis=0)
    ahead /= np.hypot(*ahead)
    aside = np.array([-ahead[1], ahead[0]])
    ranks = np.split(np.argsort(paths[:, 2:] @ ahead), 3)
    was = [(paths[rank, :2] @ ahead) for rank in ranks]
    assert was[0].max() < was[1].min() + 0.2 and was[1].max() < was[2].min() + 0.2
    for rank in ranks:
        before, after = paths[rank, :2] @ aside, paths[rank, 2:] @ aside
        assert (np.argsort(before) == np.argsort(after)).all(), "neighbours keep their order"
    by_type = paths_to_slots(tmp_path, Matching.BY_TYPE)
    assert crossings(paths) < crossings(by_type)


def test_matching_by_type_puts_strong_types_in_front(tmp_path: Path) -> None:
    weak = (0, 3, 7)
    paths = paths_to_slots(tmp_path, Matching.BY_TYPE, weak)
    others = [i for i in range(9) if i not in weak]
    assert paths[list(weak), 2].max() < paths[others, 2].min() + 0.1
    assert paths_to_slots(tmp_path, Matching.OPTIMAL, weak)[0, 2] > paths[0, 2], (
        "with optimal matching the foremost would stay in front"
    )


WALL = "\n".join(["." * 24 + ("#" if row < 18 else ".") + "." * 19 for row in range(24)])
"""Map with a wall; the unit nearest to the goal has the longest path."""


def test_matching_by_arrival_gives_the_middle_to_the_first_unit_that_arrives(tmp_path: Path) -> None:
    """Lay the places of the line by hand and compare them each five ticks.

    Arrived units hold the places about the middle; the others aim at the middle.
    The first unit that arrives is not the one that was nearest at first.
    """
    builder = LevelBuilder.from_letters(WALL, title="Wall")
    spots = [(21.2, 3.0), *SPOTS[1:8], (19.0, 20.4)]
    for x, y in spots:
        builder.add("spawn", x, y, side="raiders", kind="raider")
    session = Session(load(write(tmp_path, builder)), recording=False)
    told(session, "shape", "line")
    told(session, "matching", "arrival")
    told(session, "rally", "destination")
    sent(session, 31.5, 6.5, facing=-math.pi / 2)
    u, line = session.world.units, 31.5 + 1.2 * (np.arange(9) - 4.0)
    first, held = -1, set[int]()
    run(session, 2)
    while u.moving[:9].any() and session.world.tick < 400:
        run(session, 5)
        away = np.abs(u.slot_x[:9][:, None] - line[None])
        held = {int(k) for k in away.argmin(axis=1) if k != 4}
        assert (away.min(axis=1) < 0.05).all() and np.allclose(u.slot_y[:9], 6.5)
        assert held <= set(range(4 - (len(held) + 1) // 2, 5 + (len(held) + 1) // 2)), "a gap farther in"
        has_come = np.setdiff1d(np.arange(9), session.world.groups.rows[0].expected)
        if first < 0 and len(has_come):
            first = int(has_come[0])
            assert has_come.tolist() == [np.argmin(np.hypot(u.x[:9] - 31.5, u.y[:9] - 6.5))]
    assert first != 0, "the nearest unit has a long path"
    assert sorted(held) == [0, 1, 2, 3, 5, 6, 7, 8] and misfit(session, Shape.LINE, 1.2, -math.pi / 2) < 0.25


def test_a_unit_that_does_not_arrive_in_time_gets_the_last_slot(tmp_path: Path) -> None:
    """Let the patience of a group end: it marches, a slot for each member."""
    session = scattered(tmp_path, [*SPOTS[:6], (42.5, 22.5)])
    session.world.settings.formation.form_patience = 30
    told(session, "shape", "wedge")
    told(session, "matching", "arrival")
    sent(session, 2.5, 2.5)
    run(session, 3)
    while session.world.tick < 300 and session.world.groups.state(0) != GroupState.MARCHING:
        run(session, 1)
    u, group = session.world.units, session.world.groups.rows[0]
    assert not len(group.expected) and sorted(group.taken.tolist()) == list(range(7))
    run(session, 2)
    assert len(np.unique(np.round(np.column_stack([u.slot_x[:7], u.slot_y[:7]]), 2), axis=0)) == 7


def test_crossing_lines_are_counted() -> None:
    paths = np.array([(0, 0, 2, 2), (0, 2, 2, 0), (5, 5, 6, 6), (0, 1, 0.5, 1)], float)
    assert crossings(paths) == 1
    assert crossings(np.array([(0, 0, 1, 0), (1, 0, 2, 0)], float)) == 0, "ends that touch do not cross"
