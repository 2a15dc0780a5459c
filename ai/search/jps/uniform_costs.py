"""Integer step costs on uniform-cost grids, and derived constants.

A straight step costs 13,860 and a diagonal one 19,601 (a Pell convergent of sqrt 2). So the order of two path lengths
is exact while their diagonal counts differ by less than 13,860.
"""

from __future__ import annotations

import numpy as np

STRAIGHT = 13860
DIAGONAL = 19601
MOVE_COST = np.array([STRAIGHT] * 4 + [DIAGONAL] * 4, np.int64)

WIDTH_BITS = 13
"""log2 of a bucket's width: 0.59 steps.

One move raises g by at least one bucket and less than three.
"""
