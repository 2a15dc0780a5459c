"""Clips of figures as data: poses, clips, groups and choices of ``assets/data/clips.toml``.

A book samples every clip into frames, and every fade from a frame into a group of clips into frames of a blend, so that
a frame is one number.  Bad data ends in one line with file and key.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ai.animation.action_table import ActionTable, Clip
from ai.animation.figure_poses import ACTS, STEPS
from ai.animation.pose_layers import layered
from game.level.files import read_toml
from game.view.figures.skeleton import CIRCLE, PLACE, SIZE, WIDTHS, blended
from game.view.painting.palette import ASSETS

CLIPS = ASSETS / "data" / "clips.toml"
PIXELS = 32
"""Pixels of a tile in which poses are given."""
STANCES = ("stand", "crouch", "prone")


class ClipRow(BaseModel):
    """Row ``[clip.NAME]``."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    group: str
    keys: list[tuple[str, float]] = []
    mixes: tuple[str, str] | None = None
    drive: Literal["time", "phase"] = "time"
    contact: float = Field(0.5, ge=0.1, le=0.5)
    frames: int = Field(1, ge=1, le=32)
    ticks: int = Field(1, ge=1, le=400)
    loop: bool = False
    adds: bool = False
    over: list[str] = []
    ambient: int = Field(0, ge=0)

    @model_validator(mode="after")
    def _has_poses(self) -> ClipRow:
        if bool(self.keys) == bool(self.mixes):
            raise ValueError("a clip has either keys or mixes")
        return self


class GroupRow(BaseModel):
    """Row ``[group.NAME]``."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    rest: str
    settle: int = Field(4, ge=1, le=40)


class ClipFile(BaseModel):
    """Contents of a file of clips."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    default: str
    pose: dict[str, dict[str, Any]]
    group: dict[str, GroupRow]
    clip: dict[str, ClipRow]
    choice: dict[str, dict[str, str]]


