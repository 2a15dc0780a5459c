"""Formation bar and dragged facings: orders, cancelled drags and armed commands."""

import itertools
import math

import numpy as np
import pygame
import pytest

from ai.formation.formation_shapes import Shape, form
from game.view.hud.formation_bar import IN_DRAWER, NAMED, cell_rect, is_chosen, tip_words
from game.view.hud.hud_layout import lay_out
from game.view.input.command_table import BAR
from game.view.input.intent_commands import SQUAD_COMMANDS
from game.world.groups.drill import PLAY, SHAPE_WORDS
from game.world.orders import NO_FACING, OrderKind
from tests.game.view.player import Player

SIZES = list(itertools.product(((1280, 720), (1920, 1080), (2560, 1440)), (1.0, 1.25, 1.5, 2.0)))


@pytest.fixture(scope="module")
def window_of_all():
    made = Player()
    made.app.start_up.wait("lab")
    yield made
    made.app.close()


@pytest.fixture
def player(window_of_all):
    made = window_of_all
    made.app.running = True
    yield made
    pygame.key.set_mods(0)
    while made.app.screens:
        made.app.screens.pop().leave()


@pytest.fixture
def play(player):
    screen = player.open()
    player.press("select_all")
    player.frames(8)
    screen.playing.clock.paused = True
    return screen


def press(player, play, name):
    """Click a named shape, or open the drawer and click there."""
    if name in [c.name for c in IN_DRAWER] and not play.state.drawer:
        player.click(cell_rect(play.hud.layout, "more").center)
        player.frames(2)
    player.click(cell_rect(play.hud.layout, name).center)


def given(play):
    """Return the orders that wait for the next tick."""
    return [order for order in play.playing.session.waiting if order.kind != OrderKind.SETTING]


def ground(play):
    """Return a screen position over free ground, away from panels and units."""
    for y in range(150, 480, 12):
        for x in range(420, 860, 12):
            under = play.mouse._click_at(*play.camera.to_world(x, y)).under
            covered = play.hud.part_at((x, y), play.state)
            tile = play.playing.world.terrain.passable[int(under.y), int(under.x)] & 1
            if covered is None and under.own < 0 and under.enemy < 0 and under.thing < 0 and tile:
                return x, y
    raise AssertionError("no free ground on screen")


@pytest.mark.parametrize(("size", "scale"), SIZES)
def test_the_bar_is_inside_the_window_and_overlaps_no_other_panel(size, scale):
    for portraits, groups in itertools.product(range(5), range(5)):
        layout = lay_out(size, scale, portraits, groups, formations=True)
        assert pygame.Rect((0, 0), size).contains(layout.bar)
        assert not any(layout.bar.colliderect(panel) for panel in layout.panels if panel is not layout.bar)
        cells = [cell_rect(layout, name) for name in (*(c.name for c in NAMED), "more")]
        assert len(NAMED) == 4 and all(layout.bar.contains(cell) for cell in cells)
        for drawer, held in (("more", IN_DRAWER), ("squad", SQUAD_COMMANDS)):
            opened = lay_out(size, scale, portraits, groups, formations=True, drawer=drawer, squad=4)
            inside = [cell_rect(opened, c.name) for c in held]
            assert pygame.Rect((0, 0), size).contains(opened.drawer)
            assert all(opened.drawer.contains(cell) for cell in inside)
            assert all(not a.colliderect(b) for a, b in itertools.combinations(inside, 2))
            assert not opened.squad.width or opened.squad.collidelist([opened.drawer, opened.minimap]) < 0
        assert all(not a.colliderect(b) for a, b in itertools.combinations(cells, 2))


def test_the_bar_shows_for_several_selected_units_and_not_for_one(player, play):
    assert play.hud.layout.bar.width
    play.selection.choose([0])
    player.frames(8)
    assert not play.hud.layout.bar.width


