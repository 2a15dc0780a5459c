"""Overlays of light, sight, belief and search equal the data of a small yard.

Oracles: light, tile sets, counts and spots, read from the world without the overlay.
"""

from types import SimpleNamespace

import numpy as np
import pygame
import pytest

from ai.squad.squad_search import Search, Spot, SpotState
from game.level import load_level
from game.sim.session import Session
from game.systems.noise import rooms
from game.systems.stealth.foresight import seconds_around
from game.systems.stealth.side_balance import balance_of
from game.systems.stealth.watcher_intel import sightings_of
from game.view.overlays.overlay import NOT_COMPUTED, LabContext
from game.view.overlays.senses.eye_overlay import Zones
from game.view.overlays.senses.stealth_overlays import (
    Areas,
    Exposure,
    Lightness,
    PossibleOverlay,
    SearchSpots,
    SneakPaths,
)
from game.view.overlays.senses.tactics_overlays import Chances, Influence, Posts
from game.view.painting.camera import Camera
from game.view.painting.palette import palette
from game.view.stealth.guard_beliefs import beliefs_about
from game.view.units.unit_labels import LabelPlacer
from game.view.window.playing import Playing
from game.world.orders import Order, OrderKind
from tests.game.view.yard import ANN, HEIGHT, ODO, WIDTH, build

ALL = (0, 0, HEIGHT, WIDTH)


@pytest.fixture(scope="module")
def level(tmp_path_factory):
    return load_level(build(tmp_path_factory.mktemp("yard") / "yard.tmx"))


def look(playing, selected=()):
    every = np.arange(len(playing.picture))
    return LabContext(playing, palette(), None, None, SimpleNamespace(labels=LabelPlacer()), selected, every)


@pytest.fixture
def playing(level):
    made = Playing(Session(level, recording=False))
    made.run_ticks(2)
    return made


@pytest.fixture(scope="module")
def lost(level):
    """Return a game in which Ann was identified by Odo and is searched for."""
    made = Playing(Session(level, 1, {"minds.chances": True, "minds.grace": 10}, recording=False))
    u = made.world.units
    place(u, ANN, 29.5, 12.5)
    for _ in range(100):
        made.run_ticks(1)
        if any(h.kind == "identified" for h in made.take_happenings()):
            break
    place(u, ANN, 20.5, 3.5)
    # Ann is sensed there until the grace period ends.
    made.run_ticks(12)
    place(u, ANN, 6.5, 3.5)
    for _ in range(200):
        made.run_ticks(1)
        if made.world.searches and any(known.maps and known.chances for known in made.world.knowledge):
            return made
    raise AssertionError("nobody searches for who was seen")


def place(units, unit, x, y):
    slot = units.slot(unit)
    units.x[slot] = units.prev_x[slot] = x
    units.y[slot] = units.prev_y[slot] = y


