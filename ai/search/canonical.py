"""Canonical pruning: successors of a tile, given the move that reached it.

Of all equally short paths between two tiles it keeps the one that goes diagonally first. A successor is pruned when the
parent reaches it at equal cost without this tile. With no corner cutting, the natural successors of a straight move are
the tile straight ahead and some side tiles. A side and its forward diagonal count when the tile behind that side was
closed.

Source: "Game AI Pro 2", ch. 14 (jump point search, canonical orderings).
"""

from __future__ import annotations

import numpy as np

from ai.grid.moves import MOVE_X, MOVE_Y

FROM_START = 8
"""Arrival code of a tile that no move reached."""


def _successors() -> np.ndarray:
    """Return the kept moves, uint8[arrival, legal moves].

    Arrival FROM_START keeps all moves.
    """
    table = np.zeros((9, 256), np.uint8)
    number = {(int(MOVE_X[k]), int(MOVE_Y[k])): k for k in range(8)}
    for legal in range(256):
        table[FROM_START, legal] = legal
        for k in range(8):
            dx, dy = int(MOVE_X[k]), int(MOVE_Y[k])
            kept = 1 << k
            if k >= 4:
                kept |= 1 << number[dx, 0] | 1 << number[0, dy]
            else:
                for sx, sy in ((-dy, dx), (dy, -dx)):
                    side, behind, ahead = number[sx, sy], number[sx - dx, sy - dy], number[sx + dx, sy + dy]
                    if legal >> side & 1 and not legal >> behind & 1:
                        kept |= 1 << side | 1 << ahead
            table[k, legal] = kept & legal
    return table


SUCCESSORS = _successors()


def _never_dearer() -> np.ndarray:
    """Return the moves that can pay at any tile costs, uint8[arrival].

    A move back to the parent is never cheaper, and neither is a move to a tile that the parent reaches by one straight
    step.
    """
    masks = np.full(9, 255, np.uint8)
    for k in range(8):
        back = (-int(MOVE_Y[k]), -int(MOVE_X[k]))
        for other in range(8):
            dy, dx = int(MOVE_Y[other]) - back[0], int(MOVE_X[other]) - back[1]
            if abs(dy) + abs(dx) <= 1:
                masks[k] &= ~np.uint8(1 << other)
    return masks


WORTH_MAKING = _never_dearer()
