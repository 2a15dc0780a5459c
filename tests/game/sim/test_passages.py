"""Where one body fits, whoever of one side meets there gets through, and nobody waits for enemies."""

from pathlib import Path

import numpy as np

from ai.grid.terrain import Terrain
from ai.steering.single_file import PassageMap, narrow_tiles, spread
from ai.steering.tile_claims import LOOK
from game.level.build import LevelBuilder
from game.sim.session import Session
from game.world.orders import Order, OrderKind
from game.world.passages import GOES, Passages
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


def session(folder: Path, places: list[tuple[float, float, str]]) -> Session:
    builder = LevelBuilder.from_letters(BENT.strip(), title="Bent")
    for x, y, side in places:
        builder.add("spawn", x, y, side=side, kind="raider", facing=0.0)
    made = Session(load(write(folder, builder)), recording=False)
    made.world.units.fire_at_will[:] = 0
    return made


def across(s: Session, east: tuple[int, ...], ticks: int) -> bool:
    """All of ``east`` come to rest in the east, all others in the west, and nobody gives up."""
    u, n = s.world.units, s.world.units.count
    for _ in range(ticks):
        s.advance()
        assert not [e for e in s.world.events if e.kind == "gave_up"]
        if s.world.tick > 5 and not u.moving[:n].any():
            break
    goes_east = np.isin(u.id[:n], east)
    return bool((u.x[:n][goes_east] > 15).all() and (u.x[:n][~goes_east] < 9).all() and not u.moving[:n].any())


def test_who_meet_inside_a_bent_passage_back_out_by_the_way_of_the_others(tmp_path: Path) -> None:
    # Mixed up in the passage: two go east, two west, and each has one of the others before him.
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


def test_nobody_waits_for_an_enemy_who_comes_the_other_way(tmp_path: Path) -> None:
    s = session(tmp_path, [(4.5, 3.5, "raiders"), (19.5, 3.5, "guards")])
    s.give(Order(int(OrderKind.MOVE), 0, (0,), 20.5, 3.5))
    s.give(Order(int(OrderKind.MOVE), 1, (1,), 3.5, 3.5))
    for _ in range(60):
        s.advance()
        assert (s.world.passages.act == GOES).all() and not s.world.passages.held


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
        # The same passage, the same way round, whichever of its tiles one asks for.
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
