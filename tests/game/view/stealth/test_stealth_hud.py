"""Stealth HUD: terms of the meter, marks of guards, noise rings, beliefs and barks."""

import itertools

import numpy as np
import pygame
import pytest

from ai.decision.decision_trace import PERCEPT
from game.level import load_level
from game.sim.session import Session
from game.systems.noise import path_field, paths_of_sound, rooms
from game.view.hud import hud_state
from game.view.hud.hud_values import HudState
from game.view.light.fog import FogMask
from game.view.stealth.barks import LIVES_MS, QUIET_MS, TIERS, Barks, bark_lines
from game.view.stealth.guard_beliefs import Believed, beliefs_about, spots_of
from game.view.stealth.meter_breakdown import Account, MeterBreakdown, draw_card, factor_words
from game.view.stealth.noise_rings import NoiseRings, Ring, caption_of, contour, sampled_paths
from game.view.stealth.watcher_marks import Causes, symbol_of
from game.view.window.playing import Playing
from game.world.units import Stance
from tests.game.view.yard import ANN, HEIGHT, ODO, PIM, WIDTH, build


@pytest.fixture(scope="module")
def level(tmp_path_factory):
    return load_level(build(tmp_path_factory.mktemp("yard") / "yard.tmx"))


@pytest.fixture
def playing(level):
    return Playing(Session(level, recording=False))


def put(playing, unit, x, y, stance=Stance.STAND):
    u = playing.world.units
    slot = u.slot(unit)
    u.x[slot] = u.prev_x[slot] = x
    u.y[slot] = u.prev_y[slot] = y
    u.stance[slot] = stance


# --- the sum of the meter -----------------------------------------------------------------------------------------
def test_the_terms_add_up_to_the_meter_at_every_tick(playing):
    put(playing, ANN, 29.5, 13.5, Stance.CROUCH)
    breakdown, most = MeterBreakdown(), 0.0
    for k in range(60):
        playing.run_ticks(1)
        if k == 12:
            put(playing, ANN, 29.5, 13.5)
        if k == 24:
            put(playing, ANN, 6.5, 20.5)
        breakdown.follow(playing)
        p = playing.picture
        meter = float(p.meter[p.row_of[ODO]])
        most = max(most, meter)
        total = breakdown.accounts[ODO, ANN].total if (ODO, ANN) in breakdown.accounts else 0.0
        assert total == pytest.approx(meter, abs=1e-9)
    assert most > 0.3


def test_different_causes_make_different_terms():
    account = Account()
    for meter, words, far in (
        (0.2, "crouching, in the dark", 9.0),
        (0.5, "standing, lit", 8.0),
        (0.9, "standing, lit", 6.2),
    ):
        account.change(meter, words, far)
    shares = {words: round(term.share, 9) for words, term in account.terms.items()}
    assert shares == {"crouching, in the dark": 0.2, "standing, lit": 0.7}
    assert account.terms["standing, lit"].distance == "8 to 6 tiles"
    account.change(0.45, "", 0.0)
    assert {round(t.share, 9) for t in account.terms.values()} == {0.1, 0.35}, "all terms fall by the same factor"


def test_identification_leaves_a_card_with_the_sum_and_the_product(playing, window):
    from game.view.painting.palette import palette
    from game.view.painting.paper_panels import Panels
    from game.view.painting.text import TextDrawer
    from game.view.units.sprites import Sprites

    put(playing, ANN, 29.5, 12.5)
    breakdown = MeterBreakdown()
    for _ in range(80):
        playing.run_ticks(1)
        breakdown.follow(playing)
        facts = [h for h in playing.take_happenings() if h.kind == "identified"]
        if facts:
            breakdown.identified(playing.world, facts[0].unit, facts[0].other, 0)
            break
    card = breakdown.card
    assert (card.watcher, card.target) == ("Odo", "Ann")
    assert sum(term.share for term in card.terms) == pytest.approx(1.0)
    assert factor_words(card).startswith("at last:")
    kept = [term.share for term in card.terms]
    playing.run_ticks(3)
    breakdown.follow(playing)
    assert [term.share for term in card.terms] == kept, "the card does not change with the meter"
    rect = draw_card(window, card, (12, 80), TextDrawer(1.0), Panels(palette()), palette(), Sprites())
    assert window.get_rect().contains(rect)


