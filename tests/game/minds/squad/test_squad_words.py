"""Inspector rows of squads: fitness of the choice, and terms of positions."""

from pathlib import Path

import numpy as np
import pytest

from ai.squad.emergent.personalities import TERMS
from game.level.reading import load_level
from game.minds.squad.squad_words import best_places, decision_of, squad_rows, squad_scores
from game.sim.session import Session
from game.world.orders import Order, OrderKind

LEVEL = load_level(Path(__file__).resolve().parents[4] / "levels" / "exhibits" / "squads" / "two_squads.tmx")


def test_rows_name_the_winner_its_rivals_and_the_eleven_terms_of_three_places() -> None:
    """The member then goes to the first place; the world stays."""
    session = Session(LEVEL, 1, recording=False)
    world = session.world
    u = world.units
    units = tuple(int(i) for i in u.id[u.living(0)])
    assert squad_rows(world, units[0]) == [] and squad_scores(world, units[0]) is None
    session.give(Order(int(OrderKind.SQUAD), 0, units, 40.5, 15.5, name="take"))
    while not any(squad.task for squad in world.squads.rows.values()):
        session.advance()
    before = world.hash()
    rows = dict(squad_rows(world, units[2]))
    squad = next(iter(world.squads.rows.values()))
    entry = decision_of(world, squad)
    assert entry is not None and entry.winner == "bound_forward"
    assert rows["chosen"].startswith(f"bounding advance {dict(entry.considered)['bound_forward']:.2f}, ")
    scores = squad_scores(world, units[2])
    assert scores is not None and scores.heads == ("then", "now") and not scores.signed
    assert [row.name for row in scores.rows if row.won] == [scores.rows[0].name] == ["bounding advance"]
    assert scores.rows[0].values[0] == dict(entry.considered)["bound_forward"]
    rival = next(row for row in scores.rows if row.name == "suppress and flank")
    assert rival.values == (0.0, 0.0) and rival.note == "fails: an enemy is known"
    assert rows["role"] == "covers"
    assert world.hash() == before
    session.give(Order(int(OrderKind.SQUAD), 0, units, 40.5, 15.5, name="emergent"))
    for _ in range(400):
        task = squad.task
        if task is None or task.pictures is None or world.tick + 1 < squad.due:
            session.advance()
            continue
        row = (task.phase + 1) % len(units)  # members decide by turns
        moves, (places, terms) = int(task.leg[row]), best_places(world, squad, row)
        session.advance()
        if task.leg[row] > moves:
            break
    assert squad.task is not None and len(places) == 3 and terms.shape == (3, len(TERMS))
    assert squad.task.goal[row].tolist() == pytest.approx(places[0], abs=1.0)
    assert (np.diff(terms.sum(axis=1)) <= 1e-9).all()
    shown = squad_scores(world, units[row])
    assert shown is not None and shown.signed and len(shown.heads) == 3
    assert [line.name for line in shown.rows] == [*TERMS, "sum"]
    by_term = np.array([line.values for line in shown.rows], float)
    assert by_term[:-1].sum(axis=0) == pytest.approx(by_term[-1])
