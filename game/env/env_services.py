"""Services that all environments share: pictures, and saved states for tree search."""

from __future__ import annotations

from typing import Any

from game.env.agent_game import AgentGame, SavedGame
from game.env.agent_picture import AgentPicture


class EnvServices:
    """Pictures and saved states of the environment's ``game``."""

    game: AgentGame
    picture: AgentPicture

    def render(self) -> Any:
        """Return the picture as uint8[H, W, 3], or show the window."""
        return self.picture.render()

    def close(self) -> None:
        """Close the picture's window."""
        self.picture.close()

    def save_state(self, base: SavedGame | None = None) -> SavedGame:
        """Return the state for tree search; see :meth:`game.env.agent_game.AgentGame.save`."""
        return self.game.save(base)

    def load_state(self, saved: SavedGame) -> None:
        """Go back to a saved state."""
        self.game.load(saved)
