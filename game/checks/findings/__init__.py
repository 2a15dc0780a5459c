"""Findings of a map, and the report of a check for other programs."""
