"""Base of fire: a line to the target for each member, past no comrade."""

import math

import pytest

from ai.squad.manoeuvres.base_of_fire import BASE_OF_FIRE
from ai.squad.manoeuvres.manoeuvre import MemberTask, begin
from tests.ai.squad.manoeuvres.parade import Parade, terrain_of

FIELD = terrain_of(*["." * 20] * 15)
TARGET = (12.5, 7.5)
SHOULDERS = 0.35


def _passes(start: tuple[float, float], body: tuple[float, float]) -> bool:
    """Return whether a shot at the target strikes a body, by small steps."""
    steps = [k / 400 for k in range(401)]
    points = [(start[0] + (TARGET[0] - start[0]) * k, start[1] + (TARGET[1] - start[1]) * k) for k in steps]
    return any(math.dist(point, body) < SHOULDERS for point in points)


@pytest.mark.parametrize(
    "places",
    [
        [(6.5, 7.5), (5.5, 7.5), (4.5, 7.5), (3.5, 7.5)],
        [(6.5, 7.5), (5.3, 7.4), (6.5, 6.5), (4.9, 6.1), (5.5, 9.5), (3.8, 10.4)],
    ],
    ids=["column", "loose"],
)
def test_no_member_fires_past_another_and_the_foremost_stay(places: list[tuple[float, float]]) -> None:
    """A column opens; those with a line of their own do not move."""
    squad = Parade(FIELD, places, [TARGET])
    task = begin("suppress", range(len(places)), TARGET, 0, 600)
    assert BASE_OF_FIRE.brief(task, squad.situation()) == ""
    ends = [
        places[k] if task.task[k] == MemberTask.COVER else (float(task.goal[k, 0]), float(task.goal[k, 1]))
        for k in range(len(places))
    ]
    assert task.task[0] == MemberTask.COVER and (task.task != MemberTask.COVER).any()
    assert all(math.dist(end, TARGET) <= squad.situation().reach + 1.0 for end in ends)
    for k, end in enumerate(ends):
        assert not any(_passes(end, other) for j, other in enumerate(ends) if j != k), (k, ends)
