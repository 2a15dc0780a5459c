"""Autonomous slot following: close formations close up and flow round obstacles."""

import itertools
import math
from pathlib import Path

import pytest

from ai.formation.formation_shapes import Shape
from tests.game.systems.groups.test_groups import misfit, run, sent, session_with, told

PILLAR = "\n".join("".join("#" if x in (21, 22) and y in (11, 12) else "." for x in range(48)) for y in range(24))


@pytest.mark.parametrize(("peer_horizon", "closes_up"), [(0.6, True), (3.0, False)])
def test_a_tight_box_closes_up_only_with_a_short_avoidance_horizon_for_peers(
    tmp_path: Path, peer_horizon: float, closes_up: bool
) -> None:
    """Form a box with 0.1 tiles between bodies.

    With the avoidance horizon of strangers, 3 s, a unit stays off its slot.
    """
    session = session_with(tmp_path, count=16)
    session.world.settings.steering.peer_horizon = peer_horizon
    told(session, "shape", "box")
    told(session, "spacing", value=0.7)
    sent(session, 28.5, 12.0, facing=0.0)
    run(session, 260)
    assert (misfit(session, Shape.BOX, 0.7, 0.0) < 0.04) == closes_up


def test_a_squad_flows_round_a_pillar_and_forms_again(tmp_path: Path) -> None:
    session = session_with(tmp_path, PILLAR)
    told(session, "shape", "line")
    told(session, "spacing", value=0.75)
    sent(session, 38.5, 12.0, facing=0.0)
    u, nearest, worst = session.world.units, 9.9, 0.0
    for tick in range(330):
        session.advance()
        pairs = itertools.combinations(range(9), 2)
        nearest = min(nearest, min(math.hypot(u.x[a] - u.x[b], u.y[a] - u.y[b]) for a, b in pairs))
        if 60 < tick < 180:
            worst = max(worst, misfit(session, Shape.LINE, 0.75, 0.0))
    assert nearest > 0.54 and worst > 0.5, "the line broke and no bodies touched"
    assert misfit(session, Shape.LINE, 0.75, 0.0) < 0.2
