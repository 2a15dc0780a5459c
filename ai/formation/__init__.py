"""Formations: slots with offset, facing and rank, and who takes which."""
