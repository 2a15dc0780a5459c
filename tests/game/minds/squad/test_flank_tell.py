"""Tell of a flank: its base shouts three seconds before the flankers come."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from game.level.reading import load_level
from game.minds.squad.squad_mind import SETS_OUT
from game.sim.session import Session
from game.systems.noise import SHOUT, in_earshot, path_of_sound
from game.view.hud.hud_values import HudState
from game.view.hud.squad_card import note_squads
from game.view.painting.unit_picture import take_picture
from game.view.stealth.barks import Barks, tier_of
from game.world.events import Happening
from game.world.orders import Order, OrderKind

LEVEL = load_level(Path(__file__).resolve().parents[4] / "levels" / "exhibits" / "squads" / "two_squads.tmx")
WARNED = 60
"""Ticks from the tell to the contact, at least."""
LONG = pytest.mark.long


def flanked(name: str, seed: int, nearer: float) -> tuple[Session, Happening, int]:
    """Play until a hidden flanker is in view of the raiders' side or shoots.

    The guards begin ``nearer`` tiles closer than on the map. Return the session, the shout, and the tick of contact.
    """
    session = Session(LEVEL, seed, recording=False)
    world, u = session.world, session.world.units
    own, foe = (tuple(int(i) for i in u.id[u.living(side)]) for side in (0, 1))
    u.x[u.slots(foe)] -= nearer
    slots = u.slots(own)
    at = float(u.x[slots].mean()), float(u.y[slots].mean())
    session.give(Order(int(OrderKind.SQUAD), 0, own, *at, name="hold"))
    session.give(Order(int(OrderKind.SQUAD), 1, foe, *at, name=name))
    shout: Happening | None = None
    hidden: set[int] = set()
    while world.tick < 600:
        session.advance()
        seen = {i for i in foe if world.sight.sees(0, int(u.y[u.slot(i)]), int(u.x[u.slot(i)]))}
        for fact in [fact for fact in world.events if fact.tick == world.tick]:
            if fact.kind == "bark" and fact.text == SETS_OUT and shout is None:
                shout = fact
                task = world.squads.of(foe[0]).task  # type: ignore[union-attr]
                assert task is not None
                hidden = {task.members[k] for k in np.flatnonzero(task.team == 1)} - seen
                assert hidden, "all flankers are in view before they set out"
            if fact.kind == "shot" and fact.unit in hidden and shout is not None:
                return session, shout, world.tick
        if shout is not None and seen & hidden:
            return session, shout, world.tick
    raise AssertionError("no flanker was met")


@pytest.mark.parametrize(
    ("name", "seed", "nearer"),
    [
        ("flank_right", 1, 24.0),
        ("flank_right", 2, 24.0),
        *(pytest.param("flank_left", seed, 24.0, marks=LONG) for seed in (1, 2, 3)),
        *(pytest.param(name, seed, 18.0, marks=LONG) for name in ("flank_left", "flank_right") for seed in (1, 2, 3)),
        *(pytest.param("flank_right", seed, 0.0, marks=LONG) for seed in (1, 2)),
    ],
)
def test_the_tell_is_heard_three_seconds_before_the_flankers_come(name: str, seed: int, nearer: float) -> None:
    session, shout, contact = flanked(name, seed, nearer)
    world, u = session.world, session.world.units
    assert contact - shout.tick >= WARNED
    assert in_earshot(world, 0, shout.x, shout.y) and tier_of(shout.text) == "shout"
    far = [path_of_sound(world, shout.x, shout.y, float(u.x[k]), float(u.y[k])) for k in u.living(0).tolist()]
    assert min(far) <= SHOUT and not in_earshot(world, 0, shout.x, shout.y, min(far) - 0.01)
    assert Barks().hear(shout.unit, shout.text, shout.x, shout.y, 0, heard=True) is not None
    state = HudState()
    note_squads(state, [shout], SimpleNamespace(world=world, picture=take_picture(world), side=0))  # type: ignore[arg-type]
    assert state.news == [(world.tick, state.news[0][1])] and state.news[0][1].startswith("Heard to the ")
    note_squads(state, [shout], SimpleNamespace(world=world, picture=take_picture(world), side=1))  # type: ignore[arg-type]
    assert len(state.news) == 1, "the side that shouts needs no news of it"
