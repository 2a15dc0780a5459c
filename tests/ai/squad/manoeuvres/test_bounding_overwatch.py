"""Bounds: order of movers, halt spots by brute force, and ends."""

from __future__ import annotations

import numpy as np
import pytest

from ai.perception.sight.line_of_sight import line_clear
from ai.squad.manoeuvres.bounding_overwatch import BEHIND, LONGEST, halt_spots
from ai.squad.manoeuvres.manoeuvre import ManoeuvreStage, MemberTask, SquadTask, advance, begin, best_of, weigh
from ai.squad.manoeuvres.manoeuvre_table import MANOEUVRES
from ai.tactics.unseen_paths import weighted_path
from tests.ai.squad.manoeuvres.parade import Parade, terrain_of

OPEN = terrain_of(*["." * 40] * 12)
FOUR = [(2.5, 4.5), (2.5, 5.5), (3.5, 4.5), (3.5, 5.5)]


def movers(task: SquadTask, alive: np.ndarray) -> np.ndarray:
    """Return the rows that run."""
    return np.flatnonzero((task.task != MemberTask.COVER) & alive)


def test_two_teams_never_move_at_once_and_arrive() -> None:
    """Teams take turns; at every tick at least one living member covers."""
    squad = Parade(OPEN, FOUR, [(38.5, 5.5)])
    turns: list[int] = []

    def watch(task: SquadTask) -> None:
        teams = set(task.team[movers(task, squad.alive)].tolist())
        assert len(teams) <= 1
        assert (task.task[squad.alive] == MemberTask.COVER).any()
        if teams and (not turns or turns[-1] != next(iter(teams))):
            turns.append(next(iter(teams)))

    task = squad.run("bound_forward", (32.5, 5.5), watch)
    assert task.stage == ManoeuvreStage.DONE, task.why
    assert len(turns) >= 4
    apart = np.hypot(squad.x[:, None] - squad.x, squad.y[:, None] - squad.y)[np.triu_indices(4, 1)]
    assert apart.min() > 0.8, "each member has a place of its own"
    assert np.hypot(squad.x - 32.5, squad.y - 5.5).max() < 4.0


def test_pull_back_moves_one_member_the_farthest_first() -> None:
    """Each mover is the farthest of those behind, and ends nearer than all others."""
    squad = Parade(OPEN, [(30.5, 5.5), (31.5, 4.5), (32.5, 6.5), (33.5, 5.5)], [(38.5, 5.5)])
    started: list[int] = []

    def watch(task: SquadTask) -> None:
        rows = movers(task, squad.alive)
        assert len(rows) <= 1
        if len(rows) and (not started or started[-1] != rows[0]):
            started.append(int(rows[0]))
            far = np.hypot(squad.x - 4.5, squad.y - 5.5)
            behind = task.leg == np.delete(task.leg, rows[0]).min()
            assert far[rows[0]] >= far[behind].max() - 1e-9
            at = np.hypot(*(task.goal[rows[0]] - (4.5, 5.5)))
            assert at < np.delete(far, rows[0]).min() + 4.0

    task = squad.run("pull_back", (4.5, 5.5), watch)
    assert task.stage == ManoeuvreStage.DONE, task.why
    assert started[:4] == [3, 2, 1, 0]


def test_a_squad_cut_to_two_goes_on_and_covers() -> None:
    """Half of the squad falls on the way; one of the two left covers."""
    squad = Parade(OPEN, FOUR, [(38.5, 5.5)])

    def watch(task: SquadTask) -> None:
        if squad.tick == 120:
            squad.alive[:2] = False
        if squad.tick > 125 and not task.ended:
            assert (task.task[squad.alive] == MemberTask.COVER).any()

    assert squad.run("bound_forward", (32.5, 5.5), watch).stage == ManoeuvreStage.DONE


