"""Shared search: roles, spots and staggered return of guards.

The shared search is data of the world (ai.squad.squad_search). Guards enter it here, ask it for spots, and are
removed from it when they fall, fight or sleep. It gets percepts of its own side alone: last known position, tiles
seen by its searchers, and the possible places in the side's knowledge.

Source: Game AI Pro 2, ch. 27.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ai.decision.skills import MindTurn
from ai.perception.sight.line_of_sight import line_clear, lines_clear
from ai.squad.squad_search import Search, Spot, SpotState
from ai.tactics.canvass import faces_wall
from ai.tactics.hiding_places import hidden_spots
from game.minds.agent_view import AgentView
from game.minds.guard.belief_records import SearchState
from game.minds.guard.search import exit_cover
from game.minds.shared_behaviours import HAIR
from game.systems.stealth.side_knowledge import believed_at, knowledge_of
from game.world.units import Stance
from game.world.world import World

Guard = MindTurn[AgentView]

ADVANCE, INVESTIGATE = "ADVANCE", "INVESTIGATE"
SAME_PLACE = 10.0
"""Words about places within so many tiles belong to one search."""
ELSEWHERE = 3.0
"""Shift of the last known position that needs new spots and posts, tiles."""
NEWER = 40
"""Ticks by which a later message starts a search again."""
NEAR_SPOT = 3.0
"""Tiles around a spot whose chance counts for it."""
COVER_FAR, COVER_NEAR = 7.0, 3.5
"""Distances from the place for guards that are not first, tiles."""
NEARER = 4.0
"""Tiles nearer that let an idle guard take over a comrade's spot."""
LOOK_FROM = 5.0
"""Tiles from which it stops to look into a spot it came for."""
ASIDE = (0.0, 0.2, -0.2, 0.4, -0.4, 0.6, -0.6)
"""Angles in radians to look past a corner before a spot."""
AT_HAND = 1.5
"""Tiles within which a place on a clear line is searched anyway.

Eyes need not reach: a low wall may be in between.
"""


def enter(turn: Guard) -> Search | None:
    """Join the search of the guard's belief, or open one.

    None on a stage without a map. A guard that joins leaves every other search. No two active searches of a side
    are about one place.
    """
    me = turn.host
    mine: SearchState = turn.beliefs.search
    world = me.world
    if world.terrain is None or not me.settings.together:
        return None
    (x, y), since, who = place_of(turn), mine.tick, mine.who
    found = _live_search(turn, x, y, since)
    if found is None:
        found = Search(
            1 + max((s.id for s in world.searches), default=0), me.side, who, x, y, since,
            turn.tick + me.settings.give_up, me.settings.investigators, me.settings.search_radius,
        )  # fmt: skip
        found.cap = exit_cover.heads_for(me, found)
        world.searches.append(found)
        me.bark("not_far")  # the guard that begins the search announces it, before any guard leaves
    elif since > found.since + NEWER:
        found.target = who
        found.news(turn.tick, x, y, me.settings.give_up, me.settings.search_radius)
        _call_back(world, found, me.id)
        _swallow(world, found, me.id)
    elif found.target < 0:
        found.target = who
    for search in world.searches:
        if search is not found and me.id in search.searchers:
            leave(world, search, me.id)
    found.join(me.id)
    fill(me, found)
    found.allow(turn.tick)
    mine.search_id = found.id
    return found


def place_of(turn: Guard) -> tuple[float, float]:
    """Return the search place: the side's last known position, or the report's.

    The second applies when no enemy was identified.
    """
    me = turn.host
    mine: SearchState = turn.beliefs.search
    return believed_at(me.world, me.side, mine.who) or (mine.x, mine.y)


def _call_back(world: World, search: Search, teller: int) -> None:
    """Report a restarted search to its members, except the bringer of the news."""
    for unit in search.searchers:
        if unit != teller and world.router is not None:
            world.router.send(ADVANCE, teller, unit, world.tick, 1)


