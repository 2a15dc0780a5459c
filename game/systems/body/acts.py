"""Acts: the body begins, carries on and ends something besides walking.

An act has a code, a start and a length. It ends exactly once: it is finished, merged with a later act of the same
code, interrupted by another one, or refused by the world at its end. The last end of each unit is kept in columns, so
that minds, checks and the picture read it.
"""

from __future__ import annotations

import numpy as np

from ai.core.kernels import kernel
from game.world.units import Act, Outcome
from game.world.world import World

GOES_ON, TAKES_EFFECT = 0, 1
"""Codes of an act after a tick: it goes on, or has an effect."""


def begin_act(world: World, slot: int, what: Act, ticks: int) -> None:
    """Begin an act of a length in ticks; end the act before it."""
    u = world.units
    before = Act(int(u.action[slot]))
    if before == Act.DIE:
        return
    if before != Act.NONE:
        end_act(world, slot, Outcome.MERGED if before == what else Outcome.INTERRUPTED)
    u.action[slot] = what
    u.action_start[slot] = world.tick
    u.action_length[slot] = ticks


def end_act(world: World, slot: int, outcome: Outcome) -> None:
    """End the act of a unit with an outcome."""
    u = world.units
    u.ended_act[slot], u.ended_as[slot], u.ended_at[slot] = u.action[slot], outcome, world.tick
    u.action[slot] = Act.NONE


@kernel("void(int64, uint8[::1], uint8[::1], int32[::1], int16[::1], uint8[::1], uint8[::1], int32[::1], uint8[::1])")
def carry_on(
    tick: int,
    alive: np.ndarray,
    action: np.ndarray,
    start: np.ndarray,
    length: np.ndarray,
    ended_act: np.ndarray,
    ended_as: np.ndarray,
    ended_at: np.ndarray,
    state: np.ndarray,
) -> None:
    """End plain acts that reached their length.

    ``state`` marks the acts whose effect is due.
    A death ends too, but the body keeps it. Codes from USE (4) on have an effect.
    """
    for i in range(action.size):
        state[i] = 0
        age = tick - start[i]
        if action[i] == 0 or age < length[i]:
            continue
        if action[i] >= 4 and alive[i] == 1:
            state[i] = 1
        elif action[i] != 3 or age == length[i]:
            ended_act[i], ended_as[i], ended_at[i] = action[i], 1, tick
            if action[i] != 3:
                action[i] = 0


def acts_due(world: World) -> list[int]:
    """Carry all acts on by a tick; return slots whose effect is due, ascending."""
    assert (Act.DIE, Act.USE, Outcome.FINISHED) == (3, 4, 1), "the kernel counts on these"
    u, n = world.units, world.units.count
    state = np.empty(n, np.uint8)
    carry_on(
        world.tick, u.alive[:n], u.action[:n], u.action_start[:n], u.action_length[:n], u.ended_act[:n],
        u.ended_as[:n], u.ended_at[:n], state,
    )  # fmt: skip
    found: list[int] = np.flatnonzero(state == TAKES_EFFECT).tolist()
    return found
