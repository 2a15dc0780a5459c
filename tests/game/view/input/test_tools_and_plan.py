"""Tools of the command card, plan mode, the tile panel and sight cones.

A plan has one action a unit, and all begin in the same tick.
"""

import numpy as np
import pygame
import pytest

from game.sim.replay import save_replay, verify
from game.systems.stealth.foresight import lightness, seen_by
from game.view.input.command_table import BY_NAME, CARD, CELLS, COMMANDS, card_of, card_pages
from game.view.input.player_command import Situation
from game.world.orders import OrderKind
from tests.game.view.yard import ANN, LIL, ODO, QUIN, open_in_window


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    screen = open_in_window(tmp_path_factory.mktemp("yard"), 18, 13, door=True)
    yield screen
    screen.player.app.close()


TOOLS = tuple(command for command in COMMANDS if command.group == "tool")


@pytest.fixture
def play(opened):
    """Return the yard in its first state, without a selection."""
    opened.playing.back()
    opened.playing.clock.paused = False
    opened.plan_mode.forget()
    opened.mouse.cancel()
    choose(opened)
    return opened


def choose(play, *units):
    play.selection.choose(units)
    play.fill_state()
    play.hud.arrange(play.state)


def cell(play, name):
    """The box of a command, with the card turned to its page."""
    for page, commands in enumerate(card_pages(play.state.situation)):
        if name in (names := [c.name for c in commands]):
            play.state.page = page
            return play.hud.layout.card_cell(names.index(name))
    raise AssertionError(f"no {name} on the card")


def log(play):
    return [(tick, OrderKind(order.kind), order.units) for tick, order in play.playing.session.log]


# --- the card -----------------------------------------------------------------------------------------------------
def test_the_pages_hold_every_order_and_every_tool_of_the_selected_and_at_most_eight_cells():
    for tools in (frozenset(), frozenset({"stone"}), frozenset({"drag", "take_down", "hook"})):
        situation = Situation(selected=(1,), toolbox=True, tools=tools)
        pages = card_pages(situation)
        names = [c.name for page in pages for c in page if c.name != "more_commands"]
        assert all(len(page) <= CELLS and page[-1].name == "more_commands" for page in pages)
        assert len(names) == len(set(names)) and set(names) >= {c.name for c in CARD}
        for name, tool in (("throw", "stone"), ("take_down", "take_down"), ("lamp", "hook")):
            assert (name in names) == (tool in tools)
    assert {c.name for page in card_pages(Situation(toolbox=True)) for c in page} >= {c.name for c in TOOLS}
    assert not {c.name for page in card_pages(Situation()) for c in page} & {c.name for c in TOOLS}
    assert card_of(Situation(), 7) == card_of(Situation(), 7 % len(card_pages(Situation())))


def test_the_last_cell_turns_the_page_and_another_selection_shows_the_first(play):
    choose(play, LIL)
    first = card_of(play.state.situation, play.state.page)
    play.player.click(play.hud.layout.card_cell(CELLS - 1).center)
    second = card_of(play.state.situation, play.state.page)
    assert not {c.name for c in first[:-1]} & {c.name for c in second[:-1]}
    choose(play, ANN)
    assert play.state.page == 0


def test_every_tool_has_an_icon_and_a_reason_when_it_cannot_be_used(play):
    for command in (*CARD, *TOOLS):
        assert play.sprites.cell("icons.day.36", command.icon), command.name
    choose(play, ANN)
    reasons = {c.name: c.reason(play.state.situation) for c in TOOLS}
    assert reasons["throw"] == reasons["whistle"] == reasons["sneak"] == ""
    assert all(reasons[name] for name in ("take_down", "drag", "hide", "lamp"))
    choose(play, LIL)
    assert not next(c for c in TOOLS if c.name == "lamp").reason(play.state.situation)


