"""Mission cards, captions of the story and two missions played with simulated input."""

import pygame
import pytest

from game.checks.scripts.script import Condition
from game.checks.scripts.scripted_player import holds
from game.level.reading import load_level
from game.systems.stealth.foresight import lightness
from game.view.input.command_table import card_pages
from game.view.screens.menu_screen import MenuMain
from game.view.screens.missions_screen import MissionsScreen
from game.view.screens.play_screen import PlayScreen
from game.view.units.order_marks import CAPTION_MS, Marks
from game.view.window.mission_cards import LEVELS, load_missions
from game.world.orders import OrderKind
from tests.game.view.player import Player

DEPOT = LEVELS / "the_depot.tmx"


def test_cards_show_title_par_and_story_of_the_maps():
    missions = load_missions()
    assert [m.level.name for m in missions] == ["the_crossing.tmx", "the_depot.tmx", "hill_and_farm.tmx"]
    for mission in missions:
        level = load_level(mission.level)
        assert (mission.title, mission.par) == (level.title, level.properties["par"])
        assert mission.story == level.properties["story"] and mission.line
        assert pygame.image.load(mission.picture).get_width() >= 480


def test_a_bad_list_of_missions_is_reported_in_one_line(tmp_path):
    for text, said in (('[[mission]]\nlevel = "x.tmx"', "picture"), ("[[mission", "missions.toml")):
        (tmp_path / "missions.toml").write_text(text)
        with pytest.raises(ValueError, match=said) as error:
            load_missions(tmp_path)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("size", [(960, 600), (1280, 720), (1920, 1080)], ids=str)
def test_the_menu_opens_the_cards_and_a_card_its_mission(player, size):
    player.app.window = pygame.display.set_mode(size)
    player.app.push(MenuMain(player.app))
    player.choose("Missions")
    screen = player.screen
    assert isinstance(screen, MissionsScreen)
    window = player.app.window.get_rect()
    assert all(window.contains(card) for card in screen.cards)
    assert all(window.contains(button.rect) for button in screen.buttons)
    player.click(screen._picture_box(screen.cards[1]).center)
    opened = player.loaded()
    assert isinstance(opened, PlayScreen) and opened.playing.level.path == DEPOT
    while player.screen is not None and not isinstance(player.screen, MenuMain):
        player.app.pop()
    player.app.pop()


def test_a_caption_stays_for_its_time_and_a_new_one_replaces_it():
    marks = Marks()
    marks.tell("The barracks wake.", 1000)
    marks.tell("Two more patrols are out.", 2000)
    assert marks.caption is not None and marks.caption.text.startswith("Two")
    marks.forget_old(2000 + CAPTION_MS - 1)
    assert marks.caption is not None
    marks.forget_old(2000 + CAPTION_MS)
    assert marks.caption is None


@pytest.fixture(scope="module")
def opened():
    """Open the depot once for all tests below."""
    player = Player()
    screen = player.open(DEPOT)
    screen.player = player
    screen.keep_moment()
    yield screen
    player.app.close()


@pytest.fixture
def play(opened):
    """Return the depot in its first state."""
    opened.return_moment(0)
    opened.mouse.cancel()
    opened.selection.choose(())
    opened.view.marks.caption = None
    return opened


def test_the_opening_of_the_depot_is_played_by_mouse(play):
    """Put out the footbridge lamp with Odo, then plan the walks of two raiders."""
    player, playing = play.player, play.playing
    world = playing.world
    ids = {name: unit for unit, name in world.names.items()}
    u = world.units
    lamp = world.lamp("footbridge lamp")

    def at(x, y):
        return play.camera.to_screen(x, y)

    def run_until(**when):
        for _ in range(500):
            playing.run_ticks(1)
            if holds(Condition(**when), world, world.tick, 0):
                return
        raise AssertionError(when)

    def orders():
        return [(tick, OrderKind(order.kind).name, order.units) for tick, order in playing.session.log]

    play.camera.set_zoom(32)
    play.camera.centre_on(13, 20)
    player.frames(2)
    playing.clock.paused = True
    player.click(player.place(ids["Odo"]))
    assert play.selection.ids == (ids["Odo"],)
    player.press("crouch")
    player.click(at(13.5, 25.3), 3)
    pygame.key.set_mods(pygame.KMOD_LSHIFT)
    player.click(at(15.5, 24.5), 3)
    pygame.key.set_mods(0)
    run_until(idle="Odo", looks=("route:footbridge", 0, 60), after=20)
    assert [row[1:] for row in orders()] == [(kind, (ids["Odo"],)) for kind in ("STANCE", "MOVE", "MOVE")]

    pages = [[command.name for command in page] for page in card_pages(play.state.situation)]
    play.state.page, names = next((n, page) for n, page in enumerate(pages) if "lamp" in page)
    player.click(play.hud.layout.card_cell(names.index("lamp")).center)
    assert play.mouse.armed == "lamp"
    player.click(at(lamp.x, lamp.y))
    before = lightness(world, lamp.x, lamp.y + 1)
    run_until(lamp_out="footbridge lamp")
    playing.run_ticks(1)
    assert lightness(world, lamp.x, lamp.y + 1) < before / 2

    player.click(at(13.5, 26.5), 3)
    player.press("plan")
    for name, goal in (("Tam", (14.5, 19.5)), ("Wren", (10.5, 20.5))):
        player.click(player.place(ids[name]))
        player.click(at(*goal), 3)
    given = len(orders())
    player.frames(3)
    assert set(play.plan_mode.plan.units) == {ids["Tam"], ids["Wren"]}
    assert len(orders()) == given, "no order is given while planning"
    player.key(pygame.K_RETURN, pygame.KSCAN_RETURN)
    playing.clock.paused = True
    playing.run_ticks(10)
    planned = orders()[given:]
    assert len({tick for tick, *_ in planned}) == 1
    assert {units for _, kind, units in planned if kind == "MOVE"} >= {(ids["Tam"],), (ids["Wren"],)}
    assert all(u.moving[u.slot(ids[name])] for name in ("Tam", "Wren"))
    assert not u.meter[u.living(1)].any() and world.mission.alarms == 0, "no guard noticed a raider"


def test_the_depot_is_played_from_its_card_to_an_unseen_end(play):
    """Show the caption of a lesson, win, and return to a kept moment.

    The end screen says that the raiders were never seen.
    """
    player, world = play.player, play.playing.world
    play.playing.clock.paused = False
    slot = world.units.slot(next(i for i, name in world.names.items() if name == "Odo"))
    world.units.x[slot], world.units.y[slot] = 14.5, 24.5
    player.frames(8, 50)
    caption = play.view.marks.caption
    assert caption is not None and "hook" in caption.text
    play.keep_moment()
    kept = world.tick
    world.mission.status, world.mission.ended = "won", 4000
    player.frames(2)
    assert ("Seen", "never") in player.screen.numbers()
    player.press("return_moment")
    assert player.screen is play and play.playing.world.tick == kept, "the end screen leads back to it"
