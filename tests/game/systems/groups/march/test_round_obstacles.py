"""Group halves round an obstacle: a line splits, passes on both sides and merges.

Each half holds half of the units of each type.
"""

from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.formation.formation_shapes import Shape
from ai.formation.group_entity import Broken
from ai.search.astar.astar import AStarSearch
from game.level.level_writer import LevelBuilder
from game.sim.session import Session
from game.systems.groups.march.round_obstacles import halves
from tests.game.sim.small_levels import load, write
from tests.game.systems.groups.test_groups import misfit, sent, told

ROCK = "\n".join(
    "".join("#" if not 4 <= y < 18 or (24 <= x < 29 and 9 <= y < 13) else "." for x in range(60)) for y in range(22)
)


def with_rock(folder: Path, kinds: str = "rrrrrrssss") -> Session:
    builder = LevelBuilder.from_letters(ROCK, title="Rock")
    for i, kind in enumerate(kinds):
        word = {"r": "raider", "s": "soldier"}[kind]
        builder.add("spawn", 6.5 + i % 3 * 1.1, 9.5 + i // 3 * 1.1, side="raiders", kind=word)
    return Session(load(write(folder, builder)), recording=False)


def test_a_line_splits_round_a_rock_and_merges_behind_it(tmp_path: Path) -> None:
    session = with_rock(tmp_path)
    told(session, "shape", "line")
    sent(session, 50.5, 11.0, facing=0.0)
    u, parted, halves_of, passed = session.world.units, False, [], {}
    for _ in range(480):
        session.advance()
        rows = session.world.groups.rows
        if len(rows) == 2 and not parted:
            parted, halves_of = True, [group.members for group in rows.values()]
        if parted:
            for k, members in enumerate(halves_of):
                if k not in passed and (u.x[members] > 29.5).all():
                    passed[k] = session.world.tick
    assert parted and len(passed) == 2
    for kind in (0, 2):
        of_kind = [int((u.kind[members] == kind).sum()) for members in halves_of]
        assert abs(of_kind[0] - of_kind[1]) <= 1 and sum(of_kind) in (4, 6)
    assert abs(passed[0] - passed[1]) <= 25, "both arrive together"
    assert [len(group.members) for group in session.world.groups.rows.values()] == [10]
    assert session.world.groups.rows and misfit(session, Shape.LINE, 1.2, 0.0) < 0.35
    assert (u.moving[:10] == 0).all() and Broken.OBSTACLE not in session.world.groups.tag[:, 1]


def test_the_path_of_the_second_half_is_charged_to_the_budget(tmp_path: Path, monkeypatch) -> None:
    session, spent = with_rock(tmp_path), []
    run = AStarSearch.run
    monkeypatch.setattr(AStarSearch, "run", lambda self, *a: spent.append(run(self, *a)) or spent[-1])
    world = session.world
    told(session, "shape", "line")
    sent(session, 50.5, 11.0, facing=0.0)
    parted = []
    for _ in range(200):
        searched, charged = len(spent), world.group_paths.revolutions
        session.advance()
        if any(event.kind == "parted" for event in world.events):
            parted.append((sum(spent[searched:]), world.group_paths.revolutions - charged))
            break
    assert parted and 0 < parted[0][0] <= parted[0][1], "charged as well as searched"
    assert any(entry.function == "game.systems.groups.march.round_obstacles.part" for entry in world.trace.since(0))
    # With a budget of half of that a tick the group does not split.
    session = with_rock(tmp_path)
    session.world.settings.formation.budget = parted[0][0] // 2
    told(session, "shape", "line")
    sent(session, 50.5, 11.0, facing=0.0)
    for _ in range(150):
        searched = len(spent)
        session.advance()
        assert sum(spent[searched:]) <= parted[0][0] // 2
        assert not any(event.kind == "parted" for event in session.world.events)


def test_with_the_setting_off_the_group_stays_one(tmp_path: Path) -> None:
    session = with_rock(tmp_path)
    session.world.settings.formation.part = False
    told(session, "shape", "line")
    sent(session, 50.5, 11.0, facing=0.0)
    for _ in range(200):
        session.advance()
        assert len(session.world.groups.rows) <= 1


@given(st.lists(st.integers(0, 3), min_size=1, max_size=30), st.integers(0, 99))
@settings(max_examples=50, deadline=None)
def test_halves_have_the_same_share_of_every_type(kinds: list[int], seed: int) -> None:
    right = np.random.default_rng(seed).normal(size=len(kinds))
    goes = halves(np.array(kinds), right, np.arange(len(kinds)))
    assert abs(int(goes.sum()) * 2 - len(kinds)) <= 1
    for kind in set(kinds):
        mine = np.array(kinds) == kind
        assert abs(int((goes & mine).sum()) * 2 - int(mine.sum())) <= 1
        assert right[mine & ~goes].max(initial=-9) <= right[mine & goes].min(initial=9)