def test_a_tool_is_armed_by_its_cell_and_used_by_a_click(play):
    choose(play, LIL)
    play.player.click(cell(play, "lamp").center)
    assert play.mouse.armed == "lamp"
    play.player.click(play.camera.to_screen(25.5, 12.5))
    play.player.frames(4)
    lamp = play.playing.world.lamp("lamp")
    (order,) = (order for _, order in play.playing.session.log)
    assert (order.kind, order.target, order.units) == (OrderKind.USE, lamp.id, (LIL,))


def in_sight(play, x, y):
    """Lift the fog; return the screen position of a point of the yard."""
    play.scene.fog.sighted[:] = True
    return play.camera.to_screen(x, y)


def body_at(play, x, y):
    """Kill Odo at a position; return its id."""
    world = play.playing.world
    slot = world.units.slot(ODO)
    world.units.x[slot] = world.units.prev_x[slot] = x
    world.units.y[slot] = world.units.prev_y[slot] = y
    world.units.hp[slot] = world.units.alive[slot] = 0
    play.playing.run_ticks(1)
    return ODO


@pytest.mark.parametrize("by_key", [True, False], ids=["key", "cell"])
@pytest.mark.parametrize("name", ["whistle", "drag", "hide"])
def test_whistle_drag_and_hide_work_by_key_and_by_cell(play, name, by_key):
    """Compare the entered order with the kind of the command and the clicked target."""
    who = ANN if name == "whistle" else QUIN
    body = body_at(play, 8.5, 16.5)
    hay = next(p for p in play.playing.world.props if p.name == "hay")
    if name == "hide":
        u = play.playing.world.units
        u.dragging[u.slot(QUIN)] = body
        play.playing.run_ticks(1)
    choose(play, who)
    command = BY_NAME[name]
    assert command.reason(play.state.situation) == ""
    if by_key:
        play.player.press(name)
    else:
        play.player.click(cell(play, name).center)
    if name != "whistle":
        assert play.mouse.armed == name and play.state.armed == name
        where = {"drag": (8.5, 16.5), "hide": (hay.x, hay.y)}[name]
        play.player.click(in_sight(play, *where))
        assert play.mouse.armed == ""
    play.player.frames(4)
    kinds = [(OrderKind(order.kind), order.units, order.target) for _, order in play.playing.session.log]
    target = {"whistle": -1, "drag": body, "hide": hay.id}[name]
    assert kinds == [(command.kind, (who,), target)]


@pytest.mark.parametrize("by", ["key", "cell", "right button"])
def test_doors_are_opened_by_key_cell_and_right_button(play, by):
    choose(play, ANN)
    (door,) = play.playing.world.doors
    where = in_sight(play, 12.5, 4.5)
    if by == "key":
        play.player.press("use")
    elif by == "cell":
        play.player.click(cell(play, "use").center)
    assert (play.mouse.armed == "use") == (by != "right button")
    play.player.click(where, 3 if by == "right button" else 1)
    play.player.frames(4)
    (order,) = (order for _, order in play.playing.session.log)
    assert (order.kind, order.target, order.units) == (OrderKind.USE, door.id, (ANN,))


# --- the plan -----------------------------------------------------------------------------------------------------
def plan_three(play):
    play.player.press("plan")
    choose(play, ANN)
    play.player.press("throw")
    play.player.click(play.camera.to_screen(11.5, 8.5))
    choose(play, LIL)
    play.player.press("crouch")
    play.player.click(play.camera.to_screen(11.5, 16.5), 3)
    choose(play, QUIN)
    play.player.press("take_down")
    row = play.playing.picture.row_of[ODO]
    play.scene.fog.sighted[:] = True
    play.player.click(play.camera.to_screen(float(play.playing.picture.x[row]), float(play.playing.picture.y[row])))


def test_time_stands_still_and_no_order_is_given_while_planning(play):
    plan_three(play)
    tick = play.playing.world.tick
    play.player.frames(20)
    play.player.press("pause")
    play.player.press("one_tick")
    play.player.frames(5)
    assert play.playing.world.tick == tick and log(play) == []
    assert play.plan_mode.plan.units == (ANN, LIL, QUIN)


