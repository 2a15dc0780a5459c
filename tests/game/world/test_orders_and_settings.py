"""Orders and settings as plain data: round trips and errors of one line."""

from dataclasses import field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai.core.serialization import record
from game.world.orders import Order, OrderKind, order_from_json
from game.world.settings import parse_value, set_value, walk_settings

coordinates = st.floats(-1000, 1000)
moves = st.builds(
    Order,
    kind=st.sampled_from([int(k) for k in (OrderKind.MOVE, OrderKind.ATTACK_MOVE, OrderKind.PATROL)]),
    side=st.integers(0, 3),
    units=st.lists(st.integers(0, 500), max_size=5).map(tuple),
    x=coordinates,
    y=coordinates,
    queued=st.booleans(),
)


@given(moves)
def test_orders_survive_json(order: Order) -> None:
    assert order_from_json(order.to_json()) == order


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"kind": "fly"}, "none of"),
        ({"kind": "none"}, "none of"),
        ({"kind": "move"}, "needs x and y"),
        ({"kind": "attack"}, "needs a target"),
        ({"kind": "stop", "speed": 3}, "unknown key 'speed'"),
        ({"kind": "move", "x": "far", "y": 1}, "must be a number"),
        ({"kind": "move", "x": float("nan"), "y": 1}, "finite"),
        ({"kind": "move_each", "units": [1, 2], "points": [1.0]}, "numbers in points"),
        ({"kind": "stop", "units": 5}, "units must be a list"),
        ({"kind": "stop", "units": None}, "units must be a list"),
        ({"kind": "stop", "units": ["ann"]}, "must be ids"),
        ({"kind": "stop", "units": [10**30]}, "at most"),
        ({"kind": "attack", "units": [0], "target": None}, "target of an order attack"),
        ({"kind": "attack", "units": [0], "target": 10**30}, "target of an order attack"),
        ({"kind": "stop", "side": 1.5}, "side of an order stop"),
        ({"kind": "move", "x": 10**400, "y": 1}, "finite"),
        ({"kind": "edit", "points": [None] * 8}, "must be a number"),
        ({"kind": "setting", "name": 3}, "must be words"),
    ],
)
def test_a_wrong_order_is_reported_in_one_line(data: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        order_from_json(data)
    assert "\n" not in str(caught.value)


@record
class Inner:
    speed: float = field(default=1.5, metadata={"low": 0.0, "high": 4.0, "doc": "tiles a second"})
    scheme: str = field(default="equal", metadata={"choices": ("equal", "progressive")})
    on: bool = True


@record
class Outer:
    inner: Inner = field(default_factory=Inner)
    count: int = 3


def test_settings_are_named_by_their_path_and_have_a_description() -> None:
    rows = {name: (value, doc) for name, value, doc in walk_settings(Outer())}
    assert rows["inner.speed"] == (1.5, "tiles a second")
    assert set(rows) == {"inner.speed", "inner.scheme", "inner.on", "count"}


def test_setting_keeps_types_bounds_and_choices() -> None:
    tree = Outer()
    set_value(tree, "inner.speed", parse_value(tree, "inner.speed", "2"))
    set_value(tree, "inner.on", parse_value(tree, "inner.on", "off"))
    set_value(tree, "count", parse_value(tree, "count", "7"))
    assert (tree.inner.speed, tree.inner.on, tree.count) == (2.0, False, 7)
    for name, value in (("inner.speed", 9.0), ("inner.scheme", "odd"), ("inner.none", 1), ("inner", 1), ("", 1)):
        with pytest.raises(ValueError):
            set_value(tree, name, value)
    for value in (float("nan"), float("inf"), 1e300, "seven", None):
        for name in ("count", "inner.speed"):
            with pytest.raises(ValueError, match=f"setting {name} takes"):
                set_value(tree, name, value)
    set_value(tree, "inner.on", "on")
    assert tree.inner.on is True
    for name, text in (("count", "x"), ("inner.on", "perhaps"), ("inner.speed", "inf")):
        with pytest.raises(ValueError, match="takes"):
            parse_value(tree, name, text)
