"""Squad mind: choose a manoeuvre, advance it, command the members, react to its end.

Source: William van der Sterren, AI Game Programming Wisdom, 5.4 (selection by fitness; a manoeuvre bars its successors
so that a pullback is not followed by an attack at once; life cycle; casualties are exceptions that the squad checks).
A squad thinks at its due tick, not every tick. Times are in ticks, places (x, y) in tiles.
"""

from __future__ import annotations

import logging
import math

import numpy as np

from ai.core.scheduling.periods import is_due
from ai.decision.decision_trace import DECISION
from ai.squad.manoeuvres.manoeuvre import ManoeuvreStage, Situation, SquadTask, abort, advance, begin
from ai.squad.manoeuvres.manoeuvre_table import MANOEUVRES
from game.minds.squad.boards.squad_boards import tidy_boards, update_boards
from game.minds.squad.boards.squad_missions import allot_missions, note_exits, withdraw_missions
from game.minds.squad.chain_of_command import read_orders, report_situation, send_up
from game.minds.squad.intents import INTENTS, Intent
from game.minds.squad.manoeuvre_choice import RETREATS, choose, goal_of, should_retreat
from game.minds.squad.member_roles import FLANKS
from game.minds.squad.squad_commands import barred_way, command, give_intent, report, squad_made_of
from game.minds.squad.squad_picture import perceive, situation
from game.minds.squad.squad_rooms import IN_HOUSES
from game.minds.squad.squad_voice import converse
from game.world.faults import fault_text
from game.world.groups.squads import Squad
from game.world.world import World

LOG = logging.getLogger("fogline")

EVERY = 5
"""Ticks between two thoughts of a squad."""
LIMIT = 1200
"""Longest manoeuvre: one minute."""
BARRED = 200
"""Ticks for which a manoeuvre bars its successors after its end."""
BRIEFS = 1
"""Squads that choose a manoeuvre in one tick at most; the others wait."""
PAUSE = 40
"""Ticks before a squad without a manoeuvre chooses again."""
RUSHED = 0.5
"""Share of enemies that close in at which a squad gives up its flank."""
AT_DOORS = "clear_room", "door_assault"
"""Manoeuvres whose members take their positions while it is executed."""
AT_GOAL = 5.0
"""Tiles from the place of the intent within which a squad has taken it."""
WEAKER, CONTACT, SHUT = "we are weaker", "contact", "the way is shut"
"""Reasons to break off; the first two do not speak against the manoeuvre."""
CHANGED = 3.0
"""Tiles that the enemy may move before a manoeuvre is briefed again."""


def form_squad(
    world: World, side: int, members: list[int], intent: str, x: float, y: float, name: str = "",
    bend: tuple[float, ...] = (),
) -> Squad:  # fmt: skip
    """Make a squad of units, or give an existing squad a new intent.

    The survivors of a squad are that squad. Members of other squads leave these. A flank leads through ``bend`` (x, y),
    if that is given.
    """
    members = sorted(members)
    squads = world.squads
    squad = squad_made_of(world, members)
    if squad is None:
        squads.release(members)
        squad = Squad(squads.next_id, side, members, name or chr(ord("A") + squads.next_id % 26))
        squads.rows[squad.id] = squad
        squads.next_id += 1
    give_intent(world, squad, intent, x, y, bend)
    squad.chain = None
    squad.due = world.tick + 1 + squad.id % EVERY  # squads of one order think at different ticks
    return squad


def think_squads(world: World) -> None:
    """Let the squads think that are due.

    They are served by due tick and id. An error ends its squad alone."""
    briefs = BRIEFS
    tidy_boards(world)
    for squad in sorted(world.squads.rows.values(), key=lambda one: (one.due, one.id)):
        if world.tick < squad.due:
            break
        if not briefs and _waits(squad) and not is_due(world.tick, EVERY, squad.id):
            squad.due = world.tick + 1
            continue
        squad.due = world.tick + EVERY
        try:
            if think(world, squad, briefs > 0):
                briefs -= 1
        except Exception as error:
            text = f"stage think, squad {squad.name}, tick {world.tick}: {fault_text(error)}"
            world.happen("fault", squad.members[0], text=text)
            LOG.error("%s", text)
            del world.squads.rows[squad.id]


def _waits(squad: Squad) -> bool:
    """Return whether a squad wants to choose a manoeuvre.

    While it waits for its turn, it looks round every ``EVERY`` ticks only.
    """
    return squad.task is None and bool(squad.intent) and not squad.rests