def test_enter_gives_all_planned_orders_in_the_same_tick(play):
    plan_three(play)
    tick = play.playing.world.tick
    play.player.key(pygame.K_RETURN, pygame.KSCAN_RETURN)
    play.player.frames(4)
    assert not play.plan_mode.plan.on and not play.plan_mode.plan.units and not play.playing.clock.paused
    assert {row[0] for row in log(play)} == {tick + 1}
    given = {(kind, units) for _, kind, units in log(play)}
    assert given == {
        (OrderKind.THROW, (ANN,)), (OrderKind.STANCE, (LIL,)), (OrderKind.MOVE, (LIL,)), (OrderKind.TAKE_DOWN, (QUIN,)),
    }  # fmt: skip


def test_escape_drops_the_plan_and_lets_time_go_on(play):
    plan_three(play)
    play.player.key(pygame.K_ESCAPE)
    tick = play.playing.world.tick
    play.player.frames(20)
    assert not play.plan_mode.plan.units and play.playing.world.tick > tick and log(play) == []
    assert play.player.screen is play


def test_a_plan_keeps_the_last_action_of_a_unit_and_a_repeated_stance_is_removed(play):
    play.player.press("plan")
    choose(play, ANN)
    for x in (9.5, 10.5):
        play.player.click(play.camera.to_screen(x, 16.5), 3)
    assert play.plan_mode.plan.actions[ANN].x == pytest.approx(10.5, abs=0.1)
    assert len(play.plan_mode.plan.orders()) == 1
    play.player.press("crouch")
    assert len(play.plan_mode.plan.orders()) == 2
    play.player.press("crouch")
    assert len(play.plan_mode.plan.orders()) == 1


def test_a_ghost_shows_position_and_arrival_time_of_a_planned_walk(play):
    """Compare with a calculation: a run of 4 tiles takes 1 s."""
    play.player.press("plan")
    choose(play, ANN)
    play.player.click(play.camera.to_screen(10.5, 12.5), 3)
    play.player.frames(2)
    (ghost,) = play.plan_mode._painter.ghosts
    assert (ghost.x, ghost.y) == (10.5, 12.5)
    assert ghost.seconds == pytest.approx(4 / 4)
    assert len({y for _, y in ghost.path}) == 1 and len(ghost.path) == 5
    play.player.key(pygame.K_RETURN, pygame.KSCAN_RETURN)
    play.playing.run_ticks(round(ghost.seconds * 20) + 12)
    row = play.playing.picture.row_of[ANN]
    assert float(play.playing.picture.x[row]) == pytest.approx(ghost.x, abs=0.35)


def test_a_plan_is_kept_while_time_runs_and_can_be_started_later(play):
    plan_three(play)
    play.player.press("plan")
    tick = play.playing.world.tick
    play.player.frames(10)
    assert play.playing.world.tick > tick and play.plan_mode.plan.units == (ANN, LIL, QUIN)
    play.player.press("run_plan")
    play.player.frames(4)
    assert len({row[0] for row in log(play)}) == 1 and len(log(play)) == 4


def test_plan_mode_tints_the_ground_and_draws_a_blue_border(play):
    before = play.app.window.copy()
    play.player.press("plan")
    play.player.frames(2)
    after = play.app.window
    spot = (300, 400)
    assert before.get_at(spot) != after.get_at(spot)
    assert after.get_at((3, 300))[:3] == play.app.palette["blue"]


def test_a_replay_of_a_plan_has_the_same_hashes(play, tmp_path):
    plan_three(play)
    play.player.key(pygame.K_RETURN, pygame.KSCAN_RETURN)
    play.playing.run_ticks(60)
    file = tmp_path / "plan.json"
    save_replay(play.playing.session, file)
    assert verify(file) == []


# --- the tile under the cursor, and every cone --------------------------------------------------------------------
def rest(play, x, y, frames=40):
    pos = play.camera.to_screen(x, y)
    play.player.send(pygame.event.Event(pygame.MOUSEMOTION, pos=pos, rel=(0, 0), buttons=(0, 0, 0)))
    play.player.frames(frames)
    return play.stealth.tile.facts


