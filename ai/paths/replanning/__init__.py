"""Replanning: map edits, obstacles on the path, hazards and incremental refinement."""