def _live_search(turn: Guard, x: float, y: float, since: int) -> Search | None:
    """Return the guard's own active search, else its side's nearest.

    The own search must have had later news; the nearest is measured from the place of the report.
    """
    world, side = turn.host.world, turn.host.side
    live = [s for s in world.searches if s.side == side and not s.over(turn.tick)]
    own = next((s for s in live if turn.unit in s.searchers and s.since > since), None)
    near = [s for s in live if math.hypot(s.x - x, s.y - y) <= SAME_PLACE]
    return own or min(near, key=lambda s: (math.hypot(s.x - x, s.y - y), s.id), default=None)


def _swallow(world: World, search: Search, teller: int) -> None:
    """Merge other searches about the place to which news moved this one."""
    for other in list(world.searches):
        if other is search or other.side != search.side or other.over(world.tick):
            continue
        if math.hypot(other.x - search.x, other.y - search.y) > SAME_PLACE:
            continue
        for unit in list(other.searchers):
            other.leave(unit)
            search.join(unit)
            world.minds[unit].beliefs.search.search_id = search.id
            if unit != teller and world.router is not None:
                world.router.send(ADVANCE, teller, unit, world.tick, 1)
        search.since = max(search.since, other.since)
        world.searches.remove(other)


def leave(world: World, search: Search, unit: int) -> None:
    """Leave a search; if no guard is first any more, another one becomes first.

    Only while the search goes on.
    """
    heirs = search.leave(unit)
    search.allow(world.tick)
    for heir in heirs:
        if world.router is not None and not search.over(world.tick):
            world.router.send(INVESTIGATE, unit, heir, world.tick, 1)


def search_of(turn: Guard) -> Search | None:
    """Return the search that the guard takes part in, or None."""
    number = turn.beliefs.search.search_id
    return next((s for s in turn.host.world.searches if s.id == number), None) if number >= 0 else None


def fill(me: AgentView, search: Search) -> None:
    """Fill the pool with enough hidden spots about the last known position."""
    wanted = me.settings.search_spots * max(2, len(search.searchers))
    if len(search.spots) >= wanted:
        return
    add_spots(me, search, wanted - len(search.spots))


def add_spots(me: AgentView, search: Search, count: int) -> None:
    """Add up to ``count`` hidden spots this guard can reach, apart from known ones."""
    world, movement_class = me.world, int(me.units.movement_class[me.slot])
    reachable = world.components.label_map(movement_class) == world.components.label(
        movement_class, int(me.y), int(me.x)
    )
    have = np.array([(s.x, s.y) for s in search.spots]).reshape(-1, 2)
    x, y, opaque, cover = search.x, search.y, world.terrain.opaque, world.terrain.cover
    search.fill(hidden_spots(opaque, cover, reachable, x, y, search.radius, count, without=have))


def next_spot(turn: Guard) -> Spot | None:
    """Return the next spot for this guard, claimed.

    When the pool has run dry it widens once, then opens old spots again, as long as the search has patience.
    """
    me, search = turn.host, search_of(turn)
    if search is None or search.over(turn.tick):
        return None
    known = knowledge_of(me.world, me.side)
    found = known.map_of(search.target) if known is not None else None
    told = found is not None and not found.settled and me.settings.possible
    possible = found.possible if found is not None and told else None
    likely = known.chance_of(search.target) if known is not None and told and me.settings.chances else None
    chance = (lambda x, y: likely.mass_near(x, y, NEAR_SPOT)) if likely is not None else None
    bias, truth = me.settings.truth_bias, None
    if bias > 0 and search.target >= 0:
        # For an exhibit alone: the shipped game's bias is 0, and no other code here reads the true position.
        slot = me.units.slot(search.target)
        truth = float(me.units.x[slot]), float(me.units.y[slot])
    weights = (1.0, 1.0, bias)
    taken = _claimed_elsewhere(me, search)
    spot = search.claim(me.id, me.x, me.y, weights, truth, possible, chance, taken)
    spot = spot or search.claim(me.id, me.x, me.y, weights, truth, taken=taken) or nearer_to(me, search)
    if spot is not None:
        spot.by = me.id
    if spot is not None or turn.tick >= search.until:
        return spot
    if search.refills == 0 and not search.open:
        search.refills += 1
        search.radius *= 1.5
        # A wider ring of hiding places, for the guards still in the search.
        add_spots(me, search, me.settings.search_spots * search.at_work)
        spot = search.claim(me.id, me.x, me.y, taken=taken)
    if spot is None and search.reopen(turn.tick):
        spot = search.claim(me.id, me.x, me.y, taken=taken)
    search.allow(turn.tick)
    return spot


