"""Fog of war, night light, torches and cones of sight."""
