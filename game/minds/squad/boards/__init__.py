"""Boards of a squad: facts, open missions, and the requests of members."""
