"""Tours: their files, answers against the exhibits, and one tour by keys."""

import json
import math
from pathlib import Path

import pygame
import pytest

from game.checks.exhibit_run import ExhibitRun
from game.view.exhibits.gallery_rows import register_row
from game.view.lab.finder.entries_everywhere import entries_everywhere
from game.view.screens.loading_screen import LoadingScreen
from game.view.screens.menu_screen import MenuMain
from game.view.screens.tours.tour_files import TOURS, Guess, load_tour, tours_or_fault
from game.view.screens.tours.tour_list_screen import TourListScreen
from game.view.screens.tours.tour_offer import offered_tour
from game.view.screens.tours.tour_stop_screen import TourStopScreen
from game.view.window.mission_progress import note_guess, note_win, progress_file, read_guesses, read_progress

ALL = [(tour.name, number) for tour in tours_or_fault()[0] for number in range(len(tour.stops))]
QUICK = ("paths", 2)
"""A stop whose exhibit takes under two seconds of processor time."""


def test_five_tours_of_at_most_eight_stops_and_ten_minutes() -> None:
    tours, fault = tours_or_fault()
    assert fault == ""
    assert [tour.title for tour in tours] == ["Paths", "Motion", "Senses", "Squads", "Body"]
    for tour in tours:
        assert 5 <= len(tour.stops) <= 8 and tour.minutes <= 10
        assert all(stop.question.endswith("?") for stop in tour.stops)
        assert len({stop.right for stop in tour.stops}) > 1, "the right guess is not always the same button"
    slugs = [stop.row.slug for tour in tours for stop in tour.stops]
    assert len(set(slugs)) == len(slugs), "an exhibit is a stop of one tour"


def test_the_right_guess_is_on_the_side_that_the_descriptor_promises() -> None:
    for tour in tours_or_fault()[0]:
        for stop in tour.stops:
            up = register_row(stop.row.slug)["direction"] == "up"
            low, high = stop.guesses[stop.right].percent
            assert low >= 100 if up else high <= 100, stop.row.slug
            code = " ".join(stop.source.text[stop.source.line - 1 : stop.source.end])
            assert code.strip() and stop.source.file.is_file()


@pytest.mark.parametrize(
    ("tour", "number"),
    [pytest.param(*row, id=f"{row[0]}-{row[1] + 1}", marks=[pytest.mark.long] * (row != QUICK)) for row in ALL],
)
def test_the_measured_numbers_agree_with_the_right_guess_and_with_no_other(tour: str, number: int) -> None:
    stop = load_tour(TOURS / f"{tour}.toml").stops[number]
    run = ExhibitRun.open(stop.map, stop.row.slug)
    while run.ab_run.shown.world.tick < stop.ticks:
        run.advance()
    on, off = (metric.value for metric in run.metrics)
    fits = [i for i, guess in enumerate(stop.guesses) if guess.foretells(on, off)]
    assert fits == [stop.right], f"{stop.row.slug}: {on:g} with it, {off:g} without"


def test_a_guess_foretells_a_range_of_percent() -> None:
    half, more = Guess(words="half", percent=(40, 60)), Guess(words="more", percent=(150, math.inf))
    assert half.foretells(1.0, 2.0) and not half.foretells(2.0, 2.0) and not half.foretells(0.0, 0.0)
    assert more.foretells(3.0, 2.0) and more.foretells(3.0, 0.0) and not more.foretells(2.9, 2.0)


SLIPS = {
    "no stop": ("[[stop]]", "[[halt]]", "stop: Field required"),
    "slug": ('"theta-star"', '"theta-moon"', "stop.3.technique: 'theta-moon' is no slug"),
    "no exhibit": ('"theta-star"', '"animation-graph"', "stop.3.technique: animation-graph has no exhibit"),
    "twice": ('"theta-star"', '"quick-path"', "stop.3.technique: quick-path is a stop already"),
    "right": ("right = 3", "right = 4", "stop.5: right = 4: there are 3 guesses"),
    "wrong side": ("right = 3", "right = 1", "stop.5.right: dead-end promises that its number goes down"),
    "overlap": ("percent = [0, 12]", "percent = [0, 40]", "stop.5: percent: 0 to 40 and the range from 30 overlap"),
    "range": ("percent = [0, 12]", "percent = [12, 0]", "stop.5.guess.3: percent = [12.0, 0.0]: write [low, high]"),
    "key": ("place = 1", "place = 1\ncolour = 3", "colour: Extra inputs"),
    "function": ("hpa.HierarchicalSearch.find_abstract", "hpa.Nothing.find", "stop.5.code.function: there is no"),
    "line": ('first = "tiles = self', 'first = "tilt = self', "stop.5.code.first: 0 lines of"),
    "no text": ('title = "Paths"', 'title = ""', "title: String should have"),
}  # fmt: skip


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_in_a_tour_is_told_in_one_line_with_file_place_and_remedy(slip: str, tmp_path: Path) -> None:
    old, new, told = SLIPS[slip]
    text = (TOURS / "paths.toml").read_text(encoding="utf-8")
    assert old in text
    file = tmp_path / "slip.toml"
    file.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError) as error:
        load_tour(file)
    words = str(error.value)
    assert words.startswith(f"{file}: ") and told in words and "\n" not in words and ";" in words


