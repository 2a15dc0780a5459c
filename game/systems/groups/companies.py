"""Groups of groups: a company's parts keep stations as members keep slots.

Each squad has its own formation. One query finds the path of all, and the squads march one behind the other. The
company reads the state of its parts in the tick before: their limits and how far they are off their stations.
Each part reads where the company was in the tick before. A change at the top reaches the parts d levels below d
ticks later, and the order in which entities are served decides nothing.

Source: "Game AI Pro 2", 20.4.2 and 20.4.3 (composite of groups, previous-frame reads, membership changed only
between updates).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ai.formation.group_entity import (
    G_ALONG,
    G_BEHIND,
    G_CRUISE,
    G_DEPTH,
    G_ERROR,
    G_FACING,
    G_FASTEST,
    G_HALF,
    G_HEADING,
    G_LIMIT,
    G_MID_X,
    G_MID_Y,
    G_SPACING,
    G_SPEED,
    G_STATION,
    G_STATION_SPEED,
    G_STEP,
    G_STOP,
    T_BENDS,
    T_COUNT,
    T_OVER,
    T_POINTS,
    T_STAGE,
    T_STATE,
    T_WAITS,
    GroupState,
)
from ai.formation.group_pipeline import USUAL_STAGES
from game.systems.groups.group_forming import (
    begin_group,
    enter,
    free_behind,
    place_in_slots,
    put_on_path,
    rally,
    take_path,
    ticks_to_rally,
)
from game.systems.groups.slot_arrangement import preferred
from game.world.groups.movement_groups import Company, Group
from game.world.orders import Order
from game.world.world import World

GAP = 2.0
"""Tiles between the rear of a squad and the front of the next."""
SLACK = 3.0
"""Tiles off its station at which a part counts as far behind.

Spacing plays this role for members.
"""


def join_groups(world: World, slots: np.ndarray) -> None:
    """Form a company of these units' groups; whole companies become parts of it."""
    u, groups = world.units, world.groups
    chosen = set(u.id[slots].tolist())
    inner = [c for c in groups.companies if c.over < 0 and units_of(world, c) <= chosen]
    for company in inner:
        chosen -= units_of(world, company)
    part_companies(world, u.slots(sorted(chosen)))
    rows = {unit: int(u.band[u.slot(unit)]) for unit in sorted(chosen)}
    squads = tuple(tuple(k for k, row in rows.items() if row == each) for each in sorted(set(rows.values())))
    if len(inner) + len(squads) < 2:
        world.happen("refused", int(u.id[slots[0]]), text="a company is made of two groups or more")
        return
    number = 1 + max((company.id for company in groups.companies), default=-1)
    groups.companies.append(Company(number, squads))
    for company in inner:
        company.over = number


def part_companies(world: World, slots: np.ndarray) -> None:
    """Dissolve the companies of which these units are part; their groups go on alone."""
    ids = set(world.units.id[slots].tolist())
    gone = {c.id for c in world.groups.companies if c.over < 0 and units_of(world, c) & ids}
    while more := {c.id for c in world.groups.companies if c.over in gone} - gone:
        gone |= more
    for company in [c for c in world.groups.companies if c.id in gone]:
        _halt(world, company)
        world.groups.companies.remove(company)


def units_of(world: World, company: Company) -> set[int]:
    """Return ids of all living units of a company, nested ones included."""
    u = world.units
    return {unit for squad in _squads(world, company) for unit in squad if u.alive[u.slot(unit)]}


def _squads(world: World, company: Company) -> Iterator[tuple[int, ...]]:
    yield from company.squads
    for inner in world.groups.companies:
        if inner.over == company.id:
            yield from _squads(world, inner)


def send_companies(world: World, slots: np.ndarray, order: Order) -> np.ndarray:
    """Send companies whose living units are all in ``slots``; return the other slots."""
    u = world.units
    if not world.groups.companies:
        return slots
    chosen = set(u.id[slots].tolist())
    for company in [c for c in world.groups.companies if c.over < 0]:
        mine = units_of(world, company)
        if not mine:
            part_companies(world, u.slots(next(_squads(world, company), ())))
            continue
        if not world.settings.formation.companies or not mine <= chosen:
            continue
        left: list[int] = []
        _send(world, company, order, left)
        chosen = (chosen - mine) | set(left)
    return slots[np.isin(u.id[slots], sorted(chosen))]


def _send(world: World, top: Company, order: Order, left: list[int]) -> None:
    """Send squads on one path in a line, those nearest to its end first."""
    u, groups, lead = world.units, world.groups, None
    for company in groups.companies:
        if company.id == top.id or _is_in(world, company, top):
            _halt(world, company)
    placed: list[tuple[Company, int]] = []  # company of the part, group row
    for company, squad in _in_order(world, top, order):
        slots = u.slots([unit for unit in squad if u.alive[u.slot(unit)]])
        if not len(slots):
            continue
        before = groups.next_id
        left += u.id[begin_group(world, slots, order, lead)].tolist()
        row = groups.row_of(before) if groups.next_id > before else -1
        if row >= 0:
            lead = lead or groups.rows[row]
            placed.append((company, row))
    _march(world, top, placed)


