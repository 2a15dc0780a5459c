"""Menus by keyboard alone: Tab reaches each widget, and Enter and arrows operate it."""

import pygame
import pytest

from game.view.exhibits.cards.card_pictures import CardPictures
from game.view.exhibits.cards.technique_cards import read_cards
from game.view.input.command_table import COMMANDS, default_keys
from game.view.input.key_bindings import parse_key, read_bindings
from game.view.screens.bindings_screen import BindingsScreen
from game.view.screens.gallery.card_page import CardPage
from game.view.screens.gallery.gallery_screen import GalleryScreen
from game.view.screens.menu_screen import MenuMain, SandboxScreen
from game.view.screens.options_screen import PAGES, OptionsScreen
from game.view.window.user_options import config_folder, read_options


@pytest.fixture
def player(window_of_all):
    made = window_of_all
    made.app.running = True
    yield made
    while made.app.screens:
        made.app.screens.pop().leave()
    made.app.options.wasd = False
    made.app.apply_options()


def _page(app):
    """Return the page with the longest name."""
    cards = read_cards()
    card = max(cards, key=lambda card: (len(card.related), len(card.name)))
    return CardPage(app, card, cards, cards, CardPictures())


def _tab_to(player, words):
    for _ in range(40):
        at = player.screen.focused
        if getattr(at, "text", "") == words:
            return at
        player.key(pygame.K_TAB)
    raise AssertionError(f"Tab does not reach {words}")


@pytest.mark.parametrize("make", [MenuMain, SandboxScreen, GalleryScreen, OptionsScreen, BindingsScreen])
def test_tab_reaches_every_widget_and_is_cyclic(player, make):
    player.app.push(make(player.app))
    screen = player.screen
    usable = [i for i, stop in enumerate(screen.stops) if getattr(stop, "is_enabled", True)]
    seen = []
    for _ in usable:
        player.key(pygame.K_TAB)
        seen.append(screen.focus)
    assert sorted(seen) == usable
    player.key(pygame.K_TAB)
    assert screen.focus == seen[0]
    player.key(pygame.K_TAB, mod=pygame.KMOD_LSHIFT)
    assert screen.focus == seen[-1]


def test_enter_opens_and_escape_goes_back(player):
    player.app.push(MenuMain(player.app))
    _tab_to(player, "Options")
    player.key(pygame.K_RETURN)
    assert isinstance(player.screen, OptionsScreen)
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.screen, MenuMain)


def test_the_focused_widget_is_visible(player):
    player.app.push(MenuMain(player.app))
    player.frames(2)
    before = player.app.window.copy()
    _tab_to(player, "Gallery")
    player.frames(2)
    assert pygame.image.tobytes(before, "RGB") != pygame.image.tobytes(player.app.window, "RGB")


def test_every_page_of_the_options_opens_by_keys_and_a_changed_option_is_written(player):
    player.app.push(OptionsScreen(player.app))
    for page in PAGES:
        _tab_to(player, page)
        player.key(pygame.K_RETURN)
        assert player.screen.page == page and player.screen.rows
    _tab_to(player, "Sound")
    player.key(pygame.K_RETURN)
    slider = next(s for s, name in player.screen.sliders.items() if name == "effects_volume")
    while player.screen.focused is not slider:
        player.key(pygame.K_TAB)
    player.key(pygame.K_LEFT)
    player.key(pygame.K_LEFT)
    assert player.app.options.effects_volume == pytest.approx(0.9)
    assert player.app.sound.volumes.effects == pytest.approx(0.9)
    player.key(pygame.K_ESCAPE)
    assert read_options(config_folder() / "options.toml")[0].effects_volume == pytest.approx(0.9)
    player.app.options.effects_volume = 1.0


def test_arrows_and_end_move_the_choice_in_a_list(player):
    player.app.push(GalleryScreen(player.app))
    gallery = player.screen
    player.key(pygame.K_TAB)
    grid = gallery.grid
    assert gallery.focused is grid
    player.key(pygame.K_DOWN)
    assert gallery.chosen == grid.placed[0].card.slug
    player.key(pygame.K_DOWN)
    assert gallery.chosen == grid.placed[grid.columns].card.slug, "down is a row on, in the same column"
    player.key(pygame.K_RIGHT)
    assert gallery.chosen == grid.placed[grid.columns + 1].card.slug
    player.key(pygame.K_END)
    assert gallery.chosen == grid.placed[-1].card.slug
    assert grid.rect.contains(grid.card_rect(grid.index)), "the chosen card is in view"


def test_a_command_gets_another_key_and_swaps_a_taken_one(player):
    player.app.push(BindingsScreen(player.app))
    screen, keymap = player.screen, player.app.keymap
    screen.list.chosen = screen.chosen = "stop"
    had_a = keymap.command_of(parse_key("A"))
    assert had_a not in (None, "stop")
    screen.wait()
    player.key(0, pygame.KSCAN_A)
    words = {c.name: c.words for c in COMMANDS}
    assert screen.message == f"Swapped: {words['stop']} has A now, {words[had_a]} has S"
    assert (keymap.label("stop"), keymap.label(had_a)) == ("A", "S")
    again, problems = read_bindings(default_keys(), config_folder() / "keys.toml")
    assert (str(again["stop"]), str(again[had_a]), problems) == ("A", "S", [])
    assert len(set(again.values())) == len(again), "no key has two commands"
    screen.wait()
    player.key(0, pygame.KSCAN_PAGEDOWN)
    assert screen.message == "Kept: PageDown" and keymap.label("stop") == "PageDown"
    again, problems = read_bindings(default_keys(), config_folder() / "keys.toml")
    assert str(again["stop"]) == "PageDown" and problems == []
    screen.reset()
    assert player.app.keymap.label("stop") == "S"


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("make", [MenuMain, SandboxScreen, GalleryScreen, _page, OptionsScreen, BindingsScreen])
def test_every_widget_stands_inside_the_window_at_every_scale(player, make, size, scale):
    options = player.app.options
    options.width, options.height, options.ui_scale = (*size, scale)
    player.app.apply_options()
    try:
        player.app.push(make(player.app))
        window = player.app.window.get_rect()
        rects = [stop.rect for stop in player.screen.stops]
        assert all(window.contains(rect) for rect in rects)
        for i, a in enumerate(rects):
            assert not any(a.colliderect(b) for b in rects[i + 1 :])
    finally:
        options.width, options.height, options.ui_scale = 1280, 720, 1.0
        player.app.apply_options()
