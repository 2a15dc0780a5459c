"""Replanning: map edits, obstacles on the path, hazards and paths that are refined as a unit walks."""
