"""Loud ground within earshot as a barrier of the possibility map.

The setting ``minds.noisy_ground`` belongs to an exhibit.
Oracles: distances calculated by hand, and the same scene with the setting off.
"""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from ai.perception.memory.last_known_position import SideBeliefs
from ai.perception.memory.possibility_map import fineness, possibility_map
from game.systems.stealth.side_knowledge import EARSHOT, barriers_of, knowledge_of
from game.view.overlays.overlay import LabContext
from game.view.overlays.senses.stealth_overlays import PossibleOverlay
from game.view.painting.palette import palette
from game.view.units.unit_labels import LabelPlacer
from game.view.window.playing import Playing
from game.world.stealth.side_records import SideKnowledge
from tests.game.sim.play import Play, guard, raider, yard

GRAVEL = (11, 12)
WALL = 6
STRIP = ["s" * 11 + "gg" + "s" * 17] * WALL + ["#" * 30] + ["s" * 11 + "gg" + "s" * 17] * 5
"""Map with a strip of gravel, north to south, and a wall across it."""


def lost(folder: Path, noisy: bool) -> Play:
    """Return a play with a guard west of the gravel, a raider lost east.

    The guard stands three tiles from the gravel and looks at the northern edge.
    """
    builder = yard("\n".join(STRIP))
    guard(builder, 8.5, 1.5, facing=270.0)
    raider(builder, 28.5, 10.5)
    play = Play(folder, builder, minds__noisy_ground=noisy, minds__chances=False).run(2)
    known = knowledge_of(play.world, 1)
    if known is None:
        known = SideKnowledge(1, SideBeliefs(1))
        play.world.knowledge.append(known)
    run = play.world.types[int(play.world.units.kind[play.slot("Ann")])].run
    passable = play.world.terrain.passable
    at = play.unit("Ann"), 3.5, 16.5, play.world.tick
    known.maps.append(possibility_map(*passable.shape, *at, fine=fineness(run)))
    return play


def test_the_possibility_map_does_not_spread_over_loud_ground_in_earshot(tmp_path: Path) -> None:
    for noisy in (False, True):
        play = lost(tmp_path, noisy)
        world, ears = play.world, np.array([play.slot("Odo")])
        barriers = barriers_of(world, ears)
        assert (barriers is not None) == noisy
        if barriers is not None:
            for y, x in np.ndindex(barriers.shape):
                far = math.hypot(x + 0.5 - 8.5, y + 0.5 - 1.5)
                if x in GRAVEL and y < WALL and far < EARSHOT - 0.5:
                    assert barriers[y, x], "gravel within earshot"
                if y > WALL or far > EARSHOT + 0.8 or (x not in GRAVEL and far > 2.0):
                    assert not barriers[y, x], "behind the wall, beyond earshot, or quiet ground"
            world.ears.agitation[ears] = 0.2
            assert barriers_of(world, ears) is None, "a guard that hears a sound rules nothing out"
            world.ears.agitation[ears] = 0.0
        play.run(70)
        known = knowledge_of(world, 1)
        assert known is not None
        possible = known.maps[0].possible
        assert possible[:WALL, 14:20].all() and not possible[WALL:].any(), "over open ground, not through walls"
        assert bool(possible[:WALL, :10].any()) == (not noisy)
        playing = Playing(play.session)
        context = LabContext(
            playing, palette(), None, None, SimpleNamespace(labels=LabelPlacer()), (), np.arange(len(playing.picture))
        )
        assert PossibleOverlay().value_at(context, 16.5, 3.5) == "can be here"
        told = PossibleOverlay().value_at(context, 11.5, 4.5)
        assert told == ("would have been heard here" if noisy else "can be here")
        assert PossibleOverlay().value_at(context, 16.5, 10.5) == "cannot be here"