def nearer_to(me: AgentView, search: Search) -> Spot | None:
    """Return a spot of a farther comrade, for a guard without one.

    The comrade is much farther from it. Source: Fritz Heckel's reactive teaming, "IA on AI".
    """
    u, best, gain = me.units, None, NEARER
    for spot in search.spots:
        if spot.state != SpotState.CLAIMED or not u.moving[u.slot(spot.by)]:
            continue
        slot = u.slot(spot.by)
        saved = math.hypot(float(u.x[slot]) - spot.x, float(u.y[slot]) - spot.y) - me.distance(spot.x, spot.y)
        if saved >= gain:
            best, gain = spot, saved
    return best


def _claimed_elsewhere(me: AgentView, search: Search) -> set[tuple[float, float]]:
    """Return places claimed in other searches of the side: rings may overlap."""
    others = [s for s in me.world.searches if s.side == me.side and s is not search]
    return {(spot.x, spot.y) for s in others for spot in s.spots if spot.state == SpotState.CLAIMED}


def advance(turn: Guard) -> None:
    """Advance all members to the hiding places in one tick: the place is empty."""
    search = search_of(turn)
    if search is None or not search.advance(turn.tick):
        return
    turn.host.happen("search", text="spreads out")
    for other in search.searchers:
        if other != turn.host.id:
            turn.send(ADVANCE, other)


def cover_place(me: AgentView, search: Search) -> tuple[float, float] | None:
    """Return the nearest tile with a clear line to the place, or None."""
    world = me.world
    height, width = world.terrain.opaque.shape
    far = int(COVER_FAR)
    cx, cy = int(search.x), int(search.y)
    rows, columns = np.mgrid[max(0, cy - far) : min(height, cy + far + 1), max(0, cx - far) : min(width, cx + far + 1)]
    rows, columns = rows.ravel(), columns.ravel()
    away = np.hypot(columns + 0.5 - search.x, rows + 0.5 - search.y)
    movement_class = int(me.units.movement_class[me.slot])
    label = world.components.label(movement_class, int(me.y), int(me.x))
    fit = (
        (away >= COVER_NEAR)
        & (away <= COVER_FAR)
        & (world.components.label_map(movement_class)[rows, columns] == label)
    )
    rows, columns = rows[fit], columns[fit]
    if not len(rows):
        return None
    ends = np.column_stack([rows, columns]).astype(np.int32)
    starts = np.broadcast_to(np.array([cy, cx], np.int32), ends.shape).copy()
    clear = lines_clear(world.terrain.opaque, starts, ends).astype(bool)
    taken = [(s[0], s[1]) for s in _standing(world, search, me.id)]
    order = np.lexsort((columns, rows, np.hypot(columns + 0.5 - me.x, rows + 0.5 - me.y)))
    for k in order[clear[order]].tolist():
        x, y = columns[k] + 0.5, rows[k] + 0.5
        if all(math.hypot(x - a, y - b) >= 1.5 for a, b in taken):
            return float(x), float(y)
    return None


def _standing(world: World, search: Search, me: int) -> list[tuple[float, float]]:
    u = world.units
    return [(float(u.goal_x[u.slot(i)]), float(u.goal_y[u.slot(i)])) for i in search.searchers if i != me]


