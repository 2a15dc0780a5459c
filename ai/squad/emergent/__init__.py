"""Emergent squads: each member decides for itself with a mental picture of the others."""
