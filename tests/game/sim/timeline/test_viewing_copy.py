"""Viewing copy: one hash for each tick, and an untouched game."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from game.checks.scripts.script import load_script
from game.checks.scripts.scripted_player import ScriptedPlayer
from game.level.finding import shipped_levels
from game.level.reading import load_level
from game.sim.replay import open_replay, replay_text, save_replay, verify
from game.sim.session import Session
from game.sim.timeline.keyframes import EVERY, History, KeyframeStore
from game.sim.timeline.viewing_copy import ViewingCopy
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import bridge_level

ROOT = Path(__file__).resolve().parents[4]
TICKS = 230


class Played:
    """A game with the hash of every tick, taken while it was played."""

    def __init__(self, session: Session, script=None, orders=None, ticks: int = TICKS) -> None:
        self.session = session
        session.remember()
        player = ScriptedPlayer()
        self.hashes = {0: session.world.hash()}
        for tick in range(1, ticks + 1):
            for order in player.orders(script, session.world, tick) if script else ():
                session.give(order)
            for order in (orders or {}).get(tick, ()):
                session.give(order)
            session.advance()
            self.hashes[session.world.tick] = session.world.hash()


@pytest.fixture(scope="module")
def bridge(tmp_path_factory) -> Played:
    """Raiders meet guards at a bridge and are ordered about on the way."""
    session = Session(load_level(bridge_level(tmp_path_factory.mktemp("bridge"), raiders=4, guards=2)), seed=5)
    raiders = tuple(range(4))
    return Played(
        session,
        orders={
            1: [Order(int(OrderKind.MOVE), 0, raiders, 20.5, 6.5)],
            90: [
                Order(int(OrderKind.MOVE), 0, raiders[:2], 4.5, 10.5),
                Order(int(OrderKind.STANCE), 0, (2,), value=1.0),
            ],
            150: [Order(int(OrderKind.ATTACK_MOVE), 0, raiders, 19.5, 8.5)],
        },
    )


def _scripted(name: str) -> Played:
    script = load_script(next(path for path in (ROOT / "levels").rglob(f"{name}.toml")))
    return Played(Session(load_level(shipped_levels()[name]), script.seed, dict(script.settings)), script)


@pytest.fixture(scope="module")
def changed_map() -> Played:
    """A bridge is drawn while units are on their way over it."""
    return _scripted("drawbridge_under_way")


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(0, TICKS), min_size=1, max_size=6))
def test_the_hash_at_a_tick_is_the_same_however_one_came_there(bridge, ticks):
    copy = ViewingCopy(bridge.session)
    for tick in ticks:
        assert copy.seek(tick)
        assert (copy.tick, copy.session.world.hash()) == (tick, bridge.hashes[tick])


def test_so_it_is_on_a_map_that_changes(changed_map):
    copy = ViewingCopy(changed_map.session)
    assert len({int(copy.session.world.terrain.revision)}) == 1
    for tick in (TICKS, 3, 120, 119, 118, 200, 40, 41, 39, 0, TICKS - 1):
        assert copy.seek(tick)
        assert copy.session.world.hash() == changed_map.hashes[tick], tick
    copy.seek(0)
    assert int(copy.session.world.terrain.revision) < int(changed_map.session.world.terrain.revision)


def test_the_recorded_hashes_are_those_of_a_game_without_history(bridge):
    other = Session(bridge.session.level, seed=5)
    other.schedule(bridge.session.log)
    while other.world.tick < TICKS:
        other.advance()
        assert other.world.hash() == bridge.hashes[other.world.tick]


def test_looking_leaves_game_log_and_replay_untouched(bridge):
    session = bridge.session
    before = (session.world.hash(), list(session.log), replay_text(session), session.waiting)
    copy = ViewingCopy(session)
    for tick in (10, 200, 60):
        copy.seek(tick)
    copy.session.give(Order(int(OrderKind.STOP), 0, (0, 1)))
    for _ in range(20):
        copy.session.advance()
    copy.branch()
    assert (session.world.hash(), list(session.log), replay_text(session), session.waiting) == before


def test_the_copy_plays_on_with_the_recorded_orders(bridge):
    copy = ViewingCopy(bridge.session)
    copy.seek(80)
    while copy.tick < TICKS:
        copy.session.advance()
        assert copy.session.world.hash() == bridge.hashes[copy.tick]


def test_a_search_for_a_tick_can_be_taken_up_again(bridge):
    copy = ViewingCopy(bridge.session)
    calls = 0
    while not copy.seek(EVERY * 2 + 28, lambda: True):
        calls += 1
        assert calls < 100
    assert calls >= 25 and copy.session.world.hash() == bridge.hashes[copy.tick]


def test_a_branch_without_new_orders_has_the_same_future(bridge):
    copy = ViewingCopy(bridge.session)
    copy.seek(70)
    branch = copy.branch()
    assert [tick for tick, _ in branch.log] == [1] and [tick for tick, _ in branch.hashes] == [20, 40, 60]
    branch.schedule([row for row in bridge.session.log if row[0] > 70])
    while branch.world.tick < TICKS:
        branch.advance()
    assert branch.world.hash() == bridge.hashes[TICKS] and branch.log == bridge.session.log
    assert branch.hashes == bridge.session.hashes


def test_a_branch_with_other_orders_has_a_replay_of_its_own(bridge, tmp_path):
    copy = ViewingCopy(bridge.session)
    copy.seek(70)
    branch = copy.branch()
    branch.give(Order(int(OrderKind.STOP), 0, tuple(range(4))))
    while branch.world.tick < 120:
        branch.advance()
    assert branch.world.hash() != bridge.hashes[120]
    save_replay(branch, tmp_path / "branch.json")
    assert verify(tmp_path / "branch.json") == []
    again = ViewingCopy(branch)
    again.seek(60)
    assert again.session.world.hash() == bridge.hashes[60], "its past is the common one"
    own = branch.world.hash()
    again.seek(120)
    assert again.session.world.hash() == own


def test_bookmarks_are_saved_in_the_replay_and_a_branch_keeps_the_earlier_ones(bridge, tmp_path):
    bridge.session.bookmarks = [40, 120]
    save_replay(bridge.session, tmp_path / "game.json")
    assert open_replay(tmp_path / "game.json")[1].bookmarks == [40, 120]
    copy = ViewingCopy(bridge.session)
    copy.seek(70)
    assert copy.branch().bookmarks == [40]
    bridge.session.bookmarks = []


def test_a_replay_is_sought_like_a_game(bridge, tmp_path):
    save_replay(bridge.session, tmp_path / "game.json")
    _, session = open_replay(tmp_path / "game.json")
    session.remember()
    while session.world.tick < 160:
        session.advance()
    copy = ViewingCopy(session)
    for tick in (95, 12, 160):
        copy.seek(tick)
        assert copy.session.world.hash() == bridge.hashes[tick]


def test_a_tick_out_of_reach_shows_the_end_of_the_record(bridge):
    copy = ViewingCopy(bridge.session)
    copy.seek(10_000)
    assert copy.tick == TICKS
    copy.seek(-5)
    assert copy.tick == 0


def test_near_frames_shorten_a_step_back(bridge):
    """Ticks that are simulated, counted: at most those since the last near frame."""
    copy = ViewingCopy(bridge.session)
    copy.seek(EVERY * 3 - 1)
    advanced = []
    advance = copy.session.advance
    copy.session.advance = lambda *a: (advanced.append(1), advance(*a))
    copy.seek(EVERY * 3 - 3)
    assert 0 < len(advanced) < 8


def test_without_a_history_there_is_no_copy(tmp_path):
    session = Session(load_level(bridge_level(tmp_path)), seed=5)
    with pytest.raises(ValueError, match="records no history"):
        ViewingCopy(session)


def test_going_back_to_a_moment_forgets_the_later_frames(tmp_path):
    session = Session(load_level(bridge_level(tmp_path)), seed=5)
    history = session.remember()
    for _ in range(EVERY + 5):
        session.advance()
    session.keep()
    for _ in range(EVERY * 2):
        session.advance()
    assert [f.tick for f in history.frames] == [0, EVERY, 2 * EVERY, 3 * EVERY]
    session.back()
    assert [f.tick for f in session.history.frames] == [0, EVERY]
    session.give(Order(int(OrderKind.MOVE), 0, (0,), 20.5, 6.5))
    hashes = {}
    for _ in range(EVERY):
        session.advance()
        hashes[session.world.tick] = session.world.hash()
    copy = ViewingCopy(session)
    copy.seek(EVERY + 30)
    assert copy.session.world.hash() == hashes[EVERY + 30]


def test_each_moment_keeps_its_own_past(tmp_path):
    """Returns to a moment of the first run after another run."""
    session = Session(load_level(bridge_level(tmp_path)), seed=5)
    session.remember()
    hashes = {}

    def play(until: int) -> None:
        while session.world.tick < until:
            session.advance()
            hashes[session.world.tick] = session.world.hash()

    play(20)
    session.keep()
    session.give(Order(int(OrderKind.MOVE), 0, (0, 1), 20.5, 6.5))
    play(100)
    session.keep()
    first = dict(hashes)
    session.back(0)
    session.give(Order(int(OrderKind.MOVE), 0, (2, 3), 3.5, 2.5))
    play(130)
    assert hashes[90] != first[90]
    session.back(1)
    save_replay(session, tmp_path / "game.json")
    assert verify(tmp_path / "game.json") == [], "its log is that of the first run"
    copy = ViewingCopy(session)
    for tick in (90, 45, 100):
        copy.seek(tick)
        assert copy.session.world.hash() == first[tick]


def test_a_store_keeps_its_bound_and_drops_the_frames_recorded_first(tmp_path):
    session = Session(load_level(bridge_level(tmp_path)), seed=5)
    plain = session.world.snapshot()
    store = KeyframeStore(6 * plain.nbytes())
    session.remember(History(store))
    for _ in range(EVERY * 40):
        session.advance()
        assert store.ledger.nbytes <= store.most_bytes
    frames = session.history.frames
    assert 2 < len(frames) < 41 and frames[-1].tick == EVERY * 40
    assert session.history.first == frames[0].tick > 0
    copy = ViewingCopy(session)
    copy.seek(0)
    assert copy.tick == copy.first == frames[0].tick


def test_branches_share_frames_and_give_their_own_back(bridge):
    history = bridge.session.history
    before = (history.store.ledger.nbytes, len(history.store))
    made = history.branch(100)
    assert [f.tick for f in made.frames] == [0, 30, 60, 90]
    assert (history.store.ledger.nbytes, len(history.store)) == before
    made.close()
    assert (history.store.ledger.nbytes, len(history.store)) == before
    assert made.first == -1 and history.first == 0
