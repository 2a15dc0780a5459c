"""Opens the A* explorer for the path of a selected unit."""

from __future__ import annotations

from game.view.input.input_context import CommandContext
from game.view.screens.explorer_screen import ExplorerScreen


def open_explorer(play: CommandContext) -> None:
    """Open the explorer with the last request of the first selected unit.

    Without such a request the explorer chooses start and goal itself. The explorer opens only in Lab and when the
    kernels of Lab are compiled.
    """
    if not play.view.lab:
        play.tell(f"{play.app.keymap.label('explore')}: in Lab only")
        return
    if not play.app.start_up.groups["lab"].ready:
        play.tell(play.app.start_up.line() or "the kernels of Lab are still being compiled")
        return
    world, p = play.playing.world, play.playing.picture
    chosen = [unit for unit in play.view.selected if unit in p.row_of]
    path, movement_class = None, 0
    if chosen:
        row = p.row_of[chosen[0]]
        movement_class = int(p.movement_class[row])
        requests, width = world.paths.requests, world.terrain.width
        if row < requests.capacity and requests.same_from[row] >= 0 and requests.same_to[row] >= 0:
            path = divmod(int(requests.same_from[row]), width), divmod(int(requests.same_to[row]), width)
    try:
        play.app.push(ExplorerScreen(play.app, play.playing, path, movement_class))
    except ValueError as error:
        play.tell(str(error))
