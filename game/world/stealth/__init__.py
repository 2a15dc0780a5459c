"""State of stealth: what the sides know of each other, and paths past watchers."""
