"""Panel "Why?": decisions, causes, and functions that exist."""

import ast
import importlib
import pkgutil
import time
from pathlib import Path

import pygame
import pytest

import game.minds
from ai.decision.decision_trace import DECISION, MESSAGE, PERCEPT, TRANSITION, TraceEntry
from ai.decision.skills import SkillList
from ai.decision.state_machine import StateMachine
from game.view.lab.why.code_editor import editor_command, open_in_editor
from game.view.lab.why.code_screen import CodeScreen
from game.view.lab.why.decision_list import last_decisions, why_the_second_lost
from game.view.lab.why.source_lines import source_of
from game.view.screens.options_screen import OptionsScreen
from game.view.window.user_options import config_folder, read_options
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import bridge_level

ROOT = Path(__file__).resolve().parents[4]


def _written_functions():
    """Return every text that the code passes as the deciding function."""
    found = set()
    for file in [*(ROOT / "game").rglob("*.py"), *(ROOT / "ai").rglob("*.py")]:
        text = file.read_text(encoding="utf-8")
        if "trace.add(" in text:
            calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
            words = [w for call in calls for w in call.keywords if w.arg == "function"]
            found |= {w.value.value for w in words if isinstance(w.value, ast.Constant)}
    return found


def _functions_of_minds():
    """Return every block of every state machine, and every test of a skill."""
    found = set()
    for info in pkgutil.walk_packages(game.minds.__path__, "game.minds."):
        for value in vars(importlib.import_module(info.name)).values():
            if isinstance(value, StateMachine):
                blocks = [*value.on.values()]
                for state in value.states:
                    blocks += [state.enter, state.update, state.exit, *state.on.values()]
                found |= {f"{b.__module__}.{b.__qualname__}" for b in blocks if b is not None}
            elif isinstance(value, SkillList):
                found |= {f"{s.valid.__module__}.{s.valid.__qualname__}" for s in value.skills}
    return found


def test_every_kind_of_decision_names_a_function_that_exists():
    names = _written_functions() | _functions_of_minds()
    assert len(names) > 60
    missing = sorted(name for name in names if source_of(name) is None)
    assert not missing
    for name in names:
        source = source_of(name)
        word = name.rpartition(".")[2]
        line = source.text[source.line - 1]
        assert word == "<lambda>" or f"def {word}(" in line or line.lstrip().startswith("@"), name


@pytest.mark.parametrize("name", ["", "game", "game.minds.no_module.f", "game.minds.explain.no_function",
                                  "..etc.passwd", "game/../../etc.x",
                                  "ai.decision.decision_trace.TraceEntry"])  # fmt: skip
def test_a_name_that_is_no_function_has_no_source(name):
    assert source_of(name) is None


def test_the_editor_opens_the_line():
    source = source_of("game.minds.explain.sentence_of")
    place = f"{ROOT / 'game/minds/explain.py'}:{source.line}"
    assert editor_command("code --wait", source) == ["code", "--wait", "-g", place]
    assert editor_command("gvim", source) == ["gvim", f"+{source.line}", str(ROOT / "game/minds/explain.py")]
    assert editor_command("xterm -e hx", source) == ["xterm", "-e", "hx", place]
    for editor, told in (("", "set VISUAL"), ("vim", "needs a terminal"), ("code 'x", "quotation")):
        with pytest.raises(ValueError, match=told):
            editor_command(editor, source)
        assert "\n" not in open_in_editor(editor, source)
    assert open_in_editor("/no/such/editor", source).startswith("/no/such/editor: cannot be started")


def test_the_editor_of_the_options_comes_before_that_of_the_shell(player, tmp_path, monkeypatch):
    told = tmp_path / "told"
    editor = tmp_path / "code"
    editor.write_text(f'#!/bin/sh\necho "$@" > {told}.new; mv {told}.new {told}\n', encoding="utf-8")
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", "/no/such/editor")
    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}" if name in ("code", "zed") else None)
    options = OptionsScreen(player.app)
    options.page = "Lab"
    player.app.push(options)
    player.frames(1)
    player.choose("zed")
    assert player.app.options.editor == "zed" and options.entry.get_text() == "zed"
    options.entry.set_text("")
    for letter in str(editor):
        options.entry.focus()
        player.send(pygame.event.Event(pygame.TEXTINPUT, text=letter))
    assert player.app.options.editor == str(editor)
    player.app.pop()
    assert read_options(config_folder() / "options.toml")[0].editor == str(editor)
    source = source_of("game.minds.explain.sentence_of")
    player.app.push(CodeScreen(player.app, source, "a guard decided"))
    player.frames(1)
    player.choose("Open in the editor")
    assert player.screen.message == f"Opened: {source.place}"
    for _ in range(500):
        if told.exists():
            break
        time.sleep(0.01)
    assert told.read_text(encoding="utf-8").split() == ["-g", f"{ROOT / source.path}:{source.line}"]
    player.app.options.editor = ""
    player.app.pop()


def test_the_second_lost_by_its_score_or_by_its_rank():
    def entry(winner, *considered):
        return TraceEntry(1, 1, DECISION, "", considered, winner)

    assert why_the_second_lost(entry("east", ("east", 0.81), ("south", 0.74))) == "south lost by 0.07"
    assert why_the_second_lost(entry("fight", ("fight", 1.0), ("walk", 1.0))) == "walk ranks below fight"
    assert why_the_second_lost(entry("fight", ("fight", 1.0))) == ""


def test_a_decision_its_cause_and_its_code_are_reached_in_the_window(player, tmp_path):
    play = player.open(bridge_level(tmp_path, raiders=4, guards=2))
    player.frames()
    play.give_order(Order(int(OrderKind.ATTACK_MOVE), 0, (0, 1, 2, 3), 20.5, 6.5))
    play.playing.clock.paused = True
    for _ in range(120):
        play.playing.clock.steps = 1
        player.app.top.update(0)
    play.selection.choose((4,))
    player.press("why")
    player.frames(8)
    assert play.view.lab and play.why.panel.box.width
    entries = last_decisions(play.playing.world, 4)
    assert list(play.why.look().entries) == entries and entries[0].tick >= entries[-1].tick
    assert {e.kind for e in entries} >= {DECISION, TRANSITION, PERCEPT} and MESSAGE not in {e.kind for e in entries}
    caused = next(i for i, e in enumerate(entries) if 0 <= e.since < e.tick)
    play.why.choose(caused)
    player.frames()
    rect = next(r for r, tick in play.why.panel.times if tick == entries[caused].since and r.x > 0)
    player.click(rect.center)
    player.frames(2)
    assert play.timeline.travel.shown == entries[caused].since and play.view.past
    play.timeline.travel.leave()
    play.why.chosen = (entries[caused].tick, entries[caused].decided)
    player.press("click")
    assert isinstance(player.screen, CodeScreen)
    assert player.screen.source == source_of(entries[caused].function)
    player.app.pop()
    while player.app.screens:
        player.app.screens.pop().leave()