def test_every_cell_has_an_icon_and_orders_something(player, play):
    press(player, play, "form_line")
    player.app.frame(20, [])
    play.playing.session.advance()
    player.frames(8)
    for command in BAR:
        assert play.sprites.cell("icons.day.72", command.icon), command.name
        press(player, play, command.name)
        (order, *_) = reversed(given(play))
        assert order.kind == OrderKind.FORMATION and order.units == play.selection.ids


def drilled(player, play, *cells):
    """Press cells, each followed by a tick.

    Return the units of the world and the slots of the selected units, by id.
    """
    for name in cells:
        press(player, play, name)
        play.playing.session.advance()
        player.frames(8)
    u = play.playing.world.units
    return u, u.slots(sorted(play.selection.ids))


def offsets(u, slots):
    """Return the formation slots (forward, right) of the members, sorted."""
    return np.array(sorted(np.round(np.column_stack([u.slot_f, u.slot_r])[slots], 6).tolist()))


@pytest.mark.parametrize(
    "words", [w for w in SHAPE_WORDS if w not in ("keep", "loose") and f"form_{w}" in {c.name for c in BAR}]
)
def test_a_shape_cell_forms_the_selected_units_and_loose_releases_them(player, play, words):
    u, slots = drilled(player, play, f"form_{words}")
    assert len(set(u.band[slots].tolist())) == 1 and u.band[slots[0]] >= 0
    table = form(Shape(SHAPE_WORDS[words]), len(slots), 1.2)
    ideal = np.array(sorted(np.round(np.column_stack([table.forward, table.right]), 6).tolist()))
    assert np.allclose(offsets(u, slots), ideal, atol=1e-5)
    drilled(player, play, "form_loose")
    assert (u.band[slots] == -1).all()


def test_closer_and_wider_change_the_spacing(player, play):
    u, slots = drilled(player, play, "form_line")
    assert np.diff(offsets(u, slots)[:, 1]) == pytest.approx(1.2)
    drilled(player, play, "form_wider", "form_wider")
    assert np.diff(offsets(u, slots)[:, 1]) == pytest.approx(1.2 * 1.25**2)
    drilled(player, play, "form_closer", "form_closer", "form_closer")
    assert np.diff(offsets(u, slots)[:, 1]) == pytest.approx(1.2 / 1.25)


@pytest.mark.parametrize(("cell", "habit"), [("form_slowest", "slowest"), ("form_together", "together")])
def test_a_drill_option_is_switched_for_all_selected_units_and_back(player, play, cell, habit):
    u, slots = drilled(player, play, "form_line")
    world = play.playing.world
    before = getattr(world.groups.drills[u.drill[slots[0]]], habit)
    for wanted in (not before, before):
        drilled(player, play, cell)
        assert [getattr(world.groups.drills[k], habit) for k in u.drill[slots]] == [wanted] * len(slots)
        group = world.groups.rows[int(u.band[slots[0]])]
        assert getattr(group.drill, habit) == wanted
        assert is_chosen(next(c for c in BAR if c.name == cell), play.state.situation) == wanted


def test_the_play_cell_orders_the_plays_in_turn_and_its_tip_names_them(player, play):
    labels = dict(play.state.situation.plays)
    seen = []
    for _ in range(len(labels) + 1):
        u, slots = drilled(player, play, "form_play")
        drill = play.state.situation.drill
        assert is_chosen(next(c for c in BAR if c.name == "form_play"), play.state.situation)
        assert labels[drill.play] in tip_words(next(c for c in BAR if c.name == "form_play"), play.state.situation)
        assert len(set(u.band[slots].tolist())) == 1 and u.band[slots[0]] >= 0
        seen.append(drill.play)
    assert seen == [*labels, next(iter(labels))], "the order of the file, cyclic"


