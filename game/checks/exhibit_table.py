"""What the ``[exhibit]`` table of a script may say; levels/README.md has it as a table."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from game.checks.metrics import MEASURES
from game.world.orders import MOST

SelectorModel = str | int | Annotated[list[str | int], Field(min_length=1)]
Number = Annotated[float, Field(ge=-MOST, le=MOST, allow_inf_nan=False)]
SettingValue = bool | int | Number | str


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Knob(_Strict):
    """A setting the visitor of an exhibit may turn: a range with a step, or a few values to choose from."""

    setting: str
    label: str
    low: Number | None = None
    high: Number | None = None
    step: Number | None = Field(default=None, gt=0.0)
    choices: list[SettingValue] = Field(default_factory=list)
    words: list[str] = Field(default_factory=list)
    """What the chips say in place of the choices, one each."""

    @model_validator(mode="after")
    def _has_range(self) -> Knob:
        if not self.choices and (self.low is None or self.high is None or self.low >= self.high):
            raise ValueError(f"knob {self.setting} needs low below high, or choices")
        if self.words and len(self.words) != len(self.choices):
            raise ValueError(f"knob {self.setting} has {len(self.words)} words for {len(self.choices)} choices")
        return self


class Panel(_Strict):
    """A part of the map with a caption: exhibits that set several things side by side."""

    label: str = Field(max_length=40)
    region: str | None = None
    box: tuple[Number, Number, Number, Number] | None = None
    """left, top, right, bottom in tiles."""
    units: SelectorModel | None = None
    """Of these the exhibit's number stands in the caption."""

    @model_validator(mode="after")
    def _has_place(self) -> Panel:
        if (self.region is None) == (self.box is None):
            raise ValueError(f"panel {self.label!r} needs either region or box = [left, top, right, bottom]")
        if self.box is not None and not (self.box[0] < self.box[2] and self.box[1] < self.box[3]):
            raise ValueError(f"panel {self.label!r}: box is [left, top, right, bottom] with left < right, top < bottom")
        return self


class Exhibit(_Strict):
    """How the gallery shows a level: a question, what T switches, at most three knobs, one thing to try."""

    question: str = Field(max_length=60)
    line: str = Field(default="", max_length=120)
    """What happens here, in one sentence below the question."""
    technique: str
    """Slug of the row in ai/techniques.toml."""
    setting: str
    """The setting that T switches between ``on`` and ``off``: a switch, a number or a word."""
    on: SettingValue = True
    off: SettingValue = False
    on_words: str = Field(default="", max_length=14)
    off_words: str = Field(default="", max_length=14)
    """What stands on the switch in place of ON and OFF."""
    also: SettingValue | None = None
    also_words: str = Field(default="", max_length=9)
    """A third value, which T shows after ``on`` and before ``off``; the runs part at the start then."""
    overlays: list[str] = Field(default_factory=list)
    knobs: list[Knob] = Field(default_factory=list, max_length=3)
    more_knobs: list[Knob] = Field(default_factory=list)
    panel: list[Panel] = Field(default_factory=list)
    strip: str = ""
    """Name of a strip of own buttons and keys below the picture (game/view/strips)."""
    try_this: str
    repeat: int = Field(default=400, ge=20, le=6000)
    """Ticks after which it starts again by itself."""
    switch_at: str = Field(default="now", pattern="^(now|start)$")
    """Whether T parts the runs at the present tick, or at the first one, for what is decided once."""
    measure: str = "walked"
    """The number beside the two runs."""
    counted: str = ""
    """Which statistic or kind of event the measures ``statistic`` and ``events`` count."""
    measure_words: str = Field(default="", max_length=40)
    """What stands above the number in place of the measure's own words."""
    look_at: str = Field(default="", max_length=120)
    """For ``measure = "none"``: what to compare by eye."""
    camera: tuple[Number, Number, int] | None = None
    select: SelectorModel | None = None
    """The units that are watched: their overlays, trails and number.  Without it all raiders."""

    @model_validator(mode="after")
    def _has_number(self) -> Exhibit:
        if self.measure not in MEASURES:
            raise ValueError(f"measure is one of {', '.join(MEASURES)}, not {self.measure!r}")
        if MEASURES[self.measure].counts and not self.counted:
            raise ValueError(f"measure {self.measure} needs counted = the name of what it counts")
        if self.measure == "none" and not self.look_at:
            raise ValueError('measure "none" needs look_at, one sentence that says what to compare by eye')
        if self.also is not None and (self.switch_at != "start" or self.also in (self.on, self.off)):
            raise ValueError('also is a third value, and needs switch_at = "start"')
        if self.on == self.off and type(self.on) is type(self.off):
            raise ValueError(f"on and off of {self.setting} are the same value; T would switch nothing")
        return self
