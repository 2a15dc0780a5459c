"""Faulty replay files: each gives an error of one line with file and place."""

import json
from pathlib import Path
from typing import Any

import pytest

from game.cli import main
from game.sim.replay import open_replay, save_replay
from game.sim.session import Session
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import bridge_level, load

MOVE = {"kind": "move", "side": 0, "units": [0], "x": 3.0, "y": 3.0}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a valid replay of one second."""
    folder = tmp_path_factory.mktemp("replays")
    session = Session(load(bridge_level(folder)))
    session.give(Order(int(OrderKind.MOVE), 0, (0, 1), 3.5, 3.5))
    for _ in range(20):
        session.advance()
    save_replay(session, folder / "true.json")
    return folder / "true.json"


def test_the_unchanged_replay_is_verified(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(record), "--verify"]) == 0
    assert "true" in capsys.readouterr().out


SLIPS: dict[str, tuple[dict[str, Any], str]] = {
    "ticks below none": ({"ticks": -4}, "ticks"),
    "units below none": ({"units": -4}, "units"),
    "too many units": ({"units": 10**6}, "units"),
    "more units than tiles": ({"units": 900}, "do not fit"),
    "a setting that is none": ({"settings": {"no.such": 1}}, "no setting"),
    "a setting in words": ({"settings": {"paths.budget": "abc"}}, "paths.budget takes int"),
    "an order before the start": ({"orders": [[0, MOVE]]}, "orders.0.0"),
    "one id for a list": ({"orders": [[1, MOVE], [2, {**MOVE, "units": 5}]]}, "orders.1: .*list"),
    "no units": ({"orders": [[2, {**MOVE, "units": None}]]}, "orders.0: .*list"),
    "an id of many digits": ({"orders": [[2, {**MOVE, "units": [10**30]}]]}, "orders.0: .*at most"),
    "no target": ({"orders": [[2, {"kind": "attack", "units": [0], "target": None}]]}, "orders.0: target"),
    "points that are none": ({"orders": [[2, {"kind": "edit", "points": [None] * 8}]]}, "orders.0: .*points"),
    "a kind that is none": ({"orders": [[2, {"kind": "fly"}]]}, "orders.0: .*fly"),
    "a level that is no path": ({"level": "a\0b"}, "level"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_mistake_in_a_replay_is_reported_with_file_and_place(record: Path, slip: str) -> None:
    changes, words = SLIPS[slip]
    path = record.with_name("wrong.json")
    path.write_text(json.dumps({**json.loads(record.read_text()), **changes}))
    with pytest.raises(ValueError, match=words) as told:
        open_replay(path)
    assert str(told.value).startswith(f"{path}: ") and "\n" not in str(told.value)


@pytest.mark.parametrize("text", ["", "[" * 100_000, "[]", "[" + "1" * 5000 + "]", "{}", "\ufeff{}"])
def test_a_file_that_is_no_replay_is_refused_in_one_line(record: Path, text: str) -> None:
    path = record.with_name("none.json")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="not a") as told:
        open_replay(path)
    assert str(told.value).startswith(f"{path}: ") and "\n" not in str(told.value)


@pytest.mark.parametrize(
    "level", ["/etc/passwd", "/etc/shadow", "notes.txt", "a" * 300, "x" * 5000 + ".tmx", "/dev/zero"]
)
def test_only_a_tiled_map_is_read_and_names_are_quoted_short(record: Path, level: str) -> None:
    path = record.with_name("wrong.json")
    path.write_text(json.dumps({**json.loads(record.read_text()), "level": level}))
    with pytest.raises(ValueError) as told:
        open_replay(path)
    assert "\n" not in str(told.value) and len(str(told.value)) < len(str(path)) + 200


def test_values_in_messages_are_cut_to_sixty_characters(record: Path) -> None:
    path = record.with_name("wrong.json")
    orders = [[2, {"kind": "x" * 5000}]]
    path.write_text(json.dumps({**json.loads(record.read_text()), "orders": orders}))
    with pytest.raises(ValueError) as told:
        open_replay(path)
    assert "x" * 40 in str(told.value) and "x" * 61 not in str(told.value)


def test_the_property_night_of_a_map_is_part_of_its_digest(tmp_path: Path) -> None:
    path = bridge_level(tmp_path)
    day = load(path)
    text = path.read_text()
    path.write_text(text.replace("<properties>", '<properties><property name="night" type="bool" value="true"/>', 1))
    assert load(path).digest != day.digest


@pytest.mark.long
def test_three_hundred_thousand_orders_enter_each_at_its_tick_in_the_order_given(record: Path) -> None:
    """Schedule more orders than a queue could hold that moves its rest for each."""
    _, session = open_replay(record)
    kinds = [Order(int(OrderKind.HOLD), 0, (k,)) for k in (0, 1)]
    rows = [((k * 7) % 5 + 1, kinds[k % 3 == 0]) for k in range(300_000)]
    session.schedule(rows)
    for tick in (1, 2):
        session.advance()
        assert session.replaying and session.log[60_000 * (tick - 1) :] == [row for row in rows if row[0] == tick]
