"""Commander: reads reports, allocates squads to objectives, sends orders.

Source: John Reynolds, AI Game Programming Wisdom, 5.5 (a commander acts on new information; it allocates, and appoints
another one when a squad fails; a dead senior breaks the chain until the next one takes over). The commander knows of
its squads what they reported, and of the enemy nothing else. Places are (x, y) in tiles, times in ticks.
"""

from __future__ import annotations

import numpy as np

from ai.search.fields.bounded_flood import bounded_flood
from ai.squad.command.in_trays import COMMANDER, CommandMessage, take_due
from ai.squad.command.squad_allocation import PRIORITY, allocate
from game.minds.squad.boards.squad_boards import report_threat
from game.minds.squad.chain_of_command import send
from game.minds.squad.squad_commands import give_intent, living_of
from game.world.groups.command_posts import ChainLink, CommandPost, SquadObjective, SquadReport
from game.world.groups.squads import Squad
from game.world.world import World

SUCCESSION = 100
"""Ticks after the death of a commander until the next one commands."""
SILENCE = 400
"""Ticks without a report after which a squad counts as lost."""
LOOK = 100
"""Ticks between two looks at silent squads."""
SUPPORTS = "relieve"
"""Intent of a squad that comes to help."""
SHARE = 0.5
"""Known enemies per strength at which a squad needs help."""
ACROSS = 400.0
"""Longest walk to an objective, in tiles."""


def set_up(world: World, side: int, squads: list[Squad], intent: str, places: list[tuple[float, float]]) -> CommandPost:
    """Make a command post over squads; the unit with the lowest id commands."""
    u, all_squads = world.units, world.squads
    unit = min(member for squad in squads for member in living_of(world, squad))
    post = CommandPost(all_squads.next_post, side, unit, intent, [SquadObjective(x, y) for x, y in places])
    all_squads.next_post += 1
    all_squads.posts[post.id] = post
    for squad in squads:
        slots = u.slots(living_of(world, squad))
        squad.chain = ChainLink(post.id)
        x, y = float(u.x[slots[0]]), float(u.y[slots[0]])
        post.reports[squad.id] = SquadReport(x, y, float(len(slots)), world.tick)
    return post


def each_by_itself(world: World, squads: list[Squad], intent: str, places: list[tuple[float, float]]) -> None:
    """Send every squad to its nearest objective, as squads without a commander do."""
    for squad in squads:
        x, y = min(places, key=lambda p: ((p[0] - squad.home_x) ** 2 + (p[1] - squad.home_y) ** 2, p))
        give_intent(world, squad, intent, x, y)


def think_commanders(world: World) -> None:
    """Let the commanders think that have news or are due."""
    squads = world.squads
    for number in sorted(squads.posts):
        post = squads.posts[number]
        if not _commands(world, post):
            continue
        news = [_take_in(world, post, message) for message in take_due(post.tray, world.tick)]
        if world.tick >= post.due:
            post.due = world.tick + LOOK
            news.append(_miss(world, post))
        if any(news) or not post.thoughts:
            think(world, post)
        if not post.reports:
            del squads.posts[number]


def _commands(world: World, post: CommandPost) -> bool:
    """Return whether a commander lives; after ``SUCCESSION`` ticks the next one takes over."""
    u = world.units
    if u.alive[u.slot(post.unit)]:
        return True
    if post.vacant < 0:
        post.vacant = world.tick
    if world.tick - post.vacant < SUCCESSION:
        return False
    rows = world.squads.rows
    members = [m for k in sorted(post.reports) if k in rows for m in rows[k].members if u.alive[u.slot(m)]]
    if not members:
        del world.squads.posts[post.id]
        return False
    post.unit, post.vacant = members[0], -1
    world.happen("command", post.unit, text="takes command")
    return True


