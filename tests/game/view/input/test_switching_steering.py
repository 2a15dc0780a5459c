"""Lab switches avoidance and steering of the whole world by recorded orders.

Two units eight tiles apart change places with each kind; each kind moves them as it promises.
"""

import numpy as np
import pytest

from game.level.level_writer import LevelBuilder
from game.view.input.play_commands import AVOIDANCES, METHODS
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import write
from tests.game.view.player import Player

TOUCH = 0.6
"""Distance between the centres of two bodies that touch, in tiles."""
TICKS = 110
KINDS = [("plain", words) for words in AVOIDANCES] + [(words, "none") for words in METHODS[1:]]


class Walk:
    """Positions of both units, float64[ticks, 2, 2], and whether a unit still moves."""

    def __init__(self, places: list[np.ndarray], moving: bool) -> None:
        self.at, self.moving = np.array(places), moving
        self.gap = np.hypot(*(self.at[:, 0] - self.at[:, 1]).T) - TOUCH

    def aside(self, gap: float) -> float:
        """Return how far unit 0 left its straight line before the meeting, in tiles.

        Only ticks with more than ``gap`` tiles between the bodies count.
        """
        before = (np.arange(TICKS) <= self.gap.argmin()) & (self.gap > gap)
        return float(np.abs(self.at[before, 0, 1] - 7.5).max())

    def parts_from(self, other: "Walk") -> float:
        """Return the gap, in tiles, at which two scenes first differ; -1 never."""
        other_path = np.abs(self.at - other.at).max(axis=(1, 2)) > 0.01
        return float(self.gap[np.argmax(other_path)]) if other_path.any() else -1.0


@pytest.fixture(scope="module")
def walks(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Walk]:
    """Return the scene with each kind, chosen by Lab's keys from one tick on."""
    builder = LevelBuilder.from_letters("\n".join(["." * 24] * 14), title="Field")
    builder.add("spawn", 8.0, 7.5, side="raiders", kind="raider")
    builder.add("spawn", 16.0, 7.6, side="raiders", kind="raider", facing=180.0)
    player = Player()
    playing = player.open(write(tmp_path_factory.mktemp("field"), builder)).playing
    player.app.draw = lambda: None
    player.press("lab")
    playing.session.keep()
    out = {}
    for method, avoidance in KINDS:
        assert playing.session.back()
        steering = playing.world.settings.steering
        while (METHODS[steering.method], AVOIDANCES[steering.avoidance]) != (method, avoidance):
            assert playing.world.tick < 10
            player.press("next_steering" if METHODS[steering.method] != method else "next_avoidance")
            playing.run_ticks(1)
        for unit, x in ((0, 16.5), (1, 7.5)):
            playing.give(Order(int(OrderKind.MOVE), 0, (unit,), x, 7.5))
        places, u = [], playing.world.units
        for _ in range(TICKS):
            playing.run_ticks(1)
            places.append(np.column_stack([u.x[:2], u.y[:2]]))
        out[method, avoidance] = Walk(places, bool(u.moving[:2].any()))
    player.app.close()
    return out


def test_each_kind_gives_a_different_scene(walks: dict) -> None:
    tracks = list(walks.values())
    for k, one in enumerate(tracks):
        assert all(one.parts_from(other) >= 0.0 for other in tracks[:k]), KINDS[k]


def test_without_avoidance_the_units_walk_into_each_other(walks: dict) -> None:
    none = walks["plain", "none"]
    assert none.aside(0.05) < 0.02 and none.gap.min() < 0.01 and not none.moving


def test_separation_acts_only_within_its_gap(walks: dict) -> None:
    """Compare with no avoidance: separation acts from a gap of 0.25 tiles, ``steering.separation``."""
    none, separation = walks["plain", "none"], walks["plain", "separation"]
    assert 0.0 <= separation.parts_from(none) <= 0.3
    assert np.abs(separation.at[:, 0, 1] - 7.5).max() > np.abs(none.at[:, 0, 1] - 7.5).max()


def test_the_social_force_acts_from_farther_than_separation_and_does_not_prevent_touch(walks: dict) -> None:
    none, separation, social = (walks["plain", kind] for kind in ("none", "separation", "social force"))
    assert separation.parts_from(none) < social.parts_from(none) < 3.0
    assert social.gap.min() < 0.05, "the social force does not anticipate"


@pytest.mark.parametrize("kind", ["foresight", "reciprocal"])
def test_anticipatory_avoidance_steps_aside_in_time_and_prevents_touch(walks: dict, kind: str) -> None:
    seen = walks["plain", kind]
    assert seen.aside(1.0) > 0.03 and seen.gap.min() > 0.05 and not seen.moving


@pytest.mark.parametrize("method", ["blended vectors", "context maps"])
def test_blended_vectors_and_context_maps_prevent_touch_without_avoidance(walks: dict, method: str) -> None:
    assert walks[method, "none"].gap.min() > 0.3 and not walks[method, "none"].moving


def test_units_of_a_swarm_never_rest(walks: dict) -> None:
    assert walks["swarm", "none"].moving and not walks["plain", "none"].moving


def test_the_switch_is_an_order_and_only_in_lab() -> None:
    player = Player()
    play = player.open()
    steering = play.playing.world.settings.steering
    before = steering.avoidance
    player.press("next_avoidance")
    play.playing.run_ticks(1)
    assert steering.avoidance == before, "the key has no effect in Play"
    player.press("lab")
    player.press("next_avoidance")
    player.press("next_steering")
    play.playing.run_ticks(1)
    steering = play.playing.world.settings.steering
    assert (steering.avoidance, steering.method) == (before + 1, 1)
    assert [o.name for _, o in play.playing.session.log if o.name] == ["steering.avoidance", "steering.method"]
    player.app.close()
