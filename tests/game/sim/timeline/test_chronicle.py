"""Chronicle: its marks equal the happenings that were published, tick by tick."""

from game.level.reading import load_level
from game.sim.session import Session
from game.sim.timeline.chronicle import MARK_OF, Mark, next_mark
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import bridge_level


def _played(tmp_path, ticks=260):
    """Play a fight at the bridge; return the session and all that it published."""
    session = Session(load_level(bridge_level(tmp_path, raiders=4, guards=2)), seed=5)
    session.remember()
    session.give(Order(int(OrderKind.ATTACK_MOVE), 0, tuple(range(4)), 20.5, 6.5))
    facts = []
    for _ in range(ticks):
        session.advance()
        facts += session.world.events
    return session, facts


def test_every_fact_of_a_marked_kind_leaves_its_mark(tmp_path):
    session, facts = _played(tmp_path)
    wanted = [Mark(f.tick, MARK_OF[f.kind], f.unit, f.other) for f in facts if f.kind in MARK_OF]
    chronicle = session.history.chronicle
    assert chronicle.marks() == wanted
    assert {"order", "detection", "shot"} <= {mark.kind for mark in wanted}
    assert chronicle.marks({"shot"}) == [mark for mark in wanted if mark.kind == "shot"]
    assert chronicle.marks(units={1}) == [mark for mark in wanted if 1 in (mark.unit, mark.other)]


def test_marks_end_where_a_branch_or_a_kept_moment_does(tmp_path):
    session, _ = _played(tmp_path, 100)
    session.keep()
    before = session.history.chronicle.marks()
    for _ in range(160):
        session.advance()
    whole = session.history.chronicle.marks()
    assert len(whole) > len(before)
    assert session.history.branch(130).chronicle.marks() == [mark for mark in whole if mark.tick <= 130]
    session.back()
    assert session.history.chronicle.marks() == before
    for _ in range(160):
        session.advance()
    assert session.history.chronicle.marks() == whole, "the same ticks are noted again"


def test_the_next_mark_is_later_and_the_former_one_earlier():
    marks = [Mark(5, "order"), Mark(9, "shot"), Mark(9, "death"), Mark(30, "door")]
    assert [next_mark(marks, tick, 1) for tick in (0, 5, 9, 30)] == [marks[0], marks[1], marks[3], None]
    assert [next_mark(marks, tick, -1) for tick in (5, 9, 10, 99)] == [None, marks[0], marks[2], marks[3]]
