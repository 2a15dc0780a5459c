"""Lab switches avoidance and steering of the whole world by an order, so that a replay does it too."""

from tests.game.view.player import Player


def test_the_switch_is_an_order_and_only_in_lab() -> None:
    player = Player()
    play = player.open()
    steering = play.playing.world.settings.steering
    before = steering.avoidance
    player.press("next_avoidance")
    play.playing.run_ticks(1)
    assert steering.avoidance == before, "not in Play"
    player.press("lab")
    player.press("next_avoidance")
    player.press("next_steering")
    play.playing.run_ticks(1)
    steering = play.playing.world.settings.steering
    assert (steering.avoidance, steering.method) == (before + 1, 1)
    assert [o.name for _, o in play.playing.session.log if o.name] == ["steering.avoidance", "steering.method"]
    player.app.close()
