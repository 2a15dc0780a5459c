"""Formations: slots with offset, facing and rank, and their assignment to units."""
