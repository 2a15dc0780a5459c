"""Scoped boards: reads fall back outward; a list of writes is the oracle."""

import random

import pytest

from ai.core.serialization import digest, restore, snapshot
from ai.decision.blackboards.scoped_boards import (
    BoardEntry,
    BoardScope,
    ScopedBoards,
    drop_expired,
    forget_unit,
    join,
    leave,
    read,
    set_members,
    write,
)

OWN, GROUP, ALL = BoardScope.OWN, BoardScope.GROUP, BoardScope.ALL


def test_the_inner_board_shadows_the_outer_one_and_leaving_revokes() -> None:
    boards = ScopedBoards()
    join(boards, 1, 10)
    join(boards, 2, 10)
    join(boards, 1, 11)
    write(boards, ALL, "alert", BoardEntry(9, 0, amount=1.0))
    assert read(boards, 1, "alert", 5) == (ALL, BoardEntry(9, 0, amount=1.0))
    write(boards, GROUP, "alert", BoardEntry(2, 1, amount=2.0), 10)
    write(boards, GROUP, "alert", BoardEntry(1, 1, amount=3.0), 11)
    write(boards, OWN, "alert", BoardEntry(1, 2, amount=4.0, until=6))

    def amount(unit: int, tick: int = 5, last: BoardScope = ALL) -> float:
        found = read(boards, unit, "alert", tick, last)
        return found[1].amount if found is not None else -1.0

    assert amount(1) == 4.0
    assert amount(1, tick=7) == 3.0, "the own entry has expired; the group joined last comes first"
    assert amount(2) == 2.0 and amount(3) == 1.0, "no member reads the boards of others"
    assert amount(3, last=GROUP) == -1.0 and amount(2, last=OWN) == -1.0
    leave(boards, 1, 11)
    assert amount(1, tick=7) == 2.0
    with pytest.raises(PermissionError, match="unit 1 is no member of group 11"):
        write(boards, GROUP, "alert", BoardEntry(1, 3), 11)
    drop_expired(boards.own[1], 7)
    assert not boards.own[1].entries
    set_members(boards, 10, [1])
    assert amount(2) == 1.0, "it was taken out of the group"
    set_members(boards, 10, [])
    assert 10 not in boards.groups and amount(1) == 1.0
    forget_unit(boards, 1)
    assert 1 not in boards.own and 1 not in boards.joined


def test_random_writes_read_as_a_list_of_all_writes_says_and_survive_a_save() -> None:
    dice = random.Random(4)
    boards, log = ScopedBoards(), []
    joined: dict[int, list[int]] = {unit: [] for unit in range(5)}
    for tick in range(300):
        unit, group, key = dice.randrange(5), dice.randrange(3), dice.choice("ab")
        what = dice.randrange(5)
        if what == 0:
            join(boards, unit, group)
            joined[unit] += [] if group in joined[unit] else [group]
        elif what == 1:
            leave(boards, unit, group)
            joined[unit] = [one for one in joined[unit] if one != group]
        elif what == 3 and group not in joined[unit]:
            with pytest.raises(PermissionError):
                write(boards, GROUP, key, BoardEntry(unit, tick), group)
        else:
            scope = (OWN, GROUP, ALL)[what - 2]
            until = dice.choice((-1, tick + 20))
            write(boards, scope, key, BoardEntry(unit, tick, until=until), group)
            owner = {OWN: unit, GROUP: group, ALL: -1}[scope]
            log.append((scope, owner, key, unit, tick, until))
        if tick == 150:
            before = digest(boards)
            boards = restore(snapshot(boards))
            assert digest(boards) == before
        asker = dice.randrange(5)
        chain = [(OWN, asker), *((GROUP, g) for g in reversed(joined[asker])), (ALL, -1)]
        expected = None
        for at in chain:
            newest = [row for row in log if row[:3] == (*at, "a")]
            if newest and (newest[-1][5] < 0 or tick <= newest[-1][5]):
                expected = (at[0], newest[-1][3], newest[-1][4])
                break
        found = read(boards, asker, "a", tick)
        assert (None if found is None else (found[0], found[1].author, found[1].tick)) == expected