def drawn(overlay, context, x, y, zoom=32):
    """Return the colours about (x, y) in a picture of the overlay alone."""
    surface = pygame.Surface((1280, 720))
    camera = Camera(WIDTH, HEIGHT, 1280, 720)
    camera.set_zoom(zoom)
    camera.centre_on(x, y)
    overlay.draw(surface, camera, context, 1.0)
    px, py = camera.to_screen(x, y)
    part = surface.subsurface(pygame.Rect(px - zoom // 2, py - zoom // 2, zoom, zoom))
    return {tuple(c) for c in pygame.surfarray.array3d(part).reshape(-1, 3).tolist()} - {(0, 0, 0)}


def test_lightness_is_brighter_where_more_light_falls(playing):
    context, level = look(playing), playing.world.light.level
    filled = Lightness().fill(context, *ALL)
    ramp = np.array(palette().ramps["cividis"])
    assert np.array_equal(filled[..., :3], ramp[np.minimum(level / 25.5, len(ramp) - 1).astype(int)])
    assert level[12, 25] > level[3, 3]
    for y, x in ((12, 25), (3, 3)):
        assert Lightness().value_at(context, x + 0.5, y + 0.5) == f"lit {level[y, x] / 2.55:.0f}"


def test_zones_are_the_seconds_of_the_selected_guard(playing):
    context = look(playing, (ODO,))
    y0, x0, seconds = seconds_around(playing.world, ODO)
    filled = Zones().fill(context, *ALL)
    there = filled[y0 : y0 + seconds.shape[0], x0 : x0 + seconds.shape[1], 3] > 0
    assert np.array_equal(there, np.isfinite(seconds)) and (filled[..., 3] > 0).sum() == np.isfinite(seconds).sum() > 20
    j, i = np.argwhere(np.isfinite(seconds))[0].tolist()
    assert Zones().value_at(context, x0 + i + 0.5, y0 + j + 0.5) == f"identified in {seconds[j, i]:.1f} s"
    assert Zones().value_at(context, 2.5, 2.5) == "a standing unit is not seen here"


def test_areas_are_the_rooms_and_openings_of_sound(playing):
    context, area = look(playing), rooms(playing.world).area
    filled = Areas().fill(context, *ALL)
    largest = np.bincount(area[area >= 0]).argmax()
    assert np.array_equal(filled[..., 3] > 0, ((area >= 0) & (area != largest)) | (area <= -2))
    opening = (filled[..., :3] == palette()["ink"]).all(axis=2) & (filled[..., 3] > 0)
    assert np.array_equal(opening, area <= -2) and opening.any()
    for choke in rooms(playing.world).chokes:
        beside = {tuple(filled[area == a][0]) for a in choke.areas if a not in (-1, largest)}
        assert len(beside) == len([a for a in choke.areas if a not in (-1, largest)]), "neighbours differ"
    y, x = np.argwhere(area >= 0)[0].tolist()
    assert f"area {area[y, x]}" in Areas().value_at(context, x + 0.5, y + 0.5)
    y, x = np.argwhere(opening)[0].tolist()
    assert Areas().value_at(context, x + 0.5, y + 0.5).startswith("opening between")
    y, x = np.argwhere(playing.world.terrain.opaque)[0].tolist()
    assert Areas().value_at(context, x + 0.5, y + 0.5) == "wall"


def test_exposure_counts_the_watchers_that_the_side_knows(playing):
    context = look(playing)
    known = sightings_of(playing.world, 0)
    assert known is not None
    known.chart.rounds = 0
    assert (Exposure().fill(context, *ALL) == NOT_COMPUTED).all()
    assert Exposure().value_at(context, 5.5, 5.5) == "not computed yet"
    known.chart.rounds = 1
    known.chart.front[:] = 0
    known.chart.front[0, 6:9, 6:9], known.chart.front[1, 7, 7] = 3, 1
    assert np.array_equal(Exposure().fill(context, *ALL)[..., 3] > 0, known.chart.front[0] > 0)
    assert Exposure().value_at(context, 7.5, 7.5) == "seen by 3 standing, 1 crouching, 0 lying"
    playing.world.units.stance[playing.world.units.slot(ANN)] = 1
    playing.run_ticks(1)
    known.chart.front[:] = 0
    known.chart.front[1, 7, 7] = 1
    crouched = Exposure().fill(look(playing, (ANN,)), *ALL)[..., 3] > 0
    assert crouched.sum() == 1 and crouched[7, 7], "the map of crouching units for a crouching unit"


def test_a_sneak_path_is_drawn_with_the_stance_of_each_tile(playing):
    playing.session.give(Order(OrderKind.SNEAK, 0, (ANN,), 20.5, 21.5))
    for _ in range(40):
        playing.run_ticks(1)
        path = playing.world.sneaks.get(ANN)
        if path is not None and len(path.tiles):
            break
    assert path is not None and len(path.tiles) > 4
    context = look(playing, (ANN,))
    words = ("upright", "crouched", "lying")
    for (y, x), stance in zip(path.tiles[1:].tolist(), path.stances[1:].tolist(), strict=True):
        assert SneakPaths().value_at(context, x + 0.5, y + 0.5) == words[stance]
    y, x = path.tiles[len(path.tiles) // 2].tolist()
    assert tuple(palette()["blue"]) in drawn(SneakPaths(), context, x + 0.5, y + 0.5)
    assert not drawn(SneakPaths(), context, 35.5, 4.5)


def test_the_believed_position_is_the_centre_of_the_search(lost):
    (ghost,) = beliefs_about(lost)
    (search,) = lost.world.searches
    assert ghost.sensed == 0 and ghost.target == search.target == ANN
    assert (ghost.x, ghost.y) == (search.x, search.y) and (int(ghost.x), int(ghost.y)) == (20, 3)
    crossed = drawn(SearchSpots(), look(lost), ghost.x, ghost.y)
    assert tuple(palette()["ink"]) in crossed, "the cross at the centre of the search"


def test_possibility_and_occupancy_overlays_equal_the_maps_of_the_side(lost):
    context = look(lost)
    known = next(k for k in lost.world.knowledge if k.maps)
    mask, chance = known.maps[0].possible != 0, known.chances[0].chance
    assert 1 < mask.sum() < mask.size
    assert np.array_equal(PossibleOverlay().fill(context, *ALL)[..., 3] > 0, mask)
    for place_is, words in ((True, "can be here"), (False, "cannot be here")):
        y, x = np.argwhere(mask == place_is)[0].tolist()
        assert PossibleOverlay().value_at(context, x + 0.5, y + 0.5) == words
    filled = Chances().fill(context, *ALL)
    assert np.array_equal(filled[..., 3] > 0, chance > 0)
    y, x = np.unravel_index(int(chance.argmax()), chance.shape)
    assert tuple(filled[y, x, :3]) == tuple(palette().ramps["cividis"][-1]), "the likeliest is the brightest"
    assert Chances().value_at(context, x + 0.5, y + 0.5) == f"{100 * chance[y, x]:.1f} % here"


def test_spots_have_rings_by_state_and_name_their_searcher(playing):
    p = palette()
    search = Search(1, 1, ANN, 24.5, 14.5, 0, 400, 1, 12.0, searchers=[ODO])
    spots = [Spot(20.5, 20.5), Spot(30.5, 20.5, SpotState.CLAIMED, ODO), Spot(36.5, 12.5, SpotState.SEARCHED, ODO, 1)]
    search.spots = spots
    playing.world.searches.append(search)
    context = look(playing)
    for spot, colour, words in zip(
        spots, ("ink", "blue", "mist"), ("not searched", "claimed by Odo", "searched by Odo"), strict=True
    ):
        assert tuple(p[colour]) in drawn(SearchSpots(), context, spot.x, spot.y)
        assert SearchSpots().value_at(context, spot.x, spot.y) == words
    assert SearchSpots().value_at(context, 5.5, 5.5) == "" and not drawn(SearchSpots(), context, 5.5, 5.5)


def test_posts_join_a_watching_guard_with_its_opening(playing):
    graph = rooms(playing.world)
    number = next(k for k, c in enumerate(graph.chokes) if c.walkable)
    choke = graph.chokes[number]
    search = Search(1, 1, ANN, 24.5, 14.5, 0, 400, 1, 12.0, searchers=[ODO])
    search.posts = {ODO: (number, choke.x + 4.0, choke.y + 3.0, 0.0)}
    context = look(playing)
    assert Posts().empty(context) and not drawn(Posts(), context, choke.x, choke.y)
    playing.world.searches.append(search)
    assert not Posts().empty(context)
    for x, y in ((choke.x, choke.y), (choke.x + 4.0, choke.y + 3.0)):
        assert Posts().value_at(context, x, y) == "watched by Odo"
        assert tuple(palette()["blue"]) in drawn(Posts(), context, x, y)
    assert Posts().value_at(context, 2.5, 2.5) == ""


def test_influence_is_the_balance_of_the_selected_side(playing):
    ramp = np.array(palette().ramps["diverging"])
    for selected, side in (((), 0), ((ODO,), 1)):
        context, field = look(playing, selected), balance_of(playing.world, side)
        assert np.ptp(field) > 0.2
        at = np.clip(np.floor((field / 2.0 + 1) / 2 * len(ramp) + 1e-9), 0, len(ramp) - 1).astype(int)
        assert np.array_equal(Influence().fill(context, *ALL)[..., :3], ramp[at])
        y, x = np.unravel_index(int(np.abs(field).argmax()), field.shape)
        assert Influence().value_at(context, x + 0.5, y + 0.5) == f"{field[y, x]:+.2f} soldiers"
