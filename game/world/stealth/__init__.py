"""State of stealth and tactics: knowledge of sides, paths past watchers, danger."""
