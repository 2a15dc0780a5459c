"""Animation layers against the cases of their source.

A list applies the rules from scratch.
"""

import numpy as np
import pytest

from ai.animation import animation_layers as body
from ai.animation.animation_layers import AnimationLayers, Layer, Priority, owners
from ai.core.rand import Stream, below

RUN = Layer("run", body.FULL_BODY, Priority.WALK)
SHOOT = Layer("shoot", body.RIGHT_ARM, Priority.ATTACK)
WAVE = Layer("wave", body.RIGHT_ARM, Priority.IDLE)
NOD = Layer("nod", body.HEAD, Priority.IDLE)
FLINCH = Layer("flinch", body.UPPER_BODY, Priority.REACT)
DIE = Layer("die", body.FULL_BODY, Priority.DEATH)


@pytest.mark.parametrize(
    ("before", "wanted", "played", "after"),
    [
        ([RUN], SHOOT, True, ["run", "shoot"]),
        ([SHOOT], RUN, True, ["run", "shoot"]),
        ([SHOOT], WAVE, False, ["shoot"]),
        ([WAVE], SHOOT, True, ["shoot"]),
        ([RUN], RUN, False, ["run"]),
        ([RUN, SHOOT, NOD], FLINCH, True, ["run", "flinch"]),
        ([RUN, SHOOT, NOD], DIE, True, ["die"]),
        ([DIE], RUN, False, ["die"]),
        ([DIE], SHOOT, True, ["die", "shoot"]),
    ],
)
def test_each_clash_ends_as_in_the_source(before: list[Layer], wanted: Layer, played: bool, after: list[str]) -> None:
    layers = AnimationLayers()
    assert all(layers.play(layer) for layer in before)
    assert layers.play(wanted) == played
    assert [layer.clip for layer in layers.drawn()] == after


def test_a_part_shows_over_the_body_and_the_rest_is_undisturbed() -> None:
    layers = AnimationLayers()
    layers.play(RUN)
    layers.play(SHOOT)
    assert layers.shown(body.RIGHT_ARM) == SHOOT and layers.shown(body.LEFT_LEG) == RUN
    layers.stop("shoot")
    assert layers.shown(body.RIGHT_ARM) == RUN
    layers.stop("run")
    assert layers.shown(body.HEAD) is None


def rules(playing: list[Layer], wanted: Layer) -> list[Layer] | None:
    """Return the layers after a request, or None if it is refused."""
    for layer in playing:
        same = layer.category == wanted.category
        if layer.clip == wanted.clip or (same and layer.priority > wanted.priority):
            return None
    others = [layer for layer in playing if layer.category != wanted.category]
    parts = [layer for layer in others if layer.category & wanted.category and layer.category < wanted.category]
    stay = [layer for layer in others if layer not in parts or layer.priority >= wanted.priority]
    return sorted([*stay, wanted], key=lambda layer: -layer.category)


def test_random_requests_follow_the_rules() -> None:
    categories = (body.HEAD, body.RIGHT_ARM, body.LEFT_LEG, body.LOWER_BODY, body.UPPER_BODY, body.FULL_BODY)
    layers, listed = AnimationLayers(), list[Layer]()
    for n in range(2000):
        category = categories[below(6, 3, Stream.SCRIPT, n, 0, 0)]
        priority = list(Priority)[below(4, 3, Stream.SCRIPT, n, 0, 1)]
        wanted = Layer(f"clip{below(30, 3, Stream.SCRIPT, n, 0, 2)}", category, priority)
        expected = rules(listed, wanted)
        assert layers.play(wanted) == (expected is not None)
        listed = listed if expected is None else expected
        assert layers.drawn() == listed
        if n % 20 == 19:
            layers.stop(listed[-1].clip)
            listed = listed[:-1]


def test_the_owner_of_a_region_is_the_layer_that_one_body_shows() -> None:
    """Oracle: layers of one body, asked one by one; disjoint parts of 30 bodies."""
    rows, shown = [], {}
    for unit in range(30):
        layers = AnimationLayers()
        for k, part in enumerate((body.LOWER_BODY, body.TORSO, body.RIGHT_ARM | body.LEFT_ARM, body.HEAD)):
            if below(3, 3, Stream.DECORATION, unit, k):
                layers.play(Layer(str(len(rows)), part, below(20, 4, Stream.DECORATION, unit, k)))
                rows.append((unit, part, 1, k))
        for region in (body.TORSO, body.RIGHT_ARM):
            top = layers.shown(region)
            if top is not None:
                shown.setdefault(region, []).append(int(top.clip))
    columns = np.array(rows).T
    for region in (body.TORSO, body.RIGHT_ARM):
        assert owners(region, *columns).tolist() == shown[region]


def test_of_two_layers_on_a_region_the_higher_priority_then_the_later_start_shows() -> None:
    unit, parts = np.array([4, 4, 4, 2, 2]), np.array([1, 3, 1, 1, 2])
    assert owners(1, unit, parts, np.array([5, 9, 9, 0, 50]), np.array([8, 6, 7, 1, 2])).tolist() == [3, 2]
    assert owners(4, unit, parts, parts, parts).tolist() == []
