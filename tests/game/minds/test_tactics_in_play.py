"""Joint tactics of guards in the running game.

The tests cover watched exits, falling back, companions, shared knowledge and searches of a side.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import ndimage

from ai.squad.squad_search import Search
from ai.tactics.place_quality import cover_quality, views, visibility_quality
from game.checks.headless import advance, run_level
from game.checks.scripts.script import load_script
from game.level.level_writer import LEVELS
from game.minds.agent_view import AgentView
from game.minds.alarm import shout
from game.minds.guard.belief_records import SearchState, beliefs_of
from game.minds.guard.search.pursuit import NEAR_SPOT
from game.minds.guard.standoff import refuge
from game.systems.interaction.bodies import kill
from game.systems.stealth.side_balance import balance_of, known_enemies
from game.systems.stealth.side_knowledge import knowledge_of
from game.world.orders import OrderKind
from game.world.units import Event, Pace, Stance
from tests.ai.perception.sight.ford import visible_from
from tests.game.sim.play import Play, guard, raider, yard

HOUSE = [
    "#" * 40,
    *["#" + "s" * 38 + "#"] * 5,
    "#" + "s" * 12 + "#" * 14 + "s" * 12 + "#",
    *["#" + "s" * 12 + "#" + "s" * 12 + "#" + "s" * 12 + "#"] * 3,
    "#" + "s" * 24 + "ss" + "s" * 12 + "#",
    *["#" + "s" * 12 + "#" + "s" * 12 + "#" + "s" * 12 + "#"] * 3,
    "#" + "s" * 12 + "#" * 14 + "s" * 12 + "#",
    *["#" + "s" * 38 + "#"] * 5,
    "#" * 40,
]


def sealed(folder: Path, seals: bool) -> Play:
    """Send four guards to the last known position in a house with two doorways."""
    builder = yard("\n".join(HOUSE))
    for k, (x, y) in enumerate(((8.5, 3.5), (10.5, 3.5), (30.5, 3.5), (8.5, 17.5))):
        guard(builder, x, y, f"G{k}", facing=0.0)
    raider(builder, 2.5, 18.5)
    play = Play(folder, builder, minds__seals=seals, minds__give_up=400).run(2)
    for k in range(4):
        mind = play.world.minds[play.unit(f"G{k}")]
        mind.beliefs.search = SearchState(20.5, 8.5, 1, 1, "it saw raider 4")
        play.world.units.event[play.slot(f"G{k}")] |= 256
    return play


@pytest.mark.parametrize("seals", [True, False])
def test_guards_that_do_not_enter_watch_different_doorways(tmp_path: Path, seals: bool) -> None:
    play = sealed(tmp_path, seals).run(6)
    (search,) = play.world.searches
    assert bool(search.posts) == seals
    if not seals:
        return
    assert len({row[0] for row in search.posts.values()}) == 2, "two doorways, two watchers"
    covered = False
    for _ in range(200):
        play.run()
        u = play.world.units
        for unit, (_, x, y, facing) in search.posts.items():
            slot = u.slot(unit)
            if search.phase == 1 and math.hypot(u.x[slot] - x, u.y[slot] - y) < 0.5 and not u.moving[slot]:
                covered |= abs(math.remainder(float(u.facing[slot]) - facing, math.tau)) < math.radians(10)
    assert covered


def test_one_guard_speaks_for_the_group_before_the_first_step(tmp_path: Path) -> None:
    play = sealed(tmp_path, True)
    u, slots = play.world.units, [play.slot(f"G{k}") for k in range(4)]
    x, y = u.x[slots].copy(), u.y[slots].copy()
    while not play.happened("bark"):
        assert (u.x[slots] == x).all() and (u.y[slots] == y).all()
        play.run()
    play.run(60)
    assert (np.hypot(u.x[slots] - x, u.y[slots] - y) > 1.0).all(), "all four guards walk"
    assert [e.text for e in play.happened("bark")] == ["not_far"]


WATER = "s" * 26 + "~" * 18
SHORE = "s" * 26 + "~~" + "s" * 14 + "~~"
ISLAND = [*["s" * 44] * 6, WATER, WATER, *[SHORE] * 6, WATER, WATER]
ISLAND = [r[:8] + ("#" if 6 <= k <= 12 else "s") + r[9:] for k, r in enumerate(ISLAND)] + ["s" * 44] * 3


@pytest.mark.parametrize("falls_back", [True, False])
def test_guards_fall_back_in_turns_from_a_target_out_of_reach(tmp_path: Path, falls_back: bool) -> None:
    builder = yard("\n".join(ISLAND))
    guard(builder, 20.5, 9.5, "Odo", facing=0.0)
    guard(builder, 20.5, 11.5, "Udo", facing=0.0)
    raider(builder, 29.5, 10.5)
    play = Play(tmp_path, builder, minds__fall_back=falls_back, vision__far_seconds=0.5).run(2)
    u = play.world.units
    # Weapon 0 does not reach over the water.
    u.weapon[[play.slot("Odo"), play.slot("Udo")]] = 0
    bounds, hidden_at_last, covers = 0, False, [0, 0]
    for _ in range(460 if falls_back else 120):
        if hidden_at_last and bounds > 20:
            break
        play.run()
        minds = [play.world.minds.get(play.unit(n)) for n in ("Odo", "Udo")]
        backing = [m is not None and m.machine.state == "FallBack" for m in minds]
        if all(backing):
            runs = [bool(u.moving[play.slot(n)]) for n in ("Odo", "Udo")]
            bounds += sum(runs) == 1
            covers = [0 if run else ticks + 1 for run, ticks in zip(runs, covers, strict=True)]
            for name, ticks in zip(("Odo", "Udo"), covers, strict=True):
                slot = play.slot(name)
                off = math.atan2(10.5 - u.y[slot], 29.5 - u.x[slot]) - u.facing[slot]
                # A guard that has stood for 16 ticks has turned round and aims at the raider if it sees it.
                assert ticks < 16 or abs(math.remainder(off, math.tau)) < math.radians(10)
                assert ticks < 16 or u.target[slot] == play.unit("Ann") or u.meter[slot] < 1.0
        x, y = (np.array([column[play.slot(n)] for n in ("Odo", "Udo")]) for column in (u.x, u.y))
        hidden_at_last |= bool((x < 8.0).all() and (y > 5).all() and (y < 14).all())
    assert bool(play.happened("unreachable")) == falls_back
    if falls_back:
        assert len([e for e in play.seen if e.kind == "bark" and e.text == "fall_back"]) == 1, "one guard speaks"
        assert bounds > 20, "one covers while the other runs"
        assert hidden_at_last, "both end behind the wall"


def test_guards_that_fall_back_lose_at_most_half_as_many_hit_points(tmp_path: Path) -> None:
    """Let three raiders shoot over water at two guards without reach.

    The two runs have the same seed and differ in ``minds.fall_back``.
    """
    lost = {}
    for falls_back in (True, False):
        builder = yard("\n".join(r[:20] + ("#" if r[8] == "#" else r[20]) + r[21:] for r in ISLAND))
        guard(builder, 24.5, 9.5, "Odo", facing=0.0)
        guard(builder, 24.5, 11.5, "Udo", facing=0.0)
        for k in range(3):
            raider(builder, 28.5, 9.5 + k, f"R{k}", facing=180.0)
        play = Play(tmp_path, builder, minds__fall_back=falls_back, vision__far_seconds=0.5)
        u = play.world.units
        guards = [play.slot("Odo"), play.slot("Udo")]
        u.weapon[guards] = 0
        u.hp[guards] = 20
        for k in range(3):
            play.order(f"R{k}", OrderKind.HOLD)
        play.run(360)
        assert bool(play.happened("unreachable")) == falls_back
        lost[falls_back] = int(40 - u.hp[guards].sum())
    assert 0 < lost[True] <= lost[False] // 2, lost


def test_guards_do_not_fall_back_from_a_target_in_reach(tmp_path: Path) -> None:
    builder = yard()
    guard(builder, 6.5, 7.5, facing=0.0)
    raider(builder, 14.5, 7.5)
    play = Play(tmp_path, builder).run(200)
    assert play.happened("identified", "Odo") and not play.happened("unreachable")


@pytest.mark.parametrize("companions", [1, 3])
def test_a_stone_draws_as_many_guards_from_their_posts_as_the_setting_allows(tmp_path: Path, companions: int) -> None:
    builder = yard(night=True)
    for k in range(5):
        guard(builder, 18.5, 2.5 + 2 * k, f"G{k}", facing=0.0)
    raider(builder, 6.5, 12.5)
    play = Play(tmp_path, builder, minds__companions=companions, vision__dark_reach=0.05).run()
    at = play.world.units.x.copy()
    play.order("Ann", OrderKind.THROW, x=14.5, y=9.5)
    went = set()
    for _ in range(160):
        play.run()
        went |= {k for k in range(5) if abs(play.world.units.x[play.slot(f"G{k}")] - at[play.slot(f"G{k}")]) > 1.0}
    assert len(went) == companions


def test_the_occupancy_map_of_a_target_is_kept_beside_its_possibility_map(tmp_path: Path) -> None:
    builder = yard("\n".join(["s" * 30] * 6 + ["s" * 12 + "#" * 18] * 2 + ["s" * 30] * 6))
    guard(builder, 6.5, 3.5, facing=0.0)
    raider(builder, 11.5, 3.5)
    play = Play(tmp_path, builder, vision__far_seconds=0.4).run(14)
    assert play.happened("identified", "Odo")
    u, slot = play.world.units, play.slot("Ann")
    u.x[slot], u.y[slot] = 14.5, 10.5
    u.prev_x[slot], u.prev_y[slot] = 14.5, 10.5
    u.stance[slot] = Stance.PRONE
    play.run(60)
    known = knowledge_of(play.world, 1)
    assert known is not None and [c.target for c in known.chances] == [play.unit("Ann")]
    for likely in known.chances:
        chart = known.map_of(likely.target)
        assert chart is not None
        assert likely.chance.sum() == pytest.approx(1.0)
        assert not likely.chance[chart.possible == 0].any() or play.world.tick < likely.next_step


@pytest.mark.parametrize("chances", [True, False])
def test_searchers_choose_spots_by_the_occupancy_map_of_their_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chances: bool
) -> None:
    """Compare the weights of a claim with masses of the side's occupancy map.

    With ``minds.chances`` off a claim gets no weights.
    """
    asked: list[tuple[float, float] | None] = []
    claim = Search.claim

    def noted(search: Search, *args: Any, **more: Any) -> Any:
        likely, known = args[6] if len(args) > 6 else None, knowledge_of(play.world, 1)
        if likely is not None and known is not None and search.spots:
            chart = known.chance_of(search.target)
            spot = search.spots[0]
            assert chart is not None
            asked.append((likely(spot.x, spot.y), chart.mass_near(spot.x, spot.y, NEAR_SPOT)))
        elif len(args) > 6:
            asked.append(None)
        return claim(search, *args, **more)

    monkeypatch.setattr(Search, "claim", noted)
    builder = yard("\n".join("s" * 12 + ("#s" * 6 if y % 4 == 1 else "s" * 12) + "s" * 6 for y in range(20)))
    builder.fill("wall", 26, 0, 29, 3)
    builder.fill("stone", 27, 1, 28, 2)
    guard(builder, 4.5, 6.5, facing=0.0)
    raider(builder, 10.5, 6.5)
    raider(builder, 28.5, 18.5, "Bero")
    play = Play(tmp_path, builder, minds__chances=chances, vision__far_seconds=0.4).run(14)
    assert play.happened("identified", "Odo")
    u, slot = play.world.units, play.slot("Ann")
    # Ann is sensed at the first position for about a second and then put into the closed cell.
    for x, y, ticks in ((14.5, 11.5, 25), (27.5, 1.5, 0)):
        u.x[slot], u.y[slot], u.prev_x[slot], u.prev_y[slot] = x, y, x, y
        play.run(ticks)
    for _ in range(20):
        play.run(10)
        if asked:
            break
    assert asked and all((a is not None and a[0] == a[1]) if chances else a is None for a in asked)


def test_the_influence_balance_of_guards_ignores_a_raider_that_they_never_saw(tmp_path: Path) -> None:
    fields = []
    for there in (True, False):
        builder = yard("\n".join(["s" * 14 + "#" + "s" * 15] * 14))
        guard(builder, 4.5, 7.5, facing=180.0)
        raider(builder, 24.5, 7.5)
        if there:
            raider(builder, 26.5, 3.5, "Bero")
        play = Play(tmp_path, builder).run(5)
        assert len(known_enemies(play.world, 1)[0]) == 0
        fields.append(balance_of(play.world, 1).tobytes())
    assert fields[0] == fields[1]


@pytest.mark.parametrize("seed", range(2))
def test_a_refuge_is_the_best_of_all_hidden_tiles_in_reach(tmp_path: Path, seed: int) -> None:
    """Compare with a loop over all tiles, with and without a comrade in cover."""
    rng = np.random.default_rng(seed)
    walls = rng.random((36, 44)) < 0.12
    walls[4, :8] = walls[:5, 8] = True  # a closed corner
    walls[[10, 12], [20, 22]] = walls[2, 2] = False
    builder = yard("\n".join("".join("#" if wall else "s" for wall in row) for row in walls))
    guard(builder, 20.5, 10.5, facing=0.0)
    guard(builder, 22.5, 12.5, "Udo", facing=0.0)
    play = Play(tmp_path, builder).run(2)
    world, odo, u = play.world, play.slot("Odo"), play.world.units
    me, opaque, free = AgentView(world, odo, 0), world.terrain.opaque, np.argwhere(~walls)
    reach = ndimage.label(~walls)[0]
    for unit in (me.id, play.unit("Udo")):
        world.minds[unit].skill, beliefs_of(world, unit).combat.enemy.unit = "fight", 77
    answers = set()
    for k in range(8):
        y, x = (int(v) for v in free[rng.integers(len(free))])
        u.x[odo], u.y[odo] = x + 0.5, y + 0.5
        u.x[play.slot("Udo")], u.y[play.slot("Udo")] = x + 0.5, y + 0.5
        ty, tx = (int(v) for v in free[rng.integers(len(free))])
        world.settings.minds.quality, other = bool(k % 2), beliefs_of(world, play.unit("Udo")).combat.standoff
        seen, other.cover = visible_from(opaque, ty, tx, 99), None
        around = [
            (r, c) for r in range(max(0, y - 16), min(36, y + 17)) for c in range(max(0, x - 16), min(44, x + 17))
        ]
        hidden = np.array([t for t in around if reach[t] == reach[y, x] and t not in seen], np.int32).reshape(-1, 2)
        for taken in (False, True):
            balance = world.settings.minds.balance * balance_of(world, me.side)
            worth = [balance[r, c] - 0.3 * math.hypot(c - x, r - y) for r, c in hidden.tolist()]
            if other.cover is not None:
                near = [
                    math.hypot(c + 0.5 - other.cover[0], r + 0.5 - other.cover[1]) < 1.2 for r, c in hidden.tolist()
                ]
                worth = [w - 100 * n for w, n in zip(worth, near, strict=True)]
            few = sorted(range(len(worth)), key=lambda i: (-round(worth[i], 9), i))[:24]
            if k % 2 and few:
                places = hidden[few]
                better = (
                    cover_quality(opaque, places, reach == reach[y, x]) - views(world.sight.bits, opaque, places) / 400
                )
                better -= 0.2 * visibility_quality(opaque, places)
                for i, more in zip(few, better.tolist(), strict=True):
                    worth[i] += more
            best = max((worth[i] for i in few), default=0.0)
            found = refuge(me, tx + 0.5, ty + 0.5)
            assert (found is None) == (not few)
            if found is None:
                break
            at = hidden.tolist().index([int(found[1]), int(found[0])])
            assert worth[at] == pytest.approx(best) and found == (hidden[at, 1] + 0.5, hidden[at, 0] + 0.5)
            other.cover = found if taken is False else None
            answers.add(found)
    assert len(answers) > 6


def test_an_enemy_behind_the_back_of_a_guard_does_not_change_its_refuge(tmp_path: Path) -> None:
    """Put Bero at two positions seven tiles behind Odo.

    The side's fog of war shows Bero there, but Odo looks the other way and only knows Ann.
    """
    rows = ["".join("#" if x == 11 and (3 <= y <= 8 or 14 <= y <= 19) else "s" for x in range(40)) for y in range(24)]
    chosen = set()
    for at in ((7.5, 10.5), (7.5, 12.5)):
        builder = yard("\n".join(rows))
        guard(builder, 14.5, 11.5, facing=0.0)
        raider(builder, 22.5, 11.5)
        raider(builder, *at, "Bero")
        play = Play(tmp_path, builder, vision__far_seconds=0.2).run(8)
        assert play.world.sight.sees(1, int(at[1]), int(at[0])) and play.happened("identified", "Odo")
        assert known_enemies(play.world, 1)[0].tolist() == [[22.5, 11.5, 1.0]]
        chosen.add(refuge(AgentView(play.world, play.slot("Odo"), 0), 22.5, 11.5))
    assert len(chosen) == 1


def test_a_guard_ordered_to_attack_does_not_perceive_its_target_behind_its_back(tmp_path: Path) -> None:
    """Order an attack on a target that only the side's fog of war shows.

    The guard learns of the target's death when it turns its eyes to the body.
    """
    builder = yard("\n".join(["s" * 30] * 14))
    guard(builder, 14.5, 6.5, facing=0.0)
    raider(builder, 6.5, 6.5)
    play = Play(tmp_path, builder)
    ann, odo, u = play.unit("Ann"), play.slot("Odo"), play.world.units
    play.order("Odo", OrderKind.ATTACK, target=ann)
    play.run(3)
    me = AgentView(play.world, odo, 0)
    assert play.world.sight.sees(1, 6, 6) and me.reported(ann) is None and u.order[odo] == OrderKind.ATTACK
    u.alive[play.slot("Ann")] = 0
    assert not me.knows_dead(ann)
    u.head[odo] = u.facing[odo] = np.pi
    assert me.knows_dead(ann), "the guard looks at the body"


def test_without_a_grace_period_head_and_body_do_not_follow_a_lost_target(tmp_path: Path) -> None:
    """Put an aimed at target behind a wall, at one of two positions.

    Head, facing and target of the guard are equal in both runs from that tick on.
    """
    rows = ["s" * 14 + "#" + "s" * 15] * 6 + ["s" * 30] * 2 + ["s" * 14 + "#" + "s" * 15] * 6
    gazes = []
    for there in (2.5, 12.5):
        builder = yard("\n".join(rows))
        guard(builder, 6.5, 7.0, facing=0.0)
        raider(builder, 11.5, 7.0)
        play = Play(tmp_path, builder, minds__grace=0, vision__far_seconds=0.4)
        u, odo, ann = play.world.units, play.slot("Odo"), play.slot("Ann")
        u.hp[ann] = 1000
        for _ in range(60):
            play.run()
            if u.target[odo] >= 0:
                break
        assert u.target[odo] == play.unit("Ann")
        u.x[ann] = u.prev_x[ann] = 18.5
        u.y[ann] = u.prev_y[ann] = there
        gaze = []
        for _ in range(12):
            play.run()
            gaze.append((float(u.head[odo]), float(u.facing[odo]), int(u.target[odo])))
        gazes.append(gaze)
    assert gazes[0] == gazes[1] and all(target == -1 for *_, target in gazes[0])


@pytest.mark.parametrize("lazy", [False, True])
def test_a_lazy_pursuer_walks_to_the_interception_point_and_still_reaches_the_runner(lazy: bool) -> None:
    """Play the exhibit ``interception`` with ``minds.lazy`` on and off.

    Ann has half the distance of the runner, so a walk is fast enough.
    """
    path = LEVELS / "exhibits/motion/interception.tmx"
    run = run_level(path, ticks=1, script=load_script(path.with_suffix(".toml")), settings={"minds.lazy": lazy})
    world = run.session.world
    u, ann = world.units, next(unit for unit, name in world.names.items() if name == "Ann")
    fastest = 0.0
    for _ in range(300):
        advance(run)
        slot = u.slot(ann)
        fastest = max(fastest, float(np.hypot(u.vx[slot], u.vy[slot])))
        if u.target[slot] >= 0:
            break
    assert u.target[u.slot(ann)] >= 0, "the runner is in reach and aimed at"
    assert u.pace[u.slot(ann)] == (Pace.WALK if lazy else Pace.RUN) and (fastest < 2.5) == lazy


def test_an_exhausted_search_widens_once_then_reopens_and_a_new_alarm_resets_its_radius(
    tmp_path: Path,
) -> None:
    """Mark all spots as searched, twice.

    The radius first grows from 12 to 18 tiles; then old spots open again.
    An alarm about a new place sets the radius back to 12 tiles.
    """
    builder = yard("\n".join("s" * 12 + ("#s" * 6 if y % 4 == 1 else "s" * 12) + "s" * 6 for y in range(20)))
    guard(builder, 12.5, 6.5, facing=0.0)
    guard(builder, 10.5, 10.5, "Udo", facing=180.0, asleep=True)
    raider(builder, 28.5, 18.5)
    play = Play(tmp_path, builder, minds__give_up=2000).run(2)
    odo = play.unit("Odo")
    mind = play.world.minds[odo]
    mind.beliefs.search = SearchState(14.5, 6.5, 1, 1, "it saw Ann")
    play.world.units.event[play.slot("Odo")] |= int(Event.TIMER)
    radii, refills = [], []
    for _ in range(400):
        play.run()
        for search in play.world.searches:
            if search.phase == 2:
                for spot in search.spots:
                    search.searched(spot, odo, play.world.tick - 300)
            if not radii or radii[-1] != search.radius:
                radii.append(search.radius)
            refills.append(search.refills)
        if refills and refills[-1] >= 2:
            break
    assert radii == [12.0, 18.0] and refills[-1] == 2, "wider once, then the old spots again"
    play.world.units.asleep[play.slot("Udo")] = 0
    shout(AgentView(play.world, play.slot("Udo"), 0), 16.5, 8.5, play.unit("Ann"), play.world.tick)
    for _ in range(20):
        play.run()
        radii += [s.radius for s in play.world.searches if s.radius != radii[-1]]
    (search,) = play.world.searches
    assert radii == [12.0, 18.0, 12.0] and (search.x, search.refills) == (16.5, 0)


def test_a_target_killed_unseen_stays_in_the_beliefs_until_its_body_is_seen(tmp_path: Path) -> None:
    """Kill an identified target behind a wall, then put its body before the guard."""
    builder = yard("\n".join(["s" * 16 + "#" + "s" * 13] * 12 + ["s" * 30] * 2))
    guard(builder, 6.5, 3.5, facing=0.0)
    raider(builder, 11.5, 3.5)
    raider(builder, 28.5, 13.5, "Bero")
    play = Play(tmp_path, builder, vision__far_seconds=0.4).run(14)
    u, ann = play.world.units, play.slot("Ann")
    u.x[ann], u.y[ann] = u.prev_x[ann], u.prev_y[ann] = 24.5, 2.5
    play.run(30)
    known = knowledge_of(play.world, 1)
    assert known is not None and known.beliefs.about[play.unit("Ann")].lost_tick >= 0
    kill(play.world, ann)
    play.run(5)
    assert play.unit("Ann") in known.beliefs.about and known.map_of(play.unit("Ann")) is not None
    odo = play.slot("Odo")
    u.x[ann], u.y[ann] = u.x[odo] + math.cos(u.head[odo]), u.y[odo] + math.sin(u.head[odo])
    play.run(8)
    assert play.unit("Ann") not in known.beliefs.about and known.map_of(play.unit("Ann")) is None
