"""Page of a squad: manoeuvre, options with scores, slots, and blackboards."""

from __future__ import annotations

from typing import Any

import numpy as np

from ai.decision.blackboards.open_missions import all_missions
from ai.decision.blackboards.scoped_boards import Board, ScopedBoards
from ai.squad.manoeuvres.manoeuvre import MemberTask
from game.minds.squad.intents import INTENTS
from game.minds.squad.member_roles import manoeuvre_words, phase_words, role_of, steps_of
from game.minds.squad.squad_words import decision_of, decision_words, manoeuvre_scores
from game.view.lab.why.pages.page import SIDE, UNIT, Page, PageRow, Section, Subject, ago, place, section
from game.view.lab.why.pages.side_page import truth_rows
from game.world.groups.squads import Squad

NET, GROUP, OWN = "Board of all: the net", "Board of the squad", "Boards of the members"

GRAPHS = "living", "health", "suppression", "speed"
"""Numbers of a squad that are drawn as graphs."""


def squad_page(world: Any, number: int) -> Page:
    """Return the page of a squad; KeyError for an unknown id."""
    squad: Squad = world.squads.rows[number]
    kind = manoeuvre_words(squad.task.kind) if squad.task is not None else "no manoeuvre"
    boards = world.squads.boards.get(squad.side, ScopedBoards())
    parts = [
        Section("Numbers", tuple(PageRow(name, number=name) for name in GRAPHS), "click one to pin it"),
        section("Options", _options(world, squad), "fitness now", "it weighs nothing now"),
        section("Slots", _slots(world, squad), "role, goal"),
        section("Steps", _steps(squad), "of its plan"),
        section(GROUP, _entries(world, boards.groups.get(squad.id)), _sources(boards.groups.get(squad.id)), "empty"),
        section(OWN, _own(world, squad, boards), "", "empty"),
        section(NET, _entries(world, boards.everyone), "the commander's", "empty"),
        section("Tokens", _tokens(world, squad), "held now", "none"),
        _knowledge(world, squad),
    ]
    name = squad.name or f"squad {squad.id}"
    return Page(
        name[:1].upper() + name[1:],
        f"{name[:1].upper() + name[1:]}: {kind}, {phase_words(squad)}.",
        (section("Orders", _orders(world, squad)), *(part for part in parts if part.rows or part.title != "Steps")),
    )


def _orders(world: Any, squad: Squad) -> list[PageRow]:
    task, chosen = squad.task, decision_of(world, squad)
    rows = [PageRow("intent", f"{squad.intent.replace('_', ' ') or 'none'} at {place(squad.x, squad.y)}")]
    if task is not None and task.why:
        rows.append(PageRow("stage because", task.why))
    if chosen is not None:
        rows.append(PageRow("chosen", decision_words(chosen, world.tick), tick=chosen.tick))
    if squad.failed:
        rows.append(PageRow("failed since", ", ".join(manoeuvre_words(kind) for kind in squad.failed)))
    if squad.chain is not None:
        post = world.squads.posts.get(squad.chain.post)
        if post is not None:
            rows.append(PageRow("commander", world.name_of(post.unit), link=Subject(UNIT, (post.unit,))))
    return [*rows, PageRow("side", "its orders and losses", link=Subject(SIDE, (squad.side,)))]


def _options(world: Any, squad: Squad) -> list[PageRow]:
    """Return the fitness of each manoeuvre now; the running one is marked."""
    table = manoeuvre_scores(world, squad) if squad.intent in INTENTS else None
    rows = []
    for row in table.rows if table is not None else ():
        score = row.values[1]
        words = f"{score:.2f}" if score is not None else "-"
        rows.append(PageRow(row.name, row.note, words, share=max(score or 0.0, 0.0), won=row.won))
    return rows


def _slots(world: Any, squad: Squad) -> list[PageRow]:
    u, task, rows = world.units, squad.task, []
    for row, unit in enumerate(squad.members):
        slot = u.slot(unit)
        if not u.alive[slot]:
            words = "fallen"
        elif task is not None and row < len(task.task) and task.task[row] == MemberTask.COVER:
            words = f"{role_of(task, row)}, at {place(float(u.x[slot]), float(u.y[slot]))}"
        elif task is None or row >= len(task.task):
            words = f"at {place(float(u.x[slot]), float(u.y[slot]))}"
        else:
            words = f"{role_of(task, row)}, {place(*task.goal[row].tolist())}"
        rows.append(PageRow(world.name_of(unit), words, link=Subject(UNIT, (unit,))))
    return rows


def _steps(squad: Squad) -> list[PageRow]:
    steps = steps_of(squad.task) if squad.task is not None else ()
    return [PageRow(step.name.replace("_", " "), state.name.lower()) for step, state in steps]


def _sources(board: Board | None) -> str:
    """Return the knowledge sources that acted last on a board."""
    return f"sources: {', '.join(board.sources)}" if board is not None and board.sources else "no source acted"


def _entries(world: Any, board: Board | None) -> list[PageRow]:
    """Return facts and missions of a board with their authors and ages."""
    rows: list[PageRow] = []
    if board is None:
        return rows
    for key, entry in sorted(board.entries.items()):
        until = "" if entry.until < 0 else f", {max(entry.until - world.tick, 0) / 20:.1f} s left"
        words = f"{entry.text or 'noted'} at {place(entry.x, entry.y)}{until}"
        rows.append(PageRow(key, words, f"by {world.name_of(entry.author)}", tick=entry.tick))
    for mission in all_missions(board.missions):
        takers = ", ".join(world.name_of(unit) for unit in mission.takers) or "open"
        rows.append(PageRow(f"mission: {mission.text}", f"{mission.skill} {place(mission.x, mission.y)}", takers,
                            tick=mission.posted))  # fmt: skip
    return rows


def _own(world: Any, squad: Squad, boards: ScopedBoards) -> list[PageRow]:
    rows = []
    for unit in squad.members:
        board = boards.own.get(unit)
        rows += board_rows(world, unit, board) if board is not None else []
    return rows


def board_rows(world: Any, unit: int, board: Board) -> list[PageRow]:
    """Return facts and the last motor request of a unit's own board."""
    name = world.name_of(unit)
    rows = [
        PageRow(f"{name}: {key}", f"{entry.text or 'noted'} at {place(entry.x, entry.y)}", ago(world.tick, entry.tick),
                tick=entry.tick)
        for key, entry in sorted(board.entries.items()) if entry.holds(world.tick)
    ]  # fmt: skip
    for request in board.requests:
        rows.append(
            PageRow(f"{name} requests", f"{request.act} {place(request.x, request.y)}", request.stage or "posted")
        )
    return rows


def _tokens(world: Any, squad: Squad) -> list[PageRow]:
    rows = [PageRow(role, world.name_of(unit)) for role, unit in sorted(squad.roles.holders.items())]
    for unit, tick in sorted(squad.assaults.taken.items()):
        rows.append(PageRow("assault", world.name_of(unit), ago(world.tick, tick), tick=tick))
    return rows


def _knowledge(world: Any, squad: Squad) -> Section:
    rows = [row for e in squad.enemies.values() for row in truth_rows(world, e.unit, e.x, e.y, e.tick)]
    alive = int(np.count_nonzero(world.units.alive[world.units.slots(list(squad.enemies))])) if squad.enemies else 0
    return section("Knowledge and truth", rows, f"{alive} of them live", "it knows of no enemy")
