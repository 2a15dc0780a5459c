"""Canonical pruning by its definition.

Every tile of an open field is generated once. A forced neighbour is a tile that no path around the current tile reaches
as cheaply.
"""

import numpy as np
import pytest

from ai.grid.moves import MOVE_X, MOVE_Y
from ai.grid.terrain import Terrain
from ai.search.canonical import FROM_START, SUCCESSORS
from ai.search.jps.jps import UniformGround
from tests.ai.search.grids import distances, rooms


def test_every_tile_of_an_open_field_is_made_once() -> None:
    """The number of successors equals the number of tiles without the start.

    Source: GP2 ch. 14.
    """
    moves = UniformGround.build(Terrain.build(np.ones((11, 17), bool))).moves
    made, waiting = [], [(4, 6, FROM_START)]
    while waiting:
        y, x, arrival = waiting.pop()
        for k in range(8):
            if SUCCESSORS[arrival, moves[y + 1, x + 1]] >> k & 1:
                made.append((y + int(MOVE_Y[k]), x + int(MOVE_X[k])))
                waiting.append((*made[-1], k))
    assert len(made) == len(set(made)) == 11 * 17 - 1 and (4, 6) not in made


def test_no_move_goes_back() -> None:
    """At most five successors follow a straight move, three a diagonal one.

    Source: GP2 ch. 14, table of directions.
    """
    for arrival in range(8):
        paths = np.stack((MOVE_Y, MOVE_X), axis=1)
        ever = [k for k in range(8) if any(SUCCESSORS[arrival, legal] >> k & 1 for legal in range(256))]
        assert len(ever) == (5 if arrival < 4 else 3)
        assert all(np.dot(paths[k], paths[arrival]) >= 0 for k in ever)


@pytest.mark.parametrize("seed", range(3))
def test_forced_neighbours_are_those_that_no_way_round_reaches_as_cheaply(seed: int) -> None:
    """The side tile is strictly nearer to the parent through the current tile.

    Source: GP2 ch. 14.
    """
    rng = np.random.default_rng(seed)
    ground = rooms(rng, 12, 13)
    moves = UniformGround.build(Terrain.build(ground)).moves
    even = np.full(ground.shape, 8)
    tiles = np.argwhere(ground)
    forced = 0
    for y, x in tiles[rng.permutation(len(tiles))[:60]].tolist():
        without = ground.copy()
        without[y, x] = False
        for k in range(4):
            py, px = y - int(MOVE_Y[k]), x - int(MOVE_X[k])
            if not (0 <= py < 12 and 0 <= px < 13 and ground[py, px]):
                continue
            round_it = distances(without, even, (py, px))
            for side in (1 - k % 2, 3 - k % 2):
                sy, sx = y + int(MOVE_Y[side]), x + int(MOVE_X[side])
                if not (0 <= sy < 12 and 0 <= sx < 13 and ground[sy, sx]):
                    continue
                kept = bool(SUCCESSORS[k, moves[y + 1, x + 1]] >> side & 1)
                assert kept == (round_it[sy, sx] > 2 + 1e-9), (y, x, k, side)
                forced += kept
    assert forced > 5
