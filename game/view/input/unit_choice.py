"""Commands that select units: all, next unit, next group, control groups."""

from __future__ import annotations

from typing import Protocol

from game.view.input.selection import Selection
from game.view.painting.camera import Camera
from game.view.painting.painter_services import PainterServices
from game.view.window.playing import Playing


class _Play(Protocol):
    """Part of the play screen that these commands use."""

    playing: Playing
    camera: Camera
    selection: Selection

    @property
    def app(self) -> PainterServices:
        """Services that all screens share."""

    def tell(self, words: str) -> None:
        """Show one line for a few seconds."""


class Choosing:
    """Commands of a play screen that change its selection."""

    def __init__(self, play: _Play) -> None:
        self.play = play
        self.followed: tuple[int, ...] = ()
        """Units that the camera follows; empty while it stands."""
        self._left_at: tuple[float, float, int] = (0.0, 0.0, 0)
        """Middle and zoom step of the camera after the last step of following."""

    def select_all(self) -> None:
        """Select every unit of the player."""
        p = self.play.playing.picture
        self.play.selection.choose(int(i) for i in p.id[p.living(self.play.playing.side)])

    def next_unit(self, step: int = 1) -> None:
        """Select the next or previous own unit by id and look at it."""
        p = self.play.playing.picture
        ids = sorted(int(i) for i in p.id[p.living(self.play.playing.side)])
        if not ids:
            return
        chosen = self.play.selection.ids
        if step > 0:
            unit = next((i for i in ids if chosen and i > chosen[-1]), ids[0])
        else:
            unit = next((i for i in reversed(ids) if chosen and i < chosen[0]), ids[-1])
        self.play.selection.choose([unit])
        self.look_at_selection()

    def next_group(self) -> None:
        """Select the next control group and look at it."""
        members, living = self.play.selection.groups, self.play.playing.picture.living_ids
        groups = [n for n in sorted(members) if set(members[n]) & living]
        if not groups:
            self.play.tell("No groups yet")
            return
        last = self.play.selection.last_recall[0]
        number = next((n for n in groups if n > last), groups[0])
        self.recall(number)
        self.look_at_selection()

    def look_at_selection(self) -> None:
        """Centre the camera on the selected units."""
        p = self.play.playing.picture
        rows = p.rows(self.play.selection.ids)
        if len(rows):
            self.play.camera.centre_on(float(p.x[rows].mean()), float(p.y[rows].mean()))

    def follow(self) -> None:
        """Let the camera follow the selected units, or stop following."""
        chosen = () if self.followed else self.play.selection.ids
        if not self.followed and not chosen:
            self.play.tell("Follow selection: select a unit first")
            return
        self.play.tell(f"Following {len(chosen)}: move the map to stop" if chosen else "Following ends")
        self.followed = chosen
        if chosen:
            self.look_at_selection()
            camera = self.play.camera
            self._left_at = camera.x, camera.y, camera.step

    def update_follow(self) -> None:
        """Centre the camera on the followed units.

        Another movement of the camera ends it; a new zoom does not. The dead are not followed.
        """
        if not self.followed:
            return
        camera, p = self.play.camera, self.play.playing.picture
        rows = p.rows(tuple(unit for unit in self.followed if unit in p.living_ids))
        if not len(rows) or (camera.step == self._left_at[2] and (camera.x, camera.y) != self._left_at[:2]):
            self.followed = ()
            return
        x, y, _ = p.between(self.play.playing.clock.alpha())
        camera.centre_on(float(x[rows].mean()), float(y[rows].mean()))
        self._left_at = camera.x, camera.y, camera.step

    def recall(self, number: int) -> None:
        """Select a control group; a double tap centres the camera on it."""
        if self.play.selection.recall(number, self.play.app.now_ms):
            self.look_at_selection()
        self.play.app.sound.play("select", at_most_every_ms=60)

    def set_group(self, number: int) -> None:
        """Make the selection a control group."""
        self.play.selection.set_group(number)
        self.play.tell(f"Group {number}: {len(self.play.selection.ids)}")
