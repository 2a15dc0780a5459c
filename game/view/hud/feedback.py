"""What happened in the world, told by sounds and by words above heads."""

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
"""Facts that are news when a guard's eyes tell them; the player's own see guards all the time."""


def tell(
    happenings: list[Happening],
    playing: Playing,
    marks: Marks,
    effects: Effects,
    sound: Sound,
    camera: Camera,
    now: int,
) -> None:
    """Sounds panned by place; words for what a player must know."""
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
            effects.shot(fact, float(playing.picture.facing[row]), now)
            struck = visible.get(fact.other)
            if fact.text == "hit" and struck is not None:
                effects.hit(float(playing.picture.x[struck]), float(playing.picture.y[struck]), now)
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
    """Whether the window points at it: of what eyes make out only what guards' eyes make out of the player's."""
    if fact.kind not in OF_THEIR_EYES:
        return True
    p = playing.picture
    row = p.row_of.get(fact.other)
    return row is not None and int(p.side[row]) == playing.side


def place_of(fact: Happening, playing: Playing) -> tuple[float, float]:
    """Where the window points at it: suspicion of a watcher that nobody of the player's sees, at who is noticed."""
    p, sight = playing.picture, playing.world.sight
    row = p.row_of.get(fact.other)
    if fact.kind != "noticed" or row is None or sight.sees(playing.side, int(fact.y), int(fact.x)):
        return fact.x, fact.y
    return float(p.x[row]), float(p.y[row])


def own_seen(happenings: list[Happening], playing: Playing) -> bool:
    """A guard has just identified one of the player's units."""
    p = playing.picture
    rows = [p.row_of.get(fact.other) for fact in happenings if fact.kind == "identified"]
    return any(row is not None and int(p.side[row]) == playing.side for row in rows)


def footsteps(playing: Playing, sound: Sound, camera: Camera) -> None:
    """A step for a moving unit near the middle of the view, now and then."""
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
