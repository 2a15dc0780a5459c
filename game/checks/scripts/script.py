"""Scripts: timed orders, a scripted player, and expectations of a level.

A script is a TOML file beside its map (``NAME.toml``, ``NAME.variant.toml``). Its form is validated here and
documented in levels/README.md. The scripted player waits for conditions.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, PrivateAttr, ValidationError, model_validator

from game.checks.exhibit_table import Exhibit, Number, SelectorModel
from game.level.files import read_toml
from game.level.terrain.grounds import RULES
from game.sim.session import MOST_UNITS

Point = tuple[FiniteFloat, FiniteFloat]
Count = Annotated[int, Field(ge=0)]


_KINDS_OF_VALUE = ("bool", "int", "float", "constrained-float", "str")
"""Validator names of union members, which are no places in a file."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class OrderRow(_Strict):
    """Order to a selection, with a place.

    The place is a point, a region's name, a prop's or a unit's.
    """

    units: SelectorModel = "raiders"
    kind: Literal[
        "move", "attack", "attack_move", "patrol", "stop", "hold", "use", "face", "stance", "pace", "fire", "drop",
        "setting", "move_each", "formation", "throw", "whistle", "take_down", "drag", "hide", "sneak",
        "route", "post", "squad", "command",
    ]  # fmt: skip
    at: Point | None = None
    region: str | None = None
    prop: str | None = None
    door: str | None = None
    lamp: str | None = None
    target: SelectorModel | None = None
    queued: bool = False
    value: Number | str | None = None
    name: str = ""
    """Setting name, or the drill item that a formation order changes.

    Items are shape, spacing, ranks, rally, slowest, together, ...
    """
    facing: FiniteFloat | None = None
    """Final direction of a group, degrees clockwise from east."""
    points: list[Point] = Field(default_factory=list)
    """Destinations of move_each, one a unit, by their ids; objectives of command."""
    within: FiniteFloat | None = Field(default=None, ge=1.0, le=10_000.0)
    """Distance in tiles of seeded destinations for move_each without points.

    It is the most.
    """

    @model_validator(mode="after")
    def _has_place(self) -> OrderRow:
        if (
            self.kind in ("move", "attack_move", "patrol", "face", "throw", "sneak", "route", "squad")
            and self.at is None
            and not (self.region or self.prop)
        ):
            raise ValueError(f"order {self.kind} needs at = [x, y], region or prop")
        if self.kind == "command":
            if not self.points:
                raise ValueError("order command needs points = [[x, y], ...], one an objective")
        elif (self.kind == "move_each") != (bool(self.points) ^ (self.within is not None)):
            raise ValueError(
                "order move_each, and no other, needs points = [[x, y], ...], one a unit, or within = tiles"
            )
        if self.kind == "use" and not (self.prop or self.door or self.lamp):
            raise ValueError("order use needs prop, door or lamp")
        if self.kind in ("take_down", "drag") and self.target is None:
            raise ValueError(f"order {self.kind} needs target")
        if self.kind == "hide" and self.prop is None:
            raise ValueError("order hide needs prop")
        if self.kind in ("route", "post", "squad", "command") and not self.name:
            raise ValueError(f"order {self.kind} needs name = a law of route, a selector or a recipe")
        if self.kind == "attack" and self.target is None:
            raise ValueError("order attack needs target")
        most = {"stance": 2, "pace": 1, "fire": 2}.get(self.kind)
        if most is not None and (isinstance(self.value, str) or self.value not in range(most + 1)):
            raise ValueError(f"order {self.kind} needs value = a number from 0 to {most}")
        return self


class TimedOrder(OrderRow):
    """An order given at a tick; ``every`` repeats it until ``until``."""

    tick: int = Field(ge=1)
    every: int | None = Field(default=None, ge=1)
    until: int | None = Field(default=None, ge=1)


class MapEdit(_Strict):
    """The map changes at a tick: a house comes down, a breach opens.

    ``box`` is left, top, right, bottom in tiles, the last two not included; ``region`` means its bounds.  A ``ground``
    brings its passability, cost, sight and cover; the other keys say otherwise, or change one thing only.
    """

    tick: int = Field(ge=1)
    box: tuple[int, int, int, int] | None = None
    region: str | None = None
    ground: str | None = None
    walkable: bool | None = None
    cost: float | None = Field(default=None, ge=0.125, le=31.875)
    blocks_sight: bool | None = None
    cover: int | None = Field(default=None, ge=0, le=3)
    text: str = ""

    @model_validator(mode="after")
    def _says_what(self) -> MapEdit:
        if (self.box is None) == (self.region is None):
            raise ValueError("an edit needs either box = [left, top, right, bottom] or region")
        if self.box is not None and not (0 <= self.box[0] < self.box[2] and 0 <= self.box[1] < self.box[3]):
            raise ValueError(f"box must be [left, top, right, bottom] with left < right, top < bottom, got {self.box}")
        if self.ground is not None and self.ground not in RULES:
            raise ValueError(f"ground {self.ground!r} is none of {', '.join(RULES)}")
        if (self.ground, self.walkable, self.cost, self.blocks_sight, self.cover) == (None,) * 5:
            raise ValueError("an edit needs ground, walkable, cost, blocks_sight or cover")
        return self


