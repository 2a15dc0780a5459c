"""Overlays about motion: steering, crowds and groups."""
