"""Crowd scenarios, played by the game and by RVO2."""
