"""Form of a script's ``[exhibit]`` table; levels/README.md documents it."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from game.checks.metrics.metric import MEASURES
from game.world.orders import MOST

SelectorModel = str | int | Annotated[list[str | int], Field(min_length=1)]
Number = Annotated[float, Field(ge=-MOST, le=MOST, allow_inf_nan=False)]
SettingValue = bool | int | Number | str


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Knob(_Strict):
    """Knob: a setting that you may turn in an exhibit.

    It has a range with a step, or a few values to choose from.
    """

    setting: str
    label: str
    low: Number | None = None
    high: Number | None = None
    step: Number | None = Field(default=None, gt=0.0)
    choices: list[SettingValue] = Field(default_factory=list)
    words: list[str] = Field(default_factory=list)
    """Labels of the choice chips, one each."""

    @model_validator(mode="after")
    def _has_range(self) -> Knob:
        if not self.choices and (self.low is None or self.high is None or self.low >= self.high):
            raise ValueError(f"knob {self.setting} needs low below high, or choices")
        if self.words and len(self.words) != len(self.choices):
            raise ValueError(f"knob {self.setting} has {len(self.words)} words for {len(self.choices)} choices")
        return self


class Panel(_Strict):
    """Panel: a captioned part of the map, for side by side exhibits."""

    label: str = Field(max_length=40)
    region: str | None = None
    box: tuple[Number, Number, Number, Number] | None = None
    """left, top, right, bottom in tiles."""
    units: SelectorModel | None = None
    """Units of the measure in the caption."""

    @model_validator(mode="after")
    def _has_place(self) -> Panel:
        if (self.region is None) == (self.box is None):
            raise ValueError(f"panel {self.label!r} needs either region or box = [left, top, right, bottom]")
        if self.box is not None and not (self.box[0] < self.box[2] and self.box[1] < self.box[3]):
            raise ValueError(f"panel {self.label!r}: box is [left, top, right, bottom] with left < right, top < bottom")
        return self


class Price(_Strict):
    """Price: a second number of both runs, for another cost or gain."""

    measure: str
    counted: str = ""
    words: str = Field(default="", max_length=40)
    """Label of the number, in place of the measure's own."""

    @model_validator(mode="after")
    def _has_number(self) -> Price:
        _check_measure(self.measure, self.counted)
        if self.measure == "none":
            raise ValueError('price needs a number, not measure = "none"')
        return self


def _check_measure(measure: str, counted: str) -> None:
    """Raise ValueError for an unknown measure, or one without its counted name."""
    if measure not in MEASURES:
        raise ValueError(f"measure is one of {', '.join(MEASURES)}, not {measure!r}")
    if MEASURES[measure].counts and not counted:
        raise ValueError(f"measure {measure} needs counted = the name of what it counts")


class Exhibit(_Strict):
    """Exhibit: question, switch on T, at most three knobs, one thing to try.

    The gallery shows a level by it.
    """

    question: str = Field(max_length=60)
    line: str = Field(default="", max_length=120)
    """Event of the exhibit, in one sentence below the question."""
    technique: str
    """Slug of the row in ai/techniques.toml."""
    setting: str
    """Setting that T switches between ``on`` and ``off``.

    It is a switch, a number or a word.
    """
    on: SettingValue = True
    off: SettingValue = False
    on_words: str = Field(default="", max_length=14)
    off_words: str = Field(default="", max_length=14)
    """Labels of the switch in place of ON and OFF."""
    also: SettingValue | None = None
    also_words: str = Field(default="", max_length=9)
    """Third value, shown by T after ``on`` and before ``off``.

    With it the runs diverge from the start.
    """
    overlays: list[str] = Field(default_factory=list)
    knobs: list[Knob] = Field(default_factory=list, max_length=3)
    more_knobs: list[Knob] = Field(default_factory=list)
    panel: list[Panel] = Field(default_factory=list)
    strip: str = ""
    """Name of a strip of buttons and keys below the picture (game/view/strips)."""
    try_this: str
    repeat: int = Field(default=400, ge=20, le=6000)
    """Ticks after which it starts again by itself."""
    switch_at: str = Field(default="now", pattern="^(now|start)$")
    """Tick from which T separates the runs: the present, or the first.

    The first suits decisions that are made once.
    """
    measure: str = "walked"
    """The number beside the two runs."""
    counted: str = ""
    """Name that a measure needs: a statistic, a kind of event, or a shape."""
    measure_words: str = Field(default="", max_length=40)
    """Label above the number, in place of the measure's own."""
    price: Price | None = None
    """The second number: what the technique costs, or what else it gains."""
    look_at: str = Field(default="", max_length=120)
    """For ``measure = "none"``: what to compare by eye."""
    camera: tuple[Number, Number, int] | None = None
    select: SelectorModel | None = None
    """The units that are watched: their overlays, trails and number.  Without it all raiders."""

    @model_validator(mode="after")
    def _has_number(self) -> Exhibit:
        _check_measure(self.measure, self.counted)
        if self.measure == "none" and not self.look_at:
            raise ValueError('measure "none" needs look_at, one sentence that says what to compare by eye')
        if self.also is not None and (self.switch_at != "start" or self.also in (self.on, self.off)):
            raise ValueError('also is a third value, and needs switch_at = "start"')
        if self.on == self.off and type(self.on) is type(self.off):
            raise ValueError(f"on and off of {self.setting} are the same value; T would switch nothing")
        return self
