"""Tokens: fuzz of requests and deaths against the test's own record of holders."""

import random

from ai.squad.coordination import action_tokens, role_tokens
from ai.squad.coordination.action_tokens import TokenPool, acquire, size_of
from ai.squad.coordination.role_tokens import APPROACHER, SHOOTER, RoleBoard, acknowledge, request


def test_a_role_has_one_holder_the_ideal_one_if_curated_and_is_freed_by_death() -> None:
    rng = random.Random(5)
    for role in (SHOOTER, APPROACHER):
        board, alive, holder = RoleBoard(), set(range(6)), -1
        grants = 0
        for _ in range(2000):
            costs = {unit: float(rng.randrange(4)) for unit in sorted(alive)}
            unit = rng.choice(sorted(alive))
            deed = rng.random()
            if deed < 0.6:
                asked = request(board, role, unit, costs)
                got = asked and acknowledge(board, role, unit)
                cheapest = sorted(costs.items(), key=lambda row: (row[1], row[0]))[0][0]
                if holder >= 0:
                    assert got == (holder == unit)
                else:
                    assert got == (role == SHOOTER or unit == cheapest)
                    grants += got
                    holder = unit if got else -1
            elif deed < 0.8:
                role_tokens.release(board, unit)
                holder = -1 if holder == unit else holder
            elif len(alive) > 1:
                alive.discard(unit)
                role_tokens.keep_only(board, alive)
                holder = -1 if holder == unit else holder
            if len(alive) < 3:
                alive = set(range(6))
            assert board.holders == ({role: holder} if holder >= 0 else {})
        assert grants > 100


def test_a_granted_role_is_not_promised_twice() -> None:
    board = RoleBoard()
    assert request(board, SHOOTER, 3, {}) and not request(board, SHOOTER, 4, {})
    assert not acknowledge(board, SHOOTER, 4) and acknowledge(board, SHOOTER, 3)
    role_tokens.release(board, 3, APPROACHER)
    assert board.holders == {SHOOTER: 3}


def test_a_pool_is_never_overdrawn_and_a_unit_waits_before_its_next_token() -> None:
    rng = random.Random(8)
    pool, size, again = TokenPool(), 2, 15
    mine: dict[int, int] = {}
    back: dict[int, int] = {}
    uses = dict.fromkeys(range(7), 0)
    for tick in range(3000):
        unit = rng.randrange(7)
        deed = rng.random()
        if deed < 0.5:
            free = len(mine) < size and (unit not in back or tick - back[unit] >= again)
            assert acquire(pool, unit, tick, size, again) == (unit in mine or free)
            if unit not in mine and free:
                mine[unit] = tick
                uses[unit] += 1
        elif deed < 0.9:
            action_tokens.release(pool, unit, tick)
            if mine.pop(unit, None) is not None:
                back[unit] = tick
        else:
            kept = [k for k in mine if k != unit]
            action_tokens.keep_only(pool, kept, tick)
            if mine.pop(unit, None) is not None:
                back[unit] = tick
        assert pool.taken == mine and len(mine) <= size
    assert min(uses.values()) > 0.5 * max(uses.values()) > 20
    assert [size_of(3, 0, 40), size_of(3, 8, 40), size_of(3, 8, 2)] == [3, 5, 1]
