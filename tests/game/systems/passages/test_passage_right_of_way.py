"""Right of way in passages one body wide: friends pass each other.

Units do not wait for enemies.
"""

from pathlib import Path

import numpy as np

from ai.grid.terrain import Terrain
from ai.steering.traffic.corridor_segments import LOOK
from ai.steering.traffic.single_file import PassageMap, narrow_tiles, spread
from game.checks.invariants.invariants import LAWS
from game.checks.scripts.script import Expect
from game.level.level_writer import LevelBuilder
from game.sim.session import Session
from game.world.orders import Order, OrderKind
from game.world.passage_claims import GOES, Passages
from game.world.world import restore_world
from tests.game.sim.small_levels import load, write

BENT = """
.........######.........
.........######.........
.........#...##.........
...........#............
.........######.........
.........######.........
"""


STRAIGHT = """
......######......
......######......
..................
......######......
......######......
"""

SHUT = """
##########
#........#
##########
"""


def session(folder: Path, places: list[tuple[float, float, str]], ground: str = BENT) -> Session:
    builder = LevelBuilder.from_letters(ground.strip(), title="Narrow")
    for x, y, side in places:
        builder.add("spawn", x, y, side=side, kind="raider", facing=0.0)
    made = Session(load(write(folder, builder)), recording=False)
    made.world.units.fire_at_will[:] = 0
    return made


def across(s: Session, east: tuple[int, ...], ticks: int) -> bool:
    """Run; return whether units ``east`` rest in the east, the others in the west.

    No unit may give up.
    """
    u, n = s.world.units, s.world.units.count
    for _ in range(ticks):
        s.advance()
        assert not [e for e in s.world.events if e.kind == "gave_up"]
        if s.world.tick > 5 and not u.moving[:n].any():
            break
    goes_east = np.isin(u.id[:n], east)
    return bool((u.x[:n][goes_east] > 15).all() and (u.x[:n][~goes_east] < 9).all() and not u.moving[:n].any())


def test_units_that_meet_inside_a_bent_passage_back_out_and_pass(tmp_path: Path) -> None:
    # In the passage two units go east and two west, and each has an opposing one before it.
    s = session(
        tmp_path, [(9.5, 3.5, "raiders"), (14.5, 3.5, "raiders"), (10.5, 2.5, "raiders"), (12.5, 2.5, "raiders")]
    )
    s.give(Order(int(OrderKind.MOVE), 0, (0, 3), 20.5, 3.5))
    s.give(Order(int(OrderKind.MOVE), 0, (1, 2), 3.5, 3.5))
    for _ in range(30):
        s.advance()
    assert s.world.passages.act.any()
    again = restore_world(s.world.snapshot())
    assert across(s, (0, 3), 400)
    other = Session(s.level, recording=False)
    other.world = again
    assert across(other, (0, 3), 400) and other.world.hash() == s.world.hash()


def test_a_unit_does_not_wait_for_an_oncoming_enemy(tmp_path: Path) -> None:
    s = session(tmp_path, [(4.5, 3.5, "raiders"), (19.5, 3.5, "guards")])
    s.give(Order(int(OrderKind.MOVE), 0, (0,), 20.5, 3.5))
    s.give(Order(int(OrderKind.MOVE), 1, (1,), 3.5, 3.5))
    for _ in range(60):
        s.advance()
        assert (s.world.passages.act == GOES).all() and not s.world.passages.held


def gave_up(s: Session, ticks: int) -> list[tuple[int, str]]:
    """Run until all units rest; return unit and reason of each order given up.

    The invariant ``progress`` must hold.
    """
    law, told = LAWS["progress"](Expect(kind="progress"), s.world), []
    for _ in range(ticks):
        s.advance()
        law.watch(s.world)
        told += [(e.unit, e.text) for e in s.world.events if e.kind == "gave_up"]
        if s.world.tick > 5 and not s.world.units.moving[: s.world.units.count].any():
            break
    assert law.verdict(s.world) is None
    return told


