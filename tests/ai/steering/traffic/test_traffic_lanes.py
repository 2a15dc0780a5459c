"""Traffic lanes: streams that meet in a hall keep right of each other."""

import numpy as np
import pytest

from ai.steering.settings import SteeringSettings
from ai.steering.traffic.traffic_lanes import lane_error, oncoming
from tests.ai.steering.arena import Arena


def hall(width: int) -> np.ndarray:
    """Return ``width`` open rows between two walls, uint8[H, 60]."""
    passable = np.ones((width + 2, 60), np.uint8)
    passable[[0, -1]] = 0
    return passable


def offsets_where_streams_meet(width: int, each: int, **settings: float) -> tuple[float, float]:
    """Return mean tiles right of the middle, eastbound and westbound.

    They are counted in the middle third of the hall in ticks 250 to 449, when the streams of ``each`` units pass.
    """
    rows = width - 1
    k = np.arange(each)
    east = np.column_stack([4.5 + 1.2 * (k // rows), 1.8 + k % rows])
    west = np.column_stack([55.5 - 1.2 * (k // rows), 1.8 + k % rows])
    places = np.vstack([east, west]) + np.random.default_rng(1).uniform(-0.1, 0.1, (2 * each, 2))
    goals = np.vstack([west, east])
    arena = Arena(
        hall(width), places, goals, settings=SteeringSettings(**settings), facing=np.repeat([0.0, np.pi], each)
    )
    seen = np.zeros(2)
    count = np.zeros(2)
    for tick in range(450):
        arena.step()
        if tick < 250:
            continue
        right = arena.b.y - (1.0 + width / 2.0)
        inside = (arena.b.x > 20.0) & (arena.b.x < 40.0)
        for side, rows_of in enumerate((slice(0, each), slice(each, 2 * each))):
            part = inside[rows_of]
            seen[side] += (right[rows_of][part] * (1.0 if side == 0 else -1.0)).sum()
            count[side] += part.sum()
    assert (count > 0).all(), "the streams meet in the middle"
    return float(seen[0] / count[0]), float(seen[1] / count[1])


@pytest.mark.parametrize("width", [6, 9, 12])
def test_streams_take_the_right_half_of_a_hall(width: int) -> None:
    on = offsets_where_streams_meet(width, 5 * width)
    off = offsets_where_streams_meet(width, 5 * width, keep_right=0.0)
    assert min(on) > 0.3, "more than a body's radius right of the middle"
    assert sum(on) > sum(off) + 0.6


def error(width: int, right_of_middle: float, against: int) -> float:
    """Return the lane error of an eastbound body in a hall, in tiles."""
    return lane_error(hall(width), 1, 30.5, 1.0 + width / 2.0 + right_of_middle, 1.0, 0.0, 0.0, 0.3, against)


@pytest.mark.parametrize("width", [3, 4, 6, 9, 12])
@pytest.mark.parametrize("right_of_middle", [-0.9, -0.2, 0.0, 0.25, 0.3, 0.9])
def test_the_error_is_the_distance_to_the_right_half(width: int, right_of_middle: float) -> None:
    assert error(width, right_of_middle, width) == pytest.approx(max(0.0, 0.3 - right_of_middle))


@pytest.mark.parametrize(
    ("width", "against", "lanes"),
    [(3, 1, True), (4, 1, True), (5, 4, False), (5, 5, True), (9, 8, False), (9, 9, True), (12, 11, False)]
    + [(12, 12, True), (13, 13, False), (13, 100, False)],
)
def test_a_hall_has_lanes_against_one_unit_per_tile_of_width(width: int, against: int, lanes: bool) -> None:
    assert (error(width, 0.0, against) > 0.0) == lanes


def test_oncoming_units_are_counted_along_the_heading() -> None:
    traffic = np.zeros((3, 6, 8), np.int32)
    traffic[1, 1:5, 4] = 1, 2, 4, 8
    traffic[1, 5, 4] = 100
    traffic[1, 2, (3, 5)] = 16, 32
    traffic[1, 2, (0, 2, 6)] = 1000
    traffic[0, 2, 4] = 1000
    assert oncoming(traffic, 6.0, 6.0, 1.0, 0.0) == 1 + 2 + 4 + 8 + 16 + 32
    assert oncoming(traffic, 10.0, 6.0, -1.0, 0.0) == 1000, "the cell of the unit itself counts"
