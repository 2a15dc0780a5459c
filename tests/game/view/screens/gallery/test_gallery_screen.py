"""Gallery with simulated input: search, chapters, sorts, pages, side by side."""

import pygame
import pytest

from game.view.exhibits.cards.seen_cards import read_seen, seen_file
from game.view.exhibits.cards.technique_cards import card_of, read_cards
from game.view.lab.why.code_screen import CodeScreen
from game.view.screens.compare.compare_screen import CompareScreen
from game.view.screens.exhibit_screen import ExhibitScreen
from game.view.screens.gallery.card_page import CardPage
from game.view.screens.gallery.gallery_screen import GalleryScreen
from game.view.screens.list_box import PAD
from game.view.screens.menu_screen import MenuMain

CARDS = read_cards()


@pytest.fixture
def gallery(player):
    player.app.push(GalleryScreen(player.app))
    player.frames(2)
    yield player.screen
    _leave(player)


def _leave(player):
    while player.app.screens:
        player.app.screens.pop().leave()


def write(player, words):
    for letter in words:
        code = pygame.key.key_code("space" if letter == " " else letter)
        down = pygame.event.Event(pygame.KEYDOWN, key=code, mod=0, unicode=letter, scancode=0)
        player.send(down, pygame.event.Event(pygame.TEXTINPUT, text=letter))
    player.frames(2)


def test_a_new_player_finds_splice_path_and_sees_it_on_and_off_side_by_side(player):
    """Keys alone: menu, letters, page, exhibit, both runs."""
    player.app.push(MenuMain(player.app))
    player.choose("Gallery")
    gallery = player.screen
    assert isinstance(gallery, GalleryScreen)
    write(player, "splice path")
    assert gallery.searched == "splice path" and gallery.shown[0].slug == "splice-path"
    player.key(pygame.K_RETURN)
    assert gallery.focused is gallery.grid and gallery.chosen == "splice-path"
    player.key(pygame.K_RETURN)
    page = player.screen
    assert isinstance(page, CardPage) and page.card.slug == "splice-path"
    player.key(pygame.K_b)
    beside = player.loaded()
    assert isinstance(beside, CompareScreen) and isinstance(player.app.screens[-2], ExhibitScreen)
    a, b = (half.world.settings.paths.splice for half in beside.pair.halves)
    assert (a, b) == (True, False)
    player.app.pop()
    player.app.pop()
    assert player.screen is page
    player.key(pygame.K_RETURN)
    assert isinstance(player.loaded(), ExhibitScreen)
    player.app.pop()
    player.key(pygame.K_ESCAPE)
    assert player.screen is gallery and gallery.seen == {"splice-path"}
    _leave(player)


def test_chapters_count_and_show_their_techniques(player, gallery):
    counts = {row.key: row.cells[1] for row in gallery.groups.rows}
    assert counts.pop("all") == f"0 / {len(CARDS)}"
    for title, words in counts.items():
        assert words == f"0 / {sum(card.chapter.title == title for card in CARDS)}"
    box = gallery.groups
    room = (box.rect.width - 2 * PAD) * (1 - box.columns[1]) - 10
    assert gallery.text.size("sans", 15, f"{len(CARDS)} / {len(CARDS)}")[0] < room, "no count is cut"
    player.click(box.row_rect(3).center)
    assert gallery.chapter == box.rows[3].key
    assert {card.chapter.title for card in gallery.shown} == {gallery.chapter}


def test_every_name_is_drawn_whole(gallery):
    painter, grid = gallery.grid.painter, gallery.grid
    for placed in grid.placed:
        name, sentence = painter.lines(placed.card)
        assert " ".join(name) == placed.card.name and " ".join(sentence) == placed.card.sentence
        assert all(gallery.text.size("serif_bold", 16, line)[0] <= placed.rect.width for line in name)
        assert painter.height(placed.card) <= placed.rect.height <= grid.rect.height
    for i, a in enumerate(grid.placed):
        assert not any(a.rect.colliderect(b.rect) for b in grid.placed[i + 1 : i + 9])


def test_three_sorts_keep_every_card_and_the_seen_ones_go_last(player, gallery):
    assert [s.title for s in gallery.grid.sections][:3] == ["Paths", "Motion", "Senses"]
    assert all(section.text for section in gallery.grid.sections)
    player.choose("Sorted by area")
    books = [placed.card.source_chapter for placed in gallery.grid.placed]
    assert gallery.sort == "source" and books == sorted(books) and len(books) == len(CARDS)
    gallery.grid.chosen = "jps"
    gallery._grid_moved("opened")
    assert read_seen() == {"jps"}
    player.key(pygame.K_ESCAPE)
    player.choose("Sorted by source chapter")
    assert gallery.grid.placed[-1].card.slug == "jps" and len(gallery.grid.placed) == len(CARDS)
    assert [s.title for s in gallery.grid.sections] == ["Not seen yet", "Seen"]


def test_a_page_shows_code_turns_and_leads_to_related_techniques(player, gallery):
    gallery.chosen = "splice-path"
    gallery.open()
    page = player.screen
    names = [card_of(slug, CARDS).name for slug in page.card.related]
    assert names and set(names) <= {button.text for button in page.buttons}
    assert "def hand_over" in page.source.text[page.source.line - 1]
    player.choose("join")
    assert "def join" in page.source.text[page.source.line - 1]
    player.key(pygame.K_c)
    assert isinstance(player.screen, CodeScreen) and player.screen.source is page.source
    player.key(pygame.K_ESCAPE)
    player.choose("Quick path")
    assert player.screen is page and page.card.slug == "quick-path"
    at = [card.slug for card in page.around].index("quick-path")
    player.key(pygame.K_PAGEDOWN)
    assert page.card.slug == page.around[at + 1].slug
    assert {"splice-path", "quick-path"} <= read_seen()


def test_a_technique_without_exhibit_says_so_and_opens_nothing(player, gallery):
    gallery.chosen = next(card.slug for card in CARDS if card.row.kind == "none")
    gallery.open()
    page = player.screen
    closed = [button.text for button in page.buttons if not button.is_enabled]
    assert {"No exhibit", "Side by side: B"} <= set(closed)
    for key in (pygame.K_RETURN, pygame.K_b):
        player.key(key)
        assert player.screen is page


def test_escape_in_the_line_shows_all_and_nonsense_shows_a_sentence(player, gallery):
    write(player, "zzqqxxyy")
    assert gallery.shown == () and gallery.focused is gallery.entry
    player.key(pygame.K_ESCAPE)
    player.frames(1)
    assert len(gallery.shown) == len(CARDS) and player.screen is gallery


def test_a_file_of_seen_cards_that_cannot_be_written_costs_one_line(player, gallery):
    seen_file().parent.parent.mkdir(parents=True, exist_ok=True)
    seen_file().parent.write_text("no folder", encoding="utf-8")
    gallery.chosen = "jps"
    gallery.open()
    assert "what you have seen is not kept" in player.screen.message and "\n" not in player.screen.message
    player.frames(2)