def test_the_preview_of_a_play_shows_reserved_and_empty_slots(player, play):
    """Preview a play with eight raiders.

    Four have reserved slots in front; three slots of throwers stay empty.
    """
    drilled(player, play, "form_play", "form_play")
    assert play.state.situation.drill.play == "throwers_behind"
    x, y = ground(play)
    player.send(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(x, y), button=3))
    player.send(pygame.event.Event(pygame.MOUSEMOTION, pos=(x + 60, y), rel=(60, 0), buttons=(0, 0, 1)))
    player.frames(4)
    ghosts = play.mouse.facing.ghosts
    player.key(pygame.K_ESCAPE)
    assert len(ghosts.slots) == len(play.selection.ids) == 8
    front = ghosts.slots[:, 0] > ghosts.slots[:, 0].max() - 0.5
    assert np.array_equal(ghosts.kept, front) and front.sum() == 4
    assert len(ghosts.holes) == 3 and set(ghosts.hole_for) == {"thrower or lamplighter"}
    assert ghosts.holes[:, 0] == pytest.approx(ghosts.slots[front, 0].max() - 1.2, abs=0.01), (
        "the empty slots are a rank behind, facing east"
    )


def test_keep_takes_the_present_arrangement_as_the_formation(player, play):
    world = play.playing.world
    u = world.units
    slots = u.slots(sorted(play.selection.ids))
    here = np.column_stack([u.x, u.y])[slots]
    drilled(player, play, "form_keep")
    kept = np.column_stack([u.slot_f, u.slot_r])[slots]
    between = [np.hypot(*(a[:, None] - a[None]).transpose(2, 0, 1)) for a in (here, kept)]
    assert np.allclose(*between, atol=0.15), "equal distances between units"


def test_split_makes_two_groups_of_one_and_merge_joins_them(player, play):
    u, slots = drilled(player, play, "form_line", "form_split")
    n = len(slots)
    sizes = sorted(int((u.band[slots] == row).sum()) for row in set(u.band[slots].tolist()))
    assert sizes == [n // 2, n - n // 2] and (u.band[slots] >= 0).all()
    drilled(player, play, "form_merge")
    assert len(set(u.band[slots].tolist())) == 1 and u.band[slots[0]] >= 0


def test_five_pixels_are_a_click_and_seven_a_drag(player, play):
    drilled(player, play, "form_line")
    x, y = ground(play)
    for far, faces in ((5, False), (7, True)):
        player.drag((x, y), (x + far, y), button=3)
        assert (given(play)[-1].facing != NO_FACING) == faces


def test_a_control_group_remembers_its_formation(player, play):
    for number, (cell, shape, name) in enumerate(
        (("form_wedge", SHAPE_WORDS["wedge"], ""), ("form_play", PLAY, "lamp_guard")), 5
    ):
        press(player, play, cell)
        play.playing.session.advance()
        play.selection.set_group(number)
        play.selection.choose([0])
        player.frames(8)
        play.selection.recall(number, 0)
        player.frames(8)
        assert (play.state.situation.drill.shape, play.state.situation.drill.play) == (shape, name)


def test_a_short_press_is_a_click_and_a_drag_gives_the_facing_with_a_preview_of_each_slot(player, play):
    press(player, play, "form_line")
    play.playing.session.advance()
    x, y = ground(play)
    player.drag((x, y), (x + 4, y + 3), button=3)
    assert given(play)[-1].kind == OrderKind.MOVE and given(play)[-1].facing == NO_FACING
    player.send(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(x, y), button=3))
    player.send(pygame.event.Event(pygame.MOUSEMOTION, pos=(x, y + 60), rel=(0, 60), buttons=(0, 0, 1)))
    player.frames(4)
    count = len(given(play))
    ghosts = play.mouse.facing.ghosts.slots
    assert len(ghosts) == len(play.selection.ids) and np.allclose(ghosts[:, 2], math.pi / 2)
    player.send(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(x, y + 60), button=3))
    assert len(given(play)) == count + 1 and given(play)[-1].facing == pytest.approx(math.pi / 2)
    assert play.mouse.facing is None