@pytest.mark.parametrize("left", [0, 1])
def test_nobody_or_one_left_ends(left: int) -> None:
    """Ends with one member at the goal, and aborts in one think without members."""
    squad = Parade(OPEN, FOUR, [])

    def watch(task: SquadTask) -> None:
        if squad.tick == 30:
            squad.alive[left:] = False

    task = squad.run("bound_forward", (20.5, 5.5), watch)
    assert (task.stage == ManoeuvreStage.DONE) == bool(left)
    assert (task.task == MemberTask.COVER).all()


def test_halt_spots_see_back_and_hide_ahead() -> None:
    """A spot sees back and hides the next tile, or splits a stretch."""
    rows = ["#" * 20] + ["#" + "." * 18 + "#"] * 3 + ["#" * 15 + "...." + "#"] * 10 + ["#" * 20]
    terrain = terrain_of(*rows)
    path = weighted_path(terrain, terrain.cost, 0, (2, 1), (12, 16))
    assert path is not None
    tiles = [tuple(t) for t in path.tolist()]
    corner = False
    last = 0
    for spot in halt_spots(terrain, path)[:-1].tolist():
        k = tiles.index(tuple(spot))
        behind = tiles[max(0, k - BEHIND) : k]
        good = any(
            line_clear(terrain.opaque, *b, *tiles[k]) and not line_clear(terrain.opaque, *b, *tiles[k + 1])
            for b in behind
        )
        corner |= good
        assert good or np.hypot(*(path[k] - path[last])) >= LONGEST
        last = k
    assert corner


def test_no_path_and_too_late_abort_in_words() -> None:
    """A goal behind walls is refused; a slow squad ends at the deadline."""
    closed = terrain_of(".....#.....", ".....#.....", ".....#.....")
    squad = Parade(closed, [(1.5, 1.5), (2.5, 1.5)], [])
    assert squad.run("bound_forward", (9.5, 1.5), lambda task: None).why == "no path leads there"
    squad = Parade(OPEN, FOUR, [])
    assert squad.run("bound_forward", (32.5, 5.5), lambda task: None, limit=50).why == "it took too long"


def test_pull_back_is_not_followed_by_an_attack() -> None:
    """After contact is broken, the attack would win without the bar."""
    squad = Parade(OPEN, FOUR, [])
    free = weigh(MANOEUVRES, squad.situation(), (32.5, 5.5))
    barred = weigh(MANOEUVRES, squad.situation(), (32.5, 5.5), ending=MANOEUVRES["pull_back"])
    assert best_of(free) == "bound_forward"
    assert best_of(barred) == ""
    named = {one.name: one for one in barred}
    assert named["bound_forward"].fails == "the last manoeuvre bars it for now"
    assert named["suppress"].fails == "an enemy is near" and not named["bound_forward"].fitness


def test_a_kind_that_does_not_exist_is_an_error() -> None:
    """The table names its kinds."""
    with pytest.raises(KeyError):
        advance(MANOEUVRES, begin("dance", [0], (0.0, 0.0), 0, 10), Parade(OPEN, FOUR[:1], []).situation())


def test_a_manoeuvre_is_briefed_and_begins_with_phase_0_and_ends_at_its_deadline() -> None:
    squad = Parade(OPEN, FOUR, [])
    for tick, stage in ((49, ManoeuvreStage.MOVE_TO_START), (50, ManoeuvreStage.ABORTED)):
        task = begin("bound_forward", range(4), (32.5, 5.5), 0, 50)
        squad.tick = tick
        advance(MANOEUVRES, task, squad.situation())
        assert (task.stage, task.since) == (stage, tick)
    squad.tick = 60
    advance(MANOEUVRES, task, squad.situation())
    assert (task.stage, task.since) == (ManoeuvreStage.ABORTED, 50), "it has ended"
    task, squad.tick = begin("bound_forward", range(4), (32.5, 5.5), 50, 500), 51
    task.phase = 7
    for stage in (ManoeuvreStage.MOVE_TO_START, ManoeuvreStage.EXECUTE):
        advance(MANOEUVRES, task, squad.situation())
        assert task.stage == stage
    assert task.phase == 0 and (task.task == MemberTask.COVER).all()
