"""Chain of command: a squad reads its orders and reports to its commander.

Sources: Ian Millington and John Funge, AI for Games, 6.4.1 (in-trays, stuck reports); John Reynolds, AI Game
Programming Wisdom, 5.5. A squad whose commander is dead goes on with its last order.
"""

from __future__ import annotations

from ai.squad.command.in_trays import COMMANDER, CommandMessage, delay, take_due
from ai.squad.manoeuvres.manoeuvre import Situation
from game.minds.squad.intents import INTENTS
from game.minds.squad.squad_commands import give_intent
from game.world.groups.command_posts import CommandPost
from game.world.groups.squads import Squad
from game.world.world import World

STATUS = 100
"""Ticks between two reports without news."""


def read_orders(world: World, squad: Squad) -> None:
    """Carry out the last order that has arrived."""
    if squad.chain is None:
        return
    orders = take_due(squad.chain.tray, world.tick)
    if orders:
        squad.chain.order = orders[-1].number
        give_intent(world, squad, orders[-1].text, orders[-1].x, orders[-1].y)
        post = world.squads.posts.get(squad.chain.post)
        if post is not None and INTENTS[squad.intent].retreats:
            _choose_refuge(squad, post)


def _choose_refuge(squad: Squad, post: CommandPost) -> None:
    """Let a squad pull back to the nearest other objective that is not lost."""
    others = [(one.x, one.y) for one in post.objectives if not one.lost and (one.x, one.y) != (squad.x, squad.y)]
    if others:
        squad.home_x, squad.home_y = min(others, key=lambda p: ((p[0] - squad.x) ** 2 + (p[1] - squad.y) ** 2, p))


def report_situation(world: World, squad: Squad, s: Situation) -> None:
    """Report casualties and new enemies at once, and all else from time to time."""
    chain = squad.chain
    if chain is None:
        return
    strength = float(s.health[s.alive].sum())
    kind = ""
    if int(s.alive.sum()) < int(chain.strength):
        kind = "casualty"
    elif len(s.threats) > chain.enemies:
        kind = "spotted"
    elif chain.told < 0 or world.tick - chain.told >= STATUS:
        kind = "status"
    if kind:
        send_up(world, squad, s, kind)
        chain.strength, chain.enemies = strength, len(s.threats)


def send_up(world: World, squad: Squad, s: Situation, kind: str, text: str = "") -> None:
    """Send a report to the commander, with the squad's place and strength."""
    chain = squad.chain
    post = world.squads.posts.get(chain.post) if chain is not None else None
    if post is None or chain is None:
        return
    chain.told = world.tick
    leader = int(s.rows[0])  # the middle of a squad may lie in a wall
    x, y = float(s.x[leader]), float(s.y[leader])
    amount = float(s.health[s.alive].sum())
    send(world, post, post.tray, kind, (squad.id, COMMANDER), (x, y), (x, y), amount, text, chain.order, len(s.threats))


def send(
    world: World, post: CommandPost, tray: list[CommandMessage], kind: str, ends: tuple[int, int],
    sender: tuple[float, float], place: tuple[float, float], amount: float = 0.0, text: str = "", parent: int = -1,
    enemies: int = 0,
) -> int:  # fmt: skip
    """Put a message into a tray; return its number.

    It arrives after a call over the distance between ``sender`` and the commander, or the squad it is for.
    """
    other = place_of(world, post, ends[1] if ends[0] == COMMANDER else COMMANDER)
    due = world.tick + delay(sender, other, world.settings.tactics.message_speed)
    number = post.next_number
    post.next_number += 1
    tray.append(CommandMessage(number, kind, *ends, world.tick, due, *place, amount, text, parent, enemies))
    return number


def place_of(world: World, post: CommandPost, address: int) -> tuple[float, float]:
    """Return the place of the commander, or the last reported one of a squad."""
    if address == COMMANDER:
        slot = world.units.slot(post.unit)
        return float(world.units.x[slot]), float(world.units.y[slot])
    known = post.reports[address]
    return known.x, known.y
