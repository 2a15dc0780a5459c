"""Picture of a game that agents play; pygame is loaded with the first one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from game.env.agent_game import AgentGame

MODES = (None, "rgb_array", "human")


class AgentPicture:
    """Picture of a game: ``mode`` is None, ``rgb_array`` (an array) or ``human`` (a window)."""

    def __init__(self, game: AgentGame, mode: str | None) -> None:
        if mode not in MODES:
            raise ValueError(f"render_mode {mode!r}: use rgb_array, human or None")
        self.game, self.mode = game, mode
        self._window: Any = None

    def _draw(self) -> NDArray[np.uint8]:
        from game.view.window.agent_window import AgentWindow

        if self._window is None:
            self._window = AgentWindow(self.game.session, self.game.sides[0], self.mode == "human")
        picture: NDArray[np.uint8] = self._window.draw()
        return picture

    def show(self) -> None:
        """Draw the present tick in the window."""
        self._draw()

    def render(self) -> NDArray[np.uint8] | None:
        """Return the picture as uint8[H, W, 3] in mode ``rgb_array``, else None."""
        if self.mode is None:
            return None
        picture = self._draw()
        return picture if self.mode == "rgb_array" else None

    def forget(self) -> None:
        """Close the window of a game that starts again."""
        self.close()

    def close(self) -> None:
        """Close the window, if one is open."""
        if self._window is not None:
            self._window.close()
            self._window = None