class Condition(_Strict):
    """All keys given must hold at once."""

    tick: Count | None = None
    after: Count | None = None
    """Ticks since the previous step of this track was taken."""
    idle: SelectorModel | None = None
    """Units that want to go nowhere."""
    inside: tuple[SelectorModel, str] | None = None
    """All living units meant are inside the region."""
    carrying: SelectorModel | None = None
    """Units of which one carries something."""
    clear: tuple[str, str] | None = None
    """(side, region): no living unit of the side is inside the region."""
    occupied: tuple[str, str] | None = None
    """(side, region): some living unit of the side is inside it."""
    apart: tuple[SelectorModel, SelectorModel, Number] | None = None
    """Distance in tiles between all units of the first and the second.

    At least; only living units of the second count.
    """
    near: tuple[SelectorModel, SelectorModel, Number] | None = None
    """Distance in tiles between some unit of the first and the second.

    At most; only living units of the second count.
    """
    looks: tuple[SelectorModel, Number, Number] | None = None
    """Direction of all living units, degrees clockwise from east, and tolerance."""
    door_open: str | None = None
    lamp_out: str | None = None
    """This lamp does not burn."""
    down: SelectorModel | None = None
    """None of these is alive."""
    alarms: Count | None = None
    """At least so many alarms have been raised."""
    also: Condition | None = None
    """A second set of keys that must hold at the same time."""


class Step(_Strict):
    """Wait until ``when`` holds, then give the orders.

    After ``give_up`` ticks they are given all the same, and the script has failed; after ``at_most`` it has not.
    """

    when: Condition = Condition()
    orders: list[OrderRow] = Field(default_factory=list)
    give_up: Count | None = None
    at_most: Count | None = None
    say: str = ""


class Track(_Strict):
    """Steps taken one after the other; several tracks run side by side."""

    name: str
    step: list[Step]


class Expect(_Strict):
    """Expectation row; its keys depend on ``kind`` (levels/README.md has the table)."""

    kind: Literal[
        "arrives", "settles", "sets_off", "never_enters", "enters", "sees", "not_seen", "alive", "dead", "max_ticks",
        "no_overlap", "no_wall", "progress", "steady", "within_type", "slots",
        "path_stage_seen", "outcome", "happens", "statistic", "measure", "door",
        "no_cheating", "meter_is_state", "foretold", "possible_holds_truth", "sound_by_dijkstra", "searches_well",
        "by_the_table", "possible",
        "formed", "holds_shape", "inside_out", "narrows", "flows", "volley",
    ]  # fmt: skip
    units: SelectorModel = "all"
    others: SelectorModel | None = None
    region: str | None = None
    at: Point | None = None
    radius: Number = Field(default=1.0, ge=0.0)
    by: Count | None = None
    start: Count = 0
    count: Count | None = None
    stage: Literal["quick", "full", "splice", "priority"] | None = None
    outcome: Literal["won", "lost", "running", "sandbox"] | None = None
    event: str | None = None
    name: str | None = None
    at_most: Number | None = None
    at_least: Number | None = None
    open: bool | None = None
    text: str | None = None
    facing: Number | None = None
    """Final direction of a formation, degrees clockwise from east."""


class Script(_Strict):
    """A whole script file."""

    title: str = ""
    seed: int = 1
    ticks: int = Field(default=600, ge=1, le=100_000)
    units: int | None = Field(default=None, ge=0, le=MOST_UNITS)
    """Scatter so many soldiers on seeded walkable tiles."""
    endless: str = ""
    """Units that never arrive or settle here, and the reason."""
    stop_when_over: bool = True
    """End the run as soon as the mission is won or lost."""
    settings: dict[str, bool | int | Number | str] = Field(default_factory=dict)
    order: list[TimedOrder] = Field(default_factory=list)
    edit: list[MapEdit] = Field(default_factory=list)
    track: list[Track] = Field(default_factory=list)
    expect: list[Expect] = Field(default_factory=list)
    exhibit: Exhibit | None = None
    _path: Path | None = PrivateAttr(default=None)

    @property
    def path(self) -> Path | None:
        """Return the file it was read from."""
        return self._path


@contextmanager
def placed(script: Script, place: str = "") -> Iterator[None]:
    """Add the script's file and place to a ValueError without them."""
    try:
        yield
    except ValueError as error:
        where, words = str(script.path or "script"), str(error)
        if not words.startswith(where):
            words = f"{where}: {place}: {words}" if place else f"{where}: {words}"
        raise ValueError(words) from None


def load_script(path: Path) -> Script:
    """Load and validate a script; ValueError (one line) names file, place, error."""
    data = read_toml(path)
    try:
        script = Script.model_validate(data)
    except ValidationError as error:
        # A value may be of several kinds. Report the error of the kind that it has.
        slips = [e for e in error.errors() if e["loc"][:1] == error.errors()[0]["loc"][:1]]
        first = next((e for e in slips if not e["type"].endswith(("_type", "_parsing"))), slips[0])
        place = ".".join(str(p) for p in first["loc"] if p not in _KINDS_OF_VALUE) or "top level"
        message = first["msg"].removeprefix("Value error, ")
        raise ValueError(f"{path}: {place}: {message}; levels/README.md lists what a script may say") from None
    script._path = path
    return script


def scripts_of(level: Path) -> list[Path]:
    """Return the scripts of a map: ``NAME.toml``, then ``NAME.*.toml`` by name."""
    own = level.with_suffix(".toml")
    found = [own] if own.is_file() else []
    return found + sorted(p for p in level.parent.glob(f"{level.stem}.*.toml"))