# --- marks and causes ---------------------------------------------------------------------------------------------
def test_the_mark_above_a_guard_is_its_state_at_every_tick(playing):
    """Compare marks with the meter and skill of each guard.

    The alarm panel is compared with the marks.
    """
    put(playing, ANN, 29.5, 13.5)
    seen, state, panels = set(), HudState(), set()
    for k in range(200):
        playing.run_ticks(1)
        if k == 40:
            put(playing, ANN, 6.5, 20.5)
        p, world = playing.picture, playing.world
        for unit in (ODO, PIM):
            row = p.row_of[unit]
            meter, skill = float(p.meter[row]), world.minds[unit].skill if unit in world.minds else ""
            symbol = symbol_of(world, unit, meter, bool(p.asleep[row]))
            seen.add(symbol)
            assert (symbol == "asleep") == bool(p.asleep[row])
            if meter >= 1.0:
                assert symbol == "alarm"
            if symbol == "eye":
                assert world.vision.state_of(meter) == 0 and skill not in ("fight", "search", "investigate")
            if symbol == "search":
                assert skill == "search"
        hud_state._alarm(state, playing)
        marks = [symbol_of(world, u, float(p.meter[p.row_of[u]]), bool(p.asleep[p.row_of[u]])) for u in (ODO, PIM)]
        panels.add(state.alarm)
        gravest = next((m for m in ("alarm", "search", "question") if m in marks), "")
        if gravest:
            assert state.alarm == {"alarm": "Alarm", "search": "Search", "question": "Suspicion"}[gravest]
            assert state.alarm_count == marks.count(gravest) or gravest == "question"
    assert {"eye", "question", "alarm", "asleep"} <= seen and {"Alarm", "Suspicion"} <= panels


@pytest.mark.parametrize(
    ("odo", "pim", "says"),
    [
        ("search", "alarm", ("Alarm", "alarm", 1)),
        ("search", "search", ("Search", "search", 2)),
        ("question", "search", ("Search", "search", 1)),
        ("question", "asleep", ("Suspicion", "eye", 1)),
        ("eye", "asleep", ("Unnoticed", "eye_shut", 0)),
    ],
)
def test_the_alarm_panel_shows_the_gravest_mark_even_with_all_meters_at_zero(playing, monkeypatch, odo, pim, says):
    state = HudState()
    monkeypatch.setattr(hud_state, "symbol_of", lambda world, unit, *_: {ODO: odo, PIM: pim}[unit])
    hud_state._alarm(state, playing)
    assert (state.alarm, state.alarm_icon, state.alarm_count) == says


def test_causes_equal_those_of_the_trace_after_a_jump_back_too(playing):
    causes = Causes()
    put(playing, ANN, 29.5, 12.5)
    moment = playing.keep()
    playing.run_ticks(4)
    causes.follow(playing.world)
    assert causes.words[ODO] == playing.world.trace.last(ODO, 1, (PERCEPT,))[0].cause
    assert moment == 0 and playing.back()
    causes.follow(playing.world)
    assert causes.words == {}


# --- noise --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("place", [(6.5, 12.5), (16.5, 12.5), (34.5, 4.5)])
def test_the_field_of_a_sound_is_its_path_length_to_every_open_tile(playing, place):
    world = playing.world
    paths = path_field(world, *place, 0, 0, HEIGHT, WIDTH)
    y, x = np.nonzero(world.terrain.opaque == 0)
    assert np.allclose(paths[y, x], paths_of_sound(world, *place, x + 0.5, y + 0.5))
    assert np.isinf(paths[world.terrain.opaque != 0]).all()


def test_a_ring_is_at_its_distance_along_the_path_of_sound_and_never_in_a_wall(playing):
    world = playing.world
    x, y, radius = 13.5, 12.5, 8.0
    corner, paths = sampled_paths(world, x, y, radius)
    lines = contour(Ring(x, y, radius, 0, 1, True, 1, corner, paths), 6.0)
    assert len(lines) > 40
    middle = (lines[:, :2] + lines[:, 2:]) / 2
    in_wall = world.terrain.opaque[middle[:, 1].astype(int), middle[:, 0].astype(int)] != 0
    assert not in_wall.any()
    here = middle[middle[:, 0] < 16]
    assert np.abs(np.hypot(here[:, 0] - x, here[:, 1] - y) - 6.0).max() < 0.2
    beyond = middle[middle[:, 0] > 17.5]
    gap = next(c for c in rooms(world).chokes if 16 <= c.x <= 17.5)
    path = np.hypot(gap.x - x, gap.y - y) + np.hypot(beyond[:, 0] - gap.x, beyond[:, 1] - gap.y)
    assert len(beyond) > 8 and np.abs(path - 6.0).max() < 0.3, "measured through the middle of the gap"


