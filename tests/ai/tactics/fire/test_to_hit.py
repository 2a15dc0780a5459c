"""Chance to hit: a table of factors, and hits in play."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from ai.tactics.fire.to_hit import to_hit
from game.level.level_writer import LevelBuilder
from game.level.reading import load_level
from game.sim.session import Session
from game.sim.stages import fight_stage

SIZE = {0: 1.0, 1: 1 / 2, 2: 1 / 3}
COVER = {0: 1.0, 1: 5 / 6, 2: 2 / 3, 3: 1 / 2, 9: 1 / 2}


def test_the_chance_is_the_product_of_a_table_in_any_order() -> None:
    rng = np.random.default_rng(2)
    for stance, cover, calm, speed in itertools.product(SIZE, COVER, (0.0, 0.4, 1.0), (0.0, 2.0, 4.0, 6.0)):
        distance, angle, turn = rng.uniform(0.5, 9.0), rng.uniform(-3, 3), rng.uniform(-3, 3)
        dx, dy = distance * math.cos(angle), distance * math.sin(angle)
        vx, vy = speed * math.cos(turn), speed * math.sin(turn)
        across = speed * abs(math.sin(turn - angle))
        terms = [0.9 - 0.4 * distance / 9, SIZE[stance], COVER[cover], 1 - 0.5 * calm, 1 - 0.8 * min(across / 4, 1)]
        rng.shuffle(terms)
        got = to_hit(0.9, 0.5, distance, 9.0, stance, cover, calm, 0.5, vx, vy, dx, dy, 0.8, True)
        assert got == pytest.approx(math.prod(terms)), (stance, cover, calm, speed)
        plain = to_hit(0.9, 0.5, distance, 9.0, stance, cover, calm, 0.5, vx, vy, dx, dy, 0.8, False)
        assert plain == pytest.approx(0.9 - 0.4 * distance / 9)


def test_a_zero_ends_the_evaluation() -> None:
    """Later factors are not read: a NaN would show in the product."""
    nan = math.nan
    assert to_hit(0.0, 0.0, 1.0, 9.0, 0, 0, nan, nan, nan, nan, nan, nan, nan, True) == 0.0
    assert to_hit(0.9, 0.5, 1.0, 9.0, 0, 0, 1.0, 1.0, nan, nan, nan, nan, 1.0, True) == 0.0
    assert to_hit(0.9, 0.5, 1.0, 9.0, 0, 0, 0.0, 1.0, nan, nan, 1.0, 0.0, 0.0, True) == pytest.approx(0.9 - 0.4 / 9)
    assert to_hit(0.8, 0.8, 0.0, 9.0, 0, 0, 0.0, 1.0, 4.0, 0.0, 0.0, 0.0, 1.0, True) == 0.8, "no line to cross"


@pytest.mark.parametrize(("stance", "share"), [(0, 1.0), (2, 1 / 3)])
def test_shots_in_play_hit_as_often_as_the_product_says(tmp_path: Path, stance: int, share: float) -> None:
    level = LevelBuilder(60, 3, title="Range")
    for k in range(10):
        level.add("spawn", 6 * k + 0.5, 1.5, kind="soldier", side="raiders")
        level.add("spawn", 6 * k + 3.5, 1.5, kind="soldier", side="guards")
    level.write(tmp_path / "range.tmx")
    world_of = Session(load_level(tmp_path / "range.tmx"), 1, recording=False)
    world, u = world_of.world, world_of.world.units
    n, hits, shots = u.count, 0, 0
    world.settings.rules.suppression = 0.0
    for tick in range(400):
        world.tick, u.hp[:n], u.cooldown[:n], u.target[:n], u.stance[:n] = tick, 99, 0, -1, stance
        u.target[0:n:2], u.facing[0:n:2] = u.id[1:n:2], 0.0
        world.events.clear()
        fight_stage.run(world)
        shots += sum(e.kind == "shot" for e in world.events)
        hits += sum(e.kind == "shot" and e.text == "hit" for e in world.events)
    want = (0.9 - 0.4 * 3 / 9) * share
    assert shots == 4000 and hits / shots == pytest.approx(want, abs=4 * math.sqrt(want * (1 - want) / shots))
