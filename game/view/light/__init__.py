"""Fog, night, torches and cones of sight."""
