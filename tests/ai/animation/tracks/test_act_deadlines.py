"""Time-out and fallback: a sealed door, and a property over random progress."""

from ai.animation.tracks.act_deadlines import FACTOR, STEP, ActDeadlines
from ai.core.rand import Stream, uniform

GO = 3


def test_a_walker_before_a_sealed_door_gives_up_in_time_and_does_something_else() -> None:
    acts, chosen, place, late = ActDeadlines(cooldown=50), list[tuple[int, int]](), 0.0, True
    for tick in range(140):
        if late:
            target = next(t for t in (8, 9) if not acts.barred(1, GO, t, tick))
            acts.watch(1, GO, target, tick, expected=10)
            chosen.append((tick, target))
        shut = chosen[-1][1] == 8  # the door to target 8, at 3 tiles, is sealed
        place = min(place + 0.2, 3.0) if shut else place + 0.2
        acts.progress(1, 40.0 - place, tick)
        late = 1 in acts.overdue(tick)
        if late:
            acts.fail(1, tick)
    # Progress ends between ticks 12 and 14; the deadline is 20 ticks later, and the other target has no door.
    assert [target for _, target in chosen] == [8, 9]
    assert 12 + FACTOR * 10 <= chosen[1][0] <= 15 + FACTOR * 10


def test_no_act_outlives_its_deadline_without_progress() -> None:
    """End the watch a whole deadline after the last progress, at random distances."""
    for seed in range(20):
        acts, best, last = ActDeadlines(), float("inf"), 0
        acts.watch(1, GO, 8, 0, expected=6)
        for tick in range(200):
            distance = 10.0 * uniform(seed, Stream.SCRIPT, tick, 0, 0)
            if distance <= best - STEP:
                best, last = distance, tick
            acts.progress(1, distance, tick)
            late = acts.overdue(tick)
            assert late == ([1] if tick >= last + FACTOR * 6 else [])
            if late:
                break
        else:
            raise AssertionError("no deadline in 200 ticks")


def test_a_finished_act_is_not_watched_and_bars_nothing() -> None:
    acts = ActDeadlines()
    acts.watch(1, GO, 8, 0, expected=5)
    acts.watch(2, GO, 8, 0, expected=5)
    acts.finish(1)
    assert acts.overdue(10) == [2]
    acts.fail(2, 10)
    assert acts.overdue(11) == [] and not acts.barred(1, GO, 8, 11) and acts.barred(2, GO, 8, 11)
    assert acts.barred(2, GO, 8, 209) and not acts.barred(2, GO, 8, 210)
