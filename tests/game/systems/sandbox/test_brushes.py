"""Brushes of the sandbox: ground, doors, lamps, undo and redo, replayed and saved."""

import numpy as np
import pytest

from ai.grid.components import Components
from game.level.reading import load_level
from game.sim.replay import open_replay, save_replay
from game.sim.saves import load_game, save_game
from game.sim.session import Session
from game.world.orders import Order, OrderKind, order_from_json
from tests.game.sim.small_levels import bridge_level


def paint(name: str, *box: int, stroke: int = 0, text: str = "") -> Order:
    return Order(int(OrderKind.PAINT), name=name, points=tuple(map(float, box)), value=float(stroke), text=text)


@pytest.fixture
def session(tmp_path):
    return Session(load_level(bridge_level(tmp_path, raiders=2, guards=1)))


def give(session: Session, *orders: Order) -> list[str]:
    """Give orders and run a tick; return the refusals."""
    for order in orders:
        session.give(order)
    session.advance()
    return [e.text for e in session.world.events if e.kind == "refused"]


def state(session: Session) -> tuple:
    """Return all that a brush changes, as bytes and plain values."""
    w = session.world
    ground = session.level.ground.copy()
    for row in w.new_ground:
        box = slice(row.y0, row.y1), slice(row.x0, row.x1)
        ground[box] = session.level.ground[box] if row.ground == 255 else row.ground
    fields = (w.terrain.passable, w.terrain.cost, w.terrain.opaque, w.terrain.cover, w.loudness, ground)
    doors = [(d.id, d.x0, d.y0, d.x1, d.y1, d.open) for d in w.doors]
    return *(f.tobytes() for f in fields), doors, [(s.id, s.x, s.y) for s in w.lights]


def test_undo_and_redo_lead_through_the_same_states_and_structures_follow(session):
    strokes = [
        [paint("wall", 4, 2, 7, 3, stroke=1), paint("wall", 6, 2, 7, 6, stroke=1)],
        [paint("door", 5, 2, 6, 3, stroke=2)],
        [paint("lamp", 8, 8, 9, 9, stroke=3)],
        [paint("water", 12, 6, 14, 8, stroke=4)],
        [paint("erase", 4, 1, 11, 10, stroke=5, text="field")],
        [paint("cover", 0, 12, 3, 14, 20, 0, 24, 2, stroke=6)],
    ]
    states = [state(session)]
    for orders in strokes:
        assert give(session, *orders) == []
        states.append(state(session))
    assert len(set(map(repr, states))) == len(states)
    u = session.world.units
    for step in range(len(strokes) - 1, -1, -1):
        assert give(session, paint("undo")) == []
        assert state(session) == states[step], f"undo of stroke {step + 1}"
    assert give(session, paint("undo")) == ["there is nothing to undo"]
    for step in range(1, len(states)):
        assert give(session, paint("redo")) == []
        assert state(session) == states[step], f"redo of stroke {step}"
    w = session.world
    w.components.update(w.terrain)
    assert np.array_equal(w.components.label_map(0) > 0, Components.build(w.terrain).label_map(0) > 0)
    assert (w.terrain.passable[u.y[: u.count].astype(int), u.x[: u.count].astype(int)] > 0).all()


def test_a_wall_with_a_door_stops_eyes_until_the_door_opens(session):
    give(session, paint("wall", 6, 0, 7, 14, stroke=1), paint("door", 6, 6, 7, 7, stroke=2))
    w = session.world
    (door,) = w.doors
    assert (door.x0, door.y0, door.x1, door.y1, door.open) == (6, 6, 7, 7, False)
    assert not w.terrain.passable[6, 6] & 1 and w.terrain.opaque[6, 6] and w.terrain.opaque[:, 6].all()
    explored = w.sight.visible_mask(0)
    assert explored[6, 5] and not explored[:, 8:].any(), "raiders west of the wall see nothing east of it"
    session.give(Order(int(OrderKind.MOVE), 0, (0,), 9.5, 6.5))
    for _ in range(120):
        session.advance()
    assert door.open and w.units.x[0] > 7, "the raider opened the painted door and went through"


def test_a_stroke_over_a_door_takes_the_whole_door_away_and_units_move_out_of_new_walls(session):
    give(session, paint("wall", 4, 0, 5, 14), paint("door", 4, 5, 5, 8))
    assert len(session.world.doors) == 1
    u = session.world.units
    y, x = int(u.y[0]), int(u.x[0])
    give(session, paint("wall", 4, 7, 5, 8), paint("wall", x, y, x + 1, y + 1))
    w = session.world
    assert w.doors == [] and w.terrain.passable[5, 4] & 1 and not w.terrain.passable[7, 4]
    assert (int(u.y[0]), int(u.x[0])) != (y, x) and w.terrain.passable[int(u.y[0]), int(u.x[0])] & 1


def test_painting_is_replayed_and_saved_with_its_undo(session, tmp_path):
    give(session, paint("wall", 4, 2, 7, 3, stroke=1), paint("lamp", 8, 8, 9, 9, stroke=2))
    give(session, paint("door", 5, 2, 6, 3, stroke=3), paint("undo"), paint("redo"), paint("undo"))
    for _ in range(25):
        session.advance()
    save_replay(session, tmp_path / "a.json")
    replay, again = open_replay(tmp_path / "a.json")
    while again.world.tick < replay.ticks:
        again.advance()
    assert again.world.hash() == session.world.hash() and again.hashes == session.hashes
    save_game(session, tmp_path / "a.save")
    loaded = load_game(tmp_path / "a.save")
    give(loaded, paint("redo"), paint("undo"), paint("undo"), paint("undo"))
    give(session, paint("redo"), paint("undo"), paint("undo"), paint("undo"))
    assert loaded.world.hash() == session.world.hash() and state(loaded) == state(session)
    assert not loaded.world.doors and not loaded.world.lights


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (paint("paintbrush", 1, 1, 2, 2), "use one of wall, water"),
        (paint("wall", 1, 1, 2), "1 to 64 boxes"),
        (paint("wall"), "1 to 64 boxes"),
        (paint("wall", 1, 1, 99, 2), "map of 24 x 14 tiles"),
        (paint("erase", 1, 1, 2, 2, text="lava"), "no ground 'lava'"),
        (paint("redo"), "nothing to redo"),
    ],
)
def test_a_bad_stroke_is_refused_in_one_line_and_changes_nothing(session, order, words):
    before = state(session)
    (told,) = give(session, order)
    assert words in told and "\n" not in told and state(session) == before


def test_spoilt_strokes_of_a_save_are_refused(session, tmp_path):
    give(session, paint("wall", 4, 2, 7, 3))
    session.world.brushwork.done[0].patches[0].x0 = 23
    save_game(session, tmp_path / "a.save")
    with pytest.raises(ValueError, match="brushwork"):
        load_game(tmp_path / "a.save")


def test_the_order_survives_the_replay_file():
    order = paint("erase", 1, 2, 3, 4, stroke=7, text="road")
    assert order_from_json(order.to_json()) == order
