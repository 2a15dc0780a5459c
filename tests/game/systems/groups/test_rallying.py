"""Where a group forms up before it marches, and who takes which slot.  Oracles: chapter 5.6's own order of the three
rallies by shape, delay and arrival; brute force over all permutations; a count of crossing lines made here."""

import itertools
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from ai.formation.formation_shapes import Shape
from ai.formation.group_entity import GroupState
from game.checks.metrics import crossings
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
"""The one nearest to the destination."""


def scattered(folder: Path, spots: list[tuple[float, float]] = SPOTS, weak: tuple[int, ...] = ()) -> Session:
    builder = LevelBuilder.from_letters(FIELD, title="Field")
    for i, (x, y) in enumerate(spots):
        builder.add("spawn", x, y, side="raiders", kind="dog" if i in weak else "raider")
    return Session(load(write(folder, builder)), recording=False)


@dataclass
class Rallied:
    """What came of one order."""

    set_out: int = -1
    """Tick at which the group began to march."""
    gap: float = 0.0
    """Tiles from the worst member to his slot at that tick."""
    lead_walked: float = 0.0
    error: float = 0.0
    """Misfit of the worst member over the time until all stood, tile seconds."""
    backward: float = 0.0
    """Most by which anybody was farther from the destination than at first."""
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
    """In their middle every one; ahead of the foremost the last may still be catching up, but is close."""
    assert rallies[Rally.START].set_out > 15 and rallies[Rally.START].gap < 0.6
    assert rallies[Rally.AHEAD].set_out > 15 and rallies[Rally.AHEAD].gap < 1.5


def test_ahead_the_foremost_waits_and_nobody_walks_back_as_far_as_to_the_middle(rallies: dict[Rally, Rallied]) -> None:
    assert rallies[Rally.AHEAD].lead_walked < 2.5 < rallies[Rally.START].lead_walked
    assert rallies[Rally.AHEAD].backward < rallies[Rally.START].backward


def test_straight_to_the_end_is_soonest_and_shapeless_longest(rallies: dict[Rally, Rallied]) -> None:
    """Whoever forms up first keeps his shape the longer: errors (a) <= (b) <= (c); (c) has no delay."""
    start, ahead, end = (rallies[r] for r in (Rally.START, Rally.AHEAD, Rally.DESTINATION))
    assert end.set_out <= 3 and 0 < end.arrived < min(start.arrived, ahead.arrived)
    assert start.error <= ahead.error <= end.error and end.error > 3.0 * ahead.error


def test_the_settings_say_it_for_every_group(tmp_path: Path) -> None:
    session = scattered(tmp_path)
    session.world.settings.formation.rally = "destination"
    told(session, "shape", "wedge")
    sent(session, 36.5, 12.5, facing=0.0)
    run(session, 3)
    assert session.world.groups.state(0) == GroupState.SETTLING


def paths_to_slots(folder: Path, matching: Matching, weak: tuple[int, ...] = (), spots: list = SPOTS) -> np.ndarray:
    """Where each of the group is and has his slot, right after the order: float64[n, 4]."""
    session = scattered(folder, spots, weak)
    n = len(spots)
    told(session, "shape", "box")
    told(session, "matching", matching.name.lower())
    sent(session, 36.5, 12.5, facing=0.0)
    run(session, 2)
    u = session.world.units
    assert len(np.unique(np.round(np.column_stack([u.slot_x[:n], u.slot_y[:n]]), 3), axis=0)) == n
    return np.column_stack([u.x[:n], u.y[:n], u.slot_x[:n], u.slot_y[:n]])


def test_an_order_for_the_least_way_is_the_best_of_all_permutations(tmp_path: Path) -> None:
    paths = paths_to_slots(tmp_path, Matching.OPTIMAL, spots=SPOTS[:7])
    away = ((paths[:, None, :2] - paths[None, :, 2:]) ** 2).sum(axis=2)
    best = min(sum(away[i, p[i]] for i in range(7)) for p in itertools.permutations(range(7)))
    assert abs(np.trace(away) - best) < 0.02 * best + 0.2, "a tick has passed since"


def test_an_order_for_the_nearest_lets_him_choose_who_is_nearest_to_any(tmp_path: Path) -> None:
    """Somebody has the slot that is nearest to him, and is nearer to a slot than anybody else is to any."""
    paths = paths_to_slots(tmp_path, Matching.NEAREST)
    away = np.hypot(*(paths[:, None, :2] - paths[None, :, 2:]).transpose(2, 0, 1))
    first = int(np.argmin(away.min(axis=1)))
    assert int(np.argmin(away[first])) == first
    # Who comes last gets what is left: in all they walk no less than by the least way.
    least = paths_to_slots(tmp_path, Matching.OPTIMAL)
    assert (away.diagonal() ** 2).sum() >= ((least[:, :2] - least[:, 2:]) ** 2).sum() - 0.5


def test_an_order_to_sort_keeps_the_front_in_front_and_ways_apart(tmp_path: Path) -> None:
    paths = paths_to_slots(tmp_path, Matching.SORTED)
    ahead = paths[:, 2:].mean(axis=0) - paths[:, :2].mean(axis=0)
    ahead /= np.hypot(*ahead)
    aside = np.array([-ahead[1], ahead[0]])
    ranks = np.split(np.argsort(paths[:, 2:] @ ahead), 3)
    was = [(paths[rank, :2] @ ahead) for rank in ranks]
    assert was[0].max() < was[1].min() + 0.2 and was[1].max() < was[2].min() + 0.2
    for rank in ranks:
        before, after = paths[rank, :2] @ aside, paths[rank, 2:] @ aside
        assert (np.argsort(before) == np.argsort(after)).all(), "nobody steps over his neighbour"
    by_type = paths_to_slots(tmp_path, Matching.BY_TYPE)
    assert crossings(paths) < crossings(by_type)


def test_an_order_by_type_puts_the_tough_in_front(tmp_path: Path) -> None:
    weak = (0, 3, 7)
    paths = paths_to_slots(tmp_path, Matching.BY_TYPE, weak)
    others = [i for i in range(9) if i not in weak]
    assert paths[list(weak), 2].max() < paths[others, 2].min() + 0.1
    assert paths_to_slots(tmp_path, Matching.OPTIMAL, weak)[0, 2] > paths[0, 2], "the foremost would stay in front"


WALL = "\n".join(["." * 24 + ("#" if row < 18 else ".") + "." * 19 for row in range(24)])
"""Whoever is nearest to the north-east as the crow flies has the longest way there."""


def test_behind_a_wall_the_first_to_come_takes_the_middle(tmp_path: Path) -> None:
    """Places of the line are laid by hand: at every look those who have been given one hold the ones about the middle,
    everybody else aims at it; the first to come has it, and he is not who was nearest at first."""
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
    assert first != 0, "near as the crow flies, far on foot"
    assert sorted(held) == [0, 1, 2, 3, 5, 6, 7, 8] and misfit(session, Shape.LINE, 1.2, -math.pi / 2) < 0.25


def test_who_never_comes_is_given_what_is_left(tmp_path: Path) -> None:
    """Ahead of the foremost the group sets out when its patience is at an end, and then nobody is without a slot."""
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