def _take_in(world: World, post: CommandPost, message: CommandMessage) -> bool:
    """Note a report; return whether it asks for a decision."""
    known = post.reports.get(message.sender)
    if known is None:
        return False
    known.x, known.y, known.strength, known.tick = message.x, message.y, message.amount, message.sent
    known.enemies = message.enemies
    if message.kind == "spotted":
        report_threat(world, post.side, post.unit, message.x, message.y, message.enemies)
    if message.parent != known.order or message.kind not in ("done", "failed"):
        return message.kind in ("casualty", "spotted")
    mine = next((one for one in post.objectives if one.by == message.sender), None)
    if message.kind == "failed":
        if mine is not None and not mine.taken:
            mine.by = -1
            mine.barred.append(message.sender)
        known.task = "reserve"
        world.happen("command", post.unit, text=f"hears of a failure: {message.text}")
    elif mine is not None and not mine.taken:
        mine.taken, known.task = True, "hold"
        world.happen("command", post.unit, text=f"hears that ({mine.x:.0f}, {mine.y:.0f}) is taken")
    return True


def _miss(world: World, post: CommandPost) -> bool:
    """Strike off silent squads; return whether there were any."""
    lost = [k for k, known in post.reports.items() if world.tick - known.tick > SILENCE]
    for number in lost:
        del post.reports[number]
        for one in post.objectives:
            if one.by == number:
                one.by, one.taken, one.lost = -1, False, True
        world.happen("command", post.unit, text="misses a squad")
    return bool(lost)


def think(world: World, post: CommandPost) -> None:
    """Allocate squads to open objectives, and idle ones to those in trouble."""
    post.thoughts += 1
    ids = sorted(post.reports)
    wanted = [k for k, one in enumerate(post.objectives) if not one.taken and one.by < 0]
    if ids and wanted:
        for row, column in _pairs(world, post, ids, wanted, "attack"):
            one = post.objectives[wanted[column]]
            one.by = ids[row]
            _order(world, post, ids[row], one, "attack", "take" if one.lost else "")
    # A squad that knows of many enemies for its strength gets the nearest squad that holds nothing.
    pressed = [k for k, one in enumerate(post.objectives) if _pressed(post, one)]
    if ids and pressed:
        for row, column in _pairs(world, post, ids, pressed, "hold"):
            _order(world, post, ids[row], post.objectives[pressed[column]], "support", SUPPORTS)


def _pressed(post: CommandPost, one: SquadObjective) -> bool:
    known = post.reports.get(one.by)
    return known is not None and known.enemies > 0 and known.enemies >= SHARE * known.strength


def _pairs(world: World, post: CommandPost, ids: list[int], objectives: list[int], below: str) -> list[tuple[int, int]]:
    """Return squads with less to do than a task (rows), and their objectives (columns)."""
    reports = [post.reports[k] for k in ids]
    tiles = np.array([(int(known.y), int(known.x)) for known in reports], np.int32)
    distance = np.full((len(ids), len(objectives)), np.inf)
    allowed = np.ones(distance.shape, bool)
    for column, k in enumerate(objectives):
        one = post.objectives[k]
        distance[:, column] = bounded_flood(world.terrain, 0, int(one.y), int(one.x), ACROSS).at(tiles)
        allowed[:, column] = [number not in one.barred for number in ids]
    priorities = np.array([PRIORITY[known.task] for known in reports])
    return allocate(distance, priorities, allowed, PRIORITY[below])


def _order(
    world: World, post: CommandPost, number: int, one: SquadObjective, task: str, intent: str = ""
) -> None:  # fmt: skip
    """Send a squad to an objective; without an intent, with the post's own."""
    squad, known = world.squads.rows.get(number), post.reports[number]
    known.task = task
    here = float(world.units.x[world.units.slot(post.unit)]), float(world.units.y[world.units.slot(post.unit)])
    if squad is not None and squad.chain is not None:
        ends = COMMANDER, number
        known.order = send(
            world, post, squad.chain.tray, "order", ends, here, (one.x, one.y), text=intent or post.intent
        )
    world.happen("command", post.unit, text=f"{task}: ({one.x:.0f}, {one.y:.0f})")
