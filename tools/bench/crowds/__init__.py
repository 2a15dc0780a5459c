"""Crowd scenarios: what they are, how the game plays them, and how RVO2 plays them."""