def test_friends_standing_in_a_passage_walk_out_of_it_and_return(tmp_path: Path) -> None:
    s = session(tmp_path, [(2.5, 2.5, "raiders"), (8.5, 2.5, "raiders"), (10.5, 2.5, "raiders")], STRAIGHT)
    u = s.world.units
    s.give(Order(int(OrderKind.MOVE), 0, (0,), 15.5, 2.5))
    assert not gave_up(s, 120) and u.x[0] > 15
    assert np.abs(u.x[1:3] - [8.5, 10.5]).max() > 1.0, "they had to leave their places"
    for _ in range(120):
        s.advance()
    assert np.abs(u.x[1:3] - [8.5, 10.5]).max() < 0.3 and np.isnan(s.world.passages.post).all()


def test_an_order_that_is_blocked_for_good_ends_with_a_message(tmp_path: Path) -> None:
    # The other unit blocks an alley that is shut at both ends.
    s = session(tmp_path, [(2.5, 1.5, "raiders"), (5.5, 1.5, "raiders")], SHUT)
    s.give(Order(int(OrderKind.MOVE), 0, (0,), 8.5, 1.5))
    s.give(Order(int(OrderKind.HOLD), 0, (1,), 0.0, 0.0))
    assert gave_up(s, 150) == [(0, "another unit blocks its path and cannot make room")]
    # An enemy that holds its place blocks the passage.
    s = session(tmp_path, [(2.5, 2.5, "raiders"), (9.5, 2.5, "guards")], STRAIGHT)
    s.world.units.holding[1] = 1
    s.give(Order(int(OrderKind.MOVE), 0, (0,), 15.5, 2.5))
    assert gave_up(s, 150) == [(0, "another unit blocks its path and cannot make room")]


def test_a_passage_is_a_run_of_tiles_that_lie_in_no_open_square() -> None:
    rng = np.random.default_rng(5)
    terrain = Terrain.build(rng.random((24, 30)) < 0.7)
    narrow, known = narrow_tiles(terrain.passable), PassageMap()
    known.forget(8, terrain.passable.size)
    for y, x in np.ndindex(24, 30):
        open_square = any(
            terrain.passable[max(y + a, 0) : y + a + 2, max(x + b, 0) : x + b + 2].all()
            for a in (-1, 0)
            for b in (-1, 0)
            if 0 <= y + a < 23 and 0 <= x + b < 29
        )
        assert bool(narrow[y, x]) == bool(terrain.passable[y, x] and not open_square)
        passage = known.find(narrow, terrain.passable, 0, y, x)
        if passage is None:
            continue
        tiles = passage.tiles.tolist()
        assert [y, x] in tiles and len(set(map(tuple, tiles))) == len(tiles)
        assert (np.abs(np.diff(passage.tiles, axis=0)).sum(axis=1) == 1).all() and narrow[tuple(passage.tiles.T)].all()
        # Each tile of the passage gives the same passage in the same direction.
        for ty, tx in tiles:
            other = PassageMap()
            other.forget(8, terrain.passable.size)
            same = other.find(narrow, terrain.passable, 0, ty, tx)
            assert same is not None and same.tiles.tolist() == tiles and same.mouths == passage.mouths


def test_the_map_of_passages_follows_edits() -> None:
    rng = np.random.default_rng(6)
    terrain = Terrain.build(rng.random((40, 40)) < 0.75)
    known = Passages()
    known.follow_map(terrain)
    for _ in range(40):
        y, x = rng.integers(0, 38, 2).tolist()
        terrain.edit(y, x, y + 2, x + 1, passable=int(rng.integers(0, 2)) * 255)
        known.follow_map(terrain)
    whole = narrow_tiles(terrain.passable)
    assert (known.narrow == whole).all() and (known.near == spread(whole, LOOK)).all()