def test_a_tour_that_takes_too_long_is_refused(tmp_path: Path) -> None:
    text = (TOURS / "paths.toml").read_text(encoding="utf-8")
    longer = text.replace('answer = "', 'answer = "' + "a " * 100)
    (tmp_path / "long.toml").write_text(longer, encoding="utf-8")
    with pytest.raises(ValueError, match=r"long\.toml: stop: 1\d minutes, at most 10; shorten"):
        load_tour(tmp_path / "long.toml")
    tours, fault = tours_or_fault(tmp_path)
    assert tours == [] and "long.toml" in fault


def test_guesses_and_wins_are_kept_in_one_file_without_a_loss() -> None:
    note_win("the_depot", 900, True)
    assert note_guess("paths", "jps", 2) == ""
    note_win("the_depot", 700, False)
    note_guess("paths", "jps", 1)
    assert read_guesses() == ({"paths": {"jps": 1}}, "")
    assert read_progress()[0]["the_depot"].won == 2


def test_the_first_tour_is_offered_after_the_first_mission_until_it_is_begun() -> None:
    tour = offered_tour("the_crossing")
    assert tour is not None and tour.title == "Paths"
    assert offered_tour("the_depot") is None
    note_guess("paths", tour.stops[0].row.slug, 0)
    assert offered_tour("the_crossing") is None


def test_a_tour_by_keys_and_mouse(player) -> None:
    """Guess by key, run to the end, read answer and code, and go on."""
    app = player.app
    app.push(MenuMain(app))
    player.choose("Tours")
    listed = player.screen
    assert isinstance(listed, TourListScreen)
    player.choose("Start")
    stop = player.loaded()
    assert isinstance(stop, TourStopScreen) and (stop.phase, stop.number) == ("ask", 0)
    stop.scene.ground_budget(0)
    player.frames(5)
    assert stop.show.world.tick == 0, "time stands still before the guess"
    player.key(pygame.K_t)
    player.key(pygame.K_r)
    assert stop.phase == "ask" and stop.show.run.shows_on, "only the guess is asked for"
    player.key(pygame.K_2)
    assert (stop.phase, stop.guess) == ("run", 1)
    player.key(0, pygame.KSCAN_SPACE)
    assert stop.show.clock.paused and stop.phase == "run"
    player.key(pygame.K_RETURN)
    assert not stop.show.clock.paused and stop.show.clock.speed > 1
    for _ in range(12):
        app.frame(2000, [])
    assert stop.phase == "answer" and stop.show.world.tick == stop.stop.ticks, "it stops at its last tick"
    card = stop.panel.card
    assert card.title == "It is otherwise" and stop.stop.guesses[0].words in card.lead
    assert stop.stop.guesses[stop.stop.right].foretells(*(one.value for one in card.numbers))
    assert read_guesses()[0] == {"paths": {"quick-path": 1}}
    assert json.loads(progress_file().read_text())["tours"] == {"paths": {"quick-path": 1}}
    player.key(pygame.K_h)
    assert stop.aside
    player.key(pygame.K_h)
    player.click(stop.panel.buttons[0].center)
    assert stop.phase == "code" and stop.panel.card.source == stop.stop.source
    player.key(pygame.K_a)
    assert stop.phase == "answer"
    player.key(pygame.K_RETURN)
    player.key(pygame.K_RETURN)
    second = player.loaded()
    assert isinstance(second, TourStopScreen) and (second.phase, second.number) == ("ask", 1)
    second.scene.ground_budget(0)
    player.key(pygame.K_DOWN)
    assert second.panel.focus == 1
    player.key(pygame.K_ESCAPE)
    assert player.screen is listed and listed.seen(listed.tours[0]) == 1
    assert any(button.text == "Go on" for button in listed.buttons)
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.screen, MenuMain)
    entry = next(one for one in entries_everywhere(app) if one.name == "Tour: Motion")
    entry.act()
    assert isinstance(player.screen, LoadingScreen) and player.screen.technique == "interception"
    while app.screens:
        app.screens.pop().leave()
