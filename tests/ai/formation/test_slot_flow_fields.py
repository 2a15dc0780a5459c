"""Group fields: a field leads to the slots like the test's own Dijkstra.

It does so in slices, and again after an edit.
"""

import math

import numpy as np
import pytest

from ai.formation.group_entity import NUMBERS, T_PLACED, T_STATE, TAGS, GroupState
from ai.formation.slot_flow_fields import GROWING, UNASKED, RallyFields
from ai.formation.slot_following import BY_FIELD, OWN_WAY, lead_members
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


def led(passable, packed, x, y):
    """Return modes and leads of members that follow the field."""
    n, moves, boxes = len(x), *packed
    num, tag = np.zeros((1, NUMBERS)), np.zeros((1, TAGS), np.int32)
    tag[0, T_PLACED], tag[0, T_STATE] = 1, GroupState.SETTLING
    zeros, bytes_, rows = np.zeros(n), np.zeros(n, np.uint8), np.zeros(n, np.int32)
    mode, lead, moving = bytes_ + BY_FIELD, np.full((2, n), math.nan), bytes_.copy()
    way, news = np.zeros((2, n)), bytes_.copy()
    lead_members(
        0, passable, np.array([0.05, 0.5, 0.12, 0.5, 1.25, 24.0, 0.32]), np.zeros((1, 2)), num, tag, rows + 1,
        bytes_ + 1, rows, bytes_, bytes_, x, y, zeros + 4.0, zeros, zeros, zeros, zeros, mode,
        zeros + SLOTS[0, 0], zeros + SLOTS[0, 1], *way, rows - 1, moving, zeros, zeros, zeros.copy(), news, moves,
        boxes, *lead,
    )  # fmt: skip
    return mode, lead, moving, way, news


def free(passable, ax, ay, bx, by, radius=0.27):
    """Return whether a disc fits on a line, tested at points of its rim."""
    t, a = np.meshgrid(np.linspace(0.0, 1.0, 60), np.linspace(0.0, math.tau, 16))
    x, y = ax + (bx - ax) * t + radius * np.cos(a), ay + (by - ay) * t + radius * np.sin(a)
    return bool(passable[y.astype(int), x.astype(int)].all())


def test_a_member_heads_for_the_farthest_of_six_moves_that_it_reaches_in_a_straight_line():
    """Each lead is nearer to the slots by the length of its moves."""
    fields, _ = made(Terrain.build(MAP, np.full(MAP.shape, 8, np.uint8)), 10**9)
    y0, x0, y1, x1 = fields.fields[0].window
    dist, _ = field_to(MAP, 14, 12)
    tiles = [(ty, tx) for ty in range(y0 + 1, y1 - 1) for tx in range(x0 + 1, x1 - 1) if MAP[ty, tx]]
    tiles = [t for t in tiles if np.isfinite(dist[t]) and dist[t] > 0.5]
    x, y = (np.array([t[k] + 0.5 for t in tiles]) for k in (1, 0))
    mode, lead, moving, way, _ = led(MAP, fields.pack(1, {7: 0}), x, y)
    far = 0
    for i, (ty, tx) in enumerate(tiles):
        lx, ly = float(lead[0, i]), float(lead[1, i])
        assert mode[i] == BY_FIELD and moving[i] == 1
        assert (lx % 1.0, ly % 1.0) == (0.5, 0.5)
        gain = dist[ty, tx] - dist[int(ly), int(lx)]
        assert 0.99 < gain < 6.0 * math.sqrt(2.0) + 1e-6
        assert gain >= math.hypot(lx - x[i], ly - y[i]) - 1e-6, "no detour is shorter than the line"
        steps = max(abs(int(lx) - tx), abs(int(ly) - ty))
        assert steps == 1 or free(MAP, x[i], y[i], lx, ly)
        if ty > 10 and dist[ty, tx] > 10.0:
            assert gain >= 6.0 - 1e-6, "on open ground it looks six moves ahead"
        far += steps == 6
        assert (way[:, i] - (x[i], y[i])).tolist() == pytest.approx([10.0 * (lx - x[i]), 10.0 * (ly - y[i])])
    assert far > 50
    shut = MAP.copy()
    shut[8, 18:20] = 0
    mode, lead, _, _, news = led(shut, fields.pack(1, {7: 0}), np.array([18.5, 30.5]), np.array([7.5, 2.5]))
    assert mode.tolist() == [OWN_WAY, BY_FIELD] and news[0] == 1, "before the shut door it needs a path of its own"


def test_outside_its_window_or_unasked_a_member_goes_its_own_way_and_straight_on_while_a_field_grows():
    """A tile of the slots has no move."""
    fields, _ = made(Terrain.build(MAP, np.full(MAP.shape, 8, np.uint8)), 10**9)
    moves, boxes = fields.pack(1, {7: 0})
    at = np.array([12.5]), np.array([14.5])
    assert led(MAP, (moves, boxes), *at)[0].tolist() == [OWN_WAY], "no move leads away from a slot"
    small = boxes.copy()
    small[0, 1:] = 0, 0, 4, 4
    for x, y in ((4.5, 2.5), (2.5, 4.5), (39.5, 17.5)):
        assert led(MAP, (moves, small), np.array([x]), np.array([y]))[0].tolist() == [OWN_WAY]
    for code, mode in ((UNASKED, OWN_WAY), (GROWING, BY_FIELD)):
        boxes[0, 0] = code
        found = led(MAP, (moves, boxes), np.array([4.5]), np.array([3.5]))
        assert found[0].tolist() == [mode]
    assert found[1].tolist() == [[12.5], [14.5]], "straight towards its slot"
