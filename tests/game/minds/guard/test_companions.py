"""Companions: guards look for a comrade that does not return or falls silent.

Oracle: the deadline calculated by hand, and the same scene in which the comrade returns.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ai.perception.stimuli.stimulus_board import StimulusKind
from game.minds.guard.companions import EXPECTED, goes_to_investigate, is_back
from game.systems.interaction.bodies import hide_body, kill
from game.world.orders import OrderKind
from game.world.places import Prop
from tests.game.sim.play import Play, guard, raider, yard


@pytest.mark.parametrize(
    ("fate", "misses", "looked_for"),
    [
        ("dies", True, True),
        ("is held up", True, True),
        ("is held up in earshot", True, False),
        ("comes back", True, False),
        ("dies", False, False),
    ],
)
def test_a_second_guard_goes_at_the_deadline_when_the_first_is_not_back(
    tmp_path: Path, fate: str, misses: bool, looked_for: bool
) -> None:
    """Let Odo die, be late or come back, with ``minds.misses`` on or off.

    Udo looks for Odo after the same tick whether Odo is dead or only late, unless Odo is within earshot.
    """
    builder = yard("\n".join(["s" * 30] * 6 + ["#" * 14 + "s" * 16] * 2 + ["s" * 30] * 6))
    guard(builder, 6.5, 2.5, facing=0.0)
    guard(builder, 20.5, 2.5, "Udo", facing=0.0)
    raider(builder, 1.5, 12.5)
    play = Play(tmp_path, builder, minds__misses=misses).run(2)
    world, odo = play.world, play.unit("Odo")
    goes_to_investigate(world, odo, 8.5, 2.5, 2.0, 1.5)
    deadline = world.tick + int(2 * 2.0 / 1.5 * 20) + EXPECTED
    if fate == "comes back":
        is_back(world, odo)
    elif fate == "dies":
        slot = play.slot("Odo")
        kill(world, slot)
        slot_of_ann = play.slot("Ann")
        world.units.dragging[slot_of_ann] = odo
        hide_body(world, slot_of_ann, Prop(900, "bush", "bush", 1.5, 12.5, 1.0, 1.0, 0.0, ""))
    play.run(deadline - world.tick - 1)
    assert not [e for e in play.seen if "comrade" in e.text]
    if fate == "is held up in earshot":
        udo = play.slot("Udo")
        world.units.x[udo] = world.units.prev_x[udo] = 12.5
    play.run(30)
    told = [e for e in play.seen if e.unit == play.unit("Udo") and "comrade" in e.text]
    assert bool(told) == looked_for


def test_a_guard_that_goes_to_a_noise_calls_is_answered_and_is_missed_at_its_deadline(tmp_path: Path) -> None:
    """Throw a stone: Odo calls before its first step, and the nearest guard answers.

    Odo dies on the path; its absence becomes a stimulus at the deadline and not a tick earlier.
    """
    builder = yard("\n".join(["s" * 30] * 12), night=True)
    guard(builder, 18.5, 3.5, facing=0.0)
    guard(builder, 24.5, 3.5, "Udo", facing=0.0)
    guard(builder, 27.5, 9.5, "Ivo", facing=0.0)
    raider(builder, 6.5, 9.5, kind="thrower")
    play = Play(tmp_path, builder, vision__dark_reach=0.05, minds__company=2000).run()
    world, odo = play.world, play.unit("Odo")
    home = float(world.units.x[play.slot("Odo")])
    play.order("Ann", OrderKind.THROW, x=14.5, y=6.5)
    for _ in range(160):
        play.run()
        said = [e for e in play.happened("bark") if e.text == "going"]
        assert said or world.units.x[play.slot("Odo")] == home, "the guard calls before its first step"
        if [e for e in play.happened("bark") if e.text == "answer"]:
            break
    going, answer = ([e for e in play.happened("bark") if e.text == what] for what in ("going", "answer"))
    assert [e.unit for e in going] == [odo] and [e.unit for e in answer] == [play.unit("Udo")]
    assert going[0].tick < answer[0].tick <= going[0].tick + 20
    (errand,) = world.errands
    slot = play.slot("Odo")
    kill(world, slot)
    world.units.dragging[play.slot("Ann")] = odo
    hide_body(world, play.slot("Ann"), Prop(900, "bush", "bush", 1.5, 1.5, 1.0, 1.0, 0.0, ""))
    while world.tick < errand.deadline - 1:
        play.run()
        assert world.stimuli.about(StimulusKind.MISSING, odo) is None
    play.run(1)
    missing = world.stimuli.about(StimulusKind.MISSING, odo)
    assert missing is not None and missing.created == errand.deadline == world.tick


@pytest.mark.parametrize("hidden_at", [(14.5, 2.5), (9.5, 12.5), (29.5, 0.5)])
def test_a_silent_comrade_is_looked_for_at_its_last_known_position_and_not_at_its_body(
    tmp_path: Path, hidden_at: tuple[float, float]
) -> None:
    builder = yard("\n".join(["s" * 30] * 14))
    guard(builder, 14.5, 2.5, facing=270.0)
    guard(builder, 10.5, 4.5, "Udo", facing=270.0)
    raider(builder, 28.5, 13.0)
    play = Play(tmp_path, builder, minds__company=20, minds__silence=20).run(30)
    world, odo = play.world, play.unit("Odo")
    kill(world, play.slot("Odo"))
    world.units.dragging[play.slot("Ann")] = odo
    hide_body(world, play.slot("Ann"), Prop(900, "bush", "bush", *hidden_at, 1.0, 1.0, 0.0, ""))
    for _ in range(60):
        play.run()
        missing = world.stimuli.about(StimulusKind.MISSING, odo)
        if missing is not None:
            break
    assert missing is not None and (missing.x, missing.y) == (14.5, 2.5)
    play.run(16)
    found = world.minds[play.unit("Udo")].beliefs.investigation
    assert (found.x, found.y) == (14.5, 2.5)
