"""Group fields: a field leads to the slots like the test's own Dijkstra.

It does so in slices, and again after an edit.
"""

import math

import numpy as np
import pytest

from ai.formation.slot_flow_fields import GROWING, UNASKED, RallyFields
from ai.grid.moves import MOVE_X, MOVE_Y
from ai.grid.terrain import Terrain
from tests.ai.steering.arena import field_to, grid

MAP = grid("\n".join(["." * 40] * 8 + ["#" * 18 + ".." + "#" * 20] + ["." * 40] * 9))
MEMBERS, SLOTS = np.array([(4.5, 3.5), (30.5, 2.5)]), np.array([(12.5, 14.5)])


def made(terrain, budget):
    fields = RallyFields()
    fields.ask(terrain, 7, 0, MEMBERS, SLOTS)
    rounds = 0
    while fields.fields[0].moves is None:
        fields.serve(terrain, budget)
        rounds += 1
        assert rounds < 1000
    return fields, rounds


@pytest.mark.parametrize("budget", [40, 10**9])
def test_every_move_comes_nearer_by_its_own_length_whatever_the_slices(budget):
    fields, rounds = made(Terrain.build(MAP, np.full(MAP.shape, 8, np.uint8)), budget)
    assert (rounds > 5) == (budget == 40)
    moves, (y0, x0, _, _) = fields.fields[0].moves, fields.fields[0].window
    dist, _ = field_to(MAP, 14, 12)
    for ty, tx in np.argwhere(moves < 8).tolist():
        k = int(moves[ty, tx])
        gain = dist[ty + y0, tx + x0] - dist[ty + y0 + MOVE_Y[k], tx + x0 + MOVE_X[k]]
        assert gain == pytest.approx(math.hypot(MOVE_Y[k], MOVE_X[k]), abs=1e-6)


def test_packed_fields_name_their_groups_and_an_edit_rebuilds_a_field():
    terrain = Terrain.build(MAP.copy(), np.full(MAP.shape, 8, np.uint8))
    fields, _ = made(terrain, 10**9)
    moves, boxes = fields.pack(3, {7: 1})
    assert boxes[[0, 2], 0].tolist() == [UNASKED] * 2 and boxes[1, 0] > 0
    assert len(moves) == 1 + fields.fields[0].moves.size
    terrain.edit(8, 18, 9, 19, passable=0)
    fields.serve(terrain, 1)
    assert fields.pack(3, {7: 1})[1][1, 0] == GROWING
    fields.serve(terrain, 10**9)
    assert fields.pack(3, {7: 1})[1][1, 0] > 0
    fields.forget(7)
    assert fields.pack(3, {7: 1})[1][1, 0] == UNASKED
