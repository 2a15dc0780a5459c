"""Command table and key bindings: no shared keys, a keys file and its errors."""

import pygame
import pytest

from game.view.hud.keys_card import TWELVE
from game.view.input.command_table import BY_NAME, CARD, COMMANDS, default_keys
from game.view.input.key_bindings import (
    BindingError,
    KeyMap,
    conflicts,
    key_of_event,
    parse_key,
    read_bindings,
    write_bindings,
)
from game.view.input.player_command import Situation
from game.world.orders import OrderKind


@pytest.mark.parametrize("wasd", [False, True])
def test_no_two_commands_share_a_key(wasd):
    bindings, problems = read_bindings(default_keys(wasd), None)
    assert problems == []
    assert conflicts(bindings) == []


def test_every_command_has_a_name_a_description_and_a_key():
    assert len(BY_NAME) == len(COMMANDS)
    for command in COMMANDS:
        assert command.words and parse_key(command.key)


@pytest.mark.usefixtures("window")
def test_every_order_of_the_card_has_an_icon_and_a_reason_without_a_selection():
    from game.view.units.sprites import Sprites

    sprites = Sprites()
    for command in CARD:
        assert sprites.cell("icons.day.36", command.icon), command.icon
        assert command.reason(Situation()) != ""
        assert command.kind != OrderKind.NONE
        assert (command.order is None) == bool(command.target)


def test_orders_made_at_once_carry_the_selection():
    situation = Situation(selected=(3, 5), side=0, stances=frozenset({0}), paces=frozenset({1}), carrying=True)
    for command in CARD:
        if command.order is not None:
            order = command.order(situation)
            assert order.units == (3, 5) and order.kind == command.kind


def test_crouching_again_stands_up():
    crouch = BY_NAME["crouch"]
    assert crouch.order(Situation(selected=(1,), stances=frozenset({0}))).value == 1
    assert crouch.order(Situation(selected=(1,), stances=frozenset({1}))).value == 0


def test_the_first_card_shows_twelve_keys():
    assert len(TWELVE) == 12


@pytest.mark.parametrize("text", ["A", "Ctrl+1", "Ctrl+Shift+F5", "Space", "Period", "Esc"])
def test_a_key_is_written_as_it_is_read(text):
    assert str(parse_key(text)) == text


@pytest.mark.parametrize("text", ["Hyper+A", "", "Ctrl+", "Banana"])
def test_unknown_keys_are_refused_in_one_line(text):
    with pytest.raises(BindingError) as told:
        parse_key(text)
    assert "\n" not in str(told.value)


def test_a_keys_file_rebinds_and_each_mistake_is_reported_in_one_line(tmp_path):
    file = tmp_path / "keys.toml"
    file.write_text('stop = "PageUp"\nfly = "Q"\npause = 3\nhold = "Hyper+H"\n', encoding="utf-8")
    bindings, problems = read_bindings(default_keys(), file)
    assert str(bindings["stop"]) == "PageUp"
    assert str(bindings["hold"]) == "H"
    assert len(problems) == 3 and all("\n" not in p for p in problems)


def test_a_file_that_binds_a_key_twice_is_not_used(tmp_path):
    file = tmp_path / "keys.toml"
    file.write_text('stop = "A"\n', encoding="utf-8")
    bindings, problems = read_bindings(default_keys(), file)
    assert str(bindings["stop"]) == "S"
    assert len(problems) == 1 and "attack_move" in problems[0] and "stop" in problems[0]


def test_broken_toml_leaves_the_defaults(tmp_path):
    file = tmp_path / "keys.toml"
    file.write_text("stop = = 3", encoding="utf-8")
    bindings, problems = read_bindings(default_keys(), file)
    assert len(problems) == 1 and conflicts(bindings) == []


def test_bindings_survive_being_written(tmp_path):
    file = tmp_path / "keys.toml"
    defaults = default_keys()
    bindings, _ = read_bindings(defaults, None)
    bindings["stop"] = parse_key("Ctrl+X")
    write_bindings(defaults, bindings, file)
    again, problems = read_bindings(defaults, file)
    assert problems == [] and again == bindings


def test_keys_are_physical_and_labels_follow_the_layout():
    keymap = KeyMap(read_bindings(default_keys(), None)[0])
    # A French keyboard prints Q where the US one prints A.
    event = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_q, scancode=pygame.KSCAN_A, mod=0, unicode="q")
    assert keymap.command_of(key_of_event(event)) == "attack_move"
    keymap.learn(event)
    assert keymap.label("attack_move") == "Q"
