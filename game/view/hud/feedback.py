"""Sounds and words above heads for the events of the world."""

from __future__ import annotations

from game.view.painting.camera import Camera
from game.view.units.effects import Effects
from game.view.units.order_marks import Marks
from game.view.window.playing import Playing
from game.view.window.sound import Sound
from game.world.events import Happening

_SOUNDS = {
    "shot": "shot",
    "killed": "hit",
    "trapped": "hit",
    "noticed": "suspicion",
    "identified": "alarm",
    "alarm": "alarm",
    "won": "end",
    "lost": "end",
}
OF_THEIR_EYES = ("noticed", "identified")
"""Kinds of event that are told only when a guard sees a player's unit.

The player's units see guards all the time.
"""


def tell(
    happenings: list[Happening],
    playing: Playing,
    marks: Marks,
    effects: Effects,
    sound: Sound,
    camera: Camera,
    now: int,
) -> None:
    """Play the sounds of events at their positions, and show their words."""
    visible = playing.picture.row_of
    half = camera.width / camera.zoom / 2
    for fact in happenings:
        row = visible.get(fact.unit)
        own = row is not None and int(playing.picture.side[row]) == playing.side
        name = _SOUNDS.get(fact.kind)
        if name is not None and is_news(fact, playing):
            x, y = place_of(fact, playing)
            sound.play_at(name, x - camera.x, y - camera.y, half, 90)
        if fact.kind == "shot" and row is not None:
            p, struck = playing.picture, visible.get(fact.other)
            place = (float(p.x[struck]), float(p.y[struck])) if struck is not None else None
            effects.shot(fact, float(p.facing[row]), now, place, int(p.side[row]))
        if fact.kind == "nearest" and own:
            marks.say(fact.text, -1, fact.x, fact.y, now)
        elif fact.kind == "gave_up" and own:
            marks.say(fact.text or "cannot get there", fact.unit, fact.x, fact.y, now)
        elif fact.kind == "fault":
            marks.tell(f"A mind failed; its unit stands guard: {fact.text}", now)
        elif fact.kind == "refused" and (own or fact.unit < 0):
            marks.say(fact.text or "cannot do that", fact.unit, fact.x, fact.y, now)
        elif fact.kind == "say" and fact.text and fact.unit < 0:
            marks.tell(fact.text, now)
        elif (fact.kind == "say" and fact.text) or (fact.kind == "loose" and own):
            marks.say(fact.text, fact.unit, fact.x, fact.y, now)
        elif fact.kind == "lifted" and own:
            marks.say("Got it!", fact.unit, fact.x, fact.y, now)


def is_news(fact: Happening, playing: Playing) -> bool:
    """Return whether the window announces an event.

    An event of seeing is announced only if a guard noticed or identified one of the player's units.
    """
    if fact.kind not in OF_THEIR_EYES:
        return True
    p = playing.picture
    row = p.row_of.get(fact.other)
    return row is not None and int(p.side[row]) == playing.side


def place_of(fact: Happening, playing: Playing) -> tuple[float, float]:
    """Return the position at which the window shows an event.

    If the player does not see the guard that noticed a unit, the mark lies at that unit.
    """
    p, sight = playing.picture, playing.world.sight
    row = p.row_of.get(fact.other)
    if fact.kind != "noticed" or row is None or sight.sees(playing.side, int(fact.y), int(fact.x)):
        return fact.x, fact.y
    return float(p.x[row]), float(p.y[row])


def own_seen(happenings: list[Happening], playing: Playing) -> bool:
    """Return whether a guard has just identified one of the player's units."""
    p = playing.picture
    rows = [p.row_of.get(fact.other) for fact in happenings if fact.kind == "identified"]
    return any(row is not None and int(p.side[row]) == playing.side for row in rows)


def footsteps(playing: Playing, sound: Sound, camera: Camera) -> None:
    """Play a footstep of the player's moving unit nearest to the view's middle.

    There is no step when the camera is zoomed out.
    """
    if camera.zoom < 16:
        return
    p = playing.picture
    half = camera.width / camera.zoom / 2
    moving = p.living(playing.side)
    moving = moving[p.moving[moving] == 1]
    if len(moving):
        d = (p.x[moving] - camera.x) ** 2 + (p.y[moving] - camera.y) ** 2
        r = int(moving[d.argmin()])
        sound.play_at("step", float(p.x[r]) - camera.x, float(p.y[r]) - camera.y, half, 310)
