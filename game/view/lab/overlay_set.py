"""Set of the overlays that are on.

Overlays that fill the ground would hide each other, so turning one on turns off the one before. Panels do the same, and
of lines and marks the three newest stay.
"""

from __future__ import annotations

from game.view.overlays.lenses import LENSES
from game.view.overlays.overlay import MOST_LINES, REGISTRY, Channel, Overlay


class OverlaySet:
    """Overlays that are on: one fill, one panel, at most three lines or marks.

    A removed overlay is remembered with the reason.
    """

    def __init__(self) -> None:
        self.on: list[Overlay] = []
        self.put_out: dict[str, str] = {}

    def is_on(self, name: str) -> bool:
        """Return whether an overlay is shown."""
        return any(o.name == name for o in self.on)

    def turn_on(self, name: str) -> None:
        """Show an overlay.

        An older one is removed when its channel holds no more.
        """
        if self.is_on(name):
            return
        made = REGISTRY[name]()
        self.put_out.pop(name, None)
        if made.channel == Channel.FILL:
            self._put_out([o for o in self.on if o.channel == Channel.FILL], "one fill")
        elif made.channel in (Channel.LINE, Channel.MARK):
            drawn = [o for o in self.on if o.channel in (Channel.LINE, Channel.MARK)]
            self._put_out(drawn[: max(0, len(drawn) - MOST_LINES + 1)], "three lines or marks")
        else:
            self._put_out([o for o in self.on if o.channel == Channel.PANEL], "one panel")
        self.on.append(made)

    def _put_out(self, overlays: list[Overlay], why: str) -> None:
        for o in overlays:
            self.on.remove(o)
            self.put_out[o.name] = f"put out: {why}"

    def turn_off(self, name: str) -> None:
        """Hide an overlay."""
        self.on = [o for o in self.on if o.name != name]

    def toggle(self, name: str) -> None:
        """Show or hide."""
        if self.is_on(name):
            self.turn_off(name)
        else:
            self.turn_on(name)

    def lens(self, name: str) -> None:
        """Show exactly a ready set; again: none."""
        wanted = LENSES[name]
        same = {o.name for o in self.on} == set(wanted)
        self.on.clear()
        self.put_out.clear()
        if not same:
            for overlay in wanted:
                self.turn_on(overlay)

    def of(self, *channels: Channel) -> list[Overlay]:
        """Return the shown overlays of some channels, oldest first."""
        return [o for o in self.on if o.channel in channels]


TECHNIQUES = (
    {
        "slug": "overlay-set",
        "name": "Overlays of every structure, each switched alone",
        "ids": ("AW-2.1-2",),
        "source": "AI Game Programming Wisdom, 2.1",
        "functions": ("OverlaySet.turn_on", "OverlaySet.toggle"),
        "test": "tests/game/view/overlays/test_overlay_grammar.py",
        "reason": "A tool of Lab: overlays show a world and change nothing in it.",
        "claim": "One fill, one panel and three lines show at a time; aim points and shot paths have no overlay.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