class ClipBook:
    """Frames of all clips and blends, and columns over clips."""

    def __init__(self, data: ClipFile) -> None:
        self.poses = {name: _pose(data.pose, name, ()) for name in data.pose}
        self.groups = list(data.group)
        self.names: list[str] = []
        rows: list[ClipRow] = []
        frames: list[np.ndarray] = []
        first: list[int] = []

        def add(name: str, row: ClipRow, sampled: list[np.ndarray], group: str) -> None:
            self.names.append(name)
            rows.append(row)
            first.append(len(frames))
            frames.extend(sampled)
            groups.append(self.groups.index(group))

        groups: list[int] = []
        plain = {name: self._sampled(name, row) for name, row in data.clip.items() if row.mixes is None}
        of_group = {name: row.group for name, row in data.clip.items()}
        for name, row in data.clip.items():
            if row.group not in data.group:
                raise ValueError(f"clip.{name}.group: there is no group {row.group!r}")
            if row.mixes is not None:
                plain[name] = _mixed(name, row.mixes, plain)
                row = row.model_copy(update={"frames": len(plain[name])})
            if not row.adds:
                add(name, row, plain[name], row.group)
                continue
            for over in row.over:
                if over not in plain:
                    raise ValueError(f"clip.{name}.over: there is no clip {over!r}")
                both, of_group[both] = f"{name}@{over}", of_group[over]
                plain[both] = _laid_over(plain[over], plain[name], self.poses[row.keys[0][0]])
                add(both, row, plain[both], of_group[over])
        self.index = {name: i for i, name in enumerate(self.names)}
        self.default = self._known(data.default, "default")
        self.first = np.array(first)
        self.count = np.array([row.frames for row in rows])
        self.ticks = np.array([row.ticks for row in rows])
        self.by_phase = np.array([row.drive == "phase" for row in rows])
        self.loops = np.array([row.loop for row in rows])
        self.group = np.array(groups)
        self.struck = np.array([self.index.get(f"jolt@{name}", -1) for name in self.names])
        """The clip in which a hit lies over each clip, or -1."""
        self.ambient = {i: row.ambient for i, row in enumerate(rows) if row.ambient}
        self.settle = np.array([row.settle for row in data.group.values()])
        self.missing: set[str] = set()
        self.news: list[str] = []
        """Lines about missing clips that no screen has shown yet."""
        self.blends = len(frames)
        """The frame from which on frames are blends."""
        rest = [int(self.first[self._known(g.rest, f"group.{name}.rest")]) for name, g in data.group.items()]
        self.rest = np.array(rest)
        """The frame at rest of each group."""
        known = np.array(frames)
        shares = (np.arange(STEPS) + 1.0) / (STEPS + 1.0)
        fades = blended(known[:, None, None], known[self.rest][:, None], shares[:, None])
        self.frames = np.concatenate([known, fades.reshape(-1, known.shape[1])])
        self.same = self._same()
        """The first frame that looks like each frame.

        A walk passes the same poses there and back.
        """
        self.walks = np.array([self._walk(i, row) for i, row in enumerate(rows)]).T.copy()
        """Cycle in tiles, and contact in shares of it, float64[2, clips]."""
        bare = self.frames[:, PLACE["bare"].start] > 0.5
        turns = np.where(bare, self.frames[:, PLACE["hat"].stop - 1], self.frames[:, PLACE["look"].start])
        self.look = np.rint(turns * 16 / 360).astype(np.int64).tolist()
        """Sixteenths of a turn of the headgear against its direction, by frame."""
        self.stand_in = self._stand_in()
        """The frame at rest that stands in for each frame."""
        self.coarse = self._coarse()
        """Frame to draw instead of each frame.

        Of a walk it is every other one.
        """
        self.table = self._table(data.choice)

    def _stand_in(self) -> list[int]:
        n, pairs = len(self.groups), len(self.frames) - self.blends
        out = np.zeros(len(self.frames), np.int64)
        for clip, group in enumerate(self.group.tolist()):
            out[self.first[clip] : self.end_of(clip)] = self.rest[group]
        out[self.blends :] = out[np.arange(pairs) // STEPS // n]
        return [int(frame) for frame in out]

    def end_of(self, clip: int) -> int:
        """Return the frame after the last one of a clip."""
        return int(self.first[clip + 1]) if clip + 1 < len(self.first) else self.blends

    def _coarse(self) -> np.ndarray:
        """Return every other frame of a walk, and blends that begin at rest."""
        out = np.arange(len(self.frames))
        for clip in np.flatnonzero(self.by_phase).tolist():
            first, count = self.first[clip], self.count[clip]
            step = max(count // 8, 2)
            out[first : first + count] = first + (self.same[first : first + count] - first) // step * step
        source, rest_of = np.divmod(np.arange(len(out) - self.blends), STEPS * len(self.groups))
        out[self.blends :] = self.blends + np.array(self.stand_in)[source] * STEPS * len(self.groups) + rest_of
        return out

    def _same(self) -> np.ndarray:
        out = np.arange(len(self.frames))
        for clip in np.flatnonzero(self.by_phase).tolist():
            seen: dict[bytes, int] = {}
            for frame in range(self.first[clip], self.first[clip] + self.count[clip]):
                out[frame] = seen.setdefault(np.round(self.frames[frame], 6).tobytes(), frame)
        return out

    def _walk(self, clip: int, row: ClipRow) -> tuple[float, float]:
        """Return cycle in tiles and contact of a clip, by its left foot."""
        if row.drive != "phase":
            return 1.0, row.contact
        first, count = self.first[clip], self.count[clip]
        foot = self.frames[first : first + count, PLACE["left_foot"].start]
        up = float(np.interp(row.contact * count, np.arange(count), foot))
        if foot[0] <= up:
            raise ValueError(f"clip.{self.names[clip]}.contact: the left foot does not go back while it is down")
        return (float(foot[0]) - up) / row.contact / PIXELS, row.contact

    def _known(self, name: str, key: str) -> int:
        if name not in self.index:
            raise ValueError(f"{key}: there is no clip {name!r}")
        return self.index[name]

    def _sampled(self, name: str, row: ClipRow) -> list[np.ndarray]:
        for pose, at in row.keys:
            if pose not in self.poses:
                raise ValueError(f"clip.{name}.keys: there is no pose {pose!r}")
            if not 0.0 <= at <= 1.0:
                raise ValueError(f"clip.{name}.keys: {at:g} is not from 0 to 1")
        if sorted(at for _, at in row.keys) != [at for _, at in row.keys]:
            raise ValueError(f"clip.{name}.keys: times do not rise")
        ring = row.loop or row.drive == "phase"
        shares = np.arange(row.frames) / (row.frames if ring else max(row.frames - 1, 1))
        if row.adds:
            shares = np.arange(1, row.frames + 1) / row.frames  # its first pose changes nothing
        return [self._between(row.keys, float(share)) for share in shares]

    def _between(self, keys: list[tuple[str, float]], share: float) -> np.ndarray:
        before = [k for k in keys if k[1] <= share] or keys[:1]
        after = [k for k in keys if k[1] > share] or keys[-1:]
        (one, t0), (other, t1) = before[-1], after[0]
        part = (share - t0) / (t1 - t0) if t1 > t0 else 0.0
        return blended(self.poses[one], self.poses[other], part)

    def _table(self, choice: dict[str, dict[str, str]]) -> np.ndarray:
        """Return the clip of each stance and act, int64[stance, act].

        An action table chooses them, with ``stand`` as the default condition.
        """
        rows = []
        for stance, acts in choice.items():
            if stance not in STANCES:
                raise ValueError(f"choice.{stance}: a stance is one of {', '.join(STANCES)}")
            for act, clip in acts.items():
                if act not in ACTS:
                    raise ValueError(f"choice.{stance}.{act}: an act is one of {', '.join(ACTS)}")
                self._known(clip, f"choice.{stance}.{act}")
                rows.append((STANCES.index(stance), ACTS.index(act), Clip(clip)))
        table, out = ActionTable(rows), np.zeros((len(STANCES), len(ACTS)), np.int64)
        for condition in range(len(STANCES)):
            for action, act_name in enumerate(ACTS):
                found = table.choose(condition, action)
                out[condition, action] = self.clip(found.name if found else act_name)
        return out

    def clip(self, name: str) -> int:
        """Return the number of a clip.

        A missing clip is the default, and is named once: on the error stream, and as news for the screen.
        """
        if name not in self.index and name not in self.missing:
            self.missing.add(name)
            self.news.append(f"clips: there is no clip {name!r}; {self.names[self.default]!r} takes its place")
            print(self.news[-1], file=sys.stderr)
        return self.index.get(name, self.default)

    def words_of(self, frame: int) -> str:
        """Return the clip of a frame, or the group that a blend leads to."""
        if frame >= self.blends:
            return f"fades to {self.groups[(frame - self.blends) // STEPS % len(self.groups)].replace('_', ' ')}"
        return self.names[int(np.searchsorted(self.first, frame, side="right")) - 1].replace("_", " ")

    def blend(self, source: np.ndarray, group: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Return frames of the blend from frames before ``blends`` to groups."""
        frame: np.ndarray = self.blends + (source * len(self.groups) + group) * STEPS + np.clip(step, 0, STEPS - 1)
        return frame


def _mixed(name: str, mixes: tuple[str, str], plain: dict[str, list[np.ndarray]]) -> list[np.ndarray]:
    """Return the frames half-way between two clips of one phase."""
    for other in mixes:
        if other not in plain:
            raise ValueError(f"clip.{name}.mixes: there is no clip {other!r} with keys")
    one, other_frames = plain[mixes[0]], plain[mixes[1]]
    if len(one) != len(other_frames):
        raise ValueError(f"clip.{name}.mixes: {mixes[0]!r} and {mixes[1]!r} have unequal frames")
    return [blended(a, b, 0.5) for a, b in zip(one, other_frames, strict=True)]


def _laid_over(base: list[np.ndarray], over: list[np.ndarray], zero: np.ndarray) -> list[np.ndarray]:
    """Return each frame of ``over`` on each frame of ``base``.

    It is a change against ``zero``. The mask of the layer is what changes.
    """
    mask = np.any(np.stack(over) != zero, axis=0)
    below, full = np.stack(base), np.ones(len(base))
    return [frame for change in over for frame in layered(below, [(below + change - zero, mask, full)], CIRCLE)]


def _pose(poses: dict[str, dict[str, Any]], name: str, seen: tuple[str, ...]) -> np.ndarray:
    if name in seen:
        raise ValueError(f"pose.{name}.base: poses {' > '.join((*seen, name))} form a circle")
    row = dict(poses[name])
    base = row.pop("base", None)
    if base is not None and base not in poses:
        raise ValueError(f"pose.{name}.base: there is no pose {base!r}")
    out = np.zeros(SIZE) if base is None else _pose(poses, base, (*seen, name)).copy()
    for key, value in row.items():
        if key not in PLACE:
            raise ValueError(f"pose.{name}.{key}: a pose has {', '.join(WIDTHS)}")
        numbers = value if isinstance(value, list) else [value]
        if len(numbers) != WIDTHS[key] or not all(isinstance(v, int | float) for v in numbers):
            raise ValueError(f"pose.{name}.{key}: needs {WIDTHS[key]} numbers")
        out[PLACE[key]] = numbers
    return out


def read_book(path: Path = CLIPS) -> ClipBook:
    """Read a file of clips; raises ValueError in one line with file and key."""
    try:
        return ClipBook(ClipFile.model_validate(read_toml(path)))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"{path}: {key}: {first['msg'].lower()}") from None
    except ValueError as error:
        raise ValueError(str(error) if str(path) in str(error) else f"{path}: {error}") from None
