"""Role tokens: one holder a role, by request, acknowledgement and release.

Source: Travis McIntosh, Game AI Pro 2, ch. 34, 34.7 and 34.8 (a combat coordinator grants roles; some go to the first
that asks, others to the ideal candidate of the moment; the death of a holder frees its role; one member always shoots).
Costs are the caller's, such as tiles to walk. Units are ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from types import MappingProxyType

from ai.core.serialization import record

SHOOTER, APPROACHER = "shooter", "approacher"
IDEAL_ONLY: Mapping[str, bool] = MappingProxyType({SHOOTER: False, APPROACHER: True})
"""True for a role that only the cheapest candidate gets, else the first."""


@record
class RoleBoard:
    """Roles of one squad: their holders, and grants that are not taken yet."""

    holders: dict[str, int] = field(default_factory=dict)
    granted: dict[str, int] = field(default_factory=dict)


def ideal(costs: Mapping[int, float]) -> int:
    """Return the unit of least cost and id, -1 without any."""
    return min(costs, key=lambda unit: (costs[unit], unit)) if costs else -1


def request(board: RoleBoard, role: str, unit: int, costs: Mapping[int, float]) -> bool:
    """Return true if a unit is granted a free role, or holds it already.

    ``costs`` are those of all candidates of this moment; only a curated role reads them.
    """
    if role in board.holders:
        return board.holders[role] == unit
    if IDEAL_ONLY[role] and ideal(costs) != unit:
        return False
    if not IDEAL_ONLY[role] and board.granted.get(role, unit) != unit:
        return False
    board.granted[role] = unit
    return True


def acknowledge(board: RoleBoard, role: str, unit: int) -> bool:
    """Take a granted role; return whether the unit holds it now."""
    if board.granted.get(role) == unit and role not in board.holders:
        board.holders[role] = unit
        del board.granted[role]
    return board.holders.get(role) == unit


def release(board: RoleBoard, unit: int, role: str = "") -> None:
    """Give up one role of a unit, or all of them."""
    for rows in (board.holders, board.granted):
        for name in [name for name, holder in rows.items() if holder == unit and role in ("", name)]:
            del rows[name]


def keep_only(board: RoleBoard, units: Iterable[int]) -> None:
    """Free the roles of all units but these.

    The others are dead or have left."""
    kept = set(units)
    for holder in {*board.holders.values(), *board.granted.values()} - kept:
        release(board, holder)


TECHNIQUES = (
    {
        "slug": "role-tokens",
        "name": "Role tokens by request and release",
        "ids": ("GP2-34.17",),
        "source": "Game AI Pro 2, 34.7 and 34.8",
        "functions": ("request", "acknowledge", "keep_only"),
        "test": "tests/ai/squad/coordination/test_tokens.py",
        "exhibit": "levels/exhibits/squads/firing_line.tokens.toml",
        "overlay": "squad_tokens",
        "setting": "tactics.assault_tokens",
        "reason": "The role token of an approach is half of the action token, whose exhibit shows both.",
        "claim": (
            "Two of five roles are there. The approacher is the next member that may assault, the nearest one; "
            "the shooter is a row of its own. Off where tokens are not limited."
        ),
    },
    {
        "slug": "one-shooter",
        "name": "Always one shooter",
        "ids": ("GP2-34.16",),
        "source": "Game AI Pro 2, 34.7",
        "functions": ("request", "release"),
        "test": "tests/ai/squad/coordination/test_tokens.py",
        "overlay": "squad_tokens",
        "setting": "tactics.one_shooter",
        "reason": "no exhibit yet",
        "claim": (
            "Off in the shipped game. The first member that can shoot halts and shoots while no other does; a hit "
            "takes no control from the player."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