def heading_into(me: AgentView, spot: Spot) -> float | None:
    """Return the head turn to look into a spot from here, else None.

    The look must not end at a wall.
    """
    if me.distance(spot.x, spot.y) > LOOK_FROM:
        return None
    opaque, bearing = me.world.terrain.opaque, me.angle_to(spot.x, spot.y)
    headings = (bearing + off for off in ASIDE)
    free = (h for h in headings if not faces_wall(opaque, me.x, me.y, h, HAIR))
    return next((h for h in free if looks_into(me.world, me.slot, spot, h)), None)


def sees_into(me: AgentView, spot: Spot) -> bool:
    """Return true if the guard sees into a spot with its present head angle."""
    return looks_into(me.world, me.slot, spot, float(me.units.head[me.slot]))


def looks_into(world: World, slot: int, spot: Spot, head: float) -> bool:
    """Return true if a guard with this head angle would see a crouching unit.

    It also holds for a guard right before the spot. The eyes decide, with light, cover, low walls and mood: a
    spot too dark or too dense needs a closer approach.
    """
    u = world.units
    x, y, row, column = float(u.x[slot]), float(u.y[slot]), int(spot.y), int(spot.x)
    if math.hypot(spot.x - x, spot.y - y) <= AT_HAND:
        return bool(line_clear(world.terrain.opaque, int(y), int(x), row, column))
    kind = world.types[int(u.kind[slot])]
    _, _, seconds = world.vision.seconds_by_stance(
        world.terrain.opaque, world.terrain.cover, x, y, head, kind.cone_range, kind.cone_half_angle,
        stance=Stance.CROUCH, stances=1, alert=int(u.mood[slot]), light=world.light.level, low=world.low,
        tile=(row, column),
    )  # fmt: skip
    return bool(np.isfinite(seconds).any())


def _eyes_of(world: World, slots: list[int]) -> Callable[[int, Spot], bool]:
    """Return true if guard i of these sees into a spot now."""
    return lambda i, spot: looks_into(world, slots[i], spot, float(world.units.head[slots[i]]))


def follow_beliefs(world: World) -> None:
    """Move each search with its side's last known position, in the same tick.

    After a shift to another place the search starts again there, with the same guards first.
    """
    settings = world.settings.minds
    for search in list(world.searches):
        at = believed_at(world, search.side, search.target)
        if at is None or at == (search.x, search.y) or search.over(world.tick):
            continue
        if all(search is not other for other in world.searches):
            continue  # another search has absorbed it
        if search.follow(*at) > ELSEWHERE:
            first = search.investigators
            search.news(world.tick, *at, settings.give_up, settings.search_radius)
            search.investigators = first
            _call_back(world, search, -1)
        _swallow(world, search, -1)


def watch_searches(world: World) -> None:
    """Update searches each tick: remove leavers, clear seen spots, end old searches."""
    u = world.units
    for search in list(world.searches):
        for unit in list(search.searchers):
            mind = world.minds.get(unit)
            if mind is None or not u.alive[u.slot(unit)] or mind.skill != "search":
                leave(world, search, unit)
        if not search.searchers:
            world.searches.remove(search)
            continue
        if world.tick >= search.until and search.advance(world.tick) and world.router is not None:
            for unit in search.searchers:  # no guard has come to the place: all look around it from their positions
                world.router.send(ADVANCE, unit, unit, world.tick, 1)
        slots = u.slots(search.searchers)
        kinds = [world.types[int(k)] for k in u.kind[slots]]
        reach = min(t.cone_range for t in kinds)
        search.look(
            world.tick, _eyes_of(world, slots.tolist()), search.searchers, u.x[slots], u.y[slots], u.head[slots],
            min(t.cone_half_angle for t in kinds), reach * world.settings.minds.search_reach,
        )  # fmt: skip
