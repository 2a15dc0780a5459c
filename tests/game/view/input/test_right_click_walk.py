"""Call chain of a right-click, from the mouse event to the first step.

A profiler records the functions.
A function belongs to the chain when it is on the call stack at a hand-over.
A hand-over is a function that passes the click, its order, its goal, its path or its motion to the next floor.
The clock (``Session.advance``, ``tick``) runs without a click as well and does not count.
Kernels have no Python stack; the function that calls them represents them.
"""

import sys
from collections import Counter
from pathlib import Path

import pygame

from ai.paths.requests import goal_resolution
from game.view.input.order_input import reachable_goal

ROOT = Path(__file__).resolve().parents[4]
OPEN_FIELD = ROOT / "levels" / "regression" / "motion" / "open_field.tmx"
MOST = 30
"""Largest number of functions in the chain."""

HANDOVERS = {
    "look_under", "meant", "make_order", "Session.give", "find_places", "spread_goals", "resolve_goals", "send",
    "PathManager.request", "settle_goals", "PathStore.write", "steer", "move",
}  # fmt: skip
CLOCK = {"Session.advance", "tick"}


class Walk:
    """Profiler that keeps the stacks at hand-overs and counts the calls of each function."""

    def __init__(self):
        self.road, self.calls = {}, Counter()

    def __call__(self, frame, event, arg):
        if event != "call" or not _ours(frame):
            return
        name = frame.f_code.co_qualname
        self.calls[name] += 1
        if name in HANDOVERS:
            stack = []
            while frame is not None:
                if _ours(frame) and frame.f_code.co_qualname not in CLOCK:
                    stack.append(f"{Path(frame.f_code.co_filename).relative_to(ROOT)}:{frame.f_code.co_qualname}")
                frame = frame.f_back
            self.road.update(dict.fromkeys(reversed(stack)))

    def __enter__(self):
        sys.setprofile(self)
        return self

    def __exit__(self, *error):
        sys.setprofile(None)


def _ours(frame):
    code = frame.f_code
    inside = code.co_filename.startswith((f"{ROOT}/game/", f"{ROOT}/ai/"))
    return inside and not code.co_name.startswith("<")


def _click(play, x, y):
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        play.handle(pygame.event.Event(kind, pos=(x, y), button=3))


def _walk(play, x, y, slot):
    """Right-click a pixel and run ticks until the unit has moved."""
    units = play.playing.world.units
    before = float(units.x[slot]), float(units.y[slot])
    with Walk() as walk:
        _click(play, x, y)
        for _ in range(20):
            play.playing.session.advance()
            if (float(units.x[slot]), float(units.y[slot])) != before:
                return walk
    raise AssertionError("the unit has not moved")


def _one_selected(player, path=None):
    play = player.open() if path is None else player.open(path)
    player.frames(5)
    play.playing.clock.paused = True
    play.playing.whole()
    p = play.playing.picture
    unit = int(p.id[p.living(play.playing.side)][0])
    play.selection.choose([unit])
    play.fill_state()
    slot = play.playing.world.units.slot(unit)
    units = play.playing.world.units
    play.camera.centre_on(float(units.x[slot]), float(units.y[slot]))
    return play, slot


def test_a_right_click_takes_at_most_thirty_functions_to_the_first_step(player):
    play, slot = _one_selected(player, OPEN_FIELD)
    units = play.playing.world.units
    walk = _walk(play, *play.camera.to_screen(float(units.x[slot]) + 4.0, float(units.y[slot]) + 0.2), slot)
    road = list(walk.road)
    assert {name for name in HANDOVERS if walk.calls[name]} == HANDOVERS, "every hand-over is called"
    assert len(road) <= MOST, "\n".join(road)
    missing = [name for name in road if f"`{name.split(':')[1]}`" not in (ROOT / "game" / "README.md").read_text()]
    assert not missing, f"game/README.md does not list {missing}"
    once = (
        "look_under",
        "meant",
        "make_order",
        "Session.give",
        "find_places",
        "PathManager.request",
        "Camera.to_world",
    )
    assert {name: walk.calls[name] for name in once} == dict.fromkeys(once, 1)
    assert walk.calls["Camera.to_screen"] == 0, "a world position is never converted back"


def test_a_blocked_goal_is_resolved_once(player, monkeypatch):
    play, slot = _one_selected(player)
    play.camera.centre_on(48, 32)
    spots = [(x, y) for y in range(120, 560, 12) for x in range(330, 960, 12)]
    for spot in spots:
        where = play.camera.to_world(*spot)
        ok, instead = reachable_goal(play.playing, play.selection.ids, *where)
        if not ok and instead is not None and play.mouse._click_at(*where).name == "move":
            break
    else:
        raise AssertionError("no blocked place on screen")
    searched = []
    nearest = goal_resolution._nearest
    monkeypatch.setattr(goal_resolution, "_nearest", lambda *args: searched.append(1) or nearest(*args))
    walk = _walk(play, *spot, slot)
    assert len(searched) == 1 and walk.calls["reachable_goal"] == 0
    assert [(fact.x, fact.y) for fact in play.playing.world.events if fact.kind == "nearest"] in ([instead], [])
    requests = play.playing.world.paths.requests
    assert tuple(requests.ordered_at[slot]) == (int(where[1]), int(where[0])), "the path manager knows the ordered tile"