def think(world: World, squad: Squad, may_choose: bool) -> bool:
    """Advance a squad by one thought; return whether it chose a manoeuvre.

    A squad that may not choose in this tick waits for the next one.
    """
    read_orders(world, squad)
    perceive(world, squad)
    update_boards(world, squad)
    s = situation(world, squad)
    if not s.alive.any():
        del world.squads.rows[squad.id]
        return False
    report_situation(world, squad, s)
    converse(world, squad)
    if not squad.intent:
        return False
    intent = INTENTS[squad.intent]
    if squad.task is not None:
        _react(world, squad, s, intent)
    if squad.rests and squad.task is None:
        _wake(world, squad, s, intent)
    chooses = _waits(squad)
    if chooses and not may_choose:
        squad.due = world.tick + 1
        return False
    if chooses:
        _choose(world, squad, s, intent)
    if squad.task is not None:
        before, failed = squad.task.stage, _failures(squad.task)
        advance(MANOEUVRES, squad.task, s)
        if _failures(squad.task) > failed:
            _tell_failure(world, squad, s, squad.task)
        command(world, squad, squad.task)
        if squad.task.ended:
            _ended(world, squad, s, intent)
        elif before != squad.task.stage:
            _tell_stage(world, squad, s, squad.task)
    elif squad.rests:
        allot_missions(world, squad, s)
        command(world, squad, None)
    return chooses


def _wake(world: World, squad: Squad, s: Situation, intent: Intent) -> None:
    """End the rest for other enemies, one in a house, or when much weaker."""
    weaker = intent.retreats and "pull_back" not in squad.failed and should_retreat(squad, s, intent)
    in_house = bool(intent.otherwise) and s.house_at is not None
    if world.tick >= squad.barred_until and (weaker or in_house or sorted(squad.enemies) != squad.rest_ids):
        squad.rests = False
        squad.failed.clear()


def _react(world: World, squad: Squad, s: Situation, intent: Intent) -> None:
    """Break off an attack when much weaker, or when its enemy has gone elsewhere."""
    task = squad.task
    assert task is not None
    why = _breaks_off(world, squad, s, intent, task)
    if why:
        abort(task, s, why)
        command(world, squad, task)
        _ended(world, squad, s, intent)
        return
    if intent.at_enemy and task.stage == ManoeuvreStage.MOVE_TO_START and task.kind not in (*RETREATS, *IN_HOUSES):
        gx, gy = goal_of(squad, s, intent)
        if math.dist((gx, gy), (task.x, task.y)) > CHANGED and len(s.threats):
            squad.task = None  # briefed again with the changed place


def _breaks_off(world: World, squad: Squad, s: Situation, intent: Intent, task: SquadTask) -> str:
    """Return why a manoeuvre ends early, "" if it goes on.

    For weakness or contact it ends only if the squad would do something else: it would begin the same again.
    """
    if any(barred_way(world, squad, row) for row in s.rows.tolist()):
        return SHUT
    style = world.settings.tactics.squad_style
    weighs = intent.retreats and task.kind not in RETREATS and style == "planned"
    surprised = task.kind == "bound_forward" or (task.kind == "suppress_and_flank" and s.closing >= RUSHED)
    if weighs and should_retreat(squad, s, intent):
        why = WEAKER
    elif surprised and s.near and len(intent.choices) > 1:
        why = CONTACT
    else:
        return ""
    return "" if choose(squad, s, intent, style).kind == task.kind else why


def _choose(world: World, squad: Squad, s: Situation, intent: Intent) -> None:
    """Choose a manoeuvre by fitness and begin it."""
    choice = choose(squad, s, intent, world.settings.tactics.squad_style)
    if not choice.kind and len(choice.weighed) == 1:
        _rest(squad)  # its one manoeuvre was refused or broken off: it has said so, and stays where it is
        return
    if not choice.kind:
        squad.due = world.tick + PAUSE
        squad.failed.clear()
        return
    withdraw_missions(world, squad)
    squad.task = begin(choice.kind, squad.members, choice.goal, world.tick, LIMIT)
    leader = squad.members[int(s.rows[0])]
    world.trace.add(
        world.tick, leader, DECISION, f"leads squad {squad.name}: {words_of(choice.kind)}", considered=choice.found,
        winner=choice.kind, cause=f"the intent is to {intent.words}", function="game.minds.squad.squad_mind._choose",
    )  # fmt: skip


def words_of(kind: str) -> str:
    """Return the words for a manoeuvre."""
    return kind.replace("_", " ")


_BARKS = {
    "bound_forward": "bounding", "suppress_and_flank": "flanking", "flank_left": "flanking",
    "flank_right": "flanking", "pull_back": "pulling_back", "fall_back": "pulling_back", "suppress": "suppressing",
    "clear_room": "clearing", "search_house": "clearing", "door_assault": "clearing", "charge": "charging",
}  # fmt: skip


SETS_OUT = "sets_out"
"""Bark with which a flank begins."""