def test_one_ring_tells_of_an_exchange_of_shots_and_each_side_has_its_own(playing):
    fog = FogMask(HEIGHT, WIDTH, np.zeros((HEIGHT, WIDTH)))
    fog.sighted[:] = True
    rings = NoiseRings()
    counts = []
    for tick, unit in ((1, ANN), (9, ANN), (15, ODO), (20, ANN), (90, ANN)):
        playing.world.recording["sounds"] = [(tick, 2, 6.5, 12.5, 9.0, unit)]
        playing.world.tick = tick
        rings.follow(playing, (), fog, tick * 50)
        counts.append(sum(ring.born == tick * 50 for ring in rings.rings))
    assert counts == [1, 0, 1, 0, 1]
    assert caption_of(rings.rings[-1]) == "shot, 9 m"


def test_rings_of_steps_show_for_a_few_selected_units_alone(playing):
    fog = FogMask(HEIGHT, WIDTH, np.zeros((HEIGHT, WIDTH)))
    fog.sighted[:] = False
    sounds = [(1, 0, 6.5, 12.5, 3.0, ANN), (1, 0, 22.5, 11.5, 3.0, ODO), (1, 1, 8.5, 8.5, 8.0, ANN)]
    playing.world.recording["sounds"] = sounds
    playing.world.tick = 1
    for selected, kinds in (((ANN,), [0, 1]), ((), [1]), (tuple(range(20)), [1])):
        rings = NoiseRings()
        rings.follow(playing, selected, fog, 0)
        assert [ring.kind for ring in rings.rings] == kinds, "no ring of a guard out of sight"


# --- beliefs ------------------------------------------------------------------------------------------------------
def test_a_belief_follows_the_target_in_the_grace_period_and_then_stays(playing):
    put(playing, ANN, 29.5, 12.5)
    while playing.world.tick < 100 and not any(h.kind == "identified" for h in playing.take_happenings()):
        playing.run_ticks(1)
    assert beliefs_about(playing) == [], "the raider is in sight"
    put(playing, ANN, 6.5, 3.5)
    playing.run_ticks(2)
    (belief,) = beliefs_about(playing)
    assert belief.target == ANN and 0 < belief.sensed < 1
    assert (belief.x, belief.y) == pytest.approx((6.5, 3.5), abs=0.3), "the belief still follows the raider"
    playing.run_ticks(int(playing.world.settings.minds.grace))
    (belief,) = beliefs_about(playing)
    kept = (belief.x, belief.y)
    put(playing, ANN, 3.5, 20.5)
    playing.run_ticks(5)
    (belief,) = beliefs_about(playing)
    assert belief.sensed == 0 and (belief.x, belief.y) == kept


def test_beliefs_at_one_spot_share_a_ring_and_a_newer_one_speaks_for_it():
    old, new = Believed(1, 5.0, 5.0, 9.0, 0.0), Believed(2, 6.2, 5.0, 3.0, 0.0)
    sensed, far = Believed(3, 5.5, 5.0, 1.0, 0.5), Believed(4, 9.0, 5.0, 4.0, 0.0)
    spots = [[b.target for b in spot] for spot in spots_of([old, new, sensed, far])]
    assert spots == [[3, 2, 1], [4]], "a sensed one has its clock for all of the spot"
    spots = [[b.target for b in spot] for spot in spots_of([old, new, far])]
    assert spots == [[2, 1], [4]]


# --- barks --------------------------------------------------------------------------------------------------------
def test_every_bark_of_the_minds_is_a_row_and_all_tiers_are_used():
    import re
    from pathlib import Path

    said = set()
    for file in (Path(__file__).parents[4] / "game" / "minds").rglob("*.py"):
        for call in re.findall(r"\.bark\((.*)\)", file.read_text(encoding="utf-8")):
            said |= set(re.findall(r'"([^"]*)"(?= if| else|$)|else "([^"]*)"', call))
    said = {name for group in said for name in group if name}
    assert said and said <= set(bark_lines())
    assert {tier for tier, _ in bark_lines().values()} == set(TIERS)


def test_a_unit_barks_once_in_a_while_but_a_shout_is_not_delayed():
    barks = Barks()
    assert barks.hear(1, "notice", 5, 5, 0)
    assert barks.hear(1, "nothing", 5, 5, 100) is None
    assert barks.hear(1, "alarm", 5, 5, 200).tier == "shout"
    assert barks.hear(1, "notice", 5, 5, 300) is None
    assert barks.hear(1, "notice", 5, 5, 200 + LIVES_MS["shout"] + QUIET_MS)


