"""Overlays of tactics: every field draws, has values, and changes nothing."""

from pathlib import Path

import numpy as np
import pytest

from game.level.reading import load_level
from game.sim.session import Session
from game.systems.tactics.side_influence import influence_of
from game.systems.tactics.territory import pieces, territory
from game.view.overlays.lenses import REGISTRY
from game.view.overlays.tactics.influence_overlays import layers_of
from tests.game.view.player import Player

LEVEL = Path(__file__).resolve().parents[5] / "levels" / "exhibits" / "tactics" / "yard.tmx"
FIELDS = [name for name in REGISTRY if name.startswith("layer_")]


@pytest.fixture(scope="module")
def play():
    player = Player()
    play = player.open()
    player.press("select_all")
    player.press("lab")
    play.playing.run_ticks(6)
    player.frames(1)
    yield play
    player.app.close()


@pytest.mark.parametrize("name", [*FIELDS, "territory", "rated_places"])
def test_a_field_has_colours_a_legend_and_values_and_changes_nothing(play, name: str) -> None:
    context = play.lab.context(play.playing, play.view)
    before = play.playing.world.hash()
    overlay = REGISTRY[name]()
    height, width = play.playing.world.terrain.passable.shape
    colours = overlay.fill(context, 0, 0, height, width)
    assert colours.shape == (height, width, 4) and colours.dtype == np.uint8
    assert overlay.legend(context) and overlay.value_at(context, 5.5, 5.5)
    assert play.playing.world.hash() == before and not play.playing.world.influence.sides


def test_published_layers_are_shown_as_they_are_and_others_are_computed() -> None:
    session = Session(load_level(LEVEL), 3)
    for _ in range(4):
        session.advance()
    computed = layers_of(session.world, 0)
    influence_of(session.world, 0)
    session.advance()
    state = influence_of(session.world, 0)
    assert layers_of(session.world, 0)["own_threat"] is state.maps()["own_threat"]
    assert np.allclose(computed["own_nearness"], state.maps()["own_nearness"])


def test_flooding_gives_each_holder_one_piece_and_strength_does_not() -> None:
    """Compare among rooms, where a straight line holds ground behind walls."""
    session = Session(load_level(LEVEL.parents[1] / "influence" / "rooms.tmx"), 3)
    world = session.world
    owner = territory(world)
    assert pieces(owner) == len(np.unique(owner[owner >= 0])) == len(world.units.living())
    world.settings.tactics.territory = "strongest"
    assert pieces(territory(world)) > pieces(owner)