def _tell_stage(world: World, squad: Squad, s: Situation, task: SquadTask) -> None:
    """Report that a manoeuvre sets out or is executed; the leader says it aloud."""
    leader = squad.members[int(s.rows[0])]
    if task.stage == ManoeuvreStage.MOVE_TO_START:
        report(world, squad, leader, f"{words_of(task.kind)} to ({task.x:.0f}, {task.y:.0f})")
    elif task.stage == ManoeuvreStage.EXECUTE and task.kind not in AT_DOORS:
        report(world, squad, leader, f"{words_of(task.kind)}: all are in position")
    if task.stage == ManoeuvreStage.MOVE_TO_START and task.kind in _BARKS:
        world.happen("bark", leader, text=_BARKS[task.kind])
    elif task.stage == ManoeuvreStage.EXECUTE and task.kind in FLANKS:
        world.happen("bark", _nearest_at_pin(squad, s, task), text=SETS_OUT)


def _nearest_at_pin(squad: Squad, s: Situation, task: SquadTask) -> int:
    """Return the member at the pin that is nearest to the enemy.

    Its shout tells the flankers to go. The enemy is near enough to hear it, and is warned.
    """
    rows = s.rows[task.team[s.rows] == 0] if (task.team[s.rows] == 0).any() else s.rows
    return squad.members[int(rows[np.argmin(np.hypot(s.x[rows] - task.x, s.y[rows] - task.y))])]


def _failures(task: SquadTask) -> int:
    """Return the number of failed steps of a manoeuvre so far."""
    return len(task.dag.failures) if task.dag is not None else 0


def _tell_failure(world: World, squad: Squad, s: Situation, task: SquadTask) -> None:
    """Report a failed step, and whether the manoeuvre is planned again."""
    assert task.dag is not None, "a failure belongs to a run"
    leader = squad.members[int(s.rows[0])]
    then = "gives up" if task.ended else "plans again"
    report(world, squad, leader, f"{task.dag.failures[-1].words}; {then}")


def _ended(world: World, squad: Squad, s: Situation, intent: Intent) -> None:
    """React to the end of a manoeuvre: next intent, or another manoeuvre."""
    task = squad.task
    assert task is not None
    leader = squad.members[int(s.rows[0])]
    done = task.stage == ManoeuvreStage.DONE
    report(world, squad, leader, f"{words_of(task.kind)} {'is done' if done else 'is broken off: ' + task.why}")
    _report_end(world, squad, s, task, intent)
    if done:
        note_exits(world, squad, task)
    if MANOEUVRES[task.kind].after or not _bars(squad, world.tick):
        squad.last, squad.barred_until = task.kind, world.tick + BARRED
    squad.task = None
    if done:
        squad.failed.clear()
    elif task.why not in (WEAKER, CONTACT):
        squad.failed.append(task.kind)
        squad.heard.refused = task.why
    if not done:
        return
    if task.kind in RETREATS and squad.intent != "pull_back":
        squad.x, squad.y = task.x, task.y
        squad.intent = squad.intent if intent.otherwise else "hold"
    elif intent.then and not (intent.then == squad.intent and not squad.enemies):
        squad.intent = intent.then
    elif (not intent.then or not squad.enemies) and not _has_further(squad, task, intent):
        _rest(squad)


def _bars(squad: Squad, tick: int) -> bool:
    """Return whether an earlier manoeuvre still bars others, as a retreat bars attacks.

    Another manoeuvre that ends meanwhile does not lift that.
    """
    return bool(squad.last and MANOEUVRES[squad.last].after) and tick < squad.barred_until


def _has_further(squad: Squad, task: SquadTask, intent: Intent) -> bool:
    """Return whether a manoeuvre led to an enemy now gone, not to its place."""
    return intent.at_enemy and not squad.enemies and math.dist((task.x, task.y), (squad.x, squad.y)) > CHANGED


def _report_end(world: World, squad: Squad, s: Situation, task: SquadTask, intent: Intent) -> None:
    """Report the end of an order to the commander.

    An attack that was broken off for contact or weakness goes on with another manoeuvre, and is no failure.
    """
    at_goal = bool((np.hypot(s.x[s.rows] - squad.x, s.y[s.rows] - squad.y) <= AT_GOAL).any())
    if task.stage == ManoeuvreStage.DONE and at_goal and task.kind not in RETREATS:
        send_up(world, squad, s, "done")
    elif task.stage != ManoeuvreStage.DONE and set(squad.failed) | {task.kind} >= set(intent.choices):
        send_up(world, squad, s, "failed", task.why)


def _rest(squad: Squad) -> None:
    """Let a squad stay where it is until its picture of the enemy changes."""
    squad.rests, squad.rest_ids = True, sorted(squad.enemies)