def _march(world: World, top: Company, placed: list[tuple[Company, int]]) -> None:
    """Make one entity of entities out of groups (part, row) on one path."""
    if len(placed) >= 2:
        _line_up(world, [row for _, row in placed])
        _make_entity(world, top, placed)


def set_off(world: World, lead: Group, rows: list[int]) -> bool:
    """Line the groups of ``rows`` up on a newly found company path.

    The company stood and waited for this path, which belongs to its first group. Returns False when the company
    no longer exists.
    """
    groups, u = world.groups, world.units
    top = next((c for c in groups.companies if c.over < 0 and units_of(world, c) & set(lead.members.tolist())), None)
    if top is None or lead.path is None:
        return False
    order = Order(lead.order, lead.side, (), *lead.goal, facing=lead.told)
    placed: list[tuple[Company, int]] = []
    for company, squad in _in_order(world, top, order):
        mine = {int(u.band[u.slot(unit)]) for unit in squad if u.alive[u.slot(unit)]}
        placed += [(company, row) for row in sorted(mine) if row in rows]
    for company in groups.companies:
        if company.id == top.id or _is_in(world, company, top):
            _halt(world, company)
    for row in rows:
        if groups.rows[row] is not lead:
            take_path(world, groups.rows[row], row, lead.path)
        rally(world, groups.rows[row], row)
    _march(world, top, sorted(placed, key=lambda part: groups.rows[part[1]] is not lead))
    return True


def _in_order(world: World, company: Company, order: Order) -> list[tuple[Company, tuple[int, ...]]]:
    """Return (company, squad) of all squads, those nearest to the end first.

    Squads of one company stay together.
    """
    u = world.units

    def away(squad: tuple[int, ...]) -> float:
        slots = u.slots([unit for unit in squad if u.alive[u.slot(unit)]])
        return float(np.hypot(u.x[slots] - order.x, u.y[slots] - order.y).mean()) if len(slots) else math.inf

    parts = [[(company, squad)] for squad in company.squads]
    parts += [_in_order(world, inner, order) for inner in world.groups.companies if inner.over == company.id]
    parts.sort(key=lambda rows: (min(away(squad) for _, squad in rows), rows[0][1][0]))
    return [row for rows in parts for row in rows]


def _is_in(world: World, company: Company, top: Company) -> bool:
    while company.over >= 0:
        if company.over == top.id:
            return True
        company = next(c for c in world.groups.companies if c.id == company.over)
    return False


def _line_up(world: World, rows: list[int]) -> None:
    """Line squads up on their common path, one behind the other.

    They start as far forward as the ground behind the beginning of the path requires.
    """
    groups, u = world.groups, world.units
    path = groups.rows[rows[0]].path
    assert path is not None
    tables = [preferred(world, groups.rows[row]) for row in rows]
    along, at = float(groups.num[rows[0], G_ALONG]), []
    heading = float(groups.num[rows[0], G_HEADING])
    for k, table in enumerate(tables):
        along -= (tables[k - 1].depth + table.depth) / 2.0 + GAP if k else 0.0
        at.append(along)
    rear = at[-1] - tables[-1].depth / 2.0
    back = free_behind(world, groups.rows[rows[0]].movement_class, path.points[0], heading, max(0.0, -rear))
    shift = max(0.0, -rear - back)
    for row, table, along in zip(rows, tables, at, strict=True):
        group, num = groups.rows[row], groups.num[row]
        put_on_path(path, num, min(along + shift, path.length), heading)
        slots = u.slots(group.members)
        place_in_slots(world, group, row, slots, table)
        group.patience = ticks_to_rally(world, slots, table, group, row)
        enter(world, group, row, GroupState.FORMING)


