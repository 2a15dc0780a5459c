"""Tactics in the game: influence of sides, places by selectors, routes by laws."""
