"""Fire and movement without a leader: members in turn, with and without a loss."""

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.squad.emergent.fire_and_movement import ARRIVED, FIRE_AND_MOVEMENT, may_move
from ai.squad.emergent.mental_picture import Act, MentalPictures
from ai.squad.manoeuvres.manoeuvre import MemberTask, Situation, begin

STEP, STRIDE = 10, 2.0
"""Ticks from one thought to the next; tiles run in that time."""


@pytest.mark.parametrize("falls", [-1, 0, 2])
def test_a_team_bounds_to_its_goal_and_a_loss_does_not_stop_it(falls: int) -> None:
    terrain = Terrain.build(np.ones((14, 30), bool))
    x, y = np.full(4, 3.5), np.array([3.5, 5.5, 7.5, 9.5])
    alive, health = np.ones(4, bool), np.ones(4)
    task = begin("fire_and_movement", [0, 1, 2, 3], (22.5, 6.5), 0, 10_000)
    moved: set[int] = set()
    most, done = 0, False
    for k in range(300):
        if k == 12 and falls >= 0:
            alive[falls], health[falls] = False, 0.0
        s = Situation(k * STEP, terrain, x, y, alive, health, np.zeros((0, 2)))
        if k == 0:
            assert FIRE_AND_MOVEMENT.brief(task, s) == ""
        done = FIRE_AND_MOVEMENT.step(task, s)
        if done:
            break
        going = [row for row in s.rows.tolist() if task.task[row] != MemberTask.COVER]
        most = max(most, len(going))
        moved.update(going)
        for row in going:
            way = task.goal[row] - (x[row], y[row])
            far = float(np.hypot(*way))
            x[row], y[row] = (x[row], y[row]) + way * min(1.0, STRIDE / max(far, 1e-9))
    living = np.flatnonzero(alive)
    assert done and (np.hypot(x[living] - 22.5, y[living] - 6.5) <= ARRIVED).all()
    assert 1 <= most <= 2 and moved >= set(living.tolist()), "half of four at most, and each in its turn"


@pytest.mark.parametrize(("role", "dwell"), [("rifleman", 40), ("gunner", 120), ("sniper", 120)])
@pytest.mark.parametrize(
    ("others", "moves"),
    [
        ((Act.ENGAGE, Act.ENGAGE, Act.ENGAGE), True),
        ((Act.ENGAGE, Act.ENGAGE, Act.MOVE), True),
        ((Act.ENGAGE, Act.MOVE, Act.MOVE), False),
        ((Act.ENGAGE, Act.MOVE, Act.DEAD), True),
        ((Act.ENGAGE, Act.UNKNOWN, Act.UNKNOWN), False),
    ],
)
def test_a_member_moves_when_half_of_its_living_buddies_engage_and_it_has_dwelt(
    role: str, dwell: int, others: tuple[Act, ...], moves: bool
) -> None:
    """Dwelling ends at its very tick; without any news the wait is 80 ticks."""
    acts = np.zeros((4, 4), np.int8)
    pictures, column = MentalPictures(act=acts, since=np.full(4, 300)), np.zeros(4)
    terrain = Terrain.build(np.ones((3, 3), bool))
    for news, wait, may in ((others, dwell, moves), ((Act.UNKNOWN,) * 3, 80, True)):
        acts[0, 1:] = news
        for waited in (0, wait - 1, wait, wait + 50):
            s = Situation(
                300 + waited, terrain, column, column, column == 0, column, np.zeros((0, 2)), roles=(role,) * 4
            )
            assert may_move(pictures, 0, s) == (may and waited >= wait), (news, waited)
