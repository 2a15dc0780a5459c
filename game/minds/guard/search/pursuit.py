"""How guards search together: who goes first, who covers, which spot is whose, and who goes home when.

The shared search is data of the world (ai.squad.squad_search); here guards enter it, ask it for spots, and are
pruned from it
when they fall, fight or sleep.  It is given percepts of its own side alone: last known position, what its searchers'
eyes pass over, and the possible places that the side's knowledge holds.

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
"""A last known position that has moved by more tiles has hiding places and posts of its own."""
NEWER = 40
"""A word later by so many ticks begins a search anew."""
NEAR_SPOT = 3.0
"""Tiles around a spot whose chance counts for it."""
COVER_FAR, COVER_NEAR = 7.0, 3.5
"""Those who do not go first stand so far from the place."""
NEARER = 4.0
"""Who has nothing left to look at takes over a place to which it is nearer by so many tiles than who goes there."""
LOOK_FROM = 5.0
"""Tiles from which it stops to look into a spot that it has come for."""
ASIDE = (0.0, 0.2, -0.2, 0.4, -0.4, 0.6, -0.6)
"""By so much, in radians, it looks past a spot before which a corner stands."""
AT_HAND = 1.5
"""Within so many tiles, with a clear line, a place is searched even where eyes do not reach: over a low wall."""


def enter(turn: Guard) -> Search | None:
    """Join the search that the guard's belief is about, or open one; None on a stage without a map.

    Who joins leaves every other search, and of a side no two that go on are about one place.
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
        me.bark("not_far")  # who opens it speaks for all, before anybody sets out
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
    """Where to begin: its side's last known position of whom it looks for, or a place at which nobody was made out."""
    me = turn.host
    mine: SearchState = turn.beliefs.search
    return believed_at(me.world, me.side, mine.who) or (mine.x, mine.y)


def _call_back(world: World, search: Search, teller: int) -> None:
    """A search has begun anew: all who take part hear of it, but for who brought the news."""
    for unit in search.searchers:
        if unit != teller and world.router is not None:
            world.router.send(ADVANCE, teller, unit, world.tick, 1)


def _live_search(turn: Guard, x: float, y: float, since: int) -> Search | None:
    """The guard's own search that has had later news, or else its side's search nearest to the word's place."""
    world, side = turn.host.world, turn.host.side
    live = [s for s in world.searches if s.side == side and not s.over(turn.tick)]
    own = next((s for s in live if turn.unit in s.searchers and s.since > since), None)
    near = [s for s in live if math.hypot(s.x - x, s.y - y) <= SAME_PLACE]
    return own or min(near, key=lambda s: (math.hypot(s.x - x, s.y - y), s.id), default=None)


def _swallow(world: World, search: Search, teller: int) -> None:
    """News has moved a search: others that are about the same place now become one with it."""
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
    """Go out of a search; where nobody goes first any more somebody is told to, as long as it goes on."""
    heirs = search.leave(unit)
    search.allow(world.tick)
    for heir in heirs:
        if world.router is not None and not search.over(world.tick):
            world.router.send(INVESTIGATE, unit, heir, world.tick, 1)


def search_of(turn: Guard) -> Search | None:
    """The search the guard takes part in."""
    number = turn.beliefs.search.search_id
    return next((s for s in turn.host.world.searches if s.id == number), None) if number >= 0 else None


def fill(me: AgentView, search: Search) -> None:
    """Make the pool large enough for those who search: hidden spots about the last known position."""
    wanted = me.settings.search_spots * max(2, len(search.searchers))
    if len(search.spots) >= wanted:
        return
    add_spots(me, search, wanted - len(search.spots))


def add_spots(me: AgentView, search: Search, count: int) -> None:
    """Up to ``count`` more hidden spots that this guard can reach, apart from those that are known."""
    world, movement_class = me.world, int(me.units.movement_class[me.slot])
    reachable = world.components.label_map(movement_class) == world.components.label(
        movement_class, int(me.y), int(me.x)
    )
    have = np.array([(s.x, s.y) for s in search.spots]).reshape(-1, 2)
    x, y, opaque, cover = search.x, search.y, world.terrain.opaque, world.terrain.cover
    search.fill(hidden_spots(opaque, cover, reachable, x, y, search.radius, count, without=have))


