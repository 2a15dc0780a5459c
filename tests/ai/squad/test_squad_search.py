"""Squad search: few units go first, no spot is searched twice.

Spots in view count as searched, and units go home in turn.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest

from ai.perception.sight.line_of_sight import line_clear
from ai.squad.squad_search import AGAIN, GAP, RAYS, Search, Spot, SpotState
from ai.tactics.hiding_places import hidden_spots


def made(**more: object) -> Search:
    given = {"id": 1, "side": 1, "target": 7, "x": 20.5, "y": 20.5, "since": 0}
    return Search(**{**given, "until": 400, "cap": 2, "radius": 12.0, **more})  # type: ignore[arg-type]


def by_lines(opaque: np.ndarray, x: np.ndarray, y: np.ndarray) -> Callable[[int, Spot], bool]:
    """Eyes in daylight on open ground: every target without a wall between is seen."""
    return lambda i, spot: line_clear(opaque, int(y[i]), int(x[i]), int(spot.y), int(spot.x))


def crates(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    opaque = np.zeros((40, 40), np.uint8)
    for y, x in rng.integers(2, 36, (14, 2)):
        opaque[y : y + 2, x : x + 3] = 1
    opaque[20, 20] = 0
    return opaque


@pytest.mark.parametrize("seed", range(8))
def test_hidden_spots_are_hidden_reachable_and_apart(seed: int) -> None:
    opaque = crates(seed)
    cover = np.zeros_like(opaque)
    reachable = opaque == 0
    reachable[:, :6] = False
    spots = hidden_spots(opaque, cover, reachable, 20.5, 20.5, 13.0, 12)
    assert len(spots) > 3
    for i, (x, y) in enumerate(spots):
        assert reachable[int(y), int(x)]
        assert math.hypot(x - 20.5, y - 20.5) <= 13.0
        assert not line_clear(opaque, 20, 20, int(y), int(x))
        assert all(math.dist((x, y), other) >= 2.5 for other in spots[:i])
    more = hidden_spots(opaque, cover, reachable, 20.5, 20.5, 18.0, 12, without=spots)
    assert all(math.dist(a, b) >= 2.5 for a in more for b in spots)


def test_open_ground_hides_nobody_but_a_thicket_does() -> None:
    opaque, cover = np.zeros((30, 30), np.uint8), np.zeros((30, 30), np.uint8)
    assert len(hidden_spots(opaque, cover, opaque == 0, 15.5, 15.5, 10.0, 8)) == 0
    cover[8:11, 8:11] = 2
    spots = hidden_spots(opaque, cover, opaque == 0, 15.5, 15.5, 14.0, 8)
    assert len(spots) >= 1
    assert all(cover[int(y), int(x)] == 2 for x, y in spots)


def test_no_more_investigators_than_the_cap_and_one_who_falls_is_replaced() -> None:
    search = made(cap=2)
    assert [search.join(u) for u in (5, 3, 9, 1)] == [True, True, False, False]
    assert search.leave(5) == []
    assert search.leave(3) == [1], "somebody must go"
    assert search.advance(50)
    assert not search.advance(50)


def test_two_never_hold_one_spot_and_those_of_who_leaves_are_handed_on() -> None:
    search = made()
    search.fill(np.array([(20.5, 16.5), (24.5, 20.5), (20.5, 26.5), (14.5, 20.5)]))
    held = [search.claim(u, 20.5, 20.5) for u in (1, 2, 3, 4, 5)]
    assert held[4] is None
    assert len({(s.x, s.y) for s in held if s}) == 4
    search.leave(2)
    assert search.claim(5, 20.5, 20.5) is held[1]
    again = search.claim(1, 20.5, 20.5)
    assert again is held[0], "who asks again gives up what it held"
    search.release(1)
    assert search.claim(6, 20.5, 20.5, taken=[(20.5, 16.5)]) is None, "somebody of another search goes there"
    assert search.claim(6, 20.5, 20.5) is held[0]


@pytest.mark.parametrize("seed", range(10))
def test_without_the_bias_the_choice_knows_nothing_of_the_true_position(seed: int) -> None:
    rng = np.random.default_rng(seed)
    spots = rng.uniform(8, 32, (12, 2))
    chosen = []
    for truth in (None, *[tuple(p) for p in rng.uniform(0, 40, (6, 2))]):
        search = made()
        search.fill(spots)
        spot = search.claim(1, 15.0, 15.0, (1.0, 1.0, 0.0), truth)
        chosen.append((spot.x, spot.y))
    assert len(set(chosen)) == 1
    worth = [2 - math.dist(p, (20.5, 20.5)) / 24 - math.dist(p, (15.0, 15.0)) / 24 for p in spots.tolist()]
    assert chosen[0] == tuple(spots[int(np.argmax(worth))])


def test_a_truth_weighed_too_heavily_draws_everybody_into_one_corner() -> None:
    rng = np.random.default_rng(3)
    search, truth = made(), (30.0, 30.0)
    search.fill(rng.uniform(8, 32, (24, 2)))
    spots = [search.claim(u, 12.0, 12.0, (1.0, 1.0, 9.0), truth) for u in range(4)]
    assert all(s.x > 20 and s.y > 20 for s in spots if s)


def test_passing_eyes_clear_what_they_see_and_walls_keep_the_rest() -> None:
    opaque = np.zeros((40, 40), np.uint8)
    opaque[10:30, 25] = 1
    search = made()
    search.fill(np.array([(22.5, 20.5), (28.5, 20.5), (15.5, 20.5)]))
    eyes = (np.array([18.5]), np.array([20.5]), np.array([0.0]))
    sees = by_lines(opaque, *eyes[:2])
    assert search.look(0, sees, [4], *eyes, 0.6, 11.0) == 1
    assert [s.state for s in search.spots] == [SpotState.SEARCHED, SpotState.UNSEARCHED, SpotState.UNSEARCHED]
    assert search.spots[0].by == 4
    eyes[2][0] = math.pi
    assert search.look(AGAIN, sees, [4], *eyes, 0.6, 11.0) == 1, "a turn of the head clears what lay behind"


def test_lines_are_budgeted_and_every_pair_has_its_turn() -> None:
    opaque = np.zeros((40, 40), np.uint8)
    opaque[:, 30] = 1
    search = made()
    search.fill(np.array([(32.5 + k % 5, 4.5 + k // 5) for k in range(30)]))
    units = list(range(4))
    columns = np.full(4, 26.5), np.array([4.5, 5.5, 6.5, 7.5]), np.zeros(4)
    for tick in range(2 * AGAIN):
        search.look(tick, by_lines(opaque, *columns[:2]), units, *columns, 3.2, 30.0)
        assert search.rays <= RAYS
    assert len(search.tested) == 120


def test_a_pool_that_ran_dry_opens_its_oldest_spots_again() -> None:
    search = made()
    search.fill(np.array([(float(k), 9.5) for k in range(6)]))
    for k, spot in enumerate(search.spots):
        search.searched(spot, 1, 10 * k)
    assert search.reopen(100) == 0, "nothing is old enough"
    assert search.reopen(260) == 2
    assert [k for k, s in enumerate(search.spots) if s.state == SpotState.UNSEARCHED] == [0, 1]


@pytest.mark.parametrize(("searchers", "spots", "rounds"), [(1, 6, 6), (2, 6, 3), (4, 9, 3), (4, 0, 0)])
def test_it_has_a_round_for_every_spot_of_each_searcher_whatever_its_patience(
    searchers: int, spots: int, rounds: int
) -> None:
    """A round is twelve tiles at 1.5 tiles/s, and a look around.

    The look takes four times fourteen ticks.
    """
    search = made(until=60)
    for unit in range(searchers):
        search.join(unit)
    search.fill(np.array([(float(k), 9.5) for k in range(spots)]).reshape(-1, 2))
    assert not search.over(10_000), "nobody has been at the place itself"
    search.advance(100)
    end = 100 + rounds * (160 + 56)
    assert search.over(end) and not search.over(end - 1)


def test_a_leaving_unit_extends_a_search_and_searched_spots_end_it() -> None:
    search = made(until=60)
    for unit in (1, 2):
        search.join(unit)
    search.fill(np.array([(float(k), 9.5) for k in range(6)]))
    search.advance(100)
    for spot in search.spots[:2]:
        search.searched(spot, 1, 150)
    search.leave(2)
    search.allow(200)
    assert not search.over(200 + 4 * 216 - 1) and search.over(200 + 4 * 216)
    for spot in search.spots[2:5]:
        search.searched(spot, 1, 300)
    assert not search.close(301)
    search.rule_out(search.spots[5], 1, 302)
    assert search.close(303) and search.over(303)


def test_they_go_home_one_after_the_other() -> None:
    search, rng = made(), np.random.default_rng(0)
    waits = [search.go_home(float(rng.random())) for _ in range(5)]
    assert waits == sorted(waits)
    assert min(b - a for a, b in itertools.pairwise(waits)) >= 10
    assert waits[-1] - waits[0] > 20
    assert all(w < 10 + GAP * (k + 1) for k, w in enumerate(waits))


def test_news_begins_again_as_wide_as_the_first_time() -> None:
    """A radius that was kept would be 12, 18, 27 after three reports."""
    search = made()
    for tick in (100, 200, 300):
        search.radius *= 1.5
        search.refills += 1
        search.news(tick, 5.5, 6.5, 400, 12.0)
        assert (search.radius, search.refills, search.phase, search.spots) == (12.0, 0, 1, [])
        assert (search.x, search.y, search.since, search.until) == (5.5, 6.5, tick, tick + 400)


def test_of_two_spots_alike_the_likelier_is_chosen_and_near_enough_beats_it() -> None:
    """Worth is 1 at the place, and falls over two radii.

    It is also 1 at the searcher. The likeliest spot counts half as much more.
    """
    spots = np.array([(16.5, 20.5), (24.5, 20.5), (20.5, 40.5)])
    chances: list[Callable[[float, float], float] | None] = [
        None, lambda x, y: float(x < 20), lambda x, y: float(x > 20 and y < 30), lambda x, y: float(y > 30),
    ]  # fmt: skip
    chosen = []
    for likely in chances:
        search = made()
        search.fill(spots)
        spot = search.claim(1, 20.5, 20.5, likely=likely)
        assert spot is not None
        chosen.append((spot.x, spot.y))
    left, right, _ = [tuple(p) for p in spots.tolist()]
    assert chosen == [left, left, right, left], "the far one is worth 1.33 less than the near ones: half is too little"
