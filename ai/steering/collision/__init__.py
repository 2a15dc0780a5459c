"""Collision resolution between bodies, and the measure of progress."""