@pytest.mark.parametrize("how", ["escape", "left"])
def test_escape_and_the_left_button_cancel_a_drag(player, play, how):
    x, y = ground(play)
    player.send(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(x, y), button=3))
    player.send(pygame.event.Event(pygame.MOUSEMOTION, pos=(x + 40, y), rel=(40, 0), buttons=(0, 0, 1)))
    if how == "escape":
        player.key(pygame.K_ESCAPE)
    else:
        player.send(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(x + 40, y), button=1))
        player.send(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(x + 40, y), button=1))
    player.send(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(x + 40, y), button=3))
    assert not given(play) and play.selection.ids and player.screen is play


def test_an_armed_command_stays_armed_after_a_queued_drag(player, play):
    x, y = ground(play)
    player.press("attack_move")
    pygame.key.set_mods(pygame.KMOD_LSHIFT)
    try:
        for button in (3, 1):
            player.drag((x, y), (x + 50, y), button=button)
            order = given(play)[-1]
            assert order.kind == OrderKind.ATTACK_MOVE and order.queued and order.facing == pytest.approx(0.0)
            assert play.mouse.armed == "attack_move"
    finally:
        pygame.key.set_mods(0)
    player.drag((x, y), (x + 50, y), button=1)
    assert not given(play)[-1].queued and play.mouse.armed == ""


def test_a_recorded_drag_replays_with_the_same_hash(player, play):
    press(player, play, "form_box")
    x, y = ground(play)
    player.drag((x, y), (x, y - 50), button=3)
    session = play.playing.session
    for _ in range(20):
        session.advance()
    ab_run = session.restart()
    ab_run.schedule(session.log)
    while ab_run.world.tick < session.world.tick:
        ab_run.advance()
    assert ab_run.world.hash() == session.world.hash()


def test_the_squad_menu_orders_an_intent_and_the_card_shows_the_manoeuvre_and_roles(player, play):
    at = ground(play)
    player.press("squad_menu")
    player.frames(2)
    assert play.state.drawer == "squad"
    player.click(cell_rect(play.hud.layout, "squad_take").center)
    player.frames(2)
    assert play.mouse.armed == "squad_take" and not play.state.drawer, "the menu must not cover the target"
    player.click(at)
    draft = play.mouse.squad_plan.draft
    assert not given(play) and draft is not None and draft.plan.kind == "bound_forward", "a plan comes first"
    player.frames(2)
    player.click(at)
    (order,) = given(play)
    assert order.kind == OrderKind.SQUAD and order.name == "take" and order.units == play.selection.ids
    assert (order.x, order.y) == pytest.approx(play.camera.to_world(*at), abs=1e-6)
    play.playing.clock.paused = False
    while play.playing.world.tick < 30:
        player.frames(4)
    play.fill_state()
    squad = next(iter(play.playing.world.squads.rows.values()))
    task = squad.task
    assert play.state.squad[0].startswith(f"Squad {squad.name}: bounding advance")
    runners = {unit for row, unit in enumerate(squad.members) if task.task[row] == 1}
    assert runners and {unit for unit, (word, _) in play.state.roles.items() if word == "runs"} == runners
    assert any(f"Squad {squad.name}" in words for _, words in play.state.news)


def test_a_squad_plan_is_bent_by_a_drag_dropped_or_refused_and_changes_nothing(player, play):
    at, plans = ground(play), play.mouse.squad_plan
    before = play.playing.world.hash()
    for drop in (lambda: player.click(at, 3), lambda: player.key(pygame.K_ESCAPE)):
        player.press("squad_take")
        player.click(at)
        assert plans.draft is not None
        drop()
        assert plans.draft is None and not play.mouse.armed and not given(play)
    player.press("squad_flank_left")
    player.click(at)
    assert plans.draft.plan.bends, plans.draft.plan.refused
    player.drag(at, (at[0] + 90, at[1] + 60))
    assert plans.draft.order.points == pytest.approx(play.camera.to_world(at[0] + 90, at[1] + 60), abs=1e-6)
    assert not given(play)
    player.press("squad_clear")
    player.click(at)
    player.frames(2)
    assert plans.draft.plan.refused == "no room is meant"
    player.click(at)
    assert plans.draft is not None and not given(play) and "no room is meant" in play.notice
    assert play.playing.world.hash() == before
