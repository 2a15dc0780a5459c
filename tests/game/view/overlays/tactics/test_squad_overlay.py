"""Squad overlay: captions, cover, envelopes on their way, and no change of the world."""

from pathlib import Path

import numpy as np
import pygame
import pytest

from ai.squad.manoeuvres.manoeuvre import MemberTask
from game.view.overlays.lenses import REGISTRY
from game.view.overlays.tactics.squad_overlay import caption_of, flights_of
from game.world.orders import Order, OrderKind
from tests.game.view.player import Player

LEVEL = Path(__file__).resolve().parents[5] / "levels" / "exhibits" / "squads" / "two_objectives.tmx"


@pytest.fixture(scope="module")
def play():
    player = Player()
    player.app.start_up.wait("lab")
    play = player.open(LEVEL)
    play.player = player
    player.press("lab")
    yield play
    player.app.close()


def test_without_a_squad_it_says_so_then_shows_roles_messages_and_the_deadline(play):
    overlay = REGISTRY["squads"]()
    context = play.lab.context(play.playing, play.view)
    assert overlay.empty(context) == "this side has formed no squad"
    world = play.playing.world
    u = world.units
    own = tuple(int(i) for i in u.id[u.living(0)])
    at = float(u.x[u.slots(own)].mean()), float(u.y[u.slots(own)].mean())
    far = min(at[0] + 14.0, play.playing.level.width - 2.5)
    play.playing.give(Order(int(OrderKind.COMMAND), 0, own, name="take", points=(far, at[1])))
    play.playing.run_ticks(3)
    post = next(iter(world.squads.posts.values()))
    squads = list(world.squads.rows.values())
    context = play.lab.context(play.playing, play.view)
    flown = 0
    for _ in range(40):
        play.playing.run_ticks(1)
        for message, _, _, share in flights_of(world, post, squads):
            # A squad reads its tray when it thinks: a message may lie in it for a while.
            assert share == pytest.approx(min((world.tick - message.sent) / (message.due - message.sent), 1.0))
            flown += 1
        if any(squad.task is not None for squad in squads):
            break
    assert flown
    squad = next(squad for squad in squads if squad.task is not None)
    assert caption_of(squad, world.tick)[0].startswith(f"{squad.name}: ")
    assert f"{(squad.task.deadline - world.tick) / 20:.0f} s" in caption_of(squad, world.tick)[1]
    context = play.lab.context(play.playing, play.view)
    surface = pygame.Surface((640, 480))
    blank = pygame.image.tobytes(surface, "RGB")
    play.camera.centre_on(*at)
    before = world.hash()
    overlay.draw(surface, play.camera, context, 1.0)
    assert pygame.image.tobytes(surface, "RGB") != blank and world.hash() == before
    assert overlay.empty(context) == "" and len(overlay.legend(context)) == 5
    covering = np.flatnonzero(squad.task.task == MemberTask.COVER)
    unit = squad.members[int(covering[0])] if len(covering) else squad.members[0]
    slot = u.slot(unit)
    assert overlay.value_at(context, float(u.x[slot]), float(u.y[slot])).startswith(f"{squad.name}: ")
