"""Orders that replace scenes and acts of a running world."""

from __future__ import annotations

from pathlib import Path

from game.world.orders import Order, OrderKind, order_from_json
from game.world.unit_types import DATA
from tests.game.minds.scenes.test_scenes_in_play import camp
from tests.game.sim.play import Play, raider, yard


def given(play: Play, name: str, text: str) -> list[str]:
    """Give a file's text by an order; return the refusals."""
    order = order_from_json(Order(int(OrderKind.DATA), name=name, text=text).to_json())
    play.session.give(order)
    before = len(play.seen)
    play.run()
    return [e.text for e in play.seen[before:] if e.kind == "refused"]


def test_a_new_script_ends_the_scene_and_is_played_next_and_a_bad_one_changes_nothing(tmp_path: Path) -> None:
    play = Play(tmp_path, camp(), vision__far_seconds=60.0).run(60)
    text = (DATA / "scenes.toml").read_text("utf-8")
    (zone,) = play.world.scenes.zones
    old = play.world.scenes.script(zone)
    for slip, told in (
        (('category = "main"', 'category = "extra"'), "[scene.fire] role: no role is main, so the scene has no cast"),
        (("seats = [[-1, 1], [1, 1]]", "seats = [[-9, 1], [1, 1]]"), "seat 1 of role 'warmer' at tile -2,7 cannot be"),
        (("[scene.fire]", "[scene.fires]"), "[scene.fires] role: field required"),
        (("title =", "title"), "not valid TOML"),
    ):
        (said,) = given(play, "scenes", text.replace(*slip, 1))
        assert told.lower() in said.lower() and said.startswith("assets/data/scenes.toml: ") and "\n" not in said
    assert given(play, "songs", text) == ["there is no data 'songs' to replace; use scenes or acts"]
    assert play.world.scenes.script(zone) is old and zone.state.running
    assert given(play, "scenes", text) == [] and zone.state.running, "the same text disturbs nobody"
    assert given(play, "scenes", text.replace("warming at a fire", "roasting a hare").replace("pause = 8.0", "")) == []
    assert not zone.state.running and zone.state.why == "its script has changed"
    play.run(12)
    assert zone.state.running and play.happened("scene")[-1].text == "roasting a hare begins"


def test_a_new_table_of_acts_serves_from_the_next_act_on_and_a_bad_one_changes_nothing(tmp_path: Path) -> None:
    builder = yard()
    raider(builder, 3.5, 4.5, kind="thrower")
    play = Play(tmp_path, builder)
    text = (DATA / "acts.toml").read_text("utf-8")
    for slip, told in (
        (
            ('["weapon"]', '["tail"]'),
            "[act.shoot] tracks: Value error, there is no region 'tail'; regions are legs, torso",
        ),
        (("[act.reload]", "[act.yawn]"), "[act.yawn]: there is no act 'yawn'"),
        (("start = 5", "start = 999"), "[act.throw] start: "),
        (('[act.shrug]\ntracks = ["torso"]\npriority = 5\nstop = 4\n', ""), "[act.shrug]: the row is missing"),
    ):
        assert slip[0] in text
        (said,) = given(play, "acts", text.replace(*slip, 1))
        assert told in said and said.startswith("assets/data/acts.toml: ") and "\n" not in said
    waits = []
    for start in (5, 20):
        assert given(play, "acts", text.replace("start = 5", f"start = {start}", 1)) == []
        play.seen.clear()
        play.order("Ann", OrderKind.THROW, x=9.5, y=4.5)
        play.run_until("thrown", "Ann", 80).run(30)
        waits.append(play.happened("thrown")[0].tick - play.happened("tell")[0].tick)
    assert waits == [12, 21], "the wind-up is a part of the 12 ticks, unless it is longer"