def test_few_units_of_a_crowd_say_the_same_at_once():
    barks = Barks()
    said = [barks.hear(unit, "there_he_is", 5 + unit, 5, 10 * unit) for unit in range(8)]
    assert sum(b is not None for b in said) == 1
    far = [barks.hear(unit, "there_he_is", 40.0 * unit, 5, 100) for unit in range(20, 30)]
    assert sum(b is not None for b in far) <= 3


def test_bubbles_of_neighbours_do_not_overlap_and_the_loudest_is_above_its_unit(window):
    from game.view.painting.camera import Camera
    from game.view.painting.palette import palette
    from game.view.painting.text import TextDrawer
    from game.view.units.unit_labels import LabelPlacer

    camera, barks = Camera(40, 24, 1280, 720), Barks()
    camera.set_zoom(32)
    places = {unit: (18.0 + 1.3 * unit, 12.0) for unit in range(4)}
    for unit, what in enumerate(("notice", "going", "alarm", "answer")):
        barks.hear(unit, what, *places[unit], 0)
    boxes = barks.draw(window, camera, TextDrawer(1.0), palette(), LabelPlacer(), places, 1)
    assert len(boxes) == 4 and all(not a.colliderect(b) for a, b in itertools.combinations(boxes, 2))
    assert boxes[0].centerx == camera.to_screen(*places[2])[0] and boxes[0].bottom < camera.to_screen(*places[2])[1]


def test_all_lines_of_a_bark_are_used():
    words = {Barks().hear(unit, "notice", 0, 0, 0).words for unit in range(9)}
    assert len(words) == len(bark_lines()["notice"][1])


def test_a_bad_row_is_reported_with_its_key(tmp_path):
    for text, key in (('tier = "yell"\nlines = ["a"]', "tier"), ('tier = "call"\nlines = []', "lines")):
        file = tmp_path / f"{key}.toml"
        file.write_text(f"[bark.x]\n{text}\n", encoding="utf-8")
        with pytest.raises(ValueError, match=rf"bark.x\] {key}"):
            bark_lines(file)


# --- the light gem ------------------------------------------------------------------------------------------------
def test_the_light_gem_is_brighter_with_more_light(window):
    from game.view.painting.palette import palette
    from game.view.stealth.light_gem import draw_gem

    bright = []
    for light in (0.0, 0.5, 1.0):
        window.fill((90, 90, 90))
        draw_gem(window, palette(), (40, 40), 12, light)
        bright.append(sum(sum(window.get_at((40, y))[:3]) for y in range(28, 53)))
    assert all(b > a * 1.2 for a, b in itertools.pairwise(bright))


# --- dogs ---------------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("window")
def test_a_dog_is_long_and_narrow_with_its_head_ahead_and_the_colour_of_its_side():
    from game.view.painting.palette import palette
    from game.view.units.dogs import DogPainter

    dogs = DogPainter(palette())
    east, south = (dogs.picture(64, 1, "stands", d, False).get_bounding_rect() for d in (0, 4))
    assert east.width > 1.7 * east.height and south.height > 1.7 * south.width
    picture = dogs.picture(64, 1, "stands", 0, False)
    near = [tuple(picture.get_at((x, 64))[:3]) for x in range(40, 80)]
    assert palette().sides[1].colour in near
    rows = pygame.surfarray.array_alpha(picture)
    head, tail = rows[96:].sum(), rows[:32].sum()
    assert head > 1.3 * tail, "the head is ahead"
    assert dogs.picture(64, 1, "lies", 0, False).get_bounding_rect() != east


def test_a_bark_goes_when_it_is_not_true_any_more_or_its_speaker_is_down():
    barks = Barks()
    assert barks.hear(1, "notice", 5, 5, 0) and barks.hear(2, "glimpse", 25, 5, 0) and barks.hear(3, "no_way", 45, 5, 0)
    barks.forget_untrue({1: "question", 2: "question", 3: "alarm"}, 900)
    assert [b.unit for b in barks.bubbles if 900 - b.born < LIVES_MS[b.tier]] == [1, 2, 3]
    barks.forget_untrue({1: "alarm", 3: "alarm"}, 1000)
    assert [b.unit for b in barks.bubbles if 1000 - b.born < LIVES_MS[b.tier]] == [3]
    assert not barks.hear(1, "notice", 5, 5, 1100), "and is not said again at once"
