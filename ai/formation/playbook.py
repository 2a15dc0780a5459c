"""Playbook slots: slots that are reserved for unit types or named units.

They work like positions in football or chess. A reserved slot takes only units that fit it; without one it stays
empty. A unit without a slot of the play goes to a rank behind it that is open to all. When too many slots would stay
empty although units are left, the reservations are lifted. The set of filled slots depends on the units present, never
on their positions. Among the units that fit, the assignment has the least total distance.

Source: "AI Game Programming Wisdom", 5.6 (playbook formations).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from ai.formation.formation_shapes import Slots, arranged

RANK_BEHIND = 1.0
"""Spacings between the last slot of a play and the open rank behind it."""


def fill_play(fits: np.ndarray, weight: np.ndarray, relax: float) -> tuple[np.ndarray, bool]:
    """Return the filled slots int64[k] ascending, and True if reservations were lifted.

    ``fits`` bool[n, m] marks the slots that each unit may take; ``weight`` float64[m] is larger for more important
    slots. As many units as possible get a slot, and among such fillings the sum of weights is the largest.
    ``relax`` 0..1 is a share of the slots that the units could fill by number. When more than this share stays
    empty, every unit may take any slot.
    """
    fits, weight = np.asarray(fits, bool), np.asarray(weight, float)
    if fits.ndim != 2 or weight.shape != (fits.shape[1],):
        raise ValueError(f"fits must be [n, m] and weight [m], got {fits.shape} and {weight.shape}")
    if not 0.0 <= relax <= 1.0:
        raise ValueError(f"relax is a share from 0 to 1, got {relax}")
    could = min(fits.shape)
    filled = _fullest(fits, weight)
    if could - len(filled) > relax * could + 1e-9:
        return _fullest(np.ones_like(fits), weight), True
    return filled, False


def _fullest(fits: np.ndarray, weight: np.ndarray) -> np.ndarray:
    if not fits.size:
        return np.zeros(0, np.int64)
    # One more unit placed always outweighs all the weights together.
    gain = np.where(fits, 1.0 + weight[None, :] / (1.0 + float(np.abs(weight).sum())), 0.0)
    rows, columns = linear_sum_assignment(gain, maximize=True)
    return np.sort(columns[fits[rows, columns]]).astype(np.int64)


@dataclass(frozen=True)
class Placed:
    """A play laid out for n units: one slot each in ``table``.

    ``allowed`` bool[n, n] marks the slots that each unit may take. ``drawn`` int64[n] is the play's slot of each
    slot of the table, -1 for a slot behind the play. ``holes`` float64[k, 2] (forward, right; tiles) are the
    play's empty slots, ``empty`` int64[k] their numbers. When ``lifted`` is True, every unit may take any slot.
    """

    table: Slots
    allowed: np.ndarray
    drawn: np.ndarray
    holes: np.ndarray
    empty: np.ndarray
    lifted: bool


def slots_of_play(at: np.ndarray, facing: np.ndarray, fits: np.ndarray, spacing: float, relax: float) -> Placed:
    """Return a play laid out with as many slots as units.

    ``at`` float64[m, 2] (forward, right) in spacings, ``facing`` float64[m] radians to the heading, ``fits``
    bool[n, m].
    """
    n, m = fits.shape
    if at.shape != (m, 2) or facing.shape != (m,):
        raise ValueError(f"{m} slots fit, but at is {at.shape} and facing {facing.shape}")
    weight = arranged(at * spacing, facing, spacing).weight
    filled, lifted = fill_play(fits, weight, relax)
    over = n - len(filled)
    per_rank = max(1, math.ceil(float(np.ptp(at[:, 1])) + 1.0) if m else math.ceil(math.sqrt(n)))
    back = float(at[:, 0].min()) - RANK_BEHIND if m else 0.0
    middle = float(at[:, 1].min() + at[:, 1].max()) / 2.0 if m else 0.0
    k = np.arange(over)
    in_rank = np.minimum(per_rank, over - k // per_rank * per_rank)
    behind = np.column_stack([back - k // per_rank, middle + k % per_rank - (in_rank - 1) / 2.0])
    places = np.vstack([at[filled], behind]) * spacing
    table = arranged(places, np.concatenate([facing[filled], np.zeros(over)]), spacing)
    allowed = np.ones((n, n), bool)
    if not lifted:
        allowed[:, : len(filled)] = fits[:, filled]
    moved = np.array([table.forward[0], table.right[0]]) - places[0] if n else np.zeros(2)
    empty = np.setdiff1d(np.arange(m), filled)
    drawn = np.concatenate([filled, np.full(over, -1)])
    return Placed(table, allowed, drawn, at[empty] * spacing + moved, empty, lifted)


def assign_reserved(units: np.ndarray, slots: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Assign slots with the least sum of squared distances, int64[n]."""
    n = len(units)
    if slots.shape != (n, 2) or allowed.shape != (n, n):
        raise ValueError(f"{n} units, slots {slots.shape}, allowed {allowed.shape}: numbers must agree")
    away = ((units[:, None, :] - slots[None, :, :]) ** 2).sum(axis=2)
    rows, columns = linear_sum_assignment(np.where(allowed, away, np.inf))
    taken = np.empty(n, np.int64)
    taken[rows] = columns
    return taken


TECHNIQUES = (
    {
        "slug": "playbook-slots",
        "name": "Playbook: slots kept for unit types or named units",
        "ids": ("AW-5.6-2",),
        "source": "AI Game Programming Wisdom, 5.6",
        "functions": ("fill_play", "assign_reserved"),
        "test": "tests/ai/formation/test_playbook.py",
        "exhibit": "levels/exhibits/formation/playbook.toml",
        "overlay": "slots",
        "setting": "formation.reserve",
        "measure": "strangers",
        "direction": "down",
        "claim": (
            "Reserved slots. The order by type (tough, fast, far, hurt) is a method of slot assignment, and facings "
            "belong to the shapes."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
