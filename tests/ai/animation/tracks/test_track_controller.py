"""Track controller against its source's sequences and rules on lists of objects."""

from dataclasses import dataclass

import pytest

from ai.animation.tracks.act_kinds import ActKind, ActStage, Reason, Status, Track, kind_table
from ai.animation.tracks.act_order import ActOrder
from ai.animation.tracks.track_controller import END_HANDLE, END_TICK, HANDLE, SLOT, STAGE, TRACKS, TrackController
from ai.core.rand import Stream, below

MOVE, CLIMB, LOOK, FIRE, HIT, DIE, USE = range(7)
KINDS = (
    ActKind("move", Track.LEGS | Track.TORSO, 5, start=2, stop=3),
    ActKind("climb", Track.LEGS | Track.TORSO, 5, start=1, stop=2),
    ActKind("look", Track.HEAD, 5, stop=2),
    ActKind("fire", Track.WEAPON, 10),
    ActKind("hit", Track.TORSO | Track.HEAD, 20, stop=1),
    ActKind("die", 15, 100, stop=4),
    ActKind("use", Track.TORSO | Track.WEAPON, 10, start=2, stop=2, reports=True),
)


def controller() -> TrackController:
    return TrackController(kind_table(KINDS))


def test_a_second_move_is_merged_into_the_first() -> None:
    c = controller()
    first = c.order(ActOrder(7, MOVE, length=10, target=1), 0)
    for tick in range(4):
        c.advance(tick)
    second = c.order(ActOrder(7, MOVE, length=10, target=2), 4)
    assert c.status(first) == (Status.MERGED, Reason.REPLACED)
    assert c.status(second) == (Status.RUNNING, Reason.NONE)  # the START stage is not repeated
    assert len(c.acts_of(7)) == 1 and c.acts_of(7)[0, HANDLE] == second
    c.advance(13)
    assert c.status(second).status == Status.RUNNING
    c.advance(14)
    assert c.status(second).status == Status.DONE


def test_without_merging_a_second_order_ends_the_act_and_winds_up_again() -> None:
    c = controller()
    c.merging = False
    first = c.order(ActOrder(7, USE, length=5), 0)
    c.advance(1)
    second = c.order(ActOrder(7, USE, length=5), 1)
    assert c.status(first) == (Status.INTERRUPTED, Reason.REPLACED) and c.status(second).status == Status.PENDING
    c.advance(3)
    assert c.status(second).status == Status.RUNNING, "two ticks of wind-up after the second order"
    assert [int(row[HANDLE]) for row in c.acts_of(7)] == [second], "in the wind-up, the slot of a fading act is taken"
    assert c.order(ActOrder(8, USE, length=5), 3) == 2 and c.status(second).status == Status.RUNNING


def test_a_climb_takes_over_from_a_move_that_stops_meanwhile() -> None:
    c = controller()
    move = c.order(ActOrder(7, MOVE), 0)
    for tick in range(5):
        c.advance(tick)
    climb = c.order(ActOrder(7, CLIMB, length=20), 5)
    assert c.status(move) == (Status.INTERRUPTED, Reason.REPLACED)
    seen = []
    for tick in range(5, 12):
        c.advance(tick)
        seen.append([(int(r[HANDLE]), ActStage(r[STAGE]).name, int(r[SLOT])) for r in c.acts_of(7)])
    both = [(move, "STOP", 0), (climb, "EXECUTE", 1)]
    alone = [(climb, "EXECUTE", 0)]
    assert seen == [[(move, "STOP", 0), (climb, "START", 1)], both, both, alone, alone, alone, alone]


def test_a_hit_leaves_legs_and_weapon_alone_and_a_death_takes_all() -> None:
    c = controller()
    fire, look = c.order(ActOrder(7, FIRE, length=9), 0), c.order(ActOrder(7, LOOK), 0)
    hit = c.order(ActOrder(7, HIT, length=4), 1)
    assert c.status(fire).status == Status.RUNNING and c.status(look).status == Status.INTERRUPTED
    wave = c.order(ActOrder(7, LOOK), 2)
    assert c.status(wave) == (Status.FAILED, Reason.OUTRANKED) and c.status(hit).status == Status.RUNNING
    c.order(ActOrder(7, DIE), 3)
    c.advance(5)
    live = [row for row in c.acts_of(7) if row[STAGE] < ActStage.STOP]
    assert [int(row[TRACKS]) for row in live] == [15]


def test_a_report_or_a_deadline_ends_an_act_that_waits() -> None:
    c = controller()
    done, late = c.order(ActOrder(1, USE, length=5), 0), c.order(ActOrder(2, USE, length=5, deadline=14), 0)
    refused = c.order(ActOrder(3, USE, length=5), 0)
    assert c.status(done).status == Status.PENDING
    assert [c.advance(tick) for tick in range(8)][-2:] == [[], [done, late, refused]]
    c.report(done, 7)
    c.report(refused, 7, Reason.REFUSED)
    c.report(refused, 7)  # an end is final
    assert c.status(done) == (Status.DONE, Reason.NONE) and c.status(refused) == (Status.FAILED, Reason.REFUSED)
    assert c.advance(13) == [late]
    assert c.advance(14) == [] and c.status(late) == (Status.FAILED, Reason.TIMED_OUT)


