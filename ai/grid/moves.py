"""The octile grid of all searches: eight moves, integer step lengths.

No move cuts a corner. A diagonal move is legal only when both tiles beside it are passable, so eight-way connectivity
of open tiles equals four-way connectivity ("Journal of Game Development" 1, near-optimal hierarchical path-finding;
made stricter, since bodies have a width).

Step cost from a to b is ``(cost[a] + cost[b]) / 2 / 8 * length`` tiles. Searches count it exactly, in integers:
``(cost[a] + cost[b]) * STRAIGHT`` or ``* DIAGONAL``. DIAGONAL / STRAIGHT is a Pell convergent of sqrt 2 with relative
error 2.7e-13. The longest path of a 32,767 x 32,767 grid at cost 255 stays below 2**60, so an int64 never overflows.
"""

from __future__ import annotations

import numpy as np

MOVE_Y = np.array([-1, 0, 1, 0, -1, 1, 1, -1], np.int64)
MOVE_X = np.array([0, 1, 0, -1, 1, 1, -1, -1], np.int64)
"""Row and column steps of the eight moves.

0 N, 1 E, 2 S, 3 W, 4 NE, 5 SE, 6 SW, 7 NW (y grows downwards).
"""

STRAIGHT = 1136689
DIAGONAL = 1607521

COST_UNIT = 16 * STRAIGHT
"""Integer cost of one tile: a straight step over ordinary ground.

Ordinary ground has cost 8 on both tiles.
"""

MAX_SIDE = 32767
"""Longest side of a grid, in tiles.

Packed positions keep 16 bits per coordinate.
"""


def _legal_moves() -> np.ndarray:
    """Return the legal moves for each set of passable neighbours, uint8[256]."""
    table = np.zeros(256, np.uint8)
    beside = {4: (0, 1), 5: (1, 2), 6: (2, 3), 7: (3, 0)}
    for around in range(256):
        moves = around & 15
        for diagonal, (a, b) in beside.items():
            if around >> diagonal & around >> a & around >> b & 1:
                moves |= 1 << diagonal
        table[around] = moves
    return table


LEGAL_MOVES = _legal_moves()


def _moves_of_block() -> np.ndarray:
    """Return the legal moves for each 3 x 3 block of tiles.

    The result is uint8[512]; a passable tile is bit 3 * row + column.
    """
    table = np.zeros(512, np.uint8)
    for block in range(512):
        around = 0
        for k in range(8):
            around |= (block >> int(3 * (MOVE_Y[k] + 1) + MOVE_X[k] + 1) & 1) << k
        table[block] = LEGAL_MOVES[around]
    return table


MOVES_OF_BLOCK = _moves_of_block()