def put(play, unit, x, y):
    u = play.playing.world.units
    slot = u.slot(unit)
    u.x[slot], u.y[slot], u.prev_x[slot], u.prev_y[slot] = x, y, x, y


def watch_odo(play):
    """Put Quin behind Odo, so that the side sees Odo."""
    put(play, QUIN, 20.0, 11.5)
    play.playing.run_ticks(4)


def test_a_resting_cursor_shows_the_sight_and_forecast_of_the_tile(play):
    watch_odo(play)
    choose(play, ANN)
    play.scene.fog.explored[:] = True
    play.playing.clock.paused = True
    facts = rest(play, 30.5, 11.5)
    world = play.playing.world
    (asked,) = seen_by(world, 0, 30.5, 11.5)
    assert facts.seen == ((world.name_of(asked.watcher), asked.seconds),) and facts.seen[0][0] == "Odo"
    assert facts.light == lightness(world, 30.5, 11.5)
    play.stealth.tile.forecast.advance(world.tick + 200, lambda: False)
    facts = rest(play, 30.5, 20.5)
    foreseen = [f for f in play.stealth.tile.forecast.seen(30.5, 20.5, world.tick) if f.after > 0]
    assert facts.seen == () and [(world.name_of(f.watcher), f.after) for f in foreseen] == list(facts.coming)
    assert facts.coming, "the guard comes within ten seconds"


def test_the_tile_panel_does_not_reveal_a_guard_out_of_sight(play):
    """Put a guard elsewhere while it is out of sight.

    For a tile before its new position the panel shows at most the old forecast.
    """
    watch_odo(play)
    play.scene.fog.explored[:] = True
    play.playing.clock.paused = True
    assert rest(play, 30.5, 11.5).seen != ()
    put(play, QUIN, 6.5, 16.5)
    put(play, ODO, 31.5, 16.5)
    play.playing.run_ticks(6)
    world = play.playing.world
    u, slot = world.units, world.units.slot(ODO)
    assert not world.sight.sees(0, int(u.y[slot]), int(u.x[slot]))
    x, y = float(u.x[slot] + 3 * np.cos(u.head[slot])), float(u.y[slot] + 3 * np.sin(u.head[slot]))
    assert seen_by(world, 0, x, y), "the guard would see a raider there"
    play.player.app.now_ms += 5000
    facts = rest(play, x, y)
    assert (facts.seen, facts.heard) == ((), ())
    assert all(np.hypot(f.x - u.x[slot], f.y - u.y[slot]) > 5.0 for f in facts.paths), "the old forecast"


def test_the_tile_panel_shows_no_unseen_guard_and_no_unexplored_ground(play):
    play.scene.fog.explored[:] = True
    play.scene.fog.sighted[:] = False
    play.playing.clock.paused = True
    assert rest(play, 30.5, 11.5).seen == ()
    play.scene.fog.explored[:] = False
    assert rest(play, 31.5, 11.5) is None


def test_the_tile_panel_disappears_when_the_cursor_moves(play):
    play.scene.fog.explored[:] = True
    assert rest(play, 10.5, 11.5) is not None
    assert rest(play, 12.5, 12.5, frames=2) is None


def test_all_cones_show_while_the_key_is_held(play):
    down = pygame.event.Event(pygame.KEYDOWN, key=0, scancode=pygame.KSCAN_T, mod=0, unicode="")
    play.player.app.frame(20, [down])
    p = play.playing.picture
    every = np.arange(len(p))
    assert play.view.every_cone
    awake = [p.row_of[ODO]]
    assert play.scene.eyes.watchers(play.playing, play.view, every) == ([], awake)
    play.player.app.frame(20, [pygame.event.Event(pygame.KEYUP, key=0, scancode=pygame.KSCAN_T, mod=0)])
    assert not play.view.every_cone
    assert play.scene.eyes.watchers(play.playing, play.view, every) == ([], [])
