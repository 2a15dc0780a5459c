"""Timeline of a game: keyframes, and a copy that shows any tick."""