def next_spot(turn: Guard) -> Spot | None:
    """The next spot for this guard, claimed.

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
        # For an exhibit alone: the shipped game's bias is 0, and nothing here reads where he is.
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
        # A wider ring of hiding places, for those who are still there.
        add_spots(me, search, me.settings.search_spots * search.at_work)
        spot = search.claim(me.id, me.x, me.y, taken=taken)
    if spot is None and search.reopen(turn.tick):
        spot = search.claim(me.id, me.x, me.y, taken=taken)
    search.allow(turn.tick)
    return spot


def nearer_to(me: AgentView, search: Search) -> Spot | None:
    """A spot of a comrade on the way to it who is much farther from it, to be taken over by who has none left.

    Source: Fritz Heckel's reactive teaming, "IA on AI".
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
    """Places that guards of its side are going to look at in other searches: the rings of two may overlap."""
    others = [s for s in me.world.searches if s.side == me.side and s is not search]
    return {(spot.x, spot.y) for s in others for spot in s.spots if spot.state == SpotState.CLAIMED}


def advance(turn: Guard) -> None:
    """The place is empty: everybody goes on to the hiding places, told in one tick."""
    search = search_of(turn)
    if search is None or not search.advance(turn.tick):
        return
    turn.host.happen("search", text="spreads out")
    for other in search.searchers:
        if other != turn.host.id:
            turn.send(ADVANCE, other)


def cover_place(me: AgentView, search: Search) -> tuple[float, float] | None:
    """A tile near the place with a clear line to it, the nearest to the guard; None when there is none."""
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
    """How the guard has to turn its head to look into a spot from here, and not at a wall; None when it cannot."""
    if me.distance(spot.x, spot.y) > LOOK_FROM:
        return None
    opaque, bearing = me.world.terrain.opaque, me.angle_to(spot.x, spot.y)
    headings = (bearing + off for off in ASIDE)
    free = (h for h in headings if not faces_wall(opaque, me.x, me.y, h, HAIR))
    return next((h for h in free if looks_into(me.world, me.slot, spot, h)), None)


def sees_into(me: AgentView, spot: Spot) -> bool:
    """Whether the guard looks into a spot with its head as it is."""
    return looks_into(me.world, me.slot, spot, float(me.units.head[me.slot]))


def looks_into(world: World, slot: int, spot: Spot, head: float) -> bool:
    """Whether a guard whose head is turned so would see somebody crouch at a spot, or stands right before it.

    The eyes are asked, with light, cover, low walls and its mood: what is too dark or too thick has to be gone up to.
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
    """Whether the one in row i of these sees into a spot with its head as it is."""
    return lambda i, spot: looks_into(world, slots[i], spot, float(world.units.head[slots[i]]))


def follow_beliefs(world: World) -> None:
    """A search is about its side's last known position of its enemy: in the tick in which that moves so does it.

    Where it has moved to another place the search begins anew there, with the same people in front.
    """
    settings = world.settings.minds
    for search in list(world.searches):
        at = believed_at(world, search.side, search.target)
        if at is None or at == (search.x, search.y) or search.over(world.tick):
            continue
        if all(search is not other for other in world.searches):
            continue  # another has taken it in
        if search.follow(*at) > ELSEWHERE:
            first = search.investigators
            search.news(world.tick, *at, settings.give_up, settings.search_radius)
            search.investigators = first
            _call_back(world, search, -1)
        _swallow(world, search, -1)


def watch_searches(world: World) -> None:
    """Every tick: who no longer searches leaves its search, eyes clear spots in passing, and old searches end."""
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
            for unit in search.searchers:  # nobody has come to the place: all look about it from where they are
                world.router.send(ADVANCE, unit, unit, world.tick, 1)
        slots = u.slots(search.searchers)
        kinds = [world.types[int(k)] for k in u.kind[slots]]
        reach = min(t.cone_range for t in kinds)
        search.look(
            world.tick, _eyes_of(world, slots.tolist()), search.searchers, u.x[slots], u.y[slots], u.head[slots],
            min(t.cone_half_angle for t in kinds), reach * world.settings.minds.search_reach,
        )  # fmt: skip
