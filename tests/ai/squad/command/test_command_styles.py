"""Command styles: a table of choices, and a run past an enemy in play."""

from pathlib import Path

import pytest

from ai.squad.command.command_styles import COMMAND_STYLES, ORDER_VALUE, obeys, threat_value
from ai.squad.manoeuvres.manoeuvre import MemberTask
from game.level.level_writer import LevelBuilder
from game.level.reading import load_level
from game.sim.session import Session
from game.world.orders import Order, OrderKind


def test_each_style_chooses_as_the_source_says() -> None:
    near, far = threat_value(1.0, 10.0), threat_value(9.0, 10.0)
    assert (near, round(far, 9), threat_value(12.0, 10.0), threat_value(1.0, 0.0)) == (0.9, 0.1, 0.0, 0.0)
    table = {  # style: obeys with a near enemy, with a far one, without one
        "authoritarian": (True, True, True),
        "coaching": (False, False, True),
        "mixed": (False, True, True),
    }
    run = ORDER_VALUE[MemberTask.RUN]
    assert {style: tuple(obeys(style, run, t) for t in (near, far, 0.0)) for style in COMMAND_STYLES} == table
    assert obeys("mixed", ORDER_VALUE[MemberTask.ASSAULT], near), "an assault goes before everything"
    with pytest.raises(ValueError, match="no command style 'polite'"):
        obeys("polite", 0.5, 0.5)


@pytest.mark.parametrize(
    ("style", "off", "turns"),
    [("authoritarian", 2.0, False), ("coaching", 2.0, True), ("coaching", 6.0, True), ("mixed", 6.0, False)],
)
def test_a_member_that_runs_past_an_enemy(tmp_path: Path, style: str, off: float, turns: bool) -> None:
    level = LevelBuilder(26, 9, title="Flank")
    level.add("spawn", 2.5, 1.5, kind="soldier", side="raiders")
    level.add("spawn", 12.5, 1.5 + off, kind="soldier", side="guards", facing=90.0)
    level.write(tmp_path / "flank.tmx")
    session = Session(load_level(tmp_path / "flank.tmx"), 1, recording=False)
    world, u = session.world, session.world.units
    world.settings.tactics.command_style = style
    u.weapon[1] = next(k for k, weapon in enumerate(world.weapons) if weapon.damage == 0)
    u.hp[1] = 99
    session.give(Order(int(OrderKind.SQUAD), 0, (0,), 22.5, 1.5, name="hold"))
    fired, said = 0, []
    for _ in range(120):
        session.advance()
        fired += sum(e.kind == "shot" and e.unit == 0 for e in world.events)
        said += [e.text for e in world.events if "turns to an enemy" in e.text]
    if turns:
        assert fired and said and u.x[0] < 15.0
    else:
        assert not fired and not said and u.x[0] > 18.0
