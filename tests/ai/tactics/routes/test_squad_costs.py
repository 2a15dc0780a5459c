"""Squad path costs: the table of the source, an alley and a road."""

import itertools

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.tactics.routes.squad_costs import average_member, common_ground, narrow_cost, weakest_member, width_at
from ai.tactics.unseen_paths import cost_of_path, weighted_path

RECON = {"gradient": 0.1, "proximity": 1.0}
HEAVY = {"gradient": 1.4, "proximity": 0.6}
INFANTRY = {"gradient": 0.3, "proximity": 0.5}
SQUAD = {"gradient": 1.4, "proximity": 1.0}
"""Table of AI for Games, 6.4.1."""


def test_the_table_of_the_source_in_any_order_and_twice() -> None:
    for rows in itertools.permutations((RECON, HEAVY, INFANTRY)):
        assert weakest_member(rows) == SQUAD
    assert weakest_member((SQUAD, SQUAD, RECON)) == SQUAD and weakest_member(()) == {}
    assert weakest_member(({"view": -0.5}, {"view": -0.2}, {})) == {"view": 0.0}, (
        "no member is pushed by another's wish"
    )
    assert average_member((RECON, HEAVY), (1.0, 3.0)) == pytest.approx({"gradient": 1.075, "proximity": 0.7})
    for shares in ((1.0,), (0.0, 0.0)):
        with pytest.raises(ValueError, match="one share for each"):
            average_member((RECON, HEAVY), shares)


def test_ground_that_one_member_cannot_enter_is_no_ground() -> None:
    passable = np.arange(8, dtype=np.uint8).reshape(2, 4)
    got = common_ground(passable, (0, 2, 0))
    want = [[bool(v & 1) and bool(v & 4) for v in row] for row in passable.tolist()]
    assert got.tolist() == want and common_ground(passable, ()).all()


def _two_ways() -> np.ndarray:
    """Return a wall with a straight alley and a wide road round it."""
    open_tiles = np.ones((16, 21), bool)
    open_tiles[1:12, 7:14] = False
    open_tiles[4, 7:14] = True
    open_tiles[0] = False
    open_tiles[15] = False
    return open_tiles


def test_one_scout_takes_the_alley_and_nine_abreast_take_the_road() -> None:
    open_tiles = _two_ways()
    width = width_at(open_tiles)
    for y, x in np.ndindex(open_tiles.shape):  # runs counted tile by tile
        runs = []
        for dy, dx in ((0, 1), (1, 0)):
            length = -1
            for sign in (1, -1):
                k = 0
                while True:
                    ny, nx = y + sign * k * dy, x + sign * k * dx
                    if not (0 <= ny < 16 and 0 <= nx < 21) or not open_tiles[ny, nx]:
                        break
                    k += 1
                length += k
            runs.append(max(length, 0))
        assert width[y, x] == min(runs), (y, x)
    terrain = Terrain.build(open_tiles)
    routes = {}
    for members, needs in ((1, 1.0), (9, 3.0), (2, 3.0)):
        cost = narrow_cost(terrain.cost, width, members, needs)
        path = weighted_path(terrain, cost, 0, (4, 2), (4, 18))
        assert path is not None
        routes[members] = bool((path[:, 0] >= 12).any()), cost_of_path(path, cost)
    assert not routes[1][0] and not routes[2][0] and routes[9][0]
    assert routes[1][1] <= routes[2][1] <= routes[9][1], "fewer members never pay more"
    for members, needs in ((1, 3.0), (0, 3.0), (9, 1.0), (9, 0.5)):
        assert narrow_cost(terrain.cost, width, members, needs) is terrain.cost, "one member, or a file, waits nowhere"
    # A narrow tile of the alley: a third of the width is there, so two thirds times eight waiting members.
    alley = narrow_cost(terrain.cost, width, 9, 3.0)[4, 10]
    assert alley == round(8 + 8 * 0.5 * 8 * 2 / 3)
