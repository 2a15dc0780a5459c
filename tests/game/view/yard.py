"""Small yard at night for tests of stealth in the window.

Ann (stone), Lil (lamp hook) and Quin (take-down) are in the west.
A wall with a gap divides them from the guards: Odo walks a loop below a lamp, Pim sleeps in the north-east.
"""

from pathlib import Path

from game.level.level_writer import LevelBuilder
from tests.game.view.player import Player

WIDTH, HEIGHT = 40, 24
ANN, LIL, QUIN, ODO, PIM = range(5)


def build(path: Path, night: bool = True, door: bool = False) -> Path:
    """Write the level and return its path; ``door`` adds a shut door."""
    level = LevelBuilder(WIDTH, HEIGHT, "grass", night=night)
    level.fill("wall", 16, 0, 17, 11)
    level.fill("wall", 16, 13, 17, 24)
    level.fill("wall", 28, 0, 29, 8)
    level.fill("wall", 28, 8, 40, 9)
    level.fill("gravel", 20, 16, 26, 20)
    level.add("spawn", 6.5, 12.5, name="Ann", kind="thrower", layer="units")
    level.add("spawn", 6.5, 14.5, name="Lil", kind="lamplighter", layer="units")
    level.add("spawn", 6.5, 16.5, name="Quin", kind="quiet_hand", layer="units")
    level.add("route", name="loop", points=((22.5, 11.5), (34.5, 11.5), (34.5, 20.5), (22.5, 20.5)), closed=True)
    level.add("spawn", 22.5, 11.5, name="Odo", kind="guard", side="guards", route="loop", facing=0, layer="units")
    level.add("spawn", 34.5, 4.5, name="Pim", kind="guard", side="guards", asleep=True, facing=180, layer="units")
    level.add("light", 25.5, 12.5, name="lamp", radius=6.0, switchable=True)
    level.add("prop", 12.5, 20.5, kind="haystack", name="hay")
    if door:
        level.fill("wall", 12, 2, 13, 7)
        level.add("door", 12, 4, 1, 1, name="gate")
    level.write(path)
    return path


def open_in_window(folder: Path, x: int, y: int, door: bool = False):
    """Return a play screen with the yard at day, its camera on a tile.

    The first state is kept, and the simulated player is the attribute ``player``.
    """
    player = Player()
    screen = player.open(build(folder / "yard.tmx", night=False, door=door))
    screen.player = player
    screen.camera.set_zoom(32)
    screen.camera.centre_on(x, y)
    player.frames(2)
    screen.playing.keep()
    return screen
