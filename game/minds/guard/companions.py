"""Companion checks: a guard that does not return, or that has fallen silent.

Sources: Game AI Pro 2, ch. 27, 27.4.1.1 (check-in: a guard that went alone is expected back); ch. 28, 28.5.3
(missed comrades).
"""

from __future__ import annotations

import numpy as np

from ai.core.scheduling.periods import is_due
from ai.perception.stimuli.stimulus_board import StimulusKind
from ai.squad.missing_comrades import Comrades
from game.minds.settings import settings_of
from game.systems.noise import paths_of_sound
from game.world.mind_kinds import minds_that
from game.world.stealth.side_records import CompanionErrand
from game.world.world import World

STEP = 10
"""Ticks between two checks of which unit is near which."""
MOST = 64
"""Watchers on a side above which no unit is missed.

In a battle there is no time for it.
"""
EARSHOT = 10.0
SAME_NOISE = 4.0
"""Tiles within which two places are the same matter."""
EXPECTED = 160
"""Ticks for looking around, added to twice the path, before a guard is overdue."""
MISSED_FOR = 200


def goes_to_investigate(world: World, unit: int, x: float, y: float, path: float, speed: float) -> None:
    """Report to comrades that the guard investigates (x, y), ``path`` tiles away."""
    world.errands = [e for e in world.errands if e.unit != unit]
    ticks = int(2 * path / max(speed, 0.1) * 20) + EXPECTED
    world.errands.append(CompanionErrand(unit, x, y, world.tick + ticks))


def who_answers(world: World, unit: int) -> int:
    """Return the nearest comrade on watch within earshot, -1 without one.

    It answers a guard that reports its departure.
    """
    u, me = world.units, world.units.slot(unit)
    others = u.living(int(u.side[me]))
    watches = minds_that(world.types, "watches")[u.kind[others]]
    others = others[watches & (u.asleep[others] == 0) & (others != me)]
    others = others[np.hypot(u.x[others] - u.x[me], u.y[others] - u.y[me]) <= EARSHOT]
    if not len(others):
        return -1
    paths = paths_of_sound(world, float(u.x[me]), float(u.y[me]), u.x[others], u.y[others])
    nearest = np.lexsort((u.id[others], paths))[0]
    return int(u.id[others[nearest]]) if paths[nearest] <= EARSHOT else -1


def others_investigate(world: World, unit: int, x: float, y: float) -> int:
    """Return how many comrades of ``unit`` reported that they investigate (x, y)."""
    u = world.units
    side = u.side[u.slot(unit)]
    return sum(
        e.unit != unit
        and (e.unit not in world.minds or world.minds[e.unit].skill == "investigate")
        and bool(u.side[u.slot(e.unit)] == side)
        and (e.x - x) ** 2 + (e.y - y) ** 2 <= SAME_NOISE * SAME_NOISE
        for e in world.errands
    )


def _is_heard(world: World, unit: int) -> bool:
    """Return true if the guard moves as usual within earshot of a comrade.

    Then no unit needs to look for it. Out of earshot its state is unknown: it is looked for when it is late, for
    whatever reason.
    """
    u, slot = world.units, world.units.slot(unit)
    return bool(u.alive[slot]) and not u.asleep[slot] and who_answers(world, unit) >= 0


def is_back(world: World, unit: int) -> None:
    """Return true if the guard is on duty again, or audibly busy."""
    world.errands = [e for e in world.errands if e.unit != unit]


def mind_each_other(world: World) -> None:
    """Enter missed units on the board of stimuli."""
    u, n = world.units, world.units.count
    for errand in list(world.errands):
        if world.tick >= errand.deadline:
            world.errands.remove(errand)
            if settings_of(world).misses and not _is_heard(world, errand.unit):
                _miss(world, errand.unit, errand.x, errand.y)
    if not is_due(world.tick, STEP) or not settings_of(world).misses:
        return
    kinds = minds_that(world.types, "misses")[u.kind[:n]]
    for side in np.unique(u.side[:n][kinds]).tolist():
        slots = np.flatnonzero(kinds & (u.side[:n] == side))
        if not 2 <= len(slots) <= MOST:
            continue
        slots = slots[np.argsort(u.id[slots], kind="stable")]
        kept = next((c for c in world.comrades if c.side == side), None)
        if kept is None:
            kept = Comrades(side)
            world.comrades.append(kept)
        awake = (u.alive[slots] == 1) & (u.asleep[slots] == 0)
        ids = u.id[slots].astype(np.int32)
        kept.hear(ids, awake, u.x[slots], u.y[slots])
        near = _within_earshot(world, kept.x, kept.y, awake)
        busy = (u.meter[slots] >= 1.0) | (u.mood[slots] > 0)
        minds = settings_of(world)
        for who, missed in kept.update(world.tick, STEP, ids, awake, near, minds.company, minds.silence):
            if busy[np.flatnonzero(ids == who)[0]]:
                continue
            if world.stimuli.about(StimulusKind.BODY, missed) is None:
                continue  # the missed unit has been found already
            row = int(np.flatnonzero(ids == missed)[0])
            world.stimuli.register(
                StimulusKind.MISSING, world.tick, float(kept.x[row]), float(kept.y[row]), EARSHOT, lasts=8,
                thing=missed, audience=1 << side, single=True,
            )  # fmt: skip


def _within_earshot(world: World, x: np.ndarray, y: np.ndarray, noisy: np.ndarray) -> np.ndarray:
    """Return bool[k, k]: listener within earshot of another's last heard place.

    Two units that make no noise do not listen.
    """
    near = np.zeros((len(x), len(x)), bool)
    close = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2 <= EARSHOT * EARSHOT
    # A sound's path has the same length in both directions; two silent units need no test.
    one, other = np.nonzero(np.triu(close & (noisy[:, None] | noisy), 1))
    near[one, other] = paths_of_sound(world, x[one], y[one], x[other], y[other]) <= EARSHOT
    both: np.ndarray = near | near.T
    return both


def _miss(world: World, unit: int, x: float, y: float) -> None:
    side = int(world.units.side[world.units.slot(unit)])
    world.stimuli.register(
        StimulusKind.MISSING, world.tick, x, y, 2.5 * EARSHOT, lasts=MISSED_FOR, thing=unit, audience=1 << side,
        single=True,
    )  # fmt: skip


TECHNIQUES = (
    {
        "slug": "investigator-check-in",
        "name": "Companion check of a lone investigator",
        "ids": ("GP2-27.5",),
        "source": "Game AI Pro 2, ch. 27",
        "functions": ("goes_to_investigate", "mind_each_other"),
        "test": "tests/game/minds/guard/test_companions.py",
        "exhibit": "levels/exhibits/minds/one_goes.toml",
        "overlay": "minds",
        "setting": "minds.companions",
        "measure": "away",
        "direction": "down",
        "claim": (
            "The switch sets how many go to one noise. A guard that is late is missed by all in earshot, whoever "
            "answered; that is switched with missed comrades. The deadline is that of the source."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