def test_bad_data_is_named() -> None:
    with pytest.raises(ValueError, match="act kind 'float'"):
        kind_table([ActKind("float", 0, 1)])
    with pytest.raises(ValueError, match="no act kind 9"):
        controller().order(ActOrder(0, 9), 0)


@dataclass
class Played:
    """Act of the reference: one object with its own words."""

    handle: int
    kind: int
    begun: int
    length: int
    second: bool = False
    stopped: int = -1


class Reference:
    """The rules of the source on one list of objects a body."""

    def __init__(self) -> None:
        self.acts: dict[int, list[Played]] = {}
        self.ends: dict[int, tuple[Status, Reason]] = {}

    def end(self, act: Played, status: Status, reason: Reason, tick: int) -> bool:
        """Note an end; return whether the act still fades."""
        assert act.handle not in self.ends
        self.ends[act.handle] = (status, reason)
        act.stopped = tick
        return not act.second and KINDS[act.kind].stop > 0

    def order(self, unit: int, kind: int, handle: int, tick: int, length: int) -> None:
        mine = [a for a in self.acts.get(unit, []) if KINDS[a.kind].tracks & KINDS[kind].tracks]
        others = [a for a in self.acts.get(unit, []) if a not in mine]
        live = [a for a in mine if a.stopped < 0]
        new = Played(handle, kind, tick, length)
        if any(KINDS[a.kind].priority > KINDS[kind].priority for a in live):
            self.ends[handle] = (Status.FAILED, Reason.OUTRANKED)
            return
        for act in live:
            if act.kind == kind:
                self.ends[act.handle] = (Status.MERGED, Reason.REPLACED)
                started = tick - act.begun >= KINDS[kind].start
                act.handle, act.length = handle, length
                act.begun = tick - KINDS[kind].start if started else act.begun
                return
        fading = [a for a in mine if a.stopped >= 0]
        fading += [a for a in live if self.end(a, Status.INTERRUPTED, Reason.REPLACED, tick)]
        new.second = bool(fading)
        self.acts[unit] = [*others, *fading, new]

    def advance(self, tick: int) -> None:
        for unit, acts in self.acts.items():
            left = []
            for a in acts:
                kind = KINDS[a.kind]
                if a.stopped >= 0:
                    stays = tick - a.stopped < kind.stop
                elif a.length and tick - a.begun >= kind.start + a.length:
                    stays = self.end(a, Status.DONE, Reason.NONE, tick)
                else:
                    stays = True
                if stays:
                    left.append(a)
            for a in left:
                before = [b for b in left if b.stopped >= 0 and KINDS[b.kind].tracks & KINDS[a.kind].tracks]
                a.second = a.second and bool(before)
            self.acts[unit] = left


def test_random_orders_follow_the_rules_and_end_once() -> None:
    """Compare acts and ends of three bodies with the reference, tick by tick."""
    c, reference, given = controller(), Reference(), []
    for tick in range(400):
        for n in range(below(4, 5, Stream.SCRIPT, tick, 0, 9)):
            unit, kind = below(3, 5, Stream.SCRIPT, tick, n, 0), below(5, 5, Stream.SCRIPT, tick, n, 1)
            length = below(12, 5, Stream.SCRIPT, tick, n, 2)
            given.append(c.order(ActOrder(unit, kind, length), tick))
            reference.order(unit, kind, given[-1], tick, length)
        c.advance(tick)
        reference.advance(tick)
        for unit in range(3):
            rows = c.acts_of(unit)
            mine = sorted((a.handle, a.kind, a.second, a.stopped >= 0) for a in reference.acts.get(unit, []))
            assert sorted((int(r[0]), int(r[2]), bool(r[SLOT]), bool(r[STAGE] == ActStage.STOP)) for r in rows) == mine
            for track in Track:
                owners = rows[rows[:, TRACKS] & track > 0]
                assert len(owners) <= 2 and (owners[:, STAGE] < ActStage.STOP).sum() <= 1
        for end in c.recent_ends(tick):
            assert reference.ends[int(end[END_HANDLE])] == c.status(int(end[END_HANDLE]))
    assert c.total[0] == len(reference.ends) and len(given) > 500
    flying = {a.handle for acts in reference.acts.values() for a in acts if a.stopped < 0}
    assert set(given) == set(reference.ends) | flying  # every order has ended or is in flight
    assert (c.recent_ends(400 - 40)[:, END_TICK] >= 360).all()
