"""Overlays about paths: stages, plans, fields, obstacles and repairs."""