def _make_entity(world: World, top: Company, placed: list[tuple[Company, int]]) -> None:
    """Add rows for the company and its companies, at their parts' middle."""
    groups = world.groups
    path = groups.rows[placed[0][1]].path
    assert path is not None
    front = float(groups.num[placed[0][1], G_ALONG])
    inner = [c for c in groups.companies if c.over >= 0 and _is_in(world, c, top)]
    # From the innermost outwards, so that a company knows the rows of those in it.
    for company in sorted(inner, key=lambda c: -_depth(world, c)) + [top]:
        below = [c for c in inner if c.over == company.id and c.row >= 0]
        rows = [row for whose, row in placed if whose is company] + [c.row for c in below]
        if not rows:
            continue
        company.row, company.entity, company.path = groups.free_row(), groups.next_id, path
        groups.next_id += 1
        alongs = [float(groups.num[row, G_ALONG]) for row in rows]
        num, tag = groups.num[company.row], groups.tag[company.row]
        middle = (max(alongs) + min(alongs)) / 2.0
        put_on_path(path, num, middle, float(groups.num[placed[0][1], G_HEADING]))
        num[G_STEP], num[G_STOP], num[G_SPACING] = path.step, 1e9, SLACK
        num[G_FACING], num[G_BEHIND] = groups.num[placed[0][1], G_FACING], middle - front
        num[G_HALF], num[G_DEPTH] = max(groups.num[row, G_HALF] for row in rows), max(alongs) - min(alongs)
        tag[T_STATE], tag[T_POINTS], tag[T_BENDS], tag[T_WAITS] = GroupState.FORMING, len(path.points), 1, 1
        tag[T_STAGE : T_STAGE + len(USUAL_STAGES)] = USUAL_STAGES
        entities = {c.row: c.entity for c in below}
        company.parts = tuple(entities[row] if row in entities else groups.rows[row].id for row in rows)
        company.offsets = tuple(along - middle for along in alongs)
        for row, along in zip(rows, alongs, strict=True):
            groups.tag[row, T_OVER] = 1
            groups.num[row, [G_STATION, G_STATION_SPEED, G_BEHIND]] = along, 0.0, along - front
    groups.laid = False


def _depth(world: World, company: Company) -> int:
    over = next((c for c in world.groups.companies if c.id == company.over), None)
    return 0 if over is None else 1 + _depth(world, over)


def _halt(world: World, company: Company) -> None:
    """Remove the company's entity; its parts go to their path ends alone."""
    groups = world.groups
    for number in company.parts:
        row = groups.row_of(number)
        if row >= 0:
            groups.tag[row, T_OVER] = 0
    if company.row >= 0:
        groups.drop(company.row)
    company.row, company.entity, company.parts, company.offsets, company.path = -1, -1, (), (), None


def keep_stations(world: World, num: np.ndarray, tag: np.ndarray) -> None:
    """Update companies from their parts, and stations of parts from companies.

    Runs before entities advance. Both read ``num`` and ``tag`` as they were in the last tick.
    """
    groups = world.groups
    for company in [c for c in groups.companies if c.row >= 0]:
        rows = {number: groups.row_of(number) for number in company.parts}
        # A group leaves the company when it takes a path of its own (a shut door, an obstacle) or ends.
        gone = [number for number, row in rows.items() if row < 0 or not groups.tag[row, T_OVER]]
        for number in gone:
            k = company.parts.index(number)
            company.parts = company.parts[:k] + company.parts[k + 1 :]
            company.offsets = company.offsets[:k] + company.offsets[k + 1 :]
        mine = [rows[number] for number in company.parts]
        there = [row for row in mine if tag[row, T_STATE] in (GroupState.SETTLING, GroupState.STANDING)]
        if not mine or len(there) == len(mine):
            _halt(world, company)
            continue
        _listen(world, company.row, mine, np.array(company.offsets), num, tag)


def _listen(world: World, row: int, parts: list[int], offsets: np.ndarray, num: np.ndarray, tag: np.ndarray) -> None:
    """Derive an entity of entities from its parts, and their stations from it."""
    mine, now = world.groups.num[row], world.groups.tag[row]
    here, count = num[parts], tag[parts, T_COUNT]
    now[T_COUNT] = int(count.sum())
    mine[G_LIMIT], mine[G_FASTEST] = here[:, G_LIMIT].min(), here[:, G_FASTEST].max()
    mine[G_CRUISE] = here[:, G_CRUISE].min()
    share = count / max(1, count.sum())
    mine[G_MID_X], mine[G_MID_Y] = (here[:, G_MID_X] * share).sum(), (here[:, G_MID_Y] * share).sum()
    stations = num[row, G_ALONG] + offsets
    mine[G_ERROR] = max(0.0, float((stations - here[:, G_ALONG]).max()))
    forming = (tag[parts, T_STATE] == GroupState.FORMING).any()
    if now[T_STATE] == GroupState.FORMING and not forming and now[T_COUNT]:
        now[T_STATE] = GroupState.MARCHING
    world.groups.num[parts, G_STATION] = stations
    world.groups.num[parts, G_STATION_SPEED] = num[row, G_SPEED]


TECHNIQUES = (
    {
        "slug": "companies",
        "name": "Nested groups with one tick of delay per level",
        "ids": ("GP2-20.5", "GP2-20.6"),
        "source": "Game AI Pro 2, ch. 20",
        "functions": ("join_groups", "send_companies"),
        "test": "tests/game/systems/groups/test_companies.py",
        "exhibit": "levels/exhibits/minds/company.toml",
        "overlay": "group",
        "setting": "formation.companies",
        "measure": "unformed",
        "direction": "down",
        "claim": (
            "Squads march one behind the other on one path; a company has no shape of its own. All read the tick "
            "before, and members change between ticks only; updates run in one thread."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
